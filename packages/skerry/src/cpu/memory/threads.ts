// The worker threads. A request goes to the worker with the fewest requests. A worker has at most two, so that it never waits
// for the calling thread. Workers start on first need, if the platform starts them fast enough.

import { cores, STARTS_LATE, startWorker } from "#worker";
import { workerScript } from "../../generated/worker.js";
import type { Endpoint } from "../../platform/endpoint.js";
import type { Reply, Request } from "../../platform/messages.js";
import { DeviceLost, OutOfMemory, SkerryError } from "../../types/errors.js";
import { notStarted, RECORDS, recordAddress } from "./module.js";

/** Requests a worker may have at once: one it works on and one waiting. */
const AHEAD = 2;

/** Maximum number of threads of an engine without the option `threads`. */
const MOST_DEFAULT = 8;

export const defaultThreads = (): number => Math.min(cores(), MOST_DEFAULT);

/** A worker's result. */
export type Done = Reply & { kind: "done" };

/** A request before it has its number. */
type Unsent<R> = R extends { id: number } ? Omit<R, "id"> : never;

interface Thread {
  endpoint: Endpoint;
  outstanding: number;
  /** True once its memory was replaced: its messages and failures are ignored from then on. */
  ended: boolean;
}

interface Pending {
  thread: Thread;
  resolve: (reply: Done) => void;
  reject: (error: Error) => void;
}

interface Queued {
  post: (thread: Thread) => void;
  reject: (error: Error) => void;
}

export interface ThreadsOptions {
  readonly count: number;
  /** Makes a worker, in place of the platform's. */
  readonly worker: (() => unknown) | undefined;
  /** Whether the calling thread may run kernels, so that workers need not start with the engine. */
  readonly mainThread: boolean;
  readonly module: WebAssembly.Module;
  /** The memory that workers start with; undefined lets the one worker make its own. */
  readonly memory: () => WebAssembly.Memory | undefined;
}

export class Threads {
  /** Why the engine ended, once it has. */
  lost: Error | undefined;
  readonly #options: ThreadsOptions;
  #threads: Thread[] = [];
  #pending = new Map<number, Pending>(); // wide: tasks under way
  #queue: Queued[] = [];
  #ids = 0;
  #ready = 0;
  #whenReady: { resolve: () => void; reject: (error: Error) => void } | undefined;

  constructor(options: ThreadsOptions) {
    this.#options = options;
  }

  /** Whether a request waits or is under way. */
  get busy(): boolean {
    return this.#pending.size > 0 || this.#queue.length > 0;
  }

  get #startsLate(): boolean {
    return STARTS_LATE && this.#options.mainThread && !this.#options.worker;
  }

  /** Starts the workers, unless they start on first need; requests may be sent at once. */
  async begin(): Promise<void> {
    if (!this.#startsLate) await this.#start();
  }

  /** Starts the workers on first need, if they did not start before. */
  need(): void {
    if (this.#threads.length > 0 || this.lost) return;
    this.#start().catch((error) => {
      if (!this.lost) this.fail(error);
    });
  }

  /** Replaces the workers, which must be idle, by new ones. Resolves once the former have ended. */
  replace(): Promise<unknown> {
    const replaced = this.#threads;
    this.#threads = [];
    for (const thread of replaced) thread.ended = true;
    // Requests sent meanwhile reach the new workers after their memory, in order.
    this.begin().catch(() => undefined);
    return Promise.all(replaced.map(({ endpoint }) => endpoint.terminate()));
  }

  /** Sends a request to some worker, and transfers arrays with it. */
  send(request: Unsent<Request>, transfer: readonly ArrayBuffer[]): Promise<Done> {
    return new Promise<Done>((resolve, reject) => {
      if (this.lost) return reject(this.lost);
      const id = this.#ids++;
      const post = (thread: Thread): void => {
        this.#pending.set(id, { thread, resolve, reject });
        thread.endpoint.post({ ...request, id }, transfer);
      };
      this.#queue.push({ post, reject });
      this.#feed();
    });
  }

  /** Ends all requests with an error. */
  fail(error: Error): void {
    this.lost = error;
    this.#whenReady?.reject(error);
    for (const { reject } of this.#pending.values()) reject(error);
    for (const { reject } of this.#queue) reject(error);
    this.#pending.clear();
    this.#queue = [];
  }

  async close(): Promise<void> {
    if (!this.lost) this.fail(new DeviceLost("The engine was closed."));
    const threads = this.#threads;
    this.#threads = [];
    await Promise.all(threads.map(({ endpoint }) => endpoint.terminate()));
  }

  async #start(): Promise<void> {
    const { count, module } = this.#options;
    this.#threads = Array.from({ length: count }, () => this.#startThread());
    this.#ready = 0;
    const ready = new Promise<void>((resolve, reject) => {
      this.#whenReady = { resolve, reject };
    });
    const memory = this.#options.memory();
    for (const [i, { endpoint }] of this.#threads.entries()) {
      endpoint.keepAlive(true);
      endpoint.post({ kind: "start", module, memory, records: RECORDS, recordAt: recordAddress(i) }, []);
    }
    await ready;
    // Requests may have come meanwhile: only a worker with nothing to do lets the process end.
    for (const { endpoint, outstanding } of this.#threads) if (outstanding === 0) endpoint.keepAlive(false);
  }

  #startThread(): Thread {
    const thread: Omit<Thread, "endpoint"> & { endpoint?: Endpoint } = { outstanding: 0, ended: false };
    try {
      thread.endpoint = startWorker(workerScript, this.#options.worker, {
        reply: (reply) => {
          if (!thread.ended) this.#receive(reply);
        },
        lost: (cause) => {
          if (!thread.ended) this.#lose(cause);
        },
      });
    } catch (cause) {
      throw notStarted("A worker could not be started", cause);
    }
    return thread as Thread;
  }

  #feed(): void {
    if (this.#queue.length > 0) this.need();
    while (this.#queue.length > 0 && this.#threads.length > 0) {
      const thread = this.#threads.reduce((a, b) => (b.outstanding < a.outstanding ? b : a));
      if (thread.outstanding >= AHEAD) return;
      const queued = this.#queue.shift() as Queued;
      if (thread.outstanding++ === 0) thread.endpoint.keepAlive(true);
      try {
        queued.post(thread);
      } catch (cause) {
        thread.outstanding--;
        queued.reject(new SkerryError("A task could not be sent to its worker.", { cause }));
      }
    }
  }

  #receive(reply: Reply): void {
    if (reply.kind === "ready") {
      if (++this.#ready === this.#threads.length) this.#whenReady?.resolve();
      return;
    }
    const pending = this.#pending.get(reply.id);
    if (!pending) return;
    this.#pending.delete(reply.id);
    if (--pending.thread.outstanding === 0) pending.thread.endpoint.keepAlive(false);
    if (reply.kind === "done") pending.resolve(reply);
    else if (reply.memory) pending.reject(new OutOfMemory(`WebAssembly memory could not grow: ${reply.message}.`));
    else pending.reject(kernelError(reply.message));
    this.#feed();
  }

  #lose(cause: unknown): void {
    if (this.lost) return;
    if (this.#ready < this.#threads.length) {
      this.fail(notStarted("A worker could not be started", cause));
      return;
    }
    this.fail(new DeviceLost("A worker thread of the engine ended unexpectedly; open a new engine.", { cause }));
  }
}

export const kernelError = (message: string): SkerryError => new SkerryError(`A kernel failed: ${message}.`);

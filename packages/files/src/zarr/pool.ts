// Worker threads that decode and pack, so that the engine's own thread stays free. They start with the first job and do not keep
// the process alive.

import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { collect } from "./collect.js";
import { ZarrError } from "./errors.js";
import { type Done, type FromWorker, type Job, JobError, type Jobs, type Reading, type ToWorker } from "./jobs.js";

/** The script of the threads, from the build, from the bundle of the command, and from sources that are run as they are. */
const SCRIPT = import.meta.url.endsWith(".ts") ? "../../dist/zarr/worker.js" : "../zarr/worker.js";

/** Most workers. */
const MOST_WORKERS = 8;
/** Jobs of a worker at a time: while it decodes one, the bytes of the others are read. */
const JOBS_AT_ONCE = 6;

interface Waiting {
  readonly job: Job;
  readonly signal: AbortSignal | undefined;
  resolve(done: Done): void;
  reject(error: unknown): void;
}

interface Thread {
  readonly worker: Worker;
  readonly jobs: Map<number, Waiting>;
}

/** Workers and their jobs. */
export class Pool implements Jobs {
  readonly #threads: Thread[] = [];
  readonly #queue: Waiting[] = [];
  readonly #stores = new Map<number, Reading>();
  /** Failures of stores, by the ids of the jobs that failed. */
  readonly #failures = new Map<number, unknown>();
  readonly #most: number;
  #ids = 0;
  #arrays = 0;
  #closed = false;

  constructor(threads = Math.min(MOST_WORKERS, availableParallelism())) {
    this.#most = threads;
  }

  /** Registers an array whose chunks are decoded, with the function that reads its keys. Returns its number. */
  register(read: Reading): number {
    const number = this.#arrays++;
    this.#stores.set(number, read);
    return number;
  }

  memory(bytes: number): SharedArrayBuffer {
    return new SharedArrayBuffer(bytes);
  }

  release(array: number): void {
    this.#stores.delete(array);
    for (const { worker } of this.#threads) worker.postMessage({ kind: "forget", array } satisfies ToWorker);
  }

  /**
   * Does a job.
   * @throws JobError with the reason, or the error of a store
   */
  run(job: Job, signal?: AbortSignal): Promise<Done> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ job, signal, resolve, reject });
      this.#next();
    });
  }

  /** Frees unused shared memory, in this thread and in the workers. */
  collect(): void {
    collect();
    for (const { worker } of this.#threads) worker.postMessage({ kind: "collect" } satisfies ToWorker);
  }

  /** Ends the workers. */
  async close(): Promise<void> {
    this.#closed = true;
    const error = new JobError("the workers were closed");
    for (const { reject } of this.#queue.splice(0)) reject(error);
    const threads = this.#threads.splice(0);
    for (const { jobs } of threads) for (const { reject } of jobs.values()) reject(error);
    await Promise.all(threads.map(({ worker }) => worker.terminate()));
  }

  #next(): void {
    while (this.#queue.length > 0 && !this.#closed) {
      const least = this.#threads.reduce<Thread | undefined>(
        (best, each) => (best === undefined || each.jobs.size < best.jobs.size ? each : best),
        undefined,
      );
      const busy = least === undefined || least.jobs.size > 0;
      const thread = busy && this.#threads.length < this.#most ? this.#start() : least;
      if (thread === undefined || thread.jobs.size >= JOBS_AT_ONCE) return;
      const waiting = this.#queue.shift() as Waiting;
      if (waiting.signal?.aborted) {
        waiting.reject(waiting.signal.reason);
        continue;
      }
      const id = this.#ids++;
      if (thread.jobs.size === 0) thread.worker.ref();
      thread.jobs.set(id, waiting);
      thread.worker.postMessage({ kind: "job", id, job: waiting.job } satisfies ToWorker);
    }
  }

  #start(): Thread {
    const worker = new Worker(new URL(SCRIPT, import.meta.url));
    const thread: Thread = { worker, jobs: new Map() };
    worker.on("message", (message: FromWorker) => this.#take(thread, message));
    worker.on("error", (error) => this.#lost(thread, error));
    worker.unref();
    this.#threads.push(thread);
    return thread;
  }

  /** Fails the jobs of a thread that ended. Another thread is started for the next jobs. */
  #lost(thread: Thread, cause: unknown): void {
    const at = this.#threads.indexOf(thread);
    if (at >= 0) this.#threads.splice(at, 1);
    for (const { reject } of thread.jobs.values()) {
      reject(new ZarrError("unfit", `A worker ended: ${(cause as Error).message}.`, { cause }));
    }
    thread.jobs.clear();
    this.#next();
  }

  #take(thread: Thread, message: FromWorker): void {
    if (message.kind === "read") {
      this.#read(thread, message);
      return;
    }
    const waiting = thread.jobs.get(message.id);
    thread.jobs.delete(message.id);
    if (thread.jobs.size === 0) thread.worker.unref();
    if (message.kind === "done") waiting?.resolve(message.result);
    else waiting?.reject(this.#failures.get(message.id) ?? new JobError(message.reason));
    this.#failures.delete(message.id);
    this.#next();
  }

  #read(thread: Thread, { id, array, key, range, call }: FromWorker & { kind: "read" }): void {
    const read = this.#stores.get(array);
    const bytes = read ? read(key, range) : Promise.reject(new JobError("its array was closed"));
    bytes.then(
      (bytes) =>
        thread.worker.postMessage(
          { kind: "bytes", call, bytes: bytes } satisfies ToWorker,
          bytes ? [bytes.buffer] : [],
        ),
      (error: Error) => {
        this.#failures.set(id, error);
        thread.worker.postMessage({ kind: "no bytes", call, reason: error.message } satisfies ToWorker);
      },
    );
  }
}

let shared: Pool | undefined;

let threads: number | undefined;

/** Sets the number of worker threads of this process, at most 8. It has to be called before the first image is opened. */
export function limitThreads(count: number): void {
  threads = Math.min(MOST_WORKERS, count);
}

/** The workers of the process. */
export function sharedPool(): Pool {
  shared ??= new Pool(threads);
  return shared;
}

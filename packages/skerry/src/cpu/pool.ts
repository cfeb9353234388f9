// The worker threads and the memory they share. A task is a kernel call by name; it goes to the worker
// with the least to do, at most two ahead, so that a worker never waits for the main thread. Without
// SharedArrayBuffer there is one worker, which owns the memory, and bytes travel with the messages.

import { copyBytes } from "#copy";
import { turn } from "#event-loop";
import { cores, STARTS_LATE, startWorker } from "#worker";
import { KERNELS } from "../generated/kernels.js";
import { workerScript } from "../generated/worker.js";
import type { Endpoint } from "../platform/endpoint.js";
import type { Records, Reply, Task } from "../platform/messages.js";
import { changedError, DeviceLost, OutOfMemory, SkerryError, Unsupported } from "../types/errors.js";
import { Heap, PAGE } from "./heap.js";
import { callerOf, type KernelCaller } from "./kernel-caller.js";
import { LentArrays } from "./lent-arrays.js";

/** At most this many threads by default. */
const DEFAULT_THREADS = 8;

/** Tasks a worker may have at once: one it works on and one waiting. */
const AHEAD = 2;

/** Each worker has room for the record that a kernel is called with, at the end of the first page; see scripts/embed.mjs. */
const RECORD_BYTES = 512;
const RECORDS_OF_THREADS = 64;

/** The records of kernels that take one. */
export const RECORDS: Records = Object.fromEntries(Object.entries(KERNELS).map(([name, { record }]) => [name, record]));

/** Kernels run on the calling thread while no allocated block is larger than this: a message would take longer. */
const NEAR_BYTES = (1 << 20) + (1 << 12);

/** Maximum time for which kernels may block the calling thread between two turns of the event loop. */
const HELD_MILLISECONDS = 4;

/** Flags of an imported memory with a maximum. */
const [UNSHARED_FLAGS, SHARED_FLAGS] = [1, 3];

/** A task without a kernel, which only copies in and out. */
const COPY = { kernel: "", values: [] } as const;

/** The main thread copies at most this many bytes between two turns of the event loop. */
const COPY_BUDGET = 4 << 20;

/** Larger memory is released once it is empty and the pool was idle for a while. */
const KEEP_BYTES = 16 << 20;
const KEEP_MILLISECONDS = 2000;

interface Thread {
  endpoint: Endpoint;
  outstanding: number;
  /** True once its memory was replaced: its messages and failures are ignored from then on. */
  ended: boolean;
}

interface Pending {
  thread: Thread;
  resolve: (reply: Reply & { kind: "done" }) => void;
  reject: (error: Error) => void;
}

interface Queued {
  post: (thread: Thread) => void;
  reject: (error: Error) => void;
}

/** A kernel call with arrays of the main thread instead of pointers only. */
export interface PoolTask {
  /** Copied to `pointer` before the call. */
  input?: { pointer: number; array: ArrayBufferView } | undefined;
  /** Receives the bytes at `pointer` after the call. */
  output?: { pointer: number; array: ArrayBufferView } | undefined;
}

export interface PoolOptions {
  threads?: number | undefined;
  worker?: (() => unknown) | undefined;
  /** How long an empty large memory is kept, in milliseconds. */
  keepMilliseconds?: number | undefined;
  /** False runs one worker over unshared memory, as where there is no SharedArrayBuffer. */
  shared?: boolean | undefined;
  /** False leaves everything to the workers. */
  mainThread?: boolean | undefined;
}

/** Time and bytes that the main thread itself spent, within the stages of the workers. */
export interface Meter {
  allocate: { milliseconds: number; bytes: number };
  copy: { milliseconds: number; bytes: number };
}

export class Pool {
  readonly meter: Meter = { allocate: { milliseconds: 0, bytes: 0 }, copy: { milliseconds: 0, bytes: 0 } };
  readonly threads: number;
  readonly shared: boolean;
  #heap = new Heap();
  #memory: WebAssembly.Memory | undefined;
  #module!: WebAssembly.Module;
  readonly #make: (() => unknown) | undefined;
  readonly #keepMilliseconds: number;
  #threads: Thread[] = [];
  #pending = new Map<number, Pending>(); // wide: tasks under way
  #queue: Queued[] = [];
  #ids = 0;
  #ready = 0;
  #whenReady: { resolve: () => void; reject: (error: Error) => void } | undefined;
  #copied = 0;
  #lost: Error | undefined;
  #idle: ReturnType<typeof setTimeout> | undefined;
  readonly #mainThread: boolean;
  #near: KernelCaller | undefined;
  /** Blocks that make kernels take longer than messages. */
  #large = new Set<number>();
  #held = 0;
  /** Arrays of the caller's in memory. */
  readonly #lent = new LentArrays();

  private constructor(threads: number, shared: boolean, options: PoolOptions) {
    this.threads = threads;
    this.shared = shared;
    this.#make = options.worker;
    this.#keepMilliseconds = options.keepMilliseconds ?? KEEP_MILLISECONDS;
    // Each thread has a record of its own in the first page.
    this.#mainThread = shared && options.mainThread !== false && threads < RECORDS_OF_THREADS;
  }

  /** Compiles the kernels and starts the workers. */
  static async start(options: PoolOptions): Promise<Pool> {
    const shared = options.shared !== false && typeof SharedArrayBuffer !== "undefined";
    const threads = shared ? (options.threads ?? Math.min(cores(), DEFAULT_THREADS)) : 1;
    const pool = new Pool(threads, shared, options);
    const { wasm, memoryFlagsAt } = await import("../generated/wasm.js");
    const bytes = bytesOfDigits(wasm);
    bytes[memoryFlagsAt] = shared ? SHARED_FLAGS : UNSHARED_FLAGS;
    pool.#module = await WebAssembly.compile(bytes).catch((cause) => {
      throw notStarted("WebAssembly could not be compiled", cause);
    });
    await pool.#begin();
    if (!pool.#startsLate) await pool.#startThreads();
    return pool;
  }

  get #startsLate(): boolean {
    return STARTS_LATE && this.#mainThread && !this.#make;
  }

  get memory(): { used: number; reserved: number } {
    return { used: this.#heap.used, reserved: this.#memory?.buffer.byteLength ?? this.#heap.reach };
  }

  #startThread(): Thread {
    const thread: Omit<Thread, "endpoint"> & { endpoint?: Endpoint } = { outstanding: 0, ended: false };
    try {
      thread.endpoint = startWorker(workerScript, this.#make, {
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

  /** Makes a fresh memory. */
  async #begin(): Promise<void> {
    this.#threads = [];
    this.#heap = new Heap();
    this.#large.clear();
    this.#memory = this.shared ? sharedMemory() : undefined;
    this.#near = undefined;
    const memory = this.#memory;
    if (!this.#mainThread || !memory) return;
    const instance = await WebAssembly.instantiate(this.#module, { env: { memory } });
    if (this.#memory === memory)
      this.#near = callerOf(instance, memory, RECORDS, PAGE - (this.threads + 1) * RECORD_BYTES);
  }

  /** Starts the workers on first need, if they were not started with the pool. */
  #startLate(): void {
    if (this.#threads.length > 0 || this.#lost) return;
    this.#startThreads().catch((error) => {
      if (!this.#lost) this.#fail(error);
    });
  }

  /** Starts the workers; tasks may be posted at once. */
  async #startThreads(): Promise<void> {
    this.#threads = Array.from({ length: this.threads }, () => this.#startThread());
    this.#ready = 0;
    const ready = new Promise<void>((resolve, reject) => {
      this.#whenReady = { resolve, reject };
    });
    for (const [i, { endpoint }] of this.#threads.entries()) {
      endpoint.hold(true);
      const recordAt = PAGE - (i + 1) * RECORD_BYTES;
      endpoint.post({ kind: "start", module: this.#module, memory: this.#memory, records: RECORDS, recordAt }, []);
    }
    await ready;
    // Tasks may have come meanwhile: only a worker with nothing to do lets the process end.
    for (const { endpoint, outstanding } of this.#threads) if (outstanding === 0) endpoint.hold(false);
  }

  /** Reserves memory, with `lead` bytes in front of the address; give it back with {@link free}. */
  async allocate(bytes: number, lead = 0): Promise<number> {
    const begin = performance.now();
    const pointer = this.#reserve(bytes, lead);
    try {
      if (this.#memory) this.#grow(this.#memory);
      else await this.#growWorker();
    } catch (cause) {
      throw this.#notGrown(pointer, bytes, cause);
    }
    this.meter.allocate.milliseconds += performance.now() - begin;
    this.meter.allocate.bytes += bytes;
    return pointer;
  }

  /**
   * Reserves shared memory for an array of the caller's, which kernels read and write where it lies; undefined where
   * memory is not shared. {@link takeBack} ends the loan.
   */
  lend(bytes: number, lead: number): { readonly buffer: ArrayBufferLike; readonly pointer: number } | undefined {
    if (!this.shared) return undefined;
    const memory = this.#live();
    const pointer = this.#reserve(bytes, lead);
    try {
      this.#grow(memory);
      // Growing by nothing makes a new buffer object, which only this loan's views have.
      memory.grow(0);
    } catch (cause) {
      throw this.#notGrown(pointer, bytes, cause);
    }
    const { buffer } = memory;
    this.#lent.add(buffer, pointer, bytes);
    return { buffer, pointer };
  }

  /** The address of an array that {@link lend} made, or of a part of one; undefined for an array elsewhere. Throws once it was taken back. */
  addressOf(array: ArrayBufferView): number | undefined {
    return this.#lent.addressOf(array);
  }

  /** Ends the loan of an array and returns what frees its memory; undefined for an array elsewhere. */
  takeBack(array: ArrayBufferView): (() => void) | undefined {
    const end = this.#lent.end(array);
    return end && (() => this.free(end()));
  }

  /** A view on shared memory, good until the block at `pointer` is freed. */
  view(pointer: number, length: number): Uint32Array {
    return new Uint32Array(this.#live().buffer, pointer, length);
  }

  #reserve(bytes: number, lead: number): number {
    if (this.#lost) throw this.#lost;
    clearTimeout(this.#idle);
    const pointer = this.#heap.allocate(bytes, lead);
    if (bytes > NEAR_BYTES) {
      this.#large.add(pointer);
      this.#startLate();
    }
    return pointer;
  }

  #grow(memory: WebAssembly.Memory): void {
    const pages = Math.ceil((this.#heap.reach - memory.buffer.byteLength) / PAGE);
    if (pages > 0) memory.grow(pages);
  }

  /** Grows memory that the one worker owns. */
  async #growWorker(): Promise<void> {
    const bytes = this.#heap.reach;
    await new Promise<unknown>((resolve, reject) => {
      const id = this.#ids++;
      this.#send({
        reject,
        post: (thread) => {
          this.#pending.set(id, { thread, resolve, reject });
          thread.endpoint.post({ kind: "grow", id, bytes }, []);
        },
      });
    });
  }

  /** Takes a block back for which there is no memory; returns the error. */
  #notGrown(pointer: number, bytes: number, cause: unknown): Error {
    this.#heap.free(pointer);
    this.#large.delete(pointer);
    if (cause instanceof DeviceLost) return cause;
    return new OutOfMemory(
      `Expected ${bytes} more bytes of WebAssembly memory beside the ${this.#heap.used} in use, but the system has none left.`,
      { cause, bytes },
    );
  }

  /** Whether bytes [from, to) lie in one allocated block. */
  holds(from: number, to: number): boolean {
    return this.#heap.holds(from, to);
  }

  free(pointer: number): void {
    this.#heap.free(pointer);
    this.#large.delete(pointer);
    if (this.#heap.used > 0 || this.memory.reserved <= KEEP_BYTES || this.#lost) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#renew(), this.#keepMilliseconds);
    (this.#idle as { unref?: () => void }).unref?.();
  }

  /**
   * WebAssembly memory never shrinks, so a large empty memory is replaced. Workers keep the old one until they are
   * terminated. This thread keeps it until garbage collection, which an idle process does not start by itself.
   */
  #renew(): void {
    if (this.#heap.used > 0 || this.#pending.size > 0 || this.#lost) return;
    const replaced = this.#threads;
    for (const thread of replaced) thread.ended = true;
    const memory = this.#memory && new WeakRef(this.#memory);
    // Tasks posted meanwhile reach the new workers after their memory, in order.
    this.#begin().catch(() => undefined);
    if (!this.#startsLate) this.#startThreads().catch(() => undefined);
    Promise.all(replaced.map(({ endpoint }) => endpoint.terminate()))
      .then(() => memory && collected(memory))
      .catch(() => undefined);
  }

  /** Calls a kernel on some worker and resolves to its result. `check` is called once the input lies in shared memory. */
  async run(
    call: Pick<Task, "kernel" | "values">,
    { input, output }: PoolTask = {},
    check?: (memory: WebAssembly.Memory) => void,
  ): Promise<number> {
    const near = this.#nearCaller();
    if (near) return this.#runNear(near, call, { input, output }, check);
    const task: Task = { ...call };
    const transfer: ArrayBuffer[] = [];
    if (input) {
      const bytes = bytesOf(input.array);
      if (isShared(bytes)) {
        this.#lent.addressOf(input.array);
        task.input = { pointer: input.pointer, array: bytes };
      } else if (this.#memory) {
        await this.#pay(bytes.byteLength);
        this.#copy(bytes, new Uint8Array(this.#live().buffer, input.pointer, bytes.byteLength));
      } else {
        await this.#pay(bytes.byteLength);
        const copy = new Uint8Array(bytes.byteLength);
        this.#copy(bytes, copy);
        task.input = { pointer: input.pointer, array: copy };
        transfer.push(copy.buffer);
      }
    }
    if (check && this.#memory && !task.input) check(this.#memory);
    const target = output ? bytesOf(output.array) : undefined;
    const direct = target && isShared(target);
    if (output && direct) this.#lent.addressOf(output.array);
    if (output && target && (direct || !this.#memory)) {
      task.output = { pointer: output.pointer, bytes: target.byteLength, array: direct ? target : undefined };
    }
    const reply = await new Promise<Reply & { kind: "done" }>((resolve, reject) => {
      const id = this.#ids++;
      this.#send({
        reject,
        post: (thread) => {
          this.#pending.set(id, { thread, resolve, reject });
          thread.endpoint.post({ kind: "task", id, ...task }, transfer);
        },
      });
    });
    if (output && target && !direct) {
      await this.#pay(target.byteLength);
      const bytes = reply.output ?? new Uint8Array(this.#live().buffer, output.pointer, target.byteLength);
      this.#copy(bytes, target);
    }
    return reply.result;
  }

  /** Runs kernels on this thread; undefined if memory holds a large block or a worker is busy. */
  #nearCaller(): KernelCaller | undefined {
    const little = this.#large.size === 0 && this.#pending.size === 0 && this.#queue.length === 0;
    return little && !this.#lost ? this.#near : undefined;
  }

  async #runNear(
    near: KernelCaller,
    { kernel, values }: Pick<Task, "kernel" | "values">,
    { input, output }: PoolTask,
    check: ((memory: WebAssembly.Memory) => void) | undefined,
  ): Promise<number> {
    const memory = this.#live();
    const begin = performance.now();
    if (input) {
      const bytes = bytesOf(input.array);
      this.#copy(bytes, new Uint8Array(memory.buffer, input.pointer, bytes.byteLength));
    }
    check?.(memory);
    let result: number;
    try {
      result = kernel === "" ? 0 : near(kernel, values);
    } catch (cause) {
      throw kernelError((cause as Error).message);
    }
    if (output) {
      const bytes = bytesOf(output.array);
      this.#copy(new Uint8Array(memory.buffer, output.pointer, bytes.byteLength), bytes);
    }
    this.#held += performance.now() - begin;
    if (this.#held > HELD_MILLISECONDS) {
      this.#held = 0;
      await turn();
      if (this.#lost) throw this.#lost;
    }
    return result;
  }

  /** Copies an array into memory, without a kernel. */
  async write(pointer: number, array: ArrayBufferView): Promise<void> {
    const bytes = bytesOf(array);
    if (this.#memory && !isShared(bytes)) {
      await this.#pay(bytes.byteLength);
      this.#copy(bytes, new Uint8Array(this.#live().buffer, pointer, bytes.byteLength));
      return;
    }
    await this.run(COPY, { input: { pointer, array } });
  }

  /** Copies memory into an array, without a kernel. */
  async read(pointer: number, array: ArrayBufferView): Promise<void> {
    const bytes = bytesOf(array);
    if (this.#memory && !isShared(bytes)) {
      await this.#pay(bytes.byteLength);
      this.#copy(new Uint8Array(this.#live().buffer, pointer, bytes.byteLength), bytes);
      return;
    }
    await this.run(COPY, { output: { pointer, array } });
  }

  #copy(from: Uint8Array, to: Uint8Array): void {
    const begin = performance.now();
    try {
      copyBytes(from, to);
    } catch (cause) {
      // The lengths were equal when last checked, a turn of the event loop ago: the caller changed its array.
      throw changedError(cause);
    }
    this.meter.copy.milliseconds += performance.now() - begin;
    this.meter.copy.bytes += from.byteLength * 2;
  }

  /** The shared memory; it may have been given up while the caller waited for its turn. */
  #live(): WebAssembly.Memory {
    if (!this.#memory) throw this.#lost ?? new DeviceLost("The engine was closed.");
    return this.#memory;
  }

  /** Lets the event loop turn before the main thread copies more than its budget in one go. */
  async #pay(bytes: number): Promise<void> {
    this.#copied += bytes;
    if (this.#copied <= COPY_BUDGET) return;
    this.#copied = bytes;
    await turn();
  }

  #send(queued: Queued): void {
    if (this.#lost) queued.reject(this.#lost);
    else {
      this.#queue.push(queued);
      this.#feed();
    }
  }

  #feed(): void {
    if (this.#queue.length > 0) this.#startLate();
    while (this.#queue.length > 0 && this.#threads.length > 0) {
      const thread = this.#threads.reduce((a, b) => (b.outstanding < a.outstanding ? b : a));
      if (thread.outstanding >= AHEAD) return;
      const queued = this.#queue.shift() as Queued;
      if (thread.outstanding++ === 0) thread.endpoint.hold(true);
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
    if (--pending.thread.outstanding === 0) pending.thread.endpoint.hold(false);
    if (reply.kind === "done") pending.resolve(reply);
    else if (reply.memory) pending.reject(new OutOfMemory(`WebAssembly memory could not grow: ${reply.message}.`));
    else pending.reject(kernelError(reply.message));
    this.#feed();
  }

  #lose(cause: unknown): void {
    if (this.#lost) return;
    if (this.#ready < this.#threads.length) {
      this.#fail(notStarted("A worker could not be started", cause));
      return;
    }
    this.#fail(new DeviceLost("A worker thread of the engine ended unexpectedly; open a new engine.", { cause }));
  }

  #fail(error: Error): void {
    this.#lost = error;
    clearTimeout(this.#idle);
    this.#whenReady?.reject(error);
    for (const { reject } of this.#pending.values()) reject(error);
    for (const { reject } of this.#queue) reject(error);
    this.#pending.clear();
    this.#queue = [];
  }

  async close(): Promise<void> {
    if (!this.#lost) this.#fail(new DeviceLost("The engine was closed."));
    const threads = this.#threads;
    this.#threads = [];
    this.#memory = undefined;
    this.#near = undefined;
    await Promise.all(threads.map(({ endpoint }) => endpoint.terminate()));
  }
}

/** Bytes from their hexadecimal digits, in small letters. */
function bytesOfDigits(digits: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(digits.length / 2);
  // "7" is 0x37 and "b" is 0x62: of letters the lower half counts from 1 on.
  const valueAt = (i: number): number => (digits.charCodeAt(i) & 15) + 9 * (digits.charCodeAt(i) >> 6);
  for (let i = 0; i < bytes.length; i++) bytes[i] = 16 * valueAt(2 * i) + valueAt(2 * i + 1);
  return bytes;
}

const kernelError = (message: string): SkerryError => new SkerryError(`A kernel failed: ${message}.`);

/** The error of a pool that cannot start: its usual cause, in a browser, and the remedy. */
function notStarted(what: string, cause: unknown): Unsupported {
  const reason = (cause as Error | undefined)?.message;
  return new Unsupported(
    `${what}${reason ? ` (${reason.slice(0, 80)})` : ""}. A content security policy must allow worker-src blob: and script-src 'wasm-unsafe-eval'; with open({ worker }), check that the worker's script is there.`,
    { cause },
  );
}

function bytesOf(array: ArrayBufferView): Uint8Array {
  try {
    return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  } catch (cause) {
    throw changedError(cause);
  }
}

/** Maximum attempts to trigger garbage collection for one memory, and the pause between them. */
const COLLECTIONS = 60;
const COLLECTION_MILLISECONDS = 50;
const PRESSURE_BYTES = 64 << 20;

/**
 * Waits until a memory is garbage-collected. JavaScript engines collect when arrays outside their heap have grown. So
 * this allocates arrays that are never touched, which costs only address space.
 */
async function collected(memory: WeakRef<WebAssembly.Memory>): Promise<void> {
  let gone = 0;
  for (let i = 0; i < COLLECTIONS; i++) {
    // deref() keeps the memory alive for the rest of this turn, so the allocations happen in a turn of their own.
    await pause();
    try {
      for (let k = 0; k < 4; k++) new ArrayBuffer(PRESSURE_BYTES);
    } catch {
      // A system without room for them has collected by now.
    }
    await pause();
    if (memory.deref()) continue;
    // Buffers made before the memory grew are objects of their own, which may have outlived it.
    if (gone++ === 2) return;
  }
}

/** Waits for a short time, without keeping the process alive. */
function pause(): Promise<void> {
  return new Promise((resolve) => {
    const timer: unknown = setTimeout(resolve, COLLECTION_MILLISECONDS);
    (timer as { unref?: () => void }).unref?.();
  });
}

function isShared(array: ArrayBufferView): boolean {
  return typeof SharedArrayBuffer !== "undefined" && array.buffer instanceof SharedArrayBuffer;
}

/** A shared memory that may grow to 4 GiB, or to as much as the system lets it reserve. */
function sharedMemory(): WebAssembly.Memory {
  let failure: unknown;
  for (let maximum = 65536; maximum >= 1024; maximum /= 2) {
    try {
      return new WebAssembly.Memory({ initial: 1, maximum, shared: true });
    } catch (cause) {
      failure = cause;
    }
  }
  throw new OutOfMemory("Not even 64 MiB of shared WebAssembly memory could be reserved.", { cause: failure });
}

// The interface of the CPU device for its operations: memory, and calls of kernels on worker threads or, for little data, on
// the calling thread. Without SharedArrayBuffer there is one worker, which owns the memory, and messages carry the bytes.

import { turn } from "#event-loop";
import { bytesOf } from "../../core/pixels.js";
import type { Task } from "../../platform/messages.js";
import { DeviceLost } from "../../types/errors.js";
import { callerOf, type KernelCaller } from "../kernel-caller.js";
import { collected } from "./collection.js";
import { Copies, isShared, type Meter } from "./copies.js";
import { LinearMemory } from "./linear-memory.js";
import { compileKernels, RECORDS, RECORDS_OF_THREADS, recordAddress } from "./module.js";
import { defaultThreads, kernelError, Threads } from "./threads.js";

/** Maximum time for which kernels may block the calling thread between two turns of the event loop. */
const BLOCKED_MILLISECONDS = 4;

/** Empty memory is replaced after this time. */
const KEEP_MILLISECONDS = 2000;

/** A task without a kernel, which only copies in and out. */
const COPY = { kernel: "", values: [] } as const;

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

export class Pool {
  readonly threads: number;
  readonly shared: boolean;
  readonly #module: WebAssembly.Module;
  readonly #mainThread: boolean;
  readonly #keepMilliseconds: number;
  readonly #memory: LinearMemory;
  readonly #workers: Threads;
  readonly #copies = new Copies();
  /** Calls kernels on this thread. */
  #near: KernelCaller | undefined;
  /** Milliseconds for which kernels blocked this thread since the last turn of the event loop. */
  #blocked = 0;
  #idle: ReturnType<typeof setTimeout> | undefined;

  private constructor(module: WebAssembly.Module, threads: number, shared: boolean, options: PoolOptions) {
    this.threads = threads;
    this.shared = shared;
    this.#module = module;
    this.#keepMilliseconds = options.keepMilliseconds ?? KEEP_MILLISECONDS;
    // Each thread has a record of its own in the first page.
    this.#mainThread = shared && options.mainThread !== false && threads < RECORDS_OF_THREADS;
    this.#memory = new LinearMemory(shared);
    this.#workers = new Threads({
      count: threads,
      worker: options.worker,
      mainThread: this.#mainThread,
      module,
      memory: () => this.#memory.memory,
    });
  }

  /** Compiles the kernels and starts the workers. */
  static async start(options: PoolOptions): Promise<Pool> {
    const shared = options.shared !== false && typeof SharedArrayBuffer !== "undefined";
    const threads = shared ? (options.threads ?? defaultThreads()) : 1;
    const pool = new Pool(await compileKernels(shared), threads, shared, options);
    await pool.#begin();
    await pool.#workers.begin();
    return pool;
  }

  get memory(): { used: number; reserved: number } {
    return { used: this.#memory.used, reserved: this.#memory.reserved };
  }

  get meter(): Meter {
    return this.#copies.meter;
  }

  /** Makes a fresh memory; returns the former. */
  async #begin(): Promise<WebAssembly.Memory | undefined> {
    this.#near = undefined;
    const former = this.#memory.begin();
    const { memory } = this.#memory;
    if (this.#mainThread && memory) {
      const instance = await WebAssembly.instantiate(this.#module, { env: { memory } });
      if (this.#memory.memory === memory) this.#near = callerOf(instance, memory, RECORDS, recordAddress(this.threads));
    }
    return former;
  }

  /** Reserves memory, with `lead` bytes in front of the address. Release it with {@link free}. */
  async allocate(bytes: number, lead = 0): Promise<number> {
    const begin = performance.now();
    const pointer = this.#reserve(bytes, lead);
    const { memory, reach } = this.#memory;
    try {
      if (memory) this.#memory.grow(memory);
      else await this.#workers.send({ kind: "grow", bytes: reach }, []);
    } catch (cause) {
      throw this.#notGrown(pointer, bytes, cause);
    }
    const { allocate } = this.meter;
    allocate.milliseconds += performance.now() - begin;
    allocate.bytes += bytes;
    return pointer;
  }

  /**
   * Reserves shared memory for an array of the caller, which kernels read and write in place; undefined if memory is not
   * shared. {@link takeBack} ends the loan.
   */
  lend(bytes: number, lead: number): { readonly buffer: ArrayBufferLike; readonly pointer: number } | undefined {
    if (!this.shared) return undefined;
    const memory = this.#live();
    const pointer = this.#reserve(bytes, lead);
    try {
      this.#memory.grow(memory);
      return { buffer: this.#memory.lend(memory, pointer, bytes), pointer };
    } catch (cause) {
      throw this.#notGrown(pointer, bytes, cause);
    }
  }

  /**
   * The address of an array that {@link lend} made, or of a part of one; undefined for an array elsewhere. Throws after the
   * array was freed.
   */
  addressOf(array: ArrayBufferView): number | undefined {
    return this.#memory.addressOf(array);
  }

  /** Marks the loan of an array as ending, and returns the function that frees it; undefined for an array elsewhere. */
  takeBack(array: ArrayBufferView): (() => void) | undefined {
    const end = this.#memory.endOfLoan(array);
    return end && (() => this.free(end()));
  }

  /** A view on shared memory, valid until the block at `pointer` is freed. */
  view(pointer: number, length: number): Uint32Array {
    return new Uint32Array(this.#live().buffer, pointer, length);
  }

  #reserve(bytes: number, lead: number): number {
    if (this.#workers.lost) throw this.#workers.lost;
    clearTimeout(this.#idle);
    const { pointer, large } = this.#memory.reserve(bytes, lead);
    if (large) this.#workers.need();
    return pointer;
  }

  /** Frees a block for which memory could not grow, and returns the error. */
  #notGrown(pointer: number, bytes: number, cause: unknown): Error {
    this.#memory.free(pointer);
    return cause instanceof DeviceLost ? cause : this.#memory.outOfMemory(bytes, cause);
  }

  /** Whether bytes [from, to) lie in one allocated block. */
  holds(from: number, to: number): boolean {
    return this.#memory.holds(from, to);
  }

  free(pointer: number): void {
    this.#memory.free(pointer);
    if (!this.#memory.replaceable || this.#workers.lost) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#renew(), this.#keepMilliseconds);
    (this.#idle as { unref?: () => void }).unref?.();
  }

  /**
   * Replaces a large empty memory. Workers keep the old one until they are terminated. This thread keeps it until garbage
   * collection.
   */
  #renew(): void {
    if (this.#memory.used > 0 || this.#workers.busy || this.#workers.lost) return;
    const former = this.#memory.memory && new WeakRef(this.#memory.memory);
    this.#begin().catch(() => undefined);
    this.#workers
      .replace()
      .then(() => former && collected(former))
      .catch(() => undefined);
  }

  /**
   * Calls a kernel on some worker, or for little data on this thread, and resolves to its result. `check` is called before
   * the kernel, if memory is shared and no worker copies the input.
   */
  async run(
    call: Pick<Task, "kernel" | "values">,
    { input, output }: PoolTask = {},
    check?: (memory: WebAssembly.Memory) => void,
  ): Promise<number> {
    if (this.#takesNear) return this.#runNear(call, { input, output }, check);
    const task: Task = { ...call };
    const transfer: ArrayBuffer[] = [];
    const { memory } = this.#memory;
    if (input) {
      const bytes = bytesOf(input.array);
      if (isShared(bytes)) {
        this.addressOf(input.array);
        task.input = { pointer: input.pointer, array: bytes };
      } else if (memory) {
        await this.#copyIn(bytes, input.pointer);
      } else {
        await this.#copies.pay(bytes.byteLength);
        const copy = new Uint8Array(bytes.byteLength);
        this.#copies.copy(bytes, copy);
        task.input = { pointer: input.pointer, array: copy };
        transfer.push(copy.buffer);
      }
    }
    if (check && memory && !task.input) check(memory);
    const target = output ? bytesOf(output.array) : undefined;
    const direct = target && isShared(target);
    if (output && direct) this.addressOf(output.array);
    if (output && target && (direct || !memory)) {
      task.output = { pointer: output.pointer, bytes: target.byteLength, array: direct ? target : undefined };
    }
    const reply = await this.#workers.send({ kind: "task", ...task }, transfer);
    if (output && target && !direct) {
      await this.#copies.pay(target.byteLength);
      const bytes = reply.output ?? new Uint8Array(this.#live().buffer, output.pointer, target.byteLength);
      this.#copies.copy(bytes, target);
    }
    return reply.result;
  }

  /** Whether a call runs on this thread: not if memory holds a large block or a worker is busy. */
  get #takesNear(): boolean {
    return this.callsNear && this.#memory.small && !this.#workers.busy;
  }

  async #runNear(
    { kernel, values }: Pick<Task, "kernel" | "values">,
    { input, output }: PoolTask,
    check: ((memory: WebAssembly.Memory) => void) | undefined,
  ): Promise<number> {
    const begin = performance.now();
    if (input) this.copyNear(input.array, input.pointer);
    const result = kernel === "" ? 0 : this.runNow(kernel, values, check);
    if (output) this.copyOut(output.pointer, output.array);
    this.#blocked += performance.now() - begin;
    if (this.#blocked > BLOCKED_MILLISECONDS) {
      this.#blocked = 0;
      await turn();
      if (this.#workers.lost) throw this.#workers.lost;
    }
    return result;
  }

  /** Whether the calling thread can call kernels. */
  get callsNear(): boolean {
    return this.#near !== undefined && this.#workers.lost === undefined;
  }

  /** Calls a kernel on this thread, now. For frames, whose memory is never replaced while they hold it. */
  runNow(kernel: string, values: readonly number[], check?: (memory: WebAssembly.Memory) => void): number {
    const memory = this.#live();
    check?.(memory);
    try {
      return (this.#near as KernelCaller)(kernel, values);
    } catch (cause) {
      throw kernelError((cause as Error).message);
    }
  }

  /** Copies an array into memory, now. */
  copyNear(array: ArrayBufferView, pointer: number): void {
    const bytes = bytesOf(array);
    this.#copies.copy(bytes, new Uint8Array(this.#live().buffer, pointer, bytes.byteLength));
  }

  /** Copies memory into an array, now. */
  copyOut(pointer: number, array: ArrayBufferView): void {
    const bytes = bytesOf(array);
    this.#copies.copy(new Uint8Array(this.#live().buffer, pointer, bytes.byteLength), bytes);
  }

  /** Copies an array into memory, without a kernel. */
  async write(pointer: number, array: ArrayBufferView): Promise<void> {
    const bytes = bytesOf(array);
    if (this.#memory.memory && !isShared(bytes)) await this.#copyIn(bytes, pointer);
    else await this.run(COPY, { input: { pointer, array } });
  }

  /** Copies memory into an array, without a kernel. */
  async read(pointer: number, array: ArrayBufferView): Promise<void> {
    const bytes = bytesOf(array);
    if (!this.#memory.memory || isShared(bytes)) {
      await this.run(COPY, { output: { pointer, array } });
      return;
    }
    await this.#copies.pay(bytes.byteLength);
    this.copyOut(pointer, bytes);
  }

  /** Writes to an array of the caller, when it is this thread's turn, as a copy of its bytes would. */
  async fill<T extends ArrayBufferView>(array: T, write: (array: T) => void): Promise<void> {
    await this.#copies.pay(array.byteLength);
    this.#live();
    this.#copies.timed(array.byteLength, () => write(array));
  }

  async #copyIn(bytes: Uint8Array, pointer: number): Promise<void> {
    await this.#copies.pay(bytes.byteLength);
    this.copyNear(bytes, pointer);
  }

  /** The shared memory. Throws if the engine ended while the caller waited for its turn. */
  #live(): WebAssembly.Memory {
    const { memory } = this.#memory;
    if (!memory) throw this.#workers.lost ?? new DeviceLost("The engine was closed.");
    return memory;
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    this.#memory.end();
    this.#near = undefined;
    await this.#workers.close();
  }
}

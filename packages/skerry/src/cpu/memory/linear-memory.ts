// The WebAssembly memory that kernels work in: its blocks, and loans to the caller. Memory never shrinks, so a fresh one
// replaces it once it is empty. If memory is not shared, a worker owns it, and only addresses are kept here.

import { OutOfMemory } from "../../types/errors.js";
import { Heap, PAGE } from "./heap.js";
import { LentArrays } from "./lent-arrays.js";

/** Kernels run on the calling thread while no allocated block is larger than this: a message would take longer. */
const SMALL_BYTES = (1 << 20) + (1 << 12);

/** Memory of more than this many bytes is replaced once it is empty and was idle for a while. */
const KEEP_BYTES = 16 << 20;

export class LinearMemory {
  readonly shared: boolean;
  #heap = new Heap();
  #memory: WebAssembly.Memory | undefined;
  /** Blocks that make kernels take longer than messages. */
  readonly #large = new Set<number>();
  /** The caller's arrays in memory. */
  readonly #lent = new LentArrays();

  constructor(shared: boolean) {
    this.shared = shared;
  }

  /** Bytes handed out. */
  get used(): number {
    return this.#heap.used;
  }

  /** Bytes of memory, used and not. */
  get reserved(): number {
    return this.#memory?.buffer.byteLength ?? this.#heap.reach;
  }

  /** Size that the memory must have for all blocks so far, in bytes. */
  get reach(): number {
    return this.#heap.reach;
  }

  /** The shared memory; undefined if a worker owns it, and after end(). */
  get memory(): WebAssembly.Memory | undefined {
    return this.#memory;
  }

  /** Whether no block is large. */
  get small(): boolean {
    return this.#large.size === 0;
  }

  /** Whether it is empty, and larger than is worth keeping. */
  get replaceable(): boolean {
    return this.#heap.used === 0 && this.reserved > KEEP_BYTES;
  }

  /** Replaces the memory by a fresh one, and returns the former. */
  begin(): WebAssembly.Memory | undefined {
    const former = this.#memory;
    this.#heap = new Heap();
    this.#large.clear();
    this.#memory = this.shared ? sharedMemory() : undefined;
    return former;
  }

  /** Drops the memory. */
  end(): void {
    this.#memory = undefined;
  }

  /** Reserves a block, with `lead` bytes in front of its address. The memory must grow to `reach`. */
  reserve(bytes: number, lead: number): { pointer: number; large: boolean } {
    const pointer = this.#heap.allocate(bytes, lead);
    const large = bytes > SMALL_BYTES;
    if (large) this.#large.add(pointer);
    return { pointer, large };
  }

  /** Grows a shared memory to `reach`. */
  grow(memory: WebAssembly.Memory): void {
    const pages = Math.ceil((this.#heap.reach - memory.buffer.byteLength) / PAGE);
    if (pages > 0) memory.grow(pages);
  }

  /** The buffer for the array of a loan. No other loan has this object, if the platform makes a new one. */
  lend(memory: WebAssembly.Memory, pointer: number, bytes: number): ArrayBufferLike {
    // Growing by 0 pages usually makes a new buffer object, which only this loan's views have.
    memory.grow(0);
    const { buffer } = memory;
    this.#lent.add(buffer, pointer, bytes);
    return buffer;
  }

  /** The address of a lent array, or of a part of one; undefined for an array elsewhere. Throws after it was freed. */
  addressOf(array: ArrayBufferView): number | undefined {
    return this.#lent.addressOf(array);
  }

  /** Returns the function that ends the loan of an array and returns its address; undefined for an array elsewhere. */
  endOfLoan(array: ArrayBufferView): (() => number) | undefined {
    return this.#lent.end(array);
  }

  /** The error of a block for which there is no memory. */
  outOfMemory(bytes: number, cause: unknown): OutOfMemory {
    return new OutOfMemory(
      `Expected ${bytes} more bytes of WebAssembly memory beside the ${this.#heap.used} in use, but the system has none left.`,
      { cause, bytes },
    );
  }

  /** Whether bytes [from, to) lie in one block. */
  holds(from: number, to: number): boolean {
    return this.#heap.holds(from, to);
  }

  free(pointer: number): void {
    this.#heap.free(pointer);
    this.#large.delete(pointer);
  }
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

// A first-fit allocator of addresses in WebAssembly memory, so freed blocks are reused before fresh pages are touched.
// It only returns addresses; the pool owns the memory itself.

import { checkBytes } from "../../core/allocation.js";
import { OutOfMemory } from "../../types/errors.js";

/** Bytes of a WebAssembly page. */
export const PAGE = 65536;

/** Maximum size of the heap, in bytes: 32-bit addresses end here, less one page. */
const LIMIT = 2 ** 32 - PAGE;

const ALIGNMENT = 64;

interface Block {
  begin: number;
  end: number;
}

/** An allocation: `bytes` usable bytes after `lead` bytes, in a block of `size` bytes. */
interface Lent {
  readonly size: number;
  readonly lead: number;
  readonly bytes: number;
}

export class Heap {
  /** Bytes handed out. */
  used = 0;
  /** Size that the memory must have for all allocations so far, in bytes. */
  reach = PAGE;
  /** Free blocks below `reach`, in ascending order, never adjacent. */
  #free: Block[] = [];
  #lent = new Map<number, Lent>(); // wide: blocks of one call

  /**
   * Reserves `bytes` at an address that is a multiple of 64, and `lead` bytes before it. The caller grows the memory to
   * `reach`. Throws for a size that is no whole number of 0 or more: a wrong size must not damage the list of blocks.
   */
  allocate(bytes: number, lead = 0): number {
    checkBytes(bytes);
    checkBytes(lead);
    const front = Math.ceil(lead / ALIGNMENT) * ALIGNMENT;
    const size = front + Math.max(ALIGNMENT, Math.ceil(bytes / ALIGNMENT) * ALIGNMENT);
    let at: number;
    const index = this.#free.findIndex((block) => block.end - block.begin >= size);
    const block = this.#free[index];
    if (block) {
      at = block.begin;
      block.begin += size;
      if (block.begin === block.end) this.#free.splice(index, 1);
    } else {
      const last = this.#free.at(-1);
      at = last?.end === this.reach ? last.begin : this.reach;
      if (at + size > LIMIT) {
        throw new OutOfMemory(
          `Expected the call to fit 4 GiB of WebAssembly memory, but it takes ${bytes} bytes more than the ${this.used} in use.`,
          { bytes, limit: LIMIT },
        );
      }
      if (at !== this.reach) this.#free.pop();
      this.reach = at + size;
    }
    this.#lent.set(at + front, { size, lead: front, bytes });
    this.used += size;
    return at + front;
  }

  /** Whether bytes [from, to) lie in one allocated block. */
  holds(from: number, to: number): boolean {
    for (const [address, { lead, bytes }] of this.#lent) {
      if (from >= address - lead && to <= address + bytes) return true;
    }
    return false;
  }

  /** Frees a block of {@link allocate}; other addresses are ignored. */
  free(address: number): void {
    const lent = this.#lent.get(address);
    if (lent === undefined) return;
    const { size, lead } = lent;
    const at = address - lead;
    this.#lent.delete(address);
    this.used -= size;
    let index = this.#free.findIndex((block) => block.begin > at);
    if (index < 0) index = this.#free.length;
    const before = this.#free[index - 1];
    const after = this.#free[index];
    const joinsAfter = after?.begin === at + size;
    if (before?.end === at) {
      before.end = joinsAfter ? after.end : at + size;
      if (joinsAfter) this.#free.splice(index, 1);
    } else if (joinsAfter) {
      after.begin = at;
    } else {
      this.#free.splice(index, 0, { begin: at, end: at + size });
    }
  }
}

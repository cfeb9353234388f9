// The caller's arrays in WebAssembly memory. `engine.allocate()` lends them, and backends find them by their buffer. If the
// platform makes a new buffer object for each loan, a view identifies its loan even after the block was lent again.

import { freedError, InvalidArgument } from "../../types/errors.js";

interface Lent {
  readonly bytes: number;
  /** The caller freed it, but earlier calls may still use it. */
  ending: boolean;
}

export class LentArrays {
  /** The loans of each buffer object, by address: one, or several if growing memory by 0 pages keeps the object. */
  #loans = new WeakMap<ArrayBufferLike, Map<number, Lent>>();
  /** Arrays that were freed. */
  #freed = new WeakSet<ArrayBufferView>();

  add(buffer: ArrayBufferLike, pointer: number, bytes: number): void {
    const loans = this.#loans.get(buffer) ?? new Map<number, Lent>(); // wide: arrays of the caller
    this.#loans.set(buffer, loans);
    loans.set(pointer, { bytes, ending: false });
  }

  /** The address of an array that lies in a lent block; undefined for an array elsewhere. Throws after its loan ended. */
  addressOf(array: ArrayBufferView): number | undefined {
    const { buffer, byteOffset, byteLength } = array;
    const loans = this.#loans.get(buffer);
    if (!loans) return undefined;
    if (this.#freed.has(array)) throw freedError();
    for (const [pointer, { bytes }] of loans) {
      if (byteOffset >= pointer && byteOffset + byteLength <= pointer + bytes) return byteOffset;
    }
    throw freedError();
  }

  /**
   * Returns the function that ends the loan of an array and returns its address; undefined for an array elsewhere. Throws
   * for a part of an array, and if its loan is ending already.
   */
  end(array: ArrayBufferView): (() => number) | undefined {
    const pointer = this.addressOf(array);
    if (pointer === undefined) return undefined;
    const loans = this.#loans.get(array.buffer) as Map<number, Lent>;
    const lent = loans.get(pointer);
    if (!lent) {
      throw new InvalidArgument("Expected the array that engine.allocate() returned, got a part of it.", {
        argument: "array",
      });
    }
    if (lent.ending) throw freedError();
    lent.ending = true;
    return () => {
      loans.delete(pointer);
      this.#freed.add(array);
      return pointer;
    };
  }
}

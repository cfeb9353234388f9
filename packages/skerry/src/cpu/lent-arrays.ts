// Arrays of the caller's that lie in WebAssembly memory: `engine.allocate()` lends them, and backends find them by their buffer.

import { freedError, InvalidArgument } from "../api/errors.js";

interface Lent {
  readonly bytes: number;
  /** Its owner gave it back, but calls made before may still use it. */
  ending: boolean;
}

export class LentArrays {
  /** Buffers of the present memory, which has another one each time it grew. */
  #buffers = new WeakSet<ArrayBufferLike>();
  /** By address. */
  #blocks = new Map<number, Lent>();

  add(buffer: ArrayBufferLike, pointer: number, bytes: number): void {
    this.#buffers.add(buffer);
    this.#blocks.set(pointer, { bytes, ending: false });
  }

  /** The address of an array that lies in a lent block; undefined for an array elsewhere. Throws after {@link remove}. */
  addressOf({ buffer, byteOffset, byteLength }: ArrayBufferView): number | undefined {
    if (!this.#buffers.has(buffer)) return undefined;
    for (const [pointer, { bytes }] of this.#blocks) {
      if (byteOffset >= pointer && byteOffset + byteLength <= pointer + bytes) return byteOffset;
    }
    throw freedError();
  }

  /**
   * The address of a lent array that will be removed; undefined for an array elsewhere. Throws for a part of one, and the
   * second time.
   */
  end(array: ArrayBufferView): number | undefined {
    const pointer = this.addressOf(array);
    if (pointer === undefined) return undefined;
    const lent = this.#blocks.get(pointer);
    if (!lent) {
      throw new InvalidArgument("Expected the array that engine.allocate() returned, got a part of it.", {
        argument: "array",
      });
    }
    if (lent.ending) throw freedError();
    lent.ending = true;
    return pointer;
  }

  remove(pointer: number): void {
    this.#blocks.delete(pointer);
  }
}

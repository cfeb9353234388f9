// The lines of a stream that are still needed: those of open objects, and those that wait for the next batch. They lie in one
// array without gaps, so that any range of them is a raster. The array grows to what is needed, and is then reused.

import type { PixelArray } from "../types/raster.js";

/** Room for an array of so many values, and the way to give it back. */
export interface LineMemory {
  allocate(length: number): PixelArray;
  free(array: PixelArray): void;
}

/** Lines of `line` values, of which columns `crop` are kept, from row `first` on. */
export class LineBuffer {
  /** The first row that is held. */
  first: number;
  /** The row after the last one that is complete. */
  end: number;
  /** Values of a row that is held. */
  readonly values: number;
  readonly #memory: LineMemory;
  readonly #line: number;
  readonly #from: number;
  #array: PixelArray | undefined;
  /** The row at the begin of the array. */
  #base: number;
  /** Values of the row `end` that came so far. */
  #partial = 0;

  /** `crop` are the first value of a line that is kept and the value after the last one. */
  constructor(memory: LineMemory, firstRow: number, line: number, crop: readonly [number, number]) {
    this.#memory = memory;
    this.#line = line;
    [this.#from] = crop;
    this.values = crop[1] - crop[0];
    this.first = firstRow;
    this.end = firstRow;
    this.#base = firstRow;
  }

  /** Values of a line that is not complete. */
  get partial(): number {
    return this.#partial;
  }

  /** Appends values up to row `end` at most, and returns how many were taken. O(values). */
  append(given: PixelArray, at: number, end: number): number {
    const { values } = this;
    const line = this.#line;
    const taken = Math.min(given.length - at, (end - this.end) * line - this.#partial);
    if (taken <= 0) return 0;
    const array = this.#room(Math.ceil((this.#partial + taken) / line));
    const isWhole = values === line;
    if (isWhole) {
      const begin = (this.end - this.#base) * values + this.#partial;
      array.set(given.subarray(at, at + taken), begin);
      this.end += Math.floor((this.#partial + taken) / line);
      this.#partial = (this.#partial + taken) % line;
      return taken;
    }
    for (let done = 0; done < taken; ) {
      const some = Math.min(taken - done, line - this.#partial);
      const [from, to] = [this.#partial - this.#from, this.#partial + some - this.#from];
      if (to > 0 && from < values) {
        const skipped = Math.max(0, -from);
        const part = given.subarray(at + done + skipped, at + done + Math.min(to, values) - from);
        array.set(part, (this.end - this.#base) * values + from + skipped);
      }
      done += some;
      this.#partial += some;
      if (this.#partial < line) continue;
      this.#partial = 0;
      this.end++;
    }
    return taken;
  }

  /** Rows [from, to), in place: valid until the next call of `append`. */
  rows(from: number, to: number): PixelArray {
    const { values } = this;
    return (this.#array as PixelArray).subarray((from - this.#base) * values, (to - this.#base) * values);
  }

  /** Forgets the rows before one. */
  keepFrom(row: number): void {
    this.first = Math.max(this.first, Math.min(row, this.end));
  }

  free(): void {
    if (this.#array) this.#memory.free(this.#array);
    this.#array = undefined;
  }

  /** The array with room for more rows: held rows move to its begin, or to a larger array, when it ends. */
  #room(more: number): PixelArray {
    const { values } = this;
    const former = this.#array;
    if (former && (this.end - this.#base + more) * values <= former.length) return former;
    const held = this.end - this.first;
    const from = (this.first - this.#base) * values;
    const to = (this.end - this.#base) * values + this.#partial;
    this.#base = this.first;
    // With half of it free, a move of all held rows pays for as many new ones.
    if (former && 2 * held * values <= former.length && (held + more) * values <= former.length) {
      former.copyWithin(0, from, to);
      return former;
    }
    const array = this.#memory.allocate(2 * (held + more) * values);
    if (former) {
      array.set(former.subarray(from, to));
      this.#memory.free(former);
    }
    this.#array = array;
    return array;
  }
}

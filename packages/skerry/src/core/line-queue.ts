// Lines that are pushed to a stream: each push resolves once its array was taken whole.

import { InvalidArgument } from "../types/errors.js";
import type { PixelArray } from "../types/raster.js";

interface Pushed {
  readonly lines: PixelArray;
  readonly taken: () => void;
  readonly refused: (error: unknown) => void;
}

/** An iterator over pushed arrays. An array counts as taken when the next one is asked for. */
export class LineQueue implements AsyncIterableIterator<PixelArray> {
  readonly #pushed: Pushed[] = [];
  #current: Pushed | undefined;
  #waiting: ((result: IteratorResult<PixelArray, undefined>) => void) | undefined;
  #ended = false;
  #stopped: { readonly error: unknown } | undefined;

  [Symbol.asyncIterator](): this {
    return this;
  }

  push(lines: PixelArray): Promise<void> {
    if (this.#stopped) return Promise.reject(this.#stopped.error);
    if (this.#ended) return Promise.reject(new InvalidArgument("Expected no lines after end()."));
    return new Promise((resolve, reject) => {
      this.#pushed.push({ lines, taken: resolve, refused: reject });
      this.#serve();
    });
  }

  end(): void {
    this.#ended = true;
    this.#serve();
  }

  next(): Promise<IteratorResult<PixelArray, undefined>> {
    this.#current?.taken();
    this.#current = undefined;
    return new Promise((resolve) => {
      this.#waiting = resolve;
      this.#serve();
    });
  }

  /** Refuses arrays that were not taken, and later ones. */
  stop(error: unknown): void {
    this.#stopped ??= { error };
    // After a loop to the end nothing is left.
    for (const { refused } of this.#pushed.splice(0)) refused(error);
    this.#current?.taken();
    this.#current = undefined;
  }

  #serve(): void {
    const resolve = this.#waiting;
    if (!resolve) return;
    const first = this.#pushed.shift();
    if (!first && !this.#ended) return;
    this.#waiting = undefined;
    this.#current = first;
    resolve(first ? { done: false, value: first.lines } : { done: true, value: undefined });
  }
}

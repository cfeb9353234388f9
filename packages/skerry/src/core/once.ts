// Work that is done at most once: freeing memory, and copies to another device.

import type { Call } from "./call.js";

export function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (!done) work();
    done = true;
  };
}

/** Something that is made on first use, and kept. If making it fails, the next call makes it again. */
export class Kept<T extends { dispose(): void }> {
  readonly #make: (call: Call) => Promise<T>;
  #made: Promise<T> | undefined;

  constructor(make: (call: Call) => Promise<T>) {
    this.#make = make;
  }

  get(call: Call): Promise<T> {
    this.#made ??= this.#make(call).catch((error) => {
      this.#made = undefined;
      throw error;
    });
    return this.#made;
  }

  dispose(): void {
    this.#made?.then((made) => made.dispose()).catch(() => undefined);
    this.#made = undefined;
  }
}

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
  #value: Promise<T> | undefined;

  constructor(make: (call: Call) => Promise<T>) {
    this.#make = make;
  }

  get(call: Call): Promise<T> {
    this.#value ??= this.#make(call).catch((error) => {
      this.#value = undefined;
      throw error;
    });
    return this.#value;
  }

  dispose(): void {
    this.#value?.then((value) => value.dispose()).catch(() => undefined);
    this.#value = undefined;
  }
}

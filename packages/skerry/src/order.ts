// The order in which bands are handed to a Sink, whichever of them is ready first.

/** Lets bands that finish in any order be written in the order in which they asked. */
export class InOrder {
  #last: Promise<void> = Promise.resolve();
  #failed = false;

  /** Waits for `ready` and for everyone before, then writes, unless something failed. */
  async take(ready: Promise<unknown>, write: () => void | Promise<void>): Promise<void> {
    const before = this.#last;
    let release: () => void = () => undefined;
    this.#last = new Promise((resolve) => {
      release = resolve;
    });
    try {
      await ready;
      await before;
      if (!this.#failed) await write();
    } catch (error) {
      this.#failed = true;
      throw error;
    } finally {
      release();
    }
  }
}

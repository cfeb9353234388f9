// A reason to end that may come while something waits for something else.

/** Ends waits with a reason, once. */
export class Stop {
  #reason: { readonly error: unknown } | undefined;
  #end: ((error: unknown) => void) | undefined;

  /** Ends the wait under way, and all later ones, with an error. */
  now(error: unknown): void {
    this.#reason ??= { error };
    this.#end?.(error);
  }

  /** The value of a promise, or the reason to end if it comes first. One wait at a time. */
  async race<T>(promise: Promise<T>): Promise<T> {
    if (this.#reason) throw this.#reason.error;
    const ended = new Promise<never>((_, reject) => {
      this.#end = reject;
    });
    try {
      return await Promise.race([promise, ended]);
    } finally {
      this.#end = undefined;
    }
  }
}

// One call in flight; of those that were asked for meanwhile the newest is next, and what is in flight is aborted for it.

/** Work that stops when its signal says so. */
export type Work = (signal: AbortSignal) => Promise<void>;

export class Latest {
  #running: AbortController | undefined;
  #next: Work | undefined;
  readonly #failed: (error: unknown) => void;

  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  /** Runs work as soon as nothing else is in flight. */
  ask(work: Work): void {
    this.#next = work;
    if (this.#running) this.#running.abort();
    else this.#go();
  }

  async #go(): Promise<void> {
    while (this.#next) {
      const work = this.#next;
      this.#next = undefined;
      this.#running = new AbortController();
      const { signal } = this.#running;
      try {
        await work(signal);
      } catch (error) {
        if (!signal.aborted) this.#failed(error);
      }
    }
    this.#running = undefined;
  }
}

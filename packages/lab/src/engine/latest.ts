// Keeps one call in flight. A new request aborts it, and of several waiting requests only the newest runs. Idle work
// runs when nothing else does, and any request aborts it.

import type { Progress } from "skerry";

/** Arguments of work: its signal, and the function that receives its progress. */
export interface Asked {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
}

export type Work = (asked: Asked) => Promise<void>;

/** Work that takes longer is shown, and can be cancelled. */
const SHOWN_AFTER_MILLISECONDS = 250;
const IDLE_AFTER_MILLISECONDS = 300;

export interface LatestOptions {
  /** Called when work fails, unless it was aborted. */
  readonly failed: (error: unknown) => void;
  /** Receives the progress of work that takes long; undefined when it ends. */
  readonly progressed: (fraction: number | undefined) => void;
}

export class Latest {
  #running: AbortController | undefined;
  #next: Work | undefined;
  #idle: Work | undefined;
  #resting: ReturnType<typeof setTimeout> | undefined;
  #isIdle = false;
  readonly #options: LatestOptions;

  constructor(options: LatestOptions) {
    this.#options = options;
  }

  /** Whether no requested work is in flight or waiting. */
  get quiet(): boolean {
    return (!this.#running || this.#isIdle) && !this.#next;
  }

  /** Aborts the work in flight, and then runs this work. */
  ask(work: Work): void {
    this.#next = work;
    clearTimeout(this.#resting);
    if (this.#running) this.#running.abort();
    else this.#go();
  }

  /** Runs work, in place of work that waits, once nothing was requested for a while. A request delays it, and aborts it if it runs. */
  whenIdle(work: Work | undefined): void {
    this.#idle = work;
    this.#rest();
  }

  /** Aborts the work in flight, and drops all work that waits. */
  cancel(): void {
    this.#next = undefined;
    this.#idle = undefined;
    this.#running?.abort();
  }

  #rest(): void {
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => {
      if (this.#running || !this.#idle) return;
      this.#next = this.#idle;
      this.#idle = undefined;
      this.#isIdle = true;
      this.#go();
    }, IDLE_AFTER_MILLISECONDS);
  }

  async #go(): Promise<void> {
    while (this.#next) {
      const work = this.#next;
      this.#next = undefined;
      const controller = new AbortController();
      this.#running = controller;
      const quiet = this.#isIdle;
      let fraction = 0;
      const show = (): void => {
        if (!quiet && !controller.signal.aborted) this.#options.progressed(fraction);
      };
      let shown: ReturnType<typeof setInterval> | undefined;
      const timer = setTimeout(() => {
        show();
        shown = setInterval(show, 100);
      }, SHOWN_AFTER_MILLISECONDS);
      try {
        await work({
          signal: controller.signal,
          onProgress: (progress) => {
            fraction = progress.fraction;
          },
        });
      } catch (error) {
        if (!controller.signal.aborted) this.#options.failed(error);
      }
      clearTimeout(timer);
      clearInterval(shown);
      if (!quiet) this.#options.progressed(undefined);
      this.#isIdle = false;
    }
    this.#running = undefined;
    if (this.#idle) this.#rest();
  }
}

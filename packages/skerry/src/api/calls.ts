// The calls of one engine, which run one after another, in order. So a disposed handle's memory is freed once no
// earlier call can still use it. Closing the engine rejects unfinished calls. A call from inside the Source or Sink of
// another call would wait for itself, so it is rejected.

import { makeContext } from "#context";
import type { Call } from "../core/call.js";
import { defined } from "../core/defined.js";
import { type Stages, tellFractions } from "../core/progress.js";
import type { Context } from "../platform/context.js";
import type { CallOptions, Timing } from "../types/calls.js";
import { DeviceLost, InvalidArgument } from "../types/errors.js";
import type { PixelArray, Sink, Source } from "../types/raster.js";

/** The engines whose Sources and Sinks run now, innermost first. */
interface Inside {
  readonly calls: Calls;
  readonly outer: Inside | undefined;
}

/** The engines whose user code runs now: in Node across its awaits, in browsers only until its first one. */
const context: Context<Inside> = makeContext<Inside>();

export class Calls {
  /** Calls beside others share their queue. */
  #queue: { last: Promise<unknown> } = { last: Promise.resolve() };
  #timings: readonly Timing[] = [];
  /** Functions that reject the calls that run or wait for their turn. */
  readonly #unsettled = new Set<(error: Error) => void>();
  #begun = 0;
  #closed: Error | undefined;
  /** Functions that end what waits outside the calls, such as streams for their next lines. */
  readonly #waiting = new Set<(error: Error) => void>();

  /** Calls that take turns with these, and have timings of their own. They end with these. */
  beside(): Calls {
    const calls = new Calls();
    calls.#queue = this.#queue;
    this.onClose(() => calls.close());
    return calls;
  }

  /** Whether a call runs or waits. */
  get busy(): boolean {
    return this.#unsettled.size > 0;
  }

  /** Resolves once no call ran, waited or began for a quarter of a second. */
  async idle(): Promise<void> {
    for (let begun = -1; this.busy || this.#begun !== begun; ) {
      begun = this.#begun;
      await pause();
    }
  }

  /**
   * Times `work`, whose calls are beside these, once none of these runs or waits. If one of these began meanwhile, it took turns with them: the
   * work is done again once these are idle.
   */
  async undisturbed(work: () => Promise<number>): Promise<number> {
    if (this.busy) await this.idle();
    for (;;) {
      const begun = this.#begun;
      const took = await work();
      if (this.#begun === begun) return took;
      await this.idle();
    }
  }

  /** Stages of the last call that succeeded. */
  get timings(): readonly Timing[] {
    return this.#timings;
  }

  /** Runs `work` after all earlier calls. `stages` lists the stages of its progress, if there are several. */
  run<T>(
    options: CallOptions & { memory?: number },
    work: (call: Call) => Promise<T>,
    stages: Stages = [],
  ): Promise<T> {
    for (let inside = context.get(); inside; inside = inside.outer) {
      if (inside.calls === this) {
        return Promise.reject(
          new InvalidArgument(
            "Expected no call of an engine from inside the Source or Sink of one of its calls, which would wait for itself; use another engine there.",
          ),
        );
      }
    }
    const { signal, memory } = options;
    const onProgress = options.onProgress && tellFractions(options.onProgress, stages);
    const before = this.#queue.last;
    const settled = new Promise<T>((resolve, reject) => {
      this.#unsettled.add(reject);
      this.#begun++;
      const run = async (): Promise<T> => {
        await before;
        if (this.#closed) throw this.#closed;
        signal?.throwIfAborted();
        const timings: Timing[] = [];
        const result = await work({ signal, onProgress, timings, memory });
        this.#timings = timings;
        return result;
      };
      // A call counts as ended before its promise settles, so a handle that is disposed right after it is freed at
      // once. A rejected call may still fail later; that error is ignored.
      run().then(
        (result) => {
          this.#unsettled.delete(reject);
          resolve(result);
        },
        (error) => {
          this.#unsettled.delete(reject);
          reject(error);
        },
      );
    });
    this.#queue.last = settled.catch(() => undefined);
    return settled;
  }

  /** Frees the resources of a handle: immediately, or once all earlier calls have ended. */
  free(held: { dispose(): void }): void {
    if (this.#unsettled.size === 0) held.dispose();
    else this.#queue.last.then(() => held.dispose());
  }

  /** Wraps a Source so that its reads are marked as user code of this engine. */
  source(source: Source): Source {
    const read: Source["read"] = (...given) => this.#outside(() => source.read(...given));
    return { ...shapeOf(source), read };
  }

  /** Wraps a Sink so that its writes are marked as user code of this engine. Anything else is returned unchanged. */
  sink<T>(into: T): T {
    const { write, shared } = Object(into) as Partial<Sink<PixelArray>>;
    if (typeof write !== "function" || ArrayBuffer.isView(into)) return into;
    const wrapped: Sink<PixelArray> = { shared, write: (...given) => this.#outside(() => write.apply(into, given)) };
    return wrapped as T;
  }

  #outside<T>(work: () => T): T {
    return context.run({ calls: this, outer: context.get() }, work);
  }

  /** Has a function called when the engine closes; returns the function that forgets it. */
  onClose(stop: (error: Error) => void): () => void {
    if (this.#closed) stop(this.#closed);
    this.#waiting.add(stop);
    return () => this.#waiting.delete(stop);
  }

  /** Rejects every call that has not ended, and every later call. */
  async close(): Promise<void> {
    this.#closed ??= new DeviceLost("The engine was closed.");
    for (const stop of this.#waiting) stop(this.#closed);
    for (const cutOff of this.#unsettled) cutOff(this.#closed);
    await this.#queue.last;
  }
}

/** Calls are idle after this long without one. */
const IDLE_MILLISECONDS = 250;

/** Resolves when calls may be idle; a process that has nothing else to do may end before. */
function pause(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, IDLE_MILLISECONDS);
    (timer as { unref?: () => void }).unref?.();
  });
}

/** The properties of a Source, including those from getters. */
function shapeOf({ width, height, depth, channels, type, spacing, nodata }: Source): Omit<Source, "read"> {
  return defined({ width, height, type, depth, channels, spacing, nodata });
}

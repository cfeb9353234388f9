// The loop over the objects of a stream: its lines, its end, and the objects of each batch one by one. Loaded with the first stream.

import { LineQueue } from "../core/line-queue.js";
import { Stop } from "../core/stop.js";
import { InvalidArgument } from "../types/errors.js";
import type { PixelArray } from "../types/raster.js";
import type { Lines, StreamOptions } from "../types/stream.js";
import { LineBatches } from "./line-batches.js";
import type { AnyObject, StreamEngine } from "./strips.js";

type Result = IteratorResult<AnyObject, void>;

export class LineLoop {
  readonly #engine: StreamEngine;
  readonly #lines: Lines;
  readonly #options: StreamOptions;
  readonly #queue: LineQueue | undefined;
  #batches: LineBatches | undefined;
  #started = false;

  constructor(engine: StreamEngine, lines: Lines, options: StreamOptions) {
    this.#engine = engine;
    this.#lines = lines;
    this.#options = options;
    this.#queue = (lines as Lines | undefined)?.data === undefined ? new LineQueue() : undefined;
  }

  get row(): number {
    return this.#batches?.row ?? 0;
  }

  get open(): number {
    return this.#batches?.open ?? 0;
  }

  push(lines: PixelArray): Promise<void> {
    if (this.#queue) return this.#queue.push(lines);
    throw new InvalidArgument("Expected push() for lines without data, got lines that have data.");
  }

  end(): void {
    this.#queue?.end();
  }

  /** The objects, once. Ending the loop frees the memory of the stream. */
  iterate(): Required<Pick<AsyncIterator<AnyObject, void, undefined>, "next" | "return">> {
    const isFirst = !this.#started;
    this.#started = true;
    const stop = new Stop();
    const batches = isFirst ? this.#run(stop) : refused();
    let objects: readonly AnyObject[] = [];
    let at = 0;
    let last: Promise<unknown> = Promise.resolve();
    const advance = async (): Promise<Result> => {
      while (at === objects.length) {
        const { done, value } = await batches.next();
        if (done) return { done: true, value: undefined };
        [objects, at] = [value, 0];
      }
      return { done: false, value: objects[at++] };
    };
    return {
      // Objects of a batch are at hand: millions of them must not wait for a chain of generators each.
      next: () => {
        if (at < objects.length) return Promise.resolve<Result>({ done: false, value: objects[at++] });
        const next = last.then(advance);
        last = next.catch(() => undefined);
        return next;
      },
      return: async () => {
        [objects, at] = [[], 0];
        // A loop that is left while it waits for lines does not wait for them.
        stop.now(LEFT);
        await batches.return();
        return { done: true, value: undefined };
      },
    };
  }

  /** Yields the objects batch by batch. */
  async *#run(stop: Stop): AsyncGenerator<readonly AnyObject[], void, undefined> {
    let failure: unknown = new InvalidArgument("Expected no lines after the loop over the stream.");
    const forget = this.#engine.onClose((error) => stop.now(error));
    const abort = (): void => stop.now(this.#options.signal?.reason);
    const signal = this.#options?.signal instanceof AbortSignal ? this.#options.signal : undefined;
    signal?.addEventListener("abort", abort);
    try {
      this.#batches = new LineBatches(this.#engine, this.#lines, this.#options);
      yield* this.#batches.objects(this.#queue ?? (this.#lines.data as NonNullable<Lines["data"]>), stop);
    } catch (error) {
      if (error === LEFT) return;
      failure = error;
      throw error;
    } finally {
      forget();
      signal?.removeEventListener("abort", abort);
      this.#batches?.free();
      this.#queue?.stop(failure);
    }
  }
}

/** The reason of a loop that was left. */
const LEFT = new Error("left");

// biome-ignore lint/correctness/useYield: it yields nothing but its error
async function* refused(): AsyncGenerator<never, void, undefined> {
  throw new InvalidArgument("Expected one loop over a stream, whose lines come once, got another.");
}

// LineStream: takes lines without an end, batch by batch, and gives the objects that are finished. api/strips.ts labels them.

import { LineBuffer } from "../core/line-buffer.js";
import { LineQueue } from "../core/line-queue.js";
import { show } from "../options/arguments.js";
import { pixelType } from "../options/pixels.js";
import type { StreamPlan } from "../options/stream.js";
import type { CallOptions } from "../types/calls.js";
import { InvalidArgument } from "../types/errors.js";
import type { Signal } from "../types/platform.js";
import type { PixelArray } from "../types/raster.js";
import type { ObjectProperty } from "../types/region-properties.js";
import type { DefaultProperty } from "../types/regions.js";
import type { Lines, StreamedObject } from "../types/stream.js";
import { type AnyObject, type StreamEngine, Strips } from "./strips.js";

/** Time in which a next array has to come, or the lines before it are labelled without it. */
const PAUSE_MILLISECONDS = 2;

/**
 * The objects of lines without an end, from `engine.stream()`: `for await (const object of stream)`. Lines come from `lines.data`, or
 * by {@link push} and {@link end}. Nothing is read ahead of what the loop takes but one batch of lines.
 */
export class LineStream<P extends ObjectProperty = DefaultProperty> implements AsyncIterable<StreamedObject<P>> {
  readonly #plan: StreamPlan;
  readonly #iterator: () => AsyncIterator<PixelArray>;
  readonly #queue: LineQueue | undefined;
  readonly #call: CallOptions;
  readonly #buffer: LineBuffer;
  readonly #strips: Strips;
  #started = false;

  /** @internal */
  constructor(engine: StreamEngine, plan: StreamPlan, { data }: Lines, call: CallOptions) {
    if (!engine) throw new InvalidArgument("Expected a LineStream from an engine's stream(), got new LineStream().");
    this.#plan = plan;
    this.#queue = data === undefined ? new LineQueue() : undefined;
    this.#iterator = () => this.#queue ?? iteratorOf(data as NonNullable<Lines["data"]>);
    this.#call = call;
    const { line, values, cropValues, firstRow } = plan;
    const memory = {
      allocate: (length: number) => engine.allocate(line.type, length),
      free: (array: PixelArray) => engine.free(array),
    };
    this.#buffer = new LineBuffer(memory, firstRow, values, cropValues);
    const { signal } = call;
    this.#strips = new Strips(engine, plan, this.#buffer, signal ? { signal } : {});
  }

  /** The row after the last line that was labelled. */
  get row(): number {
    return this.#strips.next;
  }

  /** Objects that the next line may continue. */
  get open(): number {
    return this.#strips.open;
  }

  /**
   * Gives lines, or parts of lines, to a stream without `data`. Resolves once the stream has taken them: who waits for it keeps
   * memory bounded. The array must not change until then.
   *
   * Rejects with InvalidArgument for an array of another type, for lines that have `data`, and after `end()` or the loop; with
   * the error of a stream that failed.
   *
   * @example
   * const stream = engine.stream({ width: 8, type: "u8" }, { threshold: { above: 9 } });
   * stream.push(new Uint8Array([0, 90, 90, 0, 0, 0, 0, 0]));
   * stream.end();
   * for await (const { id, area } of stream) console.log(id, area); // 1 2
   */
  async push(lines: PixelArray): Promise<void> {
    if (!this.#queue) throw new InvalidArgument("Expected push() for lines without data, got lines that have data.");
    this.#checkType(lines);
    return this.#queue.push(lines);
  }

  /** Ends a stream of pushed lines; objects that are open are finished. Calling it again does nothing. */
  end(): void {
    this.#queue?.end();
  }

  /** The objects, once. Ending the loop frees the memory of the stream. */
  async *[Symbol.asyncIterator](): AsyncGenerator<StreamedObject<P>, void, undefined> {
    if (this.#started)
      throw new InvalidArgument("Expected one loop over a stream, whose lines come once, got another.");
    this.#started = true;
    let failure: unknown = new InvalidArgument("Expected no lines after the loop over the stream.");
    try {
      for await (const objects of this.#batches()) yield* objects as StreamedObject<P>[];
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      this.#buffer.free();
      this.#queue?.stop(failure);
    }
  }

  /** Takes lines batch by batch, and yields the objects that each finishes. */
  async *#batches(): AsyncGenerator<AnyObject[], void, undefined> {
    const { halo, firstRow, batch } = this.#plan;
    const { signal, onProgress } = this.#call;
    const [strips, buffer, iterator] = [this.#strips, this.#buffer, this.#iterator()];
    const feed = new Feed(iterator, signal, (lines) => this.#checkType(lines));
    try {
      while (!feed.ended || strips.next < buffer.end) {
        signal?.throwIfAborted();
        const wanted = strips.next + batch + halo;
        while (buffer.end < wanted && (await feed.fill(buffer, wanted, buffer.end - halo > strips.next))) {
          // Lines come as long as there is room for them.
        }
        if (feed.ended) this.#checkWhole();
        const last = feed.ended ? buffer.end : buffer.end - halo;
        const end = Math.min(last, strips.next + batch, strips.cutRow);
        if (end <= strips.next) continue;
        const objects = await strips.strip(end);
        onProgress?.({ stage: "lines", done: end - firstRow, total: Number.POSITIVE_INFINITY, fraction: 0 });
        if (objects.length > 0) yield objects;
      }
      yield await strips.finish();
    } finally {
      await feed.leave();
    }
  }

  #checkType(lines: unknown): void {
    const { type } = this.#plan.line;
    if (pixelType(lines) === type) return;
    throw new InvalidArgument(`Expected lines of ${type}, got ${show(lines)}.`, { argument: "lines" });
  }

  #checkWhole(): void {
    const { partial, end } = this.#buffer;
    if (partial === 0) return;
    const { values, firstRow } = this.#plan;
    throw new InvalidArgument(
      `Expected whole lines of ${values} values, got ${partial} of them after ${end - firstRow} whole lines.`,
    );
  }
}

/** Arrays of an iterator, of which each is taken in as many pieces as there is room for. */
class Feed {
  ended = false;
  readonly #iterator: AsyncIterator<PixelArray>;
  readonly #signal: Signal | undefined;
  readonly #check: (lines: unknown) => void;
  #pending: Promise<IteratorResult<PixelArray, unknown>> | undefined;
  #array: PixelArray | undefined;
  #at = 0;

  constructor(iterator: AsyncIterator<PixelArray>, signal: Signal | undefined, check: (lines: unknown) => void) {
    this.#iterator = iterator;
    this.#signal = signal;
    this.#check = check;
  }

  /** Tells the iterator that nothing more is taken. One that still waits for an array would answer only after it. */
  async leave(): Promise<void> {
    if (this.ended) return;
    const left = this.#iterator.return?.();
    if (this.#pending) left?.catch(() => undefined);
    else await left;
  }

  /** Appends values up to row `end`. With `hasLines` it does not wait long for them. Returns whether to call it again. */
  async fill(buffer: LineBuffer, end: number, hasLines: boolean): Promise<boolean> {
    if (this.ended) return false;
    if (this.#array) {
      this.#at += buffer.append(this.#array, this.#at, end);
      if (this.#at === this.#array.length) this.#array = undefined;
      return true;
    }
    this.#pending ??= this.#iterator.next();
    const got = await (hasLines
      ? within(this.#pending, PAUSE_MILLISECONDS)
      : untilAborted(this.#pending, this.#signal));
    if (!got) return false;
    this.#pending = undefined;
    if (got.done) {
      this.ended = true;
      return false;
    }
    this.#check(got.value);
    [this.#array, this.#at] = [got.value, 0];
    return true;
  }
}

/** An async iterator over an async or ordinary iterable. */
function iteratorOf(data: NonNullable<Lines["data"]>): AsyncIterator<PixelArray> {
  if (Symbol.asyncIterator in data) return data[Symbol.asyncIterator]();
  const iterator = data[Symbol.iterator]();
  return {
    next: async () => iterator.next(),
    return: async () => iterator.return?.() ?? { done: true, value: undefined },
  };
}

/** The value of a promise, or undefined if it takes longer. */
async function within<T>(promise: Promise<T>, milliseconds: number): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The value of a promise; rejects once a signal aborts. */
async function untilAborted<T>(promise: Promise<T>, signal: Signal | undefined): Promise<T> {
  if (!(signal instanceof AbortSignal)) return promise;
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    signal.throwIfAborted();
    return await Promise.race([promise, aborted]);
  } finally {
    if (stop) signal.removeEventListener("abort", stop);
  }
}

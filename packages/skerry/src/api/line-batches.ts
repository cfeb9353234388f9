// The lines of a stream, taken batch by batch, and the objects that each batch finishes. Loaded with the first stream; api/strips.ts
// labels the lines.

import { LineBuffer } from "../core/line-buffer.js";
import type { Stop } from "../core/stop.js";
import { show } from "../options/arguments.js";
import { pixelType } from "../options/pixels.js";
import { planStream, type StreamPlan } from "../options/stream.js";
import { InvalidArgument } from "../types/errors.js";
import type { PixelArray } from "../types/raster.js";
import type { Lines, StreamOptions } from "../types/stream.js";
import { type AnyObject, type StreamEngine, Strips } from "./strips.js";

/** Time in which a next array has to come, or the lines before it are labelled without it. */
const PAUSE_MILLISECONDS = 2;

/** A checked stream, with its memory until {@link LineBatches.free}. */
export class LineBatches {
  readonly #plan: StreamPlan;
  readonly #options: StreamOptions;
  readonly #buffer: LineBuffer;
  readonly #strips: Strips;

  /** @throws InvalidArgument and Unsupported for wrong lines and options */
  constructor(engine: StreamEngine, lines: Lines, options: StreamOptions) {
    const plan = planStream(lines, options);
    const { line, values, cropValues, firstRow } = plan;
    const memory = {
      allocate: (length: number) => engine.allocate(line.type, length),
      free: (array: PixelArray) => engine.free(array),
    };
    this.#plan = plan;
    this.#options = options;
    this.#buffer = new LineBuffer(memory, firstRow, values, cropValues);
    const { signal } = options;
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

  /** Takes lines until they end, and yields the objects that each batch finishes. */
  async *objects(data: NonNullable<Lines["data"]>, stop: Stop): AsyncGenerator<AnyObject[], void, undefined> {
    const { halo, firstRow, batch, line } = this.#plan;
    const { signal, onProgress } = this.#options;
    const [strips, buffer] = [this.#strips, this.#buffer];
    const feed = new Feed(iteratorOf(data), stop, (lines) => checkLines(lines, line.type));
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

  #checkWhole(): void {
    const { partial, end } = this.#buffer;
    if (partial === 0) return;
    const { values, firstRow } = this.#plan;
    throw new InvalidArgument(
      `Expected whole lines of ${values} values, got ${partial} of them after ${end - firstRow} whole lines.`,
    );
  }

  free(): void {
    this.#buffer.free();
  }
}

/** Refuses an array of another type. */
export function checkLines(lines: unknown, type: Lines["type"]): void {
  if (pixelType(lines) === type) return;
  throw new InvalidArgument(`Expected lines of ${type}, got ${show(lines)}.`, { argument: "lines" });
}

/** Arrays of an iterator, of which each is taken in as many pieces as there is room for. */
class Feed {
  ended = false;
  readonly #iterator: AsyncIterator<PixelArray>;
  readonly #stop: Stop;
  readonly #check: (lines: unknown) => void;
  #pending: Promise<IteratorResult<PixelArray, unknown>> | undefined;
  #array: PixelArray | undefined;
  #at = 0;

  constructor(iterator: AsyncIterator<PixelArray>, stop: Stop, check: (lines: unknown) => void) {
    this.#iterator = iterator;
    this.#stop = stop;
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
    const got = await this.#stop.race<IteratorResult<PixelArray, unknown> | undefined>(
      hasLines ? within(this.#pending, PAUSE_MILLISECONDS) : this.#pending,
    );
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

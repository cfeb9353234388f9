// Work cut into bands of rows: lanes that take one band after another, slots that pixels pass through on
// their way into WebAssembly memory, and the clock that the stages are timed by.

import { type Call, newPixels, PIXEL_BYTES, type Pixels, partOf, rowCount, type Size } from "../backend.js";
import { readRows } from "../slices.js";
import type { PixelArray } from "../types.js";
import type { Pool } from "./pool.js";

/** Rows [y0, y1), counted through all slices. */
export interface Rows {
  readonly y0: number;
  readonly y1: number;
}

/** A band of pixels in flight takes at most this much; more spills the L2. */
export const PIXEL_BAND = 2 << 20;

/** The same for labels, which pass through once; larger ones save messages. */
export const LABEL_BAND = 4 << 20;

/** Bands of volumes are at least so large where each brings a slice beside it along. */
export const SLAB_BAND = 4 << 20;

/** Below this a band is not worth its message. */
const LEAST_BAND = 1 << 16;

/** The size of bands so that all lanes' slots take at most half a byte per pixel of the image. */
export function bandBytes(pool: Pool, size: Size, most: number): number {
  return Math.min(most, Math.max(LEAST_BAND, (size.width * rowCount(size)) / (2 * laneCount(pool))));
}

/** Kernels read pixels 64 at a time and may look this many past the last. */
const SLACK_PIXELS = 64;

/** Scratch of a kernel that decodes a row: 8 bytes per run, of which touching ones have a pixel each, and a few more. */
export function listBytes(width: number): number {
  return width * 8 + 64;
}

/** Lanes that keep every thread busy with one band while the next is on its way. */
export function laneCount(pool: Pool): number {
  return pool.threads * 2 + 1;
}

/** Cuts rows into bands of at most `bytes`, one row at least. */
export function bandsOf({ y0, y1 }: Rows, rowBytes: number, bytes: number): Rows[] {
  const rows = Math.max(1, Math.floor(bytes / rowBytes));
  const bands: Rows[] = [];
  for (let y = y0; y < y1; y += rows) bands.push({ y0: y, y1: Math.min(y + rows, y1) });
  return bands;
}

/** Runs `work`, adds its wall clock to the call's timings, and passes its result on. */
export async function timed<T>(call: Call, stage: string, bytes: number, work: () => Promise<T>): Promise<T> {
  const begin = performance.now();
  const result = await work();
  call.timings.push({ stage, milliseconds: performance.now() - begin, bytes });
  return result;
}

/** Adds what the main thread allocated and copied during `work`, in parallel with the stages before it. */
export async function metered<T>({ meter }: Pool, call: Call, work: () => Promise<T>): Promise<T> {
  const before = { allocate: { ...meter.allocate }, copy: { ...meter.copy } };
  const result = await work();
  for (const kind of ["allocate", "copy"] as const) {
    const bytes = meter[kind].bytes - before[kind].bytes;
    const milliseconds = meter[kind].milliseconds - before[kind].milliseconds;
    if (bytes > 0) call.timings.push({ stage: `of that ${kind}`, milliseconds, bytes });
  }
  return result;
}

/**
 * Works through `items` on `lanes` lanes, each of which has one item at a time. Between items the call's
 * signal is checked and progress is told. After a failure no lane takes another item, and the first error
 * is thrown once all have come to rest, so that no task still uses memory that is about to be released.
 */
export async function inLanes<T>(
  call: Call,
  stage: string,
  items: readonly T[],
  lanes: number,
  work: (item: T, lane: number, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  let done = 0;
  let failure: { error: unknown } | undefined;
  const lane = async (number: number): Promise<void> => {
    while (next < items.length && !failure) {
      try {
        call.signal?.throwIfAborted();
        const index = next++;
        await work(items[index] as T, number, index);
        call.onProgress?.({ stage, done: ++done, total: items.length });
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(lanes, items.length) }, (_, number) => lane(number)));
  if (failure) throw failure.error;
}

/** Memory that a piece of work borrows: everything is released together, whatever happens. */
export class Loan {
  readonly #pool: Pool;
  #pointers: number[] = [];

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async allocate(bytes: number): Promise<number> {
    const pointer = await this.#pool.allocate(bytes);
    this.#pointers.push(pointer);
    return pointer;
  }

  /** A block with what an array holds. */
  async hold(array: ArrayBufferView): Promise<number> {
    const pointer = await this.allocate(array.byteLength);
    await this.#pool.write(pointer, array);
    return pointer;
  }

  /** One block per lane. */
  async lanes(count: number, bytes: number): Promise<number[]> {
    const pointers: number[] = [];
    for (let i = 0; i < count; i++) pointers.push(await this.allocate(bytes));
    return pointers;
  }

  /** Gives one block back before the others. */
  give(pointer: number): void {
    this.#pointers = this.#pointers.filter((held) => held !== pointer);
    this.#pool.release(pointer);
  }

  release(): void {
    for (const pointer of this.#pointers) this.#pool.release(pointer);
    this.#pointers = [];
  }
}

/** Borrows memory for the time of `work`. */
export async function borrowing<T>(pool: Pool, work: (loan: Loan) => Promise<T>): Promise<T> {
  const loan = new Loan(pool);
  try {
    return await work(loan);
  } finally {
    loan.release();
  }
}

/** Memory of an image that `load` made resident. */
export interface Resident {
  readonly pointer: number;
}

/** Brings bands of pixels to where kernels can read them. */
export class PixelFeed {
  readonly rowBytes: number;
  /** Bytes a kernel needs to reduce `rows` rows to one channel. */
  readonly lumaRowBytes: number;
  #pixels: Pixels;
  #slots: number[];
  #staging: PixelArray[];
  #reading: Promise<unknown> = Promise.resolve();
  #call: Call;

  private constructor(pixels: Pixels, slots: number[], staging: PixelArray[], call: Call) {
    const { width, channels, type } = pixels.shape;
    this.rowBytes = width * channels * PIXEL_BYTES[type];
    this.lumaRowBytes = width * PIXEL_BYTES[type];
    this.#pixels = pixels;
    this.#slots = slots;
    this.#staging = staging;
    this.#call = call;
  }

  /** Prepares for bands of at most `rows` rows on `lanes` lanes. */
  static async open(loan: Loan, pixels: Pixels, lanes: number, rows: number, call: Call): Promise<PixelFeed> {
    const { width, channels, type } = pixels.shape;
    const bytes = (rows * width * channels + SLACK_PIXELS) * PIXEL_BYTES[type];
    const slots = pixels.kind === "image" ? [] : await loan.lanes(lanes, bytes);
    const staging = pixels.kind === "source" ? slots.map(() => newPixels(type, rows * width * channels)) : [];
    return new PixelFeed(pixels, slots, staging, call);
  }

  /** Bytes of resident memory for pixels of this shape. */
  static residentBytes(shape: Pixels["shape"]): number {
    const { width, channels, type } = shape;
    return (width * rowCount(shape) * channels + SLACK_PIXELS) * PIXEL_BYTES[type];
  }

  /** Bytes of one row of one channel for a kernel's scratch. */
  static scratchBytes({ width, type }: Pixels["shape"]): number {
    return (width + SLACK_PIXELS) * PIXEL_BYTES[type];
  }

  /** Where the rows will be when the task that carries `input` runs. */
  async fetch(
    lane: number,
    { y0, y1 }: Rows,
  ): Promise<{ pointer: number; input?: { pointer: number; array: PixelArray } }> {
    const pixels = this.#pixels;
    if (pixels.kind === "image") {
      return { pointer: (pixels.image as unknown as Resident).pointer + y0 * this.rowBytes };
    }
    const pointer = this.#slots[lane] as number;
    const values = pixels.shape.width * pixels.shape.channels;
    if (pixels.kind === "array") {
      return { pointer, input: { pointer, array: partOf(pixels.data, y0 * values, y1 * values) } };
    }
    const array = (this.#staging[lane] as PixelArray).subarray(0, (y1 - y0) * values) as PixelArray;
    const { signal } = this.#call;
    const turn = this.#reading.then(() => readRows(pixels, y0, y1, array, signal));
    // A rejected read must not hold up the lanes behind it: they see the failure through inLanes.
    this.#reading = turn.catch(() => undefined);
    await turn;
    return { pointer, input: { pointer, array } };
  }
}

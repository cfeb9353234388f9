// Rows from Sources and to Sinks. Rows are numbered across slices, while Sources and Sinks take boxes of slices.

import type { PixelArray, Sink, Source } from "../types/raster.js";
import type { Call } from "./call.js";
import { newPixels, type Pixels, partOf, type Shape, type Size } from "./pixels.js";

/** Rows [y0, y1) of pixels that are not on a device: a part of the array, or read from the source. */
export async function hostRows(
  pixels: Exclude<Pixels, { kind: "image" }>,
  y0: number,
  y1: number,
  { signal }: Call,
): Promise<PixelArray> {
  const { width, channels, type } = pixels.shape;
  const values = width * channels;
  if (pixels.kind === "array") return partOf(pixels.data, y0 * values, y1 * values);
  const into = newPixels(type, (y1 - y0) * values);
  await readRows(pixels, y0, y1, into, signal);
  return into;
}

/** Writes bands in the order of the calls of `write()`, even if they finish in another order. */
export class OrderedWriter {
  #last: Promise<void> = Promise.resolve();
  #failed = false;

  /** Waits for `ready` and for all earlier writes, then writes, unless one of them failed. */
  async write(ready: Promise<unknown>, write: () => void | Promise<void>): Promise<void> {
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

/** Rows [y0, y1) of slices [z0, z1). */
interface Box {
  readonly z0: number;
  readonly z1: number;
  readonly y0: number;
  readonly y1: number;
  /** The box's first row, and the row after its last, numbered across slices. */
  readonly from: number;
  readonly to: number;
}

/**
 * Cuts rows [from, to) into the rest of a slice, whole slices, and the beginning of a slice. With height 4, rows 6..15
 * become 6..8, 8..12 and 12..15.
 */
export function* boxesOf({ height }: Pick<Size, "height">, from: number, to: number): Generator<Box> {
  for (let row = from; row < to; ) {
    const z = Math.floor(row / height);
    const y = row - z * height;
    const slices = y === 0 ? Math.floor((to - row) / height) : 0;
    const end = slices > 0 ? row + slices * height : Math.min(to, (z + 1) * height);
    yield { z0: z, z1: z + Math.max(1, slices), y0: y, y1: slices > 0 ? height : y + end - row, from: row, to: end };
    row = end;
  }
}

/** Reads rows [from, to) of a source into an array of exactly their length. */
export async function readRows(
  { source, shape }: { source: Source; shape: Shape },
  from: number,
  to: number,
  into: PixelArray,
  signal: AbortSignal | undefined,
): Promise<void> {
  const values = shape.width * shape.channels;
  for (const box of boxesOf(shape, from, to)) {
    const part = into.subarray((box.from - from) * values, (box.to - from) * values) as PixelArray;
    await source.read(box.z0, box.z1, box.y0, box.y1, part, signal ? { signal } : {});
  }
}

/** Writes the rows of `data`, the first of which is row `from`, to a sink. */
export async function writeRows<T extends PixelArray>(sink: Sink<T>, size: Size, from: number, data: T): Promise<void> {
  const { width } = size;
  for (const box of boxesOf(size, from, from + data.length / width)) {
    const part = data.subarray((box.from - from) * width, (box.to - from) * width) as T;
    await sink.write(box.z0, box.z1, box.y0, box.y1, part);
  }
}

// Detects pixels that were thresholded before: their objects are the pixels that are not 0, and no threshold is computed.

import type { Engine, PixelArray, Raster, Source } from "skerry";
import { lumaOf, newPixels } from "skerry/internal";
import type { Pixels } from "./pixels.js";

/** Values that are compared one by one before an engine computes the histogram. */
const GLANCE_VALUES = 2 ** 20;

/**
 * Whether pixels hold at most two values (colours) beside nodata, one of them 0. The first values rule out most pictures. If they
 * do not rule out a large grey picture in memory, an engine computes its histogram.
 */
export async function isBinary(pixels: Pixels, engine?: Engine): Promise<boolean> {
  if (!("data" in pixels) && !("read" in pixels)) return false;
  if (!engine || !("data" in pixels) || !hasLevels(pixels)) return (await scan(pixels)).withZero;
  const glance = { ...pixels, data: pixels.data.subarray(0, GLANCE_VALUES) as PixelArray };
  if (!(await scan(glance)).binary) return false;
  const { counts, min } = await engine.histogram(pixels);
  // The levels of u8 begin at 0, those of other types at the smallest value of the picture.
  const first = pixels.data.BYTES_PER_ELEMENT === 1 ? 0 : min;
  return first <= 0 && counts[-first] > 0 && counts.reduce((n, count) => n + Number(count > 0), 0) <= 2;
}

/**
 * The value of pixels that all have one, of a channel by its number, or the luma of colours; undefined if there are several, or
 * pixels on a GPU. The first pixels rule out most pictures.
 */
export async function oneValueOf(pixels: Pixels, channel?: number): Promise<number | undefined> {
  if (!("data" in pixels) && !("read" in pixels)) return undefined;
  const { channels = 1, nodata } = pixels;
  let first: PixelArray | undefined;
  for await (const rows of bandsOf(pixels)) {
    for (let i = 0; i < rows.length; i += channels) {
      if (nodata !== undefined && rows[i] === nodata) continue;
      first ??= rows.slice(i, i + channels) as PixelArray;
      for (let c = channel ?? 0; c < (channel === undefined ? channels : channel + 1); c++) {
        if (rows[i + c] !== first[c] && !(Number.isNaN(rows[i + c]) && Number.isNaN(first[c]))) return undefined;
      }
    }
  }
  if (!first || channel !== undefined || channels < 3) return first?.[channel ?? 0];
  const [red, green, blue] = first;
  return lumaOf(first instanceof Float32Array ? "f32" : "u8", red, green, blue);
}

/** Whether a raster is so large that a histogram is faster, and has a type with one level per value. */
function hasLevels({ data, channels = 1, nodata }: Raster): boolean {
  return data.length > GLANCE_VALUES && channels === 1 && nodata === undefined && data.BYTES_PER_ELEMENT < 4;
}

/** Bands of rows of a Source, or all values of a raster. */
async function* bandsOf(pixels: Raster | Source): AsyncGenerator<PixelArray> {
  if ("data" in pixels) {
    yield pixels.data;
    return;
  }
  const { width, height, depth = 1, type, channels = 1 } = pixels;
  const rows = Math.min(height, Math.max(1, Math.floor(GLANCE_VALUES / (width * channels))));
  const band = newPixels(type, rows * width * channels);
  for (let z = 0; z < depth; z++) {
    for (let y0 = 0; y0 < height; y0 += rows) {
      const y1 = Math.min(height, y0 + rows);
      const part = band.subarray(0, (y1 - y0) * width * channels) as PixelArray;
      await pixels.read(z, z + 1, y0, y1, part, {});
      yield part;
    }
  }
}

/** Whether pixels hold at most 0 and one other value (`binary`), and whether they also hold 0 (`withZero`). */
async function scan(pixels: Raster | Source): Promise<{ readonly binary: boolean; readonly withZero: boolean }> {
  const { channels = 1, nodata } = pixels;
  let other: readonly number[] | undefined;
  let zero = false;
  for await (const rows of bandsOf(pixels)) {
    const measured = nodata === undefined ? rows : (rows.filter((value) => value !== nodata) as PixelArray);
    other ??= firstNonzero(measured, channels);
    const seen = other ? countValues(measured, channels, other) : { zeros: measured.length / channels, others: 0 };
    zero ||= seen.zeros > 0;
    if (seen.zeros + seen.others !== measured.length / channels) return { binary: false, withZero: false };
  }
  return { binary: true, withZero: zero };
}

function firstNonzero(rows: PixelArray, channels: number): readonly number[] | undefined {
  let i = 0;
  while (i < rows.length && rows[i] === 0) i++;
  if (i === rows.length) return undefined;
  const begin = i - (i % channels);
  return Array.from(rows.subarray(begin, begin + channels));
}

/** Counts the pixels that are 0 and those that are `other`, up to the first that is neither. */
function countValues(rows: PixelArray, channels: number, other: readonly number[]): { zeros: number; others: number } {
  const [r = 0, g = 0, b = 0] = other;
  let zeros = 0;
  let others = 0;
  for (let i = 0; i < rows.length; i += channels) {
    const colour = channels > 1;
    if (rows[i] === r && (!colour || (rows[i + 1] === g && rows[i + 2] === b))) others++;
    else if (rows[i] === 0 && (!colour || (rows[i + 1] === 0 && rows[i + 2] === 0))) zeros++;
    else break;
  }
  return { zeros, others };
}

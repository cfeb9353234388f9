// Whether a picture was thresholded before: then its nonzero pixels are the objects, and no threshold is chosen.

import type { Engine, PixelArray, Raster } from "skerry";
import { eachBand, type Picture } from "./picture.js";

/** Values that are looked at one by one before an engine counts the rest. */
const GLANCE_VALUES = 2 ** 20;

/**
 * Whether a picture holds at most two values (colours) beside nodata, one of them 0. Most other pictures are told by their first
 * values; of large grey ones in memory, which are not, an engine makes the histogram.
 */
export async function isBinary(picture: Pick<Picture, "pixels">, engine?: Engine): Promise<boolean> {
  const { pixels } = picture;
  if (!engine || !("data" in pixels) || !hasLevels(pixels)) return (await scan(picture)).withZero;
  const glance = { ...pixels, data: pixels.data.subarray(0, GLANCE_VALUES) as PixelArray };
  if (!(await scan({ pixels: glance })).binary) return false;
  const { counts, min } = await engine.histogram(pixels);
  // Levels of bytes begin at 0, those of other types at the smallest value that there is.
  const first = pixels.data.BYTES_PER_ELEMENT === 1 ? 0 : min;
  return first <= 0 && counts[-first] > 0 && counts.reduce((n, count) => n + Number(count > 0), 0) <= 2;
}

/** Whether a raster is so large that a histogram pays, and of a type with one count per value. */
function hasLevels({ data, channels, nodata }: Raster): boolean {
  return data.length > GLANCE_VALUES && channels === 1 && nodata === undefined && data.BYTES_PER_ELEMENT < 4;
}

/** Whether what there is holds at most 0 and one other value, and whether it holds 0 as well. */
async function scan(
  picture: Pick<Picture, "pixels">,
): Promise<{ readonly binary: boolean; readonly withZero: boolean }> {
  const { channels = 1, nodata } = picture.pixels;
  let other: readonly number[] | undefined;
  let zero = false;
  let binary = true;
  await eachBand(picture, (rows) => {
    const measured = nodata === undefined ? rows : (rows.filter((value) => value !== nodata) as PixelArray);
    other ??= firstNonzero(measured, channels);
    const seen = other ? countValues(measured, channels, other) : { zeros: measured.length / channels, others: 0 };
    zero ||= seen.zeros > 0;
    binary = seen.zeros + seen.others === measured.length / channels;
    return binary;
  });
  return { binary, withZero: binary && zero };
}

function firstNonzero(rows: PixelArray, channels: number): readonly number[] | undefined {
  let i = 0;
  while (i < rows.length && rows[i] === 0) i++;
  if (i === rows.length) return undefined;
  const begin = i - (i % channels);
  return Array.from(rows.subarray(begin, begin + channels));
}

/** How many pixels are 0 and how many are `other`, up to the first that is neither. */
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

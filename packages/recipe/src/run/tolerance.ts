// The tolerance that suits the surroundings of a seed.

import type { PixelArray, Raster, Source } from "skerry";
import { newPixels } from "skerry/internal";

/** Pixels to either side of the seed. */
const REACH = 8;

/**
 * Twice the median of how far the 17 x 17 pixels around a seed differ from it, by their largest difference of a channel, but at most
 * the largest of all; 0 if most of them are equal to it. Pixels beyond the border are left out.
 */
export async function toleranceAround(pixels: Raster | Source, [x, y, z = 0]: readonly number[]): Promise<number> {
  const { width, height, channels = 1 } = pixels;
  const [y0, y1] = [Math.max(0, y - REACH), Math.min(height, y + REACH + 1)];
  const [x0, x1] = [Math.max(0, x - REACH), Math.min(width, x + REACH + 1)];
  const rows = await rowsOf(pixels, z, y0, y1);
  const valueAt = (i: number, j: number, c: number): number => rows[((j - y0) * width + i) * channels + c];
  const apart: number[] = [];
  for (let j = y0; j < y1; j++) {
    for (let i = x0; i < x1; i++) {
      let most = 0;
      for (let c = 0; c < channels; c++) most = Math.max(most, Math.abs(valueAt(i, j, c) - valueAt(x, y, c)));
      if (Number.isFinite(most)) apart.push(most);
    }
  }
  apart.sort((a, b) => a - b);
  return Math.min(2 * (apart[apart.length >> 1] ?? 0), apart.at(-1) ?? 0);
}

async function rowsOf(pixels: Raster | Source, z: number, y0: number, y1: number): Promise<PixelArray> {
  const { width, height, channels = 1 } = pixels;
  const values = width * channels;
  if ("data" in pixels)
    return pixels.data.subarray((z * height + y0) * values, (z * height + y1) * values) as PixelArray;
  const into = newPixels(pixels.type, (y1 - y0) * values);
  await pixels.read(z, z + 1, y0, y1, into, {});
  return into;
}

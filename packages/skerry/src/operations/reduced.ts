// A smaller copy of an image: each of its pixels is the mean of scale x scale pixels.

import { turn } from "#event-loop";
import type { Call } from "../core/call.js";
import { type Bits, isInMask, newPixels, type Pixels } from "../core/pixels.js";
import { hostRows } from "../core/sinks.js";
import type { Router } from "../device/router.js";
import type { Mask, PixelArray, Raster } from "../types/raster.js";

/** A mask of every `scale`-th pixel, in the middle of each block. */
export function reducedMask(bits: Bits, scale: number, { width, height }: { width: number; height: number }): Mask {
  const words = Math.ceil(width / 32);
  const reduced = new Uint32Array(words * height);
  const middle = scale >> 1;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (isInMask(bits, x * scale + middle, y * scale + middle)) reduced[y * words + (x >> 5)] |= 1 << (x & 31);
    }
  }
  return { bits: reduced, width, height };
}

/** Whether red, green and blue of every pixel are equal. O(pixels), up to the first that has a colour. */
export function isGrey(data: PixelArray, channels: number): boolean {
  for (let at = 0; at + 2 < data.length; at += channels) {
    if (data[at] !== data[at + 1] || data[at] !== data[at + 2]) return false;
  }
  return true;
}

/** Values that are read at once. */
const BAND_VALUES = 2 ** 20;

/** The copy; pixels beyond the last whole block are left out. Integers round halves up. O(pixels). */
export async function reducedCopy(router: Router, pixels: Pixels, scale: number, call: Call): Promise<Raster> {
  const { width, channels, height, type } = pixels.shape;
  const [columns, rows] = [Math.max(1, Math.floor(width / scale)), Math.max(1, Math.floor(height / scale))];
  const [across, down] = [Math.min(scale, width), Math.min(scale, height)];
  const data = newPixels(type, columns * rows * channels);
  const sums = new Float64Array(columns * channels);
  const isInteger = type !== "f32";
  const strip = Math.max(1, Math.floor(BAND_VALUES / (width * channels * down)));
  for (let first = 0; first < rows; first += strip) {
    call.signal?.throwIfAborted();
    // Bands of pixels in memory come without a turn of the event loop: 100 megapixels would stop a page for a second.
    if (first > 0) await turn();
    const last = Math.min(rows, first + strip);
    const [y0, y1] = [first * down, last * down];
    const band =
      pixels.kind === "image"
        ? await router.rows(
            pixels,
            Array.from({ length: y1 - y0 }, (_, i) => y0 + i),
            call,
          )
        : await hostRows(pixels, y0, y1, call);
    for (let row = first; row < last; row++) {
      sums.fill(0);
      for (let j = 0; j < down; j++) {
        let at = ((row - first) * down + j) * width * channels;
        for (let x = 0; x < columns; x++) {
          for (let i = 0; i < across; i++) for (let c = 0; c < channels; c++) sums[x * channels + c] += band[at++];
        }
      }
      const to = row * columns * channels;
      for (let i = 0; i < sums.length; i++) {
        const mean = sums[i] / (across * down);
        data[to + i] = isInteger ? Math.floor(mean + 0.5) : mean;
      }
    }
  }
  return { data, width: columns, height: rows, channels };
}

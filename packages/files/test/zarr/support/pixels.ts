// Pixels of sources, and volumes to write.

import { ARRAYS } from "@skerry/files/internal";
import type { PixelArray, Source } from "skerry";
import { expect } from "vitest";

/** All pixels of a source, read in bands of some slices. */
export async function pixelsOf(source: Source, slices = 4): Promise<PixelArray> {
  const { width, height, depth = 1, channels = 1, type } = source;
  const values = width * height * channels;
  const all = new ARRAYS[type](values * depth);
  for (let z = 0; z < depth; z += slices) {
    const end = Math.min(depth, z + slices);
    await source.read(z, end, 0, height, all.subarray(z * values, end * values) as PixelArray, {});
  }
  return all;
}

/** A volume of waves, of which some parts are 0: values from 0 to 250. */
export function volumeOf(width: number, height: number, depth: number, seed = 1): Uint8Array {
  const data = new Uint8Array(width * height * depth);
  for (let z = 0; z < depth; z++) {
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const wave = Math.sin(x / 3 + seed) * Math.sin(y / 4 + seed * 2) * Math.sin((z + 2) / 3 + seed * 3);
        data[(z * height + y) * width + x] = Math.max(0, Math.round(wave * 250));
      }
    }
  }
  return data;
}

/** Expects two lists of numbers to be equal; of those that differ the first is told. Sooner than `toEqual` by a hundred times. */
export function expectSame(got: ArrayLike<number>, expected: ArrayLike<number>): void {
  let at = got.length === expected.length ? -1 : Math.min(got.length, expected.length);
  for (let i = 0; at < 0 && i < got.length; i++) if (!Object.is(got[i], expected[i])) at = i;
  expect([at, got.length, at < 0 ? 0 : got[at]]).toEqual([-1, expected.length, at < 0 ? 0 : expected[at]]);
}

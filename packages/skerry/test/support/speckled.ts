// Noise of every pixel type.

import type { PixelArray, Raster } from "skerry";
import { random } from "./shapes.js";

/** A raster with all of its fields. */
export type Full = Raster & { readonly channels: number; readonly data: PixelArray };

export const ARRAYS = {
  u8: Uint8Array,
  u16: Uint16Array,
  i16: Int16Array,
  f32: Float32Array,
  u32: Uint32Array,
  i32: Int32Array,
};

/** What lies between two levels of noise; of 32 bits more than an f32 can tell apart. */
export const STEP = { u8: 1, u16: 250, i16: 200, f32: 0.3, u32: 70_000_001, i32: 70_000_001 };

/** Noise of 60 levels, far enough apart that rounding tells. */
export function speckled(
  type: keyof typeof ARRAYS,
  channels: number,
  [width, height, depth = 1]: readonly number[],
  seed: number,
): Full {
  const next = random(seed);
  const scale = STEP[type];
  const shift = type === "i16" || type === "i32" ? 30 : 0;
  const values = Array.from({ length: width * height * depth * channels }, () => ((next() % 60) - shift) * scale);
  const data = ARRAYS[type].from(values);
  return { data, width, height, ...(depth > 1 ? { depth } : {}), channels };
}

// Masks as a byte per pixel, as files have them.

import type { Mask } from "skerry";
import { type Fill, fillOf, type Layout, type Place, placed, type ValueType } from "../layout.js";

/** A byte per pixel: `on` where the mask is set, else 0. */
export function maskBytes({ bits, width, height, depth = 1 }: Mask, on: number): Uint8Array<ArrayBuffer> {
  const words = Math.ceil(width / 32);
  const bytes = new Uint8Array(width * height * depth);
  for (let y = 0, at = 0; y < height * depth; y++) {
    for (let x = 0; x < width; x++, at++) {
      if ((bits[y * words + (x >> 5)] >>> (x & 31)) & 1) bytes[at] = on;
    }
  }
  return bytes;
}

/** Types that masks are written in, the fittest first. */
export const MASK_TYPES = ["bool", "u8", "u32"] as const;

/** The layout of a mask's file, and its values: 0, and 1 or another value where the mask is set. */
export function maskValues(
  mask: Mask,
  type: ValueType = "bool",
  { on = 1, place }: { readonly on?: number; readonly place?: Place | undefined } = {},
): { readonly layout: Layout; readonly fill: Fill } {
  const { width, height, depth = 1, spacing } = mask;
  const layout: Layout = { width, height, depth, type, spacing, labels: true, ...placed(place) };
  const bytes = maskBytes(mask, on);
  return { layout, fill: fillOf(type === "u32" ? Uint32Array.from(bytes) : bytes, layout) };
}

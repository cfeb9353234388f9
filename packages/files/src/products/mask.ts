// Masks as one byte per pixel, as files store them.

import type { Mask } from "skerry";
import { type Fill, fillOf, type Layout, type ValueType } from "../layout.js";
import { type Space, spaceOf } from "../space.js";

/**
 * A byte per pixel: `on` where the mask is set, else 0.
 * @example
 * import { maskBytes } from "@skerry/files";
 * const mask = { bits: Uint32Array.of(0b101), width: 4, height: 1 };
 * console.log(maskBytes(mask, 255)); // 255, 0, 255, 0
 */
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

/** Types that masks are written as, the first choice first. */
export const MASK_TYPES = ["bool", "u8", "u32"] as const;

/**
 * The layout of a mask's file, and its values: `on` (1 by default) where the mask is set, else 0.
 * @example
 * import { maskValues, MemoryOutput, writerOf } from "@skerry/files";
 * const file = new MemoryOutput();
 * const { layout, fill } = maskValues(await blobs.mask(), "u8", { on: 255 });
 * await writerOf(".png", { types: ["u8"] }).writer.write(file, layout, fill);
 */
export function maskValues(
  mask: Mask,
  type: ValueType = "bool",
  { on = 1, space }: { readonly on?: number; readonly space?: Space | undefined } = {},
): { readonly layout: Layout; readonly fill: Fill } {
  const { width, height, depth = 1, spacing } = mask;
  const size = { width, height, depth };
  const layout: Layout = { ...size, type, labels: true, space: space ?? spaceOf({ size, spacing }) };
  const bytes = maskBytes(mask, on);
  return { layout, fill: fillOf(type === "u32" ? Uint32Array.from(bytes) : bytes, layout) };
}

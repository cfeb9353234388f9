// Masks as one byte per pixel, as files store them.

import type { Mask, PixelArray, Sink } from "skerry";
import type { Fill, Layout, ValueType } from "../layout.js";
import { maskBytes } from "../mask-bytes.js";
import { type Space, spaceOf } from "../space.js";

/** Pixels that are unpacked at a time. */
const BAND_PIXELS = 1 << 22;

/** Unpacks a mask into a sink, in bands of rows: a mask of gigapixels takes no more memory than its bits. */
async function unpackBands(mask: Mask, on: number, isWide: boolean, sink: Sink<PixelArray>): Promise<void> {
  const { bits, width, height, depth = 1 } = mask;
  const words = Math.ceil(width / 32);
  const rows = Math.max(1, Math.min(height, Math.floor(BAND_PIXELS / width)));
  for (let z = 0; z < depth; z++) {
    for (let y0 = 0; y0 < height; y0 += rows) {
      const y1 = Math.min(height, y0 + rows);
      const from = (z * height + y0) * words;
      const band = maskBytes({ bits: bits.subarray(from, from + (y1 - y0) * words), width, height: y1 - y0 }, on);
      await sink.write(z, z + 1, y0, y1, isWide ? new Uint32Array(band) : band);
    }
  }
}

/** Types that masks are written as, the first choice first. */
export const MASK_TYPES = ["bool", "u8", "u32"] as const;

/** The layout of a mask's file, and its values: `on` (1 by default) where the mask is set, else 0. */
export function maskValues(
  mask: Mask,
  type: ValueType = "bool",
  { on = 1, space }: { readonly on?: number; readonly space?: Space | undefined } = {},
): { readonly layout: Layout; readonly fill: Fill } {
  const { width, height, depth = 1, spacing } = mask;
  const size = { width, height, depth };
  const layout: Layout = { ...size, type, labels: true, space: space ?? spaceOf({ size, spacing }) };
  return { layout, fill: (sink) => unpackBands(mask, on, type === "u32", sink) };
}

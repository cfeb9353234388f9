// The unit of gradients: whole roots of sums of squares, over a power of 2, are values per pixel on every device.

import type { Shape } from "./pixels.js";

/** Bits by which pixels of u8 are larger once a Gaussian smoothed them at 16 bits. */
const WIDE_BITS = 8;

/**
 * The power of 2 that whole roots are divided by. Differences span two pixels; Sobel's operators weigh them by 4 in an image and by 16 in a
 * volume.
 */
export function gradientShift({ type, depth }: Pick<Shape, "type" | "depth">, isSmoothed: boolean): number {
  if (isSmoothed) return type === "u8" ? 1 + WIDE_BITS : 1;
  return depth > 1 ? 5 : 3;
}

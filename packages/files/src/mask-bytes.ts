// The bits of a mask as bytes.

import type { Mask } from "skerry";

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

// Masks as a byte per pixel, and out: black and white .png, or a bool .npy.

import type { Mask } from "skerry";
import { writeNpyHeader } from "./npy.js";
import type { Output } from "./output.js";
import { writePng } from "./png.js";

/** A byte per pixel: `on` where the mask is set, else 0. */
export function maskBytes({ bits, width, height, depth = 1 }: Mask, on: number): Uint8Array<ArrayBuffer> {
  const words = Math.ceil(width / 32);
  const bytes = new Uint8Array(width * height * depth);
  for (let y = 0, at = 0; y < height * depth; y++) {
    for (let x = 0; x < width; x++, at++) {
      if (((bits[y * words + (x >> 5)] as number) >>> (x & 31)) & 1) bytes[at] = on;
    }
  }
  return bytes;
}

/** Writes a mask: images as black and white, or a bool array of images and volumes. */
export async function writeMask(file: Output, mask: Mask, format: "png" | "npy"): Promise<void> {
  const { width, height, depth = 1 } = mask;
  if (format === "png") {
    await writePng(file, { width, height, channels: 1, data: maskBytes(mask, 255) });
    return;
  }
  await writeNpyHeader(file, "|b1", depth > 1 ? [depth, height, width] : [height, width]);
  await file.write(maskBytes(mask, 1));
}

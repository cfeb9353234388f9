// Masks out: black and white .png, or a bool .npy.

import { extname } from "node:path";
import type { Mask } from "skerry";
import { RunError, UsageError } from "../errors.js";
import { writeNpyHeader } from "./npy.js";
import { writeWhole } from "./output.js";
import { loadSharp } from "./sharp.js";

/** Checks the ending before anything is read. */
export function checkMaskPath(path: string): void {
  if (![".npy", ".png"].includes(extname(path).toLowerCase())) {
    throw new UsageError(`Expected --mask to end in .png or .npy, got ${path}.`);
  }
}

export async function writeMask(path: string, { bits, width, height, depth = 1 }: Mask): Promise<void> {
  const png = extname(path).toLowerCase() === ".png";
  if (png && depth > 1) throw new RunError("Expected an image for a .png mask, got a volume; write .npy instead.");
  const words = Math.ceil(width / 32);
  const on = png ? 255 : 1;
  const bytes = new Uint8Array(width * height * depth);
  for (let y = 0, at = 0; y < height * depth; y++) {
    for (let x = 0; x < width; x++, at++) {
      if (((bits[y * words + (x >> 5)] as number) >>> (x & 31)) & 1) bytes[at] = on;
    }
  }
  await writeWhole(path, async (file) => {
    if (png) {
      const sharp = await loadSharp();
      const image = sharp(bytes, { raw: { width, height, channels: 1 }, limitInputPixels: false });
      await file.writeAll(image.toColourspace("b-w").png());
    } else {
      await writeNpyHeader(file, "|b1", depth > 1 ? [depth, height, width] : [height, width]);
      await file.write(bytes);
    }
  });
}

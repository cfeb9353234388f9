// Masks out: black and white .png, or a bool .npy.

import { extname } from "node:path";
import { writeMask as writeMaskTo } from "@skerry/files";
import type { Mask } from "skerry";
import { RunError, UsageError } from "../errors.js";
import { writeWhole } from "./output.js";

/** Checks the ending before anything is read. */
export function checkMaskPath(path: string): void {
  if (![".npy", ".png"].includes(extname(path).toLowerCase())) {
    throw new UsageError(`Expected --mask to end in .png or .npy, got ${path}.`);
  }
}

export async function writeMask(path: string, mask: Mask): Promise<void> {
  const format = extname(path).toLowerCase() === ".png" ? "png" : "npy";
  if (format === "png" && (mask.depth ?? 1) > 1) {
    throw new RunError("Expected an image for a .png mask, got a volume; write .npy instead.");
  }
  await writeWhole(path, (file) => writeMaskTo(file, mask, format));
}

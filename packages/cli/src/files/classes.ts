// Classes of pixels out: the picture in the palette's colours (indexed .png, .tif), and the classes themselves as a grey
// .png or a uint8 .npy.

import { extname } from "node:path";
import { writeNpy, writePng } from "@skerry/files";
import { recolour, type Segmentation } from "skerry";
import { RunError, UsageError } from "../errors.js";
import { writeWhole } from "./output.js";
import { colourOf } from "./palette.js";
import { loadSharp } from "./sharp.js";

/** Checks the ending before anything is read. */
export function checkRecolouredPath(path: string): void {
  if (![".png", ".tif", ".tiff"].includes(extname(path).toLowerCase())) {
    throw new UsageError(`Expected -o to end in .png or .tif, got ${path}.`);
  }
}

/** Checks the ending before anything is read. */
export function checkClassesPath(path: string): void {
  if (![".png", ".npy"].includes(extname(path).toLowerCase())) {
    throw new UsageError(`Expected --labels to end in .png or .npy, got ${path}.`);
  }
}

/** Writes every pixel in its class's colour; a .png has the palette, unless there is transparency. */
export async function writeRecoloured(path: string, segmentation: Segmentation): Promise<void> {
  const { width, height, depth, k, transparent, data } = segmentation;
  if (depth > 1) throw new RunError(`Expected an image for ${path}, got a volume; write --labels to .npy.`);
  if (extname(path).toLowerCase() === ".png" && transparent === 0) {
    const palette = Array.from({ length: k }, (_, i) => colourOf(segmentation, i));
    await writeWhole(path, (file) => writePng(file, { width, height, data, channels: 1, palette }));
    return;
  }
  const picture = await recolour(segmentation);
  const channels = picture.channels as 1 | 3 | 4;
  const pixels = picture.data as Uint8Array;
  if (extname(path).toLowerCase() === ".png") {
    await writeWhole(path, (file) => writePng(file, { width, height, channels, data: pixels }));
    return;
  }
  const sharp = await loadSharp();
  const image = sharp(pixels, { raw: { width, height, channels }, limitInputPixels: false });
  const shown = channels === 1 ? image.toColourspace("b-w") : image;
  await writeWhole(path, (file) => file.writeAll(shown.tiff({ compression: "deflate" })));
}

/** Writes the number of every pixel's class. */
export async function writeClasses(path: string, { data, width, height, depth }: Segmentation): Promise<void> {
  if (extname(path).toLowerCase() === ".npy") {
    await writeWhole(path, (file) => writeNpy(file, data, { width, height, depth }));
    return;
  }
  if (depth > 1) throw new RunError(`Expected an image for ${path}, got a volume; write .npy instead.`);
  await writeWhole(path, (file) => writePng(file, { width, height, channels: 1, data }));
}

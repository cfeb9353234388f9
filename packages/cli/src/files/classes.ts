// Classes of pixels out: the picture in the palette's colours (indexed .png, .tif), and the classes themselves as a grey
// .png or a uint8 .npy.

import { extname } from "node:path";
import { writeNpy } from "@skerry/files";
import { encode } from "fast-png";
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
    await writeWhole(path, (file) => file.write(encode({ width, height, data, channels: 1, depth: 8, palette })));
    return;
  }
  const picture = await recolour(segmentation);
  const sharp = await loadSharp();
  const channels = picture.channels as 1 | 3 | 4;
  const image = sharp(picture.data as Uint8Array, { raw: { width, height, channels }, limitInputPixels: false });
  const shown = channels === 1 ? image.toColourspace("b-w") : image;
  const png = extname(path).toLowerCase() === ".png";
  await writeWhole(path, (file) => file.writeAll(png ? shown.png() : shown.tiff({ compression: "deflate" })));
}

/** Writes the number of every pixel's class. */
export async function writeClasses(path: string, { data, width, height, depth }: Segmentation): Promise<void> {
  if (extname(path).toLowerCase() === ".npy") {
    await writeWhole(path, (file) => writeNpy(file, data, { width, height, depth }));
    return;
  }
  if (depth > 1) throw new RunError(`Expected an image for ${path}, got a volume; write .npy instead.`);
  const sharp = await loadSharp();
  const image = sharp(data, { raw: { width, height, channels: 1 }, limitInputPixels: false });
  await writeWhole(path, (file) => file.writeAll(image.toColourspace("b-w").png()));
}

// Label images and volumes out, by the ending of their name.

import { extname } from "node:path";
import { npySink, writePng as writePngTo } from "@skerry/files";
import type { Components } from "skerry";
import { RunError, UsageError } from "../errors.js";
import { isNiftiPath, type Orientation, writeNifti } from "./nifti.js";
import { type OutputFile, writeWhole } from "./output.js";
import { tiffSink } from "./tiff.js";

const MOST_PNG = 65535;

/** Checks the ending before anything is read. */
export function checkLabelsPath(path: string): void {
  if (!isNiftiPath(path) && ![".npy", ".tif", ".tiff", ".png"].includes(extname(path).toLowerCase())) {
    throw new UsageError(`Expected -o to end in .npy, .tif, .nii, .nii.gz or .png, got ${path}.`);
  }
}

export async function writeLabels(path: string, components: Components, orientation?: Orientation): Promise<void> {
  const { count, depth } = components;
  const ending = extname(path).toLowerCase();
  if (ending === ".png" && depth > 1) {
    throw new RunError("Expected an image for a .png of labels, got a volume; write .nii.gz, .npy or .tif instead.");
  }
  if (ending === ".png" && count > MOST_PNG) {
    throw new RunError(
      `Expected at most ${MOST_PNG} objects for a 16-bit PNG, got ${count}; write .npy or .tif instead.`,
    );
  }
  await writeWhole(path, async (file) => {
    if (ending === ".png") await writePng(file, components);
    else if (isNiftiPath(path)) {
      await writeNifti(file, path, components, orientation, (into) => components.labels({ into }));
    } else await components.labels({ into: await (ending === ".npy" ? npySink : tiffSink)(file, components) });
  });
}

async function writePng(file: OutputFile, components: Components): Promise<void> {
  const { width, height } = components;
  const labels = new Uint16Array(width * height);
  await components.labels({ into: { write: (_z0, _z1, y0, _y1, data) => labels.set(data, y0 * width) } });
  await writePngTo(file, { width, height, channels: 1, data: labels });
}

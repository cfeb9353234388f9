// Distance maps out, by the ending of their name, as they are made: 32-bit values with the orientation of the input.

import { extname } from "node:path";
import type { Size, Wide, WideType } from "@skerry/files";
import { npySink } from "@skerry/files";
import type { Sink } from "skerry";
import { UsageError } from "../errors.js";
import { isNiftiPath, type Orientation, writeNifti } from "./nifti.js";
import { writeWhole } from "./output.js";
import { tiffSink } from "./tiff.js";

/** Checks the ending before anything is read. */
export function checkMapPath(option: string, path: string): void {
  if (!isNiftiPath(path) && ![".npy", ".tif", ".tiff"].includes(extname(path).toLowerCase())) {
    throw new UsageError(`Expected ${option} to end in .npy, .tif, .nii or .nii.gz, got ${path}.`);
  }
}

/** Lets `fill` write a map, all of it or nothing. */
export async function writeMap(
  path: string,
  size: Size & { readonly spacing: readonly number[] },
  type: WideType,
  orientation: Orientation | undefined,
  fill: (sink: Sink<Wide>) => Promise<unknown>,
): Promise<void> {
  const description = type === "f32" ? "distances by skerry" : "whole numbers by skerry";
  await writeWhole(path, async (file) => {
    if (isNiftiPath(path)) {
      await writeNifti(file, path, size, orientation, fill, { type, labels: false, description });
    } else {
      await fill(await (extname(path).toLowerCase() === ".npy" ? npySink : tiffSink)(file, size, type));
    }
  });
}

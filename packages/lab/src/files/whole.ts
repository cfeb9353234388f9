// The values of a whole volume, within the memory of a tab.

import { FileError, type Space } from "@skerry/files";
import { ARRAYS, typeOfArray } from "@skerry/files/internal";
import type { PixelArray, Raster, Source } from "skerry";
import { type Opened, withoutFlags } from "./opened.js";

/** Bytes that a packed volume may unpack to: the memory of a tab holds it, and one slice beside it. */
export const MOST_UNPACKED_BYTES = 2 ** 30;

/** Pixels as readers give them. */
export type Pixels = Raster | (Source & { readonly channels?: number });

/** The values of a volume, which are read as they are. */
export async function wholeOf(
  all: Pixels,
  space: Space,
  notes: readonly string[],
  name: string,
  whole: Opened["whole"] = {},
): Promise<Opened> {
  const { width, height, depth = 1, channels = 1 } = all;
  const type = "data" in all ? typeOfArray(all.data) : all.type;
  const bytes = width * height * depth * channels * ARRAYS[type].BYTES_PER_ELEMENT;
  if (bytes > MOST_UNPACKED_BYTES) {
    throw new FileError(
      `Expected the volume ${name} to have at most ${MOST_UNPACKED_BYTES} bytes, got ${bytes}: the command line reads it.`,
    );
  }
  if (channels !== 1) throw new FileError(`Expected ${name} to have one channel, got ${channels}.`);
  const data = await valuesOf(all);
  return { name, width, height, depth, space, whole, notes: withoutFlags(notes), channels: 1, data };
}

/** All values of pixels. */
export async function valuesOf(pixels: Pixels): Promise<PixelArray> {
  if ("data" in pixels) return pixels.data;
  const { width, height, depth = 1, channels = 1 } = pixels;
  const data: PixelArray = new ARRAYS[pixels.type](width * height * depth * channels);
  await pixels.read(0, depth, 0, height, data, {});
  return data;
}

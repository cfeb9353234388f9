// Pictures that lie in a file, read into the engine's own memory, where kernels work on them in place.

import type { Engine, PixelArray } from "skerry";
import { mostBytes } from "./limit.js";
import { type Picture, sizeOf } from "./readers.js";

/** Larger pictures stay in their file and pass through in bands. */
const MOST_BYTES = 2 ** 28;
/** The most that a value takes. */
const PIXEL_BYTES = 4;
/** Values read at a time, between which a signal is heard. */
const READ_VALUES = 2 ** 24;

/** The picture with its pixels in memory, and what gives that back; the same picture where it is large or in memory already. */
export async function resident(engine: Engine, picture: Picture): Promise<{ picture: Picture; free(): void }> {
  const { pixels } = picture;
  const size = sizeOf(picture);
  const values = size.width * size.height * size.depth;
  if ("data" in pixels || values * PIXEL_BYTES > Math.min(MOST_BYTES, mostBytes())) {
    return { picture, free: () => undefined };
  }
  const { type, spacing, nodata } = pixels;
  const data: PixelArray = engine.allocate(type, values);
  const free = (): void => engine.free(data);
  try {
    await readInto(picture, data);
  } catch (error) {
    free();
    throw error;
  }
  const raster = {
    data,
    ...size,
    channels: 1,
    ...(spacing ? { spacing } : {}),
    ...(nodata === undefined ? {} : { nodata }),
  };
  return { picture: { ...picture, pixels: raster }, free };
}

/** Reads whole slices, or rows of a slice, as many at a time as READ_VALUES holds. */
async function readInto(picture: Picture, data: PixelArray): Promise<void> {
  const { pixels } = picture;
  if ("data" in pixels) return;
  const { width, height, depth } = sizeOf(picture);
  const slices = Math.floor(READ_VALUES / (width * height));
  const rows = slices > 0 ? height : Math.max(1, Math.floor(READ_VALUES / width));
  for (let z = 0; z < depth; z += Math.max(1, slices)) {
    const end = Math.min(depth, z + Math.max(1, slices));
    for (let y0 = 0; y0 < height; y0 += rows) {
      const y1 = Math.min(height, y0 + rows);
      const from = (z * height + y0) * width;
      const part = data.subarray(from, from + (end - z) * (y1 - y0) * width) as PixelArray;
      await pixels.read(z, end, y0, y1, part, {});
    }
  }
}

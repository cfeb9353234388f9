// Reads pictures from files into the engine's own memory, where kernels process them in place.

import type { Engine, PixelArray, Progress } from "skerry";
import { mostBytes } from "./memory-limit.js";
import { type Picture, rasterOf, sizeOf } from "./picture.js";

/** Pictures of more values stay in their file and pass through in bands. */
const MOST_VALUES = 2 ** 26;
/** Most bytes of a value. */
const VALUE_BYTES = 4;

/**
 * Reads the pixels of a picture into the engine's memory, which `free` releases. Large pictures, and those in memory, are
 * returned as they are.
 * @example
 * import { openPicture, resident } from "@skerry/files/node";
 * const { picture, free } = await resident(engine, await openPicture("dem.tif"));
 * const objects = await engine.components(picture.pixels, { threshold: { above: 40 } });
 * free();
 * await picture.close();
 */
export async function resident<P extends Picture>(
  engine: Engine,
  picture: P,
  onProgress?: (progress: Progress) => void,
): Promise<{ picture: P; free(): void }> {
  const { pixels } = picture;
  const { width, height, depth } = sizeOf(picture);
  const nothing = { picture, free: () => undefined };
  if ("data" in pixels) return nothing;
  if (width * height * depth > Math.min(MOST_VALUES, mostBytes() / VALUE_BYTES)) return nothing;
  let data: PixelArray | undefined;
  const free = (): void => {
    if (data) engine.free(data);
  };
  try {
    const raster = await rasterOf(
      picture,
      (type, length) => {
        data = engine.allocate(type, length);
        return data;
      },
      onProgress,
    );
    return { picture: { ...picture, pixels: raster }, free };
  } catch (error) {
    free();
    throw error;
  }
}

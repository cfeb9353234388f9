// Pixels as the input of a recipe wants them: cut out, with another size of a pixel, with values that were not measured.

import type { Engine, Image, Mask, PixelArray, Raster, Source } from "skerry";
import { RecipeError, unexpected } from "../errors.js";
import type { Recipe } from "../fields.js";

/** Pixels that recipes run on. */
export type Pixels = Raster | Source | Image;

/** A box in whole pixels: x, y, width, height, or x, y, z, width, height, depth. */
export type Box = readonly number[];

/** Corners of a box, as [first, past the last) along each axis. */
export function boundsOf(box: Box, { width, height, depth = 1 }: { width: number; height: number; depth?: number }) {
  const [x, y, z, columns, rows, slices] = box.length === 6 ? box : [box[0], box[1], 0, box[2], box[3], depth];
  if (x + columns > width || y + rows > height || z + slices > depth) {
    const size = depth > 1 ? `${width} x ${height} x ${depth}` : `${width} x ${height}`;
    throw new RecipeError(`Expected --crop to lie within ${size}, got ${box.join(",")}.`);
  }
  return { x, y, z, width: columns, height: rows, depth: slices };
}

/**
 * Cuts a box out of pixels. Of a Source rows are read as they are needed, of a raster they are copied.
 * @throws RecipeError if the box does not lie within
 */
export function cropped<P extends Raster | Source>(pixels: P, box: Box): P {
  const { x, y, z, width, height, depth } = boundsOf(box, pixels);
  const channels = pixels.channels ?? 1;
  const sides = { width, height, depth };
  const row = width * channels;
  const full = pixels.width * channels;
  if (!("data" in pixels)) {
    const read: Source["read"] = async (z0, z1, y0, y1, into, options) => {
      const whole = into.slice(0, 0).constructor as unknown as new (length: number) => PixelArray;
      const rows = new whole((y1 - y0) * full);
      for (let slice = z0; slice < z1; slice++) {
        await pixels.read(z + slice, z + slice + 1, y + y0, y + y1, rows, options);
        for (let j = 0; j < y1 - y0; j++) {
          const from = j * full + x * channels;
          into.set(rows.subarray(from, from + row), ((slice - z0) * (y1 - y0) + j) * row);
        }
      }
    };
    return { ...pixels, ...sides, read };
  }
  const data = pixels.data.slice(0, row * height * depth) as PixelArray;
  for (let k = 0; k < depth; k++) {
    for (let j = 0; j < height; j++) {
      const from = ((z + k) * pixels.height + y + j) * full + x * channels;
      data.set(pixels.data.subarray(from, from + row), (k * height + j) * row);
    }
  }
  return { ...pixels, ...sides, data };
}

/** Pixels as `input` of a recipe wants them. */
export function prepared<P extends Pixels>(pixels: P, { crop, spacing, nodata }: NonNullable<Recipe["input"]> = {}): P {
  // The resolution of a file is told by its reader.
  const isSized = spacing !== undefined && spacing !== "file";
  if (!("data" in pixels) && !("read" in pixels)) {
    if (crop || isSized) throw unexpected("the image", "a raster or a Source for crop and spacing", "an Image");
    return pixels;
  }
  const [x = 1, y = x, z = 1] = isSized ? spacing : [];
  return {
    ...(crop ? cropped(pixels, crop) : pixels),
    ...(isSized ? { spacing: [x, y, z] as const } : {}),
    ...(nodata === undefined || pixels.nodata !== undefined ? {} : { nodata }),
  } as P;
}

/** The pixels that are not 0, in any colour channel. */
export async function maskOf(engine: Engine, pixels: Pixels): Promise<Mask> {
  const inside = await engine.components(pixels, { threshold: "nonzero" });
  return inside.mask().finally(() => inside.dispose());
}

// Prepares pixels as the input of a recipe says: crop, spacing and nodata.

import type { CallOptions, Engine, Image, Mask, PixelArray, Raster, Source } from "skerry";
import { defined } from "skerry/internal";
import { RecipeError, unexpected } from "../errors.js";
import type { Recipe } from "../fields.js";
import { channelOf } from "./options.js";

/** Pixels that recipes run on. */
export type Pixels = Raster | Source | Image;

/** The channel that a recipe takes of several, where the operation works on all without one. */
export async function inChannel(engine: Engine, recipe: Recipe, pixels: Pixels, call: CallOptions): Promise<Pixels> {
  const channel = channelOf(recipe);
  return channel === undefined ? pixels : engine.channel(pixels as Raster, channel, call);
}

/** A box in whole pixels: x, y, width, height, or x, y, z, width, height, depth. */
export type Box = readonly number[];

/**
 * A box as its first pixel and its size; an image's box covers all slices.
 * @throws RecipeError if the box does not lie within
 */
export function boundsOf(box: Box, { width, height, depth = 1 }: { width: number; height: number; depth?: number }) {
  const [x, y, z, columns, rows, slices] = box.length === 6 ? box : [box[0], box[1], 0, box[2], box[3], depth];
  if (x + columns > width || y + rows > height || z + slices > depth) {
    const size = depth > 1 ? `${width} x ${height} x ${depth}` : `${width} x ${height}`;
    const sides = box.length === 6 && depth === 1 ? ", which take X,Y,WIDTH,HEIGHT" : "";
    throw new RecipeError(`Expected --crop to lie within ${size}${sides}, got ${box.join(",")}.`);
  }
  return { x, y, z, width: columns, height: rows, depth: slices };
}

/**
 * Cuts a box out of pixels: a Source reads its rows when they are needed, a raster is copied.
 * @throws RecipeError if the box does not lie within
 * @example
 * import { cropped } from "@skerry/recipe";
 * const part = cropped({ data: Uint8Array.of(1, 2, 3, 4), width: 4, height: 1 }, [1, 0, 2, 1]);
 * console.log(part.data); // 2, 3
 */
export function cropped<P extends Raster | Source>(pixels: P, box: Box): P {
  const { x, y, z, width, height, depth } = boundsOf(box, pixels);
  const channels = pixels.channels ?? 1;
  const sides = { width, height, depth };
  const row = width * channels;
  const full = pixels.width * channels;
  if (!("data" in pixels)) {
    const read: Source["read"] = async (z0, z1, y0, y1, into, options) => {
      const ArrayOf = into.slice(0, 0).constructor as unknown as new (length: number) => PixelArray;
      const rows = new ArrayOf((y1 - y0) * full);
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

/**
 * Applies `crop`, `spacing` and `nodata` of a recipe's input to pixels.
 * @throws RecipeError if the box does not lie within, or if an Image is to be cropped or given a spacing
 * @example
 * import { prepared } from "@skerry/recipe";
 * const part = prepared(image, { crop: [10, 20, 30, 40], spacing: [0.5, 0.5] });
 * console.log(part.width, part.height); // 30, 40
 */
export function prepared<P extends Pixels>(pixels: P, { crop, spacing, nodata }: NonNullable<Recipe["input"]> = {}): P {
  // For "file", the reader has set the spacing already.
  const isSized = spacing !== undefined && spacing !== "file";
  if (!("data" in pixels) && !("read" in pixels)) {
    if (crop || isSized)
      throw unexpected("the image", { expected: "a raster or a Source for crop and spacing" }, "an Image");
    return pixels;
  }
  const [x = 1, y = x, z = 1] = isSized ? spacing : [];
  const part = crop ? cropped(pixels, crop) : pixels;
  return defined<object>({
    ...part,
    spacing: isSized ? ([x, y, z] as const) : part.spacing,
    nodata: part.nodata ?? nodata,
  }) as P;
}

/**
 * The mask of the pixels that are not 0 in any colour channel.
 * @example
 * import { maskOf } from "@skerry/recipe";
 * const mask = await maskOf(engine, image);
 * console.log(mask.width, mask.height);
 */
export async function maskOf(engine: Engine, pixels: Pixels): Promise<Mask> {
  const inside = await engine.components(pixels, { threshold: "nonzero" });
  return inside.mask().finally(() => inside.dispose());
}

// Inputs as a recipe wants them read: raw values by their layout, a part of a picture, another size of a pixel.

import { orientationAt } from "@skerry/files";
import { openPicture, type Picture, type PictureOptions, sizeOf } from "@skerry/files/node";
import { boundsOf, fenceOf, maskOf, type Pixels, prepared, type Recipe } from "@skerry/recipe";
import type { Engine, Mask } from "skerry";
import { rawLayout } from "./arguments.js";

/** Opens a picture, or the part of it that the recipe takes. */
export async function openInput(
  path: string,
  { input = {} }: Recipe,
  options: Omit<PictureOptions, "raw" | "nodata"> = {},
): Promise<Picture> {
  const { crop, spacing, nodata } = input;
  const picture = await openPicture(path, { ...options, raw: rawLayout(input), nodata });
  if (!crop && !spacing) return picture;
  try {
    const { x, y, z } = crop ? boundsOf(crop, sizeOf(picture)) : { x: 0, y: 0, z: 0 };
    const orientation = picture.orientation && orientationAt(picture.orientation, [x, y, z]);
    return { ...picture, pixels: prepared(picture.pixels, { crop, spacing }), ...(orientation ? { orientation } : {}) };
  } catch (error) {
    await picture.close();
    throw error;
  }
}

/** The pixels of a file that are not 0, and where it lies. */
export async function readMask(
  engine: Engine,
  path: string,
  { input = {}, ...recipe }: Recipe,
): Promise<{ mask: Mask; orientation: Picture["orientation"] }> {
  // Raw values are told of INPUT alone, and so is what was not measured.
  const { crop, spacing } = input;
  const picture = await openInput(path, { ...recipe, input: { crop, spacing } });
  try {
    return { mask: await maskOf(engine, picture.pixels), orientation: picture.orientation };
  } finally {
    await picture.close();
  }
}

/** The fence of a recipe on pixels, as an option of calls; none where the recipe has none. */
export function withinOf(engine: Engine, recipe: Recipe, pixels: Pixels): Promise<{ readonly within?: Mask }> {
  return fenceOf(engine, recipe, pixels, async (path) => (await readMask(engine, path, recipe)).mask, {});
}

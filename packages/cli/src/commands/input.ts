// Opens inputs as a recipe describes them: the layout of raw values, a crop, the spacing of pixels.

import { type Calibration, placeOfPart } from "@skerry/files";
import { openPicture, type Picture, type PictureOptions, sizeOf } from "@skerry/files/node";
import {
  boundsOf,
  fenceOf,
  intensityFiles,
  maskOf,
  type NamedPixels,
  type Pixels,
  prepared,
  type Recipe,
  type RecipeInput,
} from "@skerry/recipe";
import type { ZarrPictureOptions, ZarrSource } from "@skerry/zarr";
import type { Engine, Mask, Raster } from "skerry";
import { UsageError } from "../errors.js";
import { sides } from "../progress.js";
import { rawLayout } from "./arguments.js";
import { boxOf, isZarr } from "./stores.js";

/** Operations that take all channels of a colour. */
const OF_COLOURS = ["fill", "kmeans"];

/** Operations whose input holds numbers of objects or classes, not colours. */
const OF_LABELS = ["labelled", "measure"];

/** Opens a picture, or the part of it that the recipe takes. */
export async function openInput(
  path: string,
  { operation, input = {}, options: { by, physical } = {} }: Recipe,
  options: Pick<PictureOptions, "alpha" | "spill" | "sharpPays"> = {},
): Promise<Picture> {
  const { crop, nodata, page, time, level, channel, volume, stack, allowGaps } = input;
  const indices = by === "value" || OF_LABELS.includes(operation);
  const wanted = { page, time, level, channel, volume, stack, allowGaps, indices, nodata, raw: rawLayout(input) };
  const inStore = await isZarr(path);
  const picture = inStore
    ? await openStored(path, { ...wanted, crop, colours: OF_COLOURS.includes(operation) })
    : await openPicture(path, { ...options, ...wanted });
  try {
    if (
      channel !== undefined &&
      channel !== 0 &&
      channel !== "index" &&
      !picture.taken &&
      OF_LABELS.includes(operation)
    ) {
      throw new UsageError(`Expected --channel 0 for ${path}, which has one channel, got ${channel}.`);
    }
    const calibration = calibrationFor(picture, input);
    if (physical && !calibration) {
      throw new UsageError(
        `Expected a size of a pixel for --physical: ${path} tells ${degreesOf(picture) ? "degrees, which have none; reproject it to metres" : "none; give --spacing X,Y"}.`,
      );
    }
    if (inStore) {
      const place = { ...picture.place, calibration };
      return { ...picture, pixels: resized(picture.pixels as ZarrSource, calibration, nodata), place };
    }
    const { x, y, z } = crop ? boundsOf(crop, sizeOf(picture)) : { x: 0, y: 0, z: 0 };
    const sized = calibration ? { ...picture.pixels, spacing: calibration.spacing } : picture.pixels;
    const place = { ...placeOfPart(picture.place, [x, y, z]), calibration };
    return { ...picture, pixels: prepared(sized, { crop }), place };
  } catch (error) {
    await picture.close();
    throw error;
  }
}

/** Opens an OME-Zarr image. With a crop, only the crop is read. */
async function openStored(
  path: string,
  { crop, nodata: _, ...options }: ZarrPictureOptions & { crop?: readonly number[]; nodata?: number },
): Promise<Picture> {
  const { openZarr } = await import("@skerry/zarr");
  return openZarr(path, { ...options, ...(crop ? { box: boxOf(crop) } : {}) });
}

/** Sets spacing and nodata of a Source in place, so that it keeps its getters and methods. */
function resized(source: ZarrSource, calibration: Calibration | undefined, nodata: number | undefined): ZarrSource {
  return Object.assign(source, {
    ...(calibration ? { spacing: [...calibration.spacing, 1].slice(0, 3) } : {}),
    ...(nodata === undefined ? {} : { nodata }),
  });
}

function degreesOf({ place: { georeference } }: Picture): boolean {
  return georeference?.degrees === true;
}

/** Units of length in metres, by name. */
const METRES: Readonly<Record<string, number>> = {
  ...{ nm: 1e-9, um: 1e-6, "\u00b5m": 1e-6, "\u03bcm": 1e-6, micron: 1e-6, mm: 1e-3, cm: 1e-2, m: 1, km: 1e3 },
  ...{ in: 0.0254, inch: 0.0254, ft: 0.3048, pm: 1e-12, "\u00c5": 1e-10 },
};

/** The spacing and its unit: of --spacing as given, or of the file, converted to --unit. */
function calibrationFor(picture: Picture, { spacing, unit }: RecipeInput): Calibration | undefined {
  const { input, place, resolution } = picture;
  if (spacing !== undefined && spacing !== "file") {
    const [x, y = x, z] = spacing;
    return { spacing: z === undefined ? [x, y] : [x, y, z], unit: unit ?? undefined };
  }
  const told = place.calibration ?? (spacing === "file" ? resolution : undefined);
  if (spacing === "file" && !told) {
    throw new UsageError(`Expected ${input} to tell the size of a pixel for --spacing file, but it does not.`);
  }
  if (unit === undefined || unit === told?.unit) return told;
  if (!told) throw new UsageError(`Expected a size of a pixel for --unit: ${input} tells none; give --spacing X,Y.`);
  const [from, to] = [METRES[told.unit ?? ""], METRES[unit]];
  if (from === undefined || to === undefined) {
    throw new UsageError(
      `Expected --unit to be one of ${Object.keys(METRES).slice(0, 2).join(", ")}, mm, cm, m, km, in, ft for ${input}, whose lengths are in ${told.unit ?? "no unit"}, got ${unit}.`,
    );
  }
  const [x, y, z] = told.spacing.map((side) => (side * from) / to);
  return { spacing: z === undefined ? [x, y] : [x, y, z], unit };
}

/** The recipe without its channel, if the reader has taken the channel already. */
export function recipeFor(recipe: Recipe, { taken }: Picture): Recipe {
  if (!taken) return recipe;
  const { channel: _, ...input } = recipe.input ?? {};
  return { ...recipe, input };
}

/** A mask of a file's nonzero pixels, and the place of the file. */
export async function readMask(
  engine: Engine,
  path: string,
  { input = {}, ...recipe }: Recipe,
): Promise<{ mask: Mask; place: Picture["place"] }> {
  // The layout of raw values and nodata describe INPUT only.
  const { crop, spacing, unit, volume } = input;
  const { physical: _, ...options } = recipe.options ?? {};
  const picture = await openInput(path, { ...recipe, options, input: { crop, spacing, unit, volume } });
  try {
    return { mask: await maskOf(engine, picture.pixels), place: picture.place };
  } finally {
    await picture.close();
  }
}

/** An image that is measured beside the input, with the name of its columns. */
export interface Intensity extends NamedPixels {
  readonly picture: Picture;
}

/** Opens the images whose values are measured under the objects of a picture. */
export async function openIntensities(engine: Engine, recipe: Recipe, picture: Picture): Promise<Intensity[]> {
  const opened: Intensity[] = [];
  const { crop, spacing, unit, level, time } = recipe.input ?? {};
  try {
    for (const { name, path, channel } of intensityFiles(recipe)) {
      const own = await openInput(path, {
        skerry: 1,
        operation: "components",
        input: { crop, spacing, unit, channel, ...((await isZarr(path)) ? { level, time } : {}) },
      });
      opened.push({ name, picture: own, pixels: own.pixels });
      const [one, other] = [sizeOf(picture), sizeOf(own)];
      if (one.width !== other.width || one.height !== other.height || one.depth !== other.depth) {
        throw new UsageError(
          `Expected --intensity ${path} to have the size of ${picture.input}, ${sides(one)}, got ${sides(other)}.`,
        );
      }
      const isOne = own.taken || own.pixels.channels === 1 || own.pixels.channels === undefined;
      if (channel === undefined || (isOne && (own.taken || channel === 0))) continue;
      opened[opened.length - 1] = { name, picture: own, pixels: await engine.channel(own.pixels as Raster, channel) };
    }
    return opened;
  } catch (error) {
    await closeAll(opened);
    throw error;
  }
}

export async function closeAll(opened: readonly Intensity[]): Promise<void> {
  for (const { picture } of opened) await picture.close();
}

/** The fence of a recipe as the option `within`; no option if the recipe has no fence. */
export function withinOf(engine: Engine, recipe: Recipe, pixels: Pixels): Promise<{ readonly within?: Mask }> {
  return fenceOf(engine, recipe, pixels, async (path) => (await readMask(engine, path, recipe)).mask, {});
}

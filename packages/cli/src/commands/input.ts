// Opens inputs as a recipe describes them: the layout of raw values, a crop, the sides of a pixel and their unit.

import { type Space, spacingOf, type Triple } from "@skerry/files";
import {
  endingOf,
  hasAxis,
  inUnit,
  isSameSize,
  isSheared,
  LENGTH_UNITS,
  lengthUnitOf,
  partOf,
  resized,
  type Sides,
  sizesOf,
  unitFactor,
  unitSymbol,
  volumeFactor,
} from "@skerry/files/internal";
import { openPicture, type Picture, type PictureOptions } from "@skerry/files/node";
import { sizeOf } from "@skerry/files/node/internal";
import type { ZarrPicture, ZarrPictureOptions } from "@skerry/files/zarr";
import { prepared, type Recipe, type RecipeInput } from "@skerry/recipe";
import { boundsOf, inPart, rgbOf } from "@skerry/recipe/internal";
import { defined } from "skerry/internal";
import { UsageError } from "../errors.js";
import { rawLayout } from "./arguments.js";
import { checkHeaders, filesBeside } from "./headers.js";
import { checkMemory } from "./memory.js";
import { boxOf, isZarr } from "./stores.js";

/** Operations that take all channels of a colour. */
const OF_COLOURS = ["fill", "kmeans"];

/** Axes along which options take one of several images. */
export const CHOSEN = ["page", "time", "level", "stack"] as const;

/** An input, or the part of it that a recipe takes. */
export interface OpenedInput extends Picture {
  /** The file's facts about the whole image: files beside it are matched with this. */
  readonly wholeSpace: Space;
  /** The first pixel of the part in the whole image. */
  readonly origin: Triple;
  /** Options that no file has had an axis for so far. */
  readonly unserved: Set<(typeof CHOSEN)[number]>;
  /** Notes on the recipe's reading of the file. */
  readonly notices: string[];
}

/** How labels of a picture are written: its pixels hold numbers for ids of 64 bits, which have no meaning in a file. */
export const numberingOf = ({ ids }: Picture): { readonly numbered: boolean } => ({ numbered: ids !== undefined });

/** Options of openInput beside a recipe. */
export interface InputOptions extends Pick<PictureOptions, "alpha" | "spill" | "sharpPays"> {
  /** The unit of the tables before, px without physical, which lengths are converted to; a unit that is undefined has to stay so. */
  readonly tableUnit?: { readonly unit: string | undefined; readonly of: string } | undefined;
}

/** Opens a picture, or the part of it that the recipe takes. */
export async function openInput(path: string, recipe: Recipe, options: InputOptions = {}): Promise<OpenedInput> {
  const { operation, input = {}, options: { by, physical, background } = {} } = recipe;
  const { crop, nodata, page, time, level, channel, volume, stack, allowGaps, matte, axes } = input;
  const { tableUnit, ...reading } = options;
  const indices = by === "value" || operation === "labelled";
  // Colours that are compared with each other are those that are seen.
  const alpha = options.alpha ?? (operation === "components" && by !== undefined ? "seen" : undefined);
  const lenient = filesBeside(recipe).length > 0;
  const chosen = { page, time: time === "all" ? undefined : time, level, channel, volume, stack, allowGaps, lenient };
  const inStore = await isZarr(path);
  if (inStore) checkStoredOptions(path, input, lenient);
  // Numbers of ids are not compared with values that are given.
  const ids = indices && nodata === undefined && background === undefined;
  if (!inStore) await checkHeaders(path, recipe, { page, volume, time: chosen.time, lenient, raw: rawLayout(input) });
  const picture = inStore
    ? await openStored(path, { ...chosen, crop, colours: OF_COLOURS.includes(operation), exact: indices, ids })
    : await openPicture(
        path,
        defined({
          ...reading,
          ...chosen,
          alpha: matte === undefined ? alpha : reading.alpha,
          matte: matte === undefined ? undefined : rgbOf(matte),
          indices,
          exact: indices,
          nodata,
          raw: rawLayout(input),
          ids,
          axes,
          labels: operation === "labelled",
        }),
      );
  try {
    if (
      channel !== undefined &&
      channel !== 0 &&
      channel !== "index" &&
      picture.space.taken.channel === undefined &&
      operation === "labelled"
    ) {
      throw new UsageError(`Expected --channel 0 for ${path}, which has one channel, got ${channel}.`);
    }
    checkMemory(recipe, picture);
    // Readers of images tell their one slice, which the library takes for a volume of one.
    const { connectivity, seeds = [], points = [] } = recipe.options ?? {};
    const isFlat = connectivity === 4 || connectivity === 8;
    const { depth } = sizeOf(picture);
    if (!inStore && depth === 1 && connectivity !== undefined && !isFlat) {
      throw new UsageError(`Expected --connectivity to be 4 or 8 for a 2-D image, got ${connectivity}.`);
    }
    if (depth > 1 && isFlat) {
      throw new UsageError(`Expected --connectivity to be 6, 18 or 26 for a volume, got ${connectivity}.`);
    }
    const flat = depth > 1 ? [...seeds, ...points].find((place) => place.length < 3) : undefined;
    if (flat)
      throw new UsageError(
        `Expected ${seeds.length > 0 ? "--at" : "--point"} X,Y,Z in ${path}, a volume of ${depth} slices, got ${flat.join(",")}.`,
      );
    const deep = depth === 1 && !inStore ? seeds.find((seed) => seed.length > 2) : undefined;
    if (deep) throw new UsageError(`Expected --at X,Y in ${path}, an image, got ${deep.join(",")}.`);
    const notices: string[] = [];
    const wholeSpace = inStore ? (picture as ZarrPicture).pixels.wholeSpace : picture.space;
    const box = crop
      ? boundsOf(crop, { width: sizesOf(wholeSpace)[0], height: sizesOf(wholeSpace)[1], depth: sizesOf(wholeSpace)[2] })
      : undefined;
    const origin: Triple = box ? [box.x, box.y, box.z] : [0, 0, 0];
    const sides = input.spacing;
    if (Array.isArray(sides) && sides.length === 2 && (box?.depth ?? sizesOf(wholeSpace)[2]) > 1) {
      throw new UsageError(`Expected --spacing X,Y,Z for the volume ${path}, got ${sides.join(",")}.`);
    }
    const sizedWhole = sizedBy(path, wholeSpace, input, notices);
    const sized = box ? partOf(sizedWhole, origin, box) : sizedWhole;
    if (physical && spacingOf(sized) === undefined) {
      throw new UsageError(`Expected a size of a pixel for --physical: ${path} tells ${lackOf(sized)}.`);
    }
    const space = tableUnit ? inTableUnit(path, sized, tableUnit, notices, recipe) : sized;
    const spacing = physical && isUneven(recipe, { ...picture, space }) ? engineSides(space) : spacingOf(space);
    const given = CHOSEN.filter((axis) => input[axis] !== undefined && input[axis] !== 0 && input[axis] !== "all");
    const opened = {
      ...picture,
      space,
      wholeSpace,
      origin,
      notices,
      notes: () => [...picture.notes(), ...notices],
      unserved: new Set(given.filter((axis) => !hasAxis(picture.space, axis))),
    };
    if (inStore) return { ...opened, pixels: stored((picture as ZarrPicture).pixels, spacing, nodata) };
    const pixels = spacing ? { ...picture.pixels, spacing: spacing as Sides } : picture.pixels;
    return { ...opened, pixels: prepared(pixels, { crop }) };
  } catch (error) {
    await picture.close();
    throw error;
  }
}

/** Refuses options of files that an OME-Zarr image has no use for. */
function checkStoredOptions(
  path: string,
  { shape, axes, allowGaps, stack, matte }: RecipeInput,
  isLenient: boolean,
): void {
  const other = Object.entries({ shape, axes, "allow-gaps": allowGaps, stack, matte }).find(
    ([, value]) => value !== undefined,
  );
  if (other && !isLenient) throw new UsageError(`Expected no --${other[0]} for ${path}, an OME-Zarr image.`);
}

/** Whether distances in the input's grid are none of its space. Sides that the user gives are those of the user's grid. */
export const isUneven = ({ input = {} }: Recipe, { space }: Picture): boolean =>
  !Array.isArray(input.spacing) && isSheared(space);

/** Sides of a pixel for the engine. In a sheared grid, where only volumes are measured, their product is the determinant. */
function engineSides(space: Space): readonly number[] | undefined {
  const [x, y, z] = spacingOf(space) ?? [];
  if (x === undefined || y === undefined) return undefined;
  const factor = volumeFactor(space);
  return space.axes[2].size > 1 && z !== undefined ? [x, y, z * factor] : [x, y * factor, z ?? 1];
}

/** Throws for an option that none of the files has an axis for. */
export function checkServed({ input = {} }: Recipe, { input: path, unserved }: OpenedInput): void {
  for (const axis of unserved) {
    throw new UsageError(
      `Expected a file with several ${axis}s for --${axis} ${input[axis]}, got none beside ${path}.`,
    );
  }
}

/** Opens an OME-Zarr image. With a crop, only the crop is read. */
export async function openStored(
  path: string,
  { crop, ...options }: ZarrPictureOptions & { crop?: readonly number[] | undefined },
): Promise<ZarrPicture> {
  const { openZarr } = await import("@skerry/files/zarr");
  return openZarr(path, defined({ ...options, box: crop ? boxOf(crop) : options.box }));
}

/** Sets spacing and nodata of a Source in place, so that it keeps its getters and methods. */
function stored(
  source: ZarrPicture["pixels"],
  spacing: readonly number[] | undefined,
  nodata: number | undefined,
): ZarrPicture["pixels"] {
  return Object.assign(source, defined({ spacing: spacing ? [...spacing, 1].slice(0, 3) : undefined, nodata }));
}

/** The facts that a Space lacks for lengths, in words. */
function lackOf({ axes: [x, y, z], crs }: Space): string {
  if (crs?.kind === "map" && crs.degrees) return "degrees, which have none; reproject it to metres";
  const hint = "give --spacing X,Y";
  if (x.spacing !== undefined && y.spacing !== undefined && z.size > 1) return `none along z; ${hint},Z`;
  return `none; ${hint}${z.size > 1 ? ",Z" : ""}`;
}

/** The Space with the sides of a pixel: of --spacing as given, or of the file, converted to --unit. */
function sizedBy(path: string, space: Space, { spacing, unit }: RecipeInput, notices: string[]): Space {
  if (spacing !== undefined && spacing !== "file") {
    const [x, y = x, z] = spacing;
    if (space.crs?.kind === "map") {
      notices.push(`${path} lies on a map, where its pixels keep their sides; --spacing is for lengths and areas`);
    }
    const sized = resized(space, z === undefined ? [x, y] : [x, y, z], unit);
    const [told, given] = [space, sized].map((each) => [spacingOf(each) ?? [], lengthUnitOf(each)] as const);
    if (told[1] !== undefined && !isSameSize(told, given)) {
      const sides = told[0].map((side) => Number(side.toPrecision(6))).join(" x ");
      notices.push(`${path} tells a pixel of ${sides} ${told[1]}; lengths are by the given size`);
    }
    return sized;
  }
  const { printed } = space;
  const sized =
    spacingOf(space) || spacing !== "file" || !printed ? space : resized(space, printed.spacing, printed.unit);
  if (!spacingOf(sized)) {
    if (spacing === "file") {
      throw new UsageError(`Expected ${path} to tell the size of a pixel for --spacing file, but it does not.`);
    }
    if (sized.axes[0].spacing !== undefined && sized.axes[2].size > 1) {
      notices.push(`${path} tells no size of a voxel along z; lengths are in pixels (--spacing X,Y,Z sets all)`);
    }
    if (unit === undefined) return sized;
    throw new UsageError(`Expected a size of a pixel for --unit: ${path} tells ${lackOf(sized)}.`);
  }
  const from = lengthUnitOf(sized);
  if (unit === undefined || (from !== undefined && unitSymbol(unit) === from)) return sized;
  const converted = inUnit(sized, unit);
  if (converted) return converted;
  const known = unitFactor(unit, "m") !== undefined;
  throw new UsageError(
    known
      ? `Expected a unit of length in ${path} for --unit ${unit}, got ${from ?? "none"}; give --spacing with it.`
      : `Expected --unit to be one of ${LENGTH_UNITS.join(", ")} for ${path}, whose lengths are in ${from ?? "no unit"}, got ${unit}.`,
  );
}

/** The unit of lengths in the results of a recipe. */
export const resultUnit = ({ options = {} }: Recipe, { space }: Pick<Picture, "space">): string | undefined =>
  options.physical ? lengthUnitOf(space) : "px";

/** Lengths in the unit of the tables before. A recipe that names another unit has its own lengths in that. */
function inTableUnit(
  path: string,
  space: Space,
  { unit, of }: NonNullable<InputOptions["tableUnit"]>,
  notices: string[],
  recipe: Recipe,
): Space {
  const unitInFile = resultUnit(recipe, { space });
  if (unitInFile === unit) return space;
  const isFixed = unit === undefined || unitInFile === undefined || recipe.input?.unit !== undefined;
  const converted = isFixed || unitInFile === "px" ? undefined : inUnit(space, unit);
  if (!converted) {
    const [mine, theirs] = [unitInFile ?? "no unit", unit ?? "no unit"];
    throw new UsageError(
      `Expected lengths in ${theirs}, as in ${of}, got ${mine} in ${path}; run it alone, or give --spacing with --unit.`,
    );
  }
  notices.push(`${path} has lengths in ${unitInFile}; here they are in ${unit}, as in ${of}`);
  return converted;
}

/** The recipe without its channel, if the reader has taken the channel already, and with points in the part that was read. */
export function recipeFor(recipe: Recipe, { space, wholeSpace }: OpenedInput): Recipe {
  const [width, height, depth] = sizesOf(wholeSpace);
  const recipeOfPart = inPart(recipe, { width, height, depth });
  if (space.taken.channel === undefined) return recipeOfPart;
  const { channel: _, ...input } = recipeOfPart.input ?? {};
  return { ...recipeOfPart, input };
}

/** Most values of a picture that is packed as a whole: an array holds no more bytes. */
const MOST_PACKED = 2 ** 31 - 1;

/** Refuses, before any work, outputs whose format has no slices, or packs a picture as a whole that is larger than an array. */
export function checkDrawn(picture: Picture, channels: number, ...paths: readonly (string | undefined)[]): void {
  const { width, height, depth } = sizeOf(picture);
  for (const path of paths) {
    if (path === undefined) continue;
    const ending = endingOf(path);
    if (depth > 1 && (ending === ".png" || ending === ".pgm" || ending === ".svg")) {
      throw new UsageError(
        `Expected an image for ${path}, got the volume ${picture.input}; write .npy, .tif, .nii, .nii.gz, .nrrd or .mha.`,
      );
    }
    if (ending !== ".png" || width * height * channels <= MOST_PACKED) continue;
    throw new UsageError(
      `Expected at most ${MOST_PACKED} values for ${path}, which is packed as a whole, got ${width} x ${height} x ${channels}; write .npy or .tif, or give --crop.`,
    );
  }
}

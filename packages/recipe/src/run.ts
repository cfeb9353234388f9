// Runs a recipe on an engine.

import type { CallOptions, Components, DistanceMap, Engine, Mask, Raster } from "skerry";
import { parseRecipe } from "./check.js";
import { RecipeError } from "./errors.js";
import type { Recipe } from "./fields.js";
import { intensityFiles } from "./intensity.js";
import { measureDistances } from "./run/distance.js";
import { fillObjects } from "./run/fill.js";
import { type Divided, divideColours, maskOfClasses } from "./run/kmeans.js";
import { combineMasks } from "./run/mask.js";
import { objectsOf, type RunOptions } from "./run/objects.js";
import { maskOf, type Pixels, prepared } from "./run/pixels.js";
import { type Measuring, measuringOf } from "./run/selection.js";

/** Pixels that a recipe runs on. */
export interface RecipeInputs {
  readonly image: Pixels;
  /** Opens the files that the recipe names beside the image: `within`, `intensity`, other masks. */
  readonly open?: (path: string) => Promise<Pixels> | Pixels;
}

/** An image beside the input, by the name of its columns. */
export interface NamedPixels {
  readonly name: string;
  readonly pixels: Pixels;
}

/** The result of a recipe. Components and maps are the caller's to dispose of. */
export type Result =
  | {
      readonly components: Components;
      readonly measuring: Measuring;
      /** The images of `input.intensity`, of which `measuring` has the first. */
      readonly intensities: readonly NamedPixels[];
    }
  | { readonly distances: DistanceMap }
  | Divided
  | { readonly mask: Mask };

/**
 * Runs a recipe.
 * @param inputs the image as its file holds it: `crop`, `spacing` and `nodata` are applied here; `shape` and `dtype` tell a reader
 * of raw values and have no effect
 * @throws RecipeError if the recipe is wrong, with the sentence of `check()`, or names files that `inputs.open` is missing for
 */
export async function run(
  engine: Engine,
  recipe: Recipe,
  { image, open }: RecipeInputs,
  call: RunOptions = {},
): Promise<Result> {
  const { operation, input = {} } = parseRecipe(recipe);
  const pixels = prepared(image, input);
  if (recipe.options?.physical && pixels.spacing === undefined) {
    throw new RecipeError("Expected pixels with a spacing for options.physical, got none; give input.spacing.");
  }
  const read = async (path: string): Promise<Pixels> => {
    if (!open) throw new RecipeError(`Expected open(path) beside the image, for ${path}.`);
    return prepared(await open(path), { ...input, nodata: undefined });
  };
  const readMask = async (path: string): Promise<Mask> => maskOf(engine, await read(path));
  const { signal, onProgress, memory } = call;
  const plain = { ...(signal ? { signal } : {}), ...(onProgress ? { onProgress } : {}) };
  if (operation === "mask") {
    return { mask: await combineMasks(engine, recipe, await maskOf(engine, pixels), readMask, plain) };
  }
  const limits = memory === undefined ? plain : { ...plain, memory };
  const within = await fenceOf(engine, recipe, pixels, readMask, plain);
  if (operation === "kmeans") return divideColours(engine, recipe, pixels, { ...plain, ...within });
  if (operation === "distance") {
    return { distances: await measureDistances(engine, recipe, pixels, { ...limits, ...within }) };
  }
  const intensities: NamedPixels[] = [];
  for (const { name, path, channel } of intensityFiles(recipe)) {
    const own = await read(path);
    const values = channel === undefined ? own : await engine.channel(own as Raster, channel, plain);
    intensities.push({ name, pixels: values });
  }
  const measuring = await measuringOf(engine, recipe, pixels, plain, intensities[0]?.pixels);
  const components =
    operation === "fill"
      ? await fillObjects(engine, recipe, pixels, { ...plain, ...within })
      : await objectsOf(engine, recipe, pixels, { ...limits, ...within, measuring });
  return { components, measuring, intensities };
}

/** The mask of a recipe's fence: of a file, or of the objects of a recipe on the same pixels. */
export async function fenceOf(
  engine: Engine,
  { input = {} }: Recipe,
  pixels: Pixels,
  read: (path: string) => Promise<Mask>,
  call: CallOptions,
): Promise<{ readonly within?: Mask }> {
  const { within: fence } = input;
  if (fence === undefined) return {};
  if (typeof fence === "string") return { within: await read(fence) };
  const inner = fence as Recipe;
  const outer = await fenceOf(engine, inner, pixels, read, call);
  if (inner.operation === "kmeans") {
    const { segmentation } = await divideColours(engine, inner, pixels, { ...call, ...outer });
    return { within: maskOfClasses(segmentation, inner.options?.pick ?? []) };
  }
  const found =
    inner.operation === "fill"
      ? fillObjects(engine, inner, pixels, { ...call, ...outer })
      : objectsOf(engine, inner, pixels, {
          ...call,
          ...outer,
          measuring: await measuringOf(engine, inner, pixels, call),
        });
  using components = await found;
  return { within: await components.mask(call) };
}

// Runs a recipe on an engine.

import type { CallOptions, Components, DistanceMap, Engine, Mask, Raster } from "skerry";
import { defined } from "skerry/internal";
import { intensityFiles, type Selection } from "./beside.js";
import { parseRecipe } from "./check.js";
import { RecipeError, shown } from "./errors.js";
import type { Recipe } from "./fields.js";
import { checkOne } from "./files.js";
import { measureDistances } from "./run/distance.js";
import { refuseEndless } from "./run/endless.js";
import { fillObjects } from "./run/fill.js";
import { type Divided, divideColours, maskOfClasses } from "./run/kmeans.js";
import { combineMasks } from "./run/mask.js";
import { objectsOf, type RunOptions } from "./run/objects.js";
import { inPart } from "./run/part.js";
import { maskOf, type Pixels, prepared } from "./run/pixels.js";
import { type Measuring, measuringOf } from "./run/selection.js";

/** The inputs of {@link run}. */
export interface RecipeInputs {
  readonly image: Pixels;
  /** Opens the files that the recipe names beside the image: `within`, `intensity`, other masks. */
  readonly open?: (path: string, selection: Selection) => Promise<Pixels> | Pixels;
}

/** An image beside the input, with the suffix of its columns. */
export interface NamedPixels {
  readonly name: string;
  readonly pixels: Pixels;
}

/** The result of a recipe. The caller disposes of components and maps. */
export type Result =
  | {
      readonly components: Components;
      readonly measuring: Measuring;
      /** The images of `input.intensity`; the first is also in `measuring`. */
      readonly intensities: readonly NamedPixels[];
    }
  | { readonly distances: DistanceMap }
  | Divided
  | { readonly mask: Mask };

/**
 * Runs a recipe.
 * @param inputs the image as its file holds it: `crop`, `spacing` and `nodata` are applied here; `shape`, `dtype`, `axes` and
 * `matte` are for readers of files and have no effect
 * @throws RecipeError if the recipe is wrong, with the sentence of `check()`, or if it names other files and `inputs.open` is
 * missing
 * @example
 * import { run } from "@skerry/recipe";
 * const recipe = { skerry: 1, operation: "components", options: { threshold: "otsu", minArea: 20 } };
 * const { components } = await run(engine, recipe, { image });
 * console.log(components.count);
 * components.dispose();
 */
export async function run(
  engine: Engine,
  fullRecipe: Recipe,
  inputs: RecipeInputs,
  call: RunOptions = {},
): Promise<Result> {
  checkEngine(engine);
  const { image, open } = checkInputs(inputs);
  checkOne(parseRecipe(fullRecipe));
  refuseEndless(fullRecipe);
  const recipe = inPart(fullRecipe, image);
  const { operation, input = {} } = recipe;
  const pixels = prepared(image, input);
  if (recipe.options?.physical && pixels.spacing === undefined) {
    throw new RecipeError("Expected pixels with a spacing for options.physical, got none; give input.spacing.");
  }
  const read = async (path: string, selection: Selection = {}): Promise<Pixels> => {
    if (!open) throw new RecipeError(`Expected open(path) beside the image, for ${path}.`);
    return prepared(await open(path, selection), { ...input, nodata: undefined });
  };
  const readMask = async (path: string): Promise<Mask> => maskOf(engine, await read(path));
  const { signal, onProgress, memory } = call;
  const plain: CallOptions = defined({ signal, onProgress });
  if (operation === "mask") {
    return { mask: await combineMasks(engine, recipe, await maskOf(engine, pixels), readMask, plain) };
  }
  const limits = memory === undefined ? plain : { ...plain, memory };
  const within = await fenceOf(engine, recipe, pixels, readMask, plain);
  if (operation === "kmeans") return divideColours(engine, recipe, pixels, { ...plain, ...within });
  if (operation === "distance") {
    const { nearest } = call;
    return { distances: await measureDistances(engine, recipe, pixels, defined({ ...limits, ...within, nearest })) };
  }
  const intensities: NamedPixels[] = [];
  for (const { name, path, channel, time, page, level } of intensityFiles(recipe)) {
    const opened = await read(path, { time, page, level });
    const values = channel === undefined ? opened : await engine.channel(opened as Raster, channel, plain);
    intensities.push({ name, pixels: values });
  }
  const measuring = await measuringOf(engine, recipe, pixels, plain, intensities[0]?.pixels);
  const components =
    operation === "fill"
      ? await fillObjects(engine, recipe, pixels, { ...plain, ...within })
      : await objectsOf(engine, recipe, pixels, { ...limits, ...within, measuring });
  return { components, measuring, intensities };
}

/** Refuses a first argument that is no engine, such as the recipe. */
function checkEngine(engine: Partial<Engine> | undefined): void {
  if (typeof Object(engine).components === "function") return;
  throw new RecipeError(
    `Expected run() to be called as run(engine, recipe, { image }), with an engine from open() of skerry, got ${shown(engine)}.`,
  );
}

/** Refuses inputs that are no record with an image, such as the image itself. */
function checkInputs(inputs: RecipeInputs): RecipeInputs {
  const { image } = Object(inputs) as Partial<RecipeInputs>;
  if (typeof image === "object" && image !== null) return inputs;
  const got = image === undefined ? shown(Object.keys(Object(inputs) as object).slice(0, 6)) : typeof image;
  throw new RecipeError(`Expected the inputs of run() to be { image }, an image with its pixels, got ${got}.`);
}

/** The mask that `within` names: that of a file, or of the objects of a recipe on the same pixels; {} without `within`. */
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

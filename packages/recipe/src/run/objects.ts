// The objects of a recipe, from pixels or labels.

import type {
  CallOptions,
  Components,
  ComponentsOptions,
  Engine,
  Image,
  Mask,
  Raster,
  RegionsOptions,
  Source,
  Threshold,
} from "skerry";
import { defined, isNonzeroGround } from "skerry/internal";
import { namedProperties } from "../fields/products.js";
import type { Recipe } from "../fields.js";
import { isBinary } from "./binary.js";
import { componentsOptions, connectivityOf, isPrepared, labelledSteps, namedThreshold, optionsFor } from "./options.js";
import type { Pixels } from "./pixels.js";
import { type Measuring, type OnEmpty, selectObjects } from "./selection.js";

/** Options of a run beside the recipe. */
export interface RunOptions extends CallOptions {
  /** Memory limit on the CPU, in bytes; see `ComponentsOptions.memory`. */
  readonly memory?: number;
  /** Called with picks that are pixels of no object, and with edits that changed nothing. */
  readonly onEmpty?: OnEmpty | undefined;
  /** For distances: also the index of each pixel's nearest object pixel; see `DistanceOptions.nearest`. */
  readonly nearest?: boolean | undefined;
}

/** Inputs beside the image. */
export interface Beside {
  readonly within?: Mask | undefined;
}

/**
 * The threshold of a picture for which a recipe names none: nonzero if it holds at most two values and one is 0, else Otsu. Otsu also
 * if the pixels that are not 0 are the ground, so that objects are dark: if they have 0.9 of the frame and 0.8 of the picture. With an engine, the values of a large picture are counted by its histogram.
 * @example
 * import { nonzeroOrOtsu } from "@skerry/recipe";
 * console.log(await nonzeroOrOtsu({ data: Uint8Array.of(0, 255, 255, 0), width: 4, height: 1 })); // nonzero
 */
export async function nonzeroOrOtsu(pixels: Pixels, engine?: Engine): Promise<Threshold> {
  if (!(await isBinary(pixels, engine))) return "otsu";
  const isOnHost = "data" in pixels || "read" in pixels;
  return isOnHost && (await isNonzeroGround(pixels)) ? "otsu" : "nonzero";
}

/** The threshold of a recipe for a picture; undefined if objects join by their values. */
export async function thresholdFor(engine: Engine, recipe: Recipe, pixels: Pixels): Promise<Threshold | undefined> {
  if (recipe.options?.by !== undefined) return undefined;
  return namedThreshold(recipe) ?? (isPrepared(recipe) ? "otsu" : nonzeroOrOtsu(pixels, engine));
}

/** Finds objects in pixels. */
export function findObjects(
  engine: Engine,
  recipe: Recipe,
  pixels: Pixels,
  threshold: Threshold | undefined,
  { within, onEmpty: _, ...call }: Beside & RunOptions,
): Promise<Components> {
  const options: ComponentsOptions = defined({ ...componentsOptions(recipe, threshold), within, ...call });
  return engine.components(pixels as Raster, options);
}

/** The objects of a label image, after the steps of the recipe. */
export async function takeLabels(
  engine: Engine,
  recipe: Recipe,
  pixels: Pixels,
  call: CallOptions,
): Promise<Components> {
  let objects = await engine.labelled(pixels as Raster | Source | Image, { ...connectivityOf(recipe), ...call });
  for (const step of labelledSteps(recipe)) {
    const before = objects;
    const next =
      step[0] === "absorb"
        ? before.absorb({ ...step[1], ...call })
        : step[0] === "filter"
          ? before.filter({ ...step[1], ...call })
          : before.expand(step[1], { ...step[2], ...call });
    objects = await next.finally(() => before.dispose());
  }
  return objects;
}

/** The objects of a recipe whose operation is components or labelled. */
export async function objectsOf(
  engine: Engine,
  recipe: Recipe,
  pixels: Pixels,
  { measuring, threshold, ...call }: Beside & RunOptions & { measuring: Measuring; threshold?: Threshold | undefined },
): Promise<Components> {
  const isOfPixels = recipe.operation === "components";
  const chosen = isOfPixels ? (threshold ?? (await thresholdFor(engine, recipe, pixels))) : undefined;
  const found = isOfPixels
    ? await findObjects(engine, recipe, pixels, chosen, call)
    : await takeLabels(engine, recipe, pixels, plain(call));
  return selectObjects(found, recipe, measuring, plain(call), call.onEmpty);
}

/** The options that every call takes. */
function plain({ signal, onProgress }: CallOptions): CallOptions {
  return defined({ signal, onProgress });
}

/**
 * Options of `components.regions()`. Properties of the values of a label image are left out unless the recipe names them,
 * because means of labels are meaningless.
 */
export function regionsOptions(recipe: Recipe, { intensity, ...physical }: Measuring): RegionsOptions {
  const { properties, perChannel } = recipe.products ?? {};
  const ofLabels = recipe.operation !== "components" && recipe.input?.intensity === undefined;
  const alone = ofLabels && !namedProperties(recipe) && !perChannel;
  const values = alone || intensity === undefined ? {} : { intensity };
  return {
    ...optionsFor(recipe, "regions"),
    properties: properties ?? "usual",
    ...physical,
    ...values,
  } as RegionsOptions;
}

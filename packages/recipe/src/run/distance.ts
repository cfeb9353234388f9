// Distance maps of a recipe: of pixels with a threshold, of objects, or of points.

import type { Components, DistanceMap, DistanceOptions, DistanceTarget, Engine, Points, Raster } from "skerry";
import { defined } from "skerry/internal";
import type { Recipe } from "../fields.js";
import { type Beside, findObjects, type RunOptions, thresholdFor } from "./objects.js";
import { componentsOptions, isOfPixels, optionsFor } from "./options.js";
import type { Pixels } from "./pixels.js";

/** Options of `engine.distance()` beside the threshold. */
export function distanceOptions(recipe: Recipe): DistanceOptions {
  return optionsFor(recipe, "distance", "ball") as DistanceOptions;
}

/**
 * The target and the options of `engine.distance()`: pixels with a threshold, points, or objects. The caller disposes of
 * `objects`.
 */
export async function distanceTarget(
  engine: Engine,
  recipe: Recipe,
  pixels: Pixels,
  call: Beside & RunOptions,
): Promise<{ readonly target: DistanceTarget; readonly options: DistanceOptions; readonly objects?: Components }> {
  const mapOptions = distanceOptions(recipe);
  const { points } = recipe.options ?? {};
  if (points) {
    const { width, height, depth = 1, spacing } = pixels as Raster;
    const target: Points = defined({ points: points as Points["points"], width, height, depth, spacing });
    return { target, options: mapOptions };
  }
  const threshold = await thresholdFor(engine, recipe, pixels);
  const spacing = "spacing" in pixels && pixels.spacing ? { spacing: pixels.spacing } : {};
  if (isOfPixels(recipe)) {
    const { threshold: plain, polarity } = componentsOptions(recipe, threshold);
    const options = defined<object>({
      ...mapOptions,
      ...spacing,
      threshold: plain,
      polarity: polarity ?? mapOptions.polarity,
    }) as DistanceOptions;
    return { target: pixels as DistanceTarget, options };
  }
  const objects = await findObjects(engine, recipe, pixels, threshold, call);
  return { target: objects, options: { ...mapOptions, ...spacing }, objects };
}

/** Maps distances. */
export async function measureDistances(
  engine: Engine,
  recipe: Recipe,
  pixels: Pixels,
  call: Beside & RunOptions,
): Promise<DistanceMap> {
  const { within: _, ...plain } = call;
  const { target, options, objects } = await distanceTarget(engine, recipe, pixels, call);
  try {
    return await engine.distance(target, { ...options, ...plain, into: undefined });
  } finally {
    objects?.dispose();
  }
}

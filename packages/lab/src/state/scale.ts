// Changes the size of a pixel: lengths in the settings are converted, so that they cover the same pixels.

import type { Opened } from "../files/opened.js";
import { STEPS, type Step } from "../tools/objects/recipe.js";
import { change, recipe } from "./lab.js";
import type { Recipe, Scale } from "./recipe.js";

/** Steps whose number is a length in the unit of the scale. */
export const LENGTHS: readonly Step[] = ["smooth", "open", "close", "erode", "dilate", "split", "expand"];

/** Significant digits of a converted length. */
const DIGITS = 6;

/** Settings with another scale. */
export function rescaled(settings: Recipe, scale: Scale | undefined): Recipe {
  const factor = (scale?.size ?? 1) / (settings.scale?.size ?? 1);
  const made = (value: number): number => Number((value * factor).toPrecision(DIGITS));
  const { objects, distance } = settings;
  const lengths = LENGTHS.map((name) => [name, Math.min(STEPS[name], made(objects[name]))]);
  return {
    ...settings,
    // Bounds of properties would select other objects.
    objects: { ...objects, ...Object.fromEntries(lengths), keep: {} },
    distance: { ...distance, max: made(distance.max) },
    scale,
  };
}

/**
 * Settings with the scale from the file, unless they have one or the picture was shrunk. A resolution for printing is not
 * applied: the scale dialog only offers it.
 */
export const withScaleOf = ({ scale }: Pick<Opened, "scale">, settings: Recipe): Recipe =>
  scale && !scale.isPrinted && !settings.scale && settings.shrink === 1 ? rescaled(settings, scale) : settings;

export const setScale = (scale: Scale | undefined): void => change(rescaled(recipe.value, scale), "scale");

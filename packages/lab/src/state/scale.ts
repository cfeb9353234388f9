// Another size of a pixel: lengths of the settings keep what they mean in the picture.

import type { Opened } from "../files/opened.js";
import { STEPS, type Step } from "../tools/objects/recipe.js";
import { change, recipe } from "./lab.js";
import type { Recipe, Scale } from "./recipe.js";

/** Steps whose number is a length in the unit of the scale. */
export const LENGTHS: readonly Step[] = ["smooth", "open", "close", "erode", "dilate", "split", "expand"];

/** Digits that a length keeps. */
const DIGITS = 6;

/** Settings with another scale. */
export function rescaled(settings: Recipe, scale: Scale | undefined): Recipe {
  const factor = (scale?.size ?? 1) / (settings.scale?.size ?? 1);
  const made = (value: number): number => Number((value * factor).toPrecision(DIGITS));
  const { objects, distance } = settings;
  const lengths = LENGTHS.map((name) => [name, Math.min(STEPS[name], made(objects[name]))]);
  return {
    ...settings,
    // Bounds of properties would mean others.
    objects: { ...objects, ...Object.fromEntries(lengths), keep: {} },
    distance: { ...distance, max: made(distance.max) },
    scale,
  };
}

/**
 * Settings with the scale that a file tells, unless they have one: that of a microscope is taken, the resolution for printers is
 * only offered.
 */
export const withScaleOf = ({ scale }: Pick<Opened, "scale">, settings: Recipe): Recipe =>
  scale && !scale.isPrinted && !settings.scale && settings.shrink === 1 ? rescaled(settings, scale) : settings;

export const setScale = (scale: Scale | undefined): void => change(rescaled(recipe.value, scale), "scale");

// Changes the size of a pixel: lengths in the settings are converted, so that they cover the same pixels.

import { type Space, spaceOf, spacingOf } from "@skerry/files";
import { lengthUnitOf, resized } from "@skerry/files/internal";
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

/** The size of a pixel that a file tells; `isPrinted` if it follows from a resolution for printing. */
export function scaleOf({ space }: Pick<Opened, "space">): (Scale & { readonly isPrinted?: boolean }) | undefined {
  const unit = lengthUnitOf(space);
  const told = spacingOf(space);
  if (told && unit !== undefined) return { ...sides(told), unit };
  const { printed } = space;
  return printed && { ...sides(printed.spacing), unit: printed.unit, isPrinted: true };
}

const sides = ([x, y]: readonly number[]): Pick<Scale, "size" | "down"> =>
  x === y ? { size: x } : { size: x, down: y };

/** Sides of a pixel along x and y. */
export const sidesOf = ({ size, down = size }: Scale): readonly [number, number] => [size, down];

/** Facts about the picture's pixels, with the scale of the settings. A picture that was shrunk has lost its place. */
export function spaceNow({ space, width, height }: Opened, { scale, shrink }: Recipe): Space {
  const own = shrink === 1 ? space : spaceOf({ size: { width, height } });
  return scale ? resized(own, sidesOf(scale), scale.unit) : own;
}

/**
 * Settings with the scale from the file, unless they have one of their own or the picture was shrunk. A resolution for printing is
 * not applied: the scale dialog only offers it.
 */
export function withScaleOf(opened: Pick<Opened, "space">, settings: Recipe): Recipe {
  const told = scaleOf(opened);
  const { isCarried = false, ...own } = settings.scale ?? {};
  if (told && !told.isPrinted && (!settings.scale || isCarried) && settings.shrink === 1)
    return rescaled(settings, told);
  return settings.scale ? { ...settings, scale: own as Scale } : settings;
}

/** The scale that was set for every file that tells none. */
let forAll: Scale | undefined;

/** The scale of files that tell none, where one was set for all of them. */
export const scaleForAll = (): Scale | undefined => forAll;

/** Takes up the scale of settings if it is for every file that tells none. */
export function takeScale({ scale }: Recipe): void {
  if (scale?.isForAll) forAll = scale;
}

export function setScale(scale: Scale | undefined): void {
  if (!scale?.isForAll && recipe.value.scale?.isForAll) forAll = undefined;
  const next = rescaled(recipe.value, scale);
  takeScale(next);
  change(next, "scale");
}

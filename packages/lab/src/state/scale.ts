// The size of a pixel, and lengths in the settings: those of a picture whose size is changed go on to cover the same pixels, and those
// that another picture takes over stay as long as they are.

import { type Space, spaceOf, spacingOf } from "@skerry/files";
import { isSameSize, lengthUnitOf, resized, unitFactor, unitSymbol } from "@skerry/files/internal";
import { defined, factsOf, type PropertyUnit } from "skerry/internal";
import type { Opened } from "../files/opened.js";
import type { ObjectsRecipe, Step } from "../settings/objects.js";
import type { Fence, Recipe, Scale } from "../settings/recipe.js";
import { TEXT } from "../words/text.js";
import { change, done, onRecipe, picture, recipe } from "./lab.js";

/** Steps whose number is a length in the unit of the scale. */
export const LENGTHS: readonly Step[] = ["smooth", "open", "close", "erode", "dilate", "split", "expand"];

/** Significant digits of a length in other pixels, and of one in another unit. */
const [DIGITS, DIGITS_OF_UNITS] = [6, 12];

/** Settings with another scale, in which lengths cover the same pixels. */
export function rescaled(settings: Recipe, scale: Scale | undefined): Recipe {
  const factor = (scale?.size ?? 1) / (settings.scale?.size ?? 1);
  const [before, after] = [settings.scale, scale].map((each) => `${each?.unit} ${each ? sidesOf(each) : 1}`);
  // Bounds of properties would select other objects.
  const boundsOf = (keep: Bounds): Bounds => (before === after ? keep : {});
  return { ...multiplied(settings, factor, DIGITS, boundsOf), scale };
}

/**
 * Settings for a picture of another scale, or in another unit: lengths, and bounds of properties, stay as long as they are. Between pixels
 * and a unit they cover the same pixels.
 */
export function carriedInto(settings: Recipe, scale: Scale | undefined): Recipe {
  const factor = settings.scale && scale && factorBetween(settings.scale.unit, scale.unit);
  if (factor === undefined) return rescaled(settings, scale);
  const boundsOf = (keep: Bounds): Bounds => {
    const entries = Object.entries(keep) as [keyof Bounds, readonly [number, number]][];
    return Object.fromEntries(
      entries.map(([name, bounds]) => {
        const by = factor ** (POWERS[factsOf(name).unit ?? "ratio"] ?? 0);
        return [name, [boundIn(bounds[0], by, -1), boundIn(bounds[1], by, 1)]];
      }),
    );
  };
  return { ...multiplied(settings, factor, DIGITS_OF_UNITS, boundsOf), scale };
}

type Bounds = ObjectsRecipe["keep"];

/** The power of a length that numbers of a unit are, in images. */
const POWERS: Partial<Record<PropertyUnit, number>> = { size: 2, length: 1 };

const times = (value: number, factor: number, digits: number): number =>
  factor === 1 ? value : Number((value * factor).toPrecision(digits));

/**
 * A bound in another unit, which no object that lies on it leaves by rounding: by a factor that is no power of 10 it moves by a part of 10^-11
 * to its side.
 */
function boundIn(bound: number, factor: number, side: 1 | -1): number {
  const isDecimal = Math.abs(Math.log10(factor) - Math.round(Math.log10(factor))) < 1e-9;
  const moved = isDecimal ? bound : bound + side * Math.abs(bound) * 1e-11;
  return times(moved, factor, DIGITS_OF_UNITS);
}

/** Settings with their lengths multiplied, those of the fence as well. */
function multiplied(settings: Recipe, factor: number, digits: number, boundsOf: (keep: Bounds) => Bounds): Recipe {
  const objectsOf = (objects: ObjectsRecipe): ObjectsRecipe => {
    const lengths = LENGTHS.map((name) => [name, times(objects[name], factor, digits)]);
    const gradient = objects.gradient === "sobel" ? objects.gradient : times(objects.gradient, factor, digits);
    return { ...objects, ...Object.fromEntries(lengths), gradient, keep: boundsOf(objects.keep) };
  };
  const fenceOf = (fence: Fence | undefined): Fence | undefined => {
    if (!fence) return undefined;
    const within = fenceOf(fence.within);
    return "objects" in fence ? { ...fence, objects: objectsOf(fence.objects), within } : { ...fence, within };
  };
  const { objects, distance, within } = settings;
  return {
    ...settings,
    objects: objectsOf(objects),
    distance: { ...distance, max: times(distance.max, factor, digits) },
    within: fenceOf(within),
  };
}

/** The factor from one unit to another; an empty one is that of the other. */
const factorBetween = (from: string, to: string): number | undefined =>
  from === "" || to === "" || unitSymbol(from) === unitSymbol(to) ? 1 : unitFactor(from, to);

/** The size of a pixel that a file tells; `isPrinted` if it follows from a resolution for printing. */
export function scaleOf({ space }: Pick<Opened, "space">): (Scale & { readonly isPrinted?: boolean }) | undefined {
  const unit = lengthUnitOf(space);
  const spacing = spacingOf(space);
  if (spacing && unit !== undefined) return { ...sides(spacing), unit };
  const { printed } = space;
  return printed && { ...sides(printed.spacing), unit: printed.unit, isPrinted: true };
}

const sides = ([x, y]: readonly number[]): Pick<Scale, "size" | "down"> =>
  x === y ? { size: x } : { size: x, down: y };

/** Sides of a pixel along x and y. */
export const sidesOf = ({ size, down = size }: Scale): readonly [number, number] => [size, down];

/** The size of a pixel in another unit; undefined if one of them is none of length. An empty unit stands for the one that it has. */
export function scaleIn({ size, down, unit }: Scale, to: string): Scale | undefined {
  const factor = factorBetween(unit, to);
  if (factor === undefined) return undefined;
  return defined({ size: size * factor, down: down === undefined ? undefined : down * factor, unit: to || unit });
}

/** Whether the scale is the one that the file tells, in whatever unit, and none that was set by hand. */
export function isToldBy(opened: Opened, settings: Recipe): boolean {
  const { scale } = settings;
  const told = toldFor(opened, settings);
  return scale !== undefined && told !== undefined && isSameSize(sizeOf(told), sizeOf(scale));
}

/** The size of a pixel that counts for settings unless another one is set: a shrunk picture has none, and one for printing is only offered. */
function toldFor(opened: Pick<Opened, "space">, { shrink }: Recipe): Scale | undefined {
  const told = shrink === 1 ? scaleOf(opened) : undefined;
  return told?.isPrinted ? undefined : told;
}

const sizeOf = (scale: Scale) => [sidesOf(scale), scale.unit] as const;

/**
 * Settings for the picture that is shown. Lengths in a unit of a size that the file tells keep the size that is in use.
 * @throws Error if the picture has no size in such a unit
 */
export function sizedNow(settings: Recipe): Recipe {
  const { scale, source } = settings;
  if (!scale?.isOfFile) return settings;
  const shown = picture.value;
  // A size that was converted several times is a little off.
  const isOther = recipe.value.scale && !(shown && isToldBy(shown, recipe.value));
  const used = isOther ? recipe.value.scale : shown && sizeFor(shown, settings);
  const converted = used && scaleIn(used, scale.unit);
  if (!converted) throw new Error(TEXT.notes.unsized(source, scale.unit));
  return { ...settings, scale: converted };
}

/** A note on settings whose size of a pixel is not the one that the file tells. */
export function overridden(opened: Opened, settings: Recipe): string | undefined {
  const { scale } = settings;
  const told = toldFor(opened, settings);
  if (!scale || !told || isToldBy(opened, settings)) return undefined;
  return TEXT.notes.overridden(settings.source, sizeOf(scale), sizeOf(told));
}

/** The size of a pixel of a file that was just opened: its own, or that of all files that tell none. */
const sizeFor = (opened: Pick<Opened, "space">, settings: Recipe): Scale | undefined =>
  toldFor(opened, settings) ?? forAll;

/** Whether the size of a pixel follows from the file that is opened: that of another picture, or of none yet. */
export const isPending = (scale: Scale | undefined): boolean => Boolean(scale?.isCarried || scale?.isOfFile);

/** Facts about the picture's pixels, with the scale of the settings. A picture that was shrunk has lost its place. */
export function spaceNow({ space, width, height }: Opened, { scale, shrink }: Recipe): Space {
  const shown = shrink === 1 ? space : spaceOf({ size: { width, height } });
  return scale ? resized(shown, sidesOf(scale), scale.unit) : shown;
}

/**
 * Settings with the scale from the file, unless they have one of their own or the picture was shrunk. A resolution for printing is
 * not applied: the scale dialog only offers it.
 */
export function withScaleOf(opened: Pick<Opened, "space">, settings: Recipe): Recipe {
  const { scale } = settings;
  if (scale && !isPending(scale)) return settings;
  const size = sizeFor(opened, settings);
  if (scale?.isOfFile) return { ...settings, scale: size && scaleIn(size, scale.unit) };
  return scale || size ? carriedInto(settings, size) : settings;
}

/** The scale that was set for every file that tells none. */
let forAll: Scale | undefined;
let last: Recipe | undefined;
// Undo and redo take it back, and set it again.
onRecipe((next) => {
  if (last?.source === next.source && last.scale !== next.scale) {
    if (next.scale?.isForAll) forAll = next.scale;
    else if (last.scale?.isForAll) forAll = undefined;
  }
  last = next;
});

/** Takes up the scale for every file that tells none from work of an earlier visit. */
export function takeScale({ scale }: Recipe): void {
  if (scale?.isForAll) forAll ??= scale;
}

export function setScale(scale: Scale | undefined): void {
  const before = recipe.value;
  change(rescaled(before, scale), "scale");
  if (losesBounds(before, recipe.value)) done.value = TEXT.notes.unbounded;
}

/** Whether settings had bounds of properties, which have no meaning with the scale of others. */
export const losesBounds = (before: Recipe, after: Recipe): boolean =>
  Object.keys(before.objects.keep).length > 0 && Object.keys(after.objects.keep).length === 0;

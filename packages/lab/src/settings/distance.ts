// Settings of the distance tool, as a saved recipe. Its foreground is that of the objects tool, the fence, or points that
// were set by clicks.

import type { RecipeOptions, Recipe as SavedRecipe } from "@skerry/recipe";
import type { DistanceMetric, DistanceOptions } from "skerry";
import { defined } from "skerry/internal";
import { BELOW_ALL, type ObjectsRecipe, savedObjects } from "./objects.js";
import { tidy } from "./saved.js";
import type { Spot } from "./spots.js";

export const TARGETS = ["objects", "selection", "points"] as const;
export type Target = (typeof TARGETS)[number];

export interface DistanceRecipe {
  /** The pixels that distances are measured to. */
  readonly target: Target;
  /** Whether distances are measured to the pixels of the foreground that touch background. */
  readonly surface: boolean;
  /** Whether the map inside objects is minus the distance to the background. */
  readonly signed: boolean;
  readonly metric: DistanceMetric;
  /** The largest distance that is measured; 0 for all. */
  readonly max: number;
  readonly points: readonly Spot[];
}

export const DISTANCE: DistanceRecipe = {
  target: "objects",
  surface: false,
  signed: false,
  metric: "euclidean",
  max: 0,
  points: [],
};

/** Whether the options `signed` and `surface` apply: points have no inside. */
export const hasInside = ({ target }: DistanceRecipe): boolean => target !== "points";

/** The library's options for a recipe. */
export function distanceOptions(distance: DistanceRecipe): DistanceOptions {
  const { surface, signed, metric, max } = distance;
  const inside = hasInside(distance);
  return defined({
    to: surface && inside ? "surface" : undefined,
    signed: signed && inside ? true : undefined,
    metric: metric === DISTANCE.metric ? undefined : metric,
    max: max > 0 ? max : undefined,
  });
}

/** The settings of the foreground: without filters by properties and corrections, which apply after it is found; ids are what is not 0. */
export const foregroundOf = (objects: ObjectsRecipe): ObjectsRecipe => ({
  ...objects,
  rule: objects.rule === "labels" ? "nonzero" : objects.rule,
  edits: [],
  keep: {},
});

/** The saved recipe; undefined if no point is set yet, or nothing is selected. */
export function savedDistance(
  distance: DistanceRecipe,
  objects: ObjectsRecipe,
  within: SavedRecipe | undefined,
): SavedRecipe | undefined {
  const fields = distanceOptions(distance) as RecipeOptions;
  const { target, points } = distance;
  if (target === "points") return points.length > 0 ? tidy("distance", { options: { points, ...fields } }) : undefined;
  if (target === "selection") {
    if (!within) return undefined;
    return tidy("distance", { input: { within }, options: { threshold: { above: BELOW_ALL }, ...fields } });
  }
  const { input, options } = savedObjects(foregroundOf(objects), within);
  return tidy("distance", defined({ input, options: { ...options, ...fields } }));
}

// The options of `dilate()`, `erode()`, `open()`, `close()` and `expand()`.

import type { MorphologyOperation, MorphologyPlan } from "../core/morphology-plan.js";
import { type Size, sizeText } from "../core/pixels.js";
import type { ExpandPlan } from "../core/plans.js";
import { DISTANCE_METRICS } from "../types/distance.js";
import { InvalidArgument } from "../types/errors.js";
import type { ExpandOptions, MorphologyOptions } from "../types/morphology.js";
import { atLeastZero, flag, oneOf, show, unexpected } from "./arguments.js";

/** The longest side of a distance map, padding included, in pixels. */
const MOST_SIDE = 65500;

/** Checks the options of `expand()`. */
export function planExpand(
  distance: unknown,
  { physical = false }: ExpandOptions,
  spacing: readonly [number, number, number],
): ExpandPlan {
  flag("physical", physical);
  const checked = atLeastZero("the distance", distance);
  if (checked === 0) throw unexpected("the distance", "above 0", distance);
  return { distance: checked, spacing: physical ? spacing : [1, 1, 1] };
}

export function planMorphology(
  operation: MorphologyOperation,
  radius: unknown,
  { physical = false, metric = "euclidean", border = "background" }: MorphologyOptions,
  size: Size,
  spacing: readonly [number, number, number],
): MorphologyPlan {
  flag("physical", physical);
  oneOf("metric", metric, DISTANCE_METRICS);
  oneOf("border", border, ["background", "extend"]);
  const units = physical ? spacing : ([1, 1, 1] as const);
  const checked = atLeastZero("the radius", radius);
  const sides = [size.width, size.height, size.depth];
  const widest = Math.max(...sides.map((side, axis) => side + (side > 1 ? 2 * (checked / units[axis]) + 64 : 0)));
  if (!(widest <= MOST_SIDE)) {
    throw new InvalidArgument(
      `Expected ${sizeText(size)} with a radius on either side to be at most ${MOST_SIDE} pixels wide, got a radius of ${show(radius)}.`,
      { argument: "radius" },
    );
  }
  return { operation, radius: checked, metric, extend: border === "extend", spacing: units };
}

// The costs in which a distance map is computed. If the sides of a pixel are integer multiples of one unit, costs are
// integers of that unit, squared for the Euclidean metric. With other sides they are f32.

import type { DistanceMetric } from "../types/distance.js";
import { type DistancePlan, PAST } from "./distance-plan.js";
import type { Size } from "./pixels.js";

/** Costs on integer grids stay below this, so that the sum of two fits an i32. */
const MOST_COST = 2 ** 30;

/** The largest cost of 16 bits; the next value stands for infinity. */
export const MOST_SMALL = 65534;

/** The cost fields of a plan. `whole`: costs are integers. `gridded`: the sides of a pixel are integer multiples of a unit. */
export interface Costs extends Pick<DistancePlan, "kind" | "weights" | "unit" | "limit" | "reach" | "metric"> {
  readonly isInteger: boolean;
  readonly gridded: boolean;
}

/** A plan of unsigned distances by given costs: from all pixels to the foreground, or with `invert` to the background. */
export function plainPlan(
  costs: Costs,
  { invert = false, nearest = false }: { invert?: boolean; nearest?: boolean },
): DistancePlan {
  return {
    ...costs,
    surface: false,
    invert,
    signed: false,
    only: 0,
    far: Number.POSITIVE_INFINITY,
    coarse: false,
    output: "distance",
    nearest,
  };
}

/** Costs of distances of up to `max`; `small` allows 16 bits where they are enough. */
export function planCosts(
  { max, metric, small }: { max: number; metric: DistanceMetric; small: boolean },
  { width, height, depth }: Size,
  spacing: readonly [number, number, number],
): Costs {
  const sizes = [width, height, depth] as const;
  const grid = integerGrid(spacing, sizes);
  const euclidean = metric === "euclidean";
  const costOf = (steps: number, weight: number): number => (euclidean ? (steps * weight) ** 2 : steps * weight);
  const sum = metric === "chessboard" ? Math.max : (...costs: number[]): number => costs.reduce((a, b) => a + b, 0);
  const largest = (weights: readonly number[], past: number): number =>
    sum(...sizes.map((n, axis) => costOf(n > 1 ? n - 1 + past : 0, weights[axis])));
  const onIntegers = grid !== undefined && largest(grid.weights, PAST + 1) < MOST_COST;
  const { weights, unit } = onIntegers ? grid : { weights: spacing, unit: 1 };
  const most = largest(weights, 0);
  // A decimal `max` may differ from the intended distance in its last bit, so the limit gets a small margin.
  const steps = (max / unit) * (1 + (onIntegers ? 1e-12 : 4e-7));
  const limit = Math.min(
    most * (onIntegers ? 1 : 1.00001),
    onIntegers ? Math.floor(costOf(steps, 1)) : costOf(steps, 1),
  );
  const reach = sizes.map((n, axis) => Math.min(n - 1, Math.floor(steps / weights[axis])));
  return {
    metric,
    weights,
    unit,
    limit,
    isInteger: onIntegers,
    gridded: grid !== undefined,
    kind: onIntegers && small && limit <= MOST_SMALL ? "u16" : onIntegers ? "i32" : "f32",
    reach: reach as unknown as readonly [number, number, number],
  };
}

/**
 * The sides of a pixel as integer multiples of a unit; undefined if there is none. Axes of one pixel are ignored. The
 * unit is the smallest side, or down to 1/64 of it. Multiples may be off by 5e-7 relative, because files store sides in
 * f32.
 */
function integerGrid(
  sides: readonly number[],
  sizes: readonly number[],
): { weights: readonly [number, number, number]; unit: number } | undefined {
  const used = sides.filter((_, axis) => sizes[axis] > 1);
  const least = used.length > 0 ? Math.min(...used) : 1;
  for (let parts = 1; parts <= 64; parts++) {
    const unit = least / parts;
    const weights = sides.map((side, axis) => (sizes[axis] > 1 ? side / unit : 1));
    if (weights.every((w) => Math.abs(w - Math.round(w)) <= 5e-7 * w)) {
      return { weights: weights.map(Math.round) as unknown as readonly [number, number, number], unit };
    }
  }
  return undefined;
}

// A checked measurement of objects.

import type { RegionProperty } from "../types/regions.js";
import type { Pixels } from "./pixels.js";
import type { RegionsPlan, ShapesPlan } from "./plans.js";

/** Pixels under the objects, and the measured channel: a number, `"luma"`, or undefined if the sums reduce colour to luma. */
export interface MeasuredPixels {
  readonly pixels: Pixels;
  readonly channel: number | "luma" | undefined;
}

/** A checked RegionsOptions: the sums, shapes and sorted values to compute, and the properties derived from them. */
export interface MeasurePlan {
  readonly properties: readonly RegionProperty[];
  readonly sums: Omit<RegionsPlan, "intensity">;
  readonly shapes: ShapesPlan | undefined;
  readonly intensities: readonly MeasuredPixels[];
  /** Whether values are summed. */
  readonly summed: boolean;
  /** Whether values of the background across edges are summed, too. */
  readonly contrast: boolean;
  /** Quantiles, from 0 to 1; undefined if no values are picked. */
  readonly fractions: readonly number[] | undefined;
  readonly histogram: boolean;
  readonly bins: number | undefined;
  /** Whether results have no z. */
  readonly flat: boolean;
  /** The size of a pixel; 1 along each axis if results count pixels. */
  readonly scale: readonly [number, number, number];
  readonly physical: boolean;
}

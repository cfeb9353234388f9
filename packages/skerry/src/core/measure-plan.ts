// A checked measurement of objects.

import type { RegionProperty } from "../types/regions.js";
import type { Pixels } from "./pixels.js";
import type { RegionsPlan, ShapesPlan } from "./plans.js";

/** Pixels under the objects, and the channel of them that is measured: one, the luma, or what sums reduce by themselves. */
export interface MeasuredPixels {
  readonly pixels: Pixels;
  readonly channel: number | "luma" | undefined;
}

/** A checked RegionsOptions: what is summed, traced or picked, and what is made of it. */
export interface MeasurePlan {
  readonly properties: readonly RegionProperty[];
  readonly sums: Omit<RegionsPlan, "intensity">;
  readonly shapes: ShapesPlan | undefined;
  readonly intensities: readonly MeasuredPixels[];
  /** Whether values are summed, and those of the background across edges, too. */
  readonly summed: boolean;
  readonly contrast: boolean;
  /** Quantiles, from 0 to 1; undefined if no values are picked. */
  readonly fractions: readonly number[] | undefined;
  readonly histogram: boolean;
  readonly bins: number | undefined;
  /** No z in what is made. */
  readonly flat: boolean;
  /** The size of a pixel; 1 along each axis if results count pixels. */
  readonly scale: readonly [number, number, number];
  readonly physical: boolean;
}

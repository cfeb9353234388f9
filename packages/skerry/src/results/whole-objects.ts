// Measurements of objects whose sums were merged over parts of an image, by the formulas for a single image.

import type { MeasurePlan } from "../core/measure-plan.js";
import type { WholeSums } from "../core/sums.js";
import type { PixelArray } from "../types/raster.js";
import type { RegionProperty, Regions } from "../types/regions.js";
import type { IntensitySums } from "./region-intensity.js";
import { deriveRegions } from "./regions.js";

/** Objects of an image in parts: their sums with z, and the properties to derive. */
export interface WholeObjects {
  readonly count: number;
  readonly properties: readonly RegionProperty[];
  /** Slices of the whole image; if 1, results have no z. */
  readonly depth: number;
  /** Size of a pixel, for results in units of the spacing; undefined for results in pixels. */
  readonly spacing?: readonly [number, number, number] | undefined;
  readonly sums: WholeSums;
  readonly intensities: readonly IntensitySums[];
  readonly value?: PixelArray | undefined;
  readonly polarity?: Uint8Array | undefined;
}

/** Derives the measurements that need only sums, of objects summed in parts: no contours, hulls or sorted values. */
export function wholeRegions(given: WholeObjects): Promise<Regions> {
  const { count, properties, depth, spacing, sums, intensities, value, polarity } = given;
  const plan: MeasurePlan = {
    properties,
    flat: depth === 1,
    scale: spacing ?? [1, 1, 1],
    physical: spacing !== undefined,
    sums: { level: "shape", solid: true },
    shapes: undefined,
    intensities: [],
    summed: true,
    contrast: false,
    fractions: undefined,
    histogram: false,
    bins: undefined,
  };
  const none = { shapes: {}, holes: undefined, inscribed: undefined };
  const call = { signal: undefined, onProgress: undefined, timings: [], memory: undefined };
  return deriveRegions(plan, { count, values: value, polarities: polarity, sums, intensities, ...none }, call);
}

// Exact sums of objects before measurements are derived from them, for our packages that put objects together from parts of an image.

import type { ObjectSums } from "../operations/measure.js";
import type { PixelArray } from "../types/raster.js";
import type { RegionsOptions } from "../types/regions.js";
import type { Components } from "./components.js";

/** Sums of objects with z, and the value and the polarity of each, where the components have them. */
export interface FoundSums extends ObjectSums {
  readonly value?: PixelArray;
  readonly polarity?: Uint8Array;
}

/** Sums what `components.regions()` would measure. */
export function objectSums(components: Components, options: RegionsOptions): Promise<FoundSums> {
  return components.sums(options);
}

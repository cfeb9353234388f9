// Exact sums of objects, from which measurements are derived. Our other packages merge them over parts of an image.

import type { ObjectSums } from "../operations/measure.js";
import type { PixelArray } from "../types/raster.js";
import type { RegionsOptions } from "../types/regions.js";
import type { Components } from "./components.js";

/** Sums of objects with z, and the value and the polarity of each, where the components have them. */
export interface FoundSums extends ObjectSums {
  readonly value?: PixelArray;
  readonly polarity?: Uint8Array;
}

/** Returns the sums from which `components.regions()` derives its measurements. */
export function objectSums(components: Components, options: RegionsOptions): Promise<FoundSums> {
  return components.sums(options);
}

// The names of what can be measured of objects, and which of them belong together.

import type { RegionProperty } from "../types/regions.js";

/** Properties of the shape. @internal */
export const SHAPE: readonly RegionProperty[] = [
  ...["area", "bounds", "centroid", "rawMoments", "secondMoments", "majorAxis", "minorAxis"],
  ...["orientation", "eccentricity", "principalAxes", "extent", "equivalentDiameter", "edges", "perimeter", "crofton"],
  ...["circularity", "surfaceArea", "eulerNumber", "holes", "convexArea", "convexVolume", "solidity"],
  ...["feretDiameter", "minimumRectangle", "inscribed", "convexHull"],
] as RegionProperty[];
/** Properties of images only. @internal */
export const FLAT: readonly RegionProperty[] = [
  ...["orientation", "eccentricity", "edges", "perimeter", "crofton", "circularity", "holes"],
  ...["convexArea", "minimumRectangle", "convexHull"],
] as RegionProperty[];
/** Properties of volumes only. @internal */
export const SOLID: readonly RegionProperty[] = ["principalAxes", "surfaceArea", "convexVolume"];
/** Properties from sums of values. @internal */
export const SUMMED: readonly RegionProperty[] = ["min", "max", "sum", "mean", "std", "weightedCentroid", "contrast"];
/** Properties from the values in order. @internal */
export const PICKED: readonly RegionProperty[] = ["median", "quantiles", "histogram"];
/** Properties of the pixels under the objects. @internal */
export const INTENSITY: readonly RegionProperty[] = [...SUMMED, ...PICKED];
/** Properties that need square pixels. @internal */
export const SQUARE: readonly RegionProperty[] = ["perimeter", "crofton", "circularity"];
/** Not among all: properties whose size is their own, and those that take memory for each pixel. @internal */
export const BY_NAME: readonly RegionProperty[] = ["convexHull", "inscribed", ...PICKED];

/** Every property of `regions()`, in the order they are documented. */
export const REGION_PROPERTIES: readonly RegionProperty[] = [...SHAPE, ...INTENSITY];

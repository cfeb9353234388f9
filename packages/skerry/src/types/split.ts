// The options of splits, watersheds and absorbed areas.

import type { CallOptions } from "./calls.js";
import type { Connectivity, Image, Mask, Points, Raster } from "./raster.js";
import type { Polarity } from "./threshold.js";

/** Options of `components.split()`. */
export interface SplitOptions extends CallOptions {
  /**
   * Heights whose peaks are the parts: `"distance"` (default), the Euclidean distance to the background, or the values of a
   * raster of the same size.
   */
  readonly by?: "distance" | Raster | Image;
  /**
   * Least height of a peak above the saddle to a higher peak; a lower peak joins the higher one. 1 by default, in pixels of
   * distance, or in values of the raster. Only without `markers`.
   */
  readonly h?: number;
  /**
   * One part per marker instead: a label image (0 elsewhere), or points. An object without a marker stays in one part, and a
   * marker that lies in two objects makes a part in each.
   */
  readonly markers?: Raster | Image | Points;
  /** Distances and `h` are in units of the spacing instead of pixels. */
  readonly physical?: boolean;
  /** Parts of fewer pixels are merged into the part of their object with which they share the most faces; 0 by default. */
  readonly minArea?: number;
}

/** Options of `components.absorb()`. */
export interface AbsorbOptions extends CallOptions {
  /** Areas of fewer pixels are merged into a neighbour. */
  readonly minArea: number;
  /**
   * The neighbour that takes an area: the one with the longest common border (`"border"`, default), or the largest one
   * (`"largest"`, as in GDAL's sieve).
   */
  readonly into?: "border" | "largest";
}

/** Options of `engine.watershed()`. */
export interface WatershedOptions extends CallOptions {
  /** Starts of basins: a label image (0 elsewhere), or points, which are numbered in their order. */
  readonly markers: Raster | Image | Points;
  /** Pixels outside this mask belong to no basin. */
  readonly within?: Mask;
  /** `"bright"` (default): basins are around peaks; `"dark"`: around hollows, as in scikit-image. */
  readonly polarity?: Polarity;
  /** Neighbours: 4 (default) or 8; in volumes 6 (default), 18 or 26. */
  readonly connectivity?: Connectivity;
}

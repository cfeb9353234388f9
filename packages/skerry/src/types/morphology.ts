// The options of morphology.

import type { CallOptions } from "./calls.js";
import type { DistanceMetric } from "./distance.js";

/** Options of `components.dilate()`, `erode()`, `open()` and `close()`. */
export interface MorphologyOptions extends CallOptions {
  /** The radius is in units of the spacing instead of pixels. */
  readonly physical?: boolean;
  /** `"euclidean"` (default): a ball; `"cityblock"`: a diamond; `"chessboard"`: a square or cube. */
  readonly metric?: DistanceMetric;
  /**
   * `"background"` (default): all pixels beyond the border are background. `"extend"`: the border's pixels are repeated
   * outwards, so an erosion does not begin at the border.
   */
  readonly border?: "background" | "extend";
}

/** Options of `components.expand()`. */
export interface ExpandOptions extends CallOptions {
  /** The distance is in units of the spacing instead of pixels. */
  readonly physical?: boolean;
}

// The options of engine.prepare().

import type { CallOptions } from "./calls.js";
import type { PixelType } from "./raster.js";

/** Calls that `engine.prepare()` readies: with components their regions, labels, runs and masks. */
export type PreparedCall = "components" | "fill" | "distance" | "kmeans" | "wand" | "histogram";

/** Options of `engine.prepare()`: the rasters that are to come. */
export interface PrepareOptions extends CallOptions {
  /** The type of their pixels, `"u8"` by default. */
  readonly type?: PixelType;
  /** 1 (default), 3 or 4. */
  readonly channels?: 1 | 3 | 4;
  /** `true`: volumes. `false` (default): images. */
  readonly volume?: boolean;
}

// The options of engine.prepare().

import type { CallOptions } from "./calls.js";
import type { PixelType } from "./raster.js";

/** Calls that `engine.prepare()` prepares; those that return Components include regions, labels, runs and masks. */
export type PreparedCall = "components" | "fill" | "distance" | "kmeans" | "wand" | "histogram";

/** Options of `engine.prepare()`: the kind of rasters that the later calls get. */
export interface PrepareOptions extends CallOptions {
  /** The type of the pixels, `"u8"` by default. */
  readonly type?: PixelType;
  /** 1 (default), 3 or 4. */
  readonly channels?: 1 | 3 | 4;
  /** `true`: volumes. `false` (default): images. */
  readonly volume?: boolean;
}

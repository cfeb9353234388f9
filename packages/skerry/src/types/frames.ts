// Frames: pictures of one size that come one after another, measured in the same way.

import type { ComponentsOptions } from "./components.js";
import type { PixelType, Raster } from "./raster.js";
import type { DefaultProperty, RegionProperty, RegionsOptions } from "./regions.js";

/** The size of the frames, how their objects are found, and what is measured of them. */
export interface FramesOptions<P extends RegionProperty = DefaultProperty>
  extends Omit<ComponentsOptions, "signal" | "onProgress">,
    Pick<Raster, "channels" | "nodata" | "spacing">,
    Pick<RegionsOptions, "quantiles" | "bins" | "perChannel"> {
  /** Pixels per row. */
  readonly width: number;
  /** Rows. */
  readonly height: number;
  /** The type of the values. */
  readonly type: PixelType;
  /** As in `regions()`, area, bounds and centroid by default. Those of values are of the frames themselves. */
  readonly properties?: readonly P[];
}

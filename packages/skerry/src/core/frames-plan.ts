// Frames that a device measures by a prepared plan: a fixed threshold, and sums over runs.

import type { Connectivity, PixelArray } from "../types/raster.js";
import type { Shape } from "./pixels.js";
import type { Predicate, RegionsPlan } from "./plans.js";
import type { RegionSums } from "./sums.js";

/** The work that is the same for every frame. */
export interface FramesPlan {
  readonly shape: Shape;
  readonly predicate: Predicate;
  readonly connectivity: Connectivity;
  /** `area`, `bounds` or `centroid`. */
  readonly level: RegionsPlan["level"];
}

/** The objects of one frame. */
export interface FrameSums {
  readonly count: number;
  readonly sums: RegionSums;
  /** 1 bright, 2 dark, if both were found. */
  readonly polarity: Uint8Array | undefined;
}

/** A plan with its memory, until it is disposed of. */
export interface BackendFrames {
  measure(data: PixelArray): Promise<FrameSums>;
  dispose(): void;
}

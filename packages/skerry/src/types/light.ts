// The options of preparation before a threshold: smoothing, flattening, stains.

import type { CallOptions } from "./calls.js";

/** Options of `engine.smooth()`. */
export interface SmoothOptions extends CallOptions {
  /** Standard deviation of the Gaussian, in pixels: one number, or one per axis (x, y, z). 0 leaves an axis as it is. */
  readonly sigma: number | readonly [number, number] | readonly [number, number, number];
  /** `sigma` is in units of the spacing. */
  readonly physical?: boolean;
}

/** Options of `engine.gradient()`. */
export interface GradientOptions extends CallOptions {
  /** `"sobel"`, or the standard deviation in pixels of the Gaussian whose derivatives are taken, more than 0. */
  readonly by: "sobel" | number;
  /** The standard deviation is in units of the spacing. */
  readonly physical?: boolean;
}

/** Options of `engine.flatten()`. */
export interface FlattenOptions extends CallOptions {
  /** Pixels to either side of the window whose mean is the background, 1 or more. */
  readonly radius: number;
  /**
   * `"subtract"` (default): v - mean, plus the middle of the range for u8 (128) and u16 (32 768). `"divide"`: v / mean,
   * times that middle. Integers are rounded and clamped to their type.
   */
  readonly method?: "subtract" | "divide";
}

/**
 * The stains of a slide: `"hed"` (hematoxylin, eosin, DAB), or two or three lists of the optical densities of red, green
 * and blue.
 */
export type Stains = "hed" | readonly (readonly [number, number, number])[];

/** Options of `engine.unmix()`. */
export interface UnmixOptions extends CallOptions {
  /** `"hed"` by default. */
  readonly stains?: Stains;
}

// Distance maps: their options and values.

import type { CallOptions } from "./calls.js";
import type { GpuBuffer } from "./platform.js";
import type { Mask, Sink, Spacing } from "./raster.js";
import type { Polarity, Threshold } from "./threshold.js";

/** Values of a distance map: distances, or squares of 32 or 16 bits. */
export type DistanceArray = Float32Array | Uint32Array | Uint16Array;

export const DISTANCE_METRICS = ["euclidean", "cityblock", "chessboard"] as const;

/**
 * The metric of distances: the straight line (`"euclidean"`), the sum of the steps along the axes (`"cityblock"`), or
 * the largest of these steps (`"chessboard"`).
 */
export type DistanceMetric = (typeof DISTANCE_METRICS)[number];

/** Options of `engine.distance()`. */
export interface DistanceOptions extends CallOptions {
  /** For rasters: the rule for foreground pixels, as in `components()`; `"nonzero"` by default. */
  readonly threshold?: Exclude<
    Threshold,
    { readonly outside: readonly [number, number] } | { readonly hysteresis: readonly [number, number] }
  >;
  /** With an automatic or a local threshold: `"bright"` (default), `"dark"` or `"auto"`, as in `components()`. */
  readonly polarity?: Polarity | "auto";
  /**
   * For rasters: pixels outside this mask are no foreground. Distances are measured along straight lines, also through pixels
   * outside the mask. Automatic thresholds are chosen from the pixels inside.
   */
  readonly within?: Mask;
  /**
   * `"foreground"` (default): distances to the nearest foreground pixel. `"surface"`: distances to the nearest
   * foreground pixel with background beside it along an axis.
   */
  readonly to?: "foreground" | "surface";
  /**
   * Largest distance that is computed exactly, in units of spacing; Infinity by default. See `beyond` for farther
   * pixels.
   */
  readonly max?: number;
  /**
   * The value of pixels farther than `max`:
   *
   * - `"infinity"` (default): Infinity.
   * - `"clamp"`: `max`.
   * - `"coarse"`: interpolated in an exact map of every eighth pixel along each axis, and at least `max`. The error is
   *   at most half the diagonal of eight pixels.
   */
  readonly beyond?: "infinity" | "clamp" | "coarse";
  /** The size of a pixel; the target's by default. */
  readonly spacing?: Spacing;
  /**
   * Returns squared distances in a Uint32Array, as integers in units of `unit` squared; 0xffffffff beyond `max`. All
   * sides of a pixel must be integer multiples of one unit. The raster's diagonal, with 8 pixels added per axis, must be below
   * 32 768 units, so that squares stay below 2^30.
   */
  readonly squared?: boolean;
  /** Signed distances: outside objects the distance to the nearest one, inside minus the distance to the background. */
  readonly signed?: boolean;
  /**
   * Also returns the index of each pixel's nearest foreground pixel: `x + width * (y + height * z)`. Among equally near
   * pixels the lowest index is returned; 0xffffffff means none within `max`. `true` allocates an array; an array or a Sink is
   * filled.
   */
  readonly nearest?: boolean | Uint32Array | Sink;
  /** `"euclidean"` (default), `"cityblock"` or `"chessboard"`. */
  readonly metric?: DistanceMetric;
  /**
   * Destination of the map: a Float32Array, or with `squared` a Uint32Array. If `max` is at most 255 units, `squared`
   * also takes a Uint16Array (0xffff beyond). A Sink receives Float32Arrays, or Uint32Arrays with `squared`.
   */
  readonly into?: Float32Array | Uint32Array | Uint16Array | Sink<Float32Array> | Sink<Uint32Array> | GpuBuffer;
  /**
   * `"buffer"` leaves the map on the GPU, in a GPUBuffer of 4 bytes per pixel: a new one, which the caller destroys, or `into`, with the
   * usages STORAGE and COPY_DST.
   */
  readonly as?: "buffer";
  /**
   * Memory limit, in bytes, for the call plus the memory that the engine already holds; `into` does not count. Data
   * that does not fit goes through a temporary file. Without a limit the call takes what it needs, up to 4 GiB.
   */
  readonly memory?: number;
}

/** The smallest value of a map on each object, entry i for label i + 1; from `map.over()`. */
export interface Closest {
  /** Number of objects. */
  readonly count: number;
  /** The smallest value of the map on the object. */
  readonly distance: Float64Array;
  /** x, y (and z in volumes) of the first pixel in raster order with this value. */
  readonly where: Uint32Array;
}

// K-means colours: their options and results.

import type { CallOptions } from "./calls.js";
import type { GpuBuffer } from "./platform.js";
import type { Mask, Raster, Sink } from "./raster.js";

/** The sums that k-means makes least; see {@link KmeansOptions.metric}. */
export const CLUSTER_METRICS = ["l2", "l1", "l1-mean"] as const;
/** Initial centres out of the colours; see {@link KmeansOptions.init}. */
export const COLOUR_STARTS = ["kmeans++", "random", "grid"] as const;
export const COLOUR_SPACES = ["rgb", "oklab"] as const;

/** Options of `engine.kmeans()`. */
export interface KmeansOptions extends CallOptions {
  /** Number of classes, 1 to 256; with `ignoreTransparent` at most 255. Optional if `init` is a list of colours. */
  readonly k?: number;
  /**
   * The objective:
   *
   * - `"l2"` (default): squared distances. A centre is the mean.
   * - `"l1"`: sums of absolute differences. A centre is the lower median of each channel.
   * - `"l1-mean"`: assigns colours like `"l1"` but updates a centre with the mean, so inertia may increase.
   */
  readonly metric?: (typeof CLUSTER_METRICS)[number];
  /**
   * The initial centres:
   *
   * - `"kmeans++"` (default): greedy k-means++ with 2 + floor(ln k) draws per centre.
   * - `"random"`: different colours of the image.
   * - `"grid"`: middles of the cells of an even grid over the box of all colours.
   * - `"tiles"`: mean colours of k tiles, as equal as k allows: the image is cut into rows, and each row into tiles. Alpha is
   *   ignored, and transparent pixels count.
   * - colours: a list of one per class, with 3 numbers (1 in grey images) from 0 to 255; or a Uint8Array like a
   *   palette.
   */
  readonly init?:
    | (typeof COLOUR_STARTS)[number]
    | "tiles"
    | readonly (readonly number[])[]
    | Uint8Array
    | Uint8ClampedArray;
  /**
   * Seed of the random generator, an integer from 0 (default) to 2^32 - 1. Equal seeds draw equal centres on every
   * device.
   */
  readonly seed?: number;
  /** Most iterations, 100 by default. With 0, pixels are classified by the initial centres. */
  readonly maxIterations?: number;
  /**
   * Converged when no centre moves by more than this distance, in the metric and the units of the space. With 0
   * (default) no centre may move at all.
   */
  readonly tolerance?: number;
  /** The space of distances: `"rgb"` (default) has the values as they are, `"oklab"` follows human vision. */
  readonly colourSpace?: (typeof COLOUR_SPACES)[number];
  /**
   * Number of runs from different random initial centres, 1 by default. The run with the lowest inertia is returned.
   */
  readonly restarts?: number;
  /** `true`: pixels of alpha 0 get no class and are 255. `false` (default): alpha is ignored. */
  readonly ignoreTransparent?: boolean;
  /** Pixels outside this mask get no class and are 255; k is at most 255 then. With a GPU, the CPU does the work. */
  readonly within?: Mask;
  /** Target of the classes: a Uint8Array of one value per pixel, a Sink, or with `as` a GPUBuffer. */
  readonly into?: Uint8Array | Sink<Uint8Array> | GpuBuffer;
  /** Leaves the classes on the GPU, in `into` or a new GPUBuffer; Unsupported where there is none. */
  readonly as?: "buffer";
}

/** Options of `engine.pickK()`: those of `kmeans()`, the same for every number of classes. */
export interface PickKOptions extends Omit<KmeansOptions, "k" | "into" | "as" | "init"> {
  /** The largest number of classes to try: 2 to 256 (255 with `ignoreTransparent` or `within`); 12 by default. */
  readonly max?: number;
  /** The initial centres, as in {@link KmeansOptions.init}. */
  readonly init?: (typeof COLOUR_STARTS)[number];
}

/** The classes of an image's colours, in descending order of their pixels. */
export interface Classes {
  /**
   * Number of classes. It is lower than requested if the image has fewer colours. Classes without pixels are left out.
   */
  readonly k: number;
  /** The classes' colours, rounded: 3 bytes each, or 1 in grey images. */
  readonly palette: Uint8Array;
  /**
   * The unrounded centres, 3 numbers each (1 in grey images, unless in Oklab). They are channels of 0 to 255 in steps
   * of 1/128, or L, a and b.
   */
  readonly centres: Float64Array;
  /** Pixels per class, in descending order. */
  readonly counts: Uint32Array;
  /** Pixels without a class: of alpha 0 with `ignoreTransparent`, or outside `within`. */
  readonly transparent: number;
  /** Number of iterations; each assigns all colours and moves the centres. */
  readonly iterations: number;
  /** The objective, summed over all pixels, with the centres before they are rounded for the palette. */
  readonly inertia: number;
  /** `true` if the centres converged, `false` if the call stopped after `maxIterations`. */
  readonly converged: boolean;
}

/** A segmented image: a Raster with one byte per pixel, the number of its class. Pixels without a class are 255. */
export interface Segmentation extends Classes, Raster {
  /** The class of each pixel. */
  readonly data: Uint8Array;
  /** Slices. */
  readonly depth: number;
  readonly channels: 1;
  /** The size of a pixel along x, y and z. */
  readonly spacing: readonly [number, number, number];
}

/**
 * A segmented image on the GPU: one byte per pixel in raster order, four to a u32, the first in the lowest byte. The caller
 * destroys the buffer; its usages are STORAGE, COPY_SRC and COPY_DST.
 */
export interface ClassesBuffer extends Classes {
  /** A byte per pixel, in whole u32 words. */
  readonly buffer: GpuBuffer;
  /** Pixels per row. */
  readonly width: number;
  /** Rows per slice. */
  readonly height: number;
  /** Slices. */
  readonly depth: number;
  /** The size of a pixel along x, y and z. */
  readonly spacing: readonly [number, number, number];
}

/** Result of `engine.pickK()`. */
export interface PickedK {
  /** The suggested number of classes: the candidate with the largest silhouette. */
  readonly k: number;
  /** Tried numbers of classes: 2, 3, ... */
  readonly candidates: readonly number[];
  /** The inertia with each candidate. */
  readonly inertia: Float64Array;
  /**
   * The simplified silhouette of each candidate, 0 to 1: how much nearer a pixel's own centre is than the second nearest
   * centre, on average.
   */
  readonly silhouette: Float64Array;
}

/** Options of `recolour()`. */
export interface RecolourOptions extends CallOptions {
  /** `true`: RGBA, e.g. for a canvas. By default the result is RGBA only if pixels have no class; those get alpha 0. */
  readonly alpha?: boolean;
}

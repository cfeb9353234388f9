// What users hold: plain records with typed arrays. Coordinates count pixels, x to the right, y down,
// the centre of the first pixel at (0, 0); boxes and runs are half-open.

/** Pixel data; this version works on u8, u16, i16 and f32. */
export type PixelArray = Uint8Array | Uint8ClampedArray | Uint16Array | Int16Array | Float32Array;

/** The type of a pixel's channels. */
export type PixelType = "u8" | "u16" | "i16" | "f32";

/**
 * An image in memory: `width * height * channels` values, rows from the top, channels interleaved.
 * An `ImageData` is a valid Raster.
 */
export interface Raster {
  readonly data: PixelArray;
  /** Pixels per row, at least 1. */
  readonly width: number;
  /** Rows, at least 1. */
  readonly height: number;
  /** 1, 3 (RGB) or 4 (RGBA, alpha is ignored); inferred from the data's length when left out. */
  readonly channels?: number;
}

/** A raster made resident by `engine.load()`; feed it to many calls without copying it again. */
export interface Image extends Disposable {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly type: PixelType;
  /** Frees the device memory. Calling it again does nothing. */
  dispose(): void;
}

/** Pixels that are on the GPU already, on the device that the engine was opened with (`open({ gpu: device })`). */
export type GpuRaster =
  | {
      /** Of usage STORAGE; tight rows from `offset` (bytes, a multiple of 4) on. It must stay as it is while in use. */
      readonly buffer: GPUBuffer;
      readonly offset?: number;
      readonly width: number;
      readonly height: number;
      readonly type: PixelType;
      /** 1 by default. */
      readonly channels?: number;
    }
  | {
      /** 2-D, of usage COPY_SRC: r8unorm, r8uint, rgba8unorm(-srgb), rgba8uint, r16uint, r16sint or r32float. Copied. */
      readonly texture: GPUTexture;
    };

/** A raster that does not fit in memory: rows are asked for as they are needed, in any order. */
export interface Source {
  readonly width: number;
  readonly height: number;
  /** Slices; 1 in this version. */
  readonly depth?: number;
  /** 1 by default. */
  readonly channels?: number;
  readonly type: PixelType;
  /**
   * Fills `into` with rows [y0, y1) of slices [z0, z1). One read at a time; a rejection ends the call
   * that asked.
   */
  read(
    z0: number,
    z1: number,
    y0: number,
    y1: number,
    into: PixelArray,
    options: { signal?: AbortSignal },
  ): void | Promise<void>;
}

/** Takes a result in strips, from the top, one write at a time; `data` is reused after the write settles. */
export interface Sink {
  write(z0: number, z1: number, y0: number, y1: number, data: Uint32Array): void | Promise<void>;
}

/** One bit per pixel, rows padded to whole 32-bit words: pixel x is bit `x & 31` of word `x >> 5`. */
export interface Mask {
  readonly bits: Uint32Array;
  readonly width: number;
  readonly height: number;
  readonly depth?: number;
}

/** One label per pixel: 0 is background, 1..count are dense and in raster order of each object's first pixel. */
export interface Labels {
  readonly data: Uint32Array;
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly count: number;
}

/** Maximal horizontal runs: run i covers pixels [begin[i], end[i]) of row[i]. */
export interface Runs {
  readonly count: number;
  readonly row: Uint32Array;
  readonly begin: Uint32Array;
  readonly end: Uint32Array;
  readonly label: Uint32Array;
  /** Grouped by label only: the runs of `label` are those from offsets[label - 1] up to offsets[label]. */
  readonly offsets?: Uint32Array;
}

/**
 * Measurements, one entry per object, entry i for label i + 1. Only what was asked for is there; see
 * {@link RegionProperty} for what each is.
 */
export interface Regions {
  readonly count: number;
  /** 1 bright, 2 dark; there when the components were found with `{ outside }`. */
  readonly class?: Uint8Array;
  readonly area?: Uint32Array;
  readonly bounds?: Uint32Array;
  readonly centroid?: Float64Array;
  readonly rawMoments?: BigInt64Array;
  readonly secondMoments?: Float64Array;
  readonly majorAxis?: Float64Array;
  readonly minorAxis?: Float64Array;
  readonly orientation?: Float64Array;
  readonly eccentricity?: Float64Array;
  readonly extent?: Float64Array;
  readonly equivalentDiameter?: Float64Array;
  readonly perimeter?: Float64Array;
  readonly eulerNumber?: Int32Array;
  readonly min?: Float64Array;
  readonly max?: Float64Array;
  readonly sum?: BigInt64Array | Float64Array;
  readonly mean?: Float64Array;
  readonly std?: Float64Array;
  readonly weightedCentroid?: Float64Array;
  readonly contrast?: Float64Array;
}

/**
 * What `regions()` can measure. Definitions match scikit-image's `regionprops` where it has the property;
 * pixels are points at integer coordinates, coordinates are (x, y).
 *
 * - `area`: pixels.
 * - `bounds`: x0, y0, x1, y1 per object, half-open.
 * - `centroid`: mean x, mean y per object.
 * - `rawMoments`: exact sums of x, y, x x, x y, y y per object (five entries each).
 * - `secondMoments`: central sums of (x - mean)^2, (x - mean)(y - mean), (y - mean)^2 per object,
 *   `moments_central` [0,2], [1,1], [2,0] in scikit-image.
 * - `majorAxis`, `minorAxis`: lengths of the axes of the ellipse with the same second moments.
 * - `orientation`: angle between the y axis and the major axis, -pi/2 to pi/2, as in scikit-image (whose
 *   releases differ in the sign of exactly 45 degrees; here y growing with x is positive; pi/4 for a circle).
 * - `eccentricity`: of that ellipse, 0 (circle) up to 1.
 * - `extent`: area over the area of the box.
 * - `equivalentDiameter`: diameter of the circle of the same area.
 * - `perimeter`: number of pixel edges between the object and anything else, the image border included.
 *   scikit-image's `perimeter` estimates a curve length instead.
 * - `eulerNumber`: 1 minus the number of holes, under the connectivity the components were found with;
 *   scikit-image always uses 8 for the object.
 * - with `intensity` (colour is reduced to luma): `min`, `max`, `sum` (exact for integers), `mean`, `std`
 *   (of the population), `weightedCentroid` (NaN where the sum is 0), and `contrast`: the mean of the
 *   object minus the mean of the background pixels across its boundary edges, each edge counted once; edges
 *   towards the image border or another object do not count; NaN where none is left.
 */
export type RegionProperty = Exclude<keyof Regions, "count" | "class">;

/** How pixels are told from background; see {@link ComponentsOptions}. */
export type Threshold =
  | "nonzero"
  | "otsu"
  | { readonly above: number }
  | { readonly below: number }
  | { readonly between: readonly [number, number] }
  | { readonly outside: readonly [number, number] };

/** Passed by `onProgress`: `done` of `total` bands of a stage are through. */
export interface Progress {
  readonly stage: string;
  readonly done: number;
  readonly total: number;
}

/** Options every call takes. */
export interface CallOptions {
  /** Aborts the call between two bands; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Called between bands. */
  readonly onProgress?: (progress: Progress) => void;
}

/** Which objects stay. Applied in this order: holes, border, area, largest. */
export interface FilterOptions {
  /** Fill background components (of the complementary connectivity) that do not touch the image border. */
  readonly fillHoles?: boolean;
  /** Drop objects that touch the image border. */
  readonly clearBorder?: boolean;
  /** Drop objects of fewer pixels. */
  readonly minArea?: number;
  /** Drop objects of more pixels. */
  readonly maxArea?: number;
  /** Keep the k largest objects; at equal area the lower label stays. */
  readonly largest?: number;
}

/** Options of `engine.components()`. */
export interface ComponentsOptions extends FilterOptions, CallOptions {
  /**
   * - `"nonzero"` (default): any colour channel is not 0.
   * - `"otsu"`: above Otsu's threshold, on exact levels for integers and 256 bins for f32.
   * - `{ above: n }`: v > n; `{ below: n }`: v < n; `{ between: [lo, hi] }`: lo <= v <= hi.
   * - `{ outside: [lo, hi] }`: bright objects (v > hi, class 1) and dark ones (v < lo, class 2) at once,
   *   which never merge.
   *
   * Colour is reduced to Rec. 601 luma, (77 r + 150 g + 29 b + 128) >> 8.
   */
  readonly threshold?: Threshold;
  /** With `"otsu"`: objects are `"bright"` (above, default) or `"dark"` (at and below the threshold). */
  readonly polarity?: "bright" | "dark";
  /** 4 (default) or 8 neighbours. */
  readonly connectivity?: 4 | 8;
}

/** How far apart two colours are: the largest difference of a channel, the sum of all, or the Euclidean distance. */
export type ColourMetric = "linf" | "l1" | "l2";

/** Options of `engine.fill()`. */
export interface FillOptions extends CallOptions {
  /** Where to begin: one or more [x, y]. Each fills against its own colour; the result is what they reach together. */
  readonly seeds: readonly (readonly [number, number])[];
  /**
   * How far a pixel may differ, inclusive; 0 by default. One number, or one per channel, or both sides of it:
   * `colour - lower <= pixel <= colour + upper`. All channels count, alpha as well.
   */
  readonly tolerance?:
    | number
    | readonly number[]
    | { readonly lower: number | readonly number[]; readonly upper: number | readonly number[] };
  /** `"linf"` (default; OpenCV, GIMP): the largest difference; `"l1"` (Pillow): their sum; `"l2"`: Euclidean. */
  readonly metric?: ColourMetric;
  /** Against the seed's colour (`"fixed"`, default) or against the neighbour that was filled before (`"floating"`). */
  readonly range?: "fixed" | "floating";
  /** 4 (default) or 8 neighbours. */
  readonly connectivity?: 4 | 8;
  /**
   * The seed's colour is the mean of the n x n window around it, n odd (1 by default), cut at the border and rounded to
   * the raster's type, halves up. A seed that is not within the tolerance of that mean fills nothing.
   */
  readonly average?: number;
  /** False takes every pixel that matches a seed's colour, connected to it or not. True by default. */
  readonly contiguous?: boolean;
  /** A fence: only these pixels can be filled. */
  readonly within?: Mask;
}

/** Options of `paint()`. */
export interface PaintOptions extends CallOptions {
  /** 1 (default) replaces, 0 leaves all as it was, between them colours are blended. */
  readonly opacity?: number;
  /** Painted in place and returned; of the raster's size and type. The raster itself will do. */
  readonly into?: Raster;
}

/** Options of `engine.wand()`. */
export interface WandOptions extends CallOptions {
  /** [x, y]. */
  readonly seed: readonly [number, number];
  /** 4 (default) or 8 neighbours. */
  readonly connectivity?: 4 | 8;
}

/** Options of `components.regions()`. */
export interface RegionsOptions extends CallOptions {
  /** What to measure: `["area", "bounds", "centroid"]` by default, with `intensity` its seven as well; or `"all"`. */
  readonly properties?: readonly RegionProperty[] | "all";
  /** Pixels to measure under the objects, of the components' size. */
  readonly intensity?: Raster | Image | Source;
}

/** What a stage of the last call took. */
export interface Timing {
  /** What was done, e.g. `"pack"`, `"label"`, `"regions"`. */
  readonly stage: string;
  readonly milliseconds: number;
  /** Bytes read and written by the stage, as far as they are known; 0 if not. */
  readonly bytes: number;
  /** The wall clock, transfers and waiting included, or the GPU's own, during a stage before; wall by default. */
  readonly clock?: "wall" | "device";
}

/** A GPU in use. */
export interface GpuDescription {
  readonly vendor: string;
  readonly architecture: string;
  readonly description: string;
  /** Runs on the CPU, e.g. SwiftShader. */
  readonly software: boolean;
  /** Features of the device, sorted. */
  readonly features: readonly string[];
  /** The largest binding in use, in bytes; what is larger goes in strips and bands. */
  readonly bindingBytes: number;
  /** The largest buffer, in bytes. */
  readonly bufferBytes: number;
}

/** What `engine.describe()` tells. */
export interface Description {
  /** `"auto"` chooses for each call. */
  readonly device: "cpu" | "gpu" | "auto";
  /** Worker threads; 0 while none was needed. */
  readonly threads: number;
  /** Whether the threads share one memory; without SharedArrayBuffer there is one thread and it does not. */
  readonly shared: boolean;
  /** Memory in use by handles, and reserved, in bytes; of both devices together. */
  readonly memory: { readonly used: number; readonly reserved: number };
  /** There when a GPU is open. */
  readonly gpu?: GpuDescription | undefined;
  /** Why there is no GPU, or that it was lost and what was done about it. */
  readonly notice?: string | undefined;
}

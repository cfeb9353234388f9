// What users hold: plain records with typed arrays. Coordinates count pixels, x to the right, y down, z from slice
// to slice, the centre of the first pixel at (0, 0, 0); boxes and runs are half-open.

/** The array of each pixel type. */
export interface PixelArrays {
  u8: Uint8Array;
  u16: Uint16Array;
  i16: Int16Array;
  u32: Uint32Array;
  i32: Int32Array;
  f32: Float32Array;
}

/** Pixel data. */
export type PixelArray =
  | Uint8Array
  | Uint8ClampedArray
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array;

/** The type of a pixel's channels; u32 and i32, e.g. of label images, have one channel. */
export type PixelType = "u8" | "u16" | "i16" | "u32" | "i32" | "f32";

/** The size of a pixel in physical units, along x and y, and z where there is one. */
export type Spacing = readonly [number, number] | readonly [number, number, number];

/**
 * An image or a volume in memory: `width * height * depth * channels` values, slice after slice, rows from the top,
 * channels interleaved. An `ImageData` is a valid Raster.
 */
export interface Raster {
  readonly data: PixelArray;
  /** Pixels per row, at least 1. */
  readonly width: number;
  /** Rows per slice, at least 1. */
  readonly height: number;
  /** Slices, 1 by default; with more of them it is a volume, whose neighbours are 6, 18 or 26. */
  readonly depth?: number;
  /** 1, 3 (RGB) or 4 (RGBA, alpha is ignored); inferred from the data's length when left out. */
  readonly channels?: number;
  /** The size of a pixel, 1 along each axis by default. */
  readonly spacing?: Spacing;
  /**
   * The value of pixels that were not measured, rounded to the type; with one channel alone. Such a pixel is treated like
   * NaN: it is background, matches nothing in fills and is left out of thresholds and intensities.
   */
  readonly nodata?: number;
}

/** A raster made resident by `engine.load()`; feed it to many calls without copying it again. */
export interface Image extends Disposable {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly channels: number;
  readonly type: PixelType;
  readonly spacing: readonly [number, number, number];
  /** See {@link Raster.nodata}; rounded to the type. */
  readonly nodata?: number | undefined;
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
      /** Slices; 1 by default. */
      readonly depth?: number;
      readonly type: PixelType;
      /** 1 by default. */
      readonly channels?: number;
      /** The size of a pixel, 1 along each axis by default. */
      readonly spacing?: Spacing;
      /** See {@link Raster.nodata}. */
      readonly nodata?: number;
    }
  | {
      /** 2-D, of usage COPY_SRC: r8unorm, r8uint, rgba8unorm(-srgb), rgba8uint, r16uint, r16sint or r32float. Copied. */
      readonly texture: GPUTexture;
    };

/** A raster that does not fit in memory: rows are asked for as they are needed, in any order. */
export interface Source {
  readonly width: number;
  readonly height: number;
  /** Slices; 1 by default. */
  readonly depth?: number;
  /** 1 by default. */
  readonly channels?: number;
  readonly type: PixelType;
  /** The size of a pixel, 1 along each axis by default. */
  readonly spacing?: Spacing;
  /** See {@link Raster.nodata}. */
  readonly nodata?: number;
  /**
   * Fills `into` with rows [y0, y1) of slices [z0, z1): whole slices, or rows of one. One read at a time; a rejection
   * ends the call that asked.
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

/**
 * Takes a result in strips, from the top of the first slice on, one write at a time: rows [y0, y1) of slices [z0, z1),
 * which are whole slices or rows of one. `data` is reused after the write settles; labels are a Uint32Array.
 */
export interface Sink<T extends PixelArray = Uint32Array> {
  /**
   * True: `data` may be a view on shared memory, which saves a copy of labels. Files take such views; `Blob`, WebGL and
   * `TextDecoder` refuse them. False by default.
   */
  readonly shared?: boolean | undefined;
  write(z0: number, z1: number, y0: number, y1: number, data: T): void | Promise<void>;
}

/**
 * One bit per pixel, rows padded to whole 32-bit words, slice after slice: pixel x is bit `x & 31` of word `x >> 5` of
 * its row.
 */
export interface Mask {
  readonly bits: Uint32Array;
  readonly width: number;
  readonly height: number;
  /** Slices; 1 by default. */
  readonly depth?: number;
  /** The size of a pixel, 1 along each axis by default. */
  readonly spacing?: Spacing;
}

/** One label per pixel: 0 is background, 1..count are dense and in raster order of each object's first pixel. */
export interface Labels {
  readonly data: Uint32Array;
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly count: number;
}

/**
 * A cut-out of a result, as a view of it needs: output pixel (i, j) is the pixel `step` * i and `step` * j from x, y (and z) on, in
 * the plane that `axis` is normal to. What lies outside of the image is background.
 */
export interface ResultWindow {
  /** The first pixel; it may lie outside. */
  readonly x: number;
  readonly y: number;
  /** In a volume; 0 by default. */
  readonly z?: number;
  /** Output pixels per row, at least 1. */
  readonly width: number;
  /** Output rows, at least 1. */
  readonly height: number;
  /** Every step-th pixel from the first on; 1 by default. */
  readonly step?: number;
  /**
   * The normal of the slice, in a volume: `"z"` (default; columns along x, rows along y), `"y"` (columns along x, rows along z) or
   * `"x"` (columns along y, rows along z).
   */
  readonly axis?: "x" | "y" | "z";
}

/** Maximal horizontal runs: run i covers pixels [begin[i], end[i]) of row[i], and row y of slice z is z * height + y. */
export interface Runs {
  readonly count: number;
  readonly row: Uint32Array;
  readonly begin: Uint32Array;
  readonly end: Uint32Array;
  readonly label: Uint32Array;
  /** The size of the image or volume. */
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  /** In raster order only: the runs of row y are those from rows[y] up to rows[y + 1]. */
  readonly rows?: Uint32Array;
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
  /**
   * The value of the object's first pixel, one entry per channel, in the raster's type; there when the components were
   * found `by` value, whose pixels all have it, or tolerance.
   */
  readonly value?: PixelArray;
  /** Pixels; in physical units a Float64Array. */
  readonly area?: Uint32Array | Float64Array;
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
  readonly surfaceArea?: Float64Array;
  readonly eulerNumber?: Int32Array;
  readonly min?: Float64Array;
  readonly max?: Float64Array;
  readonly sum?: BigInt64Array | Float64Array;
  readonly mean?: Float64Array;
  readonly std?: Float64Array;
  readonly weightedCentroid?: Float64Array;
  readonly contrast?: Float64Array;
  /** With `inscribed`: the radius of the largest circle or sphere around a pixel's centre that holds no background. */
  readonly inscribedRadius?: Float64Array;
  /** With `inscribed`: x, y (z) of that pixel, the first in raster order of equal ones. */
  readonly inscribedCentre?: Float64Array;
}

/**
 * What `regions()` can measure. Definitions match scikit-image's `regionprops` where it has the property;
 * pixels are points at integer coordinates, coordinates are (x, y), of volumes (x, y, z).
 *
 * - `area`: pixels.
 * - `bounds`: x0, y0, x1, y1 per object, half-open; of volumes x0, y0, z0, x1, y1, z1.
 * - `centroid`: mean x, mean y per object; of volumes mean z, too.
 * - `rawMoments`: exact sums of x, y, x x, x y, y y per object (five entries each); of volumes of
 *   x, y, z, x x, x y, x z, y y, y z, z z (nine).
 * - `secondMoments`: central sums of (x - mean)^2, (x - mean)(y - mean), (y - mean)^2 per object,
 *   `moments_central` [0,2], [1,1], [2,0] in scikit-image; of volumes of xx, xy, xz, yy, yz, zz.
 * - `majorAxis`, `minorAxis`: lengths of the longest and the shortest axis of the ellipse, of volumes of the ellipsoid,
 *   with the same second moments.
 * - `orientation` (images only): angle between the y axis and the major axis, -pi/2 to pi/2, as in scikit-image (whose
 *   releases differ in the sign of exactly 45 degrees; here y growing with x is positive; pi/4 for a circle).
 * - `eccentricity` (images only): of that ellipse, 0 (circle) up to 1.
 * - `extent`: area over the area of the box.
 * - `equivalentDiameter`: diameter of the circle of the same area, of volumes of the sphere.
 * - `perimeter` (images only): number of pixel edges between the object and anything else, the image border included.
 *   scikit-image's `perimeter` estimates a curve length instead.
 * - `surfaceArea` (volumes only): number of voxel faces between the object and anything else, the volume's border
 *   included.
 * - `eulerNumber`: 1 minus the number of holes, of volumes 1 minus tunnels plus cavities, under the connectivity the
 *   components were found with; scikit-image's `regionprops` always uses 8, or 26, for the object. With 18, voxels that
 *   share nothing but a corner do not touch.
 * - with `intensity` (colour is reduced to luma; pixels that are NaN or `nodata` are left out, and of an object without
 *   any other all but the `sum`, 0, are NaN): `min`, `max`, `sum` (exact for integers), `mean`, `std` (of the population), `weightedCentroid` (NaN where the sum is 0), and `contrast`: the mean of the
 *   object minus the mean of the background pixels across its boundary edges, each edge counted once; edges
 *   towards the image border or another object do not count; NaN where none is left.
 *
 * With `physical`, `area`, `centroid`, `secondMoments`, the axes, `orientation`, `eccentricity`, `equivalentDiameter`,
 * `perimeter`, `surfaceArea` and `weightedCentroid` are in units of `spacing`; what counts pixels (`bounds`,
 * `rawMoments`, `extent`, `eulerNumber`) stays as it is.
 */
export type RegionProperty = Exclude<
  keyof Regions,
  "count" | "class" | "value" | "inscribedRadius" | "inscribedCentre"
>;

/** Objects that touch: row i says that objects `first[i]` < `second[i]` share `faces[i]` pixel edges or voxel faces. */
export interface Contacts {
  readonly count: number;
  readonly first: Uint32Array;
  readonly second: Uint32Array;
  readonly faces: Float64Array;
}

/** Neighbours of a pixel: 4 or 8 in images; 6, 18 or 26 in volumes, those that share a face, an edge, a corner. */
export type Connectivity = 4 | 8 | 6 | 18 | 26;

/** How pixels are told from background; see {@link ComponentsOptions}. */
export type Threshold =
  | "nonzero"
  | "otsu"
  | { readonly above: number }
  | { readonly below: number }
  | { readonly between: readonly [number, number] }
  | { readonly outside: readonly [number, number] };

/** A channel of a raster, by name or by number from 0; `"luma"` is Rec. 601, (77 r + 150 g + 29 b + 128) >> 8. */
export type ChannelName = "luma" | "red" | "green" | "blue" | "alpha" | number;

/** Options of `engine.histogram()`. */
export interface HistogramOptions extends CallOptions {
  /** Equal bins from the smallest to the largest value, 1 to 65 536; levels by themselves, or 256 bins, by default. */
  readonly bins?: number;
}

/** How many pixels have which value; colour is reduced to luma, and NaN, infinities and `nodata` are left out. */
export interface Histogram {
  /** Pixels per bin. */
  readonly counts: Float64Array;
  /** One more than there are bins: bin i holds edges[i] <= v < edges[i + 1], the last one its upper edge too where bins hold several levels. */
  readonly edges: Float64Array;
  /** Otsu's threshold, as `components({ threshold: "otsu" })` takes it, whatever the bins. */
  readonly otsu: number;
  /** The smallest and the largest finite value. */
  readonly min: number;
  readonly max: number;
}

/** Passed by `onProgress`: `done` of `total` bands of a stage are through. */
export interface Progress {
  readonly stage: string;
  readonly done: number;
  readonly total: number;
  /** The part of the whole call that is through, 0 to 1: never falling, from the share of the time that stages take as a rule. */
  readonly fraction: number;
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

/** Options of `components.keep()`: one of the two. */
export interface KeepOptions extends CallOptions {
  /**
   * The k largest objects of each value, of each class, or of all where there is but one; at equal area the lower label
   * stays.
   */
  readonly perValue?: number;
  /** These objects. */
  readonly labels?: Iterable<number>;
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
  /**
   * Instead of a threshold, for label images, class maps and the like: neighbours join when their values are equal
   * (`"value"`), or when they differ by at most `tolerance` in every channel, alpha included.
   */
  readonly by?: "value" | { readonly tolerance: number };
  /** With `by`: pixels of this value (one number, or one per channel) belong to no object; 0 by default, null for none. */
  readonly background?: number | readonly number[] | null;
  /** Neighbours: 4 (default) or 8; in volumes 6 (default), 18 or 26. */
  readonly connectivity?: Connectivity;
  /**
   * A fence: pixels outside are background. It is no border of the image for `fillHoles` and `clearBorder`, and leaves automatic
   * thresholds as they are. On the GPU the CPU packs the pixels then.
   */
  readonly within?: Mask;
  /** Bytes that the call and what the engine holds already may take on the CPU; a limit that is too low is refused. */
  readonly memory?: number;
}

/** How far apart two colours are: the largest difference of a channel, the sum of all, or the Euclidean distance. */
export type ColourMetric = "linf" | "l1" | "l2";

/** Coordinates of a pixel: x, y, and z in a volume. */
export type Place = readonly [number, number] | readonly [number, number, number];

/** Options of `engine.fill()`. */
export interface FillOptions extends CallOptions {
  /**
   * Where to begin: one or more [x, y], in volumes [x, y, z]. Each fills against its own colour; the result is what they
   * reach together.
   */
  readonly seeds: readonly Place[];
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
  /** Neighbours: 4 (default) or 8; in volumes 6 (default), 18 or 26. */
  readonly connectivity?: Connectivity;
  /**
   * The seed's colour is the mean of the n x n (x n) window around it, n odd (1 by default), cut at the border and rounded to
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
  /** 1 (default) replaces, 0 leaves all as it was, between them colours are blended; of coats without one of their own. */
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
  /**
   * Also the largest circle or sphere in each object, from the distance map of the background, beyond the border
   * included: 4 to 8 bytes per pixel for its time. Unsupported for components found by value or tolerance.
   */
  readonly inscribed?: boolean;
  /** Lengths, areas and volumes in units of the components' `spacing` instead of pixels; see {@link RegionProperty}. */
  readonly physical?: boolean;
}

/** What the nearest pixel is: by the straight line, the sum of the steps along the axes, or the largest of them. */
export type DistanceMetric = "euclidean" | "cityblock" | "chessboard";

/** Pixels by their coordinates, in an image or a volume of a size. */
export interface Points {
  /** Whole [x, y], or [x, y, z]. */
  readonly points: readonly Place[];
  readonly width: number;
  readonly height: number;
  /** 1 by default. */
  readonly depth?: number;
  /** The size of a pixel, 1 along each axis by default. */
  readonly spacing?: Spacing;
}

/** Options of `engine.distance()`. */
export interface DistanceOptions extends CallOptions {
  /** Of a raster: which pixels are foreground, as for `components()`; `"nonzero"` by default. */
  readonly threshold?: Exclude<Threshold, { readonly outside: readonly [number, number] }>;
  /** With `"otsu"`: `"bright"` (default) or `"dark"`. */
  readonly polarity?: "bright" | "dark";
  /** To the nearest pixel of the foreground (default), or of its surface: those with background beside them along an axis. */
  readonly to?: "foreground" | "surface";
  /** Exact up to this distance, in units of spacing, and no further; Infinity by default. */
  readonly max?: number;
  /**
   * What pixels beyond `max` get: `"infinity"` (default); `"clamp"`: `max`; `"coarse"`: a distance between those of an exact map
   * at every eighth pixel along each axis, at least `max`, off by at most half the diagonal of eight pixels.
   */
  readonly beyond?: "infinity" | "clamp" | "coarse";
  /** The size of a pixel; the target's by default. */
  readonly spacing?: Spacing;
  /**
   * Squared distances, as whole numbers of `unit` squared: Uint32, 0xffffffff beyond `max`. Only where all sides of a
   * pixel are whole multiples of one unit, and refused where they could pass 2^30.
   */
  readonly squared?: boolean;
  /** Outside objects the distance to them, inside minus the distance to the background. */
  readonly signed?: boolean;
  /**
   * Also where the nearest pixel is: `x + width * (y + height * z)`, the lowest of those equally near, 0xffffffff for none within
   * `max`. Into a new array with `true`, or into one of the caller's or a Sink.
   */
  readonly nearest?: boolean | Uint32Array | Sink;
  readonly metric?: DistanceMetric;
  /**
   * Where to: a Float32Array, with `squared` a Uint32Array or, where `max` is at most 255 units, a Uint16Array (0xffff
   * beyond); or a Sink, which gets Float32Arrays, or Uint32Arrays with `squared`.
   */
  readonly into?: Float32Array | Uint32Array | Uint16Array | Sink<Float32Array> | Sink<Uint32Array>;
  /** `"buffer"` leaves the map on the GPU, in a new GPUBuffer of 4 bytes per pixel that is the caller's to destroy. */
  readonly as?: "buffer";
  /**
   * Bytes that the call and what the engine holds already may take, without `into`; what does not fit goes through a
   * temporary file. Without it a call takes what it needs, up to 4 GiB.
   */
  readonly memory?: number;
}

/** How close a map's site comes to each object, entry i for label i + 1. */
export interface Closest {
  readonly count: number;
  /** The smallest value of the map on the object. */
  readonly distance: Float64Array;
  /** x, y, of volumes z: the first pixel in raster order that has it. */
  readonly where: Uint32Array;
}

/** Options of `engine.kmeans()`. */
export interface KmeansOptions extends CallOptions {
  /** Classes, 1 to 256; with `ignoreTransparent` at most 255. May be left out where `init` gives the colours. */
  readonly k?: number;
  /**
   * What is made small. `"l2"` (default): squared distances, and a centre is the mean. `"l1"`: sums of absolute
   * differences, and a centre is the lower median of each channel. `"l1-mean"`: colours go where `"l1"` sends them, but a centre is
   * the mean, so that what is made small may rise.
   */
  readonly metric?: "l2" | "l1" | "l1-mean";
  /**
   * Where the centres begin: `"kmeans++"` (default), greedy, of 2 + log k draws each; `"random"`: different colours of the
   * image; `"grid"`: middles of the cells of an even grid over the box of all colours; or colours: a list of one per
   * class with 3 numbers (1 in grey images) of 0 to 255, or a Uint8Array of them like a palette.
   */
  readonly init?: "kmeans++" | "random" | "grid" | readonly (readonly number[])[] | Uint8Array | Uint8ClampedArray;
  /** Whole, 0 (default) to 2^32 - 1: the same seed draws the same centres on every device. */
  readonly seed?: number;
  /** 100 by default; 0 only classifies by the centres to begin with. */
  readonly maxIterations?: number;
  /** Ends once no centre moves further, by the metric's distance in units of the space; 0 (default): once nothing moves. */
  readonly tolerance?: number;
  /** Where distances are measured: `"rgb"` (default), the values as they are, or `"oklab"`, as the eye sees them. */
  readonly space?: "rgb" | "oklab";
  /** How often to begin anew by chance; what costs least stays. 1 by default. */
  readonly restarts?: number;
  /** Pixels of alpha 0 belong to no class, and are 255. False by default: alpha is ignored. */
  readonly ignoreTransparent?: boolean;
  /** Where the classes go: a Uint8Array of one per pixel, or a Sink. */
  readonly into?: Uint8Array | Sink<Uint8Array>;
}

/** Options of `engine.pickK()`: those of `kmeans()`, for every number of classes alike. */
export interface PickKOptions extends Omit<KmeansOptions, "k" | "into" | "init"> {
  /** The most classes to try: 2 to 256; 12 by default. */
  readonly max?: number;
  readonly init?: "kmeans++" | "random" | "grid";
}

/** The classes of an image's colours, the one of the most pixels first. */
export interface Classes {
  /** How many there are: fewer than were asked for where the image has fewer colours; those without pixels are left out. */
  readonly k: number;
  /** The classes' colours, rounded: 3 bytes each, or 1 in grey images. */
  readonly palette: Uint8Array;
  /** The centres themselves, 3 numbers each (1 in grey images, unless in Oklab): channels of 0 to 255 in steps of 1/128, or L, a and b. */
  readonly centres: Float64Array;
  /** Pixels per class, in descending order. */
  readonly counts: Uint32Array;
  /** Pixels of alpha 0 that were left out. */
  readonly transparent: number;
  /** How often all colours were assigned and the centres moved. */
  readonly iterations: number;
  /** What was made small, over all pixels, with the centres before they are rounded for the palette. */
  readonly inertia: number;
  /** Whether the centres came to rest, rather than that `maxIterations` were over. */
  readonly converged: boolean;
}

/** An image in classes: a Raster of one byte per pixel, the number of its class; 255 where it was left out. */
export interface Segmentation extends Classes, Raster {
  readonly data: Uint8Array;
  readonly depth: number;
  readonly channels: 1;
  readonly spacing: readonly [number, number, number];
}

/** What `engine.pickK()` found. */
export interface PickedK {
  /** The suggested number of classes: the one of the largest silhouette. */
  readonly k: number;
  /** What was tried: 2, 3, ... */
  readonly candidates: readonly number[];
  /** The inertia with each. */
  readonly inertia: Float64Array;
  /** The simplified silhouette with each, 0 to 1: how much nearer the own centre is than the next one, on average. */
  readonly silhouette: Float64Array;
}

/** Options of `recolour()`. */
export interface RecolourOptions {
  /** RGBA, as canvases take it; by default only where pixels were left out, which then are of alpha 0. */
  readonly alpha?: boolean;
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

/** Options of `open()`. */
export interface OpenOptions {
  /**
   * - `"auto"` (default): a hardware GPU for what is done sooner there, the CPU for the rest. Images of the host
   *   go to the GPU from 1 Mpx on; what is resident is worked on where it is.
   * - `"gpu"`: the GPU, even one in software; rejects with Unsupported where there is none. In Node the package
   *   `webgpu` must be installed.
   * - `"cpu"`: WebAssembly.
   */
  readonly device?: "auto" | "cpu" | "gpu";
  /**
   * A GPU to ask for an adapter, or a device to work on, e.g. the one a page draws with; `engine.load()` then takes its
   * buffers and textures. A device stays the caller's: `close()` leaves it alone.
   */
  readonly gpu?: GPU | GPUDevice;
  /** The largest piece of GPU memory bound at once, in bytes, at least 64 KiB; the device's limit by default. */
  readonly bindingBytes?: number;
  /** Times every stage on the GPU, too, for `engine.timings`; costs a read-back per call. False by default. */
  readonly profile?: boolean;
  /** Worker threads, 1 to 64; the cores the process may use, at most 8, by default. */
  readonly threads?: number;
  /**
   * Starts a worker from `skerry/worker`, for sites whose content security policy forbids Blob URLs:
   * `() => new Worker(new URL("skerry/worker", import.meta.url))`.
   */
  readonly worker?: () => unknown;
  /**
   * `false` runs one worker over memory of its own, as happens anyway where there is no SharedArrayBuffer
   * (pages that are not cross-origin isolated).
   */
  readonly shared?: boolean;
  /**
   * Whether the CPU computes small images on the calling thread, which they hold for a few milliseconds at most, instead of
   * sending messages that take longer; default `true`. `false` leaves everything to the workers. Without
   * SharedArrayBuffer it is always so.
   */
  readonly mainThread?: boolean;
}

/// <reference lib="esnext.disposable" preserve="true" />

// The records that users hold: plain objects with typed arrays. Coordinates are in pixels: x to the right, y down, z
// from slice to slice. The centre of the first pixel is (0, 0, 0). Boxes and runs are half-open.

import type { GpuBuffer, GpuDevice, GpuInstance, GpuTexture, Signal } from "./platform.js";

/** The array of each pixel type. */
export interface PixelArrays {
  u8: Uint8Array;
  u16: Uint16Array;
  i16: Int16Array;
  u32: Uint32Array;
  i32: Int32Array;
  f32: Float32Array;
}

/** Values of a distance map: distances, or squares of 32 or 16 bits. */
export type DistanceArray = Float32Array | Uint32Array | Uint16Array;

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
  /**
   * Number of slices, 1 by default. A raster of several slices is a volume; its connectivity is 6, 18 or 26. A raster that
   * states `depth: 1` takes these, too: in its one slice 6 neighbours are 4, and 18 or 26 are 8.
   */
  readonly depth?: number;
  /** 1, 3 (RGB) or 4 (RGBA, alpha is ignored); inferred from the data's length when left out. */
  readonly channels?: number;
  /** The size of a pixel, 1 along each axis by default. */
  readonly spacing?: Spacing;
  /**
   * The value of pixels that were not measured, rounded to the type. Only rasters of one channel can have it. Such a
   * pixel is treated like NaN: it is background, matches nothing in fills, and does not count in thresholds and
   * intensities.
   */
  readonly nodata?: number;
}

/** A raster in device memory, from `engine.load()`. Many calls can use it without another copy. */
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
      /**
       * A buffer of usage STORAGE. Rows are tightly packed from byte `offset` on, a multiple of 4. It must not change
       * while in use.
       */
      readonly buffer: GpuBuffer;
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
      /**
       * A 2-D texture of usage COPY_SRC, which is copied. Its format is r8unorm, r8uint, rgba8unorm(-srgb), rgba8uint,
       * r16uint, r16sint or r32float.
       */
      readonly texture: GpuTexture;
    };

/** A raster that does not fit in memory. The engine reads rows when it needs them, in any order. */
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
   * Reads rows [y0, y1) of slices [z0, z1) into `into`: whole slices, or rows of one slice. The engine makes one read
   * at a time. A rejected read rejects the call.
   */
  read(
    z0: number,
    z1: number,
    y0: number,
    y1: number,
    into: PixelArray,
    options: { signal?: Signal },
  ): void | Promise<void>;
}

/**
 * Receives a result in bands, one write at a time, in order from the top of the first slice. A band is rows [y0, y1) of
 * slices [z0, z1): whole slices, or rows of one slice. `data` is reused after the write settles. Labels are a
 * Uint32Array.
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
 * A cut-out of a result, e.g. for display, in the plane normal to `axis`. Output pixel (i, j) lies i and j times `step`
 * pixels from x, y (and z). Pixels outside the image are background.
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
   * In a volume, the normal of the slice:
   *
   * - `"z"` (default): columns along x, rows along y.
   * - `"y"`: columns along x, rows along z.
   * - `"x"`: columns along y, rows along z.
   */
  readonly axis?: "x" | "y" | "z";
}

/**
 * Maximal horizontal runs: run i covers pixels [begin[i], end[i]) of row[i], and row y of slice z is z * height + y. In components by
 * tolerance a run also ends between two neighbours of one object that differ by more than the tolerance.
 */
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
 * Measurements, with one entry per object: entry i is for label i + 1. Only requested properties are present;
 * {@link RegionProperty} defines them.
 */
export interface Regions {
  readonly count: number;
  /** 1 bright, 2 dark; there when the components were found with `{ outside }`. */
  readonly class?: Uint8Array;
  /**
   * The value of the object's first pixel, one entry per channel, in the raster's type. Present if the components were
   * found `by` value or tolerance, or are those of a label image. With `by: "value"` all pixels of the object have it.
   */
  readonly value?: PixelArray;
  /** In pixels a Uint32Array, in physical units a Float64Array. */
  readonly area?: Uint32Array | Float64Array;
  readonly bounds?: Uint32Array;
  readonly centroid?: Float64Array;
  readonly rawMoments?: BigInt64Array;
  readonly secondMoments?: Float64Array;
  readonly majorAxis?: Float64Array;
  readonly minorAxis?: Float64Array;
  readonly orientation?: Float64Array;
  readonly eccentricity?: Float64Array;
  readonly principalAxes?: Float64Array;
  readonly extent?: Float64Array;
  readonly equivalentDiameter?: Float64Array;
  readonly edges?: Float64Array;
  readonly perimeter?: Float64Array;
  readonly crofton?: Float64Array;
  readonly circularity?: Float64Array;
  readonly surfaceArea?: Float64Array;
  readonly eulerNumber?: Int32Array;
  readonly holes?: Uint32Array;
  readonly convexArea?: Float64Array;
  readonly convexVolume?: Float64Array;
  readonly solidity?: Float64Array;
  readonly feretDiameter?: Float64Array;
  readonly minimumRectangle?: Float64Array;
  readonly inscribed?: Float64Array;
  readonly convexHull?: ConvexHulls;
  readonly min?: Float64Array;
  readonly max?: Float64Array;
  readonly sum?: BigInt64Array | Float64Array;
  readonly mean?: Float64Array;
  readonly std?: Float64Array;
  readonly weightedCentroid?: Float64Array;
  readonly contrast?: Float64Array;
  readonly median?: Float64Array;
  readonly quantiles?: Float64Array;
  readonly histogram?: ObjectHistograms;
}

/** The convex hull of each object: x and y of its corners in turn, those of object i from `offsets[i]` up to `offsets[i + 1]`. */
export interface ConvexHulls {
  /** In pixels an Int32Array, in physical units a Float64Array. */
  readonly points: Int32Array | Float64Array;
  readonly offsets: Uint32Array;
}

/** Histograms of the values under each object. */
export interface ObjectHistograms {
  /** Pixels per bin: all bins of the first object, then those of the second, and so on; with several channels, channel by channel. */
  readonly counts: Uint32Array;
  /** The edges of the bins, one more than there are bins; with several channels, the edges of each in turn. The last bin is closed. */
  readonly edges: Float64Array;
}

/**
 * The properties that `regions()` can measure. Definitions match scikit-image's `regionprops` where it has the
 * property, unless a difference is stated. Pixels are points at integer coordinates (x, y), in volumes (x, y, z). Only
 * `bounds`, `convexHull` and `minimumRectangle` use the coordinates of pixel corners, like `outlines()`: pixel (x, y) is
 * the square from (x, y) to (x + 1, y + 1). An angle lies between the y axis and a line. It is positive if y grows with x, and
 * more than -pi/2 up to pi/2.
 *
 * - `area`: number of pixels.
 * - `bounds`: x0, y0, x1, y1 per object, half-open; in volumes x0, y0, z0, x1, y1, z1.
 * - `centroid`: mean x and mean y per object; in volumes also mean z.
 * - `rawMoments`: exact sums of x, y, x x, x y, y y per object (five entries each). In volumes the sums are of x, y, z,
 *   x x, x y, x z, y y, y z, z z (nine entries each).
 * - `secondMoments`: central sums of (x - mean)^2, (x - mean)(y - mean), (y - mean)^2 per object. In scikit-image these
 *   are `moments_central` [0,2], [1,1], [2,0]. In volumes the sums are of xx, xy, xz, yy, yz, zz.
 * - `majorAxis`, `minorAxis`: lengths of the longest and the shortest axis of the ellipse with the same second moments;
 *   in volumes of the ellipsoid.
 * - `orientation` (images only): angle of the major axis, as in scikit-image. It is pi/4 for a circle. scikit-image's
 *   releases differ in the sign of exactly 45 degrees.
 * - `eccentricity` (images only): eccentricity of that ellipse, from 0 (circle) up to 1.
 * - `principalAxes` (volumes only): length and direction x, y, z of each axis of that ellipsoid, the longest first (twelve
 *   entries). A direction has length 1, and its component of the largest magnitude is positive.
 * - `extent`: area divided by the area of the bounding box.
 * - `equivalentDiameter`: diameter of the circle of the same area; in volumes of the sphere.
 * - `edges` (images only): number of pixel edges between the object and anything else, the image border included.
 * - `perimeter` (images only): length of the line through the centres of the border pixels, by their neighbours (Benkrid and
 *   Crookes 2000); 0 for one pixel. Pixels must be square with `physical`.
 * - `crofton` (images only): length of the contour by its crossings with lines in four directions (Crofton's formula), as
 *   scikit-image's `perimeter_crofton`. Pixels must be square with `physical`.
 * - `circularity` (images only): 4 pi area / perimeter^2, about 1 for a disc. It is not clipped: small objects may have more
 *   than 1. It is NaN if the perimeter is 0. Pixels must be square with `physical`. scikit-image has none.
 * - `surfaceArea` (volumes only): number of voxel faces between the object and anything else, the volume's border
 *   included.
 * - `eulerNumber`: 1 minus the number of holes; in volumes 1 minus tunnels plus cavities. It uses the connectivity of
 *   the components; scikit-image's `regionprops` always uses 8, or 26, for the object. With 18, voxels that share only
 *   a corner do not touch.
 * - `holes` (images only): number of areas that the object encloses. Pixels of an area have 4 neighbours if the object's
 *   connectivity is 8, and 8 if it is 4. Other objects count as part of an area.
 * - `convexArea` (images only), `convexVolume` (volumes only): number of pixels whose centres lie within the convex hull, or on it.
 *   The hull goes through the middles of pixels' sides, as that of scikit-image's `area_convex`. Exact.
 * - `solidity`: area divided by `convexArea`, or by `convexVolume`.
 * - `feretDiameter` (Feret's diameters): the largest and the smallest distance between two parallel lines that enclose the
 *   object, each with the angle at which it is measured: largest, angle, smallest, angle (four entries). The object stands for
 *   the pixels that `convexArea` counts, between the middles of their sides, so the largest equals scikit-image's
 *   `feret_diameter_max`. In volumes the entries are the largest and its direction x, y, z.
 * - `minimumRectangle` (images only): the rectangle of the smallest area around the object's pixels: centre x and y, length,
 *   width, and the angle of the length (five entries). OpenCV's `minAreaRect` goes through pixel centres instead.
 * - `inscribed`: radius and centre x, y (and z) of the largest circle or sphere around a pixel's centre that contains no
 *   background. Pixels beyond the border are background. If several are equal, the first in raster order is returned. The
 *   distance map of the background takes 4 to 8 bytes per pixel. Unsupported for objects that may touch.
 * - `convexHull` (images only): corners of the convex hull of the pixels' squares. It begins at the top left, and its shoelace
 *   area is positive, like that of outlines.
 * - with `intensity`: `min`, `max`, `sum` (exact for integers), `mean`, `std` (of the population), `weightedCentroid`
 *   (NaN if the sum is 0) and `contrast`. Colour is reduced to luma unless `perChannel` is set. Pixels that are NaN or `nodata`
 *   are left out. An object without any other pixel has `sum` 0 and NaN for the rest.
 * - `contrast`: mean of the object minus the mean of the background pixels across its boundary edges, each edge counted
 *   once. Edges towards the image border or another object do not count. It is NaN if no edge is left.
 * - `median`, `quantiles`: exact, as `numpy.quantile` with linear interpolation; between a number and an infinity that infinity,
 *   as `numpy.median`, and between opposite infinities NaN. `histogram`: pixels per bin; infinite values
 *   are in no bin. All three hold the raster's pixels in memory. 32-bit types take 8 bytes more per pixel of the largest object.
 *
 * With `physical`, lengths, areas, volumes and places are in units of `spacing`, and `orientation`, `eccentricity` and other angles
 * and ratios follow from these. `bounds`, `rawMoments`, `extent`, `eulerNumber`, `holes` and intensities do not change.
 */
export type RegionProperty = Exclude<keyof Regions, "count" | "class" | "value">;

/** Properties with a fixed number of values per object. */
export type ObjectProperty = Exclude<RegionProperty, "convexHull" | "histogram">;

/** Objects that touch. Entry i: objects `first[i]` < `second[i]` share `faces[i]` pixel edges or voxel faces. */
export interface Contacts {
  readonly count: number;
  readonly first: Uint32Array;
  readonly second: Uint32Array;
  readonly faces: Float64Array;
}

/** Options of `components.outlines()`. */
export interface OutlineOptions extends CallOptions {
  /** The objects that are outlined; all by default. */
  readonly labels?: Iterable<number>;
  /**
   * The largest distance, in pixels, of a left-out corner from the simplified line (Douglas and Peucker). Borders that two objects
   * share stay shared, rings of one object never cross, and each keeps an area. 0 by default: exact.
   */
  readonly tolerance?: number;
  /**
   * Rings that touch themselves in a corner: `"exact"` (default) leaves one ring per border. `"simple"` cuts them, so that no ring
   * comes to a corner twice and every polygon is valid (OGC Simple Features): under 4 neighbours a cut-off pocket becomes a hole
   * that touches the ring, under 8 parts that touch by a corner become polygons of their own.
   */
  readonly rings?: "exact" | "simple";
}

/** Outlines of objects: closed polygons on the corners of pixels. */
export interface Outlines {
  /** Rings. */
  readonly count: number;
  /** x and y of all corners in turn: ring i is `points.subarray(rings[i], rings[i + 1])`, without the first corner again. */
  readonly points: Int32Array;
  /** Where each ring begins in `points`, and where the last one ends. */
  readonly rings: Uint32Array;
  /** The label of each ring's object. */
  readonly label: Uint32Array;
  /** 1 for rings around holes. */
  readonly hole: Uint8Array;
  /** The ring around each hole; a ring that is no hole has its own number. */
  readonly outer: Uint32Array;
}

/**
 * Number of neighbours of a pixel: 4 or 8 in images; 6, 18 or 26 in volumes. The neighbours in a volume share a face
 * (6), a face or an edge (18), or also a corner (26).
 */
export type Connectivity = 4 | 8 | 6 | 18 | 26;

/** Thresholds that are chosen from the histogram. */
export type AutomaticThreshold = "otsu" | "li" | "triangle";

/** How pixels are told from background; see {@link ComponentsOptions}. */
export type Threshold =
  | "nonzero"
  | AutomaticThreshold
  | { readonly above: number }
  | { readonly below: number }
  | { readonly between: readonly [number, number] }
  | { readonly outside: readonly [number, number] }
  | { readonly hysteresis: readonly [number, number] }
  | LocalThreshold;

/**
 * A threshold for each pixel, from the (2 radius + 1)^2 pixels around it, in volumes ^3; u8, u16 and i16. Window sums are
 * exact.
 *
 * - `"mean"` (default): bright is v > mean - offset. Windows are mirrored at the border with its pixels, as in
 *   scikit-image's `threshold_local`.
 * - `"sauvola"` (Sauvola and Pietikäinen 2000): bright is v > mean (1 + k (s / r - 1)) for the standard deviation s. k is
 *   0.2 by default, in steps of 2^-20; r is half of the type's range, 128 for u8. Windows are mirrored without the border's
 *   own pixels, as in scikit-image's `threshold_sauvola`.
 */
export interface LocalThreshold {
  readonly local:
    | { readonly radius: number; readonly method?: "mean"; readonly offset?: number }
    | { readonly radius: number; readonly method: "sauvola"; readonly k?: number; readonly r?: number };
}

/**
 * A channel of a raster, by name or by number from 0. `"luma"` is Rec. 601, (77 r + 150 g + 29 b + 128) >> 8. The stains
 * `"hematoxylin"`, `"eosin"` and `"dab"` are amounts as in `engine.unmix()`.
 */
export type ChannelName = "luma" | "red" | "green" | "blue" | "alpha" | "hematoxylin" | "eosin" | "dab" | number;

/** Options of `engine.smooth()`. */
export interface SmoothOptions extends CallOptions {
  /** Standard deviation of the Gaussian, in pixels: one number, or one per axis (x, y, z). 0 leaves an axis as it is. */
  readonly sigma: number | readonly [number, number] | readonly [number, number, number];
  /** `sigma` is in units of the spacing. */
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

/** Options of `engine.histogram()`. */
export interface HistogramOptions extends CallOptions {
  /**
   * Number of equal bins from the smallest to the largest value, 1 to 65 536. By default there is one bin per level, or
   * 256 bins for values without exact levels.
   */
  readonly bins?: number;
  /** Pixels outside this mask are not counted. With a GPU, the CPU counts the pixels of such a call. */
  readonly within?: Mask;
}

/** Number of pixels per value. Colour is reduced to luma. NaN, infinities and `nodata` are left out. */
export interface Histogram {
  /** Pixels per bin. */
  readonly counts: Float64Array;
  /**
   * One more entry than there are bins: bin i holds edges[i] <= v < edges[i + 1]. If bins hold several levels, the last
   * bin includes its upper edge.
   */
  readonly edges: Float64Array;
  /** Otsu's threshold, the same as in `components({ threshold: "otsu" })`. It does not depend on `bins`. */
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
  /**
   * Fraction of the whole call that is done, 0 to 1. It never decreases. Each stage counts with its usual share of the
   * time.
   */
  readonly fraction: number;
}

/** Options every call takes. */
export interface CallOptions {
  /** Aborts the call between two bands; the promise rejects with the signal's reason. */
  readonly signal?: Signal;
  /** Called between bands. */
  readonly onProgress?: (progress: Progress) => void;
}

/** Which objects stay. Applied in this order: holes, border, area, largest. */
export interface FilterOptions {
  /**
   * Fill background components (of the complementary connectivity) that do not touch the image border. `"slices"` (or
   * `"z"`), `"x"` and `"y"` fill the holes of each slice across that axis instead, as images; the CPU does this, and
   * objects of two polarities are taken together.
   */
  readonly fillHoles?: boolean | "slices" | "x" | "y" | "z";
  /** With `fillHoles`: holes of more pixels stay open. */
  readonly maxHoleArea?: number;
  /** Drop objects that touch the image border. */
  readonly clearBorder?: boolean;
  /** Drop objects of fewer pixels. */
  readonly minArea?: number;
  /** Drop objects of more pixels. */
  readonly maxArea?: number;
  /** Keep the k largest objects; at equal area the lower label stays. */
  readonly largest?: number;
}

/** Options of `components.dilate()`, `erode()`, `open()` and `close()`. */
export interface MorphologyOptions extends CallOptions {
  /** The radius is in units of the spacing instead of pixels. */
  readonly physical?: boolean;
  /** `"euclidean"` (default): a ball; `"cityblock"`: a diamond; `"chessboard"`: a square or cube. */
  readonly metric?: DistanceMetric;
  /**
   * `"background"` (default): all beyond the border is background. `"extend"`: the border's pixels are repeated outwards,
   * so that an erosion does not begin there.
   */
  readonly border?: "background" | "extend";
}

/** Options of `components.split()`. */
export interface SplitOptions extends CallOptions {
  /**
   * Heights whose peaks are the objects: `"distance"` (default), the Euclidean distance to the background, or the values of a
   * raster of the same size.
   */
  readonly by?: "distance" | Raster | Image;
  /**
   * Least height of a peak above the saddle to a higher one; lower peaks belong to that. 1 by default, in pixels of distance,
   * or in values of the raster. Without `markers` alone.
   */
  readonly h?: number;
  /**
   * One part per marker instead: a label image (0 elsewhere), or points. An object without a marker stays in one part, and a
   * marker that lies in two objects makes a part in each.
   */
  readonly markers?: Raster | Image | Points;
  /** Distances and `h` are in units of the spacing instead of pixels. */
  readonly physical?: boolean;
  /** Parts of fewer pixels go back to the neighbour of the object with which they share the most faces; 0 by default. */
  readonly minArea?: number;
}

/** Options of `components.absorb()`. */
export interface AbsorbOptions extends CallOptions {
  /** Areas of fewer pixels are given to a neighbour. */
  readonly minArea: number;
  /** To the neighbour with the longest common border (`"border"`, default) or to the largest one (`"largest"`, as GDAL's sieve). */
  readonly into?: "border" | "largest";
}

/** Options of `engine.watershed()`. */
export interface WatershedOptions extends CallOptions {
  /** Where basins begin: a label image (0 elsewhere), or points, which are numbered in their order. */
  readonly markers: Raster | Image | Points;
  /** Pixels outside this mask belong to no basin. */
  readonly within?: Mask;
  /** `"bright"` (default): basins are around peaks; `"dark"`: around hollows, as in scikit-image. */
  readonly polarity?: "bright" | "dark";
  /** Neighbours: 4 (default) or 8; in volumes 6 (default), 18 or 26. */
  readonly connectivity?: Connectivity;
}

/** Options of `components.expand()`. */
export interface ExpandOptions extends CallOptions {
  /** The distance is in units of the spacing instead of pixels. */
  readonly physical?: boolean;
}

/** Options of `components.keep()`: exactly one of `perValue` and `labels`; see also {@link KeepWhereOptions}. */
export interface KeepOptions extends CallOptions {
  readonly properties?: undefined;
  readonly where?: undefined;
  /**
   * Keeps the k largest objects of each value or class; without values and classes, the k largest of all. At equal area
   * the lower label stays.
   */
  readonly perValue?: number;
  /** Keeps the objects with these labels. */
  readonly labels?: Iterable<number>;
}

/** Properties of one object: a number each, or several of those that have several, e.g. `centroid`. */
export type ObjectProperties<P extends ObjectProperty> = {
  readonly [K in P]: K extends
    | ("bounds" | "centroid" | "rawMoments" | "secondMoments" | "principalAxes" | "weightedCentroid")
    | ("feretDiameter" | "minimumRectangle" | "inscribed" | "quantiles")
    ? readonly number[]
    : number;
};

/** Options of `components.keep()` that choose objects by their properties. */
export interface KeepWhereOptions<P extends ObjectProperty>
  extends CallOptions,
    Pick<RegionsOptions, "quantiles" | "physical"> {
  readonly perValue?: undefined;
  readonly labels?: undefined;
  /** The properties that are measured, without `convexHull` and `histogram`; see {@link RegionProperty}. */
  readonly properties: readonly P[];
  /** Pixels to measure under the objects, of the components' size. */
  readonly intensity?: Raster | Image | Source;
  /** Whether an object stays; `index + 1` is its label. */
  readonly where: (object: ObjectProperties<P>, index: number) => boolean;
}

/** Options of `engine.components()`. */
export interface ComponentsOptions extends FilterOptions, CallOptions {
  /**
   * - `"nonzero"` (default): any colour channel is not 0.
   * - `"otsu"` (Otsu 1979), `"li"` (least cross entropy, Li and Tam 1998), `"triangle"` (Zack et al. 1977): above the
   *   threshold that the method chooses from the histogram, on exact levels for integers and 256 bins for f32.
   *   `Components.threshold` holds its value.
   * - `{ above: n }`: v > n; `{ below: n }`: v < n; `{ between: [lo, hi] }`: lo <= v <= hi.
   * - `{ outside: [lo, hi] }`: bright objects (v > hi, class 1) and dark ones (v < lo, class 2) at once,
   *   which never merge.
   * - `{ hysteresis: [lo, hi] }`: v > lo, in components that hold a pixel v > hi. Filters apply to these.
   * - `{ local: { radius, method } }`: compared with the pixels around each pixel; see {@link LocalThreshold}.
   *
   * Colour is reduced to Rec. 601 luma, (77 r + 150 g + 29 b + 128) >> 8.
   */
  readonly threshold?: Threshold;
  /**
   * Finds objects in one channel, or the amount of one stain, instead of in the luma; before everything else. See
   * `engine.channel()`.
   */
  readonly channel?: ChannelName;
  /** Standard deviation in pixels of a Gaussian that smooths before the threshold; see `engine.smooth()`. */
  readonly smooth?: number | readonly [number, number] | readonly [number, number, number];
  /** Radius in pixels of the local mean that is taken off before the threshold; see `engine.flatten()`. */
  readonly flatten?: number;
  /** With an automatic or a local threshold: objects are `"bright"` (above, default) or `"dark"` (at and below it). */
  readonly polarity?: "bright" | "dark";
  /**
   * Joins neighbours by value instead of using a threshold, e.g. for label images and class maps. `"value"` joins
   * neighbours with equal values. `{ tolerance }` joins neighbours that differ by at most `tolerance` in every channel,
   * alpha included.
   */
  readonly by?: "value" | { readonly tolerance: number };
  /**
   * Radii of an opening, a closing, an erosion and a dilation, in this order, by balls of the exact Euclidean distance; after
   * the threshold and before the filters. See `components.open()`.
   */
  readonly open?: number;
  readonly close?: number;
  readonly erode?: number;
  readonly dilate?: number;
  /**
   * Splits objects that touch, after the holes are filled: `true`, the least height h of a peak, or the options of
   * `components.split()`.
   */
  readonly split?: boolean | number | Omit<SplitOptions, keyof CallOptions>;
  /** After that, gives areas of fewer pixels to a neighbour that they touch; see `components.absorb()`. */
  readonly absorb?: number;
  /** The distance up to which objects grow at the end, keeping their labels; see `components.expand()`. */
  readonly expand?: number;
  /** `smooth`, radii and distances are in units of the spacing instead of pixels. */
  readonly physical?: boolean;
  /** With `by`: pixels of this value (one number, or one per channel) belong to no object; 0 by default, null for none. */
  readonly background?: number | readonly number[] | null;
  /** Neighbours: 4 (default) or 8; in volumes 6 (default), 18 or 26. */
  readonly connectivity?: Connectivity;
  /**
   * Pixels outside this mask are background. Its outline is not an image border for `fillHoles` and `clearBorder`.
   * Automatic thresholds are chosen from the pixels inside. With a GPU, the CPU packs the pixels of such a call.
   */
  readonly within?: Mask;
  /**
   * Memory limit on the CPU, in bytes, for the call plus the memory that the engine already holds. A limit that is too
   * low rejects the call.
   */
  readonly memory?: number;
}

/**
 * The distance between two colours: the largest channel difference (`"linf"`), the sum of all channel differences
 * (`"l1"`), or the Euclidean distance (`"l2"`).
 */
export type ColourMetric = "linf" | "l1" | "l2";

/** Coordinates of a pixel: x, y, and z in a volume. */
export type Place = readonly [number, number] | readonly [number, number, number];

/** Options of `engine.fill()`. */
export interface FillOptions extends CallOptions {
  /**
   * One or more pixels where the fill begins: [x, y], in volumes [x, y, z]. Each seed fills against its own colour. The
   * result is the union over the seeds.
   */
  readonly seeds: readonly Place[];
  /**
   * Largest allowed difference, inclusive; 0 by default. It is one number, one per channel, or two sides:
   * `colour - lower <= pixel <= colour + upper`. All channels count, alpha included.
   */
  readonly tolerance?:
    | number
    | readonly number[]
    | { readonly lower: number | readonly number[]; readonly upper: number | readonly number[] };
  /** `"linf"` (default; OpenCV, GIMP): the largest difference; `"l1"` (Pillow): their sum; `"l2"`: Euclidean. */
  readonly metric?: ColourMetric;
  /** `"fixed"` (default) compares with the seed's colour, `"floating"` with the neighbour that was filled before. */
  readonly range?: "fixed" | "floating";
  /** Neighbours: 4 (default) or 8; in volumes 6 (default), 18 or 26. */
  readonly connectivity?: Connectivity;
  /**
   * Side n of the n x n (x n) window whose mean is the seed's colour: odd, 1 by default. The window is clipped at the
   * border, and the mean is rounded to the raster's type, halves up. A seed outside the tolerance of that mean fills
   * nothing.
   */
  readonly average?: number;
  /**
   * `true` (default): pixels connected to a seed. `false`: every pixel that matches a seed's colour, connected or not.
   */
  readonly contiguous?: boolean;
  /** Only pixels of this mask can be filled. */
  readonly within?: Mask;
}

/** Options of `paint()`. */
export interface PaintOptions extends CallOptions {
  /**
   * Opacity: 1 (default) replaces, 0 changes nothing, values between blend the colours. A coat's own opacity takes
   * precedence.
   */
  readonly opacity?: number;
  /**
   * A raster of the input's size and type, which is painted in place and returned. It may be the input raster itself.
   */
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
  /**
   * Properties to measure. The default is `["area", "bounds", "centroid"]`, with `intensity` also `min`, `max`, `sum`, `mean`,
   * `std`, `weightedCentroid` and `contrast`. `"all"` selects every property that applies to the input, except `convexHull`,
   * `inscribed`, `median`, `quantiles` and `histogram`, which need more memory.
   */
  readonly properties?: readonly RegionProperty[] | "all";
  /** Pixels to measure under the objects, of the components' size; several of them as a list. */
  readonly intensity?: Raster | Image | Source | readonly (Raster | Image | Source)[];
  /**
   * Measures each channel of `intensity` by itself instead of the luma. With several channels or several rasters, properties of
   * intensity have an object's entries for the first channel, then those for the second, and so on.
   */
  readonly perChannel?: boolean;
  /** The `quantiles`, from 0 to 1; [0.25, 0.5, 0.75] by default. */
  readonly quantiles?: readonly number[];
  /**
   * Bins of the `histogram`, 1 to 65 536. The default is 256. For u8 these are the levels. Other types have bins of one width, from
   * the smallest to the largest finite value under any object; so does u8 if `bins` is given.
   */
  readonly bins?: number;
  /** Lengths, areas and volumes in units of the components' `spacing` instead of pixels; see {@link RegionProperty}. */
  readonly physical?: boolean;
}

/**
 * The metric of distances: the straight line (`"euclidean"`), the sum of the steps along the axes (`"cityblock"`), or
 * the largest of these steps (`"chessboard"`).
 */
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
  /** For rasters: the rule for foreground pixels, as in `components()`; `"nonzero"` by default. */
  readonly threshold?: Exclude<
    Threshold,
    { readonly outside: readonly [number, number] } | { readonly hysteresis: readonly [number, number] }
  >;
  /** With an automatic threshold: `"bright"` (default) or `"dark"`. */
  readonly polarity?: "bright" | "dark";
  /**
   * For rasters: pixels outside this mask are no foreground. Distances are straight lines all the same, also through what is
   * outside. Automatic thresholds are chosen from the pixels inside.
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
   * sides of a pixel must be integer multiples of one unit, and the raster's diagonal, with 8 pixels added per axis, below 32 768
   * units: squares stay below 2^30.
   */
  readonly squared?: boolean;
  /** Signed distances: outside objects the distance to the nearest one, inside minus the distance to the background. */
  readonly signed?: boolean;
  /**
   * Also returns the index of each pixel's nearest foreground pixel: `x + width * (y + height * z)`. Among equally near
   * pixels it is the lowest index; 0xffffffff means none within `max`. `true` allocates an array; an array or a Sink is
   * filled.
   */
  readonly nearest?: boolean | Uint32Array | Sink;
  readonly metric?: DistanceMetric;
  /**
   * Destination of the map: a Float32Array, or with `squared` a Uint32Array. If `max` is at most 255 units, `squared`
   * also takes a Uint16Array (0xffff beyond). A Sink receives Float32Arrays, or Uint32Arrays with `squared`.
   */
  readonly into?: Float32Array | Uint32Array | Uint16Array | Sink<Float32Array> | Sink<Uint32Array>;
  /** `"buffer"` leaves the map on the GPU, in a new GPUBuffer of 4 bytes per pixel. The caller destroys it. */
  readonly as?: "buffer";
  /**
   * Memory limit, in bytes, for the call plus the memory that the engine already holds; `into` does not count. Data
   * that does not fit goes through a temporary file. Without a limit the call takes what it needs, up to 4 GiB.
   */
  readonly memory?: number;
}

/** The smallest value of a map on each object, entry i for label i + 1; from `map.over()`. */
export interface Closest {
  readonly count: number;
  /** The smallest value of the map on the object. */
  readonly distance: Float64Array;
  /** x, y (and z in volumes) of the first pixel in raster order with this value. */
  readonly where: Uint32Array;
}

/** Options of `engine.labelled()`. */
export interface LabelledOptions extends CallOptions {
  /** Neighbours, for the Euler number: 4 (default) or 8; in volumes 6 (default), 18 or 26. */
  readonly connectivity?: Connectivity;
}

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
  readonly metric?: "l2" | "l1" | "l1-mean";
  /**
   * The initial centres:
   *
   * - `"kmeans++"` (default): greedy k-means++ with 2 + log k draws per centre.
   * - `"random"`: different colours of the image.
   * - `"grid"`: middles of the cells of an even grid over the box of all colours.
   * - colours: a list of one per class, with 3 numbers (1 in grey images) from 0 to 255; or a Uint8Array like a
   *   palette.
   */
  readonly init?: "kmeans++" | "random" | "grid" | readonly (readonly number[])[] | Uint8Array | Uint8ClampedArray;
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
  readonly space?: "rgb" | "oklab";
  /**
   * Number of runs from different random initial centres, 1 by default. The run with the lowest inertia is returned.
   */
  readonly restarts?: number;
  /** `true`: pixels of alpha 0 get no class and are 255. `false` (default): alpha is ignored. */
  readonly ignoreTransparent?: boolean;
  /** Pixels outside this mask get no class and are 255; k is at most 255 then. With a GPU, the CPU does the work. */
  readonly within?: Mask;
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
  /** Pixels of alpha 0 that were left out. */
  readonly transparent: number;
  /** How often all colours were assigned and the centres moved. */
  readonly iterations: number;
  /** The objective, summed over all pixels, with the centres before they are rounded for the palette. */
  readonly inertia: number;
  /** `true` if the centres converged, `false` if the call stopped after `maxIterations`. */
  readonly converged: boolean;
}

/** A segmented image: a Raster with one byte per pixel, the number of its class. Pixels without a class are 255. */
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
  /**
   * The simplified silhouette of each candidate, 0 to 1: how much nearer a pixel's own centre is than the next one, on
   * average.
   */
  readonly silhouette: Float64Array;
}

/** Options of `recolour()`. */
export interface RecolourOptions {
  /** `true`: RGBA, e.g. for a canvas. By default the result is RGBA only if pixels have no class; those get alpha 0. */
  readonly alpha?: boolean;
}

/** Time and bytes of a stage of the last call. */
export interface Timing {
  /** What was done, e.g. `"pack"`, `"label"`, `"regions"`. */
  readonly stage: string;
  readonly milliseconds: number;
  /** Bytes read and written by the stage, as far as they are known; 0 if not. */
  readonly bytes: number;
  /**
   * `"wall"` (default): the wall clock, transfers and waiting included. `"device"`: the GPU's own clock, for time that
   * is part of an earlier wall-clock stage.
   */
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
  /** The largest binding in use, in bytes. Larger data is processed in strips and bands. */
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
  /** Whether the threads share one memory. Without SharedArrayBuffer there is one thread, with memory of its own. */
  readonly shared: boolean;
  /** Memory in use by handles, and reserved, in bytes; of both devices together. */
  readonly memory: { readonly used: number; readonly reserved: number };
  /** There when a GPU is open. */
  readonly gpu?: GpuDescription | undefined;
  /** Why there is no GPU; or, after the GPU was lost, whether it was opened again or the CPU replaces it. */
  readonly notice?: string | undefined;
}

/** Options of `open()`. */
export interface OpenOptions {
  /**
   * - `"auto"` (default): a hardware GPU for operations that are faster there, the CPU for the rest. Host images go to
   *   the GPU from 1 Mpx on. A loaded Image is processed on the device that holds it.
   * - `"gpu"`: the GPU, even a software adapter. Rejects with Unsupported if there is none. In Node the package
   *   `webgpu` must be installed.
   * - `"cpu"`: WebAssembly.
   */
  readonly device?: "auto" | "cpu" | "gpu";
  /**
   * A GPU to request an adapter from, or a GPUDevice to run on, e.g. the one that a page draws with. `engine.load()`
   * accepts buffers and textures of that device. `close()` does not destroy it.
   */
  readonly gpu?: GpuInstance | GpuDevice;
  /** The largest piece of GPU memory bound at once, in bytes, at least 64 KiB; the device's limit by default. */
  readonly bindingBytes?: number;
  /**
   * Also measures every stage with the GPU's own clock, for `engine.timings`. It costs one read-back per call. False by
   * default.
   */
  readonly profile?: boolean;
  /** Worker threads, 1 to 64; the cores the process may use, at most 8, by default. */
  readonly threads?: number;
  /**
   * Starts a worker from `skerry/worker`, for sites whose content security policy forbids Blob URLs:
   * `() => new Worker(new URL("skerry/worker", import.meta.url))`.
   */
  readonly worker?: () => unknown;
  /**
   * `false` runs one worker with memory of its own. This is always so without SharedArrayBuffer, i.e. in pages that are
   * not cross-origin isolated.
   */
  readonly shared?: boolean;
  /**
   * `true` (default): the CPU computes small images on the calling thread, because messages to workers would take
   * longer. This blocks the thread for a few milliseconds at most. `false`: workers compute everything, as always
   * without SharedArrayBuffer.
   */
  readonly mainThread?: boolean;
}

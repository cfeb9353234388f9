// Measurements of objects, and their options.

import type { CallOptions } from "./calls.js";
import type { Image, PixelArray, Raster, Source } from "./raster.js";

/**
 * Measurements, with one entry per object: entry i is for label i + 1. Arrays with several entries per object hold those of the
 * first object, then those of the second. Only requested properties are present. Definitions match scikit-image's `regionprops`
 * where it has the property, unless a difference is stated.
 *
 * Pixels are points at integer coordinates (x, y), in volumes (x, y, z). Only `bounds`, `convexHull` and `minimumRectangle` use
 * the coordinates of pixel corners, like `outlines()`: pixel (x, y) is the square from (x, y) to (x + 1, y + 1). An angle is
 * measured from the y axis to a line, in radians. It is positive if y grows with x. Its range is above -pi/2 up to pi/2.
 *
 * `min` up to `histogram` need `intensity`. Colour is reduced to luma unless `perChannel` is set. Pixels that are NaN or `nodata`
 * are left out. `median`, `quantiles` and `histogram` hold the raster's pixels in memory; 32-bit types take 8 bytes more per
 * pixel of the largest object.
 *
 * With `physical`, lengths, areas, volumes and coordinates are in units of `spacing`, and angles and ratios such as `orientation`
 * and `eccentricity` are computed from these. `bounds`, `rawMoments`, `extent`, `eulerNumber`, `holes` and intensities do not
 * change.
 */
export interface Regions {
  /** Objects. */
  readonly count: number;
  /** 1 bright, 2 dark; present if the components were found with `{ outside }`. */
  readonly polarity?: Uint8Array;
  /**
   * The value of the object's first pixel, one entry per channel, in the raster's type. Present if the components were
   * found `by` value or tolerance, or are those of a label image. With `by: "value"` all pixels of the object have it.
   */
  readonly value?: PixelArray;
  /** Number of pixels. In pixels a Uint32Array, in physical units a Float64Array. */
  readonly area?: Uint32Array | Float64Array;
  /** x0, y0, x1, y1, half-open; in volumes x0, y0, z0, x1, y1, z1. In pixels, also with `physical`. */
  readonly bounds?: Uint32Array;
  /** Mean x and mean y; in volumes also mean z. */
  readonly centroid?: Float64Array;
  /**
   * Exact sums of x, y, x x, x y, y y (five entries). In volumes the sums are of x, y, z, x x, x y, x z, y y, y z, z z (nine
   * entries).
   */
  readonly rawMoments?: BigInt64Array;
  /**
   * Central sums of (x - mean)^2, (x - mean)(y - mean), (y - mean)^2. In scikit-image these are `moments_central` [0,2], [1,1],
   * [2,0]. In volumes the sums are of xx, xy, xz, yy, yz, zz.
   */
  readonly secondMoments?: Float64Array;
  /** Length of the longest axis of the ellipse with the same second moments; in volumes of the ellipsoid. */
  readonly majorAxis?: Float64Array;
  /** Length of the shortest axis of that ellipse or ellipsoid. */
  readonly minorAxis?: Float64Array;
  /**
   * Images only: angle of the major axis, as in scikit-image. It is pi/4 for a circle. scikit-image's releases differ in the sign
   * of exactly 45 degrees.
   */
  readonly orientation?: Float64Array;
  /** Images only: eccentricity of the ellipse with the same second moments, from 0 (circle) up to 1. */
  readonly eccentricity?: Float64Array;
  /**
   * Volumes only: length and direction x, y, z of each axis of the ellipsoid with the same second moments, the longest first
   * (twelve entries). A direction has length 1, and its component of the largest magnitude is positive.
   */
  readonly principalAxes?: Float64Array;
  /** Area divided by the area of the bounding box. */
  readonly extent?: Float64Array;
  /** Diameter of the circle of the same area; in volumes of the sphere. */
  readonly equivalentDiameter?: Float64Array;
  /** Images only: number of pixel edges on the object's boundary, the image border included; with `physical` their length. */
  readonly edges?: Float64Array;
  /**
   * Images only: length of the line through the centres of the border pixels, estimated from their neighbours (Benkrid and
   * Crookes 2000); 0 for one pixel. Pixels must be square with `physical`.
   */
  readonly perimeter?: Float64Array;
  /**
   * Images only: length of the contour by its crossings with lines in four directions (Crofton's formula), as scikit-image's
   * `perimeter_crofton`. Pixels must be square with `physical`.
   */
  readonly crofton?: Float64Array;
  /**
   * Images only: 4 pi area / perimeter^2, about 1 for a disc. Values are not clipped: small objects may exceed 1. The value is
   * NaN if the perimeter is 0. Pixels must be square with `physical`. scikit-image has no such property.
   */
  readonly circularity?: Float64Array;
  /** Volumes only: number of voxel faces on the object's boundary, the volume's border included; with `physical` their area. */
  readonly surfaceArea?: Float64Array;
  /**
   * 1 minus the number of holes; in volumes 1 minus tunnels plus cavities. An object of several pieces has their number instead
   * of 1. The connectivity is that of the components; scikit-image's `regionprops` always uses 8, or 26, for the object. With 18,
   * voxels that share only a corner do not touch.
   */
  readonly eulerNumber?: Int32Array;
  /**
   * Images only: number of areas that the object encloses. Pixels of an area have 4 neighbours if the object's connectivity is 8,
   * and 8 if it is 4. Other objects count as part of an area.
   */
  readonly holes?: Uint32Array;
  /**
   * Images only: number of pixels whose centres lie within the convex hull, or on it. The hull is that of the midpoints of the
   * pixels' sides, as in scikit-image's `area_convex`. Exact.
   */
  readonly convexArea?: Float64Array;
  /** Volumes only: number of voxels whose centres lie within the convex hull, or on it; with the hull of `convexArea`. Exact. */
  readonly convexVolume?: Float64Array;
  /** Area divided by `convexArea`, or by `convexVolume`. */
  readonly solidity?: Float64Array;
  /**
   * Feret's diameters: the largest and the smallest distance between two parallel lines that enclose the object, each with the
   * angle at which it is measured: largest, angle, smallest, angle (four entries). Measured are the pixels that `convexArea`
   * counts, between the midpoints of their sides, so the largest equals scikit-image's `feret_diameter_max`. In volumes
   * the entries are the largest and its direction x, y, z.
   */
  readonly feretDiameter?: Float64Array;
  /**
   * Images only: the rectangle of the smallest area around the object's pixels: centre x and y, length, width, and the angle of
   * the length (five entries). OpenCV's `minAreaRect` encloses pixel centres instead.
   */
  readonly minimumRectangle?: Float64Array;
  /**
   * Radius and centre x, y (and z) of the largest circle or sphere around a pixel's centre that contains no background. Pixels
   * beyond the border are background. If several are equal, the first centre in raster order is returned. The distance map of the
   * background takes 4 to 8 bytes per pixel. Unsupported for objects that may touch.
   */
  readonly inscribed?: Float64Array;
  /**
   * Images only: corners of the convex hull of the pixels' squares. The hull begins at the top left, and its shoelace area is
   * positive, like that of outlines.
   */
  readonly convexHull?: ConvexHulls;
  /** Smallest value of `intensity` under the object; NaN if all its pixels are left out. */
  readonly min?: Float64Array;
  /** Largest value of `intensity` under the object; NaN if all its pixels are left out. */
  readonly max?: Float64Array;
  /** Sum of the values of `intensity` under the object, exact for integers; 0 if all its pixels are left out. */
  readonly sum?: BigInt64Array | Float64Array;
  /** Mean of the values of `intensity` under the object; NaN if all its pixels are left out. */
  readonly mean?: Float64Array;
  /** Standard deviation of these values as a population (divided by their number, not by one less); NaN if all are left out. */
  readonly std?: Float64Array;
  /** Mean x and y (and z), weighted by these values; NaN if their sum is 0. */
  readonly weightedCentroid?: Float64Array;
  /**
   * Mean of the object minus the mean of the background pixels across its boundary edges, each edge counted once. Edges towards
   * the image border or another object do not count. The value is NaN if no edge is left.
   */
  readonly contrast?: Float64Array;
  /** Exact median of these values, as `quantiles` at 0.5. */
  readonly median?: Float64Array;
  /**
   * Exact quantiles of these values, one entry for each of the option `quantiles`, as `numpy.quantile` with linear interpolation.
   * Between a number and an infinity the result is that infinity, as by `numpy.median`; between opposite infinities it is NaN.
   */
  readonly quantiles?: Float64Array;
  /** Pixels per bin; infinite values are in no bin. */
  readonly histogram?: ObjectHistograms;
}

/** The convex hull of each object: x and y of its corners in turn, for object i from `offsets[i]` up to `offsets[i + 1]`. */
export interface ConvexHulls {
  /** In pixels an Int32Array, in physical units a Float64Array. */
  readonly points: Int32Array | Float64Array;
  /** Index in `points` of each object's first corner; the length of `points` at the end. */
  readonly offsets: Uint32Array;
}

/** Histograms of the values under each object. */
export interface ObjectHistograms {
  /** Pixels per bin: all bins of the first object, then those of the second, and so on; within an object, channel by channel. */
  readonly counts: Uint32Array;
  /** The edges of the bins, one more than there are bins; with several channels, channel by channel. The last bin is closed. */
  readonly edges: Float64Array;
}

/** The properties that `regions()` can measure; the fields of {@link Regions} define them. */
export type RegionProperty = Exclude<keyof Regions, "count" | "polarity" | "value">;

/** Properties that are measured if none are named. */
export type DefaultProperty = "area" | "bounds" | "centroid";

/** Measurements that hold the properties that were asked for. A list that is not known when types are checked promises none. */
export type Measured<P extends RegionProperty> = [RegionProperty] extends [P]
  ? Regions
  : Regions & { readonly [K in P]-?: NonNullable<Regions[K]> };

/** Options of `components.regions()`. */
export interface RegionsOptions extends CallOptions {
  /**
   * Properties to measure. The default is `["area", "bounds", "centroid"]`, with `intensity` also `min`, `max`, `sum`, `mean`,
   * `std`, `weightedCentroid` and `contrast`. `"usual"` selects the columns of tables: area, centroid, bounds, of images
   * perimeter and circularity, and the mean. `"all"` selects every property that applies to the input, except `convexHull`,
   * `inscribed`, `median`, `quantiles` and `histogram`, which need more memory.
   */
  readonly properties?: readonly RegionProperty[] | "all" | "usual";
  /** Pixels to measure under the objects, of the components' size: one raster, or a list of rasters. */
  readonly intensity?: Raster | Image | Source | readonly (Raster | Image | Source)[];
  /**
   * Measures each channel of `intensity` by itself instead of the luma. With several channels or several rasters, properties of
   * intensity have an object's entries for the first channel, then those for the second, and so on.
   */
  readonly perChannel?: boolean;
  /** The `quantiles`, from 0 to 1; [0.25, 0.5, 0.75] by default. */
  readonly quantiles?: readonly number[];
  /**
   * Bins of the `histogram`, 1 to 65 536. The default is 256; for u8 these are the levels. For other types, and for u8 if `bins`
   * is given, bins have one width, from the smallest to the largest finite value under any object.
   */
  readonly bins?: number;
  /** Lengths, areas and volumes in units of the components' `spacing` instead of pixels; see {@link Regions}. */
  readonly physical?: boolean;
}

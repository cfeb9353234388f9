// Results of devices: exact sums per object, and the run table.

/** Sums per object, exact, interleaved where there are several per object. */
export interface RegionSums {
  readonly area: Uint32Array;
  /** x0, y0, x1, y1. Solid sums have z as well, in the order documented at `Regions`. */
  readonly bounds?: Uint32Array | undefined;
  /** Mean x, mean y. */
  readonly centroid?: Float64Array | undefined;
  /** Sums of x, y, x x, x y, y y. */
  readonly rawMoments?: BigInt64Array | undefined;
  /** Pixel edges, Euler number; solid: faces across x, y and z, Euler number. */
  readonly outline?: BigInt64Array | undefined;
  /** {@link INTENSITY_FIELDS} numbers per object, i64 or f64; both counts are integers. */
  readonly intensity?: BigInt64Array | Float64Array | undefined;
  /** High halves of four sums of 128 bits per object, for 32-bit integers: v v, v x, v y, v z. */
  readonly intensityHighs?: BigInt64Array | undefined;
}

/** Sums from which measurements are derived. For objects merged from parts of an image they may take more bits. */
export interface WholeSums extends Omit<RegionSums, "area" | "rawMoments"> {
  readonly area: Uint32Array | Float64Array;
  readonly rawMoments?: BigInt64Array | bigint[] | undefined;
}

/** The Euler number of object `i`; solid outlines count faces across three axes before it. */
export function eulerOf(outline: BigInt64Array, i: number, solid: boolean): number {
  return Number(solid ? outline[4 * i + 3] : outline[2 * i + 1]);
}

/**
 * Fields of an object's intensity: min, max, sum, sum v v, sum v x, sum v y, sum of the edges' background, number of those edges,
 * sum v z, pixels.
 */
export const INTENSITY_FIELDS = 10;

/** The largest value of object `i`, which has a pixel with a value. */
export function highestOf(intensity: RegionSums["intensity"], i: number): number {
  return Number(intensity?.[INTENSITY_FIELDS * i + 1]);
}

/** Shapes measured from the runs of each object; see {@link CONTOUR_FIELDS} and {@link HULL_FIELDS}. */
export interface ShapeSums {
  readonly contours?: Float64Array;
  readonly hulls?: Float64Array;
  readonly corners?: HullCorners;
  /** Hulls of volumes: {@link SOLID_FIELDS}. */
  readonly solids?: Float64Array;
}

/** Fields of a hull in a volume: voxels, and its longest diameter as x, y, z. */
export const SOLID_FIELDS = 4;

/** Fields of an object's contour: straight, diagonal and mixed border pixels; crossings along axes and along diagonals. */
export const CONTOUR_FIELDS = 5;

/**
 * Fields of an object's hull: pixels; the longest diameter as x, y; the smallest width as length, x, y; the smallest rectangle as
 * centre x, y, sides along a direction and across it, and that direction as x, y.
 */
export const HULL_FIELDS = 12;

/** Corners of convex hulls: x and row in turn. `ends` has the number of corners up to the last of each object. */
export interface HullCorners {
  readonly points: Int32Array;
  readonly ends: Uint32Array;
}

/** Quantiles and counts per bin of each object, and the edges of the bins; the last bin is closed. */
export interface ValueSums {
  readonly quantiles: Float64Array;
  readonly histogram: Uint32Array;
  readonly edges: Float64Array | undefined;
}

/** The run table, struct of arrays. */
export interface RunTable {
  readonly row: Uint32Array;
  readonly begin: Uint32Array;
  readonly end: Uint32Array;
  readonly label: Uint32Array;
  readonly offsets?: Uint32Array | undefined;
}

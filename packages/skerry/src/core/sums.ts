// What devices count and list: exact sums per object, and the run table.

/** Sums per object, exact, interleaved where there are several per object. */
export interface RegionSums {
  readonly area: Uint32Array;
  /** x0, y0, x1, y1; the fields of solid sums have z as well, in the order that {@link RegionProperty} tells. */
  readonly bounds?: Uint32Array | undefined;
  /** Mean x, mean y. */
  readonly centroid?: Float64Array | undefined;
  /** Sums of x, y, x x, x y, y y. */
  readonly rawMoments?: BigInt64Array | undefined;
  /** Pixel edges, Euler number; solid: faces across x, y and z, Euler number. */
  readonly outline?: BigInt64Array | undefined;
  /** {@link INTENSITY_FIELDS} numbers per object, i64 or f64; both counts are integers. */
  readonly intensity?: BigInt64Array | Float64Array | undefined;
}

/** Of an object's intensity: min, max, sum, sum v v, sum v x, sum v y, sum of the edges' background, number of those edges, sum v z, pixels. */
export const INTENSITY_FIELDS = 10;

/** The largest value of object `i`, which has a pixel with a value. */
export function highestOf(intensity: RegionSums["intensity"], i: number): number {
  return Number(intensity?.[INTENSITY_FIELDS * i + 1]);
}

/** The run table, struct of arrays. */
export interface RunTable {
  readonly row: Uint32Array;
  readonly begin: Uint32Array;
  readonly end: Uint32Array;
  readonly label: Uint32Array;
  readonly offsets?: Uint32Array | undefined;
}

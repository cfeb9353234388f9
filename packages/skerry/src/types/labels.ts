// Assignment of pixels to objects: labels, runs, contacts, and cut-outs of them.

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

/** Objects that touch. Entry i: objects `first[i]` < `second[i]` share `faces[i]` pixel edges or voxel faces. */
export interface Contacts {
  readonly count: number;
  readonly first: Uint32Array;
  readonly second: Uint32Array;
  readonly faces: Float64Array;
}

// Assignment of pixels to objects: labels, runs, contacts, and cut-outs of them.

/** One label per pixel: 0 is background, 1..count are dense and in raster order of each object's first pixel. */
export interface Labels {
  /** One label per pixel, row after row. */
  readonly data: Uint32Array;
  /** Pixels per row. */
  readonly width: number;
  /** Rows per slice. */
  readonly height: number;
  /** Slices. */
  readonly depth: number;
  /** Objects. */
  readonly count: number;
}

/**
 * A cut-out of a result, e.g. for display, in the plane normal to `axis`. Output pixel (i, j) lies i and j times `step`
 * pixels from x, y (and z). Pixels outside the image are background.
 */
export interface ResultWindow {
  /** The first pixel; it may lie outside. */
  readonly x: number;
  /** The first row; it may lie outside. */
  readonly y: number;
  /** The first slice of a volume; 0 by default. */
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
 * Maximal horizontal runs: run i covers pixels [begin[i], end[i]) of row[i], and row y of slice z is z * height + y. In
 * components by tolerance a run also ends between two neighbours of one object that differ by more than the tolerance.
 */
export interface Runs {
  /** Runs. */
  readonly count: number;
  /** The row of each run, counted through all slices. */
  readonly row: Uint32Array;
  /** The first pixel of each run. */
  readonly begin: Uint32Array;
  /** The pixel after the last of each run. */
  readonly end: Uint32Array;
  /** The label of each run. */
  readonly label: Uint32Array;
  /** Pixels per row of the image or volume. */
  readonly width: number;
  /** Rows per slice. */
  readonly height: number;
  /** Slices. */
  readonly depth: number;
  /** In raster order only: the runs of row y are those from rows[y] up to rows[y + 1]. */
  readonly rows?: Uint32Array;
  /** Grouped by label only: the runs of `label` are those from offsets[label - 1] up to offsets[label]. */
  readonly offsets?: Uint32Array;
}

/** Objects that touch. Entry i: objects `first[i]` < `second[i]` share `faces[i]` pixel edges or voxel faces. */
export interface Contacts {
  /** Pairs of objects that touch. */
  readonly count: number;
  /** The smaller label of each pair. */
  readonly first: Uint32Array;
  /** The larger label of each pair. */
  readonly second: Uint32Array;
  /** Pixel edges or voxel faces that each pair shares. */
  readonly faces: Float64Array;
}

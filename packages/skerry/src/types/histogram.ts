// Histograms, and their options.

import type { CallOptions } from "./calls.js";
import type { Mask } from "./raster.js";

/** Options of `engine.histogram()`. */
export interface HistogramOptions extends CallOptions {
  /**
   * Number of equal bins from the smallest to the largest value, 1 to 65 536. By default there is one bin per level, or
   * 256 bins for values without exact levels; see `engine.histogram()`.
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
  /** The smallest finite value. */
  readonly min: number;
  /** The largest finite value. */
  readonly max: number;
}

// Histograms of both devices: counts of levels, or of equal bins.

import { noFiniteError } from "../types/errors.js";
import type { Shape } from "./pixels.js";

/** Most bins. */
export const MOST_BINS = 65536;

/** Default number of bins, for values without exact levels. */
export const BINS = 256;

/**
 * Counts of levels or bins. `levels[i]` is the level of counts[i]: `first + i` for integers with exact levels, else the
 * centre of bin i.
 */
export interface Histogram {
  readonly counts: Float64Array;
  readonly levels: Float64Array;
  /** Edges of bins that hold several levels each, from the smallest to the largest value. */
  readonly edges?: Float64Array | undefined;
}

/** Edges of equal bins, from the smallest to the largest value: one more than there are bins. */
export function binEdges(low: number, high: number, bins = BINS): Float64Array {
  const edges = Float64Array.from({ length: bins + 1 }, (_, i) => low + ((high - low) * i) / bins);
  edges[bins] = high;
  return edges;
}

/** The histogram of counts per bin. */
export function ofBins(counts: Float64Array, edges: Float64Array): Histogram {
  return { counts, edges, levels: counts.map((_, i) => (edges[i] + edges[i + 1]) / 2) };
}

/** The histogram of counts per level of an integer type, without the count of `nodata`. */
export function ofLevels(counts: Float64Array, { type, nodata }: Shape): Histogram {
  const first = type === "i16" ? -32768 : 0;
  if (nodata !== undefined) counts[nodata - first] = 0;
  if (counts.every((n) => n === 0)) throw noFiniteError();
  return { counts, levels: Float64Array.from(counts, (_, i) => first + i) };
}

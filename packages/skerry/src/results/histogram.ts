// Public histograms from the counts of a device: bins of one level, or of several.

import { otsu } from "../core/automatic-threshold.js";
import { BINS, binEdges, type Histogram as Counted } from "../core/histogram.js";
import type { Histogram } from "../types/histogram.js";

/** Whether the requested bins need another count: values without exact levels, and another number of bins than the default. */
export function needsAnew({ edges }: Counted, bins: number | undefined): boolean {
  return bins !== undefined && edges !== undefined && bins !== BINS;
}

/** The public histogram: from the default count `counted`, or from `anew` if other bins were counted. */
export function histogramOf(counted: Counted, bins: number | undefined, anew: Counted = counted): Histogram {
  const threshold = otsu(counted);
  const { counts, levels } = counted;
  if (anew.edges) {
    const { edges } = anew;
    return { counts: anew.counts, edges, otsu: threshold, min: edges[0], max: edges.at(-1) as number };
  }
  const first = counts.findIndex((n) => n > 0);
  const last = counts.findLastIndex((n) => n > 0);
  const [min, max] = [levels[first], levels[last]];
  const facts = { otsu: threshold, min, max };
  if (bins === undefined) {
    // A histogram of u8 has all 256 levels, whatever the image.
    const [from, to] = counts.length === BINS ? [0, BINS - 1] : [first, last];
    const taken = counts.slice(from, to + 1);
    return {
      counts: taken,
      edges: Float64Array.from({ length: taken.length + 1 }, (_, i) => levels[from] + i),
      ...facts,
    };
  }
  const edges = binEdges(min, max, bins);
  const edgesOut = new Float64Array(bins);
  let bin = 0;
  for (let i = first; i <= last; i++) {
    while (bin < bins - 1 && levels[i] >= edges[bin + 1]) bin++;
    edgesOut[bin] = edgesOut[bin] + counts[i];
  }
  return { counts: edgesOut, edges, ...facts };
}

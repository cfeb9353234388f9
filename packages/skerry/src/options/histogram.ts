// The options of `histogram()`.

import type { HistogramOptions } from "../api/types.js";
import { MOST_BINS } from "../results/histogram.js";
import { whole } from "./arguments.js";

export function checkBins({ bins }: HistogramOptions): number | undefined {
  return bins === undefined ? undefined : whole("bins", bins, 1, MOST_BINS);
}

// The options of `histogram()`.

import { MOST_BINS } from "../core/histogram.js";
import type { HistogramOptions } from "../types/histogram.js";
import { wholeNumber } from "./arguments.js";

export function checkBins({ bins }: HistogramOptions): number | undefined {
  return bins === undefined ? undefined : wholeNumber("bins", bins, 1, MOST_BINS);
}

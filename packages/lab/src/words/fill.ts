// Texts of the controls of fills, loaded with them.

import type { Mode } from "../settings/spots.js";

export const FILL = {
  pixelsAt: (count: number, tolerance: number) => `${count.toLocaleString("en")} px at ${tolerance}`,
  more: "More",
  modes: "What the next press does",
  mode: { new: "New", add: "Add", take: "Take away" } satisfies Record<Mode, string>,
  tolerance: "Tolerance",
  fillArea: "Pixels at each tolerance",
  range: "Compared with",
  ranges: { fixed: "the first pixel", floating: "the neighbour" },
  metric: "Difference",
  metrics: { linf: "largest channel", l1: "sum", l2: "Euclidean" },
  average: "Average of",
  averages: (n: number) => (n === 1 ? "one pixel" : `${n} x ${n} pixels`),
  contiguous: "Connected only",
  colour: "Colour",
  paint: "Paint",
  unpaint: "Remove the paint",
  clear: "Clear",
  fillHint: "Click to select; drag to widen or narrow; Shift adds, Alt takes away.",
};

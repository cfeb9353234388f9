// Texts of the controls of distances, loaded with them.

import type { Target } from "../settings/distance.js";

export const DISTANCE = {
  target: "Distances to",
  targets: { objects: "objects", selection: "the selection", points: "points" } satisfies Record<Target, string>,
  metric: "Metric",
  metrics: { euclidean: "straight line", cityblock: "city blocks", chessboard: "chessboard" },
  all: "all",
  signed: "Inside as well",
  surface: "To the surface",
  select: "Select pixels with Objects, Fill or Colours, then Work inside.",
  set: (count: number) =>
    count === 0
      ? "Click to set points."
      : `${count} ${count === 1 ? "point" : "points"}. Click to set more; a click on one removes it.`,
  from: "Colours from",
  to: "to",
  wholeRange: "Whole range",
  circles: "Largest circles",
  over: "Distances in each object of a label image",
  tips: {
    target: "The pixels that are 0 on the map.",
    metric: "Along a straight line, or in steps along rows and columns.",
    signed: "Inside objects the map is negative: minus the distance to the background.",
    surface: "To the pixels of the foreground with background beside them.",
    circles: "The largest circle that fits into each object.",
    over: "Writes a table: of each object the least distance and where it is, the largest, mean, deviation and median.",
  },
};

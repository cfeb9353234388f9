// Morphology by the exact distance, as all devices have it: a checked plan, and the disc that it stands for.

import type { DistanceMetric } from "../api/types.js";

/** What is done to bits. */
export type MorphologyOperation = "dilate" | "erode" | "open" | "close";

/** A checked MorphologyOptions. */
export interface MorphologyPlan {
  readonly operation: MorphologyOperation;
  /** In units of `spacing`. */
  readonly radius: number;
  readonly metric: DistanceMetric;
  /** Whether the border's pixels are repeated outwards; else all beyond it is background. */
  readonly extend: boolean;
  /** Sides of a pixel. */
  readonly spacing: readonly [number, number, number];
}

/** A decimal radius may differ from the intended one in its last bits. */
const MARGIN = 1 + 1e-12;

/**
 * How far a disc reaches along one axis, in pixels, at each pixel along another from its middle on: the row of radius 2 is
 * 2, 2, 0 by the Euclidean metric, 2, 1, 0 by the cityblock and 2, 2, 2 by the chessboard metric.
 */
export function discOf({ radius, metric }: MorphologyPlan, along: number, across: number): Uint32Array {
  const most = radius * MARGIN;
  const steps = Math.floor(most / across);
  return Uint32Array.from({ length: steps + 1 }, (_, step) => {
    const other = step * across;
    const left =
      metric === "euclidean"
        ? Math.sqrt(Math.max(0, most ** 2 - other ** 2))
        : metric === "cityblock"
          ? most - other
          : most;
    const reach = Math.round(left / along);
    // The root may have been rounded across a whole number.
    const inside = (n: number): boolean =>
      metric === "euclidean" ? (n * along) ** 2 + other ** 2 <= most ** 2 : n * along <= left;
    return inside(reach + 1) ? reach + 1 : inside(reach) ? reach : reach - 1;
  });
}

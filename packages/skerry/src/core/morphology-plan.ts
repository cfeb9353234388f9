// Morphology by the exact distance, for all devices: a checked plan, its steps, and its structuring element, a disc or a ball.

import type { DistanceMetric } from "../types/distance.js";
import { type Costs, planCosts } from "./distance-costs.js";
import type { Size } from "./pixels.js";

/** Operations on bits. */
export type MorphologyOperation = "dilate" | "erode" | "open" | "close";

/** A checked MorphologyOptions. */
export interface MorphologyPlan {
  readonly operation: MorphologyOperation;
  /** In units of `spacing`. */
  readonly radius: number;
  readonly metric: DistanceMetric;
  /** Whether the border's pixels are repeated outwards; otherwise all pixels beyond the border are background. */
  readonly extend: boolean;
  /** Sides of a pixel. */
  readonly spacing: readonly [number, number, number];
}

/** The dilations and erosions of an operation, and whether the image is padded, so that growth beyond the border counts. */
export function stepsOf({ operation, extend }: MorphologyPlan): {
  readonly padded: boolean;
  readonly steps: readonly ("dilate" | "erode")[];
} {
  if (operation === "dilate" || operation === "erode") return { padded: false, steps: [operation] };
  // An opening lies within its objects, so it needs no padding unless the border is extended.
  return operation === "open"
    ? { padded: extend, steps: ["erode", "dilate"] }
    : { padded: true, steps: ["dilate", "erode"] };
}

/** Padding in pixels on each side of an axis: at least one more than the radius reaches. */
export function padsOf({ depth }: Size, { radius, spacing }: MorphologyPlan): [x: number, y: number, z: number] {
  const [x, y, z] = spacing.map((side) => Math.ceil(radius / side) + 1) as [number, number, number];
  return [x, y, depth > 1 ? z : 0];
}

/** The costs of a plan's distances. */
export function costsOf({ radius: max, metric, spacing }: MorphologyPlan, size: Size): Costs {
  return planCosts({ max, metric, small: true }, size, spacing);
}

/** A decimal radius may differ from the intended one in its last bits. */
const MARGIN = 1 + 1e-12;

/**
 * Half widths of a disc along one axis, in pixels, at steps 0, 1, 2 ... from its centre along the other axis. `along` and
 * `across` are the sides of a pixel on these axes. Radius 3 gives 3, 2, 2, 0 for the Euclidean metric, 3, 2, 1, 0 for cityblock
 * and 3, 3, 3, 3 for chessboard.
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
    // Rounding of the root may give the neighbouring integer.
    const inside = (n: number): boolean =>
      metric === "euclidean" ? (n * along) ** 2 + other ** 2 <= most ** 2 : n * along <= left;
    return inside(reach + 1) ? reach + 1 : inside(reach) ? reach : reach - 1;
  });
}

/** A row of a ball: its offset from the centre, and how many pixels it reaches to each side. */
export interface BallRow {
  readonly y: number;
  readonly z: number;
  readonly width: number;
}

/** The rows of a plan's disc, for an image. */
export function discRows(plan: MorphologyPlan): BallRow[] {
  const [x, y] = plan.spacing;
  return [...discOf(plan, x, y)].flatMap((width, row) =>
    row === 0 ? [{ y: 0, z: 0, width }] : [-row, row].map((at) => ({ y: at, z: 0, width })),
  );
}

/**
 * The rows of a plan's ball, for a volume; undefined if its costs are not integers, or if the ball has more than
 * `most` rows or reaches farther than `widest` pixels along a row.
 */
export function ballRows(plan: MorphologyPlan, most: number, widest: number): BallRow[] | undefined {
  const sides = plan.spacing.map((side) => 2 * Math.ceil(plan.radius / side) + 2);
  const [width, height, depth] = sides;
  if (width > 2 * widest + 4 || height * depth > 4 * most) return undefined;
  const { isInteger, limit, weights } = costsOf(plan, { width, height, depth });
  if (!isInteger) return undefined;
  const [x, y, z] = weights;
  const costOf =
    plan.metric === "euclidean"
      ? (a: number, b: number, c: number) => (a * x) ** 2 + (b * y) ** 2 + (c * z) ** 2
      : plan.metric === "cityblock"
        ? (a: number, b: number, c: number) => a * x + b * y + c * z
        : (a: number, b: number, c: number) => Math.max(a * x, b * y, c * z);
  const rows: BallRow[] = [];
  for (let c = 0; c < depth && costOf(0, 0, c) <= limit; c++) {
    for (let b = 0; b < height && costOf(0, b, c) <= limit; b++) {
      let width = 0;
      while (costOf(width + 1, b, c) <= limit) width++;
      for (const row of b === 0 ? [0] : [-b, b]) {
        for (const slice of c === 0 ? [0] : [-c, c]) rows.push({ y: row, z: slice, width });
      }
    }
  }
  return rows.length <= most && rows[0].width <= widest ? rows : undefined;
}

// The options of fills, wands and paint.

import type { CallOptions } from "./calls.js";
import type { Connectivity, Mask, Place, Raster } from "./raster.js";

export const COLOUR_METRICS = ["linf", "l1", "l2"] as const;
export const FILL_RANGES = ["fixed", "floating"] as const;

/**
 * The distance between two colours: the largest channel difference (`"linf"`), the sum of all channel differences
 * (`"l1"`), or the Euclidean distance (`"l2"`).
 */
export type ColourMetric = (typeof COLOUR_METRICS)[number];

/** Options of `engine.fill()`. */
export interface FillOptions extends CallOptions {
  /**
   * One or more pixels where the fill begins: [x, y], in volumes [x, y, z]. Each seed fills against its own colour. The
   * result is the union over the seeds.
   */
  readonly seeds: readonly Place[];
  /**
   * Largest allowed difference, inclusive; 0 by default. It is one number, one per channel, or two sides:
   * `colour - lower <= pixel <= colour + upper`. All channels count, alpha included.
   */
  readonly tolerance?:
    | number
    | readonly number[]
    | { readonly lower: number | readonly number[]; readonly upper: number | readonly number[] };
  /** `"linf"` (default; OpenCV, GIMP): the largest difference; `"l1"` (Pillow): their sum; `"l2"`: Euclidean. */
  readonly metric?: ColourMetric;
  /** `"fixed"` (default) compares with the seed's colour, `"floating"` with the neighbour that was filled before. */
  readonly range?: "fixed" | "floating";
  /** Neighbours: 4 (default) or 8; in volumes 6 (default), 18 or 26. */
  readonly connectivity?: Connectivity;
  /**
   * Side n of the n x n (x n) window whose mean is the seed's colour: odd, 1 by default. The window is clipped at the
   * border, and the mean is rounded to the raster's type, halves up. A seed outside the tolerance of that mean fills
   * nothing.
   */
  readonly average?: number;
  /**
   * `true` (default): pixels connected to a seed. `false`: every pixel that matches a seed's colour, connected or not.
   */
  readonly contiguous?: boolean;
  /** Only pixels of this mask can be filled. */
  readonly within?: Mask;
}

/** Options of `paint()`. */
export interface PaintOptions extends CallOptions {
  /**
   * Opacity: 1 (default) replaces, 0 changes nothing, values between blend the colours. A coat's own opacity takes
   * precedence.
   */
  readonly opacity?: number;
  /**
   * A raster of the input's size and type, which is painted in place and returned. It may be the input raster itself.
   */
  readonly into?: Raster;
}

/** Options of `engine.wand()`. */
export interface WandOptions extends CallOptions {
  /** One or more pixels [x, y] where the fills begin, each against its own colour. A plane of bytes is kept for each. */
  readonly seeds: readonly (readonly [number, number])[];
  /** 4 (default) or 8 neighbours. */
  readonly connectivity?: 4 | 8;
  /** `false`: every pixel that matches a seed's colour, connected or not. Keeps one plane for all seeds. */
  readonly contiguous?: boolean;
}

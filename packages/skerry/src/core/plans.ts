// Checked options: every default is filled in, and devices trust them.

import type { ColourMetric } from "../types/fill.js";
import type { ResultWindow } from "../types/labels.js";
import type { Connectivity } from "../types/raster.js";
import type { RegionLevel } from "../types/region-properties.js";
import type { ColourSpace } from "./clusters.js";
import type { Bits, Pixels } from "./pixels.js";

/** An inclusive interval of values; foreground is inside it, or outside when inverted. */
export interface Interval {
  readonly lo: number;
  readonly hi: number;
  readonly invert: boolean;
}

/** Half of a symmetric kernel per axis: weights of the middle and of each step away; undefined leaves an axis as it is. */
export type AxisWeights = readonly (Float64Array | undefined)[];

/** A checked FlattenOptions. */
export interface FlattenPlan {
  readonly radius: number;
  readonly method: "subtract" | "divide";
}

/** Which holes of slices are filled: slices across an axis, and holes of at most so many pixels. */
export interface HolesPlan {
  readonly axis: "x" | "y" | "z";
  readonly maxHoleArea: number;
}

/** A checked ExpandOptions. */
export interface ExpandPlan {
  /** In units of `spacing`. */
  readonly distance: number;
  readonly spacing: readonly [number, number, number];
}

/** A checked watershed. */
export interface WatershedPlan {
  /** Whose values are the heights; the distance to the background without. */
  readonly raster: Pixels | undefined;
  /** Objects are low in the raster instead of high. */
  readonly dark: boolean;
  /** Sides of a pixel, for the distance. */
  readonly spacing: readonly [number, number, number];
  /** Least height of a peak above a saddle. */
  readonly h: number;
  /** u32 of one channel: numbers of markers, 0 elsewhere. */
  readonly markers: Pixels | undefined;
}

/** How areas are given away. */
export interface AbsorbPlan {
  /** Smaller areas are given away. */
  readonly minArea: number;
  /** To the neighbour with the longest common border, or to the largest one. */
  readonly into: "border" | "largest";
}

/** A threshold that is compared with the pixels around each pixel. */
export interface LocalPlan {
  readonly radius: number;
  readonly method: "mean" | "sauvola";
  /** Offset of the mean, or Sauvola's k. */
  readonly first: number;
  /** Sauvola's r. */
  readonly second: number;
  /** At and below the threshold instead of above it. */
  readonly dark: boolean;
}

/** The amount of a stain: optical density per value of a channel, and the weights of red, green and blue. */
export interface StainPlan {
  readonly densities: Float64Array;
  readonly weights: readonly [number, number, number];
}

/** One interval per polarity, tested on the luma; or, with `any`, on whether any colour channel is nonzero. */
export interface Predicate {
  readonly any: boolean;
  readonly intervals: readonly Interval[];
  /** A value that is background in any case. */
  readonly except?: number | undefined;
  /** Pixels outside are background. */
  readonly within?: Bits | undefined;
  /** Instead of the intervals, of which there is one then. */
  readonly local?: LocalPlan | undefined;
}

/** Neighbours join when they differ by at most the tolerance in every channel; pixels of the background join nothing. */
export interface Linkage {
  readonly tolerance: number;
  /** One value per channel, or undefined for none. */
  readonly background: readonly number[] | undefined;
  /** A second value of the background. */
  readonly except?: number | undefined;
  /** Pixels outside are background. */
  readonly within?: Bits | undefined;
}

/** Whether pixels join by what they hold, instead of by being foreground. */
export function isLinkage(rule: Predicate | Linkage): rule is Linkage {
  return "tolerance" in rule;
}

/** The connectivity of the background for one of the objects: 8 for 4 and 4 for 8; 26 for 6, and 6 for 18 and 26. */
export function complementOf(connectivity: Connectivity): Connectivity {
  if (connectivity === 4 || connectivity === 8) return connectivity === 4 ? 8 : 4;
  return connectivity === 6 ? 26 : 6;
}

/** A checked FilterOptions: every field is there. */
export interface Filter {
  readonly fillHoles: boolean;
  /** Holes of more pixels are not filled. */
  readonly maxHoleArea: number;
  readonly clearBorder: boolean;
  readonly minArea: number;
  readonly maxArea: number;
  /** 0 keeps all. */
  readonly largest: number;
}

/** Whether a filter drops no object, apart from filling holes. Every object has at least one pixel. */
export function keepsAll({
  clearBorder,
  minArea,
  maxArea,
  largest,
}: Omit<Filter, "fillHoles" | "maxHoleArea">): boolean {
  return !clearBorder && minArea <= 1 && maxArea === Number.POSITIVE_INFINITY && largest === 0;
}

/** x, y, z; z is 0 in images. */
export type Seed = readonly [number, number, number];

/** A checked FillOptions: every field is there. */
export interface FillPlan {
  /** x, y, z. */
  readonly seeds: readonly Seed[];
  readonly metric: ColourMetric;
  /** Per channel; all alike with l1 and l2. */
  readonly lower: readonly number[];
  readonly upper: readonly number[];
  /** Against the neighbour instead of the seed. */
  readonly floating: boolean;
  readonly connectivity: Connectivity;
  /** Side of the window whose mean is the seed's colour: odd. */
  readonly average: number;
  readonly contiguous: boolean;
  readonly within: Bits | undefined;
}

/** Whether steps are one-way: the step from one pixel to another does not imply the step back. */
export function isDirected({ floating, lower, upper }: FillPlan): boolean {
  return floating && lower.some((n, i) => n !== upper[i]);
}

/** The levels, each after those that it holds. */
export const REGION_LEVELS: readonly RegionLevel[] = ["area", "bounds", "centroid", "shape"];

/** Which sums `regions` is to make. */
export interface RegionsPlan {
  readonly level: RegionLevel;
  /** With z, even of a single slice. */
  readonly solid: boolean;
  readonly intensity?: { readonly pixels: Pixels; readonly contrast: boolean } | undefined;
}

/** A checked OutlineOptions. */
export interface OutlinesPlan {
  /** Ascending and each once; undefined for all. */
  readonly labels: readonly number[] | undefined;
  /** In pixels; 0 for exact outlines. */
  readonly tolerance: number;
  /** No ring comes to a corner twice. */
  readonly simple: boolean;
}

/** Outputs of each convex hull. */
export interface HullPlan {
  /** Hulls of volumes: voxels, and with `feret` the longest way through. */
  readonly solid?: boolean;
  readonly rectangle?: boolean;
  readonly area?: boolean;
  readonly feret?: boolean;
  /** Lists the hull of pixel centres. */
  readonly centreHull?: boolean;
  /** Lists the hull of pixel corners instead. */
  readonly cornerHull?: boolean;
}

/** Measurements from the runs of each object. */
export interface ShapesPlan {
  /** Steps and crossings of contours; of images. */
  readonly contours: boolean;
  /** Measurements on convex hulls; of volumes only with `solid`. */
  readonly hull?: HullPlan | undefined;
  /** Sides of a pixel. */
  readonly scale: readonly [number, number, number];
}

/** Which values are picked under each object. */
export interface ValuesPlan {
  /** Pixels of one channel. */
  readonly pixels: Pixels;
  /** Quantiles, from 0 to 1. */
  readonly fractions: Float64Array;
  /** Bins of a histogram between the least and the greatest finite value, or one for each level of u8; undefined for none. */
  readonly bins?: number | "levels" | undefined;
  /** Pixels of each object. */
  readonly areas: Uint32Array;
}

/** A checked ResultWindow: every field is there. */
export type WindowPlan = Required<ResultWindow>;

/** The colour space in which a device keeps colours, and whether it leaves out transparent pixels. */
export interface ColoursPlan {
  readonly space: ColourSpace;
  readonly ignoreTransparent: boolean;
  /** Pixels outside have no class. */
  readonly within?: Bits | undefined;
}

/** A checked WandOptions. */
export interface WandPlan {
  readonly seeds: readonly Seed[];
  readonly contiguous: boolean;
  readonly connectivity: 4 | 8;
}

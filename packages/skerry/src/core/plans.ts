// Checked options, with every default filled in. Devices do not check them again.

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
  /** The raster of heights; if undefined, heights are distances to the background. */
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

/** A checked AbsorbOptions. */
export interface AbsorbPlan {
  /** Areas of fewer pixels are merged into a neighbour. */
  readonly minArea: number;
  /** The neighbour that takes an area: that with the longest common border, or the largest one. */
  readonly into: "border" | "largest";
}

/** A threshold that is compared with the pixels around each pixel. */
export interface LocalPlan {
  readonly radius: number;
  readonly method: "mean" | "sauvola";
  /** Offset below the mean, or Sauvola's k; with the other sign for bright objects. */
  readonly first: number;
  /** Sauvola's r. */
  readonly second: number;
  /** At and below the threshold instead of above it. */
  readonly dark: boolean;
}

/**
 * The amount of a stain: the sum of an entry for the red, the green and the blue of a pixel, or 0 if that is less. Entries are the
 * density of a value times its weight, times 2^40, as whole numbers of 64 bits: their sums are exact, and rounded once, to f32. Each
 * is its lower and its upper half; those of red come first, then green, then blue.
 */
export interface StainPlan {
  readonly entries: Uint32Array;
}

/** The contrast with the colour of the frame; see core/contrast.ts. */
export interface ContrastPlan {
  /** The value of the frame for one channel; the roots of its cone responses for colours. */
  readonly frame: readonly number[];
  /** Linear light per value of a channel, and cube roots per cone response; empty for one channel. */
  readonly light: Uint16Array;
  readonly roots: Uint16Array;
}

/** One interval per polarity, tested on the luma; or, with `any`, on whether any colour channel is nonzero. */
export interface Predicate {
  readonly any: boolean;
  readonly intervals: readonly Interval[];
  /** A value that is background in any case. */
  readonly except?: number | undefined;
  /** Pixels outside are background. */
  readonly within?: Bits | undefined;
  /** A local threshold, which replaces the one interval. */
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

/** Whether a rule joins pixels by their values instead of by foreground. */
export function isLinkage(rule: Predicate | Linkage): rule is Linkage {
  return "tolerance" in rule;
}

/** The background's connectivity for that of the objects: 8 for 4 and 4 for 8; 26 for 6, and 6 for 18 and 26. */
export function complementOf(connectivity: Connectivity): Connectivity {
  if (connectivity === 4 || connectivity === 8) return connectivity === 4 ? 8 : 4;
  return connectivity === 6 ? 26 : 6;
}

/** A checked FilterOptions. */
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

/** A checked FillOptions. */
export interface FillPlan {
  /** x, y, z. */
  readonly seeds: readonly Seed[];
  readonly metric: ColourMetric;
  /** Per channel; all alike with l1 and l2. */
  readonly lower: readonly number[];
  readonly upper: readonly number[];
  /** Compares with the neighbour instead of the seed. */
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

/** The kinds of sums, each after those that it includes. */
export const REGION_LEVELS: readonly RegionLevel[] = ["area", "bounds", "centroid", "shape"];

/** The sums that `regions` computes. */
export interface RegionsPlan {
  readonly level: RegionLevel;
  /** Sums include z, even for a single slice. */
  readonly solid: boolean;
  readonly intensity?: { readonly pixels: Pixels; readonly contrast: boolean } | undefined;
}

/** A checked OutlineOptions. */
export interface OutlinesPlan {
  /** Distinct labels in ascending order; undefined for all. */
  readonly labels: readonly number[] | undefined;
  /** In pixels; 0 for exact outlines. */
  readonly tolerance: number;
  /** Rings are cut so that none visits a corner twice. */
  readonly simple: boolean;
}

/** Outputs of each convex hull. */
export interface HullPlan {
  /** Hulls of volumes: voxels, and with `feret` the longest diameter. */
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

/** The quantiles and histograms to compute under each object. */
export interface ValuesPlan {
  /** Pixels of one channel. */
  readonly pixels: Pixels;
  /** Quantiles, from 0 to 1. */
  readonly fractions: Float64Array;
  /** Number of bins from the smallest to the largest finite value, or one bin per level of u8; undefined for no histogram. */
  readonly bins?: number | "levels" | undefined;
  /** Pixels of each object. */
  readonly areas: Uint32Array;
}

/** A checked ResultWindow. */
export type WindowPlan = Required<ResultWindow>;

/** The colour space in which a device keeps colours, and whether it leaves out transparent pixels. */
export interface ColoursPlan {
  readonly space: ColourSpace;
  readonly ignoreTransparent: boolean;
  /** Pixels outside this mask have no class. */
  readonly within?: Bits | undefined;
}

/** A checked WandOptions. */
export interface WandPlan {
  readonly seeds: readonly Seed[];
  readonly contiguous: boolean;
  readonly connectivity: 4 | 8;
}

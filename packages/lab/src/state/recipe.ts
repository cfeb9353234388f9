// The recipe: one plain object that determines the result. History keeps it and links carry it; it holds no pixels.

import { type ColourMetric, REGION_PROPERTIES } from "skerry";
import { factsOf, isNumber, type NumberProperty } from "skerry/internal";

/** The tools of the page, in the order of their tabs. */
export const TOOLS = ["objects", "fill"] as const;
export type Tool = (typeof TOOLS)[number];

/** Which pixels are objects. */
export type Rule = "bright" | "dark" | "both" | "nonzero" | "value";
export const CHANNELS = ["luma", "red", "green", "blue", "alpha", "hematoxylin", "eosin", "dab"] as const;
export type Channel = (typeof CHANNELS)[number];

/** Steps before and after the threshold, in their order, and the largest value of each. */
export const STEPS = {
  ...{ smooth: 100, flatten: 1000, local: 1000, open: 1000, close: 1000, erode: 1000, dilate: 1000 },
  ...{ split: 1000, absorb: 2 ** 31, expand: 1000 },
} as const;
export type Step = keyof typeof STEPS;

/** Properties of images with one number per object: what is brushed, drawn and sorted by. */
export const PROPERTIES: readonly NumberProperty[] = REGION_PROPERTIES.filter(isNumber).filter((name) => {
  const { only, byName } = factsOf(name);
  return only !== "volume" && !byName;
});
export type Property = NumberProperty;

/** A pixel: x, y. */
export type Spot = readonly [number, number];

/** Sigma, radii, h of a split, area and distance; 0 leaves a step out. */
export interface ObjectsRecipe extends Readonly<Record<Step, number>> {
  readonly rule: Rule;
  readonly channel: Channel;
  /** Bright objects are above it, dark ones below it. With the rule "both" the bright ones are above it. */
  readonly threshold: number;
  /** With the rule "both", dark objects are below it. */
  readonly lower: number;
  readonly connectivity: 4 | 8;
  readonly minArea: number;
  /** 0 for any. */
  readonly maxArea: number;
  /** How many of the largest stay; 0 for all. */
  readonly largest: number;
  readonly fillHoles: boolean;
  readonly clearBorder: boolean;
  /** Objects stay whose properties lie within these bounds, inclusive. */
  readonly keep: { readonly [name in Property]?: readonly [number, number] };
  /** Objects that were deleted: a pixel of each. */
  readonly dropped: readonly Spot[];
}

/** One press of the fill tool: it begins anew, adds or takes away. */
export interface Stroke {
  readonly mode: "new" | "add" | "take";
  readonly x: number;
  readonly y: number;
  readonly tolerance: number;
}

export interface FillSettings {
  readonly range: "fixed" | "floating";
  readonly metric: ColourMetric;
  readonly connectivity: 4 | 8;
  readonly average: number;
  readonly contiguous: boolean;
}

/** Strokes that were painted with a colour. */
export interface Coat extends FillSettings {
  readonly colour: string;
  readonly strokes: readonly Stroke[];
}

export interface FillRecipe extends FillSettings {
  /** The tolerance with which the next press begins, 0 to 255. */
  readonly tolerance: number;
  /** The colour of the next paint, #rrggbb. */
  readonly colour: string;
  /** The selection. */
  readonly strokes: readonly Stroke[];
  readonly coats: readonly Coat[];
}

/** A fence: pixels outside belong to nothing. It is stored as the recipe that made it. */
export type Fence =
  | {
      readonly tool: "objects";
      readonly objects: ObjectsRecipe;
      readonly spots: readonly Spot[];
      readonly within?: Fence | undefined;
    }
  | {
      readonly tool: "fill";
      readonly fill: FillSettings & { readonly strokes: readonly Stroke[] };
      readonly within?: Fence | undefined;
    };

export interface Recipe {
  /** A sample's name, or the name or address of a file that the reader opened. */
  readonly source: string;
  /** Sides were divided by it when the file was opened; 1 as a rule. */
  readonly shrink: number;
  readonly tool: Tool;
  readonly objects: ObjectsRecipe;
  readonly fill: FillRecipe;
  readonly within?: Fence | undefined;
}

export const OBJECTS: ObjectsRecipe = {
  ...{ rule: "bright", channel: "luma", threshold: 128, lower: 64, connectivity: 4 },
  ...{ smooth: 0, flatten: 0, local: 0, open: 0, close: 0, erode: 0, dilate: 0, split: 0, absorb: 0, expand: 0 },
  ...{ minArea: 1, maxArea: 0, largest: 0, fillHoles: false, clearBorder: false, keep: {}, dropped: [] },
};

export const FILL: FillRecipe = {
  ...{ range: "fixed", metric: "linf", connectivity: 4, average: 1, contiguous: true },
  ...{ tolerance: 24, colour: "#ff7a00", strokes: [], coats: [] },
};

/** A sample and what suits it; `otsu` takes the threshold from the picture. */
export interface Sample {
  readonly source: string;
  readonly file: string;
  readonly tool: Tool;
  readonly objects?: Partial<ObjectsRecipe>;
  readonly fill?: Partial<FillRecipe>;
  readonly otsu?: boolean;
}

export const SAMPLES: readonly Sample[] = [
  { source: "galaxies", file: "hubble_deep_field.jpg", tool: "objects", objects: { threshold: 60, minArea: 6 } },
  { source: "cells", file: "cells.png", tool: "objects", otsu: true },
  {
    ...{ source: "board", file: "board.png", tool: "objects" },
    objects: { rule: "both", lower: 60, threshold: 200, connectivity: 8, minArea: 5 },
  },
  { source: "pebbles", file: "pebbles.png", tool: "objects", otsu: true, objects: { minArea: 20 } },
  {
    ...{ source: "maze", file: "maze.png", tool: "fill" },
    fill: { strokes: [{ mode: "new", x: 8, y: 8, tolerance: 24 }] },
  },
  {
    ...{ source: "coffee", file: "coffee.png", tool: "fill" },
    fill: { strokes: [{ mode: "new", x: 350, y: 150, tolerance: 40 }] },
  },
];

/** The recipe that a sample opens with. */
export function recipeFor({ source, tool, objects, fill }: Sample): Recipe {
  return { source, shrink: 1, tool, objects: { ...OBJECTS, ...objects }, fill: { ...FILL, ...fill } };
}

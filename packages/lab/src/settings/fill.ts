// Settings of the fill tool, as options of the library and as a saved recipe.

import type { PaintedCoat, RecipeOptions, Recipe as SavedRecipe, Stroke as SavedStroke } from "@skerry/recipe";
import { strokesThatCount } from "@skerry/recipe/internal";
import type { ColourMetric, FillOptions } from "skerry";
import { defined } from "skerry/internal";
import type { Mode } from "./spots.js";

/** One press of the fill tool: it begins a new selection, adds to it or removes from it. */
export interface Stroke {
  readonly mode: Mode;
  readonly x: number;
  readonly y: number;
  readonly tolerance: number;
}

export interface FillSettings {
  readonly range: NonNullable<FillOptions["range"]>;
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
  /** The tolerance with which the next press begins, 0 to 765; drags reach 255. */
  readonly tolerance: number;
  /** The colour of the next paint, #rrggbb. */
  readonly colour: string;
  /** The selection. */
  readonly strokes: readonly Stroke[];
  readonly coats: readonly Coat[];
}

export const FILL: FillRecipe = {
  range: "fixed",
  metric: "linf",
  connectivity: 4,
  average: 1,
  contiguous: true,
  tolerance: 24,
  colour: "#ff7a00",
  strokes: [],
  coats: [],
};

/** Only the fields of the comparison. */
export const comparisonOf = ({ range, metric, connectivity, average, contiguous }: FillSettings): FillSettings => ({
  range,
  metric,
  connectivity,
  average,
  contiguous,
});

/** The fields of the comparison that differ from the defaults. */
export function changedComparison(settings: FillSettings): Omit<PaintedCoat, "color" | "strokes"> {
  const comparison = Object.entries(comparisonOf(settings)).filter(([name, value]) => value !== FILL[name as "range"]);
  return Object.fromEntries(comparison);
}

/** The library's options for a stroke. */
export function fillOptionsOf(settings: FillSettings, { x, y, tolerance }: Stroke): FillOptions {
  return { seeds: [[x, y]], tolerance, ...changedComparison(settings) } as FillOptions;
}

const savedStroke = ({ mode, x, y, tolerance }: Stroke): SavedStroke => ({ mode, at: [x, y], tolerance });

/** The options of a fill: seeds if no stroke removes and all have one tolerance, else the strokes. */
export function savedFill(settings: FillSettings, strokes: readonly Stroke[]): RecipeOptions {
  const counted = strokesThatCount(strokes);
  const [{ tolerance }] = counted;
  const alike = counted.every((stroke) => stroke.mode !== "take" && stroke.tolerance === tolerance);
  const seeds = counted.map(({ x, y }) => [x, y]);
  const places: RecipeOptions = alike
    ? defined({ seeds, tolerance: tolerance > 0 ? tolerance : undefined })
    : { strokes: counted.map(savedStroke) };
  return { ...places, ...changedComparison(settings) };
}

/** Products of a fill: the colour of its selection, and what was painted. */
export function savedPaint({ strokes, coats, colour }: FillRecipe): NonNullable<SavedRecipe["products"]> {
  const painted = coats.map((coat) => ({
    color: coat.colour,
    strokes: strokesThatCount(coat.strokes).map(savedStroke),
    ...changedComparison(coat),
  }));
  return defined({
    color: colour === FILL.colour || strokes.length === 0 ? undefined : colour,
    coats: painted.length > 0 ? painted : undefined,
  });
}

/** Red, green and blue of #rrggbb. */
export function rgbOf(colour: string): [number, number, number] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)) as [number, number, number];
}

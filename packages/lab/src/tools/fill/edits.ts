// Changes of a selection: presses, their tolerance, and its paint.

import { comparisonOf, type Stroke } from "../../settings/fill.js";
import type { Recipe } from "../../settings/recipe.js";
import type { Mode, Spot } from "../../settings/spots.js";
import { changeFill, recipe } from "../../state/lab.js";

const MOST = 255;

/** Adds a press. A press of mode "new" drops those before it. */
export function press([x, y]: Spot, mode: Mode, gesture: string): void {
  const { strokes, tolerance } = recipe.value.fill;
  const stroke: Stroke = { mode: strokes.length === 0 ? "new" : mode, x, y, tolerance };
  changeFill({ strokes: stroke.mode === "new" ? [stroke] : [...strokes, stroke] }, { gesture });
}

/** Sets the tolerance of the last press and of the next. */
export function setTolerance(tolerance: number, gesture?: string): void {
  const { strokes } = recipe.value.fill;
  const last = strokes.at(-1);
  const next = last ? [...strokes.slice(0, -1), { ...last, tolerance }] : strokes;
  changeFill({ strokes: next, tolerance }, gesture ? { gesture } : {});
}

/** Changes the tolerance of the last press, or of the next if there is none. */
export function widen(by: number): void {
  const { strokes, tolerance } = recipe.value.fill;
  setTolerance(clamp((strokes.at(-1)?.tolerance ?? tolerance) + by));
}

export const clamp = (tolerance: number): number => Math.min(MOST, Math.max(0, tolerance));

/** Paints the selection with the colour. */
export function paintSelected(): void {
  const { fill } = recipe.value;
  if (fill.strokes.length === 0) return;
  const { tolerance: _, coats: before, ...coat } = fill;
  changeFill({ strokes: [], coats: [...before, coat] });
}

export const clearSelected = (): void => changeFill({ strokes: [] });

/** Settings in which the selection is the fence of every tool. */
export function fenceOf({ fill, within }: Recipe): Partial<Recipe> | undefined {
  if (fill.strokes.length === 0) return undefined;
  const settings = { ...comparisonOf(fill), strokes: fill.strokes };
  return { within: { tool: "fill", fill: settings, within }, fill: { ...fill, strokes: [] } };
}

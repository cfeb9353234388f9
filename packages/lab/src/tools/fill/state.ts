// Signals that the panels of the fill tool read.

import { signal } from "@preact/signals";
import type { Recipe } from "../../settings/recipe.js";

/** Pixels at each tolerance from the last press, and the press that they belong to. */
export const areas = signal<{ readonly key: string; readonly counts: Float64Array | undefined } | undefined>(undefined);

/** The press that areas belong to. */
export function areasKey({ fill, source }: Pick<Recipe, "fill" | "source">): string {
  const { x, y } = fill.strokes.at(-1) ?? { x: -1, y: -1 };
  return JSON.stringify([x, y, fill.connectivity, source]);
}

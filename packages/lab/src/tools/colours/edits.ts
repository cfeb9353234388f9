// Edits of classes: shows them alone, merges them, or makes them the fence of every tool.

import type { Recipe } from "../../settings/recipe.js";
import type { Spot } from "../../settings/spots.js";
import { isolated } from "../../state/drawn.js";
import { changeColours, recipe } from "../../state/lab.js";
import { classes } from "./state.js";

/** The first pixel of a class. */
export function spotOf(own: number): Spot | undefined {
  const { data, width } = classes.value ?? { data: new Uint8Array(), width: 1 };
  const at = data.indexOf(own);
  return at < 0 ? undefined : [at % width, Math.floor(at / width)];
}

/** The class at a pixel; undefined if the pixel has none. */
export function classAt([x, y]: Spot): number | undefined {
  const { value } = classes;
  const own = value?.data[y * value.width + x];
  return value && own !== undefined && own < value.k ? own : undefined;
}

/** Shows a class alone, or all classes again if it is alone already. */
export function isolate(own: number): void {
  isolated.value = isolated.value.size === 1 && isolated.value.has(own) ? new Set() : new Set([own]);
}

/** Merges a class with those that are shown alone. */
export function merge(own: number): void {
  const spots = [...new Set([...isolated.value, own])].map(spotOf).filter((spot) => spot !== undefined);
  if (spots.length < 2) {
    isolated.value = new Set([own]);
    return;
  }
  isolated.value = new Set();
  changeColours({ merged: [...recipe.value.colours.merged, spots] });
}

/** Settings in which the classes that are shown alone are the fence of every tool. */
export function fenceOf({ colours, within }: Recipe): Partial<Recipe> | undefined {
  const spots = [...isolated.value].map(spotOf).filter((spot) => spot !== undefined);
  return spots.length > 0 ? { within: { tool: "colours", colours, spots, within } } : undefined;
}

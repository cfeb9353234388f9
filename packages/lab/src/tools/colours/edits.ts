// Edits of classes: shows them alone, merges them, or makes them the fence of every tool.

import type { Recipe } from "../../settings/recipe.js";
import type { Spot } from "../../settings/spots.js";
import { isolated } from "../../state/drawn.js";
import { changeColours, recipe } from "../../state/lab.js";
import { classes } from "./state.js";

/** The first pixel of a class. */
export function spotOf(index: number): Spot | undefined {
  const { data, width } = classes.value ?? { data: new Uint8Array(), width: 1 };
  const at = data.indexOf(index);
  return at < 0 ? undefined : [at % width, Math.floor(at / width)];
}

/** The class at a pixel; undefined if the pixel has none. */
export function classAt([x, y]: Spot): number | undefined {
  const { value } = classes;
  const index = value?.data[y * value.width + x];
  return value && index !== undefined && index < value.k ? index : undefined;
}

/** Shows a class alone, or all classes again if it is alone already. */
export function isolate(index: number): void {
  isolated.value = isolated.value.size === 1 && isolated.value.has(index) ? new Set() : new Set([index]);
}

/** Merges a class with those that are shown alone. */
export function merge(index: number): void {
  const spots = [...new Set([...isolated.value, index])].map(spotOf).filter((spot) => spot !== undefined);
  if (spots.length < 2) {
    isolated.value = new Set([index]);
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

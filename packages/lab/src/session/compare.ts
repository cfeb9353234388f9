// Two settings beside each other: the objects of one are kept as A, on the left of the divider, while those of others follow as B.

import { computed, effect, signal } from "@preact/signals";
import type { Runs } from "skerry";
import type { Recipe } from "../settings/recipe.js";
import { session } from "../state/engine.js";
import { apply, divider, found, recipe } from "../state/lab.js";
import { toolOf } from "../tools/index.js";
import { loneOf } from "../tools/objects/lone.js";
import { fresh, measured } from "../tools/objects/state.js";

interface Slot {
  readonly recipe: Recipe;
  readonly count: number;
  readonly runs: Runs;
}

/** The settings and objects that were kept. */
export const slot = signal<Slot | undefined>(undefined);

/** Labels of the objects that share no pixel with an object of the other side: of A, and of B. */
export const lone = computed(() =>
  slot.value && measured.value && fresh.value ? loneOf(slot.value.runs, measured.value.runs) : undefined,
);

/** Keeps the objects that are shown as A. */
export function keepAsA(): void {
  const { runs } = measured.value ?? {};
  if (!runs || !fresh.value || !found.value) return;
  slot.value = { recipe: recipe.value, count: found.value.headline.value ?? 0, runs };
  divider.value = Math.min(0.9, Math.max(0.1, divider.value));
  session.follower?.setAside(true);
}

export function endComparing(): void {
  slot.value = undefined;
  session.follower?.setAside(false);
}

/** Swaps A's settings with those that are shown. */
export function swap(): void {
  const before = slot.value;
  if (!before) return;
  keepAsA();
  apply(before.recipe);
}

// Dropping the picture ends the comparison, and so does another tool.
effect(() => {
  if (!found.value) slot.value = undefined;
});
effect(() => {
  if (slot.value && toolOf(recipe.value) !== toolOf(slot.value.recipe)) endComparing();
});

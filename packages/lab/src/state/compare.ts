// Two settings beside each other: the objects of one are kept as A, on the left of the divider, while those of others follow as B.

import { computed, effect, signal } from "@preact/signals";
import type { Runs } from "skerry";
import { loneOf } from "../tools/objects/lone.js";
import { fresh, measured } from "../tools/objects/state.js";
import { apply, divider, found, recipe } from "./lab.js";
import type { Recipe } from "./recipe.js";
import { session } from "./session.js";

interface Slot {
  readonly recipe: Recipe;
  readonly count: number;
  readonly runs: Runs;
}

/** The settings and objects that were kept. */
export const slot = signal<Slot | undefined>(undefined);

/** Objects that no pixel of the other side's objects belongs to, by labels: of A, and of B. */
export const lone = computed(() =>
  slot.value && measured.value && fresh.value ? loneOf(slot.value.runs, measured.value.runs) : undefined,
);

/** Keeps the objects that are shown as A. */
export function keepAsA(): void {
  const { runs } = measured.value ?? {};
  if (!runs || !fresh.value || !found.value) return;
  slot.value = { recipe: recipe.value, count: found.value.count, runs };
  divider.value = Math.min(0.9, Math.max(0.1, divider.value));
  session.follower?.setAside(true);
}

export function endComparing(): void {
  slot.value = undefined;
  session.follower?.setAside(false);
}

/** A's settings become those that are shown, and those that are shown A's. */
export function swap(): void {
  const before = slot.value;
  if (!before) return;
  keepAsA();
  apply(before.recipe);
}

// A picture that was dropped takes what was kept of it along, and another tool has nothing to compare with it.
effect(() => {
  if (!found.value) slot.value = undefined;
});
effect(() => {
  if (slot.value && recipe.value.tool !== slot.value.recipe.tool) endComparing();
});

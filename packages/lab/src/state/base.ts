// Settings of files that have none of their own: those that the user made last. A file that takes them over, and is only looked at, passes
// them on as they were, so that the order in which files are looked at changes nothing.

import { computed, signal } from "@preact/signals";
import type { Recipe } from "../settings/recipe.js";
import { recipe } from "./lab.js";

/** Settings that were taken over, as they are shown, and those that they come from. */
const taken = signal<{ readonly shown: Recipe; readonly from: Recipe } | undefined>(undefined);

/** Settings that the picture took over and that nobody has changed since; undefined where it has its own. */
export const takenOver = computed(() => (taken.value?.shown === recipe.value ? taken.value.from : undefined));

/** The settings that files take over which have none. */
export const base = computed(() => takenOver.value ?? recipe.value);

/** Tells that the picture that is shown has taken over settings; `from` is undefined if it has its own. */
export function takeOver(shown: Recipe, from: Recipe | undefined): void {
  taken.value = from && { shown, from };
}

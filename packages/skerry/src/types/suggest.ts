// The results of `engine.suggest()`: other settings for a picture, each with its effect.

import type { ComponentsOptions } from "./components.js";

/** Options of `components()` that a suggestion may change. */
export const SUGGESTED = [
  "channel",
  "smooth",
  "flatten",
  "threshold",
  "polarity",
  "fillHoles",
  "split",
  "minArea",
  "maxArea",
  "clearBorder",
] as const satisfies readonly (keyof ComponentsOptions)[];

/** Changed options; one that is undefined is left out. */
export type SuggestedChanges = { readonly [K in (typeof SUGGESTED)[number]]?: ComponentsOptions[K] | undefined };

/** Options of `engine.suggest()`: those of the call that the suggestions are for. */
export interface SuggestOptions extends ComponentsOptions {
  /** Names of options that stay as they are; none by default. Options that a suggestion never changes stay as well. */
  readonly keep?: readonly (typeof SUGGESTED)[number][];
}

/** Other settings for a picture, and their effect. */
export interface Suggestion {
  /** The options that change, beside those that were given; none if the given options are as good. */
  readonly changes: SuggestedChanges;
  /** Objects with these changes. */
  readonly count: number;
  /** The share, 0 to 1, of the ways to find objects (channel and threshold) whose number is within 10 %. */
  readonly agreement: number;
}

/** Suggestions for a picture, the best first. */
export interface Suggestions {
  /** Objects with the given options. */
  readonly count: number;
  /** The share of these objects, 0 to 1, that are specks: 40 times smaller than the object in which half of the area is reached. */
  readonly specks: number;
  /** The share of the picture, 0 to 1, of objects that touch three or four of its sides. */
  readonly ground: number;
  /** Counts of offers are exact if it is 1. Otherwise they are those of a copy whose sides are divided by it. */
  readonly scale: number;
  /** At most four, with different counts. */
  readonly offers: readonly Suggestion[];
}

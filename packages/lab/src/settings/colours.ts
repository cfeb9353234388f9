// Settings of the colours tool, as options of the library and as a saved recipe.

import type { RecipeOptions, Recipe as SavedRecipe } from "@skerry/recipe";
import type { KmeansOptions } from "skerry";
import { COLOUR_STARTS, defined } from "skerry/internal";
import { tidy } from "./saved.js";
import type { Spot } from "./spots.js";

export const STARTS = [...COLOUR_STARTS, "tiles"] as const;
export type Start = (typeof STARTS)[number];

export interface ColoursRecipe {
  /** How many classes, 1 to 255. */
  readonly k: number;
  readonly metric: NonNullable<KmeansOptions["metric"]>;
  readonly colourSpace: NonNullable<KmeansOptions["colourSpace"]>;
  readonly init: Start;
  readonly seed: number;
  /** Groups of merged classes, each class as one of its pixels. */
  readonly merged: readonly (readonly Spot[])[];
}

export const COLOURS: ColoursRecipe = {
  k: 6,
  metric: "l2",
  colourSpace: "rgb",
  init: "kmeans++",
  seed: 0,
  merged: [],
};

/** Most classes of the slider; the number goes on to 255. */
export const SLIDER_END = 24;

/** The library's options that do not depend on the number of classes. */
export function sharedOptions({ metric, colourSpace, init, seed }: ColoursRecipe): Omit<KmeansOptions, "into" | "k"> {
  return defined({
    metric: metric === COLOURS.metric ? undefined : metric,
    colourSpace: colourSpace === COLOURS.colourSpace ? undefined : colourSpace,
    init: init === COLOURS.init ? undefined : init,
    seed: seed === 0 ? undefined : seed,
  });
}

export const kmeansOptions = (colours: ColoursRecipe): Omit<KmeansOptions, "into"> => ({
  k: colours.k,
  ...sharedOptions(colours),
});

/** The saved recipe. With `pick` it is that of a fence: the pixels of the classes at these spots. */
export function savedColours(
  colours: ColoursRecipe,
  within: SavedRecipe | undefined,
  pick: readonly Spot[] = [],
): SavedRecipe {
  const { merged } = colours;
  return tidy("kmeans", {
    input: within ? { within } : {},
    options: defined({
      ...(kmeansOptions(colours) as RecipeOptions),
      merge: merged.length > 0 ? merged : undefined,
      pick: pick.length > 0 ? pick : undefined,
    }),
  });
}

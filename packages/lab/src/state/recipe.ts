// What was asked for: one plain object, from which the result follows. It is what links carry.

/** Settings of the objects tool. */
export interface Recipe {
  /** A sample's name, or the name of a file that the reader opened. */
  readonly source: string;
  readonly polarity: "bright" | "dark";
  /** Bright objects are above it, dark ones below it. */
  readonly threshold: number;
  readonly connectivity: 4 | 8;
  readonly minArea: number;
  readonly fillHoles: boolean;
  readonly clearBorder: boolean;
}

/** Samples, and what suits them; `otsu` takes the threshold from the picture. */
export const SAMPLES: readonly (Recipe & { readonly file: string; readonly otsu?: boolean })[] = [
  { source: "galaxies", file: "hubble_deep_field.jpg", ...bright(60, 4, 6) },
  { source: "cells", file: "cells.png", ...bright(87, 4, 1), otsu: true },
  { source: "coins", file: "coins.png", ...bright(107, 8, 100), otsu: true, fillHoles: true },
  { source: "pebbles", file: "pebbles.png", ...bright(128, 4, 20), otsu: true },
];

function bright(threshold: number, connectivity: 4 | 8, minArea: number): Omit<Recipe, "source"> {
  return { polarity: "bright", threshold, connectivity, minArea, fillHoles: false, clearBorder: false };
}

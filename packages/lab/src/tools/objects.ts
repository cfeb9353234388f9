// The objects of a picture under a recipe: components of its luma, what they measure, and the run table for the pointer.

import type { Components, Engine, Image, Regions, Runs } from "skerry";
import type { Recipe } from "../state/recipe.js";

export interface Objects {
  readonly components: Components;
  readonly milliseconds: number;
}

export interface Measured {
  readonly regions: Regions;
  readonly runs: Runs;
}

/** Finds the objects. */
export async function findObjects(engine: Engine, luma: Image, recipe: Recipe, signal: AbortSignal): Promise<Objects> {
  const { polarity, threshold, connectivity, minArea, fillHoles, clearBorder } = recipe;
  const begin = performance.now();
  const components = await engine.components(luma, {
    ...{ threshold: polarity === "bright" ? { above: threshold } : { below: threshold } },
    ...{ connectivity, minArea, fillHoles, clearBorder, signal },
  });
  return { components, milliseconds: performance.now() - begin };
}

/** Measures them, for the table, and takes their runs. */
export async function measureObjects({ components }: Objects, signal: AbortSignal): Promise<Measured> {
  const properties = ["area", "centroid", "eccentricity", "bounds"] as const;
  const [regions, runs] = await Promise.all([
    components.regions({ properties: [...properties], signal }),
    components.runs({ signal }),
  ]);
  return { regions, runs };
}

// Recipes in the address's hash: short, with a version, written at most twice a second.

import type { Recipe } from "./recipe.js";

const VERSION = "1";
const PAUSE_MILLISECONDS = 500;
const MOST_LETTERS = 1500;

/** A recipe as the hash holds it. */
export function hashOf(recipe: Recipe): string {
  const { source, polarity, threshold, connectivity, minArea, fillHoles, clearBorder } = recipe;
  const fields = {
    ...{
      v: VERSION,
      source,
      polarity,
      threshold: `${threshold}`,
      connectivity: `${connectivity}`,
      minArea: `${minArea}`,
    },
    ...(fillHoles ? { fillHoles: "1" } : {}),
    ...(clearBorder ? { clearBorder: "1" } : {}),
  };
  return `#${new URLSearchParams(fields)}`.slice(0, MOST_LETTERS);
}

/** The recipe of a hash; undefined where it holds none that this version knows. */
export function recipeOf(hash: string): Recipe | undefined {
  const fields = new URLSearchParams(hash.slice(1));
  const number = (name: string): number => Number(fields.get(name) ?? Number.NaN);
  const [threshold, connectivity, minArea] = [number("threshold"), number("connectivity"), number("minArea")];
  const polarity = fields.get("polarity");
  const source = fields.get("source");
  const known = connectivity === 4 || connectivity === 8;
  if (fields.get("v") !== VERSION || !source || !known || !Number.isFinite(threshold) || !(minArea >= 0))
    return undefined;
  if (polarity !== "bright" && polarity !== "dark") return undefined;
  const flags = { fillHoles: fields.has("fillHoles"), clearBorder: fields.has("clearBorder") };
  return { source, polarity, threshold, connectivity, minArea, ...flags };
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** Puts a recipe into the address, soon. */
export function remember(recipe: Recipe): void {
  clearTimeout(timer);
  timer = setTimeout(() => history.replaceState(null, "", hashOf(recipe)), PAUSE_MILLISECONDS);
}

// The page's recipe in the address's hash, with the picture's name: as JSON, written at most twice a second.

import { FILL, OBJECTS, type Recipe, TOOLS } from "./recipe.js";
import { recipeOf } from "./recipes.js";
import type { Read } from "./settings.js";

const VERSION = "3";
const PAUSE_MILLISECONDS = 500;
const MOST_LETTERS = 1500;

/** Settings as the hash holds them; undefined where the recipe is too long for a link. */
export function hashOf(settings: Recipe): string | undefined {
  const { source, shrink, tool } = settings;
  const recipe = recipeOf(settings);
  const fields = new URLSearchParams({
    ...{ v: VERSION, source, tool },
    ...(shrink > 1 ? { shrink: `${shrink}` } : {}),
    ...(recipe ? { recipe: JSON.stringify(recipe) } : {}),
  });
  const hash = `#${fields}`;
  return hash.length <= MOST_LETTERS ? hash : undefined;
}

/** Settings of a link, with the name of its picture. */
export interface Linked {
  readonly settings: Recipe;
  readonly chooses: Read["chooses"];
}

/** The picture and the settings of a hash; undefined where it holds none that this version knows. */
export async function linkedOf(hash: string): Promise<Linked | undefined> {
  try {
    const fields = new URLSearchParams(hash.slice(1));
    const [source, shrink, recipe] = [fields.get("source"), Number(fields.get("shrink") ?? 1), fields.get("recipe")];
    const tool = TOOLS.find((name) => name === fields.get("tool"));
    if (fields.get("v") !== VERSION || !source || !tool) return undefined;
    if (!Number.isInteger(shrink) || shrink < 1 || shrink > 64) return undefined;
    if (!recipe) return { settings: { source, shrink, tool, objects: OBJECTS, fill: FILL }, chooses: undefined };
    const { settingsOf } = await import("./settings.js");
    const { settings, chooses } = settingsOf(JSON.parse(recipe));
    return { settings: { ...settings, source, shrink }, chooses };
  } catch {
    return undefined;
  }
}

let timer: ReturnType<typeof setTimeout> | undefined;
let newest: Recipe | undefined;

/** Puts settings into the address, soon; those that are too long for a link leave none there. */
export function remember(settings: Recipe): void {
  newest = settings;
  if (timer !== undefined) return;
  timer = setTimeout(() => {
    timer = undefined;
    const { pathname, search } = location;
    if (newest) history.replaceState(null, "", hashOf(newest) ?? `${pathname}${search}`);
  }, PAUSE_MILLISECONDS);
}

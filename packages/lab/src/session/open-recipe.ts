// Opens a recipe: for the picture that is shown, and where it holds settings of single files, for those of the film strip.

import type { Recipe as SavedRecipe } from "@skerry/recipe";
import { parseRecipe, recipeOfFile } from "@skerry/recipe/internal";
import { idsOf } from "../files/ids.js";
import type { Opened } from "../files/opened.js";
import { settingsOf } from "../settings/from-saved.js";
import { OBJECTS } from "../settings/objects.js";
import { ownRecipe, type Recipe } from "../settings/recipe.js";
import { belongingOf, changedTo, identityOf, keepBelonging } from "../state/belongings.js";
import { others, recipe } from "../state/lab.js";

/** The settings with which masks of an annotation tool open, each of which is one object; undefined for other JSON. */
export function masksRecipe(json: unknown, name: string): Recipe | undefined {
  const [first] = Array.isArray(json) ? json : [json];
  const isOfMasks = ["annotations", "counts"].some((key) => Object.hasOwn(Object(first), key));
  return isOfMasks ? labelsRecipe(name) : undefined;
}

/** Settings that were made for a label image, for a picture that looks like another one or like none. */
export const ofAreas = (opened: Opened, settings: Recipe): Recipe =>
  idsOf(opened) === undefined ? { ...settings, objects: { ...settings.objects, rule: OBJECTS.rule } } : settings;

/** The settings with which a file of masks opens. */
export const labelsRecipe = (name: string): Recipe => ({
  ...ownRecipe(name, "objects"),
  objects: { ...OBJECTS, rule: "labels" },
});

/**
 * Takes the settings of a saved recipe for other files, each of which can undo its own, and gives those of the picture that is shown.
 * @throws RecipeError if it is no recipe, WithoutControl if the page has no control for one of its fields
 */
export async function takeRecipe(json: unknown): Promise<Recipe> {
  const saved: SavedRecipe = parseRecipe(json);
  const { source } = recipe.value;
  // All are read before any is changed.
  const now = { ...recipe.value, ...settingsOf(recipeOfFile(saved, source)) };
  const listed = others.value.filter(
    ({ name, file }) => file && name !== source && Object.hasOwn(saved.files ?? {}, name),
  );
  const each = listed.map((waiting) => ({ ...waiting, settings: settingsOf(recipeOfFile(saved, waiting.name)) }));
  for (const { name, file, settings } of each) {
    const identity = await identityOf(file as File, name);
    const before = await belongingOf(identity, name);
    const plain = ownRecipe(name, settings.tool);
    const fresh = { recipe: plain, past: [], future: [], selection: [], place: undefined, divider: 0.5 };
    const last = before ?? fresh;
    keepBelonging(identity, changedTo({ ...last.recipe, ...settings }, last));
  }
  return now;
}

// Recipes as they are saved: without parts that are empty.

import type { Recipe as SavedRecipe } from "@skerry/recipe";

/** Whether the result of an operation is objects that are found, or taken from a label image. */
export const isOfObjects = (operation: SavedRecipe["operation"]): boolean =>
  operation === "components" || operation === "labelled";

export function tidy(
  operation: SavedRecipe["operation"],
  parts: Pick<SavedRecipe, "input" | "options" | "products">,
): SavedRecipe {
  const full = Object.entries(parts).filter(([, part]) => part !== undefined && Object.keys(part).length > 0);
  return { skerry: 1, operation, ...Object.fromEntries(full) };
}

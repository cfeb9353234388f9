// Settings of single files: a recipe for many may hold, by their names, the input and options that take the place of its own.

import { defined } from "skerry/internal";
import { RecipeError } from "./errors.js";
import type { Recipe } from "./fields.js";

/** The operations whose recipes may hold settings of single files: those of `skerry label`. */
export const OF_FILES: readonly Recipe["operation"][] = ["components", "labelled"];

/** The recipe for one file, by its name without folders; that of the others if it has no settings of its own. */
export function recipeOfFile({ files, ...recipe }: Recipe, name: string): Recipe {
  const entry = files && Object.hasOwn(files, name) ? files[name] : undefined;
  if (!entry) return recipe;
  const { skerry, operation, products } = recipe;
  return defined({ skerry, operation, ...entry, products });
}

/** Refuses a recipe with settings of single files: pixels have no name. */
export function checkOne({ files }: Recipe): void {
  if (files)
    throw new RecipeError("Expected a recipe without files for one image; skerry run takes it with its files.");
}

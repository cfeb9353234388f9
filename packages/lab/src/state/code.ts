// The recipe of the page as calls of the library and as a command line, which give the same.

import { toCommand, toTypeScript } from "@skerry/recipe";
import { type Recipe, SAMPLES } from "./recipe.js";
import { recipeOf } from "./recipes.js";

/** A command line, and the features of the page that it lacks. */
export interface Command {
  readonly text: string;
  readonly without: readonly string[];
}

/** The file of a sample, in the repository, or the reader's own. */
function fileOf({ source }: Recipe): string {
  const sample = SAMPLES.find((each) => each.source === source);
  return sample ? `samples/${sample.file}` : source;
}

export function typescriptOf(settings: Recipe): string {
  const recipe = recipeOf(settings);
  return recipe ? toTypeScript(recipe) : "";
}

/** The command line. One of several colours is painted by it: the last. */
export function commandOf(settings: Recipe): Command {
  const { fill, tool, shrink } = settings;
  const coat = tool === "fill" && fill.strokes.length === 0 ? fill.coats.at(-1) : undefined;
  const recipe = recipeOf(coat ? { ...settings, fill: { ...fill, ...coat, coats: [] } } : settings);
  if (!recipe) return { text: "", without: ["nothing"] };
  const file = fileOf(settings);
  const painted = coat ? ["--color", coat.colour, "-o", "painted.png"] : ["--mask", "mask.png"];
  const { color: _, ...products } = recipe.products ?? {};
  const { text, without } = toCommand({ ...recipe, products }, file, tool === "fill" ? painted : []);
  const page = [...(shrink > 1 ? ["shrink"] : []), ...(/^https?:/.test(file) ? ["address"] : [])];
  const coats = coat && fill.coats.length > 1 ? ["products.coats"] : [];
  return { text, without: [...page, ...without, ...coats] };
}

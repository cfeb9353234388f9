// Recipes for lines without an end: their options of engine.stream(), and the fields that need the whole image, which are refused
// by name.

import type { ObjectProperty, StreamOptions } from "skerry";
import { defined } from "skerry/internal";
import { givenFields, type NameOf } from "../check.js";
import { objectCondition, totalCondition } from "../conditions.js";
import { RecipeError } from "../errors.js";
import { namedProperties } from "../fields/products.js";
import type { Recipe } from "../fields.js";

/** The fields that lines without an end take. */
const TAKEN: readonly string[] = [
  "input.endless",
  "input.shape",
  "input.dtype",
  "input.nodata",
  "options.threshold",
  "options.polarity",
  "options.by",
  "options.background",
  "options.connectivity",
  "options.fillHoles",
  "options.maxHoleArea",
  "options.minArea",
  "options.maxArea",
  "options.select",
  "options.maxLength",
  "products.properties",
  "products.failIf",
];

/**
 * The options of `engine.stream()` for a recipe.
 * @throws RecipeError for a field that needs the whole image
 */
export function streamOptions(recipe: Recipe, nameOf: NameOf): StreamOptions<ObjectProperty> {
  const { options = {}, products = {} } = recipe;
  const [other] = givenFields(recipe).filter(([{ part, name }]) => !TAKEN.includes(`${part}.${name}`));
  if (other) {
    throw new RecipeError(`Expected no ${nameOf(...other)} for lines without an end.`);
  }
  const { threshold, by, background, polarity, connectivity, fillHoles, maxHoleArea, minArea, maxArea, maxLength } =
    options;
  if (by === undefined && (threshold === undefined || typeof threshold === "string")) {
    if (threshold !== "nonzero") {
      throw new RecipeError(
        `Expected a threshold that is known before the lines come, such as ">60" or sauvola:12, got ${threshold ?? "none"}.`,
      );
    }
  }
  if (fillHoles !== undefined && fillHoles !== true) {
    throw new RecipeError(`Expected all holes to be filled for lines without an end, got ${String(fillHoles)}.`);
  }
  if (products.properties === "all") {
    throw new RecipeError("Expected the names of properties for lines without an end, got all.");
  }
  const conditions = [
    options.select === undefined ? undefined : objectCondition("select", options.select),
    products.failIf === undefined ? undefined : totalCondition("failIf", products.failIf),
  ].filter((each) => each !== undefined);
  if (conditions.some(({ names }) => names.includes("coverage"))) {
    throw new RecipeError("Expected no coverage of lines without an end, of which it would need all.");
  }
  const named = namedProperties(recipe) ?? DEFAULT;
  const properties = [...new Set([...named, ...conditions.flatMap((each) => each.properties), "area", "bounds"])];
  return defined<StreamOptions<ObjectProperty>>({
    threshold,
    by,
    background,
    polarity,
    connectivity,
    fillHoles,
    maxHoleArea,
    minArea,
    maxArea,
    maxLength,
    properties: properties as ObjectProperty[],
  });
}

/** Refuses a recipe for lines without an end where an image is worked on. */
export function refuseEndless({ input }: Recipe): void {
  if (!input?.endless) return;
  throw new RecipeError("Expected a recipe for an image, got one with input.endless; engine.stream() takes lines.");
}

/** The properties of a line of JSON, and their order, if none are named. */
const DEFAULT = ["area", "bounds", "centroid"] as const;

/** The properties that are shown of each object. */
export function shownProperties(recipe: Recipe): readonly string[] {
  return namedProperties(recipe) ?? DEFAULT;
}

// The tools of the page, in the order of their tabs; and fences and saved recipes, which nest across tools.

import { mapAffineOf, spacingOf } from "@skerry/files";
import type { Recipe as SavedRecipe } from "@skerry/recipe";
import type { Mask, RegionsOptions } from "skerry";
import { defined } from "skerry/internal";
import { takenOf } from "../files/opened.js";
import { withFigure } from "../settings/figure.js";
import type { Fence, Recipe, Scale, Taken, ToolName } from "../settings/recipe.js";
import { isOfObjects } from "../settings/saved.js";
import { picture } from "../state/lab.js";
import { isToldBy, sidesOf, spaceNow } from "../state/scale.js";
import { colours, coloursFencing } from "./colours/index.js";
import { distance } from "./distance/index.js";
import { fill, fillFencing } from "./fill/index.js";
import { objects, objectsFencing } from "./objects/index.js";
import { savedProperties } from "./objects/state.js";
import type { Fencing, Given, Tool } from "./tool.js";

// The casts are safe, because a tool gets only its own results and fences.
export const TOOLS: Readonly<Record<ToolName, Tool>> = {
  objects: objects as Tool,
  fill,
  distance: distance as Tool,
  colours: colours as Tool,
};

/** Tools whose selections are fences. */
const FENCINGS: Readonly<Record<Fence["tool"], Fencing>> = {
  objects: objectsFencing as Fencing,
  fill: fillFencing as Fencing,
  colours: coloursFencing as Fencing,
};

export const toolOf = ({ tool }: Pick<Recipe | Fence, "tool">): Tool => TOOLS[tool];

/** Settings in which the tool's selection is the fence; undefined if nothing is selected, or a selection is no fence. */
export const fenceOfSelection = (recipe: Recipe): Partial<Recipe> | undefined =>
  recipe.tool === "distance" ? undefined : FENCINGS[recipe.tool].take(recipe);

/** Settings of all tools without positions in their picture. */
export const carriedOf = (before: Recipe): Partial<Recipe> =>
  Object.assign({}, ...Object.values(TOOLS).map((tool) => tool.carried(before)));

/** The mask of a fence, cached with the picture. */
export async function maskOfFence(given: Given, fence: Fence | undefined): Promise<Mask | undefined> {
  if (!fence) return undefined;
  const { fences } = given.resident;
  const key = JSON.stringify(fence);
  const known = fences.get(key);
  if (known) return known;
  const mask = await FENCINGS[fence.tool].maskOf({ ...given, within: await maskOfFence(given, fence.within) }, fence);
  fences.set(key, mask);
  return mask;
}

/** The properties of saved tables. Those of the objects tool have the columns that the user chose. */
export function tableProperties({
  tool,
  scale,
  objects,
}: Pick<Recipe, "tool" | "scale" | "objects">): RegionsOptions["properties"] & {} {
  const [x, y] = scale ? sidesOf(scale) : [1, 1];
  return tool === "objects" ? savedProperties(x === y, objects.rule !== "labels") : "usual";
}

/** The options of saved tables, of which some properties are those of values under the objects. */
export function tableOptions(shown: Recipe, intensity: RegionsOptions["intensity"]): RegionsOptions {
  return defined({
    properties: tableProperties(shown),
    intensity,
    physical: shown.scale === undefined ? undefined : true,
  });
}

/** The recipe of the page's current tool; undefined if it has nothing to save yet. */
export function savedOf(shown: Recipe, opened = picture.value): SavedRecipe | undefined {
  const { scale } = shown;
  const isOnMap = opened !== undefined && mapAffineOf(spaceNow(opened, shown)) !== undefined;
  const plain = toolOf(shown).saved(shown, fenceOf(shown.within, scale !== undefined));
  // Tables and outlines of a picture on a map have its coordinates.
  const placed =
    plain && isOfObjects(plain.operation) && isOnMap
      ? { ...plain, products: { ...plain.products, world: true as const } }
      : plain;
  const properties = tableProperties(shown);
  const saved =
    placed && isOfObjects(placed.operation) && properties !== "usual"
      ? ({ ...placed, products: { ...placed.products, properties } } as SavedRecipe)
      : placed;
  if (!saved) return saved;
  const { skerry, operation, input, options, products } = scale ? physicalIf(true, saved) : saved;
  // The command line takes a volume where no image of a file is named.
  const page = opened && takenOf(opened)?.page;
  const taken: Taken = defined({ ...shown.taken, page });
  const ofFile = Object.keys(taken).length > 0 ? { ...taken, ...input } : input;
  const drawn = isOfObjects(operation) ? withFigure(products, shown) : products;
  const unsized: SavedRecipe = defined({ skerry, operation, input: ofFile, options, products: drawn });
  // Distances in a file are in its own spacing, which may have no unit that the page knows.
  const isSpaced = operation === "distance" && opened !== undefined && spacingOf(opened.space) !== undefined;
  if (!scale) return isSpaced ? { ...unsized, input: { ...ofFile, spacing: [1, 1] } } : unsized;
  const isLeft = scale.isOfFile || (opened !== undefined && isToldBy(opened, shown));
  if (!isLeft) return withSides(unsized, scale);
  // Another file has its own size of a pixel, and lengths are in the unit of the recipe.
  const hasLengths = isOfObjects(operation) || operation === "distance" || shown.within !== undefined;
  return hasLengths && scale.unit ? { ...unsized, input: { ...ofFile, unit: scale.unit } } : unsized;
}

/** A recipe with the size of a pixel. */
export const withSides = (saved: SavedRecipe, scale: Scale): SavedRecipe => ({
  ...saved,
  input: { ...saved.input, spacing: sidesOf(scale), unit: scale.unit },
});

function fenceOf(fence: Fence | undefined, isPhysical: boolean): SavedRecipe | undefined {
  return fence && physicalIf(isPhysical, FENCINGS[fence.tool].saved(fence, fenceOf(fence.within, isPhysical)));
}

/** Adds `physical` to a recipe with lengths, so that they are in the unit of the scale. */
function physicalIf(isPhysical: boolean, recipe: SavedRecipe): SavedRecipe {
  const { operation, options = {} } = recipe;
  if (!isPhysical || !(isOfObjects(operation) || operation === "distance") || options.points) return recipe;
  const { skerry, input, products } = recipe;
  return defined({
    skerry,
    operation,
    input,
    options: { ...options, physical: true },
    products,
  });
}

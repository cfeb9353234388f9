// The recipe of what the page shows, for what it saves, prints and links. No check is needed, so the table of fields is not loaded.

import {
  type PaintedCoat,
  type RecipeOptions,
  type Recipe as SavedRecipe,
  type Stroke as SavedStroke,
  strokesThatCount,
} from "@skerry/recipe";
import { isOfColours, optionsOf } from "../tools/objects.js";
import {
  type Fence,
  FILL,
  type FillSettings,
  OBJECTS,
  type ObjectsRecipe,
  type Recipe,
  type Stroke,
} from "./recipe.js";

const savedStroke = ({ mode, x, y, tolerance }: Stroke): SavedStroke => ({ mode, at: [x, y], tolerance });

/** How fills compare pixels, where it differs from the defaults. */
function comparison({
  range,
  metric,
  connectivity,
  average,
  contiguous,
}: FillSettings): Omit<PaintedCoat, "color" | "strokes"> {
  return {
    ...(metric === FILL.metric ? {} : { metric }),
    ...(range === FILL.range ? {} : { range }),
    ...(connectivity === FILL.connectivity ? {} : { connectivity }),
    ...(average === FILL.average ? {} : { average }),
    ...(contiguous ? {} : { contiguous: false }),
  };
}

/** The options of a fill: seeds where its strokes are of one tolerance, else the strokes. */
function fillOptions(settings: FillSettings, strokes: readonly Stroke[]): RecipeOptions {
  const own = strokesThatCount(strokes);
  const [{ tolerance }] = own;
  const alike = own.every((stroke) => stroke.mode !== "take" && stroke.tolerance === tolerance);
  const seeds = own.map(({ x, y }) => [x, y]);
  return {
    ...(alike ? { seeds, ...(tolerance > 0 ? { tolerance } : {}) } : { strokes: own.map(savedStroke) }),
    ...comparison(settings),
  };
}

/** A recipe without parts that are empty. */
function tidy(
  operation: SavedRecipe["operation"],
  parts: Pick<SavedRecipe, "input" | "options" | "products">,
): SavedRecipe {
  const full = Object.entries(parts).filter(([, part]) => part !== undefined && Object.keys(part).length > 0);
  return { skerry: 1, operation, ...Object.fromEntries(full) };
}

function objectsRecipe(
  objects: ObjectsRecipe,
  within: Fence | undefined,
  pick: readonly (readonly number[])[] = [],
): SavedRecipe {
  const { channel, keep, dropped } = objects;
  const { connectivity, ...options } = optionsOf(objects) as RecipeOptions;
  const bounds = Object.entries(keep).map(([name, [low, high]]) => `${name} >= ${low} && ${name} <= ${high}`);
  return tidy("components", {
    input: {
      ...(channel === OBJECTS.channel || isOfColours(objects) ? {} : { channel }),
      ...(within ? { within: fenceRecipe(within) } : {}),
    },
    options: {
      ...options,
      ...(connectivity === OBJECTS.connectivity ? {} : { connectivity }),
      ...(pick.length > 0 ? { pick } : {}),
      ...(dropped.length > 0 ? { drop: dropped } : {}),
      ...(bounds.length > 0 ? { select: bounds.join(" && ") } : {}),
    },
  });
}

function fenceRecipe(fence: Fence): SavedRecipe {
  if (fence.tool === "objects") return objectsRecipe(fence.objects, fence.within, fence.spots);
  const input = fence.within ? { within: fenceRecipe(fence.within) } : {};
  return tidy("fill", { input, options: fillOptions(fence.fill, fence.fill.strokes) });
}

/** The recipe of what the page shows; undefined where nothing was filled yet. */
export function recipeOf({ tool, objects, fill, within }: Recipe): SavedRecipe | undefined {
  if (tool === "objects") return objectsRecipe(objects, within);
  const { strokes, coats, colour } = fill;
  if (strokes.length === 0 && coats.length === 0) return undefined;
  const painted = coats.map((coat) => ({
    ...{ color: coat.colour, strokes: strokesThatCount(coat.strokes).map(savedStroke) },
    ...comparison(coat),
  }));
  return tidy("fill", {
    input: within ? { within: fenceRecipe(within) } : {},
    options: strokes.length > 0 ? fillOptions(fill, strokes) : {},
    products: {
      ...(colour === FILL.colour || strokes.length === 0 ? {} : { color: colour }),
      ...(painted.length > 0 ? { coats: painted } : {}),
    },
  });
}

// Fills of a recipe: from seeds, or from strokes one after another.

import type { CallOptions, Components, Engine, Mask, Raster } from "skerry";
import { defined } from "skerry/internal";
import type { Stroke } from "../fields/own.js";
import type { PaintedCoat } from "../fields/products.js";
import type { Recipe } from "../fields.js";
import { strokesThatCount } from "../strokes.js";
import { connectivityOf, fillOptions } from "./options.js";
import { inChannel, type Pixels } from "./pixels.js";

/** Fills a picture from the seeds or the strokes of a recipe. */
export async function fillObjects(
  engine: Engine,
  recipe: Recipe,
  pixels: Pixels,
  call: CallOptions & { readonly within?: Mask | undefined },
): Promise<Components> {
  const { strokes } = recipe.options ?? {};
  const { within: _, ...plain } = call;
  const image = await inChannel(engine, recipe, pixels, plain);
  if (!strokes) return engine.fill(image as Raster, { ...fillOptions(recipe), ...call });
  const mask = await selectionOf(engine, recipe, strokes, image, call);
  return engine.components(mask, { ...connectivityOf(recipe), ...plain });
}

/** The selection of strokes: each starts a new one, adds to it or takes away from it. */
async function selectionOf(
  engine: Engine,
  recipe: Recipe,
  strokes: readonly Stroke[],
  pixels: Pixels,
  { within, ...call }: CallOptions & { readonly within?: Mask | undefined },
): Promise<Mask> {
  let selected: Mask | undefined;
  for (const stroke of strokesThatCount(strokes)) {
    const filled = await engine.fill(pixels as Raster, defined({ ...fillOptions(recipe, stroke), ...call, within }));
    const mask = await filled.mask(call).finally(() => filled.dispose());
    if (!selected || stroke.mode === "new") selected = mask;
    else
      selected = await (stroke.mode === "add"
        ? engine.union([selected, mask], call)
        : engine.difference(selected, [mask], call));
  }
  return selected as Mask;
}

/** The recipe of the fill that a coat paints. */
export function coatRecipe({ color, ...options }: PaintedCoat): Recipe {
  return { skerry: 1, operation: "fill", options, products: { color } };
}

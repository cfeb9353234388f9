// Masks of a recipe: combined, then eroded or dilated.

import type { CallOptions, Engine, Mask } from "skerry";
import type { Recipe } from "../fields.js";
import { optionsFor, physicalOf } from "./options.js";

/** Combines a mask with the masks of other files, read one at a time, then erodes and dilates it. */
export async function combineMasks(
  engine: Engine,
  recipe: Recipe,
  first: Mask,
  read: (path: string) => Promise<Mask>,
  call: CallOptions,
): Promise<Mask> {
  const { union = [], intersection = [], difference = [] } = recipe.input ?? {};
  const { erode, dilate } = recipe.options ?? {};
  let made = first;
  for (const path of union) made = await engine.union([made, await read(path)], call);
  for (const path of intersection) made = await engine.intersection([made, await read(path)], call);
  for (const path of difference) made = await engine.difference(made, [await read(path)], call);
  const ball = { ...call, ...optionsFor(recipe, "ball"), ...physicalOf(recipe) };
  if (erode !== undefined) made = await engine.erode(made, erode, ball);
  if (dilate !== undefined) made = await engine.dilate(made, dilate, ball);
  return made;
}

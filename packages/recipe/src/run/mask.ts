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
  let mask = first;
  for (const path of union) mask = await engine.union([mask, await read(path)], call);
  for (const path of intersection) mask = await engine.intersection([mask, await read(path)], call);
  for (const path of difference) mask = await engine.difference(mask, [await read(path)], call);
  const ball = { ...call, ...optionsFor(recipe, "ball"), ...physicalOf(recipe) };
  if (erode !== undefined) mask = await engine.erode(mask, erode, ball);
  if (dilate !== undefined) mask = await engine.dilate(mask, dilate, ball);
  return mask;
}

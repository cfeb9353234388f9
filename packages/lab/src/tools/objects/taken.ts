// The objects of a label image: each of its values is one. Loaded with the first of them.

import type { CallOptions, Components, Connectivity, Engine, Image } from "skerry";
import { defined } from "skerry/internal";
import { type ObjectsRecipe, optionsOf } from "../../settings/objects.js";
import { HAND } from "../../words/hand.js";
import { callOptions, type Given } from "../tool.js";

/** Objects of the label image that is shown. */
export async function taken(given: Given, recipe: ObjectsRecipe): Promise<Components> {
  const { resident, within } = given;
  if (within) throw new Error(HAND.labelsInside);
  const options = { ...resident.physical, ...callOptions(given) };
  return takenOf(resident.engine, await resident.values(), recipe, options);
}

/** Objects of a label image or a volume, with the steps that it takes, in the order of recipes. */
export async function takenOf(
  engine: Engine,
  image: Image,
  recipe: ObjectsRecipe,
  { physical, ...call }: CallOptions & { readonly physical?: true },
  joined?: Connectivity,
): Promise<Components> {
  const { connectivity, absorb, expand, ...filter } = optionsOf(recipe);
  let components = await engine.labelled(image, defined({ connectivity: joined ?? connectivity, ...call }));
  const steps = [
    absorb !== undefined && (() => components.absorb({ minArea: absorb, ...call })),
    Object.keys(filter).length > 0 && (() => components.filter({ ...filter, ...call })),
    expand !== undefined && (() => components.expand(expand, defined({ physical, ...call }))),
  ];
  for (const step of steps) {
    if (!step) continue;
    const before = components;
    components = await step().finally(() => before.dispose());
  }
  return components;
}

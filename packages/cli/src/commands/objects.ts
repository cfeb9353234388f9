// From pixels to objects, as the options tell: what every command that measures objects begins with.

import { isBinary, openPicture, type Picture } from "@skerry/files/node";
import type { CallOptions, Components, ComponentsOptions, Connectivity, Engine, Mask } from "skerry";
import { UsageError } from "../errors.js";
import {
  type KeepingOptions,
  namedFilter,
  namedPreparation,
  namedShaping,
  type PreparationOptions,
  type Rule,
  type RuleOptions,
} from "./arguments.js";

/** The options that objects are found with. */
export interface ObjectsOptions extends RuleOptions, KeepingOptions {
  connectivity?: Connectivity;
}

/** The rule where none is named: nonzero pixels of a picture that was thresholded before, else Otsu's threshold. */
export async function unnamedRule(
  picture: Pick<Picture, "pixels">,
  options: PreparationOptions,
  engine?: Engine,
): Promise<Rule> {
  const asItIs = Object.keys(namedPreparation(options)).length === 0;
  return { threshold: asItIs && (await isBinary(picture, engine)) ? "nonzero" : "otsu" };
}

/** The pixels of a picture that are not 0, and where it lies. */
export async function readMask(
  engine: Engine,
  path: string,
): Promise<{ mask: Mask; orientation: Picture["orientation"] }> {
  const picture = await openPicture(path, {});
  try {
    const inside = await engine.components(picture.pixels, { threshold: "nonzero" });
    return { mask: await inside.mask().finally(() => inside.dispose()), orientation: picture.orientation };
  } finally {
    await picture.close();
  }
}

/** Finds the objects in pixels. */
export async function findObjects(
  engine: Engine,
  pixels: Picture["pixels"],
  rule: Rule,
  options: ObjectsOptions,
  call: CallOptions & Pick<ComponentsOptions, "memory">,
): Promise<Components> {
  const connectivity = options.connectivity ? { connectivity: options.connectivity } : {};
  const filter = namedFilter(options);
  const { by, ...named } = rule;
  if (by !== "labels") {
    const dark = options.dark ? { polarity: "dark" as const } : {};
    const first = namedPreparation(options);
    const within = options.within === undefined ? {} : { within: (await readMask(engine, options.within)).mask };
    const shaping = namedShaping(options);
    return engine.components(pixels, {
      ...{ ...first, ...named, ...(by && { by }), ...dark, ...connectivity, ...shaping, ...filter, ...within, ...call },
    });
  }
  const { physical, absorb, expand, ...shaped } = namedShaping(options);
  const within = options.within === undefined ? {} : { within: true };
  const [prepared] = Object.keys({ ...within, ...namedPreparation(options), ...shaped });
  if (prepared) throw new UsageError(`Expected no --${prepared} with --by labels.`);
  if (filter.fillHoles)
    throw new UsageError("Expected no --fill-holes with --by labels: holes may hold other objects.");
  const { onProgress, signal } = call;
  const steps: ((objects: Components) => Promise<Components>)[] = [];
  if (absorb !== undefined) steps.push((objects) => objects.absorb({ minArea: absorb, onProgress, signal }));
  if (Object.keys(filter).length > 0) steps.push((objects) => objects.filter({ ...filter, onProgress, signal }));
  if (expand !== undefined) steps.push((objects) => objects.expand(expand, { physical, onProgress, signal }));
  let objects = await engine.labelled(pixels, { ...connectivity, onProgress, signal });
  for (const step of steps) {
    const before = objects;
    objects = await step(before).finally(() => before.dispose());
  }
  return objects;
}

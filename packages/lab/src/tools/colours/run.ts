// K-means colours of a picture under a recipe. Results are kept with the picture, up to MOST_BYTES.

import { maskOfClasses, mergeClasses } from "@skerry/recipe";
import type { Mask, PickedK, Segmentation, Timing } from "skerry";
import { defined } from "skerry/internal";
import { type ColoursRecipe, kmeansOptions, sharedOptions } from "../../settings/colours.js";
import type { Spot } from "../../settings/spots.js";
import { COLOUR_WORDS } from "../../words/colours.js";
import { TEXT } from "../../words/text.js";
import { addTimings, callOptions, type Given, type Result } from "../tool.js";

export interface Coloured extends Result {
  readonly segmentation: Segmentation;
}

interface Made {
  readonly segmentation: Segmentation;
  readonly stages: readonly Timing[];
  readonly milliseconds: number;
}

const KEPT = "colours: results";
/** Maximum bytes of results that are kept; at least two results are. */
const MOST_BYTES = 256e6;
/** The largest number of classes in the curves. */
export const MOST_TRIED = 16;

/** Key of the settings that do not depend on the number of classes. */
export const keyOf = (colours: ColoursRecipe, fence: unknown): string =>
  JSON.stringify([sharedOptions(colours), fence]);

/** The classes, and how the view draws them. */
export async function showColours(given: Given, colours: ColoursRecipe, key: string): Promise<Coloured> {
  const { segmentation, stages } = await classesOf(given, colours, key);
  const { k, inertia, counts } = segmentation;
  const pixels = counts.reduce((sum, count) => sum + count, 0);
  const mean = inertia / Math.max(1, pixels);
  return {
    segmentation,
    stages,
    found: {
      headline: { value: k, unit: TEXT.classes(k) },
      covered: 1,
      detail: COLOUR_WORDS.off(colours.metric === "l2" ? Math.sqrt(mean) : mean),
    },
    content: { kind: "classes", segmentation },
    left: [],
    right: ["classes"],
    dispose: () => undefined,
  };
}

/** The classes, from the kept results if they were computed before. */
export async function classesOf(given: Given, colours: ColoursRecipe, key: string): Promise<Made> {
  const { resident } = given;
  if (!(resident.opened.data instanceof Uint8Array)) throw new Error(COLOUR_WORDS.bits);
  const kept = (resident.kept.get(KEPT) ?? new Map()) as Map<string, Made>;
  resident.kept.set(KEPT, kept);
  const kindKey = `${colours.k} ${key}`;
  let classes = kept.get(kindKey);
  if (!classes) {
    const begin = performance.now();
    const options = { ...kmeansOptions(colours), ...callOptions(given), within: given.within };
    const segmentation = await resident.engine.kmeans(await resident.seen(), options);
    const stages: Timing[] = [];
    addTimings(stages, resident.engine.timings);
    classes = { segmentation, stages, milliseconds: performance.now() - begin };
  }
  kept.delete(kindKey);
  kept.set(kindKey, classes);
  const most = Math.max(2, Math.floor(MOST_BYTES / classes.segmentation.data.length));
  for (const old of kept.keys()) {
    if (kept.size <= most) break;
    kept.delete(old);
  }
  if (colours.merged.length === 0) return classes;
  return { ...classes, segmentation: mergeClasses(classes.segmentation, colours.merged) };
}

/** The silhouettes of numbers of classes. */
export async function suit(given: Given, colours: ColoursRecipe): Promise<PickedK> {
  const { init, ...shared } = sharedOptions(colours);
  return given.resident.engine.pickK(
    await given.resident.seen(),
    defined({
      ...shared,
      init: init === undefined || init === "tiles" ? undefined : (init as "grid"),
      max: MOST_TRIED,
      ...callOptions(given),
      within: given.within,
    }),
  );
}

/** The pixels of the classes at some spots, as a fence. */
export async function maskOfColours(
  given: Given,
  colours: ColoursRecipe,
  spots: readonly Spot[],
  key: string,
): Promise<Mask> {
  const { segmentation } = await classesOf(given, colours, key);
  return maskOfClasses(segmentation, spots);
}

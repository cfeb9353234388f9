// The objects tool.

import {
  hasOneSide,
  hasThreshold,
  isAutomatic,
  isLocal,
  lineOf,
  type ObjectsRecipe,
  savedObjects,
  tintOf,
} from "../../settings/objects.js";
import type { Fence } from "../../settings/recipe.js";
import { recipe } from "../../state/lab.js";
import { TEXT } from "../../words/text.js";
import type { Fencing, Given, Tool } from "../tool.js";
import { ObjectsControls } from "./Controls.js";
import { fenceOf } from "./edits.js";
import {
  type Counts,
  countAlong,
  countLevels,
  findObjects,
  levelsKey,
  maskOfObjects,
  measureObjects,
  type Objects,
  settingsAlong,
  showObjects,
} from "./run.js";
import { countedOf, curve, curveKey, fresh, levels, measured, suggested, wantedProperties } from "./state.js";
import { gestures } from "./view.js";

/** Maximum time for counting the curve of thresholds. */
const MOST_IDLE_MILLISECONDS = 20_000;

/** The key of offers, beside the picture: the fence, and the scale of lengths. */
const offersKey = (fence: Fence | undefined): string => JSON.stringify([fence, recipe.value.scale]);

/** Looks for other settings. `fence` is what they belong to beside the picture. */
async function suggest(given: Given, own: ObjectsRecipe, fence: Fence | undefined): Promise<void> {
  const { suggestObjects } = await import("./suggest.js");
  const offers = await suggestObjects(given, own);
  if (!given.signal?.aborted) suggested.value = { key: offersKey(fence), offers };
}

export const objects: Tool<Objects> = {
  divider: 0.5,
  choosesThreshold: ({ objects }) => isAutomatic(objects),
  leavesAlphaOut: ({ objects }) => objects.channel !== "alpha" && objects.rule !== "value",
  hasObjects: true,
  Controls: ObjectsControls,
  panels: async () => (await import("./Results.js")).Results,
  gestures,
  tint: ({ objects: own }) => tintOf(own),
  async run(given, { objects: own, within }) {
    const made = await showObjects(given, own);
    const isOld = levels.value?.key !== levelsKey(own, within);
    if (isOld && !given.signal?.aborted) levels.value = await countLevels(given, own, within);
    fresh.value = false;
    return made;
  },
  async after(given, result) {
    measured.value = await measureObjects(result, wantedProperties.value, given);
    fresh.value = true;
  },
  idle({ objects: own, within }, result) {
    const { value } = levels;
    const isOffered = suggested.value?.key === offersKey(within);
    if (!value || !hasOneSide(own.rule)) return isOffered ? undefined : (given) => suggest(given, own, within);
    const key = curveKey({ objects: own, within }, result.found);
    if (isOffered && key === curve.value?.key && curve.value.isWhole) return undefined;
    const fixed = countedOf(own, result.found);
    return async (given) => {
      if (!isOffered) await suggest(given, own, within);
      let last: Counts | undefined;
      await countAlong(
        given,
        fixed,
        settingsAlong(fixed, value),
        (counts) => {
          last = counts;
          curve.value = { key, counts, isWhole: false };
        },
        MOST_IDLE_MILLISECONDS,
      );
      if (last) curve.value = { key, counts: last, isWhole: true };
    };
  },
  forget() {
    levels.value = undefined;
    measured.value = undefined;
    fresh.value = false;
    curve.value = undefined;
    suggested.value = undefined;
  },
  saved: ({ objects: own }, within) => savedObjects(own, within),
  carried: ({ objects: own }) => ({ objects: { ...own, dropped: [] } }),
  saves: () => [
    "regionsCsv",
    "regionsJson",
    "result",
    "figurePng",
    "figureSvg",
    "seen",
    "cutouts",
    "mask",
    "labels",
    "coco",
    "recipe",
  ],
  components: (given, { objects: own }) => findObjects(given, own),
  async arrays(given, { objects: own }) {
    const { components } = await findObjects(given, own);
    const { data } = await components.labels();
    const { area, bounds, centroid } = await components.regions();
    components.dispose();
    return [data, area, bounds, centroid].filter((array) => array !== undefined);
  },
  spoken: ({ objects: own }, result) =>
    hasThreshold(own.rule) && !isLocal(own.method)
      ? TEXT.spokenThreshold(lineOf(own, result, levels.value?.whole ?? true))
      : "",
};

export const objectsFencing: Fencing<Extract<Fence, { tool: "objects" }>> = {
  take: fenceOf,
  maskOf: (given, fence) => maskOfObjects(given, fence.objects, fence.spots),
  saved: (fence, within) => savedObjects(fence.objects, within, fence.spots),
};

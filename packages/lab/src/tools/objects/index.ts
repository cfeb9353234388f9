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
  forgetKept,
  levelsKey,
  maskOfObjects,
  measureObjects,
  type Objects,
  settingsAlong,
  showObjects,
} from "./run.js";
import { countedOf, curve, curveKey, fresh, handed, levels, measured, suggested, wantedProperties } from "./state.js";
import { gestures } from "./view.js";

/** Maximum time for counting the curve of thresholds. */
const MOST_IDLE_MILLISECONDS = 20_000;

/** The key of offers, beside the picture: the fence, and the scale of lengths. */
const offersKey = (fence: Fence | undefined): string => JSON.stringify([fence, recipe.value.scale]);

/** Looks for other settings. `fence` is what they belong to beside the picture. */
async function suggest(given: Given, settings: ObjectsRecipe, fence: Fence | undefined): Promise<void> {
  const { suggestObjects } = await import("./suggest.js");
  const offers = await suggestObjects(given, settings);
  if (!given.signal?.aborted) suggested.value = { key: offersKey(fence), offers };
}

export const objects: Tool<Objects> = {
  divider: 0.5,
  choosesThreshold: ({ objects }) => isAutomatic(objects),
  leavesAlphaOut: ({ objects }) => objects.channel !== "alpha" && objects.rule !== "value",
  hasObjects: true,
  Controls: ObjectsControls,
  panels: async () => (await import("./Results.js")).Results,
  get gestures() {
    return handed.value ?? gestures;
  },
  tint: ({ objects: settings }) => tintOf(settings),
  async run(given, { objects: settings, within }) {
    const shown = await showObjects(given, settings);
    const isOld = levels.value?.key !== levelsKey(settings, within);
    if (isOld && !given.signal?.aborted) levels.value = await countLevels(given, settings, within);
    fresh.value = false;
    return shown;
  },
  async after(given, result) {
    measured.value = await measureObjects(result, wantedProperties.value, given);
    fresh.value = true;
  },
  idle({ objects: settings, within }, result) {
    const { value } = levels;
    const isOffered = suggested.value?.key === offersKey(within);
    if (!value || !hasOneSide(settings.rule))
      return isOffered ? undefined : (given) => suggest(given, settings, within);
    const key = curveKey({ objects: settings, within }, result.found);
    if (isOffered && key === curve.value?.key && curve.value.isWhole) return undefined;
    const fixed = countedOf(settings, result.found);
    return async (given) => {
      if (!isOffered) await suggest(given, settings, within);
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
    forgetKept();
  },
  saved: ({ objects: settings }, within) => savedObjects(settings, within),
  carried: ({ objects: settings }) => ({ objects: { ...settings, edits: [] } }),
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
  components: (given, { objects: settings }) => findObjects(given, settings),
  async arrays(given, { objects: settings }) {
    const { components } = await findObjects(given, settings);
    const { data } = await components.labels();
    const { area, bounds, centroid } = await components.regions();
    components.dispose();
    return [data, area, bounds, centroid].filter((array) => array !== undefined);
  },
  spoken: ({ objects: settings }, result) =>
    hasThreshold(settings.rule) && !isLocal(settings.method)
      ? TEXT.spokenThreshold(lineOf(settings, result, levels.value?.isInteger ?? true))
      : "",
};

export const objectsFencing: Fencing<Extract<Fence, { tool: "objects" }>> = {
  take: fenceOf,
  maskOf: (given, fence) => maskOfObjects(given, fence.objects, fence.spots),
  saved: (fence, within) => savedObjects(fence.objects, within, fence.spots),
};

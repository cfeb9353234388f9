// The distance tool. Its fields and its code are loaded when it is chosen.

import { Unsupported } from "skerry";
import { savedDistance } from "../../settings/distance.js";
import { totals } from "../../state/drawn.js";
import { failure, tell, unit } from "../../state/lab.js";
import { TEXT } from "../../words/text.js";
import { later } from "../later.js";
import type { Tool } from "../tool.js";
import type { Distances } from "./run.js";
import { circles, circlesKey, farthest, map, showsCircles } from "./state.js";
import { gestures } from "./view.js";

const work = async () => {
  await import("./marks.js");
  return import("./run.js");
};

export const distance: Tool<Distances> = {
  divider: 0.25,
  leavesAlphaOut: ({ distance, objects }) => distance.target === "objects" && objects.channel !== "alpha",
  hasObjects: false,
  Controls: later(async () => (await import("./Controls.js")).DistanceControls),
  panels: async () => (await import("./Results.js")).Results,
  gestures,
  async run(given, { distance: settings, objects }) {
    const { showDistances } = await work();
    const shown = await showDistances(given, settings, objects);
    if (!given.signal?.aborted) map.value = shown.map;
    return shown;
  },
  async after(given, { map: distances }) {
    if (!distances) {
      totals.value = undefined;
      return;
    }
    const { totalsOf } = await work();
    const all = await totalsOf(distances, given.signal);
    totals.value = all;
    const detail = all ? TEXT.distance.mean(all.mean, unit()) : TEXT.distance.nowhere;
    tell({ headline: farthest(all?.high ?? Number.POSITIVE_INFINITY), detail });
  },
  idle(settings) {
    const { distance: wanted, objects } = settings;
    const key = circlesKey(settings);
    if (!showsCircles.value || circles.value?.key === key || wanted.target !== "objects") return undefined;
    return async (given) => {
      try {
        circles.value = { key, values: await (await work()).circlesOf(given, objects, false) };
      } catch (error) {
        if (!(error instanceof Unsupported)) throw error;
        showsCircles.value = false;
        failure.value = { text: TEXT.distance.touching };
      }
    };
  },
  forget() {
    map.value = undefined;
    totals.value = undefined;
    circles.value = undefined;
  },
  saved: ({ distance: settings, objects }, within) => savedDistance(settings, objects, within),
  carried: ({ distance: settings }) => ({ distance: { ...settings, points: [] } }),
  saves: () => ["distanceNpy", "distanceTiff", "distancePicture", "circles", "seen", "recipe"],
  async arrays(given, { distance: settings, objects }) {
    const { map: distances } = await (await work()).mapOf(given, settings, objects);
    return distances ? [distances.data] : [];
  },
};

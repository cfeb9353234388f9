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
  async run(given, { distance: own, objects }) {
    const { showDistances } = await work();
    const made = await showDistances(given, own, objects);
    if (!given.signal?.aborted) map.value = made.map;
    return made;
  },
  async after(given, { map: own }) {
    if (!own) {
      totals.value = undefined;
      return;
    }
    const { totalsOf } = await work();
    totals.value = await totalsOf(own, given.signal);
    tell({ headline: farthest(totals.value.high), told: TEXT.distance.mean(totals.value.mean, unit()) });
  },
  idle(settings) {
    const { distance: own, objects } = settings;
    const key = circlesKey(settings);
    if (!showsCircles.value || circles.value?.key === key || own.target !== "objects") return undefined;
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
  saved: ({ distance: own, objects }, within) => savedDistance(own, objects, within),
  carried: ({ distance: own }) => ({ distance: { ...own, points: [] } }),
  saves: () => ["distanceNpy", "distanceTiff", "distancePicture", "circles", "seen", "recipe"],
  async arrays(given, { distance: own, objects }) {
    const { map: made } = await (await work()).mapOf(given, own, objects);
    return made ? [made.data] : [];
  },
};

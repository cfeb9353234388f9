// The colours tool. Its fields and its code are loaded when it is chosen.

import { savedColours } from "../../settings/colours.js";
import type { Fence } from "../../settings/recipe.js";
import { isolated } from "../../state/drawn.js";
import { later } from "../later.js";
import type { Fencing, Tool } from "../tool.js";
import { fenceOf } from "./edits.js";
import type { Coloured } from "./run.js";
import { classes, suited, took } from "./state.js";
import { gestures } from "./view.js";

const work = () => import("./run.js");

export const colours: Tool<Coloured> = {
  divider: 0.25,
  hasObjects: false,
  Controls: later(async () => (await import("./Controls.js")).ColoursControls),
  panels: async () => (await import("./Results.js")).Results,
  gestures,
  async run(given, { colours: settings, within }) {
    const { keyOf, showColours } = await work();
    const shown = await showColours(given, settings, keyOf(settings, within));
    if (given.signal?.aborted) return shown;
    classes.value = shown.segmentation;
    if ([...isolated.value].some((each) => each >= shown.segmentation.k)) isolated.value = new Set();
    return shown;
  },
  idle({ colours: settings, within }) {
    return async (given) => {
      const { classesOf, keyOf, MOST_TRIED, suit } = await work();
      const key = keyOf(settings, within);
      if (suited.value?.key !== key) suited.value = { key, picked: await suit(given, settings) };
      const milliseconds = took.value?.key === key ? took.value.milliseconds.slice() : new Float64Array(MOST_TRIED + 1);
      for (let k = 2; k <= MOST_TRIED; k++) {
        if (milliseconds[k] > 0) continue;
        given.signal?.throwIfAborted();
        milliseconds[k] = (await classesOf(given, { ...settings, k, merged: [] }, key)).milliseconds;
        took.value = { key, milliseconds: milliseconds.slice() };
      }
    };
  },
  forget() {
    classes.value = undefined;
    suited.value = undefined;
    took.value = undefined;
    isolated.value = new Set();
  },
  saved: ({ colours: settings }, within) => savedColours(settings, within),
  carried: ({ colours: settings }) => ({ colours: { ...settings, merged: [] } }),
  saves: () => ["poster", "posterSvg", "classes", "palette", "seen", "recipe"],
  async arrays(given, { colours: settings }) {
    const { classesOf } = await work();
    const { segmentation } = await classesOf(given, settings, `both ${given.resident.engine.describe().device}`);
    return [segmentation.data, segmentation.centres];
  },
};

export const coloursFencing: Fencing<Extract<Fence, { tool: "colours" }>> = {
  take: fenceOf,
  async maskOf(given, { colours: settings, spots, within }) {
    const { keyOf, maskOfColours } = await work();
    return maskOfColours(given, settings, spots, keyOf(settings, within));
  },
  saved: (fence, within) => savedColours(fence.colours, within, fence.spots),
};

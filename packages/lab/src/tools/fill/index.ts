// The fill tool. Its fields are loaded when it is chosen.

import { type FillRecipe, savedFill, savedPaint } from "../../settings/fill.js";
import type { Fence } from "../../settings/recipe.js";
import { tidy } from "../../settings/saved.js";
import { later } from "../later.js";
import type { Fencing, Given, Tool } from "../tool.js";
import { fenceOf } from "./edits.js";
import { areasOf, componentsOf, fillStrokes, showFills } from "./run.js";
import { areas, areasKey } from "./state.js";
import { gestures } from "./view.js";

const selected = async (given: Given, fill: FillRecipe) =>
  componentsOf(given, await fillStrokes(given, fill, fill.strokes), fill.connectivity);

export const fill: Tool = {
  // A selection is edited, not compared, so the original picture starts at the edge.
  divider: 0,
  hasObjects: false,
  Controls: later(async () => (await import("./Controls.js")).FillControls),
  panels: async () => (await import("./Results.js")).Results,
  gestures,
  run: (given, { fill: settings }) => showFills(given, settings),
  idle({ fill: settings, source }) {
    const last = settings.strokes.at(-1);
    const { range, metric, average, contiguous } = settings;
    if (!last || range !== "fixed" || metric !== "linf" || average !== 1 || !contiguous) {
      areas.value = undefined;
      return undefined;
    }
    const { x, y } = last;
    const key = areasKey({ fill: settings, source });
    if (key === areas.value?.key) return undefined;
    return async (given) => {
      areas.value = { key, counts: await areasOf(given, settings, x, y) };
    };
  },
  preview: async (given, { fill: settings }, [x, y]) =>
    (await fillStrokes(given, settings, [{ mode: "new", x, y, tolerance: settings.tolerance }])).mask,
  forget() {
    areas.value = undefined;
  },
  saved({ fill: settings }, within) {
    if (settings.strokes.length === 0 && settings.coats.length === 0) return undefined;
    return tidy("fill", {
      input: within ? { within } : {},
      options: settings.strokes.length > 0 ? savedFill(settings, settings.strokes) : {},
      products: savedPaint(settings),
    });
  },
  carried: ({ fill: settings }) => ({ fill: { ...settings, strokes: [], coats: [] } }),
  saves: ({ fill: settings }) => [
    "regionsCsv",
    "regionsJson",
    "result",
    "seen",
    "painted",
    "mask",
    "labels",
    "coco",
    ...(settings.strokes.length + settings.coats.length > 0 ? ["recipe"] : []),
  ],
  async components(given, { fill: settings }) {
    return { components: await selected(given, settings), plane: await given.resident.image() };
  },
  async arrays(given, { fill: settings }) {
    return [(await fillStrokes(given, settings, settings.strokes)).mask.bits];
  },
};

export const fillFencing: Fencing<Extract<Fence, { tool: "fill" }>> = {
  take: fenceOf,
  maskOf: async (given, fence) => (await fillStrokes(given, fence.fill, fence.fill.strokes)).mask,
  saved: (fence, within) =>
    tidy("fill", { input: within ? { within } : {}, options: savedFill(fence.fill, fence.fill.strokes) }),
};

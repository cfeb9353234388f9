// The fill tool.

import { type FillRecipe, savedFill, savedPaint } from "../../settings/fill.js";
import type { Fence } from "../../settings/recipe.js";
import { tidy } from "../../settings/saved.js";
import type { Fencing, Given, Tool } from "../tool.js";
import { FillControls } from "./Controls.js";
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
  Controls: FillControls,
  panels: async () => (await import("./Results.js")).Results,
  gestures,
  run: (given, { fill: own }) => showFills(given, own),
  idle({ fill: own, source }) {
    const last = own.strokes.at(-1);
    const { range, metric, average, contiguous } = own;
    if (!last || range !== "fixed" || metric !== "linf" || average !== 1 || !contiguous) {
      areas.value = undefined;
      return undefined;
    }
    const { x, y } = last;
    const key = areasKey({ fill: own, source });
    if (key === areas.value?.key) return undefined;
    return async (given) => {
      areas.value = { key, counts: await areasOf(given, own, x, y) };
    };
  },
  preview: async (given, { fill: own }, [x, y]) =>
    (await fillStrokes(given, own, [{ mode: "new", x, y, tolerance: own.tolerance }])).mask,
  forget() {
    areas.value = undefined;
  },
  saved({ fill: own }, within) {
    if (own.strokes.length === 0 && own.coats.length === 0) return undefined;
    return tidy("fill", {
      input: within ? { within } : {},
      options: own.strokes.length > 0 ? savedFill(own, own.strokes) : {},
      products: savedPaint(own),
    });
  },
  carried: ({ fill: own }) => ({ fill: { ...own, strokes: [], coats: [] } }),
  saves: ({ fill: own }) => [
    "regionsCsv",
    "regionsJson",
    "result",
    "seen",
    "painted",
    "mask",
    "labels",
    "coco",
    ...(own.strokes.length + own.coats.length > 0 ? ["recipe"] : []),
  ],
  async components(given, { fill: own }) {
    return { components: await selected(given, own), plane: await given.resident.image() };
  },
  async arrays(given, { fill: own }) {
    return [(await fillStrokes(given, own, own.strokes)).mask.bits];
  },
};

export const fillFencing: Fencing<Extract<Fence, { tool: "fill" }>> = {
  take: fenceOf,
  maskOf: async (given, fence) => (await fillStrokes(given, fence.fill, fence.fill.strokes)).mask,
  saved: (fence, within) =>
    tidy("fill", { input: within ? { within } : {}, options: savedFill(fence.fill, fence.fill.strokes) }),
};

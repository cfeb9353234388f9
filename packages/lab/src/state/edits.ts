// Edits of the recipe by the selection: its objects are dropped, become a fence, or are painted.

import { spotsOf } from "../tools/objects.js";
import { change, fresh, measured, recipe, selection } from "./lab.js";

/** Deletes the selected objects. */
export function removeSelected(): void {
  const { runs } = measured.value ?? {};
  if (!runs || !fresh.value || selection.value.size === 0) return;
  const { objects } = recipe.value;
  const dropped = [...objects.dropped, ...spotsOf(runs, selection.value)];
  change({ objects: { ...objects, dropped } }, `drop ${dropped.length}`);
}

/** Makes the selection the fence of every tool. */
export function fenceSelected(): void {
  const { tool, objects, fill, within } = recipe.value;
  const { runs } = measured.value ?? {};
  if (tool === "objects") {
    if (!runs || !fresh.value || selection.value.size === 0) return;
    change({ within: { tool, objects, spots: spotsOf(runs, selection.value), within } }, "fence");
  } else if (fill.strokes.length > 0) {
    const { range, metric, connectivity, average, contiguous, strokes } = fill;
    const own = { range, metric, connectivity, average, contiguous, strokes };
    change({ within: { tool, fill: own, within }, fill: { ...fill, strokes: [] } }, "fence");
  }
}

/** Paints the selection with the colour. */
export function paintSelected(): void {
  const { fill } = recipe.value;
  if (fill.strokes.length === 0) return;
  const { tolerance: _, coats: before, ...coat } = fill;
  change({ fill: { ...fill, strokes: [], coats: [...before, coat] } }, "paint");
}

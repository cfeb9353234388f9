// Pointers and keys on objects: a click selects, a box selects what lies in it.

import { labelAt } from "skerry";
import type { Spot } from "../../settings/spots.js";
import { hovered, recipe, selection } from "../../state/lab.js";
import { sidesOf } from "../../state/scale.js";
import { TEXT } from "../../words/text.js";
import type { Gestures } from "../tool.js";
import { choose, removeSelected, selectAll, stepSelected } from "./edits.js";
import { fresh, measured } from "./state.js";

/** The object at a pixel; 0 if there is none, or if objects are not measured yet. */
const objectAt = ([x, y]: Spot): number => (fresh.value && measured.value ? labelAt(measured.value.runs, x, y) : 0);

const clear = (): void => {
  selection.value = new Set();
};

export const gestures: Gestures = {
  point(spot) {
    const label = spot ? objectAt(spot) : 0;
    hovered.value = label;
    return spot ? TEXT.object(label) : "";
  },
  click: (spot, mode) => choose(objectAt(spot), mode !== "new"),
  /** Adds the objects whose centroid lies in the box to the selection. */
  box([x0, y0], [x1, y1]) {
    const { centroid, count } = measured.value?.regions ?? {};
    if (!fresh.value || !centroid || !count) return;
    const next = new Set(selection.value);
    const [width, height] = recipe.value.scale ? sidesOf(recipe.value.scale) : [1, 1];
    for (let i = 0; i < count; i++) {
      const [x, y] = [centroid[2 * i] / width, centroid[2 * i + 1] / height];
      const isInside = x >= Math.min(x0, x1) && x <= Math.max(x0, x1) && y >= Math.min(y0, y1) && y <= Math.max(y0, y1);
      if (isInside) next.add(i + 1);
    }
    selection.value = next;
  },
  keys: {
    Delete: removeSelected,
    Backspace: removeSelected,
    Escape: clear,
    "Control+a": selectAll,
    n: () => stepSelected(1),
    p: () => stepSelected(-1),
  },
};

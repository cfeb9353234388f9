// Pointers and keys on objects: a click selects, a box selects what lies in it.

import { labelAt } from "skerry";
import type { Spot } from "../../settings/spots.js";
import { hovered, selection } from "../../state/lab.js";
import { TEXT } from "../../words/text.js";
import type { Gestures } from "../tool.js";
import { choose, removeSelected, selectAll, selectWhere, stepSelected } from "./edits.js";
import { fresh, measured } from "./state.js";

/** The object at a pixel; 0 if there is none, or if objects are not measured yet. */
export const objectAt = ([x, y]: Spot): number =>
  fresh.value && measured.value ? labelAt(measured.value.runs, x, y) : 0;

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
    const [left, right, top, bottom] = [Math.min(x0, x1), Math.max(x0, x1), Math.min(y0, y1), Math.max(y0, y1)];
    selectWhere(([x, y]) => x >= left && x <= right && y >= top && y <= bottom, selection.value);
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

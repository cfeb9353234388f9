// Pointers and keys on classes: a click shows a class alone; Shift and a click merge it with those that are shown alone.

import { isolated } from "../../state/drawn.js";
import { hovered } from "../../state/lab.js";
import { TEXT } from "../../words/text.js";
import type { Gestures } from "../tool.js";
import { classAt, isolate, merge } from "./edits.js";

export const gestures: Gestures = {
  point(spot) {
    const index = spot && classAt(spot);
    hovered.value = index === undefined ? 0 : index + 1;
    return spot ? TEXT.classAt(index) : "";
  },
  click(spot, mode) {
    const index = classAt(spot);
    if (index === undefined) isolated.value = new Set();
    else if (mode === "add") merge(index);
    else isolate(index);
  },
  keys: {
    Escape: () => {
      isolated.value = new Set();
    },
  },
};

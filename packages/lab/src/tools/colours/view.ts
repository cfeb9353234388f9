// Pointers and keys on classes: a click shows a class alone; Shift and a click merge it with those that are shown alone.

import { isolated } from "../../state/drawn.js";
import { hovered } from "../../state/lab.js";
import { TEXT } from "../../words/text.js";
import type { Gestures } from "../tool.js";
import { classAt, isolate, merge } from "./edits.js";

export const gestures: Gestures = {
  point(spot) {
    const own = spot && classAt(spot);
    hovered.value = own === undefined ? 0 : own + 1;
    return spot ? TEXT.colours.classAt(own) : "";
  },
  click(spot, mode) {
    const own = classAt(spot);
    if (own === undefined) isolated.value = new Set();
    else if (mode === "add") merge(own);
    else isolate(own);
  },
  keys: {
    Escape: () => {
      isolated.value = new Set();
    },
  },
};

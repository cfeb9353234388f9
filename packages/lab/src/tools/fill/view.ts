// Pointers and keys on fills: a press selects, a drag changes the tolerance.

import { session } from "../../state/engine.js";
import { recipe } from "../../state/lab.js";
import type { Gestures } from "../tool.js";
import { clamp, clearSelected, paintSelected, press, setTolerance, widen } from "./edits.js";

/** The tolerance that a drag began with. */
let begun = 0;

export const gestures: Gestures = {
  point(spot) {
    session.follower?.preview(spot);
    return "";
  },
  click: (spot, mode, gesture) => press(spot, mode, gesture),
  drag: {
    begin(spot, mode, gesture) {
      begun = recipe.value.fill.tolerance;
      press(spot, mode, gesture);
    },
    move(by, gesture) {
      const tolerance = clamp(begun + by);
      if (tolerance !== recipe.value.fill.strokes.at(-1)?.tolerance) setTolerance(tolerance, gesture);
    },
  },
  keys: {
    "[": () => widen(-1),
    "]": () => widen(1),
    p: paintSelected,
    Escape: clearSelected,
    Delete: clearSelected,
    Backspace: clearSelected,
  },
};

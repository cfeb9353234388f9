// Pointers and keys on fills: a press selects, a drag changes the tolerance.

import { effect } from "@preact/signals";
import { marks } from "../../state/drawn.js";
import { session } from "../../state/engine.js";
import { found, recipe } from "../../state/lab.js";
import { sidesOf } from "../../state/scale.js";
import { TEXT } from "../../words/text.js";
import type { Gestures } from "../tool.js";
import { clamp, clearSelected, paintSelected, press, setTolerance, widen } from "./edits.js";

/** Whether the mark over the picture is that of this tool. */
let isOurs = false;
// The area stands at the pixel that was pressed last.
effect(() => {
  const { tool, fill, scale } = recipe.value;
  const [last, area] = [fill.strokes.at(-1), found.value?.headline];
  const isShown = tool === "fill" && last !== undefined && area?.value !== undefined && area.kind === "area";
  if (isShown) {
    const [x, y] = scale ? sidesOf(scale) : [1, 1];
    marks.value = { labels: [{ place: [last.x, last.y], text: TEXT.area(area.value * x * y, scale?.unit) }] };
  } else if (isOurs) marks.value = {};
  isOurs = isShown;
});

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

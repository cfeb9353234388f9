// Pointers and keys on a distance map: the value and the nearest pixel under the pointer; clicks set points.

import { hasInside } from "../../settings/distance.js";
import type { Spot } from "../../settings/spots.js";
import { marks } from "../../state/drawn.js";
import { changeDistance, recipe, unit } from "../../state/lab.js";
import { TEXT } from "../../words/text.js";
import type { Gestures } from "../tool.js";
import { nearestOf } from "./nearest.js";
import { map } from "./state.js";

/** A click this near to a point removes it. */
const NEAR_PIXELS = 3;

export const gestures: Gestures = {
  point(spot) {
    const { value: distances } = map;
    if (!spot || !distances) {
      if (marks.value.line) marks.value = { ...marks.value, line: undefined };
      return "";
    }
    const { distance } = recipe.value;
    const near = nearestOf(distances, distance.signed && hasInside(distance), spot);
    marks.value = { ...marks.value, line: near && [spot, near] };
    return TEXT.distanceAt(distances.data[spot[1] * distances.width + spot[0]], unit());
  },
  click(spot, mode, gesture) {
    const { distance } = recipe.value;
    if (distance.target !== "points") return;
    const { points } = distance;
    const isNear = ([x, y]: Spot): boolean => Math.hypot(x - spot[0], y - spot[1]) <= NEAR_PIXELS;
    const others = points.filter((point) => !isNear(point));
    const next = others.length < points.length || mode === "take" ? others : [...points, spot];
    changeDistance({ points: next }, { gesture });
  },
  keys: {
    Escape: () => changeDistance({ points: [] }),
    Delete: () => changeDistance({ points: [] }),
    Backspace: () => changeDistance({ points: [] }),
  },
};

// The cut-outs of labels and masks.

import type { Size } from "../core/pixels.js";
import type { WindowPlan } from "../core/plans.js";
import { InvalidArgument } from "../types/errors.js";
import type { ResultWindow } from "../types/labels.js";
import { oneOf, show, unexpected, wholeNumber } from "./arguments.js";

/** The largest magnitude of a window's coordinates and extent, and its largest number of pixels. */
const MOST_AWAY = 2 ** 30;
const MOST_WINDOW = 2 ** 28;

/** Checks a window and fills in its defaults. */
export function checkWindow(window: ResultWindow, { depth }: Pick<Size, "depth">): WindowPlan {
  if (typeof window !== "object" || window === null) {
    throw unexpected("window", "{ x, y, width, height }", window);
  }
  const { x, y, z = 0, width, height, step = 1, axis = "z" } = window;
  for (const [name, value] of Object.entries({ x, y, z })) wholeNumber(`window.${name}`, value, -MOST_AWAY, MOST_AWAY);
  for (const [name, value] of Object.entries({ width, height })) wholeNumber(`window.${name}`, value, 1, MOST_WINDOW);
  wholeNumber("window.step", step, 1, MOST_AWAY);
  if (width * height > MOST_WINDOW || Math.max(width, height) * step > MOST_AWAY) {
    throw new InvalidArgument(`Expected a window of at most 2^28 pixels, got ${width} x ${height} with step ${step}.`, {
      argument: "window",
    });
  }
  oneOf("window.axis", axis, ["x", "y", "z"]);
  if (depth === 1 && axis !== "z")
    throw new InvalidArgument(`Expected window.axis "z" of an image, got ${show(axis)}.`, { argument: "window.axis" });
  return { x, y, z, width, height, step, axis };
}

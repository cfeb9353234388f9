// Lines that were measured: their lengths in the unit of the picture, and their marks over it.

import { effect } from "@preact/signals";
import type { Spot } from "../../../settings/spots.js";
import { marks } from "../../../state/drawn.js";
import { change, recipe, unit } from "../../../state/lab.js";
import { sidesOf } from "../../../state/scale.js";
import { HAND } from "../../../words/hand.js";
import { TEXT } from "../../../words/text.js";

export type Line = readonly [Spot, Spot];

/** The length of a line between the centres of two pixels, in the unit of the scale. */
export function lengthOf([[x0, y0], [x1, y1]]: Line): number {
  const { scale } = recipe.value;
  const [width, height] = scale ? sidesOf(scale) : [1, 1];
  return Math.hypot((x1 - x0) * width, (y1 - y0) * height);
}

export const textOf = (line: Line): string => HAND.line(TEXT.length(lengthOf(line)), unit());

export function addLine(line: Line): void {
  const measures = [...(recipe.value.measures ?? []), line];
  change({ measures }, `measure ${measures.length}`);
}

export function removeLine(index: number): void {
  change({ measures: recipe.value.measures?.toSpliced(index, 1) }, `measure away ${index}`);
}

/** The lines as a table, between the centres of pixels. */
export function tableOf(lines: readonly Line[]): string {
  const head = ["x", "y", "to_x", "to_y", `length_${unit()}`].join("\t");
  return [head, ...lines.map((line) => [...line.flat(), lengthOf(line)].join("\t"))].join("\n");
}

/** Whether the marks over the picture are these lines. */
let isOurs = false;
effect(() => {
  const { tool, measures = [] } = recipe.value;
  const isShown = tool === "objects" && measures.length > 0;
  if (isShown) {
    marks.value = {
      path: measures.map(([from, to]) => `M${from.join(" ")}L${to.join(" ")}`).join(""),
      labels: measures.map((line) => ({
        place: [(line[0][0] + line[1][0]) / 2, (line[0][1] + line[1][1]) / 2] as const,
        text: textOf(line),
      })),
    };
  } else if (isOurs) marks.value = {};
  isOurs = isShown;
});

// Marks over a distance map: its points, the largest circle in each object, and a number on each line of equal distance.

import { effect } from "@preact/signals";
import type { Scale } from "../../settings/recipe.js";
import { lines, type MapWindow, type Marks, mapWindow, marks } from "../../state/drawn.js";
import { recipe } from "../../state/lab.js";
import { TEXT } from "../../words/text.js";
import { circles, circlesKey, showsCircles } from "./state.js";

type Labels = NonNullable<Marks["labels"]>;

/** Most numbers on lines that a view shows, and most circles, of which it shows the largest. */
const MOST_LABELS = 12;
const MOST_CIRCLES = 5000;

/** Circles as one path: two arcs each. */
export function circlePath(circles: Float64Array): string {
  const order = Array.from({ length: circles.length / 3 }, (_, i) => i);
  if (order.length > MOST_CIRCLES) order.sort((a, b) => circles[3 * b] - circles[3 * a]).length = MOST_CIRCLES;
  return order
    .map((i) => {
      const [r, x, y] = circles.subarray(3 * i, 3 * i + 3);
      return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0${-2 * r} 0`;
    })
    .join("");
}

/** A place on each line of equal distance of a window: where it comes nearest to the middle. */
export function lineLabels(
  { x, y, width, height, step, data }: MapWindow,
  apart: number,
): { readonly place: readonly [number, number]; readonly value: number }[] {
  const best = new Map<number, { distance: number; at: number }>();
  for (let row = 1; row < height - 1; row++) {
    for (let column = 1; column < width - 1; column++) {
      const at = row * width + column;
      const level = Math.floor(data[at] / apart);
      const right = Math.floor(data[at + 1] / apart);
      if (level === right || level - level !== 0 || right - right !== 0) continue;
      const value = Math.max(level, right);
      const distance = (row - height / 2) ** 2 + (column - width / 2) ** 2;
      if (distance < (best.get(value)?.distance ?? Number.POSITIVE_INFINITY)) best.set(value, { distance, at });
    }
  }
  const every = Math.ceil(best.size / MOST_LABELS);
  return [...best]
    .filter(([value]) => value % every === 0)
    .map(([value, { at }]) => ({
      place: [x + (at % width) * step, y + Math.floor(at / width) * step] as const,
      value: value * apart,
    }));
}

/** The radius of each of the largest circles, at its centre. Circles of pixels that are not square are none in the unit. */
export function radiusLabels(circles: Float64Array, scale: Scale | undefined): Labels {
  if (scale?.down !== undefined && scale.down !== scale.size) return [];
  const order = Array.from({ length: circles.length / 3 }, (_, i) => i).sort((a, b) => circles[3 * b] - circles[3 * a]);
  return order.slice(0, MOST_LABELS).map((i) => ({
    place: [circles[3 * i + 1], circles[3 * i + 2]] as const,
    text: `r ${TEXT.length(circles[3 * i] * (scale?.size ?? 1))} ${scale?.unit ?? "px"}`,
  }));
}

/** Whether the marks over the picture are those of this tool. */
let isOurs = false;
/** Updates the marks over the picture when the signals change. */
effect(() => {
  const { tool, distance, scale } = recipe.value;
  if (tool !== "distance") {
    if (isOurs) marks.value = {};
    isOurs = false;
    return;
  }
  isOurs = true;
  const { value: window } = mapWindow;
  const numbers =
    lines.value > 0 && window
      ? lineLabels(window, lines.value).map(({ place, value }) => ({ place, text: TEXT.length(value) }))
      : [];
  const isShown =
    showsCircles.value && distance.target === "objects" && circles.value?.key === circlesKey(recipe.value);
  const drawn = isShown ? circles.value?.values : undefined;
  const labels = drawn ? [...numbers, ...radiusLabels(drawn, scale)] : numbers;
  marks.value = {
    labels,
    path: drawn && circlePath(drawn),
    points: distance.target === "points" ? distance.points : [],
  };
});

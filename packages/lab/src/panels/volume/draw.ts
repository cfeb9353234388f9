// Draws one plane of a volume: its values between black and white, and what was found over them. A drag of a threshold draws three planes
// with each move, so colours come from tables and no pixel makes an object.

import { palette } from "@skerry/files";
import { COLOURS, rampColours } from "@skerry/files/internal";
import { type Plane, turned } from "../../files/planes.js";
import type { Held, Seen } from "./state.js";

/** Opacity of labels and distances over the values. */
const OPACITY = 0.5;
const labelColours = palette();
/** Colours of distances from the farthest inside of objects, which is negative, over 0 in the middle, to the farthest outside. */
const RAMP = 1023;
const distanceColours = rampColours(-1, 1, 2 * RAMP + 1);

/** Draws a plane through a point into an image of its size. */
export function drawPlane(
  image: ImageData,
  { opened: { data }, sizes }: Held,
  { across, down, through, isMirrored, isUpsideDown }: Plane,
  at: number,
  [low, high]: readonly [number, number],
  over: Seen | undefined,
): void {
  const strides = [1, sizes[0], sizes[0] * sizes[1]];
  const scale = 255 / (high - low || 1);
  // Windows run along the first of their two axes.
  const [first] = ([0, 1, 2] as const).filter((axis) => axis !== through);
  const steps = [across === first ? 1 : sizes[first], across === first ? sizes[first] : 1];
  const layer = over?.planes[through];
  const isMap = over?.kind === "distances";
  const { farthest = 0, lines: every = 0 } = over ?? {};
  const colours = isMap ? distanceColours : labelColours;
  const perDistance = RAMP / (farthest || 1);
  const rgba = image.data;
  const [columns, rows] = [sizes[across], sizes[down]];
  for (let row = 0, to = 0; row < rows; row++) {
    const y = turned(row, rows, isUpsideDown);
    const from = y * strides[down] + at * strides[through];
    for (let column = 0; column < columns; column++, to += 4) {
      const x = turned(column, columns, isMirrored);
      const grey = (data[from + x * strides[across]] - low) * scale;
      const here = x * steps[0] + y * steps[1];
      const value = layer ? layer[here] : 0;
      rgba[to + 3] = 255;
      // An infinite distance has no colour; nor has label 0.
      if (!layer || (isMap ? !Number.isFinite(value) : value === 0)) {
        rgba[to] = grey;
        rgba[to + 1] = grey;
        rgba[to + 2] = grey;
        continue;
      }
      const dimmed = Math.max(0, Math.min(255, grey)) * (1 - OPACITY);
      if (isMap && every > 0) {
        const band = Math.floor(value / every);
        // Lines lie where distances pass a multiple of the step.
        const isLine =
          (x > 0 && Math.floor(layer[here - steps[0]] / every) < band) ||
          (y > 0 && Math.floor(layer[here - steps[1]] / every) < band);
        if (isLine) {
          rgba.fill(dimmed + 255 * OPACITY, to, to + 3);
          continue;
        }
      }
      const step = isMap ? RAMP + Math.max(-RAMP, Math.min(RAMP, Math.round(value * perDistance))) : value % COLOURS;
      const colour = 3 * step;
      rgba[to] = dimmed + colours[colour] * OPACITY;
      rgba[to + 1] = dimmed + colours[colour + 1] * OPACITY;
      rgba[to + 2] = dimmed + colours[colour + 2] * OPACITY;
    }
  }
}

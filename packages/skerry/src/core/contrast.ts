// The channel "contrast": the distance of a pixel's colour from the median colour of the picture's frame. Brightness hides objects
// of the ground's own luma (a yellow pill on white paper); their colour differs from the frame's all the same. The distance is that of
// Oklab in whole numbers, so that every device and number of threads gives the same values. See assembly/image-contrast.ts.

import { isOnFrame, type Samples } from "./background.js";
import { lightOf } from "./oklab.js";
import type { Shape } from "./pixels.js";
import type { ContrastPlan } from "./plans.js";
import { cubeRoot } from "./portable.js";

/** Steps of light and of cone responses from 0 to 1. */
const STEPS = 65535;
/** Steps of the cube roots from 0 to 1. */
const ROOT_STEPS = 4096;

/** Weights of red, green and blue in the responses of the long, medium and short cones, in 1 / 65 536. */
const CONES = [
  [27015, 35149, 3372],
  [13887, 44611, 7038],
  [5787, 18463, 41286],
] as const;

/** The plane of the contrast: u8 for colours, else the raster's own type. */
export function contrastShape(shape: Shape): Shape {
  return { ...shape, type: shape.channels > 1 ? "u8" : shape.type, channels: 1 };
}

let roots: Uint16Array | undefined;

/** The plan for a frame of a colour: one value, or red, green and blue. */
export function planContrast(
  frame: readonly number[],
  { type, channels }: Pick<Shape, "type" | "channels">,
): ContrastPlan {
  if (channels === 1) return { frame, light: new Uint16Array(0), roots: new Uint16Array(0) };
  const most = type === "u8" ? 255 : 65535;
  const light = Uint16Array.from({ length: most + 1 }, (_, value) => Math.round(lightOf(value / most) * STEPS));
  roots ??= Uint16Array.from({ length: STEPS + 1 }, (_, i) => Math.round(cubeRoot(i / STEPS) * ROOT_STEPS));
  const [r, g, b] = frame.map((value) => light[value]);
  const table = roots;
  // Up to 65 535 * 65 536, which is above 2^31: division instead of a shift.
  const cones = CONES.map(([wr, wg, wb]) => table[Math.floor((wr * r + wg * g + wb * b) / 65536)]);
  return { frame: cones, light, roots };
}

/** The median of each channel over the samples of the frame; of an even number the lower one. O(samples log samples). */
export function frameColour(planes: readonly Samples[]): readonly number[] {
  return planes.map(({ values, inside, ...size }) => {
    const border = values.filter((_, at) => inside[at] !== 0 && isOnFrame(at, size)).sort();
    return border[(border.length - 1) >> 1] ?? 0;
  });
}

// Colours in Oklab (Ottosson 2020) as integers; equal distances look about equally different. The code uses only
// additions, multiplications and divisions, which IEEE 754 rounds in one way. Math.cbrt and Math.pow may differ in the
// last bit between JavaScript engines, but all devices must compute the same colours.

import { cubeRoot } from "./portable.js";

/** Steps of L from 0 (black) to 1 (white); a and b have the same steps and begin at -0.5. */
export const OKLAB_STEPS = 1023;

const OFFSET = 0.5;

/** The linear light of an sRGB value of 0 to 1 (IEC 61966-2-1). */
export function lightOf(value: number): number {
  if (value <= 0.04045) return value / 12.92;
  const x = (value + 0.055) / 1.055;
  // x^2.4 = x^2 (x^(1/5))^2. The fifth root is by Newton's method, which no longer changes after the twelfth step.
  let root = 1;
  for (let i = 0; i < 16; i++) root = (4 * root + x / (root * root * root * root)) / 5;
  return x * x * root * root;
}

/** The linear light of the values 0 to 255, and the lowest light that rounds to each value. */
const LIGHT = Float64Array.from({ length: 256 }, (_, i) => lightOf(i / 255));
const BEGINS = Float64Array.from({ length: 256 }, (_, i) => (i === 0 ? 0 : lightOf((i - 0.5) / 255)));

function quantised(value: number): number {
  return Math.min(OKLAB_STEPS, Math.max(0, Math.floor(value * OKLAB_STEPS + 0.5)));
}

/** L, a, b of an sRGB colour, in steps, in bits 0, 10 and 20 of one number. */
export function oklabOf(red: number, green: number, blue: number): number {
  const r = LIGHT[red];
  const g = LIGHT[green];
  const b = LIGHT[blue];
  const l = cubeRoot(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = cubeRoot(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = cubeRoot(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const lightness = quantised(0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s);
  const greenRed = quantised(1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s + OFFSET);
  const blueYellow = quantised(0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s + OFFSET);
  return lightness | (greenRed << 10) | (blueYellow << 20);
}

/** L, a and b of a point in steps. */
export function oklabValues(x: number, y: number, z: number): [number, number, number] {
  return [x / OKLAB_STEPS, y / OKLAB_STEPS - OFFSET, z / OKLAB_STEPS - OFFSET];
}

/** The sRGB colour of a point in steps, clipped to the sRGB gamut. */
export function colourOf(x: number, y: number, z: number): [number, number, number] {
  const [lightness, a, b] = oklabValues(x, y, z);
  const l = lightness + 0.3963377774 * a + 0.2158037573 * b;
  const m = lightness - 0.1055613458 * a - 0.0638541728 * b;
  const s = lightness - 0.0894841775 * a - 1.291485548 * b;
  const [l3, m3, s3] = [l * l * l, m * m * m, s * s * s];
  return [
    byteOf(4.0767416621 * l3 - 3.3077115913 * m3 + 0.2309699292 * s3),
    byteOf(-1.2684380046 * l3 + 2.6097574011 * m3 - 0.3413193965 * s3),
    byteOf(-0.0041960863 * l3 - 0.7034186147 * m3 + 1.707614701 * s3),
  ];
}

/** The largest value of 0 to 255 whose lowest light is at most `light`. */
function byteOf(light: number): number {
  let value = 0;
  for (let step = 128; step > 0; step >>= 1) if (BEGINS[value + step] <= light) value += step;
  return value;
}

// Colours of increasing lightness for distance maps, from near to far. The inside of signed maps has another hue.

// Colours in OKLab (Ottosson 2020): lightness, and two axes of colour. The first ramp is for distances from near to
// far, the second for those inside the objects of signed maps.
const OUTSIDE = [
  [0.28, 0.05, -0.13],
  [0.45, -0.03, -0.09],
  [0.62, -0.11, 0.0],
  [0.8, -0.09, 0.12],
  [0.95, -0.02, 0.17],
] as const;
const INSIDE = [
  [0.3, 0.09, 0.02],
  [0.5, 0.16, 0.07],
  [0.72, 0.12, 0.08],
  [0.93, 0.03, 0.04],
] as const;

/**
 * The colour of a value, 0 to 255 per channel, on a map from `low` (negative in signed maps) to `high`.
 * @example
 * import { rampColour } from "@skerry/files";
 * const [red, green, blue] = rampColour(5, 0, 10); // halfway between near and far
 * console.log(red, green, blue);
 */
export function rampColour(value: number, low: number, high: number): number[] {
  const most = Math.max(high, -low) || 1;
  return value < 0 ? ramp(INSIDE, -value / most) : ramp(OUTSIDE, value / most);
}

/** The colours of so many values from `low` to `high`, red, green and blue of each: for maps that are drawn again and again. */
export function rampColours(low: number, high: number, steps: number): Uint8Array {
  const rgb = new Uint8Array(3 * steps);
  for (let i = 0; i < steps; i++) rgb.set(rampColour(low + ((high - low) * i) / (steps - 1), low, high), 3 * i);
  return rgb;
}

function ramp(stops: readonly (readonly [number, number, number])[], t: number): number[] {
  const place = Math.max(0, Math.min(1, t)) * (stops.length - 1);
  const index = Math.min(stops.length - 2, Math.floor(place));
  const [a, b] = [stops[index], stops[index + 1]] as [readonly number[], readonly number[]];
  return rgbOf(a.map((v, i) => v + (b[i] - v) * (place - index)));
}

function rgbOf([l, a, b]: readonly number[]): number[] {
  const [L, A, B] = [l, a, b];
  const long = (L + 0.3963377774 * A + 0.2158037573 * B) ** 3;
  const middle = (L - 0.1055613458 * A - 0.0638541728 * B) ** 3;
  const short = (L - 0.0894841775 * A - 1.291485548 * B) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short,
  ].map((c) => {
    const linear = Math.max(0, Math.min(1, c));
    return Math.round(255 * (linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055));
  });
}

// Which side of a picture is its background, judged from samples alone, so that every device, and blocks on many machines, give the
// same answer for the cost of some rows. Objects are smaller than the background around them: with dark objects, most pixels are
// brighter than the mean of their surroundings. Light that falls off and dark borders change both alike.

import type { PixelType } from "../types/raster.js";
import type { Size } from "./pixels.js";

/** Most samples along an axis: 65 536 in an image, 64 000 in a volume. */
const MOST_OF_IMAGES = 256;
const MOST_OF_VOLUMES = 40;

/** Surroundings reach to both sides by this part of the samples along each axis. */
const REACH = 1 / 8;

/** The frame of a picture is this part of its samples at either end of a row and of a column. */
const FRAME = 1 / 32;

/** A side of a threshold is the ground if it has this part of the frame and of the picture. */
const GROUND = { frame: 0.9, picture: 0.8 };

/** Samples of f32 are rounded to so many steps, whose sums are exact. */
const STEPS = 65535;

/** Evenly spaced places along an axis: `first`, `first + step`, and so on. */
export interface SampledAxis {
  readonly first: number;
  readonly step: number;
  readonly count: number;
}

/** Places of the samples along each axis. Example: 600 columns have 200, at 1, 4, 7 and so on. */
export function sampledAxes({ width, height, depth }: Size): Record<"x" | "y" | "z", SampledAxis> {
  const most = depth > 1 ? MOST_OF_VOLUMES : MOST_OF_IMAGES;
  const axisOf = (length: number): SampledAxis => {
    const step = Math.ceil(length / most);
    const first = (step - 1) >> 1;
    return { first, step, count: Math.ceil((length - first) / step) };
  };
  return { x: axisOf(width), y: axisOf(height), z: axisOf(depth) };
}

/** Samples in order of slices, rows and columns; `inside` is 0 for those that do not count. */
export interface Samples extends Size {
  readonly type: PixelType;
  readonly values: Float64Array;
  readonly inside: Uint8Array;
}

/** Samples of a size and type, none of which counts yet. */
export function newSamples({ x, y, z }: Record<"x" | "y" | "z", SampledAxis>, type: PixelType): Samples {
  const count = x.count * y.count * z.count;
  return {
    width: x.count,
    height: y.count,
    depth: z.count,
    type,
    values: new Float64Array(count),
    inside: new Uint8Array(count),
  };
}

/** Whether a sample lies on the frame. Example: of 256 x 200 samples the outer 8 columns and the outer 6 rows do. */
export function isOnFrame(at: number, { width, height }: Pick<Size, "width" | "height">): boolean {
  const isOuter = (place: number, length: number): boolean => {
    const margin = Math.max(1, Math.round(length * FRAME));
    return length > 1 && (place < margin || place >= length - margin);
  };
  // A picture of one pixel is its own frame.
  return width * height === 1 || isOuter(at % width, width) || isOuter(Math.floor(at / width) % height, height);
}

/**
 * Whether the background is bright: more samples are above the mean of the samples around them than below it. The mean is over a
 * box that reaches an eighth of the picture to each side; at the border the outermost samples repeat. O(samples).
 */
export function isBrightBackground({ width, height, depth, type, values, inside }: Samples): boolean {
  const stepped = type === "f32" ? steps(values, inside) : values;
  let sums = new Float64Array(stepped.map((value, at) => (inside[at] ? value : 0)));
  let counts = new Float64Array(inside);
  for (const [length, stride] of [
    [width, 1],
    [height, width],
    [depth, width * height],
  ]) {
    sums = boxSums(sums, length, stride);
    counts = boxSums(counts, length, stride);
  }
  let [above, below] = [0, 0];
  for (let at = 0; at < stepped.length; at++) {
    if (!inside[at]) continue;
    const product = stepped[at] * counts[at];
    if (product > sums[at]) above++;
    else if (product < sums[at]) below++;
  }
  return above > below;
}

/**
 * Whether objects are the dark side: the background is bright, unless that leaves them nearly the whole frame and most of the picture,
 * which are the ground's. `threshold` is that of all pixels, where there is one. O(samples).
 */
export function areObjectsDark(samples: Samples, threshold: number | undefined): boolean {
  const dark = isBrightBackground(samples);
  return threshold !== undefined && isGround(samples, (value) => value > threshold !== dark) ? !dark : dark;
}

/** Whether pixels of some values are the ground: they have nearly the whole frame and most of the picture. */
export function isGround({ values, inside, ...size }: Samples, isOne: (value: number) => boolean): boolean {
  const counts = { all: 0, ones: 0, frame: 0, onesOnFrame: 0 };
  for (let at = 0; at < values.length; at++) {
    if (!inside[at]) continue;
    const [value, outer] = [Number(isOne(values[at])), Number(isOnFrame(at, size))];
    counts.all++;
    counts.ones += value;
    counts.frame += outer;
    counts.onesOnFrame += value * outer;
  }
  const { all, ones, frame, onesOnFrame } = counts;
  return frame > 0 && onesOnFrame >= GROUND.frame * frame && ones >= GROUND.picture * all;
}

/** Values in whole steps from the least to the largest of those inside. */
function steps(values: Float64Array, inside: Uint8Array): Float64Array {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  values.forEach((value, at) => {
    if (!inside[at]) return;
    low = Math.min(low, value);
    high = Math.max(high, value);
  });
  return values.map((value, at) => (inside[at] && high > low ? Math.round(((value - low) / (high - low)) * STEPS) : 0));
}

/**
 * Sums along an axis over windows about each sample. Example: with a reach of 1, the samples 3 5 9 have the windows 3 3 5, 3 5 9
 * and 5 9 9, and so the sums 11, 17 and 23.
 */
function boxSums(data: Float64Array<ArrayBuffer>, length: number, stride: number): Float64Array<ArrayBuffer> {
  if (length === 1) return data;
  const reach = Math.max(1, Math.round(length * REACH));
  const sums = new Float64Array(data.length);
  for (let from = 0; from < data.length; from++) {
    if (Math.floor(from / stride) % length !== 0) continue;
    const valueAt = (i: number): number => data[from + Math.min(length - 1, Math.max(0, i)) * stride];
    let sum = 0;
    for (let i = -reach; i <= reach; i++) sum += valueAt(i);
    for (let i = 0; i < length; i++) {
      sums[from + i * stride] = sum;
      sum += valueAt(i + reach + 1) - valueAt(i - reach);
    }
  }
  return sums;
}

/** The luma of a colour; see `ChannelName`. Floats round after each step, as in the kernels. */
export function lumaOf(type: PixelType, r: number, g: number, b: number): number {
  if (type !== "f32") return (77 * r + 150 * g + 29 * b + 128) >> 8;
  const { fround } = Math;
  return fround(fround(fround(fround(77 * r) + fround(150 * g)) + fround(29 * b)) / 256);
}

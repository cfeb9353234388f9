// K-means pixel by pixel in plain numbers: every pixel against every centre, means by division, medians by sorting.
// Knows nothing of histograms, boxes or what changed. Colours go to Oklab by the formulas as published.

import { random } from "../../../scenes/src/random.js";

export interface Picture {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3 | 4;
}

export interface Rule {
  readonly metric?: "l2" | "l1" | "l1-mean";
  readonly colourSpace?: "rgb" | "oklab";
  readonly maxIterations?: number;
  readonly ignoreTransparent?: boolean;
}

type Point = readonly [number, number, number];

export interface Clustered {
  readonly k: number;
  readonly data: Uint8Array;
  readonly counts: number[];
  /** In fixed point, in the order of the classes. */
  readonly centres: Point[];
  readonly iterations: number;
  readonly converged: boolean;
  /** In fixed point. */
  readonly inertia: number;
}

/** Steps of fixed point: 1/128 of a channel, or 1/32 of 1/1023 in Oklab. */
export const STEPS = { rgb: 128, oklab: 32 * 1023 };

/** A colour in fixed point. */
function pointOf(red: number, green: number, blue: number, space: "rgb" | "oklab", grey: boolean): Point {
  if (space === "rgb") return grey ? [red * 128, 0, 0] : [red * 128, green * 128, blue * 128];
  const light = (v: number): number => (v <= 0.04045 * 255 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
  const [r, g, b] = (grey ? [red, red, red] : [red, green, blue]).map(light) as [number, number, number];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const lab = [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s + 0.5,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s + 0.5,
  ];
  return lab.map((v) => Math.round(v * 1023) * 32) as unknown as Point;
}

const costOf = (a: Point, b: Point, squared: boolean): number =>
  a.reduce((sum, value, i) => {
    const d = Math.abs(value - b[i]);
    return sum + (squared ? d * d : d);
  }, 0);

/** The bits of red, green and blue, one of each in turn. */
function interleaved(red: number, green: number, blue: number): number {
  let key = 0;
  for (let bit = 7; bit >= 0; bit--) {
    for (const value of [red, green, blue]) key = key * 2 + ((value >> bit) & 1);
  }
  return key;
}

/** What was clustered before: the same pictures are asked for on every device. */
const known = new WeakMap<object, Map<string, Clustered>>();

/** Lloyd's algorithm from given colours. */
export function lloyd(picture: Picture, start: readonly (readonly number[])[], rule: Rule = {}): Clustered {
  const answers = known.get(picture) ?? new Map<string, Clustered>();
  known.set(picture, answers);
  const key = JSON.stringify([start, rule]);
  const answer = answers.get(key) ?? iterate(picture, start, rule);
  answers.set(key, answer);
  return answer;
}

function iterate(picture: Picture, start: readonly (readonly number[])[], rule: Rule): Clustered {
  const { metric = "l2", colourSpace = "rgb", maxIterations = 100, ignoreTransparent = false } = rule;
  const { data, channels } = picture;
  const squared = metric === "l2";
  const total = picture.width * picture.height;
  const colour = (p: number): [number, number, number] => {
    const at = p * channels;
    return channels === 1 ? [data[at], 0, 0] : [data[at], data[at + 1], data[at + 2]];
  };
  const pixels = Array.from({ length: total }, (_, p) => p).filter(
    (p) => !(ignoreTransparent && channels === 4 && data[p * 4 + 3] === 0),
  );
  const points = pixels.map((p) => pointOf(...colour(p), colourSpace, channels === 1));
  let centres = start.map(([r = 0, g = r, b = r]): Point => {
    if (colourSpace === "oklab") return pointOf(Math.round(r), Math.round(g), Math.round(b), colourSpace, false);
    return channels === 1
      ? [Math.round(r * 128), 0, 0]
      : [Math.round(r * 128), Math.round(g * 128), Math.round(b * 128)];
  });
  const assign = (): number[] =>
    points.map((point) => {
      let best = 0;
      for (let j = 1; j < centres.length; j++) {
        if (costOf(point, centres[j], squared) < costOf(point, centres[best], squared)) best = j;
      }
      return best;
    });
  let iterations = 0;
  let converged = false;
  while (iterations < maxIterations && !converged) {
    const classes = assign();
    const members = centres.map((): Point[] => []);
    classes.forEach((j, i) => {
      members[j].push(points[i]);
    });
    const moved = centres.map((centre, j): Point => {
      const own = members[j];
      if (own.length === 0) return centre;
      return [0, 1, 2].map((axis) => {
        const values = own.map((point) => point[axis]);
        if (metric === "l1") return values.sort((a, b) => a - b)[(own.length - 1) >> 1];
        return Math.floor(values.reduce((a, b) => a + b, 0) / own.length + 0.5);
      }) as unknown as Point;
    });
    // The different colours that are not on their centres, the furthest first.
    const far = new Map<number, { cost: number; point: Point }>();
    if (members.some((own) => own.length === 0)) {
      points.forEach((point, i) => {
        const cost = costOf(point, centres[classes[i]], squared);
        if (cost > 0) far.set(interleaved(...colour(pixels[i])), { cost, point });
      });
    }
    const queue = [...far].sort(([a, { cost: c }], [b, { cost: d }]) => d - c || a - b);
    let refilled = false;
    members.forEach((own, j) => {
      const next = own.length === 0 ? queue.shift() : undefined;
      if (!next) return;
      moved[j] = next[1].point;
      refilled = true;
    });
    converged = !refilled && moved.every((centre, j) => costOf(centre, centres[j], squared) === 0);
    centres = moved;
    iterations++;
  }
  const classes = assign();
  const counts = centres.map((_, j) => classes.filter((found) => found === j).length);
  const order = counts.map((_, j) => j).filter((j) => counts[j]);
  order.sort((a, b) => counts[b] - counts[a] || a - b);
  const out = new Uint8Array(total).fill(255);
  pixels.forEach((p, i) => {
    out[p] = order.indexOf(classes[i]);
  });
  return {
    k: order.length,
    data: out,
    counts: order.map((j) => counts[j]),
    centres: order.map((j) => centres[j]),
    iterations,
    converged,
    inertia: points.reduce((sum, point, i) => sum + costOf(point, centres[classes[i]], squared), 0),
  };
}

/** A picture with soft shades and grain: some colours often, most of them seldom. */
export function shades(width: number, height: number, channels: 1 | 3 | 4, seed: number, grain = 12): Picture {
  const next = random(seed);
  const data = new Uint8Array(width * height * channels);
  for (let p = 0, at = 0; p < width * height; p++) {
    const [u, v] = [(p % width) / width, Math.floor(p / width) / height];
    const base = [128 + 120 * Math.sin(5 * u + 2 * v), 255 * v * u, u + v > 1.2 ? 40 : 200 - 90 * Math.cos(9 * v)];
    for (let c = 0; c < channels; c++, at++) {
      const value = (base[c] ?? 0) + ((next() / 2 ** 32) * 2 - 1) * grain;
      data[at] = c === 3 ? (next() % 5) * 60 : Math.min(255, Math.max(0, Math.round(value)));
    }
  }
  return { data, width, height, channels };
}

/** Values at random, of so many levels each. */
export function speckles(width: number, height: number, channels: 1 | 3 | 4, seed: number, levels = 256): Picture {
  const next = random(seed);
  const step = Math.floor(255 / Math.max(1, levels - 1));
  return {
    data: Uint8Array.from({ length: width * height * channels }, () => (next() % levels) * step),
    width,
    height,
    channels,
  };
}

/** Colours at random. */
export function someColours(k: number, channels: 1 | 3 | 4, seed: number): number[][] {
  const next = random(seed);
  return Array.from({ length: k }, () => Array.from({ length: channels === 1 ? 1 : 3 }, () => next() % 256));
}

// A landscape like a photograph, rendered at any size with the grain of a sensor, so that 10 megapixels have more than
// 500 000 colours: the input of benches of k-means.

import type { Raster } from "skerry";
import { random } from "./random.js";

type Noise = (x: number, y: number) => number;
type Colour = readonly number[];

/** Smooth noise of -1 to 1: random heights on a lattice, with cubic interpolation between them. */
function valueNoise(seed: number): Noise {
  const next = random(seed);
  const heights = Float32Array.from({ length: 4096 }, () => next() / 2 ** 31 - 1);
  const height: Noise = (x, y) => heights[(x * 57 + y * 1301) & 4095];
  return (x, y) => {
    const i = Math.floor(x);
    const j = Math.floor(y);
    const u = x - i;
    const v = y - j;
    const s = u * u * (3 - 2 * u);
    const t = v * v * (3 - 2 * v);
    const top = height(i, j) + (height(i + 1, j) - height(i, j)) * s;
    const under = height(i, j + 1) + (height(i + 1, j + 1) - height(i, j + 1)) * s;
    return top + (under - top) * t;
  };
}

/** Octaves of noise, each of twice the frequency and half the height of the one before. */
function octaves(noise: Noise, x: number, y: number, count: number): number {
  let sum = 0;
  for (let i = 0, scale = 1; i < count; i++, scale *= 2) sum += noise(x * scale + i * 17, y * scale + i * 31) / scale;
  return sum;
}

const mix = (a: Colour, b: Colour, t: number): Colour => a.map((value, i) => value + (b[i] - value) * t);
const clamp = (t: number): number => Math.min(1, Math.max(0, t));

/** Hills, from the furthest to the nearest: where their ridge lies, how rough it is, colours in light and in shade. */
const HILLS = [
  { y: 0.44, rise: 0.1, waves: 3, light: [150, 160, 185], shade: [110, 122, 155] },
  { y: 0.54, rise: 0.09, waves: 4, light: [112, 132, 132], shade: [62, 82, 98] },
  { y: 0.64, rise: 0.07, waves: 5, light: [96, 118, 64], shade: [38, 60, 42] },
  { y: 0.8, rise: 0.06, waves: 2, light: [146, 142, 58], shade: [58, 78, 26] },
];

/**
 * The landscape as an RGB raster.
 * @example
 * import { landscape } from "@skerry/scenes";
 * const photo = landscape(64, 48);
 * const classes = await engine.kmeans(photo, { k: 4 });
 */
export function landscape(width: number, height: number, seed = 1): Raster & { data: Uint8Array } {
  const noise = valueNoise(seed);
  const grain = random(seed + 1);
  const data = new Uint8ClampedArray(width * height * 3);
  const ridges = HILLS.map(({ y, rise, waves }, i) =>
    Float32Array.from({ length: width }, (_, x) => y + rise * octaves(noise, (x / width) * waves + i * 50, i * 9, 7)),
  );
  for (let y = 0, at = 0; y < height; y++) {
    const v = y / height;
    for (let x = 0; x < width; x++) {
      const u = x / width;
      const hill = ridges.findLastIndex((ridge) => v >= ridge[x]);
      const colour = hill < 0 ? sky(noise, u, v) : ground(noise, hill, u, v, v - ridges[hill][x]);
      for (const value of colour) {
        // The sum of three uniform numbers is nearly normal. Brighter pixels have more noise.
        const sum = (grain() + grain() + grain()) / 2 ** 32 - 1.5;
        data[at++] = value + sum * (4 + value * 0.06);
      }
    }
  }
  return { data: new Uint8Array(data.buffer), width, height, channels: 3 };
}

/** Blue above, warm towards the horizon, with the sun and clouds. */
function sky(noise: Noise, u: number, v: number): Colour {
  const base = mix([64, 112, 190], [244, 204, 160], clamp(v / 0.5) ** 1.4);
  const sun = Math.hypot((u - 0.74) * 1.33, v - 0.3);
  const lit = mix(base, [255, 244, 214], clamp(clamp(1.2 - sun * 18) + 0.45 * Math.exp(-sun * 7)));
  const cloud = clamp(octaves(noise, u * 4, v * 11, 6) * 1.5 - 0.1);
  return mix(lit, mix([252, 238, 224], [176, 158, 176], clamp(cloud * 0.8)), cloud * 0.75);
}

/** A hill in light and shade, with flowers on the nearest. */
function ground(noise: Noise, hill: number, u: number, v: number, deep: number): Colour {
  const { light, shade } = HILLS[hill];
  const scale = 6 * (hill + 1);
  const slope = octaves(noise, u * scale, v * scale * 2, 7);
  const colour = mix(shade, light, clamp(0.5 + 0.5 * slope + 0.25 * (1 - deep * 8)));
  if (hill < 3) return mix(colour, [232, 200, 170], 0.24 - hill * 0.09);
  const flower = noise(u * 420, v * 420 * 0.75);
  const kind = noise(u * 9, v * 7);
  if (flower < 0.4 + 0.25 * Math.abs(kind)) return colour;
  const petals =
    kind > 0.1
      ? [
          [206, 24, 44],
          [250, 120, 96],
        ]
      : kind > -0.3
        ? [
            [236, 190, 20],
            [255, 246, 150],
          ]
        : [
            [116, 60, 190],
            [226, 150, 240],
          ];
  return mix(colour, mix(petals[0], petals[1], clamp(0.5 + noise(u * 900, v * 900))), clamp(flower * 2.4 - 0.8));
}

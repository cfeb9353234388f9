// Distances by brute force: every pixel against every site. Shares no code and no idea (no axis by axis, no envelope)
// with the library.

import type { DistanceMetric } from "skerry";
import { random } from "../../../scenes/src/random.js";

export interface Grid {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly depth: number;
}

export interface Distances {
  /** Infinity where there is no site. */
  readonly distance: Float64Array;
  /** The first of the nearest sites, or 0xffffffff. */
  readonly nearest: Uint32Array;
}

export function bruteForce(
  { data, width, height }: Grid,
  metric: DistanceMetric = "euclidean",
  spacing: readonly number[] = [1, 1, 1],
): Distances {
  const [a, b, c] = spacing as [number, number, number];
  const sites = [...data.keys()].filter((at) => data[at]);
  const distance = new Float64Array(data.length).fill(Number.POSITIVE_INFINITY);
  const nearest = new Uint32Array(data.length).fill(0xffffffff);
  const place = (at: number): [number, number, number] => {
    return [at % width, Math.floor(at / width) % height, Math.floor(at / width / height)];
  };
  const places = sites.map(place);
  for (let at = 0; at < data.length; at++) {
    const [x, y, z] = place(at);
    for (const [index, [sx, sy, sz]] of places.entries()) {
      const steps = [Math.abs(x - sx) * a, Math.abs(y - sy) * b, Math.abs(z - sz) * c] as const;
      const [i, j, k] = steps;
      // Squared while they are compared: whole numbers are exact.
      const far =
        metric === "euclidean" ? i * i + j * j + k * k : metric === "cityblock" ? i + j + k : Math.max(i, j, k);
      if (far < distance[at]) {
        distance[at] = far;
        nearest[at] = sites[index];
      }
    }
    if (metric === "euclidean") distance[at] = Math.sqrt(distance[at]);
  }
  return { distance, nearest };
}

/** The pixels that have a 0 beside them along an axis, not beyond the border. */
export function surfaceOf({ data, width, height, depth }: Grid): Grid {
  const inside = (x: number, y: number, z: number): boolean => {
    const there = x >= 0 && y >= 0 && z >= 0 && x < width && y < height && z < depth;
    return !there || data[(z * height + y) * width + x] === 1;
  };
  const surface = data.map((value, at) => {
    const [x, y, z] = [at % width, Math.floor(at / width) % height, Math.floor(at / width / height)];
    const all =
      inside(x - 1, y, z) &&
      inside(x + 1, y, z) &&
      inside(x, y - 1, z) &&
      inside(x, y + 1, z) &&
      inside(x, y, z - 1) &&
      inside(x, y, z + 1);
    return value && !all ? 1 : 0;
  });
  return { data: surface, width, height, depth };
}

/** Random sites of a density. */
export function scattered(width: number, height: number, depth: number, density: number, seed = 1): Grid {
  const next = random(seed);
  const data = Uint8Array.from({ length: width * height * depth }, () => (next() < density * 2 ** 32 ? 1 : 0));
  return { data, width, height, depth };
}

const one = (width: number, height: number, depth: number, set: (x: number, y: number, z: number) => boolean): Grid => {
  const data = new Uint8Array(width * height * depth);
  for (let at = 0; at < data.length; at++) {
    data[at] = Number(set(at % width, Math.floor(at / width) % height, Math.floor(at / width / height)));
  }
  return { data, width, height, depth };
};

/** Shapes that break distance maps: nothing, everything, corners, lines, sheets, single rows, odd sizes. */
export const GRIDS: readonly (readonly [string, Grid])[] = [
  ["nothing", one(9, 7, 1, () => false)],
  ["nothing in a volume", one(5, 6, 7, () => false)],
  ["everything", one(33, 9, 1, () => true)],
  ["one pixel", one(1, 1, 1, () => true)],
  ["a corner", one(65, 31, 1, (x, y) => x === 64 && y === 30)],
  ["a corner of a volume", one(17, 18, 19, (x, y, z) => x + y + z === 0)],
  ["one row", one(131, 1, 1, (x) => x === 63)],
  ["one column", one(1, 77, 1, (_, y) => y % 40 === 39)],
  ["a line", one(40, 50, 1, (x, y) => x === y)],
  ["two corners", one(64, 63, 1, (x, y) => (x === 0 && y === 0) || (x === 63 && y === 62))],
  ["a sheet", one(20, 9, 21, (_x, _y, z) => z === 10)],
  ["ties", one(33, 33, 1, (x, y) => x % 8 === 0 && y % 8 === 0)],
  ["ties in a volume", one(17, 9, 17, (x, y, z) => x % 8 === 0 && y % 8 === 0 && z % 8 === 0)],
  ["a checkerboard", one(35, 12, 1, (x, y) => (x + y) % 2 === 0)],
  ["sparse", scattered(70, 61, 1, 0.004, 3)],
  ["sparse in a volume", scattered(34, 19, 23, 0.002, 4)],
  ["dense in a volume", scattered(31, 8, 9, 0.3, 5)],
  ["tall", scattered(5, 1300, 1, 0.002, 12)],
  ["deep", scattered(3, 4, 290, 0.003, 13)],
  ["deep, two corners", one(2, 3, 400, (x, y, z) => x + y + (z % 399) === 0)],
  ["one site per side", scattered(129, 40, 1, 0.0004, 11)],
];

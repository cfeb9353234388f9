// A head as a union of ellipsoids with wrinkles, rendered at any size, row by row: the input of benches of distance maps.

import type { Mask } from "skerry";

interface Size {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
}

/** Ellipsoids of the head: centre and radii as fractions of the sides; a nose, ears and a neck among them. */
const PARTS = [
  { centre: [0.5, 0.46, 0.62], radii: [0.33, 0.4, 0.33] },
  { centre: [0.5, 0.4, 0.4], radii: [0.24, 0.33, 0.3] },
  { centre: [0.5, 0.055, 0.47], radii: [0.045, 0.05, 0.07] },
  { centre: [0.16, 0.52, 0.5], radii: [0.035, 0.06, 0.08] },
  { centre: [0.84, 0.52, 0.5], radii: [0.035, 0.06, 0.08] },
  { centre: [0.5, 0.56, 0.1], radii: [0.19, 0.22, 0.35] },
];

/** The pixels of row y of slice z inside the head, as intervals [begin, end), which may overlap. */
function* stretches({ width, height, depth }: Size, y: number, z: number): Generator<[number, number]> {
  const v = y / height;
  const w = z / depth;
  // Wrinkles: the parts swell and shrink by up to two percent along y and z.
  const swell = 1 + 0.012 * Math.sin(v * 61 + 3 * Math.sin(w * 17)) + 0.008 * Math.sin(w * 83);
  for (const { centre, radii } of PARTS) {
    const b = (v - centre[1]) / (radii[1] * swell);
    const c = (w - centre[2]) / (radii[2] * swell);
    const rest = 1 - b * b - c * c;
    if (rest <= 0) continue;
    const half = Math.sqrt(rest) * radii[0] * swell;
    const begin = Math.max(0, Math.ceil((centre[0] - half) * width));
    const end = Math.min(width, Math.floor((centre[0] + half) * width) + 1);
    if (begin < end) yield [begin, end];
  }
}

/** Calls `set(begin, end)` for each interval of a row of the head; intervals may overlap. */
function headRow(size: Size, y: number, z: number, set: (begin: number, end: number) => void): void {
  for (const [begin, end] of stretches(size, y, z)) set(begin, end);
}

/**
 * The head as a Mask. Equal sizes give equal bits.
 * @example
 * import { headMask } from "@skerry/scenes";
 * const head = headMask({ width: 64, height: 64, depth: 32 });
 * const map = await engine.distance(head);
 */
export function headMask(size: Size): Mask {
  const { width, height, depth } = size;
  const words = Math.ceil(width / 32);
  const bits = new Uint32Array(words * height * depth);
  for (let z = 0; z < depth; z++) {
    for (let y = 0; y < height; y++) {
      const row = (z * height + y) * words;
      headRow(size, y, z, (begin, end) => {
        for (let i = begin >> 5; i <= (end - 1) >> 5; i++) {
          const low = Math.max(begin - i * 32, 0);
          const high = Math.min(end - i * 32, 32);
          const upTo = high === 32 ? 0xffffffff : (1 << high) - 1;
          bits[row + i] |= upTo & (0xffffffff << low);
        }
      });
    }
  }
  return { bits, width, height, depth };
}

// What distance maps are measured on: a head, rendered at any size as a union of ellipsoids with wrinkles, row by row; and
// sites scattered at random. All as masks: 32-bit words of bits.

import { random } from "../../../scripts/random.mjs";

/** Ellipsoids of the head: centre and radii as fractions of the sides; a nose, ears and a neck among them. */
const PARTS = [
  { centre: [0.5, 0.46, 0.62], radii: [0.33, 0.4, 0.33] },
  { centre: [0.5, 0.4, 0.4], radii: [0.24, 0.33, 0.3] },
  { centre: [0.5, 0.055, 0.47], radii: [0.045, 0.05, 0.07] },
  { centre: [0.16, 0.52, 0.5], radii: [0.035, 0.06, 0.08] },
  { centre: [0.84, 0.52, 0.5], radii: [0.035, 0.06, 0.08] },
  { centre: [0.5, 0.56, 0.1], radii: [0.19, 0.22, 0.35] },
];

/** The pixels of row y of slice z that lie inside, as stretches [begin, end). */
function* stretches({ width, height, depth }, y, z) {
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

/** Calls `set(begin, end)` for each stretch of a row of the head; stretches may overlap. */
export function headRow(size, y, z, set) {
  for (const [begin, end] of stretches(size, y, z)) set(begin, end);
}

/** The head as a Mask. */
export function headMask(size) {
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

/** Sites at random, of a density. */
export function siteMask({ width, height, depth = 1 }, density, seed = 1) {
  const next = random(seed);
  const words = Math.ceil(width / 32);
  const bits = new Uint32Array(words * height * depth);
  const count = Math.round(width * height * depth * density);
  for (let i = 0; i < count; i++) {
    const x = Math.floor((next() / 2 ** 32) * width);
    const row = Math.floor((next() / 2 ** 32) * height * depth);
    bits[row * words + (x >> 5)] |= 1 << (x & 31);
  }
  return { bits, width, height, depth };
}

/** A mask as one byte per pixel, for peers. */
export function bytesOf({ bits, width, height, depth }) {
  const words = Math.ceil(width / 32);
  const bytes = new Uint8Array(width * height * depth);
  for (let row = 0; row < height * depth; row++) {
    for (let x = 0; x < width; x++) bytes[row * width + x] = (bits[row * words + (x >> 5)] >>> (x & 31)) & 1;
  }
  return bytes;
}

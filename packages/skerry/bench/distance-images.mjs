// Inputs of the bench of distance maps: a head, rendered at any size as a union of ellipsoids with wrinkles, row by row; and
// sites scattered at random. All are masks: 32-bit words of bits.

import { random } from "@skerry/scenes";

export { headMask } from "@skerry/scenes";

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

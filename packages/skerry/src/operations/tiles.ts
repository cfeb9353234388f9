// Parts of a picture that k-means may begin with: about as many rows as columns of tiles, of nearly equal sizes.

import type { Bits, Size } from "../core/pixels.js";

/**
 * The number of each pixel's tile, from 1 on; 0 outside a mask. Slices of a volume have the same tiles.
 *
 * Seven tiles of 4 x 2 pixels lie in two rows, of three and of four:
 *
 *     1 1 2 3
 *     4 5 6 7
 */
export function tilesOf({ width, height, depth }: Size, k: number, within: Bits | undefined): Uint32Array {
  const rows = Math.min(k, height, Math.max(1, Math.round(Math.sqrt((k * height) / width))));
  const tiles = new Uint32Array(width * height * depth);
  const words = Math.ceil(width / 32);
  const line = new Uint32Array(width);
  for (let y = 0; y < height; y++) {
    const row = Math.floor((y * rows) / height);
    const from = Math.floor((row * k) / rows);
    const columns = Math.floor(((row + 1) * k) / rows) - from;
    for (let x = 0; x < width; x++) line[x] = from + Math.floor((x * columns) / width) + 1;
    for (let z = 0; z < depth; z++) {
      const at = (z * height + y) * width;
      tiles.set(line, at);
      if (!within) continue;
      const word = (z * height + y) * words;
      for (let x = 0; x < width; x++) if (!((within.bits[word + (x >>> 5)] >>> (x & 31)) & 1)) tiles[at + x] = 0;
    }
  }
  return tiles;
}

// Rendered pictures that several benches of the page open.

import { random } from "@skerry/scenes";
import sharp from "sharp";

/** Smooth bumps, as cells under a microscope are. */
export function smooth(width, height) {
  const next = random(5);
  const cell = 64;
  const [columns, rows] = [Math.ceil(width / cell) + 2, Math.ceil(height / cell) + 2];
  const heights = Float32Array.from({ length: columns * rows }, () => (next() >>> 24) & 255);
  const data = Buffer.alloc(width * height);
  const ease = Float32Array.from({ length: cell }, (_, i) => (i / cell) ** 2 * (3 - (2 * i) / cell));
  for (let y = 0; y < height; y++) {
    const [j, v] = [Math.floor(y / cell), ease[y % cell]];
    for (let x = 0; x < width; x++) {
      const i = Math.floor(x / cell) + j * columns;
      const u = ease[x % cell];
      const top = heights[i] + (heights[i + 1] - heights[i]) * u;
      const under = heights[i + columns] + (heights[i + columns + 1] - heights[i + columns]) * u;
      data[y * width + x] = top + (under - top) * v;
    }
  }
  return data;
}

/** Noise: millions of tiny objects. */
export function noise(width, height) {
  const next = random(9);
  return Buffer.from(Uint8Array.from({ length: width * height }, () => next() >>> 24));
}

/** A file of grey values. */
export const png = (data, width, height) =>
  sharp(data, { raw: { width, height, channels: 1 }, limitInputPixels: false })
    .toColourspace("b-w")
    .png({ compressionLevel: 1 })
    .toBuffer();

/** Specks at random: some 276 000 objects. */
export function specks() {
  const [width, height] = [3000, 3000];
  const next = random(3);
  const data = Buffer.alloc(width * height, 10);
  for (let y = 1; y < height - 3; y += 5) {
    for (let x = 1; x < width - 3; x += 5) {
      if (next() >>> 24 < 58) continue;
      const size = 1 + ((next() >>> 8) % 3);
      for (let dy = 0; dy < size; dy++)
        data.fill(120 + ((next() >>> 8) % 120), (y + dy) * width + x, (y + dy) * width + x + size);
    }
  }
  return png(data, width, height);
}

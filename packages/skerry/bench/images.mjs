// The seven images of the bench, u8 with objects of 255, from seeds. Written once to a folder outside the
// repository, as raw bytes that every peer reads.

import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { random } from "../../../scripts/random.mjs";

export function noise(size, density, block = 1) {
  const next = random(7);
  const data = new Uint8Array(size * size);
  const limit = density * 2 ** 32;
  for (let y = 0; y < size; y += block) {
    for (let x = 0; x < size; x += block) if (next() < limit) data.fill(255, y * size + x, y * size + x + block);
    for (let copy = 1; copy < block; copy++) data.copyWithin((y + copy) * size, y * size, (y + 1) * size);
  }
  return data;
}

/** A random field smoothed by a cubic B-spline of `cell` pixels, cut so that `density` of it is above. */
function blobs(size, density, cell = 16) {
  const next = random(9);
  const side = Math.ceil(size / cell) + 4;
  const lattice = Float32Array.from({ length: side * side }, () => (next() + next() + next()) / 2 ** 32);
  const weights = Array.from({ length: cell }, (_, i) => {
    const t = i / cell;
    return [(1 - t) ** 3, 3 * t ** 3 - 6 * t * t + 4, -3 * t ** 3 + 3 * t * t + 3 * t + 1, t ** 3].map((w) => w / 6);
  });
  const field = new Float32Array(size * size);
  const row = new Float32Array(side);
  for (let y = 0; y < size; y++) {
    const [a, b, c, d] = weights[y % cell];
    const at = Math.floor(y / cell) * side;
    for (let i = 0; i < side; i++) {
      row[i] =
        a * lattice[at + i] +
        b * lattice[at + side + i] +
        c * lattice[at + 2 * side + i] +
        d * lattice[at + 3 * side + i];
    }
    for (let x = 0; x < size; x++) {
      const w = weights[x % cell];
      const i = Math.floor(x / cell);
      field[y * size + x] = w[0] * row[i] + w[1] * row[i + 1] + w[2] * row[i + 2] + w[3] * row[i + 3];
    }
  }
  const sample = Float32Array.from(
    { length: Math.min(1 << 20, field.length) },
    () => field[next() % field.length],
  ).sort();
  const level = sample[Math.floor((1 - density) * sample.length)];
  const data = new Uint8Array(size * size);
  for (let i = 0; i < data.length; i++) data[i] = field[i] > level ? 255 : 0;
  return data;
}

/** One pixel wide, one apart. */
export function spiral(size) {
  const data = new Uint8Array(size * size);
  const across = (y, x0, x1) => data.fill(255, y * size + x0, y * size + x1 + 1);
  const down = (x, y0, y1) => {
    for (let y = y0; y <= y1; y++) data[y * size + x] = 255;
  };
  let [left, top, right, bottom] = [0, 0, size - 1, size - 1];
  across(top, left, right);
  while (left + 2 <= right && top + 2 <= bottom) {
    down(right, top, bottom);
    across(bottom, left, right);
    down(left, top + 2, bottom);
    across(top + 2, left, right - 2);
    left += 2;
    top += 2;
    right -= 2;
    bottom -= 2;
  }
  return data;
}

export const IMAGES = {
  "all foreground": (size) => new Uint8Array(size * size).fill(255),
  "sparse smooth blobs (2 %)": (size) => blobs(size, 0.02),
  "smooth blobs (50 %)": (size) => blobs(size, 0.5),
  "noise, 8 x 8 blocks": (size) => noise(size, 0.5, 8),
  "noise, density 0.9": (size) => noise(size, 0.9),
  "noise, density 0.5": (size) => noise(size, 0.5),
  "spiral, 1 pixel wide": spiral,
};

/** Smooth blobs of a few densities, for the bench of read-backs. */
export const SPARSE = {
  1: (size) => blobs(size, 0.01),
  2: (size) => blobs(size, 0.02),
  4: (size) => blobs(size, 0.04),
  100: (size) => new Uint8Array(size * size).fill(255),
};

/** The path of an image's raw bytes, rendered when it is not there yet. */
export function imageFile(name, size) {
  const folder = join(tmpdir(), "skerry-bench");
  const path = join(folder, `${name.replace(/[^a-z0-9.]+/gi, "-")}-${size}.raw`);
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${path}.part`, IMAGES[name](size));
    renameSync(`${path}.part`, path);
  }
  return path;
}

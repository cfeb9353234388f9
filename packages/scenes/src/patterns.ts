// Square u8 patterns for benches and the tour, rendered from seeds: noise, smooth blobs, a spiral and a maze one pixel wide, with
// 0 and 255; and grey defects.

import { random } from "./random.js";

/**
 * Pixels, or squares with sides of `block` pixels, that are set at random with probability `density`.
 * @example
 * import { noise } from "@skerry/scenes";
 * const data = noise(64, 0.5);
 * const objects = await engine.components({ data, width: 64, height: 64 });
 */
export function noise(size: number, density: number, block = 1): Uint8Array {
  const next = random(7);
  const data = new Uint8Array(size * size);
  const limit = density * 2 ** 32;
  for (let y = 0; y < size; y += block) {
    for (let x = 0; x < size; x += block) if (next() < limit) data.fill(255, y * size + x, y * size + x + block);
    for (let copy = 1; copy < block; copy++) data.copyWithin((y + copy) * size, y * size, (y + 1) * size);
  }
  return data;
}

/** A random field smoothed by a cubic B-spline of `cell` pixels. */
function smoothField(size: number, cell: number, next: () => number): Float32Array {
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
  return field;
}

/** The value that a fraction `density` of a field exceeds, estimated from a sample. */
function levelOf(field: Float32Array, density: number, next: () => number): number {
  const sample = Float32Array.from({ length: Math.min(1 << 20, field.length) }, () => field[next() % field.length]);
  return sample.sort()[Math.floor((1 - density) * sample.length)];
}

/**
 * Smooth blobs that cover `density` of the image.
 * @example
 * import { blobs } from "@skerry/scenes";
 * const data = blobs(64, 0.3);
 * const objects = await engine.components({ data, width: 64, height: 64 });
 */
export function blobs(size: number, density: number, cell = 16): Uint8Array {
  const next = random(9);
  const values = smoothField(size, cell, next);
  const level = levelOf(values, density, next);
  const data = new Uint8Array(values.length);
  for (let i = 0; i < data.length; i++) data[i] = values[i] > level ? 255 : 0;
  return data;
}

/**
 * Smooth grey values; a fraction `density` of the pixels are bright defects, from 191 on, and as many are dark ones, up to 69.
 * @example
 * import { defects } from "@skerry/scenes";
 * const data = new Uint8Array(defects(64, 0.05));
 * const both = await engine.components({ data, width: 64, height: 64 }, { threshold: { outside: [70, 190] } });
 */
export function defects(size: number, density: number, cell = 16): Uint8ClampedArray {
  const next = random(9);
  const values = smoothField(size, cell, next);
  const [low, high] = [levelOf(values, 1 - density, next), levelOf(values, density, next)];
  const data = new Uint8ClampedArray(values.length);
  for (let i = 0; i < data.length; i++) data[i] = 130 + ((2 * values[i] - low - high) / (high - low)) * 60.5;
  return data;
}

/**
 * A spiral one pixel wide, with gaps of one pixel.
 * @example
 * import { spiral } from "@skerry/scenes";
 * const data = spiral(65);
 * const { count } = await engine.components({ data, width: 65, height: 65 });
 * console.log(count); // 1
 */
export function spiral(size: number): Uint8Array {
  const data = new Uint8Array(size * size);
  const across = (y: number, x0: number, x1: number) => data.fill(255, y * size + x0, y * size + x1 + 1);
  const down = (x: number, y0: number, y1: number) => {
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

/**
 * A perfect maze by depth-first search: corridors one pixel wide and one apart, exactly one path between any two places.
 * @example
 * import { maze } from "@skerry/scenes";
 * const data = maze(64);
 * const { count } = await engine.components({ data, width: 64, height: 64 });
 * console.log(count); // 1
 */
export function maze(size: number): Uint8Array {
  const next = random(11);
  const cells = size >> 1;
  const data = new Uint8Array(size * size);
  const stack = new Uint32Array(cells * cells);
  const seen = new Uint8Array(cells * cells);
  let depth = 1;
  seen[0] = 1;
  data[0] = 255;
  while (depth > 0) {
    const cell = stack[depth - 1];
    const [x, y] = [cell % cells, Math.floor(cell / cells)];
    const ways = [];
    if (x > 0 && !seen[cell - 1]) ways.push([-1, 0]);
    if (x + 1 < cells && !seen[cell + 1]) ways.push([1, 0]);
    if (y > 0 && !seen[cell - cells]) ways.push([0, -1]);
    if (y + 1 < cells && !seen[cell + cells]) ways.push([0, 1]);
    if (ways.length === 0) {
      depth--;
      continue;
    }
    const [dx, dy] = ways[next() % ways.length];
    const to = cell + dx + dy * cells;
    seen[to] = 1;
    data[(2 * y + dy) * size + 2 * x + dx] = 255;
    data[2 * (y + dy) * size + 2 * (x + dx)] = 255;
    stack[depth++] = to;
  }
  return data;
}

// The images of the flood fill's bench, RGB, from seeds: what is to be filled has one colour, the rest another, with
// a little noise in both that the tolerance takes.

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { random } from "../../../scripts/random.mjs";
import { noise, spiral } from "./images.mjs";

/** A perfect maze by depth-first search: corridors one pixel wide, one apart, every place reached by one way. */
function maze(size) {
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

export const FILL_IMAGES = {
  uniform: (size) => new Uint8Array(size * size).fill(255),
  spiral,
  maze,
  "percolation, noise 0.59": (size) => noise(size, 0.59),
  "percolation, noise 0.9": (size) => noise(size, 0.9),
};

/** How far a channel may differ; the noise stays well below. */
export const TOLERANCE = 10;

/** The 4-connected component that begins first among those with a pixel in every tenth of the rows: any pixel of it. */
function seedOf(data, size) {
  const seen = new Uint8Array(size * size);
  const stack = [];
  for (let start = 0; start < data.length; start++) {
    if (data[start] === 0 || seen[start]) continue;
    let [area, lowest] = [0, 0];
    stack.push(start);
    seen[start] = 1;
    while (stack.length > 0) {
      const at = stack.pop();
      area++;
      lowest = Math.max(lowest, at);
      const x = at % size;
      for (const to of [x > 0 ? at - 1 : at, x + 1 < size ? at + 1 : at, at - size, at + size]) {
        if (data[to] && !seen[to]) {
          seen[to] = 1;
          stack.push(to);
        }
      }
    }
    if (area > size && lowest > 0.6 * data.length) return [start % size, Math.floor(start / size)];
  }
  throw new Error("no component spans the image");
}

/** The path of an image's raw RGB bytes, and a seed in its largest part; rendered when they are not there yet. */
export function fillImage(name, size) {
  const folder = join(tmpdir(), "skerry-bench");
  const path = join(folder, `fill-${name.replace(/[^a-z0-9.]+/gi, "-")}-${size}.rgb`);
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true });
    const data = FILL_IMAGES[name](size);
    const next = random(13);
    const rgb = new Uint8Array(size * size * 3);
    for (let i = 0; i < data.length; i++) {
      const chance = next();
      for (let c = 0; c < 3; c++)
        rgb[3 * i + c] = (data[i] ? [200, 180, 160] : [20, 30, 40])[c] + ((chance >> (8 * c)) & 3);
    }
    writeFileSync(`${path}.json`, JSON.stringify(seedOf(data, size)));
    writeFileSync(`${path}.part`, rgb);
    renameSync(`${path}.part`, path);
  }
  return { path, seed: JSON.parse(readFileSync(`${path}.json`, "utf8")) };
}

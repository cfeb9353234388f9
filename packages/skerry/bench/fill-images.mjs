// The RGB images of the bench of fills, rendered from seeds. The pixels to fill have one colour, the others another. Both
// have a little noise, which is below the tolerance.

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { maze, noise, random, spiral } from "@skerry/scenes";

export const FILL_IMAGES = {
  uniform: (size) => new Uint8Array(size * size).fill(255),
  spiral,
  maze,
  "percolation, noise 0.59": (size) => noise(size, 0.59),
  "percolation, noise 0.9": (size) => noise(size, 0.9),
};

/** How far a channel may differ; the noise stays well below. */
export const TOLERANCE = 10;

/** First pixel of the first 4-connected component with more than `size` pixels that reaches below 60 % of the rows. */
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

/** The path of an image's raw RGB bytes, and the seed of its fill. Renders the image if the file does not exist. */
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

// The volumes of the bench, u8 with objects of 255, from seeds; and smooth blobs of any size, slice by slice, for volumes
// that do not fit in memory.

import { closeSync, existsSync, mkdirSync, openSync, renameSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { random } from "@skerry/scenes";

const CELL = 16;

/** Cubic B-spline weights of each place in a cell. */
const WEIGHTS = Array.from({ length: CELL }, (_, i) => {
  const t = i / CELL;
  return [(1 - t) ** 3, 3 * t ** 3 - 6 * t * t + 4, -3 * t ** 3 + 3 * t * t + 3 * t + 1, t ** 3].map((w) => w / 6);
});

/**
 * A random field smoothed by a cubic B-spline of 16 voxels; what exceeds the level is foreground, about half of it at 0. Returns slice(z, into), which
 * writes one slice. Slices may be written in any order.
 */
export function blobField(width, height, depth, level = 0) {
  const [nx, ny, nz] = [width, height, depth].map((side) => Math.ceil(side / CELL) + 4);
  const next = random(9);
  const lattice = Float32Array.from({ length: nx * ny * nz }, () => (next() + next() + next()) / 2 ** 32 - 1.5);
  const plane = new Float32Array(nx * ny);
  const line = new Float32Array(nx);
  return (z, into) => {
    const [a, b, c, d] = WEIGHTS[z % CELL];
    const base = Math.floor(z / CELL) * nx * ny;
    for (let i = 0; i < plane.length; i++) {
      const at = base + i;
      plane[i] =
        a * lattice[at] + b * lattice[at + nx * ny] + c * lattice[at + 2 * nx * ny] + d * lattice[at + 3 * nx * ny];
    }
    for (let y = 0; y < height; y++) {
      const [e, f, g, h] = WEIGHTS[y % CELL];
      const at = Math.floor(y / CELL) * nx;
      for (let i = 0; i < nx; i++) {
        line[i] = e * plane[at + i] + f * plane[at + nx + i] + g * plane[at + 2 * nx + i] + h * plane[at + 3 * nx + i];
      }
      for (let x = 0; x < width; x++) {
        const w = WEIGHTS[x % CELL];
        const i = Math.floor(x / CELL);
        const value = w[0] * line[i] + w[1] * line[i + 1] + w[2] * line[i + 2] + w[3] * line[i + 3];
        into[y * width + x] = value > level ? 255 : 0;
      }
    }
  };
}

function noiseField(density) {
  const next = random(7);
  const limit = density * 2 ** 32;
  return (_, into) => {
    for (let i = 0; i < into.length; i++) into[i] = next() < limit ? 255 : 0;
  };
}

/** How each volume's slices are made, one after another. */
export const VOLUMES = {
  "smooth blobs (50 %)": (size) => blobField(size, size, size),
  "noise, density 0.3": () => noiseField(0.3),
};

/** The path of a volume's raw bytes, rendered when it is not there yet. */
export function volumeFile(name, size) {
  const folder = join(tmpdir(), "skerry-bench");
  const path = join(folder, `${name.replace(/[^a-z0-9.]+/gi, "-")}-${size}-${size}-${size}.raw`);
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true });
    const slice = VOLUMES[name](size);
    const file = openSync(`${path}.part`, "w");
    const bytes = new Uint8Array(size * size);
    for (let z = 0; z < size; z++) {
      slice(z, bytes);
      writeSync(file, bytes);
    }
    closeSync(file);
    renameSync(`${path}.part`, path);
  }
  return path;
}

// The seven images of the bench, u8 with objects of 255, from seeds. Written once to a folder outside the
// repository, as raw bytes that every peer reads.

import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { blobs, noise, spiral } from "@skerry/scenes";

export const IMAGES = {
  "all foreground": (size) => new Uint8Array(size * size).fill(255),
  "sparse smooth blobs (2 %)": (size) => blobs(size, 0.02),
  "smooth blobs (50 %)": (size) => blobs(size, 0.5),
  "noise, 8 x 8 blocks": (size) => noise(size, 0.5, 8),
  "noise, density 0.9": (size) => noise(size, 0.9),
  "noise, density 0.5": (size) => noise(size, 0.5),
  "spiral, 1 pixel wide": spiral,
};

/** Many separate objects, for the bench of outlines: about 100 000 of 8192 x 8192. */
export const MANY = {
  "ellipses on a grid": ellipses,
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
  return renderedFile(name, size, () => (IMAGES[name] ?? MANY[name])(size));
}

/** The path of raw bytes by a name and a size, made when they are not there yet. */
export function renderedFile(name, size, make) {
  const folder = join(tmpdir(), "skerry-bench");
  const path = join(folder, `${name.replace(/[^a-z0-9.]+/gi, "-")}-${size}.raw`);
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${path}.part`, make());
    renameSync(`${path}.part`, path);
  }
  return path;
}

/** Ellipses of radii of 7 to 12 pixels, one in each cell of 26 x 26. */
function ellipses(size) {
  const image = new Uint8Array(size * size);
  let state = 12345;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  for (let cy = 13; cy + 13 < size; cy += 26)
    for (let cx = 13; cx + 13 < size; cx += 26) {
      const [a, b] = [7 + next() * 5, 7 + next() * 5];
      for (let y = -12; y <= 12; y++)
        for (let x = -12; x <= 12; x++) {
          if ((x / a) ** 2 + (y / b) ** 2 <= 1) image[(cy + y) * size + cx + x] = 255;
        }
    }
  return image;
}

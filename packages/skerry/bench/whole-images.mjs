// The inputs of the whole table: seven patterns, in squares of three sides and a cube, as bits, as classes, and as colours. Rendered
// from seeds, and kept as raw bytes in the system's temporary folder for the peers.

import { readFileSync } from "node:fs";
import { landscape, noise, random, spiral } from "@skerry/scenes";
import { IMAGES, renderedFile } from "./images.mjs";
import { blobField } from "./volume-images.mjs";

/** The patterns, by the names of {@link IMAGES}; each makes a cube of 0 and 255. */
const CUBES = {
  "all foreground": (size) => new Uint8Array(size ** 3).fill(255),
  "sparse smooth blobs (2 %)": (size) => smooth(size, 1.24),
  "smooth blobs (50 %)": (size) => smooth(size, 0),
  "noise, 8 x 8 blocks": (size) => {
    const blocks = noiseOf((size >> 3) ** 3, 0.3);
    const side = size >> 3;
    return Uint8Array.from({ length: size ** 3 }, (_, i) => {
      const [x, y, z] = [i % size, Math.floor(i / size) % size, Math.floor(i / (size * size))];
      return blocks[((z >> 3) * side + (y >> 3)) * side + (x >> 3)];
    });
  },
  "noise, density 0.9": (size) => noiseOf(size ** 3, 0.9),
  // Of 26 neighbours, noise of density 0.5 is one object.
  "noise, density 0.5": (size) => noiseOf(size ** 3, 0.3),
  "spiral, 1 pixel wide": spirals,
};

export const PATTERNS = Object.keys(IMAGES);
export const SIZES = { 512: [512, 512, 1], 2048: [2048, 2048, 1], 8192: [8192, 8192, 1], "512^3": [512, 512, 512] };
/** Slices of a stack of images of 512 x 512. */
const SLICES = 64;

function noiseOf(length, density) {
  const next = random(7);
  const limit = density * 2 ** 32;
  return Uint8Array.from({ length }, () => (next() < limit ? 255 : 0));
}

/** A smooth field above a level: 0 for half of it; the field's deviation is some 0.23. */
function smooth(size, deviations) {
  const slice = blobField(size, size, size, deviations * 0.23);
  const data = new Uint8Array(size ** 3);
  for (let z = 0; z < size; z++) slice(z, data.subarray(z * size * size, (z + 1) * size * size));
  return data;
}

/** A spiral in every other slice; between them a voxel that joins their outer ends, or their inner ones. */
function spirals(size) {
  const plane = spiral(size);
  const data = new Uint8Array(size ** 3);
  const first = plane.indexOf(255);
  for (let z = 0; z < size; z += 2) data.set(plane, z * size * size);
  for (let z = 1; z < size; z += 2) data[z * size * size + first] = 255;
  return data;
}

/** Eight classes: four of tiles of 32 x 32, in the pattern and outside. */
function classesOf(bits, [width, height]) {
  const tiles = noise(256, 0.5);
  return bits.map((value, i) => {
    const [x, y] = [(i % width) >> 5, (Math.floor(i / width) % height) >> 5];
    return 1 + (tiles[(y % 256) * 256 + (x % 256)] & 1) + ((x ^ y) & 1) * 2 + (value & 4);
  });
}

/** Colours of a landscape, inverted outside the pattern. */
function coloursOf(bits, [width, height]) {
  const { data: scene } = landscape(2048, 2048);
  const data = new Uint8Array(bits.length * 3);
  for (let i = 0; i < bits.length; i++) {
    const from = (((Math.floor(i / width) % height) % 2048) * 2048 + ((i % width) % 2048)) * 3;
    const flip = bits[i] ^ 255;
    for (let c = 0; c < 3; c++) data[i * 3 + c] = scene[from + c] ^ flip;
  }
  return data;
}

/** How inputs are made of bits. */
const KINDS = { classes: classesOf, colours: coloursOf };

/** A stack of one image, over and over. */
export function stackOf(pattern) {
  const { data } = wholeImage("bits", pattern, "512").raster;
  const all = new Uint8Array(data.length * SLICES);
  for (let z = 0; z < SLICES; z++) all.set(data, z * data.length);
  return { path: "", raster: { data: all, width: 512, height: 512, depth: SLICES } };
}

/** The path and the raster of an input, which is rendered when it is not there yet. */
export function wholeImage(kind, pattern, size) {
  const [width, height, depth] = SIZES[size];
  const path = renderedFile(`whole-${kind}-${pattern}`, size, () =>
    kind === "bits"
      ? (depth > 1 ? CUBES : IMAGES)[pattern](width)
      : KINDS[kind](wholeImage("bits", pattern, size).raster.data, SIZES[size]),
  );
  const data = new Uint8Array(readFileSync(path));
  const raster = {
    data,
    width,
    height,
    ...(depth > 1 ? { depth } : {}),
    ...(kind === "colours" ? { channels: 3 } : {}),
  };
  return { path, raster };
}

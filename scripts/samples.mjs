// Renders the project's own images in samples/ from seeded random numbers.
//
//     npm run samples

import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { fillOf, MemoryOutput, spaceOf, writeNifti } from "@skerry/files";
import { zarrSink } from "@skerry/files/zarr";
import { random as bits, headMask } from "@skerry/scenes";
import sharp from "sharp";
import { open } from "skerry";

const folder = fileURLToPath(new URL("../samples", import.meta.url));

/** Random numbers from 0 to 1. */
function random(seed) {
  const next = bits(seed);
  return () => next() / 2 ** 32;
}

function canvas(width, height, value) {
  const data = new Float64Array(width * height);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) data[y * width + x] = value(x, y);
  return { width, height, data };
}

/** Blends an ellipse in, with an edge of `soft` pixels from full to nothing. */
function ellipse({ width, height, data }, cx, cy, rx, ry, angle, value, soft = 1) {
  const reach = Math.ceil(Math.max(rx, ry) + soft + 1);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  for (let y = Math.max(0, Math.floor(cy - reach)); y <= Math.min(height - 1, cy + reach); y++) {
    for (let x = Math.max(0, Math.floor(cx - reach)); x <= Math.min(width - 1, cx + reach); x++) {
      const [u, v] = [(x - cx) * cos + (y - cy) * sin, (y - cy) * cos - (x - cx) * sin];
      const distance = (Math.hypot(u / rx, v / ry) - 1) * Math.min(rx, ry);
      const cover = Math.min(1, Math.max(0, 0.5 - distance / soft));
      const at = y * width + x;
      data[at] = data[at] * (1 - cover) + value * cover;
    }
  }
}

function stroke(image, points, radius, value) {
  for (let i = 1; i < points.length; i++) {
    const [[x0, y0], [x1, y1]] = [points[i - 1], points[i]];
    const steps = Math.ceil(Math.hypot(x1 - x0, y1 - y0) * 2);
    for (let s = 0; s <= steps; s++) {
      ellipse(image, x0 + ((x1 - x0) * s) / steps, y0 + ((y1 - y0) * s) / steps, radius, radius, 0, value);
    }
  }
}

async function save(name, { width, height, data }, grain = 0, seed = 1) {
  const next = random(seed);
  const bytes = Uint8Array.from(data, (v) => {
    const noise = grain * (next() + next() + next() - 1.5);
    return Math.max(0, Math.min(255, Math.round(v + noise)));
  });
  await sharp(bytes, { raw: { width, height, channels: 1 } })
    .toColourspace("b-w")
    .png({ compressionLevel: 9 })
    .toFile(join(folder, name));
}

/** A circuit board: grey with traces, solder splashes and scratches (bright), pits and holes (dark). */
function board() {
  const next = random(11);
  const image = canvas(640, 400, (x, y) => 118 + 10 * Math.sin(x / 210) + 8 * Math.cos(y / 150));
  for (let i = 0; i < 14; i++) {
    let [x, y] = [next() * 640, next() * 400];
    const points = [[x, y]];
    for (let k = 0; k < 4; k++) {
      if (k % 2) y += (next() - 0.5) * 220;
      else x += (next() - 0.5) * 320;
      points.push([x, y]);
    }
    stroke(image, points, 2.4, 138);
  }
  for (let i = 0; i < 34; i++) {
    const size = 2 + next() ** 2 * 15;
    ellipse(image, next() * 640, next() * 400, size, size * (0.6 + 0.4 * next()), next() * 3, 225 + 25 * next());
  }
  for (let i = 0; i < 5; i++) {
    let [x, y] = [40 + next() * 560, 30 + next() * 340];
    const turn = next() * 6.28;
    const points = [[x, y]];
    for (let k = 0; k < 5; k++) {
      x += 16 * Math.cos(turn + (next() - 0.5));
      y += 16 * Math.sin(turn + (next() - 0.5));
      points.push([x, y]);
    }
    stroke(image, points, 1.2, 235);
  }
  for (let i = 0; i < 30; i++) {
    const size = 2 + next() ** 2 * 12;
    const [x, y, turn] = [next() * 640, next() * 400, next() * 3];
    ellipse(image, x, y, size, size * (0.5 + 0.5 * next()), turn, 14 + 20 * next());
    if (size > 8) ellipse(image, x, y, size * 0.45, size * 0.4, turn, 120);
  }
  return image;
}

/** Cells that touch: soft bright bodies on a dark ground. */
function cells() {
  const next = random(23);
  const image = canvas(512, 384, (x, y) => 26 + 8 * Math.sin((x + y) / 140));
  for (let i = 0; i < 95; i++) {
    const size = 10 + 9 * next();
    const [x, y, turn] = [next() * 512, next() * 384, next() * 3];
    const squeeze = 0.65 + 0.35 * next();
    ellipse(image, x, y, size, size * squeeze, turn, 118 + 50 * next(), 5);
    ellipse(image, x + 2, y - 2, size * 0.4, size * 0.4 * squeeze, turn, 205, 4);
  }
  return image;
}

/** A maze: white walls one cell wide around corridors; connected walls are one object. */
function maze(columns = 79, rows = 59, cell = 4) {
  const [w, h] = [2 * columns + 1, 2 * rows + 1];
  const open = new Uint8Array(w * h);
  const next = random(5);
  const stack = [[1, 1]];
  open[w + 1] = 1;
  while (stack.length > 0) {
    const [x, y] = stack.at(-1);
    const ways = [
      [2, 0],
      [-2, 0],
      [0, 2],
      [0, -2],
    ].filter(([dx, dy]) => {
      const [nx, ny] = [x + dx, y + dy];
      return nx > 0 && ny > 0 && nx < w && ny < h && !open[ny * w + nx];
    });
    if (ways.length === 0) {
      stack.pop();
      continue;
    }
    const [dx, dy] = ways[Math.floor(next() * ways.length)];
    open[(y + dy / 2) * w + x + dx / 2] = 1;
    open[(y + dy) * w + x + dx] = 1;
    stack.push([x + dx, y + dy]);
  }
  open[1] = 1;
  open[w * h - 2] = 1;
  return canvas(w * cell, h * cell, (x, y) => (open[Math.floor(y / cell) * w + Math.floor(x / cell)] ? 0 : 255));
}

/** A square spiral, one object from the outside in. */
function spiral(size = 401, step = 4) {
  const image = canvas(size, size, () => 0);
  const fill = (x0, y0, x1, y1) => {
    for (let y = Math.max(0, y0); y < Math.min(size, y1); y++) image.data.fill(255, y * size + x0, y * size + x1);
  };
  for (let inset = 0; 2 * inset + step < size; inset += 2 * step) {
    const far = size - inset;
    fill(inset, inset, far, inset + step);
    fill(far - step, inset, far, far);
    fill(inset, far - step, far, far);
    fill(inset, inset + 2 * step, inset + step, far);
    fill(inset, inset + 2 * step, inset + 3 * step, inset + 3 * step);
  }
  return image;
}

/** Pebbles in colour: smooth bodies that are lit from one side, on sand. One canvas per channel, with the same random numbers for all. */
function pebbles(channel) {
  const next = random(41);
  const sand = [196, 178, 142][channel];
  const image = canvas(480, 320, (x, y) => sand + 9 * Math.sin((x + 2 * y) / 190));
  const tints = [
    [88, 112, 128],
    [150, 92, 76],
    [226, 218, 204],
    [112, 130, 96],
    [70, 66, 74],
  ];
  for (let i = 0; i < 16; i++) {
    const [x, y] = [40 + 120 * (i % 4) + 34 * (next() - 0.5), 42 + 78 * Math.floor(i / 4) + 26 * (next() - 0.5)];
    const [size, squeeze, turn] = [24 + 12 * next(), 0.66 + 0.3 * next(), 3 * next()];
    const tint = tints[Math.floor(next() * tints.length)][channel];
    ellipse(image, x + 3, y + 4, size, size * squeeze, turn, sand * 0.62, 6);
    ellipse(image, x, y, size, size * squeeze, turn, tint, 1.5);
    ellipse(image, x - 4, y - 5, size * 0.5, size * squeeze * 0.45, turn, Math.min(255, tint + 26), 14);
  }
  return image;
}

async function saveColour(name, channels, grain, seed) {
  const { width, height } = channels[0];
  const next = random(seed);
  const bytes = new Uint8Array(width * height * 3);
  for (let i = 0; i < width * height; i++) {
    const light = grain * (next() + next() + next() - 1.5);
    for (let c = 0; c < 3; c++) bytes[3 * i + c] = Math.max(0, Math.min(255, Math.round(channels[c].data[i] + light)));
  }
  await sharp(bytes, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 9 })
    .toFile(join(folder, name));
}

await mkdir(folder, { recursive: true });
await save("board.png", board(), 7, 3);
await save("cells.png", cells(), 8, 4);
await save("maze.png", maze());
await save("spiral.png", spiral());
await saveColour("pebbles.png", [0, 1, 2].map(pebbles), 6, 5);

/** Cells in three dimensions as an OME-Zarr image of three levels: 180 soft balls, voxels of 0.5 x 0.5 x 1 um. */
async function cellsVolume() {
  const [width, height, depth] = [192, 192, 96];
  const next = random(21);
  const data = new Float32Array(width * height * depth).fill(28);
  for (let i = 0; i < 180; i++) {
    const [cx, cy, cz] = [next() * width, next() * height, next() * depth];
    const radius = 6 + 7 * next();
    const value = 130 + 90 * next();
    const reach = Math.ceil(radius + 3);
    for (let z = Math.max(0, Math.floor(cz - reach / 2)); z < Math.min(depth, cz + reach / 2); z++) {
      for (let y = Math.max(0, Math.floor(cy - reach)); y < Math.min(height, cy + reach); y++) {
        for (let x = Math.max(0, Math.floor(cx - reach)); x < Math.min(width, cx + reach); x++) {
          const distance = Math.hypot(x - cx, y - cy, 2 * (z - cz)) - radius;
          const cover = Math.min(1, Math.max(0, 0.5 - distance / 3));
          const at = (z * height + y) * width + x;
          data[at] = Math.max(data[at], data[at] * (1 - cover) + value * cover);
        }
      }
    }
  }
  await rm(join(folder, "cells.zarr"), { recursive: true, force: true });
  const sink = await zarrSink(join(folder, "cells.zarr"), {
    type: "u8",
    labels: false,
    version: "0.4",
    width,
    height,
    depth,
    overwrite: true,
    space: spaceOf({ size: { width, height, depth }, spacing: [0.5, 0.5, 1], unit: "um" }),
  });
  await sink.write(
    0,
    depth,
    0,
    height,
    // Noise of two levels, which packs well.
    Uint8Array.from(data, (value) => Math.min(255, value + 8 * Math.floor(2 * next()))),
  );
  await sink.finish();
}

await cellsVolume();

/**
 * A head as a scan of 1.5 mm: skin, skull, liquid and a brain with folds, by depth below the surface in mm; stored from left to right, from
 * back to front, from feet to crown.
 */
async function headVolume() {
  const size = { width: 120, height: 148, depth: 128 };
  const side = 1.5;
  const engine = await open({ device: "cpu" });
  const map = await engine.distance(headMask(size), { signed: true });
  const { data: depths } = map;
  await engine.close();
  const next = random(54);
  const { width, height, depth } = size;
  const data = new Uint8Array(width * height * depth);
  for (let i = 0; i < data.length; i++) {
    const [x, y, z] = [i % width, Math.floor(i / width) % height, Math.floor(i / (width * height))];
    // The face of the mask lies at its first rows.
    const below = Math.max(0, -depths[(z * height + height - 1 - y) * width + x]) * side;
    const fold = Math.sin(x / 3 + 2 * Math.sin(y / 5)) * Math.sin(y / 4 + 2 * Math.sin(z / 6)) * Math.sin(z / 3.5);
    const tissue =
      below === 0 ? 0 : below < 5 ? 190 : below < 10 ? 40 : below < 12 ? 60 : 128 + 24 * fold - (below > 45 ? 40 : 0);
    data[i] = Math.min(255, tissue + 6 * Math.floor(2 * next()));
  }
  const space = spaceOf({
    size,
    spacing: [side, side, side],
    unit: "mm",
    toWorld: [
      [side, 0, 0, (-side * width) / 2],
      [0, side, 0, (-side * height) / 2],
      [0, 0, side, (-side * depth) / 2],
    ],
    crs: { kind: "patient", version: 1, sform: 2 },
  });
  const file = new MemoryOutput();
  await writeNifti(file, { ...size, type: "u8", space }, fillOf(data, size));
  await writeFile(join(folder, "head.nii.gz"), gzipSync(file.bytes(), { level: 9 }));
}

await headVolume();

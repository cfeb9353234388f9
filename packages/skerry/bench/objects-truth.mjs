// Counts and shapes against known truth: rendered touching discs, ellipses and balls, and rendered nuclei under noise and
// uneven light, beside scikit-image's pipeline of the same steps.
// `node bench/objects-truth.mjs [--out FOLDER]`: FOLDER gets a picture of the nuclei that were missed.

import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { MemoryOutput, writePng } from "@skerry/files";
import Table from "cli-table3";
import { open } from "skerry";
import { heading, notes, peer } from "./peer.mjs";

const { values: given } = parseArgs({ options: { out: { type: "string" } } });

/** Xorshift, from 0 to 1. */
function random(seed) {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Draws an ellipsoid into a label image. */
function draw(image, label, [cx, cy, cz], [a, b, c], turn) {
  const { data, width, height, depth } = image;
  const most = Math.max(a, b, c);
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const range = (n, side) => [Math.max(0, Math.ceil(n - most)), Math.min(side - 1, Math.floor(n + most))];
  const [x0, x1] = range(cx, width);
  const [y0, y1] = range(cy, height);
  const [z0, z1] = depth > 1 ? range(cz, depth) : [0, 0];
  for (let z = z0; z <= z1; z++)
    for (let y = y0; y <= y1; y++)
      for (let x = x0; x <= x1; x++) {
        const u = (x - cx) * cos + (y - cy) * sin;
        const v = (y - cy) * cos - (x - cx) * sin;
        const w = depth > 1 ? z - cz : 0;
        if ((u / a) ** 2 + (v / b) ** 2 + (w / c) ** 2 > 1) continue;
        const at = (z * height + y) * width + x;
        // In an overlap, pixels alternate between both objects, as on a checkerboard.
        if (data[at] === 0 || (x + y + z) % 2) data[at] = label;
      }
}

/** Pairs that overlap by up to a fifth of the smaller radius, lone ones and elongated ones in cells of a grid. */
function scene(name, width, height, depth, ratio, seed) {
  const next = random(seed);
  const image = { name, data: new Uint32Array(width * height * depth), width, height, depth, count: 0 };
  const [cell, least] = depth > 1 ? [48, 6] : [84, 9];
  for (let cz = depth > 1 ? cell / 2 : 0; cz < depth; cz += cell)
    for (let cy = cell / 2; cy + cell / 2 <= height; cy += cell)
      for (let cx = cell / 2; cx + cell / 2 <= width; cx += cell) {
        const turn = next() * Math.PI * 2;
        const kind = next();
        if (kind < 0.25) {
          const a = least + next() * least;
          draw(image, ++image.count, [cx, cy, cz], [a * (1 + next() * (ratio - 1)), a, a], turn);
          continue;
        }
        const [one, two] = [least + next() * least * 0.7, least + next() * least * 0.7];
        const far = one + two - next() * 0.2 * Math.min(one, two);
        for (const [radius, side] of [
          [one, -1],
          [two, 1],
        ]) {
          const place = [cx + (Math.cos(turn) * far * side) / 2, cy + (Math.sin(turn) * far * side) / 2, cz];
          // Elongated across the line between them, where the necks are as narrow.
          const long = kind < 0.6 ? 1 + next() * (ratio - 1) * 0.5 : 1;
          draw(image, ++image.count, place, [radius, radius * long, radius], turn);
        }
      }
  return image;
}

/** Fluorescent nuclei: bright ellipses of uneven brightness, soft borders, overlaps, a slope of light and Gaussian noise. */
function nuclei(width, height, seed) {
  const next = random(seed);
  const truth = { data: new Uint32Array(width * height), width, height, depth: 1, count: 0 };
  const bright = new Float64Array(width * height);
  const normal = () => Math.sqrt(-2 * Math.log(next() + 1e-12)) * Math.cos(2 * Math.PI * next());
  for (let i = 0; i < (width * height) / 2200; i++) {
    const a = 9 + next() * 6;
    const [x, y, turn] = [next() * width, next() * height, next() * Math.PI];
    const before = truth.data.slice();
    draw(truth, truth.count + 1, [x, y, 0], [a, a * (0.65 + 0.35 * next()), 1], turn);
    let [own, shared] = [0, 0];
    for (let at = 0; at < before.length; at++) {
      if (truth.data[at] !== truth.count + 1) continue;
      own++;
      if (before[at]) shared++;
    }
    if (own < 60 || shared > own * 0.15) {
      truth.data.set(before);
      continue;
    }
    truth.count++;
    const level = 70 + 70 * next();
    for (let at = 0; at < before.length; at++)
      if (truth.data[at] === truth.count) bright[at] = level * (0.9 + 0.2 * next());
  }
  const image = new Uint8Array(width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      let sum = 0;
      for (let dy = -1; dy <= 1; dy++)
        for (let dx = -1; dx <= 1; dx++) {
          sum +=
            bright[Math.min(height - 1, Math.max(0, y + dy)) * width + Math.min(width - 1, Math.max(0, x + dx))] / 9;
        }
      const light = 25 + (55 * x) / width + (30 * y) / height;
      image[y * width + x] = Math.max(0, Math.min(255, light + sum * (0.7 + (0.5 * x) / width) + 7 * normal()));
    }
  return { image, truth };
}

/** 1 minus the F measure of the Rand index (adapted Rand error, Arganda-Carreras et al. 2015), of labelled pixels. */
function randError(found, truth) {
  const pairs = new Map();
  const [rows, columns] = [new Map(), new Map()];
  const add = (map, key) => map.set(key, (map.get(key) ?? 0) + 1);
  truth.forEach((label, at) => {
    if (!label) return;
    add(pairs, label * 2 ** 24 + found[at]);
    add(rows, label);
    add(columns, found[at]);
  });
  const squares = (map) => [...map.values()].reduce((sum, n) => sum + n * n, 0);
  return 1 - (2 * squares(pairs)) / (squares(rows) + squares(columns));
}

/** Objects that match one of the truth with an intersection over union of at least a half. */
function matches(found, { data, count }) {
  const [areas, owns, shared] = [new Map(), new Map(), new Map()];
  const add = (map, key) => map.set(key, (map.get(key) ?? 0) + 1);
  data.forEach((label, at) => {
    if (label) add(owns, label);
    if (found[at]) add(areas, found[at]);
    if (label && found[at]) add(shared, label * 2 ** 24 + found[at]);
  });
  const hit = new Set();
  for (const [key, n] of shared) {
    const [label, object] = [Math.floor(key / 2 ** 24), key % 2 ** 24];
    if (n / (owns.get(label) + areas.get(object) - n) >= 0.5) hit.add(label);
  }
  const right = hit.size;
  return { count: areas.size, hit, f1: (2 * right) / (count + areas.size) };
}

/** The fraction of true parts that are counted right: those of objects that were split into as many parts as they have. */
function countedRight(truth, objects, parts) {
  const [wanted, got] = [new Map(), new Map()];
  const add = (map, key, value) => map.set(key, (map.get(key) ?? new Set()).add(value));
  truth.data.forEach((label, at) => {
    if (!label) return;
    add(wanted, objects[at], label);
    add(got, objects[at], parts[at]);
  });
  let right = 0;
  for (const [object, labels] of wanted) if (got.get(object)?.size === labels.size) right += labels.size;
  return right / truth.count;
}

const folder = join(tmpdir(), "skerry-truth");
mkdirSync(folder, { recursive: true });

/** scikit-image's labels of a mask or a picture, as u32. */
async function skimage(name, kind, data, { width, height, depth }) {
  const path = join(folder, `${name}.raw`);
  writeFileSync(path, data);
  const answer = await peer("objects-truth.py", [path, width, height, depth, kind]);
  if (!answer) return undefined;
  const bytes = await import("node:fs").then(({ readFileSync }) => readFileSync(answer.file));
  return new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

console.log(heading());
const engine = await open({ device: "cpu" });
const splits = new Table({
  head: [
    "scene",
    "objects",
    "split: counted right",
    "adapted Rand error",
    "scikit-image: counted right",
    "adapted Rand error",
  ],
});
const SCENES = [
  scene("discs", 3360, 3360, 1, 1, 11),
  scene("ellipses up to 2 : 1", 3360, 3360, 1, 2, 12),
  scene("balls", 288, 288, 288, 1, 13),
  scene("ellipsoids up to 2 : 1", 288, 288, 288, 2, 14),
];
const percent = (value) => (value === undefined ? "-" : `${(100 * value).toFixed(2)} %`);
for (const truth of SCENES) {
  const { width, height, depth } = truth;
  const mask = Uint8Array.from(truth.data, (label) => Number(label > 0));
  const whole = await engine.components({ data: mask, width, height, depth }, { connectivity: depth > 1 ? 26 : 8 });
  const parts = await whole.split({ h: 1 });
  const [objects, own] = [(await whole.labels()).data, (await parts.labels()).data];
  const other = await skimage(truth.name.replace(/\W+/g, "-"), "split", mask, truth);
  splits.push([
    truth.name,
    truth.count,
    percent(countedRight(truth, objects, own)),
    randError(own, truth.data).toFixed(4),
    percent(other && countedRight(truth, objects, other)),
    other ? randError(other, truth.data).toFixed(4) : "-",
  ]);
  whole.dispose();
  parts.dispose();
}
console.log(splits.toString());

const { image, truth } = nuclei(1024, 1024, 29);
const raster = { data: image, width: 1024, height: 1024 };
const found = await engine.components(raster, {
  smooth: 1.5,
  flatten: 60,
  threshold: "otsu",
  connectivity: 8,
  fillHoles: true,
  split: { h: 0.75 },
  minArea: 40,
});
const { data: labels } = await found.labels();
const own = matches(labels, truth);
const other = await skimage("nuclei", "nuclei", image, truth);
const theirs = other && matches(other, truth);
const table = new Table({ head: ["rendered nuclei", "truth", "found", "F1 at IoU 0.5"] });
table.push(["skerry", truth.count, own.count, own.f1.toFixed(4)]);
if (theirs) table.push(["scikit-image, the same steps", truth.count, theirs.count, theirs.f1.toFixed(4)]);
console.log(table.toString());

if (given.out !== undefined) {
  // Nuclei that were found are green at their borders, those that were missed are red.
  const rgb = new Uint8Array(1024 * 1024 * 3);
  for (let at = 0; at < image.length; at++) {
    const label = truth.data[at];
    const x = at % 1024;
    const beside = [
      x ? at - 1 : at,
      at >= 1024 ? at - 1024 : at,
      x < 1023 ? at + 1 : at,
      at + 1024 < image.length ? at + 1024 : at,
    ];
    const border = label && beside.some((each) => truth.data[each] !== label);
    const colour = border ? (own.hit.has(label) ? [60, 220, 90] : [255, 60, 60]) : [image[at], image[at], image[at]];
    rgb.set(colour, at * 3);
  }
  const file = new MemoryOutput();
  await writePng(file, { width: 1024, height: 1024, channels: 3, data: rgb });
  writeFileSync(join(given.out, "nuclei.png"), file.bytes());
}
await engine.close();
for (const note of notes) console.log(note);

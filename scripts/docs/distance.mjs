// Writes docs/distance.md's table and pictures: the exact map of a head beside city-block, chessboard and a 5 x 5 chamfer,
// and coarse values beyond a maximum. Needs the MRI of the samples that are not committed:
//
//     node scripts/docs/distance.mjs [HEAD.nii.gz]

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { open } from "skerry";
import { Preview } from "../../packages/files/dist/node/preview.js";

const path = process.argv[2] ?? fileURLToPath(new URL("../../../shared/data/chris_t1.nii.gz", import.meta.url));
const file = gunzipSync(readFileSync(path));
const [width, height, depth] = [42, 44, 46].map((at) => file.readInt16LE(at));
const side = file.readFloatLE(80);
const begin = file.readFloatLE(108);
const data = new Uint8Array(file.subarray(begin, begin + width * height * depth));
const images = new URL("../../docs/images/", import.meta.url);

const engine = await open({ device: "cpu" });
const head = await engine.components(
  { data, width, height, depth },
  { threshold: "otsu", largest: 1, fillHoles: true },
);
const { bits } = await head.surface();

/** The middle slice across z, as an image of its own. */
const words = Math.ceil(width / 32);
const z = depth >> 1;
const slice = { bits: bits.slice(z * height * words, (z + 1) * height * words), width, height };
const spacing = [side, side];
const exact = (await engine.distance(slice, { spacing })).data;
const maps = {
  "city block": (await engine.distance(slice, { spacing, metric: "cityblock" })).data,
  chessboard: (await engine.distance(slice, { spacing, metric: "chessboard" })).data,
  "5 x 5 chamfer": chamfer(slice),
};

/** Two passes with the steps 1, 1.4 and 2.1969 of OpenCV's 5 x 5 mask. */
function chamfer({ bits, width, height }) {
  const map = new Float64Array(width * height).fill(1e9);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) if ((bits[y * words + (x >> 5)] >>> (x & 31)) & 1) map[y * width + x] = 0;
  }
  const steps = [
    [-1, 0, 1],
    [0, -1, 1],
    [-1, -1, 1.4],
    [1, -1, 1.4],
    [-2, -1, 2.1969],
    [2, -1, 2.1969],
    [-1, -2, 2.1969],
    [1, -2, 2.1969],
  ];
  for (const way of [1, -1]) {
    for (let i = 0; i < map.length; i++) {
      const at = way > 0 ? i : map.length - 1 - i;
      const [x, y] = [at % width, Math.floor(at / width)];
      for (const [dx, dy, cost] of steps) {
        const [a, b] = [x + way * dx, y + way * dy];
        if (a >= 0 && b >= 0 && a < width && b < height) map[at] = Math.min(map[at], map[b * width + a] + cost);
      }
    }
  }
  return map.map((v) => v * side);
}

function errors(found, expected, counts = () => true) {
  let [largest, sum, count] = [0, 0, 0];
  expected.forEach((value, at) => {
    if (!counts(value)) return;
    const error = Math.abs(found[at] - value);
    largest = Math.max(largest, error);
    sum += error;
    count++;
  });
  return { largest, mean: sum / count };
}

/** The largest step of a map from a voxel within `max` to an axis neighbour beyond it. */
function stepAcross(map, max) {
  let largest = 0;
  for (let at = 0; at < map.length; at++) {
    if (whole[at] > max) continue;
    for (const [step, place, side] of [
      [1, at % width, width],
      [width, Math.floor(at / width) % height, height],
      [width * height, Math.floor(at / width / height), depth],
    ]) {
      if (place + 1 < side && whole[at + step] > max) largest = Math.max(largest, map[at + step] - map[at]);
      if (place > 0 && whole[at - step] > max) largest = Math.max(largest, map[at - step] - map[at]);
    }
  }
  return largest;
}

async function picture(name, values) {
  const preview = new Preview({ width, height, depth: 1 }, spacing);
  preview.take(0, 1, 0, height, Float32Array.from(values));
  await preview.write(fileURLToPath(new URL(`distance-${name}.png`, images)), (value) => value, "mm", false);
}

const row = (cells) => `| ${cells.join(" | ")} |`;
const mm = (value) => `${value.toFixed(2)} mm`;
const lines = [row(["map", "largest error", "mean error"]), row(["---", "---:", "---:"]), row(["exact", "0", "0"])];
await picture("exact", exact);
for (const [name, map] of Object.entries(maps)) {
  const { largest, mean } = errors(map, exact);
  lines.push(row([name, mm(largest), mm(mean)]));
  const short = name.replaceAll(" ", "-");
  await picture(short, map);
  await picture(
    `${short}-error`,
    map.map((value, at) => Math.abs(value - exact[at])),
  );
}
const solid = { bits, width, height, depth };
const whole = (await engine.distance(solid, { spacing: [side, side, side] })).data;
const beyond = [
  row(["`max`", "largest error beyond", "mean error beyond", "largest step across `max`, exact"]),
  row(["---:", "---:", "---:", "---:"]),
];
for (const max of [5, 10, 20, 36]) {
  const { data: found } = await engine.distance(solid, { spacing: [side, side, side], max, beyond: "coarse" });
  const far = errors(found, whole, (value) => value > max);
  const steps = `${mm(stepAcross(found, max))}, ${mm(stepAcross(whole, max))}`;
  beyond.push(row([`${max} mm`, mm(far.largest), mm(far.mean), steps]));
}
await engine.close();

const page = new URL("../../docs/distance.md", import.meta.url);
let text = readFileSync(page, "utf8");
for (const [name, table] of Object.entries({ metrics: lines, coarse: beyond })) {
  const pattern = new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- end -->)`);
  if (!pattern.test(text)) throw new Error(`docs/distance.md has no place for ${name}`);
  text = text.replace(pattern, (_, open, close) => `${open}${table.join("\n")}\n${close}`);
}
writeFileSync(page, text);

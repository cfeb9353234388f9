// The GPU bench: device time per stage from resident pixels to labels and regions, end to end from and to the host,
// and peers on the same card and files, each beside a reference copy because clocks wander.
//
//     npm run bench:gpu -- fill [--sizes 4096 --rounds 20]
//     npm run bench:gpu -- distance [--rounds 20 --only NAME --pba CHECKOUT]
//     npm run bench:gpu -- kmeans [--rounds 20 --only NAME --json FILE]
//     npm run bench:gpu -- objects [--sizes 8192,512 --rounds 20 --only NAME]
//     npm run bench:gpu -- volumes [--sizes 512 --rounds 20]
//     npm run bench:gpu -- values [--rounds 20]
//     npm run bench:gpu -- auto [--count 200 --seed 1]
//     npm run bench:gpu [-- --sizes 8192,4096,16384 --connectivity 8,4 --rounds 20 --only NAME --skip stages,peers,ends,runs,strips
//                           --yacclab CHECKOUT --gpuraster CHECKOUT]

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import Table from "cli-table3";
import { create } from "webgpu";
import { auto } from "./auto.mjs";
import { distances } from "./gpu-distance.mjs";
import { ends, reading, strips } from "./gpu-ends.mjs";
import { fills } from "./gpu-fill.mjs";
import { kmeans } from "./gpu-kmeans.mjs";
import { objects } from "./gpu-objects.mjs";
import { peers } from "./gpu-peers.mjs";
import { openStages } from "./gpu-stages.mjs";
import { values as byValue } from "./gpu-values.mjs";
import { volumes } from "./gpu-volumes.mjs";
import { IMAGES, imageFile } from "./images.mjs";
import { SOURCE_OPTIONS } from "./source-peers.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sizes: { type: "string" },
    connectivity: { type: "string", default: "8,4" },
    rounds: { type: "string", default: "20" },
    only: { type: "string" },
    skip: { type: "string", default: "" },
    json: { type: "string" },
    count: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    yacclab: SOURCE_OPTIONS.yacclab,
    gpuraster: { type: "string" },
    pba: SOURCE_OPTIONS.pba,
  },
});
const skipped = new Set(values.skip.split(",").filter(Boolean));
const names = Object.keys(IMAGES).filter((name) => !values.only || name.includes(values.only));
const fillOnly = positionals[0] === "fill";
const defaultSizes = { fill: "4096", volumes: "512" }[positionals[0]] ?? "8192,4096,16384";
const sizes = (values.sizes ?? defaultSizes).split(",").map(Number);
const connectivities = values.connectivity.split(",").map(Number);
const rounds = Number(values.rounds);

const ms = (value) =>
  value === undefined ? "-" : value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(3);
const print = (head, rows) => {
  const style = { head: [], border: [], compact: true };
  const table = new Table({ head, style, colAligns: head.map((_, i) => (i ? "right" : "left")) });
  table.push(...rows);
  console.log(table.toString());
};

// Dawn's default toggles, except that its clock is not made coarse.
const root = create(["disable-dawn-features=timestamp_quantization"]);
const stages = await openStages(root);
console.log(`${new Date().toISOString().slice(0, 10)}, ${stages.description}, Node ${process.version}`);
try {
  console.log(
    execFileSync("nvidia-smi", ["--query-gpu=name,driver_version,clocks.max.sm", "--format=csv,noheader"])
      .toString()
      .trim(),
  );
} catch {}

if (positionals[0] === "auto") {
  await auto(root, Number(values.count), Number(values.seed));
  stages.close();
  process.exit(0);
}
if (positionals[0] === "values") {
  await byValue(root, rounds, print, ms);
  stages.close();
  process.exit(0);
}
if (positionals[0] === "volumes") {
  for (const size of sizes) await volumes(stages, size, rounds, print, ms);
  stages.close();
  process.exit(0);
}
if (positionals[0] === "objects") {
  const [size, side = 512] = (values.sizes ?? "8192,512").split(",").map(Number);
  await objects(root, size, side, rounds, print, ms, values.only);
  stages.close();
  process.exit(0);
}
if (positionals[0] === "distance") {
  await distances(root, rounds, print, ms, values.only, !skipped.has("cpu"), values.pba);
  stages.close();
  process.exit(0);
}
if (positionals[0] === "kmeans") {
  await kmeans(root, rounds, print, ms, values.only, !skipped.has("cpu"), values.json);
  stages.close();
  process.exit(0);
}
if (fillOnly) {
  for (const size of sizes) await fills(root, size, rounds, print, ms);
  stages.close();
  process.exit(0);
}

const pixelsOf = (name, size) => new Uint8Array(readFileSync(imageFile(name, size)));

for (const size of sizes) {
  const found = new Map();
  if (!skipped.has("stages")) {
    for (const connectivity of connectivities) {
      const shape = { width: size, height: size, depth: 1 };
      const results = await stages.measure(names, (name) => pixelsOf(name, size), shape, connectivity, rounds);
      console.log(
        `\n${size} x ${size}, ${connectivity}-connected: device ms, median of ${rounds}, resident pixels to resident results`,
      );
      const columns = [...new Set([...results.values()].flatMap(({ stages }) => Object.keys(stages)))];
      print(
        ["image", "copy 64+256", ...columns, "labels", "+ regions", "objects"],
        names.map((name) => {
          const { copy, stages: own, labels, both, count } = results.get(name);
          return [name, ms(copy), ...columns.map((column) => ms(own[column])), ms(labels), ms(both), count];
        }),
      );
      if (connectivity === 8) for (const name of names) found.set(name, results.get(name));
    }
  }
  if (!skipped.has("peers")) await peers(names, size, found, print, ms, values);
  if (!skipped.has("ends")) await ends(root, names, (name) => pixelsOf(name, size), size, rounds, print, ms);
}
if (!skipped.has("runs")) await reading(root, sizes[0], rounds, print, ms);
if (!skipped.has("strips"))
  await strips(root, (name) => pixelsOf(name, Math.max(...sizes)), Math.max(...sizes), print, ms);
stages.close();

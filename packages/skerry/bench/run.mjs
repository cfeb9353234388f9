// The bench: every peer beside skerry in the same process group, on the same images, one process each.
//
//     npm run bench [-- --size 8192 --connectivity 8 --threads N --only NAME --skip PEER,PEER]

import { execFile, spawnSync } from "node:child_process";
import { cpus, release, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import Table from "cli-table3";
import { IMAGES, imageFile } from "./images.mjs";

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== "components"),
  options: {
    size: { type: "string", default: "8192" },
    connectivity: { type: "string", default: "8" },
    threads: { type: "string", default: String(Math.min(cpus().length, 8)) },
    only: { type: "string" },
    skip: { type: "string", default: "" },
    large: { type: "string", default: "16384" },
  },
});

/** A peer that takes longer than this for one image, reading it included, is ended. */
const PATIENCE_MILLISECONDS = 60_000;
const skipped = new Set(values.skip.split(",").filter(Boolean));
const notes = [];

const python = [process.env.PYTHON, "/usr/bin/python3", "python3"]
  .filter(Boolean)
  .find((name) => spawnSync(name, ["-c", "import cv2"], { stdio: "ignore" }).status === 0);
if (!python) notes.push("skipped native OpenCV: no Python with cv2 ($PYTHON, /usr/bin/python3, python3)");

async function peer(name, args) {
  if (skipped.has(name)) return undefined;
  const script = fileURLToPath(new URL(`peers/${name}`, import.meta.url));
  const command = name.endsWith(".py") ? python : process.execPath;
  if (!command) return undefined;
  const options = { timeout: PATIENCE_MILLISECONDS, maxBuffer: 1 << 24 };
  try {
    const { stdout } = await promisify(execFile)(command, [script, ...args], options);
    return JSON.parse(stdout.trim().split("\n").at(-1));
  } catch (error) {
    const reason = error.killed
      ? `took over ${PATIENCE_MILLISECONDS / 1000} s`
      : (String(error.stderr || error.message)
          .split("\n")
          .find((line) => /Error|Exception|rror:/.test(line)) ?? "failed");
    notes.push(`${name} on ${args[0].split("/").at(-1)}: ${reason.trim().slice(0, 140)}`);
    return undefined;
  }
}

const ms = (value) => (value === undefined ? "-" : value >= 100 ? value.toFixed(0) : value.toFixed(1));
const times = (slow, fast) => (slow === undefined ? "-" : `${(slow / fast).toFixed(1)}x`);
const size = Number(values.size);
const node = process.version;
const cpu = cpus()[0]?.model ?? "unknown";
console.log(
  `${new Date().toISOString().slice(0, 10)}, ${cpus().length} x ${cpu}, ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}, Node ${node}`,
);
console.log(`${size} x ${size} u8, ${values.connectivity}-connected, ${values.threads} threads, median ms`);

const table = new Table({
  head: [
    "image",
    "skerry regions",
    "+ labels",
    "cold",
    "OpenCV",
    "reused",
    "regions vs",
    "+ labels vs",
    "vs reused",
    "opencv-js",
    "image-js",
  ],
  colAligns: ["left", ...Array(10).fill("right")],
  style: { head: [], border: [], compact: true },
});
let opencvVersion;
for (const name of Object.keys(IMAGES)) {
  if (values.only && !name.includes(values.only)) continue;
  const file = imageFile(name, size);
  const common = [file, String(size), values.connectivity];
  const own = await peer("skerry.mjs", [...common, values.threads]);
  const native = await peer("opencv.py", common);
  const wasm = await peer("opencv-js.mjs", common);
  const script = await peer("image-js.mjs", common);
  opencvVersion ??= native && `native OpenCV ${native.version}, ${native.threads} threads`;
  if (!own) continue;
  const [regions, labels] = own.medians;
  const both = regions + labels;
  table.push([
    name,
    ms(regions),
    ms(both),
    ms(own.cold[0] + own.cold[1]),
    ...[native?.medians[0], native?.medians[1]].map(ms),
    ...[times(native?.medians[0], regions), times(native?.medians[0], both), times(native?.medians[1], both)],
    ...[ms(wasm?.medians[0]), ms(script?.medians[0])],
  ]);
}
console.log(table.toString());
if (opencvVersion) console.log(opencvVersion);

if (Number(values.large) > 0) {
  const large = Number(values.large);
  const floor = new Table({
    head: [`${large} x ${large}`, "skerry regions", "+ labels", "JavaScript pass", "copy pixels", "copy labels"],
    colAligns: ["left", ...Array(5).fill("right")],
    style: { head: [], border: [], compact: true },
  });
  for (const name of ["smooth blobs (50 %)", "noise, density 0.5"]) {
    if (values.only && !name.includes(values.only)) continue;
    const file = imageFile(name, large);
    const own = await peer("skerry.mjs", [file, String(large), values.connectivity, values.threads]);
    const plain = await peer("plain.mjs", [file, String(large)]);
    if (own && plain)
      floor.push([name, ms(own.medians[0]), ms(own.medians[0] + own.medians[1]), ...plain.medians.map(ms)]);
  }
  console.log(floor.toString());
}
for (const note of notes) console.log(note);

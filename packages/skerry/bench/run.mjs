// The bench: every peer beside skerry in the same process group, on the same images, one process each.
//
//     npm run bench -- fill
//     npm run bench -- volumes
//     npm run bench -- distance
//     npm run bench -- kmeans
//     npm run bench -- small
//     npm run bench -- frames
//     npm run bench -- stream
//     npm run bench -- objects
//     npm run bench -- outlines
//     npm run bench -- shapes
//     npm run bench -- calls
//     npm run bench -- whole
//     npm run bench [-- --size 8192 --connectivity 8 --threads N --only NAME --skip PEER,PEER --cc3d CHECKOUT --yacclab CHECKOUT]

import { parseArgs } from "node:util";
import Table from "cli-table3";
import { IMAGES, imageFile } from "./images.mjs";
import { chosen, cores, heading, ms, notes, peer as run, sourcePeer, times } from "./peer.mjs";
import { compiled, SOURCE_OPTIONS, YACCLAB_CPU } from "./source-peers.mjs";

/** Each is loaded when it runs: k-means needs sharp, which a bare GPU host lacks. */
const BENCHES = {
  fill: async () => (await import("./fill.mjs")).benchFill,
  volumes: async () => (await import("./volumes.mjs")).benchVolumes,
  distance: async () => (await import("./distance.mjs")).benchDistance,
  kmeans: async () => (await import("./kmeans.mjs")).benchKmeans,
  small: async () => (await import("./small.mjs")).benchSmall,
  frames: async () => (await import("./frames.mjs")).benchFrames,
  stream: async () => (await import("./stream.mjs")).benchStream,
  outlines: async () => (await import("./outlines.mjs")).benchOutlines,
  shapes: async () => (await import("./shapes.mjs")).benchShapes,
  objects: async () => (await import("./objects.mjs")).benchObjects,
  calls: async () => (await import("./calls.mjs")).benchCalls,
  whole: async () => (await import("./whole.mjs")).benchWhole,
};
process.on("uncaughtException", (error) => {
  console.error(String(error.code).startsWith("ERR_PARSE_ARGS") ? error.message : error);
  process.exit(1);
});
const [named] = process.argv.slice(2);
if (named && !named.startsWith("-") && named !== "components") chosen("the bench", named, Object.keys(BENCHES));
if (named in BENCHES) {
  const bench = await BENCHES[named]();
  await bench(process.argv.slice(3));
  process.exit(0);
}

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== "components"),
  options: {
    size: { type: "string", default: "8192" },
    connectivity: { type: "string", default: "8" },
    threads: { type: "string", default: String(cores) },
    only: { type: "string" },
    skip: { type: "string", default: "" },
    large: { type: "string", default: "16384" },
    cc3d: SOURCE_OPTIONS.cc3d,
    yacclab: SOURCE_OPTIONS.yacclab,
  },
});

const skipped = new Set(values.skip.split(",").filter(Boolean));
const peer = (name, args) => (skipped.has(name) ? undefined : run(name, args));
const size = Number(values.size);
console.log(heading());
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
    "cc3d",
    "vs cc3d",
    "opencv-js",
    "image-js",
    "copy in",
    "fill labels",
    "copy out",
  ],
  colAligns: ["left", ...Array(15).fill("right")],
  style: { head: [], border: [], compact: true },
});
/** The same images with pixels and labels in memory from engine.allocate(), and the time to fill labels by as many threads. */
const allocated = new Table({
  head: [
    "in memory of the engine",
    "skerry regions",
    "labels",
    "regions vs OpenCV",
    "both vs OpenCV",
    "fill by threads",
    "labels / fill",
  ],
  colAligns: ["left", ...Array(6).fill("right")],
  style: { head: [], border: [], compact: true },
});
/** Labels alone, by YACCLAB's labellers and by skerry: all in memory touched before. */
const yacclab = new Table({
  head: [
    "YACCLAB, one thread",
    ...Object.keys(YACCLAB_CPU),
    "objects",
    "skerry labels",
    "in memory of the engine",
    "fastest vs",
    "vs in memory",
  ],
  colAligns: ["left", ...Array(8).fill("right")],
  style: { head: [], border: [], compact: true },
});
let opencvVersion;
const cc3d = compiled("cc3d", values.cc3d, (note) => notes.push(note));
const labellers = Object.values(YACCLAB_CPU).map(
  (file) => values.connectivity === "8" && compiled("yacclab-cpu", values.yacclab, (note) => notes.push(note), file),
);
for (const name of Object.keys(IMAGES)) {
  if (values.only && !name.includes(values.only)) continue;
  const file = imageFile(name, size);
  const common = [file, String(size), values.connectivity];
  const own = await peer("skerry.mjs", [...common, values.threads]);
  const native = await peer("opencv.py", common);
  const wasm = await peer("opencv-js.mjs", common);
  const script = await peer("image-js.mjs", common);
  const labels3d = await sourcePeer(cc3d, [file, String(size), String(size), "1", values.connectivity]);
  const plain = await peer("plain.mjs", [file, String(size)]);
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
    times(native?.medians[0], regions),
    times(native?.medians[0], both),
    times(native?.medians[1], both),
    ms(labels3d?.medians[0]),
    times(labels3d?.medians[0], both),
    ms(wasm?.medians[0]),
    ms(script?.medians[0]),
    ...(plain?.medians.slice(1).map(ms) ?? []),
  ]);
  const near = await peer("skerry.mjs", [...common, values.threads, "allocated"]);
  if (near && labellers.some(Boolean)) {
    const found = [];
    for (const labeller of labellers) found.push(await sourcePeer(labeller, [file, String(size), String(size)]));
    const alone = async (...more) => {
      const { medians } = (await peer("skerry.mjs", [...common, values.threads, "alone", ...more])) ?? { medians: [] };
      return medians[0] + medians[1];
    };
    const [plainly, there] = [await alone(), await alone("allocated")];
    const fastest = Math.min(...found.flatMap((one) => one?.medians ?? []));
    yacclab.push([
      name,
      ...found.map((one) => ms(one?.medians[0])),
      found.find(Boolean)?.count ?? "-",
      ms(plainly),
      ms(there),
      times(fastest, plainly),
      times(fastest, there),
    ]);
  }
  const fill = await peer("fill.mjs", [String(size * size), values.threads]);
  if (!near || !fill) continue;
  const [nearRegions, nearLabels] = near.medians;
  allocated.push([
    name,
    ms(nearRegions),
    ms(nearLabels),
    times(native?.medians[0], nearRegions),
    times(native?.medians[0], nearRegions + nearLabels),
    ms(fill.medians[0]),
    times(nearLabels, fill.medians[0]),
  ]);
}
console.log(table.toString());
console.log(allocated.toString());
if (yacclab.length > 0) console.log(yacclab.toString());
if (opencvVersion) console.log(opencvVersion);

if (Number(values.large) > 0) {
  const large = Number(values.large);
  const floor = new Table({
    head: [
      `${large} x ${large}`,
      "skerry regions",
      "+ labels",
      "JavaScript pass",
      "copy in",
      "fill labels",
      "copy out",
    ],
    colAligns: ["left", ...Array(6).fill("right")],
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

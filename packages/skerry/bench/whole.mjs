// The whole table: seven patterns, three squares and a cube, six operations, and three ways in and out, on each device, beside the peers.
//
//     npm run bench -- whole [--python PYTHON] [--yacclab CHECKOUT] [--gpu] [--only OPERATION,...] [--sizes 512,2048,8192,512^3]
//                            [--patterns WORDS] [--markdown] [--json FILE] [--before FILE]
//
// "resident": pixels that load() put on the device, to a result that stays there. "table": an ordinary array to the numbers of its objects.
// "labels": an ordinary array to an array that was touched before: labels, a mask, distances, classes, pixels. Medians of seven
// warm calls, more if they take under 0.3 s together, fewer if they take over 1.5 s; the peers in processes of their own (peers/whole.py), one after another. A row is below 1 where a peer is
// faster than the faster device of skerry.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { open } from "skerry";
import { heading, notes, sourcePeer } from "./peer.mjs";
import { median } from "./peers/measure.mjs";
import { compiled, SOURCE_OPTIONS, YACCLAB_CPU } from "./source-peers.mjs";
import { PATTERNS, SIZES, wholeImage } from "./whole-images.mjs";

const ROUNDS = 7;
const LEAST_MILLISECONDS = 300;
const MOST_MILLISECONDS = 1500;
const script = fileURLToPath(new URL("peers/whole.py", import.meta.url));

const count = ({ width, height, depth = 1 }) => width * height * depth;
const near = ({ depth }) => ({ connectivity: depth ? 26 : 8 });
const ARRAYS = { u8: Uint8Array, u32: Uint32Array, f32: Float32Array };

/** Milliseconds of the GPU's clock since they were last taken; each call of an engine is ticked. */
let ticked = 0;
async function tick(engine, call) {
  const result = await call;
  const clocked = engine.timings.filter(({ clock, stage }) => clock === "device" && stage !== "on the device");
  ticked += clocked.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  return result;
}

/** Components of an input, and what is read of them. */
async function components(engine, input, options, read) {
  const found = await tick(engine, engine.components(input, options));
  await tick(engine, read(found));
  found.dispose();
}

/** Labels that stay on their device: a buffer of the GPU, else memory of the engine. */
async function labelsThere(found, kept) {
  if (kept) await found.labels({ into: kept });
  else (await found.labels({ as: "buffer" })).buffer.destroy();
}

const label = (options) => ({
  table: (engine, raster) => components(engine, raster, { ...near(raster), ...options }, (found) => found.regions()),
  labels: (engine, raster, into) =>
    components(engine, raster, { ...near(raster), ...options }, (found) => found.labels({ into })),
  resident: (engine, image, raster, kept) =>
    components(engine, image, { ...near(raster), ...options }, (found) => labelsThere(found, kept)),
});

/** Each operation: its input, the array of its result, and its calls, which get an array or a loaded image. */
const OPERATIONS = {
  label: { kind: "bits", type: "u32", ...label({}) },
  "by value": { kind: "classes", type: "u32", ...label({ by: "value" }) },
  fill: {
    kind: "bits",
    type: "u8",
    table: (engine, raster) => fill(engine, raster, raster, (found) => found.regions()),
    labels: (engine, raster) => fill(engine, raster, raster, (found) => found.mask()),
    resident: (engine, image, raster) => fill(engine, image, raster, async () => {}),
  },
  distance: {
    kind: "bits",
    type: "f32",
    labels: (engine, raster, into) => tick(engine, engine.distance(raster, { into })),
    resident: async (engine, image, _, kept) => {
      const found = await tick(engine, engine.distance(image, kept ? { into: kept } : { as: "buffer" }));
      if (!kept) found.buffer.destroy();
    },
  },
  "k-means": {
    kind: "colours",
    type: "u8",
    labels: (engine, raster, into) => tick(engine, engine.kmeans(raster, { ...COLOURS, into })),
    resident: (engine, image) => tick(engine, engine.kmeans(image, COLOURS)),
  },
  smoothing: {
    kind: "bits",
    type: "u8",
    labels: async (engine, raster, into) => {
      const soft = await tick(engine, engine.smooth(raster, { sigma: 2 }));
      into.set((await soft.toRaster()).data);
      soft.dispose();
    },
    resident: async (engine, image) => (await tick(engine, engine.smooth(image, { sigma: 2 }))).dispose(),
  },
};
const COLOURS = { k: 16, metric: "l2", init: "kmeans++", maxIterations: 20 };
const MODES = ["resident", "table", "labels"];

async function fill(engine, input, raster, read) {
  const first = Math.max(0, raster.data.indexOf(255));
  const { width, height } = raster;
  const seed = [
    first % width,
    Math.floor(first / width) % height,
    ...(raster.depth ? [Math.floor(first / (width * height))] : []),
  ];
  const found = await tick(engine, engine.fill(input, { seeds: [seed], ...near(raster) }));
  await tick(engine, read(found));
  found.dispose();
}

/** Median milliseconds of warm calls, and of them what the GPU's clock counted. */
async function timed(call) {
  const wall = [];
  const device = [];
  const goesOn = (round, spent) => (round <= ROUNDS ? spent < MOST_MILLISECONDS : spent < LEAST_MILLISECONDS);
  for (let round = 0, spent = 0; round < 2 || goesOn(round, spent); round++) {
    ticked = 0;
    const begin = performance.now();
    await call();
    const milliseconds = performance.now() - begin;
    spent += milliseconds;
    if (round === 0) continue;
    wall.push(milliseconds);
    device.push(ticked);
  }
  return { wall: median(wall), device: median(device) };
}

function pythonPeers(python, operation, { path, raster }) {
  const { width, height, depth, channels = 1 } = raster;
  const sides = [...(depth ? [depth] : []), height, width].join("x");
  try {
    const text = execFileSync(python, [script, operation, sides, String(channels), path], {
      encoding: "utf8",
      maxBuffer: 2 ** 24,
    });
    return JSON.parse(text.trim().split("\n").at(-1));
  } catch (error) {
    notes.push(`peers of Python, ${operation} of ${sides}: ${String(error.message).split("\n")[0]}`);
    return [];
  }
}

export async function benchWhole(args) {
  const { values } = parseArgs({
    args,
    options: {
      python: { type: "string" },
      yacclab: SOURCE_OPTIONS.yacclab,
      gpu: { type: "boolean" },
      only: { type: "string" },
      sizes: { type: "string", default: Object.keys(SIZES).join() },
      patterns: { type: "string", default: "" },
      markdown: { type: "boolean" },
      json: { type: "string" },
      before: { type: "string" },
    },
  });
  const engines = { cpu: await open({ device: "cpu" }) };
  if (values.gpu) {
    const { create } = await import("webgpu");
    engines.gpu = await open({
      device: "gpu",
      gpu: create(["disable-dawn-features=timestamp_quantization"]),
      profile: true,
    });
  }
  const labellers = values.yacclab
    ? Object.entries(YACCLAB_CPU).map(([name, file]) => [
        name,
        compiled("yacclab-cpu", values.yacclab, (note) => notes.push(note), file),
      ])
    : [];
  const rows = [];
  for (const size of values.sizes.split(",")) {
    for (const [operation, given] of Object.entries(OPERATIONS)) {
      if (values.only && !values.only.split(",").includes(operation)) continue;
      for (const pattern of PATTERNS.filter((name) => name.includes(values.patterns))) {
        const image = wholeImage(given.kind, pattern, size);
        const peers = values.python ? pythonPeers(values.python, operation, image) : [];
        if (operation === "label" && !image.raster.depth) {
          for (const [name, program] of labellers) {
            const found = await sourcePeer(program, [image.path, ...SIZES[size].slice(0, 2).map(String)]);
            if (found) peers.push({ name, mode: "labels", milliseconds: found.medians[0] });
          }
        }
        const own = {};
        for (const [device, engine] of Object.entries(engines)) own[device] = await measured(engine, given, image);
        for (const mode of MODES.filter((mode) => given[mode])) {
          const beside = peers.filter((peer) => peer.mode === mode).sort((a, b) => a.milliseconds - b.milliseconds);
          rows.push({ operation, pattern, size, mode, cpu: own.cpu[mode], gpu: own.gpu?.[mode], peers: beside });
          console.error(line(rows.at(-1)));
        }
      }
    }
  }
  for (const engine of Object.values(engines)) await engine.close();
  if (values.json) writeFileSync(values.json, JSON.stringify({ heading: heading(), rows }));
  print(rows, values, engines.gpu !== undefined);
  for (const note of notes) console.log(note);
}

/** The times of an operation's modes on one engine. */
async function measured(engine, given, image) {
  const { raster } = image;
  const times = {};
  const into = new ARRAYS[given.type](count(raster)).fill(1);
  for (const mode of ["table", "labels"]) {
    if (given[mode]) times[mode] = await timed(() => given[mode](engine, raster, into));
  }
  const loaded = await engine.load(raster);
  // Results on the CPU stay in memory of the engine.
  const kept = engine.describe().device === "cpu" ? engine.allocate(given.type, count(raster)) : undefined;
  times.resident = await timed(() => given.resident(engine, loaded, raster, kept));
  if (kept) engine.free(kept);
  loaded.dispose();
  return times;
}

const best = ({ cpu, gpu }) => Math.min(cpu.wall, gpu?.wall ?? Number.POSITIVE_INFINITY);
const ratio = (row) => (row.peers.length > 0 ? row.peers[0].milliseconds / best(row) : undefined);
const ms = (value) =>
  value === undefined ? "-" : value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
const line = (row) =>
  `${row.operation}, ${row.pattern}, ${row.size}, ${row.mode}: ${ms(row.cpu.wall)} ${ms(row.gpu?.wall)}; ${row.peers.map((peer) => `${peer.name} ${ms(peer.milliseconds)}`).join(", ")}`;

function print(rows, { markdown, before }, hasGpu) {
  const earlier = before
    ? new Map(JSON.parse(readFileSync(before, "utf8")).rows.map((row) => [keyOf(row), row]))
    : undefined;
  const head = [
    "operation",
    "pattern",
    "size",
    "way",
    "CPU, ms",
    ...(hasGpu ? ["GPU, ms", "of it kernels"] : []),
    ...(earlier ? ["before"] : []),
    "strongest peer, ms",
    "peer / skerry",
    "others, ms",
  ];
  const cells = rows.map((row) => {
    const [first, ...others] = row.peers.map(({ name, milliseconds }) => `${name}: ${ms(milliseconds)}`);
    const old = earlier?.get(keyOf(row));
    return [
      row.operation,
      row.pattern,
      row.size,
      row.mode,
      ms(row.cpu.wall),
      ...(hasGpu ? [ms(row.gpu.wall), row.gpu.device > 0 ? ms(row.gpu.device) : "CPU"] : []),
      ...(earlier ? [old ? ms(best(old)) : "-"] : []),
      first ?? "none",
      ratio(row)?.toFixed(1) ?? "-",
      others.join(", "),
    ];
  });
  console.log(heading());
  if (markdown) console.log([head, head.map(() => "---"), ...cells].map((row) => `| ${row.join(" | ")} |`).join("\n"));
  else for (const row of [head, ...cells]) console.log(row.join("\t"));
  const below = rows.filter((row) => ratio(row) < 1);
  console.log(`${rows.length} rows, ${rows.filter(ratio).length} with a peer, ${below.length} of them below 1`);
  for (const row of below) console.log(`below 1: ${line(row)}`);
}

const keyOf = ({ operation, pattern, size, mode }) => [operation, pattern, size, mode].join();

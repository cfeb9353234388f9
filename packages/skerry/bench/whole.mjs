// The whole table: seven patterns, three squares and a cube, eight operations, and three ways in and out, on each device, beside the peers.
//
//     npm run bench -- whole [--python PYTHON] [--npm FOLDER] [--yacclab CHECKOUT] [--gpu] [--only OPERATION,...] [--sizes 512,2048,8192,512^3]
//                            [--patterns WORDS] [--markdown] [--json FILE] [--before FILE]
//
// "resident": pixels that load() put on the device, to a result that stays there. "table": an ordinary array to the numbers of its objects.
// "labels": an ordinary array to an array that was touched before: labels, a mask, distances, classes, pixels. Medians of seven
// warm calls, more if they take under 0.3 s together, fewer if they take over 1 s; the peers in processes of their own, one after
// another: peers/whole.py with what that Python has, peers/whole-node.mjs with what the folder's node_modules has, and YACCLAB's drivers.
// A row is below 1 where a peer is faster than the faster device of skerry. Peers with a clock of the device are compared with the kernels
// alone. Those that did not run are listed with the reason.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { open, requestDevice } from "skerry";
import { bytesOfBuffer } from "../dist/core/allocation.js";
import { chosen, heading, notes, sourcePeer } from "./peer.mjs";
import { median } from "./peers/measure.mjs";
import { compiled, SOURCE_OPTIONS, YACCLAB, YACCLAB_3D, YACCLAB_4, YACCLAB_CPU } from "./source-peers.mjs";
import { PATTERNS, SIZES, stackOf, wholeImage } from "./whole-images.mjs";

const ROUNDS = 7;
const LEAST_MILLISECONDS = 300;
const MOST_MILLISECONDS = 1000;
const CLOCKED_ROUNDS = 3;
const WARM_MILLISECONDS = 300;
const DEVICES = ["cpu", "gpu"];
/** STORAGE, COPY_SRC and COPY_DST. */
const RESULT = 0x8c;
const script = (name) => fileURLToPath(new URL(`peers/${name}`, import.meta.url));

const count = ({ width, height, depth = 1 }) => width * height * depth;
const near = ({ depth }) => ({ connectivity: depth ? 26 : 8 });
const nearest = ({ depth }) => ({ connectivity: depth ? 6 : 4 });
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

/** Where a result stays on its device: in a buffer of the card, or in memory of the engine. */
const there = (kept) => ("usage" in kept ? { as: "buffer", into: kept } : { into: kept });
const labelsThere = (found, kept) => found.labels(there(kept));

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
  "label, 4 or 6": {
    kind: "bits",
    type: "u32",
    resident: (engine, image, raster, kept) =>
      components(engine, image, nearest(raster), (found) => labelsThere(found, kept)),
  },
  "64 images at once": {
    kind: "stack",
    type: "u32",
    resident: async (engine, image) => {
      const slices = await tick(engine, engine.components(image, { each: true, connectivity: 8 }));
      for (const found of slices) found.dispose();
    },
    table: async (engine, raster) => {
      const slices = await tick(engine, engine.components(raster, { each: true, connectivity: 8 }));
      for (const found of slices) await tick(engine, found.regions());
      for (const found of slices) found.dispose();
    },
  },
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
    resident: (engine, image, _, kept) => tick(engine, engine.distance(image, there(kept))),
  },
  "k-means": {
    kind: "colours",
    type: "u8",
    labels: (engine, raster, into) => tick(engine, engine.kmeans(raster, { ...COLOURS, into })),
    resident: (engine, image, _, kept) => tick(engine, engine.kmeans(image, { ...COLOURS, ...there(kept) })),
  },
  smoothing: {
    kind: "bits",
    type: "u8",
    labels: async (engine, raster, into) => {
      const soft = await tick(engine, engine.smooth(raster, { sigma: 2 }));
      await soft.toRaster({ into });
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
async function timed(call, rounds, warm, spin) {
  // A card that waits lowers its clock.
  for (const begin = performance.now(); performance.now() - begin < warm; ) await call();
  const wall = [];
  const device = [];
  const goesOn = (round, spent) =>
    round <= rounds ? spent < MOST_MILLISECONDS : rounds === ROUNDS && spent < LEAST_MILLISECONDS;
  for (let round = 0, spent = 0; round < 2 || goesOn(round, spent); round++) {
    await spin?.();
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

const notRun = new Map();

/** The times of a peer's script; a peer that did not run is kept with its reason. */
function scriptPeers(command, args) {
  try {
    const text = execFileSync(command, args, {
      encoding: "utf8",
      maxBuffer: 2 ** 24,
      stdio: ["ignore", "pipe", "pipe"],
    });
    return text
      .trim()
      .split("\n")
      .filter((line) => line.startsWith("["))
      .map((line) => {
        const found = JSON.parse(line);
        for (const { name, reason } of found) if (reason) notRun.set(name, reason);
        return found.filter(({ reason }) => reason === undefined);
      });
  } catch (error) {
    notes.push(`${args.slice(0, 3).join(" ")}: ${String(error.message).split("\n")[0]}`);
    return [];
  }
}

const sidesOf = ({ width, height, depth }) => [...(depth ? [depth] : []), height, width].join("x");
/** The peers of Python on several inputs of one size, in one process. */
function pythonPeers(python, operation, images) {
  const [{ raster }] = images;
  const args = [script("whole.py"), operation, sidesOf(raster), String(raster.channels ?? 1)];
  return scriptPeers(python, [...args, ...images.map(({ path }) => path)]);
}
const nodePeers = (folder, operation, { path, raster }) =>
  scriptPeers(process.execPath, [script("whole-node.mjs"), operation, sidesOf(raster), path, folder]);

/** YACCLAB's labellers of an operation on a size, which are compiled once: on one thread of the CPU, and on the GPU. */
function labellersOf(operation, { depth }, { yacclab, gpu }) {
  const flat = operation === "label" && !depth;
  const near = flat ? Object.entries(YACCLAB_CPU) : [];
  const far = Object.entries({
    ...(flat && YACCLAB),
    ...(operation === "label" && depth && YACCLAB_3D),
    ...(operation === "label, 4 or 6" && !depth && YACCLAB_4),
  });
  const program = (driver, name, file) => {
    const key = `${driver} ${name}`;
    if (!programs.has(key))
      programs.set(key, yacclab && compiled(driver, yacclab, (note) => notRun.set(name, note), file));
    return programs.get(key);
  };
  if (!yacclab) for (const [name] of [...near, ...far]) notRun.set(name, "no checkout of YACCLAB (--yacclab PATH)");
  return [
    ...near.map(([name, file]) => ({ name, mode: "labels", program: program("yacclab-cpu", name, file) })),
    ...(gpu ? far : []).map(([name, file]) => ({
      name,
      mode: "resident",
      clock: "device",
      program: program("yacclab", name, file),
    })),
  ].filter(({ program: made }) => made);
}
const programs = new Map();

async function sourcePeers(operation, { path, raster }, values) {
  const found = [];
  const side = String(raster.width);
  for (const { name, mode, clock, program } of labellersOf(operation, raster, values)) {
    const own = await sourcePeer(program, clock ? [side, path] : [path, side, String(raster.height)]);
    if (own) found.push({ name, mode, clock, milliseconds: clock ? own.label : own.medians[0] });
  }
  return found;
}

export async function benchWhole(args) {
  const { values } = parseArgs({
    args,
    options: {
      python: { type: "string" },
      npm: { type: "string" },
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
  const sizes = chosen("--sizes", values.sizes, Object.keys(SIZES));
  // A name with a comma cannot be chosen on its own.
  const only =
    values.only &&
    chosen(
      "--only",
      values.only,
      Object.keys(OPERATIONS).filter((name) => !name.includes(",")),
    );
  const engines = { cpu: await open({ device: "cpu" }) };
  let card;
  let spin;
  if (values.gpu) {
    const { create } = await import("webgpu");
    const root = create(["disable-dawn-features=timestamp_quantization"]);
    card = await requestDevice({ gpu: root, software: true });
    // Timing stages on the device takes another read-back, so the wall is that of an engine without.
    engines.gpu = await open({ device: "gpu", gpu: card });
    engines.clocked = await open({ device: "gpu", gpu: card, profile: true });
    spin = spinning(card);
  }
  const rows = [];
  for (const size of sizes) {
    for (const [operation, given] of Object.entries(OPERATIONS)) {
      if (only && !only.includes(operation)) continue;
      if (given.kind === "stack" && size !== "512") continue;
      const patterns = PATTERNS.filter((name) => name.includes(values.patterns));
      const imageOf = (pattern) => (given.kind === "stack" ? stackOf(pattern) : wholeImage(given.kind, pattern, size));
      // Python starts once for all patterns.
      const hasPeers = given.kind !== "stack" && values.python;
      const listed = hasPeers ? pythonPeers(values.python, operation, patterns.map(imageOf)) : [];
      for (const [i, pattern] of patterns.entries()) {
        const image = imageOf(pattern);
        const peers = [
          ...(listed[i] ?? []),
          ...(image.path && values.npm ? nodePeers(values.npm, operation, image).flat() : []),
          ...(image.path ? await sourcePeers(operation, image, values) : []),
        ];
        const own = {};
        for (const device of DEVICES.filter((name) => engines[name])) {
          own[device] = await measured(engines[device], card, given, image, ROUNDS);
        }
        if (own.gpu) {
          const clocked = await measured(engines.clocked, card, given, image, CLOCKED_ROUNDS, spin);
          for (const mode of Object.keys(own.gpu)) own.gpu[mode].device = clocked[mode].device;
        }
        for (const mode of MODES.filter((mode) => given[mode])) {
          const beside = peers.filter((peer) => peer.mode === mode);
          rows.push({ operation, pattern, size, mode, cpu: own.cpu[mode], gpu: own.gpu?.[mode], peers: beside });
          console.error(line(rows.at(-1)));
        }
      }
    }
  }
  for (const engine of Object.values(engines)) await engine.close();
  card?.destroy();
  if (values.json) writeFileSync(values.json, JSON.stringify({ heading: heading(), rows }));
  print(rows, values, engines.gpu !== undefined);
  for (const note of notes) console.log(note);
}

/** Copies within the card for some 50 ms: kernels of peers follow each other, while calls with timings wait between theirs. */
function spinning(card) {
  const [from, to] = [0, 1].map(() => card.createBuffer({ size: 2 ** 28, usage: RESULT }));
  return async () => {
    const encoder = card.createCommandEncoder();
    for (let i = 0; i < 300; i++) encoder.copyBufferToBuffer(from, 0, to, 0, from.size);
    card.queue.submit([encoder.finish()]);
    await card.queue.onSubmittedWorkDone();
  };
}

/** The times of an operation's modes on one engine; `spin` comes before each call. */
async function measured(engine, card, given, image, rounds, spin) {
  const { raster } = image;
  const times = {};
  const near = engine.describe().device === "cpu";
  const warm = near ? 0 : WARM_MILLISECONDS;
  const into = new ARRAYS[given.type](count(raster)).fill(1);
  for (const mode of ["table", "labels"]) {
    if (given[mode]) times[mode] = await timed(() => given[mode](engine, raster, into), rounds, warm, spin);
  }
  const loaded = await engine.load(raster);
  // Results stay where they were computed: in memory of the engine, or in a buffer of the card.
  const size = bytesOfBuffer(count(raster) * ARRAYS[given.type].BYTES_PER_ELEMENT);
  const kept = near ? engine.allocate(given.type, count(raster)) : card.createBuffer({ size, usage: RESULT });
  const call = async () => {
    await given.resident(engine, loaded, raster, kept);
    // A result that stays on the card may not be complete yet.
    if (!near) await card.queue.onSubmittedWorkDone();
  };
  times.resident = await timed(call, rounds, warm, spin);
  if (near) engine.free(kept);
  else kept.destroy();
  loaded.dispose();
  return times;
}

const best = ({ cpu, gpu }) => Math.min(cpu.wall, gpu?.wall ?? Number.POSITIVE_INFINITY);
/** How many times as long as skerry a peer takes; by the device's clock if that is the peer's. */
const against = (row, { clock, milliseconds }) =>
  milliseconds / (clock && row.gpu?.device ? row.gpu.device : best(row));
const ratio = (row) => (row.peers.length > 0 ? Math.min(...row.peers.map((peer) => against(row, peer))) : undefined);
/** The peers of a row, the one that comes off best first. */
const ranked = (row) => [...row.peers].sort((a, b) => against(row, a) - against(row, b));
const ms = (value) =>
  value === undefined ? "-" : value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
const line = (row) =>
  `${row.operation}, ${row.pattern}, ${row.size}, ${row.mode}: ${ms(row.cpu.wall)} ${ms(row.gpu?.wall)} (${ms(row.gpu?.device)}); ${ranked(row).map(named).join(", ")}`;
const named = ({ name, clock, milliseconds }) => `${name}${clock ? " (kernels)" : ""} ${ms(milliseconds)}`;

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
    const [first, ...others] = ranked(row).map(named);
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
  for (const [name, reason] of notRun) console.log(`not run: ${name}: ${reason}`);
}

const keyOf = ({ operation, pattern, size, mode }) => [operation, pattern, size, mode].join();

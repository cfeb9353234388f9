// K-means on the GPU: device time from resident pixels to resident classes, from given colours, each result compared with
// the CPU's; and one step of Lloyd's algorithm on every pixel with PyTorch on the same card.

import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { open } from "skerry";
import { Context, ScratchScope } from "../dist/gpu/device/context.js";
import { Device } from "../dist/gpu/device/device.js";
import { median, referenceCopy, timed, warm } from "./gpu-stages.mjs";
import { landscape, randomColours, someColours } from "./kmeans-images.mjs";

const [WIDTH, HEIGHT] = [3652, 2739];

/** Two colours in turn: every pixel waits for one of two counters. */
function checkers() {
  const data = new Uint8Array(WIDTH * HEIGHT * 3).map((_, i) => ((Math.floor(i / 3) & 1) === 0 ? 200 : 30));
  return { data, width: WIDTH, height: HEIGHT, channels: 3 };
}

function grey() {
  const { data } = landscape(WIDTH, HEIGHT);
  return { data: data.filter((_, i) => i % 3 === 1), width: WIDTH, height: HEIGHT, channels: 1 };
}

export const INPUTS = [
  ["landscape", () => landscape(WIDTH, HEIGHT)],
  ["random", () => randomColours(WIDTH, HEIGHT)],
  ["two colours in turn", checkers],
  ["grey", grey],
];
const CASES = {
  landscape: [
    ...[4, 16, 64, 128, 255].flatMap((k) => [
      [k, { maxIterations: 20 }],
      [k, { maxIterations: 100_000 }],
    ]),
    [255, { maxIterations: 20, metric: "l1" }],
    [255, { maxIterations: 20, metric: "l1-mean" }],
    [255, { maxIterations: 20, colourSpace: "oklab" }],
  ],
  random: [[255, { maxIterations: 20 }]],
  "two colours in turn": [[2, { maxIterations: 20 }]],
  grey: [[16, { maxIterations: 20 }]],
};

/** Stages on the device. The time of iterations also has the gaps between their passes. */
const STAGES = ["count colours", "list colours", "boxes", "assign", "update", "assess", "classes of pixels"];

export async function kmeans(root, rounds, print, ms, only = "", compare = true, json = undefined) {
  const device = await Device.open({ gpu: root, software: true });
  if (device instanceof Error) throw device;
  const context = new Context(device, true);
  const scope = new ScratchScope(context);
  const size = 64 << 20;
  const reference = referenceCopy(
    size,
    await scope.allocate(size, "reference"),
    await scope.allocate(size * 4, "reference"),
  );
  const gpu = await open({ device: "gpu", gpu: root, profile: true });
  const cpu = compare ? await open({ device: "cpu" }) : undefined;
  const rows = [];
  const records = [];
  for (const [name, make] of INPUTS.filter(([each]) => each.includes(only))) {
    const picture = make();
    const image = await gpu.load(picture);
    for (const [k, options] of CASES[name]) {
      const init = name === "landscape" ? someColours(picture, k) : spread(k, picture.channels);
      const wanted = { init, ...options };
      const few = options.maxIterations > 20 ? Math.min(3, rounds) : rounds;
      await warm(context, reference, size);
      let found = await gpu.kmeans(image, wanted);
      const samples = { copy: [], all: [], wall: [], iterations: [] };
      for (const stage of STAGES) samples[stage] = [];
      for (let round = 0; round < few; round++) {
        samples.copy.push((await timed(context, reference)).copy);
        const begin = performance.now();
        found = await gpu.kmeans(image, wanted);
        samples.wall.push(performance.now() - begin);
        const { stages, all, iterations } = summed(gpu.timings);
        samples.all.push(all);
        samples.iterations.push(iterations);
        for (const stage of STAGES) samples[stage].push(stages[stage] ?? 0);
      }
      const equal = cpu ? compared(found, await cpu.kmeans(picture, wanted)) : "-";
      const label = [options.metric, options.colourSpace].filter(Boolean).join(" ");
      const step = compare && !label && name === "landscape" && few === rounds ? torch(picture, init, k) : undefined;
      const times = [...STAGES, "iterations", "all", "wall"].map((stage) => median(samples[stage]));
      rows.push([
        `${name} ${label}`.trim(),
        k,
        found.iterations,
        ms(median(samples.copy)),
        ...times.map(ms),
        ms(step),
        step === undefined ? "-" : `${((step * found.iterations) / median(samples.all)).toFixed(0)}x`,
        equal,
      ]);
      records.push({ name, k, ...options, iterations: found.iterations, all: median(samples.all), torch: step });
    }
    image.dispose();
  }
  console.log(
    `\nk-means of ${WIDTH} x ${HEIGHT} RGB: device ms, median of ${rounds}, resident pixels to resident classes, from given colours; wall: to classes on the host`,
  );
  const head = ["input", "k", "iterations", "copy", ...STAGES, "iterations ms", "all", "wall"];
  print([...head, "PyTorch step", "PyTorch / all", "against the CPU"], rows);
  if (json) writeFileSync(json, JSON.stringify({ device: device.adapter.description, records }));
  await cpu?.close();
  await gpu.close();
  scope.freeAll();
  context.close();
}

/** Sums a call's timings of the device: passes, and those of iterations with the gaps between them. */
function summed(timings) {
  const stages = {};
  let group = {};
  let all = 0;
  let iterations = 0;
  for (const { stage, milliseconds, clock } of timings) {
    if (clock !== "device") {
      group = {};
      continue;
    }
    if (stage !== "on the device") {
      stages[stage] = (stages[stage] ?? 0) + milliseconds;
      group[stage] = milliseconds;
      continue;
    }
    // While colours are counted, the host reads their number. This pause is left out.
    const counting = "count colours" in group || "boxes" in group;
    all += counting ? Object.values(group).reduce((sum, n) => sum + n, 0) : milliseconds;
    if ("update" in group) iterations = milliseconds;
  }
  return { stages, all, iterations };
}

/** Colours all over the cube, or the range. */
function spread(k, channels) {
  return Array.from({ length: k }, (_, i) => {
    const colour = [(i * 37) % 256, (i * 101) % 256, (i * 211) % 256];
    return channels === 1 ? [Math.floor((i * 255) / Math.max(1, k - 1))] : colour;
  });
}

function compared(found, expected) {
  const facts = ({ k, iterations, inertia, converged, palette, counts, centres }) =>
    JSON.stringify([k, iterations, inertia, converged, [...palette], [...counts], [...centres]]);
  if (facts(found) !== facts(expected)) return "centres differ";
  const wrong = found.data.reduce((sum, name, i) => sum + Number(name !== expected.data[i]), 0);
  return wrong ? `${wrong} pixels differ` : "equal";
}

/** PyTorch's milliseconds for a step. */
function torch({ data }, init, k) {
  const folder = join(tmpdir(), "skerry-bench");
  mkdirSync(folder, { recursive: true });
  const [file, colours] = [join(folder, "kmeans.raw"), join(folder, "kmeans-colours.raw")];
  writeFileSync(file, data);
  writeFileSync(colours, init);
  const script = fileURLToPath(new URL("peers/kmeans-torch.py", import.meta.url));
  try {
    const options = { encoding: "utf8", timeout: 120_000, stdio: ["ignore", "pipe", "pipe"] };
    const out = execFileSync(process.env.PYTHON ?? "python3", [script, file, colours, String(k)], options);
    return JSON.parse(out.trim().split("\n").at(-1)).step;
  } catch (error) {
    const lines = String(error.stderr || error.message).split("\n");
    console.log(`skipped PyTorch: ${(lines.find((line) => /rror/.test(line)) ?? error.message).trim().slice(0, 160)}`);
    return undefined;
  }
}

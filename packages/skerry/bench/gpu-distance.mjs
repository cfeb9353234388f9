// Distance maps on the GPU: device time from resident bits to resident values, each map compared with the CPU's, and
// CuPy's distance_transform_edt and PBA+ on the same card.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { open } from "skerry";
import { Context, ScratchScope } from "../dist/gpu/device/context.js";
import { Device } from "../dist/gpu/device/device.js";
import { recordDistances } from "../dist/gpu/distance.js";
import { freePlanes, makePlanes, uploadMask } from "../dist/gpu/mask.js";
import { planDistance } from "../dist/options/distance.js";
import { bytesOf, headMask, siteMask } from "./distance-images.mjs";
import { median, referenceCopy, timed, warm } from "./gpu-stages.mjs";
import { compiled } from "./source-peers.mjs";

const HEAD = { width: 625, height: 625, depth: 592 };
const SURFACE = { to: "surface" };
export const INPUTS = [
  ["head, whole", () => headMask(HEAD), SURFACE],
  ["head, max 36", () => headMask(HEAD), { ...SURFACE, max: 36 }],
  ["head, max 10", () => headMask(HEAD), { ...SURFACE, max: 10 }],
  ["512^3, 1 % sites", () => siteMask({ width: 512, height: 512, depth: 512 }, 0.01), {}],
  ["8192^2, 0.1 % sites", () => siteMask({ width: 8192, height: 8192 }, 0.001), {}],
  ["8192^2, one corner", () => siteMask({ width: 8192, height: 8192 }, 1e-8), {}],
  ["head, nearest", () => headMask(HEAD), { ...SURFACE, nearest: true }],
  ["head, 0.7 x 1.1 x 1.3", () => headMask(HEAD), { ...SURFACE, spacing: [0.7, 1.1, 1.3] }],
];

export async function distances(root, rounds, print, ms, only = "", compare = true, checkout) {
  const pba = compiled("pba", checkout, console.log);
  const device = await Device.open({ gpu: root, software: true });
  if (device instanceof Error) throw device;
  const context = new Context(device, true);
  const cpu = compare ? await open({ device: "cpu" }) : undefined;
  const rows = [];
  const columns = ["rows", "search", "columns", "slices"];
  for (const [name, make, options] of INPUTS.filter(([name]) => name.includes(only))) {
    const mask = make();
    const { width, height, depth } = mask;
    const pixels = width * height * depth;
    const plan = planDistance(options, mask, options.spacing ?? [1, 1, 1]);
    const scope = new ScratchScope(context);
    const planes = await makePlanes(context, mask, 1, async (made) => {
      const commands = context.commands();
      await uploadMask(context, commands, { kind: "mask", ...mask }, made);
      await commands.submit();
    });
    const values = await scope.allocate(pixels * 4, "values");
    const nearest = plan.nearest ? await scope.allocate(pixels * 4, "nearest") : undefined;
    const copied = Math.floor(pixels / 4) * 4;
    const source = await scope.allocate(copied, "reference");
    const target = await scope.allocate(copied * 4, "reference");
    const reference = referenceCopy(copied, source, target);
    const record = async (commands) => {
      const own = new ScratchScope(context);
      await recordDistances(own, commands, planes, plan, { values, nearest });
      own.freeAll();
    };
    await timed(context, record);
    await warm(context, reference, pixels);
    const samples = { copy: [], all: [], rows: [], search: [], columns: [], slices: [] };
    for (let round = 0; round < rounds; round++) {
      samples.copy.push((await timed(context, reference)).copy);
      const found = await timed(context, record);
      samples.all.push(found["on the device"]);
      for (const stage of columns) samples[stage].push(found[stage] ?? 0);
    }
    let equal = "-";
    if (cpu) {
      const own = new Uint32Array(pixels);
      await context.read(context.commands(), values, 0, pixels * 4, (piece, at) => {
        own.set(new Uint32Array(piece, 0, Math.min(piece.byteLength / 4, pixels - at / 4)), at / 4);
      });
      const expected = await cpu.distance(mask, options);
      equal = compared(new Float32Array(own.buffer), expected.data);
      if (nearest) {
        await context.read(context.commands(), nearest, 0, pixels * 4, (piece, at) => {
          own.set(new Uint32Array(piece, 0, Math.min(piece.byteLength / 4, pixels - at / 4)), at / 4);
        });
        let wrong = 0;
        for (let i = 0; i < pixels; i++) if (own[i] !== expected.nearest[i]) wrong++;
        equal += wrong ? `, ${wrong} sites differ` : ", sites equal";
      }
    }
    freePlanes(context, planes);
    scope.freeAll();
    context.memory.trim();
    const whole = compare && !Object.keys(options).some((key) => key === "max" || key === "nearest");
    const other = whole ? cupy(mask, name, options) : undefined;
    const banded = whole && pba && !options.spacing && depth > 1 ? plus(pba, mask, name, options) : undefined;
    const all = median(samples.all);
    rows.push([
      name,
      ms(median(samples.copy)),
      ...columns.map((stage) => ms(median(samples[stage]))),
      ms(all),
      ms(other),
      other === undefined ? "-" : `${(other / all).toFixed(1)}x`,
      ms(banded?.distance),
      banded === undefined ? "-" : `${(banded.distance / all).toFixed(1)}x`,
      equal,
    ]);
  }
  console.log(
    `\ndistance maps: device ms, median of ${rounds}, resident bits to resident f32; the CPU's map beside each`,
  );
  print(["input", "copy", ...columns, "all", "CuPy", "CuPy / all", "PBA+", "PBA+ / all", "against the CPU"], rows);
  await cpu?.close();
  context.close();
}

/** How two maps differ: by the last bit of a square root, or more. */
function compared(found, expected) {
  let differing = 0;
  let most = 0;
  for (let i = 0; i < found.length; i++) {
    if (found[i] === expected[i]) continue;
    differing++;
    most = Math.max(most, Math.abs(found[i] - expected[i]) / expected[i] || Number.POSITIVE_INFINITY);
  }
  return differing ? `${differing} by up to ${most.toExponential(1)}` : "equal";
}

/** The mask as a file of one byte per pixel. */
function fileOf(mask, name) {
  const folder = join(tmpdir(), "skerry-bench");
  const file = join(folder, `${name.replace(/[^a-z0-9.]+/gi, "-")}.raw`);
  mkdirSync(folder, { recursive: true });
  if (!existsSync(file)) writeFileSync(file, bytesOf(mask));
  return file;
}

/** Runs a peer, and returns the JSON of its last line; undefined if it failed, with the reason printed. */
function run(who, name, command, args) {
  try {
    const stdio = ["ignore", "pipe", "pipe"];
    const out = execFileSync(command, args.map(String), { encoding: "utf8", timeout: 120_000, stdio });
    return JSON.parse(out.trim().split("\n").at(-1));
  } catch (error) {
    const lines = String(error.stderr || error.message).split("\n");
    const reason = lines.find((line) => /rror/.test(line)) ?? error.message;
    console.log(`skipped ${who} on ${name}: ${reason.trim().slice(0, 160)}`);
    return undefined;
  }
}

const sitesOf = ({ to }) => (to === "surface" ? "surface" : "sites");

/** CuPy's milliseconds for the same sites. */
function cupy(mask, name, options) {
  const { width, height, depth } = mask;
  const script = fileURLToPath(new URL("peers/distance-cupy.py", import.meta.url));
  const args = [script, fileOf(mask, name), width, height, depth, sitesOf(options), ...(options.spacing ?? [1, 1, 1])];
  return run("CuPy", name, process.env.PYTHON ?? "python3", args)?.distance;
}

/** PBA+ for the same sites. */
function plus(program, mask, name, options) {
  const { width, height, depth } = mask;
  return run("PBA+", name, program, [fileOf(mask, name), width, height, depth, sitesOf(options)]);
}

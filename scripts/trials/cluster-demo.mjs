// Demonstrates a run over many machines on this machine: renders an OME-Zarr volume, labels it with two workers over a shared
// folder, kills one at its first output, and compares labels and table with those of one process.
//
//     npm run cluster:demo [-- --side 512]

import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { spaceOf } from "@skerry/files";
import { zarrSink, zarrSource } from "@skerry/files/zarr";

const { values } = parseArgs({ options: { side: { type: "string", default: "512" } } });
const side = Number(values.side);
const block = Math.max(64, side / 4);
const skerry = fileURLToPath(new URL("../../packages/cli/bin/skerry.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "skerry-demo-"));
const rows = [];
const tell = (what, seconds) => rows.push({ step: what, seconds: Math.round(seconds * 10) / 10 });

const run = (...args) => {
  const begin = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, [skerry, ...args], { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`skerry ${args.join(" ")}: ${stderr}`);
  return { stdout, seconds: (performance.now() - begin) / 1000 };
};

/** Soft balls on a jittered lattice, by slices. */
async function render(path) {
  const begin = performance.now();
  const sink = await zarrSink(path, {
    width: side,
    height: side,
    depth: side,
    type: "u8",
    labels: false,
    space: spaceOf({ size: { width: side, height: side, depth: side }, spacing: [1, 1, 1], unit: "um" }),
  });
  const slice = new Uint8Array(side * side);
  const step = 32;
  const noise = (x, y, z) =>
    (((Math.imul(x, 73856093) ^ Math.imul(y, 19349663) ^ Math.imul(z, 83492791)) >>> 0) % 1000) / 1000;
  for (let z = 0; z < side; z++) {
    slice.fill(0);
    for (let cz = Math.floor(z / step) - 1; cz <= Math.floor(z / step) + 1; cz++) {
      for (let cy = 0; cy < side / step; cy++) {
        for (let cx = 0; cx < side / step; cx++) {
          const r = 8 + 10 * noise(cx, cy, cz);
          const [mx, my, mz] = [(cx + 0.3 + 0.4 * noise(cz, cx, cy)) * step, (cy + 0.5) * step, (cz + 0.5) * step];
          const rest = r * r - (z - mz) ** 2;
          if (rest <= 0) continue;
          const half = Math.sqrt(rest);
          for (let y = Math.max(0, Math.ceil(my - half)); y <= Math.min(side - 1, my + half); y++) {
            const width = Math.sqrt(Math.max(0, rest - (y - my) ** 2));
            slice.fill(
              200,
              y * side + Math.max(0, Math.ceil(mx - width)),
              y * side + Math.min(side, Math.floor(mx + width) + 1),
            );
          }
        }
      }
    }
    await sink.write(z, z + 1, 0, side, slice);
  }
  await sink.finish();
  tell(`render ${side}^3 voxels`, (performance.now() - begin) / 1000);
}

/** A worker, which may be killed at its first output. */
function worker(part, isKilled) {
  const own = spawn(
    process.execPath,
    [skerry, "cluster", "worker", "--run", "plan.json", "--part", part, "--threads", "1"],
    {
      cwd: folder,
    },
  );
  return new Promise((resolve) => {
    own.stdout.on("data", () => isKilled && own.kill("SIGKILL"));
    own.on("close", (code, signal) => resolve(signal ?? code));
  });
}

async function labelsOf(path) {
  const source = await zarrSource(path);
  const { width, height, depth } = source;
  const data = new Uint32Array(width * height * depth);
  await source.read(0, depth, 0, height, data, {});
  source.close();
  return data;
}

try {
  const image = join(folder, "balls.zarr");
  await render(image);
  const flags = ["--threshold", ">120", "--properties", "area,centroid,bounds,surfaceArea,eulerNumber"];
  const planned = run(
    "plan",
    "label",
    "balls.zarr",
    ...flags,
    "-o",
    "balls.zarr",
    "--name",
    "many",
    "--regions",
    "many.csv",
    "--block",
    `${block}`,
  );
  const { writeFileSync } = await import("node:fs");
  writeFileSync(join(folder, "plan.json"), planned.stdout);
  // Submits without starting workers: writes the plan to the shared folder, as for sbatch.
  run("cluster", "submit", "plan.json", "--on", "slurm");
  let begin = performance.now();
  const [killed, other] = await Promise.all([worker("1/2", true), worker("2/2", false)]);
  tell(
    `two workers, one killed at its first output (${killed}); the other does the rest (${other})`,
    (performance.now() - begin) / 1000,
  );
  const status = JSON.parse(run("cluster", "status", "plan.json", "--json").stdout);
  const one = run("label", "balls.zarr", ...flags, "-o", "one.zarr", "--regions", "one.csv");
  tell("one process, all cores", one.seconds);
  begin = performance.now();
  const [many, alone] = [await labelsOf(join(image, "labels/many")), await labelsOf(join(folder, "one.zarr"))];
  let differing = 0;
  for (let i = 0; i < many.length; i++) if (many[i] !== alone[i]) differing++;
  const tables = readFileSync(join(folder, "many.csv")).equals(readFileSync(join(folder, "one.csv")));
  tell("compare", (performance.now() - begin) / 1000);
  const rowsOf = readFileSync(join(folder, "many.csv"), "utf8").split("\n").length - 2;
  console.table(rows);
  console.log(
    `${rowsOf} objects; ${differing} of ${many.length} labels differ from one process; tables ${tables ? "are equal" : "DIFFER"}`,
  );
  console.log(
    `input: ${status.input.chunks} chunks decoded; scratch: ${(status.scratch.written / many.length).toFixed(4)} bytes per voxel written, ${(status.scratch.read / many.length).toFixed(4)} read; ${availableParallelism()} cores`,
  );
  if (differing > 0 || !tables || !status.isFinished || killed !== "SIGKILL") process.exitCode = 1;
  run("cluster", "clean", "plan.json");
  if (
    existsSync(join(folder, ".balls.skerry")) ||
    readdirSync(join(image, "labels")).some((name) => name.startsWith("."))
  ) {
    throw new Error("skerry cluster clean left something behind");
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

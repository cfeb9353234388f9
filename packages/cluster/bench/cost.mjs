// Compares a distributed run with one process: CPU time, wall time with one and two workers, memory, chunks that were read, and
// bytes read from and written to the scratch. The volume is rendered if it does not exist.
//
//     node packages/cluster/bench/cost.mjs [--kind blobs|noise] [--size 1024] [--block 512] [--chunk 128] [--ome 0.5|0.4] [--folder DIR]

import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { zarrSink, zarrSource } from "@skerry/files/zarr";

const { values } = parseArgs({
  options: {
    kind: { type: "string", default: "blobs" },
    size: { type: "string", default: "1024" },
    block: { type: "string", default: "512" },
    chunk: { type: "string", default: "128" },
    ome: { type: "string", default: "0.5" },
    folder: { type: "string", default: tmpdir() },
  },
});
const [size, block, chunk] = [values.size, values.block, values.chunk].map(Number);
const skerry = fileURLToPath(new URL("../../cli/bin/skerry.js", import.meta.url));
const at = (name) => join(values.folder, name);
const image = at(`skerry-cost-${values.kind}-${size}.zarr`);
const flags = [
  "--threshold",
  ">127",
  "--connectivity",
  values.kind === "noise" ? "26" : "6",
  "--properties",
  "area,bounds,centroid",
];

/** Sums of waves, whose threshold gives blobs, with noise of 4 grey values; or only noise. */
async function render() {
  const sink = await zarrSink(image, {
    width: size,
    height: size,
    depth: size,
    type: "u8",
    labels: false,
    chunks: [chunk, chunk, chunk],
    version: values.ome,
  });
  const slice = new Uint8Array(size * size);
  const waves = Array.from({ length: size }, (_, i) => Math.sin(i / 9.3) + Math.sin(i / 23.7 + 1));
  let state = 1;
  for (let z = 0; z < size; z++) {
    for (let y = 0, at = 0; y < size; y++) {
      const row = waves[(y + 3 * z) % size] + waves[z];
      for (let x = 0; x < size; x++, at++) {
        state = (Math.imul(state, 1664525) + 1013904223) | 0;
        slice[at] =
          values.kind === "noise"
            ? state >>> 24
            : Math.max(0, Math.min(255, 95 + 30 * (row + waves[(x + y) % size]) * 0.5)) + ((state >>> 30) & 3);
      }
    }
    await sink.write(z, z + 1, 0, size, slice);
  }
  await sink.finish();
}

/** Runs commands concurrently. Returns seconds, CPU seconds, and the largest resident memory in MiB. */
async function timed(...commands) {
  const begin = performance.now();
  const ends = commands.map((args) => {
    const child = spawn(
      "bash",
      ["-c", `TIMEFORMAT='%U %S'; time "$@" >/dev/null`, "bash", process.execPath, skerry, ...args],
      { cwd: values.folder },
    );
    let text = "";
    let peak = 0;
    child.stderr.on("data", (data) => {
      text += data;
    });
    const timer = setInterval(() => {
      try {
        const ids = execFileSync("pgrep", ["-P", `${child.pid}`], { encoding: "utf8" })
          .trim()
          .split("\n");
        for (const id of ids)
          peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, "utf8"))?.[1] ?? 0));
      } catch {
        // The process has ended.
      }
    }, 300);
    return new Promise((resolve, reject) => {
      child.on("close", (code) => {
        clearInterval(timer);
        const [user, system] = (text.trim().split("\n").at(-1) ?? "").split(" ").map(Number);
        if (code === 0) resolve({ cpu: user + system, peak: peak / 1024 });
        else reject(new Error(text));
      });
    });
  });
  const all = await Promise.all(ends);
  return {
    seconds: (performance.now() - begin) / 1000,
    cpu: all.reduce((sum, { cpu }) => sum + cpu, 0),
    peak: Math.max(...all.map(({ peak }) => peak)),
  };
}

const run = (...args) =>
  execFileSync(process.execPath, [skerry, ...args], { cwd: values.folder, encoding: "utf8", maxBuffer: 2 ** 28 });

async function labelsOf(path) {
  const source = await zarrSource(path);
  const data = new Uint32Array(size * size * size);
  await source.read(0, size, 0, size, data, {});
  source.close();
  return data;
}

if (!existsSync(image)) await render();
const clear = (...names) => {
  for (const name of names) rmSync(at(name), { recursive: true, force: true });
};
clear("one.zarr", "many.zarr", "one.csv", "many.csv", "plan.json");
const one = await timed(["label", image, ...flags, "-o", "one.zarr", "--regions", "one.csv", "--quiet"]);
const rows = [{ what: "one process", ...one }];
let status;
for (const workers of [1, 2]) {
  clear("many.zarr", "many.csv");
  writeFileSync(
    at("plan.json"),
    run("cluster", "plan", "label", image, ...flags, "-o", "many.zarr", "--regions", "many.csv", "--block", `${block}`),
  );
  run("cluster", "submit", "plan.json", "--on", "slurm");
  const parts = Array.from({ length: workers }, (_, k) => [
    "worker",
    "--run",
    "plan.json",
    "--part",
    `${k + 1}/${workers}`,
    "--threads",
    "1",
    "--quiet",
  ]);
  const many = await timed(...parts);
  status = JSON.parse(run("cluster", "status", "plan.json", "--json"));
  rows.push({
    what: `${workers} ${workers === 1 ? "worker" : "workers"} of one thread`,
    ...many,
    "cpu / one": many.cpu / one.cpu,
  });
  if (workers < 2) run("cluster", "clean", "plan.json");
}
const [many, alone] = [await labelsOf(at("many.zarr")), await labelsOf(at("one.zarr"))];
let differing = 0;
for (let i = 0; i < many.length; i++) if (many[i] !== alone[i]) differing++;
const equal = readFileSync(at("many.csv")).equals(readFileSync(at("one.csv")));
const kinds = {};
for (const kind of [
  "bits",
  "faces",
  "fragments",
  "edges",
  "roots",
  "records",
  "order",
  "rows",
  "final",
  "moved",
  "table",
]) {
  const folder = join(status.run, kind);
  const listed = execFileSync("du", ["-sb", join(JSON.parse(readFileSync(at("plan.json"), "utf8")).scratch, folder)], {
    encoding: "utf8",
  });
  kinds[kind] = Number(listed.split("\t")[0]) / many.length;
}
const rounded = (n) => (typeof n === "number" ? Math.round(n * 100) / 100 : n);
console.table(rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, n]) => [name, rounded(n)]))));
console.log(
  `${values.kind} ${size}^3 u8, chunks of ${chunk}^3, ${status.phases[0].steps} blocks of ${block}^3; ${cpus()[0].model}, ${cpus().length} cores, Node ${process.versions.node}`,
);
console.log(
  `two workers ${(rows[1].seconds / rows[2].seconds).toFixed(2)} times one; ${differing} labels differ, tables ${equal ? "are equal" : "DIFFER"}`,
);
const chunks = Math.ceil(size / chunk) ** 3;
console.log(
  `input read ${(status.input.chunks / chunks).toFixed(3)} times; scratch ${((status.scratch.read + status.scratch.written) / many.length).toFixed(4)} bytes per voxel, written and read`,
);
console.log(
  `written, bytes per voxel: ${Object.entries(kinds)
    .map(([kind, n]) => `${kind} ${n.toFixed(4)}`)
    .join(", ")}`,
);
for (const { phase, steps, milliseconds } of status.phases)
  console.log(`${phase}: ${(milliseconds / steps).toFixed(0)} ms a step`);
run("cluster", "clean", "plan.json");
clear("one.zarr", "many.zarr", "one.csv", "many.csv", "plan.json");

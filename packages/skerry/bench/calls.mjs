// Calls as people make them, array in and table or labels out, beside the peers that Python has: README's table.
//
//     npm run bench -- calls --python PATH_OF_PYTHON [--gpu] [--only NAME,...] [--markdown]
//
// The peers read the same arrays in a process of their own (peers/calls.py), one after another, never at the same time. Medians of seven
// warm calls; skerry's results go into arrays that were touched before, the peers' into what they allocate. With --gpu a second engine
// runs on the GPU, by the wall and by its own clock.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { blobs, landscape, noise } from "@skerry/scenes";
import Table from "cli-table3";
import { open } from "skerry";
import { chosen, heading } from "./peer.mjs";

const ROUNDS = 7;
const script = fileURLToPath(new URL("peers/calls.py", import.meta.url));

/** Areas of equal value: tiles whose class is noise. */
function classMap(side) {
  const classes = noise(side / 8, 0.5);
  return Uint8Array.from({ length: side * side }, (_, i) => {
    const [x, y] = [(i % side) >> 3, Math.floor(i / side) >> 3];
    return 1 + ((classes[y * (side / 8) + x] + ((x * 7 + y * 13) >> 4)) % 5);
  });
}

/** A cube of balls. */
function cube(side) {
  const plane = blobs(side, 0.5);
  const data = new Uint8Array(side ** 3);
  for (let z = 0; z < side; z++)
    for (let i = 0; i < plane.length; i++) data[z * plane.length + i] = plane[(i + z * 131) % plane.length];
  return data;
}

const regions = async (engine, image, options) => {
  const found = await engine.components(image, options);
  const timings = [...engine.timings];
  await found.regions();
  found.dispose();
  return [...timings, ...engine.timings];
};

/** Each row: its words, the picture, the call, and the key of the peers' call. */
const ROWS = {
  small: {
    what: "label and measure 512 x 512",
    make: () => ({ data: blobs(512, 0.5), width: 512, height: 512 }),
    run: (engine, image) => regions(engine, image, { connectivity: 8 }),
    peers: "measure",
  },
  measure: {
    what: "label and measure 8192 x 8192, smooth",
    make: () => ({ data: blobs(8192, 0.5), width: 8192, height: 8192 }),
    run: (engine, image) => regions(engine, image, { connectivity: 8 }),
    peers: "measure",
  },
  sparse: {
    what: "label and measure 8192 x 8192, 2 % set",
    make: () => ({ data: noise(8192, 0.02), width: 8192, height: 8192 }),
    run: (engine, image) => regions(engine, image, { connectivity: 8 }),
    peers: "measure",
  },
  labels: {
    what: "labels of 8192 x 8192, smooth",
    make: () => ({ data: blobs(8192, 0.5), width: 8192, height: 8192 }),
    into: ({ data }) => new Uint32Array(data.length).fill(1),
    run: async (engine, image, into) => {
      const found = await engine.components(image, { connectivity: 8 });
      const timings = [...engine.timings];
      await found.labels({ into });
      found.dispose();
      return [...timings, ...engine.timings];
    },
    peers: "labels",
  },
  value: {
    what: "labels by value, 4096 x 4096, 5 classes",
    make: () => ({ data: classMap(4096), width: 4096, height: 4096 }),
    into: ({ data }) => new Uint32Array(data.length).fill(1),
    run: async (engine, image, into) => {
      const found = await engine.components(image, { by: "value", connectivity: 8 });
      const timings = [...engine.timings];
      await found.labels({ into });
      found.dispose();
      return [...timings, ...engine.timings];
    },
    peers: "value",
  },
  volume: {
    what: "label and measure 256 x 256 x 256",
    make: () => ({ data: cube(256), width: 256, height: 256, depth: 256 }),
    run: (engine, image) => regions(engine, image, { connectivity: 26 }),
    peers: "volume",
  },
  fill: {
    what: "fill 4096 x 4096 RGB, to a mask",
    make: () => ({ data: new Uint8Array(4096 * 4096 * 3).fill(90), width: 4096, height: 4096, channels: 3 }),
    run: async (engine, image) => {
      const found = await engine.fill(image, { seeds: [[0, 0]], tolerance: 9 });
      const timings = [...engine.timings];
      await found.mask();
      found.dispose();
      return [...timings, ...engine.timings];
    },
    peers: "fill",
  },
  distance: {
    what: "exact distances, 256 x 256 x 256",
    make: () => ({ data: cube(256), width: 256, height: 256, depth: 256 }),
    into: ({ data }) => new Float32Array(data.length).fill(1),
    run: async (engine, image, into) => {
      await engine.distance(image, { into });
      return [...engine.timings];
    },
    peers: "distance",
  },
  colours: {
    what: "k-means, 4 Mpx, k = 16, 20 steps",
    make: () => landscape(2048, 2048),
    into: ({ width, height }) => new Uint8Array(width * height).fill(1),
    run: async (engine, image, into) => {
      await engine.kmeans(image, { k: 16, metric: "l2", init: "kmeans++", maxIterations: 20, into });
      return [...engine.timings];
    },
    peers: "colours",
  },
  smooth: {
    what: "Gaussian of 8192 x 8192, sigma 2, to an image on the device",
    make: () => ({ data: landscape(8192, 8192).data.filter((_, i) => i % 3 === 0), width: 8192, height: 8192 }),
    run: async (engine, image) => {
      const soft = await engine.smooth(image, { sigma: 2 });
      const timings = [...engine.timings];
      soft.dispose();
      return timings;
    },
    peers: "smooth",
  },
};

const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];

/** Medians of warm calls: by the wall, and by the GPU's clock where there is one. */
async function timed(engine, { make, into: allocate, run }) {
  const image = make();
  const into = allocate?.(image);
  const clock = [];
  const wall = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const begin = performance.now();
    const timings = await run(engine, image, into);
    const milliseconds = performance.now() - begin;
    if (round === 0) continue;
    wall.push(milliseconds);
    clock.push(
      timings
        .filter((t) => t.clock === "device" && t.stage !== "on the device")
        .reduce((sum, t) => sum + t.milliseconds, 0),
    );
  }
  return { wall: median(wall), clock: median(clock), image };
}

/** Writes a .npy file of bytes. */
function writeNpy(path, { data, width, height, depth, channels = 1 }) {
  const shape = [...(depth ? [depth] : []), height, width, ...(channels > 1 ? [channels] : [])];
  const text = `{'descr': '|u1', 'fortran_order': False, 'shape': (${shape.join(", ")},), }`.padEnd(117);
  writeFileSync(
    path,
    Buffer.concat([Buffer.from("\x93NUMPY\x01\x00\x76\x00", "latin1"), Buffer.from(`${text}\n`), data]),
  );
}

export async function benchCalls(args) {
  const { values } = parseArgs({
    args,
    options: {
      python: { type: "string" },
      gpu: { type: "boolean" },
      only: { type: "string" },
      markdown: { type: "boolean" },
    },
  });
  const only = chosen("--only", values.only, Object.keys(ROWS));
  const folder = mkdtempSync(join(tmpdir(), "skerry-calls-"));
  const cpu = await open({ device: "cpu" });
  let gpu;
  if (values.gpu) {
    const { create } = await import("webgpu");
    gpu = await open({ device: "gpu", gpu: create(["disable-dawn-features=timestamp_quantization"]), profile: true });
  }
  const rows = [];
  try {
    for (const [name, row] of Object.entries(ROWS)) {
      if (!only.includes(name)) continue;
      const { wall, image } = await timed(cpu, row);
      const onGpu = gpu ? await timed(gpu, row) : undefined;
      const path = join(folder, `${name}.npy`);
      writeNpy(path, image);
      const peers = values.python
        ? JSON.parse(execFileSync(values.python, [script, row.peers, path], { encoding: "utf8", maxBuffer: 2 ** 24 }))
        : [];
      rmSync(path);
      rows.push({
        what: row.what,
        wall,
        gpu: onGpu?.wall,
        clock: onGpu?.clock,
        peers: peers.sort((a, b) => a.milliseconds - b.milliseconds),
      });
      console.error(
        `${row.what}: ${wall.toFixed(1)} ms; ${peers.map((p) => `${p.name} ${p.milliseconds.toFixed(1)}`).join(", ")}`,
      );
    }
  } finally {
    await cpu.close();
    await gpu?.close();
    rmSync(folder, { recursive: true });
  }
  print(rows, values, gpu !== undefined);
}

const number = (milliseconds) =>
  milliseconds === undefined
    ? "-"
    : milliseconds >= 1000
      ? `${(milliseconds / 1000).toFixed(2)} s`
      : `${milliseconds.toFixed(milliseconds < 10 ? 2 : milliseconds < 100 ? 1 : 0)} ms`;

function print(rows, { markdown }, hasGpu) {
  const head = [
    "call",
    "skerry, CPU",
    ...(hasGpu ? ["skerry, GPU", "of it the kernels"] : []),
    "strongest peer",
    "others",
  ];
  const cells = rows.map(({ what, wall, gpu, clock, peers: [best, ...others] }) => [
    what,
    number(wall),
    ...(hasGpu ? [number(gpu), clock > 0 ? number(clock) : "CPU"] : []),
    best ? `${best.name}: ${number(best.milliseconds)}` : "not run",
    others.map((p) => `${p.name}: ${number(p.milliseconds)}`).join(", "),
  ]);
  console.log(heading());
  if (markdown) {
    console.log([head, head.map(() => "---"), ...cells].map((row) => `| ${row.join(" | ")} |`).join("\n"));
    return;
  }
  const table = new Table({ head, style: { head: [], border: [] } });
  table.push(...cells);
  console.log(table.toString());
}

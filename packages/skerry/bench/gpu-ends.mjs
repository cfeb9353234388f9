// Wall clock from pixels on the host to results on the host, beside the CPU and beside the transfers alone.

import { Context } from "../dist/gpu/device/context.js";
import { Device } from "../dist/gpu/device/device.js";
import { open } from "../dist/index.js";
import { median } from "./gpu-stages.mjs";
import { SPARSE } from "./images.mjs";

async function clock(work) {
  const begin = performance.now();
  const result = await work();
  return [performance.now() - begin, result];
}

/** Reads `bytes` back from a buffer into kept memory, with no kernel before; `read()` returns its milliseconds. */
async function openReader(root, bytes) {
  const device = await Device.open({ gpu: root, software: true });
  const context = new Context(device);
  const into = new Uint8Array(bytes).fill(1);
  const buffer = await context.memory.allocate(bytes, "reference");
  const take = (piece, at) => into.set(new Uint8Array(piece, 0, Math.min(piece.byteLength, bytes - at)), at);
  const read = async () => (await clock(() => context.read(context.commands(), buffer, 0, bytes, take)))[0];
  return { read, close: () => context.close() };
}

export async function ends(root, names, pixelsOf, size, rounds, print, ms) {
  const gpu = await open({ device: "gpu", gpu: root });
  const cpu = await open({ device: "cpu" });
  const { threads } = cpu.describe();
  const few = Math.min(rounds, size > 8192 ? 5 : 10);
  const reader = await openReader(root, size * size * 4);
  console.log(
    `\n${size} x ${size}, 8-connected: wall clock, ms, median of ${few}, u8 on the host to results on the host`,
  );
  const into = new Uint32Array(size * size).fill(1);
  const rows = [];
  for (const name of names) {
    const raster = { data: pixelsOf(name), width: size, height: size };
    const kept = new Map();
    const add = (key, milliseconds) => kept.set(key, [...(kept.get(key) ?? []), milliseconds]);
    for (let round = 0; round < few + 1; round++) {
      for (const [device, engine] of Object.entries({ gpu, cpu })) {
        const [first, found] = await clock(() => engine.components(raster, { connectivity: 8 }));
        const [second] = await clock(() => found.regions());
        const [third] = await clock(() => found.labels({ into }));
        found.dispose();
        if (round === 0) continue;
        add(`${device} regions`, first + second);
        add(`${device} labels`, third);
        add(`${device} both`, first + second + third);
      }
      const alone = await reader.read();
      const [load, image] = await clock(() => gpu.load(raster));
      const [resident, found] = await clock(async () => {
        const found = await gpu.components(image, { connectivity: 8 });
        await found.regions();
        return found;
      });
      found.dispose();
      image.dispose();
      if (round === 0) continue;
      add("alone", alone);
      add("load", load);
      add("resident", resident);
    }
    const of = (key) => median(kept.get(key));
    rows.push([
      name,
      ...["gpu regions", "gpu labels", "gpu both", "load", "resident", "cpu regions", "cpu labels", "cpu both"].map(
        (key) => ms(of(key)),
      ),
      ms(of("alone")),
      `${(of("gpu labels") / of("alone")).toFixed(2)}x`,
    ]);
  }
  print(
    [
      "image",
      "to regions",
      "labels into kept",
      "both",
      "upload alone",
      "resident to regions",
      `CPU ${threads} threads: regions`,
      "labels",
      "both",
      "read back alone",
      "labels / that",
    ],
    rows,
  );
  reader.close();
  await gpu.close();
  await cpu.close();
}

/** At several foreground densities: reading runs back against reading the mask and the labels. */
export async function reading(root, size, rounds, print, ms) {
  const gpu = await open({ device: "gpu", gpu: root });
  const into = new Uint32Array(size * size).fill(1);
  const reader = await openReader(root, size * size);
  console.log(`\n${size} x ${size}, smooth blobs: wall clock, ms, median of ${rounds}`);
  const rows = [];
  for (const percent of [1, 2, 4, 100]) {
    const data = SPARSE[percent](size);
    const found = await gpu.components({ data, width: size, height: size }, { connectivity: 8 });
    const times = { runs: [], mask: [], bytes: [], labels: [] };
    for (let round = 0; round < rounds + 1; round++) {
      const own = {
        runs: (await clock(() => found.runs()))[0],
        mask: (await clock(() => found.mask()))[0],
        bytes: await reader.read(),
        labels: (await clock(() => found.labels({ into })))[0],
      };
      if (round > 0) for (const [key, value] of Object.entries(own)) times[key].push(value);
    }
    rows.push([
      `${percent} %`,
      found.runCount,
      ...[times.runs, times.mask, times.bytes, times.labels].map((list) => ms(median(list))),
      `${(median(times.runs) / median(times.bytes)).toFixed(2)}x`,
    ]);
    found.dispose();
  }
  print(
    [
      "foreground",
      "runs",
      "runs, 16 B each",
      "mask, 1 bit",
      "mask, 1 byte (copy alone)",
      "labels, 4 B",
      "runs / byte mask",
    ],
    rows,
  );
  reader.close();
  await gpu.close();
}

/** An image larger than one binding, on a device of WebGPU's default limits: in strips, and with the CPU's result. */
export async function strips(root, pixelsOf, size, print, ms) {
  const adapter = await root.requestAdapter();
  const device = await adapter.requestDevice();
  const gpu = await open({ device: "gpu", gpu: device });
  const cpu = await open({ device: "cpu" });
  const { bindingBytes } = gpu.describe().gpu;
  console.log(
    `\n${size} x ${size}, 8-connected, WebGPU's default limits (${bindingBytes / 2 ** 20} MiB bound at once): wall clock, ms, third call`,
  );
  const into = { gpu: new Uint32Array(size * size).fill(1), cpu: new Uint32Array(size * size).fill(1) };
  const rows = [];
  for (const name of ["smooth blobs (50 %)", "noise, density 0.5"]) {
    const raster = { data: pixelsOf(name), width: size, height: size };
    const found = {};
    for (const [key, engine] of Object.entries({ gpu, cpu })) {
      for (let round = 0; round < 3; round++) {
        const [first, components] = await clock(() => engine.components(raster, { connectivity: 8 }));
        const [second, regions] = await clock(() => components.regions());
        const [third] = await clock(() => components.labels({ into: into[key] }));
        found[key] = { first, second, third, regions, count: components.count };
        components.dispose();
      }
    }
    const equal = (a, b) => Buffer.compare(Buffer.from(a.buffer), Buffer.from(b.buffer)) === 0;
    const { area, bounds, centroid } = found.gpu.regions;
    const same =
      equal(into.gpu, into.cpu) &&
      equal(area, found.cpu.regions.area) &&
      equal(bounds, found.cpu.regions.bounds) &&
      equal(centroid, found.cpu.regions.centroid);
    const times = [
      found.gpu.first,
      found.gpu.second,
      found.gpu.third,
      found.cpu.first + found.cpu.second,
      found.cpu.third,
    ];
    rows.push([name, ...times.map(ms), found.gpu.count, same ? "yes" : "NO"]);
  }
  print(["image", "components", "regions", "labels", "CPU: to regions", "CPU: labels", "objects", "same result"], rows);
  await gpu.close();
  await cpu.close();
  device.destroy();
}

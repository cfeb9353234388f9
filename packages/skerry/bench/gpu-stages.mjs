// Device time from resident pixels to resident labels and regions, all passes in one submission, from the
// timestamps around the passes.

import { Engine } from "../dist/api/engine.js";
import { openCpu } from "../dist/cpu/backend.js";
import { Router } from "../dist/device/router.js";
import { GpuBackend } from "../dist/gpu/backend.js";
import { capacityOf, recordLabelling, takeSegments, takeWork, tilingOf } from "../dist/gpu/components.js";
import { allocateCounters, readCounters } from "../dist/gpu/counters.js";
import { Context, ScratchScope } from "../dist/gpu/device/context.js";
import { Device } from "../dist/gpu/device/device.js";
import { loadArray } from "../dist/gpu/image.js";
import { recordExpansion } from "../dist/gpu/labels.js";
import { freePlanes, makePlanes, packPixels } from "../dist/gpu/mask.js";
import { RECORD, recordRegions, recordSolids } from "../dist/gpu/regions.js";

const call = { timings: [] };
const NONZERO = { any: false, intervals: [{ lo: 0, hi: 0, invert: true }] };
export const median = (list) => list.slice().sort((a, b) => a - b)[list.length >> 1];

/** Opens an engine that times its stages, and returns it with the context of its device. */
export async function openEngine(root) {
  const device = await Device.open({ gpu: root, software: true });
  if (device instanceof Error) throw device;
  const context = new Context(device, true);
  if (!context.profile) throw new Error("this adapter has no timestamps");
  const router = await Router.open("gpu", {
    gpu: async (host) => new GpuBackend(context, host),
    cpu: () => openCpu({}),
  });
  return { engine: new Engine(router), context };
}

export async function openStages(root) {
  const device = await Device.open({ gpu: root, software: true });
  if (device instanceof Error) throw device;
  const context = new Context(device, true);
  if (!context.profile) throw new Error("this adapter has no timestamps");
  return {
    description: device.adapter.description,
    measure: (...given) => measure(context, ...given),
    close: () => context.close(),
  };
}

/** Allocates everything for one image or volume, once. `nodes` is the minimum room for components of tiles. */
async function prepare(context, scope, size, connectivity, data, nodes = 0) {
  const shape = { ...size, channels: 1, type: "u8" };
  const rows = size.height * size.depth;
  const image = await loadArray(context, { kind: "array", shape, data }, call);
  const counters = await allocateCounters(scope);
  const split = await scope.allocate(256, "counters");
  const pixels = { kind: "image", shape, image };
  const planes = await makePlanes(context, size, 1, async () => undefined);
  if (planes.strips.length > 1) throw new Error("the bench of stages needs the image to fit one strip");
  const [strip] = planes.strips;
  const tiling = tilingOf(planes, strip, connectivity);
  const { cell } = tiling;
  const segments = await takeSegments(scope, strip, tiling);
  const capacity = Math.max(nodes, capacityOf(tiling));
  const map = await scope.allocate(capacity * 4, "components");
  const work = await takeWork(scope, segments, map, tiling, capacity);
  const own = {
    ...strip,
    planes: segments,
    map,
    labels: map,
    tileColumns: tiling.tileColumns,
    tiles: tiling.tiles,
    cell,
  };
  const labels = await scope.allocate(size.width * rows * 4, "labels");
  const record = async (commands, records, count) => {
    await packPixels(context, commands, pixels, NONZERO, planes, call);
    recordLabelling(commands, strip, work, tiling, connectivity, { counters, split });
    if (records) {
      const recordSums = size.depth > 1 ? recordSolids : recordRegions;
      recordSums(commands, { planes, connectivity }, own, { begin: 0, count }, records);
    }
    commands.stage("expand", size.width * rows * 4);
    recordExpansion(commands, planes, own, { y0: 0, y1: rows }, labels);
  };
  const dispose = () => {
    image.dispose();
    freePlanes(context, planes);
  };
  return { record, counters, dispose, labels, capacity };
}

/** Runs and returns device milliseconds per stage, and from the first begin to the last end. */
export async function timed(context, record) {
  const commands = context.commands();
  context.profile.reset();
  await record(commands);
  await commands.submit();
  const timings = await context.profile.collect();
  return Object.fromEntries(timings.map(({ stage, milliseconds }) => [stage, milliseconds]));
}

/** The reference: a kernel that reads 64 MiB and writes 256 MiB for 64 Mi pixels, like pixels to labels. */
export function referenceCopy(pixels, source, target) {
  return async (commands) => {
    commands.stage("copy", pixels * 5);
    commands.dispatch("reference", Math.ceil(pixels / 4 / 256), { source, target_: target }, { total: pixels / 4 });
  };
}

/** The best copy seen so far, per size. */
const best = new Map();

/**
 * Spins the clocks up: for 400 ms, or 1500 ms at a new size, and on until copies take less than 1.1 times the best seen,
 * for 4 s at most.
 */
export async function warm(context, reference, size) {
  const least = best.has(size) ? 400 : 1500;
  const begin = performance.now();
  for (let last = []; ; ) {
    const { copy } = await timed(context, reference);
    best.set(size, Math.min(copy, best.get(size) ?? copy));
    last = [...last, copy].slice(-20);
    const spent = performance.now() - begin;
    if (spent > 4000 || (spent > least && median(last) < 1.1 * best.get(size))) return;
  }
}

async function measure(context, names, pixelsOf, size, connectivity, rounds) {
  const results = new Map();
  const scope = new ScratchScope(context);
  const pixels = size.width * size.height * size.depth;
  const record = size.depth > 1 ? RECORD.solids : RECORD.regions;
  const source = await scope.allocate(pixels, "reference");
  const target = await scope.allocate(pixels * 4, "reference");
  const reference = referenceCopy(pixels, source, target);
  // Two images are resident at a time, and rounds alternate between them. All images would not fit small cards.
  for (let i = 0; i < names.length; i += 2) {
    const pair = [];
    for (const name of names.slice(i, i + 2)) {
      const own = new ScratchScope(context);
      const data = pixelsOf(name);
      let prepared = await prepare(context, own, size, connectivity, data);
      await timed(context, (commands) => prepared.record(commands));
      let counted = await readCounters(context, context.commands(), prepared.counters);
      if (counted.nodes > prepared.capacity) {
        prepared.dispose();
        own.freeAll();
        prepared = await prepare(context, own, size, connectivity, data, counted.nodes);
        await timed(context, (commands) => prepared.record(commands));
        counted = await readCounters(context, context.commands(), prepared.counters);
      }
      const { nodes, components: count } = counted;
      const records = await own.allocate(count * record * 4, "records");
      const samples = { copy: [], labels: [], both: [], stages: {} };
      pair.push({ name, own, prepared, nodes, count, records, samples });
    }
    await warm(context, reference, pixels);
    for (let round = 0; round < rounds; round++) {
      for (const { prepared, records, count, samples } of pair) {
        samples.copy.push((await timed(context, reference)).copy);
        samples.labels.push((await timed(context, (commands) => prepared.record(commands)))["on the device"]);
        const both = await timed(context, async (commands) => {
          commands.clear(records, 0, count * record * 4);
          await prepared.record(commands, records, count);
        });
        samples.both.push(both["on the device"]);
        for (const [stage, value] of Object.entries(both)) {
          if (stage === "on the device") continue;
          samples.stages[stage] ??= [];
          samples.stages[stage].push(value);
        }
      }
    }
    for (const { name, own, prepared, nodes, count, samples } of pair) {
      const stages = Object.fromEntries(Object.entries(samples.stages).map(([stage, list]) => [stage, median(list)]));
      const { copy, labels, both } = samples;
      results.set(name, { copy: median(copy), labels: median(labels), both: median(both), stages, nodes, count });
      prepared.dispose();
      own.freeAll();
    }
  }
  scope.freeAll();
  return results;
}

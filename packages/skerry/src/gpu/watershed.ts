// The watershed of the distance to the background, on the device. It finds the pixel that each pixel leads to, the basins of
// the peaks and the saddles between basins, and merges basins. See cpu/assembly/watershed.ts for the definition. Heights,
// `leads` and basins take 4 bytes per pixel each.

import type { Call } from "../core/call.js";
import { plainPlan, planCosts } from "../core/distance-costs.js";
import type { DistancePlan } from "../core/distance-plan.js";
import type { Size } from "../core/pixels.js";
import type { WatershedPlan } from "../core/plans.js";
import { groupsOf, walkersFor } from "./bands.js";
import { type Ranked, recordRanks, takeRanks } from "./components.js";
import type { Commands } from "./device/commands.js";
import { type Context, type ScratchScope, withScratch } from "./device/context.js";
import { fitsDistances, recordDistances } from "./distance.js";
import type { Labelled } from "./labelled.js";
import { recordExpansion } from "./labels.js";
import type { Planes } from "./mask.js";

/** Tables first have room for one basin, and for one saddle, per this many pixels. */
const ROOM = 32;

/** Rounds of merging between two read-backs, and the most rounds of a split. */
const ROUNDS = 12;
const MOST_ROUNDS = 400;

/** Most origins that are read back together with the counters. */
const FEW_ORIGINS = 1 << 16;

/** Side of the tiles of watershed-highest-neighbours.wgsl, in pixels. */
const TILE = 32;

/** Largest `h`: kernels compute 4 h^2 in 32 bits. */
const MOST_H = 1000;

/** Indices of the counters; see wgsl/lib/watershed-counters.wgsl. */
const PLACES = { saddles: 0, basins: 1, live: 4, runs: 5, parts: 6 } as const;
const COUNTERS = 8;

/** Parts of objects on the device. */
export interface LabelImage {
  /** u32 per pixel, in rows without padding. The owner of the LabelImage frees it. */
  readonly labels: GPUBuffer;
  readonly count: number;
  readonly runCount: number;
  /** Per part the label of its object. */
  readonly origins: Uint32Array;
}

/** Whether the device can split objects by a plan. */
export function fitsSplit(context: Context, size: Size, plan: WatershedPlan, call: Call): boolean {
  if (plan.raster || plan.markers) return false;
  const { costs, distances } = heightsOf(plan, size);
  const h = plan.h / costs.unit;
  return costs.isInteger && h === Math.floor(h) && h <= MOST_H && fitsDistances(context, size, distances, call);
}

function heightsOf({ spacing }: WatershedPlan, size: Size) {
  const costs = planCosts({ max: Number.POSITIVE_INFINITY, metric: "euclidean", small: false }, size, spacing);
  const distances: DistancePlan = { ...plainPlan(costs, { invert: true }), output: "squared" };
  return { costs, distances };
}

/** Size and buffers of one watershed. */
interface Work {
  readonly context: Context;
  readonly scope: ScratchScope;
  readonly planes: Planes;
  readonly pixels: number;
  readonly size: { width: number; height: number; depth: number };
  /** Constants by which the compiler unrolls loops over neighbours. */
  readonly neighbours: { CONNECTIVITY: number; REACH_Z: number };
  readonly heights: GPUBuffer;
  readonly leads: GPUBuffer;
  readonly basins: GPUBuffer;
  readonly peaks: Ranked;
  readonly parts: Ranked;
  readonly counters: GPUBuffer;
  readonly partCount: GPUBuffer;
}

/** Splits objects of one polarity in one strip. Returns undefined if tables exceed a binding, or after {@link MOST_ROUNDS}. */
export async function splitObjects(
  context: Context,
  labelled: Labelled,
  plan: WatershedPlan,
  call: Call,
): Promise<LabelImage | undefined> {
  const { planes, connectivity } = labelled;
  const { width, height, depth, rows, words } = planes;
  const pixels = width * rows;
  const { costs, distances } = heightsOf(plan, planes);
  return withScratch(context, async (scope) => {
    const take = (bytes: number, label: string): Promise<GPUBuffer> => scope.allocate(bytes, label);
    const work: Work = {
      context,
      scope,
      planes,
      pixels,
      size: { width, height, depth },
      neighbours: { CONNECTIVITY: connectivity, REACH_Z: depth > 1 ? 1 : 0 },
      heights: await take(pixels * 4, "heights"),
      leads: await take(pixels * 4, "ways"),
      basins: await take(pixels * 4, "basins"),
      peaks: await takeRanks(scope, rows * words),
      parts: await takeRanks(scope, rows * words),
      counters: await take(COUNTERS * 4, "counters"),
      partCount: await take(COUNTERS * 4, "counters"),
    };
    const commands = context.commands();
    await withScratch(context, (inner) =>
      recordDistances(inner, commands, planes, distances, { values: work.heights, nearest: undefined }),
    );
    recordLeads(commands, work);
    return mergeBasins(commands, work, labelled, plan.h / costs.unit, call);
  });
}

function recordLeads(commands: Commands, work: Work): void {
  const { planes, pixels, size, neighbours, heights, leads } = work;
  const { marks } = work.peaks;
  const tileColumns = Math.ceil(planes.width / TILE);
  const tileLines = Math.ceil(planes.height / TILE);
  commands.stage("ways", pixels * 8);
  commands.dispatch(
    "watershed-highest-neighbours",
    tileColumns * tileLines * planes.depth,
    { heights, leads, marks },
    { ...size, words: planes.words, tileColumns, tileLines },
    neighbours,
  );
}

/** Buffers for merging basins, and their capacity. */
interface Tables {
  readonly peaks: GPUBuffer;
  readonly parents: GPUBuffer;
  readonly goals: GPUBuffer;
  readonly names: GPUBuffer;
  readonly best: GPUBuffer;
  readonly saddles: GPUBuffer;
  readonly firsts: GPUBuffer;
  /** The counters, then the label of the object of each part. */
  readonly origins: GPUBuffer;
  readonly room: { readonly basins: number; readonly capacity: number };
}

async function makeTables(scope: ScratchScope, basins: number, capacity: number): Promise<Tables> {
  const take = (words: number, label: string): Promise<GPUBuffer> => scope.allocate(words * 4, label);
  return {
    peaks: await take(basins, "heights of peaks"),
    parents: await take(basins, "parents"),
    goals: await take(basins, "goals"),
    names: await take(basins, "labels of basins"),
    best: await take(basins * 4, "best saddles"),
    saddles: await take(capacity * 3, "saddles"),
    firsts: await take(basins, "first pixels"),
    origins: await take(basins + COUNTERS, "objects of parts"),
    room: { basins, capacity },
  };
}

function freeTables(scope: ScratchScope, { room: _, ...buffers }: Tables): void {
  for (const buffer of Object.values(buffers)) scope.free(buffer);
}

/**
 * Finds basins and saddles, merges basins and labels the parts, without a read-back in between. If the tables are too
 * small, all of this runs again with larger ones. If saddles remain, merging continues and the parts are labelled again.
 */
async function mergeBasins(
  recorded: Commands,
  work: Work,
  labelled: Labelled,
  h: number,
  { signal }: Call,
): Promise<LabelImage | undefined> {
  const { context, scope, pixels } = work;
  let commands = recorded;
  let tables = await makeTables(
    scope,
    Math.max(4096, Math.ceil(pixels / ROOM)),
    Math.max(4096, Math.ceil(pixels / ROOM)),
  );
  recordBasins(commands, work, tables);
  const labels = await context.memory.allocate(pixels * 4, "labels");
  try {
    for (let rounds = 0; rounds < MOST_ROUNDS; rounds += ROUNDS) {
      signal?.throwIfAborted();
      recordMerging(commands, work, tables, h);
      recordLabels(commands, work, labelled, tables, labels);
      const few = Math.min(FEW_ORIGINS, tables.room.basins);
      const found = await context.numbers(commands, tables.origins, COUNTERS + few);
      commands = context.commands();
      const [basins, saddles] = [found[PLACES.basins], found[PLACES.saddles]];
      if (basins > tables.room.basins || saddles > tables.room.capacity) {
        freeTables(scope, tables);
        if (Math.max(basins * 16, saddles * 12) > context.device.bindingBytes) break;
        tables = await makeTables(scope, Math.max(basins, 4096), Math.max(saddles, 4096));
        recordBasins(commands, work, tables);
      } else if (found[PLACES.live] === 0) {
        const count = found[PLACES.parts];
        const all = count > few ? await context.numbers(commands, tables.origins, COUNTERS + count) : found;
        return { labels, count, runCount: found[PLACES.runs], origins: all.slice(COUNTERS, COUNTERS + count) };
      }
    }
  } catch (error) {
    context.memory.free(labels);
    throw error;
  }
  context.memory.free(labels);
  return undefined;
}

function recordBasins(commands: Commands, work: Work, tables: Tables): void {
  const { planes, pixels, size, neighbours, heights, leads, basins, counters } = work;
  const { marks, ranks, blocks } = work.peaks;
  const { width, words, rows } = planes;
  const { peaks, parents, goals, best, saddles, room } = tables;
  commands.clear(counters, 0, COUNTERS * 4);
  commands.clear(goals, 0, room.basins * 4);
  commands.clear(best, 0, room.basins * 16);
  const total = rows * words;
  recordRanks(commands, { marks, ranks, blocks, counters }, total, [], 0);
  commands.stage("basins", pixels * 8);
  commands.dispatch(
    "watershed-peaks",
    groupsOf(total),
    { heights, marks, ranks, blocks, leads, peaks, parents },
    { width, words, total, capacity: room.basins },
  );
  commands.dispatch("watershed-name", groupsOf(pixels), { leads, basins }, { total: pixels });
  commands.stage("saddles", pixels * 4);
  const [BLOCK_X, BLOCK_Y, BLOCK_Z] = size.depth > 1 ? [8, 8, 4] : [32, 8, 1];
  const columns = Math.ceil(width / BLOCK_X);
  const lines = Math.ceil(size.height / BLOCK_Y);
  commands.dispatch(
    "watershed-saddles",
    columns * lines * Math.ceil(size.depth / BLOCK_Z),
    { heights, basins, saddles, counters },
    { ...size, columns, lines, capacity: room.capacity },
    { ...neighbours, BLOCK_X, BLOCK_Y, BLOCK_Z },
  );
}

function recordMerging(commands: Commands, { counters }: Work, tables: Tables, h: number): void {
  const { peaks, saddles, parents, goals, best, room } = tables;
  const walkers = walkersFor(Math.max(room.capacity, room.basins));
  commands.stage("merge basins", 0);
  for (let round = 1; round <= ROUNDS; round++) {
    // The last round counts the saddles that remain.
    if (round === ROUNDS) commands.clear(counters, PLACES.live * 4, 4);
    const given = { peaks, saddles, counters, goals, parents, best };
    for (const STEP of [0, 1, 2]) commands.dispatch("watershed-highest-saddles", walkers, given, room, { STEP });
    commands.dispatch("watershed-decide", walkers, given, { ...room, h });
    commands.dispatch("watershed-follow", walkers, given, { basins: room.basins });
  }
}

/** Numbers the parts by their first pixels. The parents do not change, so merging can continue. */
function recordLabels(
  commands: Commands,
  work: Work,
  labelled: Labelled,
  { parents, names, firsts, origins, room }: Tables,
  labels: GPUBuffer,
): void {
  const { planes, pixels, size, basins, parts, partCount, counters } = work;
  const { marks, ranks, blocks } = parts;
  const { width, words, rows } = planes;
  const walkers = walkersFor(room.basins);
  const uniforms = { width, words, basins: room.basins };
  commands.clear(firsts, 0, room.basins * 4);
  commands.clear(marks, 0, rows * words * 4);
  commands.clear(counters, PLACES.runs * 4, 4);
  commands.stage("first pixels", pixels * 4);
  const given = { ...size, total: pixels, capacity: room.basins };
  commands.dispatch("watershed-firsts", groupsOf(pixels), { basins, parents, firsts }, given);
  commands.dispatch("watershed-mark", walkers, { counters, firsts, marks }, uniforms);
  recordRanks(commands, { marks, ranks, blocks, counters: partCount }, rows * words, [], 0);
  commands.copy(counters, 0, origins, 0, COUNTERS * 4);
  commands.stage("objects", pixels * 4);
  // `labels` holds the objects' labels, until watershed-relabel.wgsl writes those of the parts.
  recordExpansion(commands, planes, labelled.strips[0], { y0: 0, y1: rows }, labels);
  const tables = { marks, ranks, blocks, firsts, objects: labels, parents, names, origins };
  commands.dispatch("watershed-number", walkers, tables, uniforms);
  commands.stage("labels", pixels * 8);
  const pixelwise = { width, total: pixels, basins: room.basins };
  commands.dispatch("watershed-relabel", groupsOf(pixels), { basins, names, labels, counters }, pixelwise);
  commands.copy(counters, 0, origins, 0, COUNTERS * 4);
  commands.copy(partCount, PLACES.basins * 4, origins, PLACES.parts * 4, 4);
}

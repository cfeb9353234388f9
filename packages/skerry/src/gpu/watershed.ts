// The watershed of the distance to the background, on the device: where each pixel leads, the basins of the peaks, the
// saddles between them, and which basins merge. See cpu/assembly/watershed.ts for the definition. Heights, ways and basins
// take 4 bytes per pixel each.

import type { Call } from "../core/call.js";
import { plainPlan, planCosts } from "../core/distance-costs.js";
import type { DistancePlan } from "../core/distance-plan.js";
import type { Size } from "../core/pixels.js";
import type { WatershedPlan } from "../core/plans.js";
import { groupsOf, walkersFor } from "./bands.js";
import type { Commands } from "./commands.js";
import { recordRanks } from "./components.js";
import { type Context, type ScratchScope, withScratch } from "./context.js";
import { fitsDistances, recordDistances } from "./distance.js";
import type { Labelled } from "./labelled.js";
import { recordExpansion } from "./labels.js";
import type { Planes } from "./mask.js";

/** Pixels per basin, and per saddle, for which there is room at first. */
const ROOM = 32;

/** Words of marks per block of components-rank.wgsl. */
const BLOCK_WORDS = 2048;

/** Rounds of merging between two looks at what is left, and how many there may be. */
const ROUNDS = 10;
const MOST_ROUNDS = 400;

/** Pixels of a side of the tiles of watershed-lead.wgsl. */
const TILE = 32;

/** Squares of `h` are multiplied by 4 in 32 bits. */
const MOST_H = 1000;

/** Where wgsl/lib/watershed.wgsl counts. */
const PLACES = { saddles: 0, basins: 1, live: 4, runs: 5 } as const;
const COUNTERS = 8;

/** Parts of objects on the device. */
export interface LabelImage {
  /** u32 per pixel in tight rows; whoever holds this frees it. */
  readonly labels: GPUBuffer;
  readonly count: number;
  readonly runCount: number;
  /** Per part the label of its object. */
  readonly origins: Uint32Array;
}

/** Why the device does not split objects by a plan; undefined if it does. */
export function refusesSplit(context: Context, size: Size, plan: WatershedPlan, call: Call): string | undefined {
  if (plan.raster || plan.markers) return "kernels split by distance, without markers";
  const { costs, distances } = heightsOf(plan, size);
  const h = plan.h / costs.unit;
  if (!costs.whole || h !== Math.floor(h) || h > MOST_H) return "kernels compare whole heights and h";
  return fitsDistances(context, size, distances, call) ? undefined : "heights do not fit one binding";
}

function heightsOf({ spacing }: WatershedPlan, size: Size) {
  const costs = planCosts({ max: Number.POSITIVE_INFINITY, metric: "euclidean", small: false }, size, spacing);
  const distances: DistancePlan = { ...plainPlan(costs, { invert: true }), output: "squared" };
  return { costs, distances };
}

/** Everything about one watershed. */
interface Work {
  readonly context: Context;
  readonly scope: ScratchScope;
  readonly planes: Planes;
  readonly pixels: number;
  readonly size: { width: number; height: number; depth: number; connectivity: number };
  readonly heights: GPUBuffer;
  readonly leads: GPUBuffer;
  readonly basins: GPUBuffer;
  readonly marks: GPUBuffer;
  readonly ranks: GPUBuffer;
  readonly blocks: GPUBuffer;
  readonly counters: GPUBuffer;
}

/** Splits objects of one class in one strip; undefined if basins merge in more rounds than is worth while. */
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
    const marks = await take(rows * words * 4, "peaks");
    const work: Work = {
      ...{ context, scope, planes, pixels, marks },
      size: { width, height, depth, connectivity },
      heights: await take(pixels * 4, "heights"),
      leads: await take(pixels * 4, "ways"),
      basins: await take(pixels * 4, "basins"),
      ranks: await take(Math.ceil((rows * words) / 8) * 4, "ranks"),
      blocks: await take(Math.ceil((rows * words) / BLOCK_WORDS) * 12, "ranks"),
      counters: await take(COUNTERS * 4, "counters"),
    };
    const commands = context.commands();
    await withScratch(context, (inner) =>
      recordDistances(inner, commands, planes, distances, { values: work.heights, nearest: undefined }),
    );
    recordLeads(commands, work);
    const found = await mergeBasins(commands, work, plan.h / costs.unit, call);
    return found && label(work, labelled, found);
  });
}

function recordLeads(commands: Commands, { planes, pixels, size, heights, leads, marks }: Work): void {
  const tileColumns = Math.ceil(planes.width / TILE);
  const tileLines = Math.ceil(planes.height / TILE);
  commands.stage("ways", pixels * 8);
  commands.dispatch(
    "watershed-lead",
    tileColumns * tileLines * planes.depth,
    { heights, leads, marks },
    { ...size, words: planes.words, tileColumns, tileLines },
  );
}

/** Merged basins: the basin that each is part of. */
interface Merged {
  readonly parents: GPUBuffer;
  readonly basins: number;
}

/** Finds basins and saddles, and merges basins. Tables of too little room are made anew. */
async function mergeBasins(recorded: Commands, work: Work, h: number, { signal }: Call): Promise<Merged | undefined> {
  const { context, scope, planes, pixels, counters } = work;
  let commands = recorded;
  let [mostBasins, mostSaddles] = [Math.max(4096, Math.ceil(pixels / ROOM)), Math.max(4096, Math.ceil(pixels / ROOM))];
  for (;;) {
    const peaks = await scope.allocate(mostBasins * 4, "heights of peaks");
    const parents = await scope.allocate(mostBasins * 4, "parents");
    const goals = await scope.allocate(mostBasins * 4, "goals");
    const best = await scope.allocate(mostBasins * 16, "best saddles");
    const saddles = await scope.allocate(mostSaddles * 12, "saddles");
    const tables = { peaks, parents, goals, best, saddles };
    commands.clear(counters, 0, COUNTERS * 4);
    commands.clear(goals, 0, mostBasins * 4);
    commands.clear(best, 0, mostBasins * 16);
    const { marks, ranks, blocks, heights, leads, basins, size } = work;
    recordRanks(commands, { marks, ranks, blocks, counters }, planes.rows * planes.words, [], 0);
    commands.stage("basins", pixels * 8);
    commands.dispatch(
      "watershed-name",
      groupsOf(pixels),
      { heights, leads, marks, ranks, blocks, basins, peaks, parents },
      { width: planes.width, words: planes.words, total: pixels, capacity: mostBasins },
    );
    commands.stage("saddles", pixels * 4);
    commands.dispatch(
      "watershed-meet",
      groupsOf(pixels),
      { heights, basins, saddles, counters },
      { ...size, total: pixels, capacity: mostSaddles },
    );
    for (let rounds = 0; rounds < MOST_ROUNDS; rounds += ROUNDS) {
      signal?.throwIfAborted();
      commands.stage("merge basins", 0);
      for (let round = 1; round <= ROUNDS; round++) {
        // The last round tells what is left.
        if (round === ROUNDS) commands.clear(counters, PLACES.live * 4, 4);
        recordRound(commands, { ...tables, counters }, { capacity: mostSaddles, basins: mostBasins }, h);
      }
      const found = await context.numbers(commands, counters, COUNTERS);
      commands = context.commands();
      const [held, met] = [found[PLACES.basins], found[PLACES.saddles]];
      if (held > mostBasins || met > mostSaddles) {
        [mostBasins, mostSaddles] = [Math.max(mostBasins, held), Math.max(mostSaddles, met)];
        for (const table of Object.values(tables)) scope.free(table);
        break;
      }
      if (found[PLACES.live] === 0) return { parents, basins: held };
      if (rounds + ROUNDS >= MOST_ROUNDS) return undefined;
    }
  }
}

function recordRound(
  commands: Commands,
  tables: Record<"counters" | "saddles" | "peaks" | "parents" | "best" | "goals", GPUBuffer>,
  room: { capacity: number; basins: number },
  h: number,
): void {
  const { counters, parents, best, goals } = tables;
  const walkers = walkersFor(room.capacity);
  for (const STEP of [0, 1, 2]) commands.dispatch("watershed-choose", walkers, tables, room, { STEP });
  commands.dispatch("watershed-decide", walkers, tables, { ...room, h });
  const given = { counters, goals, parents, best };
  commands.dispatch("watershed-follow", walkersFor(room.basins), given, { basins: room.basins });
}

/** Numbers the parts by their first pixels. */
async function label(work: Work, labelled: Labelled, merged: Merged): Promise<LabelImage> {
  const { context, scope, planes, pixels, size, basins, marks, ranks, blocks, counters, heights: objects } = work;
  const { width, words, rows } = planes;
  const { parents } = merged;
  const firsts = await scope.allocate(merged.basins * 4, "first pixels");
  const origins = await scope.allocate(merged.basins * 4, "objects of parts");
  const parts = await scope.allocate(COUNTERS * 4, "counters");
  const commands = context.commands();
  const walkers = walkersFor(merged.basins);
  commands.clear(firsts, 0, merged.basins * 4);
  commands.clear(marks, 0, rows * words * 4);
  commands.stage("first pixels", pixels * 4);
  commands.dispatch("watershed-firsts", groupsOf(pixels), { basins, parents, firsts }, { ...size, total: pixels });
  commands.dispatch("watershed-mark", walkers, { counters, firsts, marks }, { width, words });
  recordRanks(commands, { marks, ranks, blocks, counters: parts }, rows * words, [], 0);
  commands.stage("objects", pixels * 4);
  recordExpansion(commands, planes, labelled.strips[0], { y0: 0, y1: rows }, objects);
  commands.dispatch(
    "watershed-number",
    walkers,
    { counters, marks, ranks, blocks, firsts, objects, parents, origins },
    { width, words },
  );
  commands.stage("labels", pixels * 8);
  const labels = await context.memory.allocate(pixels * 4, "labels");
  try {
    commands.dispatch(
      "watershed-relabel",
      groupsOf(pixels),
      { basins, names: parents, labels, counters },
      { width, total: pixels },
    );
    // Both counts lie in one buffer, so that they are read at once.
    commands.copy(parts, PLACES.basins * 4, counters, PLACES.saddles * 4, 4);
    const found = await context.numbers(commands, counters, COUNTERS);
    const count = found[PLACES.saddles];
    const origin = await context.numbers(context.commands(), origins, count);
    return { labels, count, runCount: found[PLACES.runs], origins: origin };
  } catch (error) {
    context.memory.free(labels);
    throw error;
  }
}

// Labels bits. Tiles are labelled on their own. Their components are united across tile borders, and numbered by their first
// pixels. Planes that do not fit one binding are labelled in strips, which are joined at their seams.

import type { Call } from "../core/call.js";
import type { Connectivity } from "../types/raster.js";
import { groupsOf, walkersFor } from "./bands.js";
import { joinLabels } from "./components-strips.js";
import { allocateCounters, copyFirstNodes, readCounters } from "./counters.js";
import type { Commands } from "./device/commands.js";
import { type Context, ScratchScope, withScratch } from "./device/context.js";
import type { Labelled, PlaneSegments, Strip } from "./labelled.js";
import { cellRows, freePlanes, joinsDiagonals, type PlaneStrip, type Planes, TILE_CELLS, TILE_WORDS } from "./mask.js";

/** Words of marks per block of components-rank.wgsl. */
const BLOCK_WORDS = 2048;

/** Buffers that labelling one strip writes to, with room for `capacity` nodes. */
export interface Work {
  readonly planes: readonly PlaneSegments[];
  readonly map: GPUBuffer;
  readonly parents: GPUBuffer;
  readonly firsts: GPUBuffer;
  readonly marks: GPUBuffer;
  readonly ranks: GPUBuffer;
  readonly blocks: GPUBuffer;
  readonly capacity: number;
}

/** How a strip is cut into tiles. */
export interface Tiling {
  readonly words: number;
  readonly height: number;
  readonly tileColumns: number;
  readonly tiles: number;
  /** Rows of a cell. */
  readonly cell: 1 | 2;
  /** Rows of a slice of a volume; 0 for images. */
  readonly slice: number;
  /** 1 if diagonals join, else 0. */
  readonly wide: number;
}

export function tilingOf(planes: Planes, { y0, y1 }: PlaneStrip, connectivity: Connectivity): Tiling {
  const { words, height, depth } = planes;
  const tileColumns = Math.ceil(words / TILE_WORDS);
  const cell = cellRows(planes, connectivity);
  const tileLines = Math.ceil((y1 - y0) / (TILE_CELLS * cell));
  const slice = depth > 1 ? height : 0;
  const wide = Number(joinsDiagonals(connectivity));
  return { words, height: y1 - y0, tileColumns, tiles: tileColumns * tileLines, cell, slice, wide };
}

/** Counters, and a copy of the number of nodes after the first polarity. */
export interface CounterBuffers {
  readonly counters: GPUBuffer;
  readonly split: GPUBuffer;
}

/** Records what else is to be known of a strip, before its counters are read. */
export type RecordMore = (commands: Commands, strip: PlaneStrip, ranked: Ranked) => void;

/**
 * Labels planes; the slices of a volume on their own if the connectivity is 4 or 8. The result owns the planes and frees them. If labelling fails, the planes are freed at once. `commands`
 * holds recorded work that the bits still need.
 *
 * Reads the bits of N pixels (N / 8 bytes) about once, in a volume up to six times. Writes up to 1 byte per pixel of
 * segments and 12 bytes per node.
 */
export async function labelPlanes(
  context: Context,
  commands: Commands,
  planes: Planes,
  connectivity: Connectivity,
  call: Call,
  more?: RecordMore,
): Promise<Labelled> {
  const kept = new ScratchScope(context);
  const free = (): void => {
    kept.freeAll();
    freePlanes(context, planes);
  };
  try {
    const labelled = await withScratch(context, async (scope) => {
      const used = {
        counters: await allocateCounters(scope),
        split: await scope.allocate(256, "counters"),
      };
      const strips: Strip[] = [];
      const sums = { foreground: 0, runCount: 0 };
      for (const strip of planes.strips) {
        call.signal?.throwIfAborted();
        const { labelled, pixels } = await labelStrip(context, kept, commands, planes, strip, connectivity, used, more);
        strips.push(labelled);
        sums.foreground += pixels;
        sums.runCount += labelled.runs;
        call.onProgress?.({ stage: "label", done: strips.length, total: planes.strips.length });
      }
      if (strips.length === 1) return { strips, count: strips[0].count, ...sums };
      return { ...(await joinLabels(context, kept, planes, strips, connectivity)), ...sums };
    });
    return { planes, connectivity, ...labelled, free };
  } catch (error) {
    free();
    throw error;
  }
}

async function labelStrip(
  context: Context,
  kept: ScratchScope,
  commands: Commands,
  planes: Planes,
  strip: PlaneStrip,
  connectivity: Connectivity,
  used: CounterBuffers,
  more?: RecordMore,
): Promise<{ labelled: Strip; pixels: number }> {
  const tiling = tilingOf(planes, strip, connectivity);
  const { cell } = tiling;
  const segments = await takeSegments(kept, strip, tiling);
  for (let capacity = capacityOf(tiling); ; ) {
    const map = await kept.allocate(capacity * 4, "components");
    const found = await withScratch(context, async (scope) => {
      const work = await takeWork(scope, segments, map, tiling, capacity);
      recordLabelling(commands, strip, work, tiling, connectivity, used);
      more?.(commands, strip, work);
      if (strip.bits.length > 1) copyFirstNodes(commands, used.split, used.counters);
      return readCounters(context, commands, used.counters);
    });
    const { nodes, components: count, pixels, runs, firstNodes } = found;
    if (nodes <= capacity) {
      const labelledStrip: Strip = {
        ...strip,
        planes: segments,
        map,
        labels: map,
        nodes,
        runs,
        count,
        base: 0,
        joined: new Uint32Array(),
        firstNodes,
        tileColumns: tiling.tileColumns,
        tiles: tiling.tiles,
        cell,
      };
      return { labelled: labelledStrip, pixels };
    }
    kept.free(map);
    capacity = nodes;
  }
}

/** The initial room for nodes. One per eight pixels is enough for any noise; only adversarial images need more. */
export function capacityOf({ words, height }: Tiling): number {
  return Math.max(4096, words * height * 4);
}

/** Allocates the segments of a strip, which are kept after labelling. */
export async function takeSegments(
  scope: ScratchScope,
  { bits }: PlaneStrip,
  tiling: Tiling,
): Promise<PlaneSegments[]> {
  const segments: PlaneSegments[] = [];
  for (const _ of bits) {
    segments.push({
      segments: await scope.allocate(tiling.words * Math.ceil(tiling.height / tiling.cell) * 32, "segments"),
      tileTable: await scope.allocate(tiling.tiles * 16, "tiles"),
    });
  }
  return segments;
}

/** Allocates the temporary buffers of a strip. */
export async function takeWork(
  scope: ScratchScope,
  planes: readonly PlaneSegments[],
  map: GPUBuffer,
  tiling: Tiling,
  capacity: number,
): Promise<Work> {
  const words = tiling.words * tiling.height;
  return {
    planes,
    map,
    capacity,
    parents: await scope.allocate(capacity * 4, "parents"),
    firsts: await scope.allocate(capacity * 4, "first pixels"),
    ...(await takeRanks(scope, words)),
  };
}

/** Marked bits, and the counts from which kernels compute their ranks. */
export interface Ranked {
  readonly marks: GPUBuffer;
  readonly ranks: GPUBuffer;
  readonly blocks: GPUBuffer;
}

/** Allocates `words` words of marks, and the counts of their ranks; see {@link recordRanks}. */
export async function takeRanks(scope: ScratchScope, words: number): Promise<Ranked> {
  return {
    marks: await scope.allocate(words * 4, "marks"),
    ranks: await scope.allocate(Math.ceil(words / 8) * 4, "ranks"),
    blocks: await scope.allocate(Math.ceil(words / BLOCK_WORDS) * 12, "ranks"),
  };
}

/** Records all passes from bits to the label of each node. */
export function recordLabelling(
  commands: Commands,
  strip: PlaneStrip,
  work: Work,
  tiling: Tiling,
  connectivity: Connectivity,
  used: CounterBuffers,
): void {
  const { planes, map, firsts, marks, ranks, blocks, capacity } = work;
  const { counters } = used;
  recordRoots(commands, strip, work, tiling, connectivity, used);
  recordRanks(commands, { marks, ranks, blocks, counters }, tiling.words * tiling.height, planes, tiling.tiles);
  commands.dispatch(
    "components-number",
    walkersFor(capacity),
    { counters, marks, ranks, blocks, firsts, map },
    { capacity },
  );
}

/**
 * Records the passes from bits to the root of each node, which `map` then holds. With ORDERED the root is the node of the
 * component's first pixel, else any node of the component.
 */
export function recordRoots(
  commands: Commands,
  { bits }: PlaneStrip,
  { planes, map, parents, firsts, marks, capacity }: Omit<Work, "ranks" | "blocks">,
  tiling: Tiling,
  connectivity: Connectivity,
  { counters, split }: CounterBuffers,
  ORDERED = true,
): void {
  const { words, height, tileColumns, tiles, slice, wide, cell: CELL } = tiling;
  const total = words * height;
  const plane = total * 4;
  const labelling = { words, height, tileColumns, tiles, slice, wide, capacity };
  commands.clear(counters, 0, 4);
  for (const [index, { segments, tileTable }] of planes.entries()) {
    const bindings = { bits: bits[index], segments, tileTable };
    commands.stage("label tiles", plane * 3);
    commands.dispatch("components-label-tiles", tiles, { ...bindings, parents, firsts, marks, counters }, labelling, {
      CELL,
    });
    // A copy ends the compute pass, so it is recorded only for two polarities.
    if (index === 0 && planes.length > 1) commands.copy(counters, 0, split, 0, 4);
    const horizontal = (tiles / tileColumns - 1) * words;
    const seams = horizontal + (tileColumns - 1) * Math.ceil(height / CELL);
    commands.stage("join tiles", 0);
    commands.dispatch(
      "components-join-tiles",
      groupsOf(seams),
      { ...bindings, firsts, parents },
      { words, height, tileColumns, horizontal, total: seams, slice, wide },
      { CELL, ORDERED },
    );
    if (slice === 0 || height === slice || connectivity === 4 || connectivity === 8) continue;
    // One thread per word of a row, or per word of a cell if its rows are joined together.
    const lines = connectivity === 26 ? CELL : 1;
    const behind = ((height - slice) / lines) * words;
    commands.stage("join slices", plane * 5);
    commands.dispatch(
      "components-join-slices",
      groupsOf(behind),
      { ...bindings, firsts, parents },
      { words, total: behind, tileColumns, slice, connectivity },
      { CELL, ORDERED },
    );
  }
  commands.stage("number", plane * 3);
  commands.dispatch(
    "components-flatten",
    walkersFor(capacity),
    { counters, parents, firsts, roots: map, marks },
    { capacity },
  );
}

/** Records the ranks of marked bits. With planes, it also records the totals of their pixels and runs. */
export function recordRanks(
  commands: Commands,
  { marks, ranks, blocks, counters }: Ranked & { readonly counters: GPUBuffer },
  words: number,
  planes: readonly PlaneSegments[],
  tiles: number,
): void {
  const blockCount = Math.ceil(words / BLOCK_WORDS);
  const tileTable = planes[0]?.tileTable ?? counters;
  const tileTable2 = planes[1]?.tileTable ?? tileTable;
  commands.dispatch(
    "components-rank",
    blockCount,
    { marks, tileTable, tileTable2, ranks, blocks },
    { words, tiles, tilesPerBlock: Math.ceil(tiles / blockCount), planes: planes.length },
  );
  commands.dispatch("components-rank-total", 1, { blocks, counters }, { blocks: blockCount });
}

// The run table leaves in chunks of rows, or sorted by label through one counting sort.

import type { Call } from "../core/call.js";
import type { RunTable } from "../core/sums.js";
import { LAYOUT } from "../generated/kernels.js";
import { inLanes, laneCount, listBytes, type Rows, timed } from "./bands.js";
import { type Labelled, rowsArguments, type Strip } from "./components.js";
import { runKernel } from "./kernels.js";
import type { Pool } from "./memory/pool.js";
import { type ScratchScope, withScratch } from "./memory/scratch.js";

const { RUN_BYTES } = LAYOUT.runs;

/** Runs per chunk, unless one row has more. */
const CHUNK_RUNS = 1 << 16;

const FIELDS = ["row", "begin", "end", "label"] as const;

function emptyTable(count: number): Record<(typeof FIELDS)[number], Uint32Array> {
  return {
    row: new Uint32Array(count),
    begin: new Uint32Array(count),
    end: new Uint32Array(count),
    label: new Uint32Array(count),
  };
}

/** In raster order: writes 16 bytes per run. */
export async function runsInOrder(pool: Pool, labelled: Labelled, call: Call): Promise<RunTable> {
  const { planes, mapAt, runCount } = labelled;
  const table = emptyTable(runCount);
  await withScratch(pool, async (scope) => {
    const offsets = new Uint32Array(planes.rows + 1);
    await pool.read(planes.offsetsAt, offsets);
    const chunks = labelled.strips.flatMap((strip) => chunksOf(strip, offsets));
    const most = chunks.reduce((runs, chunk) => Math.max(runs, chunk.runs), 0);
    const lanes = Math.min(laneCount(pool), chunks.length);
    const slots = await scope.lanes(lanes, most * RUN_BYTES);
    const lists = await scope.lanes(lanes, listBytes(planes.width));
    const staging = slots.map(() => new Uint32Array(most * 4));
    await timed(call, "runs", runCount * 20, () =>
      inLanes(call, "runs", chunks, lanes, async ({ y0, y1, strip, runs }, lane) => {
        const array = (staging[lane] as Uint32Array).subarray(0, runs * 4);
        const pointer = slots[lane];
        await runKernel(
          pool,
          "emitRuns",
          {
            ...rowsArguments(labelled, { y0, y1 }),
            map: mapAt + strip.base * 4,
            count: runs,
            out: pointer,
            list: lists[lane],
          },
          { output: { pointer, array } },
        );
        const at = offsets[y0];
        FIELDS.forEach((field, i) => {
          table[field].set(array.subarray(i * runs, (i + 1) * runs), at);
        });
      }),
    );
  });
  return table;
}

function chunksOf(strip: Strip, offsets: Uint32Array): (Rows & { strip: Strip; runs: number })[] {
  const chunks = [];
  let y0 = strip.y0;
  for (let y = strip.y0; y < strip.y1; y++) {
    const runs = offsets[y + 1] - offsets[y0];
    if (y + 1 < strip.y1 && offsets[y + 2] - offsets[y0] <= CHUNK_RUNS) continue;
    if (runs > 0) chunks.push({ y0, y1: y + 1, strip, runs });
    y0 = y + 1;
  }
  return chunks;
}

/** Runs grouped by label: the address of four arrays of u32, and the offsets of each label's first run. */
export interface GroupedRuns {
  readonly tableAt: number;
  readonly offsets: Uint32Array;
}

/** Groups runs by label, raster order within: needs 16 bytes per run of memory. */
export async function groupRuns(pool: Pool, scope: ScratchScope, labelled: Labelled, call: Call): Promise<GroupedRuns> {
  const { planes, labelsAt, mapAt, runCount, count, strips } = labelled;
  const offsets = new Uint32Array(count + 1);
  const nextAt = await scope.allocate((count + 1) * 4);
  const tableAt = await scope.allocate(runCount * RUN_BYTES);
  const listAt = await scope.allocate(listBytes(planes.width));
  await pool.write(nextAt, offsets);
  // Strips go one after another, since they share the counters and runs keep their order within a label.
  for (const { y0, y1, base } of strips) {
    await runKernel(pool, "countRunsByLabel", {
      y0,
      y1,
      offsets: planes.offsetsAt,
      labels: labelsAt,
      map: mapAt + base * 4,
      counts: nextAt,
    });
  }
  await pool.read(nextAt, offsets);
  for (let label = 1; label <= count; label++) {
    offsets[label] = offsets[label] + offsets[label - 1];
  }
  const next = new Uint32Array(count + 1);
  next.set(offsets.subarray(0, count), 1);
  await pool.write(nextAt, next);
  for (const { y0, y1, base } of strips) {
    call.signal?.throwIfAborted();
    await runKernel(pool, "scatterRunsByLabel", {
      ...rowsArguments(labelled, { y0, y1 }),
      map: mapAt + base * 4,
      next: nextAt,
      count: runCount,
      out: tableAt,
      list: listAt,
    });
  }
  return { tableAt, offsets };
}

/** Grouped by label, raster order within: needs 16 bytes per run of WebAssembly memory beside the result. */
export function runsByLabel(pool: Pool, labelled: Labelled, call: Call): Promise<RunTable> {
  const { runCount } = labelled;
  const table = emptyTable(runCount);
  return withScratch(pool, (scope) =>
    timed(call, "group runs", runCount * 40, async () => {
      const { tableAt, offsets } = await groupRuns(pool, scope, labelled, call);
      for (const [i, field] of FIELDS.entries()) {
        for (let from = 0; from < runCount; from += CHUNK_RUNS * 4) {
          const to = Math.min(runCount, from + CHUNK_RUNS * 4);
          await pool.read(tableAt + (i * runCount + from) * 4, table[field].subarray(from, to));
        }
      }
      return { ...table, offsets };
    }),
  );
}

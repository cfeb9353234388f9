// Outlines of objects. Their runs are grouped by label; threads then trace tens of thousands of runs at a time. See
// assembly/outlines.ts.

import type { Call } from "../core/call.js";
import { LAYOUT } from "../generated/kernels.js";
import type { Outlines } from "../types/outlines.js";
import { inLanes, timed } from "./bands.js";
import { batchesOf, type Share, sharesOf } from "./batches.js";
import type { Labelled } from "./components.js";
import { runKernel } from "./kernels.js";
import type { Pool } from "./memory/pool.js";
import { withScratch } from "./memory/scratch.js";
import { groupRuns } from "./runs.js";

const { TRACE_HEAD_BYTES, TRACE_RUN_BYTES, OUTLINE_RUN_BYTES, RING_NUMBERS, RING_BYTES } = LAYOUT.outlines;

/** Result of tracing one batch: the corners, and four numbers per ring. */
interface Traced {
  readonly points: Int32Array;
  readonly rings: Uint32Array;
}

/**
 * Traces the chosen labels, in ascending order. With `through` a ring passes through points where pixels touch by a corner
 * alone. Memory is 16 bytes per run, and 118 per run of the largest object, or of 65 536 runs per thread.
 */
export function traceLabels(
  pool: Pool,
  labelled: Labelled,
  labels: readonly number[] | undefined,
  through: boolean,
  call: Call,
): Promise<Outlines> {
  const { runCount, count } = labelled;
  const chosen = labels ? Uint32Array.from(labels) : Uint32Array.from({ length: count }, (_, i) => i + 1);
  return withScratch(pool, async (scope) => {
    const { tableAt, offsets } = await timed(call, "group runs", runCount * 40, () =>
      groupRuns(pool, scope, labelled, call),
    );
    const batches = batchesOf(chosen.length, (i) => offsets[chosen[i]] - offsets[chosen[i] - 1]);
    const given = { table: tableAt, count: runCount, objects: count, eight: through };
    const tables = { ...given, offsets: await scope.copyIn(offsets), chosen: await scope.copyIn(chosen) };
    const traced: Traced[] = new Array(batches.length);
    await timed(call, "trace outlines", runCount * 60, async () => {
      for (const share of sharesOf(pool, batches)) await traceBatches(pool, tables, share, traced, call);
    });
    return joined(traced);
  });
}

/** Traces batches on lanes, each with memory for the largest of them. */
function traceBatches(
  pool: Pool,
  tables: { table: number; count: number; objects: number; eight: boolean; offsets: number; chosen: number },
  { batches, lanes, size }: Share,
  traced: Traced[],
  call: Call,
): Promise<void> {
  return withScratch(pool, async (scope) => {
    const scratch = await scope.lanes(lanes, size * TRACE_RUN_BYTES + TRACE_HEAD_BYTES);
    const points = await scope.lanes(lanes, size * OUTLINE_RUN_BYTES);
    const rings = await scope.lanes(lanes, size * RING_BYTES);
    await inLanes(call, "outlines", batches, lanes, async ({ index, from, to, size: runs }, lane) => {
      const ringCount = await runKernel(pool, "traceOutlines", {
        ...tables,
        runs,
        chosen: tables.chosen + from * 4,
        labels: to - from,
        scratch: scratch[lane],
        points: points[lane],
        rings: rings[lane],
      });
      const ends = new Uint32Array(ringCount * RING_NUMBERS);
      await pool.read(rings[lane], ends);
      const corners = new Int32Array(ringCount > 0 ? ends[RING_NUMBERS * (ringCount - 1)] : 0);
      await pool.read(points[lane], corners);
      traced[index] = { points: corners, rings: ends };
    });
  });
}

/** One table of all batches. */
function joined(traced: readonly Traced[]): Outlines {
  const count = traced.reduce((sum, { rings }) => sum + rings.length / RING_NUMBERS, 0);
  const points = new Int32Array(traced.reduce((sum, batch) => sum + batch.points.length, 0));
  const outlines = {
    rings: new Uint32Array(count + 1),
    label: new Uint32Array(count),
    hole: new Uint8Array(count),
    outer: new Uint32Array(count),
  };
  let [ring, at] = [0, 0];
  for (const batch of traced) {
    points.set(batch.points, at);
    const first = ring;
    for (let i = 0; i < batch.rings.length; i += RING_NUMBERS, ring++) {
      outlines.rings[ring + 1] = at + batch.rings[i];
      outlines.label[ring] = batch.rings[i + 1];
      outlines.hole[ring] = batch.rings[i + 2];
      outlines.outer[ring] = first + batch.rings[i + 3];
    }
    at += batch.points.length;
  }
  return { count, points, ...outlines };
}

// Contours and convex hulls, measured object by object from runs. See assembly/regions-contour.ts and
// assembly/regions-hull.ts.

import type { Call } from "../core/call.js";
import { defined } from "../core/defined.js";
import { rowCount } from "../core/pixels.js";
import type { ShapesPlan } from "../core/plans.js";
import { CONTOUR_FIELDS, HULL_FIELDS, type HullCorners, type ShapeSums } from "../core/sums.js";
import { LAYOUT } from "../generated/kernels.js";
import { inLanes, timed } from "./bands.js";
import { type Batch, batchesOf, joinLists, sharesOf } from "./batches.js";
import type { Labelled } from "./components.js";
import { runKernel } from "./kernels.js";
import type { Pool } from "./memory/pool.js";
import { withScratch } from "./memory/scratch.js";
import { measureSolids } from "./region-solids.js";
import { groupRuns } from "./runs.js";

const { CONTOUR_BYTES } = LAYOUT.contours;
LAYOUT.contours.CONTOUR_FIELDS satisfies typeof CONTOUR_FIELDS;
const { RECTANGLE, AREA, FERET, CENTRE_HULL, CORNER_HULL } = LAYOUT.hull;
const { HULL_HEAD_BYTES, HULL_ROW_BYTES, HULL_BYTES } = LAYOUT.hull;
LAYOUT.hull.HULL_FIELDS satisfies typeof HULL_FIELDS;
const { CENTRE_RUN_BYTES, CORNER_RUN_BYTES } = LAYOUT.hull;

/** Outputs of measureHulls, as bits. */
const WANTED = {
  rectangle: RECTANGLE,
  area: AREA,
  feret: FERET,
  centreHull: CENTRE_HULL,
  cornerHull: CORNER_HULL,
} as const;
/** Outputs with a record per object. */
const RECORDED = RECTANGLE | AREA | FERET;

/** Addresses and counts of the table of runs grouped by label. */
interface Tables {
  readonly table: number;
  readonly count: number;
  readonly objects: number;
  readonly offsets: number;
}

/** Measures contours and hulls. Memory: 16 bytes per run, and per thread 56 bytes for each row of the tallest object. */
export function measureShapes(pool: Pool, labelled: Labelled, plan: ShapesPlan, call: Call): Promise<ShapeSums> {
  const { runCount, count } = labelled;
  return withScratch(pool, async (scope) => {
    const { tableAt, offsets } = await timed(call, "group runs", runCount * 40, () =>
      groupRuns(pool, scope, labelled, call),
    );
    const tables = { table: tableAt, count: runCount, objects: count, offsets: await scope.copyIn(offsets) };
    const batches = batchesOf(count, (object) => offsets[object + 1] - offsets[object]);
    const contours = plan.contours && (await contoursOf(pool, labelled, tables, batches, call));
    // The hull of a volume's object is made of those of its slices.
    const slices = plan.hull?.solid ? { ...plan, hull: { centreHull: true } } : plan;
    const hulls = plan.hull && (await hullsOf(pool, labelled, tables, batches, slices, call));
    if (!hulls || !plan.hull?.solid || !hulls.corners) {
      return defined({ contours: contours || undefined, ...(hulls || {}) });
    }
    const solids = await measureSolids(
      pool,
      hulls.corners,
      { height: labelled.planes.height, scale: plan.scale, longest: plan.hull.feret === true },
      call,
    );
    return { solids };
  });
}

async function contoursOf(
  pool: Pool,
  { planes: { width }, runCount, count }: Labelled,
  tables: Tables,
  batches: readonly Batch[],
  call: Call,
): Promise<Float64Array> {
  const contours = new Float64Array(count * CONTOUR_FIELDS);
  await timed(call, "contours", runCount * 16, async () => {
    for (const { batches: some, lanes, objects } of sharesOf(pool, batches)) {
      await withScratch(pool, async (scope) => {
        const rows = await scope.lanes(lanes, 6 * (Math.ceil(width / 64) + 3) * 8);
        const records = await scope.lanes(lanes, objects * CONTOUR_BYTES);
        await inLanes(call, "contours", some, lanes, async ({ from, to }, lane) => {
          const given = { ...tables, from, to, width, rows: rows[lane], records: records[lane] };
          const array = contours.subarray(from * CONTOUR_FIELDS, to * CONTOUR_FIELDS);
          await runKernel(pool, "measureContours", given, { output: { pointer: records[lane], array } });
        });
      });
    }
  });
  return contours;
}

async function hullsOf(
  pool: Pool,
  { planes, runCount, count }: Labelled,
  tables: Tables,
  batches: readonly Batch[],
  { hull, scale }: ShapesPlan,
  call: Call,
): Promise<Pick<ShapeSums, "hulls" | "corners">> {
  const wanted = Object.entries(WANTED).reduce(
    (sum, [name, bit]) => sum + (hull?.[name as keyof typeof WANTED] ? bit : 0),
    0,
  );
  const height = planes.depth > 1 ? planes.height : rowCount(planes);
  const hulls = new Float64Array(wanted & RECORDED ? count * HULL_FIELDS : 0);
  const listed = hull?.centreHull || hull?.cornerHull;
  const corners: HullCorners[] = new Array(batches.length);
  await timed(call, "hulls", runCount * 16, async () => {
    const span = await runKernel(pool, "mostRows", { ...tables, height });
    for (const { batches: some, lanes, objects, size: runs } of sharesOf(pool, batches)) {
      await withScratch(pool, async (scope) => {
        const scratch = await scope.lanes(lanes, span * HULL_ROW_BYTES + HULL_HEAD_BYTES);
        const records = await scope.lanes(lanes, hulls.length ? objects * HULL_BYTES : 0);
        const points = await scope.lanes(
          lanes,
          runs * (hull?.cornerHull ? CORNER_RUN_BYTES : hull?.centreHull ? CENTRE_RUN_BYTES : 0),
        );
        const ends = await scope.lanes(lanes, listed ? objects * 4 : 0);
        await inLanes(call, "hulls", some, lanes, async ({ index, from, to }, lane) => {
          const given = {
            ...tables,
            from,
            to,
            height,
            wanted,
            scaleX: scale[0],
            scaleY: scale[1],
            span,
            scratch: scratch[lane],
            points: points[lane],
            ends: ends[lane],
            records: records[lane],
          };
          const array = hulls.subarray(from * HULL_FIELDS, to * HULL_FIELDS);
          const output = hulls.length ? { output: { pointer: records[lane], array } } : undefined;
          const written = await runKernel(pool, "measureHulls", given, output);
          if (!listed) return;
          const traced = { points: new Int32Array(written * 2), ends: new Uint32Array(to - from) };
          await pool.read(points[lane], traced.points);
          await pool.read(ends[lane], traced.ends);
          corners[index] = traced;
        });
      });
    }
  });
  return defined({ hulls: wanted & RECORDED ? hulls : undefined, corners: listed ? joinLists(corners, 2) : undefined });
}

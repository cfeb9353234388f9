// Convex hulls of volumes' objects, from the corners of the hulls of their slices. See assembly/regions-hull-3d.ts.

import type { Call } from "../core/call.js";
import { type HullCorners, SOLID_FIELDS } from "../core/sums.js";
import { LAYOUT } from "../generated/kernels.js";
import { inLanes, timed } from "./bands.js";
import { type Batch, batchesOf, sharesOf } from "./batches.js";
import { runKernel } from "./kernels.js";
import type { Pool } from "./memory/pool.js";
import { withScratch } from "./memory/scratch.js";

/** Corners that a thread takes at once, unless one object has more. */
const BATCH_CORNERS = 1 << 10;
const { SOLID_HEAD_BYTES, SOLID_CORNER_BYTES, SOLID_ROW_BYTES, FACE_BYTES } = LAYOUT["hull-3d"];
const { SOLID_BYTES } = LAYOUT["hull-3d"];
LAYOUT["hull-3d"].SOLID_FIELDS satisfies typeof SOLID_FIELDS;
/** Corners and faces that a hull has room for at first. */
const FIRST_CORNERS = 1 << 10;
const FIRST_ROOM = 1 << 10;

/** Options of the measurement. */
interface SolidHulls {
  readonly height: number;
  readonly scale: readonly [number, number, number];
  readonly longest: boolean;
}

/**
 * Measures convex hulls. Memory per thread for its largest object: 120 bytes for each corner of the hulls of its slices, 16
 * bytes for each row of its box, and 72 bytes for each face of its hull.
 */
export async function measureSolids(
  pool: Pool,
  corners: HullCorners,
  wanted: SolidHulls,
  call: Call,
): Promise<Float64Array> {
  const { points, ends } = corners;
  const solids = new Float64Array(ends.length * SOLID_FIELDS);
  const batches = batchesOf(ends.length, (object) => ends[object] - (ends[object - 1] ?? 0), BATCH_CORNERS);
  await timed(call, "solid hulls", points.byteLength, async () => {
    for (const { batches: some, lanes } of sharesOf(pool, batches, BATCH_CORNERS)) {
      await inLanes(call, "solid hulls", some, lanes, (batch) => measureBatch(pool, corners, batch, wanted, solids));
    }
  });
  return solids;
}

/** Measures a batch. If an object has more corners or faces than there is room for, continues from it with more room. */
async function measureBatch(
  pool: Pool,
  { points, ends }: HullCorners,
  { from, to }: Batch,
  { height, scale, longest }: SolidHulls,
  solids: Float64Array,
): Promise<void> {
  const first = ends[from - 1] ?? 0;
  const hullCorners = points.subarray(first * 2, ends[to - 1] * 2);
  const ownEnds = ends.subarray(from, to).map((end) => end - first);
  const rows = mostRows(hullCorners, ownEnds, height);
  const corners = Math.max(FIRST_CORNERS, mostCorners(ownEnds));
  const count = to - from;
  await withScratch(pool, async (scope) => {
    const records = await scope.allocate(count * SOLID_BYTES);
    const tables = { corners: await scope.copyIn(hullCorners), ends: await scope.copyIn(ownEnds), count, records };
    for (let done = 0, more = 1; done < count; more *= 4) {
      const [most, room] = [corners * more, FIRST_ROOM * more];
      const bytes = SOLID_HEAD_BYTES + most * SOLID_CORNER_BYTES + room * FACE_BYTES + rows * SOLID_ROW_BYTES;
      const scratch = await scope.allocate(bytes);
      done = await runKernel(pool, "measureSolidHulls", {
        ...tables,
        from: done,
        height,
        scaleX: scale[0],
        scaleY: scale[1],
        scaleZ: scale[2],
        longest,
        scratch,
        most,
        rows,
        room,
      });
      scope.free(scratch);
    }
    await pool.read(records, solids.subarray(from * SOLID_FIELDS, to * SOLID_FIELDS));
  });
}

function mostCorners(ends: Uint32Array): number {
  return ends.reduce((most, end, i) => Math.max(most, end - (ends[i - 1] ?? 0)), 0);
}

/** The largest number of rows of an object's box, counted through its slices. */
function mostRows(points: Int32Array, ends: Uint32Array, height: number): number {
  let most = 0;
  for (let object = 0, k = 0; object < ends.length; object++) {
    let [y0, y1, z0, z1] = [height, -1, Number.POSITIVE_INFINITY, -1];
    for (; k < ends[object]; k++) {
      const row = points[2 * k + 1];
      const [y, z] = [row % height, Math.floor(row / height)];
      [y0, y1, z0, z1] = [Math.min(y0, y), Math.max(y1, y), Math.min(z0, z), Math.max(z1, z)];
    }
    if (y1 >= 0) most = Math.max(most, (y1 - y0 + 1) * (z1 - z0 + 1));
  }
  return most;
}

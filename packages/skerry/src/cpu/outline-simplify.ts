// Simplified outlines; see assembly/outline-simplify.ts. Batches are marked one after another, since their borders share
// bytes. Then threads simplify rings in parallel.

import type { Call } from "../core/call.js";
import { conflictsOf, objectsOf } from "../core/outline-conflicts.js";
import { LAYOUT } from "../generated/kernels.js";
import type { Outlines } from "../types/outlines.js";
import { inLanes, timed } from "./bands.js";
import { type Batch, batchesOf, joinLists, type PointLists, sharesOf } from "./batches.js";
import { runKernel } from "./kernels.js";
import type { Pool } from "./memory/pool.js";
import { withScratch } from "./memory/scratch.js";

/** Coordinates (two per corner) that a thread takes at once, unless one ring has more. */
const BATCH_NUMBERS = 1 << 16;
const { SIMPLIFY_HEAD_BYTES, SIMPLIFY_CORNER_BYTES } = LAYOUT["outline-simplify"];

/** Rounds in which the farthest corner of a faulty stretch comes back; in later ones all of its corners do. */
const GENTLE_ROUNDS = 4;

/**
 * Leaves out corners that are at most `tolerance` pixels away from the outline that is left. O(n log n) as a rule for n
 * corners. Memory: one byte per corner of the image's pixels, and per thread 33 bytes per corner of its batch. Where rings
 * of one object would cross, or one would become a line, corners come back until no ring does.
 */
export function simplifyOutlines(
  pool: Pool,
  outlines: Outlines,
  { width, height }: { readonly width: number; readonly height: number },
  tolerance: number,
  call: Call,
): Promise<Outlines> {
  const { count, points, rings } = outlines;
  const [pitch, rows] = [width + 1, height + 1];
  const batches = batchesOf(count, (ring) => rings[ring + 1] - rings[ring], BATCH_NUMBERS);
  return withScratch(pool, async (scope) => {
    const directions = await scope.allocate(pitch * rows);
    await runKernel(pool, "fillBytes", { dst: directions, value: 0, bytes: pitch * rows });
    const image = { directions, pitch, rows };
    let lists: PointLists[] = [];
    const simplify = async (): Promise<Outlines> => {
      for (const share of sharesOf(pool, batches, BATCH_NUMBERS)) {
        await inLanes(call, "simplify", share.batches, share.lanes, async (batch) => {
          lists[batch.index] = await simplifyBatch(pool, outlines, batch, { ...image, tolerance });
        });
      }
      const { points: left, ends } = joinLists(lists, 1);
      const ringsLeft = new Uint32Array(count + 1);
      ringsLeft.set(ends, 1);
      return { ...outlines, points: left, rings: ringsLeft };
    };
    return timed(call, "simplify", points.byteLength * 4, async () => {
      for (const between of [false, true]) {
        for (const batch of batches) {
          call.signal?.throwIfAborted();
          await withBatch(pool, outlines, batch, (given) =>
            runKernel(pool, "markRings", { ...given, ...image, between }),
          );
        }
      }
      let simplified = await simplify();
      let objects = objectsOf(outlines, (ring) => differs(outlines, simplified, ring));
      for (let round = 0; ; round++) {
        const all = round >= GENTLE_ROUNDS;
        const places = await conflictsOf(
          outlines,
          simplified,
          objects,
          { pitch, all },
          { ...call, onProgress: undefined },
        );
        if (places.length === 0) return simplified;
        await withScratch(pool, async (inner) => {
          const placesAt = await inner.copyIn(places);
          await runKernel(pool, "fixCorners", { places: placesAt, count: places.length, directions });
        });
        lists = [];
        const before = simplified;
        simplified = await simplify();
        objects = objectsOf(outlines, (ring) => differs(before, simplified, ring));
      }
    });
  });
}

/** Whether a ring changed. */
function differs(before: Outlines, after: Outlines, ring: number): boolean {
  const [a, b] = [before.rings[ring], after.rings[ring]];
  const length = after.rings[ring + 1] - b;
  if (before.rings[ring + 1] - a !== length) return true;
  for (let i = 0; i < length; i++) if (before.points[a + i] !== after.points[b + i]) return true;
  return false;
}

/** Addresses of the corners and the ends of a batch of rings. */
interface Given {
  readonly points: number;
  readonly ends: number;
  readonly count: number;
}

/** Runs `work` with the rings of a batch in memory. */
function withBatch<T>(
  pool: Pool,
  { points, rings }: Outlines,
  { from, to }: Batch,
  work: (given: Given) => Promise<T>,
): Promise<T> {
  return withScratch(pool, async (scope) => {
    const ends = rings.subarray(from + 1, to + 1).map((end) => end - rings[from]);
    const corners = points.subarray(rings[from], rings[to]);
    return work({ points: await scope.copyIn(corners), ends: await scope.copyIn(ends), count: to - from });
  });
}

function simplifyBatch(
  pool: Pool,
  outlines: Outlines,
  batch: Batch,
  {
    tolerance,
    ...image
  }: { readonly directions: number; readonly pitch: number; readonly rows: number; readonly tolerance: number },
): Promise<PointLists> {
  return withBatch(pool, outlines, batch, async (given) => {
    const corners = await runKernel(pool, "countCorners", { ...given, ...image });
    return withScratch(pool, async (scope) => {
      const scratch = await scope.allocate(corners * SIMPLIFY_CORNER_BYTES + SIMPLIFY_HEAD_BYTES);
      const [out, outEnds] = [await scope.allocate(corners * 8), await scope.allocate(given.count * 4)];
      const kept = await runKernel(pool, "simplifyRings", {
        ...given,
        ...image,
        tolerance,
        corners,
        scratch,
        out,
        outEnds,
      });
      const left = { points: new Int32Array(kept), ends: new Uint32Array(given.count) };
      await pool.read(out, left.points);
      await pool.read(outEnds, left.ends);
      return left;
    });
  });
}

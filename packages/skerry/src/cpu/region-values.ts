// Quantiles and histograms of the values under each object. See assembly/regions-values.ts.

import type { Call } from "../core/call.js";
import { PIXEL_BYTES, rowCount, TYPE_CODE } from "../core/pixels.js";
import type { ValuesPlan } from "../core/plans.js";
import type { ValueSums } from "../core/sums.js";
import { inLanes, timed } from "./bands.js";
import { batchesOf, sharesOf } from "./batches.js";
import type { Labelled } from "./components.js";
import { runKernel } from "./kernels.js";
import { placePixels } from "./pixel-feed.js";
import type { Pool } from "./pool.js";
import { groupRuns } from "./runs.js";
import { withScratch } from "./scratch.js";

/** Pixels that a thread takes at once, unless one object has more. */
const BATCH_PIXELS = 1 << 18;
/** 16-bit objects of so many pixels, or more, have their levels counted instead of their keys sorted. */
const MOST_SORTED = 65536;

/**
 * Memory is that of the pixels, unless they are resident, 16 bytes per run, and 8 bytes per pixel of the largest object; of 16 bit 512 KiB
 * at most per thread, of 8 bit none.
 */
export function measureValues(
  pool: Pool,
  labelled: Labelled,
  { pixels, fractions, edges, finite = false }: ValuesPlan,
  areas: Uint32Array,
  call: Call,
): Promise<ValueSums> {
  const { runCount, count } = labelled;
  const { type, width, nodata } = pixels.shape;
  const [quantiles, bins] = [fractions.length, edges ? edges.length - 1 : 0];
  const made = { quantiles: new Float64Array(count * quantiles), histogram: new Uint32Array(count * bins) };
  return withScratch(pool, async (scope) => {
    const { tableAt, offsets } = await groupRuns(pool, scope, labelled, call);
    const given = {
      ...{ table: tableAt, count: runCount, offsets: await scope.hold(offsets), objects: count },
      ...{ pixels: await placePixels(pool, scope, pixels, call), width, rows: rowCount(pixels.shape) },
      ...{ type: TYPE_CODE[type], excepting: nodata !== undefined, except: nodata ?? 0, finite },
      ...{ fractions: await scope.hold(fractions), quantiles, edges: edges ? await scope.hold(edges) : 0, bins },
    };
    const labels = Uint32Array.from({ length: count }, (_, i) => i + 1);
    const batches = batchesOf(labels, (label) => areas[label - 1], BATCH_PIXELS);
    await timed(call, "values", labelled.foreground * PIXEL_BYTES[type], async () => {
      for (const share of sharesOf(pool, batches, BATCH_PIXELS)) {
        await withScratch(pool, async (inner) => {
          const lanes = Math.min(share.lanes, share.batches.length);
          const objects = share.batches.reduce((most, { from, to }) => Math.max(most, to - from), 0);
          const largest = share.batches.reduce((most, { size }) => Math.max(most, size), 0);
          const bytes = PIXEL_BYTES[type];
          const most = quantiles === 0 || bytes === 1 ? 0 : bytes === 2 ? Math.min(largest, MOST_SORTED) : largest;
          const keys = await inner.lanes(lanes, most * 8);
          const counters = await inner.lanes(lanes, quantiles === 0 ? 0 : bytes === 2 ? 4 * MOST_SORTED : 1024);
          const out = await inner.lanes(lanes, objects * quantiles * 8);
          const histogram = await inner.lanes(lanes, objects * bins * 4);
          await inLanes(call, "values", share.batches, lanes, async ({ from, to }, lane) => {
            const own = {
              keys: keys[lane],
              most,
              counters: counters[lane],
              out: out[lane],
              histogram: histogram[lane],
            };
            await runKernel(pool, "measureValues", { ...given, ...own, from, to });
            await pool.read(out[lane], made.quantiles.subarray(from * quantiles, to * quantiles));
            await pool.read(histogram[lane], made.histogram.subarray(from * bins, to * bins));
          });
        });
      }
    });
    return made;
  });
}

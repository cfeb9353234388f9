// Quantiles and histograms of the values under each object. See assembly/regions-values.ts.

import type { Call } from "../core/call.js";
import { BINS, binEdges } from "../core/histogram.js";
import { PIXEL_BYTES, rowCount, TYPE_CODE } from "../core/pixels.js";
import type { ValuesPlan } from "../core/plans.js";
import type { ValueSums } from "../core/sums.js";
import { LAYOUT } from "../generated/kernels.js";
import { placePixels } from "./arriving-pixels.js";
import { inLanes, timed } from "./bands.js";
import { batchesOf, type Share, sharesOf } from "./batches.js";
import type { Labelled } from "./components.js";
import { type Arguments, runKernel } from "./kernels.js";
import type { Pool } from "./memory/pool.js";
import { withScratch } from "./memory/scratch.js";
import { groupRuns } from "./runs.js";

const { BYTE_COUNTERS, LEVEL_COUNTERS } = LAYOUT["regions-values"];

/** Pixels that a thread takes at once, unless one object has more. */
const BATCH_PIXELS = 1 << 18;
/** Levels of 16-bit pixels are counted, and their keys not sorted, if an object has this many pixels or more. */
const MOST_SORTED = 65536;

/** Arguments that all batches of a pass share. */
type Pass = Omit<Arguments<"measureValues">, "from" | "to" | "keys" | "most" | "counters" | "out" | "histogram">;

/** Result of a pass: numbers per object, and counts. */
type Made = Pick<ValueSums, "quantiles" | "histogram">;

/**
 * Measures quantiles and histograms. Memory: the pixels, unless they are resident; 16 bytes per run; per thread 8 bytes per
 * pixel of its largest batch. The latter is at most 512 KiB for 16-bit pixels, and none for 8-bit ones.
 */
export function measureValues(
  pool: Pool,
  labelled: Labelled,
  { pixels, fractions, bins, areas }: ValuesPlan,
  call: Call,
): Promise<ValueSums> {
  const { runCount, count, foreground } = labelled;
  const { type, width, nodata } = pixels.shape;
  const shares = sharesOf(
    pool,
    batchesOf(count, (object) => areas[object], BATCH_PIXELS),
    BATCH_PIXELS,
  );
  return withScratch(pool, async (scope) => {
    const { tableAt, offsets } = await groupRuns(pool, scope, labelled, call);
    const given = {
      table: tableAt,
      count: runCount,
      offsets: await scope.copyIn(offsets),
      objects: count,
      pixels: await placePixels(pool, scope, pixels, call),
      width,
      rows: rowCount(pixels.shape),
      type: TYPE_CODE[type],
      excepting: nodata !== undefined,
      except: nodata ?? 0,
      fractions: await scope.copyIn(fractions),
      quantiles: fractions.length,
      edges: 0,
      bins: 0,
    };
    const passOver = async (kernel: "measureValues" | "measureExtremes", pass: Pass): Promise<Made> => {
      const results = {
        quantiles: new Float64Array(count * pass.quantiles),
        histogram: new Uint32Array(count * pass.bins),
      };
      await timed(call, "values", foreground * PIXEL_BYTES[type], async () => {
        for (const share of shares) await passShare(pool, kernel, pass, PIXEL_BYTES[type], share, results, call);
      });
      return results;
    };
    const range = typeof bins === "number" ? await passOver("measureExtremes", { ...given, quantiles: 2 }) : undefined;
    const edges = bins === undefined ? undefined : range ? edgesOf(range.quantiles, bins as number) : LEVELS;
    const binned = edges ? { edges: await scope.copyIn(edges), bins: edges.length - 1 } : {};
    return { ...(await passOver("measureValues", { ...given, ...binned })), edges };
  });
}

/** Runs a kernel over the batches of a share. */
function passShare(
  pool: Pool,
  kernel: "measureValues" | "measureExtremes",
  pass: Pass,
  bytes: number,
  { batches, lanes, size, objects }: Share,
  results: Made,
  call: Call,
): Promise<void> {
  const { quantiles, bins } = pass;
  const most = quantiles === 0 || bytes === 1 ? 0 : bytes === 2 ? Math.min(size, MOST_SORTED) : size;
  return withScratch(pool, async (scope) => {
    const keys = await scope.lanes(lanes, most * 8);
    const counters = await scope.lanes(lanes, quantiles === 0 ? 0 : bytes === 2 ? LEVEL_COUNTERS : BYTE_COUNTERS);
    const out = await scope.lanes(lanes, objects * quantiles * 8);
    const histogram = await scope.lanes(lanes, objects * bins * 4);
    await inLanes(call, "values", batches, lanes, async ({ from, to }, lane) => {
      const pointers = { keys: keys[lane], most, counters: counters[lane], out: out[lane], histogram: histogram[lane] };
      await runKernel(pool, kernel, { ...pass, ...pointers, from, to });
      await pool.read(out[lane], results.quantiles.subarray(from * quantiles, to * quantiles));
      await pool.read(histogram[lane], results.histogram.subarray(from * bins, to * bins));
    });
  });
}

/** Edges of one bin for each level of u8. */
const LEVELS = binEdges(0, BINS, BINS);

/** Edges of equal bins, from the smallest to the largest of the objects' extremes. */
function edgesOf(extremes: Float64Array, bins: number): Float64Array {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < extremes.length; i += 2) {
    // Objects without a value have NaN.
    if (extremes[i] < low) low = extremes[i];
    if (extremes[i + 1] > high) high = extremes[i + 1];
  }
  // As in NumPy, if there is one value or none.
  if (low > high) return binEdges(0, 1, bins);
  return low === high ? binEdges(low - 0.5, high + 0.5, bins) : binEdges(low, high, bins);
}

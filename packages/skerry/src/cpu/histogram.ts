// Histograms of luma, a band at a time, added up on the main thread in f64 so that no count wraps.

import type { Call } from "../core/call.js";
import { BINS, binEdges, type Histogram, ofBins, ofLevels } from "../core/histogram.js";
import { hasLevels, type Pixels, rowCount, TYPE_CODE } from "../core/pixels.js";
import type { HistogramRequest } from "../core/requests.js";
import { noFiniteError } from "../types/errors.js";
import { bandBytes, bandsOf, inLanes, laneCount, timed } from "./bands.js";
import { runKernel } from "./kernels.js";
import { fenced } from "./mask.js";
import type { Pool } from "./memory/pool.js";
import { withScratch } from "./memory/scratch.js";
import { PixelFeed } from "./pixel-feed.js";

/** Integers that span at most so many levels are counted exactly. */
const MOST_LEVELS = 65536;

/** Maximum bytes of a band. Larger than elsewhere, since each band returns a histogram of up to 256 KiB. */
const BAND = 4 << 20;

/**
 * Counts exact levels of integers that span at most 65 536 of them. Other values are counted in `bins` bins, by default
 * 256, from the smallest to the largest finite value.
 */
export function histogram(pool: Pool, { pixels, bins, within }: HistogramRequest, call: Call): Promise<Histogram> {
  return fenced(pool, within, { ...call, timings: [] }, (fence) => countLevels(pool, pixels, fence, call, bins));
}

async function countLevels(pool: Pool, pixels: Pixels, fence: number, call: Call, bins = BINS): Promise<Histogram> {
  const { type } = pixels.shape;
  if (hasLevels(type)) {
    const size = type === "u8" ? 4 * BINS : 65536;
    const parts = new Float64Array(size);
    await bandHistograms(pool, { pixels, fence }, new Uint32Array(size), {}, call, (part: Uint32Array) => {
      for (let i = 0; i < size; i++) parts[i] = parts[i] + part[i];
    });
    const length = type === "u8" ? BINS : size;
    const counts = new Float64Array(length);
    for (let i = 0; i < size; i++) counts[i % length] = counts[i % length] + parts[i];
    return ofLevels(counts, pixels.shape);
  }
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  await bandHistograms(pool, { pixels, fence }, new Float64Array(2), {}, call, (range: Float64Array) => {
    low = Math.min(low, range[0]);
    high = Math.max(high, range[1]);
  });
  if (low > high) throw noFiniteError();
  // A single value is a level, also among floats.
  const exact = low === high || (type !== "f32" && high - low < MOST_LEVELS);
  const edges = exact ? Float64Array.of(low) : binEdges(low, high, bins);
  const counts = new Float64Array(exact ? high - low + 1 : bins);
  const wanted = { edges, levels: exact ? counts.length : 0 };
  await bandHistograms(pool, { pixels, fence }, new Uint32Array(counts.length), wanted, call, (part: Uint32Array) => {
    for (let i = 0; i < counts.length; i++) counts[i] = counts[i] + part[i];
  });
  return exact ? { counts, levels: counts.map((_, i) => low + i) } : ofBins(counts, edges);
}

async function bandHistograms<T extends Uint32Array | Float64Array>(
  pool: Pool,
  { pixels, fence }: { readonly pixels: Pixels; readonly fence: number },
  empty: T,
  { edges, levels = 0 }: { readonly edges?: Float64Array; readonly levels?: number },
  call: Call,
  add: (part: T) => void,
): Promise<void> {
  const { width, channels, type, nodata } = pixels.shape;
  const height = rowCount(pixels.shape);
  await withScratch(pool, async (scope) => {
    const bytes = bandBytes(pool, pixels.shape, BAND);
    const bands = bandsOf({ y0: 0, y1: height }, PixelFeed.scratchBytes(pixels.shape) * channels, bytes);
    const lanes = Math.min(laneCount(pool), bands.length);
    const feed = await PixelFeed.open(scope, pixels, lanes, (bands[0] as { y1: number }).y1, call);
    const scratch = await scope.lanes(lanes, PixelFeed.scratchBytes(pixels.shape));
    const tables = await scope.lanes(lanes, empty.byteLength);
    const edgesAt = edges ? await scope.copyIn(edges) : 0;
    await timed(call, "histogram", height * feed.rowBytes, () =>
      inLanes(call, "histogram", bands, lanes, async (band, lane) => {
        const table = tables[lane];
        const { pointer, input } = await feed.fetch(lane, band);
        const part = empty.slice() as T;
        await pool.write(table, part);
        await runKernel(
          pool,
          "histogramRows",
          {
            type: TYPE_CODE[type],
            channels,
            src: pointer,
            rows: band.y1 - band.y0,
            width,
            histogram: table,
            edges: edgesAt,
            levels,
            scratch: scratch[lane],
            except: nodata ?? Number.NaN,
            bins: edges ? edges.length - 1 : 0,
            fence: fence && fence + band.y0 * Math.ceil(width / 64) * 8,
          },
          { input, output: { pointer: table, array: part } },
        );
        add(part);
      }),
    );
  });
}

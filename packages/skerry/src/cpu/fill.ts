// A fill is a search from its seeds, whose cost grows with the pixels it reaches. If these are a large part of the image,
// all matching pixels are labelled on all threads instead, and the components with seeds are kept.

import type { Call } from "../core/call.js";
import { coloursAt, matchNeighbour, type ReadWindow, type Wave, wavesOf } from "../core/colour-match.js";
import { defined } from "../core/defined.js";
import type { Filled } from "../core/lazy-labels.js";
import { newPixels, PIXEL_BYTES, type Pixels } from "../core/pixels.js";
import { type FillPlan, isDirected, type Seed } from "../core/plans.js";
import { hostRows } from "../core/sinks.js";
import { Unsupported } from "../types/errors.js";
import type { PixelArray } from "../types/raster.js";
import { timed } from "./bands.js";
import { countRuns, type Labelled, labelAt, labelPlanes, stripsOf } from "./components.js";
import { linkPixels } from "./components-linked.js";
import { matchPixels } from "./fill-match.js";
import { Search } from "./fill-search.js";
import { keepComponents } from "./filter.js";
import { runKernel } from "./kernels.js";
import { unpackMask } from "./mask.js";
import type { Pool } from "./memory/pool.js";
import { type ScratchScope, withScratch } from "./memory/scratch.js";
import type { Resident } from "./pixel-feed.js";
import { allocatePlanes, freePlanes, makePlanes, type Planes, planeBytes, rowsOf } from "./planes.js";

/** Maximum cost of a search, as a fraction of the cost of labelling on two threads; see bench/NOTES.md. */
const SEARCHED_PART = 0.23;

/**
 * The same for a floating range, where the alternative is linking neighbours: maximum words reached, as a multiple of
 * the image's words, on two threads.
 */
const REACHED_PART = 1.2;

/**
 * Fills from the seeds. The search reads the reached pixels and their neighbours. With a fixed range, once it has cost
 * SEARCHED_PART of the alternative, every pixel is read once and every run is labelled. Memory besides the result: while
 * searching 24 to 80 bytes per 64 pixels, and room for pixels that are not resident, touched only where the search
 * reaches. While labelling 4 bytes per run.
 */
export async function fillPixels(pool: Pool, pixels: Pixels, plan: FillPlan, call: Call): Promise<Filled<Planes>> {
  const { shape } = pixels;
  // A floating range reads the seeds' colours only to check that they are numbers.
  if (plan.floating && shape.type === "f32") await coloursAt(plan.seeds, 1, shape, windows(pool, pixels, call));
  if (shape.depth > 1 && plan.floating) return fillLinked(pool, pixels, plan, call);
  const waves: Wave[] = plan.floating
    ? [{ match: matchNeighbour(plan, shape.type), seeds: plan.seeds }]
    : wavesOf(
        plan,
        plan.seeds,
        await coloursAt(plan.seeds, plan.average, shape, windows(pool, pixels, call)),
        shape.type,
      );
  return withScratch(pool, async (scope) => {
    if (waves.length === 1) return fillWave(pool, scope, pixels, plan, waves[0], call);
    const planes = await makePlanes(pool, shape, 1, async (union) => {
      await runKernel(pool, "fillBytes", { dst: union.first, value: 0, bytes: planeBytes(union) });
      for (const wave of waves) {
        const { planes } = await fillWave(pool, scope, pixels, plan, wave, call);
        const { y0, y1 } = rowsOf(planes);
        const [at, bytes] = [y0 * planes.words * 8, (y1 - y0) * planes.words * 8];
        await runKernel(pool, "orBits", { a: union.first + at, b: planes.first + at, bytes, dst: union.first + at });
        freePlanes(pool, planes);
      }
    });
    return { planes };
  });
}

async function fillWave(
  pool: Pool,
  scope: ScratchScope,
  pixels: Pixels,
  plan: FillPlan,
  wave: Wave,
  call: Call,
): Promise<Filled<Planes>> {
  if (plan.contiguous && pixels.shape.depth === 1) {
    // The memory of the search is freed before all pixels are matched, and before the next colour is searched.
    const found = await timed(call, "search", 0, () =>
      withScratch(pool, (scratch) => search(pool, scratch, pixels, plan, wave, call)),
    );
    if (found) return found;
    if (plan.floating) return fillLinked(pool, pixels, plan, call);
  }
  const { within } = plan;
  const fence = within && (await unpackMask(pool, within, call));
  try {
    const { planes, foreground } = await matchPixels(pool, scope, pixels, wave.match, fence, call);
    if (!plan.contiguous) return { planes };
    const labelled = await labelPlanes(pool, planes, plan.connectivity, call, foreground);
    try {
      return await counted(pool, await keepSeeded(pool, scope, labelled, wave.seeds, call), wave, call);
    } finally {
      labelled.free();
    }
  } finally {
    if (fence) freePlanes(pool, fence);
  }
}

/** The planes of the components that hold seeds. */
async function keepSeeded(
  pool: Pool,
  scope: ScratchScope,
  labelled: Labelled,
  seeds: readonly Seed[],
  call: Call,
): Promise<Planes> {
  const { height } = labelled.planes;
  const labels = new Set<number>();
  for (const [x, y, z] of seeds) labels.add(await labelAt(pool, labelled, x, z * height + y));
  const keepAt = await scope.allocate(labelled.size);
  await runKernel(pool, "fillBytes", { dst: keepAt, value: 0, bytes: labelled.size });
  for (const label of labels) {
    if (label > 0)
      await runKernel(pool, "chooseLabel", { map: labelled.mapAt, count: labelled.size, label, keep: keepAt });
  }
  const kept = await keepComponents(pool, labelled, keepAt, call);
  scope.free(keepAt);
  return kept;
}

/** A floating range without a search: the components of pixels that are linked. */
async function fillLinked(pool: Pool, pixels: Pixels, plan: FillPlan, call: Call): Promise<Filled<Planes>> {
  if (isDirected(plan)) {
    throw new Unsupported("Expected the same tolerance on both sides for a floating range in a volume.");
  }
  const { seeds, connectivity, within } = plan;
  const rule = {
    match: matchNeighbour(plan, pixels.shape.type),
    tolerance: plan.upper[0],
    background: undefined,
  };
  const linked = await linkPixels(pool, pixels, rule, connectivity, call);
  return withScratch(pool, async (scope) => {
    if (within) await fenceIn(pool, linked.planes, within, call);
    const labelled = await labelPlanes(pool, linked.planes, connectivity, call);
    try {
      const kept = await keepSeeded(pool, scope, labelled, seeds, call);
      try {
        // From here on reached pixels are plain foreground: touching runs become one.
        const planes = await makePlanes(pool, pixels.shape, 1, async ({ first }) => {
          await runKernel(pool, "orBits", { a: kept.first, b: kept.second, bytes: planeBytes(kept), dst: first });
        });
        return { planes };
      } finally {
        freePlanes(pool, kept);
      }
    } finally {
      labelled.free();
    }
  });
}

/** Clears the pixels outside a fence. If that fails, the planes are freed. */
async function fenceIn(pool: Pool, planes: Planes, within: NonNullable<FillPlan["within"]>, call: Call): Promise<void> {
  try {
    const fence = await unpackMask(pool, within, call);
    try {
      for (const at of [planes.first, planes.second]) {
        await runKernel(pool, "andBits", { a: at, b: fence.first, bytes: planeBytes(planes), dst: at });
      }
    } finally {
      freePlanes(pool, fence);
    }
  } catch (error) {
    freePlanes(pool, planes);
    throw error;
  }
}

/** One seed fills one component, so labels are computed only when more than its size is needed. */
async function counted(pool: Pool, planes: Planes, { seeds }: Wave, call: Call): Promise<Filled<Planes>> {
  if (seeds.length > 1) return { planes };
  try {
    const { rows, offsetsAt } = planes;
    const foreground = await countRuns(pool, planes, stripsOf(planes), call);
    const counts = new Uint32Array(rows);
    await pool.read(offsetsAt, counts);
    return { planes, known: { foreground, runCount: counts.reduce((sum, runs) => sum + runs, 0) } };
  } catch (error) {
    freePlanes(pool, planes);
    throw error;
  }
}

async function search(
  pool: Pool,
  scope: ScratchScope,
  pixels: Pixels,
  plan: FillPlan,
  { match, seeds }: Wave,
  call: Call,
): Promise<Filled<Planes> | undefined> {
  const planes = await allocatePlanes(pool, pixels.shape, 1);
  let kept = false;
  try {
    const searching = await Search.open(pool, scope, pixels, plan.within?.bits, call);
    const { floating, connectivity } = plan;
    const most = floating ? REACHED_PART : SEARCHED_PART;
    // Directed steps are not symmetric, so components cannot replace the search: it has no limit.
    const part = isDirected(plan) ? Number.POSITIVE_INFINITY : (most * 2) / pool.threads;
    const found = await searching.run(planes, match, seeds, {
      floating,
      directed: isDirected(plan),
      eight: connectivity === 8,
      part,
    });
    if (!found) return undefined;
    kept = true;
    const known = { foreground: found.area, runCount: found.runs };
    return defined({ planes: { ...planes, window: found.window }, known: seeds.length === 1 ? known : undefined });
  } finally {
    if (!kept) freePlanes(pool, planes);
  }
}

/** Returns a function that reads small windows of pixels, from the host or from WebAssembly memory. */
export function windows(pool: Pool, pixels: Pixels, call: Call): ReadWindow {
  const { width, channels, type } = pixels.shape;
  return async (x0, x1, y0, y1) => {
    const values = (x1 - x0) * channels;
    const found = newPixels(type, values * (y1 - y0));
    const rows = pixels.kind === "image" ? undefined : await hostRows(pixels, y0, y1, call);
    for (let y = y0; y < y1; y++) {
      const row = found.subarray((y - y0) * values, (y - y0 + 1) * values);
      if (pixels.kind === "image") {
        const from = (y * width + x0) * channels * PIXEL_BYTES[type];
        await pool.read((pixels.image as unknown as Resident).pointer + from, row);
      } else {
        const at = ((y - y0) * width + x0) * channels;
        row.set((rows as PixelArray).subarray(at, at + values));
      }
    }
    return found;
  };
}

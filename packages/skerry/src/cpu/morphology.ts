// Morphology of bits by the exact distance. A dilation keeps the pixels within the radius of an object. An erosion keeps
// the pixels that are farther than the radius from the background. Images use the rows of a disc. Volumes, and discs with
// more than 65 533 rows above their middle, use the costs of a distance map, of which slices in reach are kept.

import type { Call } from "../core/call.js";
import { plainPlan } from "../core/distance-costs.js";
import { costsOf, discOf, type MorphologyPlan, padsOf, stepsOf } from "../core/morphology-plan.js";
import { rowCount, type Size } from "../core/pixels.js";
import { LAYOUT } from "../generated/kernels.js";
import { bandsOf, inLanes, laneCount, listBytes, timed } from "./bands.js";
import { markWithin } from "./distance.js";
import { runKernel } from "./kernels.js";
import type { Pool } from "./memory/pool.js";
import { withScratch } from "./memory/scratch.js";
import { clearOutside, freePlanes, makePlanes, type Planes, planeBytes, rowsOf } from "./planes.js";

const { SCRATCH_ROWS, ROW_MARGIN_BYTES } = LAYOUT.morphology;

/** Discs of at most this many rows above their middle go by words. Larger ones go by pixels, all in the same time. */
const NEAR_ROWS = 6;

/** The same for short runs, each of which takes longer by pixels than by all its words. */
const NEAR_ROWS_DENSE = 48;

/** Runs count as short if the raster has fewer pixels per run than this. */
const SHORT_RUN = 12;

/** Bytes of heights that a lane holds. */
const HEIGHT_BYTES = 4 << 20;

/** Minimum rows of a band, unless the raster has too few for all lanes. */
const LEAST_ROWS = 16;

/** Applies a plan to the union of planes, and returns one new plane. */
export async function applyMorphology(
  pool: Pool,
  given: Planes,
  runs: number,
  plan: MorphologyPlan,
  call: Call,
): Promise<Planes> {
  await clearOutside(pool, given, rowsOf(given));
  const { operation, extend } = plan;
  const around = { ...call, timings: [] };
  const run = async (): Promise<Planes> => {
    const source = await unionOf(pool, given);
    // After the first of two steps, runs are longer.
    let near = runs * SHORT_RUN > given.width * given.rows ? NEAR_ROWS_DENSE : NEAR_ROWS;
    const { padded, steps } = stepsOf(plan);
    const pads = padded ? wholePads(given, plan) : undefined;
    let planes = source;
    if (pads) planes = await consumed(pool, planes, (from) => pad(pool, from, pads, extend));
    for (const step of steps) {
      const most = near;
      planes = await consumed(pool, planes, (from) => grow(pool, from, plan, step, most, around));
      near = NEAR_ROWS;
    }
    if (pads) planes = await consumed(pool, planes, (from) => crop(pool, from, pads, given));
    return planes;
  };
  return timed(call, operation, planeBytes(given) * 2, run);
}

/** Makes new planes from others, and frees those. */
export async function consumed(pool: Pool, planes: Planes, make: (from: Planes) => Promise<Planes>): Promise<Planes> {
  try {
    return await make(planes);
  } finally {
    freePlanes(pool, planes);
  }
}

/** A copy of planes, both polarities together. */
export function unionOf(pool: Pool, planes: Planes): Promise<Planes> {
  const { first, second } = planes;
  const bytes = planeBytes(planes);
  return makePlanes(pool, planes, 1, async ({ first: dst }) => {
    if (second) await runKernel(pool, "orBits", { a: first, b: second, bytes, dst });
    else await runKernel(pool, "copyBytes", { dst, src: first, bytes });
  });
}

/** One dilation, or an erosion: a dilation of the background. */
function grow(
  pool: Pool,
  from: Planes,
  plan: MorphologyPlan,
  step: "dilate" | "erode",
  near: number,
  call: Call,
): Promise<Planes> {
  const invert = step === "erode";
  const outside = invert && !plan.extend;
  const [x, y] = plan.spacing;
  const isFlat = from.depth === 1;
  const widths = isFlat ? discOf(plan, x, y) : undefined;
  if (widths && widths.length <= near + 1) return growNear(pool, from, widths, invert, outside, call);
  if (widths && widths.length <= 65534) return growFar(pool, from, plan, invert, outside, call);
  return growByDistance(pool, from, plan, invert, outside, call);
}

function growNear(
  pool: Pool,
  { first: bits, ...from }: Planes,
  disc: Uint32Array,
  invert: boolean,
  outside: boolean,
  call: Call,
): Promise<Planes> {
  const { width, height, words } = from;
  return makePlanes(pool, from, 1, ({ first: dst }) =>
    withScratch(pool, async (scope) => {
      const bands = bandsOf({ y0: 0, y1: height }, 1, Math.max(LEAST_ROWS, Math.ceil(height / (4 * laneCount(pool)))));
      const lanes = Math.min(laneCount(pool), bands.length);
      const widths = await scope.copyIn(disc);
      const rows = await scope.lanes(lanes, SCRATCH_ROWS * (words * 8 + ROW_MARGIN_BYTES));
      await inLanes(call, "morphology", bands, lanes, async ({ y0, y1 }, lane) => {
        const reach = disc.length - 1;
        const given = { bits, width, height, y0, y1, invert, outside, widths, reach, dst, rows: rows[lane] };
        await runKernel(pool, "nearRows", given);
      });
    }),
  );
}

function growFar(
  pool: Pool,
  { first: bits, ...from }: Planes,
  plan: MorphologyPlan,
  invert: boolean,
  outside: boolean,
  call: Call,
): Promise<Planes> {
  const { width, height, words } = from;
  const [x, y] = plan.spacing;
  // Rows that the disc reaches up and down, for each horizontal distance from its middle.
  const disc = discOf(plan, y, x);
  const reachY = disc[0];
  const reachX = disc.length - 1;
  const wide = reachY >= 255;
  const size = wide ? 2 : 1;
  return makePlanes(pool, from, 1, ({ first: dst }) =>
    withScratch(pool, async (scope) => {
      const pitch = words * 64 * size;
      // Each band computes the rows in reach again, so it has several times as many rows.
      const least = Math.max(LEAST_ROWS, 4 * reachY, Math.floor(HEIGHT_BYTES / pitch));
      const rows = Math.min(least, Math.max(2 * reachY, Math.ceil(height / (2 * pool.threads))), height);
      const bands = bandsOf({ y0: 0, y1: height }, 1, Math.max(1, rows));
      const lanes = Math.min(pool.threads + 1, bands.length);
      const table = new (wide ? Uint16Array : Uint8Array)(reachX + 1 + 16 / size);
      table.set(disc.map((rows) => rows + 1));
      const heights = await scope.copyIn(table);
      const held = Math.min(height, rows + 2 * reachY) + 1;
      const values = await scope.lanes(lanes, held * pitch);
      const lists = await scope.lanes(lanes, words * 8 + listBytes(width));
      await inLanes(call, "morphology", bands, lanes, async ({ y0, y1 }, lane) => {
        await runKernel(pool, "farRows", {
          bits,
          width,
          height,
          y0,
          y1,
          invert,
          outside,
          heights,
          reachX,
          reachY,
          wide,
          dst,
          values: values[lane],
          list: lists[lane],
        });
      });
    }),
  );
}

/** Grows by the costs of a distance map. If pixels beyond the border are sites, planes are padded by one pixel. */
async function growByDistance(
  pool: Pool,
  from: Planes,
  plan: MorphologyPlan,
  invert: boolean,
  outside: boolean,
  call: Call,
): Promise<Planes> {
  if (outside) {
    const pads: Pads = { left: 1, right: 1, rows: 1, slices: from.depth > 1 ? 1 : 0 };
    const wider = await pad(pool, from, pads, false);
    const grown = await consumed(pool, wider, (wide) => growByDistance(pool, wide, plan, invert, false, call));
    return consumed(pool, grown, (wide) => crop(pool, wide, pads, from));
  }
  if (plan.radius === 0) return unionOf(pool, from);
  const distances = plainPlan(costsOf(plan, from), { invert });
  return makePlanes(pool, from, 1, ({ first }) => markWithin(pool, from, distances, invert, first, call));
}

/** Padding of planes: words before each row, pixels behind it, rows, slices. */
interface Pads {
  readonly left: number;
  readonly right: number;
  readonly rows: number;
  readonly slices: number;
}

/** One pixel more than the radius reaches, on the left in whole words of 64 pixels. */
function wholePads(size: Size, plan: MorphologyPlan): Pads {
  const [x, rows, slices] = padsOf(size, plan);
  return { left: Math.ceil(x / 64), right: x, rows, slices };
}

async function pad(pool: Pool, from: Planes, pads: Pads, extend: boolean): Promise<Planes> {
  const { width, height, depth, first: bits } = from;
  const size: Size = {
    width: pads.left * 64 + width + pads.right,
    height: height + 2 * pads.rows,
    depth: depth + 2 * pads.slices,
  };
  return makePlanes(pool, size, 1, async ({ first: dst }) => {
    const bands = bandsOf({ y0: 0, y1: rowCount(size) }, 1, 4096);
    await inLanes({ timings: [] }, "pad", bands, laneCount(pool), async ({ y0, y1 }) => {
      await runKernel(pool, "padRows", { bits, width, height, depth, ...pads, extend, y0, y1, dst });
    });
  });
}

async function crop(pool: Pool, from: Planes, pads: Pads, { width, height, depth }: Size): Promise<Planes> {
  return makePlanes(pool, { width, height, depth }, 1, async ({ first: dst }) => {
    const bands = bandsOf({ y0: 0, y1: height * depth }, 1, 4096);
    await inLanes({ timings: [] }, "crop", bands, laneCount(pool), async ({ y0, y1 }) => {
      await runKernel(pool, "cropRows", { bits: from.first, width, height, depth, ...pads, y0, y1, dst });
    });
  });
}

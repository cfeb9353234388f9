// Holes of slices: each slice across an axis is an image, whose holes are filled. For slices across x or y the axes are
// turned, so that each slice is contiguous, and turned back at the end.

import type { Call } from "../core/call.js";
import type { HolesPlan } from "../core/plans.js";
import { bandsOf, inLanes, laneCount, timed } from "./bands.js";
import { labelPlanes } from "./components.js";
import { keepChosen } from "./filter.js";
import { runKernel } from "./kernels.js";
import type { Pool } from "./memory/pool.js";
import { consumed, unionOf } from "./morphology.js";
import { clearOutside, makePlanes, type Planes, planeBytes, rowsOf } from "./planes.js";

/** One new plane, with the holes of all slices filled. `eight`: whether background joins along diagonals. */
export async function fillSlices(
  pool: Pool,
  given: Planes,
  { axis, maxHoleArea }: HolesPlan,
  eight: boolean,
  call: Call,
): Promise<Planes> {
  await clearOutside(pool, given, rowsOf(given));
  const inner: Call = { ...call, timings: [] };
  return timed(call, "fill slices", planeBytes(given) * 4, async () => {
    const source = await unionOf(pool, given);
    if (axis === "z" || given.depth === 1) {
      return consumed(pool, source, (from) => fillEach(pool, from, maxHoleArea, eight, inner));
    }
    const turned = await consumed(pool, source, (from) => turn(pool, from, axis === "y" ? 0 : 1));
    const filled = await consumed(pool, turned, (from) => fillEach(pool, from, maxHoleArea, eight, inner));
    return consumed(pool, filled, (from) => turn(pool, from, axis === "y" ? 0 : 2));
  });
}

async function fillEach(pool: Pool, from: Planes, most: number, eight: boolean, call: Call): Promise<Planes> {
  const { width, height, depth, first: bits } = from;
  const bytes = planeBytes(from);
  const holes = await makePlanes(pool, from, 1, async ({ first: dst }) => {
    const slabs = bandsOf({ y0: 0, y1: depth }, 1, Math.max(1, Math.ceil(depth / (4 * laneCount(pool)))));
    await inLanes(call, "morphology", slabs, laneCount(pool), async ({ y0: z0, y1: z1 }) => {
      await runKernel(pool, "holesOfSlices", { bits, width, height, z0, z1, eight, dst });
    });
  });
  const small = most === Number.POSITIVE_INFINITY ? holes : await smallHoles(pool, holes, most, eight, call);
  return consumed(pool, small, (filled) =>
    makePlanes(pool, from, 1, async ({ first: dst }) => {
      await runKernel(pool, "orBits", { a: bits, b: filled.first, bytes, dst });
    }),
  );
}

/** The holes of at most `most` pixels. As no hole reaches the border of its slice, all slices make one tall image. */
async function smallHoles(pool: Pool, holes: Planes, most: number, eight: boolean, call: Call): Promise<Planes> {
  const tall: Planes = { ...holes, height: holes.rows, depth: 1 };
  const labelled = await labelPlanes(pool, tall, eight ? 8 : 4, call);
  try {
    const kept = await keepChosen(pool, labelled, { clearBorder: false, minArea: 0, maxArea: most, largest: 0 }, call);
    return { ...kept, height: holes.height, depth: holes.depth };
  } finally {
    labelled.free();
  }
}

/** Turns the axes: 0 exchanges y and z, 1 makes y, z, x of x, y, z, and 2 the reverse. */
function turn(pool: Pool, { width, height, depth, first: bits }: Planes, how: 0 | 1 | 2): Promise<Planes> {
  const [w, h, d] = [
    [width, depth, height],
    [height, depth, width],
    [depth, width, height],
  ][how] as [number, number, number];
  return makePlanes(pool, { width: w, height: h, depth: d }, 1, async ({ first: dst }) => {
    const bands = bandsOf({ y0: 0, y1: h * d }, 1, Math.max(1, Math.ceil((h * d) / (4 * laneCount(pool)))));
    await inLanes({ timings: [] }, "turn", bands, laneCount(pool), async ({ y0, y1 }) => {
      await runKernel(pool, "turnBits", { bits, width, height, depth, turn: how, y0, y1, dst });
    });
  });
}

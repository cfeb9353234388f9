// Filters: holes are the components of the background that do not touch the border; what stays is chosen
// by records and rewritten as bits, which are then labelled like any others.

import type { Connectivity } from "../api/types.js";
import type { Call } from "../core/call.js";
import { complementOf, type Filter, keepsAll } from "../core/plans.js";
import { inLanes, listBytes, timed } from "./bands.js";
import { type Labelled, labelPlanes, rowsArguments } from "./components.js";
import { clearOutside, makePlanes, type Planes, planeBytes, releasePlanes, rowsOf } from "./mask.js";
import type { Pool } from "./pool.js";
import { accumulateRegions } from "./regions.js";
import { borrowing, type Loan } from "./scratch.js";

type Choice = Pick<Filter, "clearBorder" | "minArea" | "maxArea" | "largest">;

/** Applies a filter; `labelled` stays as it is, and the result is a new one even when nothing was dropped. */
export async function filterComponents(pool: Pool, labelled: Labelled, filter: Filter, call: Call): Promise<Labelled> {
  const { connectivity } = labelled;
  const begun = performance.now();
  const inner: Call = { signal: call.signal, onProgress: call.onProgress, timings: [] };
  try {
    await clearOutside(pool, labelled.planes, rowsOf(labelled.planes));
    const label = (planes: Planes): Promise<Labelled> => labelPlanes(pool, planes, connectivity, inner);
    if (!filter.fillHoles) return await label(await select(pool, labelled, filter, inner));
    const filled = await label(await fillHoles(pool, labelled, inner));
    if (keepsAll(filter)) return filled;
    try {
      return await label(await select(pool, filled, filter, inner));
    } finally {
      filled.release();
    }
  } finally {
    call.timings.push({ stage: "filter", milliseconds: performance.now() - begun, bytes: 0 });
  }
}

/** The planes of the components that a choice keeps. */
async function select(
  pool: Pool,
  labelled: Labelled,
  { clearBorder, minArea, maxArea, largest }: Choice,
  call: Call,
): Promise<Planes> {
  const { planes, mapAt, joinsAt, joined, size } = labelled;
  const { width, height, depth } = planes;
  const solid = depth > 1;
  return borrowing(pool, async (loan) => {
    const keepAt = await loan.allocate(size);
    const recordsAt = await accumulateRegions(pool, loan, labelled, { level: "bounds", solid }, call);
    await pool.run("chooseComponents", [
      ...[recordsAt, mapAt, size, joinsAt, joined, width, height, solid ? depth : 0],
      ...[clearBorder, minArea, maxArea, largest, keepAt],
    ]);
    return keepComponents(pool, labelled, keepAt, call);
  });
}

/** The components whose byte, of one per label, is 1, as new ones. */
export function keepLabels(pool: Pool, labelled: Labelled, keep: Uint8Array, call: Call): Promise<Labelled> {
  return timed(call, "keep", 0, () =>
    borrowing(pool, async (loan) => {
      const { planes, mapAt, size, connectivity } = labelled;
      const inner: Call = { ...call, timings: [] };
      await clearOutside(pool, planes, rowsOf(planes));
      const chosenAt = await loan.allocate(keep.length);
      const keepAt = await loan.allocate(size);
      await pool.write(chosenAt, keep);
      await pool.run("chooseLabels", [mapAt, size, chosenAt, keepAt]);
      return labelPlanes(pool, await keepComponents(pool, labelled, keepAt, inner), connectivity, inner);
    }),
  );
}

/** The planes of the components that `keepAt` has a 1 for, a byte for each strip's component. */
export function keepComponents(pool: Pool, labelled: Labelled, keepAt: number, call: Call): Promise<Planes> {
  const { planes, strips } = labelled;
  const fill = (kept: Planes): Promise<void> =>
    borrowing(pool, async (loan) => {
      const lanes = Math.min(pool.threads * 2, strips.length);
      const lists = await loan.lanes(lanes, listBytes(planes.width));
      await clearOutside(pool, kept, rowsOf(planes));
      await timed(call, "select", planeBytes(planes) * 2, () =>
        inLanes(call, "select", strips, lanes, async ({ y0, y1, base }, lane) => {
          await pool.run("selectRows", [
            ...rowsArguments(labelled, { y0, y1 }),
            ...[keepAt + base, kept.first, kept.second, lists[lane] as number],
          ]);
        }),
      );
    });
  return makePlanes(pool, planes, planes.second ? 2 : 1, fill, planes.links);
}

/** Copies of the planes with their holes set; each class is filled on its own, then claims are settled. */
async function fillHoles(pool: Pool, labelled: Labelled, call: Call): Promise<Planes> {
  const { planes, connectivity } = labelled;
  const { first, second } = planes;
  return makePlanes(pool, planes, second ? 2 : 1, async (filled) => {
    await fillPlane(pool, { ...planes, first, second: 0 }, connectivity, filled.first, call);
    if (!second) return;
    await fillPlane(pool, { ...planes, first: second, second: 0 }, connectivity, filled.second, call);
    await settleClaims(pool, filled, connectivity, call);
  });
}

async function fillPlane(
  pool: Pool,
  plane: Planes,
  connectivity: Connectivity,
  filledAt: number,
  call: Call,
): Promise<void> {
  const background = await makePlanes(pool, plane, 1, async ({ first }) => {
    await pool.run("complementBits", [plane.first, plane.rows, plane.width, first]);
  });
  const outside = await labelPlanes(pool, background, complementOf(connectivity), call);
  try {
    const everything = { minArea: 0, maxArea: Number.POSITIVE_INFINITY, largest: 0 };
    const holes = await select(pool, outside, { ...everything, clearBorder: true }, call);
    try {
      await pool.run("orBits", [plane.first, holes.first, planeBytes(plane), filledAt]);
    } finally {
      releasePlanes(pool, holes);
    }
  } finally {
    outside.release();
  }
}

/** Where both filled planes have a pixel, the object that begins first in raster order keeps it. */
async function settleClaims(pool: Pool, filled: Planes, connectivity: Connectivity, call: Call): Promise<void> {
  const { width } = filled;
  const halves: Labelled[] = [];
  try {
    await borrowing(pool, async (loan) => {
      const firsts: number[] = [];
      for (const at of [filled.first, filled.second]) {
        const copy = await makePlanes(pool, filled, 1, async ({ first }) => {
          await pool.run("orBits", [at, at, planeBytes(filled), first]);
        });
        const half = await labelPlanes(pool, copy, connectivity, call);
        halves.push(half);
        firsts.push(await firstPixels(pool, loan, half));
      }
      const [a, b] = halves as [Labelled, Labelled];
      const lists = await loan.lanes(2, listBytes(width));
      for (const [index, { y0, y1 }] of a.strips.entries()) {
        await pool.run("resolveClasses", [
          ...[filled.first, a.planes.offsetsAt, a.labelsAt, (firsts[0] as number) + (a.strips[index]?.base ?? 0) * 8],
          ...[filled.second, b.planes.offsetsAt, b.labelsAt, (firsts[1] as number) + (b.strips[index]?.base ?? 0) * 8],
          ...[width, y0, y1, ...lists],
        ]);
      }
    });
  } finally {
    for (const half of halves) half.release();
  }
}

async function firstPixels(pool: Pool, loan: Loan, labelled: Labelled): Promise<number> {
  const { planes, strips, size, joinsAt, joined } = labelled;
  const firstAt = await loan.allocate(size * 8);
  const listAt = await loan.allocate(listBytes(planes.width));
  for (const { y0, y1, base, count } of strips) {
    await pool.run("firstPixels", [...rowsArguments(labelled, { y0, y1 }), firstAt + base * 8, count, listAt]);
  }
  await pool.run("spreadFirst", [joinsAt, joined, firstAt]);
  return firstAt;
}

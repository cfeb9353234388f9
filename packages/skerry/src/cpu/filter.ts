// Filters. Holes are the components of the background that do not touch the border. The kept components are chosen by
// their records and rewritten as bits, which are then labelled again.

import type { Call } from "../core/call.js";
import { type Choice, filterInOrder } from "../core/filter-sequence.js";
import type { Filter } from "../core/plans.js";
import type { Connectivity } from "../types/raster.js";
import { inLanes, listBytes, timed } from "./bands.js";
import { type Labelled, labelPlanes, rowsArguments } from "./components.js";
import { runKernel } from "./kernels.js";
import type { Pool } from "./memory/pool.js";
import { type ScratchScope, withScratch } from "./memory/scratch.js";
import { clearOutside, freePlanes, makePlanes, type Planes, planeBytes, rowsOf } from "./planes.js";
import { accumulateRegions } from "./regions.js";

/** Applies a filter; `labelled` stays as it is, and the result is a new one even when nothing was dropped. */
export async function filterComponents(pool: Pool, labelled: Labelled, filter: Filter, call: Call): Promise<Labelled> {
  const { planes, connectivity } = labelled;
  await clearOutside(pool, planes, rowsOf(planes));
  const classOf = (which: 0 | 1): Planes => ({ ...planes, first: which ? planes.second : planes.first, second: 0 });
  return filterInOrder<Planes, Labelled>(labelled, filter, call, {
    label: (planes, neighbours, inner) => labelPlanes(pool, planes, neighbours, inner),
    select: (from, choice, inner) => keepChosen(pool, from, choice, inner),
    background: (which) =>
      makePlanes(pool, classOf(which), 1, async ({ first }) => {
        const { rows, width } = planes;
        await runKernel(pool, "complementBits", { src: classOf(which).first, rows, width, dst: first });
      }),
    filled: (fill, inner) =>
      makePlanes(pool, planes, planes.second ? 2 : 1, async (filled) => {
        await fill(filled, 0);
        if (!planes.second) return;
        await fill(filled, 1);
        await settleClaims(pool, filled, connectivity, inner);
      }),
    addHoles: async (filled, holes, which) => {
      const dst = which ? filled.second : filled.first;
      await runKernel(pool, "orBits", { a: classOf(which).first, b: holes.first, bytes: planeBytes(planes), dst });
    },
    free: (planes) => freePlanes(pool, planes),
  });
}

/** The planes of the components that a choice keeps. */
export async function keepChosen(
  pool: Pool,
  labelled: Labelled,
  { clearBorder, minArea, maxArea, largest }: Choice,
  call: Call,
): Promise<Planes> {
  const { planes, mapAt, joinsAt, joined, size } = labelled;
  const { width, height, depth } = planes;
  const solid = depth > 1;
  return withScratch(pool, async (scope) => {
    const keepAt = await scope.allocate(size);
    const recordsAt = await accumulateRegions(pool, scope, labelled, { level: "bounds", solid }, call);
    await runKernel(pool, "chooseComponents", {
      records: recordsAt,
      map: mapAt,
      size,
      joins: joinsAt,
      joined,
      width,
      height,
      depth: solid ? depth : 0,
      clear: clearBorder,
      minArea,
      maxArea,
      largest,
      keep: keepAt,
    });
    return keepComponents(pool, labelled, keepAt, call);
  });
}

/** New components from those whose label has a 1 in `keep`, which holds a byte per label. */
export function keepLabels(pool: Pool, labelled: Labelled, keep: Uint8Array, call: Call): Promise<Labelled> {
  return timed(call, "keep", 0, () =>
    withScratch(pool, async (scope) => {
      const inner: Call = { ...call, timings: [] };
      const planes = await keptPlanes(pool, scope, labelled, keep, inner);
      return labelPlanes(pool, planes, labelled.connectivity, inner);
    }),
  );
}

/** The planes of the components whose label has a 1 in `keep`. */
export async function keptPlanes(
  pool: Pool,
  scope: ScratchScope,
  labelled: Labelled,
  keep: Uint8Array,
  call: Call,
): Promise<Planes> {
  const { planes, mapAt, size } = labelled;
  await clearOutside(pool, planes, rowsOf(planes));
  const chosenAt = await scope.copyIn(keep);
  const keepAt = await scope.allocate(size);
  await runKernel(pool, "chooseLabels", { map: mapAt, count: size, chosen: chosenAt, keep: keepAt });
  return keepComponents(pool, labelled, keepAt, call);
}

/** The planes of the components with a 1 at `keepAt`, which holds a byte for each strip's component. */
export function keepComponents(pool: Pool, labelled: Labelled, keepAt: number, call: Call): Promise<Planes> {
  const { planes, strips } = labelled;
  const fill = (kept: Planes): Promise<void> =>
    withScratch(pool, async (scope) => {
      const lanes = Math.min(pool.threads * 2, strips.length);
      const lists = await scope.lanes(lanes, listBytes(planes.width));
      await clearOutside(pool, kept, rowsOf(planes));
      await timed(call, "select", planeBytes(planes) * 2, () =>
        inLanes(call, "select", strips, lanes, async ({ y0, y1, base }, lane) => {
          await runKernel(pool, "selectRows", {
            ...rowsArguments(labelled, { y0, y1 }),
            keep: keepAt + base,
            dst: kept.first,
            dst2: kept.second,
            list: lists[lane],
          });
        }),
      );
    });
  return makePlanes(pool, planes, planes.second ? 2 : 1, fill, planes.links);
}

/** Assigns a pixel that is in both filled planes to the object that begins first in raster order. */
async function settleClaims(pool: Pool, filled: Planes, connectivity: Connectivity, call: Call): Promise<void> {
  const { width } = filled;
  const halves: Labelled[] = [];
  try {
    await withScratch(pool, async (scope) => {
      const firsts: number[] = [];
      for (const at of [filled.first, filled.second]) {
        const copy = await makePlanes(pool, filled, 1, async ({ first }) => {
          await runKernel(pool, "orBits", { a: at, b: at, bytes: planeBytes(filled), dst: first });
        });
        const half = await labelPlanes(pool, copy, connectivity, call);
        halves.push(half);
        firsts.push(await firstPixels(pool, scope, half));
      }
      const [a, b] = halves as [Labelled, Labelled];
      const [list, list2] = (await scope.lanes(2, listBytes(width))) as [number, number];
      for (const [index, { y0, y1 }] of a.strips.entries()) {
        await runKernel(pool, "resolveClasses", {
          bits: filled.first,
          offsets: a.planes.offsetsAt,
          labels: a.labelsAt,
          first: firsts[0] + (a.strips[index]?.base ?? 0) * 8,
          bits2: filled.second,
          offsets2: b.planes.offsetsAt,
          labels2: b.labelsAt,
          first2: firsts[1] + (b.strips[index]?.base ?? 0) * 8,
          width,
          y0,
          y1,
          list,
          list2,
        });
      }
    });
  } finally {
    for (const half of halves) half.free();
  }
}

async function firstPixels(pool: Pool, scope: ScratchScope, labelled: Labelled): Promise<number> {
  const { planes, strips, size, joinsAt, joined } = labelled;
  const firstAt = await scope.allocate(size * 8);
  const listAt = await scope.allocate(listBytes(planes.width));
  for (const { y0, y1, base, count } of strips) {
    await runKernel(pool, "firstPixels", {
      ...rowsArguments(labelled, { y0, y1 }),
      first: firstAt + base * 8,
      count,
      list: listAt,
    });
  }
  await runKernel(pool, "spreadFirst", { joins: joinsAt, joined, first: firstAt });
  return firstAt;
}

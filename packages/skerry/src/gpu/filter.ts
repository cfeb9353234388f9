// Filters. A hole is a background component that does not touch the border. Objects to keep are chosen by area and box,
// and copied as bits, which are then labelled like any others.

import type { Call } from "../core/call.js";
import { type Choice, chooseLabels, filterInOrder } from "../core/filter-sequence.js";
import type { Filter } from "../core/plans.js";
import type { Connectivity } from "../types/raster.js";
import { groupsOf } from "./bands.js";
import { labelPlanes } from "./components.js";
import { stretchesOf } from "./components-strips.js";
import { type Context, withScratch } from "./device/context.js";
import type { Labelled } from "./labelled.js";
import { copyRows, fillHalos, freePlanes, makePlanes, type Planes } from "./mask.js";
import { measureRegions } from "./regions.js";

/** Applies a filter. `labelled` does not change, and the result is new even if nothing was dropped. */
export async function filterComponents(
  context: Context,
  labelled: Labelled,
  filter: Filter,
  call: Call,
): Promise<Labelled> {
  const { planes, connectivity } = labelled;
  const classes = planes.strips[0]?.bits.length ?? 1;
  return filterInOrder<Planes, Labelled>(labelled, filter, call, {
    label: (planes, neighbours, inner) => labelPlanes(context, context.commands(), planes, neighbours, inner),
    select: (from, choice, inner) => select(context, from, choice, inner),
    background: (which) =>
      makePlanes(context, planes, 1, (to) => combine(context, planes, which, planes, which, to, 0, true)),
    filled: async (fill, inner) => {
      const filled = await makePlanes(context, planes, classes, async (result) => {
        await fill(result, 0);
        if (classes > 1) await fill(result, 1);
      });
      return classes === 1 ? filled : settleClaims(context, filled, connectivity, inner);
    },
    addHoles: (filled, holes, which) => combine(context, planes, which, holes, 0, filled, which, false),
    free: (planes) => freePlanes(context, planes),
  });
}

/** The planes of the components that a choice keeps. */
async function select(context: Context, labelled: Labelled, choice: Choice, call: Call): Promise<Planes> {
  return keepComponents(context, labelled, await choose(context, labelled, choice, call));
}

/** Returns planes of the components that have a 1 in `keep`: one byte per label, from label 1 on. */
export function keepComponents(context: Context, labelled: Labelled, keep: Uint8Array): Promise<Planes> {
  const { planes, strips } = labelled;
  const { words } = planes;
  return makePlanes(context, planes, strips[0]?.bits.length ?? 1, async (kept) => {
    const commands = context.commands();
    for (const [index, strip] of strips.entries()) {
      // One bit per component of the strip, because `map` assigns nodes to these.
      const table = new Uint32Array(Math.ceil((strip.count + 1) / 32));
      for (const { component, label, length } of stretchesOf(strip, 1, strip.count + 1)) {
        for (let i = 0; i < length; i++) {
          const at = component + i;
          if (keep[label + i - 1]) table[at >> 5] = table[at >> 5] | (1 << (at & 31));
        }
      }
      await withScratch(context, async (scope) => {
        const bitmap = await scope.allocate(table.byteLength, "kept components");
        context.write(bitmap, table);
        const total = (strip.y1 - strip.y0) * words;
        for (const [plane, bits] of strip.bits.entries()) {
          commands.stage("select", total * 8);
          commands.dispatch(
            "filter-select",
            groupsOf(total),
            {
              bits,
              ...strip.planes[plane],
              map: strip.map,
              keep: bitmap,
              kept: kept.strips[index]?.bits[plane],
            },
            { words, total, tileColumns: strip.tileColumns },
            { CELL: strip.cell },
          );
        }
        await commands.submit();
      });
    }
    fillHalos(commands, kept);
    await commands.submit();
  });
}

/** Returns one byte per label, from label 1 on: 1 if its object stays. */
async function choose(context: Context, labelled: Labelled, choice: Choice, call: Call): Promise<Uint8Array> {
  const { planes } = labelled;
  const level = choice.clearBorder ? "bounds" : "area";
  const sums = await measureRegions(context, labelled, { level, solid: planes.depth > 1 }, call);
  return chooseLabels(choice, sums, planes);
}

/** Writes plane `index` of `to`: the union of two planes, or with NEITHER its complement. Their strips may differ. */
async function combine(
  context: Context,
  a: Planes,
  planeA: number,
  b: Planes,
  planeB: number,
  to: Planes,
  index: number,
  NEITHER: boolean,
): Promise<void> {
  const { words, width } = to;
  await withScratch(context, async (scope) => {
    for (const strip of to.strips) {
      const total = (strip.y1 - strip.y0) * words;
      const commands = context.commands();
      const bits = copyRows(commands, a, planeA, strip, await scope.allocate(total * 4, "bits"));
      const bits2 = copyRows(commands, b, planeB, strip, await scope.allocate(total * 4, "bits"));
      const result = await scope.allocate(total * 4, "bits");
      const tail = 0xffffffff >>> (words * 32 - width);
      commands.dispatch("mask-combine", groupsOf(total), { bits, bits2, result }, { words, total, tail }, { NEITHER });
      commands.copy(result, 0, strip.bits[index], words * 4, total * 4);
      await commands.submit();
    }
    const commands = context.commands();
    fillHalos(commands, to);
    await commands.submit();
  });
}

/** Assigns each pixel that is in both filled planes to the object that begins first in raster order. */
async function settleClaims(context: Context, filled: Planes, connectivity: Connectivity, call: Call): Promise<Planes> {
  // Planes that overlap can be labelled: objects of different planes never join, and no two objects begin at one pixel.
  const both = await labelPlanes(context, context.commands(), filled, connectivity, call);
  try {
    const { words } = filled;
    return await makePlanes(context, filled, 2, async (settled) => {
      const commands = context.commands();
      for (const [index, strip] of both.strips.entries()) {
        const total = (strip.y1 - strip.y0) * words;
        for (const plane of [0, 1] as const) {
          const [first, other] = [strip.planes[plane], strip.planes[1 - plane]];
          commands.dispatch(
            "filter-claims",
            groupsOf(total),
            {
              bits: strip.bits[plane],
              bits2: strip.bits[1 - plane],
              map: strip.labels,
              segments: first?.segments,
              tileTable: first?.tileTable,
              segments2: other?.segments,
              tileTable2: other?.tileTable,
              settled: settled.strips[index]?.bits[plane],
            },
            { words, total, tileColumns: strip.tileColumns },
            { CELL: strip.cell },
          );
        }
      }
      fillHalos(commands, settled);
      await commands.submit();
    });
  } finally {
    both.free();
  }
}

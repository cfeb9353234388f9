// Flood fill with a floating range. Linked neighbours are united, and pixels that share a root with a seed are kept.

import type { Call } from "../core/call.js";
import { matchNeighbour } from "../core/colour-match.js";
import type { Filled } from "../core/lazy-labels.js";
import { isInMask, type Pixels } from "../core/pixels.js";
import type { FillPlan } from "../core/plans.js";
import { groupsOf } from "./bands.js";
import { allocateCounters, clearCounters, readCounters } from "./counters.js";
import type { Commands } from "./device/commands.js";
import { type Context, withScratch } from "./device/context.js";
import { type Neighbour, recordMatch } from "./fill-match.js";
import { fillHalos, makePlanes, type Planes } from "./mask.js";

/** Words per workgroup of runs-count.wgsl. */
const TALLIED_WORDS = 2048;

/** The four neighbours that precede a pixel in raster order. 4-connectivity uses the first two. */
const BEFORE: readonly Neighbour[] = [
  { right: 0, up: 0 },
  { right: 1, up: 1 },
  { right: 0, up: 1 },
  { right: 2, up: 1 },
];

/** Finds the pixels that are linked to a seed by a path of neighbours that match. */
export async function fillLinked(
  context: Context,
  pixels: Pixels,
  plan: FillPlan,
  fence: Planes | undefined,
  call: Call,
): Promise<Filled<Planes>> {
  const { height, type } = pixels.shape;
  const eight = plan.connectivity === 8;
  const match = matchNeighbour(plan, type);
  let known = { foreground: 0, runCount: 0 };
  const planes = await makePlanes(context, pixels.shape, 1, (planes) =>
    withScratch(context, async (scope) => {
      const { words } = planes;
      const total = words * height;
      const commands = context.commands();
      const links: GPUBuffer[] = [];
      for (const neighbour of eight ? BEFORE : BEFORE.slice(0, 2)) {
        const bits = await scope.allocate((height + 2) * words * 4, "links");
        commands.clear(bits, 0, words * 4);
        const buffers = { bits, fence: fence?.strips[0]?.bits[0] };
        await recordMatch(context, commands, pixels, planes, 0, match, buffers, call, neighbour);
        links.push(bits);
      }
      const [left, up, upLeft = up, upRight = up] = links as [GPUBuffer, GPUBuffer];
      const parents = await scope.allocate(total * 32 * 4, "parents");
      const marks = await scope.allocate(total * 4, "marks");
      const inside = plan.seeds.filter(([x, y]) => isInMask(plan.within, x, y));
      const seeds = await scope.allocate(Math.max(1, inside.length) * 4, "seeds");
      context.write(
        seeds,
        Uint32Array.from(inside, ([x, y]) => y * words * 32 + x),
      );
      const bits = planes.strips[0]?.bits[0];
      commands.stage("link", total * 4 * (links.length + 32));
      commands.clear(marks, 0, total * 4);
      commands.dispatch("fill-link-begin", groupsOf(total * 32), { left, parents }, { words, total: total * 32 });
      const joined = { left, up, upLeft, upRight, parents };
      commands.dispatch("fill-link-join", groupsOf(total), joined, { words, total, eight: Number(eight) });
      commands.dispatch(
        "fill-link-seeds",
        groupsOf(inside.length),
        { seeds, parents, marks },
        { seeds: inside.length },
      );
      commands.dispatch("fill-link-select", groupsOf(total), { left, parents, marks, bits }, { words, total });
      const counters = await allocateCounters(scope);
      clearCounters(commands, counters);
      recordTally(commands, planes, counters);
      const { pixels: foreground, runs: runCount } = await readCounters(context, commands, counters);
      known = { foreground, runCount };
    }),
  );
  return plan.seeds.length === 1 ? { planes, known } : { planes };
}

/** Records the counts of pixels and runs of planes of one strip, and fills its halo. */
export function recordTally(commands: Commands, planes: Planes, counters: GPUBuffer): void {
  const { words, rows, strips } = planes;
  const total = words * rows;
  const bits = strips[0]?.bits[0];
  commands.dispatch("runs-count", Math.ceil(total / TALLIED_WORDS), { bits, counters }, { words, total });
  fillHalos(commands, planes);
}

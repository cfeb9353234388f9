// Flood fill. Pixels that match are labelled, and the components that contain seeds are kept. With a floating range, linked
// pixels are united instead. The number of dispatches per colour does not depend on the geometry of the objects.

import type { Call } from "../core/call.js";
import { coloursAt, type Wave, wavesOf } from "../core/colour-match.js";
import type { Filled } from "../core/lazy-labels.js";
import { hasKernels, type Pixels, rowCount, type Shape } from "../core/pixels.js";
import type { FillPlan } from "../core/plans.js";
import { groupsOf } from "./bands.js";
import { capacityOf, labelPlanes, recordRoots, takeSegments, takeWork, tilingOf } from "./components.js";
import { allocateCounters, clearCounters, readCounters } from "./counters.js";
import type { Commands } from "./device/commands.js";
import { type Context, withScratch } from "./device/context.js";
import { fillLinked, recordTally } from "./fill-linked.js";
import { matchPixels, windows } from "./fill-match.js";
import { keepComponents } from "./filter.js";
import type { PlaneSegments } from "./labelled.js";
import { labelAt } from "./labels.js";
import { freePlanes, makePlanes, type Planes, stripsOf, uploadMask } from "./mask.js";

/**
 * Whether the kernels give exactly the CPU's result. The CPU sums differences of f32 in f64. With a floating range
 * pixels are united in one binding, at 4 bytes each.
 */
export function fillsExactly(context: Context, { shape }: Pixels, { metric, floating }: FillPlan): boolean {
  const { width, height, depth, type } = shape;
  if (!hasKernels(type)) return false;
  // Links do not cross slices.
  if (depth > 1 && floating) return false;
  if (type === "f32") return metric === "linf" && !floating;
  const pixels = Math.ceil(width / 32) * 32 * height;
  return !floating || (pixels * 4 <= context.device.bindingBytes && stripsOf(context, shape, 1).length === 1);
}

/**
 * Fills from the seeds. It reads each pixel once per colour of the seeds, or two to four times with a floating range.
 * It also writes and reads the matching bits and the buffers of labelling. A floating range takes 4 bytes per pixel.
 * The colours of the seeds are read first. Then one colour in a resident image of one strip takes one submission and one
 * read-back of some counts.
 */
export async function fillPixels(
  context: Context,
  pixels: Pixels,
  plan: FillPlan,
  call: Call,
): Promise<Filled<Planes>> {
  const { shape } = pixels;
  const fence = plan.within && (await fenceOf(context, plan.within, shape));
  try {
    if (plan.floating) return await fillLinked(context, pixels, plan, fence, call);
    const colours = await coloursAt(plan.seeds, plan.average, shape, windows(context, pixels, call));
    const waves = wavesOf(plan, plan.seeds, colours, shape.type);
    const [wave] = waves as [Wave];
    if (waves.length === 1 && plan.contiguous && stripsOf(context, shape, 1).length === 1) {
      return await fillWave(context, pixels, plan, wave, fence, call);
    }
    return { planes: await fillWaves(context, pixels, plan, waves, fence, call) };
  } finally {
    if (fence) freePlanes(context, fence);
  }
}

/** Fills one colour in an image of one strip: matches, labels and selects without a read-back in between. */
async function fillWave(
  context: Context,
  pixels: Pixels,
  { connectivity }: FillPlan,
  { match, seeds }: Wave,
  fence: Planes | undefined,
  call: Call,
): Promise<Filled<Planes>> {
  const { height: slice } = pixels.shape;
  const height = rowCount(pixels.shape);
  let commands = context.commands();
  const matched = await matchPixels(context, commands, pixels, match, fence, call);
  const [strip] = matched.strips as [Planes["strips"][number]];
  try {
    const tiling = tilingOf(matched, strip, connectivity);
    for (let capacity = capacityOf(tiling); ; ) {
      let nodes = 0;
      let known = { foreground: 0, runCount: 0 };
      const planes = await makePlanes(context, pixels.shape, 1, (kept) =>
        withScratch(context, async (scope) => {
          const { cell } = tiling;
          const [segments] = (await takeSegments(scope, strip, tiling)) as [PlaneSegments];
          const map = await scope.allocate(capacity * 4, "components");
          const work = await takeWork(scope, [segments], map, tiling, capacity);
          const counters = await allocateCounters(scope);
          const split = await scope.allocate(256, "counters");
          const keep = await scope.allocate(Math.ceil(capacity / 32) * 4, "kept components");
          const places = await scope.allocate(seeds.length * 8, "seeds");
          context.write(places, Uint32Array.from(seeds.flatMap(([x, y, z]) => [x, z * slice + y])));
          clearCounters(commands, counters);
          commands.clear(keep, 0, Math.ceil(capacity / 32) * 4);
          recordRoots(commands, strip, work, tiling, connectivity, { counters, split }, false);
          const [bits] = strip.bits as [GPUBuffer];
          const { words, tileColumns } = tiling;
          const total = words * height;
          commands.stage("select", total * 8);
          commands.dispatch(
            "fill-mark-seeds",
            groupsOf(seeds.length),
            { seeds: places, bits, ...segments, map, counters, keep },
            { words, tileColumns, seeds: seeds.length, capacity },
            { CELL: cell },
          );
          const result = kept.strips[0]?.bits[0];
          const selected = { bits, ...segments, map, keep, kept: result };
          commands.dispatch("filter-select", groupsOf(total), selected, { words, total, tileColumns }, { CELL: cell });
          recordTally(commands, kept, counters);
          const { nodes: found, pixels: foreground, runs: runCount } = await readCounters(context, commands, counters);
          nodes = found;
          known = { foreground, runCount };
        }),
      );
      if (nodes <= capacity) return seeds.length === 1 ? { planes, known } : { planes };
      freePlanes(context, planes);
      capacity = nodes;
      commands = context.commands();
    }
  } finally {
    freePlanes(context, matched);
  }
}

async function fenceOf(context: Context, within: NonNullable<FillPlan["within"]>, shape: Shape): Promise<Planes> {
  return makePlanes(context, shape, 1, async (planes) => {
    const commands = context.commands();
    await uploadMask(context, commands, within, planes);
    await commands.submit();
  });
}

/** Returns the union of the fills of all colours. */
async function fillWaves(
  context: Context,
  pixels: Pixels,
  plan: FillPlan,
  waves: readonly Wave[],
  fence: Planes | undefined,
  call: Call,
): Promise<Planes> {
  let union: Planes | undefined;
  try {
    for (const { match, seeds } of waves) {
      const commands = context.commands();
      const planes = await matchPixels(context, commands, pixels, match, fence, call);
      const filled = plan.contiguous ? await keepSeeds(context, commands, planes, plan, seeds, call) : planes;
      try {
        await commands.submit();
      } catch (error) {
        freePlanes(context, filled);
        throw error;
      }
      const before = union;
      // combine() frees both inputs, also when it fails, so nothing else may free them.
      union = undefined;
      union = before ? await combine(context, before, filled) : filled;
    }
    return union as Planes;
  } catch (error) {
    if (union) freePlanes(context, union);
    throw error;
  }
}

/** Returns the components that contain seeds, as new planes. Frees the given planes. */
async function keepSeeds(
  context: Context,
  commands: Commands,
  planes: Planes,
  { connectivity }: FillPlan,
  seeds: FillPlan["seeds"],
  call: Call,
): Promise<Planes> {
  const labelled = await labelPlanes(context, commands, planes, connectivity, call);
  try {
    const keep = new Uint8Array(labelled.count);
    for (const [x, y, z] of seeds) {
      const label = await labelAt(context, labelled, x, z * planes.height + y);
      if (label > 0) keep[label - 1] = 1;
    }
    return await keepComponents(context, labelled, keep);
  } finally {
    labelled.free();
  }
}

/** Returns the union of two planes, and frees both. */
async function combine(context: Context, a: Planes, b: Planes): Promise<Planes> {
  const { words } = a;
  try {
    return await makePlanes(context, a, 1, async (union) => {
      const commands = context.commands();
      for (const [index, { y0, y1, bits }] of union.strips.entries()) {
        const [first, second] = [a, b].map(({ strips }) => strips[index]?.bits[0]);
        const total = (y1 - y0 + 2) * words;
        const buffers = { bits: first, bits2: second, result: bits[0] };
        commands.dispatch("mask-combine", groupsOf(total), buffers, { words, total, tail: 0xffffffff });
      }
      await commands.submit();
    });
  } finally {
    freePlanes(context, a);
    freePlanes(context, b);
  }
}

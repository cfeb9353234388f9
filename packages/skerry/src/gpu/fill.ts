// A fill: the pixels that match are labelled, and the components that hold the seeds are kept; with a floating range
// pixels that are linked are united instead. A fixed number of dispatches per colour, whatever the shape.

import { type Call, type FillPlan, newPixels, PIXEL_BYTES, type Pixels, type Shape, TYPE_CODE } from "../backend.js";
import type { Filled } from "../held.js";
import { coloursAt, type Match, matchNeighbour, type ReadWindow, type Wave, wavesOf } from "../match.js";
import type { PixelArray } from "../types.js";
import { eachBand, groupsOf, type Resident, rowsOf } from "./bands.js";
import {
  COUNTERS,
  capacityOf,
  labelPlanes,
  type PlaneSegments,
  recordRoots,
  takeSegments,
  takeWork,
  tilingOf,
} from "./components.js";
import { borrowing, type Context } from "./context.js";
import { keepComponents } from "./filter.js";
import type { Commands } from "./kernel.js";
import { labelAt } from "./labels.js";
import { bound, cellRows, fillHalos, makePlanes, type Planes, releasePlanes, stripsOf, uploadMask } from "./mask.js";

const METRIC_CODE = { linf: 0, l1: 1, l2: 2 } as const;

/** Words per workgroup of tally.wgsl. */
const TALLIED_WORDS = 2048;

/** The four neighbours before a pixel: column plus 1, rows above. With 4-connectivity the first two. */
const BEFORE = [
  { right: 0, up: 0 },
  { right: 1, up: 1 },
  { right: 0, up: 1 },
  { right: 2, up: 1 },
] as const;

/**
 * Whether the kernels give what the CPU gives: sums of f32 differences are f64 sums there, and pixels are united in one
 * binding of 4 bytes each.
 */
export function fillsExactly(context: Context, { shape }: Pixels, { metric, floating }: FillPlan): boolean {
  const { width, height, type } = shape;
  if (type === "f32") return metric === "linf" && !floating;
  const pixels = Math.ceil(width / 32) * 32 * height;
  return !floating || (pixels * 4 <= context.device.bindingBytes && stripsOf(context, width, height, 1).length === 1);
}

/**
 * Fills from the seeds. Reads each pixel once per colour of the seeds, or with a floating range twice to four times,
 * writes and reads the matching bits and what labelling takes; a floating range takes 4 bytes per pixel. One colour of
 * an image that fits one binding is one submission and one read-back of some counts.
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
    if (waves.length === 1 && plan.contiguous && stripsOf(context, shape.width, shape.height, 1).length === 1) {
      return await fillWave(context, pixels, plan, wave, fence, call);
    }
    return { planes: await fillWaves(context, pixels, plan, waves, fence, call) };
  } finally {
    if (fence) releasePlanes(context, fence);
  }
}

/** What one colour fills in an image of one strip: matched, labelled and selected without asking anything in between. */
async function fillWave(
  context: Context,
  pixels: Pixels,
  { connectivity }: FillPlan,
  { match, seeds }: Wave,
  fence: Planes | undefined,
  call: Call,
): Promise<Filled<Planes>> {
  const { width, height } = pixels.shape;
  const eight = connectivity === 8;
  let commands = context.commands();
  const matched = await matchPixels(context, commands, pixels, match, fence, call);
  const [strip] = matched.strips as [Planes["strips"][number]];
  try {
    const tiling = tilingOf(matched, strip, eight);
    for (let capacity = capacityOf(tiling); ; ) {
      let nodes = 0;
      let known = { foreground: 0, runCount: 0 };
      const planes = await makePlanes(context, width, height, 1, (kept) =>
        borrowing(context, async (loan) => {
          const cell = cellRows(eight);
          const [own] = (await takeSegments(loan, strip, tiling, cell)) as [PlaneSegments];
          const map = await loan.take(capacity * 4, "components");
          const work = await takeWork(loan, [own], map, tiling, capacity);
          const counters = await loan.take(COUNTERS * 4, "counters");
          const split = await loan.take(256, "counters");
          const keep = await loan.take(Math.ceil(capacity / 32) * 4, "kept components");
          const places = await loan.take(seeds.length * 8, "seeds");
          context.write(places, Uint32Array.from(seeds.flat()));
          commands.clear(counters, 0, COUNTERS * 4);
          commands.clear(keep, 0, Math.ceil(capacity / 32) * 4);
          recordRoots(commands, strip, work, tiling, eight, { counters, split }, false);
          const [bits] = strip.bits as [GPUBuffer];
          const { words, tileColumns } = tiling;
          const total = words * height;
          commands.stage("select", total * 8);
          commands.dispatch(
            "seed",
            groupsOf(seeds.length),
            { seeds: places, bits, ...own, map, counters, keep },
            { words, tileColumns, seeds: seeds.length, capacity },
            { CELL: cell },
          );
          const result = kept.strips[0]?.bits[0] as GPUBuffer;
          const selected = { bits, ...own, map, keep, kept: result };
          commands.dispatch("select", groupsOf(total), selected, { words, total, tileColumns }, { CELL: cell });
          recordTally(commands, kept, counters);
          const found = await context.numbers(commands, counters, COUNTERS);
          nodes = found[0] as number;
          known = { foreground: found[2] as number, runCount: found[3] as number };
        }),
      );
      if (nodes <= capacity) return seeds.length === 1 ? { planes, known } : { planes };
      releasePlanes(context, planes);
      capacity = nodes;
      commands = context.commands();
    }
  } finally {
    releasePlanes(context, matched);
  }
}

/** Records the counting of the pixels and runs of planes of one strip, and fills the rows around it. */
function recordTally(commands: Commands, planes: Planes, counters: GPUBuffer): void {
  const { words, height, strips } = planes;
  const total = words * height;
  const bits = strips[0]?.bits[0] as GPUBuffer;
  commands.dispatch("tally", Math.ceil(total / TALLIED_WORDS), { bits, counters }, { words, total });
  fillHalos(commands, planes);
}

async function fenceOf(context: Context, within: NonNullable<FillPlan["within"]>, shape: Shape): Promise<Planes> {
  return makePlanes(context, shape.width, shape.height, 1, async (planes) => {
    const commands = context.commands();
    await uploadMask(context, commands, within, planes);
    await commands.submit();
  });
}

/** The union of what each colour fills. */
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
      await commands.submit();
      union = union ? await combine(context, union, filled) : filled;
    }
    return union as Planes;
  } catch (error) {
    if (union) releasePlanes(context, union);
    throw error;
  }
}

/** The components of planes that hold seeds; the planes go. */
async function keepSeeds(
  context: Context,
  commands: Commands,
  planes: Planes,
  { connectivity }: FillPlan,
  seeds: FillPlan["seeds"],
  call: Call,
): Promise<Planes> {
  const labelled = await labelPlanes(context, commands, planes, connectivity === 8, call);
  try {
    const keep = new Uint8Array(labelled.count + 1);
    for (const [x, y] of seeds) keep[await labelAt(context, labelled, x, y)] = 1;
    keep[0] = 0;
    return await keepComponents(context, labelled, keep);
  } finally {
    labelled.release();
  }
}

/** What is set in either; both go. */
async function combine(context: Context, a: Planes, b: Planes): Promise<Planes> {
  const { width, height, words } = a;
  try {
    return await makePlanes(context, width, height, 1, async (union) => {
      const commands = context.commands();
      for (const [index, { y0, y1, bits }] of union.strips.entries()) {
        const [first, second] = [a, b].map(({ strips }) => strips[index]?.bits[0] as GPUBuffer);
        const total = (y1 - y0 + 2) * words;
        const buffers = { bits: first as GPUBuffer, bits2: second as GPUBuffer, result: bits[0] as GPUBuffer };
        commands.dispatch("combine", groupsOf(total), buffers, { words, total, tail: 0xffffffff });
      }
      await commands.submit();
    });
  } finally {
    releasePlanes(context, a);
    releasePlanes(context, b);
  }
}

/** The pixels that match; what is left of that to do is recorded. */
function matchPixels(
  context: Context,
  commands: Commands,
  pixels: Pixels,
  match: Match,
  fence: Planes | undefined,
  call: Call,
): Promise<Planes> {
  const { width, height } = pixels.shape;
  return makePlanes(context, width, height, 1, async (planes) => {
    // A strip alone has nothing around it; said first, it leaves what follows in one pass.
    const alone = planes.strips.length === 1;
    if (alone) fillHalos(commands, planes);
    for (const [index, { bits }] of planes.strips.entries()) {
      const fenceBits = fence?.strips[index]?.bits[0];
      await recordMatch(
        context,
        commands,
        pixels,
        planes,
        index,
        match,
        { bits: bits[0] as GPUBuffer, fence: fenceBits },
        call,
      );
    }
    if (!alone) fillHalos(commands, planes);
  });
}

/** Records the test of a strip's pixels, against a colour or against the neighbour in a direction. */
async function recordMatch(
  context: Context,
  commands: Commands,
  pixels: Pixels,
  planes: Planes,
  index: number,
  match: Match,
  { bits, fence }: { bits: GPUBuffer; fence: GPUBuffer | undefined },
  call: Call,
  neighbour?: (typeof BEFORE)[number],
): Promise<void> {
  const { width, channels, type } = pixels.shape;
  const { words } = planes;
  const strip = planes.strips[index] as Planes["strips"][number];
  const numbers = numbersOf(match, type, neighbour !== undefined);
  const feed = { multiple: 1, halo: neighbour?.up === 1, raw: true };
  await eachBand(context, commands, pixels, strip, feed, call, ({ y0, y1, pixels: input, first }) => {
    const rows = y1 - y0;
    commands.stage("match", rows * (width * channels * PIXEL_BYTES[type] + words * 4));
    const buffers = { pixels: input, fence: fence ?? context.nothing, bits };
    const own = { width, words, rows, first, row: y0 - strip.y0 + 1, fenced: Number(fence !== undefined), ...numbers };
    const bytes = type === "u8" && match.metric === "linf" && !neighbour;
    if (bytes && width % 32 === 0 && first % 16 === 0) {
      commands.dispatch("match-bytes", Math.ceil((rows * words) / 64), buffers, own, { CHANNELS: channels });
      return;
    }
    commands.dispatch(
      "match",
      groupsOf(rows * words),
      buffers,
      {
        ...{ ...own, metric: METRIC_CODE[match.metric] },
        ...{ right: neighbour?.right ?? 1, up: neighbour?.up ?? 0, top: Number(y0 === 0) },
      },
      { TYPE: TYPE_CODE[type], CHANNELS: channels, FLOATING: neighbour !== undefined },
    );
  });
}

/** A match as the kernel takes it. */
function numbersOf({ lo, hi, colour, limit }: Match, type: Shape["type"], floating: boolean): Record<string, number> {
  const numbers: Record<string, number> = { limit: limit >>> 0, limitHigh: Math.floor(limit / 2 ** 32) };
  for (let c = 0; c < 4; c++) {
    // Channels that are not there are 0 in every pixel.
    numbers[`lo${c}`] = lo[c] === undefined || floating ? 0 : bound(lo[c], type);
    numbers[`hi${c}`] = hi[c] === undefined ? 0 : floating ? hi[c] : bound(hi[c], type);
    numbers[`colour${c}`] = colour[c] === undefined ? 0 : bound(colour[c], type);
  }
  return numbers;
}

/** What is linked to the seeds, step by step, by neighbours that match. */
async function fillLinked(
  context: Context,
  pixels: Pixels,
  plan: FillPlan,
  fence: Planes | undefined,
  call: Call,
): Promise<Filled<Planes>> {
  const { width, height, type } = pixels.shape;
  const eight = plan.connectivity === 8;
  const match = matchNeighbour(plan, type);
  let known = { foreground: 0, runCount: 0 };
  const planes = await makePlanes(context, width, height, 1, (planes) =>
    borrowing(context, async (loan) => {
      const { words } = planes;
      const total = words * height;
      const commands = context.commands();
      const links: GPUBuffer[] = [];
      for (const neighbour of eight ? BEFORE : BEFORE.slice(0, 2)) {
        const bits = await loan.take((height + 2) * words * 4, "links");
        commands.clear(bits, 0, words * 4);
        const buffers = { bits, fence: fence?.strips[0]?.bits[0] };
        await recordMatch(context, commands, pixels, planes, 0, match, buffers, call, neighbour);
        links.push(bits);
      }
      const [left, up, upLeft = up, upRight = up] = links as [GPUBuffer, GPUBuffer];
      const parents = await loan.take(total * 32 * 4, "parents");
      const marks = await loan.take(total * 4, "marks");
      const inside = plan.seeds.filter(([x, y]) => isIn(plan.within?.bits, words, x, y));
      const seeds = await loan.take(Math.max(1, inside.length) * 4, "seeds");
      context.write(
        seeds,
        Uint32Array.from(inside, ([x, y]) => y * words * 32 + x),
      );
      const bits = planes.strips[0]?.bits[0] as GPUBuffer;
      commands.stage("link", total * 4 * (links.length + 32));
      commands.clear(marks, 0, total * 4);
      commands.dispatch("link-begin", groupsOf(total * 32), { left, parents }, { words, total: total * 32 });
      const joined = { left, up, upLeft, upRight, parents };
      commands.dispatch("link-join", groupsOf(total), joined, { words, total, eight: Number(eight) });
      commands.dispatch("link-seeds", groupsOf(inside.length), { seeds, parents, marks }, { seeds: inside.length });
      commands.dispatch("link-select", groupsOf(total), { left, parents, marks, bits }, { words, total });
      const counters = await loan.take(COUNTERS * 4, "counters");
      commands.clear(counters, 0, COUNTERS * 4);
      recordTally(commands, planes, counters);
      const found = await context.numbers(commands, counters, COUNTERS);
      known = { foreground: found[2] as number, runCount: found[3] as number };
    }),
  );
  return plan.seeds.length === 1 ? { planes, known } : { planes };
}

function isIn(bits: Uint32Array | undefined, words: number, x: number, y: number): boolean {
  return !bits || (((bits[y * words + (x >> 5)] as number) >>> (x & 31)) & 1) === 1;
}

/** Reads small pieces of pixels from wherever they are. */
function windows(context: Context, pixels: Pixels, call: Call): ReadWindow {
  const { width, channels, type } = pixels.shape;
  const bytes = PIXEL_BYTES[type];
  return async (x0, x1, y0, y1) => {
    const values = (x1 - x0) * channels;
    const found = newPixels(type, values * (y1 - y0));
    for (let y = y0; y < y1; y++) {
      const row = found.subarray((y - y0) * values, (y - y0 + 1) * values);
      if (pixels.kind === "image") row.set(await resident(y, x0, values));
      else row.set((await rowsOf(pixels, y, y + 1, call)).subarray(x0 * channels, x0 * channels + values));
    }
    return found;
  };

  /** So many values from (x, y) on: copies begin and end at whole words. */
  async function resident(y: number, x: number, values: number): Promise<PixelArray> {
    const { parts } = (pixels as { image: unknown }).image as Resident;
    const part = parts.find((candidate) => candidate.y1 > y) as Resident["parts"][number];
    const at = part.offset + ((y - Math.max(0, part.y0 - 1)) * width + x) * channels * bytes;
    const skip = at % 4;
    const whole = Math.ceil((skip + values * bytes) / 4);
    const words = new Uint32Array(whole);
    await context.read(context.commands(), part.buffer, at - skip, whole * 4, (piece) => {
      words.set(new Uint32Array(piece, 0, whole));
    });
    const made = newPixels(type, values);
    new Uint8Array(made.buffer).set(new Uint8Array(words.buffer, skip, values * bytes));
    return made;
  }
}

// A fill: the pixels that match are labelled, and the components that hold the seeds are kept; with a floating range
// pixels that are linked are united instead. A fixed number of dispatches per colour, whatever the shape.

import { type Call, type FillPlan, newPixels, PIXEL_BYTES, type Pixels, type Shape, TYPE_CODE } from "../backend.js";
import { coloursAt, type Match, matchNeighbour, type ReadWindow, wavesOf } from "../match.js";
import type { PixelArray } from "../types.js";
import { eachBand, groupsOf, type Resident, rowsOf } from "./bands.js";
import { type Labelled, labelPlanes } from "./components.js";
import { borrowing, type Context } from "./context.js";
import { keepComponents } from "./filter.js";
import type { Commands } from "./kernel.js";
import { labelAt } from "./labels.js";
import { bound, fillHalos, makePlanes, type Planes, releasePlanes, stripsOf, uploadMask } from "./mask.js";

const METRIC_CODE = { linf: 0, l1: 1, l2: 2 } as const;

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

/** Fills from the seeds. Reads each pixel once per colour of the seeds, or with a floating range twice to four times. */
export async function fillPixels(context: Context, pixels: Pixels, plan: FillPlan, call: Call): Promise<Labelled> {
  const { shape } = pixels;
  const fence = plan.within && (await fenceOf(context, plan.within, shape));
  try {
    const planes = plan.floating
      ? await fillLinked(context, pixels, plan, fence, call)
      : await fillWaves(context, pixels, plan, fence, call);
    return await labelPlanes(context, context.commands(), planes, plan.connectivity === 8, call);
  } finally {
    if (fence) releasePlanes(context, fence);
  }
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
  fence: Planes | undefined,
  call: Call,
): Promise<Planes> {
  const { shape } = pixels;
  const colours = await coloursAt(plan.seeds, plan.average, shape, windows(context, pixels, call));
  let union: Planes | undefined;
  try {
    for (const { match, seeds } of wavesOf(plan, plan.seeds, colours, shape.type)) {
      const planes = await matchPixels(context, pixels, match, fence, call);
      const filled = plan.contiguous ? await keepSeeds(context, planes, plan, seeds, call) : planes;
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
  planes: Planes,
  { connectivity }: FillPlan,
  seeds: FillPlan["seeds"],
  call: Call,
): Promise<Planes> {
  const labelled = await labelPlanes(context, context.commands(), planes, connectivity === 8, call);
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

/** The pixels that match. */
function matchPixels(
  context: Context,
  pixels: Pixels,
  match: Match,
  fence: Planes | undefined,
  call: Call,
): Promise<Planes> {
  const { width, height } = pixels.shape;
  return makePlanes(context, width, height, 1, async (planes) => {
    const commands = context.commands();
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
    fillHalos(commands, planes);
    await commands.submit();
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
    commands.dispatch(
      "match",
      groupsOf(rows * words),
      { pixels: input, fence: fence ?? context.nothing, bits },
      {
        ...{ width, words, rows, first, row: y0 - strip.y0 + 1, metric: METRIC_CODE[match.metric], ...numbers },
        ...{ right: neighbour?.right ?? 1, up: neighbour?.up ?? 0, top: Number(y0 === 0) },
      },
      { TYPE: TYPE_CODE[type], CHANNELS: channels, FLOATING: neighbour !== undefined, FENCE: fence !== undefined },
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
): Promise<Planes> {
  const { width, height, type } = pixels.shape;
  const eight = plan.connectivity === 8;
  const match = matchNeighbour(plan, type);
  return makePlanes(context, width, height, 1, (planes) =>
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
      fillHalos(commands, planes);
      await commands.submit();
    }),
  );
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

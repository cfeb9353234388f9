// The colours of an image on the device. They are counted by key in a table of 2^24 counters, and listed in key order with
// their weights, points and boxes. Later the same table holds the class of each colour.

import { turn } from "#event-loop";
import type { Call } from "../core/call.js";
import { CONVERTED, type ColourList, greyColours, KEYS, oklabOfKey } from "../core/colour-keys.js";
import { type Pixels, partOf, putInto, rowCount } from "../core/pixels.js";
import type { ColoursPlan } from "../core/plans.js";
import { writeRows } from "../core/sinks.js";
import type { Sink } from "../types/raster.js";
import { eachBand, groupsOf, upload } from "./bands.js";
import { recordRanks, takeRanks } from "./components.js";
import { allocateCounters, readCounters } from "./counters.js";
import type { Commands } from "./device/commands.js";
import { type Context, ScratchScope, withScratch } from "./device/context.js";
import { STAGING_BYTES } from "./device/memory.js";
import { histogram } from "./histogram.js";

const TABLE_BYTES = KEYS * 4;

/** Words of marks, a bit for each key. */
const WORDS = KEYS / 32;

/** Pixels per thread of kmeans-colours-count.wgsl, and of kmeans-colours-look-up.wgsl. */
const COUNTED = 16;
const LOOKED_UP = 4;

/** Buffers of 4 bytes per colour, and of a box per 64 colours. */
export interface Colours {
  readonly count: number;
  readonly keys: GPUBuffer;
  readonly weights: GPUBuffer;
  readonly points: GPUBuffer;
  readonly boxes: GPUBuffer;
  /** u32 per key. */
  readonly table: GPUBuffer;
  free(): void;
}

/** Whether the table fits one binding. */
export function fitsColours({ device }: Context): boolean {
  return device.bindingBytes >= TABLE_BYTES;
}

/** Counts the colours of pixels. */
export async function countColours(context: Context, pixels: Pixels, plan: ColoursPlan, call: Call): Promise<Colours> {
  const scope = new ScratchScope(context);
  try {
    return await context.timed(call, "count colours", 0, () =>
      pixels.shape.channels === 1
        ? greyPixels(context, scope, pixels, plan, call)
        : colourPixels(context, scope, pixels, plan, call),
    );
  } catch (error) {
    scope.freeAll();
    throw error;
  }
}

/** Counts grey pixels by a histogram of 256 levels. */
async function greyPixels(
  context: Context,
  scope: ScratchScope,
  pixels: Pixels,
  plan: ColoursPlan,
  call: Call,
): Promise<Colours> {
  const { counts } = await histogram(context, pixels, { ...call, timings: [] });
  const { levels, ...list } = greyColours(counts);
  const table = await scope.allocate(TABLE_BYTES, "colours");
  const colours = await listOf(context, scope, table, list.keys.length);
  const commands = context.commands();
  await upload(context, commands, list.keys, colours.keys, 0);
  await upload(context, commands, list.weights, colours.weights, 0);
  await upload(context, commands, levels, colours.points, 0);
  await placeColours(context, commands, colours, plan, 1, call);
  return colours;
}

async function colourPixels(
  context: Context,
  scope: ScratchScope,
  pixels: Pixels,
  plan: ColoursPlan,
  call: Call,
): Promise<Colours> {
  const { shape } = pixels;
  const { width, channels } = shape;
  const table = await scope.allocate(TABLE_BYTES, "colours");
  const { marks, ranks, blocks } = await takeRanks(scope, WORDS);
  const counters = await allocateCounters(scope);
  const commands = context.commands();
  const skip = Number(plan.ignoreTransparent);
  commands.clear(table, 0, TABLE_BYTES);
  commands.clear(marks, 0, WORDS * 4);
  const rows = { y0: 0, y1: rowCount(shape) };
  const feed = { multiple: 1, halo: false, raw: true };
  await eachBand(context, commands, pixels, rows, feed, call, ({ y0, y1, pixels: input, first }) => {
    const count = (y1 - y0) * width;
    commands.stage("count colours", count * channels);
    const uniforms = { pixels: count, first, skip };
    const groups = groupsOf(Math.ceil(count / COUNTED));
    commands.dispatch("kmeans-colours-count", groups, { pixels: input, counts: table, marks }, uniforms, {
      CHANNELS: channels,
    });
  });
  commands.stage("list colours", WORDS * 4);
  recordRanks(commands, { marks, ranks, blocks, counters }, WORDS, [], 0);
  const { components: count } = await readCounters(context, commands, counters);
  const colours = await listOf(context, scope, table, count);
  const { keys, weights, points } = colours;
  commands.stage("list colours", count * 16 + WORDS * 4);
  const bindings = { counts: table, marks, ranks, blocks, keys, weights, points };
  commands.dispatch("kmeans-colours-list", groupsOf(WORDS / 8), bindings, { words: WORDS });
  await placeColours(context, commands, colours, plan, channels, call);
  for (const buffer of [marks, ranks, blocks, counters]) scope.free(buffer);
  return colours;
}

/** Allocates buffers for `count` colours. */
async function listOf(context: Context, scope: ScratchScope, table: GPUBuffer, count: number): Promise<Colours> {
  const bytes = Math.max(1, count) * 4;
  const take = (label: string): Promise<GPUBuffer> => scope.allocate(bytes, label);
  const [keys, weights, points] = [await take("keys"), await take("weights"), await take("points")];
  const boxes = await scope.allocate(Math.ceil(bytes / 256) * 8, "boxes");
  const free = (): void => {
    if (!context.device.lost) scope.freeAll();
  };
  return { count, keys, weights, points, boxes, table, free };
}

/** Converts points to Oklab if the plan uses that space, and computes their boxes. */
async function placeColours(
  context: Context,
  commands: Commands,
  { count, keys, points, boxes }: Colours,
  { space }: ColoursPlan,
  channels: number,
  call: Call,
): Promise<void> {
  if (space.name === "oklab") {
    const places = await context.numbers(commands, keys, count);
    for (let i = 0; i < count; i++) {
      if (i % CONVERTED === 0) {
        call.signal?.throwIfAborted();
        await turn();
      }
      places[i] = oklabOfKey(places[i], channels);
    }
    await upload(context, commands, places, points, 0);
  }
  commands.stage("boxes", count * 4);
  commands.dispatch("kmeans-colours-boxes", groupsOf(count), { points, boxes }, { colours: count });
  await commands.submit();
}

/** Reads keys and weights back, for the CPU. */
export async function readColours(context: Context, { count, keys, weights }: Colours): Promise<ColourList> {
  const read = (buffer: GPUBuffer): Promise<Uint32Array> => context.numbers(context.commands(), buffer, count);
  return { keys: await read(keys), weights: await read(weights) };
}

/** Classes that stay on the GPU, in a buffer of one byte per pixel. */
export interface ResidentClasses {
  readonly buffer: GPUBuffer;
}

function isResident(into: Uint8Array | Sink<Uint8Array> | ResidentClasses): into is ResidentClasses {
  return !ArrayBuffer.isView(into) && "buffer" in into;
}

/** Writes the class of every pixel. `classes` holds the centre of each colour, and `names` the class of each centre. */
export async function writeClasses(
  context: Context,
  pixels: Pixels,
  skip: boolean,
  { count, keys, table }: Colours,
  classes: GPUBuffer,
  names: Uint8Array,
  into: Uint8Array | Sink<Uint8Array> | ResidentClasses,
  commands: Commands,
  call: Call,
): Promise<void> {
  const { shape } = pixels;
  const { width, channels } = shape;
  const height = rowCount(shape);
  await withScratch(context, async (scope) => {
    const called = await scope.allocate(1024, "names");
    await upload(context, commands, Uint32Array.from(names), called, 0);
    commands.stage("classes of pixels", count * 12);
    commands.dispatch(
      "kmeans-colours-name",
      groupsOf(count),
      { keys, classes, names: called, table },
      { colours: count },
    );
    // Bands begin at whole words. A Sink receives its rows in pieces of a few megabytes.
    const resident = isResident(into) ? into.buffer : undefined;
    const most = into instanceof Uint8Array || resident ? context.device.bindingBytes : STAGING_BYTES;
    const fit = Math.floor(most / width);
    const rows = fit >= height || resident ? height : Math.max(4, fit - (fit % 4));
    const bytesOfBand = Math.ceil((Math.min(rows, height) * width) / 4) * 4;
    const out = resident ?? (await scope.allocate(bytesOfBand, "classes of pixels"));
    const staging = into instanceof Uint8Array || resident ? undefined : new Uint8Array(Math.min(rows, height) * width);
    for (let y0 = 0; y0 < height; y0 += rows) {
      const y1 = Math.min(height, y0 + rows);
      const feed = { multiple: 4, halo: false, raw: true };
      await eachBand(
        context,
        commands,
        pixels,
        { y0, y1 },
        feed,
        call,
        ({ y0: from, y1: to, pixels: input, first }) => {
          const total = (to - from) * width;
          commands.stage("classes of pixels", total * (channels + 1));
          const uniforms = { pixels: total, first, skip: Number(skip), to: ((from - y0) * width) / 4 };
          const groups = groupsOf(Math.ceil(total / LOOKED_UP));
          commands.dispatch("kmeans-colours-look-up", groups, { pixels: input, table, classes: out }, uniforms, {
            CHANNELS: channels,
          });
        },
      );
      const bytes = (y1 - y0) * width;
      if (isResident(into)) {
        await commands.submit();
        continue;
      }
      const target =
        into instanceof Uint8Array ? partOf(into, y0 * width, y1 * width) : (staging as Uint8Array).subarray(0, bytes);
      await context.read(commands, out, 0, bytes, (piece, at) =>
        putInto(target, new Uint8Array(piece, 0, Math.min(piece.byteLength, bytes - at)), at),
      );
      if (!(into instanceof Uint8Array)) await writeRows(into, shape, y0, target);
      call.onProgress?.({ stage: "classes", done: y1, total: height });
    }
  });
}

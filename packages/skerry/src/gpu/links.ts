// Components by value and by tolerance, on the device. Kernels test each pixel against its earlier neighbours, unite chains of links, number
// the objects by their first pixels, and write an image of labels.

import type { Call } from "../core/call.js";
import {
  hasLevels,
  LINK_PLANES,
  newPixels,
  PIXEL_BYTES,
  type Pixels,
  rowCount,
  type Shape,
  TYPE_CODE,
} from "../core/pixels.js";
import type { Linkage } from "../core/plans.js";
import type { Connectivity, PixelArray } from "../types/raster.js";
import { groupsOf } from "./bands.js";
import { type Ranked, recordRanks, takeRanks } from "./components.js";
import { allocateCounters, COUNTERS, countersIn } from "./counters.js";
import type { Commands } from "./device/commands.js";
import { type Context, withScratch } from "./device/context.js";
import { inOneBuffer, wholeOf, withUploaded } from "./image.js";
import { bound, joinsDiagonals } from "./mask.js";
import type { LabelImage } from "./watershed.js";

/** Words across and rows down the tiles of links-tiles.wgsl. */
const TILE = { words: 4, rows: 16 } as const;

/** Objects whose values are read back with the counters. */
const FEW = 4096;

/** Planes of links-match.wgsl: the foreground, links to the left, and as on the CPU those to earlier rows. */
const planesOf = (connectivity: Connectivity): number => 2 + LINK_PLANES[connectivity];

/** Whether the device joins pixels of an image by a linkage: integers that kernels read, where labels and links fit one binding. */
export function linksHere(
  { device: { bindingBytes } }: Context,
  pixels: Pixels,
  { background, except, within }: Linkage,
  connectivity: Connectivity,
): boolean {
  const { width, type } = pixels.shape;
  if (pixels.kind !== "image" || within || !hasLevels(type) || !inOneBuffer(pixels)) return false;
  const padded = Math.ceil(width / 32) * 32 * rowCount(pixels.shape);
  const values = [...(background ?? []), ...(except === undefined ? [] : [except])];
  return (
    values.every((value) => newPixels(type, 1).fill(value)[0] === value) &&
    padded < 2 ** 30 &&
    Math.max(padded * 4, (padded / 8) * planesOf(connectivity)) <= bindingBytes
  );
}

/** Objects on the device, and the value of each, one per channel. */
export interface LinkedImage extends Omit<LabelImage, "origins"> {
  readonly foreground: number;
  readonly values: PixelArray;
}

/**
 * Labels the pixels of an image in one buffer; see {@link linksHere}. Reads N pixels and up to 13 of their neighbours once, writes N / 8
 * bytes per plane of links, and 8 bytes per pixel, of which 4 stay.
 */
export function labelLinked(
  context: Context,
  pixels: Pixels,
  linkage: Linkage,
  connectivity: Connectivity,
  call: Call,
): Promise<LinkedImage> {
  return withUploaded(context, pixels, call, async (image) => {
    const { shape } = image;
    const { width, channels } = shape;
    const words = Math.ceil(width / 32);
    const rows = rowCount(shape);
    const total = words * rows;
    // Labels are written four at a time.
    const labels = await context.memory.allocate(Math.ceil((width * rows) / 4) * 16, "labels");
    try {
      return await withScratch(context, async (scope) => {
        const links = await scope.allocate(planesOf(connectivity) * total * 4, "links");
        const parents = await scope.allocate(total * 128, "parents");
        const tiles = { columns: Math.ceil(words / TILE.words), lines: Math.ceil(rows / TILE.rows) };
        const tileTable = await scope.allocate(tiles.columns * tiles.lines * 16, "tiles");
        const tops = await scope.allocate(total * 4, "tops");
        const ranked = { ...(await takeRanks(scope, total)), counters: await allocateCounters(scope) };
        const room = Math.min(FEW, width * rows);
        const told = await scope.allocate((COUNTERS + room * channels) * 4, "values");
        const commands = context.commands();
        const work = { shape, words, total, tiles, links, parents, tileTable, tops, ranked, connectivity };
        const given = wholeOf(image);
        recordLinks(commands, work, linkage, given);
        recordUnions(commands, work);
        recordNames(commands, work, labels);
        recordValues(commands, work, given, told, room);
        commands.copy(ranked.counters, 0, told, 0, COUNTERS * 4);
        const found = await context.numbers(commands, told, COUNTERS + room * channels);
        const { components: count, pixels: foreground, runs: runCount } = countersIn(found);
        let first = found.subarray(COUNTERS, COUNTERS + count * channels);
        if (count > room) {
          const all = await scope.allocate((COUNTERS + count * channels) * 4, "values");
          const more = context.commands();
          recordValues(more, work, given, all, count);
          first = (await context.numbers(more, all, COUNTERS + count * channels)).subarray(COUNTERS);
        }
        const values = newPixels(shape.type, count * channels);
        values.set(first);
        return { labels, count, runCount, foreground, values };
      });
    } catch (error) {
      context.memory.free(labels);
      throw error;
    }
  });
}

/** The size and the buffers of one labelling. */
interface Work {
  readonly shape: Shape;
  readonly words: number;
  /** Words of a plane of links. */
  readonly total: number;
  readonly tiles: { readonly columns: number; readonly lines: number };
  readonly links: GPUBuffer;
  /** 32 u32 per word: the parents of its stretches, then their labels. */
  readonly parents: GPUBuffer;
  readonly tileTable: GPUBuffer;
  /** A bit per stretch that its tile links to none before. */
  readonly tops: GPUBuffer;
  readonly ranked: Ranked & { readonly counters: GPUBuffer };
  readonly connectivity: Connectivity;
}

type Given = ReturnType<typeof wholeOf>;

function recordLinks(
  commands: Commands,
  { shape, words, total, links, connectivity }: Work,
  { tolerance, background, except }: Linkage,
  { pixels, lead }: Given,
): void {
  const { width, height, channels, type } = shape;
  const TYPE = TYPE_CODE[type];
  const bytes = PIXEL_BYTES[type];
  const ground = (c: number): number => bound(background?.[c] ?? 0, type) * Number(c < channels);
  commands.stage("links", width * rowCount(shape) * channels * bytes + planesOf(connectivity) * total * 4);
  commands.dispatch(
    "links-match",
    Math.ceil((total * 4) / 256),
    { pixels, links },
    {
      width,
      words,
      height,
      rows: rowCount(shape),
      total,
      first: lead / bytes,
      // No two values of these types differ by more.
      tolerance: Math.min(65535, Math.floor(tolerance)),
      grounds: Number(background !== undefined) + 2 * Number(except !== undefined),
      ground0: ground(0),
      ground1: ground(1),
      ground2: ground(2),
      ground3: ground(3),
      except: bound(except ?? 0, type),
    },
    {
      TYPE,
      CHANNELS: channels,
      CONNECTIVITY: connectivity,
      EXACT: Math.floor(tolerance) === 0,
      ALIGNED: width % 4 === 0 && lead % 4 === 0,
    },
  );
}

function recordUnions(
  commands: Commands,
  { shape, words, total, tiles, links, parents, tileTable, tops, connectivity }: Work,
): void {
  const { height, depth } = shape;
  const rows = rowCount(shape);
  const WIDE = joinsDiagonals(connectivity);
  const { columns: tileColumns, lines: tileLines } = tiles;
  commands.stage("join links", total * 4 * planesOf(connectivity));
  commands.dispatch(
    "links-tiles",
    tileColumns * tileLines,
    { links, nodes: parents, tileTable, tops },
    { words, rows, total, tileColumns, tiles: tileColumns * tileLines },
    { WIDE },
  );
  const horizontal = (tileLines - 1) * words;
  const threads = horizontal + (tileColumns - 1) * rows;
  const seams = { words, rows, total, horizontal, threads };
  commands.dispatch("links-seams", groupsOf(threads), { links, parents }, seams, { WIDE });
  const behind = (rows - height) * words;
  if (depth === 1) return;
  const oblique = connectivity >= 18;
  commands.dispatch(
    "links-slices",
    groupsOf(behind),
    { links, parents },
    { words, height, total, threads: behind },
    {
      CONNECTIVITY: connectivity,
      BEHIND: oblique ? 5 : 3,
      OBLIQUE: oblique ? 8 : 4,
      OBLIQUE_PLANES: connectivity === 26 ? 3 : 1,
    },
  );
}

function recordNames(
  commands: Commands,
  { shape, words, total, tiles, links, parents, tileTable, tops, ranked }: Work,
  labels: GPUBuffer,
): void {
  const { width } = shape;
  const pixels = width * rowCount(shape);
  const { marks, ranks, blocks } = ranked;
  const planes = [{ segments: tileTable, tileTable }];
  commands.stage("number", total * 12);
  commands.dispatch("links-flatten", groupsOf(total), { tops, parents, marks }, { total });
  recordRanks(commands, ranked, total, planes, tiles.columns * tiles.lines);
  commands.dispatch("links-number", groupsOf(total), { tops, marks, ranks, blocks, parents }, { total });
  commands.stage("labels", total * 8 + pixels * 4);
  commands.dispatch(
    "links-expand",
    groupsOf(Math.ceil(pixels / 4)),
    { links, names: parents, tops, labels },
    { width, words, total, pixels },
  );
}

function recordValues(
  commands: Commands,
  { shape, words, total, links, ranked: { marks, ranks, blocks } }: Work,
  { pixels, lead }: Given,
  values: GPUBuffer,
  room: number,
): void {
  const BYTES = PIXEL_BYTES[shape.type];
  commands.dispatch(
    "links-values",
    groupsOf(total),
    { pixels, marks, ranks, blocks, links, values },
    { width: shape.width, words, total, first: lead / BYTES, room },
    { BYTES, CHANNELS: shape.channels },
  );
}

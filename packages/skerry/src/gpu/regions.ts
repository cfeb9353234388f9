// Sums per object. Kernels add up per strip and component. The host combines the records as they arrive; records of an
// object that spans strips become one.

import type { Call } from "../core/call.js";
import { bytesOf, PIXEL_BYTES, type Size, sizeText, TYPE_CODE } from "../core/pixels.js";
import { REGION_LEVELS, type RegionsPlan } from "../core/plans.js";
import { INTENSITY_FIELDS, type RegionSums } from "../core/sums.js";
import { Unsupported } from "../types/errors.js";
import { eachBand, groupsOf } from "./bands.js";
import { stretchesOf } from "./components-strips.js";
import type { Commands } from "./device/commands.js";
import { type Context, withScratch } from "./device/context.js";
import { STAGING_BYTES } from "./device/memory.js";
import type { Labelled, Strip } from "./labelled.js";
import { stripBytes, TILE_CELLS } from "./mask.js";

/** u32 per record, as in regions-2d.wgsl, regions-3d.wgsl, regions-shape.wgsl and regions-intensity.wgsl. */
export const RECORD = { regions: 9, solids: 13, shape: 10, intensity: 14 } as const;

/** Measures objects. Intensities of f32 pixels need sums of 64-bit floats, so they run on the CPU. */
export async function measureRegions(
  context: Context,
  labelled: Labelled,
  { level, solid, intensity }: RegionsPlan,
  call: Call,
): Promise<RegionSums> {
  const { count, planes } = labelled;
  const number = REGION_LEVELS.indexOf(level);
  const whole = number < 3 ? columnsOf(context, labelled, solid) : undefined;
  if (whole) {
    return context.timed(call, "regions", 0, async () => {
      const sums = await measureColumns(context, labelled, whole, number);
      return intensity
        ? { ...sums, intensity: await measureIntensity(context, labelled, intensity, sums.area, call) }
        : sums;
    });
  }
  if (solid) return context.timed(call, "regions", 0, () => measureSolids(context, labelled, number));
  return context.timed(call, "regions", 0, async () => {
    const area = new Uint32Array(count);
    const sums: { -readonly [key in keyof RegionSums]: RegionSums[key] } = { area };
    const bounds = number >= 1 ? new Uint32Array(count * 4) : undefined;
    // First moments are exact in 64-bit floats, because checkCentroids() refuses larger images. divideMoments() replaces
    // them by means.
    const centroid = number >= 2 ? new Float64Array(count * 2) : undefined;
    const raw = number === 3 ? new BigInt64Array(count * 5) : undefined;
    const outline = number === 3 ? new BigInt64Array(count * 2) : undefined;
    const moments = raw && new Uint32Array(raw.buffer);
    if (number >= 2) checkCentroids(planes);
    const targets: Targets = { area, bounds, centroid, moments };
    await eachRecord(context, labelled, "regions", recordRegions, (records, at, object, length, fresh) => {
      takeRegions(targets, records, at, object, length, fresh);
    });
    if (moments && outline) {
      const second = new Uint32Array(outline.buffer);
      await eachRecord(context, labelled, "shape", recordShape, (records, from, object, length) => {
        for (let i = 0, at = from, to = object; i < length; i++, at += RECORD.shape, to++) {
          for (let k = 0; k < 6; k += 2) add64(moments, 10 * to + 4 + k, records, at + k);
          for (let k = 0; k < 4; k += 2) add64(second, 4 * to + k, records, at + 6 + k);
        }
      });
    }
    if (centroid) divideMoments(centroid, area);
    Object.assign(sums, { bounds, centroid, rawMoments: raw, outline });
    if (intensity) sums.intensity = await measureIntensity(context, labelled, intensity, area, call);
    return sums;
  });
}

/** Records of one strip that become columns on the device. */
interface Columns {
  readonly strip: Strip;
  readonly axes: 2 | 3;
}

/** The strip whose records become columns; undefined if objects may span strips, or columns exceed a binding. */
function columnsOf(context: Context, { strips }: Labelled, solid: boolean): Columns | undefined {
  const [strip] = strips;
  const axes = solid ? 3 : 2;
  const bytes = (strip?.count ?? 0) * RECORD[solid ? "solids" : "regions"] * 4 + 8;
  return strip && strips.length === 1 && bytes <= context.device.bindingBytes ? { strip, axes } : undefined;
}

/** Areas, boxes and centroids of one strip. */
function measureColumns(
  context: Context,
  labelled: Labelled,
  { strip, axes }: Columns,
  level: number,
): Promise<RegionSums> {
  const { count } = strip;
  if (level >= 2) checkCentroids(labelled.planes);
  return readColumns(context, { count, axes, level }, (commands, records) =>
    (axes === 3 ? recordSolids : recordRegions)(commands, labelled, strip, { begin: 0, count }, records),
  );
}

/** Columns of `count` records, which `record` fills. The device writes them as callers get them, so the host only copies. */
async function readColumns(
  context: Context,
  { count, axes, level }: { readonly count: number; readonly axes: 2 | 3; readonly level: number },
  record: (commands: Commands, records: GPUBuffer) => void,
): Promise<RegionSums> {
  const area = new Uint32Array(count);
  const bounds = level >= 1 ? new Uint32Array(count * 2 * axes) : undefined;
  const centroid = level >= 2 ? new Float64Array(count * axes) : undefined;
  if (count === 0) return { area, bounds, centroid };
  const pairs = count * (1 + 2 * axes);
  const columns: [at: number, bytes: Uint8Array][] = [[0, bytesOf(area)]];
  if (bounds) columns.push([count * 4, bytesOf(bounds)]);
  if (centroid) columns.push([(pairs + (pairs % 2)) * 4, bytesOf(centroid)]);
  const words = RECORD[axes === 3 ? "solids" : "regions"];
  await withScratch(context, async (scope) => {
    const records = await scope.allocate(count * words * 4, "records");
    const table = await scope.allocate(count * words * 4 + 4, "columns");
    const commands = context.commands();
    commands.clear(records, 0, count * words * 4);
    record(commands, records);
    commands.stage("columns", count * words * 8);
    commands.dispatch("regions-columns", groupsOf(count), { records, columns: table }, { count, axes });
    const [last, bytes] = columns[columns.length - 1];
    await context.read(commands, table, 0, last + bytes.length, (piece, from) => {
      for (const [at, column] of columns) {
        const begin = Math.max(at, from);
        const end = Math.min(at + column.length, from + piece.byteLength);
        if (begin < end) column.set(new Uint8Array(piece, begin - from, end - begin), begin - at);
      }
    });
  });
  return { area, bounds, centroid };
}

/** Columns and rows of the blocks of regions-labels.wgsl. */
const BLOCK = { columns: 256, rows: 64 } as const;

/** A label image in rows without padding, with labels 1..count. */
interface LabelsOf extends Size {
  readonly labels: GPUBuffer;
  readonly count: number;
}

/** Whether the device measures the objects of a label image. */
export function measuresLabels(
  context: Context,
  image: Omit<LabelsOf, "labels">,
  { level, intensity }: RegionsPlan,
): boolean {
  const words = RECORD[image.depth > 1 ? "solids" : "regions"];
  return (
    level !== "shape" &&
    !intensity &&
    fitsSolids(image) &&
    fitsCentroids(image) &&
    image.count * words * 4 + 8 <= context.device.bindingBytes
  );
}

/** Areas, boxes and centroids of the objects of a label image. */
export function measureLabels(
  context: Context,
  { labels, width, height, depth, count }: LabelsOf,
  { level, solid }: RegionsPlan,
): Promise<RegionSums> {
  const axes = solid ? 3 : 2;
  return readColumns(context, { count, axes, level: REGION_LEVELS.indexOf(level) }, (commands, records) => {
    const columns = Math.ceil(width / BLOCK.columns);
    const lines = Math.ceil(height / BLOCK.rows);
    commands.stage("regions", width * height * depth * 4);
    commands.dispatch(
      "regions-labels",
      columns * lines * depth,
      { labels, records },
      { width, height, depth, columns, lines },
      { SOLID: solid },
    );
  });
}

/** Whether coordinates are small enough for the sums of regions-3d.wgsl. */
export function fitsSolids({ height, depth }: Size): boolean {
  return height < 65536 && depth < 65536;
}

/** Measures areas, and with `level` 1 boxes, with 2 also centroids, along x, y and z. */
async function measureSolids(context: Context, labelled: Labelled, level: number): Promise<RegionSums> {
  const { count, planes } = labelled;
  const area = new Uint32Array(count);
  const bounds = new Uint32Array(level >= 1 ? count * 6 : 0);
  const centroid = new Float64Array(level >= 2 ? count * 3 : 0);
  if (level >= 2) checkCentroids(planes);
  await eachRecord(context, labelled, "solids", recordSolids, (records, from, object, length, fresh) => {
    for (let i = 0, at = from, to = object; i < length; i++, at += RECORD.solids, to++) {
      const sum = (fresh ? 0 : area[to]) + records[at];
      if (sum >= 2 ** 32) throw new Unsupported("Expected objects of fewer than 2^32 pixels, got a larger one.");
      area[to] = sum;
      for (let axis = 0; axis < 3; axis++) {
        if (level >= 1) {
          const first = ~records[at + 1 + axis] >>> 0;
          const last = records[at + 4 + axis];
          const box = 6 * to + axis;
          bounds[box] = fresh ? first : Math.min(first, bounds[box]);
          bounds[box + 3] = fresh ? last : Math.max(last, bounds[box + 3]);
        }
        if (level >= 2) {
          const moment = at + 7 + 2 * axis;
          const added = records[moment + 1] * 2 ** 32 + records[moment]; // wide: checkCentroids keeps sums below 2^53
          centroid[3 * to + axis] = (fresh ? 0 : centroid[3 * to + axis]) + added;
        }
      }
    }
  });
  for (let i = 0; i < centroid.length; i++) {
    centroid[i] = centroid[i] / area[Math.floor(i / 3)];
  }
  return { area, bounds: level >= 1 ? bounds : undefined, centroid: level >= 2 ? centroid : undefined };
}

/** Records areas, boxes and first moments with z. */
export function recordSolids(
  commands: Commands,
  labelled: Labelled,
  strip: Strip,
  range: Range,
  records: GPUBuffer,
): void {
  recordTiles(commands, "regions-3d", labelled, strip, { ...range, slice: labelled.planes.height }, records);
}

/** Whether the sum of a coordinate over an object is exact in a 64-bit float. */
function fitsCentroids({ width, height, depth }: Size): boolean {
  return Math.min(width * height * depth, 2 ** 32) * Math.max(width, height, depth) < 2 ** 53;
}

function checkCentroids(size: Size): void {
  if (!fitsCentroids(size)) {
    throw new Unsupported(
      `Expected sides of fewer than 2^21 pixels for centroids on the GPU, got ${sizeText(size)}; use the CPU.`,
    );
  }
}

/** Targets of the records of regions-2d.wgsl. */
interface Targets {
  readonly area: Uint32Array;
  readonly bounds: Uint32Array | undefined;
  /** Sums of x and y, until divideMoments(). */
  readonly centroid: Float64Array | undefined;
  readonly moments: Uint32Array | undefined;
}

/** Adds records to the sums of their objects. The records of fresh objects replace what the arrays hold. */
function takeRegions(
  { area, bounds, centroid, moments }: Targets,
  records: Uint32Array,
  from: number,
  object: number,
  length: number,
  fresh: boolean,
): void {
  for (let i = 0, at = from; i < length; i++, at += RECORD.regions) {
    const to = object + i;
    const sum = (fresh ? 0 : area[to]) + records[at];
    if (sum >= 2 ** 32) throw new Unsupported("Expected objects of fewer than 2^32 pixels, got a larger one.");
    area[to] = sum;
    if (!moments) continue;
    add64(moments, 10 * to, records, at + 5);
    add64(moments, 10 * to + 2, records, at + 7);
  }
  if (bounds) takeBounds(bounds, records, from + 1, object, length, fresh);
  if (centroid) takeMoments(centroid, records, from + 5, object, length, fresh);
}

/** Combines boxes, which kernels write as ~x0, ~y0, x1, y1. */
function takeBounds(
  bounds: Uint32Array,
  records: Uint32Array,
  from: number,
  object: number,
  length: number,
  fresh: boolean,
): void {
  for (let i = 0, at = from, to = 4 * object; i < length; i++, at += RECORD.regions, to += 4) {
    const x0 = ~records[at] >>> 0;
    const y0 = ~records[at + 1] >>> 0;
    const x1 = records[at + 2];
    const y1 = records[at + 3];
    if (fresh || x0 < bounds[to]) bounds[to] = x0;
    if (fresh || y0 < bounds[to + 1]) bounds[to + 1] = y0;
    if (fresh || x1 > bounds[to + 2]) bounds[to + 2] = x1;
    if (fresh || y1 > bounds[to + 3]) bounds[to + 3] = y1;
  }
}

/** Combines sums of x and y, 64 bits each. */
function takeMoments(
  sums: Float64Array,
  records: Uint32Array,
  from: number,
  object: number,
  length: number,
  fresh: boolean,
): void {
  for (let i = 0, at = from, to = 2 * object; i < length; i++, at += RECORD.regions, to += 2) {
    sums[to] = (fresh ? 0 : sums[to]) + records[at + 1] * 2 ** 32 + records[at]; // wide: checkCentroids keeps sums below 2^53
    sums[to + 1] = (fresh ? 0 : sums[to + 1]) + records[at + 3] * 2 ** 32 + records[at + 2]; // wide: checkCentroids keeps sums below 2^53
  }
}

/** Replaces sums by means. */
function divideMoments(sums: Float64Array, area: Uint32Array): void {
  for (let i = 0; i < area.length; i++) {
    sums[2 * i] = sums[2 * i] / area[i];
    sums[2 * i + 1] = sums[2 * i + 1] / area[i];
  }
}

/** Adds a 64-bit number, low word first, to another. */
function add64(into: Uint32Array, to: number, record: Uint32Array, at: number): void {
  const low = into[to] + record[at];
  into[to] = low;
  into[to + 1] = into[to + 1] + record[at + 1] + (low >= 2 ** 32 ? 1 : 0);
}

/** Components [begin, begin + count) of a strip, counted from 0, that have records. */
type Range = {
  readonly begin: number;
  readonly count: number;
};

type Recorder = (
  commands: Commands,
  labelled: Labelled,
  strip: Strip,
  range: Range,
  records: GPUBuffer,
) => void | Promise<void>;

/**
 * Receives `length` records from `at` on. They are for consecutive objects from `object` on, counted from 0. Fresh
 * objects have no part in an earlier strip.
 */
type Use = (records: Uint32Array, at: number, object: number, length: number, fresh: boolean) => void;

/** Runs a kernel for every strip and range of components, and passes the records to `use` with their objects. */
async function eachRecord(
  context: Context,
  labelled: Labelled,
  kind: keyof typeof RECORD,
  record: Recorder,
  use: Use,
): Promise<void> {
  const words = RECORD[kind];
  const bytes = words * 4;
  // Reading single words of mapped memory is slow, so a piece is copied whole first.
  const most = Math.max(0, ...labelled.strips.map(({ count }) => count));
  const scratch = new Uint32Array(Math.min(STAGING_BYTES / 4, most * words));
  for (const strip of labelled.strips) {
    const fit = Math.floor(context.device.bindingBytes / bytes);
    for (let from = 0; from < strip.count; from += fit) {
      const count = Math.min(fit, strip.count - from);
      await withScratch(context, async (scope) => {
        const records = await scope.allocate(count * bytes, "records");
        const commands = context.commands();
        commands.clear(records, 0, count * bytes);
        await record(commands, labelled, strip, { begin: from, count }, records);
        const hand = (piece: ArrayBuffer, offset: number): void => {
          const length = Math.min(Math.floor(piece.byteLength / bytes), count - offset / bytes);
          const values = scratch.subarray(0, length * words);
          values.set(new Uint32Array(piece, 0, length * words));
          const first = from + offset / bytes + 1;
          for (const { component, label, length: objects, fresh } of stretchesOf(strip, first, first + length)) {
            use(values, (component - first) * words, label - 1, objects, fresh);
          }
        };
        await context.read(commands, records, 0, count * bytes, hand, bytes);
      });
    }
  }
}

function parametersOf({ planes: { words } }: Labelled, strip: Strip, range: Range): { [name: string]: number } {
  const { y0, y1, tileColumns, tiles } = strip;
  return { words, height: y1 - y0, tileColumns, tiles, row: y0, ...range };
}

/** Records areas, boxes and first moments. */
export function recordRegions(
  commands: Commands,
  labelled: Labelled,
  strip: Strip,
  range: Range,
  records: GPUBuffer,
): void {
  recordTiles(commands, "regions-2d", labelled, strip, range, records);
}

function recordTiles(
  commands: Commands,
  kernel: "regions-2d" | "regions-3d",
  labelled: Labelled,
  strip: Strip,
  range: Range & { slice?: number },
  records: GPUBuffer,
): void {
  commands.stage("regions", stripBytes(labelled.planes, strip) * strip.bits.length);
  for (const [index, plane] of strip.planes.entries()) {
    const buffers = { bits: strip.bits[index], ...plane, map: strip.map, records };
    // Four tiles per workgroup, side by side.
    const groups = Math.ceil(strip.tileColumns / 4) * (strip.tiles / strip.tileColumns);
    commands.dispatch(kernel, groups, buffers, parametersOf(labelled, strip, range), { CELL: strip.cell });
  }
}

function recordShape(commands: Commands, labelled: Labelled, strip: Strip, range: Range, records: GPUBuffer): void {
  commands.stage("shape", stripBytes(labelled.planes, strip) * 2 * strip.bits.length);
  for (const [index, plane] of strip.planes.entries()) {
    const buffers = { bits: strip.bits[index], ...plane, map: strip.map, records };
    const parameters = parametersOf(labelled, strip, range);
    commands.dispatch("regions-shape", strip.tiles, buffers, parameters, { CELL: strip.cell });
  }
}

async function measureIntensity(
  context: Context,
  labelled: Labelled,
  { pixels, contrast }: NonNullable<RegionsPlan["intensity"]>,
  area: Uint32Array,
  call: Call,
): Promise<BigInt64Array> {
  const { count, planes } = labelled;
  const { width, height, channels, type } = pixels.shape;
  const sums = new BigInt64Array(count * INTENSITY_FIELDS);
  const view = new Uint32Array(sums.buffer);
  const least = new Int32Array(count).fill(0x7fffffff);
  const most = new Int32Array(count).fill(-0x80000000);
  const record: Recorder = async (commands, _, strip, range, records) => {
    const tileRows = TILE_CELLS * strip.cell;
    const feed = { multiple: tileRows, halo: true };
    await eachBand(context, commands, pixels, strip, feed, call, ({ y0, y1, pixels: input, first }) => {
      commands.stage("intensity", (y1 - y0) * width * channels * PIXEL_BYTES[type]);
      const firstTile = ((y0 - strip.y0) / tileRows) * strip.tileColumns;
      const tiles = Math.ceil((y1 - y0) / tileRows) * strip.tileColumns;
      for (const [index, plane] of strip.planes.entries()) {
        const bits = strip.bits[index];
        const buffers = {
          bits,
          bits2: strip.bits[1 - index] ?? bits,
          ...plane,
          map: strip.map,
          pixels: input,
          records,
        };
        const parameters = {
          ...parametersOf(labelled, strip, range),
          width,
          firstTile,
          tiles,
          imageHeight: height,
          first,
        };
        commands.dispatch("regions-intensity", tiles, buffers, parameters, {
          TYPE: TYPE_CODE[type],
          CONTRAST: contrast,
          CELL: strip.cell,
        });
      }
    });
  };
  if (planes.height !== height) throw new Error("intensity of another size");
  await eachRecord(context, labelled, "intensity", record, (records, from, object, length) => {
    for (let i = 0, at = from, to = object; i < length; i++, at += RECORD.intensity, to++) {
      least[to] = Math.min(least[to], (~records[at] >>> 0) - 32768);
      most[to] = Math.max(most[to], records[at + 1] - 32768);
      for (let k = 0; k < 12; k += 2) add64(view, 2 * INTENSITY_FIELDS * to + 4 + k, records, at + 2 + k);
    }
  });
  for (let i = 0; i < count; i++) {
    for (const [k, value] of [least[i], most[i]].entries()) {
      view[2 * INTENSITY_FIELDS * i + 2 * k] = value;
      view[2 * INTENSITY_FIELDS * i + 2 * k + 1] = value >> 31;
    }
    // Every pixel counts: rasters with nodata run on the CPU.
    sums[INTENSITY_FIELDS * i + 9] = BigInt(area[i]);
  }
  return sums;
}

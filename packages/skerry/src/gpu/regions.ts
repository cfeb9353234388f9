// Sums per object: kernels add up per strip and component, and the records are put together on the host as
// they arrive, those of an object that spans strips into one.

import type { Call, RegionLevel, RegionSums, RegionsPlan } from "../backend.js";
import { Unsupported } from "../errors.js";
import { eachBand, PIXEL_BYTES, TYPE_CODE } from "./bands.js";
import { type Labelled, labelsOf, type Strip } from "./components.js";
import { borrowing, type Context } from "./context.js";
import type { Commands } from "./kernel.js";
import { stripBytes, TILE_CELLS } from "./mask.js";

const LEVELS: readonly RegionLevel[] = ["area", "bounds", "centroid", "shape"];

/** u32 per record, as in regions.wgsl, shape.wgsl and intensity.wgsl. */
export const RECORD = { regions: 9, shape: 10, intensity: 14 } as const;

/** Everything but the intensity of floats, which is a sum of 64-bit floats and so no work for a GPU. */
export async function measureRegions(
  context: Context,
  labelled: Labelled,
  { level, intensity }: RegionsPlan,
  call: Call,
): Promise<RegionSums> {
  const { count, planes } = labelled;
  const number = LEVELS.indexOf(level);
  if (number === 3) checkMoments(planes);
  return context.timed(call, "regions", 0, async () => {
    const area = new Uint32Array(count);
    const sums: { -readonly [key in keyof RegionSums]: RegionSums[key] } = { area };
    const bounds = number >= 1 ? new Uint32Array(count * 4) : undefined;
    const raw = number >= 2 ? new BigInt64Array(count * (number === 3 ? 5 : 2)) : undefined;
    const outline = number === 3 ? new BigInt64Array(count * 2) : undefined;
    if (bounds) for (let i = 0; i < bounds.length; i += 4) bounds.fill(0xffffffff, i, i + 2);
    const first = raw && new Uint32Array(raw.buffer);
    const per = number === 3 ? 10 : 4;
    await eachRecord(context, labelled, "regions", recordRegions, (record, at, object) => {
      const sum = (area[object] as number) + (record[at] as number);
      if (sum >= 2 ** 32) throw new Unsupported("Expected objects of fewer than 2^32 pixels, got a larger one.");
      area[object] = sum;
      if (bounds) takeBounds(bounds, 4 * object, record, at + 1);
      if (first) for (let i = 0; i < 2; i++) add64(first, per * object + 2 * i, record, at + 5 + 2 * i);
    });
    if (raw && outline) {
      const second = new Uint32Array(outline.buffer);
      await eachRecord(context, labelled, "shape", recordShape, (record, at, object) => {
        for (let i = 0; i < 3; i++) add64(first as Uint32Array, 10 * object + 4 + 2 * i, record, at + 2 * i);
        for (let i = 0; i < 2; i++) add64(second, 4 * object + 2 * i, record, at + 6 + 2 * i);
      });
    }
    if (bounds) sums.bounds = bounds;
    if (first) {
      const centroid = new Float64Array(count * 2);
      for (let i = 0; i < count; i++) {
        for (let k = 0; k < 2; k++) {
          const at = per * i + 2 * k;
          const moment = (first[at + 1] as number) * 2 ** 32 + (first[at] as number);
          centroid[2 * i + k] = moment / (area[i] as number);
        }
      }
      sums.centroid = centroid;
    }
    if (outline) {
      sums.rawMoments = raw as BigInt64Array;
      sums.outline = outline;
    }
    if (intensity) sums.intensity = await measureIntensity(context, labelled, intensity, call);
    return sums;
  });
}

/** The sum of squares over a whole row of the longest side must fit 63 bits for every possible object. */
function checkMoments({ width, height }: { width: number; height: number }): void {
  const side = Math.max(width, height);
  if (width * height * side * side >= 3 * 2 ** 63) {
    throw new Unsupported(
      `Expected an image whose second moments fit 64 bits, got ${width} x ${height}; measure it in parts, or without them.`,
    );
  }
}

/** Boxes leave the kernel as ~x0, ~y0, x1, y1. */
function takeBounds(bounds: Uint32Array, to: number, record: Uint32Array, at: number): void {
  bounds[to] = Math.min(bounds[to] as number, ~(record[at] as number) >>> 0);
  bounds[to + 1] = Math.min(bounds[to + 1] as number, ~(record[at + 1] as number) >>> 0);
  bounds[to + 2] = Math.max(bounds[to + 2] as number, record[at + 2] as number);
  bounds[to + 3] = Math.max(bounds[to + 3] as number, record[at + 3] as number);
}

/** Adds a 64-bit number, low word first, to another. */
function add64(into: Uint32Array, to: number, record: Uint32Array, at: number): void {
  const low = (into[to] as number) + (record[at] as number);
  into[to] = low;
  into[to + 1] = (into[to + 1] as number) + (record[at + 1] as number) + (low >= 2 ** 32 ? 1 : 0);
}

/** Labels [from, from + count) of a strip, counted from 0, that have records. */
interface Range {
  readonly from: number;
  readonly count: number;
}

type Record = (
  commands: Commands,
  labelled: Labelled,
  strip: Strip,
  range: Range,
  records: GPUBuffer,
) => void | Promise<void>;

/** Runs a kernel over every strip and window of labels, and hands each record on with its object, from 0. */
async function eachRecord(
  context: Context,
  labelled: Labelled,
  kind: keyof typeof RECORD,
  record: Record,
  use: (records: Uint32Array, at: number, object: number) => void,
): Promise<void> {
  const bytes = RECORD[kind] * 4;
  for (const strip of labelled.strips) {
    const objects = labelsOf(strip);
    const most = Math.floor(context.device.bindingBytes / bytes);
    for (let from = 0; from < strip.count; from += most) {
      const count = Math.min(most, strip.count - from);
      await borrowing(context, async (loan) => {
        const records = await loan.take(count * bytes, "records");
        const commands = context.commands();
        commands.clear(records, 0, count * bytes);
        await record(commands, labelled, strip, { from, count }, records);
        // A piece may end within a record, so what is cut off waits for the next piece.
        const held = new Uint32Array(RECORD[kind]);
        let filled = 0;
        await context.read(commands, records, 0, count * bytes, (piece, offset) => {
          const values = new Uint32Array(piece, 0, Math.min(piece.byteLength, count * bytes - offset) / 4);
          let at = 0;
          while (filled > 0 && at < values.length) {
            held[filled++] = values[at++] as number;
            if (filled === held.length) {
              use(held, 0, (objects.next().value as number) - 1);
              filled = 0;
            }
          }
          for (; at + held.length <= values.length; at += held.length) {
            use(values, at, (objects.next().value as number) - 1);
          }
          for (; at < values.length; at++) held[filled++] = values[at] as number;
        });
      });
    }
  }
}

function parametersOf({ planes: { words } }: Labelled, strip: Strip, range: Range): { [name: string]: number } {
  const { y0, y1, tileColumns, tiles } = strip;
  return { words, height: y1 - y0, tileColumns, tiles, row: y0, begin: range.from, count: range.count };
}

/** Records areas, boxes and first moments. */
export function recordRegions(
  commands: Commands,
  labelled: Labelled,
  strip: Strip,
  range: Range,
  records: GPUBuffer,
): void {
  commands.stage("regions", stripBytes(labelled.planes, strip) * strip.bits.length);
  for (const [index, plane] of strip.planes.entries()) {
    const buffers = { bits: strip.bits[index] as GPUBuffer, ...plane, map: strip.map, records };
    // Four tiles per workgroup, side by side.
    const groups = Math.ceil(strip.tileColumns / 4) * (strip.tiles / strip.tileColumns);
    commands.dispatch("regions", groups, buffers, parametersOf(labelled, strip, range), { CELL: strip.cell });
  }
}

function recordShape(commands: Commands, labelled: Labelled, strip: Strip, range: Range, records: GPUBuffer): void {
  commands.stage("shape", stripBytes(labelled.planes, strip) * 2 * strip.bits.length);
  for (const [index, plane] of strip.planes.entries()) {
    const buffers = { bits: strip.bits[index] as GPUBuffer, ...plane, map: strip.map, records };
    const parameters = parametersOf(labelled, strip, range);
    commands.dispatch("shape", strip.tiles, buffers, parameters, { CELL: strip.cell });
  }
}

async function measureIntensity(
  context: Context,
  labelled: Labelled,
  { pixels, contrast }: NonNullable<RegionsPlan["intensity"]>,
  call: Call,
): Promise<BigInt64Array> {
  const { count, planes } = labelled;
  const { width, height, channels, type } = pixels.shape;
  const sums = new BigInt64Array(count * 8);
  const view = new Uint32Array(sums.buffer);
  const least = new Int32Array(count).fill(0x7fffffff);
  const most = new Int32Array(count).fill(-0x80000000);
  const record: Record = async (commands, _, strip, range, records) => {
    const tileRows = TILE_CELLS * strip.cell;
    const feed = { multiple: tileRows, halo: true };
    await eachBand(context, commands, pixels, strip, feed, call, ({ y0, y1, pixels: input, first }) => {
      commands.stage("intensity", (y1 - y0) * width * channels * PIXEL_BYTES[type]);
      const firstTile = ((y0 - strip.y0) / tileRows) * strip.tileColumns;
      const tiles = Math.ceil((y1 - y0) / tileRows) * strip.tileColumns;
      for (const [index, plane] of strip.planes.entries()) {
        const bits = strip.bits[index] as GPUBuffer;
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
        commands.dispatch("intensity", tiles, buffers, parameters, {
          TYPE: TYPE_CODE[type],
          CONTRAST: contrast,
          CELL: strip.cell,
        });
      }
    });
  };
  if (planes.height !== height) throw new Error("intensity of another size");
  await eachRecord(context, labelled, "intensity", record, (values, at, object) => {
    least[object] = Math.min(least[object] as number, (~(values[at] as number) >>> 0) - 32768);
    most[object] = Math.max(most[object] as number, (values[at + 1] as number) - 32768);
    for (let i = 0; i < 6; i++) add64(view, 16 * object + 4 + 2 * i, values, at + 2 + 2 * i);
  });
  for (let i = 0; i < count; i++) {
    for (const [k, value] of [least[i] as number, most[i] as number].entries()) {
      view[16 * i + 2 * k] = value;
      view[16 * i + 2 * k + 1] = value >> 31;
    }
  }
  return sums;
}

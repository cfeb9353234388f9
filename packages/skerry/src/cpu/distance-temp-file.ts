// Whole maps that do not fit in memory. Slices of costs along x and y are written to a temporary file. Columns through
// all slices are read back a piece at a time and searched along z. At the end values leave slice by slice.

import { openTempFile } from "#temp-file";
import type { Call } from "../core/call.js";
import type { DistanceInto, DistancePlan } from "../core/distance-plan.js";
import type { Size } from "../core/pixels.js";
import { writeRows } from "../core/sinks.js";
import type { TempFile } from "../platform/temp-file.js";
import { OutOfMemory } from "../types/errors.js";
import type { Sink } from "../types/raster.js";
import { inLanes, timed } from "./bands.js";
import {
  axesOf,
  KIND_CODE,
  LINE,
  layoutOf,
  NO_LATTICE,
  OUTPUT_CODE,
  outRows,
  plainRows,
  rowArguments,
  searchBytes,
  searchColumns,
  tableBytes,
  writeTables,
} from "./distance-axes.js";
import { runKernel } from "./kernels.js";
import type { Pool } from "./memory/pool.js";
import { withScratch } from "./memory/scratch.js";
import type { Planes } from "./planes.js";

/** Maximum width of the columns read back at once, in bytes of a slice. Larger pieces make longer reads from the file. */
const MOST_PIECE = 64 << 10;

/** Layout of the file: costs, and for maps with `signed` or `nearest` a second part of the same size. */
interface Parts {
  readonly slice: number;
  readonly bytes: number;
}

/** Files hold four bytes for each pixel, whatever the costs and the values. */
function filePlan(plan: DistancePlan): DistancePlan {
  const { kind, output } = plan;
  return { ...plan, kind: kind === "u16" ? "i32" : kind, output: output === "squared16" ? "squared" : output };
}

/** Peak bytes of memory: of filling the file, or of searching columns of `piece` bytes of a slice at once. */
function fileBytes(pool: Pool, size: Size, plan: DistancePlan, piece: number): number {
  const axes = axesOf(size, plan);
  const { width, height, depth } = axes;
  const { nearest, signed } = plan;
  const { slice } = layoutOf("i32", axes);
  const words = Math.ceil(width / 64) * 8;
  // When filling, a lane has a slice, its copy without padding, and a copy in transit. When searching, it has columns,
  // their values, and a copy in transit.
  const filling =
    pool.threads * (slice * (nearest ? 2 : 1) + width * height * 8 + searchBytes(height, height, nearest) + words);
  const searching = pool.threads * (piece * depth * (signed || nearest ? 4 : 3) + searchBytes(depth, depth, nearest));
  return Math.max(filling, searching, outRows(axes) * width * 4) + tableBytes(axes) + pool.threads * 8 * LINE;
}

/** Minimum memory of a map through a file, in bytes. */
export function leastFileBytes(pool: Pool, size: Size, plan: DistancePlan): number {
  return fileBytes(pool, size, plan, LINE);
}

export async function distanceThroughFile(
  pool: Pool,
  planes: Planes,
  given: DistancePlan,
  into: DistanceInto,
  call: Call,
): Promise<void> {
  const plan = filePlan(given);
  const { width, height, depth } = axesOf(planes, plan);
  const second = plan.signed || plan.nearest;
  const slice = width * height * 4;
  const parts: Parts = { slice, bytes: slice * depth };
  const lanes = pool.threads;
  const available = Math.min((call.memory ?? 2 ** 32) - pool.memory.used, 2 ** 30);
  let piece = Math.min(MOST_PIECE, Math.ceil(slice / LINE) * LINE);
  while (piece > LINE && fileBytes(pool, planes, plan, piece) > available) piece -= LINE;

  const tempFile = openTempFile();
  try {
    await fillFile(pool, planes, plan, parts, tempFile, lanes, call);
    await searchFile(pool, planes, plan, parts, tempFile, lanes, piece, call);
    await timed(call, "values", parts.bytes * 2, async () => {
      await leave(planes, plan, 0, tempFile, into.data, plan.output === "distance" ? Float32Array : Uint32Array, call);
      if (into.nearest) await leave(planes, plan, parts.bytes, tempFile, into.nearest, Uint32Array, call);
    });
  } catch (cause) {
    if ((cause as { code?: string }).code !== "ENOSPC") throw cause;
    const bytes = parts.bytes * (second ? 2 : 1);
    throw new OutOfMemory(`Expected room for ${bytes} bytes in the temporary folder, but its disk is full.`, {
      cause,
      bytes,
    });
  } finally {
    tempFile.close();
  }
}

/** Writes the costs along x and y to the file, slice by slice. */
async function fillFile(
  pool: Pool,
  planes: Planes,
  plan: DistancePlan,
  parts: Parts,
  tempFile: TempFile,
  lanes: number,
  call: Call,
): Promise<void> {
  const axes = axesOf(planes, plan);
  const { width, height, depth } = axes;
  const layout = layoutOf(plan.kind, axes);
  const sides = plan.signed ? [plan.invert, !plan.invert] : [plan.invert];
  await withScratch(pool, async (scope) => {
    const tables = await writeTables(pool, scope, axes, plan);
    const slots = await scope.lanes(lanes, layout.slice + LINE);
    const features = await scope.lanes(plan.nearest ? lanes : 0, layout.slice + LINE);
    const closed = await scope.lanes(lanes, parts.slice);
    const rows = await scope.lanes(lanes, Math.ceil(width / 64) * 8);
    const search = await scope.lanes(lanes, searchBytes(height, height, plan.nearest));
    const staging = Array.from({ length: lanes }, () => new Uint8Array(parts.slice));
    const items = sides.flatMap((invert, side) => Array.from({ length: depth }, (_, z) => ({ invert, side, z })));
    await timed(call, "rows and columns", parts.bytes * 2, () =>
      inLanes(call, "rows and columns", items, lanes, async ({ invert, side, z }, lane) => {
        const [slot, feature] = [slots[lane], features[lane] ?? 0];
        await runKernel(pool, "distanceRows", {
          ...rowArguments(planes, plan, axes, tables, { y0: z * height, y1: (z + 1) * height }, invert),
          row: rows[lane],
          dst: slot,
          pitch: layout.pitch,
          feature,
        });
        if (height > 1) {
          await searchColumns(pool, axes, plan, tables, 1, {
            sites: plainRows(slot, layout.pitch, height),
            bytes: layout.pitch,
            scratch: search[lane],
            features: { at: feature, stride: width, base: 0 },
          });
        }
        const array = staging[lane] as Uint8Array;
        const pointer = closed[lane];
        for (const [from, part] of [[slot, side], ...(feature ? [[feature, 1] as const] : [])] as [number, number][]) {
          await runKernel(
            pool,
            "closeRows",
            { src: from, pitch: layout.pitch, bytes: width * 4, rows: height, dst: pointer },
            { output: { pointer, array } },
          );
          tempFile.write(part * parts.bytes + z * parts.slice, array);
        }
      }),
    );
  });
}

/**
 * Computes costs along z and values, for a piece of all slices at a time. The values overwrite the costs in the file.
 */
async function searchFile(
  pool: Pool,
  planes: Planes,
  plan: DistancePlan,
  parts: Parts,
  tempFile: TempFile,
  lanes: number,
  piece: number,
  call: Call,
): Promise<void> {
  const axes = axesOf(planes, plan);
  const { width, height, depth } = axes;
  const second = plan.signed || plan.nearest;
  const places: number[] = [];
  for (let at = 0; at < parts.slice; at += piece) places.push(at);
  await withScratch(pool, async (scope) => {
    const tables = await writeTables(pool, scope, axes, plan);
    const slots = await scope.lanes(lanes, piece * depth + LINE);
    const others = await scope.lanes(second ? lanes : 0, piece * depth + LINE);
    const values = await scope.lanes(lanes, piece * depth + LINE);
    const search = await scope.lanes(lanes, searchBytes(depth, depth, plan.nearest));
    const staging = Array.from({ length: lanes }, () => new Uint8Array(piece * depth));
    await timed(call, "slices", parts.bytes * 4, () =>
      inLanes(call, "slices", places, lanes, async (place, lane) => {
        const bytes = Math.min(piece, parts.slice - place);
        const pitch = Math.ceil(bytes / 16) * 16;
        const array = staging[lane] as Uint8Array;
        const each = (part: number, work: (at: number, row: Uint8Array) => void): void => {
          for (let z = 0; z < depth; z++) {
            // Columns are searched over the whole pitch. So bytes that an earlier piece left past this one's end must
            // be cleared.
            array.fill(0, z * pitch + bytes, (z + 1) * pitch);
            work(part * parts.bytes + z * parts.slice + place, array.subarray(z * pitch, z * pitch + bytes));
          }
        };
        const bring = async (part: number, pointer: number): Promise<void> => {
          each(part, (at, row) => tempFile.read(at, row));
          await pool.write(pointer, array.subarray(0, pitch * depth));
        };
        const [slot, other, value] = [slots[lane], others[lane] ?? 0, values[lane]] as [number, number, number];
        const make = async (from: number, feature: number, minus: boolean): Promise<void> => {
          await searchColumns(pool, axes, plan, tables, 2, {
            sites: plainRows(from, pitch, depth),
            bytes: pitch,
            scratch: search[lane],
            features: { at: feature, stride: width * height, base: 0 },
          });
          await runKernel(pool, "distanceValues", {
            kind: KIND_CODE[plan.kind],
            src: from,
            pitch,
            slicePitch: pitch,
            width: pitch / 4,
            rows: 1,
            slices: depth,
            dst: value,
            output: OUTPUT_CODE[plan.output],
            squared: plan.metric === "euclidean",
            unit: plan.unit,
            far: plan.far,
            minus,
            ...NO_LATTICE,
          });
        };
        await bring(0, slot);
        if (second) await bring(1, other);
        await make(slot, plan.nearest ? other : 0, false);
        if (plan.signed) await make(other, 0, true);
        await pool.read(value, array.subarray(0, pitch * depth));
        each(0, (at, row) => tempFile.write(at, row));
        if (!plan.nearest) return;
        await pool.read(other, array.subarray(0, pitch * depth));
        each(1, (at, row) => tempFile.write(at, row));
      }),
    );
  });
}

/** Copies the file's values, from `at` on and in order, to their destination. */
async function leave(
  planes: Planes,
  plan: DistancePlan,
  at: number,
  tempFile: TempFile,
  into: DistanceInto["data"] | Sink,
  type: typeof Float32Array | typeof Uint32Array,
  { signal }: Call,
): Promise<void> {
  const { width, rows } = planes;
  const most = outRows(axesOf(planes, plan));
  // Squared distances of 16 bits are truncated from 32 bits: either they fit, or both are all ones.
  const narrow = into instanceof Uint16Array ? into : undefined;
  const target = ArrayBuffer.isView(into) && !narrow ? into : undefined;
  const band = target ?? new type(most * width);
  for (let y0 = 0; y0 < rows; y0 += most) {
    signal?.throwIfAborted();
    const values = Math.min(most, rows - y0) * width;
    const part = target ? band.subarray(y0 * width, y0 * width + values) : band.subarray(0, values);
    tempFile.read(at + y0 * width * 4, new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
    if (narrow) narrow.set(part, y0 * width);
    else if (!target) await writeRows(into as Sink<typeof part>, planes, y0, part);
  }
}

// The checked build (`npm run build:checked`, used by the fuzzer): before a kernel runs, every range that it may touch
// is compared with the allocated blocks. The ranges come from the kernels' comments. The functions that they call are
// defined here.

import { LINK_PLANES, PIXEL_BYTES, TYPE_CODE } from "../core/pixels.js";
import type { Connectivity, PixelType } from "../types/raster.js";
import type { Pool } from "./memory/pool.js";

/** A pointer's name, its address, and the bytes from it that may be touched: [from, to). */
export type Range = readonly [name: string, address: number, from: number, to: number];

/** The ranges of a call. */
export type Ranges = (given: Readonly<Record<string, number | boolean>>, helpers: Helpers) => readonly Range[];

type Helpers = ReturnType<typeof helpersOf>;

/** Bytes of a pixel by the code of its type. */
const TYPE_BYTES = Object.fromEntries(
  Object.entries(TYPE_CODE).map(([type, code]) => [code, PIXEL_BYTES[type as PixelType]]),
);

/** The functions that the ranges in comments call. */
function helpersOf(memory: WebAssembly.Memory) {
  const view = new DataView(memory.buffer);
  const u32 = (pointer: number, index: number): number => view.getUint32(pointer + index * 4, true);
  const rowBytes = (width: number): number => Math.ceil(width / 64) * 8;
  return {
    u32,
    rowBytes,
    u64: (pointer: number, index: number): number => Number(view.getBigUint64(pointer + index * 8, true)),
    f64: (pointer: number, index: number): number => view.getFloat64(pointer + index * 8, true),
    typeBytes: (type: number): number => TYPE_BYTES[type],
    linkPlanes: (connectivity: number): number => LINK_PLANES[connectivity as Connectivity],
    /** One more than the largest of numbers [from, to), or with `map` the largest of their mapped numbers. */
    afterLargest(numbers: number, from: number, to: number, map = 0): number {
      let after = 0;
      for (let i = from; i < to; i++) {
        const number = u32(numbers, i);
        after = Math.max(after, (map ? u32(map, number) : number) + 1);
      }
      return after;
    },
    /** Number of entries i of a map with map[i] != i. */
    movedIn(map: number, size: number): number {
      let moved = 0;
      for (let i = 0; i < size; i++) if (u32(map, i) !== i) moved++;
      return moved;
    },
    /** Runs in rows of planes. */
    runsIn(planes: readonly number[], rows: number, width: number): number {
      const words = rowBytes(width) / 4;
      let runs = 0;
      for (const plane of planes) {
        for (let i = 0, carry = 0; plane && i < rows * words; i++) {
          if (i % words === 0) carry = 0;
          const word = u32(plane, i);
          for (let starts = (word & ~((word << 1) | carry)) >>> 0; starts; starts = (starts & (starts - 1)) >>> 0)
            runs++;
          carry = word >>> 31;
        }
      }
      return runs;
    },
    /** The lowest of rows [y0, y1) and their neighbours along y and z. */
    rowBeside: (y0: number, y1: number, height: number): number =>
      Math.min(y0 % height > 0 ? y0 - 1 : y0, Math.max(y0, height) < y1 ? Math.max(y0, height) - height : y0),
    /** The row after the highest of rows [y0, y1) and their neighbours along y and z. */
    rowAfterBeside: (y0: number, y1: number, height: number, depth: number): number =>
      Math.max(
        y1 % height > 0 ? y1 + 1 : y1,
        Math.min(y1, (depth - 1) * height) > y0 ? Math.min(y1, (depth - 1) * height) + height : y1,
      ),
    /** The lowest row that solids read. At level 3 (shape) that includes rows diagonally across a voxel's edge. */
    solidRowBeside(level: number, y0: number, y1: number, height: number): number {
      if (level !== 3) return y0;
      const first = Math.max(y0, height);
      return Math.min(y0 % height > 0 ? y0 - 1 : y0, first < y1 ? first - height - (first % height > 0 ? 1 : 0) : y0);
    },
    /** The lowest and the highest of `count` consecutive places, beginning with `from`, in a ring. */
    firstInRing: (from: number, count: number, ring: number): number => (from + count <= ring ? from : 0),
    lastInRing: (from: number, count: number, ring: number): number =>
      from + count <= ring ? from + count - 1 : ring - 1,
  };
}

/** Throws where a kernel could touch a byte that was not allocated. */
export function checkRanges(
  pool: Pool,
  kernel: string,
  ranges: Ranges,
  given: Readonly<Record<string, number | boolean>>,
  memory: WebAssembly.Memory,
): void {
  for (const [name, address, from, to] of ranges(given, helpersOf(memory))) {
    if (from >= to || pool.holds(address + from, address + to)) continue;
    throw new RangeError(`${kernel} may touch bytes ${from} to ${to} of ${name}, which are not all allocated`);
  }
}

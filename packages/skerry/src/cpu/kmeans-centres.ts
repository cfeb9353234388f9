// Centres in WebAssembly memory, as the kernels' lists, and their moves to the means or medians of their classes. Sums
// and histograms are updated only for colours that changed class.

import type { Call } from "../core/call.js";
import type { Centres } from "../core/clusters.js";
import type { ColoursPlan } from "../core/plans.js";
import { LAYOUT } from "../generated/kernels.js";
import { inLanes } from "./bands.js";
import { kernelCall, runKernel } from "./kernels.js";
import { type Colours, colourRanges, eachRange } from "./kmeans-colours.js";
import type { Pool } from "./memory/pool.js";
import type { ScratchScope } from "./memory/scratch.js";

const { LIST, SUM_BYTES, L1, L2 } = LAYOUT.kmeans;
export const LIST_BYTES = 3 * LIST;

/** The numbers by which kernels identify costs. */
export const COST_CODE = { l2: L2, l1: L1 } as const;

/** Writes centres as the kernels' list, and returns its address. */
export function writeList(scope: ScratchScope, centres: Centres): Promise<number> {
  const list = new Uint32Array(LIST_BYTES / 4);
  const k = centres.length / 3;
  for (let i = 0; i < k; i++) {
    list[i] = centres[i * 3] | (centres[i * 3 + 1] << 16);
    list[LIST / 4 + i] = centres[i * 3 + 2];
    list[LIST / 2 + i] = i;
  }
  return scope.copyIn(list);
}

export async function readList(pool: Pool, pointer: number, k: number): Promise<Centres> {
  const list = new Uint32Array(LIST_BYTES / 4);
  await pool.read(pointer, list);
  const centres = new Uint16Array(k * 3);
  for (let i = 0; i < k; i++) {
    const xy = list[i];
    centres.set([xy & 0xffff, xy >>> 16, list[LIST / 4 + i]], i * 3);
  }
  return centres;
}

/** Writes the centres that follow from classes to a list. Resolves to the number of empty classes. */
export type Update = (classes: number, previous: number, now: number, next: number, empty: number) => Promise<number>;

/** Returns an update to the means. Each range of colours has its own sums. */
export async function openMeans(
  pool: Pool,
  scope: ScratchScope,
  colours: Colours,
  _plan: ColoursPlan,
  k: number,
  call: Call,
): Promise<Update> {
  const { at, padded } = colours;
  const ranges = colourRanges(pool, padded);
  const bytes = k * SUM_BYTES;
  const sums = await scope.copyIn(new Uint8Array(bytes * (ranges.length + 1)));
  const parts = sums + bytes;
  return async (classes, previous, now, next, empty) => {
    await eachRange(pool, call, ranges, (first, end, index) =>
      kernelCall("sumColours", { colours: at, padded, first, end, classes, previous, sums: parts + index * bytes }),
    );
    return runKernel(pool, "meanCentres", { k, all: sums, parts, count: ranges.length, centres: now, next, empty });
  };
}

/** Returns an update to the medians. Each axis has its own histograms and is one task. */
export async function openMedians(
  pool: Pool,
  scope: ScratchScope,
  colours: Colours,
  { space }: ColoursPlan,
  k: number,
  call: Call,
): Promise<Update> {
  const { at, padded } = colours;
  const histograms = await scope.lanes(3, k * 2 ** space.bits * 4);
  return async (classes, previous, now, next, empty) => {
    let none = 0;
    await inLanes({ ...call, onProgress: undefined }, "axes", [0, 1, 2], 3, async (axis) => {
      const histogram = histograms[axis];
      const shape = { axis, k, bits: space.bits, shift: space.fraction, colours: at, padded };
      none = await runKernel(pool, "medianCentres", {
        ...shape,
        classes,
        previous,
        histogram,
        centres: now,
        next,
        empty,
      });
    });
    return none;
  };
}

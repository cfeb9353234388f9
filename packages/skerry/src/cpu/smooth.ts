// Weighted means along one axis after another, each from memory to memory. The result has the raster's type. Between two
// axes integers are 16-bit numbers; see assembly/smooth.ts.

import type { Call } from "../core/call.js";
import { PIXEL_BYTES, type Pixels, rowCount, type Shape, TYPE_CODE } from "../core/pixels.js";
import type { AxisWeights } from "../core/plans.js";
import { LAYOUT } from "../generated/kernels.js";
import { tooLittleMemory } from "../types/errors.js";
import { bandsOf, inLanes, laneCount, timed } from "./bands.js";
import { runKernel } from "./kernels.js";
import type { Pool } from "./memory/pool.js";
import { type ScratchScope, withScratch } from "./memory/scratch.js";
import { LEAD_BYTES, PixelFeed, placePixels } from "./pixel-feed.js";

/** The type of integers between two axes. */
const WORKING = 6;

/** Bytes of rows that a lane smooths at once. */
const BAND = 1 << 20;

const { SMOOTH_SUM_BYTES } = LAYOUT.smooth;

/** Source or target of a pass. */
interface Plane {
  readonly at: number;
  /** TYPE_CODE, or WORKING. */
  readonly type: number;
}

/**
 * Smooths all channels of pixels, and returns the address of new memory with the result. Reads and writes each value once
 * per axis: about n (2 r + 1) additions for n values and a radius r. Takes 2 bytes per value, or 4 of f32, and twice that
 * in volumes.
 */
export async function smoothPixels(pool: Pool, pixels: Pixels, weights: AxisWeights, call: Call): Promise<number> {
  const { shape } = pixels;
  const { type } = shape;
  checkRoom(pool, pixels, weights.some((axis) => axis !== undefined) ? (shape.depth > 1 ? 2 : 1) : 0, call);
  const result = await pool.allocate(PixelFeed.residentBytes(shape), LEAD_BYTES);
  try {
    await withScratch(pool, async (scope) => {
      const source: Plane = { at: await placePixels(pool, scope, pixels, call), type: TYPE_CODE[type] };
      await smoothPlane(pool, scope, shape, source, { at: result, type: TYPE_CODE[type] }, weights, call);
    });
    return result;
  } catch (error) {
    pool.free(result);
    throw error;
  }
}

/** Rejects a memory limit that is too low for a copy of the pixels, the result, and `between` planes of 2 or 4 bytes. */
export function checkRoom(pool: Pool, { kind, shape }: Pixels, between: number, call: Call): void {
  if (call.memory === undefined) return;
  const values = shape.width * rowCount(shape) * shape.channels;
  const own = PIXEL_BYTES[shape.type];
  const planes = (kind === "image" ? 0 : own) + own + between * (shape.type === "f32" ? 4 : 2);
  const bytes = pool.memory.used + values * planes;
  if (bytes > call.memory) throw tooLittleMemory(bytes, call.memory, "the smoothed or flattened pixels");
}

/** Smooths from one plane into another, which must be a different one. */
export async function smoothPlane(
  pool: Pool,
  scope: ScratchScope,
  shape: Shape,
  source: Plane,
  target: Plane,
  weights: AxisWeights,
  call: Call,
): Promise<void> {
  const { type, channels, width } = shape;
  // An axis of one pixel is its own mean.
  const sides = [width, shape.height, shape.depth];
  const passes = ([0, 1, 2] as const).filter((axis) => weights[axis] && sides[axis] > 1);
  const values = width * rowCount(shape) * channels;
  if (passes.length === 0) {
    await runKernel(pool, "copyBytes", { dst: target.at, src: source.at, bytes: values * PIXEL_BYTES[type] });
    return;
  }
  const between: Plane[] = [];
  for (let i = 1; i < passes.length; i++) {
    // Vectors are read past the end.
    const at = await scope.allocate(values * (type === "f32" ? 4 : 2) + LEAD_BYTES, LEAD_BYTES);
    between.push({ at, type: type === "f32" ? TYPE_CODE.f32 : WORKING });
  }
  await timed(call, "smooth", values * PIXEL_BYTES[type] * 2 * passes.length, async () => {
    for (const [i, axis] of passes.entries()) {
      const from = between[i - 1] ?? source;
      const to = between[i] ?? target;
      const given = weights[axis] as Float64Array;
      await withScratch(pool, async (inner) => {
        const at = await inner.copyIn(type === "f32" ? Float32Array.from(given) : wholeWeights(given));
        const pass: Pass = { shape, from, to, weights: at, radius: given.length - 1 };
        await (axis === 0 ? alongRows(pool, inner, pass, call) : acrossLines(pool, inner, pass, axis, call));
      });
    }
  });
}

/** Weights as multiples of 2^-24 that add up to 1. The middle weight takes the rounding error. */
export function wholeWeights(weights: Float64Array): Uint32Array {
  const whole = Uint32Array.from(weights, (weight) => Math.round(weight * 2 ** 24));
  const sum = whole.reduce((all, weight, step) => all + (step === 0 ? 0 : 2 * weight), 0);
  whole[0] = 2 ** 24 - sum;
  return whole;
}

interface Pass {
  readonly shape: Shape;
  readonly from: Plane;
  readonly to: Plane;
  readonly weights: number;
  readonly radius: number;
}

function bytesOf({ type }: Plane): number {
  return type === TYPE_CODE.u8 ? 1 : type === TYPE_CODE.f32 ? 4 : 2;
}

async function alongRows(pool: Pool, scope: ScratchScope, pass: Pass, call: Call): Promise<void> {
  const { shape, from, to, weights, radius } = pass;
  const { width, channels } = shape;
  const rowValues = width * channels;
  const bands = bandsOf({ y0: 0, y1: rowCount(shape) }, rowValues * 4, BAND);
  const lanes = Math.min(laneCount(pool), bands.length);
  const lines = await scope.lanes(lanes, (width + 2 * radius + 4) * 4);
  await inLanes(call, "smooth", bands, lanes, async ({ y0, y1 }, lane) => {
    await runKernel(pool, "smoothRows", {
      ...{ from: from.type, to: to.type, width, channels, weights, radius, rows: y1 - y0, line: lines[lane] },
      src: from.at + y0 * rowValues * bytesOf(from),
      dst: to.at + y0 * rowValues * bytesOf(to),
    });
  });
}

/** Lines are rows of a slice, or whole slices, of which each lane takes a part. */
async function acrossLines(pool: Pool, scope: ScratchScope, pass: Pass, axis: 1 | 2, call: Call): Promise<void> {
  const { shape, from, to, weights, radius } = pass;
  const { width, height, depth, channels } = shape;
  const values = width * channels * (axis === 2 ? height : 1);
  const lines = axis === 2 ? depth : height;
  const places: { slice: number; first: number; count: number; begin: number; end: number }[] = [];
  if (axis === 2) {
    const size = Math.max(1024, Math.floor(BAND / 4 / lines));
    for (let begin = 0; begin < values; begin += size) {
      places.push({ slice: 0, first: 0, count: lines, begin, end: Math.min(values, begin + size) });
    }
  } else {
    for (let slice = 0; slice < depth; slice++) {
      for (const { y0, y1 } of bandsOf({ y0: 0, y1: lines }, values * 4, BAND)) {
        places.push({ slice, first: y0, count: y1 - y0, begin: 0, end: values });
      }
    }
  }
  const lanes = Math.min(laneCount(pool), places.length);
  const sums = await scope.lanes(lanes, SMOOTH_SUM_BYTES);
  await inLanes(call, "smooth", places, lanes, async ({ slice, ...place }, lane) => {
    const at = slice * lines * values;
    await runKernel(pool, "smoothLines", {
      ...{ from: from.type, to: to.type, lines, values, ...place, weights, radius, sums: sums[lane] },
      src: from.at + at * bytesOf(from),
      dst: to.at + at * bytesOf(to),
    });
  });
}

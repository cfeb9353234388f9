// Weighted means along the axes, each from memory to memory. The result has the raster's type. Integers go through x and y in one
// pass (assembly/smooth-integers.ts), floats along one axis after another (assembly/smooth.ts).

import type { Call } from "../core/call.js";
import { PIXEL_BYTES, type Pixels, rowCount, type Shape, TYPE_CODE } from "../core/pixels.js";
import type { AxisWeights } from "../core/plans.js";
import { type WeightBits, type WholeWeights, wholeWeights } from "../core/smooth-weights.js";
import { LAYOUT } from "../generated/kernels.js";
import { tooLittleMemory } from "../types/errors.js";
import { ArrivingPixels, placePixels } from "./arriving-pixels.js";
import { bandsOf, inLanes, laneCount, timed } from "./bands.js";
import { runKernel } from "./kernels.js";
import type { Pool } from "./memory/pool.js";
import { type ScratchScope, withScratch } from "./memory/scratch.js";
import { LEAD_BYTES, PixelFeed } from "./pixel-feed.js";

/** The type of integers between two axes. */
const WORKING = 6;

/** Bytes of rows that a lane smooths at once. */
const BAND = 1 << 20;

const { SMOOTH_SUM_BYTES, SMOOTH_TILE } = LAYOUT.smooth;

/** Values that vectors read beyond a part of a row. */
const BEYOND = 64;

/**
 * Smooths all channels of pixels, and returns the address of new memory with the result: about n (2 r + 1) additions per axis for n
 * values and a radius r. Volumes take 2 bytes per value more; f32 4, and 8 in volumes.
 */
export async function smoothPixels(pool: Pool, pixels: Pixels, weights: AxisWeights, call: Call): Promise<number> {
  const { shape } = pixels;
  const { type, depth } = shape;
  const isFloat = type === "f32";
  const planes = weights.some((axis) => axis !== undefined) ? Number(isFloat) + Number(depth > 1) : 0;
  checkRoom(pool, pixels, planes, call);
  const result = await pool.allocate(PixelFeed.residentBytes(shape), LEAD_BYTES);
  try {
    await withScratch(pool, async (scope) => {
      if (isFloat) {
        const source = await placePixels(pool, scope, pixels, call);
        await smoothFloats(pool, scope, shape, source, result, weights, call);
      } else {
        // Bands say how far the work is: the pixels come with them.
        const source = await ArrivingPixels.open(pool, scope, pixels, { ...call, onProgress: undefined });
        await smoothIntegers(pool, scope, shape, source, result, weights, call);
      }
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
  const bytesEach = PIXEL_BYTES[shape.type];
  const planes = (kind === "image" ? 0 : bytesEach) + bytesEach + between * (shape.type === "f32" ? 4 : 2);
  const bytes = pool.memory.used + values * planes;
  if (bytes > call.memory) throw tooLittleMemory(bytes, call.memory, "the smoothed or flattened pixels");
}

/** Copies pixels that no axis changes. */
async function copyPlane(pool: Pool, { type, channels, ...size }: Shape, src: number, dst: number): Promise<void> {
  const bytes = size.width * rowCount(size) * channels * PIXEL_BYTES[type];
  await runKernel(pool, "copyBytes", { dst, src, bytes });
}

/** The weights of an axis as kernels read them. */
async function placeWeights(scope: ScratchScope, weights: Uint32Array | undefined, bits: WeightBits): Promise<number> {
  if (!weights) return scope.copyIn(new Uint16Array(4));
  if (bits === 15) return scope.copyIn(Uint16Array.from(weights));
  const parts = new Int16Array(4 * weights.length);
  for (const [step, weight] of weights.entries()) {
    // The middle may have more than 15 bits beside its low byte, so that it counts as two halves of one pixel.
    const pair = step > 0 ? [weight, weight] : [weight >> 1, weight - (weight >> 1)];
    parts.set([pair[0] >> 8, pair[1] >> 8, pair[0] & 255, pair[1] & 255], 4 * step);
  }
  return scope.copyIn(parts);
}

const radiusOf = (weights: Uint32Array | undefined): number => (weights ? weights.length - 1 : 0);

async function smoothIntegers(
  pool: Pool,
  scope: ScratchScope,
  shape: Shape,
  source: ArrivingPixels,
  target: number,
  weights: AxisWeights,
  call: Call,
): Promise<void> {
  const integers = wholeWeights(shape.type as Whole, weights, sidesOf(shape));
  if (integers.axes.every((axis) => axis === undefined)) {
    await source.until(rowCount(shape));
    return copyPlane(pool, shape, source.at, target);
  }
  await alongAxes(pool, scope, shape, source, { target, to: TYPE_CODE[shape.type] }, integers, call);
}

/** Smooths integers by weights of 24 bits into signed values of 16 bits: u8 times 256, and u16, are less by 32768. */
export async function smoothWide(
  pool: Pool,
  scope: ScratchScope,
  shape: Shape,
  source: ArrivingPixels,
  weights: AxisWeights,
  call: Call,
): Promise<number> {
  const integers = wholeWeights(shape.type as Whole, weights, sidesOf(shape), true);
  const target = await betweenPasses(scope, shape);
  await alongAxes(pool, scope, shape, source, { target, to: WORKING }, integers, call);
  return target;
}

type Whole = "u8" | "u16" | "i16";

const sidesOf = ({ width, height, depth }: Shape): readonly number[] => [width, height, depth];

/** Memory for all values between passes; vectors are read past the end. */
const betweenPasses = (scope: ScratchScope, shape: Shape): Promise<number> =>
  scope.allocate(shape.width * rowCount(shape) * shape.channels * 2 + 2 * BEYOND, LEAD_BYTES);

/** Smooths along all axes, into values of a type or those between passes. */
async function alongAxes(
  pool: Pool,
  scope: ScratchScope,
  shape: Shape,
  source: ArrivingPixels,
  { target, to }: { readonly target: number; readonly to: number },
  integers: WholeWeights,
  call: Call,
): Promise<void> {
  const z = integers.axes[2];
  const values = shape.width * rowCount(shape) * shape.channels;
  const between = z ? await betweenPasses(scope, shape) : undefined;
  await timed(call, "smooth", values * PIXEL_BYTES[shape.type] * (z ? 4 : 2), async () => {
    if (between === undefined) return alongRows(pool, shape, source, target, to, integers, call);
    await alongRows(pool, shape, source, between, WORKING, integers, call);
    await alongSlices(pool, shape, between, target, to, { ...integers, axes: [z] }, call);
  });
}

/** Smooths each slice along x and y, while the pixels arrive. */
async function alongRows(
  pool: Pool,
  { type, width, height, depth, channels }: Shape,
  source: ArrivingPixels,
  target: number,
  to: number,
  { bits, axes: [x, y] }: WholeWeights,
  call: Call,
): Promise<void> {
  const [radiusX, radiusY] = [radiusOf(x), radiusOf(y)];
  // A band smooths 2 radiusY rows along x that its neighbours smooth, too.
  const rows = Math.max(8 * radiusY, 32, Math.floor(BAND / (width * channels)));
  const bands = Array.from({ length: depth }, (_, slice) =>
    bandsOf({ y0: 0, y1: height }, 1, rows).map(({ y0, y1 }) => ({ slice, first: y0, count: y1 - y0 })),
  ).flat();
  const lanes = Math.min(laneCount(pool), bands.length);
  await withScratch(pool, async (scope) => {
    const weightsX = await placeWeights(scope, x, bits);
    const weightsY = await placeWeights(scope, y, bits);
    const line = await scope.lanes(lanes, (SMOOTH_TILE + 2 * radiusX * channels + BEYOND) * 2);
    const ring = await scope.lanes(lanes, Math.min(2 * radiusY + 1, height) * SMOOTH_TILE * 2);
    const table = await scope.lanes(lanes, (radiusX + radiusY + 2) * 8);
    const row = await scope.lanes(lanes, SMOOTH_TILE * 2);
    const slice = width * height * channels;
    await inLanes(call, "smooth", bands, lanes, async (band, lane) => {
      await source.until(band.slice * height + Math.min(height, band.first + band.count + radiusY));
      await runKernel(pool, "smoothBand", {
        from: TYPE_CODE[type],
        to,
        exact: bits === 24,
        width,
        channels,
        lines: height,
        first: band.first,
        count: band.count,
        weightsX,
        radiusX,
        weightsY,
        radiusY,
        src: source.at + band.slice * slice * PIXEL_BYTES[type],
        dst: target + band.slice * slice * (to === TYPE_CODE.u8 ? 1 : 2),
        line: line[lane],
        ring: ring[lane],
        table: table[lane],
        row: row[lane],
      });
    });
  });
}

/** Smooths slices along z, from values between passes. */
async function alongSlices(
  pool: Pool,
  { width, height, depth, channels }: Shape,
  source: number,
  target: number,
  to: number,
  { bits, axes: [z] }: WholeWeights,
  call: Call,
): Promise<void> {
  const values = width * height * channels;
  const size = Math.max(SMOOTH_TILE, Math.ceil(BAND / depth / SMOOTH_TILE) * SMOOTH_TILE);
  const parts = bandsOf({ y0: 0, y1: values }, 1, size);
  const lanes = Math.min(laneCount(pool), parts.length);
  const radius = radiusOf(z);
  await withScratch(pool, async (scope) => {
    const weights = await placeWeights(scope, z, bits);
    const table = await scope.lanes(lanes, (radius + 1) * 8);
    const row = await scope.lanes(lanes, SMOOTH_TILE * 2);
    await inLanes(call, "smooth", parts, lanes, async ({ y0, y1 }, lane) => {
      await runKernel(pool, "smoothSlices", {
        to,
        exact: bits === 24,
        src: source,
        dst: target,
        lines: depth,
        values,
        begin: y0,
        end: y1,
        weights,
        radius,
        table: table[lane],
        row: row[lane],
      });
    });
  });
}

/** Smooths floats from one plane into another, which must be a different one. */
export async function smoothFloats(
  pool: Pool,
  scope: ScratchScope,
  shape: Shape,
  source: number,
  target: number,
  weights: AxisWeights,
  call: Call,
): Promise<void> {
  const { channels, width, height, depth } = shape;
  // An axis of one pixel is its own mean.
  const sides = [width, height, depth];
  const passes = ([0, 1, 2] as const).filter((axis) => weights[axis] && sides[axis] > 1);
  if (passes.length === 0) return copyPlane(pool, shape, source, target);
  const values = width * rowCount(shape) * channels;
  const between: number[] = [];
  // Vectors are read past the end.
  for (let i = 1; i < passes.length; i++) between.push(await scope.allocate(values * 4 + LEAD_BYTES, LEAD_BYTES));
  await timed(call, "smooth", values * 8 * passes.length, async () => {
    for (const [i, axis] of passes.entries()) {
      const given = Float32Array.from(weights[axis] as Float64Array);
      await withScratch(pool, async (inner) => {
        const pass: FloatPass = {
          shape,
          from: between[i - 1] ?? source,
          to: between[i] ?? target,
          radius: given.length - 1,
          weights: await inner.copyIn(given),
        };
        await (axis === 0 ? floatRows(pool, inner, pass, call) : floatLines(pool, inner, pass, axis, call));
      });
    }
  });
}

interface FloatPass {
  readonly shape: Shape;
  readonly from: number;
  readonly to: number;
  readonly weights: number;
  readonly radius: number;
}

async function floatRows(pool: Pool, scope: ScratchScope, pass: FloatPass, call: Call): Promise<void> {
  const { shape, from, to, weights, radius } = pass;
  const { width, channels } = shape;
  const rowBytes = width * channels * 4;
  const bands = bandsOf({ y0: 0, y1: rowCount(shape) }, rowBytes, BAND);
  const lanes = Math.min(laneCount(pool), bands.length);
  const lines = await scope.lanes(lanes, (width + 2 * radius + 4) * 4);
  await inLanes(call, "smooth", bands, lanes, async ({ y0, y1 }, lane) => {
    await runKernel(pool, "smoothRows", {
      width,
      channels,
      weights,
      radius,
      rows: y1 - y0,
      line: lines[lane],
      src: from + y0 * rowBytes,
      dst: to + y0 * rowBytes,
    });
  });
}

/** Lines are rows of a slice, or whole slices, of which each lane takes a part. */
async function floatLines(pool: Pool, scope: ScratchScope, pass: FloatPass, axis: 1 | 2, call: Call): Promise<void> {
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
    const at = slice * lines * values * 4;
    const given = { lines, values, ...place, weights, radius, sums: sums[lane] };
    await runKernel(pool, "smoothLines", { ...given, src: from + at, dst: to + at });
  });
}

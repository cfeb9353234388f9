// Pixels compared with their local mean: minus it, divided by it, or thresholded by it. See assembly/window-sums.ts.

import type { Call } from "../core/call.js";
import { PIXEL_BYTES, type Pixels, rowCount, type Shape, TYPE_CODE } from "../core/pixels.js";
import type { FlattenPlan, LocalPlan } from "../core/plans.js";
import { LAYOUT } from "../generated/kernels.js";
import { placePixels } from "./arriving-pixels.js";
import { bandsOf, inLanes, laneCount, timed } from "./bands.js";
import { planeOf } from "./channel.js";
import { countRuns, stripsOf } from "./components.js";
import { runKernel } from "./kernels.js";
import type { Pool } from "./memory/pool.js";
import { type ScratchScope, withScratch } from "./memory/scratch.js";
import { LEAD_BYTES, PixelFeed } from "./pixel-feed.js";
import { freePlanes, makePlanes, type Packed, planeBytes } from "./planes.js";
import { checkRoom, smoothFloats } from "./smooth.js";

/** Minimum rows of a band: each band begins by summing 2 radius + 1 rows. */
const LEAST_ROWS = 64;

const { SUBTRACT, DIVIDE, MEAN, SAUVOLA, COLUMN_BYTES } = LAYOUT["window-sums"];
const MODES = { subtract: SUBTRACT, divide: DIVIDE, mean: MEAN, sauvola: SAUVOLA } as const;

/** Writes pixels of one channel, minus or divided by their local means, to new memory, and returns its address. */
export async function flattenPixels(
  pool: Pool,
  pixels: Pixels,
  { radius, method }: FlattenPlan,
  call: Call,
): Promise<number> {
  const { shape } = pixels;
  checkRoom(pool, pixels, shape.type === "f32" ? (shape.depth > 1 ? 2 : 1) : 0, call);
  const result = await pool.allocate(PixelFeed.residentBytes(shape), LEAD_BYTES);
  try {
    await withScratch(pool, async (scope) => {
      const src = await placePixels(pool, scope, pixels, call);
      if (shape.type === "f32") return flattenFloats(pool, scope, shape, src, result, { radius, method }, call);
      const sums = { src, shape, radius, edge: true, mode: MODES[method], first: 0, second: 1, dark: false };
      await sumWindows(pool, scope, { ...sums, dst: result }, "flatten", call);
    });
    return result;
  } catch (error) {
    pool.free(result);
    throw error;
  }
}

/** The same for floats. Running sums would lose small values beside large ones, so each mean is summed anew. */
async function flattenFloats(
  pool: Pool,
  scope: ScratchScope,
  shape: Shape,
  src: number,
  result: number,
  { radius, method }: FlattenPlan,
  call: Call,
): Promise<void> {
  const box = new Float64Array(radius + 1).fill(1 / (2 * radius + 1));
  await smoothFloats(pool, scope, shape, src, result, [box, box, box], call);
  const bands = bandsOf({ y0: 0, y1: rowCount(shape) }, shape.width * 4, 1 << 20);
  await inLanes(call, "flatten", bands, laneCount(pool), async ({ y0, y1 }) => {
    const at = y0 * shape.width * 4;
    const count = (y1 - y0) * shape.width;
    await runKernel(pool, "flattenFloats", { values: src + at, means: result + at, count, mode: MODES[method] });
  });
}

/** Bits by a local threshold, of the luma if there are several channels. */
export async function packLocal(
  pool: Pool,
  pixels: Pixels,
  local: LocalPlan,
  fence: number,
  call: Call,
): Promise<Packed> {
  const { radius, method, first, second, dark } = local;
  const shape: Shape = { ...pixels.shape, channels: 1 };
  return withScratch(pool, async (scope) => {
    const src =
      pixels.shape.channels > 1
        ? scope.keep(await planeOf(pool, pixels, undefined, call))
        : await placePixels(pool, scope, pixels, call);
    const planes = await makePlanes(pool, shape, 1, async (output) => {
      // At the border, means mirror pixels as "reflect" of SciPy does, Sauvola's windows as that of NumPy.
      const sums = { src, shape, radius, edge: method === "mean", mode: MODES[method], first, second, dark };
      await sumWindows(pool, scope, { ...sums, dst: output.first }, "pack", call);
      if (fence) {
        await runKernel(pool, "andBits", { a: output.first, b: fence, bytes: planeBytes(output), dst: output.first });
      }
    });
    try {
      return { planes, foreground: await countRuns(pool, planes, stripsOf(planes), call) };
    } catch (error) {
      freePlanes(pool, planes);
      throw error;
    }
  });
}

interface Sums {
  readonly src: number;
  readonly shape: Shape;
  readonly radius: number;
  readonly edge: boolean;
  readonly mode: number;
  readonly first: number;
  readonly second: number;
  readonly dark: boolean;
  readonly dst: number;
}

/** The largest radius whose sums of columns of u8 fit 16 bits, and whose sums of squares in a window fit 31. */
const [MOST_SHORT, MOST_SQUARES] = [128, 90];

async function sumWindows(pool: Pool, scope: ScratchScope, sums: Sums, stage: string, call: Call): Promise<void> {
  const { shape, ...given } = sums;
  const { width, height, depth, type } = shape;
  if (
    type === "u8" &&
    depth === 1 &&
    given.radius <= (given.mode === SAUVOLA ? MOST_SQUARES : MOST_SHORT) &&
    given.mode !== DIVIDE
  ) {
    return sumBytes(pool, scope, sums, stage, call);
  }
  const rows = Math.max(LEAST_ROWS, 2 * given.radius, Math.ceil((height * depth) / (4 * laneCount(pool))));
  const bands = bandsOf({ y0: 0, y1: height * depth }, 1, rows);
  const lanes = Math.min(laneCount(pool), bands.length);
  const columns = await scope.lanes(lanes, width * COLUMN_BYTES);
  await timed(call, stage, width * height * depth * PIXEL_BYTES[type] * 4, () =>
    inLanes(call, stage, bands, lanes, async ({ y0, y1 }, lane) => {
      const size = { type: TYPE_CODE[type], width, height, depth };
      await runKernel(pool, "windowRows", { ...given, ...size, y0, y1, columns: columns[lane] });
    }),
  );
}

/** Images of u8: four pixels at a time. */
async function sumBytes(pool: Pool, scope: ScratchScope, sums: Sums, stage: string, call: Call): Promise<void> {
  const { shape, ...given } = sums;
  const { width, height } = shape;
  const rows = Math.max(LEAST_ROWS, 4 * given.radius, Math.ceil(height / (4 * laneCount(pool))));
  const bands = bandsOf({ y0: 0, y1: height }, 1, rows);
  const lanes = Math.min(laneCount(pool), bands.length);
  const columns = width + 2 * given.radius + 24;
  const ofValues = await scope.lanes(lanes, columns * 2);
  const ofSquares = given.mode === SAUVOLA ? await scope.lanes(lanes, columns * 4) : undefined;
  await timed(call, stage, width * height * 4, () =>
    inLanes(call, stage, bands, lanes, async ({ y0, y1 }, lane) => {
      const scratch = { sums: ofValues[lane], squares: ofSquares?.[lane] ?? 0 };
      await runKernel(pool, "windowBytes", { ...given, width, height, y0, y1, ...scratch });
    }),
  );
}

// Magnitudes of gradients: Sobel's operators on pixels, or differences between pixels that a Gaussian smoothed. Integers are smoothed at
// 16 bits, which the differences take as they are. See assembly/gradient.ts.

import type { Call } from "../core/call.js";
import { gradientShift } from "../core/gradient.js";
import { PIXEL_BYTES, type Pixels, rowCount, type Shape, TYPE_CODE } from "../core/pixels.js";
import type { AxisWeights } from "../core/plans.js";
import { ArrivingPixels, placePixels } from "./arriving-pixels.js";
import { bandsOf, inLanes, laneCount, timed } from "./bands.js";
import { runKernel } from "./kernels.js";
import type { Pool } from "./memory/pool.js";
import { withScratch } from "./memory/scratch.js";
import { LEAD_BYTES, PixelFeed } from "./pixel-feed.js";
import { checkRoom, smoothFloats, smoothWide } from "./smooth.js";

/** Bytes of rows that a lane takes at once. */
const BAND = 1 << 18;

/**
 * Writes the magnitudes of pixels of one channel to new memory, and returns its address. With weights the pixels are smoothed first, which
 * takes 2 bytes per value more, or 4 in volumes, and of f32 up to 8.
 */
export async function gradientPixels(
  pool: Pool,
  pixels: Pixels,
  axes: AxisWeights | undefined,
  call: Call,
): Promise<number> {
  const { shape } = pixels;
  const { type, width, height, depth } = shape;
  const values = width * rowCount(shape);
  checkRoom(pool, pixels, (axes ? (depth > 1 ? 2 : 1) : 0) + 1, call);
  const floats: Shape = { ...shape, type: "f32" };
  const result = await pool.allocate(PixelFeed.residentBytes(floats), LEAD_BYTES);
  try {
    await withScratch(pool, async (scope) => {
      const isWhole = type !== "f32";
      let src: number;
      if (axes && isWhole) {
        const arriving = await ArrivingPixels.open(pool, scope, pixels, { ...call, onProgress: undefined });
        src = await smoothWide(pool, scope, shape, arriving, axes, call);
      } else if (axes) {
        const placed = await placePixels(pool, scope, pixels, call);
        src = await scope.allocate(values * PIXEL_BYTES.f32 + LEAD_BYTES, LEAD_BYTES);
        await smoothFloats(pool, scope, shape, placed, src, axes, call);
      } else {
        src = await placePixels(pool, scope, pixels, call);
      }
      const bands = bandsOf({ y0: 0, y1: rowCount(shape) }, width * PIXEL_BYTES.f32, BAND);
      const lanes = Math.min(laneCount(pool), bands.length);
      const scratch = await scope.lanes(lanes, 4 * (width + 8) * 4);
      const given = {
        type: axes && isWhole ? TYPE_CODE.i16 : TYPE_CODE[type],
        src,
        width,
        lines: height,
        slices: depth,
        sobel: axes === undefined,
        shift: gradientShift(shape, axes !== undefined),
        dst: result,
      };
      await timed(call, "gradient", values * (PIXEL_BYTES[type] + PIXEL_BYTES.f32), () =>
        inLanes(call, "gradient", bands, lanes, async ({ y0, y1 }, lane) => {
          await runKernel(pool, "gradientRows", { ...given, first: y0, count: y1 - y0, scratch: scratch[lane] });
        }),
      );
    });
    return result;
  } catch (error) {
    pool.free(result);
    throw error;
  }
}

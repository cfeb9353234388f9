// Planes of one channel, which workers write directly to resident memory.

import type { Call } from "../core/call.js";
import { contrastShape } from "../core/contrast.js";
import { PIXEL_BYTES, type Pixels, rowCount, TYPE_CODE } from "../core/pixels.js";
import type { ContrastPlan, StainPlan } from "../core/plans.js";
import { bandBytes, bandsOf, inLanes, laneCount, PIXEL_BAND, timed } from "./bands.js";
import { runKernel } from "./kernels.js";
import type { Pool } from "./memory/pool.js";
import { withScratch } from "./memory/scratch.js";
import { LEAD_BYTES, PixelFeed } from "./pixel-feed.js";

/** Writes the amount of a stain as f32 to new memory, whose address is returned. */
export async function stainPlane(pool: Pool, pixels: Pixels, plan: StainPlan, call: Call): Promise<number> {
  const { shape } = pixels;
  const { width, channels, type } = shape;
  const rows = rowCount(shape);
  const plane = await pool.allocate(PixelFeed.residentBytes({ ...shape, type: "f32", channels: 1 }), LEAD_BYTES);
  try {
    await withScratch(pool, async (scope) => {
      const entries = await scope.copyIn(plan.entries);
      const rowBytes = PixelFeed.scratchBytes(shape) * channels;
      const bands = bandsOf({ y0: 0, y1: rows }, rowBytes, bandBytes(pool, shape, PIXEL_BAND));
      const lanes = Math.min(laneCount(pool), bands.length);
      const feed = await PixelFeed.open(scope, pixels, lanes, bands[0]?.y1 ?? 1, call);
      await timed(call, "stain", rows * (feed.rowBytes + width * 4), () =>
        inLanes(call, "stain", bands, lanes, async ({ y0, y1 }, lane) => {
          const { pointer, input } = await feed.fetch(lane, { y0, y1 });
          const count = (y1 - y0) * width;
          const given = { type: TYPE_CODE[type], channels, src: pointer, count, entries };
          await runKernel(pool, "stainRows", { ...given, dst: plane + y0 * width * 4 }, { input });
        }),
      );
    });
    return plane;
  } catch (error) {
    pool.free(plane);
    throw error;
  }
}

/** Writes the contrast with the colour of the frame to new memory, whose address is returned. */
export async function contrastPlane(pool: Pool, pixels: Pixels, plan: ContrastPlan, call: Call): Promise<number> {
  const { shape } = pixels;
  const { width, channels, type } = shape;
  const rows = rowCount(shape);
  const output = contrastShape(shape);
  const plane = await pool.allocate(PixelFeed.residentBytes(output), LEAD_BYTES);
  try {
    await withScratch(pool, async (scope) => {
      const frame = await scope.copyIn(Int32Array.from(plan.frame));
      const light = await scope.copyIn(plan.light);
      const roots = await scope.copyIn(plan.roots);
      const rowBytes = PixelFeed.scratchBytes(shape) * channels;
      const bands = bandsOf({ y0: 0, y1: rows }, rowBytes, bandBytes(pool, shape, PIXEL_BAND));
      const lanes = Math.min(laneCount(pool), bands.length);
      const feed = await PixelFeed.open(scope, pixels, lanes, bands[0]?.y1 ?? 1, call);
      const madeRow = width * PIXEL_BYTES[output.type];
      await timed(call, "contrast", rows * (feed.rowBytes + madeRow), () =>
        inLanes(call, "contrast", bands, lanes, async ({ y0, y1 }, lane) => {
          const { pointer, input } = await feed.fetch(lane, { y0, y1 });
          const count = (y1 - y0) * width;
          const given = { type: TYPE_CODE[type], channels, src: pointer, count, frame, light, roots };
          await runKernel(pool, "contrastRows", { ...given, dst: plane + y0 * madeRow }, { input });
        }),
      );
    });
    return plane;
  } catch (error) {
    pool.free(plane);
    throw error;
  }
}

/** Writes a channel, or the luma if `channel` is undefined, to new memory, whose address is returned. */
export async function planeOf(pool: Pool, pixels: Pixels, channel: number | undefined, call: Call): Promise<number> {
  const { shape } = pixels;
  const { width, channels, type } = shape;
  const plane = await pool.allocate(PixelFeed.residentBytes({ ...shape, channels: 1 }), LEAD_BYTES);
  try {
    await withScratch(pool, async (scope) => {
      const rowBytes = PixelFeed.scratchBytes(shape) * channels;
      const bands = bandsOf({ y0: 0, y1: rowCount(shape) }, rowBytes, bandBytes(pool, shape, PIXEL_BAND));
      const lanes = Math.min(laneCount(pool), bands.length);
      const feed = await PixelFeed.open(scope, pixels, lanes, (bands[0] as { y1: number }).y1, call);
      await timed(call, "channel", rowCount(shape) * (feed.rowBytes + feed.lumaRowBytes), () =>
        inLanes(call, "channel", bands, lanes, async (band, lane) => {
          const { pointer, input } = await feed.fetch(lane, band);
          const to = plane + band.y0 * feed.lumaRowBytes;
          const rows = band.y1 - band.y0;
          const args = {
            type: TYPE_CODE[type],
            channels,
            which: channel ?? channels,
            src: pointer,
            rows,
            width,
            dst: to,
          };
          await runKernel(pool, "channelRows", args, { input });
        }),
      );
    });
    return plane;
  } catch (error) {
    pool.free(plane);
    throw error;
  }
}

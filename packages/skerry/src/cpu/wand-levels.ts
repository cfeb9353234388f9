// The wand's levels: one flood over the whole raster, in order of tolerance.

import type { Call } from "../core/call.js";
import { PIXEL_BYTES, type Pixels } from "../core/pixels.js";
import type { WandPlan } from "../core/plans.js";
import { bandsOf, inLanes, PIXEL_BAND, timed } from "./bands.js";
import { runKernel } from "./kernels.js";
import type { Pool } from "./memory/pool.js";
import { type ScratchScope, withScratch } from "./memory/scratch.js";
import { LEAD_BYTES, PixelFeed } from "./pixel-feed.js";

/** Tolerances of 8 bits. */
const LEVELS = 256;

/**
 * Writes the level of every pixel of a u8 raster to new memory. Returns its address, which the caller frees. Takes a
 * further 4 bytes and a bit per pixel, and room for pixels that are not resident.
 */
export async function floodLevels(
  pool: Pool,
  pixels: Pixels,
  { seed: [x, y], connectivity }: WandPlan,
  call: Call,
): Promise<number> {
  const { width, height, channels } = pixels.shape;
  const levelsAt = await pool.allocate(PixelFeed.residentBytes({ ...pixels.shape, channels: 1 }), LEAD_BYTES);
  try {
    await withScratch(pool, async (scope) => {
      const pixelsAt = await bring(pool, scope, pixels, call);
      const headsAt = await scope.allocate(LEVELS * 4);
      const linksAt = await scope.allocate(width * height * 4);
      const metAt = await scope.allocate(Math.ceil((width * height) / 64) * 8);
      const seed = y * width + x;
      const colour = new Uint8Array(4);
      await pool.read(pixelsAt + seed * channels, colour.subarray(0, channels));
      await runKernel(pool, "beginLevels", {
        heads: headsAt,
        links: linksAt,
        met: metAt,
        pixels: width * height,
        seed,
        levels: levelsAt,
      });
      const packed = new DataView(colour.buffer).getUint32(0, true);
      const levels = Array.from({ length: LEVELS }, (_, level) => level);
      await timed(call, "levels", width * height * (channels + 5), () =>
        inLanes(call, "levels", levels, 1, async (level) => {
          await runKernel(pool, "floodLevel", {
            level,
            src: pixelsAt,
            channels,
            width,
            height,
            colour: packed,
            eight: connectivity === 8,
            heads: headsAt,
            links: linksAt,
            met: metAt,
            levels: levelsAt,
          });
        }),
      );
    });
    return levelsAt;
  } catch (error) {
    pool.free(levelsAt);
    throw error;
  }
}

/** All pixels in WebAssembly memory. */
async function bring(pool: Pool, scope: ScratchScope, pixels: Pixels, call: Call): Promise<number> {
  const { shape } = pixels;
  const rowBytes = shape.width * shape.channels * PIXEL_BYTES[shape.type];
  const bands = bandsOf({ y0: 0, y1: shape.height }, rowBytes, PIXEL_BAND);
  const feed = await PixelFeed.open(scope, pixels, 1, (bands[0] as { y1: number }).y1, call);
  if (pixels.kind === "image") return (await feed.fetch(0, { y0: 0, y1: shape.height })).pointer;
  const at = await scope.allocate(PixelFeed.residentBytes(shape), LEAD_BYTES);
  await inLanes(call, "load", bands, 1, async (band) => {
    const { input } = await feed.fetch(0, band);
    if (input) await pool.write(at + band.y0 * rowBytes, input.array);
  });
  return at;
}

// A wand: the difference of each pixel's colour from a seed's, which serves fills at every tolerance. The areas of these
// fills come from one flood over the whole raster in order of tolerance.

import type { Call } from "../core/call.js";
import { coloursAt, packedColour } from "../core/colour-match.js";
import { type Pixels, rowCount } from "../core/pixels.js";
import type { Seed, WandPlan } from "../core/plans.js";
import { placePixels } from "./arriving-pixels.js";
import { bandBytes, bandsOf, inLanes, laneCount, PIXEL_BAND, timed } from "./bands.js";
import { windows } from "./fill.js";
import { runKernel } from "./kernels.js";
import type { Pool } from "./memory/pool.js";
import { withScratch } from "./memory/scratch.js";
import { LEAD_BYTES, PixelFeed } from "./pixel-feed.js";

/** Number of tolerances: 0 to 255. */
const LEVELS = 256;

/**
 * Writes differences to new memory. A contiguous plan has a plane per seed, another plan one plane of the smallest
 * differences. The caller frees the planes. Each pixel is read once.
 */
export async function differencePlanes(pool: Pool, pixels: Pixels, plan: WandPlan, call: Call): Promise<number[]> {
  const { shape } = pixels;
  const { width, channels } = shape;
  const colours = (await coloursAt(plan.seeds, 1, shape, windows(pool, pixels, call))).map(packedColour);
  const planes: number[] = [];
  try {
    for (let i = 0; i < (plan.contiguous ? colours.length : 1); i++) {
      planes.push(await pool.allocate(PixelFeed.residentBytes({ ...shape, channels: 1 }), LEAD_BYTES));
    }
    await withScratch(pool, async (scope) => {
      const rowBytes = PixelFeed.scratchBytes(shape) * channels;
      const bands = bandsOf({ y0: 0, y1: rowCount(shape) }, rowBytes, bandBytes(pool, shape, PIXEL_BAND));
      const lanes = Math.min(laneCount(pool), bands.length);
      const feed = await PixelFeed.open(scope, pixels, lanes, bands[0]?.y1 ?? 1, call);
      await timed(call, "differences", rowCount(shape) * width * (channels + planes.length), () =>
        inLanes(call, "differences", bands, lanes, async (band, lane) => {
          const { pointer, input } = await feed.fetch(lane, band);
          const count = (band.y1 - band.y0) * width;
          for (const [i, colour] of colours.entries()) {
            const dst = planes[plan.contiguous ? i : 0] + band.y0 * width;
            const given = { channels, src: pointer, pixels: count, colour, least: i > 0 && !plan.contiguous, dst };
            await runKernel(pool, "differRows", given, i === 0 ? { input } : {});
          }
        }),
      );
    });
    return planes;
  } catch (error) {
    for (const plane of planes) pool.free(plane);
    throw error;
  }
}

/**
 * Counts the pixels that a fill from the seeds takes at each tolerance, from planes of differences. A flood takes 5 bytes
 * and 1 bit per pixel besides the planes, with several seeds 6 bytes and 1 bit.
 */
export async function floodAreas(
  pool: Pool,
  planes: readonly Pixels[],
  { seeds, connectivity, contiguous }: WandPlan,
  call: Call,
): Promise<Float64Array> {
  const [first] = planes as [Pixels];
  const { width, height } = first.shape;
  const pixels = width * height;
  return withScratch(pool, async (scope) => {
    let levels = 0;
    if (contiguous) {
      levels = await scope.allocate(pixels);
      const target = seeds.length > 1 ? await scope.allocate(pixels) : levels;
      for (const [i, plane] of planes.entries()) {
        const into = i === 0 ? levels : target;
        await flood(pool, await placePixels(pool, scope, plane, call), first.shape, seeds[i], connectivity, into, call);
        if (i > 0) await runKernel(pool, "leastLevels", { levels, other: target, pixels });
      }
    } else levels = await placePixels(pool, scope, first, call);
    const counts = await scope.copyIn(new Uint32Array(LEVELS));
    await runKernel(pool, "countLevels", { levels, pixels, counts });
    const read = new Uint32Array(LEVELS);
    await pool.read(counts, read);
    let sum = 0;
    return Float64Array.from(read, (count) => {
      sum += count;
      return sum;
    });
  });
}

/** Writes for every pixel the smallest tolerance at which a fill from the seed takes it. */
async function flood(
  pool: Pool,
  src: number,
  { width, height }: Pixels["shape"],
  [x, y]: Seed,
  connectivity: 4 | 8,
  levels: number,
  call: Call,
): Promise<void> {
  await withScratch(pool, async (scope) => {
    const heads = await scope.allocate(LEVELS * 4);
    const links = await scope.allocate(width * height * 4);
    const met = await scope.allocate(Math.ceil((width * height) / 64) * 8);
    await runKernel(pool, "beginLevels", { heads, links, met, pixels: width * height, seed: y * width + x, levels });
    const steps = Array.from({ length: LEVELS }, (_, level) => level);
    await timed(call, "levels", width * height * 6, () =>
      inLanes(call, "levels", steps, 1, async (level) => {
        const size = { width, height, eight: connectivity === 8 };
        await runKernel(pool, "floodLevel", { level, src, ...size, heads, links, met, levels });
      }),
    );
  });
}

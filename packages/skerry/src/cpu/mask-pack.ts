// Pixels to bits: bands go to the workers, each of which writes its rows of the bit planes.

import type { Call } from "../core/call.js";
import { type Bits, type Pixels, rowCount, TYPE_CODE } from "../core/pixels.js";
import type { Predicate } from "../core/plans.js";
import { bandBytes, bandsOf, inLanes, laneCount, PIXEL_BAND, type Rows, timed } from "./bands.js";
import { type KernelCall, kernelCall, runCall } from "./kernels.js";
import { fenced } from "./mask.js";
import type { Pool } from "./memory/pool.js";
import { withScratch } from "./memory/scratch.js";
import { PixelFeed } from "./pixel-feed.js";
import { makePlanes, type Packed, type Planes, planeBytes } from "./planes.js";

/** Bits by any threshold. */
export function packAny(pool: Pool, pixels: Pixels, predicate: Predicate, call: Call): Promise<Packed> {
  const { local, within } = predicate;
  if (!local) return packPixels(pool, pixels, predicate, call);
  return fenced(pool, within, call, async (fence) => {
    const { packLocal } = await import("./window-sums.js");
    return packLocal(pool, pixels, local, fence, call);
  });
}

/** Bytes in flight while pixels, or given bits, are packed into planes: bands, and rows read from a source. */
export function packingBytes(pool: Pool, input: Pixels | Bits): number {
  if (input.kind === "mask") return laneCount(pool) * bandBytes(pool, input, PIXEL_BAND);
  if (input.kind === "image") return 0;
  const { shape } = input;
  const values = Math.max(bandBytes(pool, shape, PIXEL_BAND), PixelFeed.scratchBytes(shape) * shape.channels);
  const staged = input.kind === "source" ? 2 : 1;
  return laneCount(pool) * (values * staged + (shape.channels > 1 ? PixelFeed.scratchBytes(shape) : 0) + 64);
}

/** Makes the kernel call that packs a band of pixels. `lane` distinguishes bands that are packed concurrently. */
type PackBand = (planes: Planes, band: Rows, pointer: number, lane: number) => KernelCall;

/** Packs all bands of pixels into one or two planes, and counts runs. Kernels return their foreground pixels. */
export async function packBands(
  pool: Pool,
  pixels: Pixels,
  classes: 1 | 2,
  call: Call,
  pack: PackBand,
): Promise<Packed> {
  const { shape } = pixels;
  let foreground = 0;
  const planes = await makePlanes(pool, shape, classes, (planes) =>
    withScratch(pool, async (scope) => {
      const bands = pixelBands(pool, pixels);
      const lanes = Math.min(laneCount(pool), bands.length);
      const feed = await PixelFeed.open(scope, pixels, lanes, bands[0]?.y1 ?? 1, call);
      await timed(call, "pack", rowCount(shape) * feed.rowBytes + planeBytes(planes), () =>
        inLanes(call, "pack", bands, lanes, async (band, lane) => {
          const { pointer, input } = await feed.fetch(lane, band);
          const found = await runCall(pool, pack(planes, band, pointer, lane), { input });
          foreground += found;
        }),
      );
    }),
  );
  return { planes, foreground };
}

function pixelBands(pool: Pool, { shape }: Pixels): Rows[] {
  return bandsOf(
    { y0: 0, y1: rowCount(shape) },
    PixelFeed.scratchBytes(shape) * shape.channels,
    bandBytes(pool, shape, PIXEL_BAND),
  );
}

/** Tests every pixel and counts runs. Reads each of N pixels once, and writes N / 8 bytes per polarity. */
export async function packPixels(pool: Pool, pixels: Pixels, predicate: Predicate, call: Call): Promise<Packed> {
  return fenced(pool, predicate.within, call, (fence) => packFenced(pool, pixels, predicate, fence, call));
}

async function packFenced(
  pool: Pool,
  pixels: Pixels,
  predicate: Predicate,
  fence: number,
  call: Call,
): Promise<Packed> {
  const { width, channels, type } = pixels.shape;
  const { except } = predicate;
  const [one, two] = predicate.intervals;
  if (!one) throw new RangeError("a predicate has one or two classes");
  return withScratch(pool, async (scope) => {
    const lanes = Math.min(laneCount(pool), pixelBands(pool, pixels).length);
    const scratch = await scope.lanes(channels > 1 ? lanes : 0, PixelFeed.scratchBytes(pixels.shape));
    const excepted = await scope.lanes(except === undefined ? 0 : lanes, Math.ceil(width / 64) * 8);
    return packBands(pool, pixels, two ? 2 : 1, call, (planes, { y0, y1 }, pointer, lane) => {
      const at = y0 * planes.words * 8;
      return kernelCall("packRows", {
        type: TYPE_CODE[type],
        channels,
        src: pointer,
        rows: y1 - y0,
        width,
        any: predicate.any,
        lo: one.lo,
        hi: one.hi,
        invert: one.invert,
        dst: planes.first + at,
        lo2: two?.lo ?? 0,
        hi2: two?.hi ?? 0,
        invert2: two?.invert ?? false,
        dst2: two ? planes.second + at : 0,
        counts: planes.offsetsAt + y0 * 4,
        scratch: scratch[lane] ?? 0,
        except: except ?? 0,
        excepted: excepted[lane] ?? 0,
        fence: fence && fence + at,
      });
    });
  });
}

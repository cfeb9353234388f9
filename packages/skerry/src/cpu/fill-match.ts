// The pixels that match, as bits: bands go to the workers like those of a threshold.

import type { Call } from "../core/call.js";
import { type Match, METRIC_CODE } from "../core/colour-match.js";
import { type Pixels, type Shape, TYPE_CODE } from "../core/pixels.js";
import { LAYOUT } from "../generated/kernels.js";
import { kernelCall } from "./kernels.js";
import { packBands } from "./mask-pack.js";
import type { Pool } from "./memory/pool.js";
import type { ScratchScope } from "./memory/scratch.js";
import type { Packed, Planes } from "./planes.js";

const { METRIC, CHANNELS, TYPE, LIMIT, LO, HI, COLOUR, LOWS, HIGHS } = LAYOUT.match;
export const { MATCH_BYTES } = LAYOUT.match;

/** Bytes of repeated u8 bounds: a whole number of pixels of 1, 3 or 4 channels. */
const BOUND_BYTES = HIGHS - LOWS;

/** Writes a match in the kernels' layout. With `floating` it tests differences, and u8 bounds are magnitudes. */
export function writeMatch(
  view: DataView,
  { metric, lo, hi, colour, limit }: Match,
  { channels, type }: Shape,
  floating = false,
): void {
  view.setUint32(METRIC, METRIC_CODE[metric], true);
  view.setUint32(CHANNELS, channels, true);
  view.setUint32(TYPE, TYPE_CODE[type], true);
  view.setFloat64(LIMIT, limit, true);
  for (const [at, values] of [[LO, lo] as const, [HI, hi] as const, [COLOUR, colour] as const]) {
    for (const [channel, value] of values.entries()) view.setFloat64(at + 8 * channel, value, true);
  }
  if (type !== "u8") return;
  for (let i = 0; i < BOUND_BYTES; i++) {
    const below = lo[i % channels];
    view.setUint8(LOWS + i, Math.min(255, floating ? -below : below));
    view.setUint8(HIGHS + i, Math.min(255, hi[i % channels]));
  }
}

/** Tests every pixel, within a fence if there is one, and counts runs. Reads N pixels once and writes N / 8 bytes. */
export async function matchPixels(
  pool: Pool,
  scope: ScratchScope,
  pixels: Pixels,
  match: Match,
  fence: Planes | undefined,
  call: Call,
): Promise<Packed> {
  const { width } = pixels.shape;
  const block = new DataView(new ArrayBuffer(MATCH_BYTES));
  writeMatch(block, match, pixels.shape);
  const matchAt = await scope.allocate(MATCH_BYTES);
  await pool.write(matchAt, block);
  return packBands(pool, pixels, 1, call, (planes, { y0, y1 }, pointer) => {
    const at = y0 * planes.words * 8;
    const fenceAt = fence ? fence.first + at : 0;
    return kernelCall("matchRows", {
      match: matchAt,
      src: pointer,
      rows: y1 - y0,
      width,
      fence: fenceAt,
      dst: planes.first + at,
      counts: planes.offsetsAt + y0 * 4,
    });
  });
}

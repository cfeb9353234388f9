// The pixels that match, as bits: bands go to the workers like those of a threshold.

import type { Call } from "../core/call.js";
import { type Match, METRIC_CODE } from "../core/colour-match.js";
import { type Pixels, type Shape, TYPE_CODE } from "../core/pixels.js";
import { type Packed, type Planes, packBands } from "./mask.js";
import type { Pool } from "./pool.js";
import type { Loan } from "./scratch.js";

/** Bytes of a match, as in assembly/match.ts. */
export const MATCH_BYTES = 216;

/** Writes a match as kernels read it; with `floating` it is on differences, and u8 has them as magnitudes. */
export function writeMatch(
  view: DataView,
  { metric, lo, hi, colour, limit }: Match,
  { channels, type }: Shape,
  floating = false,
): void {
  view.setUint32(0, METRIC_CODE[metric], true);
  view.setUint32(4, channels, true);
  view.setUint32(8, TYPE_CODE[type], true);
  view.setFloat64(16, limit, true);
  for (const [index, values] of [lo, hi, colour].entries()) {
    for (const [channel, value] of values.entries()) view.setFloat64(24 + 32 * index + 8 * channel, value, true);
  }
  if (type !== "u8") return;
  for (let i = 0; i < 48; i++) {
    const below = lo[i % channels] as number;
    view.setUint8(120 + i, Math.min(255, floating ? -below : below));
    view.setUint8(168 + i, Math.min(255, hi[i % channels] as number));
  }
}

/** Tests every pixel, within a fence if there is one, and counts runs: N bytes and more in, N / 8 out. */
export async function matchPixels(
  pool: Pool,
  loan: Loan,
  pixels: Pixels,
  match: Match,
  fence: Planes | undefined,
  call: Call,
): Promise<Packed> {
  const { width } = pixels.shape;
  const block = new DataView(new ArrayBuffer(MATCH_BYTES));
  writeMatch(block, match, pixels.shape);
  const matchAt = await loan.allocate(MATCH_BYTES);
  await pool.write(matchAt, block);
  return packBands(pool, pixels, 1, call, (planes, { y0, y1 }, pointer) => {
    const at = y0 * planes.words * 8;
    const fenceAt = fence ? fence.first + at : 0;
    return ["matchRows", [matchAt, pointer, y1 - y0, width, fenceAt, planes.first + at, planes.offsetsAt + y0 * 4]];
  });
}

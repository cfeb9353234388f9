// Tests which pixels match a colour or a neighbour, and stores them as bits. Also reads small windows of pixels, for the
// colours of seeds.

import type { Call } from "../core/call.js";
import { type Match, METRIC_CODE, type ReadWindow } from "../core/colour-match.js";
import { newPixels, PIXEL_BYTES, type Pixels, type Shape, TYPE_CODE } from "../core/pixels.js";
import { hostRows } from "../core/sinks.js";
import { eachBand, groupsOf } from "./bands.js";
import type { Commands } from "./device/commands.js";
import type { Context } from "./device/context.js";
import { downloadRows } from "./image.js";
import { bound, fillHalos, makePlanes, type Planes } from "./mask.js";

/** A neighbour that precedes pixel (x, y) in raster order: it lies at (x + right - 1, y - up). */
export interface Neighbour {
  readonly right: 0 | 1 | 2;
  readonly up: 0 | 1;
}

/** Tests pixels against a colour. Commands that are not submitted yet stay recorded in `commands`. */
export function matchPixels(
  context: Context,
  commands: Commands,
  pixels: Pixels,
  match: Match,
  fence: Planes | undefined,
  call: Call,
): Promise<Planes> {
  return makePlanes(context, pixels.shape, 1, async (planes) => {
    // A single strip has no neighbours. Its halo is filled first, so that the following dispatches share one pass.
    const alone = planes.strips.length === 1;
    if (alone) fillHalos(commands, planes);
    for (const [index, { bits }] of planes.strips.entries()) {
      const fenceBits = fence?.strips[index]?.bits[0];
      await recordMatch(context, commands, pixels, planes, index, match, { bits: bits[0], fence: fenceBits }, call);
    }
    if (!alone) fillHalos(commands, planes);
  });
}

/** Records the test of a strip's pixels, against a colour or against the neighbour in a direction. */
export async function recordMatch(
  context: Context,
  commands: Commands,
  pixels: Pixels,
  planes: Planes,
  index: number,
  match: Match,
  { bits, fence }: { bits: GPUBuffer; fence: GPUBuffer | undefined },
  call: Call,
  neighbour?: Neighbour,
): Promise<void> {
  const { width, channels, type } = pixels.shape;
  const { words } = planes;
  const strip = planes.strips[index];
  const numbers = numbersOf(match, type, neighbour !== undefined);
  const feed = { multiple: 1, halo: neighbour?.up === 1, raw: true };
  await eachBand(context, commands, pixels, strip, feed, call, ({ y0, y1, pixels: input, first }) => {
    const rows = y1 - y0;
    commands.stage("match", rows * (width * channels * PIXEL_BYTES[type] + words * 4));
    const buffers = { pixels: input, fence: fence ?? context.nothing, bits };
    const uniforms = {
      width,
      words,
      rows,
      first,
      row: y0 - strip.y0 + 1,
      fenced: Number(fence !== undefined),
      ...numbers,
    };
    const bytes = type === "u8" && match.metric === "linf" && !neighbour;
    if (bytes && width % 32 === 0 && first % 16 === 0) {
      commands.dispatch("fill-match-bytes", Math.ceil((rows * words) / 64), buffers, uniforms, { CHANNELS: channels });
      return;
    }
    commands.dispatch(
      "fill-match",
      groupsOf(rows * words),
      buffers,
      {
        ...uniforms,
        metric: METRIC_CODE[match.metric],
        right: neighbour?.right ?? 1,
        up: neighbour?.up ?? 0,
        top: Number(y0 === 0),
      },
      { TYPE: TYPE_CODE[type], CHANNELS: channels, FLOATING: neighbour !== undefined },
    );
  });
}

/** The kernel's parameters of a match. */
function numbersOf({ lo, hi, colour, limit }: Match, type: Shape["type"], floating: boolean): Record<string, number> {
  const numbers: Record<string, number> = { limit: limit >>> 0, limitHigh: Math.floor(limit / 2 ** 32) };
  for (let c = 0; c < 4; c++) {
    // Missing channels are 0 in every pixel.
    numbers[`lo${c}`] = lo[c] === undefined || floating ? 0 : bound(lo[c], type);
    numbers[`hi${c}`] = hi[c] === undefined ? 0 : floating ? hi[c] : bound(hi[c], type);
    numbers[`colour${c}`] = colour[c] === undefined ? 0 : bound(colour[c], type);
  }
  return numbers;
}

/** Returns a function that reads small windows of pixels, from the host or from the device. */
export function windows(context: Context, pixels: Pixels, call: Call): ReadWindow {
  const { width, channels, type } = pixels.shape;
  return async (x0, x1, y0, y1) => {
    const count = y1 - y0;
    const rows = await (pixels.kind === "image"
      ? downloadRows(
          context,
          pixels,
          Array.from({ length: count }, (_, i) => y0 + i),
        )
      : hostRows(pixels, y0, y1, call));
    const values = (x1 - x0) * channels;
    const found = newPixels(type, values * count);
    for (let i = 0; i < count; i++) {
      const at = i * width * channels;
      found.set(rows.subarray(at + x0 * channels, at + x1 * channels), i * values);
    }
    return found;
  };
}

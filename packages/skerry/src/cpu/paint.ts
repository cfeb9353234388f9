// Paints pixels in bands on the workers: with the colours of classes, and with coats of paint over masks.

import { turn } from "#event-loop";
import type { Call } from "../core/call.js";
import { PIXEL_BYTES, partOf, rowCount, TYPE_CODE } from "../core/pixels.js";
import type { PaintRequest, RecolourRequest } from "../core/requests.js";
import { bandBytes, bandsOf, inLanes, laneCount, type Rows, timed } from "./bands.js";
import { runKernel } from "./kernels.js";
import { unpackMask } from "./mask.js";
import type { Pool } from "./memory/pool.js";
import { type ScratchScope, withScratch } from "./memory/scratch.js";
import { freePlanes, type Planes } from "./planes.js";

/** Bytes of a band: the copy of one to fresh memory ends within a few milliseconds. */
const PAINT_BAND = 1 << 20;

/** Writes the colour of each pixel's class into `into`. */
export function recolourPixels(
  pool: Pool,
  { classes: { shape, data }, colours, channels, into }: RecolourRequest,
  call: Call,
): Promise<void> {
  const { width } = shape;
  return withScratch(pool, async (scope) => {
    const table = await scope.copyIn(colours);
    const bands = bandsOf({ y0: 0, y1: rowCount(shape) }, width * channels, bandBytes(pool, shape, PAINT_BAND));
    const lanes = Math.min(laneCount(pool), bands.length);
    const most = bands[0].y1 * width;
    const [from, to] = [await scope.lanes(lanes, most), await scope.lanes(lanes, most * channels)];
    await timed(call, "paint", data.length * (1 + channels), () =>
      inLanes(call, "paint", bands, lanes, async ({ y0, y1 }, lane) => {
        const [first, end] = [y0 * width, y1 * width];
        const input = { pointer: from[lane], array: partOf(data, first, end) };
        const output = { pointer: to[lane], array: partOf(into, first * channels, end * channels) };
        const args = { channels, classes: from[lane], pixels: end - first, colours: table, dst: to[lane] };
        await runKernel(pool, "recolourRows", args, { input, output });
      }),
    );
  });
}

/** Copies the pixels into `into`, unless they are there already, and paints one coat after another over them. */
export async function paintPixels(pool: Pool, request: PaintRequest, call: Call): Promise<void> {
  const planes: Planes[] = [];
  try {
    for (const { mask } of request.coats) planes.push(await unpackMask(pool, mask, { ...call, timings: [] }));
    await withScratch(pool, (scope) => paintBands(pool, scope, request, planes, call));
  } finally {
    for (const plane of planes) freePlanes(pool, plane);
  }
}

async function paintBands(
  pool: Pool,
  scope: ScratchScope,
  { pixels: { shape, data }, coats, into }: PaintRequest,
  planes: readonly Planes[],
  call: Call,
): Promise<void> {
  const { width, channels, type } = shape;
  const values = width * channels;
  const rowBytes = values * PIXEL_BYTES[type];
  // Arrays in the engine's memory are read and painted where they lie.
  const [source, target] = [pool.addressOf(data), pool.addressOf(into)];
  const bands = bandsOf({ y0: 0, y1: rowCount(shape) }, rowBytes, bandBytes(pool, shape, PAINT_BAND));
  const lanes = Math.min(laneCount(pool), bands.length);
  const slots = target === undefined ? await scope.lanes(lanes, bands[0].y1 * rowBytes) : [];
  const colours: number[] = [];
  for (const { colour } of coats) colours.push(await scope.copyIn(Float64Array.from(colour)));
  await timed(call, "paint", rowCount(shape) * rowBytes * 2, () =>
    inLanes(call, "paint", bands, lanes, async (band, lane) => {
      const [from, to] = [
        partOf(data, band.y0 * values, band.y1 * values),
        partOf(into, band.y0 * values, band.y1 * values),
      ];
      const painted = coats.map((_, i) => i).filter((i) => holdsAny(coats[i].mask.bits, width, band));
      if (painted.length === 0) {
        if (data !== into) to.set(from);
        await turn();
        return;
      }
      const pointer = target === undefined ? slots[lane] : target + band.y0 * rowBytes;
      const bytes = (band.y1 - band.y0) * rowBytes;
      const inPlace = target !== undefined && source === target;
      const copies = source !== undefined && !inPlace;
      if (copies) {
        await runKernel(pool, "copyBytes", { dst: pointer, src: source + band.y0 * rowBytes, bytes });
      }
      for (const [n, i] of painted.entries()) {
        const input = n === 0 && !inPlace && !copies ? { input: { pointer, array: from } } : {};
        const last = n === painted.length - 1 && target === undefined;
        const output = last ? { output: { pointer, array: to } } : {};
        await runKernel(pool, "paintRows", rowsCall(i, band, pointer), { ...input, ...output });
      }
    }),
  );

  function rowsCall(i: number, { y0, y1 }: Rows, pointer: number): Parameters<typeof runKernel<"paintRows">>[2] {
    const { colour, opacity } = coats[i];
    return {
      type: TYPE_CODE[type],
      channels,
      pixels: pointer,
      rows: y1 - y0,
      width,
      mask: planes[i].first + y0 * planes[i].words * 8,
      colour: colours[i],
      painted: colour.length,
      opacity,
    };
  }
}

/** Whether a mask has a pixel in some rows. */
function holdsAny(bits: Uint32Array, width: number, { y0, y1 }: Rows): boolean {
  const words = Math.ceil(width / 32);
  for (let i = y0 * words; i < y1 * words; i++) if (bits[i] !== 0) return true;
  return false;
}

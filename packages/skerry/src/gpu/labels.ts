// Writes labels. They are read back in bands, through staging buffers, into an array or in order into a Sink. Or they stay on
// the device, in a buffer that the caller owns.

import type { Call } from "../core/call.js";
import { putInto } from "../core/pixels.js";
import { OrderedWriter, writeRows } from "../core/sinks.js";
import { Unsupported } from "../types/errors.js";
import type { Sink } from "../types/raster.js";
import { groupsOf } from "./bands.js";
import type { Commands } from "./device/commands.js";
import { type Context, withScratch } from "./device/context.js";
import { type Bound, fillBuffer, STAGING_BYTES } from "./device/memory.js";
import type { Labelled, Strip } from "./labelled.js";
import type { Planes } from "./mask.js";

/** Records the labels of rows [y0, y1) of the image into a buffer. The rows must lie in the strip. */
export function recordExpansion(
  commands: Commands,
  { width, words }: Planes,
  strip: Strip,
  { y0, y1 }: { y0: number; y1: number },
  labels: GPUBuffer | { buffer: GPUBuffer; offset: number; size: number },
  map = strip.labels,
  chosen = strip.planes.map((_, index) => index),
): void {
  const pixels = (y1 - y0) * width;
  const fours = width % 4 === 0;
  const total = fours ? pixels / 4 : pixels;
  for (const [order, index] of chosen.entries()) {
    const { segments, tileTable } = strip.planes[index];
    commands.dispatch(
      fours ? "labels-expand" : "labels-expand-pixels",
      groupsOf(total),
      { bits: strip.bits[index], segments, tileTable, map, labels },
      { width, words, tileColumns: strip.tileColumns, row: y0 - strip.y0, total },
      { SECOND: order > 0, CELL: strip.cell },
    );
  }
}

/** The label of a pixel; 0 for background. */
export async function labelAt(context: Context, { planes, strips }: Labelled, x: number, y: number): Promise<number> {
  const strip = strips.find((candidate) => candidate.y1 > y) as Strip;
  return withScratch(context, async (scope) => {
    const row = await scope.allocate(planes.width * 4, "a row of labels");
    const commands = context.commands();
    recordExpansion(commands, planes, strip, { y0: y, y1: y + 1 }, row);
    let label = 0;
    await context.read(commands, row, x * 4, 4, (piece) => {
      label = new Uint32Array(piece, 0, 1)[0];
    });
    return label;
  });
}

/** Writes 4 bytes per pixel on the device, and copies them from staging buffers into the array or to the Sink. */
export async function expandLabels(
  context: Context,
  labelled: Labelled,
  into: Uint32Array | Sink,
  call: Call,
): Promise<void> {
  const { planes, strips } = labelled;
  const { width, rows: height } = planes;
  await context.timed(call, "labels", width * height * 4, () =>
    withScratch(context, async (scope) => {
      // A band is expanded at once, and read back in pieces of one staging buffer.
      const most = Math.min(STAGING_BYTES, context.device.bindingBytes);
      const rows = Math.max(1, Math.floor(most / (width * 4)));
      const band = await scope.allocate(Math.min(rows, height) * width * 4, "labels");
      const staging = into instanceof Uint32Array ? undefined : new Uint32Array(Math.min(rows, height) * width);
      const order = new OrderedWriter();
      let failed = false;
      const pending: Promise<void>[] = [];
      try {
        for (const strip of strips) {
          for (let y0 = strip.y0; y0 < strip.y1 && !failed; y0 += rows) {
            call.signal?.throwIfAborted();
            const y1 = Math.min(strip.y1, y0 + rows);
            const commands = context.commands();
            commands.stage("expand", (y1 - y0) * width * 4);
            recordExpansion(commands, planes, strip, { y0, y1 }, band);
            const bytes = (y1 - y0) * width * 4;
            for (let at = 0; at < bytes; at += STAGING_BYTES) {
              const length = Math.min(STAGING_BYTES, bytes - at);
              const { done } = await context.fetch(commands, band, at, length, (piece) => {
                const values = new Uint32Array(piece, 0, length / 4);
                if (into instanceof Uint32Array) return putInto(into, values, y0 * width + at / 4);
                return order.write(Promise.resolve(), async () => {
                  const words = staging as Uint32Array;
                  words.set(values, at / 4);
                  if (at + length === bytes) await writeRows(into, planes, y0, words.subarray(0, bytes / 4));
                });
              });
              done.catch(() => {
                failed = true;
              });
              pending.push(done);
            }
            call.onProgress?.({ stage: "labels", done: y1, total: height });
            if (context.profile?.full) {
              await Promise.all(pending);
              call.timings.push(...(await context.profile.collect()));
            }
          }
        }
      } finally {
        await Promise.allSettled(pending);
      }
      await Promise.all(pending);
    }),
  );
}

/** Returns the caller's buffer of labels, or a new one, which the caller owns. */
export async function labelsBuffer(
  context: Context,
  labelled: Labelled,
  into: GPUBuffer | undefined,
  call: Call,
): Promise<GPUBuffer> {
  const { planes, strips } = labelled;
  const { width, rows: height } = planes;
  const bytes = width * height * 4;
  const fill = ({ buffer, size: most }: Bound): Promise<void> =>
    context.timed(call, "labels", bytes, async () => {
      const commands = context.commands();
      commands.stage("expand", bytes);
      // Bindings begin at multiples of 64 rows, which are multiples of 256 bytes for any width.
      const fit = Math.floor(context.device.bindingBytes / (width * 4));
      const rows = fit >= height ? height : fit - (fit % 64);
      if (rows < 1 || strips.some(({ y0 }) => (y0 * width) % 64 !== 0)) {
        throw new Unsupported(`Expected 64 rows of labels to fit one binding, got ${width} pixels per row; read them.`);
      }
      for (const strip of strips) {
        for (let y0 = strip.y0; y0 < strip.y1; y0 += rows) {
          const y1 = Math.min(strip.y1, y0 + rows);
          const offset = y0 * width * 4;
          const size = Math.min(Math.ceil(((y1 - y0) * width * 4) / 16) * 16, most - offset);
          recordExpansion(commands, planes, strip, { y0, y1 }, { buffer, offset, size });
        }
      }
      await commands.submit();
    });
  return fillBuffer(context, { bytes, into }, "labels", fill);
}

// Windows of label images and masks: one dispatch over the window's pixels per strip and plane.

import type { Call } from "../core/call.js";
import { putInto } from "../core/pixels.js";
import type { WindowPlan } from "../core/plans.js";
import { Unsupported } from "../types/errors.js";
import { groupsOf } from "./bands.js";
import type { Commands } from "./device/commands.js";
import { type Context, withScratch } from "./device/context.js";
import { type Bound, fillBuffer } from "./device/memory.js";
import type { Labelled } from "./labelled.js";

/** Numbers of the window's normal axis in labels-window.wgsl. */
const AXES = { x: 0, y: 1, z: 2 } as const;

/** Records the labels of a window into a buffer of zeros. With `which` it records 1 for pixels of that polarity (0: of any). */
function recordWindow(
  commands: Commands,
  { planes, strips }: Labelled,
  window: WindowPlan,
  which: 0 | 1 | 2 | undefined,
  labels: GPUBuffer | Bound,
): void {
  const { width, height, depth, words } = planes;
  const { x, y, z, step, width: columns, height: lines, axis } = window;
  const total = columns * lines;
  for (const strip of strips) {
    for (const [index, plane] of strip.planes.entries()) {
      if (which && which !== index + 1) continue;
      const { segments, tileTable } = plane;
      const size = { width, height, depth, words, tileColumns: strip.tileColumns };
      const place = { row: strip.y0, rows: strip.y1 - strip.y0, axis: AXES[axis], x, y, z, step, columns, total };
      commands.dispatch(
        "labels-window",
        groupsOf(total),
        { bits: strip.bits[index], segments, tileTable, map: strip.labels, labels },
        { ...size, ...place },
        { MASK: which !== undefined, CELL: strip.cell },
      );
    }
  }
}

/** Rows of a window that fit one binding. */
function rowsThatFit(context: Context, { width }: WindowPlan): number {
  const { bindingBytes } = context.device;
  const rows = Math.floor(bindingBytes / (width * 4));
  if (rows < 1) {
    throw new Unsupported(
      `Expected a row of the window to fit ${bindingBytes} bytes of GPU memory, got ${width} pixels.`,
    );
  }
  return rows;
}

/** Rows [from, from + rows) of a window. */
function bandOf(window: WindowPlan, from: number, rows: number): WindowPlan {
  const down = window.axis === "z" ? "y" : "z";
  return { ...window, height: rows, [down]: window[down] + from * window.step };
}

/** Reads the labels of a window, as many rows at a time as fit one binding. */
export async function readWindow(
  context: Context,
  labelled: Labelled,
  window: WindowPlan,
  which: 0 | 1 | 2 | undefined,
  into: Uint32Array,
  call: Call,
): Promise<void> {
  const { width, height } = window;
  await context.timed(call, "window", width * height * 4, () =>
    withScratch(context, async (scope) => {
      const rows = Math.min(height, rowsThatFit(context, window));
      const labels = await scope.allocate(rows * width * 4, "labels");
      for (let from = 0; from < height; from += rows) {
        call.signal?.throwIfAborted();
        const band = bandOf(window, from, Math.min(rows, height - from));
        const values = width * band.height;
        const commands = context.commands();
        commands.clear(labels, 0, values * 4);
        recordWindow(commands, labelled, band, which, labels);
        await context.read(commands, labels, 0, values * 4, (piece, at) => {
          const part = new Uint32Array(piece, 0, Math.min(piece.byteLength / 4, values - at / 4));
          putInto(into, part, from * width + at / 4);
        });
      }
    }),
  );
}

/** Returns the caller's buffer of a window's labels, or a new one, which the caller owns. */
export async function windowBuffer(
  context: Context,
  labelled: Labelled,
  window: WindowPlan,
  into: GPUBuffer | undefined,
  call: Call,
): Promise<GPUBuffer> {
  const bytes = window.width * window.height * 4;
  if (window.height > rowsThatFit(context, window)) {
    throw new Unsupported(
      `Expected a window that fits one binding of ${context.device.bindingBytes} bytes, got one of ${bytes}; read it instead.`,
    );
  }
  return fillBuffer(context, { bytes, into }, "labels", (target) =>
    context.timed(call, "window", bytes, async () => {
      const commands = context.commands();
      commands.clear(target.buffer, 0, bytes);
      recordWindow(commands, labelled, window, undefined, target);
      await commands.submit();
    }),
  );
}

// Cut-outs of label images and masks: one kernel over the window's pixels per strip and plane.

import { type Call, putInto, type WindowPlan } from "../backend.js";
import { groupsOf } from "./bands.js";
import type { Labelled, PlaneSegments } from "./components.js";
import { borrowing, type Context } from "./context.js";
import type { Commands } from "./kernel.js";
import { ownedBuffer } from "./memory.js";

/** Normals, as in labels-window.wgsl. */
const AXES = { x: 0, y: 1, z: 2 } as const;

/** Records the labels of a window, or with `which` 1 for each pixel of the objects of that class, into a buffer of zeros. */
function recordWindow(
  commands: Commands,
  { planes, strips }: Labelled,
  window: WindowPlan,
  which: 0 | 1 | 2 | undefined,
  labels: GPUBuffer,
): void {
  const { width, height, depth, words } = planes;
  const { x, y, z, step, width: columns, height: lines, axis } = window;
  const total = columns * lines;
  for (const strip of strips) {
    for (const [index, plane] of strip.planes.entries()) {
      if (which && which !== index + 1) continue;
      const { segments, tileTable } = plane as PlaneSegments;
      const size = { width, height, depth, words, tileColumns: strip.tileColumns };
      const place = { row: strip.y0, rows: strip.y1 - strip.y0, axis: AXES[axis], x, y, z, step, columns, total };
      commands.dispatch(
        "labels-window",
        groupsOf(total),
        { bits: strip.bits[index] as GPUBuffer, segments, tileTable, map: strip.labels, labels },
        { ...size, ...place },
        { MASK: which !== undefined, CELL: strip.cell },
      );
    }
  }
}

/** Reads the labels of a window. */
export async function readWindow(
  context: Context,
  labelled: Labelled,
  window: WindowPlan,
  which: 0 | 1 | 2 | undefined,
  into: Uint32Array,
  call: Call,
): Promise<void> {
  const bytes = window.width * window.height * 4;
  await context.timed(call, "window", bytes, () =>
    borrowing(context, async (loan) => {
      const labels = await loan.take(bytes, "labels");
      const commands = context.commands();
      commands.clear(labels, 0, bytes);
      recordWindow(commands, labelled, window, which, labels);
      await context.read(commands, labels, 0, bytes, (piece, at) => {
        putInto(into, new Uint32Array(piece, 0, Math.min(piece.byteLength / 4, into.length - at / 4)), at / 4);
      });
    }),
  );
}

/** A new buffer of a window's labels, which belongs to the caller. */
export async function windowBuffer(
  context: Context,
  labelled: Labelled,
  window: WindowPlan,
  call: Call,
): Promise<GPUBuffer> {
  const bytes = window.width * window.height * 4;
  const buffer = ownedBuffer(context, bytes, "labels");
  await context.timed(call, "window", bytes, async () => {
    const commands = context.commands();
    commands.clear(buffer, 0, bytes);
    recordWindow(commands, labelled, window, undefined, buffer);
    await commands.submit();
  });
  return buffer;
}

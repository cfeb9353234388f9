// Cut-outs of label images and masks: the workers read the runs of the rows that a window touches.

import type { Call } from "../core/call.js";
import { partOf } from "../core/pixels.js";
import type { WindowPlan } from "../core/plans.js";
import { LAYOUT } from "../generated/kernels.js";
import { bandsOf, inLanes, laneCount, listBytes, timed } from "./bands.js";
import type { Labelled } from "./components.js";
import { runKernel } from "./kernels.js";
import type { Pool } from "./memory/pool.js";
import { withScratch } from "./memory/scratch.js";
import { type Planes, rowsOf } from "./planes.js";

const { X, Y, Z } = LAYOUT["labels-window"];
const AXES = { x: X, y: Y, z: Z } as const;

/** Maximum bytes of labels that leave at once. */
const BAND = 1 << 20;

/** Writes the labels of a window. Without `labelled`, writes 1 for every pixel of an object. */
export async function readWindow(
  pool: Pool,
  planes: Planes,
  { first, second }: { readonly first: number; readonly second: number },
  labelled: Labelled | undefined,
  { x, y, z, width: columns, height: lines, step, axis }: WindowPlan,
  into: Uint32Array,
  call: Call,
): Promise<void> {
  const { width, height, depth } = planes;
  const rows = rowsOf(planes);
  await withScratch(pool, async (scope) => {
    const strips = labelled?.strips ?? [];
    const table = Uint32Array.from(strips.flatMap((strip) => [strip.y0, (labelled?.mapAt ?? 0) + strip.base * 4]));
    const stripsAt = await scope.copyIn(table);
    const bands = bandsOf(
      { y0: 0, y1: lines },
      columns * 4,
      Math.max(BAND / 16, Math.min(BAND, (lines * columns * 4) / pool.threads)),
    );
    const lanes = Math.min(laneCount(pool), bands.length);
    const slots = await scope.lanes(lanes, (bands[0]?.y1 ?? 1) * columns * 4);
    const lists = await scope.lanes(lanes, listBytes(width));
    await timed(call, "window", lines * columns * 4, () =>
      inLanes(call, "window", bands, lanes, async ({ y0, y1 }, lane) => {
        const pointer = slots[lane];
        await runKernel(
          pool,
          "labelsOfWindow",
          {
            bits: first,
            bits2: second,
            width,
            height,
            depth,
            top: rows.y0,
            bottom: rows.y1,
            offsets: planes.offsetsAt,
            labels: labelled?.labelsAt ?? 0,
            strips: stripsAt,
            stripCount: strips.length,
            axis: AXES[axis],
            x,
            y,
            z,
            step,
            columns,
            j0: y0,
            j1: y1,
            out: pointer,
            list: lists[lane],
          },
          { output: { pointer, array: partOf(into, y0 * columns, y1 * columns) } },
        );
      }),
    );
  });
}

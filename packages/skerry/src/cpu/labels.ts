// Labels leave in bands, from the workers' slots into memory the caller keeps, or into a Sink in order.

import { turn } from "#event-loop";
import type { Call } from "../core/call.js";
import { partOf } from "../core/pixels.js";
import { OrderedWriter, writeRows } from "../core/sinks.js";
import { LAYOUT } from "../generated/kernels.js";
import type { Sink } from "../types/raster.js";
import { bandBytes, bandsOf, inLanes, LABEL_BAND, laneCount, listBytes, type Rows, timed } from "./bands.js";
import { type Labelled, rowsArguments, type Strip } from "./components.js";
import { runKernel } from "./kernels.js";
import type { Pool } from "./memory/pool.js";
import { withScratch } from "./memory/scratch.js";
import { type Planes, planeBytes, rowsOf } from "./planes.js";

const { SLACK_BYTES } = LAYOUT.labels;

/** Bytes of scratch for the last rows of a band: as many rows as a write past the end of a row can reach. */
function lastRowsBytes(width: number): number {
  return Math.ceil(SLACK_BYTES / 4 / width) * width * 4 + SLACK_BYTES;
}

/** The bands of every strip, with the strip that they lie in. */
function stripBands(labelled: Labelled, rowBytes: number, bytes: number): (Rows & { strip: Strip })[] {
  return labelled.strips.flatMap((strip) => bandsOf(strip, rowBytes, bytes).map((band) => ({ ...band, strip })));
}

/** Address of pool memory for all labels, with {@link SLACK_BYTES} behind them. */
export interface Address {
  readonly at: number;
}

function isAddress(into: Uint32Array | Sink | Address): into is Address {
  return "at" in into && typeof into.at === "number";
}

/**
 * Writes 4 bytes per pixel; reads the bits, 4 bytes per run, and the map. An array in the pool's memory is written by the
 * kernels; other arrays receive copies, band by band. A Sink receives copies, or with `shared` the bands themselves.
 */
export async function expandLabels(
  pool: Pool,
  labelled: Labelled,
  into: Uint32Array | Sink | Address,
  call: Call,
): Promise<void> {
  const { planes, mapAt } = labelled;
  const { width } = planes;
  const { y0: top, y1: bottom } = rowsOf(planes);
  const inPlace = isAddress(into) ? into.at : into instanceof Uint32Array ? pool.addressOf(into) : undefined;
  const empty = (rows: Rows): Promise<void> => writeEmpty(pool, into, planes, rows);
  await empty({ y0: 0, y1: top });
  const bands = stripBands(labelled, width * 4, bandBytes(pool, planes, LABEL_BAND));
  await withScratch(pool, async (scope) => {
    const lanes = Math.min(laneCount(pool), bands.length);
    const rows = bands.reduce((most, { y0, y1 }) => Math.max(most, y1 - y0), 0);
    const slots = await scope.lanes(inPlace === undefined ? lanes : 0, rows * width * 4);
    const lists = await scope.lanes(lanes, listBytes(width));
    const lastRows = await scope.lanes(lanes, lastRowsBytes(width));
    const views = !(into instanceof Uint32Array) && !isAddress(into) && into.shared && pool.shared;
    const staging = into instanceof Uint32Array || views ? [] : slots.map(() => new Uint32Array(rows * width));
    const order = new OrderedWriter();
    const bytes = width * planes.rows * 4 + planeBytes(planes) + labelled.runCount * 4;
    await timed(call, "labels", bytes, () =>
      inLanes(call, "labels", bands, lanes, async ({ y0, y1, strip }, lane) => {
        const pointer = inPlace === undefined ? slots[lane] : inPlace + y0 * width * 4;
        const tables = { map: mapAt + strip.base * 4, list: lists[lane], lastRows: lastRows[lane] };
        const expand = (array?: Uint32Array): Promise<number> =>
          runKernel(
            pool,
            "expandRows",
            { ...rowsArguments(labelled, { y0, y1 }), ...tables, out: pointer },
            array && { output: { pointer, array } },
          );
        if (inPlace !== undefined) {
          await expand();
        } else if (into instanceof Uint32Array) {
          await expand(partOf(into, y0 * width, y1 * width));
        } else {
          if (isAddress(into)) return;
          const array = staging[lane]?.subarray(0, (y1 - y0) * width);
          await order.write(expand(array), () =>
            writeRows(into, planes, y0, array ?? pool.view(pointer, (y1 - y0) * width)),
          );
        }
      }),
    );
  });
  await empty({ y0: bottom, y1: planes.rows });
}

/** Rows without any object. */
async function writeEmpty(pool: Pool, into: Uint32Array | Sink | Address, planes: Planes, rows: Rows): Promise<void> {
  const { width } = planes;
  if (isAddress(into)) {
    const bytes = (rows.y1 - rows.y0) * width * 4;
    if (bytes > 0) await runKernel(pool, "fillBytes", { dst: into.at + rows.y0 * width * 4, value: 0, bytes });
    return;
  }
  const bands = bandsOf(rows, width * 4, LABEL_BAND);
  const nothing = new Uint32Array(into instanceof Uint32Array || !bands[0] ? 0 : (bands[0].y1 - rows.y0) * width);
  for (const { y0, y1 } of bands) {
    if (into instanceof Uint32Array) partOf(into, y0 * width, y1 * width).fill(0);
    else await writeRows(into, planes, y0, nothing.subarray(0, (y1 - y0) * width));
    await turn();
  }
}

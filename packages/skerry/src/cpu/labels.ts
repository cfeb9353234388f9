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
const { RUN_BYTES } = LAYOUT.runs;

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
  if (inPlace === undefined && into instanceof Uint32Array && isSmooth(pool, labelled)) {
    await fillRuns(pool, labelled, into, call);
    await empty({ y0: bottom, y1: planes.rows });
    return;
  }
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

/** Minimum number of pixels per run for filling runs on this thread: below, copies of expanded rows are faster. */
const FILLED_PIXELS = 512;

/** Whether the runs are long, and this thread sees the memory of the workers. */
function isSmooth(pool: Pool, { planes, runCount }: Labelled): boolean {
  return pool.shared && runCount * FILLED_PIXELS <= planes.width * planes.rows;
}

/** Fills an array of the caller run by run: each label is written once, where a copy of expanded rows reads and writes it again. */
async function fillRuns(pool: Pool, labelled: Labelled, into: Uint32Array, call: Call): Promise<void> {
  const { planes, mapAt } = labelled;
  const { width } = planes;
  await withScratch(pool, async (scope) => {
    const offsets = new Uint32Array(planes.rows + 1);
    await pool.read(planes.offsetsAt, offsets);
    const bands = stripBands(labelled, width * 4, bandBytes(pool, planes, LABEL_BAND));
    const runsOf = ({ y0, y1 }: Rows): number => offsets[y1] - offsets[y0];
    const most = bands.reduce((runs, band) => Math.max(runs, runsOf(band)), 0);
    const lanes = Math.min(laneCount(pool), bands.length);
    const slots = await scope.lanes(lanes, most * RUN_BYTES);
    const lists = await scope.lanes(lanes, listBytes(width));
    await timed(call, "labels", width * planes.rows * 4 + planeBytes(planes), () =>
      inLanes(call, "labels", bands, lanes, async ({ y0, y1, strip }, lane) => {
        const count = runsOf({ y0, y1 });
        const out = slots[lane];
        await runKernel(pool, "emitRuns", {
          ...rowsArguments(labelled, { y0, y1 }),
          map: mapAt + strip.base * 4,
          count,
          out,
          list: lists[lane],
        });
        await pool.fill(partOf(into, y0 * width, y1 * width), (rows) => {
          const table = pool.view(out, count * 4);
          let at = 0;
          for (let i = 0; i < count; i++) {
            const row = (table[i] - y0) * width;
            const begin = row + table[count + i];
            rows.fill(0, at, begin);
            at = row + table[2 * count + i];
            rows.fill(table[3 * count + i], begin, at);
          }
          rows.fill(0, at);
        });
      }),
    );
  });
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

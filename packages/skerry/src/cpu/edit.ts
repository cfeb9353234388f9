// Corrections by hand: the runs leave the engine's memory, are corrected on the host, and return as runs with labels.

import type { Call } from "../core/call.js";
import { Corrections, type EditPlan } from "../core/edits.js";
import { newPixels } from "../core/pixels.js";
import { Unsupported } from "../types/errors.js";
import type { PixelArray } from "../types/raster.js";
import { timed } from "./bands.js";
import type { Labelled } from "./components.js";
import { labelEdited } from "./components-labelled.js";
import type { Pool } from "./memory/pool.js";
import { runsInOrder } from "./runs.js";

/** Most rows, of all slices: as many as one Map holds. */
const MOST_ROWS = 2 ** 24;

/** Corrected objects. */
export interface EditedLabels {
  readonly labelled: Labelled;
  /** The values of the objects, if there were any. */
  readonly values: PixelArray | undefined;
  /** Per object, the label that it came from; 0 for one that was drawn. */
  readonly origins: Uint32Array;
  /** Edits without effect, by their indices. */
  readonly idle: Uint32Array;
}

/** The objects before their corrections, as runs on the host. */
export async function correctionsOf(pool: Pool, labelled: Labelled, call: Call): Promise<Corrections> {
  const { planes, connectivity, count } = labelled;
  if (planes.height * planes.depth > MOST_ROWS) {
    throw new Unsupported(`Corrections take at most ${MOST_ROWS} rows, got ${planes.height * planes.depth}.`);
  }
  const table = await runsInOrder(pool, labelled, { ...call, timings: [] });
  call.signal?.throwIfAborted();
  return new Corrections(table, { ...planes, connectivity, count });
}

/** Corrects objects, in O(runs) on the host. Memory is 40 bytes per run, N / 4 bytes for planes on the host, and those of the result. */
export async function editLabels(
  pool: Pool,
  labelled: Labelled,
  corrections: Corrections,
  { edits, ids }: EditPlan,
  values: PixelArray | undefined,
  call: Call,
): Promise<EditedLabels> {
  const { count, runCount } = labelled;
  const edited = await timed(call, "edit", runCount * 32, () => corrections.edit(edits, !ids, call));
  const { origins, numbers, idle } = edited;
  const left = values && (ids ? idsOf(values, numbers) : valuesOf(values, count, origins));
  const corrected = await labelEdited(pool, labelled, edited, call);
  return { labelled: corrected, values: left, origins, idle };
}

/** The ids of objects by their numbers: objects that remain keep theirs, and new ones take those above the greatest. */
function idsOf(ids: PixelArray, numbers: Uint32Array): PixelArray {
  let greatest = 0;
  for (const id of ids) greatest = Math.max(greatest, Math.floor(id));
  const news = numbers.reduce((most, number) => Math.max(most, number - ids.length), 0);
  const wide = news === 0 ? like(ids, numbers.length) : widened(ids, greatest + news, numbers.length);
  return wide.map((_, i) => {
    const number = numbers[i];
    return number <= ids.length ? ids[number - 1] : greatest + number - ids.length;
  }) as PixelArray;
}

const like = (ids: PixelArray, length: number): PixelArray =>
  new (ids.constructor as new (length: number) => PixelArray)(length);

/** An array for ids up to a greatest one: of the type of the given ids if it holds them, else of 32 bits. */
function widened(ids: PixelArray, greatest: number, length: number): PixelArray {
  // Beyond 2^24 floats skip whole numbers, of which some would be the same.
  const most = ids instanceof Float32Array ? 2 ** 24 : Number.POSITIVE_INFINITY;
  const fits = (array: PixelArray): boolean => array.fill(greatest)[0] === greatest && greatest <= most;
  if (fits(like(ids, 1))) return like(ids, length);
  const isSigned = ids instanceof Int16Array || ids instanceof Int32Array;
  const wide = isSigned ? new Int32Array(1) : new Uint32Array(1);
  if (ids instanceof Float32Array || !fits(wide)) {
    throw new Unsupported(
      `Expected room for the ids of new objects, above the greatest; the last would be ${greatest}.`,
    );
  }
  return newPixels(isSigned ? "i32" : "u32", length);
}

/** The values of objects by those that they came from; 0 of what was drawn. */
function valuesOf(values: PixelArray, count: number, origins: Uint32Array): PixelArray {
  const channels = values.length / count || 1;
  const taken = new (values.constructor as new (length: number) => PixelArray)(origins.length * channels);
  for (const [i, origin] of origins.entries()) {
    if (origin > 0) taken.set(values.subarray((origin - 1) * channels, origin * channels), i * channels);
  }
  return taken;
}

// Objects in batches, for work that goes from object to object: a thread takes tens of thousands of runs, or more pixels, at a time.

import type { Pool } from "./memory/pool.js";

/** Size of a thread's batch, unless one object has more. */
const BATCH = 1 << 15;

/** Objects [from, to) that are worked on together, and the sum of their sizes. */
export interface Batch {
  readonly index: number;
  readonly from: number;
  readonly to: number;
  readonly size: number;
}

/** Batches of objects 0 to `count`; one object of a large size is a batch of its own. */
export function batchesOf(count: number, sizeOf: (object: number) => number, most = BATCH): Batch[] {
  const batches: Batch[] = [];
  let [from, size] = [0, 0];
  const end = (to: number): void => {
    if (to > from) batches.push({ index: batches.length, from, to, size });
    [from, size] = [to, 0];
  };
  for (let object = 0; object < count; object++) {
    const own = sizeOf(object);
    if (own > most) end(object);
    size += own;
    if (size >= most) end(object + 1);
  }
  end(count);
  return batches;
}

/** Batches that lanes take side by side, and what the largest of them has. */
export interface Share {
  readonly batches: readonly Batch[];
  readonly lanes: number;
  readonly size: number;
  readonly objects: number;
}

/** Small batches, which threads take side by side, and large ones, each of one object, one after another. */
export function sharesOf(pool: Pool, batches: readonly Batch[], most = BATCH): Share[] {
  const isLarge = ({ size }: Batch): boolean => size > 2 * most;
  const shares = [
    { batches: batches.filter((batch) => !isLarge(batch)), lanes: pool.threads + 1 },
    { batches: batches.filter(isLarge), lanes: 1 },
  ];
  return shares
    .filter((share) => share.batches.length > 0)
    .map(({ batches: own, lanes }) => ({
      batches: own,
      lanes: Math.min(lanes, own.length),
      size: own.reduce((largest, { size }) => Math.max(largest, size), 0),
      objects: own.reduce((largest, { from, to }) => Math.max(largest, to - from), 0),
    }));
}

/** Points of the objects of a batch, as numbers in turn, and where each object's end. */
export interface PointLists {
  readonly points: Int32Array;
  readonly ends: Uint32Array;
}

/** The lists of all batches as one; ends count in units of so many numbers. */
export function joinLists(lists: readonly PointLists[], unit: number): PointLists {
  const points = new Int32Array(lists.reduce((sum, list) => sum + list.points.length, 0));
  const ends = new Uint32Array(lists.reduce((sum, list) => sum + list.ends.length, 0));
  let [object, at] = [0, 0];
  for (const list of lists) {
    points.set(list.points, at);
    for (const end of list.ends) ends[object++] = at / unit + end;
    at += list.points.length;
  }
  return { points, ends };
}

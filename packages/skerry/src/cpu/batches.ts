// Batches of objects, for work that goes from object to object. A thread takes tens of thousands of runs, or more pixels,
// at a time.

import type { Pool } from "./memory/pool.js";

/** Size of a thread's batch, in runs unless the caller counts otherwise. A larger object is a batch of its own. */
const BATCH = 1 << 15;

/** Objects [from, to) that one task processes, and the sum of their sizes. */
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
    const objectSize = sizeOf(object);
    if (objectSize > most) end(object);
    size += objectSize;
    if (size >= most) end(object + 1);
  }
  end(count);
  return batches;
}

/** Batches for some lanes, and the largest size and number of objects of a batch. */
export interface Share {
  readonly batches: readonly Batch[];
  readonly lanes: number;
  readonly size: number;
  readonly objects: number;
}

/** Small batches, which lanes process in parallel, and large ones, which follow one at a time. A large one has one object. */
export function sharesOf(pool: Pool, batches: readonly Batch[], most = BATCH): Share[] {
  const isLarge = ({ size }: Batch): boolean => size > 2 * most;
  const shares = [
    { batches: batches.filter((batch) => !isLarge(batch)), lanes: pool.threads + 1 },
    { batches: batches.filter(isLarge), lanes: 1 },
  ];
  return shares
    .filter((share) => share.batches.length > 0)
    .map(({ batches: split, lanes }) => ({
      batches: split,
      lanes: Math.min(lanes, split.length),
      size: split.reduce((largest, { size }) => Math.max(largest, size), 0),
      objects: split.reduce((largest, { from, to }) => Math.max(largest, to - from), 0),
    }));
}

/** Points of a batch's objects, x and y in turn, and the end of each object's points. */
export interface PointLists {
  readonly points: Int32Array;
  readonly ends: Uint32Array;
}

/** Concatenates the lists of all batches. Ends count in units of `unit` numbers. */
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

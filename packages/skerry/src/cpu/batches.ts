// Objects in batches, for work that goes from object to object: a thread takes tens of thousands of runs, or more pixels, at a time.

import type { Pool } from "./pool.js";

/** What a thread takes at once, unless one object has more. */
const BATCH = 1 << 15;

/** Objects that are worked on together, by their places in a list, and the sum of their sizes. */
export interface Batch {
  readonly index: number;
  readonly from: number;
  readonly to: number;
  readonly size: number;
}

/** Batches of listed labels; one object of a large size is a batch of its own. */
export function batchesOf(labels: Uint32Array, sizeOf: (label: number) => number, most = BATCH): Batch[] {
  const batches: Batch[] = [];
  let [from, size] = [0, 0];
  const end = (to: number): void => {
    if (to > from) batches.push({ index: batches.length, from, to, size });
    [from, size] = [to, 0];
  };
  for (const [i, label] of labels.entries()) {
    const own = sizeOf(label);
    if (own > most) end(i);
    size += own;
    if (size >= most) end(i + 1);
  }
  end(labels.length);
  return batches;
}

/** Small batches, which threads take side by side, and large ones, each of one object, one after another. */
export function sharesOf(
  pool: Pool,
  batches: readonly Batch[],
  most = BATCH,
): { readonly batches: readonly Batch[]; readonly lanes: number }[] {
  const isLarge = ({ size }: Batch): boolean => size > 2 * most;
  return [
    { batches: batches.filter((batch) => !isLarge(batch)), lanes: pool.threads + 1 },
    { batches: batches.filter(isLarge), lanes: 1 },
  ].filter((share) => share.batches.length > 0);
}

// Tells label images from photographs: their values come in areas.

import type { Raster } from "skerry";

/** Rows of which neighbours are compared. */
const COMPARED_ROWS = 64;
/** Largest id of a label image that is told from greys. */
const MOST_IDS = 2 ** 20;

/** How many neighbours in rows are both foreground, and how many of these differ. */
export function neighboursOf({ data, width, height, depth = 1 }: Raster): {
  readonly pairs: number;
  readonly changes: number;
} {
  const step = Math.max(1, Math.floor((height * depth) / COMPARED_ROWS));
  let [pairs, changes] = [0, 0];
  for (let row = 0; row < height * depth; row += step) {
    for (let at = row * width + 1; at < (row + 1) * width; at++) {
      if (data[at] === 0 || data[at - 1] === 0) continue;
      pairs++;
      if (data[at] !== data[at - 1]) changes++;
    }
  }
  return { pairs, changes };
}

/**
 * The number of ids of a picture that looks like a label image, and the largest: whole numbers from 0 on, which rarely change within
 * the foreground. Undefined for others.
 */
export function idsIn(raster: Raster): { readonly count: number; readonly most: number } | undefined {
  const { data, channels = 1 } = raster;
  if (channels > 1 || data instanceof Float32Array) return undefined;
  // Some rows tell a photograph, so that only few pictures are read as a whole.
  const { pairs, changes } = neighboursOf(raster);
  if (changes * 5 > pairs) return undefined;
  let most = 0;
  // An iterator takes ten times as long.
  for (let i = 0; i < data.length; i++) {
    if (data[i] < 0 || data[i] > MOST_IDS) return undefined;
    if (data[i] > most) most = data[i];
  }
  const present = new Uint8Array(most + 1);
  for (let i = 0; i < data.length; i++) present[data[i]] = 1;
  const count = present.reduce((sum, one) => sum + one, 0) - present[0];
  return present[0] === 0 ? undefined : { count, most };
}

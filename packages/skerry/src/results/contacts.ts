// Contacts: pairs of objects that touch, from the run table.

import { turn } from "#event-loop";
import { LargeMap } from "../core/large-map.js";
import type { Size } from "../core/pixels.js";
import type { CallOptions } from "../types/calls.js";
import { Unsupported } from "../types/errors.js";
import type { Contacts, Runs } from "../types/labels.js";

/** Runs between two turns of the event loop. */
const RUNS_PER_TURN = 1 << 18;

/**
 * Counts the edges (faces) that runs of different labels share: along a row where one ends as the next begins, and over
 * the pixels in which runs of neighbouring rows overlap. `runs` are in raster order.
 */
export async function contactsOf(
  { count, row, begin, end, label }: Runs,
  { height, depth, count: objects }: Size & { count: number },
  { signal }: CallOptions,
): Promise<Contacts> {
  // A pair of labels is one number as key, which must be exact.
  const base = objects + 1;
  if (base * base >= 2 ** 53) throw new Unsupported(`Expected fewer than 94 million objects, got ${objects}.`);
  const rows = height * depth;
  const firsts = new Uint32Array(rows + 1);
  for (let i = 0; i < count; i++) firsts[row[i] + 1] = i + 1;
  for (let r = 1; r <= rows; r++) firsts[r] = Math.max(firsts[r], firsts[r - 1]);
  const shared = new LargeMap();
  const enter = (key: number, more: number): void => {
    if (more > 0) shared.set(key, (shared.get(key) ?? 0) + more);
  };
  // Mostly the same pair repeats, so the map is only updated when the pair changes.
  let [pair, faces] = [0, 0];
  const add = (a: number, b: number, more: number): void => {
    if (a === b) return;
    const key = Math.min(a, b) * base + Math.max(a, b); // wide: base * base < 2^53
    if (key !== pair) {
      enter(pair, faces);
      [pair, faces] = [key, 0];
    }
    faces += more;
  };
  const meet = (r: number, other: number): void => {
    let [i, j] = [firsts[r], firsts[other]];
    const [iEnd, jEnd] = [firsts[r + 1], firsts[other + 1]];
    while (i < iEnd && j < jEnd) {
      const [endI, endJ] = [end[i], end[j]];
      const overlap = Math.min(endI, endJ) - Math.max(begin[i], begin[j]);
      if (overlap > 0) add(label[i], label[j], overlap);
      if (endI < endJ) i++;
      else j++;
    }
  };
  let sinceTurn = 0;
  for (let r = 0; r < rows; r++) {
    const [from, to] = [firsts[r], firsts[r + 1]];
    for (let i = from + 1; i < to; i++) {
      if (begin[i] === end[i - 1]) add(label[i], label[i - 1], 1);
    }
    if (r % height > 0) meet(r, r - 1);
    if (r >= height) meet(r, r - height);
    sinceTurn += to - from;
    if (sinceTurn < RUNS_PER_TURN) continue;
    sinceTurn = 0;
    await turn();
    signal?.throwIfAborted();
  }
  enter(pair, faces);
  const keys = new Float64Array(shared.size);
  let listed = 0;
  for (const key of shared.keys()) keys[listed++] = key;
  keys.sort();
  return {
    count: keys.length,
    first: Uint32Array.from(keys, (key) => Math.floor(key / base)),
    second: Uint32Array.from(keys, (key) => key % base),
    faces: Float64Array.from(keys, (key) => shared.get(key) as number),
  };
}

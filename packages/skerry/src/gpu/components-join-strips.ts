// Joins strips that were labelled one by one: a union over the components that meet at the seams, as plain records.
// Components that do not touch a seam are not visited.

import type { Connectivity } from "../api/types.js";

/** The pixels beyond a seam that a pixel touches, by connectivity: dx, and in volumes dy. */
const STEPS: Record<Connectivity, readonly (readonly [number, number])[]> = {
  4: [[0, 0]],
  8: stepsWithin(1, 0),
  6: [[0, 0]],
  18: stepsWithin(1, 1).filter(([dx, dy]) => dx === 0 || dy === 0),
  26: stepsWithin(1, 1),
};

function stepsWithin(x: number, y: number): (readonly [number, number])[] {
  const steps: (readonly [number, number])[] = [];
  for (let dy = -y; dy <= y; dy++) for (let dx = -x; dx <= x; dx++) steps.push([dx, dy]);
  return steps;
}

/** Per class, the strip's component of each pixel of a row, or of a slice, from 1; 0 for others. */
export type SeamRow = readonly Uint32Array[];

/** The mapping from the strips' components to labels of the image. */
export interface Joined {
  /** Labels that come before each strip's own. */
  readonly bases: readonly number[];
  /** Per strip, pairs of a component that was joined to an earlier one, ascending, and its label. */
  readonly joined: readonly Uint32Array[];
  readonly count: number;
}

/**
 * Joins components at the seams. `counts` are the numbers of components per strip. `seams[i]` are the rows, or slices
 * of rows of `width` pixels, that meet between strips i and i + 1. Components keep their order; one that meets an
 * earlier one takes its label. O(pixels) per seam, plus a sort of the joined components.
 */
export function joinStrips(
  counts: readonly number[],
  seams: readonly { above: SeamRow; below: SeamRow }[],
  width: number,
  connectivity: Connectivity,
): Joined {
  const steps = STEPS[connectivity];
  const offsets = [0];
  for (const count of counts) offsets.push((offsets.at(-1) as number) + count);
  // Parents of those that met an earlier one; all others are their own.
  const parents = new Map<number, number>();
  const find = (x: number): number => {
    let root = x;
    for (let up = parents.get(root); up !== undefined; up = parents.get(root)) root = up;
    for (let at = x; at !== root; ) {
      const up = parents.get(at) as number;
      parents.set(at, root);
      at = up;
    }
    return root;
  };
  const unite = (x: number, y: number): void => {
    const [a, b] = [find(x), find(y)];
    if (a !== b) parents.set(Math.max(a, b), Math.min(a, b));
  };
  for (const [index, { above, below }] of seams.entries()) {
    const [up, down] = [offsets[index], offsets[index + 1]];
    for (const [plane, row] of below.entries()) {
      const other = above[plane] as Uint32Array;
      let last = -1;
      for (let at = 0; at < row.length; at++) {
        const label = row[at];
        if (label === 0) continue;
        const x = at % width;
        for (const [dx, dy] of steps) {
          // What lies beyond the last row, or above the first, is not there.
          const met = x + dx >= 0 && x + dx < width ? other[at + dy * width + dx] : 0;
          if (!met || met * 2 ** 32 + label === last) continue;
          last = met * 2 ** 32 + label;
          unite(up + met, down + label);
        }
      }
    }
  }
  const gone = [...parents.keys()].sort((a, b) => a - b);
  const before = (key: number): number => {
    let [low, high] = [0, gone.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (gone[middle] < key) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const joined = counts.map((_, index) => {
    const [from, to] = [before(offsets[index] + 1), before(offsets[index + 1] + 1)];
    const pairs = new Uint32Array(2 * (to - from));
    for (let i = from; i < to; i++) {
      const key = gone[i];
      const root = find(key);
      pairs[2 * (i - from)] = key - offsets[index];
      pairs[2 * (i - from) + 1] = root - before(root);
    }
    return pairs;
  });
  const bases = counts.map((_, index) => offsets[index] - before(offsets[index] + 1));
  return { bases, joined, count: (offsets.at(-1) as number) - gone.length };
}

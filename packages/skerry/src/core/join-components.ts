// Joins components of parts of an image (strips, slabs, blocks) that were labelled on their own. Components that meet at a seam
// are united, and all are numbered as if the whole image had been labelled at once. Components that touch no seam are not
// visited. The kernel `joinStrips` (cpu/assembly/components-join-strips.ts) is a faster version for strips in the CPU's memory.

import { Unsupported } from "../types/errors.js";
import type { Connectivity } from "../types/raster.js";
import { rootOf } from "./roots.js";

/** Two components that touch across a seam, by ids that are whole numbers from 0 to 2^53 - 1. */
export type Meeting = readonly [number, number];

/** Components that were united with one of a lower id: their ids, and the lowest id of their object. */
export interface Joins {
  /** Ascending. */
  readonly ids: Float64Array;
  readonly roots: Float64Array;
}

/**
 * Unites components that meet. The lowest id identifies an object, so the result does not depend on the order of the
 * meetings. O(n log n) time and 32 n bytes for n meetings; components that meet no other take no memory.
 */
export function joinComponents(meetings: Iterable<Meeting>): Joins {
  const pairs = new Pairs();
  for (const [a, b] of meetings) pairs.add(a, b);
  const ids = distinct(pairs.values.slice());
  // Ranks keep the order of ids, so the lowest rank of an object has its lowest id.
  const parents = Uint32Array.from(ids, (_, rank) => rank);
  const { values } = pairs;
  for (let i = 0; i < values.length; i += 2) {
    const [a, b] = [rootOf(parents, countBelow(ids, values[i])), rootOf(parents, countBelow(ids, values[i + 1]))];
    if (a !== b) parents[Math.max(a, b)] = Math.min(a, b);
  }
  const [gone, roots] = [new Float64Array(ids.length), new Float64Array(ids.length)];
  let count = 0;
  for (let rank = 0; rank < ids.length; rank++) {
    const root = rootOf(parents, rank);
    if (root === rank) continue;
    gone[count] = ids[rank];
    roots[count++] = ids[root];
  }
  return { ids: gone.slice(0, count), roots: roots.slice(0, count) };
}

/** The number of values below `key` in an ascending list: its index, or the index at which it would be inserted. */
export function countBelow(ascending: Float64Array, key: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (ascending[middle] < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A list of pairs that grows. */
class Pairs {
  #values = new Float64Array(256);
  #length = 0;

  add(a: number, b: number): void {
    if (this.#length === this.#values.length) {
      const wider = new Float64Array(this.#length * 2);
      wider.set(this.#values);
      this.#values = wider;
    }
    this.#values[this.#length++] = a;
    this.#values[this.#length++] = b;
  }

  get values(): Float64Array {
    return this.#values.subarray(0, this.#length);
  }
}

/** Sorts numbers in place, and returns the distinct ones. */
function distinct(values: Float64Array): Float64Array {
  values.sort();
  let count = 0;
  for (let i = 0; i < values.length; i++) {
    if (i === 0 || values[i] !== values[i - 1]) values[count++] = values[i];
  }
  return values.slice(0, count);
}

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

/** One side of a seam: the component of each pixel of a row, or of a face in rows of `width`, from 1; 0 for background. */
export interface SeamSide {
  readonly labels: Uint32Array;
  /** The id of component 1 of the part. */
  readonly first: number;
}

/**
 * The components that meet across a seam along any axis, from the sides before and after it. A meeting that repeats the one
 * before it is returned once; other repetitions are kept.
 */
export function* meetingsAt(
  before: SeamSide,
  after: SeamSide,
  width: number,
  connectivity: Connectivity,
): Generator<Meeting> {
  const steps = STEPS[connectivity];
  const [above, below] = [before.labels, after.labels];
  let [lastMet, lastLabel] = [0, 0];
  for (let at = 0; at < below.length; at++) {
    const label = below[at];
    if (label === 0) continue;
    const x = at % width;
    for (const [dx, dy] of steps) {
      // Outside the face, `above` is undefined: there is no pixel.
      const met = x + dx >= 0 && x + dx < width ? above[at + dy * width + dx] : 0;
      if (!met || (met === lastMet && label === lastLabel)) continue;
      [lastMet, lastLabel] = [met, label];
      yield [before.first + met - 1, after.first + label - 1];
    }
  }
}

/** The mapping from the components of strips to labels of the image. */
export interface NumberedStrips {
  /** Number of labels before each strip's first label. */
  readonly bases: readonly number[];
  /** Per strip, pairs of a component that was joined to an earlier one and its label; ascending by component. */
  readonly joined: readonly Uint32Array[];
  readonly count: number;
}

/**
 * Numbers the components of consecutive strips in their order. A component that was joined to an earlier one takes its
 * label. `counts` are the numbers of components per strip; ids run through all strips from 0.
 *
 * @throws {Unsupported} for 2^32 objects or more, which labels of 32 bits cannot number
 */
export function numberStrips(counts: readonly number[], { ids, roots }: Joins): NumberedStrips {
  const bases: number[] = [];
  const joined: Uint32Array[] = [];
  let first = 0;
  for (const count of counts) {
    const [from, to] = [countBelow(ids, first), countBelow(ids, first + count)];
    const pairs = new Uint32Array(2 * (to - from));
    for (let i = from; i < to; i++) {
      pairs[2 * (i - from)] = ids[i] - first + 1;
      pairs[2 * (i - from) + 1] = roots[i] + 1 - countBelow(ids, roots[i]);
    }
    bases.push(first - from);
    joined.push(pairs);
    first += count;
  }
  const count = first - ids.length;
  if (count >= 2 ** 32) throw new Unsupported(`Expected fewer than 2^32 objects, got ${count}.`);
  return { bases, joined, count };
}

// Cuts rings that visit a corner twice into simple rings:
//
//     ####      with 4 neighbours the object's ring visits the corner between the two gaps twice;
//     #.##      after a cut there, the enclosed gap is a hole that touches the ring
//     ##.#
//     ##.

import { turn } from "#event-loop";
import type { Outlines } from "../types/outlines.js";
import type { Call } from "./call.js";
import { areaOf } from "./rings.js";

/** A ring of fewer numbers cannot touch itself, because that needs eight corners of two numbers. */
const LEAST_NUMBERS = 16;

/** Numbers between two turns of the event loop. */
const NUMBERS_PER_TURN = 1 << 20;

/**
 * Cuts rings where they visit a corner for the second time. Of a ring around an object, the part with a positive area stays the
 * ring, and the other parts become its holes. Parts of a hole are holes of the same ring. O(corners).
 */
export async function cutRings(outlines: Outlines, call: Call): Promise<Outlines> {
  const { count, points, rings, label, hole, outer } = outlines;
  const pieces: { points: Int32Array; label: number; hole: number; outer: number }[] = [];
  // The new number of each ring around an object.
  const numbers = new Uint32Array(count);
  let isCut = false;
  let sinceTurn = 0;
  for (let ring = 0; ring < count; ring++) {
    const corners = points.subarray(rings[ring], rings[ring + 1]);
    const parts = corners.length < LEAST_NUMBERS ? [corners] : partsOf(corners);
    isCut ||= parts.length > 1;
    // The part around the others comes first.
    if (parts.length > 1 && !hole[ring]) parts.sort((a, b) => areaOf(b) - areaOf(a));
    if (!hole[ring]) numbers[ring] = pieces.length;
    for (const [i, part] of parts.entries()) {
      const isHole = hole[ring] || areaOf(part) < 0 ? 1 : 0;
      const around = isHole ? numbers[outer[ring]] : pieces.length;
      pieces.push({ points: part, label: label[ring], hole: i === 0 ? hole[ring] : isHole, outer: around });
    }
    sinceTurn += corners.length;
    if (sinceTurn < NUMBERS_PER_TURN) continue;
    sinceTurn = 0;
    await turn();
    call.signal?.throwIfAborted();
  }
  return isCut ? joined(pieces) : outlines;
}

function joined(pieces: readonly { points: Int32Array; label: number; hole: number; outer: number }[]): Outlines {
  const count = pieces.length;
  const rings = new Uint32Array(count + 1);
  pieces.forEach(({ points }, i) => {
    rings[i + 1] = rings[i] + points.length;
  });
  const points = new Int32Array(rings[count]);
  for (const [i, part] of pieces.entries()) points.set(part.points, rings[i]);
  return {
    count,
    points,
    rings,
    label: Uint32Array.from(pieces, (each) => each.label),
    hole: Uint8Array.from(pieces, (each) => each.hole),
    outer: Uint32Array.from(pieces, (each) => each.outer),
  };
}

/** The simple parts of a ring; each begins at its first corner in raster order. */
function partsOf(ring: Int32Array): Int32Array[] {
  const corners = ring.length / 2;
  const places = new Places(corners);
  const path = new Int32Array(ring.length);
  const parts: Int32Array[] = [];
  let length = 0;
  for (let i = 0; i < ring.length; i += 2) {
    const [x, y] = [ring[i], ring[i + 1]];
    const before = places.at(x, y);
    if (before >= 0 && path[before] === x && path[before + 1] === y && before < length) {
      parts.push(turned(path.slice(before, length)));
      length = before;
    }
    path[length] = x;
    path[length + 1] = y;
    places.put(x, y, length);
    length += 2;
  }
  parts.push(parts.length === 0 ? ring : turned(path.slice(0, length)));
  return parts;
}

/** The same ring, beginning at its first corner in raster order. */
function turned(ring: Int32Array): Int32Array {
  let first = 0;
  for (let i = 2; i < ring.length; i += 2) {
    if (ring[i + 1] < ring[first + 1] || (ring[i + 1] === ring[first + 1] && ring[i] < ring[first])) first = i;
  }
  if (first === 0) return ring;
  const other = new Int32Array(ring.length);
  other.set(ring.subarray(first));
  other.set(ring.subarray(0, first), ring.length - first);
  return other;
}

/** Last place of each corner on a path: a hash table with linear probing. */
class Places {
  readonly #mask: number;
  /** x, y and the place on the path, plus one; 0 is free. */
  readonly #table: Int32Array;

  constructor(corners: number) {
    const size = 2 ** Math.ceil(Math.log2(corners * 2));
    this.#mask = size - 1;
    this.#table = new Int32Array(size * 3);
  }

  #slotOf(x: number, y: number): number {
    const table = this.#table;
    let slot = (Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca6b)) >>> 0;
    for (slot = (slot ^ (slot >>> 15)) & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const at = 3 * slot;
      if (table[at + 2] === 0 || (table[at] === x && table[at + 1] === y)) return at;
    }
  }

  /** The place of a corner, -1 for none. */
  at(x: number, y: number): number {
    return this.#table[this.#slotOf(x, y) + 2] - 1;
  }

  put(x: number, y: number, place: number): void {
    const at = this.#slotOf(x, y);
    this.#table[at] = x;
    this.#table[at + 1] = y;
    this.#table[at + 2] = place + 1;
  }
}

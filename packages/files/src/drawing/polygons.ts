// Outlines as polygons: the rings around the parts of each object, each with the rings of its holes.

import type { Outlines } from "skerry";

/** The outer ring of a polygon and the rings of its holes: x and y in turn. */
export interface Polygon {
  readonly outer: Int32Array;
  readonly holes: readonly Int32Array[];
}

/** The polygons of an object: usually one, several if the object has several parts. */
export interface Shape {
  readonly label: number;
  readonly polygons: readonly Polygon[];
}

/** Coordinates of the smallest ring with an area: three corners. Simplified rings may be lines. */
const LEAST_NUMBERS = 6;

/** The polygons of each object, in the order of labels. An object whose simplified rings are all lines has no polygon. */
export function* shapesOf({ count, points, rings, label, hole, outer }: Outlines): Generator<Shape> {
  for (let from = 0; from < count; ) {
    let to = from + 1;
    while (to < count && label[to] === label[from]) to++;
    const polygons = new Map<number, { outer: Int32Array; holes: Int32Array[] }>();
    for (const isHole of [0, 1]) {
      for (let i = from; i < to; i++) {
        const ring = points.subarray(rings[i], rings[i + 1]);
        if (hole[i] !== isHole || ring.length < LEAST_NUMBERS) continue;
        if (isHole) polygons.get(outer[i])?.holes.push(ring);
        else polygons.set(i, { outer: ring, holes: [] });
      }
    }
    yield { label: label[from], polygons: [...polygons.values()] };
    from = to;
  }
}

/** The shoelace area of a ring: positive around objects, negative around holes. */
export function areaOf(ring: Int32Array): number {
  let twice = 0;
  for (let i = 0, before = ring.length - 2; i < ring.length; before = i, i += 2) {
    twice += ring[before] * ring[i + 1] - ring[i] * ring[before + 1];
  }
  return twice / 2;
}

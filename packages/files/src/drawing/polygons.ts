// Outlines as polygons: the rings around the parts of each object, each with the rings of its holes.

import type { Outlines } from "skerry";

/** A ring around something, and those of its holes: x and y in turn. */
export interface Polygon {
  readonly outer: Int32Array;
  readonly holes: readonly Int32Array[];
}

/** The polygons of an object: one as a rule, more where it lies in pieces. */
export interface Shape {
  readonly label: number;
  readonly polygons: readonly Polygon[];
}

/** Rings by object, in the order of labels. */
export function* shapesOf({ count, points, rings, label, hole }: Outlines): Generator<Shape> {
  for (let from = 0; from < count; ) {
    let to = from + 1;
    while (to < count && label[to] === label[from]) to++;
    const own = Array.from({ length: to - from }, (_, i) => points.subarray(rings[from + i], rings[from + i + 1]));
    const polygons = own.filter((_, i) => !hole[from + i]).map((outer) => ({ outer, holes: [] as Int32Array[] }));
    own.forEach((ring, i) => {
      if (!hole[from + i]) return;
      // The pixel on the left of a hole's first one is the object's.
      const [x, y] = [ring[0] - 0.5, ring[1] + 0.5];
      const around = polygons.length > 1 ? polygons.find(({ outer }) => isInside(outer, x, y)) : polygons[0];
      (around ?? polygons[0])?.holes.push(ring);
    });
    yield { label: label[from], polygons };
    from = to;
  }
}

/** Whether a point lies in a ring: an odd number of its borders are on the left of it. */
function isInside(ring: Int32Array, x: number, y: number): boolean {
  let inside = false;
  for (let i = 0, before = ring.length - 2; i < ring.length; before = i, i += 2) {
    const [ax, ay, bx, by] = [ring[before], ring[before + 1], ring[i], ring[i + 1]];
    if (ay > y !== by > y && x > ax + ((y - ay) / (by - ay)) * (bx - ax)) inside = !inside;
  }
  return inside;
}

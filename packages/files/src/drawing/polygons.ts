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

/** Corners of the smallest ring with an area. Simplified rings may be lines. */
const LEAST_NUMBERS = 6;

/** Rings by object, in the order of labels; an object of which only lines are left has no polygon. */
export function* shapesOf({ count, points, rings, label, hole }: Outlines): Generator<Shape> {
  for (let from = 0; from < count; ) {
    let to = from + 1;
    while (to < count && label[to] === label[from]) to++;
    const own = Array.from({ length: to - from }, (_, i) => ({
      ring: points.subarray(rings[from + i], rings[from + i + 1]),
      isHole: hole[from + i] === 1,
    })).filter(({ ring }) => ring.length >= LEAST_NUMBERS);
    const polygons = own
      .filter(({ isHole }) => !isHole)
      .map(({ ring }) => ({ outer: ring, holes: [] as Int32Array[] }));
    for (const { ring, isHole } of own) {
      if (isHole) around(polygons, ring)?.holes.push(ring);
    }
    yield { label: label[from], polygons };
    from = to;
  }
}

/** The polygon that a hole lies in: the smallest one with most of the hole's sides within it, since pieces may lie in holes. */
function around<P extends Polygon>(polygons: readonly P[], ring: Int32Array): P | undefined {
  if (polygons.length < 2) return polygons[0];
  const sides = ring.length / 2;
  const found = polygons
    .map((polygon) => {
      let within = 0;
      for (let i = 0; i < ring.length; i += 2) {
        const next = (i + 2) % ring.length;
        const [x, y] = [(ring[i] + ring[next]) / 2, (ring[i + 1] + ring[next + 1]) / 2];
        if (isInside(polygon.outer, x, y)) within++;
      }
      return { polygon, within, area: Math.abs(areaOf(polygon.outer)) };
    })
    .sort((a, b) => Number(2 * b.within > sides) - Number(2 * a.within > sides) || a.area - b.area);
  return found[0].polygon;
}

/** The shoelace area of a ring: positive around objects, negative around holes. */
export function areaOf(ring: Int32Array): number {
  let twice = 0;
  for (let i = 0, before = ring.length - 2; i < ring.length; before = i, i += 2) {
    twice += ring[before] * ring[i + 1] - ring[i] * ring[before + 1];
  }
  return twice / 2;
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

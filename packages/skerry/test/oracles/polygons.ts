// Whether polygons are valid by the OGC's rules, from their definition: every pair of sides is compared. Returns what is wrong.

import type { Outlines } from "skerry";

type Point = readonly [number, number];
type Ring = readonly Point[];

const cross = (a: Point, b: Point, c: Point): number => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
const isSame = (a: Point, b: Point): boolean => a[0] === b[0] && a[1] === b[1];
const isOn = (p: Point, a: Point, b: Point): boolean =>
  cross(a, b, p) === 0 &&
  Math.min(a[0], b[0]) <= p[0] &&
  p[0] <= Math.max(a[0], b[0]) &&
  Math.min(a[1], b[1]) <= p[1] &&
  p[1] <= Math.max(a[1], b[1]);

/** Whether sides have more in common than one end of both. */
function clash(a: Point, b: Point, c: Point, d: Point): boolean {
  const shared = [a, b].filter((p) => isSame(p, c) || isSame(p, d));
  if (shared.length === 2) return true;
  if (shared.length === 1) {
    const [p] = shared as [Point];
    const other = isSame(a, p) ? b : a;
    const far = isSame(c, p) ? d : c;
    return isOn(other, c, d) || isOn(far, a, b);
  }
  if ([c, d].some((p) => isOn(p, a, b)) || [a, b].some((p) => isOn(p, c, d))) return true;
  return cross(a, b, c) > 0 !== cross(a, b, d) > 0 && cross(c, d, a) > 0 !== cross(c, d, b) > 0;
}

function isInside(ring: Ring, [x, y]: Point): boolean {
  let inside = false;
  ring.forEach((a, i) => {
    const b = ring[(i + 1) % ring.length]!;
    if (a[1] > y !== b[1] > y && x > a[0] + ((y - a[1]) / (b[1] - a[1])) * (b[0] - a[0])) inside = !inside;
  });
  return inside;
}

const sidesOf = (ring: Ring): [Point, Point][] => ring.map((a, i) => [a, ring[(i + 1) % ring.length]!]);

/** A place within the angle of a ring's corner and the next: the middle of its first side. */
const middle = ([a, b]: Ring): Point => [(a![0] + b![0]) / 2, (a![1] + b![1]) / 2];

/** The first fault of an object's polygons, if any. */
export function faultOf(outlines: Outlines): string | undefined {
  const rings: Ring[] = Array.from({ length: outlines.count }, (_, i) => {
    const own = [...outlines.points.subarray(outlines.rings[i], outlines.rings[i + 1])];
    return Array.from({ length: own.length / 2 }, (_, k): Point => [own[2 * k]!, own[2 * k + 1]!]);
  });
  for (const [i, ring] of rings.entries()) {
    const name = `ring ${i} ${JSON.stringify(ring)}`;
    if (new Set(ring.map(String)).size < Math.max(3, ring.length)) return `${name} has too few corners, or one twice`;
    const area = sidesOf(ring).reduce((sum, [a, b]) => sum + a[0] * b[1] - b[0] * a[1], 0);
    if (area === 0 || area < 0 !== (outlines.hole[i] === 1)) return `${name} has the area ${area / 2}`;
  }
  for (let a = 0; a < rings.length; a++) {
    for (let b = a; b < rings.length; b++) {
      if (outlines.label[a] !== outlines.label[b]) continue;
      for (const [i, one] of sidesOf(rings[a]!).entries()) {
        for (const [k, two] of sidesOf(rings[b]!).entries()) {
          if (a === b && k <= i) continue;
          if (clash(...one, ...two)) return `rings ${a} and ${b} meet at ${JSON.stringify([one, two])}`;
        }
      }
    }
  }
  for (const [i, ring] of rings.entries()) {
    for (const [k, other] of rings.entries()) {
      if (i === k || outlines.label[i] !== outlines.label[k]) continue;
      const inside = isInside(other, middle(ring));
      if (outlines.hole[i] === 0) {
        // Pieces lie in holes of others, or apart: not in another piece without lying in one of its holes.
        const inHole = rings.some(
          (hole, h) => outlines.hole[h] && outlines.outer[h] === k && isInside(hole, middle(ring)),
        );
        if (outlines.hole[k] === 0 && inside && !inHole) return `piece ${i} lies in piece ${k}`;
        continue;
      }
      if (outlines.outer[i] === k && !inside) return `hole ${i} lies outside ring ${k}`;
      if (outlines.outer[k] === outlines.outer[i] && outlines.hole[k] && inside) return `hole ${i} lies in hole ${k}`;
    }
  }
  return chainFault(rings, outlines);
}

/** Rings of a polygon that touch in a circle cut its interior in two. */
function chainFault(rings: readonly Ring[], { outer }: Outlines): string | undefined {
  const parents = new Map<string, string>();
  const find = (key: string): string => {
    const up = parents.get(key);
    return up === undefined ? key : find(up);
  };
  const seen = new Map<string, number>();
  for (const [i, ring] of rings.entries())
    for (const p of ring) seen.set(`${outer[i]} ${p}`, (seen.get(`${outer[i]} ${p}`) ?? 0) + 1);
  for (const [i, ring] of rings.entries()) {
    for (const p of ring) {
      const key = `${outer[i]} ${p}`;
      if ((seen.get(key) ?? 0) < 2) continue;
      const [a, b] = [find(`ring ${i}`), find(key)];
      if (a === b) return `ring ${i} touches others in a circle at ${p}`;
      parents.set(a, b);
    }
  }
  return undefined;
}

// Finds faults of simplified rings: rings of one object that cross, touch or overlap each other, holes outside their ring,
// and rings without an area. Returns the corners that must stay. Rings simplified again with these corners are closer to the
// exact rings, which have no such faults.

import { turn } from "#event-loop";
import type { Outlines } from "../types/outlines.js";
import type { Call } from "./call.js";
import { areaOf } from "./rings.js";

/** Segments between two turns of the event loop. */
const SEGMENTS_PER_TURN = 1 << 16;

/** Groups of fewer segments are compared pair by pair. */
const FEW_SEGMENTS = 24;

/** Segments of the rings of one object. */
interface Segments {
  readonly count: number;
  /** x and y of both ends. */
  readonly ends: Int32Array;
  /** The ring of each segment. */
  readonly ring: Uint32Array;
  /** The first segment of each ring, and the end of the last. */
  readonly starts: Uint32Array;
  /** The first exact corner that each segment leaves out, as an index in the exact points. */
  readonly first: Uint32Array;
  /** The number of exact corners that each segment leaves out. */
  readonly left: Uint32Array;
}

/**
 * Places of corners that must stay, as y * pitch + x; none if there is no fault. `objects` are the first rings of the objects to
 * check. With `all` every corner left out by a faulty segment stays, else only the farthest. Usually O(n log n) for n simplified
 * corners.
 */
export async function conflictsOf(
  exact: Outlines,
  simplified: Outlines,
  objects: Iterable<number>,
  { pitch, all }: { readonly pitch: number; readonly all: boolean },
  call: Call,
): Promise<Uint32Array> {
  const places = new Set<number>();
  let sinceTurn = 0;
  for (const from of objects) {
    let to = from + 1;
    while (to < exact.count && exact.label[to] === exact.label[from]) to++;
    const segments = segmentsOf(exact, simplified, from, to);
    const faulty = new Set<number>();
    for (let ring = from; ring < to; ring++) {
      if (!isCollapsed(exact, simplified, ring)) continue;
      for (let i = segments.starts[ring - from]; i < segments.starts[ring - from + 1]; i++) {
        if (segments.left[i] > 0) faulty.add(i);
      }
    }
    findCrossings(segments, faulty);
    findTangles(segments, faulty);
    if (to - from > 1) findStrays(exact, segments, faulty);
    for (const segment of faulty) keepCorners(exact, segments, segment, { pitch, all }, places);
    sinceTurn += segments.count;
    if (sinceTurn < SEGMENTS_PER_TURN) continue;
    sinceTurn = 0;
    await turn();
    call.signal?.throwIfAborted();
  }
  return Uint32Array.from(places).sort();
}

/** The first ring of each object that has a ring for which `wanted` is true. */
export function objectsOf(
  { count, label }: Pick<Outlines, "count" | "label">,
  wanted: (ring: number) => boolean,
): number[] {
  const found: number[] = [];
  for (let ring = 0, first = 0; ring < count; ring++) {
    if (label[ring] !== label[first]) first = ring;
    if (found.at(-1) !== first && wanted(ring)) found.push(first);
  }
  return found;
}

const sameSign = (a: number, b: number): boolean => a > 0 === b > 0 && a !== 0;

function segmentsOf(exact: Outlines, simplified: Outlines, begin: number, end: number): Segments {
  const count = (simplified.rings[end] - simplified.rings[begin]) / 2;
  const outlines = {
    count,
    ends: new Int32Array(count * 4),
    ring: new Uint32Array(count),
    first: new Uint32Array(count),
    left: new Uint32Array(count),
    starts: new Uint32Array(end - begin + 1),
  };
  let segment = 0;
  for (let ring = begin; ring < end; ring++) {
    outlines.starts[ring - begin + 1] = (simplified.rings[ring + 1] - simplified.rings[begin]) / 2;
    const [from, to] = [exact.rings[ring], exact.rings[ring + 1]];
    const corners = simplified.points.subarray(simplified.rings[ring], simplified.rings[ring + 1]);
    let at = passTo(exact.points, from, from, to, corners[0], corners[1]).at;
    for (let i = 0; i < corners.length; i += 2, segment++) {
      const next = (i + 2) % corners.length;
      const [x, y] = [corners[next], corners[next + 1]];
      outlines.ends.set([corners[i], corners[i + 1], x, y], 4 * segment);
      outlines.ring[segment] = ring;
      outlines.first[segment] = at;
      const passed = passTo(exact.points, at, from, to, x, y);
      outlines.left[segment] = passed.corners;
      at = passed.at;
    }
  }
  return outlines;
}

/**
 * Walks along an exact ring from the corner at `at` to a point on it. Returns the number of corners before the point, and the
 * index of the next corner after it. The point may lie between two corners: junctions may lie on straight borders.
 */
function passTo(
  points: Int32Array,
  at: number,
  from: number,
  to: number,
  x: number,
  y: number,
): { readonly at: number; readonly corners: number } {
  const after = (place: number): number => (place + 2 < to ? place + 2 : from);
  for (let corners = 0, place = at; corners <= (to - from) / 2; corners++, place = after(place)) {
    if (points[place] === x && points[place + 1] === y) return { at: after(place), corners };
    const before = place === from ? to - 2 : place - 2;
    const [ax, ay, bx, by] = [points[before], points[before + 1], points[place], points[place + 1]];
    const between =
      (ax === bx && x === ax && (y - ay) * (y - by) < 0) || (ay === by && y === ay && (x - ax) * (x - bx) < 0);
    if (between && (corners > 0 || place === at)) return { at: place, corners };
  }
  throw new Error("a simplified corner is not on its ring");
}

/** Whether a ring has no area, or its direction is reversed. */
function isCollapsed(exact: Outlines, simplified: Outlines, ring: number): boolean {
  const points = simplified.points.subarray(simplified.rings[ring], simplified.rings[ring + 1]);
  const before = exact.points.subarray(exact.rings[ring], exact.rings[ring + 1]);
  return points.length < 6 || (points.length < before.length && !sameSign(areaOf(points), areaOf(before)));
}

/** Finds pairs of segments that meet elsewhere than in a common end, or overlap. */
function findCrossings(segments: Segments, faulty: Set<number>): void {
  const { count } = segments;
  const test = (a: number, b: number): void => {
    if (!meet(segments.ends, 4 * a, 4 * b)) return;
    faulty.add(a);
    faulty.add(b);
  };
  if (count <= FEW_SEGMENTS) {
    for (let a = 0; a < count; a++) for (let b = a + 1; b < count; b++) test(a, b);
    return;
  }
  const grid = new Grid(segments);
  grid.eachPair(test);
}

/** Twice the area of a triangle: positive if c is on the right of a to b, with y down. */
function side(ends: Int32Array, a: number, b: number, c: number): number {
  const [ax, ay] = [ends[a], ends[a + 1]];
  return (ends[b] - ax) * (ends[c + 1] - ay) - (ends[b + 1] - ay) * (ends[c] - ax);
}

const same = (ends: Int32Array, a: number, b: number): boolean => ends[a] === ends[b] && ends[a + 1] === ends[b + 1];

/** Whether a point on the line of a segment lies between its ends, or on one. */
function within(ends: Int32Array, segment: number, point: number): boolean {
  const [x, y] = [ends[point], ends[point + 1]];
  const [ax, ay, bx, by] = [ends[segment], ends[segment + 1], ends[segment + 2], ends[segment + 3]];
  return x >= Math.min(ax, bx) && x <= Math.max(ax, bx) && y >= Math.min(ay, by) && y <= Math.max(ay, by);
}

/** Whether segments with a common corner overlap: `other` and `far` are their other ends. */
function overlap(ends: Int32Array, common: number, other: number, far: number): boolean {
  if (side(ends, common, other, far) !== 0) return false;
  const [x, y] = [ends[common], ends[common + 1]];
  return (ends[other] - x) * (ends[far] - x) + (ends[other + 1] - y) * (ends[far + 1] - y) > 0;
}

function meet(ends: Int32Array, a: number, b: number): boolean {
  const [a1, a2, b1, b2] = [a, a + 2, b, b + 2];
  if (Math.max(ends[a1], ends[a2]) < Math.min(ends[b1], ends[b2])) return false;
  if (Math.max(ends[b1], ends[b2]) < Math.min(ends[a1], ends[a2])) return false;
  if (Math.max(ends[a1 + 1], ends[a2 + 1]) < Math.min(ends[b1 + 1], ends[b2 + 1])) return false;
  if (Math.max(ends[b1 + 1], ends[b2 + 1]) < Math.min(ends[a1 + 1], ends[a2 + 1])) return false;
  if (same(ends, a1, b1)) return overlap(ends, a1, a2, b2);
  if (same(ends, a1, b2)) return overlap(ends, a1, a2, b1);
  if (same(ends, a2, b1)) return overlap(ends, a2, a1, b2);
  if (same(ends, a2, b2)) return overlap(ends, a2, a1, b1);
  const [s1, s2] = [side(ends, a1, a2, b1), side(ends, a1, a2, b2)];
  if ((s1 > 0 && s2 > 0) || (s1 < 0 && s2 < 0)) return false;
  const [t1, t2] = [side(ends, b1, b2, a1), side(ends, b1, b2, a2)];
  if ((t1 > 0 && t2 > 0) || (t1 < 0 && t2 < 0)) return false;
  if (s1 === 0 && s2 === 0) return within(ends, a, b1) || within(ends, a, b2) || within(ends, b, a1);
  return true;
}

/** Finds common corners of rings at which one ring crosses another. */
function findTangles({ count, ends, ring }: Segments, faulty: Set<number>): void {
  // The segments sorted by their first corner, and the segment that ends where each begins.
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  order.sort((a, b) => ends[4 * a + 1] - ends[4 * b + 1] || ends[4 * a] - ends[4 * b]);
  const before = new Uint32Array(count);
  for (let i = 0, first = 0; i < count; i++) {
    if (i > 0 && ring[i] !== ring[i - 1]) first = i;
    const last = i + 1 === count || ring[i + 1] !== ring[i];
    if (last) before[first] = i;
    if (!last) before[i + 1] = i;
  }
  for (let i = 0; i < count; ) {
    let to = i + 1;
    while (to < count && same(ends, 4 * order[i], 4 * order[to])) to++;
    for (let a = i; a < to; a++) {
      for (let b = a + 1; b < to; b++) {
        const [one, two] = [order[a], order[b]];
        if (!interleave(ends, before[one], one, before[two], two)) continue;
        for (const segment of [before[one], one, before[two], two]) faulty.add(segment);
      }
    }
    i = to;
  }
}

/** Whether two paths through one corner cross; each enters it by one segment and leaves it by another. */
function interleave(ends: Int32Array, inA: number, outA: number, inB: number, outB: number): boolean {
  const [x, y] = [ends[4 * outA], ends[4 * outA + 1]];
  const away = (at: number): readonly [number, number] => [ends[at] - x, ends[at + 1] - y];
  const [p, q] = [away(4 * inA), away(4 * outA + 2)];
  const cross = (a: readonly [number, number], b: readonly [number, number]): number => a[0] * b[1] - a[1] * b[0];
  const inSector = (e: readonly [number, number]): boolean =>
    cross(p, q) > 0 ? cross(p, e) > 0 && cross(e, q) > 0 : !(cross(q, e) >= 0 && cross(e, p) >= 0);
  return inSector(away(4 * inB)) !== inSector(away(4 * outB + 2));
}

/**
 * Finds holes that are no longer within the ring around them, and pieces that lie in others. A ring has its object on its right.
 * So the nearest segment on the left of a hole must go upwards and be of the same polygon. On the left of a piece the nearest
 * segment, if any, must go downwards.
 */
function findStrays({ hole, outer }: Outlines, segments: Segments, faulty: Set<number>): void {
  const { ends, ring, starts, left } = segments;
  const grid = new Grid(segments);
  for (let r = 0; r + 1 < starts.length; r++) {
    const i = starts[r];
    const point = ring[i];
    // No part of the ring lies on the left of its first corner in raster order.
    let first = i;
    for (let k = i; k < starts[r + 1]; k++) {
      const higher = ends[4 * k + 1] - ends[4 * first + 1] || ends[4 * k] - ends[4 * first];
      if (higher < 0) first = k;
    }
    const beside = grid.nearestOnLeft(4 * first, point);
    const isUp = beside >= 0 && ends[4 * beside + 1] > ends[4 * beside + 3];
    if (hole[point] ? isUp && outer[ring[beside]] === outer[point] : !isUp) continue;
    // The ring's own simplified segments, and those of other rings near it.
    const box = [ends[4 * i], ends[4 * i + 1], ends[4 * i], ends[4 * i + 1]];
    for (let k = i; k < starts[r + 1]; k++) {
      if (left[k] > 0) faulty.add(k);
      box[0] = Math.min(box[0], ends[4 * k]);
      box[1] = Math.min(box[1], ends[4 * k + 1]);
      box[2] = Math.max(box[2], ends[4 * k]);
      box[3] = Math.max(box[3], ends[4 * k + 1]);
    }
    for (const k of grid.nearBox(box, (segment) => left[segment] > 0 && ring[segment] !== point)) faulty.add(k);
  }
}

/** Adds the corners that were left out on a segment: all, or the one farthest from it. */
function keepCorners(
  { points, rings }: Outlines,
  { ends, ring, first, left }: Segments,
  segment: number,
  { pitch, all }: { readonly pitch: number; readonly all: boolean },
  places: Set<number>,
): void {
  const [from, to] = [rings[ring[segment]], rings[ring[segment] + 1]];
  const at = 4 * segment;
  const [ax, ay, bx, by] = [ends[at], ends[at + 1], ends[at + 2], ends[at + 3]];
  let [best, most] = [-1, -1];
  for (let i = 0, place = first[segment]; i < left[segment]; i++, place = place + 2 < to ? place + 2 : from) {
    const [x, y] = [points[place], points[place + 1]];
    if (all) places.add(y * pitch + x); // wide: fewer than 2^32 corners
    const away = distanceTo(ax, ay, bx, by, x, y);
    // If corners are equally far, the first in raster order wins, whichever way the ring goes.
    if (away < most || (away === most && y * pitch + x > best)) continue;
    [best, most] = [y * pitch + x, away];
  }
  if (best >= 0) places.add(best);
}

function distanceTo(ax: number, ay: number, bx: number, by: number, x: number, y: number): number {
  const length = (bx - ax) ** 2 + (by - ay) ** 2;
  const along = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length));
  return Math.hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay));
}

/** A grid of cells, each with the list of segments that pass it. */
class Grid {
  readonly #segments: Segments;
  readonly #cell: number;
  readonly #columns: number;
  readonly #rows: number;
  readonly #x0: number;
  readonly #y0: number;
  readonly #starts: Uint32Array;
  readonly #list: Uint32Array;

  constructor(segments: Segments) {
    this.#segments = segments;
    const { count, ends } = segments;
    let [x0, y0, x1, y1] = [ends[0], ends[1], ends[0], ends[1]];
    for (let i = 0; i < 4 * count; i += 2) {
      x0 = Math.min(x0, ends[i]);
      x1 = Math.max(x1, ends[i]);
      y0 = Math.min(y0, ends[i + 1]);
      y1 = Math.max(y1, ends[i + 1]);
    }
    this.#x0 = x0;
    this.#y0 = y0;
    this.#cell = Math.max(1, Math.ceil(Math.sqrt(((x1 - x0 + 1) * (y1 - y0 + 1)) / count)));
    this.#columns = Math.floor((x1 - x0) / this.#cell) + 1;
    this.#rows = Math.floor((y1 - y0) / this.#cell) + 1;
    const starts = new Uint32Array(this.#columns * this.#rows + 1);
    for (let i = 0; i < count; i++) this.#eachCell(i, (cell) => starts[cell + 1]++);
    for (let cell = 1; cell < starts.length; cell++) starts[cell] += starts[cell - 1];
    const places = starts.slice();
    this.#list = new Uint32Array(starts[starts.length - 1]);
    for (let i = 0; i < count; i++) {
      this.#eachCell(i, (cell) => {
        this.#list[places[cell]++] = i;
      });
    }
    this.#starts = starts;
  }

  /** Calls `visit` for the cells of a segment: in each row of cells, those between its smallest and largest x in that row. */
  #eachCell(segment: number, visit: (cell: number) => void): void {
    const at = 4 * segment;
    const { ends } = this.#segments;
    const turned = ends[at + 1] > ends[at + 3];
    const [top, bottom] = turned ? [at + 2, at] : [at, at + 2];
    const [ax, ay] = [ends[top] - this.#x0, ends[top + 1] - this.#y0];
    const [bx, by] = [ends[bottom] - this.#x0, ends[bottom + 1] - this.#y0];
    const cell = this.#cell;
    const [firstRow, lastRow] = [Math.floor(ay / cell), Math.floor(by / cell)];
    for (let row = firstRow; row <= lastRow; row++) {
      const [y, end] = [Math.max(ay, row * cell), Math.min(by, (row + 1) * cell)];
      const xAt = (height: number): number => (by === ay ? ax : ax + ((height - ay) / (by - ay)) * (bx - ax));
      const [u, v] = by === ay ? [ax, bx] : [xAt(y), xAt(end)];
      // The margin of 1e-6 pixels covers rounding of the division.
      const from = Math.max(0, Math.floor((Math.min(u, v) - 1e-6) / cell));
      const to = Math.min(this.#columns - 1, Math.floor((Math.max(u, v) + 1e-6) / cell));
      for (let column = from; column <= to; column++) visit(row * this.#columns + column);
    }
  }

  eachPair(visit: (a: number, b: number) => void): void {
    const [starts, list] = [this.#starts, this.#list];
    for (let cell = 0; cell + 1 < starts.length; cell++) {
      for (let i = starts[cell]; i < starts[cell + 1]; i++) {
        for (let k = i + 1; k < starts[cell + 1]; k++) visit(list[i], list[k]);
      }
    }
  }

  /** Wanted segments in the cells of a box and its neighbours; the margin doubles until it holds at least one. */
  nearBox([x0, y0, x1, y1]: readonly number[], wanted: (segment: number) => boolean): Set<number> {
    const found = new Set<number>();
    for (let margin = 1; found.size === 0 && margin < 2 * Math.max(this.#columns, this.#rows); margin *= 2) {
      const cellsOf = (low: number, high: number, origin: number, most: number): readonly [number, number] => [
        Math.max(0, Math.floor((low - origin) / this.#cell) - margin),
        Math.min(most - 1, Math.floor((high - origin) / this.#cell) + margin),
      ];
      const [left, right] = cellsOf(x0, x1, this.#x0, this.#columns);
      const [top, bottom] = cellsOf(y0, y1, this.#y0, this.#rows);
      for (let row = top; row <= bottom; row++) {
        const [from, to] = [this.#starts[row * this.#columns + left], this.#starts[row * this.#columns + right + 1]];
        for (let i = from; i < to; i++) if (wanted(this.#list[i])) found.add(this.#list[i]);
      }
    }
    return found;
  }

  /**
   * The segment of another ring that is nearest on the left of a corner, just below it; -1 for none. The corner is the first of
   * its ring in raster order. Segments that begin or end in the corner count only if they lie on the left of its ring.
   */
  nearestOnLeft(corner: number, ring: number): number {
    const { ends, ring: ringOf } = this.#segments;
    const [x, y] = [ends[corner], ends[corner + 1]];
    const row = Math.min(this.#rows - 1, Math.floor((y - this.#y0) / this.#cell));
    const slopeOf = (at: number): number => (ends[at + 2] - ends[at]) / (ends[at + 3] - ends[at + 1]);
    const leaves = (at: number): boolean =>
      (ends[at] === x && ends[at + 1] === y) || (ends[at + 2] === x && ends[at + 3] === y);
    const home = Math.floor((x - this.#x0) / this.#cell);
    let length = Number.POSITIVE_INFINITY;
    for (let column = home; column >= 0; column--) {
      const cell = row * this.#columns + column;
      const [from, to] = [this.#starts[cell], this.#starts[cell + 1]];
      const isBelow = (at: number): boolean => ends[at + 1] > y !== ends[at + 3] > y;
      if (column === home) {
        for (let i = from; i < to; i++) {
          const at = 4 * this.#list[i];
          if (ringOf[this.#list[i]] === ring && isBelow(at) && leaves(at)) length = Math.min(length, slopeOf(at));
        }
      }
      let [best, most, steepest] = [-1, this.#x0 + column * this.#cell - 1e-6, Number.NEGATIVE_INFINITY];
      for (let i = from; i < to; i++) {
        const segment = this.#list[i];
        const at = 4 * segment;
        if (ringOf[segment] === ring || !isBelow(at)) continue;
        const slope = slopeOf(at);
        const isHere = leaves(at);
        if (isHere && slope >= length) continue;
        const meets = isHere ? x : ends[at] + (y - ends[at + 1]) * slope;
        if (meets > x || (meets === x && !isHere)) continue;
        // Segments from one corner are ordered by their x just below it, i.e. by their slope.
        if (meets < most || (meets === most && slope <= steepest)) continue;
        [best, most, steepest] = [segment, meets, slope];
      }
      if (best >= 0) return best;
    }
    return -1;
  }
}

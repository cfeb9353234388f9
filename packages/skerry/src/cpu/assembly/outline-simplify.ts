// Topology-preserving simplification of outlines (D. Douglas and T. Peucker, 1973, per arc). Rings are cut where three or
// more borders meet, and at the corners of the image. The simplification of an arc between two cuts does not depend on its
// direction, so the rings on both sides of it leave out the same corners.
//
// A byte per corner of the image has a bit for each direction in which a border leaves the corner.

import { SIMPLIFY_HEAD_BYTES } from "./layout/outline-simplify";

const LEFT: u8 = 1;
const RIGHT: u8 = 2;
const UP: u8 = 4;
const DOWN: u8 = 8;

/**
 * Marks the directions in which borders leave the corners of rings. With `between`, marks both directions of a straight
 * border at each marked corner on it.
 * @param points x and y of the corners of all rings in turn, i32 [0 .. count ? u32(ends, count - 1) * 4 : 0]
 * @param ends u32 per ring: numbers up to its end [0 .. count * 4]
 * @param count rings
 * @param directions a byte per corner of the image, rows tight [0 .. pitch * rows]
 * @param pitch corners of a row
 * @param rows rows of corners
 * @param between 0 or 1
 */
export function markRings(points: usize, ends: usize, count: u32, directions: usize, pitch: u32, rows: u32, between: bool): void {
  let at = points;
  for (let ring: u32 = 0; ring < count; ring++) {
    const end = points + (<usize>load<u32>(ends + (<usize>ring << 2)) << 2);
    let x = load<i32>(end - 8), y = load<i32>(end - 4);
    for (; at < end; at += 8) {
      const nextX = load<i32>(at), nextY = load<i32>(at, 4);
      const from = directions + <usize>y * pitch + x;
      const to = directions + <usize>nextY * pitch + nextX;
      if (between) markBetween(from, to, y == nextY ? 1 : pitch, y == nextY ? LEFT | RIGHT : UP | DOWN);
      else {
        const isForward = to > from;
        const forward = y == nextY ? RIGHT : DOWN, backward = y == nextY ? LEFT : UP;
        store<u8>(from, load<u8>(from) | (isForward ? forward : backward));
        store<u8>(to, load<u8>(to) | (isForward ? backward : forward));
      }
      x = nextX;
      y = nextY;
    }
  }
}

function markBetween(from: usize, to: usize, step: usize, along: u8): void {
  const last = max(from, to);
  for (let at = min(from, to) + step; at < last; at += step) {
    const directions = load<u8>(at);
    if (directions) store<u8>(at, directions | along);
  }
}

/**
 * Fixes corners: they stay in every ring through them, as if many borders met there.
 * @param places u32: corners of the image, in raster order of its rows of corners [0 .. count * 4]
 * @param count places
 * @param directions a byte per corner of the image, rows tight [0 .. afterLargest(places, 0, count)]
 */
export function fixCorners(places: usize, count: u32, directions: usize): void {
  for (let i: u32 = 0; i < count; i++) store<u8>(directions + load<u32>(places + (<usize>i << 2)), 255);
}

/** Whether three or more borders meet, or the corner is one of the image's four, whose last one has the place `last`. */
// @ts-ignore: decorator
@inline
function isJunction(directions: usize, at: usize, pitch: u32, last: usize): bool {
  return popcnt<u32>(load<u8>(directions + at)) > 2 || at == 0 || at == last || at + 1 == pitch || at + pitch == last + 1;
}

/**
 * Counts the corners of rings together with the junctions on their straight borders.
 * @param points x and y of the corners of all rings in turn, i32 [0 .. count ? u32(ends, count - 1) * 4 : 0]
 * @param ends u32 per ring: numbers up to its end [0 .. count * 4]
 * @param count rings
 * @param directions a byte per corner of the image, rows tight [0 .. pitch * rows]
 * @param pitch corners of a row
 * @param rows rows of corners
 */
export function countCorners(points: usize, ends: usize, count: u32, directions: usize, pitch: u32, rows: u32): u32 {
  let corners: u32 = 0;
  let at = points;
  for (let ring: u32 = 0; ring < count; ring++) {
    const end = points + (<usize>load<u32>(ends + (<usize>ring << 2)) << 2);
    corners += putCorners(at, end, directions, pitch, rows, 0);
    at = end;
  }
  return corners;
}

/** Writes a ring with the junctions on its straight borders as corners; with `to` 0 only counts them. Returns their number. */
function putCorners(ring: usize, end: usize, directions: usize, pitch: u32, rows: u32, to: usize): u32 {
  const last = <usize>pitch * rows - 1;
  let corners: u32 = 0;
  for (let at = ring; at < end; at += 8) {
    const x = load<i32>(at), y = load<i32>(at, 4);
    const next = at + 8 < end ? at + 8 : ring;
    const nextX = load<i32>(next), nextY = load<i32>(next, 4);
    if (to) putCorner(to, corners, x, y);
    corners++;
    const stepX = nextX > x ? 1 : nextX < x ? -1 : 0, stepY = nextY > y ? 1 : nextY < y ? -1 : 0;
    for (let px = x + stepX, py = y + stepY; px != nextX || py != nextY; px += stepX, py += stepY) {
      if (!isJunction(directions, <usize>py * pitch + px, pitch, last)) continue;
      if (to) putCorner(to, corners, px, py);
      corners++;
    }
  }
  return corners;
}

// @ts-ignore: decorator
@inline
function putCorner(to: usize, i: u32, x: i32, y: i32): void {
  store<i32>(to + (<usize>i << 3), x);
  store<i32>(to + (<usize>i << 3), y, 4);
}

/** Arguments of {@link simplifyRings}. */
// @ts-ignore: decorator
@unmanaged
export class SimplifyRingsCall {
  /** x and y of the corners of all rings in turn, i32. [0 .. count ? u32(ends, count - 1) * 4 : 0] */
  points: usize;
  /** u32 per ring: numbers up to its end. [0 .. count * 4] */
  ends: usize;
  /** Rings. */
  count: u32;
  /** A byte per corner of the image, rows tight. [0 .. pitch * rows] */
  directions: usize;
  /** Corners of a row. */
  pitch: u32;
  /** Rows of corners. */
  rows: u32;
  /** Largest distance of a corner that is left out, in pixels. */
  tolerance: f64;
  /** Corners of all rings and their junctions; see countCorners. */
  corners: u32;
  /** Scratch. [0 .. corners * SIMPLIFY_CORNER_BYTES + SIMPLIFY_HEAD_BYTES] */
  scratch: usize;
  /** x and y of the corners that stay, i32. [0 .. corners * 8] */
  out: usize;
  /** u32 per ring: numbers up to its end. [0 .. count * 4] */
  outEnds: usize;
}

/** A ring with its junctions, and the result of findFarthest: corner `at`, at the distance `away`. */
// @ts-ignore: decorator
@unmanaged
class Ring {
  away: f64;
  at: u32;
  count: u32;
  corners: usize;
  kept: usize;
  stack: usize;
}

/** Simplifies rings. Returns the number of i32 in `out`. */
export function simplifyRings(call: SimplifyRingsCall): u32 {
  const ring = changetype<Ring>(call.scratch);
  ring.corners = call.scratch + SIMPLIFY_HEAD_BYTES;
  ring.stack = ring.corners + (<usize>call.corners << 3);
  ring.kept = ring.stack + (<usize>call.corners << 3);
  let from = call.points;
  let out: u32 = 0;
  for (let i: u32 = 0; i < call.count; i++) {
    const end = call.points + (<usize>load<u32>(call.ends + (<usize>i << 2)) << 2);
    ring.count = putCorners(from, end, call.directions, call.pitch, call.rows, ring.corners);
    chooseCorners(ring, call);
    for (let k: u32 = 0; k < ring.count; k++) {
      if (!load<u8>(ring.kept + k)) continue;
      const corner = ring.corners + (<usize>k << 3);
      putCorner(call.out, out++, load<i32>(corner), load<i32>(corner, 4));
    }
    store<u32>(call.outEnds + (<usize>i << 2), out * 2);
    from = end;
  }
  return out * 2;
}

// @ts-ignore: decorator
@inline
function xOf(ring: Ring, i: u32): i32 {
  return load<i32>(ring.corners + (<usize>i << 3));
}

// @ts-ignore: decorator
@inline
function yOf(ring: Ring, i: u32): i32 {
  return load<i32>(ring.corners + (<usize>i << 3), 4);
}

/** Whether a corner comes before another in raster order. */
// @ts-ignore: decorator
@inline
function isBefore(ring: Ring, a: u32, b: u32): bool {
  return yOf(ring, a) < yOf(ring, b) || (yOf(ring, a) == yOf(ring, b) && xOf(ring, a) < xOf(ring, b));
}

/** Marks the corners of a ring that stay. */
function chooseCorners(ring: Ring, call: SimplifyRingsCall): void {
  const count = ring.count;
  const last = <usize>call.pitch * call.rows - 1;
  let hasJunction = false;
  let first: u32 = 0;
  for (let i = count; i > 0; i--) {
    const place = <usize>yOf(ring, i - 1) * call.pitch + xOf(ring, i - 1);
    const isFixed = isJunction(call.directions, place, call.pitch, last);
    store<u8>(ring.kept + i - 1, isFixed ? 1 : 0);
    if (!isFixed) continue;
    hasJunction = true;
    first = i - 1;
  }
  if (!hasJunction) {
    for (let i: u32 = 1; i < count; i++) if (isBefore(ring, i, first)) first = i;
    store<u8>(ring.kept + first, 1);
  }
  for (let from = first; from < first + count; ) {
    let to = from + 1;
    while (!load<u8>(ring.kept + to % count)) to++;
    // A closed arc encloses an area, so it must stay a polygon.
    const isLoop = xOf(ring, from % count) == xOf(ring, to % count) && yOf(ring, from % count) == yOf(ring, to % count);
    if (isLoop) splitLoop(ring, from, to, call.tolerance);
    else splitArc(ring, from, to, call.tolerance);
    from = to;
  }
}

/** Marks the corners that stay of an arc whose ends are the same corner: at least two besides that one, if it has two. */
function splitLoop(ring: Ring, from: u32, to: u32, tolerance: f64): void {
  const count = ring.count;
  findFarthest(ring, from, to);
  const middle = ring.at;
  store<u8>(ring.kept + middle % count, 1);
  if (splitArc(ring, from, middle, tolerance) + splitArc(ring, middle, to, tolerance) > 0) return;
  let best: u32 = 0;
  let most: f64 = -1;
  for (let half = 0; half < 2; half++) {
    const begin = half ? middle : from, end = half ? to : middle;
    if (end - begin < 2) continue;
    findFarthest(ring, begin, end);
    if (ring.away < most || (ring.away == most && isBefore(ring, best, ring.at % count))) continue;
    most = ring.away;
    best = ring.at % count;
  }
  if (most >= 0) store<u8>(ring.kept + best, 1);
}

/** Marks the corners within an arc that stay. Returns their number. */
function splitArc(ring: Ring, from: u32, to: u32, tolerance: f64): u32 {
  // Parts on the stack do not overlap, and each has a corner between its ends.
  let depth: usize = 0;
  let kept: u32 = 0;
  if (to - from > 1) pushPart(ring, depth++, from, to);
  while (depth > 0) {
    depth--;
    const begin = load<u32>(ring.stack + (depth << 3)), end = load<u32>(ring.stack + (depth << 3), 4);
    findFarthest(ring, begin, end);
    if (ring.away <= tolerance) continue;
    const at = ring.at;
    store<u8>(ring.kept + at % ring.count, 1);
    kept++;
    if (at - begin > 1) pushPart(ring, depth++, begin, at);
    if (end - at > 1) pushPart(ring, depth++, at, end);
  }
  return kept;
}

// @ts-ignore: decorator
@inline
function pushPart(ring: Ring, depth: usize, begin: u32, end: u32): void {
  store<u32>(ring.stack + (depth << 3), begin);
  store<u32>(ring.stack + (depth << 3), end, 4);
}

/**
 * Finds the corner between two others that is farthest from the segment between these. Ties go to the corner nearest to the
 * middle of the arc, then to the first in raster order. Neither depends on the arc's direction. The middle gives the parts
 * of stairs and battlements similar lengths.
 */
function findFarthest(ring: Ring, begin: u32, end: u32): void {
  const count = ring.count;
  // The segment begins at the end that is first in raster order, so rounding does not depend on the arc's direction.
  const isTurned = isBefore(ring, end % count, begin % count);
  const a = isTurned ? end % count : begin % count, b = isTurned ? begin % count : end % count;
  const ax = xOf(ring, a), ay = yOf(ring, a);
  const dx = <i64>(xOf(ring, b) - ax), dy = <i64>(yOf(ring, b) - ay);
  const length = dx * dx + dy * dy;
  let best: u32 = begin + 1;
  let most: f64 = -1;
  let aside: u32 = u32.MAX_VALUE;
  for (let i = begin + 1, k = (begin + 1) % count; i < end; i++) {
    const px = <i64>(xOf(ring, k) - ax), py = <i64>(yOf(ring, k) - ay);
    const along = px * dx + py * dy;
    let away: f64;
    // Squares of integers are exact, so equal distances compare as equal.
    if (along <= 0) away = <f64>(px * px + py * py);
    else if (along >= length) away = <f64>((px - dx) * (px - dx) + (py - dy) * (py - dy));
    else away = <f64>(px * dy - py * dx) * <f64>(px * dy - py * dx) / <f64>length;
    const before = i - begin, after = end - i;
    const offMiddle = before > after ? before - after : after - before;
    if (away > most || (away == most && (offMiddle < aside || (offMiddle == aside && isBefore(ring, k, best % count))))) {
      most = away;
      best = i;
      aside = offMiddle;
    }
    if (++k == count) k = 0;
  }
  ring.at = best;
  ring.away = sqrt<f64>(most);
}

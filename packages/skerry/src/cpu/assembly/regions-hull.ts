// Convex hulls of objects, and measurements on them. The hull of the pixels' centres follows from the first and the last
// pixel of each row; two chains of corners, down the left and down the right side, are its border (A. M. Andrew, 1979).
//
// Measurements take more points than the centres: the middles of each pixel's sides (scikit-image's convex hull), or its
// corners. Their hull is the hull of the centres with a diamond, or a square, put around each corner. So sizes along
// a direction grow by the size of the diamond or square.

import { measureLargest, measureRectangle, measureSmallest, placeCorners } from "./regions-hull-sizes";
import { AREA, CENTRE_HULL, CORNER_HULL, EXTENT_AT, FERET, Hull, HULL_BYTES, HULL_HEAD_BYTES, RECTANGLE } from "./layout/hull";

/** The first pixel of a row without pixels; the last one is its negative. */
export const NONE: i32 = i32.MAX_VALUE;

/** Arguments of {@link measureHulls}. */
// @ts-ignore: decorator
@unmanaged
export class MeasureHullsCall {
  /** Four u32 arrays of runs grouped by label: row, begin, end, label. [0 .. count * RUN_BYTES] */
  table: usize;
  /** Runs of the table. */
  count: u32;
  /** u32 per object and one more: its first run. [0 .. (objects + 1) * 4] */
  offsets: usize;
  /** Objects. */
  objects: u32;
  /** First object, from 0 on. */
  from: u32;
  /** One past the last object. */
  to: u32;
  /** Rows of a slice; each slice of an object has a hull of its own. */
  height: u32;
  /** 1 rectangle, 2 area, 4 Feret's diameters, 8 corners of the hull of centres, 16 of that of squares; of volumes 8 alone. */
  wanted: u32;
  /** Width of a pixel. */
  scaleX: f64;
  /** Height of a pixel. */
  scaleY: f64;
  /** Scratch for the object with the most rows between its first and its last in a slice. [0 .. span * HULL_ROW_BYTES + HULL_HEAD_BYTES] */
  scratch: usize;
  /** Most rows of an object in a slice. */
  span: u32;
  /** x and row of the hull's corners, i32. [0 .. wanted & 24 ? (u32(offsets, to) - u32(offsets, from)) * (wanted & CORNER_HULL ? CORNER_RUN_BYTES : CENTRE_RUN_BYTES) : 0] */
  points: usize;
  /** u32 per object of this call: corners up to its end. [0 .. wanted & 24 ? (to - from) * 4 : 0] */
  ends: usize;
  /** Twelve f64 per object of this call. [0 .. wanted & 7 ? (to - from) * HULL_BYTES : 0] */
  records: usize;
}

/** An upper bound of the rows from the first to the last one of any object in a slice of `height` rows.
 * @param table four u32 arrays of runs grouped by label: row, begin, end, label [0 .. count * 4]
 * @param count runs of the table
 * @param offsets u32 per object and one more: its first run [0 .. (objects + 1) * 4]
 * @param objects objects
 * @param height rows of a slice
 */
export function mostRows(table: usize, count: u32, offsets: usize, objects: u32, height: u32): u32 {
  let most: u32 = 0;
  for (let i: u32 = 0; i < objects; i++) {
    const first = load<u32>(offsets + (<usize>i << 2));
    const last = load<u32>(offsets + (<usize>i << 2), 4);
    if (first == last) continue;
    most = max(most, load<u32>(table + (<usize>(last - 1) << 2)) - load<u32>(table + (<usize>first << 2)) + 1);
  }
  return min(most, height);
}

/** Measures the hulls of objects [from, to). Returns the number of corners written. */
export function measureHulls(call: MeasureHullsCall): u32 {
  const row = call.table;
  const rows = <usize>call.span;
  const hull = changetype<Hull>(call.scratch);
  hull.extent = call.scratch + EXTENT_AT;
  hull.left = call.scratch + HULL_HEAD_BYTES;
  hull.right = hull.left + (rows << 2);
  hull.leftChain = hull.right + (rows << 2);
  hull.rightChain = hull.leftChain + (rows << 3);
  hull.corners = hull.rightChain + (rows << 3);
  let written: u32 = 0;
  for (let object = call.from; object < call.to; object++) {
    let first = load<u32>(call.offsets + (<usize>object << 2));
    const last = load<u32>(call.offsets + (<usize>object << 2), 4);
    const record = call.records + <usize>(object - call.from) * HULL_BYTES;
    if (call.wanted & (RECTANGLE | AREA | FERET)) memory.fill(record, 0, HULL_BYTES);
    while (first < last) {
      const slice = load<u32>(row + (<usize>first << 2)) / call.height;
      let next = first + 1;
      while (next < last && load<u32>(row + (<usize>next << 2)) / call.height == slice) next++;
      takeExtents(hull, call.table, call.count, first, next);
      buildChains(hull);
      if (call.wanted & CENTRE_HULL) written = writeCorners(hull, call.points, written);
      if (call.wanted & CORNER_HULL) written = writeSquares(hull, call.points, written);
      if (call.wanted & RECTANGLE) {
        placeCorners(hull, call.scaleX, call.scaleY);
        measureRectangle(hull, call.scaleX, call.scaleY, record + 48);
      }
      if (call.wanted & (AREA | FERET)) store<f64>(record, fillHull(hull));
      if (call.wanted & FERET) {
        buildChains(hull);
        placeCorners(hull, call.scaleX, call.scaleY);
        measureLargest(hull, call.scaleX, call.scaleY, record + 8);
        measureSmallest(hull, call.scaleX, call.scaleY, record + 24);
      }
      first = next;
    }
    if (call.wanted & (CENTRE_HULL | CORNER_HULL)) store<u32>(call.ends + (<usize>(object - call.from) << 2), written);
  }
  return written;
}

/** The first and the last pixel of each row of runs [from, to). */
function takeExtents(hull: Hull, table: usize, count: u32, from: u32, to: u32): void {
  const begin = table + (<usize>count << 2);
  const end = begin + (<usize>count << 2);
  hull.y0 = load<u32>(table + (<usize>from << 2));
  hull.rows = load<u32>(table + (<usize>(to - 1) << 2)) - hull.y0 + 1;
  for (let y: u32 = 0; y < hull.rows; y++) {
    store<i32>(hull.left + (<usize>y << 2), NONE);
    store<i32>(hull.right + (<usize>y << 2), -NONE);
  }
  for (let run = from; run < to; run++) {
    const at = <usize>(load<u32>(table + (<usize>run << 2)) - hull.y0) << 2;
    if (load<i32>(hull.left + at) == NONE) store<i32>(hull.left + at, load<u32>(begin + (<usize>run << 2)));
    store<i32>(hull.right + at, load<u32>(end + (<usize>run << 2)) - 1);
  }
}

function buildChains(hull: Hull): void {
  hull.lefts = buildChain(hull, hull.left, 1, hull.leftChain);
  hull.rights = buildChain(hull, hull.right, -1, hull.rightChain);
}

/** Lists the corners of one side: the lower hull of sign times x over y. Returns how many there are. */
export function buildChain(hull: Hull, side: usize, sign: i64, chain: usize): u32 {
  let length: u32 = 0;
  for (let y: u32 = 0; y < hull.rows; y++) {
    if (load<i32>(hull.left + (<usize>y << 2)) == NONE) continue;
    const x = sign * <i64>load<i32>(side + (<usize>y << 2));
    while (length >= 2) {
      const one = chain + (<usize>(length - 2) << 3);
      const y0 = load<u32>(one), y1 = load<u32>(one, 8);
      const x0 = sign * <i64>load<i32>(one, 4), x1 = sign * <i64>load<i32>(one, 12);
      if ((x1 - x0) * <i64>(y - y0) < (x - x0) * <i64>(y1 - y0)) break;
      length--;
    }
    store<u32>(chain + (<usize>length << 3), y);
    store<i32>(chain + (<usize>length << 3), <i32>(sign * x), 4);
    length++;
  }
  return length;
}

/** Writes the corners, down the right side and up the left one, without a corner that both have. Returns how many there are. */
function writeCorners(hull: Hull, points: usize, written: u32): u32 {
  let at = points + (<usize>written << 3);
  const from = at;
  for (let i: u32 = 0; i < hull.rights; i++) {
    const corner = hull.rightChain + (<usize>i << 3);
    at = putCorner(at, load<i32>(corner, 4), load<u32>(corner) + hull.y0);
  }
  for (let i = <i32>hull.lefts - 1; i >= 0; i--) {
    const y = load<u32>(hull.leftChain + (<usize>i << 3));
    const x = load<i32>(hull.leftChain + (<usize>i << 3), 4);
    const isEnd = i == 0 || i == <i32>hull.lefts - 1;
    if (isEnd && x == load<i32>(hull.right + (<usize>y << 2))) continue;
    at = putCorner(at, x, y + hull.y0);
  }
  return written + <u32>((at - from) >> 3);
}

/**
 * Writes the corners of the hull of squares: from the top left one to the right, down, and up again. On the right side a
 * square adds its upper corner if the border comes from further left, and its lower one if the border goes further left:
 *
 *     .#      the square of (1, 0) ends the top with its upper corner (2, 0), and adds its lower corner (2, 1)
 *     #       for the way down to (1, 2), the lower corner of (0, 1)
 */
function writeSquares(hull: Hull, points: usize, written: u32): u32 {
  const from = points + (<usize>written << 3);
  let at = putCorner(from, load<i32>(hull.leftChain, 4), hull.y0);
  for (let i: u32 = 0; i < hull.rights; i++) {
    const corner = hull.rightChain + (<usize>i << 3);
    const x = load<i32>(corner, 4), y = load<u32>(corner) + hull.y0;
    if (i == 0 || load<i32>(corner - 4) < x) at = putCorner(at, x + 1, y);
    if (i == hull.rights - 1 || load<i32>(corner, 12) < x) at = putCorner(at, x + 1, y + 1);
  }
  for (let i = hull.lefts; i > 0; i--) {
    const corner = hull.leftChain + (<usize>(i - 1) << 3);
    const x = load<i32>(corner, 4), y = load<u32>(corner) + hull.y0;
    if (i == hull.lefts || load<i32>(corner, 12) > x) at = putCorner(at, x, y + 1);
    if (i > 1 && load<i32>(corner - 4) > x) at = putCorner(at, x, y);
  }
  return written + <u32>((at - from) >> 3);
}

// @ts-ignore: decorator
@inline
function putCorner(at: usize, x: i32, y: u32): usize {
  store<i32>(at, x);
  store<u32>(at, y, 4);
  return at + 8;
}

/**
 * Extends the rows to all pixels whose centres lie within the hull of the middles of pixels' sides, or on its border.
 * Returns the number of these pixels.
 */
function fillHull(hull: Hull): f64 {
  fillSide(hull.left, 1, hull.leftChain, hull.lefts);
  fillSide(hull.right, -1, hull.rightChain, hull.rights);
  let area: f64 = 0;
  for (let y: u32 = 0; y < hull.rows; y++) {
    area += <f64>(load<i32>(hull.right + (<usize>y << 2)) - load<i32>(hull.left + (<usize>y << 2))) + 1;
  }
  return area;
}

/**
 * Extends the rows on one side. The border of the hull at row y is the least of three values: the chain at y less a half
 * (the middle of a pixel's side), and the chain half a row above and half a row below (the middles of its top and its
 * bottom). All are multiples of 1 / 2q if the chain goes down q rows:
 *
 *     from (5, 0) to (1, 1): at row 0 the least of 5 - 1/2 and 5 - 4/2, so pixels 3, 4 and 5 belong to the hull
 */
function fillSide(side: usize, sign: i64, chain: usize, length: u32): void {
  for (let i: u32 = 1; i < length; i++) {
    const one = chain + (<usize>(i - 1) << 3);
    const y0 = load<u32>(one), y1 = load<u32>(one, 8);
    const rows = <i64>(y1 - y0);
    const x0 = sign * <i64>load<i32>(one, 4);
    const fall = sign * <i64>load<i32>(one, 12) - x0;
    for (let y = y0; y <= y1; y++) {
      const centre = 2 * (x0 * rows + fall * <i64>(y - y0));
      let least = centre - rows;
      if (y < y1) least = min(least, centre + fall);
      if (y > y0) least = min(least, centre - fall);
      const x = ceilDivide(least, 2 * rows);
      const at = side + (<usize>y << 2);
      if (x < sign * <i64>load<i32>(at)) store<i32>(at, <i32>(sign * x));
    }
  }
}

/** a / b rounded up, for b > 0. */
// @ts-ignore: decorator
@inline
function ceilDivide(a: i64, b: i64): i64 {
  const whole = a / b;
  return whole * b < a ? whole + 1 : whole;
}

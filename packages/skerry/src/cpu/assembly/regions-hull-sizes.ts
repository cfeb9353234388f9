// Measurements of a hull: its largest and its smallest Feret diameter, and the smallest rectangle around it. The last two
// have an edge of the hull on one side (H. Freeman and R. Shapira, 1975), so every edge is tried; a hull has few.

import { Extent, Hull } from "./layout/hull";

/** Writes the scaled corners to `hull.corners`, those of the left side before those of the right side. */
export function placeCorners(hull: Hull, scaleX: f64, scaleY: f64): void {
  let at = placeChain(hull.leftChain, hull.lefts, hull.corners, scaleX, scaleY);
  at = placeChain(hull.rightChain, hull.rights, at, scaleX, scaleY);
}

function placeChain(chain: usize, length: u32, to: usize, scaleX: f64, scaleY: f64): usize {
  for (let i: u32 = 0; i < length; i++) {
    store<f64>(to, <f64>load<i32>(chain + (<usize>i << 3), 4) * scaleX);
    store<f64>(to, <f64>load<u32>(chain + (<usize>i << 3)) * scaleY, 8);
    to += 16;
  }
  return to;
}

/** Writes the largest Feret diameter as x and y: the longest vector between two corners with a diamond around each. */
export function measureLargest(hull: Hull, scaleX: f64, scaleY: f64, record: usize): void {
  const end = hull.corners + (<usize>(hull.lefts + hull.rights) << 4);
  let most: f64 = -1;
  for (let one = hull.corners; one < end; one += 16) {
    for (let other = one + 16; other < end; other += 16) {
      const x = load<f64>(other) - load<f64>(one);
      const y = load<f64>(other, 8) - load<f64>(one, 8);
      // The longest vector joins outer corners of both diamonds: it gains scaleX along x, scaleY along y, or half of both.
      const awayX = x < 0 ? -scaleX : scaleX;
      const awayY = y < 0 ? -scaleY : scaleY;
      most = keepLonger(x + awayX, y, most, record);
      most = keepLonger(x, y + awayY, most, record);
      most = keepLonger(x + awayX / 2, y + awayY / 2, most, record);
    }
  }
}

// @ts-ignore: decorator
@inline
function keepLonger(x: f64, y: f64, most: f64, record: usize): f64 {
  const square = x * x + y * y;
  if (square <= most) return most;
  store<f64>(record, x);
  store<f64>(record, y, 8);
  return square;
}

/** The least and the greatest scalar product of the corners with (x, y). */
function extentAlong(hull: Hull, x: f64, y: f64, extent: Extent): void {
  const end = hull.corners + (<usize>(hull.lefts + hull.rights) << 4);
  let least: f64 = Infinity, most: f64 = -Infinity;
  for (let at = hull.corners; at < end; at += 16) {
    const place = load<f64>(at) * x + load<f64>(at, 8) * y;
    least = min(least, place);
    most = max(most, place);
  }
  extent.least = least;
  extent.most = most;
}

/**
 * Writes the smallest Feret diameter, and its direction as x and y, which is normal to an edge. The line from the last
 * corner of the left side to the first of the right side is no edge, but is tried, too: no direction gives less than the
 * smallest diameter.
 */
export function measureSmallest(hull: Hull, scaleX: f64, scaleY: f64, record: usize): void {
  store<f64>(record, Infinity);
  const last = hull.lefts + hull.rights - 1;
  for (let i: u32 = 0; i < last; i++) {
    const at = hull.corners + (<usize>i << 4);
    tryWidth(hull, load<f64>(at, 16) - load<f64>(at), load<f64>(at, 24) - load<f64>(at, 8), scaleX, scaleY, record);
  }
  // The edges of the diamonds, and the direction of the hull's first and last row.
  tryWidth(hull, scaleX, scaleY, scaleX, scaleY, record);
  tryWidth(hull, scaleX, -scaleY, scaleX, scaleY, record);
  tryWidth(hull, 1, 0, scaleX, scaleY, record);
}

/** Measures the width across an edge of direction (x, y), and writes it if it is the smallest so far. */
function tryWidth(hull: Hull, x: f64, y: f64, scaleX: f64, scaleY: f64, record: usize): void {
  const length = sqrt<f64>(x * x + y * y);
  if (length == 0) return;
  const extent = changetype<Extent>(hull.extent);
  extentAlong(hull, -y, x, extent);
  const width = (extent.most - extent.least + max(abs(y) * scaleX, abs(x) * scaleY)) / length;
  if (width >= load<f64>(record)) return;
  store<f64>(record, width);
  store<f64>(record, -y, 8);
  store<f64>(record, x, 16);
}

/** Writes the smallest rectangle around the pixels' squares: its centre, its sides along a direction and across, the direction. */
export function measureRectangle(hull: Hull, scaleX: f64, scaleY: f64, record: usize): void {
  let least: f64 = Infinity;
  const last = hull.lefts + hull.rights - 1;
  for (let i: u32 = 0; i < last; i++) {
    const at = hull.corners + (<usize>i << 4);
    const x = load<f64>(at, 16) - load<f64>(at);
    least = tryRectangle(hull, x, load<f64>(at, 24) - load<f64>(at, 8), scaleX, scaleY, least, record);
  }
  // The edges of the squares.
  tryRectangle(hull, 1, 0, scaleX, scaleY, least, record);
  // Corners are counted from the first row of the hull.
  store<f64>(record, load<f64>(record, 8) + <f64>hull.y0 * scaleY, 8);
}

/** Measures the rectangle with an edge along a direction, and returns the smaller of its area and `best`. */
function tryRectangle(hull: Hull, x: f64, y: f64, scaleX: f64, scaleY: f64, best: f64, record: usize): f64 {
  const length = sqrt<f64>(x * x + y * y);
  if (length == 0) return best;
  const extent = changetype<Extent>(hull.extent);
  extentAlong(hull, x, y, extent);
  const along = extent.most - extent.least + abs(x) * scaleX + abs(y) * scaleY;
  const middle = extent.most + extent.least;
  extentAlong(hull, -y, x, extent);
  const across = extent.most - extent.least + abs(y) * scaleX + abs(x) * scaleY;
  const area = along * across / (length * length);
  if (area >= best) return best;
  const beside = extent.most + extent.least;
  const square = 2 * length * length;
  store<f64>(record, (middle * x - beside * y) / square);
  store<f64>(record, (middle * y + beside * x) / square, 8);
  store<f64>(record, along / length, 16);
  store<f64>(record, across / length, 24);
  store<f64>(record, x, 32);
  store<f64>(record, y, 40);
  return area;
}

// Simplification of outlines that keeps shared borders shared (Douglas and Peucker, 1973, on arcs). Rings are cut where three or
// more borders meet. Every arc between two such corners is simplified in a way that does not depend on its direction, so
// the rings on both sides of it leave out the same corners.

import { turn } from "#event-loop";
import type { Outlines } from "../api/types.js";

/** Directions in which a border leaves a corner. */
const LEFT = 1;
const RIGHT = 2;
const UP = 4;
const DOWN = 8;
/** A corner of the image: it stays, as the image has to be covered. */
const IMAGE = 16;

/** Numbers of corners between two turns of the event loop. */
const NUMBERS_PER_TURN = 1 << 14;

/** Corners of a ring: x and y in turn. */
type Ring = Int32Array | number[];

/** Whether three or more borders meet, by the directions, or those of the image. */
const isJunction = (directions: number): boolean =>
  directions >= IMAGE || (directions & 1) + ((directions >> 1) & 1) + ((directions >> 2) & 1) + (directions >> 3) > 2;

/**
 * Leaves out corners that are at most `tolerance` pixels away from what is left. O(n log n) as a rule for n corners, and one
 * byte per corner of the image.
 */
export async function simplifyOutlines(
  outlines: Outlines,
  width: number,
  height: number,
  tolerance: number,
  signal: AbortSignal | undefined,
): Promise<Outlines> {
  const pitch = width + 1;
  const directions = new Uint8Array(pitch * (height + 1));
  await eachRing(outlines, signal, (ring) => markCorners(ring, directions, pitch));
  await eachRing(outlines, signal, (ring) => markBetween(ring, directions, pitch));
  for (const at of [0, width, height * pitch, height * pitch + width]) if (directions[at]) directions[at] |= IMAGE;
  const kept: number[] = [];
  const rings = new Uint32Array(outlines.count + 1);
  await eachRing(outlines, signal, (ring, i) => {
    const whole = withJunctions(ring, directions, pitch);
    for (const at of cornersToKeep(whole, directions, pitch, tolerance)) kept.push(whole[2 * at], whole[2 * at + 1]);
    rings[i + 1] = kept.length;
  });
  return { ...outlines, points: Int32Array.from(kept), rings };
}

/** Takes one ring after another; between some of them the event loop has its turn. */
async function eachRing(
  { count, points, rings }: Outlines,
  signal: AbortSignal | undefined,
  take: (ring: Int32Array, i: number) => void,
): Promise<void> {
  let turned = 0;
  for (let i = 0; i < count; i++) {
    take(points.subarray(rings[i], rings[i + 1]), i);
    if (rings[i + 1] - turned < NUMBERS_PER_TURN) continue;
    turned = rings[i + 1];
    await turn();
    signal?.throwIfAborted();
  }
}

/** Takes the borders of a ring, from one corner to the next. */
function eachBorder(ring: Int32Array, take: (x: number, y: number, nextX: number, nextY: number) => void): void {
  for (let i = 0, before = ring.length - 2; i < ring.length; before = i, i += 2) {
    take(ring[before], ring[before + 1], ring[i], ring[i + 1]);
  }
}

/** Marks where borders leave their corners. */
function markCorners(ring: Int32Array, directions: Uint8Array, pitch: number): void {
  eachBorder(ring, (x, y, nextX, nextY) => {
    const [forward, backward] = y === nextY ? [RIGHT, LEFT] : [DOWN, UP];
    const [ahead, back] = nextX > x || nextY > y ? [forward, backward] : [backward, forward];
    directions[y * pitch + x] |= ahead;
    directions[nextY * pitch + nextX] |= back;
  });
}

/** Marks straight borders where another border has a corner. */
function markBetween(ring: Int32Array, directions: Uint8Array, pitch: number): void {
  eachBorder(ring, (x, y, nextX, nextY) => {
    const along = y === nextY ? LEFT | RIGHT : UP | DOWN;
    const step = Math.sign(nextY - y) * pitch + Math.sign(nextX - x);
    const end = nextY * pitch + nextX;
    for (let at = y * pitch + x + step; at !== end; at += step) {
      if (directions[at]) directions[at] |= along;
    }
  });
}

/** A ring with the junctions on its straight borders as corners. */
function withJunctions(ring: Int32Array, directions: Uint8Array, pitch: number): Ring {
  const whole: number[] = [];
  for (let i = 0; i < ring.length; i += 2) {
    const [x, y] = [ring[i], ring[i + 1]];
    const next = (i + 2) % ring.length;
    whole.push(x, y);
    const end = ring[next + 1] * pitch + ring[next];
    const isRow = y === ring[next + 1];
    const step = (isRow ? 1 : pitch) * (end > y * pitch + x ? 1 : -1);
    for (let at = y * pitch + x + step; at !== end; at += step) {
      if (isJunction(directions[at])) whole.push(at % pitch, Math.floor(at / pitch));
    }
  }
  return whole;
}

/** Whether a corner comes before another in raster order. */
const isBefore = (ring: Ring, a: number, b: number): boolean =>
  ring[2 * a + 1] < ring[2 * b + 1] || (ring[2 * a + 1] === ring[2 * b + 1] && ring[2 * a] < ring[2 * b]);

/** The corners of a ring that stay, in order. */
function cornersToKeep(ring: Ring, directions: Uint8Array, pitch: number, tolerance: number): number[] {
  const count = ring.length / 2;
  const fixed: number[] = [];
  for (let i = 0; i < count; i++) {
    if (isJunction(directions[ring[2 * i + 1] * pitch + ring[2 * i]])) fixed.push(i);
  }
  const isLoop = fixed.length === 0;
  if (isLoop) {
    let first = 0;
    for (let i = 1; i < count; i++) if (isBefore(ring, i, first)) first = i;
    fixed.push(first);
  }
  // A ring that is cut once is cut again where it is farthest away.
  if (fixed.length === 1) fixed.push(farthest(ring, fixed[0], fixed[0] + count).at % count);
  fixed.sort((a, b) => a - b);
  const kept = new Set(fixed);
  const depths: { at: number; away: number }[] = [];
  for (const [i, from] of fixed.entries()) {
    const to = i + 1 < fixed.length ? fixed[i + 1] : fixed[0] + count;
    if (to - from > 1) depths.push(farthest(ring, from, to));
    const parts = [[from, to] as const];
    for (let part = parts.pop(); part; part = parts.pop()) {
      const [begin, end] = part;
      if (end - begin < 2) continue;
      const { at, away } = farthest(ring, begin, end);
      if (away <= tolerance) continue;
      kept.add(at % count);
      parts.push([begin, at], [at, end]);
    }
  }
  // An island stays a polygon, however small it is.
  if (isLoop && kept.size < 3) {
    const best = depths.reduce((a, b) =>
      b.away > a.away || (b.away === a.away && isBefore(ring, b.at % count, a.at % count)) ? b : a,
    );
    kept.add(best.at % count);
  }
  return [...kept].sort((a, b) => a - b);
}

/** The corner between two others that is farthest from the segment between these; of equally far ones the first in raster order. */
function farthest(ring: Ring, begin: number, end: number): { at: number; away: number } {
  const count = ring.length / 2;
  // The same segment whichever way it is gone along, so that rounding is the same.
  const [a, b] = isBefore(ring, end % count, begin % count)
    ? [end % count, begin % count]
    : [begin % count, end % count];
  const [ax, ay] = [ring[2 * a], ring[2 * a + 1]];
  const [dx, dy] = [ring[2 * b] - ax, ring[2 * b + 1] - ay];
  const length = dx * dx + dy * dy;
  let best = { at: begin + 1, away: -1 };
  for (let i = begin + 1; i < end; i++) {
    const [px, py] = [ring[2 * (i % count)] - ax, ring[2 * (i % count) + 1] - ay];
    const along = length === 0 ? 0 : Math.min(1, Math.max(0, (px * dx + py * dy) / length));
    const away = Math.hypot(px - along * dx, py - along * dy);
    if (away > best.away || (away === best.away && isBefore(ring, i % count, best.at % count))) best = { at: i, away };
  }
  return best;
}

// Entry masks: the pixels of a word that a search may enter from a direction. Each mask is computed on first use and
// kept in a cell per word.

import {
  PIXELS,
  WIDTH,
  FENCE,
  FLOATING,
  CELL_BYTES,
  AREA,
  TESTED,
  STARTS,
} from "./layout/search";
import { startsOf, tailMask } from "./bits";
import { matchWord, pixelBytes } from "./fill-match";
// Offsets in a cell, after its pending bits: the set of known masks, and the masks. The search block (layout/search.ts)
// holds a match, then u32s up to AREA, then f64s.
const KNOWN: usize = 8;
const MASKS: usize = 16;

// Directions from which a pixel is entered. With a fixed range all directions share one mask.
export const LEFT: u32 = 0;
export const RIGHT: u32 = 1;
export const ABOVE: u32 = 2;
export const BELOW: u32 = 3;
export const ABOVE_LEFT: u32 = 4;
export const ABOVE_RIGHT: u32 = 5;
export const BELOW_LEFT: u32 = 6;
export const BELOW_RIGHT: u32 = 7;

// @ts-ignore: decorator
@inline
export function wordsOf(s: usize): u32 {
  return (load<u32>(s, WIDTH) + 63) >> 6;
}

/**
 * The pixels of a word that may be entered from a direction, computed on first use. R selects the range at compile
 * time: u8 for fixed, u16 for floating.
 */
// @ts-ignore: decorator
@inline
export function maskOf<R>(s: usize, cell: usize, y: u32, w: u32, direction: u32): u64 {
  const which: u32 = sizeof<R>() == 2 ? direction : 0;
  if ((load<u64>(cell, KNOWN) >> (<u64>which)) & 1) return load<u64>(cell + (<usize>which << 3), MASKS);
  return findMask(s, cell, y, w, direction);
}

function findMask(s: usize, cell: usize, y: u32, w: u32, direction: u32): u64 {
  const floating = load<u32>(s, FLOATING);
  const which: u32 = floating ? direction : 0;
  const words = wordsOf(s);
  let mask = w == words - 1 ? tailMask(load<u32>(s, WIDTH)) : u64.MAX_VALUE;
  mask &= floating == 2 && isWayBack(direction) ? wayBack(s, cell, y, w, direction) : testWord(s, y, w, direction);
  const fence = load<u32>(s, FENCE);
  if (fence) mask &= load<u64>(<usize>fence + ((<usize>y * words + w) << 3));
  if (!floating) {
    store<f64>(s, load<f64>(s, TESTED) + 1, TESTED);
    store<f64>(s, load<f64>(s, STARTS) + <f64>popcnt(startsOf(mask, 0)), STARTS);
  }
  store<u64>(cell + (<usize>which << 3), mask, MASKS);
  store<u64>(cell, load<u64>(cell, KNOWN) | ((<u64>1) << (<u64>which)), KNOWN);
  return mask;
}

// @ts-ignore: decorator
@inline
function isWayBack(direction: u32): bool {
  return direction == RIGHT || direction == BELOW || direction == BELOW_LEFT || direction == BELOW_RIGHT;
}

/** For symmetric steps: the mask of a direction, derived from the masks of the opposite direction on that side. */
function wayBack(s: usize, cell: usize, y: u32, w: u32, direction: u32): u64 {
  const bytes = <usize>load<u32>(s, CELL_BYTES);
  const last = w == wordsOf(s) - 1;
  // A pixel may be entered from the right if its right neighbour, one bit further, may be entered from the left.
  if (direction == RIGHT) {
    const next = last ? 0 : maskOf<u16>(s, cell + bytes, y, w + 1, LEFT) << 63;
    return (maskOf<u16>(s, cell, y, w, LEFT) >> 1) | next;
  }
  const under = cell + <usize>wordsOf(s) * bytes;
  if (direction == BELOW) return maskOf<u16>(s, under, y + 1, w, ABOVE);
  if (direction == BELOW_LEFT) {
    const before = w == 0 ? 0 : maskOf<u16>(s, under - bytes, y + 1, w - 1, ABOVE_RIGHT) >> 63;
    return (maskOf<u16>(s, under, y + 1, w, ABOVE_RIGHT) << 1) | before;
  }
  const next = last ? 0 : maskOf<u16>(s, under + bytes, y + 1, w + 1, ABOVE_LEFT) << 63;
  return (maskOf<u16>(s, under, y + 1, w, ABOVE_LEFT) >> 1) | next;
}

/** Tests the pixels of a word, against the seed's colour or the neighbours on one side. */
function testWord(s: usize, y: u32, w: u32, direction: u32): u64 {
  const width = load<u32>(s, WIDTH);
  const x = w << 6;
  const step = pixelBytes(s);
  const src = <usize>load<u32>(s, PIXELS) + (<usize>y * width + x) * step;
  const count = min(64, width - x);
  if (!load<u32>(s, FLOATING)) return matchWord(s, src, count, 0);
  let dx: i32 = 0;
  let dy: i32 = 0;
  if (direction == LEFT || direction == ABOVE_LEFT || direction == BELOW_LEFT) dx = -1;
  if (direction == RIGHT || direction == ABOVE_RIGHT || direction == BELOW_RIGHT) dx = 1;
  if (direction == ABOVE || direction == ABOVE_LEFT || direction == ABOVE_RIGHT) dy = -1;
  if (direction == BELOW || direction == BELOW_LEFT || direction == BELOW_RIGHT) dy = 1;
  const mask = matchWord(s, src, count, src + <usize>((dx + dy * <i32>width) * <i32>step));
  // No pixel is entered from beyond the left or right side of the image.
  if (dx < 0 && x == 0) return mask & ~(<u64>1);
  if (dx > 0 && w == wordsOf(s) - 1) return mask & ~((<u64>1) << (<u64>((width - 1) & 63)));
  return mask;
}

// A search from a seed, a word of 64 pixels at a time: what it reaches is bits. Rows are cleared when they are first
// looked at and pixels are tested when a word is first entered, so that a small region of a large image costs what the
// region costs. It stops to ask for rows of pixels that are not there yet, for a larger stack, or because it has gone
// on for longer than labelling would take; called again, it goes on where it was.

import { startsOf, tailMask } from "./bits";
import { MATCH_BYTES, matchWord, pixelBytes } from "./match";

// The block that src/cpu/search.ts writes and reads: a match, then u32s up to AREA, then f64s.
const PIXELS: usize = MATCH_BYTES;
const WIDTH: usize = MATCH_BYTES + 4;
const HEIGHT: usize = MATCH_BYTES + 8;
/** u8 per row, whether its pixels (and its fence) are there; 0 when all are. */
const PRESENT: usize = MATCH_BYTES + 12;
const FENCE: usize = MATCH_BYTES + 16;
const PLANE: usize = MATCH_BYTES + 20;
/** u8 per row, whether its bits and cells are there. */
const TOUCHED: usize = MATCH_BYTES + 24;
/** Words whose bits were reached and whose neighbours are not looked at yet: u32 y * words + column, each once. */
const STACK: usize = MATCH_BYTES + 28;
const CAPACITY: usize = MATCH_BYTES + 32;
const COUNT: usize = MATCH_BYTES + 36;
const EIGHT: usize = MATCH_BYTES + 40;
/** 0 for a fixed range, 1 for a floating one, 2 for a floating one of which each step has its way back. */
const FLOATING: usize = MATCH_BYTES + 44;
/** The seed that is yet to be reached; PENDING is 0 when it was. */
const PENDING: usize = MATCH_BYTES + 48;
const SEED_X: usize = MATCH_BYTES + 52;
const SEED_Y: usize = MATCH_BYTES + 56;
/** The row that is asked for. */
const NEED: usize = MATCH_BYTES + 60;
/** Rows [TOP, BOTTOM) have bits. */
const TOP: usize = MATCH_BYTES + 64;
const BOTTOM: usize = MATCH_BYTES + 68;
/** Whether this is the last seed. */
const LAST: usize = MATCH_BYTES + 72;
const RUNS: usize = MATCH_BYTES + 76;
/** A cell per word: bits that are to be propagated, which masks are known, and the masks; CELL_BYTES each. */
const CELLS: usize = MATCH_BYTES + 80;
const CELL_BYTES: usize = MATCH_BYTES + 84;
/** Pixels reached, when the search is done. */
const AREA: usize = MATCH_BYTES + 88;
/** Words in which pixels were reached, each time; words whose pixels were tested, and the runs in them. */
const REACHED: usize = MATCH_BYTES + 96;
const TESTED: usize = MATCH_BYTES + 104;
const STARTS: usize = MATCH_BYTES + 112;
/** The part of what labelling takes that the search may take, times the words of the image; infinite for any. */
const BUDGET: usize = MATCH_BYTES + 120;

// Nanoseconds, measured: reaching into and testing a word, and a word and a run of labelling on two threads.
const PER_REACH: f64 = 40;
const PER_TEST: f64 = 60;
/** With 8 neighbours a word is entered from its corners, too. */
const TIMES_EIGHT: f64 = 4;
const PER_WORD: f64 = 25;
const PER_RUN: f64 = 10;
/** Below this the search goes on in any case. */
const LEAST: f64 = 150_000;

const DONE: i32 = 0;
const NEEDS_ROW: i32 = 1;
const NEEDS_STACK: i32 = 2;
const TOO_LARGE: i32 = 3;

/** A word has at most so many neighbours. */
const NEIGHBOURS: u32 = 8;

const KNOWN: usize = 8;
const MASKS: usize = 16;

// Where a pixel is entered from. With a fixed range all are one mask.
const LEFT: u32 = 0;
const RIGHT: u32 = 1;
const ABOVE: u32 = 2;
const BELOW: u32 = 3;
const ABOVE_LEFT: u32 = 4;
const ABOVE_RIGHT: u32 = 5;
const BELOW_LEFT: u32 = 6;
const BELOW_RIGHT: u32 = 7;

// @ts-ignore: decorator
@inline
function wordsOf(s: usize): u32 {
  return (load<u32>(s, WIDTH) + 63) >> 6;
}

// @ts-ignore: decorator
@inline
function bitsOf(s: usize, y: u32): usize {
  return <usize>load<u32>(s, PLANE) + ((<usize>y * wordsOf(s)) << 3);
}

// @ts-ignore: decorator
@inline
function cellOf(s: usize, y: u32, w: u32): usize {
  return <usize>load<u32>(s, CELLS) + (<usize>y * wordsOf(s) + w) * load<u32>(s, CELL_BYTES);
}

/** Makes sure that row y can be looked at; false when its pixels are not there. */
// @ts-ignore: decorator
@inline
function touch(s: usize, y: u32): bool {
  const touched = <usize>load<u32>(s, TOUCHED) + y;
  if (load<u8>(touched)) return true;
  const present = load<u32>(s, PRESENT);
  if (present && !load<u8>(<usize>present + y)) {
    store<u32>(s, y, NEED);
    return false;
  }
  store<u8>(touched, 1);
  memory.fill(bitsOf(s, y), 0, <usize>wordsOf(s) << 3);
  memory.fill(cellOf(s, y, 0), 0, <usize>wordsOf(s) * load<u32>(s, CELL_BYTES));
  store<u32>(s, min(y, load<u32>(s, TOP)), TOP);
  store<u32>(s, max(y + 1, load<u32>(s, BOTTOM)), BOTTOM);
  return true;
}

/**
 * The pixels of a word that may be entered from a direction; found out when first asked for. R stands for the range,
 * so that each has code of its own: u8 for fixed, u16 for floating.
 */
// @ts-ignore: decorator
@inline
function maskOf<R>(s: usize, cell: usize, y: u32, w: u32, direction: u32): u64 {
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

/** Where steps go both ways: the pixels that may be entered from a side, by the steps from them to that side. */
function wayBack(s: usize, cell: usize, y: u32, w: u32, direction: u32): u64 {
  const bytes = <usize>load<u32>(s, CELL_BYTES);
  const last = w == wordsOf(s) - 1;
  // What is entered from the right is what a right neighbour is entered from, one bit further.
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
  // Nothing is entered from beyond the sides.
  if (dx < 0 && x == 0) return mask & ~(<u64>1);
  if (dx > 0 && w == wordsOf(s) - 1) return mask & ~((<u64>1) << (<u64>((width - 1) & 63)));
  return mask;
}

/**
 * Spreads bits upwards through a mask, in steps that double, until no stretch of the mask is longer:
 *
 *     bits  0000_0010, mask 0110_1110  ->  0000_1110
 */
// @ts-ignore: decorator
@inline
function spreadUp(bits: u64, mask: u64): u64 {
  for (let step: u64 = 1; mask != 0 && step < 64; step <<= 1) {
    bits |= mask & (bits << step);
    mask &= mask << step;
  }
  return bits;
}

// @ts-ignore: decorator
@inline
function spreadDown(bits: u64, mask: u64): u64 {
  for (let step: u64 = 1; mask != 0 && step < 64; step <<= 1) {
    bits |= mask & (bits >> step);
    mask &= mask >> step;
  }
  return bits;
}

/** Reaches pixels of a word, and what follows from them within it. */
function reach<R>(s: usize, index: u32, y: u32, w: u32, bits: u64): void {
  const at = <usize>load<u32>(s, PLANE) + (<usize>index << 3);
  const before = load<u64>(at);
  if ((bits & ~before) == 0) return;
  const cell = <usize>load<u32>(s, CELLS) + <usize>index * load<u32>(s, CELL_BYTES);
  const up = maskOf<R>(s, cell, y, w, LEFT);
  const down = sizeof<R>() == 2 ? maskOf<R>(s, cell, y, w, RIGHT) : up;
  // Often all that a word has is entered at once.
  const all = ((up | down) & ~bits) == 0 ? bits : spreadUp(bits, up) | spreadDown(bits, down);
  const fresh = all & ~before;
  store<u64>(at, before | fresh);
  store<f64>(s, load<f64>(s, REACHED) + 1, REACHED);
  const waiting = load<u64>(cell);
  store<u64>(cell, waiting | fresh);
  if (waiting) return;
  const count = load<u32>(s, COUNT);
  store<u32>(<usize>load<u32>(s, STACK) + (<usize>count << 2), index);
  store<u32>(s, count + 1, COUNT);
}

/** Enters the row at y from bits of the row before or after it, at word w. */
// @ts-ignore: decorator
@inline
function enterRow<R>(
  s: usize, index: u32, y: u32, w: u32, words: u32, bits: u64, eight: bool, straight: u32, left: u32, right: u32,
): void {
  const cellBytes = <usize>load<u32>(s, CELL_BYTES);
  const cell = <usize>load<u32>(s, CELLS) + <usize>index * cellBytes;
  const open = ~load<u64>(<usize>load<u32>(s, PLANE) + (<usize>index << 3));
  let entered: u64 = 0;
  if (bits & open) entered = bits & open & maskOf<R>(s, cell, y, w, straight);
  if (eight) {
    if ((bits << 1) & open) entered |= (bits << 1) & open & maskOf<R>(s, cell, y, w, left);
    if ((bits >> 1) & open) entered |= (bits >> 1) & open & maskOf<R>(s, cell, y, w, right);
    if (bits >> 63 && w + 1 < words) {
      reach<R>(s, index + 1, y, w + 1, maskOf<R>(s, cell + cellBytes, y, w + 1, left) & 1);
    }
    if (bits & 1 && w > 0) {
      reach<R>(s, index - 1, y, w - 1, maskOf<R>(s, cell - cellBytes, y, w - 1, right) & ((<u64>1) << 63));
    }
  }
  if (entered) reach<R>(s, index, y, w, entered);
}

/** Whether the search has taken more than its part of the time that labelling all matching pixels would take. */
// @ts-ignore: decorator
@inline
function tooLong(s: usize): bool {
  const tested = load<f64>(s, TESTED);
  const spent = (load<f64>(s, REACHED) * PER_REACH + tested * PER_TEST) * (load<u32>(s, EIGHT) ? TIMES_EIGHT : 1);
  if (spent < LEAST) return false;
  return spent * tested > load<f64>(s, BUDGET) * (PER_WORD * tested + PER_RUN * load<f64>(s, STARTS));
}

/** Goes on with a search. */
export function search(s: usize): i32 {
  return load<u32>(s, FLOATING) ? searchFor<u16>(s) : searchFor<u8>(s);
}

/** Reaches the seed. It belongs to its own fill, unless it differs from the mean around it, or lies outside the fence. */
function plant<R>(s: usize): void {
  const x = load<u32>(s, SEED_X);
  const y = load<u32>(s, SEED_Y);
  const w = x >> 6;
  const index = y * wordsOf(s) + w;
  const bit = (<u64>1) << (<u64>(x & 63));
  const fence = load<u32>(s, FENCE);
  let inside = !fence || (load<u64>(<usize>fence + (<usize>index << 3)) & bit) != 0;
  if (sizeof<R>() == 1) inside = (maskOf<R>(s, cellOf(s, y, w), y, w, LEFT) & bit) != 0;
  if (inside) reach<R>(s, index, y, w, bit);
  store<u32>(s, 0, PENDING);
}

function searchFor<R>(s: usize): i32 {
  const eight = load<u32>(s, EIGHT) != 0;
  const words = wordsOf(s);
  const height = load<u32>(s, HEIGHT);
  const cellBytes = <usize>load<u32>(s, CELL_BYTES);
  const cells = <usize>load<u32>(s, CELLS);
  if (load<u32>(s, PENDING)) {
    if (!touch(s, load<u32>(s, SEED_Y))) return NEEDS_ROW;
    plant<R>(s);
  }
  while (load<u32>(s, COUNT)) {
    const top = load<u32>(s, COUNT) - 1;
    const index = load<u32>(<usize>load<u32>(s, STACK) + (<usize>top << 2));
    const y = index / words;
    const w = index - y * words;
    if (y > 0 && !touch(s, y - 1)) return NEEDS_ROW;
    if (y + 1 < height && !touch(s, y + 1)) return NEEDS_ROW;
    if (load<u32>(s, CAPACITY) - top < NEIGHBOURS) return NEEDS_STACK;
    if (sizeof<R>() == 1 && tooLong(s)) return TOO_LARGE;
    store<u32>(s, top, COUNT);
    const cell = cells + <usize>index * cellBytes;
    const bits = load<u64>(cell);
    store<u64>(cell, 0);
    if (y > 0) enterRow<R>(s, index - words, y - 1, w, words, bits, eight, BELOW, BELOW_LEFT, BELOW_RIGHT);
    if (y + 1 < height) enterRow<R>(s, index + words, y + 1, w, words, bits, eight, ABOVE, ABOVE_LEFT, ABOVE_RIGHT);
    // Sideways last, so that it is looked at first: memory is read in rows.
    if (bits >> 63 && w + 1 < words) {
      reach<R>(s, index + 1, y, w + 1, maskOf<R>(s, cell + cellBytes, y, w + 1, LEFT) & 1);
    }
    if (bits & 1 && w > 0) {
      reach<R>(s, index - 1, y, w - 1, maskOf<R>(s, cell - cellBytes, y, w - 1, RIGHT) & ((<u64>1) << 63));
    }
  }
  if (load<u32>(s, LAST)) finish(s);
  return DONE;
}

/** Clears rows between far seeds and two more on either side, where kernels look, and counts runs and pixels. */
function finish(s: usize): void {
  const height = load<u32>(s, HEIGHT);
  const bytes = <usize>wordsOf(s) << 3;
  const top = load<u32>(s, TOP);
  const bottom = load<u32>(s, BOTTOM);
  let runs: u32 = 0;
  let area: u64 = 0;
  for (let y = top; y < bottom; y++) {
    const row = bitsOf(s, y);
    if (!load<u8>(<usize>load<u32>(s, TOUCHED) + y)) {
      memory.fill(row, 0, bytes);
      continue;
    }
    let carry: u64 = 0;
    for (let i: usize = 0; i < bytes; i += 8) {
      const word = load<u64>(row + i);
      runs += <u32>popcnt(startsOf(word, carry));
      area += popcnt(word);
      carry = word >> 63;
    }
  }
  const first = top >= 2 ? top - 2 : 0;
  const end = min(height, bottom + 2);
  for (let y = first; y < top; y++) memory.fill(bitsOf(s, y), 0, bytes);
  for (let y = bottom; y < end; y++) memory.fill(bitsOf(s, y), 0, bytes);
  store<u32>(s, first, TOP);
  store<u32>(s, end, BOTTOM);
  store<u32>(s, runs, RUNS);
  store<f64>(s, <f64>area, AREA);
}

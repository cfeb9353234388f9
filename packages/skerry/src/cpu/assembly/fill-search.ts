// A search from a seed, a word of 64 pixels at a time; reached pixels are bits. Rows are cleared on first access and
// pixels are tested when their word is first entered. So a small region of a large image costs as much as the region.
// The search returns if it needs missing rows of pixels or a larger stack, or if its cost exceeds a given fraction of the
// cost of labelling. When called again, it continues.

import { DONE, NEEDS_ROW, NEEDS_STACK, TOO_LARGE } from "./layout/fill";
import { startsOf } from "./bits";
import { LEFT, RIGHT, ABOVE, BELOW, ABOVE_LEFT, ABOVE_RIGHT, BELOW_LEFT, BELOW_RIGHT, wordsOf, maskOf } from "./fill-enter";
import {
  HEIGHT,
  PRESENT,
  FENCE,
  PLANE,
  TOUCHED,
  STACK,
  CAPACITY,
  COUNT,
  EIGHT,
  FLOATING,
  PENDING,
  SEED_X,
  SEED_Y,
  NEED,
  TOP,
  BOTTOM,
  LAST,
  RUNS,
  CELLS,
  CELL_BYTES,
  AREA,
  REACHED,
  TESTED,
  STARTS,
  BUDGET,
} from "./layout/search";

// Measured nanoseconds: reaching a word, testing a word, and labelling a word and a run on two threads.
const PER_REACH: f64 = 40;
const PER_TEST: f64 = 60;
/** Factor of the cost with 8 neighbours: a word is entered from its corners, too. */
const TIMES_EIGHT: f64 = 1.5;
const PER_WORD: f64 = 25;
const PER_RUN: f64 = 10;
/** Nanoseconds below which the search always continues. */
const LEAST: f64 = 150_000;

/** Largest number of neighbours of a word. */
const NEIGHBOURS: u32 = 8;

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

/** Prepares row y for access; false if its pixels are not present. */
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

/** Marks pixels of a word as reached, spreads them within the word, and pushes the word if any are new. */
function reach<R>(s: usize, index: u32, y: u32, w: u32, bits: u64): void {
  const at = <usize>load<u32>(s, PLANE) + (<usize>index << 3);
  const before = load<u64>(at);
  if ((bits & ~before) == 0) return;
  const cell = <usize>load<u32>(s, CELLS) + <usize>index * load<u32>(s, CELL_BYTES);
  const up = maskOf<R>(s, cell, y, w, LEFT);
  const down = sizeof<R>() == 2 ? maskOf<R>(s, cell, y, w, RIGHT) : up;
  // Often all pixels that can be reached in a word are entered at once.
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
  const at = <usize>load<u32>(s, PLANE) + (<usize>index << 3);
  const open = ~load<u64>(at);
  let entered: u64 = 0;
  if (bits & open) entered = bits & open & maskOf<R>(s, cell, y, w, straight);
  if (eight) {
    if ((bits << 1) & open) entered |= (bits << 1) & open & maskOf<R>(s, cell, y, w, left);
    if ((bits >> 1) & open) entered |= (bits >> 1) & open & maskOf<R>(s, cell, y, w, right);
  }
  if (entered) reach<R>(s, index, y, w, entered);
  if (!eight) return;
  // Corner words are pushed last, so they are processed before the next row. Reached pixels are not tested again.
  if (bits >> 63 && w + 1 < words && !(load<u64>(at, 8) & 1)) {
    reach<R>(s, index + 1, y, w + 1, maskOf<R>(s, cell + cellBytes, y, w + 1, left) & 1);
  }
  if (bits & 1 && w > 0 && !(load<u64>(at - 8) >> 63)) {
    reach<R>(s, index - 1, y, w - 1, maskOf<R>(s, cell - cellBytes, y, w - 1, right) & ((<u64>1) << 63));
  }
}

/** Whether the search has exceeded its fraction of the time that labelling all matching pixels would take. */
// @ts-ignore: decorator
@inline
function tooLong(s: usize): bool {
  // Linking neighbours costs the same for each word of the image, so only the number of reached words counts.
  if (load<u32>(s, FLOATING)) return load<f64>(s, REACHED) > load<f64>(s, BUDGET);
  const tested = load<f64>(s, TESTED);
  const spent = (load<f64>(s, REACHED) * PER_REACH + tested * PER_TEST) * (load<u32>(s, EIGHT) ? TIMES_EIGHT : 1);
  if (spent < LEAST) return false;
  return spent * tested > load<f64>(s, BUDGET) * (PER_WORD * tested + PER_RUN * load<f64>(s, STARTS));
}

/**
 * Begins or continues a search. Returns DONE, NEEDS_ROW, NEEDS_STACK or TOO_LARGE.
 * @param s search block: a match block, then the fields of layout/search.ts [0 .. 344]
 * @behind PIXELS at u32(s, 54): pixels of the whole image [u32(s, 65) ? -u32(s, 1) * typeBytes(u32(s, 2)) : 0 .. ((u32(s, 56) - 1) * u32(s, 55) + (u32(s, 2) === 0 && u32(s, 0) === 0 ? Math.ceil(u32(s, 55) / 64) * 64 : u32(s, 55)) + (u32(s, 65) === 1 ? 1 : 0)) * u32(s, 1) * typeBytes(u32(s, 2))]
 * @behind PRESENT at u32(s, 57): u8 per row: pixels are present [0 .. u32(s, 56)]
 * @behind FENCE at u32(s, 58): plane outside which pixels are background [0 .. u32(s, 56) * rowBytes(u32(s, 55))]
 * @behind PLANE at u32(s, 59): bit plane of reached pixels [0 .. u32(s, 56) * rowBytes(u32(s, 55))]
 * @behind TOUCHED at u32(s, 60): u8 per row: bits and cells are initialised [0 .. u32(s, 56)]
 * @behind STACK at u32(s, 61): u32 per waiting word [0 .. u32(s, 62) * 4]
 * @behind CELLS at u32(s, 74): cell per word: waiting bits, set of computed masks, masks [0 .. u32(s, 56) * Math.ceil(u32(s, 55) / 64) * u32(s, 75)]
 */
export function search(s: usize): i32 {
  return load<u32>(s, FLOATING) ? searchFor<u16>(s) : searchFor<u8>(s);
}

/** Reaches the seed if it lies within the fence and, with a fixed range, matches: it may differ from the mean around it. */
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
  const plane = <usize>load<u32>(s, PLANE);
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
    if (tooLong(s)) return TOO_LARGE;
    store<u32>(s, top, COUNT);
    const cell = cells + <usize>index * cellBytes;
    const bits = load<u64>(cell);
    store<u64>(cell, 0);
    if (y > 0) enterRow<R>(s, index - words, y - 1, w, words, bits, eight, BELOW, BELOW_LEFT, BELOW_RIGHT);
    if (y + 1 < height) enterRow<R>(s, index + words, y + 1, w, words, bits, eight, ABOVE, ABOVE_LEFT, ABOVE_RIGHT);
    // Words to the sides are pushed last and so processed first, because memory is read in rows.
    const at = plane + (<usize>index << 3);
    if (bits >> 63 && w + 1 < words && !(load<u64>(at, 8) & 1)) {
      reach<R>(s, index + 1, y, w + 1, maskOf<R>(s, cell + cellBytes, y, w + 1, LEFT) & 1);
    }
    if (bits & 1 && w > 0 && !(load<u64>(at - 8) >> 63)) {
      reach<R>(s, index - 1, y, w - 1, maskOf<R>(s, cell - cellBytes, y, w - 1, RIGHT) & ((<u64>1) << 63));
    }
  }
  if (load<u32>(s, LAST)) finish(s);
  return DONE;
}

/** Clears untouched rows between seeds, and two rows on either side, which kernels read. Counts runs and pixels. */
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

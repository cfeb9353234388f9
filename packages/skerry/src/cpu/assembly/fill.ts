// A search from a seed, a span of a row at a time: what it reaches is bits, rows of which are cleared when they are
// first looked at, so that a small region of a large image costs what the region costs. It stops to ask for rows of
// pixels that are not there yet, for a larger stack, or because it has gone on for longer than labelling would take;
// called again, it goes on where it was.

import { below, setRange, startsOf, tailMask } from "./bits";
import { F32, I16, U16, U8 } from "./luma";
import { MATCH_BYTES, passes, pixelBytes, typeOf } from "./match";

// The block that src/cpu/search.ts writes and reads: a match, then u32s up to AREA, then two f64.
const PIXELS: usize = MATCH_BYTES;
const WIDTH: usize = MATCH_BYTES + 4;
const HEIGHT: usize = MATCH_BYTES + 8;
/** u8 per row, whether its pixels (and its fence) are there; 0 when all are. */
const PRESENT: usize = MATCH_BYTES + 12;
const FENCE: usize = MATCH_BYTES + 16;
const PLANE: usize = MATCH_BYTES + 20;
/** u8 per row, whether its bits are there. */
const TOUCHED: usize = MATCH_BYTES + 24;
/** Spans that were reached and whose neighbours are not looked at yet: y, begin, end. */
const STACK: usize = MATCH_BYTES + 28;
const CAPACITY: usize = MATCH_BYTES + 32;
const COUNT: usize = MATCH_BYTES + 36;
const EIGHT: usize = MATCH_BYTES + 40;
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
/** Pixels reached, and how many of them are too many. */
const AREA: usize = MATCH_BYTES + 80;
const BUDGET: usize = MATCH_BYTES + 88;

const DONE: i32 = 0;
const NEEDS_ROW: i32 = 1;
const NEEDS_STACK: i32 = 2;
const TOO_LARGE: i32 = 3;

const SPAN: usize = 12;

/** Goes on with a search. */
export function search(s: usize): i32 {
  const type = typeOf(s);
  if (type == U8) return searchOf<u8>(s);
  if (type == U16) return searchOf<u16>(s);
  if (type == I16) return searchOf<i16>(s);
  return searchOf<f32>(s);
}

// @ts-ignore: decorator
@inline
function wordsOf(s: usize): usize {
  return <usize>((load<u32>(s, WIDTH) + 63) >> 6);
}

// @ts-ignore: decorator
@inline
function bitsOf(s: usize, y: u32): usize {
  return <usize>load<u32>(s, PLANE) + ((<usize>y * wordsOf(s)) << 3);
}

/** Clears the bits of a row; what lies outside the fence is as good as reached, and taken away in the end. */
function clearRow(s: usize, y: u32): void {
  const words = wordsOf(s);
  const row = bitsOf(s, y);
  const fence = load<u32>(s, FENCE);
  if (!fence) {
    memory.fill(row, 0, words << 3);
    return;
  }
  const from = <usize>fence + ((<usize>y * words) << 3);
  for (let i: usize = 0; i < words; i++) store<u64>(row + (i << 3), ~load<u64>(from + (i << 3)));
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
  clearRow(s, y);
  store<u32>(s, min(y, load<u32>(s, TOP)), TOP);
  store<u32>(s, max(y + 1, load<u32>(s, BOTTOM)), BOTTOM);
  return true;
}

// @ts-ignore: decorator
@inline
function reached(row: usize, x: u32): bool {
  return ((load<u64>(row + (<usize>(x >> 6) << 3)) >> (<u64>(x & 63))) & 1) != 0;
}

function push(s: usize, y: u32, begin: u32, end: u32): void {
  const count = load<u32>(s, COUNT);
  const at = <usize>load<u32>(s, STACK) + <usize>count * SPAN;
  store<u32>(at, y);
  store<u32>(at, begin, 4);
  store<u32>(at, end, 8);
  store<u32>(s, count + 1, COUNT);
  store<f64>(s, load<f64>(s, AREA) + <f64>(end - begin), AREA);
}

/** Reaches the span around x, which passed, and pushes it; returns its end. */
// @ts-ignore: decorator
@inline
function spread<T>(s: usize, y: u32, x: u32, step: usize, floating: bool): u32 {
  const width = load<u32>(s, WIDTH);
  const row = bitsOf(s, y);
  const line = <usize>load<u32>(s, PIXELS) + <usize>y * width * step;
  let begin = x;
  while (begin > 0 && !reached(row, begin - 1)) {
    const at = line + <usize>begin * step;
    if (!passes<T>(s, at - step, floating ? at : 0)) break;
    begin--;
  }
  let end = x + 1;
  while (end < width && !reached(row, end)) {
    const at = line + <usize>end * step;
    if (!passes<T>(s, at, floating ? at - step : 0)) break;
    end++;
  }
  setRange(row, begin, end);
  push(s, y, begin, end);
  return end;
}

/** Looks at row y next to the span [begin, end) of row `from`; false when the stack may not hold what is found. */
// @ts-ignore: decorator
@inline
function enter<T>(s: usize, y: u32, from: u32, begin: u32, end: u32, step: usize, floating: bool, wide: u32): void {
  const width = load<u32>(s, WIDTH);
  const row = bitsOf(s, y);
  const line = <usize>load<u32>(s, PIXELS) + <usize>y * width * step;
  const near = <usize>load<u32>(s, PIXELS) + <usize>from * width * step;
  const stop = min(width, end + wide);
  let x = begin >= wide ? begin - wide : 0;
  while (x < stop) {
    if (reached(row, x)) {
      // To the next pixel that is not: the lowest zero at or above x in its word, or the next word.
      const rest = ~load<u64>(row + (<usize>(x >> 6) << 3)) & ~below(x & 63);
      x = (x & ~63) + (rest ? <u32>ctz(rest) : 64);
      continue;
    }
    const at = line + <usize>x * step;
    if (!floating) {
      if (passes<T>(s, at, 0)) x = spread<T>(s, y, x, step, floating);
      // Where a span ended, the pixel did not pass or was reached.
      x++;
      continue;
    }
    let linked = false;
    for (let other = x >= wide ? x - wide : 0; other <= x + wide && !linked; other++) {
      linked = other >= begin && other < end && passes<T>(s, at, near + <usize>other * step);
    }
    x = linked ? spread<T>(s, y, x, step, floating) : x + 1;
  }
}

function searchOf<T>(s: usize): i32 {
  const step = pixelBytes(s);
  const floating = load<u32>(s, FLOATING) != 0;
  const wide = load<u32>(s, EIGHT);
  const width = load<u32>(s, WIDTH);
  const height = load<u32>(s, HEIGHT);
  const budget = load<f64>(s, BUDGET);
  if (load<u32>(s, PENDING)) {
    const x = load<u32>(s, SEED_X);
    const y = load<u32>(s, SEED_Y);
    if (!touch(s, y)) return NEEDS_ROW;
    const at = <usize>load<u32>(s, PIXELS) + (<usize>y * width + x) * step;
    if (!reached(bitsOf(s, y), x) && (floating || passes<T>(s, at, 0))) spread<T>(s, y, x, step, floating);
    store<u32>(s, 0, PENDING);
  }
  while (load<u32>(s, COUNT)) {
    const top = load<u32>(s, COUNT) - 1;
    const at = <usize>load<u32>(s, STACK) + <usize>top * SPAN;
    const y = load<u32>(at);
    const begin = load<u32>(at, 4);
    const end = load<u32>(at, 8);
    if (y > 0 && !touch(s, y - 1)) return NEEDS_ROW;
    if (y + 1 < height && !touch(s, y + 1)) return NEEDS_ROW;
    // Two rows have at most one span in two pixels each, or with a floating range one per pixel.
    if (load<u32>(s, CAPACITY) - top < 2 * (end - begin + 2)) return NEEDS_STACK;
    if (load<f64>(s, AREA) > budget) return TOO_LARGE;
    store<u32>(s, top, COUNT);
    if (y > 0) enter<T>(s, y - 1, y, begin, end, step, floating, wide);
    if (y + 1 < height) enter<T>(s, y + 1, y, begin, end, step, floating, wide);
  }
  if (load<u32>(s, LAST)) finish(s);
  return DONE;
}

/** Takes the fence away, clears rows between far seeds and two more on either side, where kernels look, and counts runs. */
function finish(s: usize): void {
  const height = load<u32>(s, HEIGHT);
  const words = wordsOf(s);
  const fence = load<u32>(s, FENCE);
  const top = load<u32>(s, TOP);
  const bottom = load<u32>(s, BOTTOM);
  let runs: u32 = 0;
  for (let y = top; y < bottom; y++) {
    const row = bitsOf(s, y);
    if (!load<u8>(<usize>load<u32>(s, TOUCHED) + y)) {
      memory.fill(row, 0, words << 3);
      continue;
    }
    let carry: u64 = 0;
    for (let i: usize = 0; i < words; i++) {
      const at = row + (i << 3);
      if (fence) store<u64>(at, load<u64>(at) & load<u64>(<usize>fence + ((<usize>y * words + i) << 3)));
      const word = load<u64>(at);
      runs += <u32>popcnt(startsOf(word, carry));
      carry = word >> 63;
    }
  }
  const first = top >= 2 ? top - 2 : 0;
  const end = min(height, bottom + 2);
  for (let y = first; y < top; y++) memory.fill(bitsOf(s, y), 0, words << 3);
  for (let y = bottom; y < end; y++) memory.fill(bitsOf(s, y), 0, words << 3);
  store<u32>(s, first, TOP);
  store<u32>(s, end, BOTTOM);
  store<u32>(s, runs, RUNS);
}

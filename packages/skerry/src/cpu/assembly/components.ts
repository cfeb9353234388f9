// Runs joined into components. A strip of rows is labelled on its own, run to run, with the smallest
// run number as the root; strips are then joined at their seams by the same union over their local
// components. The answer does not depend on how many strips there are or who labels them.

import { allEqual, decodeRow, rowsEqual, startsOf } from "./bits";

/**
 * Counts the runs of each row of [y0, y1) into `counts[y]` and returns the number of foreground pixels.
 */
export function countRows(bits: usize, bits2: usize, words: u32, y0: u32, y1: u32, counts: usize): f64 {
  const stride = <usize>words << 3;
  let foreground: u64 = 0;
  for (let y = y0; y < y1; y++) {
    let runs: u64 = 0;
    for (let plane = 0; plane < 2; plane++) {
      const base = plane == 0 ? bits : bits2;
      if (!base) break;
      const row = base + <usize>y * stride;
      let carry: u64 = 0;
      for (let i: usize = 0; i < stride; i += 8) {
        const c = load<u64>(row + i);
        runs += popcnt(startsOf(c, carry));
        foreground += popcnt(c);
        carry = c >> 63;
      }
    }
    store<u32>(counts + (<usize>y << 2), <u32>runs);
  }
  return <f64>foreground;
}

/** Turns counts per row into the number of the first run of each row; the total goes last and is returned. */
export function prefixRows(counts: usize, height: u32): f64 {
  let sum: u64 = 0;
  for (let y: u32 = 0; y < height; y++) {
    const at = counts + (<usize>y << 2);
    const n = load<u32>(at);
    store<u32>(at, <u32>sum);
    sum += n;
  }
  store<u32>(counts + (<usize>height << 2), <u32>sum);
  return <f64>sum;
}

/** The root of `x`, halving the path on the way. */
// @ts-ignore: decorator
@inline
function find(parents: usize, x: u32): u32 {
  let p = load<u32>(parents + (<usize>x << 2));
  let q = load<u32>(parents + (<usize>p << 2));
  while (p != q) {
    store<u32>(parents + (<usize>x << 2), q);
    x = q;
    p = load<u32>(parents + (<usize>x << 2));
    q = load<u32>(parents + (<usize>p << 2));
  }
  return p;
}

/** Links the larger root under the smaller. */
// @ts-ignore: decorator
@inline
function unite(parents: usize, a: u32, b: u32): void {
  const x = find(parents, a);
  const y = find(parents, b);
  // Writing a root over itself changes nothing, so no branch is needed to tell whether they differ.
  store<u32>(parents + (<usize>max(x, y) << 2), min(x, y));
}

/**
 * Unites the runs of pairs of rows. At each set bit of `pairs` the run of `c` and the run of `u` that
 * hold it (or end just before it) meet; their numbers are the starts up to and with that bit.
 *
 *     u  . X X . X     pairs of the 4-connected kind: bit 1 (a run of u starts over c) and bit 4
 *     c  X X . . X     8-connected too: bit 1 already covers it, nothing is met twice
 *
 * `cLeft` or `uLeft` of 1 says that the run ends left of the bit, so a start at the bit is not its own.
 * At a `seam`, runs are named by their strip's component plus an offset instead of by run number.
 */
// @ts-ignore: decorator
@inline
function joinWord(
  pairs: u64, cs: u64, us: u64, cLeft: u64, uLeft: u64, cRank: u32, uRank: u32, parents: usize,
  seam: bool, cLabels: usize, uLabels: usize, cOffset: u32, uOffset: u32,
): void {
  while (pairs) {
    const upTo = pairs ^ (pairs - 1);
    pairs &= pairs - 1;
    let a = cRank + <u32>popcnt(cs & (upTo >> cLeft)) - 1;
    let b = uRank + <u32>popcnt(us & (upTo >> uLeft)) - 1;
    if (seam) {
      a = load<u32>(cLabels + (<usize>a << 2)) + cOffset;
      b = load<u32>(uLabels + (<usize>b << 2)) + uOffset;
    }
    unite(parents, a, b);
  }
}

/** Runs in a word from which on it pays to ask whether it equals the one above; below, the answer is a guess. */
const MANY: u32 = 4;

/** parents[to + i] = parents[from + i] for i < count. */
// @ts-ignore: decorator
@inline
function copyParents(parents: usize, from: u32, to: u32, count: u32): void {
  const src = parents + (<usize>from << 2);
  const dst = parents + (<usize>to << 2);
  let i: u32 = 0;
  for (; i + 4 <= count; i += 4) v128.store(dst + (<usize>i << 2), v128.load(src + (<usize>i << 2)));
  for (; i < count; i++) store<u32>(dst + (<usize>i << 2), load<u32>(src + (<usize>i << 2)));
}

/** Joins row `c` to the row `u` above it; one plane. */
// @ts-ignore: decorator
@inline
function joinRow(
  c0: usize, u0: usize, words: u32, eight: bool, cRank: u32, uRank: u32, parents: usize,
  seam: bool, cLabels: usize, uLabels: usize, cOffset: u32, uOffset: u32,
): void {
  let cCarry: u64 = 0;
  let uCarry: u64 = 0;
  for (let i: u32 = 0; i < words; i++) {
    // Where both rows go on as they were, nothing begins and nothing meets.
    if ((i & 3) == 0) {
      while (i + 4 <= words && allEqual(c0 + (<usize>i << 3), cCarry) && allEqual(u0 + (<usize>i << 3), uCarry)) i += 4;
      if (i == words) break;
    }
    const c = load<u64>(c0 + (<usize>i << 3));
    const u = load<u64>(u0 + (<usize>i << 3));
    const cLeft = (c << 1) | cCarry;
    const uLeft = (u << 1) | uCarry;
    const cs = c & ~cLeft;
    const us = u & ~uLeft;
    const count = <u32>popcnt(cs);
    if (!seam && count >= MANY && c == u && cCarry == uCarry) {
      // Every run that starts here lies under its like and has met nothing yet: it takes the same parent.
      copyParents(parents, uRank, cRank, count);
      cRank += count;
      uRank += count;
      cCarry = c >> 63;
      uCarry = cCarry;
      continue;
    }
    let pairs = (us & c) | (cs & u & ~us);
    if (eight) pairs |= (us & ~c & cLeft) | (cs & ~u & uLeft);
    joinWord(pairs, cs, us, 0, 0, cRank, uRank, parents, seam, cLabels, uLabels, cOffset, uOffset);
    cRank += count;
    uRank += <u32>popcnt(us);
    cCarry = c >> 63;
    uCarry = u >> 63;
  }
}

/**
 * The same for two planes with one numbering. A diagonal may pass between runs of the other class, so
 * each kind of meeting has its own mask.
 */
function joinRowTwo(
  c0: usize, u0: usize, c1: usize, u1: usize, words: u32, eight: bool, cRank: u32, uRank: u32, parents: usize,
  seam: bool, cLabels: usize, uLabels: usize, cOffset: u32, uOffset: u32,
): void {
  let carries0: u64 = 0;
  let carries1: u64 = 0;
  for (let i: u32 = 0; i < words; i++) {
    const at = <usize>i << 3;
    const ca = load<u64>(c0 + at);
    const ua = load<u64>(u0 + at);
    const cb = load<u64>(c1 + at);
    const ub = load<u64>(u1 + at);
    const caLeft = (ca << 1) | (carries0 & 1);
    const uaLeft = (ua << 1) | (carries0 >> 1);
    const cbLeft = (cb << 1) | (carries1 & 1);
    const ubLeft = (ub << 1) | (carries1 >> 1);
    const csa = ca & ~caLeft;
    const csb = cb & ~cbLeft;
    const usa = ua & ~uaLeft;
    const usb = ub & ~ubLeft;
    const cs = csa | csb;
    const us = usa | usb;
    const straight = (usa & ca) | (csa & ua & ~usa) | (usb & cb) | (csb & ub & ~usb);
    joinWord(straight, cs, us, 0, 0, cRank, uRank, parents, seam, cLabels, uLabels, cOffset, uOffset);
    if (eight) {
      const left = (usa & ~ca & caLeft) | (usb & ~cb & cbLeft);
      joinWord(left, cs, us, 1, 0, cRank, uRank, parents, seam, cLabels, uLabels, cOffset, uOffset);
      const right = (csa & ~ua & uaLeft) | (csb & ~ub & ubLeft);
      joinWord(right, cs, us, 0, 1, cRank, uRank, parents, seam, cLabels, uLabels, cOffset, uOffset);
    }
    cRank += <u32>popcnt(cs);
    uRank += <u32>popcnt(us);
    carries0 = (ca >> 63) | ((ua >> 63) << 1);
    carries1 = (cb >> 63) | ((ub >> 63) << 1);
  }
}

/**
 * Labels rows [y0, y1) on their own. `labels` holds one u32 per run of the image; the strip's serve as the
 * parents while runs are united and ends as the strip's own component of each run, numbered from 0
 * in the order of their first runs. Returns how many there are.
 */
export function labelStrip(
  bits: usize, bits2: usize, words: u32, y0: u32, y1: u32, eight: bool, offsets: usize, labels: usize,
): u32 {
  const stride = <usize>words << 3;
  const base = load<u32>(offsets + (<usize>y0 << 2));
  labels += <usize>base << 2;
  let above: u32 = 0;
  for (let y = y0; y < y1; y++) {
    const first = load<u32>(offsets + (<usize>y << 2)) - base;
    const end = load<u32>(offsets + (<usize>(y + 1) << 2)) - base;
    for (let i = first; i < end; i++) store<u32>(labels + (<usize>i << 2), i);
    if (y > y0 && above < first && first < end) {
      const c = bits + <usize>y * stride;
      const u = c - stride;
      if (bits2) {
        const c2 = bits2 + <usize>y * stride;
        joinRowTwo(c, u, c2, c2 - stride, words, eight, first, above, labels, false, 0, 0, 0, 0);
      } else if (end - first == first - above && rowsEqual(c, u, words)) {
        copyParents(labels, above, first, end - first);
      } else if (eight) {
        joinRow(c, u, words, true, first, above, labels, false, 0, 0, 0, 0);
      } else {
        joinRow(c, u, words, false, first, above, labels, false, 0, 0, 0, 0);
      }
    }
    above = first;
  }
  return numberRoots(labels, load<u32>(offsets + (<usize>y1 << 2)) - base);
}

/** Parents to component numbers from 0, in place: a parent comes before its child, so it is done already. */
function numberRoots(labels: usize, runs: u32): u32 {
  let count: u32 = 0;
  for (let i: u32 = 0; i < runs; i++) {
    const at = labels + (<usize>i << 2);
    const p = load<u32>(at);
    const root = p == i;
    store<u32>(at, root ? count : load<u32>(labels + (<usize>p << 2)));
    count += u32(root);
  }
  return count;
}

/**
 * Joins the strips at their seams. `table` holds a pair of u32 per strip: its first row and where its
 * components begin in `map`, which has one entry per strip's component, `size` in all. `offsets` are the
 * numbers of the rows' first runs and `labels` the strips' own labels of all runs.
 */
export function joinStrips(
  bits: usize, bits2: usize, words: u32, eight: bool, offsets: usize, labels: usize, table: usize, strips: u32,
  map: usize, size: u32,
): void {
  for (let i: u32 = 0; i < size; i++) store<u32>(map + (<usize>i << 2), i);
  const stride = <usize>words << 3;
  for (let s: u32 = 1; s < strips; s++) {
    const entry = table + (<usize>s << 3);
    const y = load<u32>(entry);
    const c = bits + <usize>y * stride;
    const cLabels = labels + (<usize>load<u32>(offsets + (<usize>y << 2)) << 2);
    const uLabels = labels + (<usize>load<u32>(offsets + (<usize>(y - 1) << 2)) << 2);
    const cOffset = load<u32>(entry, 4);
    const uOffset = load<u32>(entry - 8, 4);
    if (bits2) {
      const c2 = bits2 + <usize>y * stride;
      joinRowTwo(c, c - stride, c2, c2 - stride, words, eight, 0, 0, map, true, cLabels, uLabels, cOffset, uOffset);
    } else {
      joinRow(c, c - stride, words, eight, 0, 0, map, true, cLabels, uLabels, cOffset, uOffset);
    }
  }
}

/** Local components per entry of the table that `numberComponents` writes. */
export const CHUNK: u32 = 32768;

/**
 * Parents of `size` local components to labels 1..count, in place; returns count. `joins` receives the
 * size - count pairs (component, its root) of those that a seam joined to an earlier one; `firsts[k]` how
 * many labels come before component k * CHUNK.
 */
export function numberComponents(map: usize, size: u32, joins: usize, firsts: usize): u32 {
  for (let i: u32 = 0; i < size; i++) {
    const at = map + (<usize>i << 2);
    const p = load<u32>(at);
    if (p != i) store<u32>(at, load<u32>(map + (<usize>p << 2)));
  }
  let count: u32 = 0;
  for (let i: u32 = 0; i < size; i++) {
    if ((i & (CHUNK - 1)) == 0) store<u32>(firsts + (<usize>(i / CHUNK) << 2), count);
    const at = map + (<usize>i << 2);
    const root = load<u32>(at);
    if (root == i) {
      store<u32>(at, ++count);
    } else {
      store<u32>(joins, i);
      store<u32>(joins, root, 4);
      joins += 8;
      store<u32>(at, load<u32>(map + (<usize>root << 2)));
    }
  }
  return count;
}

/** Writes classes[component] (u8, 1 or 2) of the strip's components; every run of one says the same. */
export function classesOf(
  bits: usize, bits2: usize, width: u32, y0: u32, y1: u32, offsets: usize, labels: usize, classes: usize, list: usize,
): void {
  labels += <usize>load<u32>(offsets + (<usize>y0 << 2)) << 2;
  const words = (width + 63) >> 6;
  for (let y = y0; y < y1; y++) {
    const at = <usize>y * words << 3;
    const runs = decodeRow(bits + at, bits2 + at, width, list);
    for (let i: u32 = 0; i < runs; i++) {
      const begin = load<u32>(list + (<usize>i << 3));
      const first = (load<u64>(bits + at + (<usize>(begin >> 6) << 3)) >> (<u64>(begin & 63))) & 1;
      store<u8>(classes + load<u32>(labels + (<usize>i << 2)), first ? 1 : 2);
    }
    labels += <usize>runs << 2;
  }
}

// Unites touching runs of two rows, each pair once. The smaller root becomes the parent of the larger one.

import { allEqual } from "./bits";

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
export function unite(parents: usize, a: u32, b: u32): void {
  const x = find(parents, a);
  const y = find(parents, b);
  // Writing a root over itself changes nothing, so no branch is needed to tell whether they differ.
  store<u32>(parents + (<usize>max(x, y) << 2), min(x, y));
}

/**
 * Unites touching runs of two rows. Each set bit of `pairs` marks a run of `c` and a run of `u` that contain the bit,
 * or end just before it. The number of a run is the number of starts up to and including that bit.
 *
 *     u  . X X . X     pairs of the straight kind: bit 1 (a run of u starts over c) and bit 4
 *     c  X X . . X     widened: the diagonals add no pair, because bit 1 already joins these runs
 *
 * With `cLeft` or `uLeft` of 1, that run ends left of the bit, so a start at the bit is not its own.
 * At a `seam`, runs are named by their strip's component plus an offset instead of by run number.
 */
// @ts-ignore: decorator
@inline
export function joinWord(
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

/**
 * Minimum number of runs in a word for comparing it with the word above. With fewer runs the branch would be
 * mispredicted.
 */
const MANY: u32 = 4;

/** parents[to + i] = parents[from + i] for i < count. */
// @ts-ignore: decorator
@inline
export function copyParents(parents: usize, from: u32, to: u32, count: u32): void {
  copyNumbers(parents + (<usize>from << 2), parents + (<usize>to << 2), count);
}

/** Copies `count` numbers, four at a time; nothing is written past them. */
// @ts-ignore: decorator
@inline
export function copyNumbers(src: usize, dst: usize, count: u32): void {
  let i: u32 = 0;
  for (; i + 4 <= count; i += 4) v128.store(dst + (<usize>i << 2), v128.load(src + (<usize>i << 2)));
  for (; i < count; i++) store<u32>(dst + (<usize>i << 2), load<u32>(src + (<usize>i << 2)));
}

/**
 * Joins row `c` to an earlier row `u`, in one plane. `fresh`: the runs of `c` have not been united with any run yet.
 */
// @ts-ignore: decorator
@inline
export function joinRow(
  c0: usize, u0: usize, words: u32, widened: bool, fresh: bool, cRank: u32, uRank: u32, parents: usize,
  seam: bool, cLabels: usize, uLabels: usize, cOffset: u32, uOffset: u32,
): void {
  let cCarry: u64 = 0;
  let uCarry: u64 = 0;
  for (let i: u32 = 0; i < words; i++) {
    // While both rows continue unchanged, no run begins and no runs meet.
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
    if (!seam && fresh && count >= MANY && c == u && cCarry == uCarry) {
      // Every run that starts here equals the run above it, so it gets the same parent.
      copyParents(parents, uRank, cRank, count);
      cRank += count;
      uRank += count;
      cCarry = c >> 63;
      uCarry = cCarry;
      continue;
    }
    let pairs = (us & c) | (cs & u & ~us);
    if (widened) pairs |= (us & ~c & cLeft) | (cs & ~u & uLeft);
    joinWord(pairs, cs, us, 0, 0, cRank, uRank, parents, seam, cLabels, uLabels, cOffset, uOffset);
    cRank += count;
    uRank += <u32>popcnt(us);
    cCarry = c >> 63;
    uCarry = u >> 63;
  }
}

/**
 * The same as joinRow, for two planes whose runs are numbered together. A diagonal pair may pass between runs of the other
 * plane. So straight, left and right pairs have a mask each.
 */
export function joinRowTwo(
  c0: usize, u0: usize, c1: usize, u1: usize, words: u32, widened: bool, cRank: u32, uRank: u32, parents: usize,
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
    if (widened) {
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

// A row joined to the rows of the slice before it, in one pass over its words.
//
//     d b e   slice z - 1, rows y - 1, y, y + 1
//     u c     slice z
//
// Most runs that touch there are already connected: where u touches both c and b, c was joined to u and u to b. Such
// pairs are skipped before any run is looked up; inside a solid object, all pairs are. A pair is skipped only if pairs of
// earlier rows, or of c with u, already connect the two runs. So skipping never loses a connection.

import { allEqual } from "./bits";
import { joinWord } from "./components-union";

/** Pairs of overlapping runs, marked at the later of their two starts. */
// @ts-ignore: decorator
@inline
function straight(c: u64, cs: u64, v: u64, vs: u64): u64 {
  return (vs & c) | (cs & v & ~vs);
}

/** Pairs of runs of which one begins just after the other ended. */
// @ts-ignore: decorator
@inline
function diagonal(c: u64, cs: u64, cLeft: u64, v: u64, vs: u64, vLeft: u64): u64 {
  return (vs & ~c & cLeft) | (cs & ~v & vLeft);
}

/**
 * Unites the runs of row `c` with the runs of `b` and, for 18 and 26 neighbours, with those of `d` and `e`. Row `u` was
 * joined before. Missing rows have a mask of 0 and any address. Ranks are the numbers of the rows' first runs.
 */
// @ts-ignore: decorator
@inline
function joinBehind(
  connectivity: u32, c0: usize, u0: usize, uMask: u64, b0: usize, d0: usize, dMask: u64, e0: usize, eMask: u64, words: u32,
  cRank: u32, bRank: u32, dRank: u32, eRank: u32, parents: usize,
): void {
  let cCarry: u64 = 0;
  let uCarry: u64 = 0;
  let bCarry: u64 = 0;
  let dCarry: u64 = 0;
  let eCarry: u64 = 0;
  for (let i: u32 = 0; i < words; i++) {
    if ((i & 3) == 0) {
      while (i + 4 <= words && allEqual(c0 + (<usize>i << 3), cCarry) && allEqual(b0 + (<usize>i << 3), bCarry)) {
        if (connectivity >= 18) {
          if (dMask && !allEqual(d0 + (<usize>i << 3), dCarry)) break;
          if (eMask && !allEqual(e0 + (<usize>i << 3), eCarry)) break;
        }
        // Words without pairs need only the last bit of u, which carries into the next word.
        uCarry = (load<u64>(u0 + (<usize>(i + 3) << 3)) & uMask) >> 63;
        i += 4;
      }
      if (i == words) break;
    }
    const at = <usize>i << 3;
    const c = load<u64>(c0 + at);
    const b = load<u64>(b0 + at);
    const u = load<u64>(u0 + at) & uMask;
    const d = load<u64>(d0 + at) & dMask;
    const cLeft = (c << 1) | cCarry;
    const bLeft = (b << 1) | bCarry;
    const uLeft = (u << 1) | uCarry;
    const cs = c & ~cLeft;
    const bs = b & ~bLeft;
    let pairs = straight(c, cs, b, bs);
    if (connectivity == 6) {
      // Skipped: c is joined to u, u to d and d to b, all at this pixel.
      pairs &= ~(u & d);
    } else if (connectivity == 18) {
      // Skipped if u is set at the x of b's pixel: there it touches the pixels of both b and c.
      pairs = (pairs & ~u) | (bs & ~c & cLeft & ~u) | (cs & ~b & bLeft & ~uLeft);
    } else {
      pairs = (pairs | diagonal(c, cs, cLeft, b, bs, bLeft)) & ~(u | uLeft);
    }
    joinWord(pairs, cs, bs, 0, 0, cRank, bRank, parents, false, 0, 0, 0, 0);
    if (connectivity >= 18) {
      const e = load<u64>(e0 + at) & eMask;
      const dLeft = (d << 1) | dCarry;
      const eLeft = (e << 1) | eCarry;
      const ds = d & ~dLeft;
      const es = e & ~eLeft;
      let above = straight(c, cs, d, ds);
      let below = straight(c, cs, e, es);
      if (connectivity == 18) {
        above &= ~(u | b);
        below &= ~b;
      } else {
        above = (above | diagonal(c, cs, cLeft, d, ds, dLeft)) & ~(u | uLeft | b | bLeft);
        below = (below | diagonal(c, cs, cLeft, e, es, eLeft)) & ~(b | bLeft);
      }
      joinWord(above, cs, ds, 0, 0, cRank, dRank, parents, false, 0, 0, 0, 0);
      joinWord(below, cs, es, 0, 0, cRank, eRank, parents, false, 0, 0, 0, 0);
      dRank += <u32>popcnt(ds);
      eRank += <u32>popcnt(es);
      dCarry = d >> 63;
      eCarry = e >> 63;
    }
    cRank += <u32>popcnt(cs);
    bRank += <u32>popcnt(bs);
    cCarry = c >> 63;
    uCarry = u >> 63;
    bCarry = b >> 63;
  }
}

/**
 * Joins row `row`, which is row `y` of its slice, to rows of the slice before. `offsets` holds the number of each row's
 * first run; less `base`, it is the run's index in `parents`.
 */
export function joinSliceBefore(
  bits: usize, words: u32, row: u32, y: u32, height: u32, connectivity: u32, offsets: usize, base: u32, parents: usize,
): void {
  const stride = <usize>words << 3;
  const c = bits + <usize>row * stride;
  const b = c - <usize>height * stride;
  const hasU = y > 0;
  const hasE = y + 1 < height;
  const u = hasU ? c - stride : c;
  const d = hasU ? b - stride : b;
  const e = hasE ? b + stride : b;
  const uMask: u64 = hasU ? u64.MAX_VALUE : 0;
  const eMask: u64 = hasE ? u64.MAX_VALUE : 0;
  const first = offsets + (<usize>row << 2);
  const behind = first - (<usize>height << 2);
  const cRank = load<u32>(first) - base;
  const bRank = load<u32>(behind) - base;
  const dRank = hasU ? load<u32>(behind - 4) - base : 0;
  const eRank = load<u32>(behind, 4) - base;
  if (connectivity == 6) joinBehind(6, c, u, uMask, b, d, uMask, e, eMask, words, cRank, bRank, dRank, eRank, parents);
  else if (connectivity == 18) joinBehind(18, c, u, uMask, b, d, uMask, e, eMask, words, cRank, bRank, dRank, eRank, parents);
  else joinBehind(26, c, u, uMask, b, d, uMask, e, eMask, words, cRank, bRank, dRank, eRank, parents);
}

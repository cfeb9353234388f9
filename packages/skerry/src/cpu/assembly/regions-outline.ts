// The contribution of a run to its component's surface and Euler number, from the bits of the rows around it.
//
// The Euler number of a union of closed voxels is corners - edges + faces - voxels. Each is counted once, by the first
// row in raster order that touches it. Let c be a row, u the row above it, b the row behind it, d the row above b, and
// e the row below b. Let v(x) = x | x << 1 be the corners that a row's pixels touch. Most terms then cancel, and a run
// adds
//
//     corners  v(c) & ~v(u) & ~v(b) & ~v(d)   minus   corners  v(c) & ~v(b) & v(e)
//   - pixels   c & ~u & ~b & ~d                plus    pixels   c & ~b & e
//
// which is right for 26 neighbours, where voxels that share a corner touch. With 18, two voxels that share only a
// corner do not touch: each has a corner of its own, and the later voxel adds one. With 6 only pixels, pairs, squares
// and cubes of pixels count: 1 - |c & u| - |c & b| + squares - cubes. 8 and 4 are the same without slices.

import { below } from "./bits";

/** A word of a row; 0 where there is no row, and beyond its ends. */
// @ts-ignore: decorator
@inline
function wordAt(row: usize, i: i32, words: i32): u64 {
  return row && i >= 0 && i < words ? load<u64>(row + (<usize>i << 3)) : 0;
}

/** The word shifted by one pixel to the right, the pixel before it moving in. */
// @ts-ignore: decorator
@inline
function shifted(row: usize, i: i32, words: i32): u64 {
  return (wordAt(row, i, words) << 1) | (wordAt(row, i - 1, words) >> 63);
}

/** The bits of [begin, end) that lie in word i. */
// @ts-ignore: decorator
@inline
function range(i: u32, begin: u32, end: u32): u64 {
  let mask = u64.MAX_VALUE;
  if (i == begin >> 6) mask &= ~below(begin & 63);
  // An end at the word's own beginning leaves nothing of it.
  if (i == end >> 6) mask &= below(end & 63);
  return mask;
}

/** Faces across one axis: two per pixel. For a face that two pixels share, the later pixel subtracts two. */
export function facesAcross(words: u32, other: usize, begin: u32, end: u32): u64 {
  let shared: u64 = 0;
  if (other) {
    for (let i = begin >> 6; i <= (end - 1) >> 6; i++) shared += popcnt(load<u64>(other + (<usize>i << 3)) & range(i, begin, end));
  }
  return 2 * (<u64>(end - begin) - shared);
}

/**
 * The contribution of the pixels [begin, end) of a row to the Euler number of their object. The rows beside it are the
 * bits of that object, or 0 for none: `up` and `down` in the slice; `back`, `backUp` and `backDown` in the slice
 * before.
 */
export function eulerOf(
  connectivity: u32, words: u32, up: usize, back: usize, backUp: usize, backDown: usize, down: usize,
  begin: u32, end: u32,
): i64 {
  if (connectivity == 4 || connectivity == 6) return eulerOfFaces(words, up, back, backUp, begin, end);
  let sum: i64 = 0;
  const n = <i32>words;
  for (let w = begin >> 6; w <= end >> 6; w++) {
    const i = <i32>w;
    const pixels = range(w, begin, end);
    const corners = range(w, begin, end + 1);
    const u = wordAt(up, i, n);
    const b = wordAt(back, i, n);
    const d = wordAt(backUp, i, n);
    const e = wordAt(backDown, i, n);
    const uLeft = shifted(up, i, n);
    const bLeft = shifted(back, i, n);
    const dLeft = shifted(backUp, i, n);
    const eLeft = shifted(backDown, i, n);
    sum += popcnt(corners & ~(u | uLeft | b | bLeft | d | dLeft));
    sum -= popcnt(corners & ~(b | bLeft) & (e | eLeft));
    sum -= popcnt(pixels & ~(u | b | d));
    sum += popcnt(pixels & ~b & e);
    if (connectivity != 18) continue;
    // The run's pixel right of a corner, and the one left of it.
    const right = pixels;
    const left = (pixels << 1) | <u64>(w > begin >> 6);
    const lone = (right & ~left & dLeft & ~d) | (left & ~right & d & ~dLeft);
    sum += popcnt(lone & ~(u | uLeft | b | bLeft));
    const under = wordAt(down, i, n) | shifted(down, i, n);
    const loneBelow = (right & ~left & eLeft & ~e) | (left & ~right & e & ~eLeft);
    sum += popcnt(loneBelow & ~(under | b | bLeft));
  }
  return sum;
}

/** The same as eulerOf for 4 and 6 neighbours, which share a side or face. */
function eulerOfFaces(words: u32, up: usize, back: usize, backUp: usize, begin: u32, end: u32): i64 {
  let sum: i64 = 1;
  const n = <i32>words;
  for (let w = begin >> 6; w <= (end - 1) >> 6; w++) {
    const i = <i32>w;
    const pixels = range(w, begin, end);
    // Pixels whose left neighbour also lies in the run.
    const pairs = w == begin >> 6 ? pixels & ~((<u64>1) << (<u64>(begin & 63))) : pixels;
    const u = wordAt(up, i, n);
    const b = wordAt(back, i, n);
    const d = wordAt(backUp, i, n);
    const uPairs = pairs & u & shifted(up, i, n);
    const bPairs = pairs & b & shifted(back, i, n);
    sum -= popcnt(pixels & u) + popcnt(pixels & b);
    sum += popcnt(uPairs) + popcnt(bPairs) + popcnt(pixels & u & b & d);
    sum -= popcnt(uPairs & bPairs & d & shifted(backUp, i, n));
  }
  return sum;
}

// Joins the runs of a strip of an image with 8 neighbours, two rows at once. In the union of two rows, pixels of neighbouring columns
// touch each other whatever rows they lie in, so a run of the union is of one component: united are these wide runs, which noise has
// a half to a twentieth of. W. Lee, F. Bolelli, S. Allegretti, C. Grana, "Fast run-based connected components labeling for
// bitonal images", 2021, unite rows so too.
//
//     row 0   X . X . .     union   X X X . X    two wide runs, 0 and 1
//     row 1   . X . . X             0 0 0   1
//
// Wide runs of a pair meet those of the pair above where pixels of its first row touch pixels of the last row above.

import { allEqual, rowsEqual, startsOf } from "./bits";
import { copyNumbers, copyParents, unite } from "./components-union";

/** A root without a number; roots with one have the top bit, too. */
const NEW: u32 = 0xffffffff;
const ROOT: u32 = 0x80000000;

/** Number of runs in a word from which comparing with the word above pays. */
const MANY: u32 = 4;

/**
 * Labels rows [y0, y1) on their own, as labelStrip does: `labels` receives each run's component of the strip, numbered from 0 in the
 * order of their first runs. Returns the number of components.
 * @param bits bit plane, from row 0 [y0 * words * 8 .. y1 * words * 8]
 * @param words 64-bit words of a bit row
 * @param y0 first row
 * @param y1 row after the last
 * @param offsets u32 per row and one more: first runs [y0 * 4 .. (y1 + 1) * 4]
 * @param labels u32 per run of the image: components [u32(offsets, y0) * 4 .. u32(offsets, y1) * 4]
 * @param parents scratch: u32 per wide run, at most one for two pixels of two rows [0 .. ((y1 - y0 + 1) >> 1) * words * 128]
 */
export function labelPairs(bits: usize, words: u32, y0: u32, y1: u32, offsets: usize, labels: usize, parents: usize): u32 {
  const stride = <usize>words << 3;
  let row = bits + <usize>y0 * stride;
  let wide: u32 = 0;
  let before: u32 = 0;
  // Whether both rows of the pair above are equal.
  let flatBefore = false;
  for (let y = y0; y < y1; y += 2) {
    // The last row of an odd number is a pair with itself.
    const second = y + 1 < y1 ? row + stride : row;
    const flat = rowsEqual(row, second, words);
    const count = startWide(row, second, words, wide, parents);
    if (y > y0 && count > 0) {
      if (flat && flatBefore && count == wide - before && rowsEqual(row, row - stride, words)) {
        copyParents(parents, before, wide, count);
      } else joinPair(row, second, words, wide, before, parents);
    }
    before = wide;
    wide += count;
    flatBefore = flat;
    row += stride << 1;
  }
  for (let i: u32 = 0; i < wide; i++) {
    const at = parents + (<usize>i << 2);
    const p = load<u32>(at);
    if (p == i) {
      store<u32>(at, NEW);
      continue;
    }
    // A parent comes before its children, so it is a root already, or has one.
    if (load<u32>(parents + (<usize>p << 2)) < ROOT) store<u32>(at, load<u32>(parents + (<usize>p << 2)));
  }
  return numberRuns(bits, words, y0, y1, offsets, labels, parents);
}

/** Makes each wide run of a pair its own parent, from number `wide` on, and returns how many there are. */
function startWide(row: usize, second: usize, words: u32, wide: u32, parents: usize): u32 {
  let carry: u64 = 0;
  let count: u32 = 0;
  for (let i: u32 = 0; i < words; i++) {
    if ((i & 3) == 0) {
      while (i + 4 <= words && allEqual(row + (<usize>i << 3), carry) && allEqual(second + (<usize>i << 3), carry)) i += 4;
      if (i == words) break;
    }
    const word = load<u64>(row + (<usize>i << 3)) | load<u64>(second + (<usize>i << 3));
    count += <u32>popcnt(startsOf(word, carry));
    carry = word >> 63;
  }
  for (let i = wide; i < wide + count; i++) store<u32>(parents + (<usize>i << 2), i);
  return count;
}

/** Unites the wide runs of a pair, from number `wide` on, with those of the pair above, from `before` on. */
function joinPair(row: usize, second: usize, words: u32, wide: u32, before: u32, parents: usize): void {
  const stride = <usize>words << 3;
  const above = row - stride;
  // Last bits of the words before: of both rows, and of the wide runs.
  let carry: u64 = 0;
  let carryAbove: u64 = 0;
  let carryWide: u64 = 0;
  let carryWideAbove: u64 = 0;
  // Whether the runs that go on from the words before have met.
  let met: u64 = 0;
  for (let i: u32 = 0; i < words; i++) {
    // While nothing begins or ends, no runs meet that have not met.
    if ((i & 3) == 0) {
      while (i + 4 <= words) {
        const at = <usize>i << 3;
        if (!allEqual(row + at, carry) || !allEqual(above + at, carryAbove)) break;
        // A pixel that is set in one row is set in the union.
        if (!carry && !allEqual(second + at, carryWide)) break;
        if (!carryAbove && !allEqual(above - stride + at, carryWideAbove)) break;
        i += 4;
      }
      if (i == words) break;
    }
    const at = <usize>i << 3;
    const c = load<u64>(row + at);
    const u = load<u64>(above + at);
    const w = c | load<u64>(second + at);
    const v = u | load<u64>(above - stride + at);
    const ws = startsOf(w, carryWide);
    const vs = startsOf(v, carryWideAbove);
    const count = <u32>popcnt(ws);
    if (count >= MANY && c == u && w == c && v == c && carryWide == carryWideAbove && (met | ws | ~c) & 1) {
      // Every run that begins here equals the run above it; a run that goes on has met it before.
      copyParents(parents, before, wide, count);
      met = c >> 63;
    } else {
      const touch = (c & (u | (u << 1) | carryAbove)) | (u & ((c << 1) | carry));
      // Between starts, both runs stay the same: of the places where they touch only the first counts. Added to the places where they do
      // not touch, a start runs up through them and stops at the first place where they touch, or just before the next start.
      const starts = ws | vs;
      const apart = ~touch & ~(starts >> 1);
      const sum = apart + (starts | (~met & 1));
      let pairs = touch & sum;
      const last = starts ? ~(((<u64>1) << (63 - clz(starts))) - 1) : 0;
      met = u64((touch & last) != 0 || (!starts && (met || touch != 0)));
      while (pairs) {
        const upTo = pairs ^ (pairs - 1);
        pairs &= pairs - 1;
        unite(parents, wide + <u32>popcnt(ws & upTo) - 1, before + <u32>popcnt(vs & upTo) - 1);
      }
    }
    wide += count;
    before += <u32>popcnt(vs);
    carry = c >> 63;
    carryAbove = u >> 63;
    carryWide = w >> 63;
    carryWideAbove = v >> 63;
  }
}

/**
 * Writes the component of every run: that of its wide run. Components get numbers in the order of their first runs. Runs that begin
 * where one of the row above begins are of its component, so runs of equal words are copied.
 */
function numberRuns(bits: usize, words: u32, y0: u32, y1: u32, offsets: usize, labels: usize, parents: usize): u32 {
  const stride = <usize>words << 3;
  let wide: u32 = 0;
  let after: u32 = 0;
  let count: u32 = 0;
  for (let y = y0; y < y1; y++) {
    const row = bits + <usize>y * stride;
    const upper = ((y - y0) & 1) == 0;
    const other = upper ? (y + 1 < y1 ? row + stride : row) : row - stride;
    if (upper) wide = after;
    after = wide;
    let out = labels + (<usize>load<u32>(offsets + (<usize>y << 2)) << 2);
    let above = y > y0 ? labels + (<usize>load<u32>(offsets + (<usize>(y - 1) << 2)) << 2) : 0;
    let carry: u64 = 0;
    let carryWide: u64 = 0;
    let carryAbove: u64 = 0;
    for (let i: u32 = 0; i < words; i++) {
      if ((i & 3) == 0) {
        while (i + 4 <= words) {
          const four = <usize>i << 3;
          if (!allEqual(row + four, carry) || (!carry && !allEqual(other + four, carryWide))) break;
          if (above && !allEqual(row - stride + four, carryAbove)) break;
          i += 4;
        }
        if (i == words) break;
      }
      const at = <usize>i << 3;
      const c = load<u64>(row + at);
      const w = c | load<u64>(other + at);
      let starts = startsOf(c, carry);
      const wideStarts = startsOf(w, carryWide);
      const runs = <u32>popcnt(starts);
      if (above) {
        const u = load<u64>(row - stride + at);
        const same = runs >= MANY && c == u && carry == carryAbove;
        if (same) {
          copyNumbers(above, out, runs);
          out += <usize>runs << 2;
          starts = 0;
        }
        above += <usize>popcnt(startsOf(u, carryAbove)) << 2;
        carryAbove = u >> 63;
      }
      carry = c >> 63;
      carryWide = w >> 63;
      while (starts) {
        const upTo = starts ^ (starts - 1);
        starts &= starts - 1;
        let root = after + <u32>popcnt(wideStarts & upTo) - 1;
        let entry = load<u32>(parents + (<usize>root << 2));
        if (entry < ROOT) {
          root = entry;
          entry = load<u32>(parents + (<usize>root << 2));
        }
        if (entry == NEW) {
          entry = ROOT | count++;
          store<u32>(parents + (<usize>root << 2), entry);
        }
        store<u32>(out, entry & ~ROOT);
        out += 4;
      }
      after += <u32>popcnt(wideStarts);
    }
  }
  return count;
}

// Joins strips at their seams: a union over the strips' local components, by the code that joins runs within a strip. Then
// numbers the components. The result depends neither on the number of strips nor on the threads that label them.

import { CHUNK } from "./layout/regions";
import { joinRowLinked } from "./components-linked";
import { EARLIER, hasEarlier, isWidened, linkPlane, rowsBack } from "./components-neighbours";
import { joinRow, joinRowTwo } from "./components-union";

/** Arguments of {@link joinStrips}. */
// @ts-ignore: decorator
@unmanaged
export class JoinStripsCall {
  /** First bit plane, from row 0. [strips > 1 ? (u32(table, 2) - seamRows) * words * 8 : 0 .. strips > 1 ? (u32(table, 2 * strips - 2) + seamRows) * words * 8 : 0] */
  bits: usize;
  /** Second bit plane, from row 0; 0 none. [strips > 1 ? (u32(table, 2) - seamRows) * words * 8 : 0 .. strips > 1 ? (u32(table, 2 * strips - 2) + seamRows) * words * 8 : 0] */
  bits2: usize;
  /** 64-bit words of a bit row. */
  words: u32;
  /** Rows of one slice. */
  height: u32;
  /** 4, 8, 6, 18 or 26. */
  connectivity: u32;
  /** Link planes, 1 to 12, from row 0; 0 none. [strips > 1 ? u32(table, 2) * words * 8 : 0 .. strips > 1 ? (linkPlanes(connectivity) - 1) * plane + (u32(table, 2 * strips - 2) + seamRows) * words * 8 : 0] */
  links: usize;
  /** Bytes of one link plane, rows * words * 8. */
  plane: usize;
  /** u32 per row and one more: first runs. [strips > 1 ? (u32(table, 2) - seamRows) * 4 : 0 .. strips > 1 ? (u32(table, 2 * strips - 2) + seamRows) * 4 : 0] */
  offsets: usize;
  /** u32 per run of the image: its strip's component. [strips > 1 ? u32(offsets, u32(table, 2) - seamRows) * 4 : 0 .. strips > 1 ? u32(offsets, u32(table, 2 * strips - 2) + seamRows) * 4 : 0] */
  labels: usize;
  /** u32 pairs per strip: first row, first component. [strips > 1 ? 4 : 0 .. strips > 1 ? strips * 8 : 0] */
  table: usize;
  /** How many strips. */
  strips: u32;
  /** Rows on either side of a seam: 1, or height. */
  seamRows: u32;
  /** u32 per component of all strips: parent. [0 .. size * 4] */
  map: usize;
  /** Components of all strips. */
  size: u32;
}

/**
 * Joins the strips at their seams: the first `seamRows` rows of each strip (a row, or a slice) with the rows before.
 * `table` holds a pair of u32 per strip: its first row, and the index of its first component in `map`. `map` has an
 * entry for each component of all strips, `size` in all. `offsets` are the numbers of the rows' first runs, and
 * `labels` holds the component of each run within its strip.
 */
export function joinStrips(call: JoinStripsCall): void {
  let bits = call.bits, bits2 = call.bits2, words = call.words, height = call.height,
    connectivity = call.connectivity, links = call.links, plane = call.plane, offsets = call.offsets,
    labels = call.labels, table = call.table, strips = call.strips, seamRows = call.seamRows, map = call.map,
    size = call.size;
  for (let i: u32 = 0; i < size; i++) store<u32>(map + (<usize>i << 2), i);
  const stride = <usize>words << 3;
  for (let s: u32 = 1; s < strips; s++) {
    const entry = table + (<usize>s << 3);
    const first = load<u32>(entry);
    const cOffset = load<u32>(entry, 4);
    const uOffset = load<u32>(entry - 8, 4);
    for (let row = first; row < first + seamRows; row++) {
      const c = <usize>row * stride;
      const cLabels = labels + (<usize>load<u32>(offsets + (<usize>row << 2)) << 2);
      for (let k: u32 = 0; k < EARLIER; k++) {
        const back = rowsBack(k, height);
        if (!hasEarlier(k, row % height, row / height, height, connectivity) || row - back >= first) continue;
        const u = c - <usize>back * stride;
        const uLabels = labels + (<usize>load<u32>(offsets + (<usize>(row - back) << 2)) << 2);
        const widened = isWidened(k, connectivity);
        if (links) {
          const link = links + <usize>linkPlane(k, connectivity) * plane + c;
          joinRowLinked(bits + c, bits + u, bits2 + c, bits2 + u, link, widened ? plane : 0, words, 0, 0, map, false, true, cLabels, uLabels, cOffset, uOffset);
        } else if (bits2) {
          joinRowTwo(bits + c, bits + u, bits2 + c, bits2 + u, words, widened, 0, 0, map, true, cLabels, uLabels, cOffset, uOffset);
        } else {
          joinRow(bits + c, bits + u, words, widened, false, 0, 0, map, true, cLabels, uLabels, cOffset, uOffset);
        }
      }
    }
  }
}

/**
 * Turns the parents of `size` local components into labels 1..count, in place, and returns count. `joins` receives the
 * size - count pairs (component, its root) of the components that a seam joined to an earlier one. `firsts[k]` receives
 * the number of labels before component k * CHUNK.
 * @param map u32 per component: parent, then label [0 .. size * 4]
 * @param size components of all strips
 * @param joins u32 pairs: joined component, its root [0 .. movedIn(map, size) * 8]
 * @param firsts u32 per 32768 components: labels before [0 .. Math.ceil(size / 32768) * 4]
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

// Chooses the components that stay, and writes their bits. Filters never read pixels.

import { decodeRow, setRange } from "./bits";
import { recordBytes } from "./regions-2d";
import { solidBytes } from "./regions-3d";

/** Whether the box of a record touches the border. Records of images have no z; `depth` is 0 for them. */
// @ts-ignore: decorator
@inline
function touchesBorder(record: usize, width: u32, height: u32, depth: u32): bool {
  return load<u32>(record, 8) == 0 || load<u32>(record, 16) == 0
    || ~load<u32>(record, 12) == width || ~load<u32>(record, 20) == height
    || (depth > 1 && (load<u32>(record, 24) == 0 || ~load<u32>(record, 28) == depth));
}

/** Arguments of {@link chooseComponents}. */
// @ts-ignore: decorator
@unmanaged
export class ChooseComponentsCall {
  /** Record of level 1 per component. [0 .. size * (depth ? 32 : 24)] */
  records: usize;
  /** u32 per component: label. [0 .. size * 4] */
  map: usize;
  /** Components of all strips. */
  size: u32;
  /** u32 pairs: joined component, its root. [0 .. joined * 8] */
  joins: usize;
  /** Pairs. */
  joined: u32;
  /** Pixels of a row. */
  width: u32;
  /** Rows of one slice. */
  height: u32;
  /** Slices; 0 for records of images. */
  depth: u32;
  /** Bool: drop components that touch the border. */
  clear: bool;
  /** Least area, pixels. */
  minArea: f64;
  /** Largest area, pixels. */
  maxArea: f64;
  /** Number of largest components to keep; 0 for all. */
  largest: f64;
  /** u8 per component: whether it stays. [0 .. size] */
  keep: usize;
}

/**
 * Writes keep[component] (u8) for each local component, and returns the number of labels that stay. A component stays
 * if the area in its root's record (level 1, of solids if `depth` is not 0) is in [minArea, maxArea] and, with `clear`,
 * it does not touch the border. With `largest` > 0 only the `largest` largest of these stay, at equal area those with
 * lower labels.
 */
export function chooseComponents(call: ChooseComponentsCall): u32 {
  let records = call.records, map = call.map, size = call.size, joins = call.joins, joined = call.joined,
    width = call.width, height = call.height, depth = call.depth, clear = call.clear, minArea = call.minArea,
    maxArea = call.maxArea, largest = call.largest, keep = call.keep;
  const bytes = depth ? solidBytes(1) : recordBytes(1);
  let kept: u32 = 0;
  let next: u32 = 0;
  for (let i: u32 = 0; i < size; i++) {
    const record = records + <usize>i * bytes;
    const area = <f64>load<u64>(record);
    let stays: u8 = 0;
    if (load<u32>(map + (<usize>i << 2)) == next + 1) {
      next++;
      if (area >= minArea && area <= maxArea && !(clear && touchesBorder(record, width, height, depth))) stays = 1;
    }
    store<u8>(keep + i, stays);
    kept += stays;
  }
  if (largest > 0 && <f64>kept > largest) {
    keepLargest(records, bytes, size, <u32>largest, keep);
    kept = <u32>largest;
  }
  spread(joins, joined, keep);
  return kept;
}

/**
 * Finds the k-th largest area by bisection over its 64 bits. Keeps all larger areas, and the first ones of that area.
 */
function keepLargest(records: usize, bytes: usize, size: u32, k: u32, keep: usize): void {
  let low: u64 = 0;
  let high: u64 = 0;
  for (let i: u32 = 0; i < size; i++) {
    if (load<u8>(keep + i)) high = max(high, load<u64>(records + <usize>i * bytes));
  }
  // Invariant: at least k areas are >= low, fewer than k are > high.
  while (low < high) {
    const middle = low + ((high - low + 1) >> 1);
    if (countFrom(records, bytes, size, middle, keep) >= k) low = middle;
    else high = middle - 1;
  }
  let ties = k - countFrom(records, bytes, size, low + 1, keep);
  for (let i: u32 = 0; i < size; i++) {
    if (!load<u8>(keep + i)) continue;
    const area = load<u64>(records + <usize>i * bytes);
    if (area > low) continue;
    if (area == low && ties > 0) ties--;
    else store<u8>(keep + i, 0);
  }
}

function countFrom(records: usize, bytes: usize, size: u32, least: u64, keep: usize): u32 {
  let count: u32 = 0;
  for (let i: u32 = 0; i < size; i++) {
    count += u32(load<u8>(keep + i) && load<u64>(records + <usize>i * bytes) >= least);
  }
  return count;
}

/** Copies the decision on a root to the components that seams joined to it. */
function spread(joins: usize, joined: u32, keep: usize): void {
  for (let i: u32 = 0; i < joined; i++) {
    const root = load<u32>(joins + (<usize>i << 3), 4);
    store<u8>(keep + load<u32>(joins + (<usize>i << 3)), load<u8>(keep + root));
  }
}

/** Arguments of {@link selectRows}. */
// @ts-ignore: decorator
@unmanaged
export class SelectRowsCall {
  /** First bit plane, from row 0. [y0 * rowBytes(width) .. y1 * rowBytes(width)] */
  bits: usize;
  /** Second bit plane, from row 0; 0 none. [y0 * rowBytes(width) .. y1 * rowBytes(width)] */
  bits2: usize;
  /** Pixels of a row, >= 1. */
  width: u32;
  /** First row, counted through all slices. */
  y0: u32;
  /** Row after the last, counted through all slices. */
  y1: u32;
  /** u32 per row and one more: first runs. [y0 * 4 .. (y0 + 1) * 4] */
  offsets: usize;
  /** u32 per run of the image: its strip's component. [u32(offsets, y0) * 4 .. u32(offsets, y1) * 4] */
  labels: usize;
  /** u8 per component of the strip: stays. [0 .. afterLargest(labels, u32(offsets, y0), u32(offsets, y1))] */
  keep: usize;
  /** First plane of the kept runs, from row 0. [y0 * rowBytes(width) .. y1 * rowBytes(width)] */
  dst: usize;
  /** Second plane of the kept runs; 0 if bits2 is 0. [bits2 ? y0 * rowBytes(width) : 0 .. bits2 ? y1 * rowBytes(width) : 0] */
  dst2: usize;
  /** Scratch: begin, end (u32) of one row's runs. [0 .. bits2 ? width * 8 : 0] */
  list: usize;
}

/**
 * Writes rows [y0, y1) of the planes `dst` and `dst2` with only the runs whose component is kept.
 */
export function selectRows(call: SelectRowsCall): void {
  let bits = call.bits, bits2 = call.bits2, width = call.width, y0 = call.y0, y1 = call.y1,
    offsets = call.offsets, labels = call.labels, keep = call.keep, dst = call.dst, dst2 = call.dst2,
    list = call.list;
  labels += <usize>load<u32>(offsets + (<usize>y0 << 2)) << 2;
  const words = (width + 63) >> 6;
  for (let y = y0; y < y1; y++) {
    const at = <usize>y * words << 3;
    const runs = bits2
      ? selectTwo(bits + at, bits2 + at, width, words, labels, keep, dst + at, dst2 + at, list)
      : selectOne(bits + at, words, labels, keep, dst + at);
    labels += <usize>runs << 2;
  }
}

/**
 * Selects the runs of one row of one plane, word by word, and returns the number of runs. Adding a run's lowest bit to
 * the bits carries through the run: with rest = 0110_1100 the sum is 0110_1100 + 0000_0100 = 0111_0000, and rest & ~sum
 * = 0000_1100 is the run.
 */
function selectOne(row: usize, words: u32, labels: usize, keep: usize, out: usize): u32 {
  const first = labels;
  let carry: u64 = 0;
  // All ones when the run that goes on from the word before is kept.
  let kept: u64 = 0;
  for (let i: usize = 0; i < words; i++) {
    let rest = load<u64>(row + (i << 3));
    let result: u64 = 0;
    if (carry & rest) {
      const ones = rest & ~(rest + 1);
      result = ones & kept;
      rest &= ~ones;
    }
    carry = load<u64>(row + (i << 3)) >> 63;
    while (rest) {
      const ones = rest & ~(rest + (rest & (0 - rest)));
      kept = 0 - <u64>load<u8>(keep + load<u32>(labels));
      labels += 4;
      result |= ones & kept;
      rest &= ~ones;
    }
    store<u64>(out + (i << 3), result);
  }
  return <u32>((labels - first) >> 2);
}

function selectTwo(
  row: usize, row2: usize, width: u32, words: u32, labels: usize, keep: usize, out: usize, out2: usize, list: usize,
): u32 {
  memory.fill(out, 0, <usize>words << 3);
  memory.fill(out2, 0, <usize>words << 3);
  const runs = decodeRow(row, row2, width, list);
  for (let i: u32 = 0; i < runs; i++) {
    if (!load<u8>(keep + load<u32>(labels + (<usize>i << 2)))) continue;
    const begin = load<u32>(list + (<usize>i << 3));
    const end = load<u32>(list + (<usize>i << 3), 4);
    const word = load<u64>(row + (<usize>(begin >> 6) << 3));
    const first = ((word >> (<u64>(begin & 63))) & 1) != 0;
    setRange(first ? out : out2, begin, end);
  }
  return runs;
}

/**
 * keep[i] = chosen[label - 1] of component i.
 * @param map u32 per component: label, from 1 [0 .. count * 4]
 * @param count components of all strips
 * @param chosen u8 per label: whether it stays [0 .. afterLargest(map, 0, count) - 1]
 * @param keep u8 per component: whether it stays [0 .. count]
 */
export function chooseLabels(map: usize, count: u32, chosen: usize, keep: usize): void {
  for (let i: usize = 0; i < count; i++) store<u8>(keep + i, load<u8>(chosen + load<u32>(map + (i << 2)) - 1));
}

/**
 * keep[i] = 1 for each component i whose label is `label`; the others stay as they are.
 * @param map u32 per component: label, from 1 [0 .. count * 4]
 * @param count components of all strips
 * @param label the label to keep
 * @param keep u8 per component: whether it stays [0 .. count]
 */
export function chooseLabel(map: usize, count: u32, label: u32, keep: usize): void {
  for (let i: usize = 0; i < count; i++) {
    if (load<u32>(map + (i << 2)) == label) store<u8>(keep + i, 1);
  }
}

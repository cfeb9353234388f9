// Which components stay, and the bits of those that do. Filters never look at pixels.

import { decodeRow, setRange } from "./bits";
import { CHUNK } from "./components";
import { recordBytes } from "./regions";

// @ts-ignore: decorator
@inline
function touchesBorder(record: usize, width: u32, height: u32): bool {
  return load<u32>(record, 8) == 0 || load<u32>(record, 16) == 0
    || ~load<u32>(record, 12) == width || ~load<u32>(record, 20) == height;
}

/**
 * Writes keep[component] (u8) for each local component and returns how many labels stay. A component
 * stays when its root's record (level 1) has an area in [minArea, maxArea] and, with `clear`, does not
 * touch the border; of those, with `largest` > 0, the `largest` largest, at equal area the lower label.
 */
export function chooseComponents(
  records: usize, map: usize, size: u32, joins: usize, joined: u32, width: u32, height: u32,
  clear: bool, minArea: f64, maxArea: f64, largest: f64, keep: usize,
): u32 {
  const bytes = recordBytes(1);
  let kept: u32 = 0;
  let next: u32 = 0;
  for (let i: u32 = 0; i < size; i++) {
    const record = records + <usize>i * bytes;
    const area = <f64>load<u64>(record);
    let stays: u8 = 0;
    if (load<u32>(map + (<usize>i << 2)) == next + 1) {
      next++;
      if (area >= minArea && area <= maxArea && !(clear && touchesBorder(record, width, height))) stays = 1;
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

/** The k-th largest area by bisection over its 64 bits, then everything above it and the first ones at it. */
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

/** What a seam joined shares the fate of its root. */
function spread(joins: usize, joined: u32, keep: usize): void {
  for (let i: u32 = 0; i < joined; i++) {
    const root = load<u32>(joins + (<usize>i << 3), 4);
    store<u8>(keep + load<u32>(joins + (<usize>i << 3)), load<u8>(keep + root));
  }
}

/** Writes rows [y0, y1) of the planes `dst` and `dst2` with only the runs whose component is kept. */
export function selectRows(
  bits: usize, bits2: usize, width: u32, y0: u32, y1: u32, offsets: usize, labels: usize, keep: usize,
  dst: usize, dst2: usize, list: usize,
): void {
  labels += <usize>load<u32>(offsets + (<usize>y0 << 2)) << 2;
  const words = (width + 63) >> 6;
  for (let y = y0; y < y1; y++) {
    const at = <usize>y * words << 3;
    memory.fill(dst + at, 0, <usize>words << 3);
    if (dst2) memory.fill(dst2 + at, 0, <usize>words << 3);
    const runs = decodeRow(bits + at, bits2 ? bits2 + at : 0, width, list);
    for (let i: u32 = 0; i < runs; i++) {
      if (!load<u8>(keep + load<u32>(labels + (<usize>i << 2)))) continue;
      const begin = load<u32>(list + (<usize>i << 3));
      const end = load<u32>(list + (<usize>i << 3), 4);
      const word = load<u64>(bits + at + (<usize>(begin >> 6) << 3));
      const second = bits2 != 0 && ((word >> (<u64>(begin & 63))) & 1) == 0;
      setRange((second ? dst2 : dst) + at, begin, end);
    }
    labels += <usize>runs << 2;
  }
}

/** keep[i] = 1 for each component i whose label is `label`; the others stay as they are. */
export function chooseLabel(map: usize, count: u32, label: u32, keep: usize): void {
  for (let i: usize = 0; i < count; i++) {
    if (load<u32>(map + (i << 2)) == label) store<u8>(keep + i, 1);
  }
}

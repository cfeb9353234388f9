// The watershed of heights within a mask. Every pixel leads to its highest neighbour if that is higher (or as high and
// earlier in raster order); of equally high neighbours the first in raster order is taken. A pixel that leads to itself is
// a peak, and the pixels that lead to a peak are its basin. The saddle of two basins is the highest, over all pairs of
// neighbours from both, of the lower height of the pair.
//
//     heights  3 5 4 4 6 1     leads to  5 . 5 6 . 6     basins  0 0 0 1 1 1, which meet at min(4, 4) = 4
//
// Nothing here depends on how pixels are cut into bands: ties are settled by place, and saddles are sorted.

import { FLOAT_SQUARES, SADDLE_BYTES, SIGNED, SORT_BYTES, SQUARES, UNSIGNED } from "./layout/watershed";

/** Flag of an entry that is already the number of a basin, of a peak or another pixel. */
const NAMED: u32 = 0x80000000;

/** An empty place of a table. */
const NONE: u32 = 0xffffffff;

// @ts-ignore: decorator
@inline
function isSet(bits: usize, words: u32, row: u32, x: u32): bool {
  return ((load<u64>(bits + ((<usize>row * words + (x >> 6)) << 3)) >> <u64>(x & 63)) & 1) != 0;
}

/** Arguments of {@link leadUp}. */
// @ts-ignore: decorator
@unmanaged
export class LeadUpCall {
  /** u32 per pixel. [0 .. width * height * depth * 4] */
  heights: usize;
  /** Bit plane of the mask, from row 0. [0 .. height * depth * rowBytes(width)] */
  bits: usize;
  /** Pixels of a row, >= 1. */
  width: u32;
  /** Rows of a slice. */
  height: u32;
  /** Slices. */
  depth: u32;
  /** 4, 8, 6, 18 or 26. */
  connectivity: u32;
  /** First row, counted through all slices. */
  y0: u32;
  /** One past the last row. */
  y1: u32;
  /** Numbers of markers, u32 per pixel, 0 where there is none; or 0. [y0 * width * 4 .. y1 * width * 4] */
  markers: usize;
  /** u32 per pixel: the place to which it leads. [y0 * width * 4 .. y1 * width * 4] */
  leads: usize;
}

/** Writes the place to which each pixel of rows [y0, y1) leads: its own for peaks and markers, 0 for pixels outside `bits`. */
export function leadUp(call: LeadUpCall): void {
  const width = call.width, words = (width + 63) >> 6;
  const flat = call.depth == 1 && !call.markers;
  for (let row = call.y0; row < call.y1; row++) {
    const leads = call.leads + (<usize>row * width << 2);
    memory.fill(leads, 0, <usize>width << 2);
    for (let i: u32 = 0; i < words; i++) {
      let word = load<u64>(call.bits + ((<usize>row * words + i) << 3));
      const inner = flat && word ? surrounded(call.bits, words, call.height, row, i, call.connectivity == 8) : 0;
      for (; word; word &= word - 1) {
        const x = (i << 6) + <u32>ctz(word);
        const best = inner & word & (0 - word)
          ? highestAround(call.heights, width, row * width + x, call.connectivity == 8)
          : highestBeside(call, row, x);
        store<u32>(leads + (<usize>x << 2), best);
      }
    }
  }
}

/** The pixels of word i of an image's row whose neighbours are all set; the pixels themselves may not be. */
// @ts-ignore: decorator
@inline
function surrounded(bits: usize, words: u32, height: u32, row: u32, i: u32, eight: bool): u64 {
  if (row == 0 || row + 1 == height) return 0;
  const at = bits + ((<usize>row * words + i) << 3);
  const pitch = <usize>words << 3;
  const up = at - pitch, down = at + pitch;
  let inner = load<u64>(up) & load<u64>(down) & besides(at, i, words);
  if (eight) inner &= besides(up, i, words) & besides(down, i, words);
  return inner;
}

/** The pixels of a word with a neighbour on either side of them in this row. */
// @ts-ignore: decorator
@inline
function besides(at: usize, i: u32, words: u32): u64 {
  const word = load<u64>(at);
  const left = (word << 1) | (i ? load<u64>(at - 8) >> 63 : 0);
  const right = (word >> 1) | (i + 1 < words ? load<u64>(at, 8) << 63 : 0);
  return left & right;
}

/** Place to which an image's pixel leads if all its neighbours are set. At equal heights the first in raster order wins. */
// @ts-ignore: decorator
@inline
function highestAround(heights: usize, width: u32, place: u32, eight: bool): u32 {
  const at = heights + (<usize>place << 2);
  const pitch = <usize>width << 2;
  const own = load<u32>(at);
  let most: u32 = 0;
  let best: i32 = 0;
  // An earlier neighbour wins if it is as high as the pixel, a later one only if it is higher.
  if (eight) {
    const v = load<u32>(at - pitch - 4);
    most = v;
    best = -<i32>width - 1;
  }
  let v = load<u32>(at - pitch);
  if (!eight || v > most) {
    most = v;
    best = -<i32>width;
  }
  if (eight) {
    v = load<u32>(at - pitch + 4);
    if (v > most) {
      most = v;
      best = 1 - <i32>width;
    }
  }
  v = load<u32>(at - 4);
  if (v > most) {
    most = v;
    best = -1;
  }
  if (own > most) {
    most = own;
    best = 0;
  }
  v = load<u32>(at, 4);
  if (v > most) {
    most = v;
    best = 1;
  }
  if (eight) {
    v = load<u32>(at + pitch - 4);
    if (v > most) {
      most = v;
      best = <i32>width - 1;
    }
  }
  v = load<u32>(at + pitch);
  if (v > most) {
    most = v;
    best = <i32>width;
  }
  if (eight) {
    v = load<u32>(at + pitch + 4);
    if (v > most) best = <i32>width + 1;
  }
  return place + best;
}

/** Place to which any pixel leads. */
function highestBeside(call: LeadUpCall, row: u32, x: u32): u32 {
  const width = call.width, height = call.height, words = (width + 63) >> 6;
  const place = row * width + x;
  if (call.markers && load<u32>(call.markers + (<usize>place << 2))) return place;
  let best = place;
  let most = load<u32>(call.heights + (<usize>place << 2));
  const y = row % height, z = row / height;
  const up: i32 = y > 0 ? -1 : 0, down: i32 = y + 1 < height ? 1 : 0;
  const back: i32 = z > 0 ? -1 : 0, front: i32 = z + 1 < call.depth ? 1 : 0;
  const left: i32 = x > 0 ? -1 : 0, right: i32 = x + 1 < width ? 1 : 0;
  for (let dz = back; dz <= front; dz++) {
    for (let dy = up; dy <= down; dy++) {
      for (let dx = left; dx <= right; dx++) {
        if (!joins(call.connectivity, dx, dy, dz)) continue;
        const beside = <u32>(<i32>row + dz * <i32>height + dy);
        if (!isSet(call.bits, words, beside, x + dx)) continue;
        const other = beside * width + x + dx;
        const value = load<u32>(call.heights + (<usize>other << 2));
        if (value > most || (value == most && other < best)) {
          most = value;
          best = other;
        }
      }
    }
  }
  return best;
}

/** Whether a step of at most 1 along each axis leads to a neighbour; false for the step of 0. */
// @ts-ignore: decorator
@inline
function joins(connectivity: u32, dx: i32, dy: i32, dz: i32): bool {
  const steps = abs(dx) + abs(dy) + abs(dz);
  if (connectivity == 4 || connectivity == 6) return steps == 1;
  if (connectivity == 18) return steps == 1 || steps == 2;
  return steps > 0;
}

/**
 * Replaces the leads of rows [y0, y1) by the pixels' peaks. Several threads do so at once: each lead that a thread reads is
 * a later place on the path to the same peak.
 * @param bits bit plane, from row 0 [y0 * rowBytes(width) .. y1 * rowBytes(width)]
 * @param width pixels of a row
 * @param leads u32 per pixel of the image [0 .. pixels * 4]
 * @param pixels pixels of the image
 * @param y0 first row, counted through all slices
 * @param y1 one past the last row
 */
export function climb(bits: usize, width: u32, leads: usize, pixels: f64, y0: u32, y1: u32): void {
  const words = (width + 63) >> 6;
  for (let row = y0; row < y1; row++) {
    for (let i: u32 = 0; i < words; i++) {
      for (let word = load<u64>(bits + ((<usize>row * words + i) << 3)); word; word &= word - 1) {
        const place = row * width + (i << 6) + <u32>ctz(word);
        let peak = place;
        while (true) {
          // Other threads compress the same paths.
          const next = load<u32>(leads + (<usize>peak << 2));
          if (next == peak || <f64>next >= pixels) break;
          peak = next;
        }
        for (let at = place; at != peak; ) {
          const next = load<u32>(leads + (<usize>at << 2));
          store<u32>(leads + (<usize>at << 2), peak);
          at = next;
        }
      }
    }
  }
}

/**
 * Lists the peaks of rows [y0, y1), in order; with `out` 0 only counts them. Returns how many there are.
 * @param bits bit plane, from row 0 [y0 * rowBytes(width) .. y1 * rowBytes(width)]
 * @param width pixels of a row
 * @param leads u32 per pixel of the image; with out, that of a peak becomes its number [y0 * width * 4 .. y1 * width * 4]
 * @param y0 first row, counted through all slices
 * @param y1 one past the last row
 * @param first number of the first peak
 * @param count peaks, if they were counted
 * @param out u32 per peak, from the first of these on: its place; or 0 [0 .. count * 4]
 */
export function listPeaks(bits: usize, width: u32, leads: usize, y0: u32, y1: u32, first: u32, count: u32, out: usize): u32 {
  const words = (width + 63) >> 6;
  let found: u32 = 0;
  for (let row = y0; row < y1; row++) {
    for (let i: u32 = 0; i < words; i++) {
      for (let word = load<u64>(bits + ((<usize>row * words + i) << 3)); word; word &= word - 1) {
        const place = row * width + (i << 6) + <u32>ctz(word);
        const at = leads + (<usize>place << 2);
        if (load<u32>(at) != place) continue;
        if (out && found < count) {
          store<u32>(out + (<usize>found << 2), place);
          store<u32>(at, NAMED | (first + found));
        }
        found++;
      }
    }
  }
  return found;
}

/**
 * Replaces the leads of rows [y0, y1) by the numbers of the peaks, which listPeaks has written at the peaks.
 * @param bits bit plane, from row 0 [y0 * rowBytes(width) .. y1 * rowBytes(width)]
 * @param width pixels of a row
 * @param leads u32 per pixel of the image [0 .. pixels * 4]
 * @param pixels pixels of the image
 * @param y0 first row, counted through all slices
 * @param y1 one past the last row
 */
export function nameBasins(bits: usize, width: u32, leads: usize, pixels: f64, y0: u32, y1: u32): void {
  const words = (width + 63) >> 6;
  for (let row = y0; row < y1; row++) {
    for (let i: u32 = 0; i < words; i++) {
      for (let word = load<u64>(bits + ((<usize>row * words + i) << 3)); word; word &= word - 1) {
        const at = leads + (<usize>(row * width + (i << 6) + <u32>ctz(word)) << 2);
        const lead = load<u32>(at);
        if (lead & NAMED || <f64>lead >= pixels) continue;
        store<u32>(at, load<u32>(leads + (<usize>lead << 2)));
      }
    }
  }
}

/** Arguments of {@link findSaddles}. */
// @ts-ignore: decorator
@unmanaged
export class FindSaddlesCall {
  /** u32 per pixel. [0 .. width * height * depth * 4] */
  heights: usize;
  /** Bit plane of the mask, from row 0. [0 .. height * depth * rowBytes(width)] */
  bits: usize;
  /** Pixels of a row, >= 1. */
  width: u32;
  /** Rows of a slice. */
  height: u32;
  /** Slices. */
  depth: u32;
  /** 4, 8, 6, 18 or 26. */
  connectivity: u32;
  /** First row, counted through all slices. */
  y0: u32;
  /** One past the last row. */
  y1: u32;
  /** u32 per pixel: numbers of basins. [0 .. width * height * depth * 4] */
  basins: usize;
  /** Table of saddles, all places empty before. [0 .. capacity * SADDLE_BYTES] */
  table: usize;
  /** Places of the table, a power of 2. */
  capacity: u32;
}

/** Finds the saddles between pixels of rows [y0, y1) and later neighbours. Returns how many; over capacity / 2 do not fit. */
export function findSaddles(call: FindSaddlesCall): u32 {
  const width = call.width, words = (width + 63) >> 6, pitch = <usize>width << 2;
  const flat = call.depth == 1, eight = call.connectivity == 8;
  let found: u32 = 0;
  for (let row = call.y0; row < call.y1; row++) {
    for (let i: u32 = 0; i < words; i++) {
      let word = load<u64>(call.bits + ((<usize>row * words + i) << 3));
      const inner = flat && word ? surrounded(call.bits, words, call.height, row, i, eight) : 0;
      for (; word; word &= word - 1) {
        const x = (i << 6) + <u32>ctz(word);
        if (inner & word & (0 - word)) {
          // Most pixels lie inside a basin.
          const at = call.basins + ((<usize>row * width + x) << 2);
          const basin = load<u32>(at);
          const same = basin == load<u32>(at, 4) && basin == load<u32>(at + pitch);
          if (same && (!eight || (basin == load<u32>(at + pitch - 4) && basin == load<u32>(at + pitch + 4)))) continue;
        }
        found += meetings(call, row, x);
        // A table that is more than half full is slow, so the host makes a larger one.
        if (found > call.capacity >> 1) return found;
      }
    }
  }
  return found;
}

/** Enters the saddles between a pixel and later neighbours in other basins. Returns the number of new saddles. */
function meetings(call: FindSaddlesCall, row: u32, x: u32): u32 {
  const width = call.width, height = call.height, words = (width + 63) >> 6;
  const y = row % height, z = row / height;
  const up: i32 = y > 0 ? -1 : 0, down: i32 = y + 1 < height ? 1 : 0;
  const front: i32 = z + 1 < call.depth ? 1 : 0;
  const left: i32 = x > 0 ? -1 : 0, right: i32 = x + 1 < width ? 1 : 0;
  const place = <usize>row * width + x;
  const basin = load<u32>(call.basins + (place << 2));
  let found: u32 = 0;
  for (let dz: i32 = 0; dz <= front; dz++) {
    for (let dy: i32 = dz ? up : 0; dy <= down; dy++) {
      for (let dx: i32 = dz || dy ? left : 1; dx <= right; dx++) {
        if (!joins(call.connectivity, dx, dy, dz)) continue;
        const beside = <u32>(<i32>row + dz * <i32>height + dy);
        if (!isSet(call.bits, words, beside, x + dx)) continue;
        const other = <usize>beside * width + x + dx;
        const second = load<u32>(call.basins + (other << 2));
        if (second == basin) continue;
        const saddle = min(load<u32>(call.heights + (place << 2)), load<u32>(call.heights + (other << 2)));
        found += enter(call.table, call.capacity, min(basin, second) & ~NAMED, max(basin, second) & ~NAMED, saddle);
      }
    }
  }
  return found;
}

/** Enters a saddle, or raises it; returns 1 for a new one. */
// @ts-ignore: decorator
@inline
function enter(table: usize, capacity: u32, a: u32, b: u32, saddle: u32): u32 {
  const mask = capacity - 1;
  let hash = (a * 0x9e3779b1) ^ (b * 0x85ebca6b);
  hash ^= hash >> 15;
  for (let i = hash & mask; ; i = (i + 1) & mask) {
    const at = table + <usize>i * SADDLE_BYTES;
    const first = load<u32>(at);
    if (first == NONE) {
      store<u32>(at, a);
      store<u32>(at, b, 4);
      store<u32>(at, saddle, 8);
      return 1;
    }
    if (first == a && load<u32>(at, 4) == b) {
      if (saddle > load<u32>(at, 8)) store<u32>(at, saddle, 8);
      return 0;
    }
  }
  return 0;
}

/**
 * Enters the saddles of one table into another. Returns how many the latter has; over capacity / 2 do not fit.
 * @param from table of saddles [0 .. places * SADDLE_BYTES]
 * @param places places of that table
 * @param table table of saddles [0 .. capacity * SADDLE_BYTES]
 * @param capacity its places, a power of 2
 * @param count saddles that it has
 */
export function addSaddles(from: usize, places: u32, table: usize, capacity: u32, count: u32): u32 {
  for (let i: u32 = 0; i < places && count <= capacity >> 1; i++) {
    const at = from + <usize>i * SADDLE_BYTES;
    if (load<u32>(at) == NONE) continue;
    count += enter(table, capacity, load<u32>(at), load<u32>(at, 4), load<u32>(at, 8));
  }
  return count;
}

/**
 * Sorts the saddles of a table: highest first, then by lower and by higher basin. The method is radix sort over bytes.
 * @param table table of saddles [0 .. capacity * SADDLE_BYTES]
 * @param capacity its places
 * @param count its saddles
 * @param list the sorted saddles [0 .. count * SADDLE_BYTES]
 * @param other scratch [0 .. count * SADDLE_BYTES]
 * @param counts scratch: 256 u32 [0 .. SORT_BYTES]
 */
export function sortSaddles(table: usize, capacity: u32, count: u32, list: usize, other: usize, counts: usize): void {
  let listed: u32 = 0;
  for (let i: u32 = 0; i < capacity && listed < count; i++) {
    const at = table + <usize>i * SADDLE_BYTES;
    if (load<u32>(at) == NONE) continue;
    memory.copy(list + <usize>listed * SADDLE_BYTES, at, SADDLE_BYTES);
    listed++;
  }
  let from = list;
  let to = other;
  // The least significant key is sorted first: the higher basin, then the lower basin, then the height.
  for (let pass: u32 = 0; pass < 12; pass++) {
    const field: usize = pass < 4 ? 4 : pass < 8 ? 0 : 8;
    const shift = (pass & 3) << 3;
    const flip: u32 = field == 8 ? 0xffffffff : 0;
    memory.fill(counts, 0, SORT_BYTES);
    for (let i: u32 = 0; i < listed; i++) {
      const key = ((load<u32>(from + <usize>i * SADDLE_BYTES + field) ^ flip) >> shift) & 255;
      store<u32>(counts + (<usize>key << 2), load<u32>(counts + (<usize>key << 2)) + 1);
    }
    let before: u32 = 0;
    for (let key: usize = 0; key < 256; key++) {
      const n = load<u32>(counts + (key << 2));
      store<u32>(counts + (key << 2), before);
      before += n;
    }
    for (let i: u32 = 0; i < listed; i++) {
      const at = from + <usize>i * SADDLE_BYTES;
      const key = ((load<u32>(at + field) ^ flip) >> shift) & 255;
      const place = load<u32>(counts + (<usize>key << 2));
      store<u32>(counts + (<usize>key << 2), place + 1);
      memory.copy(to + <usize>place * SADDLE_BYTES, at, SADDLE_BYTES);
    }
    const swap = from;
    from = to;
    to = swap;
  }
}

/** Height of a key: the root of a square in units, or a value. */
function heightOf(kind: u32, key: u32, unit: f64): f64 {
  if (kind == SQUARES) return sqrt(<f64>key) * unit;
  if (kind == FLOAT_SQUARES) return sqrt(<f64>reinterpret<f32>(key)) * unit;
  if (kind == UNSIGNED) return <f64>key;
  if (kind == SIGNED) return <f64><i32>(key ^ 0x80000000);
  return <f64>reinterpret<f32>(key & 0x80000000 ? key ^ 0x80000000 : ~key);
}

// @ts-ignore: decorator
@inline
function find(parents: usize, basin: u32): u32 {
  let root = basin;
  while (load<u32>(parents + (<usize>root << 2)) != root) root = load<u32>(parents + (<usize>root << 2));
  while (basin != root) {
    const at = parents + (<usize>basin << 2);
    basin = load<u32>(at);
    store<u32>(at, root);
  }
  return root;
}

/** Arguments of {@link mergeBasins}. */
// @ts-ignore: decorator
@unmanaged
export class MergeBasinsCall {
  /** Sorted saddles. [0 .. count * SADDLE_BYTES] */
  list: usize;
  /** Saddles. */
  count: u32;
  /** Heights of the peaks, u32. [0 .. basins * 4] */
  peaks: usize;
  /** Basins. */
  basins: u32;
  /** Numbers of markers of basins, 0 for none; or 0. [0 .. basins * 4] */
  marks: usize;
  /** Kind of heights: 0 squares of integers, 1 of f32, 2 unsigned, 3 signed, 4 f32. */
  kind: u32;
  /** Units of squares. */
  unit: f64;
  /** Least height of a peak above a saddle. */
  h: f64;
  /** u32 per basin: the basin that it is part of. [0 .. basins * 4] */
  parents: usize;
}

/**
 * Merges basins, from the highest saddle down. Of two basins, the one with the lower peak (at equal peaks the later one)
 * merges into the other. Without markers they merge if that peak is less than h above the saddle, or no higher than the
 * saddle. With markers they merge unless they have different ones.
 */
export function mergeBasins(call: MergeBasinsCall): void {
  const parents = call.parents, peaks = call.peaks, marks = call.marks;
  for (let i: u32 = 0; i < call.basins; i++) store<u32>(parents + (<usize>i << 2), i);
  for (let i: u32 = 0; i < call.count; i++) {
    const at = call.list + <usize>i * SADDLE_BYTES;
    let high = find(parents, load<u32>(at));
    let low = find(parents, load<u32>(at, 4));
    if (high == low) continue;
    const top = load<u32>(peaks + (<usize>high << 2));
    const other = load<u32>(peaks + (<usize>low << 2));
    if (other > top || (other == top && low < high)) {
      const swap = high;
      high = low;
      low = swap;
    }
    if (marks) {
      const a = load<u32>(marks + (<usize>high << 2));
      const b = load<u32>(marks + (<usize>low << 2));
      if (a && b && a != b) continue;
      store<u32>(marks + (<usize>high << 2), a | b);
    } else {
      const saddle = load<u32>(at, 8);
      const peak = min(top, other);
      if (peak > saddle && heightOf(call.kind, peak, call.unit) - heightOf(call.kind, saddle, call.unit) >= call.h) continue;
    }
    store<u32>(parents + (<usize>low << 2), high);
  }
  for (let i: u32 = 0; i < call.basins; i++) store<u32>(parents + (<usize>i << 2), find(parents, i));
}

/**
 * Turns the numbers of basins of pixels [begin, end) into labels; pixels without one become 0.
 * @param basins u32 per pixel of the image: number of a basin; then label [begin * 4 .. end * 4]
 * @param begin first pixel
 * @param end one past the last pixel
 * @param labels u32 per basin [0 .. count * 4]
 * @param count basins
 */
export function labelBasins(basins: usize, begin: u32, end: u32, labels: usize, count: u32): void {
  for (let place = begin; place < end; place++) {
    const at = basins + (<usize>place << 2);
    const basin = load<u32>(at);
    const number = basin & ~NAMED;
    store<u32>(at, basin & NAMED && number < count ? load<u32>(labels + (<usize>number << 2)) : 0);
  }
}

/**
 * Copies the numbers at given places.
 * @param numbers u32 per pixel [0 .. afterLargest(places, 0, count) * 4]
 * @param places u32 [0 .. count * 4]
 * @param count places
 * @param out u32 [0 .. count * 4]
 */
export function collect(numbers: usize, places: usize, count: u32, out: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    store<u32>(out + (<usize>i << 2), load<u32>(numbers + (<usize>load<u32>(places + (<usize>i << 2)) << 2)));
  }
}

/**
 * Writes values as u32 keys that have the order of the values.
 * @param type pixel type, TYPE_CODE 0..5
 * @param src values [0 .. count * typeBytes(type)]
 * @param count values
 * @param flip 0 or 1: in the reverse order
 * @param dst u32 per value [0 .. count * 4]
 */
export function orderValues(type: u32, src: usize, count: u32, flip: bool, dst: usize): void {
  const reverse: u32 = flip ? 0xffffffff : 0;
  for (let i: u32 = 0; i < count; i++) {
    let key: u32;
    if (type == 0) key = <u32>load<u8>(src + i);
    else if (type == 1) key = <u32>load<u16>(src + (<usize>i << 1));
    else if (type == 2) key = <u32>(<i32>load<i16>(src + (<usize>i << 1))) ^ 0x80000000;
    else if (type == 4) key = load<u32>(src + (<usize>i << 2));
    else if (type == 5) key = load<u32>(src + (<usize>i << 2)) ^ 0x80000000;
    else {
      // Positive floats sort as their bits, negative ones the other way round. NaN is below everything.
      const v = load<f32>(src + (<usize>i << 2));
      const bits = reinterpret<u32>(v == 0 ? 0 : v);
      key = v != v ? reverse : bits & 0x80000000 ? ~bits : bits | 0x80000000;
    }
    store<u32>(dst + (<usize>i << 2), key ^ reverse);
  }
}

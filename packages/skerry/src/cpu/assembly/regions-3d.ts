// Sums over the runs of each component, with z: for volumes, and for images that need edges across x and y separately.
//
//     byte  0 area u64                                      level 0    8 bytes
//           8 x0, ~x1, y0, ~y1, z0, ~z1 u32                 level 1   32 bytes
//          32 sum x, sum y, sum z u64                       level 2   56 bytes
//          56 sum xx, xy, xz, yy, yz, zz u64                level 3  136 bytes
//         104 faces across x, y, z u64, 128 Euler number i64

import { SOLID_AREA_BYTES, SOLID_BOUNDS_BYTES, SOLID_CENTROID_BYTES, SOLID_SHAPE_BYTES } from "./layout/regions";
import { decodeRow } from "./bits";
import { expandRuns } from "./labels-expand";
import { SLACK_BYTES } from "./layout/labels";
import { eulerOf, facesAcross } from "./regions-outline";
import { add, squaresBelow } from "./regions-2d";

// @ts-ignore: decorator
@inline
export function solidBytes(level: u32): usize {
  return level == 0 ? SOLID_AREA_BYTES : level == 1 ? SOLID_BOUNDS_BYTES : level == 2 ? SOLID_CENTROID_BYTES : SOLID_SHAPE_BYTES;
}

/** Arguments of {@link accumulateSolids}. */
// @ts-ignore: decorator
@unmanaged
export class AccumulateSolidsCall {
  /** Origin of the first bit plane. [solidRowBeside(level, y0, y1, height) * rowBytes(width) .. (y1 + (level === 3 && (maps || connectivity === 18) && y1 % height > 0 ? 1 : 0)) * rowBytes(width)] */
  bits: usize;
  /** Origin of the second bit plane, or 0. [solidRowBeside(level, y0, y1, height) * rowBytes(width) .. (y1 + (level === 3 && (maps || connectivity === 18) && y1 % height > 0 ? 1 : 0)) * rowBytes(width)] */
  bits2: usize;
  /** Pixels per row. */
  width: u32;
  /** First row, counted through all slices. */
  y0: u32;
  /** One past the last row. */
  y1: u32;
  /** u32 per row: number of the row's first run. [(maps ? solidRowBeside(level, y0, y1, height) : y0) * 4 .. (level === 3 && maps ? Math.max(y0 + 1, (y1 + (level === 3 && maps && y1 % height > 0 ? 1 : 0))) : y0 + 1) * 4] */
  offsets: usize;
  /** u32 per run of the image: its strip's component. [u32(offsets, (maps ? solidRowBeside(level, y0, y1, height) : y0)) * 4 .. u32(offsets, (y1 + (level === 3 && maps && y1 % height > 0 ? 1 : 0))) * 4] */
  labels: usize;
  /** Rows per slice. */
  height: u32;
  /** 0 area, 1 bounds, 2 centroid, 3 shape. */
  level: u32;
  /** 4, 8, 6, 18 or 26. */
  connectivity: u32;
  /** The strip's records, reset first. [0 .. count * (level === 0 ? 8 : level === 1 ? 32 : level === 2 ? 56 : 136)] */
  records: usize;
  /** Records of the strip. */
  count: u32;
  /** Scratch: u32 pairs begin, end of one row's runs. [0 .. bits2 ? width * 8 : width * 4 + 12] */
  list: usize;
  /** Three u32: ADDRESSES of label maps of strips around. [0 .. level === 3 ? 12 : 0] */
  maps: usize;
  /** Five rows of labels, five of bits, a list. [0 .. level === 3 && maps ? 5 * (width * 4 + 64) + 5 * rowBytes(width) + (bits2 ? width * 8 : width * 4 + 12) : 0] */
  scratch: usize;
}

/**
 * Resets the strip's `count` records, and sums the runs of rows [y0, y1) into them, counted through all slices of `height`
 * rows. `offsets` are the rows' first runs. `labels` holds each run's component within its strip. `list` is scratch for one
 * row's runs (8 bytes per pixel plus 64).
 *
 * If runs of one component may touch (`maps` not 0), level 3 compares labels. `maps` holds three u32: the addresses of the
 * image's labels of the components of the strip before, of this strip and of the strip after. `scratch` holds five rows of
 * labels (4 bytes per pixel plus SLACK_BYTES), five rows of bits, and another list.
 */
export function accumulateSolids(call: AccumulateSolidsCall): void {
  let bits = call.bits, bits2 = call.bits2, width = call.width, y0 = call.y0, y1 = call.y1,
    offsets = call.offsets, labels = call.labels, height = call.height, level = call.level,
    connectivity = call.connectivity, records = call.records, count = call.count, list = call.list,
    maps = call.maps, scratch = call.scratch;
  resetSolids(records, count, level);
  if (level == 0) accumulate(0, bits, bits2, width, y0, y1, offsets, labels, height, connectivity, records, list, maps, scratch);
  else if (level == 1) accumulate(1, bits, bits2, width, y0, y1, offsets, labels, height, connectivity, records, list, maps, scratch);
  else if (level == 2) accumulate(2, bits, bits2, width, y0, y1, offsets, labels, height, connectivity, records, list, maps, scratch);
  else accumulate(3, bits, bits2, width, y0, y1, offsets, labels, height, connectivity, records, list, maps, scratch);
}

// @ts-ignore: decorator
@inline
function accumulate(
  level: u32, bits: usize, bits2: usize, width: u32, y0: u32, y1: u32, offsets: usize, labels: usize,
  height: u32, connectivity: u32, records: usize, list: usize, maps: usize, scratch: usize,
): void {
  const bytes = solidBytes(level);
  const stride = <usize>((width + 63) >> 6) << 3;
  let own = labels + (<usize>load<u32>(offsets + (<usize>y0 << 2)) << 2);
  for (let row = y0; row < y1; row++) {
    const y = row % height;
    const z = row / height;
    const at = <usize>row * stride;
    const runs = decodeRow(bits + at, bits2 ? bits2 + at : 0, width, list);
    // Turns begin, end, 0, 0 into begin, ~end, y, ~(y + 1).
    const turn = i32x4(0, -1, y, ~(y + 1));
    const slice = i32x4(z, ~(z + 1), -1, -1);
    for (let i: u32 = 0; i < runs; i++) {
      const begin = load<u32>(list + (<usize>i << 3));
      const end = load<u32>(list + (<usize>i << 3), 4);
      const record = records + <usize>load<u32>(own + (<usize>i << 2)) * bytes;
      const length = <u64>(end - begin);
      add(record, length);
      if (level == 0) continue;
      const box = v128.xor(v128.load64_zero(list + (<usize>i << 3)), turn);
      v128.store(record, i32x4.min_u(v128.load(record, 8), box), 8);
      v128.store64_lane(record, i32x4.min_u(v128.load64_zero(record, 24), slice), 0, 24);
      if (level == 1) continue;
      const sumX = ((<u64>begin + <u64>end - 1) * length) >> 1;
      const sums = i64x2.replace_lane(i64x2.splat(sumX), 1, length * y);
      v128.store(record, i64x2.add(v128.load(record, 32), sums), 32);
      add(record + 48, length * z);
      if (level == 2) continue;
      add(record + 56, squaresBelow(end) - squaresBelow(begin));
      add(record + 64, sumX * y);
      add(record + 72, sumX * z);
      add(record + 80, length * y * y); // wide: checkMoments keeps sums below 2^63
      add(record + 88, length * y * z); // wide: checkMoments keeps sums below 2^63
      add(record + 96, length * z * z); // wide: checkMoments keeps sums below 2^63
      if (!maps) outlineRun(bits, bits2, at, stride, y, z, height, begin, end, connectivity, record);
    }
    if (level == 3 && maps && runs) {
      outlineLabels(bits, bits2, width, row, y0, y1, offsets, labels, height, connectivity, records, runs, own, list, maps, scratch);
    }
    own += <usize>runs << 2;
  }
}

/** Resets `size` records: sums to 0, minima to the largest value. */
function resetSolids(records: usize, size: u32, level: u32): void {
  const bytes = solidBytes(level);
  memory.fill(records, 0, <usize>size * bytes);
  if (level == 0) return;
  for (let i: u32 = 0; i < size; i++) {
    v128.store(records + <usize>i * bytes, i32x4.splat(-1), 8);
    store<u64>(records + <usize>i * bytes, u64.MAX_VALUE, 24);
  }
}

/** Adds the outline of a run. All neighbours of its pixels in the same plane belong to its component. */
function outlineRun(
  bits: usize, bits2: usize, at: usize, stride: usize, y: u32, z: u32, height: u32,
  begin: u32, end: u32, connectivity: u32, record: usize,
): void {
  const first = (load<u64>(bits + at + (<usize>(begin >> 6) << 3)) >> (<u64>(begin & 63))) & 1;
  const c = (first ? bits : bits2) + at;
  const slice = <usize>height * stride;
  addOutline(
    stride, c, y > 0 ? c - stride : 0, z > 0 ? c - slice : 0, z > 0 && y > 0 ? c - slice - stride : 0,
    z > 0 && y + 1 < height ? c - slice + stride : 0, y + 1 < height ? c + stride : 0, begin, end, connectivity, record,
  );
}

function addOutline(
  stride: usize, c: usize, up: usize, back: usize, backUp: usize, backDown: usize, down: usize,
  begin: u32, end: u32, connectivity: u32, record: usize,
): void {
  const words = <u32>(stride >> 3);
  add(record + 104, 2);
  add(record + 112, facesAcross(words, up, begin, end));
  add(record + 120, facesAcross(words, back, begin, end));
  store<i64>(record, load<i64>(record, 128) + eulerOf(connectivity, words, up, back, backUp, backDown, down, begin, end), 128);
}

/**
 * The same as outlineRun, if runs of one component may touch, or lie beside each other without a link. Pixels with the
 * run's label are converted to bits, row by row. Touching runs of one label are treated as one run.
 */
function outlineLabels(
  bits: usize, bits2: usize, width: u32, row: u32, y0: u32, y1: u32, offsets: usize, labels: usize, height: u32,
  connectivity: u32, records: usize, runs: u32, own: usize, list: usize, maps: usize, scratch: usize,
): void {
  const pitch = (<usize>width << 2) + SLACK_BYTES;
  const words = (width + 63) >> 6;
  const stride = <usize>words << 3;
  const spare = scratch + 5 * pitch + 5 * stride;
  const y = row % height;
  const z = row / height;
  const has0 = y > 0;
  const has1 = z > 0;
  const has2 = z > 0 && y > 0;
  const has3 = z > 0 && y + 1 < height;
  const has4 = y + 1 < height;
  if (has0) labelsOfRow(bits, bits2, width, row - 1, y0, y1, offsets, labels, maps, scratch, spare);
  if (has1) labelsOfRow(bits, bits2, width, row - height, y0, y1, offsets, labels, maps, scratch + pitch, spare);
  if (has2) labelsOfRow(bits, bits2, width, row - height - 1, y0, y1, offsets, labels, maps, scratch + 2 * pitch, spare);
  if (has3) labelsOfRow(bits, bits2, width, row - height + 1, y0, y1, offsets, labels, maps, scratch + 3 * pitch, spare);
  if (has4) labelsOfRow(bits, bits2, width, row + 1, y0, y1, offsets, labels, maps, scratch + 4 * pitch, spare);
  const map = <usize>load<u32>(maps, 4);
  const bytes = solidBytes(3);
  const u = scratch + 5 * pitch;
  for (let i: u32 = 0; i < runs; ) {
    const begin = load<u32>(list + (<usize>i << 3));
    let end = load<u32>(list + (<usize>i << 3), 4);
    const local = load<u32>(own + (<usize>i << 2));
    const label = load<u32>(map + (<usize>local << 2));
    for (i++; i < runs && load<u32>(list + (<usize>i << 3)) == end; i++) {
      if (load<u32>(map + (<usize>load<u32>(own + (<usize>i << 2)) << 2)) != label) break;
      end = load<u32>(list + (<usize>i << 3), 4);
    }
    if (has0) bitsOfLabel(scratch, width, label, begin, end, u);
    if (has1) bitsOfLabel(scratch + pitch, width, label, begin, end, u + stride);
    if (has2) bitsOfLabel(scratch + 2 * pitch, width, label, begin, end, u + 2 * stride);
    if (has3) bitsOfLabel(scratch + 3 * pitch, width, label, begin, end, u + 3 * stride);
    if (has4) bitsOfLabel(scratch + 4 * pitch, width, label, begin, end, u + 4 * stride);
    addOutline(
      stride, 0, has0 ? u : 0, has1 ? u + stride : 0, has2 ? u + 2 * stride : 0, has3 ? u + 3 * stride : 0,
      has4 ? u + 4 * stride : 0, begin, end, connectivity, records + <usize>local * bytes,
    );
  }
}

function labelsOfRow(
  bits: usize, bits2: usize, width: u32, row: u32, y0: u32, y1: u32, offsets: usize, labels: usize, maps: usize,
  out: usize, list: usize,
): void {
  const map = <usize>load<u32>(maps + (row < y0 ? 0 : row < y1 ? 4 : 8));
  expandRuns(bits, bits2, width, row, row + 1, offsets, labels, map, out, list);
}

/** Writes the words that [begin - 1, end] lies in: the pixels whose label is `label`. */
function bitsOfLabel(row: usize, width: u32, label: u32, begin: u32, end: u32, out: usize): void {
  const last = min(end, width - 1);
  const wanted = i32x4.splat(<i32>label);
  for (let i = (begin ? begin - 1 : 0) >> 6; i <= last >> 6; i++) {
    let word: u64 = 0;
    const from = i << 6;
    const count = min(64, width - from);
    for (let x: u32 = 0; x < count; x += 4) {
      const four = v128.load(row + (<usize>(from + x) << 2));
      word |= <u64>i32x4.bitmask(i32x4.eq(four, wanted)) << (<u64>x);
    }
    // The vector that crosses the row's end has read values past it.
    if (count < 64) word &= ((<u64>1) << (<u64>count)) - 1;
    store<u64>(out + (<usize>i << 3), word);
  }
}

/**
 * Adds the records of components that seams joined to the records of their roots.
 * @param level 0..3, as in accumulateSolids
 * @param records records of all strips' components [0 .. count ? (u32(joins, 2 * count - 2) + 1) * (level === 0 ? 8 : level === 1 ? 32 : level === 2 ? 56 : 136) : 0]
 * @param joins u32 pairs: component, its root; ascending by component [0 .. count * 8]
 * @param count pairs in joins
 */
export function combineSolids(level: u32, records: usize, joins: usize, count: u32): void {
  const bytes = solidBytes(level);
  for (let i: u32 = 0; i < count; i++) {
    const from = records + <usize>load<u32>(joins + (<usize>i << 3)) * bytes;
    const to = records + <usize>load<u32>(joins + (<usize>i << 3), 4) * bytes;
    add(to, load<u64>(from));
    if (level == 0) continue;
    for (let at: usize = 8; at < 32; at += 4) store<u32>(to + at, min(load<u32>(to + at), load<u32>(from + at)));
    for (let at: usize = 32; at < bytes; at += 8) add(to + at, load<u64>(from + at));
  }
}

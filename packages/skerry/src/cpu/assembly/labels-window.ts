// A window of a label image, directly from the runs. Only the rows that the window touches are decoded, and only the parts
// of their runs that lie in the window are written.
//
//     runs of a row  [2, 9) label 4, [12, 14) label 7;  window from x = 1, step 3, 5 columns: pixels 1 4 7 10 13
//     written        0 4 4 0 7

import { decodeRow } from "./bits";
import { labelAt } from "./labels-expand";
import { X, Y } from "./layout/labels-window";

/** Arguments of {@link labelsOfWindow}. */
// @ts-ignore: decorator
@unmanaged
export class LabelsOfWindowCall {
  /** First bit plane, from row 0. [top * rowBytes(width) .. bottom * rowBytes(width)] */
  bits: usize;
  /** Second bit plane, from row 0; 0 none. [top * rowBytes(width) .. bottom * rowBytes(width)] */
  bits2: usize;
  /** Pixels of a row, >= 1. */
  width: u32;
  /** Rows of one slice. */
  height: u32;
  /** Slices. */
  depth: u32;
  /** First row with objects, counted through all slices. */
  top: u32;
  /** Row after the last row with objects. */
  bottom: u32;
  /** u32 per row and one more: first runs. [labels ? top * 4 : 0 .. labels ? bottom * 4 : 0] */
  offsets: usize;
  /** u32 per run: its strip's component; 0 none. [u32(offsets, top) * 4 .. u32(offsets, bottom) * 4] */
  labels: usize;
  /** u32 pairs per strip: first row, map's address. [labels && stripCount ? 4 : 0 .. labels ? stripCount * 8 : 0] */
  strips: usize;
  /** How many strips. */
  stripCount: u32;
  /** Normal of the window: 0 x, 1 y, 2 z. */
  axis: u32;
  /** Window's first column, may be negative. */
  x: i32;
  /** Window's first row, may be negative. */
  y: i32;
  /** Window's first slice, may be negative. */
  z: i32;
  /** Distance of the window's pixels, in pixels of the image, >= 1. */
  step: i32;
  /** Pixels of an output row. */
  columns: u32;
  /** First output row. */
  j0: u32;
  /** Output row after the last. */
  j1: u32;
  /** u32 per output pixel, rows tight. [0 .. (j1 - j0) * columns * 4] */
  out: usize;
  /** Scratch: begin, end (u32) of one row's runs. [0 .. axis === 0 ? 0 : width * 8] */
  list: usize;
}

/**
 * Writes output rows [j0, j1) of `columns` u32 each to `out`. Pixel (i, j) lies `step` * i and `step` * j from x, y, z,
 * in the plane that is normal to `axis`. Pixels outside the image, or outside rows [top, bottom), are 0. For each of
 * `stripCount` strips, `strips` holds its first row and the address of its components' labels. With `labels` 0, pixels
 * of objects are 1. `list` has room for a row's runs.
 * @behind MAP x labels ? stripCount : 0 at u32(strips, 2 * s + 1): u32 per component of strip s: label [0 .. afterLargest(labels, u32(offsets, u32(strips, 2 * s)), u32(offsets, s + 1 < stripCount ? u32(strips, 2 * s + 2) : bottom)) * 4]
 */
export function labelsOfWindow(call: LabelsOfWindowCall): void {
  let bits = call.bits, bits2 = call.bits2, width = call.width, height = call.height, depth = call.depth,
    top = call.top, bottom = call.bottom, offsets = call.offsets, labels = call.labels, strips = call.strips,
    stripCount = call.stripCount, axis = call.axis, x = call.x, y = call.y, z = call.z, step = call.step,
    columns = call.columns, j0 = call.j0, j1 = call.j1, out = call.out, list = call.list;
  for (let j = j0; j < j1; j++) {
    memory.fill(out, 0, <usize>columns << 2);
    const away = <i32>j * step;
    const slice = axis <= Y ? z + away : z;
    const line = axis <= Y ? y : y + away;
    if (slice >= 0 && slice < <i32>depth) {
      if (axis == X) {
        if (x >= 0 && x < <i32>width) {
          for (let i: u32 = 0; i < columns; i++) {
            const row = rowOf(line + <i32>i * step, slice, height, top, bottom);
            if (row >= 0) store<u32>(out + (<usize>i << 2), at(bits, bits2, width, <u32>x, <u32>row, offsets, labels, strips, stripCount));
          }
        }
      } else {
        const row = rowOf(line, slice, height, top, bottom);
        if (row >= 0) part(bits, bits2, width, <u32>row, offsets, labels, strips, stripCount, x, step, columns, out, list);
      }
    }
    out += <usize>columns << 2;
  }
}

/** The row, counted through all slices, or -1 where there is none. */
// @ts-ignore: decorator
@inline
function rowOf(line: i32, slice: i32, height: u32, top: u32, bottom: u32): i64 {
  if (line < 0 || line >= <i32>height) return -1;
  const row = <i64>slice * height + line;
  return row >= <i64>top && row < <i64>bottom ? row : -1;
}

/** The labels of the components of the strip that holds a row. */
function mapOf(row: u32, strips: usize, stripCount: u32): usize {
  let found = strips;
  for (let s: u32 = 1; s < stripCount; s++) {
    if (load<u32>(strips + (<usize>s << 3)) > row) break;
    found = strips + (<usize>s << 3);
  }
  return <usize>load<u32>(found, 4);
}

function at(
  bits: usize, bits2: usize, width: u32, x: u32, row: u32, offsets: usize, labels: usize, strips: usize, stripCount: u32,
): u32 {
  const words = (width + 63) >> 6;
  if (!labels) {
    const word = ((<usize>row * words) << 3) + (<usize>(x >> 6) << 3);
    let c = load<u64>(bits + word);
    if (bits2) c |= load<u64>(bits2 + word);
    return <u32>((c >> (<u64>(x & 63))) & 1);
  }
  const own = labelAt(bits, bits2, width, x, row, offsets, labels);
  return own < 0 ? 0 : load<u32>(mapOf(row, strips, stripCount) + (<usize>own << 2));
}

function part(
  bits: usize, bits2: usize, width: u32, row: u32, offsets: usize, labels: usize, strips: usize, stripCount: u32,
  x: i32, step: i32, columns: u32, out: usize, list: usize,
): void {
  const start = ((<usize>row * ((width + 63) >> 6)) << 3);
  const runs = decodeRow(bits + start, bits2 ? bits2 + start : 0, width, list);
  const own = labels ? labels + (<usize>load<u32>(offsets + (<usize>row << 2)) << 2) : 0;
  const map = labels ? mapOf(row, strips, stripCount) : 0;
  const last = <i64>x + <i64>columns * step;
  for (let k: u32 = 0; k < runs; k++) {
    const begin = <i64>load<u32>(list + (<usize>k << 3)) - x;
    const end = <i64>load<u32>(list + (<usize>k << 3), 4) - x;
    if (end <= 0) continue;
    if (begin + x >= last) break;
    const label = labels ? load<u32>(map + (<usize>load<u32>(own + (<usize>k << 2)) << 2)) : 1;
    const to = min<i64>(columns, (end + step - 1) / step);
    for (let i = begin > 0 ? (begin + step - 1) / step : 0; i < to; i++) store<u32>(out + (<usize>i << 2), label);
  }
}

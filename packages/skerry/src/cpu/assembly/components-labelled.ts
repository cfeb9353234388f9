// Components whose runs have given labels: objects of a label image, which may touch and may consist of several pieces.
// Labels are numbered 1..count in the order of their values. So that parts of the image can be measured in parallel, each
// part has a component for every label; components of later parts are joined to those of the first part.
//
//     values of runs      7 7 3 9 3     marks from 3 on   1 0 0 0 1 0 1
//     ranks of the marks  1 . . . 2 . 3     labels of runs    1 1 0 2 0, from 0

import { F32, I16, I32, U16, U32, U8, typeBytes } from "./image-luma";
import { CHUNK } from "./layout/regions";

// @ts-ignore: decorator
@inline
function valueAt(type: u32, at: usize): f64 {
  if (type == U8) return <f64>load<u8>(at);
  if (type == U16) return <f64>load<u16>(at);
  if (type == I16) return <f64>load<i16>(at);
  if (type == U32) return <f64>load<u32>(at);
  if (type == I32) return <f64>load<i32>(at);
  return <f64>load<f32>(at);
}

/**
 * Finds the smallest and the largest of `count` values, and whether all are whole numbers (1) or not (0).
 * @param type pixel type, TYPE_CODE 0..5
 * @param values values, none of them NaN [0 .. count * typeBytes(type)]
 * @param count values, >= 1
 * @param out three f64: smallest, largest, whole [0 .. 24]
 */
export function rangeOfValues(type: u32, values: usize, count: u32, out: usize): void {
  let low: f64 = Infinity;
  let high: f64 = -Infinity;
  let whole = true;
  const step = typeBytes(type);
  for (let i: u32 = 0; i < count; i++) {
    const v = valueAt(type, values + <usize>i * step);
    low = min(low, v);
    high = max(high, v);
    whole = whole && floor(v) == v;
  }
  store<f64>(out, low);
  store<f64>(out, high, 8);
  store<f64>(out, whole ? 1 : 0, 16);
}

/**
 * Marks the values that occur: sets `marks[value - low]`.
 * @param type pixel type, TYPE_CODE 0..5
 * @param values whole numbers from low to low + size - 1 [0 .. count * typeBytes(type)]
 * @param count values
 * @param low the smallest value
 * @param marks u32 per whole number from low on [0 .. size * 4]
 * @param size marks
 */
export function markValues(type: u32, values: usize, count: u32, low: f64, marks: usize, size: u32): void {
  const step = typeBytes(type);
  for (let i: u32 = 0; i < count; i++) {
    const at = <u32>(valueAt(type, values + <usize>i * step) - low);
    if (at < size) store<u32>(marks + (<usize>at << 2), 1);
  }
}

/**
 * Turns marks into ranks: the n-th mark becomes n, from 1. Returns the number of marks.
 * @param marks u32, 0 or not 0 [0 .. size * 4]
 * @param size marks
 */
export function rankMarks(marks: usize, size: u32): u32 {
  let rank: u32 = 0;
  for (let i: u32 = 0; i < size; i++) {
    const at = marks + (<usize>i << 2);
    if (load<u32>(at)) store<u32>(at, ++rank);
  }
  return rank;
}

/**
 * Lists the values that have a rank, in order.
 * @param type pixel type, TYPE_CODE 0..5
 * @param marks ranks, 0 where there is none [0 .. size * 4]
 * @param size marks
 * @param low the value of the first mark
 * @param count ranks
 * @param out values of the ranks [0 .. count * typeBytes(type)]
 */
export function listMarks(type: u32, marks: usize, size: u32, low: f64, count: u32, out: usize): void {
  let listed: u32 = 0;
  for (let i: u32 = 0; i < size && listed < count; i++) {
    if (!load<u32>(marks + (<usize>i << 2))) continue;
    const value = low + <f64>i;
    if (type == F32) store<f32>(out, <f32>value);
    else if (typeBytes(type) == 4) store<u32>(out, <u32><i64>value);
    else if (typeBytes(type) == 2) store<u16>(out, <u16><i32>value);
    else store<u8>(out, <u8>value);
    out += typeBytes(type);
    listed++;
  }
}

/**
 * Writes the label of each run, from 0: the rank of its value less 1.
 * @param type pixel type, TYPE_CODE 0..5
 * @param values values of runs [0 .. count * typeBytes(type)]
 * @param count runs
 * @param low the value of the first mark
 * @param marks ranks from 1 [0 .. size * 4]
 * @param size marks
 * @param out u32 per run [0 .. count * 4]
 */
export function rankValues(type: u32, values: usize, count: u32, low: f64, marks: usize, size: u32, out: usize): void {
  const step = typeBytes(type);
  for (let i: u32 = 0; i < count; i++) {
    const at = <u32>(valueAt(type, values + <usize>i * step) - low);
    store<u32>(out + (<usize>i << 2), at < size ? load<u32>(marks + (<usize>at << 2)) - 1 : 0);
  }
}

/**
 * Renumbers labels. A label whose entry in `chosen` is 0 is left out; any other becomes its entry less 1. Runs keep their
 * order. Returns the number of runs that are left.
 * @param labels u32 per run: label, from 0 [0 .. runs * 4]
 * @param runs runs
 * @param chosen u32 per label [0 .. afterLargest(labels, 0, runs) * 4]
 * @param out u32 per run that is left [0 .. runs * 4]
 */
export function renumberRuns(labels: usize, runs: u32, chosen: usize, out: usize): u32 {
  let left: u32 = 0;
  for (let i: u32 = 0; i < runs; i++) {
    const label = load<u32>(chosen + (<usize>load<u32>(labels + (<usize>i << 2)) << 2));
    if (!label) continue;
    store<u32>(out + (<usize>left << 2), label - 1);
    left++;
  }
  return left;
}

/**
 * Renumbers labels in the order of their first runs. Returns the number of labels.
 * @param labels u32 per run: label, from 0; then their order, from 0 [0 .. runs * 4]
 * @param runs runs
 * @param order u32 per label: 0 before; then the order of its first run, from 1 [0 .. count * 4]
 * @param count labels
 */
export function orderRuns(labels: usize, runs: u32, order: usize, count: u32): u32 {
  let next: u32 = 0;
  for (let i: u32 = 0; i < runs; i++) {
    const at = order + (<usize>load<u32>(labels + (<usize>i << 2)) << 2);
    let number = load<u32>(at);
    if (!number) {
      number = ++next;
      store<u32>(at, number);
    }
    store<u32>(labels + (<usize>i << 2), number - 1);
  }
  return next;
}

/**
 * Writes the tables of `parts` parts of an image that all have the same `count` labels: the label of each part's
 * components, and the component of the first part to which each is joined.
 * @param count labels
 * @param parts parts, >= 1
 * @param map u32 per part and label: label from 1 [0 .. parts * count * 4]
 * @param joins u32 pairs: component of a later part, of the first part [0 .. (parts - 1) * count * 8]
 * @param firsts u32 per 32768 components: labels before [0 .. Math.ceil(parts * count / 32768) * 4]
 */
export function repeatLabels(count: u32, parts: u32, map: usize, joins: usize, firsts: usize): void {
  for (let i: u32 = 0; i < parts * count; i++) {
    store<u32>(map + (<usize>i << 2), i % count + 1);
    if (i >= count) {
      store<u32>(joins, i);
      store<u32>(joins, i % count, 4);
      joins += 8;
    }
    if (i % CHUNK == 0) store<u32>(firsts + (<usize>(i / CHUNK) << 2), min(i, count));
  }
}

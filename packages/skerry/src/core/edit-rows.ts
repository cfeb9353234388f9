// The runs of an image while objects are corrected by hand. The given run table stays as it is; rows that change are lists of their own.
// Objects that were joined share a label through links, so that a join visits no pixel.

import type { Connectivity } from "../types/raster.js";
import type { Size } from "./pixels.js";
import { rootOf } from "./roots.js";
import type { RunTable } from "./sums.js";

/** A run of an object. Rows are counted through all slices. */
export interface Run {
  readonly row: number;
  readonly begin: number;
  readonly end: number;
}

/** A row with other runs than before. It is another object only if it has changed since the result before. */
export interface ChangedRow {
  readonly row: number;
  /** Begin, end, begin, end ... */
  readonly spans: Uint32Array;
  /** The label of each run. */
  readonly labels: Uint32Array;
  /** Foreground pixels more than before. */
  readonly gained: number;
}

/** The runs after corrections. */
export interface RowsAfter {
  /** The label of each run, in raster order. */
  readonly labels: Uint32Array;
  /** The first run of each row, and the number of all. */
  readonly firsts: Uint32Array;
  /** Ascending; the runs of all other rows are as before. */
  readonly changed: readonly ChangedRow[];
  /** Foreground pixels more than before. */
  readonly gained: number;
}

/** Numbers per label: where its object may have pixels. */
const BOX = 6;

/** So few runs of a row are put one by one. */
const FEW = 4;

/** Runs in rows, with labels from 1. */
export class EditedRows {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  /** Labels that were given or made, joined ones included. */
  labels: number;
  readonly #table: RunTable;
  /** Per row, its first run in the table. */
  readonly #firsts: Uint32Array;
  /** Begin, end, label, begin ... of each row that changed. */
  readonly #changed = new Map<number, number[]>(); // wide: at most MOST_ROWS
  /** The rows of the last result that have not changed since. */
  readonly #results = new Map<number, ChangedRow>(); // wide: at most MOST_ROWS
  /** The label that each label was joined to; itself for others. */
  #links: Uint32Array;
  #isJoined = false;
  /** Least x, the x after the greatest, least and greatest y and z of each label. */
  #boxes: Int32Array;

  /** The labels of the table are 1 to `count`, and its runs in raster order. */
  constructor(table: RunTable, { width, height, depth }: Size, count: number) {
    this.width = width;
    this.height = height;
    this.depth = depth;
    this.labels = count;
    this.#table = table;
    this.#firsts = new Uint32Array(height * depth + 1);
    this.#links = Uint32Array.from({ length: count + 1 }, (_, label) => label);
    this.#boxes = new Int32Array((count + 1) * BOX);
    for (let label = 1; label <= count; label++) this.#emptyBox(label);
    const { row, begin, end, label } = table;
    const boxes = this.#boxes;
    for (let z = 0, i = 0; z < depth; z++) {
      for (let y = 0; y < height; y++) {
        const at = z * height + y;
        for (; i < row.length && row[i] === at; i++) {
          const box = label[i] * BOX;
          if (begin[i] < boxes[box]) boxes[box] = begin[i];
          if (end[i] > boxes[box + 1]) boxes[box + 1] = end[i];
          if (y < boxes[box + 2]) boxes[box + 2] = y;
          if (y > boxes[box + 3]) boxes[box + 3] = y;
          if (z < boxes[box + 4]) boxes[box + 4] = z;
          boxes[box + 5] = z;
        }
        this.#firsts[at + 1] = i;
      }
    }
  }

  /** A new label, without pixels yet. */
  add(): number {
    const label = ++this.labels;
    if (label >= this.#links.length) {
      const room = Math.max(64, label * 2);
      const [links, boxes] = [new Uint32Array(room), new Int32Array(room * BOX)];
      links.set(this.#links);
      boxes.set(this.#boxes);
      this.#links = links;
      this.#boxes = boxes;
    }
    this.#links[label] = label;
    this.#emptyBox(label);
    return label;
  }

  /** The label that a label goes by after joins. */
  named(label: number): number {
    return rootOf(this.#links, label);
  }

  /** Gives the pixels of `other` to `label`; both go by their own names. */
  join(label: number, other: number): void {
    this.#links[other] = label;
    this.#isJoined = true;
    this.#results.clear();
    const boxes = this.#boxes;
    for (let i = 0; i < BOX; i += 2) {
      const [at, from] = [label * BOX + i, other * BOX + i];
      boxes[at] = Math.min(boxes[at], boxes[from]);
      boxes[at + 1] = Math.max(boxes[at + 1], boxes[from + 1]);
    }
  }

  /** Calls `visit` for the runs of a row that have pixels in [x0, x1), in their order. It must not change the row. */
  visit(row: number, x0: number, x1: number, visit: (begin: number, end: number, label: number) => void): void {
    const list = this.#changed.get(row);
    if (list) {
      for (let i = firstTriple(list, 1, x0 + 1); i < list.length && list[i] < x1; i += 3) {
        visit(list[i], list[i + 1], this.named(list[i + 2]));
      }
      return;
    }
    const { begin, end, label } = this.#table;
    const last = this.#firsts[row + 1];
    for (let i = firstAfter(end, this.#firsts[row], last, x0); i < last && begin[i] < x1; i++) {
      visit(begin[i], end[i], this.named(label[i]));
    }
  }

  /** The label of a pixel; 0 for background. */
  at(x: number, row: number): number {
    const list = this.#changed.get(row);
    if (list) {
      const i = firstTriple(list, 1, x + 1);
      return i < list.length && list[i] <= x ? this.named(list[i + 2]) : 0;
    }
    const { begin, end, label } = this.#table;
    const last = this.#firsts[row + 1];
    const i = firstAfter(end, this.#firsts[row], last, x);
    return i < last && begin[i] <= x ? this.named(label[i]) : 0;
  }

  /** Gives the pixels [begin, end) of a row to a label; 0 for background. */
  put(row: number, begin: number, end: number, label: number): void {
    const list = this.#listOf(row);
    const first = firstTriple(list, 1, begin + 1);
    const after = firstTriple(list, 0, end);
    const parts: number[] = [];
    if (first < after && list[first] < begin) parts.push(list[first], begin, list[first + 2]);
    if (label > 0) parts.push(begin, end, label);
    if (first < after && list[after - 2] > end) parts.push(end, list[after - 2], list[after - 1]);
    list.splice(first, after - first, ...parts);
    if (label > 0) this.#widen(label, row, begin, end);
  }

  /** Gives runs in raster order to a label, or to background. O(runs of their rows). */
  putAll(runs: readonly Run[], label: number): void {
    for (let from = 0, to = 0; from < runs.length; from = to) {
      const { row } = runs[from];
      while (to < runs.length && runs[to].row === row) to++;
      if (to - from < FEW) {
        for (let i = from; i < to; i++) this.put(row, runs[i].begin, runs[i].end, label);
        continue;
      }
      const old = this.#listOf(row);
      const list: number[] = [];
      let at = 0;
      for (let i = from; i < to; i++) {
        const { begin, end } = runs[i];
        for (; at < old.length && old[at + 1] <= begin; at += 3) list.push(old[at], old[at + 1], old[at + 2]);
        if (at < old.length && old[at] < begin) list.push(old[at], begin, old[at + 2]);
        if (label > 0) list.push(begin, end, label);
        while (at < old.length && old[at + 1] <= end) at += 3;
        if (at < old.length && old[at] < end) old[at] = end;
        if (label > 0) this.#widen(label, row, begin, end);
      }
      for (; at < old.length; at++) list.push(old[at]);
      this.#changed.set(row, list);
    }
  }

  /** The runs of an object, in raster order. */
  runsOf(label: number): Run[] {
    const [x0, x1, y0, y1, z0, z1] = this.#boxes.subarray(label * BOX, (label + 1) * BOX);
    const runs: Run[] = [];
    for (let z = z0; z <= z1; z++) {
      for (let y = y0; y <= y1; y++) {
        const row = z * this.height + y;
        this.visit(row, x0, x1, (begin, end, found) => {
          if (found === label) runs.push({ row, begin, end });
        });
      }
    }
    return runs;
  }

  /** All runs in raster order; runs of one object that touch are one. O(rows that changed since the last result), and a copy of the labels. */
  result(): RowsAfter {
    const { label } = this.#table;
    let most = label.length;
    for (const list of this.#changed.values()) most += list.length / 3;
    const labels = new Uint32Array(most);
    const firsts = new Uint32Array(this.#firsts.length);
    const changed: ChangedRow[] = [];
    let gained = 0;
    let count = 0;
    for (let row = 0; row < firsts.length - 1; row++) {
      const after = this.#changedRow(row);
      if (after) {
        labels.set(after.labels, count);
        count += after.labels.length;
        gained += after.gained;
        changed.push(after);
      } else {
        const [from, to] = [this.#firsts[row], this.#firsts[row + 1]];
        if (!this.#isJoined) labels.set(label.subarray(from, to), count);
        else for (let i = from; i < to; i++) labels[count + i - from] = this.named(label[i]);
        count += to - from;
      }
      firsts[row + 1] = count;
    }
    return { labels: labels.subarray(0, count), firsts, changed, gained };
  }

  /** A row after corrections; undefined if its runs are those of the table. */
  #changedRow(row: number): ChangedRow | undefined {
    const list = this.#changed.get(row) ?? (this.#isJoined && this.#touches(row) ? this.#listOf(row) : undefined);
    if (!list) return undefined;
    const known = this.#results.get(row);
    if (known) return known;
    const { begin, end } = this.#table;
    const most = list.length / 3;
    const spans = new Uint32Array(most * 2);
    const labels = new Uint32Array(most);
    let runs = 0;
    let gained = 0;
    for (let i = 0; i < list.length; i += 3) {
      const owner = this.named(list[i + 2]);
      const isSame = runs > 0 && spans[2 * runs - 1] === list[i] && labels[runs - 1] === owner;
      if (!isSame) {
        spans[2 * runs] = list[i];
        labels[runs++] = owner;
      }
      spans[2 * runs - 1] = list[i + 1];
      gained += list[i + 1] - list[i];
    }
    for (let i = this.#firsts[row]; i < this.#firsts[row + 1]; i++) gained -= end[i] - begin[i];
    const after = { row, spans: spans.subarray(0, 2 * runs), labels: labels.subarray(0, runs), gained };
    this.#results.set(row, after);
    return after;
  }

  /** Whether runs of a row of the table touch that became one object. */
  #touches(row: number): boolean {
    const { begin, end, label } = this.#table;
    for (let i = this.#firsts[row] + 1; i < this.#firsts[row + 1]; i++) {
      if (begin[i] === end[i - 1] && this.named(label[i]) === this.named(label[i - 1])) return true;
    }
    return false;
  }

  /** The list of a row, which counts as changed from now on. */
  #listOf(row: number): number[] {
    this.#results.delete(row);
    const known = this.#changed.get(row);
    if (known) return known;
    const { begin, end, label } = this.#table;
    const list: number[] = [];
    for (let i = this.#firsts[row]; i < this.#firsts[row + 1]; i++) list.push(begin[i], end[i], label[i]);
    this.#changed.set(row, list);
    return list;
  }

  #emptyBox(label: number): void {
    this.#boxes.set([this.width, -1, this.height, -1, this.depth, -1], label * BOX);
  }

  #widen(label: number, row: number, begin: number, end: number): void {
    const boxes = this.#boxes;
    const at = label * BOX;
    const [y, z] = [row % this.height, Math.floor(row / this.height)];
    if (begin < boxes[at]) boxes[at] = begin;
    if (end > boxes[at + 1]) boxes[at + 1] = end;
    if (y < boxes[at + 2]) boxes[at + 2] = y;
    if (y > boxes[at + 3]) boxes[at + 3] = y;
    if (z < boxes[at + 4]) boxes[at + 4] = z;
    if (z > boxes[at + 5]) boxes[at + 5] = z;
  }
}

/** The index of the first triple whose begin (field 0) or end (field 1) is at least x. */
function firstTriple(list: readonly number[], field: 0 | 1, x: number): number {
  let [low, high] = [0, list.length / 3];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (list[3 * middle + field] >= x) high = middle;
    else low = middle + 1;
  }
  return 3 * low;
}

/** The first index in [from, to) with an end above x; ends ascend. */
function firstAfter(ends: Uint32Array, from: number, to: number, x: number): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ends[middle] > x) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Rows before a row whose runs may touch its own: steps along y and z, and by how many pixels along x runs may miss each other. */
export const STEPS: Readonly<Record<Connectivity, readonly (readonly [dy: number, dz: number, miss: 0 | 1])[]>> = {
  4: [[-1, 0, 0]],
  8: [[-1, 0, 1]],
  6: [
    [-1, 0, 0],
    [0, -1, 0],
  ],
  18: [
    [-1, 0, 1],
    [0, -1, 1],
    [-1, -1, 0],
    [1, -1, 0],
  ],
  26: [
    [-1, 0, 1],
    [0, -1, 1],
    [-1, -1, 1],
    [1, -1, 1],
  ],
};

/** The piece of each run, from 0 in the order of their first pixels; runs are in raster order, do not overlap and may touch. */
export function piecesOf(
  runs: readonly Run[],
  connectivity: Connectivity,
  height: number,
): { piece: Int32Array; count: number } {
  const parents = Uint32Array.from(runs, (_, i) => i);
  const unite = (a: number, b: number): void => {
    const [one, other] = [rootOf(parents, a), rootOf(parents, b)];
    parents[Math.max(one, other)] = Math.min(one, other);
  };
  const rows = rowsIn(runs);
  for (const [row, [first, last]] of rows) {
    for (let i = first + 1; i < last; i++) if (runs[i].begin <= runs[i - 1].end) unite(i - 1, i);
    const y = row % height;
    for (const [dy, dz, miss] of STEPS[connectivity]) {
      // wide: at most MOST_ROWS
      const other = y + dy < 0 || y + dy >= height ? undefined : rows.get(row + dy + dz * height);
      if (!other) continue;
      for (let i = first, j = other[0]; i < last && j < other[1]; ) {
        const [a, b] = [runs[i], runs[j]];
        if (a.begin < b.end + miss && b.begin < a.end + miss) unite(i, j);
        if (a.end < b.end) i++;
        else j++;
      }
    }
  }
  const piece = new Int32Array(runs.length);
  let count = 0;
  for (let i = 0; i < runs.length; i++) {
    const root = rootOf(parents, i);
    piece[i] = root === i ? count++ : piece[root];
  }
  return { piece, count };
}

/** The first run of each row, and the one after its last. */
export function rowsIn(runs: readonly Run[]): Map<number, [first: number, after: number]> {
  const rows = new Map<number, [number, number]>(); // wide: at most MOST_ROWS
  for (let i = 0; i < runs.length; i++) {
    const known = rows.get(runs[i].row);
    if (known) known[1] = i + 1;
    else rows.set(runs[i].row, [i, i + 1]);
  }
  return rows;
}

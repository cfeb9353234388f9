// Step `seams`: finds the fragments that meet across the seams at the low sides of a block, and corrects sums that blocks counted
// twice.
//
// Both follow from the grid elements on the seam planes: faces between two voxels, edges between four, corners between eight.
// Each element is assigned to one block: to the block at whose low sides it lies, and at the end of the image to the last block.
//
// - Faces join the voxels on both sides; with 18, 26 and 8 neighbours edges join their diagonals, with 26 corners join theirs.
// - A face between two voxels of an object was counted as surface by both blocks: two are subtracted.
// - Euler numbers are corners - edges + faces - voxels of the closed voxels (26, 18 and 8 neighbours), each counted by every block
//   that touches it: for an object in m blocks around an element m - 1 are too many. With 6 and 4 they are voxels - pairs + squares -
//   cubes, of which blocks counted none that lies in several of them. With 18 a corner counts twice for two voxels that
//   touch only there, also across a seam, so no correction is needed.

import type { Context } from "../context.js";
import { ClusterError } from "../errors.js";
import type { Section } from "../format.js";
import { blockBefore, boxOf, faceName, isSeam } from "../grid.js";
import { connectivityOf, isMeasure } from "../plan.js";
import { wantedOfPlan } from "./label.js";

/** Numbers of a correction: faces across x, y and z, and the Euler number. */
const PARTS = 4;
const CORNERS = 8;

/** A fragment and the block that it is in, one of eight around a corner, as one number. */
export const codeOf = (fragment: number, corner: number): number => fragment * CORNERS + corner;
export const fragmentOf = (code: number): number => code >>> 3;
export const cornerOf = (code: number): number => code & (CORNERS - 1);

export async function seams(context: Context, number: number): Promise<void> {
  const { storage, plan } = context;
  const shell = await Shell.open(context, number);
  for (const axis of [0, 1, 2] as const) if (isSeam(context.grid, number, { axis, high: false })) shell.walk(axis);
  const { fragment, corner, parts } = shell.corrections();
  if (shell.counts) await storage.write("corrections", number, { fragment, corner, parts });
  if (isMeasure(plan)) await storage.write("edges", number, {});
  else await storage.write("edges", number, shell.edges());
}

/** The two layers of voxels on both sides of a seam plane, each with one more row and column before it. */
interface Layers {
  readonly before: Uint32Array;
  readonly after: Uint32Array;
  /** Rows and columns, without the additional ones. */
  readonly rows: number;
  readonly columns: number;
}

class Shell {
  readonly counts: boolean;
  readonly #context: Context;
  readonly #number: number;
  readonly #faces: (Readonly<Record<string, Section>> | undefined)[] = [];
  /** Id of the first fragment of each block, minus 1. */
  readonly #bases: number[] = [];
  #total = 0;
  /** Block, and value, of each id; ids begin at 1. */
  #corner = new Uint8Array(1);
  #value: Float64Array | undefined;
  #parts = new Int32Array(0);
  #pairs = new Float64Array(1024);
  #pairCount = 0;
  #last = -1;
  readonly #connectivity: number;

  private constructor(context: Context, number: number) {
    this.#context = context;
    this.#number = number;
    this.#connectivity = connectivityOf(context.plan);
    this.counts = wantedOfPlan(context).shape;
  }

  static async open(context: Context, number: number): Promise<Shell> {
    const shell = new Shell(context, number);
    const { grid, storage } = context;
    const values: (Float64Array | undefined)[] = [];
    for (let corner = 0; corner < CORNERS; corner++) {
      const block = blockBefore(grid, number, corner);
      shell.#bases.push(shell.#total);
      if (block === undefined) {
        shell.#faces.push(undefined);
        values.push(new Float64Array(0));
        continue;
      }
      shell.#faces.push(await storage.read("faces", block));
      const { count, value } = await storage.read("fragments", block, ["count", "value"]);
      shell.#total += Number(count[0]);
      values.push(value as Float64Array | undefined);
    }
    const total = shell.#total;
    if (total >= 2 ** 26) {
      throw new ClusterError(
        "failed",
        `Expected fewer than 2^26 fragments around block ${number}, got ${total}; take smaller blocks.`,
      );
    }
    shell.#corner = new Uint8Array(total + 1);
    for (let corner = 0; corner < CORNERS; corner++) {
      shell.#corner.fill(corner, shell.#bases[corner] + 1, (shell.#bases[corner + 1] ?? total) + 1);
    }
    if (values.some((labels) => labels && labels.length > 0)) {
      shell.#value = new Float64Array(total + 1);
      for (const [corner, labels] of values.entries()) if (labels) shell.#value.set(labels, shell.#bases[corner] + 1);
    }
    shell.#parts = new Int32Array(shell.counts ? (total + 1) * PARTS : 0);
    return shell;
  }

  /** The layers at the low side of the block along an axis: ids of voxels, from one row and one column before the block. */
  #layers(axis: 0 | 1 | 2): Layers {
    const [u, v] = axesOf(axis);
    const { size } = boxOf(this.#context.grid, this.#number);
    const [rows, columns] = [size[u], size[v]];
    const layer = (isBefore: boolean): Uint32Array => {
      const corners = new Uint32Array((rows + 1) * (columns + 1));
      const name = faceName({ axis, high: isBefore });
      for (const [du, dv] of [
        [0, 0],
        [0, 1],
        [1, 0],
        [1, 1],
      ]) {
        const corner = (isBefore ? bit(axis) : 0) + du * bit(u) + dv * bit(v);
        const face = this.#faces[corner]?.[name] as Uint32Array | undefined;
        const block = blockBefore(this.#context.grid, this.#number, corner);
        if (!face || block === undefined) continue;
        const size = boxOf(this.#context.grid, block).size;
        const base = this.#bases[corner];
        const [firstRow, firstColumn] = [du ? size[u] - 1 : 0, dv ? size[v] - 1 : 0];
        for (let r = firstRow; r < size[u]; r++) {
          const to = (du ? 0 : r + 1) * (columns + 1) + (dv ? 0 : 1);
          for (let c = firstColumn; c < size[v]; c++) {
            const fragment = face[r * size[v] + c];
            if (fragment) corners[to + c - firstColumn] = base + fragment;
          }
        }
      }
      return corners;
    };
    return { before: layer(true), after: layer(false), rows, columns };
  }

  /** Walks the elements of the plane at the low side of an axis. */
  walk(axis: 0 | 1 | 2): void {
    const { before, after, rows, columns } = this.#layers(axis);
    const [u, v] = axesOf(axis);
    const { grid } = this.#context;
    const number = this.#number;
    const stride = columns + 1;
    // Elements on planes of earlier calls are done.
    const isDone = (other: 0 | 1 | 2): boolean => other < axis && isSeam(grid, number, { axis: other, high: false });
    const [firstRow, firstColumn] = [isDone(u) ? 1 : 0, isDone(v) ? 1 : 0];
    // Elements behind the last row are handled here only at the end of the image; else by the next block.
    const lastRow = isSeam(grid, number, { axis: u, high: true }) ? rows - 1 : rows;
    const lastColumn = isSeam(grid, number, { axis: v, high: true }) ? columns - 1 : columns;
    const face = 2 - axis;
    const diagonals = this.#connectivity === 8 || this.#connectivity >= 18;
    const all = this.#connectivity === 26;
    const at = (layer: Uint32Array, r: number, c: number): number =>
      r > rows || c > columns ? 0 : layer[r * stride + c];
    for (let r = 1; r <= rows; r++) {
      for (let i = r * stride + 1; i < (r + 1) * stride; i++) {
        if (before[i] === 0 || after[i] === 0) continue;
        if (this.#meet(before[i], after[i])) this.#count2(before[i], after[i], face);
      }
    }
    if (!diagonals && !this.counts) return;
    // Edges along v lie between rows, those along u between columns.
    for (let r = firstRow; r <= lastRow; r++) {
      for (let c = 1; c <= columns; c++) {
        this.#edge(at(before, r, c), at(before, r + 1, c), at(after, r, c), at(after, r + 1, c), diagonals, r === 0);
      }
    }
    for (let r = 1; r <= rows; r++) {
      for (let c = firstColumn; c <= lastColumn; c++) {
        this.#edge(at(before, r, c), at(before, r, c + 1), at(after, r, c), at(after, r, c + 1), diagonals, c === 0);
      }
    }
    if (!all && !this.counts) return;
    const eight = new Uint32Array(8);
    for (let r = firstRow; r <= lastRow; r++) {
      for (let c = firstColumn; c <= lastColumn; c++) {
        eight[0] = at(before, r, c);
        eight[1] = at(before, r, c + 1);
        eight[2] = at(before, r + 1, c);
        eight[3] = at(before, r + 1, c + 1);
        eight[4] = at(after, r, c);
        eight[5] = at(after, r, c + 1);
        eight[6] = at(after, r + 1, c);
        eight[7] = at(after, r + 1, c + 1);
        this.#vertex(eight, all, r === 0 || c === 0);
      }
    }
  }

  #isOne(a: number, b: number): boolean {
    return this.#value === undefined || this.#value[a] === this.#value[b];
  }

  /** Joins two voxels that touch, if they are of one object. Returns whether they are. */
  #meet(a: number, b: number): boolean {
    if (!this.#isOne(a, b)) return false;
    if (a === b || this.#corner[a] === this.#corner[b]) return true;
    const pair = Math.min(a, b) * (this.#total + 1) + Math.max(a, b);
    if (pair === this.#last) return true;
    this.#last = pair;
    if (this.#pairCount === this.#pairs.length) {
      const unique = uniqueOf(this.#pairs, this.#pairCount);
      this.#pairCount = unique.length;
      const wider = new Float64Array(Math.max(1024, this.#pairCount * 2));
      wider.set(unique);
      this.#pairs = wider;
    }
    this.#pairs[this.#pairCount++] = pair;
    return true;
  }

  /** Corrects the counts at a face between two voxels of an object. */
  #count2(a: number, b: number, face: number): void {
    if (!this.counts) return;
    const to = (this.#corner[b] === 0 ? b : a) * PARTS;
    this.#parts[to + face] -= 2;
    this.#parts[to + 3] -= 1;
  }

  /** An edge between four voxels: a and b before the plane, c and d behind it, a beside c. */
  #edge(a: number, b: number, c: number, d: number, diagonals: boolean, isLine: boolean): void {
    // At a line where planes cross, voxels of one side may be in two blocks.
    if (!isLine && ((a === 0 && b === 0) || (c === 0 && d === 0))) return;
    if (diagonals) {
      if (a && d) this.#meet(a, d);
      if (b && c) this.#meet(b, c);
    }
    if (!this.counts) return;
    const four = this.#four;
    [four[0], four[1], four[2], four[3]] = [a, b, c, d];
    if (diagonals) this.#shared(four, 1);
    else if (a && b && c && d && this.#isOne(a, b) && this.#isOne(a, c) && this.#isOne(a, d)) this.#add(four, 1);
  }

  readonly #four = new Uint32Array(4);

  #vertex(eight: Uint32Array, joins: boolean, isLine: boolean): void {
    let [before, after] = [0, 0];
    for (let k = 0; k < 4; k++) {
      before |= eight[k];
      after |= eight[k + 4];
    }
    if (isLine ? (before | after) === 0 : before === 0 || after === 0) return;
    if (joins) {
      for (let k = 0; k < 4; k++) if (eight[k] && eight[7 - k]) this.#meet(eight[k], eight[7 - k]);
    }
    if (!this.counts) return;
    if (this.#connectivity === 6 || this.#connectivity === 4) {
      for (let k = 0; k < 8; k++) if (eight[k] === 0 || !this.#isOne(eight[0], eight[k])) return;
      this.#add(eight, -1);
      return;
    }
    this.#shared(eight, -1);
  }

  /** For each object around an element, corrects by the number of blocks that have a part of it, minus 1. */
  #shared(around: Uint32Array, sign: number): void {
    let done = 0;
    for (let i = 0; i < around.length; i++) {
      if (around[i] === 0 || (done >> i) & 1) continue;
      let blocks = 0;
      let voxels = 0;
      let opposite = false;
      for (let k = i; k < around.length; k++) {
        if (around[k] === 0 || !this.#isOne(around[i], around[k])) continue;
        done |= 1 << k;
        blocks |= 1 << this.#corner[around[k]];
        voxels++;
        opposite ||= k === 7 - i;
      }
      // With 18 neighbours, two voxels that touch only at a corner count it once each.
      if (this.#connectivity === 18 && around.length === 8 && voxels === 2 && opposite) continue;
      const more = bitsOf(blocks) - 1;
      if (more > 0) this.#addTo(around, around[i], sign * more);
    }
  }

  #add(around: Uint32Array, value: number): void {
    this.#addTo(around, around[0], value);
  }

  /** Adds to the Euler number of the object of `one`, at its fragment in this block if it has one. */
  #addTo(around: Uint32Array, one: number, value: number): void {
    let to = one;
    for (const other of around) if (other && this.#corner[other] === 0 && this.#isOne(one, other)) to = other;
    this.#parts[to * PARTS + 3] += value;
  }

  /** Corrections of fragments, of all eight blocks. */
  corrections(): { fragment: Uint32Array; corner: Uint8Array; parts: Float64Array } {
    const touched: number[] = [];
    for (let id = 1; id <= this.#total && this.counts; id++) {
      const at = id * PARTS;
      if (this.#parts[at] || this.#parts[at + 1] || this.#parts[at + 2] || this.#parts[at + 3]) touched.push(id);
    }
    return {
      fragment: Uint32Array.from(touched, (id) => id - this.#bases[this.#corner[id]] - 1),
      corner: Uint8Array.from(touched, (id) => this.#corner[id]),
      parts: Float64Array.from(touched.flatMap((id) => [...this.#parts.subarray(id * PARTS, (id + 1) * PARTS)])),
    };
  }

  /** Fragments that meet, each pair once, as codes of fragment and corner. */
  edges(): { a: Uint32Array; b: Uint32Array } {
    const pairs = uniqueOf(this.#pairs, this.#pairCount);
    const code = (id: number): number => codeOf(id - this.#bases[this.#corner[id]] - 1, this.#corner[id]);
    const a = new Uint32Array(pairs.length);
    const b = new Uint32Array(pairs.length);
    for (const [i, pair] of pairs.entries()) {
      a[i] = code(Math.floor(pair / (this.#total + 1)));
      b[i] = code(pair % (this.#total + 1));
    }
    return { a, b };
  }
}

/** The axes of rows and of columns of a plane across an axis. */
function axesOf(axis: 0 | 1 | 2): readonly [0 | 1 | 2, 0 | 1 | 2] {
  return ([[1, 2] as const, [0, 2] as const, [0, 1] as const] as const)[axis];
}

/** The bit of an axis in the number of a corner. */
const bit = (axis: 0 | 1 | 2): number => 4 >> axis;

function bitsOf(bits: number): number {
  let count = 0;
  for (let rest = bits; rest; rest &= rest - 1) count++;
  return count;
}

/** The first values of an array, ascending and each once. */
function uniqueOf(values: Float64Array, length: number): Float64Array {
  const sorted = values.slice(0, length).sort();
  let count = 0;
  for (let i = 0; i < length; i++) if (i === 0 || sorted[i] !== sorted[i - 1]) sorted[count++] = sorted[i];
  return sorted.slice(0, count);
}

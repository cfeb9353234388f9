// Corrections of objects by hand, on their runs: `Edit` has what each does. Work is within the rows of a stroke and the boxes of the
// objects that it reaches, so thousands of edits take less time than one look at the pixels.

import { turn } from "#event-loop";
import type { Edit } from "../types/edits.js";
import type { Connectivity, Place } from "../types/raster.js";
import type { Call } from "./call.js";
import { linePixels, strokeRows } from "./edit-lines.js";
import { EditedRows, piecesOf, type RowsAfter, type Run, rowsIn, STEPS } from "./edit-rows.js";
import type { Size } from "./pixels.js";
import type { RunTable } from "./sums.js";

/** Objects after corrections; their labels are from 0. */
export interface Edited extends RowsAfter {
  /** Per object, the label that it came from, from 1; 0 for one that was drawn. */
  readonly origins: Uint32Array;
  /** Per object, its number among all objects, those that were given first: 1 to their count for each that remains itself. */
  readonly numbers: Uint32Array;
  /** The edits that changed nothing, by their indices. */
  readonly idle: Uint32Array;
}

/** Checked edits. */
export interface EditPlan {
  readonly edits: readonly Edit[];
  /** Whether objects have ids, which remain theirs; otherwise they are numbered anew. */
  readonly ids: boolean;
}

/** Pixels that an object loses, with its label. */
interface Lost extends Run {
  readonly label: number;
}

/** An object that lost pixels: its runs that are left, the piece of each, and for each part that it had the pieces in their order. */
interface Pieces {
  readonly left: readonly Run[];
  readonly pieces: Int32Array;
  /** Empty if all that is left is one piece. */
  readonly parts: readonly (readonly number[])[];
}

/** Corrections of given objects. A list of edits that begins with the last one takes only the time of what follows. */
export class Corrections {
  readonly #table: RunTable;
  readonly #objects: Size & { readonly count: number; readonly connectivity: Connectivity };
  #last: Applied | undefined;

  /** The labels of the table are 1 to the number of objects, and its runs in raster order. */
  constructor(table: RunTable, objects: Size & { readonly count: number; readonly connectivity: Connectivity }) {
    this.#table = table;
    this.#objects = objects;
  }

  /**
   * Corrects the objects. With `ordered` the result is numbered by first pixels in raster order, else given objects keep their order,
   * and new ones follow. O(runs) for n edits, and for each the runs in the boxes of the objects that it reaches.
   */
  async edit(edits: readonly Edit[], ordered: boolean, call: Call): Promise<Edited> {
    const texts = edits.map((edit) => JSON.stringify(edit));
    const { editor, applied, idle } = this.#begun(texts);
    let begin = performance.now();
    for (const [i, edit] of edits.entries()) {
      if (i < applied.length) continue;
      if (!editor.apply(edit)) idle.push(i);
      if (performance.now() - begin < TURN_MILLISECONDS) continue;
      call.onProgress?.({ stage: "edit", done: i, total: edits.length });
      await turn();
      call.signal?.throwIfAborted();
      begin = performance.now();
    }
    const result = { ...editor.result(ordered), idle: Uint32Array.from(idle) };
    this.#last = { editor, applied: texts, idle };
    await turn();
    call.signal?.throwIfAborted();
    call.onProgress?.({ stage: "edit", done: edits.length, total: edits.length });
    return result;
  }

  /** The last edits, if a list begins with them, else none. They are taken, so that no other call goes on from them meanwhile. */
  #begun(texts: readonly string[]): Applied {
    const last = this.#last;
    this.#last = undefined;
    if (last?.applied.every((text, i) => text === texts[i])) return last;
    const { count, connectivity } = this.#objects;
    const rows = new EditedRows(this.#table, this.#objects, count);
    return { editor: new Editor(rows, count, connectivity), applied: [], idle: [] };
  }
}

/** Edits that were applied, each as text. */
interface Applied {
  readonly editor: Editor;
  readonly applied: readonly string[];
  readonly idle: number[];
}

/** Time between two turns of the event loop. */
const TURN_MILLISECONDS = 8;

class Editor {
  readonly #rows: EditedRows;
  readonly #connectivity: Connectivity;
  /** Number of given labels. */
  readonly #count: number;
  /** Per label beyond those, the given label that it came from. */
  readonly #origins: number[];

  constructor(rows: EditedRows, count: number, connectivity: Connectivity) {
    this.#rows = rows;
    this.#connectivity = connectivity;
    this.#origins = [];
    this.#count = count;
  }

  /** Whether the edit changed anything. */
  apply(edit: Edit): boolean {
    if ("draw" in edit) return this.#draw(edit.draw, edit.radius ?? 0);
    if ("erase" in edit) return this.#erase(edit.erase, edit.radius ?? 0);
    if ("cut" in edit) return this.#cut(edit.cut);
    if ("join" in edit) return this.#join(edit.join);
    return "drop" in edit ? this.#drop(edit.drop) : this.#fill(edit.fill);
  }

  result(ordered: boolean): Omit<Edited, "idle"> {
    const runs = this.#rows.result();
    const { labels } = runs;
    const found = new Uint32Array(this.#rows.labels + 1);
    const numbers: number[] = [];
    for (const each of labels) {
      if (found[each] > 0) continue;
      numbers.push(each);
      found[each] = numbers.length;
    }
    if (!ordered) {
      numbers.sort((a, b) => a - b);
      for (const [i, each] of numbers.entries()) found[each] = i + 1;
    }
    for (let i = 0; i < labels.length; i++) labels[i] = found[labels[i]] - 1;
    return {
      ...runs,
      origins: Uint32Array.from(numbers, (each) => this.#originOf(each)),
      numbers: Uint32Array.from(numbers),
    };
  }

  /** The label at a place; 0 for background. */
  #at([x, y, z = 0]: Place): number {
    return this.#rows.at(x, z * this.#rows.height + y);
  }

  #originOf(label: number): number {
    return label <= this.#count ? label : this.#origins[label - this.#count - 1];
  }

  #add(origin: number): number {
    const label = this.#rows.add();
    this.#origins[label - this.#count - 1] = origin;
    return label;
  }

  #draw(places: readonly Place[], radius: number): boolean {
    const rows = this.#rows;
    const row0 = (places[0][2] ?? 0) * rows.height;
    const gaps = strokeRows(linePixels(places), radius, rows.width, rows.height).flatMap(({ y, spans }) =>
      this.#gaps(row0 + y, spans),
    );
    if (gaps.length === 0) return false;
    const label = this.#at(places[0]) || this.#add(0);
    rows.putAll(gaps, label);
    return true;
  }

  /** The background in intervals of a row. */
  #gaps(row: number, spans: readonly number[]): Run[] {
    const gaps: Run[] = [];
    for (let i = 0; i < spans.length; i += 2) {
      let from = spans[i];
      const to = spans[i + 1];
      this.#rows.visit(row, from, to, (begin, end) => {
        if (begin > from) gaps.push({ row, begin: from, end: begin });
        from = end;
      });
      if (from < to) gaps.push({ row, begin: from, end: to });
    }
    return gaps;
  }

  #erase(places: readonly Place[], radius: number): boolean {
    const rows = this.#rows;
    const row0 = (places[0][2] ?? 0) * rows.height;
    const lost: Lost[] = [];
    for (const { y, spans } of strokeRows(linePixels(places), radius, rows.width, rows.height)) {
      for (let i = 0; i < spans.length; i += 2) {
        rows.visit(row0 + y, spans[i], spans[i + 1], (begin, end, label) => {
          lost.push({
            row: row0 + y,
            begin: Math.max(begin, spans[i]),
            end: Math.min(end, spans[i + 1]),
            label,
          });
        });
      }
    }
    rows.putAll(lost, 0);
    for (const [label, gone] of byLabel(lost)) this.#part(label, this.#pieces(rows.runsOf(label), gone));
    this.#settle();
    return lost.length > 0;
  }

  /** Pieces that became objects in this edit. */
  readonly #found: { runs: readonly Run[]; origin: number }[] = [];

  /** Gives labels to the pieces that were found, in the order of their first pixels. */
  #settle(): void {
    const found = this.#found.splice(0);
    found.sort(({ runs: [a] }, { runs: [b] }) => inRasterOrder(a, b));
    for (const { runs, origin } of found) {
      const label = this.#add(origin);
      this.#rows.putAll(runs, label);
    }
  }

  /** Finds the pieces that come apart from an object; `more` are pixels of pieces beside those that are left. Whether there are any. */
  #part(label: number, { left, pieces, parts }: Pieces, more: readonly { run: Run; piece: number }[] = []): boolean {
    const fresh = new Map<number, Run[]>(); // wide: at most a piece per pixel of a line's box, or MOST_LINE
    for (const each of parts) for (const piece of each.slice(1)) fresh.set(piece, []);
    for (const [i, run] of left.entries()) fresh.get(pieces[i])?.push(run);
    for (const { run, piece } of more) fresh.get(piece)?.push(run);
    for (const runs of fresh.values()) {
      if (more.length > 0) runs.sort(inRasterOrder);
      this.#found.push({ runs, origin: this.#originOf(label) });
    }
    return fresh.size > 0;
  }

  /** The pieces of runs that are left of an object. */
  #pieces(left: readonly Run[], lost: readonly Run[]): Pieces {
    const { height } = this.#rows;
    const { piece: pieces, count } = piecesOf(left, this.#connectivity, height);
    if (count < 2) return { left, pieces, parts: [] };
    const whole = [...left, ...lost].sort(inRasterOrder);
    const { piece: parts, count: before } = piecesOf(whole, this.#connectivity, height);
    const inPart = Array.from({ length: before }, (): number[] => []);
    const partOf = new Map(whole.map((run, i) => [run, parts[i]]));
    const seen = new Uint8Array(count);
    for (const [i, run] of left.entries()) {
      if (seen[pieces[i]]) continue;
      seen[pieces[i]] = 1;
      inPart[partOf.get(run) as number].push(pieces[i]);
    }
    return { left, pieces, parts: inPart };
  }

  #cut(places: readonly Place[]): boolean {
    const rows = this.#rows;
    const slice = places[0][2] ?? 0;
    const line = firstVisits(linePixels(places), rows.width);
    const labels = new Set<number>();
    for (const { x, y } of line) labels.add(rows.at(x, slice * rows.height + y));
    labels.delete(0);
    let isCut = false;
    for (const label of labels) if (this.#cutObject(label, line)) isCut = true;
    this.#settle();
    return isCut;
  }

  #cutObject(label: number, line: readonly LinePixel[]): boolean {
    const rows = this.#rows;
    const lost: (Run & LinePixel)[] = [];
    for (let z = 0; z < rows.depth; z++) {
      for (const pixel of line) {
        const row = z * rows.height + pixel.y;
        if (rows.at(pixel.x, row) === label) lost.push({ ...pixel, row, begin: pixel.x, end: pixel.x + 1 });
      }
    }
    const found = this.#pieces(without(rows.runsOf(label), [...lost].sort(inRasterOrder)), lost);
    if (found.parts.length === 0) return false;
    const owners = lineOwners(lost, found, rows.height);
    spreadOwners(owners, lost, found, rows, this.#connectivity);
    return this.#part(
      label,
      found,
      lost.map((run, i) => ({ run, piece: owners[i] })),
    );
  }

  #join([a, b]: readonly [Place, Place]): boolean {
    const [label, other] = [this.#at(a), this.#at(b)];
    if (label === 0 || other === 0 || label === other) return false;
    this.#rows.join(label, other);
    return true;
  }

  #drop(place: Place): boolean {
    const label = this.#at(place);
    if (label === 0) return false;
    this.#rows.putAll(this.#rows.runsOf(label), 0);
    return true;
  }

  #fill(place: Place): boolean {
    const hole = this.#hole(place);
    if (!hole) return false;
    this.#rows.putAll([...hole.runs].sort(inRasterOrder), hole.label);
    return true;
  }

  /** The background at a place, if one object encloses it in its slice. */
  #hole([x, y, z = 0]: Place): { runs: readonly Run[]; label: number } | undefined {
    const rows = this.#rows;
    const { width, height } = rows;
    const row0 = z * height;
    if (rows.at(x, row0 + y) !== 0) return undefined;
    // Background joins by corners where objects join by sides alone.
    const miss = this.#connectivity === 4 || this.#connectivity === 6 ? 1 : 0;
    const around = new Set<number>();
    // wide: at most MOST_ROWS
    const gaps = new Map<number, readonly Run[]>();
    const gapsOf = (row: number): readonly Run[] => {
      const known = gaps.get(row) ?? this.#gaps(row, [0, width]);
      gaps.set(row, known);
      return known;
    };
    const runs = gapsOf(row0 + y).filter(({ begin, end }) => begin <= x && x < end);
    // wide: a Map of rows, each with the begins of its gaps
    const seen = new Map<number, Set<number>>(runs.map(({ row, begin }) => [row, new Set([begin])]));
    for (let i = 0; i < runs.length; i++) {
      const { row, begin, end } = runs[i];
      if (begin === 0 || end === width || row === row0 || row === row0 + height - 1) return undefined;
      around.add(rows.at(begin - 1, row)).add(rows.at(end, row));
      for (const next of [row - 1, row + 1]) {
        rows.visit(next, begin, end, (_begin, _end, label) => around.add(label));
        const known = seen.get(next) ?? new Set();
        seen.set(next, known);
        const others = gapsOf(next);
        for (let j = firstReaching(others, begin - miss); j < others.length && others[j].begin < end + miss; j++) {
          if (known.has(others[j].begin)) continue;
          known.add(others[j].begin);
          runs.push(others[j]);
        }
      }
      if (around.size > 1) return undefined;
    }
    const [label] = around;
    return { runs, label };
  }
}

/** The first of some runs in order that ends behind a place. */
function firstReaching(runs: readonly Run[], x: number): number {
  let [low, high] = [0, runs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (runs[middle].end > x) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** A pixel of a line, and the step to the next one; at the end that from the one before. */
interface LinePixel {
  readonly x: number;
  readonly y: number;
  readonly dx: number;
  readonly dy: number;
}

/** The pixels of a line at their first visits. */
function firstVisits(line: Int32Array, width: number): LinePixel[] {
  const found: LinePixel[] = [];
  const seen = new Set<number>();
  const last = line.length - 2;
  for (let i = 0; i <= last; i += 2) {
    const [x, y] = [line[i], line[i + 1]];
    // wide: below 2 ** 32 pixels, and at most MOST_LINE of them
    const pixel = y * width + x;
    if (seen.has(pixel)) continue;
    seen.add(pixel);
    const from = Math.max(0, i === last ? i - 2 : i);
    const to = Math.min(last, from + 2);
    found.push({ x, y, dx: line[to] - line[from], dy: line[to + 1] - line[from + 1] });
  }
  return found;
}

/**
 * The piece that each pixel of a cut goes to: the one on its left, else the one that the pixel before it goes to, else the one after
 * it; where a stretch of the line has none on its left, the same on its right. -1 where a stretch has neither.
 *
 * With x to the right and y down, the left of a step (dx, dy) is (dy, -dx): of a step to the right, the pixel above.
 */
function lineOwners(lost: readonly (Run & LinePixel)[], { left, pieces }: Pieces, height: number): Int32Array {
  const rows = rowsIn(left);
  const pieceAt = (x: number, y: number, z: number): number => {
    // wide: at most MOST_ROWS
    const [first, after] = (y >= 0 && y < height && rows.get(z * height + y)) || [0, 0];
    for (let i = first; i < after; i++) if (left[i].begin <= x && x < left[i].end) return pieces[i];
    return -1;
  };
  const owners = new Int32Array(lost.length).fill(-1);
  for (const side of [1, -1]) {
    const beside = lost.map(({ x, y, dx, dy, row }) => pieceAt(x + side * dy, y - side * dx, Math.floor(row / height)));
    for (let from = 0; from < lost.length; ) {
      let to = from + 1;
      while (to < lost.length && isNext(lost[to - 1], lost[to])) to++;
      const stretch = beside.slice(from, to);
      if (owners[from] < 0 && stretch.some((piece) => piece >= 0)) {
        let owner = stretch.find((piece) => piece >= 0) as number;
        for (let i = from; i < to; i++) {
          if (beside[i] >= 0) owner = beside[i];
          owners[i] = owner;
        }
      }
      from = to;
    }
  }
  return owners;
}

/**
 * Gives pixels of a line without an owner to the first piece that they touch, or whose pixels of the line they touch; those beside them
 * follow in the next round. What touches none stays with the object.
 */
function spreadOwners(
  owners: Int32Array,
  lost: readonly (Run & LinePixel)[],
  { left, pieces }: Pieces,
  { height, depth }: Size,
  connectivity: Connectivity,
): void {
  if (!owners.includes(-1)) return;
  const rows = rowsIn(left);
  // wide: at most MOST_ROWS, and the pixels of a line
  const indices = new Map<number, Map<number, number>>();
  for (const [i, { row, x }] of lost.entries()) {
    const inRow = indices.get(row) ?? new Map<number, number>(); // wide: at most a line
    indices.set(row, inRow.set(x, i));
  }
  const around = STEPS[connectivity].flatMap(([dy, dz, miss]) => [[dy, dz, miss] as const, [-dy, -dz, miss] as const]);
  const steps = [[0, 0, 1] as const, ...around];
  const pieceAround = ({ x, y, row }: Run & LinePixel): number => {
    let least = Number.POSITIVE_INFINITY;
    for (const [dy, dz, miss] of steps) {
      const [toY, z] = [y + dy, Math.floor(row / height) + dz];
      if (toY < 0 || toY >= height || z < 0 || z >= depth) continue;
      // wide: at most MOST_ROWS
      const other = z * height + toY;
      const [first, after] = rows.get(other) ?? [0, 0];
      for (let j = first; j < after && left[j].begin <= x + miss; j++) {
        if (left[j].end > x - miss) least = Math.min(least, pieces[j]);
      }
      for (let near = x - miss; near <= x + miss; near++) {
        const owner = owners[indices.get(other)?.get(near) ?? -1] ?? -1;
        if (owner >= 0) least = Math.min(least, owner);
      }
    }
    return least;
  };
  for (let open = [...lost.keys()].filter((i) => owners[i] < 0); open.length > 0; ) {
    const found = open.map((i) => [i, pieceAround(lost[i])] as const).filter(([, piece]) => Number.isFinite(piece));
    if (found.length === 0) return;
    for (const [i, piece] of found) owners[i] = piece;
    open = open.filter((i) => owners[i] < 0);
  }
}

/** Whether two pixels of a line lie side by side in one slice. */
function isNext(a: Run & LinePixel, b: Run & LinePixel): boolean {
  const [dx, dy] = [Math.abs(a.x - b.x), Math.abs(a.y - b.y)];
  return dx + dy === 1 && Math.abs(a.row - b.row) === dy;
}

function inRasterOrder(a: Run, b: Run): number {
  return a.row - b.row || a.begin - b.begin;
}

/** Runs without some of their pixels; both in raster order. */
function without(runs: readonly Run[], pixels: readonly Run[]): Run[] {
  const left: Run[] = [];
  let i = 0;
  for (const { row, begin, end } of runs) {
    let from = begin;
    for (; i < pixels.length && pixels[i].row === row && pixels[i].begin < end; i++) {
      if (pixels[i].begin > from) left.push({ row, begin: from, end: pixels[i].begin });
      from = pixels[i].end;
    }
    if (from < end) left.push({ row, begin: from, end });
  }
  return left;
}

/** Pixels by the object that loses them. */
function byLabel(lost: readonly Lost[]): Map<number, Lost[]> {
  const groups = new Map<number, Lost[]>(); // wide: at most a label per pixel of a line, MOST_LINE
  for (const each of lost) {
    const group = groups.get(each.label);
    if (group) group.push(each);
    else groups.set(each.label, [each]);
  }
  return groups;
}

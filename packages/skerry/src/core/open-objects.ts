// Joins the objects of a strip of lines to those that were open at its first line. The strip was labelled with the last line
// before it, in which every open object has a pixel: so the labels of that one line tell what meets what, for every rule.
// Labels are in raster order, so those in the first line are 1..t, and a number that goes on from strip to strip orders objects
// by their first pixel.

import { rootOf } from "./roots.js";

/** An object that the next line may continue. */
export interface OpenObject {
  /** Orders objects by their first pixel, over all strips. */
  readonly order: number;
  /** Its bounds so far; y1 is the row after its last one. */
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
  /** The column of its first pixel, where it is known. */
  readonly firstX: number;
  /** A column in which it has a pixel in the row `y1` - 1. */
  readonly x: number;
  /** The parts that it continues, in their order. */
  readonly continues: readonly number[];
}

/** A strip of labelled lines. */
export interface LabelledStrip {
  /** Number of objects. */
  readonly count: number;
  /** Bounds of each object: x0, y0, x1, y1, in rows of the stream. */
  readonly bounds: ArrayLike<number>;
  /** Column of each object's first pixel, if it is known. */
  readonly firstX: ArrayLike<number> | undefined;
  /** Labels of the line before the strip, in which the open objects are; empty if none is open. */
  readonly top: Uint32Array;
  /** Labels of the strip's last line. */
  readonly bottom: Uint32Array;
  /** The order of object 1. */
  readonly first: number;
  /** The parts that objects of the strip continue, by label. */
  readonly parts: ReadonlyMap<number, readonly number[]>; // wide: labels of one line
}

export interface JoinedStrip {
  /** Objects that lie in the strip alone and are finished, by label. */
  readonly inside: readonly number[];
  /** Objects that were open and are finished; `x` is a column of a pixel in the line before the strip. */
  readonly closed: readonly OpenObject[];
  readonly open: readonly OpenObject[];
  /** By column of the last line, the index of the open object there, plus 1; 0 for none. */
  readonly at: Uint32Array;
}

/** `at` is that of the strip before, for the line `top`. O(width + objects) time and memory. */
export function joinStrip(open: readonly OpenObject[], at: Uint32Array, strip: LabelledStrip): JoinedStrip {
  const { count, top, bottom } = strip;
  const touching = top.reduce((most, label) => Math.max(most, label), 0);
  const joined = joinFirstLine(open, at, strip, touching);
  const next: OpenObject[] = [];
  const indexOf = new Uint32Array(count + 1);
  const nextAt = new Uint32Array(bottom.length);
  for (let x = 0; x < bottom.length; x++) {
    const label = bottom[x];
    if (label === 0) continue;
    const root = joined.rootOf(label);
    if (indexOf[root] === 0) {
      const object = joined.objects.get(root) ?? objectOf(strip, label);
      next.push({ ...object, x });
      indexOf[root] = next.length;
    }
    nextAt[x] = indexOf[root];
  }
  const inside: number[] = [];
  for (let label = touching + 1; label <= count; label++) if (indexOf[label] === 0) inside.push(label);
  const closed = [...joined.objects].filter(([root]) => indexOf[root] === 0).map(([, object]) => object);
  return { inside, closed, open: next, at: nextAt };
}

/** The object of a label, as the strip alone shows it. */
export function objectOf({ bounds, firstX, first, parts }: LabelledStrip, label: number): OpenObject {
  const at = 4 * (label - 1);
  const [x0, y0, x1, y1] = [bounds[at], bounds[at + 1], bounds[at + 2], bounds[at + 3]];
  return {
    order: first + label - 1,
    x0,
    y0,
    x1,
    y1,
    firstX: firstX?.[label - 1] ?? x0,
    x: x0,
    continues: parts.get(label) ?? [],
  };
}

/** Labels 1..touching of the first line, of which those that one open object joins are one; and their objects, by root. */
function joinFirstLine(
  open: readonly OpenObject[],
  at: Uint32Array,
  strip: LabelledStrip,
  touching: number,
): { readonly rootOf: (label: number) => number; readonly objects: Map<number, OpenObject> } {
  const { top } = strip;
  const parents = Uint32Array.from({ length: touching + 1 }, (_, label) => label);
  const labelOf = new Uint32Array(open.length);
  for (let x = 0; x < top.length; x++) {
    const label = top[x];
    if (label === 0) continue;
    const index = at[x] - 1;
    const [a, b] = [rootOf(parents, labelOf[index] || label), rootOf(parents, label)];
    labelOf[index] = label;
    parents[Math.max(a, b)] = Math.min(a, b);
  }
  const root = (label: number): number => (label > touching ? label : rootOf(parents, label));
  const objects = new Map<number, OpenObject>(); // wide: labels of one line
  const add = (to: number, object: OpenObject): void => {
    const other = objects.get(to);
    objects.set(to, other ? united(other, object) : object);
  };
  for (let i = 0; i < open.length; i++) add(root(labelOf[i]), open[i]);
  for (let label = 1; label <= touching; label++) {
    const found = objectOf(strip, label);
    // Its first pixel is that of the open object, which it continues.
    add(root(label), { ...found, order: Number.POSITIVE_INFINITY });
  }
  return { rootOf: root, objects };
}

/** One object of two that met; the first pixel and the column are those of the earlier one. */
function united(a: OpenObject, b: OpenObject): OpenObject {
  const isSame = b.continues.length === 0 || b.continues === a.continues;
  return {
    ...(a.order <= b.order ? a : b),
    x0: Math.min(a.x0, b.x0),
    x1: Math.max(a.x1, b.x1),
    y1: Math.max(a.y1, b.y1),
    continues: isSame ? a.continues : [...new Set([...a.continues, ...b.continues])].sort((one, other) => one - other),
  };
}

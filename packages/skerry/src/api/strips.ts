// The objects of strips of lines, for LineStream. Each strip is labelled by the call that labels images; core/open-objects.ts joins
// it to the one before. An object that lies in one strip is measured there. One that several strips hold is measured once it is
// finished, in a window of all its lines. So every number is that of labelling the whole.

import { defined } from "../core/defined.js";
import type { LineBuffer } from "../core/line-buffer.js";
import { joinStrip, type LabelledStrip, type OpenObject, objectOf } from "../core/open-objects.js";
import { newPixels } from "../core/pixels.js";
import type { StreamPlan } from "../options/stream.js";
import { propertyWriters } from "../results/streamed.js";
import type { CallOptions } from "../types/calls.js";
import type { ComponentsOptions } from "../types/components.js";
import type { Runs } from "../types/labels.js";
import type { Mask, PixelArray, PixelType, Raster } from "../types/raster.js";
import type { ObjectProperty } from "../types/region-properties.js";
import type { Regions, RegionsOptions } from "../types/regions.js";
import type { StreamedObject } from "../types/stream.js";
import { POLARITIES } from "../types/threshold.js";
import type { Components } from "./components.js";
import { labelAt } from "./label-at.js";

/** The part of an engine that streams take. */
export interface StreamEngine {
  components(input: Raster, options: ComponentsOptions): Promise<Components>;
  allocate(type: PixelType, length: number): PixelArray;
  free(array: PixelArray): void;
  /** Has a function called when the engine closes; returns the function that forgets it. */
  onClose(stop: (error: Error) => void): () => void;
}

/** An object of a stream, with any properties. */
export type AnyObject = StreamedObject<ObjectProperty>;

/** A finished object, before it is measured; with a `part` it goes on in the next line. */
interface Finished extends OpenObject {
  readonly part?: number;
}

/** A finished object in its window. */
interface Entry {
  readonly label: number;
  readonly object: Finished;
}

/** Labelled lines: the row of the stream in row 0 of `found`. */
interface Window {
  readonly found: Components;
  readonly row0: number;
  readonly raster: Raster;
}

/** A measured object with its place in the order; it has no id yet. */
interface Told {
  readonly y1: number;
  readonly order: number;
  readonly part: number | undefined;
  readonly continues: readonly number[];
  readonly facts: Record<string, unknown>;
}

const NO_PARTS: ReadonlyMap<number, readonly number[]> = new Map(); // wide: empty

export class Strips {
  /** The row from which lines are not labelled yet. */
  next: number;
  #open: readonly OpenObject[] = [];
  /** By column of the last line, the index of the open object there, plus 1. */
  #at: Uint32Array;
  /** Labels of all strips so far, which order objects. */
  #labels = 0;
  #ids = 0;
  /** Parts so far; by column of the last line, the part that ended there, from 1. */
  #parts = 0;
  #partAt: Uint32Array | undefined;
  /** Ids of the parts that open objects continue. */
  #idOfPart = new Map<number, number>(); // wide: parts that an open object continues
  /** Parts whose last line is that of the last strip, which the next line may continue; and objects that wait for an earlier one. */
  #late: Told[] = [];
  /** Parts that an object of the next line continues. */
  #continued = new Set<number>(); // wide: parts of one line
  /** Finished objects that an open one may enclose. */
  #held: Finished[] = [];
  /** Pixels of parts that were told, from a row on: they are background from then on. */
  #erased: { readonly from: number; readonly bits: Uint32Array } | undefined;
  #differences: PixelArray | undefined;
  readonly #engine: StreamEngine;
  readonly #plan: StreamPlan;
  readonly #buffer: LineBuffer;
  readonly #call: Pick<CallOptions, "signal">;
  /** Words of a line's bits, and the bits of a whole line. */
  readonly #words: number;
  readonly #line: Uint32Array;

  constructor(engine: StreamEngine, plan: StreamPlan, buffer: LineBuffer, call: Pick<CallOptions, "signal">) {
    this.#engine = engine;
    this.#plan = plan;
    this.#buffer = buffer;
    this.#call = call;
    this.next = plan.firstRow;
    const { width } = plan.line;
    this.#at = new Uint32Array(width);
    this.#words = Math.ceil(width / 32);
    this.#line = plan.within ?? new Uint32Array(this.#words).fill(0xffffffff);
    const rest = width % 32;
    if (!plan.within && rest > 0) this.#line[this.#words - 1] = 2 ** rest - 1;
  }

  /** Objects that the next line may continue. */
  get open(): number {
    return this.#open.length;
  }

  /** The row at which an open object will have its most lines; a strip ends there at the latest. */
  get cutRow(): number {
    let row = Number.POSITIVE_INFINITY;
    for (const { y0 } of this.#open) row = Math.min(row, y0 + this.#plan.maxLength);
    return row;
  }

  /** Labels the lines from `next` up to row `end`, and returns the objects that are finished. */
  async strip(end: number): Promise<AnyObject[]> {
    const from = this.next;
    const { holes, line } = this.#plan;
    const told = this.#late.splice(0);
    // With the line before, in which every open object has a pixel, labels tell what goes on in this strip.
    const top = this.#open.length > 0 ? from - 1 : from;
    const window = await this.#label(top, end);
    const { found, row0 } = window;
    try {
      const regions = await this.#measure(window);
      const none = new Uint32Array(line.width);
      const labelled: LabelledStrip = {
        count: found.count,
        bounds: Float64Array.from(regions.bounds as Uint32Array, (side, i) => (i % 2 === 1 ? side + row0 : side)),
        firstX: holes && firstPixels(await found.runs(this.#call)).x,
        top: top < from ? await this.#labelsOf(window, top) : none,
        bottom: await this.#labelsOf(window, end - 1),
        first: this.#labels,
        parts: this.#partAt ? await this.#partsOf(this.#partAt, await this.#labelsOf(window, from)) : NO_PARTS,
      };
      const { inside, closed, open, at } = joinStrip(this.#open, this.#at, labelled);
      this.#labels += found.count;
      this.#open = open;
      this.#at = at;
      this.#partAt = undefined;
      this.next = end;
      const entryOf = (label: number): Entry => ({
        label,
        object: objectOf(labelled, label),
      });
      if (holes) append(told, await this.#filled([...closed, ...inside.map((label) => entryOf(label).object)]));
      else {
        append(told, await this.#tell(window, regions, inside.map(entryOf)));
        append(told, await this.#joined(closed, from - 1));
      }
    } finally {
      found.dispose();
    }
    await this.#cut();
    this.#forget();
    return this.#named(told);
  }

  /** Ends all objects that are open. */
  async finish(): Promise<AnyObject[]> {
    const closed = this.#open;
    this.#open = [];
    const told = this.#late.splice(0);
    append(told, this.#plan.holes ? await this.#filled(closed) : await this.#joined(closed, this.next - 1));
    return this.#named(told);
  }

  /** Labels lines [from, to), with the lines around them that thresholds and measurements need. */
  async #label(from: number, to: number, more: ComponentsOptions = {}, erases = true): Promise<Window> {
    const { halo, contrast, firstRow, line, components, reference } = this.#plan;
    const around = Math.max(halo, contrast ? 1 : 0);
    const row0 = Math.max(firstRow, from - around);
    const row1 = Math.min(this.#buffer.end, to + around);
    const { width, channels, nodata } = line;
    const raster = defined<Raster>({
      data: this.#buffer.rows(row0, row1),
      width,
      height: row1 - row0,
      channels,
      nodata,
    });
    const within = this.#fence(row0, row1, from, to, erases);
    const input = reference ? { ...raster, data: this.#lessReference(raster.data, reference) } : raster;
    const options = defined<ComponentsOptions>({ ...components, ...more, ...this.#call, within });
    return { found: await this.#engine.components(input, options), row0, raster };
  }

  /** Labels a window of lines, and for contrasts those beside it, in which other objects may touch. */
  #labelWindow([from, to]: readonly [number, number], holes?: ComponentsOptions): Promise<Window> {
    const beside = this.#plan.contrast ? 1 : 0;
    return this.#label(Math.max(this.#plan.firstRow, from - beside), Math.min(this.next, to + beside), holes);
  }

  /** The pixels minus the reference line, valid until the next call. O(pixels) on this thread. */
  #lessReference(data: PixelArray, reference: ArrayLike<number>): PixelArray {
    const { width } = this.#plan.line;
    if (!this.#differences || this.#differences.length < data.length) {
      this.#differences = newPixels(this.#plan.differences, data.length);
    }
    const differences = this.#differences.subarray(0, data.length);
    for (let begin = 0; begin < data.length; begin += width) {
      for (let x = 0; x < width; x++) differences[begin + x] = data[begin + x] - reference[x];
    }
    return differences;
  }

  /** The mask of rows [row0, row1) that leaves rows [from, to), columns within, and no erased pixel; undefined for all pixels. */
  #fence(row0: number, row1: number, from: number, to: number, erases: boolean): Mask | undefined {
    const { width } = this.#plan.line;
    const words = this.#words;
    const erased = erases ? this.#erased : undefined;
    const erasedTo = erased ? erased.from + erased.bits.length / words : from;
    if (row0 === from && row1 === to && erasedTo <= from && !this.#plan.within) return undefined;
    const bits = new Uint32Array(words * (row1 - row0));
    for (let row = from; row < to; row++) bits.set(this.#line, (row - row0) * words);
    if (erased) {
      for (let row = Math.max(from, erased.from); row < Math.min(to, erasedTo); row++) {
        const [at, other] = [(row - row0) * words, (row - erased.from) * words];
        for (let i = 0; i < words; i++) bits[at + i] = bits[at + i] & ~erased.bits[other + i];
      }
    }
    return { bits, width, height: row1 - row0 };
  }

  /** The labels of one line. */
  async #labelsOf({ found, row0 }: Window, row: number): Promise<Uint32Array> {
    const { width } = this.#plan.line;
    if (found.count === 0) return new Uint32Array(width);
    return (await found.labels({ window: { x: 0, y: row - row0, width, height: 1 }, ...this.#call })).data;
  }

  #measure({ found, raster }: Window): Promise<Regions> {
    const { measured, ofIntensity } = this.#plan;
    const intensity = ofIntensity ? raster : undefined;
    return found.regions(defined<RegionsOptions>({ properties: measured, intensity, ...this.#call }));
  }

  /** The parts that objects of a strip touch in the line before, by label. */
  async #partsOf(partAt: Uint32Array, labels: Uint32Array): Promise<ReadonlyMap<number, readonly number[]>> {
    const pair = await this.#label(this.next - 1, this.next + 1, {}, false);
    try {
      const above = await this.#labelsOf(pair, this.next - 1);
      const below = await this.#labelsOf(pair, this.next);
      const met = new Map<number, Set<number>>(); // wide: labels of one line
      partAt.forEach((part, x) => {
        if (part > 0) met.set(above[x], (met.get(above[x]) ?? new Set()).add(part));
      });
      const continued = new Map<number, Set<number>>(); // wide: labels of one line
      labels.forEach((label, x) => {
        for (const part of (label > 0 && met.get(below[x])) || []) {
          continued.set(label, (continued.get(label) ?? new Set()).add(part));
          this.#continued.add(part);
        }
      });
      return new Map([...continued].map(([label, parts]) => [label, [...parts].sort((a, b) => a - b)])); // wide: labels of one line
    } finally {
      pair.found.dispose();
    }
  }

  /** Measures finished objects of several strips, in a window of their lines. Each has a pixel in column `x` of one row. */
  async #joined(finished: readonly Finished[], row: number): Promise<Told[]> {
    if (finished.length === 0) return [];
    const window = await this.#labelWindow(rangeOf(finished));
    try {
      const runs = await window.found.runs(this.#call);
      const entries = finished.map((object) => ({ label: labelAt(runs, object.x, row - window.row0), object }));
      return await this.#tellWindow(window, await this.#measure(window), entries);
    } finally {
      window.found.dispose();
    }
  }

  /**
   * The same with their holes filled. Objects that lie in holes are dropped. An object may lie in a hole of an open one only if that
   * one began above it and reaches beyond it on both sides: it waits until no such object is open.
   */
  async #filled(finished: readonly Finished[]): Promise<Told[]> {
    const waits = ({ x0, y0, x1 }: Finished): boolean =>
      this.#open.some((other) => other.y0 < y0 && other.x0 < x0 && other.x1 > x1);
    const pool = [...this.#held, ...finished];
    const shown = [...finished, ...this.#held.filter((object) => !waits(object))];
    if (shown.length === 0) return [];
    const [from, to] = rangeOf(shown);
    const window = await this.#labelWindow([from, to], this.#plan.holes);
    try {
      const { row0, found } = window;
      const runs = await found.runs(this.#call);
      const first = firstPixels(runs);
      const entries: Entry[] = [];
      this.#held = [];
      for (const object of pool) {
        if (object.y0 >= from && object.y1 <= to) {
          const label = labelAt(runs, object.firstX, object.y0 - row0);
          // In a hole: the object around it begins elsewhere.
          if (first.x[label - 1] !== object.firstX || first.row[label - 1] !== object.y0 - row0) continue;
          if (!waits(object)) {
            entries.push({ label, object });
            continue;
          }
        }
        this.#held.push(object);
      }
      return await this.#tellWindow(window, await this.#measure(window), entries);
    } finally {
      window.found.dispose();
    }
  }

  /** Tells objects, and erases the pixels of those that go on. */
  async #tellWindow(window: Window, regions: Regions, entries: readonly Entry[]): Promise<Told[]> {
    const told = await this.#tell(window, regions, entries);
    const labels = entries.filter(({ object }) => object.part !== undefined).map(({ label }) => label);
    if (labels.length > 0) {
      using kept = await window.found.keep({ labels, ...this.#call });
      this.#erase(window.row0, (await kept.mask(this.#call)).bits);
    }
    return told;
  }

  /** Erases pixels from `row0` on, beside those that were erased in lines that are still held. */
  #erase(row0: number, bits: Uint32Array): void {
    const words = this.#words;
    const former = this.#erased;
    const from = Math.max(this.#buffer.first, Math.min(row0, former?.from ?? row0));
    const erased = new Uint32Array((this.next - from) * words);
    for (const each of former ? [former, { from: row0, bits }] : [{ from: row0, bits }]) {
      for (let i = Math.max(0, (from - each.from) * words); i < each.bits.length; i++) {
        const at = i + (each.from - from) * words;
        if (at < erased.length) erased[at] = erased[at] | each.bits[i];
      }
    }
    this.#erased = { from, bits: erased };
  }

  /** The measurements, contours and thumbnails of objects that are large and bright enough. */
  async #tell(window: Window, regions: Regions, entries: readonly Entry[]): Promise<Told[]> {
    const { minArea, maxArea, peak, properties, contour, x0, thumbnail } = this.#plan;
    const { row0, found } = window;
    const { area, max, polarity, value } = regions;
    const left = entries.filter(({ label, object }) => {
      const pixels = area?.[label - 1] ?? 0;
      // The limits are for whole objects.
      const isPart = object.part !== undefined || object.continues.length > 0;
      const isWithin = isPart || (pixels >= minArea && pixels <= maxArea);
      return isWithin && (peak === undefined || (max?.[label - 1] ?? 0) > peak);
    });
    const contours = contour ? await this.#contours(window, left) : undefined;
    const writers = propertyWriters(regions, properties, [x0, row0]);
    const channels = value ? value.length / found.count : 0;
    return left.map(({ label, object }) => {
      const i = label - 1;
      // The id comes first, and is known once the objects are in order.
      const facts: Record<string, unknown> = { id: 0 };
      for (const write of writers) write(facts as Record<string, number>, i);
      if (polarity) facts.polarity = POLARITIES[polarity[i] - 1];
      if (value) facts.value = channels === 1 ? value[i] : Array.from(value.subarray(i * channels, label * channels));
      if (contours) facts.contour = contours.get(label);
      if (thumbnail > 0) this.#thumbnail(facts, regions, i, row0);
      return { y1: object.y1, order: object.order, part: object.part, continues: object.continues, facts };
    });
  }

  /** The rings of objects, by label. */
  async #contours({ found, row0 }: Window, entries: readonly Entry[]): Promise<Map<number, Float64Array[]>> {
    const byLabel = new Map<number, Float64Array[]>(entries.map(({ label }) => [label, []])); // wide: finished objects of a batch
    if (entries.length === 0) return byLabel;
    const { points, rings, label, count } = await found.outlines({ labels: byLabel.keys(), ...this.#call });
    const { x0 } = this.#plan;
    for (let i = 0; i < count; i++) {
      const ring = Float64Array.from(
        points.subarray(rings[i], rings[i + 1]),
        (n, at) => n + (at % 2 === 0 ? x0 : row0),
      );
      byLabel.get(label[i])?.push(ring);
    }
    return byLabel;
  }

  /** The pixels around the middle of an object's bounds, and the place of their first one. */
  #thumbnail(facts: Record<string, unknown>, { bounds }: Regions, index: number, row0: number): void {
    const { thumbnail: side, line, x0: cropped } = this.#plan;
    const [x0, y0, x1, y1] = (bounds as Uint32Array).subarray(4 * index, 4 * index + 4);
    const [left, right] = middle(x0, x1, side);
    const [top, bottom] = middle(y0 + row0, y1 + row0, side);
    const { width, channels, type } = line;
    const rows = this.#buffer.rows(top, bottom);
    const values = (right - left) * channels;
    const data = newPixels(type, values * (bottom - top));
    for (let y = 0; y < bottom - top; y++) {
      const from = (y * width + left) * channels;
      data.set(rows.subarray(from, from + values), y * values);
    }
    facts.thumbnail = { data, width: right - left, height: bottom - top, channels } satisfies Raster;
    facts.thumbnailAt = [left + cropped, top];
  }

  /** Ends the objects that are too long, and the oldest if too many are open: the next line begins new ones. */
  async #cut(): Promise<void> {
    const { maxLength, maxOpen, holes, line } = this.#plan;
    const left = this.#open.filter(({ y0 }) => this.next - y0 < maxLength);
    const byAge = left.length > maxOpen ? left.toSorted((a, b) => a.order - b.order) : left;
    const kept = new Set(left.length > maxOpen ? byAge.slice(left.length - maxOpen) : left);
    if (kept.size === this.#open.length) return;
    const partAt = new Uint32Array(line.width);
    const parts = this.#open.map((object) => (kept.has(object) ? 0 : ++this.#parts));
    const places = this.#open.map((object) => (kept.has(object) ? 1 : 0));
    for (let i = 1; i < places.length; i++) places[i] += places[i - 1];
    const at = this.#at.map((index, x) => {
      if (index === 0) return 0;
      partAt[x] = parts[index - 1];
      return parts[index - 1] > 0 ? 0 : places[index - 1];
    });
    const cut = this.#open.flatMap((object, i): Finished[] => (parts[i] > 0 ? [{ ...object, part: parts[i] }] : []));
    this.#open = this.#open.filter((object) => kept.has(object));
    this.#at = at;
    this.#partAt = partAt;
    append(this.#late, holes ? await this.#filled(cut) : await this.#joined(cut, this.next - 1));
  }

  /** Lets go of lines that no object needs. */
  #forget(): void {
    const { halo, contrast } = this.#plan;
    let row = this.next - 1;
    for (const { y0 } of this.#open) row = Math.min(row, y0);
    for (const { y0 } of this.#held) row = Math.min(row, y0);
    this.#buffer.keepFrom(row - halo - (contrast ? 2 : 0));
    const { first } = this.#buffer;
    if (this.#erased && this.#erased.from + this.#erased.bits.length / this.#words <= first) this.#erased = undefined;
  }

  /** Objects in order, with their ids. Those behind a finished object that waits stay with it. */
  #named(told: Told[]): AnyObject[] {
    told.sort(byEnd);
    const first = this.#held.toSorted(byEnd)[0];
    const ready = first === undefined ? told.length : told.findIndex((each) => byEnd(each, first) > 0);
    const named = ready < 0 ? told : told.slice(0, ready);
    append(this.#late, told.slice(named.length));
    for (const { facts, part, continues } of named) {
      const id = ++this.#ids;
      facts.id = id;
      if (part !== undefined) {
        this.#idOfPart.set(part, id);
        if (this.#continued.has(part)) facts.goesOn = true;
      }
      const before = continues.flatMap((each) => this.#idOfPart.get(each) ?? []);
      if (before.length > 0) facts.continues = before;
    }
    const needed = new Set([...this.#open, ...this.#held, ...this.#late].flatMap(({ continues }) => continues));
    for (const part of this.#partAt ?? []) needed.add(part);
    for (const part of this.#idOfPart.keys()) if (!needed.has(part)) this.#idOfPart.delete(part);
    const waiting = new Set(this.#late.map(({ part }) => part));
    for (const part of this.#continued) if (!waiting.has(part)) this.#continued.delete(part);
    return named.map(({ facts }) => facts as unknown as AnyObject);
  }
}

/** Appends a list; a call with a million arguments would overflow the stack. */
function append<T>(to: T[], list: readonly T[]): void {
  for (const each of list) to.push(each);
}

/** The order of objects: by their last line, then by their first pixel. */
const byEnd = (a: Pick<Told, "y1" | "order">, b: Pick<Told, "y1" | "order">): number =>
  a.y1 - b.y1 || a.order - b.order;

/** The first row of objects, and the row after their last. */
function rangeOf(objects: readonly OpenObject[]): [number, number] {
  let [from, to] = [Number.POSITIVE_INFINITY, 0];
  for (const { y0, y1 } of objects) {
    from = Math.min(from, y0);
    to = Math.max(to, y1);
  }
  return [from, to];
}

/** Column and row of the first pixel of each object. O(runs). */
function firstPixels({ count, label, begin, row }: Runs): { x: Uint32Array; row: Uint32Array } {
  const most = label.reduce((a, b) => Math.max(a, b), 0);
  const [x, rows, seen] = [new Uint32Array(most), new Uint32Array(most), new Uint8Array(most)];
  for (let i = 0; i < count; i++) {
    const at = label[i] - 1;
    if (seen[at] === 1) continue;
    seen[at] = 1;
    x[at] = begin[i];
    rows[at] = row[i];
  }
  return { x, row: rows };
}

/** At most `side` pixels around the middle of [from, to). */
function middle(from: number, to: number, side: number): [number, number] {
  if (to - from <= side) return [from, to];
  const begin = from + Math.floor((to - from - side) / 2);
  return [begin, begin + side];
}

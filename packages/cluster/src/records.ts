// Records: exact sums over the part of an object in a block, relative to the block's first voxel, as sections. Totals: sums of
// the records of whole objects.

import type { Three } from "@skerry/files/zarr/internal";
import type { PixelType, RegionProperty } from "skerry";
import { factsOf, INTENSITY_FIELDS, isOfIntensity, type ObjectSums, type WholeObjects } from "skerry/internal";
import type { Section, Sections } from "./format.js";
import { EXACT, type Halves, halvesOf, numberAt, setNumber } from "./wide.js";

/** The sums that properties need: of coordinates and faces (`shape`), and of values. Bounding boxes are always stored. */
export interface Wanted {
  readonly shape: boolean;
  readonly intensities: readonly PixelType[];
}

/** Numbers per record. */
const MOMENTS = 9;
const OUTLINE = 4;
const BOUNDS = 6;
const HIGHS = 4;

/** The sums that properties need. */
export function wantedOf(properties: readonly RegionProperty[], types: readonly PixelType[]): Wanted {
  const shape = properties.some((name) => ["centroid", "shape"].includes(factsOf(name).level ?? "area"));
  return { shape, intensities: properties.some(isOfIntensity) ? types : [] };
}

/** Properties to request from the library, so that it computes the wanted sums. */
export function summedFor({ shape, intensities }: Wanted): RegionProperty[] {
  return ["bounds", ...(shape ? (["rawMoments"] as const) : []), ...(intensities.length > 0 ? (["sum"] as const) : [])];
}

/** The records of the objects with some indices, as sections. */
export function sectionsOf(sums: ObjectSums, objects: Uint32Array): Record<string, Section> {
  const { area, bounds, rawMoments, outline } = sums.sums;
  const sections: Record<string, Section> = {
    area: picked(area, 1, objects),
    bounds: picked(bounds as Uint32Array, BOUNDS, objects),
  };
  if (rawMoments && outline) {
    sections.moments = picked(rawMoments, MOMENTS, objects);
    sections.outline = picked(outline, OUTLINE, objects);
  }
  for (const [i, { sums: values, highs }] of sums.intensities.entries()) {
    if (!values) continue;
    sections[`values${i}`] = picked(values, INTENSITY_FIELDS, objects);
    if (highs) sections[`highs${i}`] = picked(highs, HIGHS, objects);
  }
  return sections;
}

/** The entries of some objects, n per object. */
export function picked<T extends Section>(values: T, n: number, objects: Uint32Array): T {
  const picked = new (values.constructor as new (length: number) => T)(objects.length * n);
  for (let i = 0; i < objects.length; i++) {
    for (let k = 0; k < n; k++) picked[i * n + k] = values[objects[i] * n + k] as never;
  }
  return picked;
}

/** Sums of values: integers, or floats with two integer counts among them. */
class Values {
  readonly sums: BigInt64Array | Float64Array;
  readonly highs: BigInt64Array | undefined;
  readonly #counts: Halves;

  constructor(count: number, type: PixelType) {
    const floats = type === "f32";
    const length = count * INTENSITY_FIELDS;
    this.sums = floats ? new Float64Array(length) : new BigInt64Array(length);
    this.highs = floats ? undefined : new BigInt64Array(count * HIGHS);
    this.#counts = halvesOf(new BigInt64Array(this.sums.buffer));
  }

  /** Adds record i of a block to object o. `from` is the block's first voxel. */
  add(o: number, sections: Sections, name: number, i: number, [z, y, x]: Three): void {
    const values = sections[`values${name}`] as BigInt64Array | Float64Array;
    const halves = halvesOf(new BigInt64Array(values.buffer, values.byteOffset, values.length));
    const [to, at] = [o * INTENSITY_FIELDS, i * INTENSITY_FIELDS];
    const pixels = numberAt(halves, at + 9);
    if (pixels === 0) return;
    const before = numberAt(this.#counts, to + 9);
    const { sums } = this;
    if (before === 0 || values[at] < sums[to]) sums[to] = values[at] as never;
    if (before === 0 || values[at + 1] > sums[to + 1]) sums[to + 1] = values[at + 1] as never;
    setNumber(this.#counts, to + 9, before + pixels);
    if (values instanceof Float64Array) {
      const into = sums as Float64Array;
      const sum = values[at + 2];
      into[to + 2] += sum;
      into[to + 3] += values[at + 3];
      into[to + 4] += values[at + 4] + x * sum;
      into[to + 5] += values[at + 5] + y * sum;
      into[to + 8] += values[at + 8] + z * sum;
      return;
    }
    const into = sums as BigInt64Array;
    const sum = values[at + 2];
    into[to + 2] += sum;
    const highs = sections[`highs${name}`] as BigInt64Array | undefined;
    // Sums v v, v x, v y, v z have 128 bits; their upper halves are in `highs`.
    for (const [high, field, shift] of [
      [0, 3, 0],
      [1, 4, x],
      [2, 5, y],
      [3, 8, z],
    ] as const) {
      const low = values[at + field];
      const part = (highs ? (highs[i * HIGHS + high] << 64n) + BigInt.asUintN(64, low) : low) + BigInt(shift) * sum;
      const all = this.highs as BigInt64Array;
      const total = (all[o * HIGHS + high] << 64n) + BigInt.asUintN(64, into[to + field]) + part;
      into[to + field] = BigInt.asIntN(64, total);
      all[o * HIGHS + high] = BigInt.asIntN(64, total >> 64n);
    }
  }
}

/** Totals of whole objects. */
export class Totals {
  readonly count: number;
  readonly area: Float64Array;
  readonly #bounds: Uint32Array;
  readonly #moments: BigInt64Array | undefined;
  readonly #halves: Halves | undefined;
  /** Sums of coordinates of objects whose sums exceed 63 bits. */
  readonly #wide = new Map<number, bigint[]>();
  readonly #outline: BigInt64Array | undefined;
  readonly #values: readonly Values[];

  constructor(count: number, { shape, intensities }: Wanted) {
    this.count = count;
    this.area = new Float64Array(count);
    this.#bounds = new Uint32Array(count * BOUNDS);
    if (shape) {
      this.#moments = new BigInt64Array(count * MOMENTS);
      this.#halves = halvesOf(this.#moments);
      this.#outline = new BigInt64Array(count * OUTLINE);
    }
    this.#values = intensities.map((type) => new Values(count, type));
  }

  /** Adds record i of a block, whose first voxel is `from`, to object o. */
  add(o: number, sections: Sections, i: number, from: Three): void {
    const area = (sections.area as Uint32Array)[i];
    const bounds = sections.bounds as Uint32Array;
    const isFirst = this.area[o] === 0;
    this.area[o] += area;
    for (let axis = 0; axis < 3; axis++) {
      const [at, to] = [i * BOUNDS + axis, o * BOUNDS + axis];
      const [low, high] = [bounds[at] + from[2 - axis], bounds[at + 3] + from[2 - axis]];
      if (isFirst || low < this.#bounds[to]) this.#bounds[to] = low;
      if (isFirst || high > this.#bounds[to + 3]) this.#bounds[to + 3] = high;
    }
    if (this.#halves) this.#addMoments(o, sections, i, from, area);
    if (this.#outline) {
      const outline = sections.outline as BigInt64Array;
      for (let k = 0; k < OUTLINE; k++) this.#outline[o * OUTLINE + k] += outline[i * OUTLINE + k];
    }
    for (const [name, values] of this.#values.entries()) values.add(o, sections, name, i, from);
  }

  /** Adds sums x, y, z, xx, xy, xz, yy, yz, zz, moved by the block's first voxel: xx by 2 o x + o o n, xy by ox y + oy x + ox oy n. */
  #addMoments(o: number, sections: Sections, i: number, [oz, oy, ox]: Three, n: number): void {
    const moments = sections.moments as BigInt64Array;
    const halves = this.#halves as Halves;
    const momentHalves = halvesOf(moments);
    const [at, to] = [i * MOMENTS, o * MOMENTS];
    const wide = this.#wide.get(o);
    const most = Math.max(ox, oy, oz) + 2 ** 15;
    if (!wide && n * most * most < EXACT) {
      const m = MOMENT.map((k) => numberAt(momentHalves, at + k));
      const [x, y, z, xx, xy, xz, yy, yz, zz] = m;
      const moved = [
        x + ox * n,
        y + oy * n,
        z + oz * n,
        xx + 2 * ox * x + ox * ox * n,
        xy + ox * y + oy * x + ox * oy * n,
        xz + ox * z + oz * x + ox * oz * n,
        yy + 2 * oy * y + oy * oy * n,
        yz + oy * z + oz * y + oy * oz * n,
        zz + 2 * oz * z + oz * oz * n,
      ];
      const all = moved.map((value, k) => value + numberAt(halves, to + k));
      if (all.every((value) => value < EXACT)) {
        for (const [k, value] of all.entries()) setNumber(halves, to + k, value);
        return;
      }
    }
    const [x, y, z, xx, xy, xz, yy, yz, zz] = MOMENT.map((k) => moments[at + k]);
    const [bx, by, bz, bn] = [BigInt(ox), BigInt(oy), BigInt(oz), BigInt(n)];
    const moved = [
      x + bx * bn,
      y + by * bn,
      z + bz * bn,
      xx + 2n * bx * x + bx * bx * bn,
      xy + bx * y + by * x + bx * by * bn,
      xz + bx * z + bz * x + bx * bz * bn,
      yy + 2n * by * y + by * by * bn,
      yz + by * z + bz * y + by * bz * bn,
      zz + 2n * bz * z + bz * bz * bn,
    ];
    const all = moved.map((value, k) => value + (wide ? wide[k] : (this.#moments as BigInt64Array)[to + k]));
    if (wide || all.some((value) => value >= 2n ** 63n)) this.#wide.set(o, all);
    else for (const [k, value] of all.entries()) (this.#moments as BigInt64Array)[to + k] = value;
  }

  /** Adds corrections at seams: of faces across x, y, z, and of the Euler number. */
  correct(o: number, parts: ArrayLike<number>, i: number): void {
    if (!this.#outline) return;
    for (let k = 0; k < OUTLINE; k++) this.#outline[o * OUTLINE + k] += BigInt(parts[i * OUTLINE + k]);
  }

  /** Whether an object touches the border of an image. */
  touches(o: number, [depth, height, width]: Three): boolean {
    const bounds = this.#bounds.subarray(o * BOUNDS, (o + 1) * BOUNDS);
    const isFlat = depth === 1;
    const [x0, y0, z0, x1, y1, z1] = bounds;
    return x0 === 0 || y0 === 0 || x1 === width || y1 === height || (!isFlat && (z0 === 0 || z1 === depth));
  }

  /** The sums from which measurements are derived. */
  objects(): Pick<WholeObjects, "count" | "sums" | "intensities"> {
    const { count, area } = this;
    const fits = area.every((n) => n < 2 ** 32);
    const moments = this.#moments;
    const axes = 3;
    const wide = moments && this.#wide.size > 0 ? Array.from(moments) : undefined;
    for (const [o, all] of this.#wide) {
      for (const [k, value] of all.entries()) (wide as bigint[])[o * MOMENTS + k] = value;
    }
    const raw = wide ?? moments;
    const centroid =
      raw &&
      Float64Array.from(
        { length: count * axes },
        (_, i) => Number(raw[Math.floor(i / axes) * MOMENTS + (i % axes)]) / area[Math.floor(i / axes)],
      );
    return {
      count,
      sums: {
        area: fits ? Uint32Array.from(area) : area,
        bounds: this.#bounds,
        centroid,
        rawMoments: raw,
        outline: this.#outline,
      },
      intensities: this.#values.map(({ sums, highs }) => ({ sums, highs, picked: undefined })),
    };
  }
}

const MOMENT = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const;

/** Objects of a part of the table, or of a range of labels in it. */
export interface Part {
  readonly totals: Totals;
  /** The label of the first. */
  readonly first: number;
  readonly value?: Float64Array | undefined;
  /** Whether 32 bits do not hold all values. */
  readonly isWide?: boolean | undefined;
  readonly polarity?: Uint8Array | undefined;
}

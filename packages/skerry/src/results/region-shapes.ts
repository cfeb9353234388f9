// Shapes from exact sums: extents, moments and outlines, of images and of volumes.

import type { MeasurePlan } from "../core/measure-plan.js";
import { angleOf, cubeRoot, hypotenuse } from "../core/portable.js";
import { eulerOf, type WholeSums } from "../core/sums.js";
import type { RegionProperty, Regions } from "../types/regions.js";

export type Writable = { -readonly [key in keyof Regions]: Regions[key] };

/** Derives some properties of object `i`. */
export type Step = (i: number) => void;

/** Sums with z of a single slice, as sums of an image; the outline keeps its counts per axis. */
export function flattened(sums: WholeSums): WholeSums {
  const { area, bounds, centroid, rawMoments } = sums;
  const pick = <T extends Uint32Array | Float64Array | BigInt64Array | bigint[]>(
    from: T | undefined,
    fields: readonly number[],
    per: number,
  ): T | undefined => {
    if (!from) return undefined;
    const scattered = new (from.constructor as new (length: number) => T)(area.length * fields.length);
    for (let i = 0; i < area.length; i++) {
      for (const [k, field] of fields.entries()) scattered[i * fields.length + k] = from[i * per + field] as never;
    }
    return scattered;
  };
  return {
    ...sums,
    bounds: pick(bounds, [0, 1, 3, 4], 6),
    centroid: pick(centroid, [0, 1], 3),
    rawMoments: pick(rawMoments, [0, 1, 3, 4, 6], 9),
  };
}

/** Returns a function that allocates the array of a property if it is wanted. */
export function floatsOf(
  wanted: Set<RegionProperty>,
  count: number,
  regions: Writable,
): (name: RegionProperty, per?: number) => Float64Array | undefined {
  return (name, per = 1) => {
    if (!wanted.has(name)) return undefined;
    const array = new Float64Array(count * per);
    (regions as unknown as Record<string, Float64Array>)[name] = array;
    return array;
  };
}

/** Steps that derive the wanted shapes. */
export function shapeSteps(wanted: Set<RegionProperty>, sums: WholeSums, plan: MeasurePlan, regions: Writable): Step[] {
  const { area, bounds, outline } = sums;
  const { flat, scale } = plan;
  const { solid } = plan.sums;
  const axes = flat ? 2 : 3;
  const count = area.length;
  const steps: Step[] = [];
  const floats = floatsOf(wanted, count, regions);
  const extent = floats("extent");
  if (extent && bounds) {
    steps.push((i) => {
      let box = 1;
      for (let axis = 0; axis < axes; axis++) {
        const at = 2 * axes * i + axis;
        box *= bounds[at + axes] - bounds[at];
      }
      extent[i] = area[i] / box;
    });
  }
  const diameter = floats("equivalentDiameter");
  if (diameter) {
    const size = scale[0] * scale[1] * (flat ? 1 : scale[2]);
    steps.push((i) => {
      const n = area[i] * size;
      diameter[i] = flat ? Math.sqrt((4 * n) / Math.PI) : cubeRoot((6 * n) / Math.PI);
    });
  }
  // An edge across x has the height of a pixel. The area of a face across x is its height times its depth.
  const faceSize = [scale[1] * (flat ? 1 : scale[2]), scale[0] * (flat ? 1 : scale[2]), scale[0] * scale[1]];
  const border = floats("edges") ?? floats("surfaceArea");
  if (border && outline) {
    const fields = solid ? 4 : 2;
    steps.push((i) => {
      let sum = 0;
      const counted = solid ? axes : 1;
      for (let axis = 0; axis < counted; axis++) {
        sum += Number(outline[fields * i + axis]) * faceSize[axis];
      }
      border[i] = sum;
    });
  }
  if (wanted.has("eulerNumber") && outline) {
    const euler = new Int32Array(count);
    regions.eulerNumber = euler;
    steps.push((i) => {
      euler[i] = eulerOf(outline, i, solid);
    });
  }
  steps.push(...(flat ? ellipseSteps : ellipsoidSteps)(floats, sums, scale));
  return steps;
}

type Floats = ReturnType<typeof floatsOf>;

function ellipseSteps(floats: Floats, { area, rawMoments }: WholeSums, [sx, sy]: readonly number[]): Step[] {
  const second = floats("secondMoments", 3);
  const major = floats("majorAxis");
  const minor = floats("minorAxis");
  const orientation = floats("orientation");
  const eccentricity = floats("eccentricity");
  if (!(second ?? major ?? minor ?? orientation ?? eccentricity) || !rawMoments) return [];
  const [scaleX, scaleY] = [sx, sy];
  return [
    (i) => {
      const n = area[i];
      const numbers = numerators(n, rawMoments, 5 * i, 2);
      const [rawXX, rawXY, rawYY] = numbers.map((value) => ratio(value, n)) as [number, number, number];
      const [xx, xy, yy] = [rawXX * scaleX * scaleX, rawXY * scaleX * scaleY, rawYY * scaleY * scaleY];
      second?.set([xx, xy, yy], 3 * i);
      // Eigenvalues of the covariance; the smaller one as a quotient, since a difference would cancel.
      const middle = (xx + yy) / 2;
      const spread = hypotenuse((xx - yy) / 2, xy);
      const large = (middle + spread) / n;
      const area2 = (scaleX * scaleY) ** 2;
      const round = xx === yy && xy === 0;
      const small = round ? large : large > 0 ? Math.max(0, (determinant(n, numbers) * area2) / large) : 0;
      if (major) major[i] = 4 * Math.sqrt(large);
      if (minor) minor[i] = 4 * Math.sqrt(small);
      if (eccentricity) eccentricity[i] = large > 0 ? Math.sqrt(Math.max(0, 1 - small / large)) : 0;
      if (orientation) orientation[i] = angle(xx, xy, yy);
    },
  ];
}

function ellipsoidSteps(floats: Floats, { area, rawMoments }: WholeSums, scale: readonly number[]): Step[] {
  const second = floats("secondMoments", 6);
  const major = floats("majorAxis");
  const minor = floats("minorAxis");
  const axes = floats("principalAxes", 12);
  if (!(second ?? major ?? minor ?? axes) || !rawMoments) return [];
  return [
    (i) => {
      const n = area[i];
      const [sx, sy, sz] = scale as [number, number, number];
      const factors = [sx * sx, sx * sy, sx * sz, sy * sy, sy * sz, sz * sz];
      const central = numerators(n, rawMoments, 9 * i, 3).map((value, k) => ratio(value, n) * factors[k]);
      second?.set(central, 6 * i);
      // A solid ellipsoid of half axes a has variances a^2 / 5.
      const found = eigenvectors(central as Six).map(({ value, vector }) => ({
        length: 2 * Math.sqrt(5 * Math.max(0, value / n)),
        vector,
      }));
      found.sort((a, b) => b.length - a.length);
      if (major) major[i] = found[0].length;
      if (minor) minor[i] = found[2].length;
      axes?.set(
        found.flatMap(({ length, vector }) => [length, ...vector]),
        12 * i,
      );
    },
  ];
}

/** scikit-image's convention: from the y axis towards the major axis; 45 degrees where it is undefined. */
function angle(xx: number, xy: number, yy: number): number {
  if (xx === yy) return xy > 0 ? Math.PI / 4 : xy < 0 ? -Math.PI / 4 : Math.PI / 4;
  return 0.5 * angleOf(2 * xy, yy - xx);
}

/** Determinant of the covariance: (n xx)(n yy) - (n xy)^2 over n^4, exact up to the division. */
function determinant(n: number, [xx, xy, yy]: readonly (number | bigint)[]): number {
  const exact = (value: number | bigint | undefined): bigint => BigInt(value as bigint);
  return Number(exact(xx) * exact(yy) - exact(xy) * exact(xy)) / n ** 4;
}

/**
 * n sum xx - (sum x)^2 and the like, exact: numbers if a double can hold them, else BigInt. The object's sums begin at
 * `at`: first those of the axes, then those of their products.
 */
function numerators(n: number, raw: BigInt64Array | readonly bigint[], at: number, axes: 2 | 3): number[] | bigint[] {
  const first = Array.from({ length: axes }, (_, axis) => raw[at + axis]);
  const pairs = axes === 2 ? PAIRS_2 : PAIRS_3;
  const floats = first.map(Number);
  const squares = pairs.map((_, k) => Number(raw[at + axes + k]));
  if (n * Math.max(...squares) < 2 ** 53 && floats.every((value) => value * value < 2 ** 53)) {
    return pairs.map(([a, b], k) => n * squares[k] - floats[a] * floats[b]);
  }
  const m = BigInt(n);
  return pairs.map(([a, b], k) => m * raw[at + axes + k] - first[a] * first[b]);
}

const PAIRS_2 = [
  [0, 0],
  [0, 1],
  [1, 1],
] as const;
const PAIRS_3 = [
  [0, 0],
  [0, 1],
  [0, 2],
  [1, 1],
  [1, 2],
  [2, 2],
] as const;

/** a / n, with at most two roundings. */
function ratio(a: number | bigint, n: number): number {
  if (typeof a === "number") return a / n;
  const quotient = a / BigInt(n);
  return Number(quotient) + Number(a - quotient * BigInt(n)) / n;
}

type Six = [number, number, number, number, number, number];

/** A direction or its opposite: the one whose component of the largest magnitude is positive. */
export function pointed(vector: readonly number[]): number[] {
  const largest = vector.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a));
  // Adding 0 turns -0 into 0.
  return vector.map((n) => (largest < 0 ? -n : n) + 0);
}

interface Eigen {
  readonly value: number;
  readonly vector: readonly number[];
}

/**
 * Eigenvalues of the symmetric matrix xx, xy, xz, yy, yz, zz by Jacobi's rotations, which keep small eigenvalues accurate, and
 * eigenvectors of length 1 whose component of the largest magnitude is positive.
 */
function eigenvectors([xx, xy, xz, yy, yz, zz]: Six): Eigen[] {
  const vectors = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ] as number[][];
  const m = [
    [xx, xy, xz],
    [xy, yy, yz],
    [xz, yz, zz],
  ] as number[][];
  const get = (r: number, c: number): number => m[r][c];
  const set = (r: number, c: number, value: number): void => {
    m[r][c] = value;
  };
  for (let sweep = 0; sweep < 32; sweep++) {
    let rotated = false;
    for (const [p, q] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ] as const) {
      const off = get(p, q);
      if (Math.abs(off) <= 1e-17 * Math.sqrt(Math.abs(get(p, p) * get(q, q)))) continue;
      rotated = true;
      const theta = (get(q, q) - get(p, p)) / (2 * off);
      const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + hypotenuse(theta, 1));
      const c = 1 / hypotenuse(t, 1);
      const s = t * c;
      const r = 3 - p - q;
      const [rp, rq] = [get(r, p), get(r, q)];
      set(p, p, get(p, p) - t * off);
      set(q, q, get(q, q) + t * off);
      for (const [a, b, value] of [
        [p, q, 0],
        [r, p, c * rp - s * rq],
        [r, q, s * rp + c * rq],
      ] as const) {
        set(a, b, value);
        set(b, a, value);
      }
      for (const vector of vectors) {
        const [vp, vq] = [vector[p], vector[q]];
        vector[p] = c * vp - s * vq;
        vector[q] = s * vp + c * vq;
      }
    }
    if (!rotated) break;
  }
  return [0, 1, 2].map((k) => {
    return { value: get(k, k), vector: pointed(vectors.map((row) => row[k])) };
  });
}

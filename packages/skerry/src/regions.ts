// From exact sums to measurements. Numerators are made in integers, with BigInt where a double would not
// hold them, so nothing cancels; one rounding division follows.

import { turn } from "#worker";
import {
  type Call,
  type Pixels,
  REGION_LEVELS,
  type RegionLevel,
  type RegionSums,
  type RegionsPlan,
} from "./backend.js";
import { show } from "./check.js";
import { InvalidArgument, Unsupported } from "./errors.js";
import type { RegionProperty, Regions } from "./types.js";

const DEFAULT: readonly RegionProperty[] = ["area", "bounds", "centroid"];
const SHAPE: readonly RegionProperty[] = [
  ...["area", "bounds", "centroid", "rawMoments", "secondMoments", "majorAxis", "minorAxis"],
  ...["orientation", "eccentricity", "extent", "equivalentDiameter", "perimeter", "eulerNumber"],
] as RegionProperty[];
const INTENSITY: readonly RegionProperty[] = ["min", "max", "sum", "mean", "std", "weightedCentroid", "contrast"];

/** Every property of `regions()`, in the order they are documented. */
export const REGION_PROPERTIES: readonly RegionProperty[] = [...SHAPE, ...INTENSITY];

const LEVEL: Partial<Record<RegionProperty, RegionLevel>> = {
  area: "area",
  equivalentDiameter: "area",
  bounds: "bounds",
  extent: "bounds",
  centroid: "centroid",
};

/** What the backend is to sum, and what is made of it. */
export interface Plan extends RegionsPlan {
  readonly properties: readonly RegionProperty[];
}

export function planRegions(
  wanted: readonly RegionProperty[] | "all" | undefined,
  pixels: Pixels | undefined,
  size: { readonly width: number; readonly height: number },
): Plan {
  const properties = chosen(wanted, pixels !== undefined);
  const ofPixels = properties.filter((property) => INTENSITY.includes(property));
  if (ofPixels.length > 0 && !pixels) {
    throw new InvalidArgument(`Expected intensity: raster for the property ${show(ofPixels[0])}, got none.`);
  }
  const level = properties
    .filter((property) => !INTENSITY.includes(property))
    .map((property) => LEVEL[property] ?? "shape")
    .reduce<RegionLevel>((a, b) => (REGION_LEVELS.indexOf(b) > REGION_LEVELS.indexOf(a) ? b : a), "area");
  if (level === "shape") checkMoments(size);
  const measured = pixels && ofPixels.length > 0;
  if (measured) checkIntensitySums(pixels);
  return {
    ...{ properties, level },
    intensity: measured ? { pixels, contrast: properties.includes("contrast") } : undefined,
  };
}

function chosen(wanted: readonly RegionProperty[] | "all" | undefined, intensity: boolean): readonly RegionProperty[] {
  if (wanted === "all") return intensity ? REGION_PROPERTIES : SHAPE;
  if (wanted === undefined) return intensity ? [...DEFAULT, ...INTENSITY] : DEFAULT;
  if (!Array.isArray(wanted)) {
    throw new InvalidArgument(`Expected properties to be "all" or a list of names, got ${show(wanted)}.`);
  }
  for (const property of wanted) {
    if (!REGION_PROPERTIES.includes(property)) {
      throw new InvalidArgument(`Expected properties out of ${REGION_PROPERTIES.join(", ")}, got ${show(property)}.`);
    }
  }
  return wanted;
}

/** The sum of squares over a whole row of the longest side must fit 63 bits for every possible object. */
function checkMoments({ width, height }: { readonly width: number; readonly height: number }): void {
  const side = Math.max(width, height);
  if (width * height * side * side >= 3 * 2 ** 63) {
    throw new Unsupported(
      `Expected an image whose second moments fit 64 bits, got ${width} x ${height}; measure it in parts, or without them.`,
    );
  }
}

/** Integer sums of squares and of value times coordinate must fit 63 bits whatever the pixels are. */
function checkIntensitySums({ shape: { width, height, type } }: Pixels): void {
  if (type === "f32") return;
  const most = type === "u8" ? 255 : 65535;
  const factor = Math.max(type === "i16" ? 32768 : most, width, height);
  if (width * height * most * factor >= 2 ** 63) {
    throw new Unsupported(`Expected an image whose intensity sums fit 64 bits, got ${width} x ${height} of ${type}.`);
  }
}

/** Objects derived between two turns of the event loop. */
const OBJECTS_AT_ONCE = 1 << 14;

export async function deriveRegions(
  { properties }: Plan,
  sums: RegionSums,
  count: number,
  classes: Uint8Array | undefined,
  call: Call,
): Promise<Regions> {
  const wanted = new Set(properties);
  const regions: { -readonly [key in keyof Regions]: Regions[key] } = { count };
  if (classes) regions.class = classes;
  if (wanted.has("area")) regions.area = sums.area;
  if (wanted.has("bounds")) regions.bounds = sums.bounds as Uint32Array;
  if (wanted.has("centroid")) regions.centroid = sums.centroid as Float64Array;
  if (wanted.has("rawMoments")) regions.rawMoments = sums.rawMoments as BigInt64Array;
  const steps = [...shapeSteps(wanted, sums, regions), ...intensitySteps(wanted, sums, regions)];
  if (steps.length === 0) return regions;
  for (let from = 0; from < count; from += OBJECTS_AT_ONCE) {
    if (from > 0) {
      await turn();
      call.signal?.throwIfAborted();
    }
    const to = Math.min(count, from + OBJECTS_AT_ONCE);
    for (const step of steps) for (let i = from; i < to; i++) step(i);
  }
  return regions;
}

type Writable = { -readonly [key in keyof Regions]: Regions[key] };
type Step = (i: number) => void;

function shapeSteps(wanted: Set<RegionProperty>, sums: RegionSums, regions: Writable): Step[] {
  const { area } = sums;
  const count = area.length;
  const steps: Step[] = [];
  const floats = (name: RegionProperty, per = 1): Float64Array | undefined => {
    if (!wanted.has(name)) return undefined;
    const array = new Float64Array(count * per);
    (regions as unknown as Record<string, Float64Array>)[name] = array;
    return array;
  };
  const extent = floats("extent");
  if (extent && sums.bounds) {
    const box = sums.bounds;
    const side = (i: number): number => (box[i + 2] as number) - (box[i] as number);
    steps.push((i) => {
      extent[i] = (area[i] as number) / (side(4 * i) * side(4 * i + 1));
    });
  }
  const diameter = floats("equivalentDiameter");
  if (diameter) {
    steps.push((i) => {
      diameter[i] = Math.sqrt((4 * (area[i] as number)) / Math.PI);
    });
  }
  const { outline, rawMoments } = sums;
  const perimeter = floats("perimeter");
  if (perimeter && outline) {
    steps.push((i) => {
      perimeter[i] = Number(outline[2 * i]);
    });
  }
  if (wanted.has("eulerNumber") && outline) {
    const euler = new Int32Array(count);
    regions.eulerNumber = euler;
    steps.push((i) => {
      euler[i] = Number(outline[2 * i + 1]);
    });
  }
  const second = floats("secondMoments", 3);
  const major = floats("majorAxis");
  const minor = floats("minorAxis");
  const orientation = floats("orientation");
  const eccentricity = floats("eccentricity");
  if ((second ?? major ?? minor ?? orientation ?? eccentricity) && rawMoments) {
    steps.push((i) => {
      const n = area[i] as number;
      const [xx, xy, yy] = centralMoments(n, rawMoments, 5 * i);
      second?.set([xx, xy, yy], 3 * i);
      // Eigenvalues of the covariance; the smaller one as a quotient, since a difference would cancel.
      const middle = (xx + yy) / 2;
      const spread = Math.hypot((xx - yy) / 2, xy);
      const large = (middle + spread) / n;
      const small = large > 0 ? Math.max(0, determinant(n, rawMoments, 5 * i) / large) : 0;
      if (major) major[i] = 4 * Math.sqrt(large);
      if (minor) minor[i] = 4 * Math.sqrt(small);
      if (eccentricity) eccentricity[i] = large > 0 ? Math.sqrt(Math.max(0, 1 - small / large)) : 0;
      if (orientation) orientation[i] = angle(xx, xy, yy);
    });
  }
  return steps;
}

/** scikit-image's convention: from the y axis towards the major axis; 45 degrees where it is undefined. */
function angle(xx: number, xy: number, yy: number): number {
  if (xx === yy) return xy > 0 ? Math.PI / 4 : xy < 0 ? -Math.PI / 4 : Math.PI / 4;
  return 0.5 * Math.atan2(2 * xy, yy - xx);
}

/** n sum xx - (sum x)^2 and its kin, exact, over n. */
function centralMoments(n: number, raw: BigInt64Array, at: number): [number, number, number] {
  const [xx, xy, yy] = numerators(n, raw, at);
  if (typeof xx === "number") return [xx / n, (xy as number) / n, (yy as number) / n];
  return [ratio(xx, n), ratio(xy as bigint, n), ratio(yy as bigint, n)];
}

/** Determinant of the covariance: (n xx)(n yy) - (n xy)^2 over n^4, exact up to the division. */
function determinant(n: number, raw: BigInt64Array, at: number): number {
  const [xx, xy, yy] = numerators(n, raw, at);
  const value = BigInt(xx) * BigInt(yy) - BigInt(xy) * BigInt(xy);
  return Number(value) / n ** 4;
}

type Numerators = [number, number, number] | [bigint, bigint, bigint];

function numerators(n: number, raw: BigInt64Array, at: number): Numerators {
  const x = raw[at] as bigint;
  const y = raw[at + 1] as bigint;
  const xx = raw[at + 2] as bigint;
  const xy = raw[at + 3] as bigint;
  const yy = raw[at + 4] as bigint;
  const [fx, fy, fxx, fxy, fyy] = [Number(x), Number(y), Number(xx), Number(xy), Number(yy)];
  if (n * Math.max(fxx, fyy) < 2 ** 53 && fx * fx < 2 ** 53 && fy * fy < 2 ** 53) {
    return [n * fxx - fx * fx, n * fxy - fx * fy, n * fyy - fy * fy];
  }
  const m = BigInt(n);
  return [m * xx - x * x, m * xy - x * y, m * yy - y * y];
}

/** a / n to within a rounding or two. */
function ratio(a: bigint, n: number): number {
  const whole = a / BigInt(n);
  return Number(whole) + Number(a - whole * BigInt(n)) / n;
}

function intensitySteps(wanted: Set<RegionProperty>, sums: RegionSums, regions: Writable): Step[] {
  const { area, intensity } = sums;
  if (!intensity) return [];
  const count = area.length;
  const steps: Step[] = [];
  const at = (i: number, field: number): number => Number(intensity[8 * i + field]);
  const floats = (name: RegionProperty, per: number, value: (i: number) => readonly number[]): void => {
    if (!wanted.has(name)) return;
    const array = new Float64Array(count * per);
    (regions as unknown as Record<string, Float64Array>)[name] = array;
    steps.push((i) => array.set(value(i), i * per));
  };
  floats("min", 1, (i) => [at(i, 0)]);
  floats("max", 1, (i) => [at(i, 1)]);
  floats("mean", 1, (i) => [at(i, 2) / (area[i] as number)]);
  floats("std", 1, (i) => [
    deviation(area[i] as number, intensity[8 * i + 2] as bigint, intensity[8 * i + 3] as bigint),
  ]);
  floats("weightedCentroid", 2, (i) => [at(i, 4) / at(i, 2), at(i, 5) / at(i, 2)]);
  // 0 edges: 0 / 0 is the NaN that is promised. Floats count theirs in integers too.
  const edges = new BigUint64Array(intensity.buffer, intensity.byteOffset, intensity.length);
  floats("contrast", 1, (i) => [at(i, 2) / (area[i] as number) - at(i, 6) / Number(edges[8 * i + 7])]);
  if (wanted.has("sum")) {
    if (intensity instanceof BigInt64Array) {
      const sum = new BigInt64Array(count);
      regions.sum = sum;
      steps.push((i) => {
        sum[i] = intensity[8 * i + 2] as bigint;
      });
    } else {
      floats("sum", 1, (i) => [at(i, 2)]);
    }
  }
  return steps;
}

/** sqrt(n sum vv - (sum v)^2) / n; exact under the root for integers. */
function deviation(n: number, sum: bigint | number, squares: bigint | number): number {
  if (typeof sum === "number" || typeof squares === "number") {
    const mean = Number(sum) / n;
    return Math.sqrt(Math.max(0, Number(squares) / n - mean * mean));
  }
  return Math.sqrt(Number(BigInt(n) * squares - sum * sum)) / n;
}

// From exact sums to measurements. Numerators are made in integers, with BigInt where a double would not
// hold them, so nothing cancels; one rounding division follows.

import { turn } from "#worker";
import {
  type Call,
  INTENSITY_FIELDS,
  PIXEL_RANGE,
  type Pixels,
  REGION_LEVELS,
  type RegionLevel,
  type RegionSums,
  type RegionsPlan,
  type Size,
} from "./backend.js";
import { show, sizeText } from "./check.js";
import { InvalidArgument, Unsupported } from "./errors.js";
import { flattened, type Step, shapeSteps, type Writable } from "./shape.js";
import type { PixelArray, RegionProperty, Regions, RegionsOptions } from "./types.js";

const DEFAULT: readonly RegionProperty[] = ["area", "bounds", "centroid"];
const SHAPE: readonly RegionProperty[] = [
  ...["area", "bounds", "centroid", "rawMoments", "secondMoments", "majorAxis", "minorAxis"],
  ...["orientation", "eccentricity", "extent", "equivalentDiameter", "perimeter", "surfaceArea", "eulerNumber"],
] as RegionProperty[];
/** What only images have, and only volumes. */
const FLAT: readonly RegionProperty[] = ["orientation", "eccentricity", "perimeter"];
const SOLID: readonly RegionProperty[] = ["surfaceArea"];
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
  /** No z in what is made. */
  readonly flat: boolean;
  /** The size of a pixel, or of its kind 1 where pixels are counted. */
  readonly scale: readonly [number, number, number];
  readonly physical: boolean;
}

/** What is to be measured. */
interface Measured extends Size {
  readonly spacing: readonly [number, number, number];
  /** Found by value or tolerance: one object's runs may touch. */
  readonly linked: boolean;
}

export function planRegions(
  { properties: wanted, physical = false }: Pick<RegionsOptions, "properties" | "physical">,
  pixels: Pixels | undefined,
  measured: Measured,
): Plan {
  if (typeof physical !== "boolean") {
    throw new InvalidArgument(`Expected physical to be true or false, got ${show(physical)}.`);
  }
  const flat = measured.depth === 1;
  const properties = chosen(wanted, pixels !== undefined, flat);
  const ofPixels = properties.filter((property) => INTENSITY.includes(property));
  if (ofPixels.length > 0 && !pixels) {
    throw new InvalidArgument(`Expected intensity: raster for the property ${show(ofPixels[0])}, got none.`);
  }
  const level = properties
    .filter((property) => !INTENSITY.includes(property))
    .map((property) => LEVEL[property] ?? "shape")
    .reduce<RegionLevel>((a, b) => (REGION_LEVELS.indexOf(b) > REGION_LEVELS.indexOf(a) ? b : a), "area");
  if (level === "shape") checkMoments(measured);
  const summed = pixels && ofPixels.length > 0;
  if (summed) checkIntensitySums(pixels);
  const scale = physical ? measured.spacing : ([1, 1, 1] as const);
  // Edges of different lengths have to be counted apart.
  const uneven = properties.includes("perimeter") && scale[0] !== scale[1];
  return {
    ...{ properties, level, flat, scale, physical, solid: !flat || uneven || measured.linked },
    intensity: summed ? { pixels, contrast: properties.includes("contrast") } : undefined,
  };
}

function chosen(
  wanted: readonly RegionProperty[] | "all" | undefined,
  intensity: boolean,
  flat: boolean,
): readonly RegionProperty[] {
  const others = flat ? SOLID : FLAT;
  if (wanted === "all") {
    return (intensity ? REGION_PROPERTIES : SHAPE).filter((property) => !others.includes(property));
  }
  if (wanted === undefined) return intensity ? [...DEFAULT, ...INTENSITY] : DEFAULT;
  if (!Array.isArray(wanted)) {
    throw new InvalidArgument(`Expected properties to be "all" or a list of names, got ${show(wanted)}.`);
  }
  for (const property of wanted) {
    if (!REGION_PROPERTIES.includes(property)) {
      throw new InvalidArgument(`Expected properties out of ${REGION_PROPERTIES.join(", ")}, got ${show(property)}.`);
    }
    if (others.includes(property)) {
      throw new InvalidArgument(
        `Expected properties of ${flat ? "an image" : "a volume"}, got ${show(property)}, which only ${
          flat ? "volumes" : "images"
        } have.`,
      );
    }
  }
  return wanted;
}

/** The sum of squares over a whole row of the longest side must fit 63 bits for every possible object. */
function checkMoments(size: Size): void {
  const { width, height, depth } = size;
  const side = Math.max(width, height, depth);
  if (width * height * depth * side * side >= 3 * 2 ** 63) {
    throw new Unsupported(
      `Expected an image whose second moments fit 64 bits, got ${sizeText(size)}; measure it in parts, or without them.`,
    );
  }
}

/** Integer sums of squares and of value times coordinate must fit 63 bits whatever the pixels are. */
function checkIntensitySums({ shape }: Pixels): void {
  const { width, height, depth, type } = shape;
  if (type === "f32") return;
  const [least, most] = PIXEL_RANGE[type];
  const largest = Math.max(-least, most);
  if (width * height * depth * largest * Math.max(largest, width, height, depth) >= 2 ** 63) {
    throw new Unsupported(`Expected an image whose intensity sums fit 64 bits, got ${sizeText(shape)} of ${type}.`);
  }
}

/** Objects derived between two turns of the event loop. */
const OBJECTS_AT_ONCE = 1 << 14;

/** The objects, what they are beside their sums. */
interface Objects {
  readonly count: number;
  readonly classes: Uint8Array | undefined;
  readonly values: PixelArray | undefined;
}

export async function deriveRegions(
  plan: Plan,
  summed: RegionSums,
  { count, classes, values }: Objects,
  call: Call,
): Promise<Regions> {
  const { properties, flat, scale, physical } = plan;
  const wanted = new Set(properties);
  const sums = flat && plan.solid ? flattened(summed) : summed;
  const regions: { -readonly [key in keyof Regions]: Regions[key] } = { count };
  if (classes) regions.class = classes;
  if (values) regions.value = values;
  const size = scale[0] * scale[1] * (flat ? 1 : scale[2]);
  if (wanted.has("area")) regions.area = physical ? Float64Array.from(sums.area, (n) => n * size) : sums.area;
  if (wanted.has("bounds")) regions.bounds = sums.bounds as Uint32Array;
  if (wanted.has("centroid")) regions.centroid = scaled(sums.centroid as Float64Array, scale, flat ? 2 : 3);
  if (wanted.has("rawMoments")) regions.rawMoments = sums.rawMoments as BigInt64Array;
  const steps = [...shapeSteps(wanted, sums, plan, regions), ...intensitySteps(wanted, sums, plan, regions)];
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

/** Points in units of the pixels' size, in place. */
function scaled(points: Float64Array, scale: readonly number[], axes: number): Float64Array {
  if (scale.every((n) => n === 1)) return points;
  for (let i = 0; i < points.length; i++) points[i] = (points[i] as number) * (scale[i % axes] as number);
  return points;
}

const FIELDS = INTENSITY_FIELDS;

function intensitySteps(wanted: Set<RegionProperty>, sums: RegionSums, plan: Plan, regions: Writable): Step[] {
  const { area, intensity } = sums;
  if (!intensity) return [];
  const count = area.length;
  const steps: Step[] = [];
  const at = (i: number, field: number): number => Number(intensity[FIELDS * i + field]);
  const floats = (name: RegionProperty, per: number, value: (i: number) => readonly number[]): void => {
    if (!wanted.has(name)) return;
    const array = new Float64Array(count * per);
    (regions as unknown as Record<string, Float64Array>)[name] = array;
    steps.push((i) => array.set(value(i), i * per));
  };
  // Counts are integers among floats, too. Without a pixel, and without an edge, 0 / 0 is the NaN that is promised.
  const counts = new BigUint64Array(intensity.buffer, intensity.byteOffset, intensity.length);
  const pixels = (i: number): number => Number(counts[FIELDS * i + 9]);
  const edges = (i: number): number => Number(counts[FIELDS * i + 7]);
  floats("min", 1, (i) => [pixels(i) ? at(i, 0) : Number.NaN]);
  floats("max", 1, (i) => [pixels(i) ? at(i, 1) : Number.NaN]);
  floats("mean", 1, (i) => [at(i, 2) / pixels(i)]);
  floats("std", 1, (i) => [
    deviation(pixels(i), intensity[FIELDS * i + 2] as bigint, intensity[FIELDS * i + 3] as bigint),
  ]);
  const { flat, scale } = plan;
  floats("weightedCentroid", flat ? 2 : 3, (i) => {
    const place = [at(i, 4) / at(i, 2), at(i, 5) / at(i, 2), at(i, 8) / at(i, 2)];
    return place.slice(0, flat ? 2 : 3).map((n, axis) => n * (scale[axis] as number));
  });
  floats("contrast", 1, (i) => [at(i, 2) / pixels(i) - at(i, 6) / edges(i)]);
  if (wanted.has("sum")) {
    if (intensity instanceof BigInt64Array) {
      const sum = new BigInt64Array(count);
      regions.sum = sum;
      steps.push((i) => {
        sum[i] = intensity[FIELDS * i + 2] as bigint;
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

// The options of `regions()`: which properties there are, and which sums they take.

import { InvalidArgument, Unsupported } from "../api/errors.js";
import type { RegionProperty, RegionsOptions } from "../api/types.js";
import { PIXEL_RANGE, type Pixels, type Size, sizeText } from "../core/pixels.js";
import { REGION_LEVELS, type RegionLevel, type RegionsPlan } from "../core/plans.js";
import { flag, show, unexpected } from "./arguments.js";

const DEFAULT: readonly RegionProperty[] = ["area", "bounds", "centroid"];
const SHAPE: readonly RegionProperty[] = [
  ...["area", "bounds", "centroid", "rawMoments", "secondMoments", "majorAxis", "minorAxis"],
  ...["orientation", "eccentricity", "extent", "equivalentDiameter", "perimeter", "surfaceArea", "eulerNumber"],
] as RegionProperty[];
/** Properties of images only, and of volumes only. */
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
  /** The size of a pixel; 1 along each axis if results count pixels. */
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
  flag("physical", physical);
  const flat = measured.depth === 1;
  const properties = chosen(wanted, pixels !== undefined, flat);
  const ofPixels = properties.filter((property) => INTENSITY.includes(property));
  if (ofPixels.length > 0 && !pixels) {
    throw new InvalidArgument(`Expected intensity: raster for the property ${show(ofPixels[0])}, got none.`, {
      argument: "intensity",
    });
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
    throw unexpected("properties", '"all" or a list of names', wanted);
  }
  for (const property of wanted) {
    if (!REGION_PROPERTIES.includes(property)) {
      throw new InvalidArgument(`Expected properties out of ${REGION_PROPERTIES.join(", ")}, got ${show(property)}.`, {
        argument: "properties",
      });
    }
    if (others.includes(property)) {
      throw new InvalidArgument(
        `Expected properties of ${flat ? "an image" : "a volume"}, got ${show(property)}, which only ${
          flat ? "volumes" : "images"
        } have.`,
        { argument: "properties" },
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

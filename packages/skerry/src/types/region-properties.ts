// The properties of objects: one row for each field of Regions. Checks, help texts, the page's list, the columns of tables and
// docs/guide.md are derived from these rows.

import type { RegionProperty } from "./regions.js";

/**
 * Kind of a number, which determines its unit: pixels or, with `physical`, units of the spacing. `size` is an area or a volume,
 * `length` also a coordinate. `pixels` stay pixels. Angles are in radians. `value` is in the raster's values, `sum` in values
 * times pixels.
 */
export type PropertyUnit =
  | "size"
  | "length"
  | "pixels"
  | "count"
  | "angle"
  | "ratio"
  | "direction"
  | "moment"
  | "value"
  | "sum";

/** The sums over an object's runs that are computed; each entry includes the ones before it. */
export type RegionLevel = "area" | "bounds" | "centroid" | "shape";

/** Requirements of a property besides sums over the object's runs. */
export type PropertyNeed =
  /** Square pixels. */
  | "square"
  | "contour"
  /** The convex hull: pixels within it, its diameters, the smallest rectangle around it, its corners. */
  | "hullArea"
  | "hullDiameters"
  | "hullRectangle"
  | "hullCorners"
  /** A raster: sums of its values under the object, or the sorted values. */
  | "sums"
  | "values";

/** One property of objects. */
export interface PropertyFacts {
  /** Measured quantity, if the property's name is not clear enough. */
  readonly title?: string;
  /** Set if only images, or only volumes, have the property. */
  readonly only?: "image" | "volume";
  /** The unit of its number; properties of several numbers have `numbers` instead. */
  readonly unit?: PropertyUnit;
  /** The names of its numbers in the columns of a table, each with its unit: of images, and of volumes if they differ. */
  readonly numbers?: readonly [image: Numbers, volume?: Numbers];
  /** Set if an option, or the object, determines how many numbers there are. */
  readonly list?: "quantiles" | "bins" | "corners";
  /** The sums over runs that the property needs; undefined for properties of a raster. */
  readonly level?: RegionLevel;
  readonly needs?: readonly PropertyNeed[];
  /** Not included in "all": the number of values varies, or the property takes memory for each pixel. */
  readonly byName?: true;
  /** In tables by default, and in "usual". */
  readonly usual?: true;
  /** Only a step towards other properties: tables omit it unless it is requested. */
  readonly raw?: true;
}

type Numbers = Readonly<Record<string, PropertyUnit>>;

/** Names with an ending for each axis. */
function axes<A extends string>(name: string, unit: PropertyUnit, ...ends: readonly A[]): Numbers {
  return Object.fromEntries(ends.map((end) => [`${name}${end}`, unit]));
}

const lines = (name: string): readonly [Numbers, Numbers] => [
  axes(name, "length", "_x", "_y"),
  axes(name, "length", "_x", "_y", "_z"),
];

/** Every property, in the order of the documentation and of the columns of tables. */
export const PROPERTIES = {
  area: { unit: "size", level: "area", usual: true },
  centroid: { numbers: lines("centroid"), level: "centroid", usual: true },
  bounds: {
    numbers: [axes("", "pixels", "x0", "y0", "x1", "y1"), axes("", "pixels", "x0", "y0", "z0", "x1", "y1", "z1")],
    level: "bounds",
    usual: true,
  },
  rawMoments: {
    numbers: [
      axes("sum_", "moment", "x", "y", "xx", "xy", "yy"),
      axes("sum_", "moment", "x", "y", "z", "xx", "xy", "xz", "yy", "yz", "zz"),
    ],
    level: "shape",
    raw: true,
  },
  secondMoments: {
    numbers: [
      axes("moment_", "moment", "xx", "xy", "yy"),
      axes("moment_", "moment", "xx", "xy", "xz", "yy", "yz", "zz"),
    ],
    level: "shape",
  },
  majorAxis: { unit: "length", level: "shape" },
  minorAxis: { unit: "length", level: "shape" },
  orientation: { unit: "angle", level: "shape", only: "image" },
  eccentricity: { unit: "ratio", level: "shape", only: "image" },
  principalAxes: {
    numbers: [
      {
        axis1: "length",
        axis1_x: "direction",
        axis1_y: "direction",
        axis1_z: "direction",
        axis2: "length",
        axis2_x: "direction",
        axis2_y: "direction",
        axis2_z: "direction",
        axis3: "length",
        axis3_x: "direction",
        axis3_y: "direction",
        axis3_z: "direction",
      },
    ],
    level: "shape",
    only: "volume",
  },
  extent: { unit: "ratio", level: "bounds" },
  equivalentDiameter: { title: "diameter", unit: "length", level: "area" },
  edges: { unit: "length", level: "shape", only: "image" },
  perimeter: { unit: "length", level: "area", needs: ["contour", "square"], only: "image", usual: true },
  crofton: { title: "perimeter (Crofton)", unit: "length", level: "area", needs: ["contour", "square"], only: "image" },
  circularity: { unit: "ratio", level: "area", needs: ["contour", "square"], only: "image", usual: true },
  surfaceArea: { unit: "size", level: "shape", only: "volume" },
  eulerNumber: { title: "Euler number", unit: "count", level: "shape" },
  holes: { unit: "count", level: "shape", only: "image" },
  convexArea: { unit: "size", level: "area", needs: ["hullArea"], only: "image" },
  convexVolume: { unit: "size", level: "area", needs: ["hullArea"], only: "volume" },
  solidity: { unit: "ratio", level: "area", needs: ["hullArea"] },
  feretDiameter: {
    numbers: [
      { feret: "length", feret_angle: "angle", feret_smallest: "length", feret_smallest_angle: "angle" },
      { feret: "length", feret_x: "direction", feret_y: "direction", feret_z: "direction" },
    ],
    level: "area",
    needs: ["hullDiameters"],
  },
  minimumRectangle: {
    numbers: [{ ...axes("rectangle_", "length", "x", "y", "length", "width"), rectangle_angle: "angle" }],
    level: "area",
    needs: ["hullRectangle"],
    only: "image",
  },
  inscribed: {
    numbers: [axes("inscribed_", "length", "radius", "x", "y"), axes("inscribed_", "length", "radius", "x", "y", "z")],
    level: "area",
    byName: true,
  },
  convexHull: { list: "corners", level: "area", needs: ["hullCorners"], only: "image", byName: true },
  min: { unit: "value", needs: ["sums"] },
  max: { unit: "value", needs: ["sums"] },
  sum: { unit: "sum", needs: ["sums"] },
  mean: { usual: true, unit: "value", needs: ["sums"] },
  std: { unit: "value", needs: ["sums"] },
  weightedCentroid: { numbers: lines("weighted_centroid"), needs: ["sums"] },
  contrast: { unit: "value", needs: ["sums"] },
  median: { unit: "value", needs: ["values"], byName: true },
  quantiles: { list: "quantiles", needs: ["values"], byName: true },
  histogram: { list: "bins", needs: ["values"], byName: true },
} as const satisfies Record<RegionProperty, PropertyFacts>;

/** Every property of `regions()`, in the order they are documented. */
export const REGION_PROPERTIES = Object.keys(PROPERTIES) as readonly RegionProperty[];

/** The properties of one number per object. */
export type NumberProperty = {
  [P in RegionProperty]: (typeof PROPERTIES)[P] extends { readonly unit: PropertyUnit } ? P : never;
}[RegionProperty];

/** Properties with a fixed number of values per object. */
export type ObjectProperty = {
  [P in RegionProperty]: (typeof PROPERTIES)[P] extends { readonly list: "bins" | "corners" } ? never : P;
}[RegionProperty];

/** Facts about a property. */
export const factsOf = (property: RegionProperty): PropertyFacts => PROPERTIES[property];

/** Whether a property has at least one of some requirements. */
export const needs = (property: RegionProperty, ...some: readonly PropertyNeed[]): boolean =>
  some.some((need) => factsOf(property).needs?.includes(need));

/** Whether a property needs the pixels of a raster under the objects. */
export const isOfIntensity = (property: RegionProperty): boolean => needs(property, "sums", "values");

/** Whether a property has one number per object. */
export const isNumber = (property: RegionProperty): property is NumberProperty => factsOf(property).unit !== undefined;

/** Whether a property is a list of bins or corners per object. `quantiles` is not such a list. */
export const isList = (property: RegionProperty): boolean => {
  // Callers pass names that are not checked yet.
  const list = (factsOf(property) as PropertyFacts | undefined)?.list;
  return list === "bins" || list === "corners";
};

/** A property in words: "major axis". */
export const titleOf = (property: RegionProperty): string =>
  factsOf(property).title ?? property.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

// The options of `regions()`: the chosen properties, and the sums, shapes and sorted values that they need.

import type { MeasuredPixels, MeasurePlan } from "../core/measure-plan.js";
import { PIXEL_RANGE, type Pixels, type Size, sizeText } from "../core/pixels.js";
import { REGION_LEVELS, type ShapesPlan } from "../core/plans.js";
import { InvalidArgument, Unsupported } from "../types/errors.js";
import {
  factsOf,
  isOfIntensity,
  needs,
  type PropertyNeed,
  REGION_PROPERTIES,
  type RegionLevel,
} from "../types/region-properties.js";
import type { RegionProperty, RegionsOptions } from "../types/regions.js";
import { flag, show, unexpected } from "./arguments.js";
import { checkBins } from "./histogram.js";
import { nearest } from "./nearest.js";

const DEFAULT: readonly RegionProperty[] = ["area", "bounds", "centroid"];

/** The longest side of a volume in which convex hulls are exact. */
const LONGEST_SIDE = 32768;

/** The objects to measure. */
interface Measured extends Size {
  readonly spacing: readonly [number, number, number];
  /** Objects may touch, as those found by value or tolerance, and those with given labels. */
  readonly linked: boolean;
}

export type Wanted = Pick<RegionsOptions, "properties" | "physical" | "perChannel" | "quantiles" | "bins">;

export function planRegions(
  { properties: wanted, physical = false, perChannel = false, quantiles, bins }: Wanted,
  given: readonly Pixels[],
  measured: Measured,
): MeasurePlan {
  flag("physical", physical);
  flag("perChannel", perChannel);
  const flat = measured.depth === 1;
  const scale = physical ? measured.spacing : ([1, 1, 1] as const);
  const properties = chosen(wanted, given.length > 0, flat, scale);
  const has = (name: RegionProperty): boolean => properties.includes(name);
  const takes = (need: PropertyNeed): boolean => properties.some((property) => needs(property, need));
  for (const [option, value, property] of [
    ["quantiles", quantiles, "quantiles"],
    ["bins", bins, "histogram"],
  ] as const) {
    if (value === undefined || has(property)) continue;
    throw new InvalidArgument(`Expected ${property} in properties with ${option}, got ${properties.join(", ")}.`, {
      argument: option,
    });
  }
  if (perChannel && given.length === 0) throw unexpected("intensity", "a raster with perChannel", undefined);
  const ofPixels = properties.filter(isOfIntensity);
  if (ofPixels.length > 0 && given.length === 0) {
    throw new InvalidArgument(`Expected intensity: raster for the property ${show(ofPixels[0])}, got none.`, {
      argument: "intensity",
    });
  }
  const level = properties
    .map((property) => factsOf(property).level ?? "area")
    .reduce<RegionLevel>((a, b) => (REGION_LEVELS.indexOf(b) > REGION_LEVELS.indexOf(a) ? b : a), "area");
  if (level === "shape") checkMoments(measured);
  const picked = takes("values");
  const summed = takes("sums");
  if (summed) for (const pixels of given) checkIntensitySums(pixels);
  // If pixels are not square, edges across x and across y are counted separately.
  const uneven = has("edges") && scale[0] !== scale[1];
  const plan = {
    quantiles: has("quantiles") ? checkQuantiles(quantiles) : [],
    bins: checkBins(bins === undefined ? {} : { bins }),
  };
  return {
    properties,
    flat,
    scale,
    physical,
    summed,
    contrast: has("contrast"),
    sums: { level, solid: !flat || uneven || measured.linked },
    shapes: planShapes(takes, flat, scale, measured),
    intensities: ofPixels.length > 0 ? given.flatMap((pixels) => channelsOf(pixels, perChannel, picked)) : [],
    fractions: picked ? [...(has("median") ? [0.5] : []), ...plan.quantiles] : undefined,
    histogram: has("histogram"),
    bins: plan.bins,
  };
}

function planShapes(
  takes: (need: PropertyNeed) => boolean,
  flat: boolean,
  scale: readonly [number, number, number],
  size: Size,
): ShapesPlan | undefined {
  const contours = takes("contour");
  const area = takes("hullArea");
  const [feret, rectangle] = [takes("hullDiameters"), takes("hullRectangle")];
  if (!flat && (area || feret)) {
    if (Math.max(size.width, size.height, size.depth) > LONGEST_SIDE) {
      throw new Unsupported(`Expected sides of at most ${LONGEST_SIDE} for convex hulls, got ${sizeText(size)}.`);
    }
    return { contours, scale, hull: { solid: true, feret } };
  }
  const cornerHull = takes("hullCorners");
  const hull = area || feret || rectangle || cornerHull ? { area, feret, rectangle, cornerHull } : undefined;
  return contours || hull ? { contours, hull, scale } : undefined;
}

/** The measured channels: each of them, or one to which colours are reduced. Sums need no reduction beforehand. */
function channelsOf(pixels: Pixels, perChannel: boolean, picked: boolean): MeasuredPixels[] {
  const { shape } = pixels;
  if (perChannel && shape.channels > 1) {
    return Array.from({ length: shape.channels }, (_, channel) => ({ pixels, channel }));
  }
  return [{ pixels, channel: picked && shape.channels > 1 ? "luma" : undefined }];
}

function checkQuantiles(quantiles: RegionsOptions["quantiles"] = [0.25, 0.5, 0.75]): readonly number[] {
  if (!Array.isArray(quantiles) || quantiles.length === 0) {
    throw unexpected("quantiles", "a list of numbers from 0 to 1", quantiles);
  }
  for (const fraction of quantiles) {
    if (typeof fraction !== "number" || !(fraction >= 0 && fraction <= 1)) {
      throw unexpected("quantiles", "numbers from 0 to 1", fraction);
    }
  }
  if (new Set(quantiles).size < quantiles.length) throw unexpected("quantiles", "different numbers", quantiles);
  return quantiles;
}

function chosen(
  wanted: readonly RegionProperty[] | "all" | "usual" | undefined,
  intensity: boolean,
  flat: boolean,
  scale: readonly [number, number, number],
): readonly RegionProperty[] {
  const isOther = (property: RegionProperty): boolean => factsOf(property).only === (flat ? "volume" : "image");
  const square = !flat || scale[0] === scale[1];
  if (wanted === "all" || wanted === "usual") {
    return REGION_PROPERTIES.filter(
      (property) =>
        !isOther(property) &&
        !factsOf(property).byName &&
        (wanted === "all" || factsOf(property).usual === true) &&
        (square || !needs(property, "square")) &&
        (intensity || !isOfIntensity(property)),
    );
  }
  if (wanted === undefined)
    return intensity ? [...DEFAULT, ...REGION_PROPERTIES.filter((property) => needs(property, "sums"))] : DEFAULT;
  if (!Array.isArray(wanted)) {
    throw unexpected("properties", '"all", "usual" or a list of names', wanted);
  }
  for (const property of wanted) {
    if (!REGION_PROPERTIES.includes(property)) {
      const near = typeof property === "string" ? nearest(property, REGION_PROPERTIES) : undefined;
      const known = near ? `; did you mean "${near}"?` : `; there are ${REGION_PROPERTIES.join(", ")}.`;
      throw new InvalidArgument(`Expected properties of regions, got ${show(property)}${known}`, {
        argument: "properties",
      });
    }
    if (isOther(property)) {
      throw new InvalidArgument(
        `Expected properties of ${flat ? "an image" : "a volume"}, got ${show(property)}, which only ${
          flat ? "volumes" : "images"
        } have.`,
        { argument: "properties" },
      );
    }
    if (needs(property, "square") && !square) {
      throw new Unsupported(
        `Expected square pixels for ${property} in physical units, got ${scale[0]} by ${scale[1]}; leave physical out, or take edges.`,
      );
    }
  }
  return wanted;
}

/** The sum of squared coordinates along the longest side, a third of N side^2 for an object of all pixels, must fit 63 bits. */
function checkMoments(size: Size): void {
  const { width, height, depth } = size;
  const side = Math.max(width, height, depth);
  if (width * height * depth * side * side >= 3 * 2 ** 63) {
    throw new Unsupported(
      `Expected an image whose second moments fit 64 bits, got ${sizeText(size)}; measure it in parts, or without them.`,
    );
  }
}

/**
 * Integer sums must fit 63 bits for all possible pixels: sums of squares, and of value times coordinate. For 32-bit integers
 * these sums take 128 bits, so only sums of values must fit. A pixel also counts once for each of its edges, at most six times.
 */
function checkIntensitySums({ shape }: Pixels): void {
  const { width, height, depth, type } = shape;
  if (type === "f32") return;
  const [least, most] = PIXEL_RANGE[type];
  const largest = Math.max(-least, most);
  const wide = type === "u32" || type === "i32";
  const factor = wide ? 6 : Math.max(largest, width, height, depth);
  if (width * height * depth * largest * factor >= 2 ** 63) {
    throw new Unsupported(`Expected an image whose intensity sums fit 64 bits, got ${sizeText(shape)} of ${type}.`);
  }
}

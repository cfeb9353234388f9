// The frame of the places in a table: pixels of the whole image, their physical sizes, or coordinates of a map. Everything in a row that is a
// place is in one frame, and what a table says of units is said here.

import type { ConvexHulls, RegionProperty, Regions } from "skerry";
import { defined, factsOf } from "skerry/internal";
import type { Affine, Triple } from "../affine.js";
import { lengthUnitOf, mapAffineOf, mapUnitOf, type Space, spacingOf } from "../space.js";

/** How places are written. */
export interface Frame {
  /** The first pixel of the measured part in the whole image; 0, 0, 0 by default. */
  readonly origin?: Triple | undefined;
  /** Sides of a pixel, if lengths and places were measured in their unit. */
  readonly spacing?: readonly number[] | undefined;
  /** Coordinates of a map from corners of the measured part's pixels. */
  readonly map?: Affine | undefined;
  /** Slices of the measured image. */
  readonly depth: number;
  /** Unit of lengths, and of places but on a map; undefined if it is not known. */
  readonly unit: string | undefined;
  /** Unit of places. */
  readonly placeUnit: string | undefined;
}

/** Options of {@link frameOf}. */
export interface FrameOptions {
  /** Whether lengths were measured in the unit of the sides of a pixel. */
  readonly physical?: boolean | undefined;
  /** Whether places are coordinates of the map. */
  readonly world?: boolean | undefined;
  readonly origin?: Triple | undefined;
}

/** The frame of places that were measured in an image. */
export function frameOf(space: Space, { physical = false, world = false, origin }: FrameOptions = {}): Frame {
  const unit = physical ? lengthUnitOf(space) : "px";
  const { crs } = space;
  const onMap = world ? mapAffineOf(space) : undefined;
  return defined({
    depth: space.axes[2].size,
    unit,
    placeUnit: onMap && crs?.kind === "map" ? mapUnitOf(crs) : unit,
    spacing: physical ? spacingOf(space) : undefined,
    map: onMap,
    origin: onMap ? undefined : origin,
  });
}

/** Whether places are where they were measured. */
const isOwn = ({ origin = [0, 0, 0], spacing, map }: Frame): boolean =>
  map === undefined && spacing === undefined && origin.every((at) => at === 0);

/** Measurements with all places in a frame. Lengths, angles and sums stay what they are. */
export function inFrame(regions: Regions, frame: Frame): Regions {
  if (isOwn(frame)) return regions;
  const { origin = [0, 0, 0], spacing, map, depth } = frame;
  const axes = depth > 1 ? 3 : 2;
  const sides = [0, 1, 2].map((axis) => spacing?.[axis] ?? 1);
  /** Moves one point in place. Points of centres lie half a pixel before those of corners. */
  const move = (values: Float64Array, at: number, half: 0 | 0.5, count = axes): void => {
    if (map) {
      const [x, y] = [values[at] / sides[0] + half, values[at + 1] / sides[1] + half];
      const [a, b, c, d, e, f] = map;
      values[at] = a * x + b * y + c;
      values[at + 1] = d * x + e * y + f;
      return;
    }
    for (let axis = 0; axis < count; axis++) values[at + axis] += origin[axis] * sides[axis];
  };
  const points = (
    given: ArrayLike<number> | undefined,
    stride: number,
    first: number,
    half: 0 | 0.5,
  ): Float64Array | undefined => {
    if (!given) return undefined;
    const lengths = Float64Array.from(given);
    for (let at = 0; at < lengths.length; at += stride) move(lengths, at + first, half);
    return lengths;
  };
  const { centroid, weightedCentroid, inscribed, minimumRectangle, bounds, convexHull } = regions;
  const moved = {
    centroid: points(centroid, axes, 0, 0.5),
    weightedCentroid: points(weightedCentroid, axes, 0, 0.5),
    inscribed: points(inscribed, axes + 1, 1, 0.5),
    minimumRectangle: points(minimumRectangle, 5, 0, 0),
    bounds: bounds && boundsIn(bounds, frame, sides),
    convexHull: convexHull && hullsIn(convexHull, (values, at) => move(values, at, 0, 2)),
  };
  return { ...regions, ...Object.fromEntries(Object.entries(moved).filter(([, values]) => values !== undefined)) };
}

function hullsIn({ points, offsets }: ConvexHulls, move: (values: Float64Array, at: number) => void): ConvexHulls {
  const moved = Float64Array.from(points);
  for (let at = 0; at < moved.length; at += 2) move(moved, at);
  return { points: moved, offsets };
}

/** Boxes in a frame: of a map, around all four corners. */
function boundsIn(
  bounds: ArrayLike<number>,
  { origin = [0, 0, 0], map, depth, spacing }: Frame,
  sides: readonly number[],
): Float64Array | Int32Array {
  const axes = depth > 1 ? 3 : 2;
  if (!map && !spacing) {
    return Int32Array.from(bounds, (at, i) => at + origin[i % axes]);
  }
  const moved = Float64Array.from(bounds, (at, i) => (at + origin[i % axes]) * sides[i % axes]);
  if (!map) return moved;
  const [a, b, c, d, e, f] = map;
  for (let at = 0; at < moved.length; at += 2 * axes) {
    const [x0, y0, x1, y1] = [bounds[at], bounds[at + 1], bounds[at + axes], bounds[at + axes + 1]];
    const corners = [x0, x1].flatMap((x) => [y0, y1].map((y) => [a * x + b * y + c, d * x + e * y + f]));
    for (const axis of [0, 1]) {
      const coordinates = corners.map((corner) => corner[axis]);
      moved[at + axis] = Math.min(...coordinates);
      moved[at + axes + axis] = Math.max(...coordinates);
    }
  }
  return moved;
}

/** Columns that are places. */
const PLACE = /^(centroid|weighted_centroid|inscribed|rectangle)_[xyz]$|^[xyz][01]$/;

/** The unit of a column, by its property and its name; undefined if it has none. */
export function unitOfColumn(property: string, part: string, { unit, placeUnit, depth }: Frame): string | undefined {
  const facts = factsOf(property as RegionProperty) as ReturnType<typeof factsOf> | undefined;
  if (!facts) return undefined;
  const { numbers, unit: unitOfFrame } = facts;
  const plain = part.replace(/_channel\d+$/, "");
  const kind = unitOfFrame ?? (numbers && ((depth > 1 && numbers[1]) || numbers[0])?.[plain]);
  if (PLACE.test(plain)) return placeUnit;
  if (kind === "angle") return "rad";
  if (unit === undefined) return undefined;
  if (kind === "size") return `${unit}${depth > 1 && property !== "surfaceArea" ? 3 : 2}`;
  if (property === "secondMoments") return `${unit}2`;
  return kind === "length" || kind === "pixels" ? unit : undefined;
}

// The knowledge of a reader about the pixels of an image: axes with size, spacing and unit, the place in a world, and which page, time, channel and
// level was taken. Made once by a reader, matched once with a second image (match.ts), written once by a writer. Nothing about a file
// travels beside it.

import type { ChannelName } from "skerry";
import { defined, PROJECTIONS, type Projection } from "skerry/internal";
import { type Affine, columnsOf, movedTo, scaledBy, type ToWorld, type Triple } from "./affine.js";
import { type Entry, entriesAt, movedEntries } from "./formats/tiff/entries.js";
import { unitFactor, unitOfMetres, unitSymbol } from "./units.js";

/** Axes of files: those of space, and those along which one of several images is taken. */
export type AxisName = "x" | "y" | "z" | "channel" | "time" | "page" | "level" | "stack";

/** Axes along which a file holds several images. */
export type ImageAxis = Exclude<AxisName, "x" | "y" | "z">;

/** An axis of a file. */
export interface SpaceAxis {
  readonly name: AxisName;
  /** Pixels, or images along it. */
  readonly size: number;
  /** Side of a pixel; undefined if the file does not tell it. */
  readonly spacing?: number | undefined;
  /** Symbol of the spacing's unit, such as mm; undefined if the file does not tell it. */
  readonly unit?: string | undefined;
}

/** The world of a scanner or an atlas, as NIfTI tells it; x points to the patient's right, y to the front, z up. */
export interface PatientCrs {
  readonly kind: "patient";
  /** Version of the header. */
  readonly version: 1 | 2;
  /** Code of the sform, 0 if the place is told by the qform alone. */
  readonly sform: number;
  /** The second transform of a header that has one, as a quaternion, its handedness, and its own affine. */
  readonly qform?:
    | {
        readonly code: number;
        readonly quaternion: readonly [number, number, number];
        readonly qfac: 1 | -1;
        readonly toWorld: ToWorld;
      }
    | undefined;
}

/** A coordinate system of maps, as GeoTIFF tells it. */
export interface MapCrs {
  readonly kind: "map";
  /** The EPSG code, if the file has one. */
  readonly epsg?: number | undefined;
  /** Metres per unit of the map; undefined if the file does not tell the unit, or coordinates are degrees. */
  readonly metres?: number | undefined;
  readonly degrees: boolean;
  /** Entries of the file's directory, which are written again. */
  readonly entries: readonly Entry[];
}

/** The system of a world: of a patient, or of a map. Stages have none. */
export type Crs = PatientCrs | MapCrs;

/** Units of maps by their length in metres. */
/** Metres of the foot of surveys, which is a unit of maps alone. */
const SURVEY_FOOT = 1200 / 3937;

/** The unit of a map's coordinates; undefined if the file does not tell it. */
export function mapUnitOf({ degrees, metres }: MapCrs): string | undefined {
  if (degrees) return "degrees";
  if (metres === undefined) return undefined;
  if (Math.abs(metres / SURVEY_FOOT - 1) < 1e-9) return "US survey ft";
  return unitOfMetres(metres) ?? `${metres} m`;
}

/** Whether a page stands for one image of all. */
export const isProjection = (page: unknown): page is Projection => PROJECTIONS.some((name) => name === page);

/** The image that was taken of a file that holds several; undefined where nothing was chosen. */
export interface Taken {
  readonly page?: number | "all" | Projection | undefined;
  readonly time?: number | undefined;
  /** The channel whose values the pixels are, so that nobody need extract it. */
  readonly channel?: ChannelName | "index" | undefined;
  readonly level?: number | undefined;
  readonly stack?: number | undefined;
}

/** An image's facts beside its pixels, as its reader knows them. */
export interface Space {
  /** x, y and z, then the axes along which a file holds several images. Spacings have one unit. */
  readonly axes: readonly [x: SpaceAxis, y: SpaceAxis, z: SpaceAxis, ...others: SpaceAxis[]];
  /** Place of the pixels: in the patient, on the stage, on a map. Its unit is that of the axes, of a map that of its coordinate system. */
  readonly toWorld?: ToWorld | undefined;
  readonly crs?: Crs | undefined;
  readonly taken: Taken;
  /** Size of a pixel by a resolution for printing, which is rarely the physical one; it counts only where it is asked for. */
  readonly printed?: { readonly spacing: readonly [number, number]; readonly unit: string } | undefined;
}

/** Sizes and facts of {@link spaceOf}. */
export interface SpaceParts extends Partial<Omit<Space, "axes">> {
  readonly size: { readonly width: number; readonly height: number; readonly depth?: number | undefined };
  /** Sides of a pixel along x, y and z. */
  readonly spacing?: readonly (number | undefined)[] | undefined;
  /** Their unit, or one for each. */
  readonly unit?: string | readonly (string | undefined)[] | undefined;
  readonly others?: readonly SpaceAxis[] | undefined;
}

/**
 * A Space from what a header tells. Sizes that are not above 0 are not told. Axes of different units of length are converted to that of x.
 * @example
 * import { spaceOf } from "@skerry/files";
 * const space = spaceOf({ size: { width: 9, height: 8, depth: 7 }, spacing: [1, 1, 500], unit: ["um", "um", "nm"] });
 * console.log(space.axes[2].spacing, space.axes[2].unit); // 0.5, µm
 */
export function spaceOf({ size, spacing = [], unit, others = [], taken = {}, ...rest }: SpaceParts): Space {
  const { width, height, depth = 1 } = size;
  const units = [0, 1, 2].map((axis) => unitSymbol(typeof unit === "string" ? unit : unit?.[axis]));
  const [first] = units;
  const axis = (name: AxisName, i: number, length: number): SpaceAxis => {
    const side = spacing[i];
    if (side === undefined || !(side > 0 && Number.isFinite(side))) return { name, size: length };
    const factor = unitFactor(units[i], first);
    return factor === undefined
      ? { name, size: length, spacing: side, unit: units[i] }
      : { name, size: length, spacing: side * factor, unit: first };
  };
  return { axes: [axis("x", 0, width), axis("y", 1, height), axis("z", 2, depth), ...others], taken, ...rest };
}

/** A Space of which nothing but the size is known. */
export const plainSpace = (size: SpaceParts["size"]): Space => spaceOf({ size });

/** Sides of a pixel. */
export type Sides = readonly [number, number] | readonly [number, number, number];

/** Sides of a pixel along x, y and, of a volume, z, in one unit; undefined if the file does not tell one of them. */
export function spacingOf({ axes: [x, y, z] }: Space): Sides | undefined {
  if (x.spacing === undefined || y.spacing === undefined) return undefined;
  if (z.spacing !== undefined) return [x.spacing, y.spacing, z.spacing];
  return z.size > 1 ? undefined : [x.spacing, y.spacing];
}

/** The unit of the spacing. */
export const lengthUnitOf = ({ axes: [{ unit }] }: Space): string | undefined => unit;

/** The axis of a name; undefined if the file has none. */
export const axisOf = ({ axes }: Space, name: AxisName): SpaceAxis | undefined =>
  axes.find((axis) => axis.name === name);

/** Whether a file has an axis, of more than one image. */
export const hasAxis = (space: Space, name: ImageAxis): boolean => (axisOf(space, name)?.size ?? 1) > 1;

/** Sizes along x, y and z. */
export const sizesOf = ({ axes: [x, y, z] }: Space): Triple => [x.size, y.size, z.size];

/** A coordinate system whose own transforms are changed, too. */
function changedCrs(crs: Crs | undefined, change: (toWorld: ToWorld) => ToWorld): Crs | undefined {
  if (crs?.kind !== "patient" || !crs.qform) return crs;
  return { ...crs, qform: { ...crs.qform, toWorld: change(crs.qform.toWorld) } };
}

/** The Space of a part of an image whose first pixel is (x, y, z). */
export function partOf(
  space: Space,
  first: Triple,
  { width, height, depth = 1 }: { width: number; height: number; depth?: number },
): Space {
  const [x, y, z, ...others] = space.axes;
  const move = (toWorld: ToWorld): ToWorld => movedTo(toWorld, first);
  const moved = changedCrs(space.crs, move);
  const crs = moved?.kind === "map" ? { ...moved, entries: movedEntries(moved.entries, first[0], first[1]) } : moved;
  return defined({
    ...space,
    axes: [{ ...x, size: width }, { ...y, size: height }, { ...z, size: depth }, ...others],
    toWorld: space.toWorld && move(space.toWorld),
    crs: crs ?? space.crs,
  });
}

/** The Space of an image whose axes are brought into another order: for x, y and z the axis that becomes it, and whether it runs the other way. */
export function spaceThrough(
  space: Space,
  { order, flips }: { readonly order: Triple; readonly flips: readonly [boolean, boolean, boolean] },
): Space {
  const { axes, toWorld, printed } = space;
  const names = ["x", "y", "z"] as const;
  const renamed = order.map((axis, i) => ({ ...axes[axis], name: names[i] })) as unknown as [
    SpaceAxis,
    SpaceAxis,
    SpaceAxis,
  ];
  const turn = (toWorld: ToWorld): ToWorld =>
    toWorld.map((row) => {
      const added = order.reduce((sum, axis, i) => sum + (flips[i] ? row[axis] * (axes[axis].size - 1) : 0), row[3]);
      return [...order.map((axis, i) => (flips[i] ? -row[axis] : row[axis])), added];
    }) as unknown as ToWorld;
  const world = toWorld && turn(toWorld);
  const { crs } = space;
  // A qform has no form for axes in another order.
  const system: Crs | undefined =
    crs?.kind === "map" && world
      ? { ...crs, entries: entriesAt(crs.entries, world) }
      : crs && ({ ...crs, qform: undefined } as Crs);
  return defined({
    ...space,
    axes: [...renamed, ...axes.slice(3)],
    toWorld: world ?? space.toWorld,
    crs: system ?? space.crs,
    printed:
      printed && order[0] === 1 ? { ...printed, spacing: [printed.spacing[1], printed.spacing[0]] } : space.printed,
  });
}

/** The Space with other sides of a pixel, in its own unit or another: the place keeps its first pixel and its directions. */
export function resized(space: Space, sides: Sides, unit: string | undefined): Space {
  const [x, y, z, ...others] = space.axes;
  const symbol = unitSymbol(unit) ?? x.unit;
  const factor = unitFactor(x.unit, symbol) ?? 1;
  const given = [sides[0], sides[1], sides[2] ?? z.spacing ?? 1] as const;
  const sized = (axis: SpaceAxis, i: number): SpaceAxis => ({ ...axis, spacing: given[i], unit: symbol });
  const grown = (toWorld: ToWorld): ToWorld => {
    const columns = [0, 1, 2].map((i) => {
      const length = Math.hypot(...toWorld.map((row) => row[i]));
      return length > 0 ? given[i] / length : 1;
    });
    return scaledBy(toWorld, columns as unknown as Triple, factor);
  };
  // Coordinates of a map stay what they are.
  if (space.crs?.kind === "map") return { ...space, axes: [sized(x, 0), sized(y, 1), sized(z, 2), ...others] };
  const crs = changedCrs(space.crs, grown);
  return defined({
    ...space,
    axes: [sized(x, 0), sized(y, 1), sized(z, 2), ...others],
    toWorld: space.toWorld && grown(space.toWorld),
    crs: crs ?? space.crs,
  });
}

/** Sides of pixels are one if they differ by at most this part of them: conversions of units round. */
const SAME_SIDES = 1e-6;

/** Whether two sizes of a pixel are the same length, in whatever units. */
export function isSameSize(
  [sides, unit]: readonly [readonly number[], string | undefined],
  [others, other]: readonly [readonly number[], string | undefined],
): boolean {
  const factor = unitSymbol(unit) === unitSymbol(other) ? 1 : unitFactor(unit, other);
  return (
    factor !== undefined &&
    sides.every((side, i) => Math.abs(side * factor - others[i]) <= SAME_SIDES * Math.abs(others[i]))
  );
}

/** The Space in another unit; undefined if its unit, or the other one, is none of length. */
export function inUnit(space: Space, unit: string): Space | undefined {
  const [x, y, z, ...others] = space.axes;
  const factor = unitFactor(x.unit, unit);
  if (factor === undefined) return undefined;
  const symbol = unitSymbol(unit);
  const converted = (axis: SpaceAxis): SpaceAxis =>
    axis.spacing === undefined ? axis : { ...axis, spacing: axis.spacing * factor, unit: symbol };
  const axes: Space["axes"] = [converted(x), converted(y), converted(z), ...others];
  if (space.crs?.kind === "map") return { ...space, axes };
  const grown = (toWorld: ToWorld): ToWorld => scaledBy(toWorld, [factor, factor, factor], factor);
  const crs = changedCrs(space.crs, grown);
  return defined({ ...space, axes, toWorld: space.toWorld && grown(space.toWorld), crs: crs ?? space.crs });
}

/** Axes of a grid are at right angles if the cosine between them is at most this. */
const SHEAR = 0.01;

/** Whether axes are not at right angles in the world, so that no distance in the grid is one of the world. Axes of one pixel do not count. */
export function isSheared({ axes, toWorld }: Space): boolean {
  if (!toWorld) return false;
  const columns = columnsOf(toWorld).filter((_, i) => axes[i].size > 1);
  return columns.some((a, i) =>
    columns.slice(i + 1).some((b) => {
      const dot = a.reduce((sum, value, k) => sum + value * b[k], 0);
      return Math.abs(dot) > SHEAR * Math.hypot(...a) * Math.hypot(...b);
    }),
  );
}

/** Coordinates of the first pixel, if axes run along those of the world in steps of their sides and the image lies on no map; else undefined. */
export function originOf(space: Space): Triple | undefined {
  const { toWorld, crs } = space;
  if (!toWorld || crs?.kind === "map") return undefined;
  const [x = 1, y = 1, z = 1] = spacingOf(space) ?? [];
  const isPlain = toWorld.every((row, i) =>
    [0, 1, 2].every(
      (k) =>
        Math.abs(row[k] - (k === i ? [x, y, z][i] : 0)) <= 1e-6 * [x, y, z][k] || (k === i && space.axes[k].size === 1),
    ),
  );
  return isPlain ? (toWorld.map((row) => row[3]) as unknown as Triple) : undefined;
}

/** Whether a format has a place for images, but none for this one: TIFF tells origins along the axes and places on maps, NIfTI no maps. */
export function losesPlace(ending: string, space: Space): boolean {
  if (!space.toWorld) return false;
  const isMap = space.crs?.kind === "map";
  // Sides of a pixel without a unit have no room in TIFF, where they would be those of printing.
  const isBare = lengthUnitOf(space) === undefined && (spacingOf(space)?.some((side) => side !== 1) ?? false);
  if (/^\.tiff?$/.test(ending)) return !isMap && (isBare || originOf(space) === undefined);
  return /^\.(nii(\.gz)?|nrrd|mha)$/.test(ending) && isMap;
}

/** The volume of a voxel, or the area of a pixel, in the world divided by the product of its sides: 1 but for sheared grids. */
export function volumeFactor(space: Space): number {
  const { toWorld, axes } = space;
  if (!toWorld || !isSheared(space)) return 1;
  const [a, b, c] = columnsOf(toWorld);
  const cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const [x = 1, y = 1, z = 1] = spacingOf(space) ?? [];
  if (axes[2].size === 1) return Math.hypot(...cross) / (x * y);
  return Math.abs(cross.reduce((sum, value, i) => sum + value * c[i], 0)) / (x * y * z);
}

/** Whether y grows towards the front of a patient, so that slices are drawn with their last row on top. */
export const isUpright = ({ toWorld, crs }: Space): boolean => crs?.kind === "patient" && (toWorld?.[1][1] ?? -1) >= 0;

/** Coordinates of a map from corners of pixels; undefined if the image lies on no map. */
export function mapAffineOf({ toWorld, crs }: Space): Affine | undefined {
  if (!toWorld || crs?.kind !== "map") return undefined;
  const [[a, b, , c], [d, e, , f]] = toWorld;
  return [a, b, c - (a + b) / 2, d, e, f - (d + e) / 2];
}

// Brings a second image into the grid of a first one: by their places in the world, exactly, or not at all. Every command, plan and page that
// combines two files asks here.

import type { PixelArray, Raster, Source } from "skerry";
import { type ToWorld, type Triple, worldAt } from "./affine.js";
import { ARRAYS, typeOfArray } from "./bytes.js";
import { numbersOf } from "./formats/tiff/entries.js";
import { lengthUnitOf, type MapCrs, mapUnitOf, type Space, sizesOf, spacingOf } from "./space.js";
import { unitFactor } from "./units.js";

/** How the axes of a second image lie in the grid of the first one. */
export interface Match {
  /** For x, y and z of the first image: the axis of the second one that runs along it, 0 to 2. */
  readonly order: Triple;
  /** Whether that axis runs the other way. */
  readonly flips: readonly [x: boolean, y: boolean, z: boolean];
  /** Sentences for the user. */
  readonly notes: readonly string[];
}

/** Options of `match()`. */
export interface MatchOptions {
  /** Names of the two images in sentences. */
  readonly names?: readonly [first: string, second: string] | undefined;
  /** Whether images of equal sizes are combined pixel by pixel, wherever they lie. */
  readonly ignorePlace?: boolean | undefined;
}

/** Places that differ by at most this part of a voxel are one: headers in f32 differ by 0.003. */
const SAME = 0.01;
/** Places that differ by at most this part of a voxel are taken for one, with a note. */
const NEAR = 0.1;

const IDENTITY: Pick<Match, "order" | "flips"> = { order: [0, 1, 2], flips: [false, false, false] };

const ORDERS: readonly Triple[] = [
  [0, 1, 2],
  [1, 0, 2],
  [0, 2, 1],
  [2, 1, 0],
  [1, 2, 0],
  [2, 0, 1],
];

/** Whether an image is brought into order by nothing. */
export const isIdentity = ({ order, flips }: Pick<Match, "order" | "flips">): boolean =>
  order.every((axis, i) => axis === i) && !flips.includes(true);

/** Whether axes are exchanged, so that rows of the second image are no rows of the first one. */
export const isExchanged = ({ order }: Pick<Match, "order">): boolean => order.some((axis, i) => axis !== i);

/**
 * How a second image lies in the grid of a first one, by the places of their corner voxels: at the same place (to 0.01 voxel), or near it (to
 * 0.1, with a note), with flipped and exchanged axes. Images without a place are combined if they have one size; if one of two has a place,
 * with a note. Others are refused with what differs.
 */
export function match(a: Space, b: Space, options: MatchOptions = {}): Match | { readonly refused: string } {
  const { names = ["the first image", "the second image"], ignorePlace = false } = options;
  const [first, second] = names;
  const sizes = [sizesOf(a), sizesOf(b)] as const;
  const areEqual = sizes[0].every((side, i) => side === sizes[1][i]);
  const begin = `Expected ${second} to lie where ${first} lies`;
  const unequal = `${sizeText(sizes[1])} pixels beside ${sizeText(sizes[0])}`;
  if (ignorePlace) {
    return areEqual
      ? { ...IDENTITY, notes: [] }
      : { refused: `Expected ${second} to have the size of ${first} for --ignore-place, got ${unequal}.` };
  }
  const anyway = areEqual ? "; --ignore-place combines them pixel by pixel" : "";
  const [placed, other] = [tellsPlace(a, b), tellsPlace(b, a)];
  if (!placed || !other) {
    if (!areEqual) return { refused: `Expected ${second} to have the size of ${first}, got ${unequal}.` };
    const differ = spacingDiffers(a, b);
    if (differ) return { refused: `${begin}, got ${differ}${anyway}.` };
    const [which, lacks] = placed ? [first, second] : [second, first];
    const note = `${which} tells its place and ${lacks} tells none; they are combined pixel by pixel`;
    return { ...IDENTITY, notes: placed || other ? [note] : [] };
  }
  const worlds = worldsDiffer(a, b, names);
  if (worlds.refused) return { refused: `${begin}, got ${worlds.refused}${anyway}.` };
  const [one, two] = inOneUnit(a, b);
  const best = nearest(one, two, ...sizes);
  if (best && best.far <= NEAR) {
    const { order, flips, far } = best;
    const near = `${second} lies ${Number(far.toPrecision(2))} voxels beside ${first}; it is taken for the same place`;
    return { order, flips, notes: [...worlds.notes, ...(far > SAME ? [near] : [])] };
  }
  const differences = [
    ...(ORDERS.some((order) => sizes[0].every((side, i) => side === sizes[1][order[i]])) ? [] : [unequal]),
    ...[spacingDiffers(a, b)].filter((each) => each !== undefined),
    ...(directionsDiffer(one, two, sizes[0]) ? ["axes of other directions"] : []),
  ];
  const shift = centreOf(two, sizes[1]).map((at, i) => at - centreOf(one, sizes[0])[i]);
  const unit = worldUnitOf(a);
  const far = `its middle ${vectorText(shift)}${unit ? ` ${unit}` : ""} away`;
  const isAway = Math.hypot(...shift) > SAME * Math.min(...shortestOf(one, sizes[0]));
  return {
    refused: `${begin}, got ${[...differences, ...(isAway || differences.length === 0 ? [far] : [])].join(", ")}${anyway}.`,
  };
}

/** Whether an image tells a place that counts beside another one: pixels of side 1 from 0 without a unit are what OME-Zarr has to write for none. */
function tellsPlace(space: Space, other: Space): boolean {
  const { toWorld, crs } = space;
  if (!toWorld || crs || spacingOf(space)) return toWorld !== undefined;
  const isIdentical = toWorld.every((row, i) => row.every((n, k) => n === (i === k ? 1 : 0)));
  return !isIdentical || !(other.crs || spacingOf(other));
}

/** Throws `match()`'s refusal as an error of the caller's kind. */
export function matched(a: Space, b: Space, options: MatchOptions, fail: (sentence: string) => Error): Match {
  const found = match(a, b, options);
  if ("refused" in found) throw fail(found.refused);
  return found;
}

const digits = (n: number): string => String(Number(n.toPrecision(6)));

/** A vector as text; parts that are rounding beside the others are 0. */
const vectorText = (vector: readonly number[]): string => {
  const most = Math.max(...vector.map(Math.abs));
  return vector.map((n) => digits(Math.abs(n) < 1e-6 * most ? 0 : n)).join(", ");
};

const sizeText = ([x, y, z]: Triple): string => `${x} x ${y}${z > 1 ? ` x ${z}` : ""}`;

/** The unit of coordinates of the world. */
function worldUnitOf(space: Space): string | undefined {
  const { crs } = space;
  return crs?.kind === "map" ? mapUnitOf(crs) : lengthUnitOf(space);
}

/** How coordinate systems differ; notes if one of them is not told. */
function worldsDiffer(
  a: Space,
  b: Space,
  [first, second]: readonly [string, string],
): { readonly refused?: string; readonly notes: readonly string[] } {
  const [one, other] = [a.crs, b.crs];
  const [isMap, isOtherMap] = [one?.kind === "map", other?.kind === "map"];
  if (isMap !== isOtherMap) {
    const [kind, theirs] = [isOtherMap, isMap].map((map) => (map ? "a place on a map" : "no place on a map"));
    return { refused: `${kind} beside ${theirs}`, notes: [] };
  }
  if (!isMap) return { notes: [] };
  const [system, otherSystem] = [systemOf(one as MapCrs), systemOf(other as MapCrs)];
  if (system?.key === otherSystem?.key) return { notes: [] };
  if (system === undefined || otherSystem === undefined) {
    const [teller, silent] = system ? [first, second] : [second, first];
    const note = `${teller} tells its coordinate system, ${(system ?? otherSystem)?.name}, and ${silent} tells none; they are taken for one`;
    return { notes: [note] };
  }
  return { refused: `the coordinate system ${otherSystem.name} beside ${system.name}`, notes: [] };
}

/** A coordinate system by its code, or by all of its entries but texts, and its name for messages; undefined if there is none. */
function systemOf({ epsg, entries }: MapCrs): { readonly key: string; readonly name: string } | undefined {
  if (epsg !== undefined) return { key: `${epsg}`, name: `EPSG:${epsg}` };
  const system = entries.filter(({ isSystem }) => isSystem);
  const numbers = system
    .filter(({ values }) => typeof values !== "string")
    .map(({ tag, values }) => numbersOf(tag, values));
  if (numbers.every((list) => list.length === 0)) return undefined;
  const text = system.find(({ values }) => typeof values === "string")?.values as string | undefined;
  return { key: JSON.stringify(numbers), name: text ? text.replace(/\|+$/, "").slice(0, 60) : "of its own" };
}

/** How the sides of pixels differ, by more than {@link NEAR} of a voxel from end to end; undefined if they do not, or are not told. */
function spacingDiffers(a: Space, b: Space): string | undefined {
  const [one, other] = [spacingOf(a), spacingOf(b)];
  if (!one || !other) return undefined;
  const [unit, otherUnit] = [lengthUnitOf(a), lengthUnitOf(b)];
  const factor = unit === undefined || otherUnit === undefined ? 1 : unitFactor(otherUnit, unit);
  const text = (sides: readonly number[], sideUnit: string | undefined): string =>
    `${sides.map(digits).join(" x ")}${sideUnit ? ` ${sideUnit}` : ""}`;
  const differ = `pixels of ${text(other, otherUnit)} beside ${text(one, unit)}`;
  if (factor === undefined) return unit === otherUnit ? undefined : differ;
  const sizes = sizesOf(a);
  // Sides along axes of either image, whichever way these run.
  const [sorted, otherSorted] = [one, other].map((sides) => sides.filter((_, i) => sizes[i] > 1).sort((x, y) => x - y));
  const most = Math.max(...sizes);
  const isFar = sorted.some((side, i) => {
    const expected = (otherSorted[i] ?? side / factor) * factor;
    return (Math.abs(expected - side) / Math.min(expected, side)) * (most - 1) > NEAR;
  });
  return isFar ? differ : undefined;
}

/** Both transforms in the unit of the first one. A place without a unit has that of the other. */
function inOneUnit(a: Space, b: Space): readonly [ToWorld, ToWorld] {
  const [one, two] = [a.toWorld as ToWorld, b.toWorld as ToWorld];
  if (a.crs?.kind === "map") return [one, two];
  const factor = unitFactor(lengthUnitOf(b), lengthUnitOf(a)) ?? 1;
  return [one, factor === 1 ? two : (two.map((row) => row.map((n) => n * factor)) as unknown as ToWorld)];
}

/** Sides of a voxel along axes of more than one, in the world. */
const shortestOf = (toWorld: ToWorld, sizes: Triple): number[] =>
  [0, 1, 2].filter((axis) => sizes[axis] > 1).map((axis) => Math.hypot(...toWorld.map((row) => row[axis])));

/** The last index along each axis. */
const lastOf = (sizes: Triple): Triple => sizes.map((side) => side - 1) as unknown as Triple;

/** All eight corners of a grid, as indices. */
const cornersOf = (sizes: Triple): Triple[] =>
  Array.from({ length: 8 }, (_, i) => lastOf(sizes).map((end, axis) => ((i >> axis) & 1) * end) as unknown as Triple);

const centreOf = (toWorld: ToWorld, sizes: Triple): Triple =>
  worldAt(toWorld, lastOf(sizes).map((end) => end / 2) as unknown as Triple);

/** The index in the second image of an index in the first one. */
export function indexThrough({ order, flips }: Pick<Match, "order" | "flips">, index: Triple, sizes: Triple): Triple {
  const turned = [0, 0, 0];
  for (let i = 0; i < 3; i++) turned[order[i]] = flips[i] ? sizes[i] - 1 - index[i] : index[i];
  return turned as unknown as Triple;
}

/** The order and flips by which corners of the second grid are nearest to their twins, and how far that is in voxels of either grid. */
function nearest(
  one: ToWorld,
  two: ToWorld,
  sizes: Triple,
  others: Triple,
): (Pick<Match, "order" | "flips"> & { readonly far: number }) | undefined {
  let best: (Pick<Match, "order" | "flips"> & { readonly far: number }) | undefined;
  const inverses = [inverseOf(one, sizes), inverseOf(two, others)];
  if (inverses.includes(undefined)) return undefined;
  for (const order of ORDERS) {
    if (sizes.some((side, i) => side !== others[order[i]])) continue;
    for (let mask = 0; mask < 8; mask++) {
      const flips = [0, 1, 2].map((axis) => ((mask >> axis) & 1) === 1) as unknown as Match["flips"];
      // An axis of one pixel has no other way round.
      if (flips.some((flip, axis) => flip && sizes[axis] === 1)) continue;
      const far = Math.max(
        ...cornersOf(sizes).map((corner) => {
          const [here, there] = [worldAt(one, corner), worldAt(two, indexThrough({ order, flips }, corner, sizes))];
          const apart = here.map((at, i) => there[i] - at);
          return Math.max(...inverses.map((inverse) => lengthIn(inverse as number[][], apart)));
        }),
      );
      if (!best || far < best.far - 1e-9) best = { order, flips, far };
    }
  }
  return best;
}

/** The largest coordinate of a vector of the world in voxels of a grid. */
const lengthIn = (inverse: number[][], vector: readonly number[]): number =>
  Math.max(...inverse.map((row) => Math.abs(row.reduce((sum, value, i) => sum + value * vector[i], 0))));

/**
 * The inverse of a transform's linear part; undefined if it has none. An axis of one pixel whose column is 0, such as that of an image on a
 * map, is replaced by the normal of the others.
 */
function inverseOf(toWorld: ToWorld, sizes: Triple): number[][] | undefined {
  const m = toWorld.map((row) => row.slice(0, 3));
  for (let axis = 0; axis < 3; axis++) {
    if (sizes[axis] > 1 || Math.hypot(...m.map((row) => row[axis])) > 0) continue;
    const [j, k] = [(axis + 1) % 3, (axis + 2) % 3];
    const [p, q] = [m.map((row) => row[j]), m.map((row) => row[k])];
    const normal = [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
    const length = Math.sqrt(Math.hypot(...normal)) || 1;
    for (let row = 0; row < 3; row++) m[row][axis] = normal[row] / length;
  }
  const minor = (i: number, j: number): number => {
    const [r, s] = [(i + 1) % 3, (i + 2) % 3];
    const [c, d] = [(j + 1) % 3, (j + 2) % 3];
    return m[r][c] * m[s][d] - m[r][d] * m[s][c];
  };
  const determinant = [0, 1, 2].reduce((sum, j) => sum + m[0][j] * minor(0, j), 0);
  if (!Number.isFinite(determinant) || determinant === 0) return undefined;
  return [0, 1, 2].map((j) => [0, 1, 2].map((i) => minor(i, j) / determinant));
}

/** Whether no axis of one grid runs along an axis of the other. */
function directionsDiffer(one: ToWorld, two: ToWorld, sizes: Triple): boolean {
  const columns = (toWorld: ToWorld): number[][] => [0, 1, 2].map((axis) => toWorld.map((row) => row[axis]));
  const cosine = (a: readonly number[], b: readonly number[]): number =>
    Math.abs(a.reduce((sum, value, i) => sum + value * b[i], 0)) / (Math.hypot(...a) * Math.hypot(...b) || 1);
  return columns(one).some(
    (column, axis) => sizes[axis] > 1 && !columns(two).some((other) => cosine(column, other) > 1 - 1e-4),
  );
}

/**
 * The second image in the grid of the first one: rows of flipped axes are read in their order and turned, those of exchanged axes from the
 * whole image, which is read into memory once.
 */
export function through<P extends Raster | Source>(pixels: P, by: Pick<Match, "order" | "flips">): P {
  if (isIdentity(by)) return pixels;
  const size = orderedSize(pixels, by);
  if ("data" in pixels) return { ...pixels, ...size, data: reordered(pixels, by) };
  if (!isExchanged(by)) return { ...pixels, ...size, read: flippedRead(pixels, by.flips) } as P;
  return { ...pixels, ...size, read: exchangedRead(pixels, by) } as P;
}

/** Sides of an image in the order of the first one. */
function orderedSize({ width, height, depth = 1 }: Raster | Source, { order }: Pick<Match, "order">) {
  const sides = [width, height, depth];
  return { width: sides[order[0]], height: sides[order[1]], depth: sides[order[2]] };
}

/** Values of a raster in the grid of the first image. */
function reordered(raster: Raster, by: Pick<Match, "order" | "flips">): PixelArray {
  const { data, width, height, channels = 1 } = raster;
  const { width: x1, height: y1, depth: z1 } = orderedSize(raster, by);
  const strides = [channels, width * channels, width * height * channels];
  // The step in the stored values along each axis of the first image, and where its first pixel is stored.
  const steps = by.order.map((axis, i) => (by.flips[i] ? -strides[axis] : strides[axis]));
  const begin = [x1, y1, z1].reduce((sum, side, i) => sum + (by.flips[i] ? (side - 1) * strides[by.order[i]] : 0), 0);
  const cut = data.slice(0, x1 * y1 * z1 * channels) as PixelArray;
  let at = 0;
  for (let z = 0; z < z1; z++) {
    for (let y = 0; y < y1; y++) {
      let from = begin + z * steps[2] + y * steps[1];
      for (let x = 0; x < x1; x++, from += steps[0]) {
        for (let c = 0; c < channels; c++) cut[at++] = data[from + c];
      }
    }
  }
  return cut;
}

/** Reads rows of a Source whose axes run the other way. */
function flippedRead(source: Source, [fx, fy, fz]: Match["flips"]): Source["read"] {
  const { width, height, depth = 1, channels = 1 } = source;
  return async (z0, z1, y0, y1, into, options) => {
    const rows = y1 - y0;
    const [from, to] = fy ? [height - y1, height - y0] : [y0, y1];
    const [first, last] = fz ? [depth - z1, depth - z0] : [z0, z1];
    const count = (z1 - z0) * rows * width * channels;
    await source.read(first, last, from, to, into, options);
    const part = into.subarray(0, count) as PixelArray;
    const size = { width, height: rows, depth: z1 - z0, channels };
    part.set(reordered({ data: part, ...size }, { order: IDENTITY.order, flips: [fx, fy, fz] }));
  };
}

/** Reads rows of a Source whose axes are exchanged, from the whole image in memory. */
function exchangedRead(source: Source, by: Pick<Match, "order" | "flips">): Source["read"] {
  let pixels: Promise<PixelArray> | undefined;
  const { width, height } = orderedSize(source, by);
  const row = width * (source.channels ?? 1);
  const load = async (options: Parameters<Source["read"]>[5]): Promise<PixelArray> => {
    const { depth = 1, channels = 1, type } = source;
    const data = new ARRAYS[type](source.width * source.height * depth * channels);
    // A slice at a time: bands of a Source are of bounded size.
    for (let z = 0; z < depth; z++) {
      const slice = source.width * source.height * channels;
      const part = data.subarray(z * slice, (z + 1) * slice) as PixelArray;
      await source.read(z, z + 1, 0, source.height, part, options);
    }
    return reordered({ ...source, data } as Raster, by);
  };
  return async (z0, z1, y0, y1, into, options) => {
    pixels ??= load(options);
    pixels.catch(() => {
      pixels = undefined;
    });
    const data = await pixels;
    for (let z = z0; z < z1; z++) {
      const from = (z * height + y0) * row;
      const part = data.subarray(from, from + (y1 - y0) * row);
      into.set(part, (z - z0) * (y1 - y0) * row);
    }
  };
}

/** Bytes that an image takes whose axes are exchanged: it is in memory twice while it is turned. */
export function exchangeBytes(pixels: Raster | Source): number {
  const { width, height, depth = 1, channels = 1 } = pixels;
  const type = "data" in pixels ? typeOfArray(pixels.data) : pixels.type;
  return 2 * width * height * depth * channels * ARRAYS[type].BYTES_PER_ELEMENT;
}

// The layout of written images: levels, chunks and shards of a label image inside an image, or of a separate image.

import { defined } from "skerry/internal";
import { movedTo, type Triple } from "../affine.js";
import { STORED_BYTES } from "../bytes.js";
import { UsageError } from "../errors.js";
import { lengthUnitOf, originOf, type Space, spacingOf } from "../space.js";
import { unitName } from "../units.js";
import type { Codec } from "./codecs.js";
import type { WrittenType } from "./levels.js";
import { type Axis, type Level, type OmeVersion, placeOfLevel, type StoredPlace } from "./ome.js";
import { type OpenedImage, openImage, readNode } from "./open.js";
import type { Downsampling } from "./pyramid.js";
import { writablePlace, writableStore } from "./store/open.js";
import type { WritableStore } from "./store/store.js";

/** Options of {@link zarrSink}. */
export interface ZarrSinkOptions {
  /** Name below `labels` where `url` is an image; `"labels"` by default. */
  readonly name?: string;
  /** Type of the values: u32 for labels (default), f32 or u16 for distances, u8 for classes. */
  readonly type?: WrittenType;
  /** Whether values are labels, or classes, rather than measured; true by default, except for f32. */
  readonly labels?: boolean;
  /** Size in pixels; by default that of the image's level. Required if `url` is no image yet. */
  readonly width?: number;
  readonly height?: number;
  readonly depth?: number;
  /** The level of the image that the values have, 0 by default. Smaller levels are written, too. */
  readonly level?: number;
  /** Time and place of the first pixel in the image: index, and x, y, z in pixels of the level. */
  readonly time?: number;
  readonly origin?: readonly [number, number, number];
  /** Sides of a pixel, their unit and the place of the first pixel, if `url` is no image yet. */
  readonly space?: Space | undefined;
  /** Sides of a chunk, x, y, z; by default those of the image, else 64 x 64 x 64, or 512 x 512. */
  readonly chunks?: readonly number[];
  /** Sides of a shard, x, y, z, multiples of a chunk's; by default the image's, else none. For version 0.5 only. */
  readonly shards?: readonly number[];
  /** How chunks are packed: zstd of level 1 by default. */
  readonly codec?: Codec;
  /** Version of OME-Zarr; the image's by default, else 0.5. */
  readonly version?: OmeVersion;
  /**
   * Downsampling to smaller versions: `"nearest"` (default) takes the first of the pixels that become one, `"mode"` their most
   * frequent label.
   */
  readonly downsample?: Downsampling;
  /** Replaces what is there under the name. */
  readonly overwrite?: boolean;
}

/** Numbers along z, y and x. */
export type Three = readonly [number, number, number];

/** Most bytes of a level's rows that wait for whole chunks. Default chunks are halved until they fit, or are 1 thick. */
const MOST_SLAB_BYTES = 128 * 2 ** 20;

export async function planOf(url: string, options: ZarrSinkOptions): Promise<Plan> {
  const path = url.replace(/(?<=.)\/+$/, "");
  const image = await imageAt(path);
  if (!image) return planAlone(path, options);
  // A separate label image is replaced by its name, like one inside an image.
  const { isLabels, ome = "" } = image;
  return isLabels
    ? planAlone(path, { ...options, version: options.version ?? checkVersion(ome, path) })
    : planInside(path, image, options);
}

/** The image at a path; undefined if the path is free. */
async function imageAt(path: string): Promise<OpenedImage | undefined> {
  const store = writableStore(path);
  const node = await readNode(store);
  if (!node) {
    // In a bucket an image that was not finished is objects that nothing names.
    if (!store.hasFolders || (await store.list("")).length === 0) return undefined;
    throw new UsageError(
      `Expected ${path} to be an OME-Zarr image, or not to be there, got a folder without metadata.`,
    );
  }
  return openImage(store);
}

/** Place and layout of an image that is written. */
export interface Plan {
  /** The parent of its folder, and the name of its folder. */
  readonly parent: WritableStore;
  readonly name: string;
  /** Its name in the metadata. */
  readonly title: string;
  readonly version: OmeVersion;
  readonly axes: readonly Axis[];
  /** Levels: sizes, chunks and shards along all axes. */
  readonly levels: readonly PlannedLevel[];
  readonly isLabels: boolean;
  /** Whether it lies inside an image, whose metadata list it. */
  readonly isInside: boolean;
  /** A place that scales and translations cannot tell. */
  readonly place?: StoredPlace | undefined;
}

export interface PlannedLevel extends Level {
  readonly shape: readonly number[];
  readonly chunks: readonly number[];
  readonly shards: readonly number[] | undefined;
}

function checkVersion(version: string, shown: string): OmeVersion {
  if (version === "0.4" || version === "0.5") return version;
  throw new UsageError(`Expected OME-Zarr 0.4 or 0.5 to write to, got ${version} in ${shown}, which is read alone.`);
}

/** A plan for a label image inside an image. */
async function planInside(path: string, image: OpenedImage, options: ZarrSinkOptions): Promise<Plan> {
  const { name = "labels", type = "u32", level = 0, time, origin = [0, 0, 0] } = options;
  if (!(options.labels ?? type !== "f32")) {
    throw new UsageError(
      `Expected a new name for distances, such as distances.zarr, got ${path}, which is an image: its labels are whole numbers.`,
    );
  }
  if (image.ome === undefined) throw new UsageError(`Expected an OME-Zarr image for labels in ${path}, got an array.`);
  if (!/^[^/\\.][^/\\]*$/.test(name)) {
    throw new UsageError(`Expected a name of a folder for labels, without / and no dot at its beginning, got ${name}.`);
  }
  const storeVersion = checkVersion(image.ome, path);
  const version = options.version ?? storeVersion;
  if ((version === "0.4") !== (storeVersion === "0.4")) {
    throw new UsageError(`Expected the version of ${path}, ${storeVersion}, for labels inside it, got ${version}.`);
  }
  const { axes, levels } = image;
  const arrays = await Promise.all(levels.slice(level).map((_, i) => image.array(level + i)));
  if (arrays.length === 0) throw new UsageError(`Expected a level of ${path} below ${levels.length}, got ${level}.`);
  const [first] = arrays;
  const space = spaceOf(axes);
  const alongDimensions = alongSpace(space, first.shape);
  const size = sizeOf(options, alongDimensions);
  const isWhole = size.every((side, i) => side === alongDimensions[i]) && origin.every((at) => at === 0);
  for (const [i, side] of size.entries()) {
    if (side + origin[2 - i] <= alongDimensions[i]) continue;
    throw new UsageError(
      `Expected the pixels to lie within level ${level} of ${path}, got ${size.join(" x ")} from ${origin.join(",")}.`,
    );
  }
  const planned: PlannedLevel[] = [];
  for (const [i, array] of arrays.entries()) {
    const shape = axes.map((_, dimension) => {
      const at = space.indexOf(dimension);
      if (at < 0) return 1;
      return isWhole ? array.shape[dimension] : Math.ceil((size[at] * array.shape[dimension]) / first.shape[dimension]);
    });
    const along = (numbers: readonly number[]): number[] =>
      numbers.map((side, dimension) => (space.includes(dimension) ? side : 1));
    // Smaller levels have no larger chunks than the first, so that fewer rows wait for them.
    const most = planned[0]?.chunks;
    const sides = along(array.chunks).map((side, dimension) => Math.min(side, most?.[dimension] ?? side));
    const chunks = chunksOf(options.chunks, sides, space, shape, type);
    // Chunks that were made smaller have no shards of the image's size.
    const shards =
      version === "0.5"
        ? shardsOf(options.shards, array.shards && along(array.shards), space, chunks, shape)
        : noShards(options.shards);
    const { scale, translation } = levels[level + i];
    const moved = translation.map((at, dimension) => {
      const axis = space.indexOf(dimension);
      if (axis >= 0) return at + origin[2 - axis] * levels[level].scale[dimension];
      return axes[dimension].name === "t" && time !== undefined ? at + time * scale[dimension] : at;
    });
    // Levels of an image in a bucket lie below a name of their own.
    const name = levels[level + i].path;
    planned.push({
      path: name.includes("/") ? `${level + i}` : name,
      scale,
      translation: moved,
      shape,
      chunks,
      shards,
    });
  }
  return {
    parent: writableStore(path).at("labels"),
    name,
    title: name,
    version,
    axes,
    levels: planned,
    isLabels: true,
    isInside: true,
    place: insidePlace(image, level, origin),
  };
}

/** The place of labels inside an image that has one of skerry's. */
function insidePlace(image: OpenedImage, level: number, origin: Triple): StoredPlace | undefined {
  if (!image.place) return undefined;
  const place = placeOfLevel(image.place, image, level);
  return { ...place, toWorld: movedTo(place.toWorld, origin) };
}

/** The metadata of a Space: scale and translation where they tell the place, else the place as skerry writes it. */
function storedOf(space: Space | undefined): {
  readonly sides: readonly number[];
  readonly unit?: string | undefined;
  readonly origin: readonly number[];
  readonly place?: StoredPlace | undefined;
} {
  if (!space) return { sides: [], origin: [] };
  const origin = originOf(space);
  const { toWorld, crs } = space;
  const place: StoredPlace | undefined = toWorld && (crs || !origin) ? defined({ toWorld, crs }) : undefined;
  return { sides: spacingOf(space) ?? [], unit: lengthUnitOf(space), origin: origin ?? [], place };
}

/** A plan for a separate image. */
function planAlone(path: string, options: ZarrSinkOptions): Plan {
  const { type = "u32", width, height, depth = 1, space: givenSpace } = options;
  const { sides, unit, origin, place } = storedOf(givenSpace);
  if (width === undefined || height === undefined) {
    throw new UsageError(`Expected width and height for ${path}, an image of its own.`);
  }
  const version = checkVersion(options.version ?? "0.5", path);
  const names = depth > 1 ? ["z", "y", "x"] : ["y", "x"];
  const long = unitName(unit);
  const axes = names.map((name): Axis => ({ name, type: "space", unit: long }));
  const reversed = <T>(numbers: readonly T[], otherwise: T): T[] =>
    names.map((_, i) => numbers[names.length - 1 - i] ?? otherwise);
  const space = spaceOf(axes);
  const levels: PlannedLevel[] = [];
  let shape = depth > 1 ? [depth, height, width] : [height, width];
  let scale = reversed(sides, 1);
  for (;;) {
    const asked = depth > 1 ? [64, 64, 64] : [512, 512];
    const chunks = chunksOf(options.chunks, asked, space, shape, type);
    const shards =
      version === "0.5" ? shardsOf(options.shards, undefined, space, chunks, shape) : noShards(options.shards);
    levels.push({ path: `${levels.length}`, scale, translation: reversed(origin, 0), shape, chunks, shards });
    // Smaller versions down to one chunk.
    if (shape.every((side, i) => side <= chunks[i])) break;
    const halved = shape.map((side, i) => (side > chunks[i] || side > Math.max(...shape) / 2 ? 2 : 1));
    shape = shape.map((side, i) => Math.ceil(side / halved[i]));
    scale = scale.map((side, i) => side * halved[i]);
  }
  const { parent, name } = writablePlace(path);
  return {
    parent,
    name,
    title: name.replace(/(\.ome)?\.zarr$/i, ""),
    version,
    axes,
    levels,
    isLabels: options.labels ?? type !== "f32",
    isInside: false,
    place,
  };
}

/** Dimensions of z, y and x. */
export function spaceOf(axes: readonly Axis[]): readonly (number | undefined)[] {
  return ["z", "y", "x"].map((name) => {
    const at = axes.findIndex((axis) => axis.name === name);
    return at < 0 ? undefined : at;
  });
}

/** The numbers of z, y and x; 1 for missing dimensions. */
export function alongSpace(space: readonly (number | undefined)[], numbers: readonly number[]): Three {
  return space.map((dimension) => (dimension === undefined ? 1 : numbers[dimension])) as unknown as Three;
}

function sizeOf({ width, height, depth }: ZarrSinkOptions, stored: Three): Three {
  return [depth ?? stored[0], height ?? stored[1], width ?? stored[2]];
}

/** Chunks along all dimensions: as requested, else those of the image, but thinner if too many rows would wait for them. */
function chunksOf(
  asked: readonly number[] | undefined,
  given: readonly number[],
  space: readonly (number | undefined)[],
  shape: readonly number[],
  type: WrittenType,
): number[] {
  const sides = given.map((side, dimension) => {
    const at = space.indexOf(dimension);
    return Math.min(shape[dimension], (at >= 0 ? asked?.[2 - at] : undefined) ?? side);
  });
  if (sides.some((side) => !Number.isInteger(side) || side < 1)) {
    throw new UsageError(`Expected chunks of whole sides of at least 1, got ${asked}.`);
  }
  if (asked) return sides;
  const [z, y, x] = space;
  const outer = z !== undefined && shape[z] > 1 ? z : (y as number);
  const rest = outer === z ? shape[y as number] * shape[x as number] : shape[x as number];
  while (sides[outer] > 1 && sides[outer] * rest * bytesOf(type) > MOST_SLAB_BYTES)
    sides[outer] = Math.ceil(sides[outer] / 2);
  return sides;
}

function shardsOf(
  asked: readonly number[] | undefined,
  given: readonly number[] | undefined,
  space: readonly (number | undefined)[],
  chunks: readonly number[],
  shape: readonly number[],
): number[] | undefined {
  if (!asked && !given) return undefined;
  const sides = chunks.map((chunk, dimension) => {
    const at = space.indexOf(dimension);
    const side = (at >= 0 ? asked?.[2 - at] : undefined) ?? given?.[dimension] ?? chunk;
    // A chunk that spans the whole side, as at small levels, is one shard along it.
    if (chunk === shape[dimension] && side % chunk !== 0) return chunk;
    return asked ? side : Math.ceil(side / chunk) * chunk;
  });
  if (sides.every((side, i) => Number.isInteger(side) && side >= chunks[i] && side % chunks[i] === 0)) return sides;
  throw new UsageError(
    `Expected sides of shards to be multiples of those of chunks, ${chunks.join(" x ")}, got ${sides.join(" x ")}.`,
  );
}

function noShards(asked: readonly number[] | undefined): undefined {
  if (asked) throw new UsageError("Expected no shards for OME-Zarr 0.4, whose Zarr 2 has none.");
}

/** Refuses a name that is taken. */
export async function checkName({ parent, name }: Plan, overwrite: boolean): Promise<void> {
  if (overwrite) return;
  const there = parent.at(name);
  if (await readNode(there)) throw new UsageError(`Expected --overwrite for ${there.url}, which is there already.`);
  if (!parent.hasFolders || (await there.list("")).length === 0) return;
  throw new UsageError(
    `Expected ${there.url} to be an image or not to be there, got a folder without metadata; delete it.`,
  );
}
/**
 * Refuses a name that a run claims, which has moved away what bore it.
 * @throws UsageError for the name of a run that has not ended
 */
export async function checkClaim({ parent, name }: Plan): Promise<void> {
  const claim = `.${name}.claim`;
  const bytes = await parent.get(claim);
  if (bytes === undefined) return;
  const run = /"run":"([0-9a-f]+)"/.exec(new TextDecoder().decode(bytes))?.[1] ?? "of skerry cluster submit";
  throw new UsageError(
    `Expected ${parent.at(name).url} to be free, but run ${run} writes it: let it finish, or remove it with skerry cluster clean (its claim is ${parent.at(claim).url}).`,
  );
}

/** Bytes of a written value. */
export function bytesOf(type: WrittenType): number {
  return type === "u64" ? 8 : STORED_BYTES[type];
}

// Images into Zarr as Sinks: label images inside an image or by themselves, distances, classes. Everything is written under a name that no
// reader looks for, its metadata last, and then takes its own name, so that nothing is there before it is whole.

import { randomBytes } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { objectColour, palette, STORED_BYTES, UsageError } from "@skerry/files";
import type { PixelArray, Sink } from "skerry";
import { type Band, type Four, valuesOf } from "./chunk.js";
import { type Codec, codecsOf, compressorOf } from "./codecs.js";
import { ZarrError } from "./errors.js";
import type { FilledChunk, ZarrFilled } from "./fill.js";
import { LevelWriter, type WrittenType } from "./levels.js";
import { isRemote } from "./names.js";
import { type Axis, attributesOf, type Level, labelsAttributes, labelsOf, longUnit, type OmeVersion } from "./ome.js";
import { type OpenedImage, openImage, readJson, readNode } from "./open.js";
import { sharedPool } from "./pool.js";
import { type Downsampling, isWhole } from "./pyramid.js";
import { Shards, shardingOf } from "./shard.js";
import { FileStore } from "./store/file.js";
import { keyOf, type WritableStore } from "./store/store.js";

/** Options of {@link zarrSink}. */
export interface ZarrSinkOptions {
  /** Name below `labels` where `url` is an image; `"labels"` by default. */
  readonly name?: string;
  /** Type of the values: u32 for labels (default), f32 or u16 for distances, u8 for classes. */
  readonly type?: WrittenType;
  /** Whether values are labels, or classes, rather than measured; true by default but for f32. */
  readonly labels?: boolean;
  /** Size in pixels; by default that of the image's level. Needed where `url` is no image yet. */
  readonly width?: number;
  readonly height?: number;
  readonly depth?: number;
  /** The level of the image that the values belong to, 0 by default: levels below it are written, too. */
  readonly level?: number;
  /** Time and place of the first pixel in the image: index, and x, y, z in pixels of the level. */
  readonly time?: number;
  readonly origin?: readonly [number, number, number];
  /** Size of a pixel and its unit where `url` is no image yet: x, y, z. */
  readonly spacing?: readonly number[];
  readonly unit?: string | undefined;
  /** Position of the first pixel in the unit, x, y, z, where `url` is no image yet. */
  readonly translation?: readonly number[];
  /** Sides of a chunk, x, y, z; by default those of the image, else 64 x 64 x 64, or 512 x 512. */
  readonly chunks?: readonly number[];
  /** Sides of a shard, x, y, z, multiples of a chunk's; by default the image's, else none. For 0.5 alone. */
  readonly shards?: readonly number[];
  /** How chunks are packed: zstd of level 1 by default. */
  readonly codec?: Codec;
  /** Version of OME-Zarr; the image's by default, else 0.5. */
  readonly version?: OmeVersion;
  /** How smaller versions are made: `"nearest"` (default) takes the first pixel of each block, `"mode"` its most frequent label. */
  readonly downsample?: Downsampling;
  /** Replaces what is there under the name. */
  readonly overwrite?: boolean;
}

/** A Sink into Zarr, which is there once it was finished. */
export interface ZarrSink<T extends PixelArray = Uint32Array> extends Sink<T> {
  readonly shared: true;
  /** Path of the finished image. */
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  /** A folder for files beside the arrays, such as tables; it takes its name with the image. */
  readonly folder: string;
  /** Bytes of chunks that were written. */
  readonly bytes: number;
  /**
   * Writes the metadata, and gives everything its name.
   * @param told the number of labels, for their colours: those of overlays, up to 1000 labels
   * @throws ZarrError if rows are missing, or if the disk is full
   */
  finish(told?: { readonly count?: number }): Promise<void>;
  /** Writes a fill instead of rows: a 1 in its pixels, and its chunks alone. */
  paint(filled: Pick<ZarrFilled, "chunks">): Promise<void>;
  /** Removes what was written. */
  discard(): Promise<void>;
}

type Three = readonly [number, number, number];

/** Most labels whose colours are written: viewers have colours of their own for more. */
const MOST_COLOURS = 1000;
/** Most bytes of rows that wait for their chunks, unless a chunk alone takes more. */
const MOST_SLAB_BYTES = 128 * 2 ** 20;

const DATA_TYPES = { u8: "uint8", u16: "uint16", u32: "uint32", f32: "float32" } as const;
const DTYPES = { u8: "|u1", u16: "<u2", u32: "<u4", f32: "<f4" } as const;

/**
 * Begins an image in Zarr: a label image inside the image that is at `url`, or an image of its own where nothing is there. Runs in Node.
 *
 * A label image has the axes, the levels and the version of its image. Chunks of nothing but 0 are not written. Chunks are packed in
 * worker threads; rows wait in memory until their chunks are whole: at most 170 MiB for chunks of the default size.
 *
 * @throws ZarrError if the store cannot be written
 * @throws UsageError for a version that is not written, for sizes that disagree, and for a name that is taken, without `overwrite`
 * @example
 * const sink = await zarrSink("brain.zarr", { name: "cells" });
 * await cells.labels({ into: sink });
 * await sink.finish({ count: cells.count });
 */
export async function zarrSink<T extends PixelArray = Uint32Array>(
  url: string,
  options: ZarrSinkOptions = {},
): Promise<ZarrSink<T>> {
  const plan = await planOf(url, options);
  await checkName(plan, options.overwrite ?? false);
  return (await Writer.begin(plan, options)) as unknown as ZarrSink<T>;
}

/**
 * Refuses what {@link zarrSink} refuses, before anything is computed for it.
 * @throws UsageError, ZarrError
 */
export async function checkSink(url: string, options: ZarrSinkOptions): Promise<void> {
  await checkName(await planOf(url, options), options.overwrite ?? false);
}

async function planOf(url: string, options: ZarrSinkOptions): Promise<Plan> {
  if (isRemote(url)) {
    throw new UsageError(`Expected a folder to write to, got ${url}: stores behind HTTP are read alone.`);
  }
  const path = url.replace(/(?<=.)\/+$/, "");
  const image = await imageAt(path);
  if (!image) return planAlone(path, options);
  // A label image of its own is replaced like one inside an image, by its name.
  const { isLabels, ome = "" } = image;
  return isLabels
    ? planAlone(path, { ...options, version: options.version ?? checkVersion(ome, path) })
    : planInside(path, image, options);
}

/** The image at a path; undefined where nothing is. */
async function imageAt(path: string): Promise<OpenedImage | undefined> {
  const store = new FileStore(path);
  const node = await readNode(store);
  if (!node) {
    if ((await store.list("")).length === 0) return undefined;
    throw new UsageError(
      `Expected ${path} to be an OME-Zarr image, or not to be there, got a folder without metadata.`,
    );
  }
  return openImage(store);
}

/** Place and layout of an image that is written. */
interface Plan {
  /** The folder that its own folder lies in, and its name. */
  readonly parent: FileStore;
  readonly name: string;
  /** Its name in the metadata. */
  readonly title: string;
  readonly version: OmeVersion;
  readonly axes: readonly Axis[];
  /** Levels: sizes, chunks and shards along all axes. */
  readonly levels: readonly PlannedLevel[];
  readonly isLabels: boolean;
  /** Whether it lies inside an image, which lists it. */
  readonly isInside: boolean;
}

interface PlannedLevel extends Level {
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
  const own = checkVersion(image.ome, path);
  const version = options.version ?? own;
  if ((version === "0.4") !== (own === "0.4")) {
    throw new UsageError(`Expected the version of ${path}, ${own}, for labels inside it, got ${version}.`);
  }
  const { axes, levels } = image;
  const arrays = await Promise.all(levels.slice(level).map((_, i) => image.array(level + i)));
  if (arrays.length === 0) throw new UsageError(`Expected a level of ${path} below ${levels.length}, got ${level}.`);
  const [first] = arrays;
  const space = spaceOf(axes);
  const whole = alongSpace(space, first.shape);
  const size = sizeOf(options, whole);
  const isWhole = size.every((side, i) => side === whole[i]) && origin.every((at) => at === 0);
  for (const [i, side] of size.entries()) {
    if (side + origin[2 - i] <= whole[i]) continue;
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
    // Levels below have no larger chunks than the first, so that the rows that wait for them are fewer.
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
    planned.push({ path: levels[level + i].path, scale, translation: moved, shape, chunks, shards });
  }
  return {
    ...{ parent: new FileStore(join(path, "labels")), name, title: name, version, axes, levels: planned },
    ...{ isLabels: true, isInside: true },
  };
}

/** A plan for an image of its own. */
function planAlone(path: string, options: ZarrSinkOptions): Plan {
  const { type = "u32", width, height, depth = 1, spacing = [], translation = [], unit } = options;
  if (width === undefined || height === undefined) {
    throw new UsageError(`Expected width and height for ${path}, an image of its own.`);
  }
  const version = checkVersion(options.version ?? "0.5", path);
  const names = depth > 1 ? ["z", "y", "x"] : ["y", "x"];
  const long = longUnit(unit);
  const axes = names.map((name): Axis => ({ name, type: "space", unit: long }));
  const reversed = <T>(numbers: readonly T[], otherwise: T): T[] =>
    names.map((_, i) => numbers[names.length - 1 - i] ?? otherwise);
  const space = spaceOf(axes);
  const levels: PlannedLevel[] = [];
  let shape = depth > 1 ? [depth, height, width] : [height, width];
  let scale = reversed(spacing, 1);
  for (;;) {
    const asked = depth > 1 ? [64, 64, 64] : [512, 512];
    const chunks = chunksOf(options.chunks, asked, space, shape, type);
    const shards =
      version === "0.5" ? shardsOf(options.shards, undefined, space, chunks, shape) : noShards(options.shards);
    levels.push({ path: `${levels.length}`, scale, translation: reversed(translation, 0), shape, chunks, shards });
    // Smaller versions down to one chunk.
    if (shape.every((side, i) => side <= chunks[i])) break;
    const halved = shape.map((side, i) => (side > chunks[i] || side > Math.max(...shape) / 2 ? 2 : 1));
    shape = shape.map((side, i) => Math.ceil(side / halved[i]));
    scale = scale.map((side, i) => side * halved[i]);
  }
  return {
    ...{
      parent: new FileStore(dirname(path)),
      name: basename(path),
      title: basename(path).replace(/(\.ome)?\.zarr$/i, ""),
    },
    ...{ version, axes, levels },
    ...{ isLabels: options.labels ?? type !== "f32", isInside: false },
  };
}

/** Dimensions of z, y and x. */
function spaceOf(axes: readonly Axis[]): readonly (number | undefined)[] {
  return ["z", "y", "x"].map((name) => {
    const at = axes.findIndex((axis) => axis.name === name);
    return at < 0 ? undefined : at;
  });
}

/** Numbers of z, y and x; 1 for those that there are not. */
function alongSpace(space: readonly (number | undefined)[], numbers: readonly number[]): Three {
  return space.map((dimension) => (dimension === undefined ? 1 : numbers[dimension])) as unknown as Three;
}

function sizeOf({ width, height, depth }: ZarrSinkOptions, whole: Three): Three {
  return [depth ?? whole[0], height ?? whole[1], width ?? whole[2]];
}

/** Chunks along all dimensions: as asked for, else as the image has them, but thinner where too many rows would wait. */
function chunksOf(
  asked: readonly number[] | undefined,
  own: readonly number[],
  space: readonly (number | undefined)[],
  shape: readonly number[],
  type: WrittenType,
): number[] {
  const sides = own.map((side, dimension) => {
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
  while (sides[outer] > 1 && sides[outer] * rest * STORED_BYTES[type] > MOST_SLAB_BYTES)
    sides[outer] = Math.ceil(sides[outer] / 2);
  return sides;
}

function shardsOf(
  asked: readonly number[] | undefined,
  own: readonly number[] | undefined,
  space: readonly (number | undefined)[],
  chunks: readonly number[],
  shape: readonly number[],
): number[] | undefined {
  if (!asked && !own) return undefined;
  const sides = chunks.map((chunk, dimension) => {
    const at = space.indexOf(dimension);
    const side = (at >= 0 ? asked?.[2 - at] : undefined) ?? own?.[dimension] ?? chunk;
    // A chunk that is the whole side, as at small levels, is a shard of its own along it.
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
async function checkName({ parent, name }: Plan, overwrite: boolean): Promise<void> {
  if (overwrite) return;
  const there = parent.at(name);
  if (await readNode(there)) throw new UsageError(`Expected --overwrite for ${there.url}, which is there already.`);
  if ((await there.list("")).length === 0) return;
  throw new UsageError(
    `Expected ${there.url} to be an image or not to be there, got a folder without metadata; delete it.`,
  );
}

class Writer implements ZarrSink<PixelArray> {
  readonly shared = true;
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly folder: string;
  bytes = 0;

  readonly #plan: Plan;
  readonly #options: ZarrSinkOptions;
  readonly #store: WritableStore;
  readonly #unfinished: string;
  readonly #writers: LevelWriter[] = [];
  readonly #shards: Shards[] = [];
  readonly #writeChunk: ((at: Three, bytes: Uint8Array) => Promise<void>)[] = [];
  readonly #writing = new Set<Promise<void>>();
  #isPainted = false;
  #ended = false;

  static async begin(plan: Plan, options: ZarrSinkOptions): Promise<Writer> {
    const unfinished = `.${plan.name}.unfinished`;
    // An interrupted run left this.
    await plan.parent.remove(unfinished);
    return new Writer(plan, options, unfinished);
  }

  constructor(plan: Plan, options: ZarrSinkOptions, unfinished: string) {
    this.#plan = plan;
    this.#options = options;
    this.#unfinished = unfinished;
    this.#store = plan.parent.at(unfinished);
    this.url = plan.parent.at(plan.name).url;
    this.folder = this.#store.url;
    const space = spaceOf(plan.axes);
    const three = (numbers: readonly number[]): Three => alongSpace(space, numbers);
    [this.depth, this.height, this.width] = three(plan.levels[0].shape);
    const { type = "u32", codec = { name: "zstd" }, downsample = "nearest" } = options;
    const pool = sharedPool();
    const axis: 0 | 1 = this.depth > 1 ? 0 : 1;
    // From the smallest level on, which nothing follows.
    for (const level of [...plan.levels].reverse()) {
      const { path, shape, chunks, shards } = level;
      const size = three(shape);
      const inside = shards?.map((side, i) => side / chunks[i]);
      const own = inside && new Shards(this.#store, path, inside);
      if (own) this.#shards.push(own);
      const dimension = space[axis] as number;
      const put = async (at: Three, bytes: Uint8Array): Promise<void> => {
        const coordinates = plan.axes.map((_, i) => (space.includes(i) ? at[space.indexOf(i)] : 0));
        this.bytes += bytes.length;
        if (own) return own.append(coordinates, bytes);
        const prefix = plan.version === "0.4" ? path : keyOf(path, "c");
        return this.#store.set(keyOf(prefix, coordinates.join("/")), bytes);
      };
      const write = async (at: Three, bytes: Uint8Array): Promise<void> => {
        if (this.#ended) return;
        const writing = put(at, bytes);
        this.#writing.add(writing);
        await writing.finally(() => this.#writing.delete(writing));
      };
      this.#writeChunk.unshift(write);
      const outer = inside && { dimension, inside: inside[dimension] };
      const plans = { axis, size, chunks: three(chunks), type, codec, downsample, write, shards: own, outer };
      this.#writers.unshift(new LevelWriter(plans, pool, this.#writers[0]));
    }
  }

  async write(_z0: number, _z1: number, _y0: number, _y1: number, data: PixelArray): Promise<void> {
    await this.#writers[0].write(data);
  }

  /**
   * Writes a 1 where a fill is, and no other chunk than those that it reaches. Smaller versions have a 1 where the first pixel of their
   * block is filled.
   */
  async paint({ chunks: filled }: Pick<ZarrFilled, "chunks">): Promise<void> {
    const { levels, axes } = this.#plan;
    const space = spaceOf(axes);
    const { type = "u32", codec = { name: "zstd" } } = this.#options;
    const three = (numbers: readonly number[]): Three => alongSpace(space, numbers);
    const whole = three(levels[0].shape);
    for (const [level, { shape, chunks }] of levels.entries()) {
      const size = three(shape);
      const sides = three(chunks);
      const factors = size.map((side, i) => Math.round(whole[i] / side));
      if (size.some((side, i) => !isWhole(side, whole[i]))) {
        throw new UsageError(`Expected levels of whole factors for a fill in ${this.url}, got ${size.join(" x ")}.`);
      }
      for (const [at, own] of groupedBy(filled, size, sides, factors)) {
        const buffer = new SharedArrayBuffer(sides[0] * sides[1] * sides[2] * STORED_BYTES[type]);
        const band: Band = { buffer, type, offset: 0, strides: [sides[1] * sides[2], sides[2], 1, 1] };
        const box: Four = [
          Math.min(sides[0], size[0] - at[0] * sides[0]),
          Math.min(sides[1], size[1] - at[1] * sides[1]),
          Math.min(sides[2], size[2] - at[2] * sides[2]),
          1,
        ];
        for (const chunk of own) paintRuns(chunk, valuesOf(band), { at, sides, box, factors });
        const job = { kind: "encode", band, from: 0, box, shape: [...sides, 1], fill: 0, codec } as const;
        const { bytes: packed } = await sharedPool().run(job);
        if (packed) await this.#writeChunk[level](at, packed);
      }
    }
    this.#isPainted = true;
  }

  async finish({ count }: { count?: number } = {}): Promise<void> {
    if (this.#ended) return;
    for (const [level, writer] of this.#writers.entries()) {
      if (!writer.isWhole && !this.#isPainted)
        throw new ZarrError("unwritable", `Could not write ${this.url}: rows of level ${level} are missing.`);
    }
    for (const shards of this.#shards) await shards.finish();
    const { parent, name, title, version, axes, levels, isLabels, isInside } = this.#plan;
    const store = this.#store;
    for (const level of levels) await this.#writeArray(level);
    const colours = palette();
    const colors =
      isLabels && count !== undefined && count <= MOST_COLOURS
        ? Array.from({ length: count }, (_, i) => [i + 1, [...objectColour(colours, i + 1), 255]] as const)
        : undefined;
    const labels = isLabels ? { colors, source: isInside ? "../../" : undefined } : undefined;
    const downsampling = levels.length > 1 ? (this.#options.downsample ?? "nearest") : undefined;
    await writeGroup(store, version, attributesOf(version, { name: title, axes, levels, labels, downsampling }));
    // The old one is there until the new one takes its name.
    const replaced = `.${name}.${randomBytes(6).toString("base64url")}.replaced`;
    const isThere = (await parent.list(name)).length > 0;
    if (isThere) await parent.rename(name, replaced);
    await parent.rename(this.#unfinished, name);
    if (isThere) await parent.remove(replaced);
    if (isInside) await listLabels(parent, version, name);
    this.#ended = true;
  }

  async discard(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    // Chunks that are on their way would come after their folder is gone.
    await Promise.allSettled(this.#writing);
    for (const shards of this.#shards) await shards.discard();
    await this.#plan.parent.remove(this.#unfinished);
  }

  async #writeArray({ path, shape, chunks, shards }: PlannedLevel): Promise<void> {
    const { version, axes } = this.#plan;
    const { type = "u32", codec = { name: "zstd" } } = this.#options;
    if (version === "0.4") {
      const compressor = compressorOf(codec);
      await writeJson(this.#store, keyOf(path, ".zarray"), {
        ...{ zarr_format: 2, shape, chunks, dtype: DTYPES[type], compressor, fill_value: 0, order: "C", filters: null },
        dimension_separator: "/",
      });
      return;
    }
    const codecs = codecsOf(codec, STORED_BYTES[type]);
    await writeJson(this.#store, keyOf(path, "zarr.json"), {
      ...{ zarr_format: 3, node_type: "array", shape, data_type: DATA_TYPES[type] },
      chunk_grid: { name: "regular", configuration: { chunk_shape: shards ?? chunks } },
      chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
      fill_value: 0,
      codecs: shards ? [shardingOf(chunks, codecs)] : codecs,
      attributes: {},
      dimension_names: axes.map(({ name }) => name),
    });
  }
}

/** Chunks of a fill by the chunks of a level that they are seen in. */
function groupedBy(
  filled: readonly FilledChunk[],
  size: Three,
  sides: Three,
  factors: readonly number[],
): [Three, FilledChunk[]][] {
  const groups = new Map<string, [Three, FilledChunk[]]>();
  for (const chunk of filled) {
    const first = [chunk.z, chunk.y, chunk.x].map((at, i) => Math.floor(at / factors[i] / sides[i]));
    const last = [chunk.z + chunk.depth, chunk.y + chunk.height, chunk.x + chunk.width].map((end, i) =>
      Math.floor(Math.min(size[i] - 1, (end - 1) / factors[i]) / sides[i]),
    );
    for (let kz = first[0]; kz <= last[0]; kz++) {
      for (let ky = first[1]; ky <= last[1]; ky++) {
        for (let kx = first[2]; kx <= last[2]; kx++) {
          const key = `${kz}/${ky}/${kx}`;
          const group = groups.get(key) ?? [[kz, ky, kx], []];
          group[1].push(chunk);
          groups.set(key, group);
        }
      }
    }
  }
  return [...groups.values()];
}

/** Puts the runs of a chunk into a chunk of a level. */
function paintRuns(
  { x, y, z, height, runs }: FilledChunk,
  values: PixelArray,
  { at, sides, box, factors }: { at: Three; sides: Three; box: Four; factors: readonly number[] },
): void {
  for (const { row, begin, end } of runs) {
    const [slice, line] = [z + Math.floor(row / height), y + (row % height)];
    if (slice % factors[0] !== 0 || line % factors[1] !== 0) continue;
    const k = slice / factors[0] - at[0] * sides[0];
    const j = line / factors[1] - at[1] * sides[1];
    if (k < 0 || k >= box[0] || j < 0 || j >= box[1]) continue;
    const from = Math.max(0, Math.ceil((x + begin) / factors[2]) - at[2] * sides[2]);
    const to = Math.min(box[2], Math.ceil((x + end) / factors[2]) - at[2] * sides[2]);
    const first = (k * sides[1] + j) * sides[2];
    if (to > from) values.fill(1, first + from, first + to);
  }
}

async function writeJson(store: WritableStore, key: string, value: object): Promise<void> {
  await store.set(key, new TextEncoder().encode(`${JSON.stringify(value, undefined, 2)}\n`));
}

/** Writes a group: of Zarr 2 its attributes first, since the group makes it one. */
async function writeGroup(store: WritableStore, version: OmeVersion, attributes: object): Promise<void> {
  if (version === "0.4") {
    await writeJson(store, ".zattrs", attributes);
    await writeJson(store, ".zgroup", { zarr_format: 2 });
    return;
  }
  await writeJson(store, "zarr.json", { zarr_format: 3, node_type: "group", attributes });
}

/** Adds a name to the label images that an image lists. */
async function listLabels(parent: FileStore, version: OmeVersion, name: string): Promise<void> {
  const key = version === "0.4" ? ".zattrs" : "zarr.json";
  const json = (await readJson(parent, key)) ?? {};
  const before = (version === "0.4" ? json : (json.attributes ?? {})) as Record<string, unknown>;
  const names = labelsOf(before);
  if (names.includes(name)) return;
  await writeGroup(parent, version, labelsAttributes(version, before, [...names, name]));
}

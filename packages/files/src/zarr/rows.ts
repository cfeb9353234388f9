// Rows of an image in Zarr. Worker threads decode chunks into bands of whole rows, which are kept until their last row was read. A
// chunk is read once as long as rows are read in order.

import type { PixelArray, PixelType, Source } from "skerry";
import { defined } from "skerry/internal";
import type { ToWorld } from "../affine.js";
import { STORED_BYTES } from "../bytes.js";
import { UsageError } from "../errors.js";
import { type Ids, listOfIds } from "../integers.js";
import { spaceOfSlice } from "../slice.js";
import { partOf, type Space, type SpaceAxis, spaceOf } from "../space.js";
import { unitFactor } from "../units.js";
import { type Band, type Four, valuesOf } from "./chunk.js";
import { ZarrError } from "./errors.js";
import { type DecodeJob, type Done, JobError, type Jobs } from "./jobs.js";
import { placeOfLevel } from "./ome.js";
import type { ImageArray, OpenedImage } from "./open.js";
import type { Selected, ZarrSourceOptions } from "./select.js";
import type { Range, Store } from "./store/store.js";

/** Counts of what was read. */
export interface Traffic {
  /** Bytes of chunks and of indices of shards. */
  bytes: number;
  /** Chunks that were decoded. A chunk that is decoded again counts again. */
  chunks: number;
  /** Number of values that f32 rounds. */
  unlike: number;
}

/** A Source over an image in Zarr. */
export interface ZarrSource extends Source {
  readonly depth: number;
  readonly channels: number;
  readonly spacing: readonly [number, number, number];
  /** Sides of a pixel, their unit, the place of the level or of the box, and what was taken. */
  readonly space: Space;
  /** That of the whole level. */
  readonly wholeSpace: Space;
  readonly image: OpenedImage;
  readonly array: ImageArray;
  readonly level: number;
  /** Ids of 64 bits, of which pixels hold the numbers. */
  readonly ids?: Ids | undefined;
  readonly traffic: Readonly<Traffic>;
  /** Chunks that the image, or its box, has. */
  readonly chunkCount: number;
  /** Decodes all pixels directly into a buffer of at least their size, in C order, without memory for rows. */
  readInto(buffer: ArrayBufferLike): Promise<void>;
  /** Frees the memory of rows. */
  close(): void;
}

const DEFAULT_BYTES = 512 * 2 ** 20;

/** Lines of chunks whose ids are listed at a time. */
const LISTED_AT_ONCE = 8;

/** Number of last slices, or rows of an image, that are kept of each line that was read. */
const TAIL = 2;

/** Pixels [from, to) along z, y and x. */
export interface Bounds {
  readonly from: readonly [number, number, number];
  readonly to: readonly [number, number, number];
}

/** A line of chunks: those between two z and two y, over the whole width. */
interface Line {
  readonly band: Band;
  readonly loaded: Promise<unknown>;
  /** The pixels that it holds, in the picture's own coordinates. */
  readonly z: readonly [number, number];
  readonly y: readonly [number, number];
}

/** Facts about a level's pixels: of an array alone nothing but its size. */
function levelSpace(
  image: OpenedImage,
  array: ImageArray,
  level: number,
  { dimensions: [, y, x], width, height, channels }: Selected,
  { time, channel, page }: Pick<ZarrSourceOptions, "time" | "channel" | "page">,
): Space {
  const { axes, levels, place } = image;
  const found = axes.findIndex(({ name }) => name === "z");
  const z = found < 0 ? undefined : found;
  const depth = z === undefined ? 1 : array.shape[z];
  const sliceOf = (whole: Space): Space => (page === undefined ? whole : spaceOfSlice(whole, page, image.store.url));
  const { scale, translation } = levels[level];
  const along = [x, y, z];
  const sides = along.map((dimension) => (dimension === undefined ? 1 : scale[dimension]));
  const units = along.map((dimension) => (dimension === undefined ? axes[x].unit : axes[dimension].unit));
  const isSized = units.some((unit) => unit !== undefined) || sides.some((side) => side !== 1);
  const others = ["channel", "time"].flatMap((name): SpaceAxis[] => {
    const dimension = axes.findIndex((axis) => axis.name === name[0]);
    const size = dimension < 0 ? 1 : array.shape[dimension];
    return size > 1 ? [{ name: name as "channel" | "time", size }] : [];
  });
  const several = levels.length > 1 ? [{ name: "level", size: levels.length } as const] : [];
  const space = spaceOf(
    defined({
      size: { width, height, depth },
      spacing: image.ome !== undefined && isSized ? sides : undefined,
      unit: image.ome !== undefined && isSized ? units : undefined,
      others: [...others, ...several],
      taken: defined({
        time: time !== undefined && others.some(({ name }) => name === "time") ? time : undefined,
        channel: typeof channel === "number" && channels === 1 ? channel : undefined,
        level: level > 0 ? level : undefined,
      }),
    }),
  );
  if (image.ome === undefined) return sliceOf(space);
  if (place) return sliceOf({ ...space, ...placeOfLevel(place, image, level) });
  // Sides and translations in the unit of x.
  const factors = units.map((unit) => unitFactor(unit, units[0]) ?? 1);
  const toWorld = along.map((dimension, i) => [
    ...[0, 1, 2].map((k) => (k === i ? sides[i] * factors[i] : 0)),
    dimension === undefined ? 0 : translation[dimension] * factors[i],
  ]) as unknown as ToWorld;
  return sliceOf({ ...space, toWorld });
}

export class Rows implements ZarrSource {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly channels: number;
  readonly type: PixelType;
  spacing: readonly [number, number, number];
  readonly space: Space;
  readonly wholeSpace: Space;
  readonly chunkCount: number;
  nodata?: number;
  ids?: Ids;
  readonly traffic: Traffic = { bytes: 0, chunks: 0, unlike: 0 };
  readonly image: OpenedImage;
  readonly array: ImageArray;
  readonly level: number;

  readonly #selected: Selected;
  readonly #bounds: Bounds;
  readonly #options: ZarrSourceOptions;
  readonly #pool: Jobs;
  readonly #number: number;
  readonly #lines = new Map<number, Line>();
  /** The last slices, or rows of an image, of lines that were read: calls that join neighbours read them again. */
  readonly #tails = new Map<number, { z: number; y: readonly [number, number]; data: PixelArray }>();
  /** Memory of lines that were read, for reuse. */
  readonly #free: ArrayBufferLike[] = [];
  /** Side of a chunk along z, y and x. */
  readonly #sides: readonly [number, number, number];
  /** Chunks [first, end) along z and y. */
  readonly #grid: { readonly z: readonly [number, number]; readonly y: readonly [number, number] };

  constructor(
    image: OpenedImage,
    array: ImageArray,
    level: number,
    selected: Selected,
    bounds: Bounds,
    options: ZarrSourceOptions,
    pool: Jobs,
  ) {
    const { from, to } = bounds;
    this.image = image;
    this.array = array;
    this.level = level;
    [this.depth, this.height, this.width] = to.map((end, i) => end - from[i]) as [number, number, number];
    this.channels = selected.channels;
    this.type = selected.type;
    this.#selected = selected;
    this.#bounds = bounds;
    this.#options = options;
    const [z, y, x] = selected.dimensions;
    const side = (dimension: number | undefined): number => (dimension === undefined ? 1 : array.chunks[dimension]);
    this.#sides = [side(z), side(y), side(x)];
    const grid = (i: number): [number, number] => [
      Math.floor(from[i] / this.#sides[i]),
      Math.ceil(to[i] / this.#sides[i]),
    ];
    this.#grid = { z: grid(0), y: grid(1) };
    const columns = grid(2);
    this.chunkCount = [this.#grid.z, this.#grid.y, columns].reduce((product, [a, b]) => product * (b - a), 1);
    const { scale } = image.levels[level];
    this.spacing = [scale[x], scale[y], z === undefined ? 1 : scale[z]];
    this.wholeSpace = levelSpace(image, array, level, selected, options);
    this.space = partOf(this.wholeSpace, [from[2], from[1], from[0]], this);
    this.#pool = pool;
    this.#number = this.#pool.register(
      readingOf(image.store, array, this.traffic, () => this.#tell()),
      array,
    );
  }

  /** Throws if a row of chunks does not fit the given memory. */
  checkMemory(): void {
    const most = this.#options.memory ?? DEFAULT_BYTES;
    const needed = this.#slabLines() * this.#lineBytes();
    if (this.#options.memory === undefined || needed <= most) return;
    const mebibytes = (bytes: number): number => Math.ceil(bytes / 2 ** 20);
    throw new UsageError(
      `Expected ${mebibytes(needed)} MiB for a row of chunks of ${this.image.store.url}, which are ${[...this.#sides].reverse().join(" x ")}, got ${mebibytes(most)} MiB; give more --memory, or a --crop.`,
    );
  }

  /** Lists the 64-bit ids, if 32 bits do not hold all of them. Lines are read a few at a time. */
  async listIds(): Promise<void> {
    const all = new Set<bigint>();
    const band: Band = { buffer: this.#pool.memory(0), type: this.type, offset: 0, strides: [0, 0, 0, 0] };
    const lines = (this.#grid.z[1] - this.#grid.z[0]) * (this.#grid.y[1] - this.#grid.y[0]);
    let next = this.#grid.z[0] * this.#grid.y[1] + this.#grid.y[0];
    const work = async (): Promise<void> => {
      for (;;) {
        const [kz, ky] = [Math.floor(next / this.#grid.y[1]), next % this.#grid.y[1]];
        if (kz >= this.#grid.z[1]) return;
        next = ky + 1 < this.#grid.y[1] ? next + 1 : this.#keyOf(kz + 1, this.#grid.y[0]);
        for (const { ids } of await Promise.all(this.#fill(kz, ky, band, true)))
          for (const id of ids ?? []) all.add(id);
      }
    };
    await Promise.all(Array.from({ length: Math.min(LISTED_AT_ONCE, lines) }, work));
    const isShort = [...all].every((id) => id >= 0n && id < 2n ** 32n);
    if (!isShort) this.ids = listOfIds(all, this.array.dataType === "int64");
  }

  async read(
    z0: number,
    z1: number,
    y0: number,
    y1: number,
    into: PixelArray,
    { signal }: { signal?: AbortSignal },
  ): Promise<void> {
    const stop = this.#options.signal;
    const ends = signal && stop ? AbortSignal.any([signal, stop]) : (signal ?? stop);
    const values = this.width * this.channels;
    const [cz, cy] = this.#sides;
    const { from } = this.#bounds;
    for (let z = z0; z < z1; z++) {
      for (let y = y0; y < y1; ) {
        const kz = Math.floor((z + from[0]) / cz);
        const ky = Math.floor((y + from[1]) / cy);
        const at = ((z - z0) * (y1 - y0) + (y - y0)) * values;
        const tail = this.#tails.get(this.#keyOf(kz, ky));
        if (tail && z >= tail.z && y >= tail.y[0]) {
          const end = Math.min(y1, tail.y[1]);
          const row = (z - tail.z) * (tail.y[1] - tail.y[0]) + y - tail.y[0];
          into.set(tail.data.subarray(row * values, (row + end - y) * values), at);
          y = end;
          continue;
        }
        const line = this.#line(kz, ky);
        this.#ahead(kz, ky);
        await abortable(line.loaded, ends);
        const end = Math.min(y1, line.y[1]);
        const start = (z - line.z[0]) * line.band.strides[0] + (y - line.y[0]) * values;
        into.set(valuesOf(line.band).subarray(start, start + (end - y) * values), at);
        if (z + 1 === line.z[1] && end === line.y[1]) this.#release(kz, ky);
        y = end;
      }
    }
  }

  close(): void {
    this.#lines.clear();
    this.#tails.clear();
    this.#free.length = 0;
    this.#pool.release(this.#number);
  }

  #tell(): void {
    const { bytes, chunks } = this.traffic;
    this.#options.onBytes?.({ read: bytes, fraction: Math.min(1, chunks / this.chunkCount) });
  }

  /** Number of lines that hold the rows of one slice; all of them are needed before the first is read to its end. */
  #slabLines(): number {
    return this.depth === 1 ? 1 : this.#grid.y[1] - this.#grid.y[0];
  }

  #lineBytes(): number {
    const [cz, cy] = this.#sides;
    const bytes = STORED_BYTES[this.type];
    return Math.min(cz, this.depth) * Math.min(cy, this.height) * this.width * this.channels * bytes;
  }

  /** Starts decoding the next lines, as far as memory allows. */
  #ahead(kz: number, ky: number): void {
    const { z, y } = this.#grid;
    const most = this.#most;
    let [nextZ, nextY] = [kz, ky];
    while (this.#lines.size < most) {
      nextY++;
      if (nextY >= y[1]) [nextZ, nextY] = [nextZ + 1, y[0]];
      if (nextZ >= z[1]) return;
      this.#line(nextZ, nextY);
    }
  }

  #line(kz: number, ky: number): Line {
    const key = this.#keyOf(kz, ky);
    const known = this.#lines.get(key);
    if (known) return known;
    this.#makeRoom(kz);
    const line = this.#load(kz, ky);
    this.#lines.set(key, line);
    line.loaded.catch(() => this.#lines.delete(key));
    return line;
  }

  /** Most lines that are kept. */
  get #most(): number {
    const lines = Math.floor((this.#options.memory ?? DEFAULT_BYTES) / this.#lineBytes());
    return Math.max(this.#slabLines(), lines);
  }

  /**
   * Drops lines of other slices if too many are kept, as after rows that were read out of order. Workers may still write to them.
   */
  #makeRoom(kz: number): void {
    for (const key of this.#lines.keys()) {
      if (this.#lines.size < this.#most) return;
      if (Math.floor(key / this.#grid.y[1]) !== kz) this.#lines.delete(key);
    }
  }

  #keyOf(kz: number, ky: number): number {
    return kz * this.#grid.y[1] + ky;
  }

  /** Drops a line whose last row was read, and keeps its tail. */
  #release(kz: number, ky: number): void {
    const key = this.#keyOf(kz, ky);
    const line = this.#lines.get(key);
    this.#lines.delete(key);
    if (line) {
      const values = this.width * this.channels;
      const [z, y0] =
        this.depth > 1
          ? [Math.max(line.z[0], line.z[1] - TAIL), line.y[0]]
          : [0, Math.max(line.y[0], line.y[1] - TAIL)];
      const start = (z - line.z[0]) * line.band.strides[0] + (y0 - line.y[0]) * values;
      const data = valuesOf(line.band).slice(start, start + (line.z[1] - z) * (line.y[1] - y0) * values);
      this.#tails.delete(this.depth > 1 ? this.#keyOf(kz - 1, ky) : this.#keyOf(kz, ky - 1));
      this.#tails.set(key, { z, y: [y0, line.y[1]], data });
      this.#free.push(line.band.buffer);
    }
    // After the last rows, other code needs the memory.
    if (this.#lines.size > 0) return;
    this.#free.length = 0;
    if (this.#options.memory !== undefined) this.#pool.collect();
  }

  /** The pixels between two planes of chunks along an axis. */
  #clip(k: number, axis: 0 | 1 | 2): [number, number] {
    const { from, to } = this.#bounds;
    const side = this.#sides[axis];
    return [Math.max(from[axis], k * side) - from[axis], Math.min(to[axis], (k + 1) * side) - from[axis]];
  }

  /** Decodes a line of chunks into a band that begins with its first pixel. */
  #fill(kz: number, ky: number, band: Band, lists = false): Promise<Done>[] {
    const { from, to } = this.#bounds;
    const cx = this.#sides[2];
    const [z, y] = [this.#clip(kz, 0), this.#clip(ky, 1)];
    const jobs: Promise<Done>[] = [];
    for (let kx = Math.floor(from[2] / cx); kx * cx < to[2]; kx++) {
      const x = this.#clip(kx, 2);
      for (const channel of this.#channelChunks()) {
        jobs.push(this.#decode([kz, ky, kx], [z, y, x], channel, band, lists));
      }
    }
    return jobs;
  }

  async readInto(buffer: ArrayBufferLike): Promise<void> {
    const rowValues = this.width * this.channels;
    const strides: Four = [this.height * rowValues, rowValues, this.channels, 1];
    const jobs: Promise<Done>[] = [];
    for (let kz = this.#grid.z[0]; kz < this.#grid.z[1]; kz++) {
      for (let ky = this.#grid.y[0]; ky < this.#grid.y[1]; ky++) {
        const values = (this.#clip(kz, 0)[0] * this.height + this.#clip(ky, 1)[0]) * rowValues;
        jobs.push(
          ...this.#fill(kz, ky, { buffer, type: this.type, offset: values * STORED_BYTES[this.type], strides }),
        );
      }
    }
    // The caller may reuse the buffer only when no job writes to it any more.
    const [failed] = (await Promise.allSettled(jobs)).filter(({ status }) => status === "rejected");
    if (failed) throw (failed as PromiseRejectedResult).reason;
  }

  #load(kz: number, ky: number): Line {
    const z = this.#clip(kz, 0);
    const y = this.#clip(ky, 1);
    const rowValues = this.width * this.channels;
    const strides: Four = [(y[1] - y[0]) * rowValues, rowValues, this.channels, 1];
    const buffer = this.#free.pop() ?? this.#pool.memory(this.#lineBytes());
    const band: Band = { buffer, type: this.type, offset: 0, strides };
    const jobs = this.#fill(kz, ky, band);
    // No unhandled rejection while nothing waits for the line: later reads of it fail.
    const loaded = Promise.all(jobs);
    loaded.catch(() => undefined);
    return { band, loaded, z, y };
  }

  /** Chunks along the channels: all of the picture's. */
  #channelChunks(): readonly (readonly [chunk: number, first: number, count: number])[] {
    const [, , , c] = this.#selected.dimensions;
    if (c === undefined) return [[0, 0, 1]];
    const side = this.array.chunks[c];
    return Array.from({ length: Math.ceil(this.channels / side) }, (_, chunk) => [
      chunk,
      chunk * side,
      Math.min(side, this.channels - chunk * side),
    ]);
  }

  async #decode(
    [kz, ky, kx]: readonly [number, number, number],
    [z, y, x]: readonly (readonly [number, number])[],
    [chunk, firstChannel, channels]: readonly [number, number, number],
    band: Band,
    lists: boolean,
  ): Promise<Done> {
    const { dimensions, fixed } = this.#selected;
    const { chunks, version } = this.array;
    const { from } = this.#bounds;
    const where = new Map<number | undefined, readonly [coordinate: number, first: number]>([
      [dimensions[0], [kz, z[0] + from[0] - kz * this.#sides[0]]],
      [dimensions[1], [ky, y[0] + from[1] - ky * this.#sides[1]]],
      [dimensions[2], [kx, x[0] + from[2] - kx * this.#sides[2]]],
      ...(dimensions[3] === undefined ? [] : [[dimensions[3], [chunk, 0]] as const]),
    ]);
    const at = chunks.map((side, dimension): readonly [number, number] => {
      const place = where.get(dimension);
      const index = fixed[dimension] ?? 0;
      return place ?? [Math.floor(index / side), index % side];
    });
    const job: DecodeJob = defined({
      kind: "decode",
      array: this.#number,
      version,
      dimensions,
      band,
      coordinates: at.map(([coordinate]) => coordinate),
      from: at.map(([, first]) => first),
      box: [z[1] - z[0], y[1] - y[0], x[1] - x[0], channels],
      to: x[0] * this.channels + firstChannel,
      lists: lists || undefined,
      ids: lists ? undefined : this.ids,
    });
    try {
      const done = await this.#pool.run(job, this.#options.signal);
      if (lists) return done;
      const { unlike = 0, merged = 0 } = done;
      this.traffic.chunks++;
      this.traffic.unlike += unlike;
      this.#tell();
      if (merged > 0 && this.#options.exact) {
        throw new Error("it holds ids beyond 16777216 as float64, which float32 does not hold; store them as uint32");
      }
      return done;
    } catch (error) {
      throw chunkError(error, this.image.store, this.array, job.coordinates);
    }
  }
}

/** An error of a chunk, with its key. */
export function chunkError(
  error: unknown,
  store: Store,
  { path, version, metadata, shards, chunks }: ImageArray,
  coordinates: readonly number[],
): unknown {
  if (!(error instanceof JobError)) return error;
  const located = shards ? coordinates.map((at, i) => Math.floor(at / (shards[i] / chunks[i]))) : coordinates;
  const key = `${path === "" ? "" : `${path}/`}${chunkKey(version, metadata, located)}`;
  const inside = shards ? ` (chunk ${coordinates.join(", ")} inside)` : "";
  return new ZarrError(
    "damaged",
    `Could not decode ${store.url}/${key}${inside}: ${error.message.replace(/\.$/, "")}.`,
    {
      key,
      cause: error,
    },
  );
}

/** The key of a chunk, below its array. */
export function chunkKey(version: 2 | 3, metadata: ImageArray["metadata"], coordinates: readonly number[]): string {
  const json = JSON.parse(new TextDecoder().decode(metadata.get(version === 2 ? ".zarray" : "zarr.json")));
  if (version === 2) return coordinates.join(json.dimension_separator ?? ".");
  const { name, configuration } = json.chunk_key_encoding as { name: string; configuration?: { separator?: string } };
  const separator = configuration?.separator ?? (name === "default" ? "/" : ".");
  return [...(name === "default" ? ["c"] : []), ...coordinates].join(separator);
}

/** Reads keys of an array for the workers: metadata from memory, indices of shards once, everything else from the store. */
export function readingOf(
  store: Store,
  { path, metadata, indexFirst, mostChunkBytes: most }: ImageArray,
  traffic: Traffic,
  onRead: () => void = () => undefined,
): (key: string, range?: Range) => Promise<Uint8Array<ArrayBuffer> | undefined> {
  const folder = path === "" ? store : store.at(path);
  const indices = new Map<string, Promise<Uint8Array<ArrayBuffer> | undefined>>();
  const counted = async (bytes: Promise<Uint8Array<ArrayBuffer> | undefined>) => {
    const got = await bytes;
    traffic.bytes += got?.length ?? 0;
    onRead();
    return got;
  };
  return async (key, range) => {
    if (metadata.has(key)) return metadata.get(key)?.slice();
    if (range === undefined) return counted(folder.get(key, { most }));
    if (range.offset !== undefined) return counted(folder.getRange(key, range));
    // zarrita reads indices from the end of shards, even if they lie at the beginning.
    const known =
      indices.get(key) ?? counted(folder.getRange(key, indexFirst ? { offset: 0, length: range.suffix } : range));
    indices.set(key, known);
    known.catch(() => indices.delete(key));
    return (await known)?.slice();
  };
}

/** Waits for a result, or until the signal aborts. */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  signal.throwIfAborted();
  let end = (): void => undefined;
  const ended = new Promise<never>((_, reject) => {
    end = () => reject(signal.reason);
    signal.addEventListener("abort", end, { once: true });
  });
  try {
    return await Promise.race([work, ended]);
  } finally {
    signal.removeEventListener("abort", end);
  }
}

// Flood fill in an image of any size. Only chunks that the fill reaches are read. For each seed, a chunk's matching pixels are
// labelled once. A component that is reached is filled, and its pixels on the chunk's sides enter the neighbouring chunks.

import type { Connectivity, Engine, FillOptions, Mask, PixelArray, Place } from "skerry";
import { defined } from "skerry/internal";
import { ARRAYS } from "../bytes.js";
import { UsageError } from "../errors.js";
import type { Space } from "../space.js";
import type { Jobs } from "./jobs.js";
import type { OpenedImage } from "./open.js";
import type { ZarrSource } from "./rows.js";
import type { ZarrBox, ZarrSourceOptions } from "./select.js";
import { sourceWith } from "./source-with.js";

/** Sides of a picture, in pixels. */
interface Size {
  readonly width: number;
  readonly height: number;
  readonly depth?: number | undefined;
}

/** Options of zarrFill: those of `engine.fill()` that work chunk by chunk, and the selected image. */
export interface ZarrFillOptions
  extends Pick<FillOptions, "seeds" | "tolerance" | "metric" | "range" | "connectivity" | "signal">,
    Pick<ZarrSourceOptions, "level" | "channel" | "time" | "http"> {
  /** Called after each chunk with the number of chunks that were read, and that wait. */
  readonly onChunk?: (chunks: { readonly read: number; readonly waiting: number }) => void;
}

/** Filled pixels of a chunk as runs: rows counted through its slices, columns within it. */
export interface FilledChunk {
  /** The chunk's first pixel. */
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly runs: readonly { readonly row: number; readonly begin: number; readonly end: number }[];
}

/** Result of zarrFill. */
export interface ZarrFilled {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly spacing: readonly [number, number, number];
  /** The place of the level that was filled. */
  readonly space: Space;
  /** Filled pixels. */
  readonly foreground: number;
  /** Number of chunks that were read, and number of all chunks of the image. */
  readonly chunksRead: number;
  readonly chunkCount: number;
  /** Bytes that were read. */
  readonly bytes: number;
  readonly chunks: readonly FilledChunk[];
  /**
   * The filled pixels as a mask of the whole image: one bit each.
   * @throws UsageError for 2^32 pixels and more
   */
  mask(): Mask;
}

/** Chunks that are read at a time. */
const AT_ONCE = 4;

/** Row, begin, end and label. */
const RUN_BYTES = 16;

/**
 * Pixels where a fill enters a chunk, by their place in it; for a floating range also the values of the neighbours that they come
 * from.
 */
interface Entries {
  readonly places: number[];
  readonly values: number[];
}

/** A chunk, its matching pixels, and the components of them that were reached. */
interface Visited {
  readonly z0: number;
  readonly y0: number;
  readonly x0: number;
  readonly depth: number;
  readonly height: number;
  readonly width: number;
  /** The component of each matching pixel on the chunk's sides, by its place; a seed may have 0, for none. */
  readonly sides: ReadonlyMap<number, number>;
  readonly values: ReadonlyMap<number, number> | undefined;
  readonly runs: {
    readonly row: Uint32Array;
    readonly begin: Uint32Array;
    readonly end: Uint32Array;
    readonly label: Uint32Array;
  };
  readonly reached: Uint8Array;
}

/** Chunks of an open image, wherever they are decoded. */
interface Chunks {
  readonly image: OpenedImage;
  readonly pool: Jobs;
  /** Reads the values in a box, of images whose chunks `pool` does not decode. */
  readonly read?: (box: Required<ZarrBox>) => Promise<PixelArray>;
}

/** Fills from seeds in an open image as zarrFill does, within `memory` bytes of runs. */
export async function fillChunks(
  engine: Engine,
  chunks: Chunks,
  options: ZarrFillOptions & { readonly memory?: number },
): Promise<ZarrFilled> {
  const source = await sourceWith(chunks.image, pick(options), chunks.pool);
  try {
    return await new Filling(engine, chunks, source, options).run();
  } finally {
    source.close();
  }
}

function pick({ level, channel, time, signal }: ZarrFillOptions): ZarrSourceOptions {
  return { level, channel, time, signal };
}

class Filling {
  readonly #engine: Engine;
  readonly #image: OpenedImage;
  readonly #chunks: Chunks;
  readonly #source: ZarrSource;
  readonly #options: ZarrFillOptions & { readonly memory?: number };
  /** Chunks along z, y and x, and their sides. */
  readonly #sides: readonly [number, number, number];
  readonly #counts: readonly [number, number, number];
  readonly #connectivity: Connectivity;
  readonly #tolerance: number | undefined;
  /** Chunks that were read. */
  readonly #read = new Set<number>();
  #bytes = 0;
  /** Bytes of the runs that are held. */
  #held = 0;

  constructor(engine: Engine, chunks: Chunks, source: ZarrSource, options: ZarrFillOptions) {
    const { image } = chunks;
    this.#engine = engine;
    this.#image = image;
    this.#chunks = chunks;
    this.#source = source;
    this.#options = options;
    const { width, height, depth, array } = source;
    const side = (name: string): number => {
      const at = image.axes.findIndex((axis) => axis.name === name);
      return at < 0 ? 1 : array.chunks[at];
    };
    this.#sides = [Math.min(depth, side("z")), Math.min(height, side("y")), Math.min(width, side("x"))];
    this.#counts = [depth, height, width].map((n, i) => Math.ceil(n / this.#sides[i])) as [number, number, number];
    const { connectivity = depth > 1 ? 6 : 4, range = "fixed", tolerance = 0, metric = "linf" } = options;
    const { seeds } = options;
    const wrong = (Array.isArray(seeds) ? seeds : [seeds]).find(
      (at) => !Array.isArray(at) || at.length !== (depth > 1 ? 3 : 2),
    );
    if (!Array.isArray(seeds) || wrong) {
      throw new UsageError(
        `Expected seeds, a list of ${depth > 1 ? "[x, y, z]" : "[x, y]"}, got ${JSON.stringify(wrong)}.`,
      );
    }
    const known = depth > 1 ? [6, 18, 26] : [4, 8];
    if (!known.includes(connectivity)) {
      throw new UsageError(
        `Expected connectivity to be ${known.join(" or ")} for ${image.store.url}, got ${connectivity}.`,
      );
    }
    this.#connectivity = connectivity;
    if (range === "floating" && (typeof tolerance !== "number" || metric !== "linf" || source.channels > 1)) {
      throw new UsageError(
        `Expected one channel, one tolerance and the metric linf for a floating range in chunks of ${image.store.url}.`,
      );
    }
    this.#tolerance = range === "floating" ? (tolerance as number) : undefined;
  }

  async run(): Promise<ZarrFilled> {
    const { width, height, depth, spacing, space, chunkCount } = this.#source;
    const filled = new Map<number, Visited[]>();
    for (const seed of this.#options.seeds) {
      this.#check(seed);
      for (const [key, chunk] of await this.#fillFrom(seed)) {
        const pieces = filled.get(key);
        if (pieces) pieces.push(chunk);
        else filled.set(key, [chunk]);
      }
    }
    const chunks = [...filled]
      .sort(([a], [b]) => a - b)
      .map(([, pieces]) => joined(pieces))
      .filter(({ runs }) => runs.length > 0);
    let foreground = 0;
    for (const { runs } of chunks) for (const { begin, end } of runs) foreground += end - begin;
    const size = { width, height, depth, spacing };
    return {
      ...size,
      space,
      foreground,
      chunks,
      chunksRead: this.#read.size,
      chunkCount,
      bytes: this.#bytes,
      mask: () => maskOf(size, chunks, this.#image.store.url),
    };
  }

  #check([x, y, z = 0]: Place): void {
    const { width, height, depth } = this.#source;
    const inside = [x, y, z].every((at, i) => Number.isInteger(at) && at >= 0 && at < [width, height, depth][i]);
    if (inside) return;
    const sides = depth > 1 ? `${width} x ${height} x ${depth}` : `${width} x ${height}`;
    throw new UsageError(`Expected --at to lie within ${sides}, got ${depth > 1 ? [x, y, z] : [x, y]}.`);
  }

  /** The chunk of a pixel, as a number, and the pixel's place in it. */
  #locate(z: number, y: number, x: number): [key: number, place: number] {
    const [cz, cy, cx] = this.#sides;
    const [, ny, nx] = this.#counts;
    const [kz, ky, kx] = [Math.floor(z / cz), Math.floor(y / cy), Math.floor(x / cx)];
    return [(kz * ny + ky) * nx + kx, ((z - kz * cz) * cy + (y - ky * cy)) * cx + (x - kx * cx)];
  }

  async #fillFrom([x, y, z = 0]: Place): Promise<Map<number, Visited>> {
    const visited = new Map<number, Visited>();
    const waiting = new Map<number, Entries>();
    const loading = new Map<number, Promise<PixelArray>>();
    const [first, place] = this.#locate(z, y, x);
    const pixels = await this.#pixels(first);
    const { channels } = this.#source;
    const colour = Array.from(
      pixels.subarray(this.#at(first, place) * channels, (this.#at(first, place) + 1) * channels),
    );
    loading.set(first, Promise.resolve(pixels));
    waiting.set(first, { places: [place], values: colour.slice(0, 1) });
    while (waiting.size > 0) {
      this.#options.signal?.throwIfAborted();
      // Waiting chunks are read in any case, so reading ahead is never wasted.
      for (const key of waiting.keys()) {
        if (loading.size >= AT_ONCE) break;
        if (!visited.has(key) && !loading.has(key)) loading.set(key, this.#pixels(key));
      }
      const [key] = waiting.keys();
      const entries = waiting.get(key) as Entries;
      waiting.delete(key);
      let chunk = visited.get(key);
      if (!chunk) {
        const pixels = await (loading.get(key) ?? this.#pixels(key));
        loading.delete(key);
        const seed = key === first && visited.size === 0 ? place : undefined;
        chunk = await this.#visit(key, pixels, colour, seed);
        visited.set(key, chunk);
        this.#options.onChunk?.({ read: this.#read.size, waiting: waiting.size });
      }
      const reached = this.#enter(chunk, entries);
      if (reached.size > 0) this.#leave(chunk, reached, waiting);
    }
    await Promise.all(loading.values());
    return visited;
  }

  /** The index of a place among the pixels of a chunk, which is smaller at the image's border. */
  #at(key: number, place: number): number {
    const [, cy, cx] = this.#sides;
    const { height, width } = this.#box(key);
    const row = Math.floor(place / cx);
    return (Math.floor(row / cy) * height + (row % cy)) * width + (place % cx);
  }

  #box(key: number): { x: number; y: number; z: number; width: number; height: number; depth: number } {
    const [cz, cy, cx] = this.#sides;
    const [, ny, nx] = this.#counts;
    const [kz, ky, kx] = [Math.floor(key / (ny * nx)), Math.floor(key / nx) % ny, key % nx];
    const [z, y, x] = [kz * cz, ky * cy, kx * cx];
    const { width, height, depth } = this.#source;
    return {
      x,
      y,
      z,
      width: Math.min(cx, width - x),
      height: Math.min(cy, height - y),
      depth: Math.min(cz, depth - z),
    };
  }

  async #pixels(key: number): Promise<PixelArray> {
    const box = this.#box(key);
    const { image, pool, read } = this.#chunks;
    if (read) {
      const pixels = await read(box);
      this.#read.add(key);
      return pixels;
    }
    const source = await sourceWith(image, { ...pick(this.#options), box }, pool);
    try {
      const { channels, type } = source;
      const pixels = new ARRAYS[type](box.width * box.height * box.depth * channels);
      await source.read(0, box.depth, 0, box.height, pixels, {});
      this.#bytes += source.traffic.bytes;
      this.#read.add(key);
      return pixels;
    } finally {
      source.close();
    }
  }

  /** Labels the pixels of a chunk that match. */
  async #visit(key: number, pixels: PixelArray, colour: readonly number[], seed: number | undefined): Promise<Visited> {
    const { x, y, z, width, height, depth } = this.#box(key);
    const volume = this.#source.depth > 1;
    const size: Size = defined({ width, height, depth: volume ? depth : undefined });
    const engine = this.#engine;
    const connectivity = this.#connectivity;
    const components =
      this.#tolerance === undefined
        ? await engine.components(await this.#matching(pixels, size, colour), { connectivity })
        : await engine.components(
            { data: pixels, ...size, channels: this.#source.channels },
            { by: { tolerance: this.#tolerance }, background: null, connectivity },
          );
    try {
      const { data } = await components.labels();
      const runs = await components.runs();
      this.#hold(runs.count);
      const [, cy, cx] = this.#sides;
      const sides = new Map<number, number>();
      const values = this.#tolerance === undefined ? undefined : new Map<number, number>();
      for (let k = 0; k < depth; k++) {
        for (let j = 0; j < height; j++) {
          const inner = (k > 0 && k < depth - 1) || !volume ? j > 0 && j < height - 1 : false;
          const step = inner ? Math.max(1, width - 1) : 1;
          for (let i = 0; i < width; i += step) {
            const at = (k * height + j) * width + i;
            if (data[at] === 0) continue;
            const place = (k * cy + j) * cx + i;
            sides.set(place, data[at]);
            values?.set(place, pixels[at]);
          }
        }
      }
      if (seed !== undefined) {
        const at = this.#at(key, seed);
        sides.set(seed, data[at]);
        values?.set(seed, pixels[at]);
      }
      const reached = new Uint8Array(components.count + 1);
      return { z0: z, y0: y, x0: x, width, height, depth, sides, values, runs, reached };
    } finally {
      components.dispose();
    }
  }

  #hold(runs: number): void {
    const { memory = Number.POSITIVE_INFINITY } = this.#options;
    this.#held += runs * RUN_BYTES;
    if (this.#held <= memory) return;
    throw new UsageError(
      `Expected the fill in ${this.#image.store.url} to take at most ${memory} bytes of memory; ${this.#read.size} chunks took more.`,
    );
  }

  /**
   * The pixels of a chunk that match a colour. The engine compares all pixels with one of the colour that is appended: to a
   * volume a slice of the colour is appended, to an image a row.
   */
  async #matching(pixels: PixelArray, size: Size, colour: readonly number[]): Promise<Mask> {
    const { width, height, depth } = size;
    const { channels, type } = this.#source;
    const more = width * (depth === undefined ? 1 : height) * channels;
    const data = new ARRAYS[type](pixels.length + more);
    data.set(pixels);
    for (let i = 0; i < more; i++) data[pixels.length + i] = colour[i % channels];
    const larger = depth === undefined ? { width, height: height + 1 } : { width, height, depth: depth + 1 };
    const seed: Place = depth === undefined ? [0, height] : [0, 0, depth];
    const { tolerance = 0, metric = "linf" } = this.#options;
    const fill = { seeds: [seed], tolerance, metric, contiguous: false };
    const all = await this.#engine.fill({ data, ...larger, channels }, fill);
    try {
      const { bits } = await all.mask();
      const words = Math.ceil(width / 32) * height * (depth ?? 1);
      return { bits: bits.subarray(0, words), ...size };
    } finally {
      all.dispose();
    }
  }

  /** The components that entries reach for the first time. */
  #enter(chunk: Visited, { places, values }: Entries): Set<number> {
    const fresh = new Set<number>();
    const tolerance = this.#tolerance;
    for (const [i, place] of places.entries()) {
      const label = chunk.sides.get(place) ?? 0;
      if (label === 0 || chunk.reached[label]) continue;
      if (tolerance !== undefined && Math.abs((chunk.values?.get(place) ?? 0) - values[i]) > tolerance) continue;
      fresh.add(label);
      chunk.reached[label] = 1;
    }
    return fresh;
  }

  /** Lets reached components enter the neighbouring chunks. */
  #leave(chunk: Visited, reached: ReadonlySet<number>, waiting: Map<number, Entries>): void {
    const [, cy, cx] = this.#sides;
    const { z0, y0, x0, depth, height, width, sides, values } = chunk;
    const size = [this.#source.depth, this.#source.height, this.#source.width];
    const most = { 4: 1, 6: 1, 8: 2, 18: 2, 26: 3 }[this.#connectivity];
    for (const [place, label] of sides) {
      if (!reached.has(label)) continue;
      const row = Math.floor(place / cx);
      const [k, j, i] = [Math.floor(row / cy), row % cy, place % cx];
      for (let dz = -1; dz <= 1; dz++) {
        for (let dy = -1; dy <= 1; dy++) {
          for (let dx = -1; dx <= 1; dx++) {
            const steps = Math.abs(dz) + Math.abs(dy) + Math.abs(dx);
            if (steps === 0 || steps > most) continue;
            const [zz, yy, xx] = [k + dz, j + dy, i + dx];
            if (zz >= 0 && zz < depth && yy >= 0 && yy < height && xx >= 0 && xx < width) continue;
            const at = [z0 + zz, y0 + yy, x0 + xx] as const;
            if (at.some((n, axis) => n < 0 || n >= size[axis])) continue;
            const [key, entry] = this.#locate(...at);
            const entries = waiting.get(key) ?? { places: [], values: [] };
            waiting.set(key, entries);
            entries.places.push(entry);
            if (values) entries.values.push(values.get(place) ?? 0);
          }
        }
      }
    }
  }
}

/** Filled runs of a chunk, merged over all seeds. */
function joined(visits: readonly Visited[]): FilledChunk {
  const [{ x0: x, y0: y, z0: z, width, height, depth }] = visits;
  const all = visits.flatMap(({ runs, reached }) => {
    const spans: { row: number; begin: number; end: number }[] = [];
    for (let i = 0; i < runs.label.length; i++) {
      if (reached[runs.label[i]]) spans.push({ row: runs.row[i], begin: runs.begin[i], end: runs.end[i] });
    }
    return spans;
  });
  if (visits.length > 1) all.sort((a, b) => a.row - b.row || a.begin - b.begin);
  const apart: { row: number; begin: number; end: number }[] = [];
  for (const run of all) {
    const last = apart.at(-1);
    if (last && last.row === run.row && run.begin <= last.end) {
      apart[apart.length - 1] = { ...last, end: Math.max(last.end, run.end) };
    } else apart.push(run);
  }
  return { x, y, z, width, height, depth, runs: apart };
}

function maskOf(
  { width, height, depth, spacing }: Pick<ZarrFilled, "width" | "height" | "depth" | "spacing">,
  chunks: readonly FilledChunk[],
  shown: string,
): Mask {
  if (width * height * depth >= 2 ** 32) {
    throw new UsageError(
      `Expected fewer than 2^32 pixels for a mask of ${shown}, got ${width} x ${height} x ${depth}; write --mask FILE.zarr.`,
    );
  }
  const words = Math.ceil(width / 32);
  const bits = new Uint32Array(words * height * depth);
  for (const { x, y, z, height: rows, runs } of chunks) {
    for (const { row, begin, end } of runs) {
      const base = ((z + Math.floor(row / rows)) * height + y + (row % rows)) * words;
      for (let at = x + begin; at < x + end; at++) bits[base + (at >>> 5)] |= 1 << (at & 31);
    }
  }
  return defined({ bits, width, height, depth: depth > 1 ? depth : undefined, spacing });
}

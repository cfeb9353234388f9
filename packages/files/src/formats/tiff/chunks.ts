// Reads rows of pages from their strips or tiles, here called chunks. Several chunks are decoded at a time. Chunks that the next
// rows need again are kept.

import { type Bytes, checkId, readFully } from "../../bytes.js";
import { FileError } from "../../errors.js";
import { COMPRESSION, DECODERS, type TiffCodecs } from "./codecs.js";
import { chunkBytes, nodataOf, type Page, PHOTOMETRIC } from "./page.js";
import { reverseBits, type SampleArray, type Samples, samplesOf } from "./samples.js";

/** Chunks that are decoded at a time. */
const AT_ONCE = 4;

export interface ChunkOptions {
  readonly name: string;
  readonly codecs: TiffCodecs;
  /** The most bytes that one chunk may decode to. */
  readonly most: number;
  /** Whether values are ids, which may not be rounded. */
  readonly exact?: boolean | undefined;
}

/** Reads the rows of one page. */
export class PageRows {
  /** Number of values read so far that f32 rounds. */
  unlike = 0;
  readonly #bytes: Bytes;
  readonly #page: Page;
  readonly #options: ChunkOptions;
  readonly #kept = new Map<number, SampleArray>();

  constructor(bytes: Bytes, page: Page, options: ChunkOptions) {
    this.#bytes = bytes;
    this.#page = page;
    this.#options = options;
  }

  /** Rows [y0, y1) of some bands, interleaved, into an array of the page's type. */
  async read(y0: number, y1: number, bands: readonly number[], into: SampleArray): Promise<void> {
    const page = this.#page;
    if (await this.#readPlain(y0, y1, bands, into)) return;
    const [first, last] = [Math.floor(y0 / page.chunkHeight), Math.ceil(y1 / page.chunkHeight)];
    const planes = page.planar ? bands : [0];
    const jobs: { plane: number; row: number; column: number }[] = [];
    for (const plane of planes) {
      for (let row = first; row < last; row++) {
        for (let column = 0; column < page.across; column++) jobs.push({ plane, row, column });
      }
    }
    let next = 0;
    const work = async (): Promise<void> => {
      for (let job = jobs[next++]; job; job = jobs[next++]) {
        const index = (job.plane * page.down + job.row) * page.across + job.column;
        const data = this.#kept.get(index) ?? (await this.#decode(index, job.row));
        // The next rows begin in this chunk.
        if ((job.row + 1) * page.chunkHeight > y1 && y1 < page.height) this.#kept.set(index, data);
        else this.#kept.delete(index);
        place(page, data, job, bands, y0, y1, into);
      }
    };
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, jobs.length) }, work));
    for (const index of this.#kept.keys()) {
      const row = Math.floor(index / page.across) % page.down;
      if (row < first || row >= last) this.#kept.delete(index);
    }
  }

  /** Reads bytes that are pixels without decoding; false if the page has others. */
  async #readPlain(y0: number, y1: number, bands: readonly number[], into: SampleArray): Promise<boolean> {
    const { compression, predictor, reversed, bits, format, little, tiled, planar, samples } = this.#page;
    const { width, chunkHeight, offsets, counts, down } = this.#page;
    const isEvery = bands.length === samples && bands.every((band, i) => band === i);
    const asIs =
      (bits === 8 && format === "uint") || ([16, 32].includes(bits) && little && !(bits === 16 && format === "float"));
    if (compression !== COMPRESSION.none || predictor !== 1 || reversed || tiled || !asIs) return false;
    if (planar ? bands.length > 1 : !isEvery) return false;
    const rowBytes = (width * (planar ? 1 : samples) * bits) / 8;
    const target = new Uint8Array(into.buffer, into.byteOffset, into.byteLength);
    const plane = planar ? bands[0] * down : 0;
    for (let y = y0; y < y1; ) {
      const strip = Math.floor(y / chunkHeight);
      let end = Math.min(y1, (strip + 1) * chunkHeight);
      const at = offsets[plane + strip];
      if (!this.#holds(plane + strip, this.#rowsOf(strip) * rowBytes)) return false;
      const from = at + (y - strip * chunkHeight) * rowBytes;
      // Contiguous strips are read at once.
      for (let other = strip + 1; end < y1; other++) {
        const apart = offsets[plane + other] - offsets[plane + other - 1];
        if (apart !== chunkHeight * rowBytes || counts[plane + other] < this.#rowsOf(other) * rowBytes) break;
        end = Math.min(y1, (other + 1) * chunkHeight);
      }
      await readFully(
        this.#bytes,
        target.subarray((y - y0) * rowBytes, (end - y0) * rowBytes),
        from,
        this.#options.name,
      );
      y = end;
    }
    return true;
  }

  /** Whether a chunk has this many bytes, all of them inside the file. */
  #holds(index: number, bytes: number): boolean {
    const { offsets, counts } = this.#page;
    return offsets[index] > 0 && counts[index] >= bytes && offsets[index] + bytes <= this.#bytes.size;
  }

  /** Rows of the chunks in a row of chunks. */
  #rowsOf(row: number): number {
    const { tiled, chunkHeight, height } = this.#page;
    return tiled ? chunkHeight : Math.min(chunkHeight, height - row * chunkHeight);
  }

  async #decode(index: number, row: number): Promise<SampleArray> {
    const { name, codecs, most } = this.#options;
    const page = this.#page;
    const { compression, planar, samples, chunkWidth, offsets, counts } = page;
    const rows = this.#rowsOf(row);
    const size = chunkBytes(page, rows);
    if (size > most) {
      throw new FileError(
        `Expected the ${page.tiled ? "tiles" : "strips"} of ${name} to take at most ${most} bytes each, got ${size}; convert it to smaller ones.`,
      );
    }
    const together = planar ? 1 : samples;
    if (offsets[index] === 0 || counts[index] === 0) {
      const { data } = samplesOf({ ...page, predictor: 1 }, new Uint8Array(size), rows);
      const empty = nodataOf(page) ?? 0;
      return data instanceof BigInt64Array || data instanceof BigUint64Array
        ? data.fill(BigInt(empty))
        : data.fill(empty);
    }
    let found: Samples;
    try {
      if (offsets[index] + counts[index] > this.#bytes.size) throw new RangeError("cut off");
      const stored = new Uint8Array(counts[index]);
      await readFully(this.#bytes, stored, offsets[index], name);
      const decoded = await DECODERS[compression](
        {
          bytes: page.reversed && compression !== COMPRESSION.jpeg ? reverseBits(stored) : stored,
          size,
          width: chunkWidth,
          height: rows,
          samples: together,
          tables: page.jpegTables,
          ycbcr: page.photometric === PHOTOMETRIC.ycbcr,
          lerc: page.lerc,
        },
        codecs,
      );
      if (decoded.length < size) throw new RangeError(`${decoded.length} bytes of ${size}`);
      const described = compression === COMPRESSION.lerc ? { ...page, predictor: 1 } : page;
      found = samplesOf(described, decoded, rows);
    } catch (cause) {
      throw new FileError(`Could not read ${name}: ${this.#placeOf(index)} is damaged or cut off.`, { cause });
    }
    if (this.#options.exact && found.merged !== undefined) checkId(found.merged, name);
    this.unlike += found.unlike;
    return found.data;
  }

  /** The place of a chunk in the picture, for messages. */
  #placeOf(index: number): string {
    const { across, down, chunkWidth, chunkHeight, width, height, tiled, offsets } = this.#page;
    const [row, column] = [Math.floor(index / across) % down, index % across];
    const [y, x] = [row * chunkHeight, column * chunkWidth];
    const rows = `rows ${y} to ${Math.min(height, y + chunkHeight) - 1}`;
    if (!tiled) return `strip ${index} of ${offsets.length} (${rows})`;
    return `tile ${index} of ${offsets.length} (columns ${x} to ${Math.min(width, x + chunkWidth) - 1}, ${rows})`;
  }
}

/**
 * The 64-bit integers of a band of pages as bytes in one piece, little-endian, from which {@link fitted} finds the type that holds them.
 */
export function wordsOf(rows: readonly PageRows[], { width, height, format }: Page, band: number): Bytes {
  const array = format === "int" ? BigInt64Array : BigUint64Array;
  const sliceBytes = width * height * 8;
  return {
    size: rows.length * sliceBytes,
    async read(into, position) {
      const z = Math.floor(position / sliceBytes);
      const from = position - z * sliceBytes;
      const length = Math.min(into.length, sliceBytes - from);
      const [y0, y1] = [Math.floor(from / (width * 8)), Math.ceil((from + length) / (width * 8))];
      const values = new array(width * (y1 - y0));
      await rows[z].read(y0, y1, [band], values);
      into.set(new Uint8Array(values.buffer, from - y0 * width * 8, length));
      return length;
    },
    close: async () => undefined,
  };
}

/** Copies a chunk's part of rows [y0, y1) to its place in `into`. */
function place(
  page: Page,
  data: SampleArray,
  { plane, row, column }: { plane: number; row: number; column: number },
  bands: readonly number[],
  y0: number,
  y1: number,
  into: SampleArray,
): void {
  const { width, height, chunkWidth, chunkHeight, planar, samples } = page;
  const stride = planar ? 1 : samples;
  const channels = bands.length;
  const x = column * chunkWidth;
  const columns = Math.min(chunkWidth, width - x);
  const begin = Math.max(y0, row * chunkHeight);
  const end = Math.min(y1, height, (row + 1) * chunkHeight);
  // Whole rows can be copied if the chunk's samples are the wanted bands, in their order.
  const isEvery = stride === channels && bands.every((band, i) => band === (planar ? plane : i));
  const pairs = planar
    ? bands.flatMap((band, channel) => (band === plane ? [[0, channel]] : []))
    : bands.map((band, channel) => [band, channel]);
  for (let y = begin; y < end; y++) {
    const from = (y - row * chunkHeight) * chunkWidth * stride;
    const to = ((y - y0) * width + x) * channels;
    if (isEvery) {
      (into as Uint8Array).set(data.subarray(from, from + columns * stride) as Uint8Array, to);
      continue;
    }
    for (const [band, channel] of pairs) {
      let source = from + band;
      let target = to + channel;
      for (let i = 0; i < columns; i++, source += stride, target += channels) into[target] = data[source];
    }
  }
}

// The table of decoders of strips and tiles, by TIFF's compression numbers. The platform supplies Deflate and JPEG. Rarer
// decoders are loaded when a file needs them.

import { FileError } from "../../errors.js";
import { unpackStream } from "../../unpack-stream.js";
import { decodeLzw } from "./lzw.js";
import { decodePackBits } from "./packbits.js";

/** A JPEG's samples, interleaved. */
export interface JpegPixels {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly data: Uint8Array;
}

/** Decoders of the platform. */
export interface TiffCodecs {
  /** Unpacks zlib data: the first `most` bytes, and perhaps some that follow. Rejects damaged data. */
  inflate(packed: Uint8Array, most: number): Promise<Uint8Array>;
  /** Decodes a JPEG file. Rejects a damaged one. */
  jpeg(file: Uint8Array): Promise<JpegPixels>;
  /** Numbers of components that `jpeg` decodes. */
  readonly jpegComponents: readonly number[];
  /** The address of lerc-wasm.wasm; undefined if the package finds it by itself. */
  readonly lercWasm?: string | undefined;
}

/** One strip or tile that is to be decoded. */
export interface Packed {
  readonly bytes: Uint8Array;
  /** Bytes of its samples: if the result is shorter, the chunk is damaged. */
  readonly size: number;
  /** Columns and rows, for codecs that store them. */
  readonly width: number;
  readonly height: number;
  /** Samples of a pixel in this chunk. */
  readonly samples: number;
  /** JPEGTables. */
  readonly tables?: Uint8Array | undefined;
  /** Whether colours are stored as YCbCr, in a JPEG. */
  readonly ycbcr: boolean;
  /** LercParameters. */
  readonly lerc?: readonly number[] | undefined;
}

type Decoder = (packed: Packed, codecs: TiffCodecs) => Promise<Uint8Array> | Uint8Array;

/** Numbers of the compressions that are read. */
export const COMPRESSION = {
  none: 1,
  lzw: 5,
  jpeg: 7,
  deflate: 8,
  packBits: 32773,
  oldDeflate: 32946,
  lerc: 34887,
  zstd: 50000,
} as const;

/** Decoders by the number of the compression. */
export const DECODERS: Readonly<Record<number, Decoder>> = {
  [COMPRESSION.none]: ({ bytes }) => bytes,
  [COMPRESSION.lzw]: ({ bytes, size }) => decodeLzw(bytes, size),
  [COMPRESSION.jpeg]: decodeJpeg,
  [COMPRESSION.deflate]: ({ bytes, size }, { inflate }) => inflate(bytes, size),
  [COMPRESSION.packBits]: ({ bytes, size }) => decodePackBits(bytes, size),
  [COMPRESSION.oldDeflate]: ({ bytes, size }, { inflate }) => inflate(bytes, size),
  [COMPRESSION.lerc]: decodeLerc,
  [COMPRESSION.zstd]: ({ bytes, size }) => decodeZstd(bytes, size),
};

/** Names of compressions that are not read. */
const OTHERS: Readonly<Record<number, string>> = {
  2: "CCITT RLE",
  3: "CCITT Group 3",
  4: "CCITT Group 4",
  6: "old-style JPEG",
  32766: "NeXT RLE",
  9: "JBIG",
  10: "JBIG",
  34661: "JBIG",
  32771: "CCITT RLE",
  32809: "ThunderScan",
  32908: "PixarFilm",
  32909: "PixarLog",
  32947: "Kodak DCS",
  34676: "SGI Log",
  34677: "SGI Log 24",
  34712: "JPEG 2000",
  33003: "JPEG 2000",
  33004: "JPEG 2000",
  33005: "JPEG 2000",
  34892: "lossy JPEG of DNG",
  34925: "LZMA",
  34926: "zstd of an old draft",
  34927: "WebP of an old draft",
  50001: "WebP",
  50002: "JPEG XL",
  52546: "JPEG XL",
};

/** Compressions that tiffcp unpacks: CCITT, LZMA, WebP. */
const TIFFCP = new Set([2, 3, 4, 32771, 34925, 50001]);

/** The message for a compression that is not read, with a way out; undefined for others. */
export function compressionRefusal(compression: number, name: string): string | undefined {
  if (compression in DECODERS) return undefined;
  const called = OTHERS[compression] ?? `number ${compression}`;
  return `Expected ${name} to be packed by Deflate, LZW, PackBits, JPEG, zstd or LERC, or not at all, got ${called}; convert it, for example by gdal_translate -co COMPRESS=DEFLATE${TIFFCP.has(compression) ? " or tiffcp -c zip" : ""}.`;
}

/** Unpacks at most `most` bytes of zlib data with DecompressionStream, which browsers and Node have. */
export const inflateByStream = (packed: Uint8Array, most: number): Promise<Uint8Array> =>
  unpackStream(new Blob([packed as Uint8Array<ArrayBuffer>]).stream(), "deflate", most);

async function decodeZstd(bytes: Uint8Array, size: number): Promise<Uint8Array> {
  const { decompress } = await import("fzstd");
  return decompress(bytes, new Uint8Array(size));
}

/** Decodes LERC. Samples of its blobs are in the file's byte order, interleaved by pixel. */
async function decodeLerc(packed: Packed, codecs: TiffCodecs): Promise<Uint8Array> {
  const { bytes, size, samples, width, height, lerc = [] } = packed;
  const [, outer = 0] = lerc;
  // A blob inside Deflate or zstd may be a little longer than its samples.
  const most = size + (1 << 16);
  const unpacked = outer === 1 ? await codecs.inflate(bytes, most) : outer === 2 ? await zstdOf(bytes, most) : bytes;
  const { decode, load } = await import("lerc");
  const { lercWasm } = codecs;
  await load(lercWasm === undefined ? undefined : { locateFile: () => lercWasm });
  const copy = unpacked.slice();
  const found = decode(copy.buffer, { returnInterleaved: true });
  const planes = found.pixels as readonly (ArrayBufferView & ArrayLike<number>)[];
  if (found.width !== width || found.height < height) throw new RangeError("another size");
  const [first] = planes;
  if (planes.length === 1 || samples === 1) {
    // The mask marks pixels without a value: in floats they become NaN.
    const { mask } = found as { mask?: ArrayLike<number> | null };
    if (mask && (first instanceof Float32Array || first instanceof Float64Array)) {
      const each = first.length / mask.length;
      for (let i = 0; i < first.length; i++) if (!mask[Math.floor(i / each)]) first[i] = Number.NaN;
    }
    return new Uint8Array(first.buffer, first.byteOffset, Math.min(size, first.byteLength));
  }
  throw new RangeError(`${planes.length} bands`);
}

/** Unpacks zstd of unknown length, but at most `most` bytes. */
async function zstdOf(bytes: Uint8Array, most: number): Promise<Uint8Array> {
  const { Decompress } = await import("fzstd");
  const chunks: Uint8Array[] = [];
  let length = 0;
  const stream = new Decompress((chunk) => {
    length += chunk.length;
    if (length > most) throw new RangeError("too long");
    chunks.push(chunk);
  });
  stream.push(bytes, true);
  const out = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    out.set(chunk, at);
    at += chunk.length;
  }
  return out;
}

const [SOI, EOI, SOS, APP0, APP15] = [0xd8, 0xd9, 0xda, 0xe0, 0xef];
/** Frame types that JPEG decoders support: baseline, extended, progressive. */
const FRAMES = [0xc0, 0xc1, 0xc2];
const DIFFERENT = "a JPEG of another kind";

async function decodeJpeg(packed: Packed, codecs: TiffCodecs): Promise<Uint8Array> {
  const { bytes, size, width, samples } = packed;
  const found = await codecs.jpeg(wholeJpeg(bytes, packed));
  if (found.width !== width || found.channels !== samples) throw new RangeError(DIFFERENT);
  return found.data.subarray(0, Math.min(size, found.data.length));
}

/**
 * A strip as a JPEG file: with the tables that all strips share, and Adobe's marker, which tells RGB from YCbCr. Decoders would
 * guess that from the ids of the components.
 */
function wholeJpeg(
  bytes: Uint8Array,
  { tables, ycbcr, samples: components }: Pick<Packed, "tables" | "ycbcr" | "samples">,
): Uint8Array {
  const letters = [0x41, 0x64, 0x6f, 0x62, 0x65]; // Adobe
  const adobe = Uint8Array.of(0xff, 0xee, 0, 14, ...letters, 0, 100, 0, 0, 0, 0, ycbcr ? 1 : 0);
  // With the marker, decoders take four components for inverted CMYK.
  const mark = components === 4 ? [] : [adobe];
  const parts = [Uint8Array.of(0xff, SOI), ...mark, ...(tables ? segmentsOf(tables) : []), ...segmentsOf(bytes)];
  const out = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** The segments of a JPEG without its APPn segments; the last one is the scan with all that follows. */
function segmentsOf(bytes: Uint8Array): Uint8Array[] {
  const found: Uint8Array[] = [];
  if (bytes[0] !== 0xff || bytes[1] !== SOI) throw new RangeError("no JPEG");
  for (let at = 2; at + 4 <= bytes.length; ) {
    const marker = bytes[at + 1];
    if (bytes[at] !== 0xff) throw new RangeError("no marker");
    if (marker === EOI) break;
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === SOS) {
      found.push(bytes.subarray(at));
      break;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame && !FRAMES.includes(marker)) throw new FileError(DIFFERENT);
    const end = at + 2 + ((bytes[at + 2] << 8) | bytes[at + 3]);
    if (marker < APP0 || marker > APP15) found.push(bytes.subarray(at, end));
    at = end;
  }
  return found;
}

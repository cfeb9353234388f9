// The frames of a file of DICOM as stored values: plain, of run lengths, or of the codestreams of JPEG, JPEG-LS and JPEG 2000. Each decoder
// is loaded with the first file that needs it.

/// <reference path="./codecs.d.ts" />

import type { DataSet, Element } from "dicom-parser";
import { FileError } from "../../errors.js";

/** A frame as its header tells it. */
export interface FrameFacts {
  readonly columns: number;
  readonly rows: number;
  /** Bytes of a value. */
  readonly size: number;
}

/** An image that a decoder gives: values of one byte, or of two, the lower one first. */
interface Decoded {
  readonly width: number;
  readonly height: number;
  readonly components: number;
  readonly bytes: Uint8Array;
}

/** Decodes a codestream. */
type Decode = (packed: Uint8Array) => Promise<Decoded>;

/** How a transfer syntax stores frames. */
export interface Syntax {
  /** The name of its compression, for people. */
  readonly name: string;
  readonly littleEndian: boolean;
  /** Whether values are always lost. */
  readonly isLossy?: boolean;
  /** Whether frames are run lengths. */
  readonly isRuns?: boolean;
  readonly decode?: Decode | undefined;
}

/** A decoder of the @cornerstonejs family. */
interface Decoder {
  getEncodedBuffer(bytes: number): Uint8Array;
  decode(): void;
  getDecodedBuffer(): Uint8Array;
  getFrameInfo(): {
    readonly width: number;
    readonly height: number;
    readonly componentCount: number;
    readonly bitsPerSample: number;
    readonly isSigned: boolean;
  };
  delete(): void;
}

/** A module of WebAssembly that makes decoders. */
type Factory<Name extends string> = (given: object) => Promise<Readonly<Record<Name, new () => Decoder>>>;

/** Decoders tell on the console what they do; what fails is thrown as well. */
const QUIET = { print: () => undefined, printErr: () => undefined };

/** Decodes with a decoder of a module that is loaded once. */
function decoding<Name extends string>(load: () => Promise<{ readonly default: unknown }>, name: Name): Decode {
  let module: ReturnType<Factory<Name>> | undefined;
  return async (packed) => {
    module ??= load().then(({ default: make }) => (make as Factory<Name>)(QUIET));
    const decoder = new (await module)[name]();
    try {
      decoder.getEncodedBuffer(packed.length).set(packed);
      decoder.decode();
      const { width, height, componentCount: components, bitsPerSample, isSigned } = decoder.getFrameInfo();
      if (isSigned && bitsPerSample <= 8 && name === "J2KDecoder")
        throw new Error("it cuts signed values of 8 bits at 0");
      // The buffer is the decoder's own.
      return { width, height, components, bytes: decoder.getDecodedBuffer().slice() };
    } finally {
      decoder.delete();
    }
  };
}

const jpeg = decoding(() => import("@cornerstonejs/codec-libjpeg-turbo-8bit/decode"), "JPEGDecoder");
const jpegLs = decoding(() => import("@cornerstonejs/codec-charls/decode"), "JpegLSDecoder");
const jpeg2000 = decoding(() => import("@cornerstonejs/codec-openjpeg/decode"), "J2KDecoder");

async function lossless(packed: Uint8Array): Promise<Decoded> {
  const loaded = await import("jpeg-lossless-decoder-js");
  // Bundlers for Node take its file of CommonJS, whose names lie below the default one.
  const decoder = new (loaded.default ?? loaded).Decoder();
  const { buffer, byteOffset, length } = packed;
  const values = decoder.decode(buffer as ArrayBuffer, byteOffset, length, 0);
  const { dimX: width, dimY: height, numComp: components } = decoder.frame;
  return { width, height, components, bytes: new Uint8Array(values.buffer, values.byteOffset, values.byteLength) };
}

const JPEG = "1.2.840.10008.1.2.4.";

/** Transfer syntaxes that are read. */
export const SYNTAXES: Readonly<Record<string, Syntax>> = {
  "1.2.840.10008.1.2": { name: "none", littleEndian: true },
  "1.2.840.10008.1.2.1": { name: "none", littleEndian: true },
  "1.2.840.10008.1.2.2": { name: "none", littleEndian: false },
  "1.2.840.10008.1.2.5": { name: "run lengths", littleEndian: true, isRuns: true },
  [`${JPEG}50`]: { name: "JPEG", littleEndian: true, isLossy: true, decode: jpeg },
  [`${JPEG}51`]: { name: "JPEG", littleEndian: true, isLossy: true, decode: jpeg },
  [`${JPEG}57`]: { name: "lossless JPEG", littleEndian: true, decode: lossless },
  [`${JPEG}70`]: { name: "lossless JPEG", littleEndian: true, decode: lossless },
  [`${JPEG}80`]: { name: "JPEG-LS", littleEndian: true, decode: jpegLs },
  [`${JPEG}81`]: { name: "JPEG-LS", littleEndian: true, decode: jpegLs },
  [`${JPEG}90`]: { name: "JPEG 2000", littleEndian: true, decode: jpeg2000 },
  [`${JPEG}91`]: { name: "JPEG 2000", littleEndian: true, decode: jpeg2000 },
};

/**
 * The bytes of the frames of a file.
 * @throws FileError if they are damaged, cut off, or of another size than the header tells
 */
export async function framesOf(
  parser: typeof import("dicom-parser"),
  data: DataSet,
  { decode, name, isRuns = false }: Syntax,
  file: string,
  frames: number,
  facts: FrameFacts,
): Promise<Uint8Array[]> {
  if (!isRuns && !decode) return plainFrames(data, file, frames, facts);
  const found: Uint8Array[] = [];
  for (const [i, packed] of codestreams(parser, data, file, frames, isRuns).entries()) {
    found.push(
      decode ? await decoded(decode, packed, facts, `frame ${i} of ${file}`, name) : unpacked(packed, facts, file, i),
    );
  }
  return found;
}

function plainFrames(data: DataSet, file: string, frames: number, { columns, rows, size }: FrameFacts): Uint8Array[] {
  const pixels = data.elements.x7fe00010;
  const all = data.byteArray as Uint8Array;
  const bytes = columns * rows * size;
  if (pixels.length >= frames * bytes) {
    return Array.from({ length: frames }, (_, i) => {
      const from = pixels.dataOffset + i * bytes;
      return all.subarray(from, from + bytes);
    });
  }
  throw new FileError(
    `Expected ${file} to hold ${frames * bytes} bytes of pixels, got ${pixels.length}: the file is truncated.`,
  );
}

/** The packed bytes of each frame, which may lie in several fragments. */
function codestreams(
  parser: typeof import("dicom-parser"),
  data: DataSet,
  file: string,
  frames: number,
  isRuns: boolean,
): readonly Uint8Array[] {
  const pixels = data.elements.x7fe00010 as Element & { readonly basicOffsetTable?: readonly number[] };
  const count = pixels.fragments?.length ?? 0;
  const each = (read: (i: number) => Uint8Array): Uint8Array[] => Array.from({ length: frames }, (_, i) => read(i));
  try {
    if (count === frames) {
      return each((i) => parser.readEncapsulatedPixelDataFromFragments(data, pixels, i) as Uint8Array);
    }
    if (frames === 1 && count > 1) {
      return [parser.readEncapsulatedPixelDataFromFragments(data, pixels, 0, count) as Uint8Array];
    }
    // Without a table of where frames begin, their ends are sought: the markers of the JPEG family.
    const isTold = pixels.basicOffsetTable?.length === frames;
    const table = isTold || isRuns ? pixels.basicOffsetTable : parser.createJPEGBasicOffsetTable(data, pixels);
    if (table?.length === frames) {
      return each((i) => parser.readEncapsulatedImageFrame(data, pixels, i, table) as Uint8Array);
    }
  } catch (cause) {
    throw new FileError(`Could not read ${file}: its frames are damaged or cut off.`, { cause });
  }
  throw new FileError(
    `Expected ${file} to hold a fragment for each of its ${frames} frames, or a table of where they begin, got ${count} fragments.`,
  );
}

/** Whether a codestream of the JPEG family has its end, the marker ff d9: decoders fill what is missing. */
function hasEnd(packed: Uint8Array): boolean {
  let end = packed.length;
  // Fragments are filled up to an even length.
  while (end > 0 && packed[end - 1] === 0) end--;
  return packed[end - 2] === 0xff && packed[end - 1] === 0xd9;
}

/** The values of a codestream, as wide as the header tells. */
async function decoded(
  decode: Decode,
  packed: Uint8Array,
  { columns, rows, size }: FrameFacts,
  shown: string,
  name: string,
): Promise<Uint8Array> {
  let got: Decoded;
  if (!hasEnd(packed)) throw new FileError(`Could not read ${shown}: its ${name} is cut off.`);
  try {
    got = await decode(packed);
  } catch (cause) {
    throw new FileError(`Could not read ${shown}: its ${name} is damaged, cut off, or of a kind that is not read.`, {
      cause,
    });
  }
  const { width, height, components, bytes } = got;
  const values = columns * rows;
  const stored = bytes.length / values;
  if (width !== columns || height !== rows || components !== 1 || (stored !== 1 && stored !== 2)) {
    throw new FileError(
      `Expected ${shown} to hold ${columns} x ${rows} values, as its header tells, got ${width} x ${height} of ${components} components.`,
    );
  }
  if (stored === size) return bytes;
  if (stored > size) throw new FileError(`Expected ${shown} to hold values of ${size} bytes, got ${stored}.`);
  // The upper bytes are beyond the stored bits, which alone count.
  const wide = new Uint8Array(values * size);
  for (let i = 0; i < values; i++) for (let k = 0; k < stored; k++) wide[i * size + k] = bytes[i * stored + k];
  return wide;
}

function unpacked(packed: Uint8Array, { columns, rows, size }: FrameFacts, file: string, frame: number): Uint8Array {
  const bytes = unpackRuns(packed, columns * rows, size);
  if (bytes) return bytes;
  throw new FileError(`Could not read ${file}: the run lengths of frame ${frame} are damaged or cut off.`);
}

/** Unpacks run lengths: byte planes from the highest byte on, each of PackBits (PS3.5, G). Undefined if they are damaged. */
function unpackRuns(packed: Uint8Array, values: number, size: number): Uint8Array | undefined {
  if (packed.length < 64) return undefined;
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  if (view.getUint32(0, true) !== size) return undefined;
  const out = new Uint8Array(values * size);
  for (let plane = 0; plane < size; plane++) {
    let from = view.getUint32(4 + 4 * plane, true);
    let count = 0;
    const put = (byte: number): void => {
      if (count < values) out[count * size + size - 1 - plane] = byte;
      count++;
    };
    while (count < values) {
      if (from + 1 >= packed.length) return undefined;
      const length = packed[from++];
      if (length < 128) for (let i = 0; i <= length; i++) put(packed[from++]);
      else if (length > 128) {
        for (let i = 0; i < 257 - length; i++) put(packed[from]);
        from++;
      }
    }
  }
  return out;
}

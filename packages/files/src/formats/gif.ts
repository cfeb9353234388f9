// Reads the palette numbers of a GIF's pictures (GIF89a, appendix F). Colours are read by a decoder of pictures; label images and classes
// need the numbers that are stored.

import type { Raster } from "skerry";
import { FileError } from "../errors.js";

/** Rows of the four passes of an interlaced picture: the first, and the step. */
const PASSES: readonly (readonly [number, number])[] = [
  [0, 8],
  [4, 8],
  [2, 4],
  [1, 2],
];

/** Most bits of a code. */
const MOST_BITS = 12;

/** Whether the first bytes of a file are those of a GIF. */
export const isGif = (start: Uint8Array): boolean => /^GIF8[79]a$/.test(String.fromCharCode(...start.subarray(0, 6)));

/**
 * Unpacks LZW codes, the lowest bits first, into `out`. Codes below `clear` are values; then come the code that empties the table, the
 * one that ends the data, and strings of values.
 * @returns the number of values
 */
function unpack(bytes: Uint8Array, least: number, out: Uint8Array): number {
  const clear = 1 << least;
  // A string is the string of `before`, and `last`.
  const before = new Uint16Array(1 << MOST_BITS);
  const last = new Uint8Array(1 << MOST_BITS);
  const first = new Uint8Array(1 << MOST_BITS);
  const lengths = new Uint16Array(1 << MOST_BITS).fill(1);
  for (let value = 0; value < clear; value++) last[value] = first[value] = value;
  let [size, bits, previous, at, buffer, held] = [clear + 2, least + 1, -1, 0, 0, 0];
  for (const byte of bytes) {
    buffer |= byte << held;
    held += 8;
    while (held >= bits) {
      const code = buffer & ((1 << bits) - 1);
      buffer >>>= bits;
      held -= bits;
      if (code === clear + 1) return at;
      if (code === clear) {
        [size, bits, previous] = [clear + 2, least + 1, -1];
        continue;
      }
      if (code > size || (previous < 0 && code >= clear)) throw new RangeError("a code before its string");
      if (previous >= 0 && size < 1 << MOST_BITS) {
        before[size] = previous;
        first[size] = first[previous];
        lengths[size] = lengths[previous] + 1;
        // The string that is told by its own first use begins like the one before.
        last[size] = code === size ? first[previous] : first[code];
        size++;
      }
      const length = lengths[code];
      for (let k = at + length - 1, entry = code; k >= at; k--, entry = before[entry])
        if (k < out.length) out[k] = last[entry];
      at += length;
      previous = code;
      if (size === 1 << bits && bits < MOST_BITS) bits++;
    }
  }
  return at;
}

/**
 * Reads the palette number of every pixel of a picture; undefined if the picture covers only a part of the canvas.
 * @throws FileError if the file is damaged
 */
export function readGifIndices(bytes: Uint8Array, name: string, page = 0): (Raster & { channels: 1 }) | undefined {
  try {
    return pictureOf(bytes, page);
  } catch (error) {
    throw new FileError(`Could not read ${name}: it is damaged or cut off.`, { cause: error });
  }
}

/** The number of pictures of a GIF, up to where it breaks off. */
export function gifPages(bytes: Uint8Array): number {
  let pages = 0;
  try {
    for (const _ of picturesOf(bytes)) pages++;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return pages;
}

/** A picture as it lies in the file: its box on the canvas, flags, and the place of its data. */
interface StoredPicture {
  readonly box: readonly number[];
  readonly flags: number;
  readonly data: number;
}

/** The pictures of a file, one after another. */
function* picturesOf(bytes: Uint8Array): Generator<StoredPicture> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const paletteBytes = (flags: number): number => (flags & 128 ? 3 << ((flags & 7) + 1) : 0);
  /** The place behind blocks of data, each with its length before it. */
  const behind = (from: number): number => {
    let at = from;
    for (let length = view.getUint8(at); length > 0; length = view.getUint8(at)) at += 1 + length;
    return at + 1;
  };
  let at = 13 + paletteBytes(view.getUint8(10));
  while (view.getUint8(at) !== 0x3b) {
    if (view.getUint8(at) === 0x21) {
      at = behind(at + 2);
      continue;
    }
    if (view.getUint8(at) !== 0x2c) throw new RangeError("no block begins here");
    const box = [1, 3, 5, 7].map((place) => view.getUint16(at + place, true));
    const flags = view.getUint8(at + 9);
    const data = at + 10 + paletteBytes(flags);
    at = behind(data + 1);
    yield { box, flags, data };
  }
}

function pictureOf(bytes: Uint8Array, page: number): (Raster & { channels: 1 }) | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [width, height] = [view.getUint16(6, true), view.getUint16(8, true)];
  let index = 0;
  for (const { box, flags, data } of picturesOf(bytes)) {
    if (index++ < page) continue;
    const [left, top, columns, rows] = box;
    if (left !== 0 || top !== 0 || columns !== width || rows !== height) return undefined;
    const packed: number[] = [];
    for (let block = data + 1; view.getUint8(block) > 0; block += 1 + view.getUint8(block)) {
      for (let i = 1; i <= view.getUint8(block); i++) packed.push(view.getUint8(block + i));
    }
    const out = new Uint8Array(width * height);
    if (unpack(Uint8Array.from(packed), view.getUint8(data), out) < out.length) throw new RangeError("it ends early");
    return { data: flags & 64 ? inOrder(out, width, height) : out, width, height, channels: 1 };
  }
  throw new RangeError("no picture of this number");
}

/** Rows of an interlaced picture in their order. */
function inOrder(stored: Uint8Array, width: number, height: number): Uint8Array {
  const rows = new Uint8Array(stored.length);
  let from = 0;
  for (const [first, step] of PASSES) {
    for (let y = first; y < height; y += step, from += width) rows.set(stored.subarray(from, from + width), y * width);
  }
  return rows;
}

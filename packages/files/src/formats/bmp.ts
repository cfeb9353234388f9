// BMP of Windows: 1 to 32 bits a pixel, palettes, bit fields, rows in either order, and run lengths. The readers on npm ignore palettes and
// the order of rows, so that their pixels are others than those of the file. Microsoft's documentation of BITMAPINFOHEADER has the layout.

import { FileError } from "../errors.js";

/** Colours of a picture, of one channel if all are grey. */
export interface BmpPixels {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3 | 4;
  readonly data: Uint8Array;
  /** Bits of a pixel in the file, and colours of its palette, 0 for none. */
  readonly bits: number;
  readonly colours: number;
  readonly compression: "none" | "run lengths";
}

const [RGB, RLE8, RLE4, FIELDS, ALPHA_FIELDS] = [0, 1, 2, 3, 6];
const CORE_BYTES = 12;
/** Pixels that run lengths may leave out; a run of 255 takes two bytes. */
const MOST_BLANK = 2 ** 24;

/** Whether the first bytes of a file are those of a BMP: its sign, and the size of a header that there is. */
export function isBmp(start: Uint8Array): boolean {
  if (start.length < 18 || start[0] !== 0x42 || start[1] !== 0x4d) return false;
  const size = new DataView(start.buffer, start.byteOffset).getUint32(14, true);
  return [CORE_BYTES, 40, 52, 56, 64, 108, 124].includes(size);
}

/** The part of a pixel that a mask takes, as 8 bits, as Pillow rounds it: of the mask 0x7c00 31 is 255 and 15 is 123. */
function field(mask: number): (pixel: number) => number {
  if (mask === 0) return () => 0;
  const shift = 31 - Math.clz32(mask & -mask);
  const most = mask >>> shift;
  return (pixel) => Math.floor((((pixel & mask) >>> shift) * 255) / most);
}

interface Header {
  readonly width: number;
  readonly height: number;
  /** Whether the first row of the file is the last of the picture. */
  readonly isBottomUp: boolean;
  readonly bits: number;
  readonly compression: number;
  /** The first byte of the pixels. */
  readonly from: number;
  readonly palette: Uint8Array;
  /** Masks of red, green, blue and alpha. */
  readonly masks: readonly number[];
}

function headerOf(file: Uint8Array, name: string): Header {
  if (!isBmp(file)) throw new FileError(`Expected ${name} to be a BMP file, but it does not begin like one.`);
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const size = view.getUint32(14, true);
  if (file.length < 14 + size) throw new FileError(`Could not read ${name}: it ended early.`);
  const isCore = size === CORE_BYTES;
  const width = isCore ? view.getUint16(18, true) : view.getInt32(18, true);
  const rows = isCore ? view.getUint16(20, true) : view.getInt32(22, true);
  const bits = view.getUint16(isCore ? 24 : 28, true);
  const compression = isCore ? RGB : view.getUint32(30, true);
  const height = Math.abs(rows);
  if (width < 1 || height < 1) throw new FileError(`Expected ${name} to have pixels in it, got ${width} x ${height}.`);
  const isKnown =
    (compression === RGB && [1, 4, 8, 16, 24, 32].includes(bits)) ||
    (compression === RLE8 && bits === 8) ||
    (compression === RLE4 && bits === 4) ||
    ((compression === FIELDS || compression === ALPHA_FIELDS) && (bits === 16 || bits === 32));
  if (!isKnown) {
    throw new FileError(
      `Expected ${name} to hold pixels of 1 to 32 bits or run lengths, got ${bits} bits of the compression ${compression}; save it as PNG.`,
    );
  }
  const hasMasks = compression === FIELDS || compression === ALPHA_FIELDS;
  // Larger headers hold the masks; behind one of 40 bytes they follow.
  const masked =
    hasMasks || size >= 56
      ? [0, 4, 8, 12].map((at) => (54 + at + 4 <= file.length ? view.getUint32(54 + at, true) : 0))
      : [];
  const hasAlpha = compression === ALPHA_FIELDS || size >= 56;
  const usual = bits === 16 ? [0x7c00, 0x3e0, 0x1f, 0] : [0xff0000, 0xff00, 0xff, 0];
  const masks = hasMasks ? [...masked.slice(0, 3), hasAlpha ? masked[3] : 0] : usual;
  const entry = isCore ? 3 : 4;
  const begin = 14 + size + (hasMasks && size === 40 ? (compression === ALPHA_FIELDS ? 16 : 12) : 0);
  const told = isCore ? 0 : view.getUint32(46, true);
  const count = bits > 8 ? 0 : Math.min(told || 2 ** bits, 2 ** bits);
  const palette = new Uint8Array(3 * 2 ** Math.min(bits, 8));
  for (let i = 0; i < count; i++) {
    const at = begin + i * entry;
    if (at + 3 > file.length) throw new FileError(`Could not read ${name}: it ended early.`);
    palette.set([file[at + 2], file[at + 1], file[at]], 3 * i);
  }
  return { width, height, isBottomUp: rows > 0, bits, compression, from: view.getUint32(10, true), palette, masks };
}

/** Numbers of a palette that are stored as run lengths, in rows from the first of the file. */
function unpacked(file: Uint8Array, { width, height, bits, from }: Header): Uint8Array {
  const out = new Uint8Array(width * height);
  let [x, y, at] = [0, 0, from];
  const put = (value: number): void => {
    if (x < width && y < height) out[y * width + x] = value;
    x++;
  };
  while (at + 1 < file.length) {
    const [count, value] = [file[at], file[at + 1]];
    at += 2;
    if (count > 0) {
      for (let i = 0; i < count; i++) put(bits === 8 ? value : i % 2 === 0 ? value >> 4 : value & 15);
    } else if (value === 0) [x, y] = [0, y + 1];
    else if (value === 1) break;
    else if (value === 2) {
      x += file[at] ?? 0;
      y += file[at + 1] ?? 0;
      at += 2;
    } else {
      const bytes = bits === 8 ? value : Math.ceil(value / 2);
      for (let i = 0; i < value; i++) {
        const byte = file[at + (bits === 8 ? i : i >> 1)] ?? 0;
        put(bits === 8 ? byte : i % 2 === 0 ? byte >> 4 : byte & 15);
      }
      // Literal values end at an even byte.
      at += bytes + (bytes % 2);
    }
  }
  return out;
}

/**
 * Reads a picture.
 * @throws FileError if the file is damaged, or has pixels that are not read
 * @example
 * import { readBmp } from "@skerry/files";
 * const header = new Uint8Array(62);
 * header.set([0x42, 0x4d], 0);
 * const view = new DataView(header.buffer);
 * for (const [at, value] of [[10, 54], [14, 40], [18, 2], [22, 1]]) view.setUint32(at, value, true);
 * view.setUint16(28, 24, true);
 * header.set([0, 0, 255, 255, 0, 0], 54);
 * console.log(readBmp(header, "two.bmp").data); // 255, 0, 0, 0, 0, 255
 */
export function readBmp(file: Uint8Array, name: string): BmpPixels {
  const header = headerOf(file, name);
  const { width, height, isBottomUp, bits, compression, from, palette, masks } = header;
  const isRuns = compression === RLE8 || compression === RLE4;
  if (isRuns && width * height > MOST_BLANK + 128 * file.length) {
    throw new FileError(
      `Expected ${name} to hold about as many pixels as its run lengths, got ${width} x ${height} in ${file.length} bytes.`,
    );
  }
  const rowBytes = 4 * Math.ceil((width * bits) / 32);
  if (!isRuns && from + rowBytes * height > file.length) {
    throw new FileError(
      `Expected ${name} to hold ${height} rows of ${rowBytes} bytes, got ${Math.max(0, file.length - from)} bytes: the file is truncated.`,
    );
  }
  const numbers = isRuns ? unpacked(file, header) : undefined;
  const [red, green, blue, alpha] = masks.map(field);
  const hasAlpha = masks[3] !== 0 && bits === 32;
  const channels = hasAlpha ? 4 : 3;
  const data = new Uint8Array(width * height * channels);
  const perByte = 8 / bits;
  let isGrey = !hasAlpha;
  for (let y = 0; y < height; y++) {
    const row = isBottomUp ? height - 1 - y : y;
    const start = from + row * rowBytes;
    for (let x = 0; x < width; x++) {
      const to = (y * width + x) * channels;
      if (bits <= 8) {
        // The first of several pixels in a byte has the high bits: with 4 bits 0x5a is 5, then 10.
        const packed = numbers ? numbers[row * width + x] : file[start + Math.floor(x / perByte)];
        const number = numbers ? packed : (packed >> (8 - bits - (x % perByte) * bits)) & (2 ** bits - 1);
        data.set(palette.subarray(3 * number, 3 * number + 3), to);
      } else if (bits === 24) {
        const at = start + 3 * x;
        data[to] = file[at + 2];
        data[to + 1] = file[at + 1];
        data[to + 2] = file[at];
      } else {
        const at = start + (bits / 8) * x;
        const low = file[at] | (file[at + 1] << 8);
        const pixel = bits === 16 ? low : (low | (file[at + 2] << 16) | (file[at + 3] << 24)) >>> 0;
        data[to] = red(pixel);
        data[to + 1] = green(pixel);
        data[to + 2] = blue(pixel);
        if (hasAlpha) data[to + 3] = alpha(pixel);
      }
      isGrey = isGrey && data[to] === data[to + 1] && data[to] === data[to + 2];
    }
  }
  const facts = { bits, colours: bits <= 8 ? 2 ** bits : 0, compression: isRuns ? "run lengths" : "none" } as const;
  if (!isGrey) return { width, height, channels, data, ...facts };
  const grey = new Uint8Array(width * height);
  for (let i = 0; i < grey.length; i++) grey[i] = data[3 * i];
  return { width, height, channels: 1, data: grey, ...facts };
}

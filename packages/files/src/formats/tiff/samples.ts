// Decoded bytes of a chunk as samples: order of bytes, predictors, samples of any number of bits.

import type { PixelArray } from "skerry";
import type { Page } from "./page.js";

/** Stored samples of a page: 64-bit integers stay as they are until the whole is known to fit 32 bits. */
export type SampleArray = PixelArray | BigInt64Array | BigUint64Array;

/** Samples of a chunk, and the number of them that f32 rounds. */
export interface Samples {
  readonly data: SampleArray;
  readonly unlike: number;
  /** The first whole number among them, which may be an id. */
  readonly merged?: number | undefined;
}

/** Bits of a byte in reverse. */
export function reverseBits(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte) => {
    let b = ((byte & 0xf0) >> 4) | ((byte & 0x0f) << 4);
    b = ((b & 0xcc) >> 2) | ((b & 0x33) << 2);
    return ((b & 0xaa) >> 1) | ((b & 0x55) << 1);
  });
}

/** Samples of the rows of a chunk. `decoded` is modified in place, and may become the memory of the result. */
export function samplesOf(page: Page, decoded: Uint8Array, rows: number): Samples {
  const { bits, format, chunkWidth, predictor } = page;
  const together = page.planar ? 1 : page.samples;
  const length = chunkWidth * together * rows;
  if (bits === 24 && !page.little) swapTriples(decoded);
  if (![8, 16, 32, 64].includes(bits)) return { data: unpacked(decoded, page, rows), unlike: 0 };
  const step = bits / 8;
  const bytes = aligned(decoded.subarray(0, length * step), step);
  if (predictor === 3) gather(bytes, chunkWidth * together, together, step);
  else if (!page.little && step > 1) swap(bytes, step);
  const { buffer, byteOffset } = bytes;
  if (predictor === 2) accumulate(bytes, chunkWidth * together, together, step);
  if (step === 8) return wide(page, new BigUint64Array(buffer, byteOffset, length));
  if (format === "float" && step === 2) return { data: halves(new Uint16Array(buffer, byteOffset, length)), unlike: 0 };
  if (format === "int" && step === 1) {
    return { data: Int16Array.from(new Int8Array(buffer, byteOffset, length)), unlike: 0 };
  }
  const array =
    format === "float"
      ? Float32Array
      : format === "int"
        ? { 2: Int16Array, 4: Int32Array }[step as 2 | 4]
        : { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array }[step as 1 | 2 | 4];
  return { data: new array(buffer as ArrayBuffer, byteOffset, length), unlike: 0 };
}

function aligned(bytes: Uint8Array, step: number): Uint8Array {
  return bytes.byteOffset % step === 0 ? bytes : bytes.slice();
}

/** libtiff treats 24-bit samples as words in the file's byte order, although packed samples begin with the highest bit. */
function swapTriples(bytes: Uint8Array): void {
  for (let i = 0; i + 2 < bytes.length; i += 3) [bytes[i], bytes[i + 2]] = [bytes[i + 2], bytes[i]];
}

/** Reverses the byte order of each value. */
function swap(bytes: Uint8Array, step: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (step === 2) for (let i = 0; i < bytes.length; i += 2) view.setUint16(i, view.getUint16(i), true);
  else if (step === 4) for (let i = 0; i < bytes.length; i += 4) view.setUint32(i, view.getUint32(i), true);
  else for (let i = 0; i < bytes.length; i += 8) view.setBigUint64(i, view.getBigUint64(i), true);
}

/** Predictor 2: each sample is stored as its difference from the same band of the pixel before, modulo 2^bits. */
function accumulate(bytes: Uint8Array, rowLength: number, stride: number, step: number): void {
  const { buffer, byteOffset, byteLength } = bytes;
  if (step === 8) {
    const values = new BigUint64Array(buffer, byteOffset, byteLength / 8);
    for (let row = 0; row < values.length; row += rowLength) {
      for (let i = row + stride; i < row + rowLength; i++) values[i] += values[i - stride];
    }
    return;
  }
  const values =
    step === 1
      ? bytes
      : step === 2
        ? new Uint16Array(buffer, byteOffset, byteLength / 2)
        : new Uint32Array(buffer, byteOffset, byteLength / 4);
  for (let row = 0; row < values.length; row += rowLength) {
    for (let i = row + stride; i < row + rowLength; i++) values[i] += values[i - stride];
  }
}

/**
 * Predictor 3 (Adobe's technical note of floating point): of a row, the highest bytes of all samples come first, then the next
 * ones; all of them as differences. Two samples AB CD lie as AC BD.
 */
function gather(bytes: Uint8Array, rowLength: number, stride: number, step: number): void {
  const rowBytes = rowLength * step;
  const row = new Uint8Array(rowBytes);
  for (let from = 0; from < bytes.length; from += rowBytes) {
    row.set(bytes.subarray(from, from + rowBytes));
    for (let i = stride; i < rowBytes; i++) row[i] += row[i - stride];
    for (let i = 0; i < rowLength; i++) {
      for (let b = 0; b < step; b++) bytes[from + i * step + step - 1 - b] = row[b * rowLength + i];
    }
  }
}

/** Samples of any number of bits, the highest first; each row begins with a byte of its own. */
function unpacked(bytes: Uint8Array, { bits, format, chunkWidth, planar, samples }: Page, rows: number): PixelArray {
  const rowLength = chunkWidth * (planar ? 1 : samples);
  const rowBytes = Math.ceil((rowLength * bits) / 8);
  const length = rowLength * rows;
  const signed = format === "int";
  const array = signed
    ? bits <= 16
      ? Int16Array
      : Int32Array
    : bits <= 8
      ? Uint8Array
      : bits <= 16
        ? Uint16Array
        : Uint32Array;
  const out = new array(length);
  const most = 2 ** bits;
  for (let row = 0; row < rows; row++) {
    let at = row * rowBytes;
    let held = 0;
    let value = 0;
    for (let i = row * rowLength; i < (row + 1) * rowLength; i++) {
      // Doubles, not 32-bit integers: `value` holds up to 38 bits.
      while (held < bits) {
        value = value * 256 + bytes[at++];
        held += 8;
      }
      const unit = 2 ** (held - bits);
      const sample = Math.floor(value / unit);
      value -= sample * unit;
      held -= bits;
      out[i] = signed && sample >= most / 2 ? sample - most : sample;
    }
  }
  return out;
}

/** Half floats (IEEE 754 binary16): sign, 5 bits of exponent, 10 of fraction. All of them fit f32. */
function halves(values: Uint16Array): Float32Array {
  const out = new Float32Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const [exponent, fraction] = [(values[i] >> 10) & 31, values[i] & 1023];
    const size =
      exponent === 0
        ? fraction * 2 ** -24
        : exponent === 31
          ? fraction
            ? Number.NaN
            : Number.POSITIVE_INFINITY
          : (1 + fraction / 1024) * 2 ** (exponent - 15);
    out[i] = values[i] & 0x8000 ? -size : size;
  }
  return out;
}

/** Samples of 64 bits: doubles are rounded to f32. */
function wide({ format }: Page, values: BigUint64Array): Samples {
  const { buffer, byteOffset, length } = values;
  if (format === "uint") return { data: values, unlike: 0 };
  if (format === "int") return { data: new BigInt64Array(buffer, byteOffset, length), unlike: 0 };
  const stored = new Float64Array(buffer, byteOffset, length);
  const data = Float32Array.from(stored);
  let unlike = 0;
  let merged: number | undefined;
  for (let i = 0; i < length; i++) {
    if (data[i] === stored[i] || Number.isNaN(stored[i])) continue;
    unlike++;
    if (Number.isInteger(stored[i])) merged ??= stored[i];
  }
  return { data, unlike, merged };
}

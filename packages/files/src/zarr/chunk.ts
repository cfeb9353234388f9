// Copies values of a chunk into rows of a picture, and rows into a chunk. Runs in the workers.

import type { PixelArray, PixelType } from "skerry";
import { ARRAYS } from "../bytes.js";
import { type Ids, numbersOf } from "../integers.js";

/** Types of arrays that are read, and the type of the pixels that they become. */
export const PIXEL_TYPES = {
  bool: "u8",
  uint8: "u8",
  int8: "i16",
  uint16: "u16",
  int16: "i16",
  uint32: "u32",
  int32: "i32",
  uint64: "u32",
  int64: "u32",
  float32: "f32",
  float64: "f32",
} as const satisfies Record<string, PixelType>;
export type DataType = keyof typeof PIXEL_TYPES;

/** The pixel type that values of an array type become. */
export function pixelTypeOfArray(dataType: DataType): PixelType {
  return PIXEL_TYPES[dataType];
}

/** Rows of a picture, in memory that the jobs share. */
export interface Band {
  readonly buffer: ArrayBufferLike;
  readonly type: PixelType;
  /** Bytes before the first value. */
  readonly offset: number;
  /** Strides along z, y, x and the channels, in values. */
  readonly strides: Four;
}

/** Numbers along z, y, x and the channels. */
export type Four = readonly [number, number, number, number];

/** The values of a chunk, and their layout. */
export interface Values {
  readonly data: ArrayLike<number> | ArrayLike<bigint>;
  /** Values before the first. */
  readonly offset: number;
  readonly strides: Four;
}

/** The values of a band, as a typed array over its memory. */
export function valuesOf({ buffer, type }: Pick<Band, "buffer" | "type">): PixelArray {
  return new ARRAYS[type](buffer as never);
}

/** Result of a copied chunk. */
export interface Scattered {
  /** The number of values that f32 rounds. */
  readonly unlike: number;
  /** The number of whole ones among them, which may be ids. */
  readonly merged: number;
}

const MOST_LABEL = 2 ** 32 - 1;

/**
 * Puts a box of a chunk's values into a band; with `ids` the numbers of 64-bit integers in this list.
 * @throws Error for 64-bit integers that 32 bits do not hold
 */
export function scatter(chunk: Values, box: Four, band: Band, to: number, ids?: Ids): Scattered {
  const into = valuesOf(band);
  const { data, strides: from } = chunk;
  const { strides } = band;
  const [depth, height, width, channels] = box;
  const isBig = data instanceof BigUint64Array || data instanceof BigInt64Array;
  const numberOf = ids && numbersOf(ids);
  const rounds = data instanceof Float64Array;
  const isRow = from[2] === 1 && strides[2] === 1 && channels === 1 && ArrayBuffer.isView(data) && !isBig;
  const isPlain = isRow && !rounds;
  let [unlike, merged] = [0, 0];
  const first = band.offset / into.BYTES_PER_ELEMENT + to;
  for (let z = 0; z < depth; z++) {
    for (let y = 0; y < height; y++) {
      const source = chunk.offset + z * from[0] + y * from[1];
      const target = first + z * strides[0] + y * strides[1];
      if (isPlain) {
        into.set((data as unknown as PixelArray).subarray(source, source + width), target);
        continue;
      }
      for (let c = 0; c < channels; c++) {
        let i = source + c * from[3];
        let j = target + c * strides[3];
        for (let x = 0; x < width; x++) {
          if (isBig && numberOf) into[j] = numberOf(data[i]);
          else if (isBig) {
            const value = Number(data[i]);
            if (value < 0 || value > MOST_LABEL) {
              throw new Error(`it holds ${data[i]}, and labels go from 0 to ${MOST_LABEL}`);
            }
            into[j] = value;
          } else {
            const value = data[i] as number;
            into[j] = value;
            if (rounds && into[j] !== value && !Number.isNaN(value)) {
              unlike++;
              if (Number.isInteger(value)) merged++;
            }
          }
          i += from[2];
          j += strides[2];
        }
      }
    }
  }
  return { unlike, merged };
}

/** The 64-bit integers in a box of a chunk, each once. */
export function idsIn({ data, offset, strides }: Values, [depth, height, width]: Four): Set<bigint> {
  const all = new Set<bigint>();
  let last: bigint | undefined;
  for (let z = 0; z < depth; z++) {
    for (let y = 0; y < height; y++) {
      const row = offset + z * strides[0] + y * strides[1];
      for (let x = 0; x < width; x++) {
        const id = data[row + x * strides[2]] as bigint;
        if (id !== last) all.add(id);
        last = id;
      }
    }
  }
  return all;
}

/** Whether all values of a box of a band are one value. */
export function isFilled(band: Band, from: number, [depth, height, width]: Four, value: number): boolean {
  const values = valuesOf(band);
  const first = band.offset / values.BYTES_PER_ELEMENT + from;
  for (let z = 0; z < depth; z++) {
    for (let y = 0; y < height; y++) {
      const row = first + z * band.strides[0] + y * band.strides[1];
      for (let x = 0; x < width; x++) if (values[row + x] !== value) return false;
    }
  }
  return true;
}

/** A chunk with a box of a band at its first corner, and the fill value elsewhere. For bands of one channel only. */
export function gather(band: Band, from: number, box: Four, shape: Four, fill: number): PixelArray {
  const values = valuesOf(band);
  const chunk = new ARRAYS[band.type](shape[0] * shape[1] * shape[2]);
  const [depth, height, width] = box;
  if (fill !== 0 && (depth < shape[0] || height < shape[1] || width < shape[2])) chunk.fill(fill);
  const first = band.offset / values.BYTES_PER_ELEMENT + from;
  for (let z = 0; z < depth; z++) {
    for (let y = 0; y < height; y++) {
      const row = first + z * band.strides[0] + y * band.strides[1];
      chunk.set(values.subarray(row, row + width), (z * shape[1] + y) * shape[2]);
    }
  }
  return chunk;
}

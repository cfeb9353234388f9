// Reads and writes entries of i64 arrays as doubles, if they are small enough to be exact: BigInt takes ten times as long.

/** Magnitudes below this are exact in doubles, also after a few additions. */
export const EXACT = 2 ** 52;
const HIGH = 2 ** 32;

/** The 32-bit halves of an i64 array, little-endian like WebAssembly and every machine that Node runs on. */
export interface Halves {
  readonly low: Uint32Array;
  readonly high: Int32Array;
}

export function halvesOf({ buffer, byteOffset, length }: BigInt64Array): Halves {
  return { low: new Uint32Array(buffer, byteOffset, 2 * length), high: new Int32Array(buffer, byteOffset, 2 * length) };
}

/** Entry i, exact below 2^53: with low 5 and high -1 it is 5 - 2^32. */
export function numberAt({ low, high }: Halves, i: number): number {
  return high[2 * i + 1] * HIGH + low[2 * i];
}

/** Sets entry i to a whole number below 2^53. */
export function setNumber({ low, high }: Halves, i: number, value: number): void {
  const up = Math.floor(value / HIGH);
  high[2 * i + 1] = up;
  low[2 * i] = value - up * HIGH;
}

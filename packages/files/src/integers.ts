// Decodes 64-bit integers. fitted.ts finds the type of 32 bits that holds them.

/** Ids of a label image in ascending order; pixels hold their numbers from 1 on, and 0 for the id 0. */
export type Ids = BigInt64Array | BigUint64Array;

/** The encoding of 64-bit integers. */
interface Integers {
  readonly type: string;
  readonly littleEndian: boolean;
  readonly slope?: number;
  readonly intercept?: number;
  readonly nodata?: number | undefined;
  readonly ids?: Ids | undefined;
}

/** The number of an id: its place in the list, from 1. O(log ids). */
function numberOf(id: bigint, ids: Ids): number {
  let [low, high] = [0, ids.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ids[middle] < id) low = middle + 1;
    else high = middle;
  }
  return low + 1;
}

/** Decodes 64-bit integers: to numbers of ids, to floats if they are scaled, or else as they are. */
export function decodeIntegers(
  bytes: Uint8Array,
  { type, littleEndian, slope = 1, intercept = 0, nodata, ids }: Integers,
  into: { [i: number]: number; readonly length: number },
): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const signed = type === "i64";
  const isScaled = slope !== 1 || intercept !== 0;
  let [last, number] = [0n, 0];
  for (let i = 0; i < into.length; i++) {
    const value = signed ? view.getBigInt64(8 * i, littleEndian) : view.getBigUint64(8 * i, littleEndian);
    if (ids) {
      if (value !== last) [last, number] = [value, value === 0n ? 0 : numberOf(value, ids)];
      into[i] = number;
      continue;
    }
    const own = Number(value);
    into[i] = !isScaled ? own : own === nodata ? Number.NaN : own * slope + intercept;
  }
}

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

/** A function of ids to their numbers: their places in the list, from 1, and 0 for the id 0. O(log ids), O(1) for the same id again. */
export function numbersOf(ids: Ids): (id: bigint) => number {
  let [last, number] = [0n, 0];
  return (id) => {
    if (id === last) return number;
    let [low, high] = [0, ids.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ids[middle] < id) low = middle + 1;
      else high = middle;
    }
    [last, number] = [id, id === 0n ? 0 : low + 1];
    return number;
  };
}

/** Ids as a list, in ascending order and without 0. */
export function listOfIds(all: Set<bigint>, signed: boolean): Ids {
  all.delete(0n);
  const ids = signed ? BigInt64Array.from(all) : BigUint64Array.from(all);
  return ids.sort();
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
  const numberOf = ids && numbersOf(ids);
  for (let i = 0; i < into.length; i++) {
    const value = signed ? view.getBigInt64(8 * i, littleEndian) : view.getBigUint64(8 * i, littleEndian);
    if (numberOf) {
      into[i] = numberOf(value);
      continue;
    }
    const number = Number(value);
    into[i] = !isScaled ? number : number === nodata ? Number.NaN : number * slope + intercept;
  }
}

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

/** Decodes 64-bit integers: to numbers of ids, to floats if they are scaled, or else as they are. */
export function decodeIntegers(
  bytes: Uint8Array,
  { type, littleEndian, slope = 1, intercept = 0, nodata, ids }: Integers,
  into: { [i: number]: number; readonly length: number },
): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const signed = type === "i64";
  const isScaled = slope !== 1 || intercept !== 0;
  const numbers = ids && new Map(Array.from(ids, (id, i) => [id, i + 1] as const));
  let [last, number] = [0n, 0];
  for (let i = 0; i < into.length; i++) {
    const value = signed ? view.getBigInt64(8 * i, littleEndian) : view.getBigUint64(8 * i, littleEndian);
    if (numbers) {
      if (value !== last) [last, number] = [value, numbers.get(value) ?? 0];
      into[i] = number;
      continue;
    }
    const own = Number(value);
    into[i] = !isScaled ? own : own === nodata ? Number.NaN : own * slope + intercept;
  }
}

// Tables as Apache Parquet: columns with their types, for tables of millions of rows.

import type { Output } from "../output.js";

/** A column: its name, and a value for each row. */
export interface ParquetColumn {
  readonly name: string;
  readonly values: ArrayLike<number | bigint> | readonly string[];
}

/** The largest INT32; columns with larger integers are written as INT64. */
const MOST_INT32 = 2 ** 31 - 1;

/**
 * Writes columns of equal length, with `metadata` by key, compressed by Snappy. Integers become INT32 or INT64, other numbers DOUBLE; NaN is kept. Needs
 * the memory of the whole table once more.
 * @example
 * import { MemoryOutput, writeParquet } from "@skerry/files";
 * const file = new MemoryOutput();
 * await writeParquet(file, [
 *   { name: "label", values: Uint32Array.of(1, 2) },
 *   { name: "circularity", values: Float64Array.of(0.9, 0.7) },
 * ]);
 */
export async function writeParquet(
  file: Output,
  columns: readonly ParquetColumn[],
  metadata: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { parquetWriteBuffer } = await import("hyparquet-writer");
  const columnData = columns.map(({ name, values: given }) => {
    if (typeof given[0] === "string") return { name, data: given as string[], type: "STRING" as const };
    const values = given as ArrayLike<number | bigint>;
    if (values instanceof BigInt64Array || values instanceof BigUint64Array || typeof values[0] === "bigint") {
      const all = Array.from(values, BigInt);
      // Ids of 2^63 and more are names, not amounts.
      if (name === "value" && all.some((value) => value >= 2n ** 63n)) {
        return { name, data: all.map(String), type: "STRING" as const };
      }
      // Sums of more than 63 bits fit only a DOUBLE.
      return all.every((value) => value < 2n ** 63n)
        ? { name, data: BigInt64Array.from(all), type: "INT64" as const }
        : { name, data: Float64Array.from(all, Number), type: "DOUBLE" as const };
    }
    const numbers = values as ArrayLike<number>;
    if (!isWhole(values)) return { name, data: Float64Array.from(numbers), type: "DOUBLE" as const };
    for (let i = 0; i < numbers.length; i++) {
      if (numbers[i] > MOST_INT32)
        return { name, data: BigInt64Array.from(numbers as number[], BigInt), type: "INT64" as const };
    }
    return { name, data: Int32Array.from(numbers), type: "INT32" as const };
  });
  const kvMetadata = Object.entries(metadata).map(([key, value]) => ({ key, value }));
  await file.write(new Uint8Array(parquetWriteBuffer({ columnData, kvMetadata })));
}

/** Whether values lie in an array of whole numbers. */
function isWhole(values: unknown): boolean {
  return ArrayBuffer.isView(values) && !(values instanceof Float64Array) && !(values instanceof Float32Array);
}

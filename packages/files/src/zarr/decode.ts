// Decodes a chunk of an array into a band.

import { type DataType as AnyType, open, type Readable, type Array as ZarrArray } from "zarrita";
import { type Four, idsIn, scatter, type Values } from "./chunk.js";
import type { DecodeJob, Done } from "./jobs.js";
import type { Range } from "./store/store.js";

/** Reads bytes of a key of an array's store, for a job. */
export type ReadBytes = (array: number, key: string, range?: Range) => Promise<Uint8Array<ArrayBuffer> | undefined>;

/** Arrays that were opened, by their numbers. */
const opened = new Map<number, Promise<ZarrArray<AnyType, Readable>>>();

/** Forgets an array. */
export function forget(array: number): void {
  opened.delete(array);
}

/** zarrita's view of a store. */
export function readableOf(read: (key: string, range?: Range) => Promise<Uint8Array | undefined>): Readable {
  const keyOf = (path: string): string => path.replace(/^\/+/, "");
  return {
    get: (path) => read(keyOf(path)),
    getRange: (path, range) => read(keyOf(path), "suffixLength" in range ? { suffix: range.suffixLength } : range),
  };
}

/** Decodes a chunk into a band, or lists its ids. */
export async function decode(job: DecodeJob, read: ReadBytes): Promise<Done> {
  const { array, version, coordinates, dimensions, from, box, band, to, ids, lists } = job;
  let reader = opened.get(array);
  if (!reader) {
    const store = readableOf((key, range) => read(array, key, range));
    reader = (version === 2 ? open.v2 : open.v3)(store, { kind: "array" });
    opened.set(array, reader);
  }
  const chunk = await (await reader).getChunk([...coordinates]);
  const { shape, stride } = chunk;
  const length = shape.reduce((product, side) => product * side, 1);
  const data = plain(chunk.data);
  if (data.length !== length) throw new Error(`expected ${length} values, got ${data.length}`);
  const along = (steps: readonly number[]): Four =>
    dimensions.map((dimension) => (dimension === undefined ? 0 : steps[dimension])) as unknown as Four;
  const values: Values = {
    data,
    offset: from.reduce((sum, at, dimension) => sum + at * stride[dimension], 0),
    strides: along(stride),
  };
  return lists ? { ids: idsIn(values, box) } : scatter(values, box, band, to, ids);
}

/** Values of a chunk as a typed array: booleans become bytes. */
function plain(data: unknown): ArrayLike<number> | ArrayLike<bigint> {
  if (ArrayBuffer.isView(data)) return data as unknown as ArrayLike<number>;
  const { buffer, byteOffset, byteLength } = data as Uint8Array;
  return new Uint8Array(buffer, byteOffset, byteLength);
}

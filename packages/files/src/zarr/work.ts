// The jobs of a worker: decodes a chunk into a band, packs a chunk of a band, downsamples a band.

import { type DataType as AnyType, open, type Readable, type Array as ZarrArray } from "zarrita";
import { type Four, gather, idsIn, isFilled, scatter, type Values } from "./chunk.js";
import { packing, useCodecsOfNode } from "./codecs.js";
import type { DecodeJob, Done, EncodeJob, Job } from "./jobs.js";
import { halve } from "./pyramid.js";
import type { Range } from "./store/store.js";

useCodecsOfNode();

/** Reads bytes of a key of an array's store, for a job. */
export type ReadBytes = (array: number, key: string, range?: Range) => Promise<Uint8Array<ArrayBuffer> | undefined>;

/** Arrays that were opened, by their numbers. */
const opened = new Map<number, Promise<ZarrArray<AnyType, Readable>>>();

/** Forgets an array. */
export function forget(array: number): void {
  opened.delete(array);
}

/** Does a job. */
export async function work(job: Job, read: ReadBytes): Promise<Done> {
  if (job.kind === "decode") return decode(job, read);
  if (job.kind === "encode") return encode(job);
  halve(job);
  return {};
}

/** zarrita's view of a store. */
export function readableOf(read: (key: string, range?: Range) => Promise<Uint8Array | undefined>): Readable {
  const keyOf = (path: string): string => path.replace(/^\/+/, "");
  return {
    get: (path) => read(keyOf(path)),
    getRange: (path, range) => read(keyOf(path), "suffixLength" in range ? { suffix: range.suffixLength } : range),
  };
}

async function decode(job: DecodeJob, read: ReadBytes): Promise<Done> {
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

/** 64-bit labels, looked up in a table by their indices. */
function widened(values: ArrayLike<number>, table: Float64Array): BigUint64Array {
  return BigUint64Array.from(values, (value) => BigInt(table[value]));
}

/** Packing functions, by their codecs. */
const packers = new Map<string, ReturnType<typeof packing>>();

async function encode({ band, from, box, shape, fill, codec, wide }: EncodeJob): Promise<Done> {
  if (isFilled(band, from, box, fill)) return {};
  const values = gather(band, from, box, shape, fill);
  const chunk = wide ? widened(values, new Float64Array(wide)) : values;
  const name = JSON.stringify(codec);
  const pack = packers.get(name) ?? packing(codec);
  packers.set(name, pack);
  const packed = await (await pack)(new Uint8Array(chunk.buffer, 0, chunk.byteLength));
  // Output in a codec's own memory has to be copied.
  return { bytes: packed.buffer === chunk.buffer ? (packed as Uint8Array<ArrayBuffer>) : new Uint8Array(packed) };
}

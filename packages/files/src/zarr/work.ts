// The jobs of a worker: decodes a chunk into a band, packs a chunk of a band, downsamples a band.

import { gather, isFilled } from "./chunk.js";
import { packing, useCodecsOfNode } from "./codecs-node.js";
import { decode, type ReadBytes } from "./decode.js";
import type { Done, EncodeJob, Job } from "./jobs.js";
import { halve } from "./pyramid.js";

useCodecsOfNode();

/** Does a job. */
export async function work(job: Job, read: ReadBytes): Promise<Done> {
  if (job.kind === "decode") return decode(job, read);
  if (job.kind === "encode") return encode(job);
  halve(job);
  return {};
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

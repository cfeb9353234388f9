// Codecs of Node: zlib's, and zstd from Node 22.15 on; and the packing of chunks that are written.

import { constants as bufferConstants } from "node:buffer";
import * as zlib from "node:zlib";
import type { Codec as Packing } from "numcodecs";
import { defined } from "skerry/internal";
import { type ChunkFacts, type Codec, compressorOf, LEVEL, type MakeCodec, mostBytesOf, useCodecs } from "./codecs.js";

type Callback = (error: Error | null, result: Buffer) => void;
/** Functions that Node has from 22.15 on. */
const native = zlib as unknown as {
  readonly zstdDecompress?: (bytes: Uint8Array, options: object, done: Callback) => void;
  readonly zstdCompress?: (bytes: Uint8Array, options: object, done: Callback) => void;
};
/** Size of Node's output buffers: most chunks fit one, which needs no copy. */
const ZSTD_CHUNK_BYTES = 2 ** 21;
/** ZSTD_c_compressionLevel. */
const ZSTD_LEVEL = 100;

/** Whether zstd is Node's own; WebAssembly does it otherwise. */
const hasNativeZstd = native.zstdCompress !== undefined && process.env.SKERRY_ZSTD !== "wasm";

function called(call: (done: Callback) => void): Promise<Uint8Array> {
  return new Promise((resolve, reject) => call((error, result) => (error ? reject(error) : resolve(result))));
}

/** Options of Node's decoders, whose output ends with an error beyond the size of the chunk. */
const bounded = (facts: ChunkFacts): { readonly maxOutputLength: number } => ({
  maxOutputLength: Math.min(bufferConstants.MAX_LENGTH, mostBytesOf(facts)),
});

const codecsOfNode: Readonly<Record<string, MakeCodec>> = defined({
  gzip: ({ level = LEVEL.gzip }, facts) => ({
    kind: "bytes_to_bytes",
    encode: (bytes) => called((done) => zlib.gzip(bytes, { level }, done)),
    decode: (bytes) => called((done) => zlib.gunzip(bytes, bounded(facts), done)),
  }),
  zlib: ({ level = LEVEL.gzip }, facts) => ({
    kind: "bytes_to_bytes",
    encode: (bytes) => called((done) => zlib.deflate(bytes, { level }, done)),
    decode: (bytes) => called((done) => zlib.inflate(bytes, bounded(facts), done)),
  }),
  zstd: hasNativeZstd
    ? ({ level = LEVEL.zstd }, facts: ChunkFacts) => ({
        kind: "bytes_to_bytes",
        encode: (bytes) => called((done) => native.zstdCompress?.(bytes, { params: { [ZSTD_LEVEL]: level } }, done)),
        decode: (bytes) =>
          called((done) => native.zstdDecompress?.(bytes, { chunkSize: ZSTD_CHUNK_BYTES, ...bounded(facts) }, done)),
      })
    : undefined,
});

/** Lets zarrita use the codecs of Node, and guards the others. */
export const useCodecsOfNode = (): void => useCodecs(codecsOfNode);

/** A function that packs the bytes of a chunk. */
export async function packing(codec: Codec): Promise<(bytes: Uint8Array) => Promise<Uint8Array>> {
  if (codec.name === "raw") return async (bytes) => bytes;
  if (codec.name === "blosc") {
    const { default: Blosc } = await import("numcodecs/blosc");
    const blosc: Packing = Blosc.fromConfig(compressorOf(codec) as never);
    return async (bytes) => blosc.encode(bytes);
  }
  const level = codec.level ?? LEVEL[codec.name];
  const make = codecsOfNode[codec.name];
  if (make) {
    const packing = make({ level }, {});
    return (bytes) => packing.encode(bytes);
  }
  const { default: Zstd } = await import("numcodecs/zstd");
  const zstd = Zstd.fromConfig({ id: "zstd", level } as never);
  return async (bytes) => zstd.encode(bytes);
}

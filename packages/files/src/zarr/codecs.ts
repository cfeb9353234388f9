// Codecs of chunks, wherever they are read. zarrita has codecs for reading; this module guards them against chunks that unpack to more
// than they hold, replaces one by another that detects damage (crc32c), and tells the codecs of arrays that are written.

import { registry } from "zarrita";
import { withChecksum, withoutChecksum } from "./crc32c.js";

/** How chunks are packed. */
export type Codec =
  | { readonly name: "raw" }
  | { readonly name: "gzip"; readonly level?: number }
  | { readonly name: "zstd"; readonly level?: number }
  | {
      readonly name: "blosc";
      readonly cname?: "lz4" | "zstd";
      readonly level?: number;
      readonly shuffle?: "noshuffle" | "shuffle" | "bitshuffle";
    };

/** Packs and unpacks bytes. */
export interface ByteCodec {
  readonly kind: "bytes_to_bytes";
  encode(bytes: Uint8Array): Promise<Uint8Array>;
  decode(bytes: Uint8Array): Promise<Uint8Array>;
  /** The encoded size of this many bytes, if it does not depend on their values: needed for indices of shards. */
  computeEncodedSize?(bytes: number): number;
}

/** Compression level of zstd and gzip: labels compress as well with 1 as with more, in a third of the time. */
export const LEVEL = { zstd: 1, gzip: 1 } as const;
/** The defaults of Blosc in numcodecs, but with zstd. */
const BLOSC = { cname: "zstd", level: 5, shuffle: "shuffle" } as const;

/** Facts about a chunk that its codecs get. */
export interface ChunkFacts {
  readonly dataType?: unknown;
  readonly shape?: readonly number[];
}

/** Bytes of a value of a type, by the number in its name, such as those of float64. */
const bytesOfType = (type: unknown): number => Math.ceil(Number(/(\d+)$/.exec(`${type}`)?.[1] ?? 8) / 8);

/**
 * Most bytes that a codec may unpack, or a chunk may have: those of its values, and room for checksums and for bytes that packing makes
 * more. A small file could fill the memory otherwise.
 */
export function mostBytesOf({ dataType, shape = [] }: ChunkFacts): number {
  return 2 * shape.reduce((product, side) => product * side, bytesOfType(dataType)) + 2 ** 16;
}

/** Makes a codec of its configuration, for chunks of an array. */
export type MakeCodec = (configuration: { level?: number }, facts: ChunkFacts) => ByteCodec;

/** Codecs that are the same everywhere. */
const COMMON: Readonly<Record<string, MakeCodec>> = {
  crc32c: () => ({
    kind: "bytes_to_bytes",
    encode: async (bytes) => withChecksum(bytes),
    decode: async (bytes) => withoutChecksum(bytes),
    computeEncodedSize: (bytes) => bytes + 4,
  }),
};

/** Codecs in WebAssembly, and the size of their output as the packed bytes tell it; undefined if they do not. */
const TOLD_BYTES: Readonly<Record<string, (packed: DataView) => number | undefined>> = {
  // Version, version of the packing, flags, size of a value; then the size of the output.
  blosc: (packed) => packed.getUint32(4, true),
  lz4: (packed) => packed.getUint32(0, true),
  zstd: zstdBytes,
};

/** The content size of a zstd frame (RFC 8878, 3.1.1.1), if its header has it. */
function zstdBytes(packed: DataView): number | undefined {
  const flags = packed.getUint8(4);
  const isSingle = (flags & 0x20) !== 0;
  // A window descriptor unless the frame is a single segment, and the number of a dictionary.
  const at = 5 + (isSingle ? 0 : 1) + [0, 1, 2, 4][flags & 3];
  const kind = flags >> 6;
  if (kind === 0) return isSingle ? packed.getUint8(at) : undefined;
  if (kind === 1) return packed.getUint16(at, true) + 256;
  return kind === 2 ? packed.getUint32(at, true) : Number(packed.getBigUint64(at, true));
}

/** A codec that refuses packed bytes whose output would be larger than the chunk, before memory is taken for it. */
function guarded(codec: ByteCodec, name: string, facts: ChunkFacts): ByteCodec {
  const most = mostBytesOf(facts);
  return {
    kind: codec.kind,
    encode: (bytes) => codec.encode(bytes),
    async decode(bytes) {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      let statedBytes: number | undefined;
      try {
        statedBytes = TOLD_BYTES[name](view);
      } catch {
        throw new Error(`its ${bytes.length} bytes are too few for ${name}`);
      }
      if (statedBytes !== undefined && statedBytes > most)
        throw new Error(`it unpacks to ${statedBytes} bytes, more than a chunk has`);
      return codec.decode(bytes);
    },
  };
}

/** Lets zarrita use codecs of this machine in place of its own, and guards the others. */
export function useCodecs(own: Readonly<Record<string, MakeCodec>>): void {
  const all = { ...COMMON, ...own };
  for (const [name, make] of Object.entries(all)) {
    const entry = async () => ({
      fromConfig: (configuration: unknown, facts: ChunkFacts) => make(configuration ?? {}, facts),
    });
    for (const each of [name, `numcodecs.${name}`]) registry.set(each, entry as never);
  }
  for (const name of Object.keys(TOLD_BYTES)) {
    const load = registry.get(name);
    if (name in all || load === undefined || guards.has(load)) continue;
    const entry = async () => {
      const codec = (await load()) as unknown as { fromConfig(...given: unknown[]): ByteCodec };
      return {
        fromConfig: (configuration: unknown, facts: ChunkFacts) =>
          guarded(codec.fromConfig(configuration ?? {}, facts), name, facts),
      };
    };
    guards.add(entry);
    for (const each of [name, `numcodecs.${name}`]) registry.set(each, entry as never);
  }
}

/** Entries of the registry that guard another. */
const guards = new Set<unknown>();

/** Whether there is a codec of a name. */
export function hasCodec(name: string): boolean {
  return (
    registry.has(name) ||
    registry.has(`numcodecs.${name}`) ||
    name === "sharding_indexed" ||
    Object.hasOwn(COMMON, name.replace(/^numcodecs\./, ""))
  );
}

const SHUFFLES = ["noshuffle", "shuffle", "bitshuffle"] as const;

/** A codec as Zarr 2 metadata; null for none. */
export function compressorOf(codec: Codec): object | null {
  if (codec.name === "raw") return null;
  if (codec.name !== "blosc") return { id: codec.name, level: codec.level ?? LEVEL[codec.name] };
  const { cname, level, shuffle } = { ...BLOSC, ...codec };
  return { id: "blosc", cname, clevel: level, shuffle: SHUFFLES.indexOf(shuffle), blocksize: 0 };
}

/** The codecs of an array as Zarr 3 metadata. */
export function codecsOf(codec: Codec, valueBytes: number): object[] {
  const endian = valueBytes === 1 ? {} : { configuration: { endian: "little" } };
  const bytes = { name: "bytes", ...endian };
  if (codec.name === "raw") return [bytes];
  if (codec.name === "gzip") return [bytes, { name: "gzip", configuration: { level: codec.level ?? LEVEL.gzip } }];
  if (codec.name === "zstd") {
    return [bytes, { name: "zstd", configuration: { level: codec.level ?? LEVEL.zstd, checksum: false } }];
  }
  const { cname, level, shuffle } = { ...BLOSC, ...codec };
  return [
    bytes,
    { name: "blosc", configuration: { cname, clevel: level, shuffle, typesize: valueBytes, blocksize: 0 } },
  ];
}

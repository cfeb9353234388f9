// Objects of the scratch: typed arrays with names, behind a header that tells the run, the kind and a checksum.
//
//     byte  0 "SKRY"                      4 version u32
//           8 run, 16 hexadecimal digits  24 bytes of the directory u32, 28 number of the block u32
//          32 kind, 16 letters, filled up with 0
//          48 zero                        60 CRC-32C of all bytes before and of the directory u32
//          64 directory: JSON, a list of sections, filled up with spaces to a multiple of 8
//             sections one after another, each filled up with 0 to a multiple of 8; little-endian

import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import { crc32c } from "@skerry/files/zarr/internal";
import { ClusterError } from "./errors.js";

const packs = promisify(deflateRaw) as (bytes: Uint8Array, options: object) => Promise<Uint8Array>;
const unpacks = promisify(inflateRaw) as (bytes: Uint8Array, options: object) => Promise<Uint8Array>;

/** Version of the format. */
export const FORMAT_VERSION = 1;

const HEADER_BYTES = 64;
const KIND_BYTES = 16;
/** Shorter sections are stored uncompressed. */
const LEAST_PACKED_BYTES = 256;
/** Most bytes of a piece that zlib returns. */
const MOST_PIECE_BYTES = 2 ** 26;
/** Bytes that are compressed for a trial: sections that hardly shrink are stored uncompressed. */
const TRIAL_BYTES = 2 ** 13;
const LEAST_GAIN = 0.85;

const ARRAYS = {
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
  i64: BigInt64Array,
  f64: Float64Array,
} as const;
type SectionType = keyof typeof ARRAYS;

/** A section: an array of numbers. */
export type Section = Uint8Array | Uint16Array | Uint32Array | BigInt64Array | Float64Array;

/** Sections by their names. */
export type Sections = Readonly<Record<string, Section>>;

interface Entry {
  readonly name: string;
  readonly type: SectionType;
  readonly count: number;
  readonly codec: "raw" | "deflate";
  readonly bytes: number;
  readonly crc: number;
}

/** The name of an object. */
export interface ObjectName {
  readonly run: string;
  readonly kind: string;
  readonly number: number;
}

function typeOf(section: Section): SectionType {
  for (const [type, make] of Object.entries(ARRAYS)) if (section instanceof make) return type as SectionType;
  throw new TypeError("Expected a section of u8, u16, u32, i64 or f64.");
}

/** The size of zlib's pieces for a result: one piece. By default it returns pieces of 16 KiB, each by way of its thread. */
const pieceOf = (bytes: number): number => Math.min(MOST_PIECE_BYTES, Math.max(64, bytes));

const rounded = (bytes: number): number => Math.ceil(bytes / 8) * 8;

/** The bytes of an object. The same sections give the same bytes. */
export async function encodeObject({ run, kind, number }: ObjectName, sections: Sections): Promise<Uint8Array> {
  const entries: Entry[] = [];
  const bodies: Uint8Array[] = [];
  for (const [name, section] of Object.entries(sections)) {
    const raw = new Uint8Array(section.buffer as ArrayBuffer, section.byteOffset, section.byteLength);
    const packed = await packedOf(raw);
    const body = packed ?? raw;
    const codec = packed ? "deflate" : "raw";
    const crc = crc32c(body);
    entries.push({ name, type: typeOf(section), count: section.length, codec, bytes: body.length, crc });
    bodies.push(body);
  }
  const text = new TextEncoder().encode(JSON.stringify(entries));
  const directory = new Uint8Array(rounded(text.length)).fill(32);
  directory.set(text);
  const bytes = new Uint8Array(
    HEADER_BYTES + directory.length + bodies.reduce((sum, body) => sum + rounded(body.length), 0),
  );
  const view = new DataView(bytes.buffer);
  const encoder = new TextEncoder();
  bytes.set(encoder.encode("SKRY"));
  view.setUint32(4, FORMAT_VERSION, true);
  bytes.set(encoder.encode(run).subarray(0, 16), 8);
  view.setUint32(24, directory.length, true);
  view.setUint32(28, number, true);
  bytes.set(encoder.encode(kind).subarray(0, KIND_BYTES), 32);
  bytes.set(directory, HEADER_BYTES);
  view.setUint32(60, headerSum(bytes, directory.length), true);
  let at = HEADER_BYTES + directory.length;
  for (const body of bodies) {
    bytes.set(body, at);
    at += rounded(body.length);
  }
  return bytes;
}

/** The checksum of a header and its directory, without the bytes of the checksum itself. */
function headerSum(bytes: Uint8Array, directory: number): number {
  const covered = new Uint8Array(60 + directory);
  covered.set(bytes.subarray(0, 60));
  covered.set(bytes.subarray(HEADER_BYTES, HEADER_BYTES + directory), 60);
  return crc32c(covered);
}

/** Compressed bytes; undefined if they are hardly fewer. */
async function packedOf(raw: Uint8Array): Promise<Uint8Array | undefined> {
  if (raw.length < LEAST_PACKED_BYTES) return undefined;
  if (raw.length > 4 * TRIAL_BYTES) {
    const middle = Math.floor(raw.length / 2);
    const part = raw.subarray(middle, middle + TRIAL_BYTES);
    const trial = await packs(part, { level: 1 });
    if (trial.length > part.length * LEAST_GAIN) return undefined;
  }
  const packed = await packs(raw, { level: 1, chunkSize: pieceOf(raw.length) });
  return packed.length < raw.length * LEAST_GAIN ? packed : undefined;
}

/**
 * The sections of an object, or only those with some names.
 * @throws ClusterError if the bytes are damaged, or belong to another object or run
 */
export async function decodeObject(
  bytes: Uint8Array,
  { run, kind, number }: ObjectName,
  only?: readonly string[],
): Promise<Sections> {
  const shown = `${kind}/${number} of run ${run}`;
  const damaged = (what: string): ClusterError => new ClusterError("damaged", `Could not read ${shown}: ${what}.`);
  const decoder = new TextDecoder();
  if (bytes.length < HEADER_BYTES || decoder.decode(bytes.subarray(0, 4)) !== "SKRY") throw damaged("it is no object");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(4, true) !== FORMAT_VERSION) throw damaged(`its version is ${view.getUint32(4, true)}`);
  const length = view.getUint32(24, true);
  if (bytes.length < HEADER_BYTES + length) throw damaged("it ends early");
  if (view.getUint32(60, true) !== headerSum(bytes, length)) throw damaged("the checksum of its header does not fit");
  const signature = decoder.decode(bytes.subarray(8, 24));
  if (signature !== run) throw damaged(`it is of run ${signature}`);
  const name = decoder.decode(bytes.subarray(32, 32 + KIND_BYTES)).replace(/\0+$/, "");
  if (name !== kind.slice(0, KIND_BYTES) || view.getUint32(28, true) !== number) {
    throw damaged(`it is ${name}/${view.getUint32(28, true)}`);
  }
  const entries = JSON.parse(decoder.decode(bytes.subarray(HEADER_BYTES, HEADER_BYTES + length))) as Entry[];
  const sections: Record<string, Section> = {};
  let at = HEADER_BYTES + length;
  for (const entry of entries) {
    const body = bytes.subarray(at, at + entry.bytes);
    at += rounded(entry.bytes);
    if (only && !only.includes(entry.name)) continue;
    if (body.length < entry.bytes) throw damaged("it ends early");
    if (crc32c(body) !== entry.crc) throw damaged(`the checksum of ${entry.name} does not fit`);
    const make = ARRAYS[entry.type];
    const rawBytes = entry.count * make.BYTES_PER_ELEMENT;
    const raw = entry.codec === "deflate" ? await unpacks(body, { chunkSize: pieceOf(rawBytes) }) : body;
    if (raw.length !== rawBytes) throw damaged(`${entry.name} has ${raw.length} bytes`);
    // Buffers of Node share memory with others: a section has its own.
    sections[entry.name] = new make(new Uint8Array(raw).buffer);
  }
  return sections;
}

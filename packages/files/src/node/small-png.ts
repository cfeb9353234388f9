// Reads small PNGs through pngjs, which unpacks with Node's zlib. sharp takes 100 ms to load, and fast-png takes 70 ms for its
// first picture, before V8 has compiled it. PNGs are written by fast-png, as on the page, so that both write the same files.

import { inflate } from "node:zlib";
import { isPng } from "../formats/png.js";
import type { Transparent } from "../transparency.js";
import { mostBytes } from "./memory-limit.js";

/** Larger pictures are read by sharp, which is faster then and takes less memory. */
const MOST_PIXELS = 2 ** 22;

const [GREY, COLOUR, GREY_ALPHA, COLOUR_ALPHA] = [0, 2, 4, 6] as const;

/** Bytes of a chunk around its data: length, type and checksum. */
const CHUNK_FRAME = 12;
/** Chunks that change the look of a picture beside its pixels: sharp reads pictures that have them. */
const CHANGING = ["PLTE", "tRNS", "eXIf", "acTL"];

/** The pixels of a small PNG: of one channel or three, of four if it has transparency. */
export type SmallPng = Transparent & { readonly hasAlpha: boolean };

/** Facts of a small PNG of 8 or 16 bits, grey or colour, from its first bytes; undefined for any other file. */
export function smallPngKind(start: Buffer) {
  if (!isPng(start) || start.length < 33) return undefined;
  const [width, height] = [start.readUInt32BE(16), start.readUInt32BE(20)];
  const [bits, kind] = [start[24], start[25]];
  const plain = (bits === 8 || bits === 16) && [GREY, COLOUR, GREY_ALPHA, COLOUR_ALPHA].some((each) => each === kind);
  return plain && width * height <= MOST_PIXELS ? { width, height, bits, kind } : undefined;
}

/** Whether chunks beside the pixels change the look of a PNG. */
export const isChanged = (bytes: Buffer): boolean => chunksOf(bytes).some(({ type }) => CHANGING.includes(type));

/**
 * Reads a small PNG of 8 or 16 bits, grey or colour, with its alpha. Returns undefined for any other file, and for damaged
 * ones, whose errors sharp reports.
 */
export async function readSmallPng(bytes: Buffer): Promise<SmallPng | undefined> {
  const small = smallPngKind(bytes);
  if (!small) return undefined;
  const { width, height, bits: depth, kind } = small;
  const hasAlpha = kind === GREY_ALPHA || kind === COLOUR_ALPHA;
  const isGrey = kind === GREY || kind === GREY_ALPHA;
  const channels = hasAlpha ? 4 : isGrey ? 1 : 3;
  const decoded = width * height * channels * (depth / 8);
  if (decoded > mostBytes() || isChanged(bytes)) return undefined;
  if (
    !(await isWhole(bytes, {
      height,
      width,
      samples: kind === GREY ? 1 : kind === GREY_ALPHA ? 2 : kind === COLOUR ? 3 : 4,
      depth,
    }))
  ) {
    return undefined;
  }
  const { PNG } = (await import("pngjs")).default;
  let rgba: Uint8Array | Uint16Array;
  try {
    rgba = PNG.sync.read(bytes, { skipRescale: true }).data;
  } catch {
    return undefined;
  }
  const data = depth === 16 ? new Uint16Array(width * height * channels) : new Uint8Array(width * height * channels);
  for (let i = 0, at = 0; at < data.length; i += 4) for (let c = 0; c < channels; c++) data[at++] = rgba[i + c];
  return { raster: { data, width, height, depth: 1, channels }, isGrey, hasAlpha };
}

/** Whether all packed rows are there and have their checksum, which pngjs does not look at. */
async function isWhole(
  bytes: Buffer,
  { width, height, samples, depth }: { width: number; height: number; samples: number; depth: number },
): Promise<boolean> {
  const parts: Buffer[] = [];
  for (const { type, at, length } of chunksOf(bytes)) if (type === "IDAT") parts.push(bytes.subarray(at, at + length));
  const rows = height * (1 + (width * samples * depth) / 8);
  const isInterlaced = bytes[28] !== 0;
  // Interlaced rows begin with more filter bytes: of each of 7 passes.
  const options = { maxOutputLength: 2 * rows + 1024 };
  return new Promise((resolve) =>
    inflate(Buffer.concat(parts), options, (error, unpacked) =>
      resolve(!error && (isInterlaced ? unpacked.length >= rows : unpacked.length === rows)),
    ),
  );
}

/** Whether a PNG has its last chunk. */
export const hasPngEnd = (bytes: Buffer): boolean => chunksOf(bytes).some(({ type }) => type === "IEND");

/** Whether a PNG has several frames. */
export const isAnimatedPng = (bytes: Buffer): boolean => chunksOf(bytes).some(({ type }) => type === "acTL");

/** The chunks of a PNG that are whole, up to where it ends or breaks off. */
function chunksOf(bytes: Buffer): { readonly type: string; readonly at: number; readonly length: number }[] {
  const chunks: { type: string; at: number; length: number }[] = [];
  for (let at = 8; at + CHUNK_FRAME <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    if (at + CHUNK_FRAME + length > bytes.length) break;
    chunks.push({ type: bytes.toString("latin1", at + 4, at + 8), at: at + 8, length });
    at += CHUNK_FRAME + length;
  }
  return chunks;
}

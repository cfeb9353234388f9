// Reads small PNGs through pngjs, which unpacks with Node's zlib. sharp takes 100 ms to load, and fast-png takes 70 ms for its
// first picture, before V8 has compiled it. PNGs are written by fast-png, as on the page, so that both write the same files.

import type { Raster } from "skerry";
import { isPng } from "../formats/png.js";
import { mostBytes } from "./memory-limit.js";

/** Larger pictures are read by sharp, which is faster then and takes less memory. */
const MOST_PIXELS = 2 ** 22;

const [GREY, COLOUR, GREY_ALPHA, COLOUR_ALPHA] = [0, 2, 4, 6] as const;

/** Bytes of a chunk around its data: length, type and checksum. */
const CHUNK_FRAME = 12;
/** Chunks that change the look of a picture beside its pixels: sharp reads pictures that have them. */
const CHANGING = ["PLTE", "tRNS", "eXIf", "acTL"];

/**
 * Reads a small PNG of 8 or 16 bits, grey or colour, without its alpha. Returns undefined for any other file, and for damaged
 * ones, whose errors sharp reports.
 * @example
 * import { readSmallPng } from "@skerry/files/node";
 * import { readFileSync } from "node:fs";
 * const raster = await readSmallPng(readFileSync("cells.png"));
 * console.log(raster?.width, raster?.height); // 512, 384
 */
export async function readSmallPng(bytes: Buffer): Promise<(Raster & { channels: 1 | 3 }) | undefined> {
  if (!isPng(bytes) || bytes.length < 33) return undefined;
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const [depth, kind] = [bytes[24], bytes[25]];
  const plain = (depth === 8 || depth === 16) && [GREY, COLOUR, GREY_ALPHA, COLOUR_ALPHA].some((each) => each === kind);
  const decoded = width * height * (kind === GREY || kind === GREY_ALPHA ? 1 : 3) * (depth / 8);
  if (
    !plain ||
    width * height > MOST_PIXELS ||
    decoded > mostBytes() ||
    chunksOf(bytes).some((type) => CHANGING.includes(type))
  )
    return undefined;
  const { PNG } = (await import("pngjs")).default;
  let rgba: Uint8Array | Uint16Array;
  try {
    rgba = PNG.sync.read(bytes, { skipRescale: true }).data;
  } catch {
    return undefined;
  }
  const channels = kind === GREY || kind === GREY_ALPHA ? 1 : 3;
  const data = depth === 16 ? new Uint16Array(width * height * channels) : new Uint8Array(width * height * channels);
  for (let i = 0, at = 0; at < data.length; i += 4) for (let c = 0; c < channels; c++) data[at++] = rgba[i + c];
  return { data, width, height, channels };
}

/** The types of a PNG's chunks, up to where it ends or breaks off. */
function chunksOf(bytes: Buffer): string[] {
  const types: string[] = [];
  for (let at = 8; at + CHUNK_FRAME <= bytes.length; at += CHUNK_FRAME + bytes.readUInt32BE(at)) {
    types.push(bytes.toString("latin1", at + 4, at + 8));
  }
  return types;
}

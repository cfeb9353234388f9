// Small PNGs through pngjs, which packs and unpacks with Node's zlib. The library of sharp takes a tenth of a second to load, and
// the first picture that fast-png unpacks or packs takes some fifty milliseconds, before V8 has compiled it.

import { collected, type Fill, isPng, type Layout, type Output, writePngValues } from "@skerry/files";
import type { Raster } from "skerry";

/** Larger pictures are read by sharp and written by fast-png, which are faster then and take less memory. */
const MOST_PIXELS = 2 ** 22;

const [GREY, COLOUR, GREY_ALPHA, COLOUR_ALPHA] = [0, 2, 4, 6] as const;

/** Bytes of a chunk around its data: length, type and checksum. */
const CHUNK_FRAME = 12;
/** Chunks that change what a picture looks like, beside its pixels: they are sharp's. */
const CHANGING = ["PLTE", "tRNS", "eXIf", "acTL"];

/**
 * Reads a small PNG of 8 or 16 bits, grey or colour, without its alpha; undefined for any other file, damaged ones included, of
 * which sharp has to say more.
 */
export async function readSmallPng(bytes: Buffer): Promise<(Raster & { channels: 1 | 3 }) | undefined> {
  if (!isPng(bytes) || bytes.length < 33) return undefined;
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const [depth, kind] = [bytes[24], bytes[25]];
  const plain = (depth === 8 || depth === 16) && [GREY, COLOUR, GREY_ALPHA, COLOUR_ALPHA].some((each) => each === kind);
  if (!plain || width * height > MOST_PIXELS || chunksOf(bytes).some((type) => CHANGING.includes(type)))
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

/** Writes values as they come; bool as black and white. Palettes and large pictures are fast-png's. */
export async function writePngFile(file: Output, layout: Layout, fill: Fill): Promise<void> {
  const { type, width, height, channels = 1, palette } = layout;
  if (palette || width * height > MOST_PIXELS) return writePngValues(file, layout, fill);
  const values = await collected(layout, fill);
  if (type === "bool") for (let i = 0; i < values.length; i++) values[i] = values[i] ? 255 : 0;
  const { PNG } = (await import("pngjs")).default;
  const colorType = channels === 1 ? GREY : channels === 3 ? COLOUR : COLOUR_ALPHA;
  const data = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  await file.write(
    PNG.sync.write(Object.assign(new PNG(), { width, height, data }), {
      ...{ colorType, inputColorType: colorType, inputHasAlpha: channels === 4 },
      bitDepth: type === "u16" ? 16 : 8,
      // Neighbouring labels are equal, so their bytes repeat as they are.
      ...(layout.labels || type === "bool" ? { filterType: 0 } : {}),
      ...{ deflateLevel: 6, deflateStrategy: 0 },
    }),
  );
}

// Detects a file's format and the sides in its header, from its first bytes, before anything is decoded.

import { isHeic } from "@skerry/files/internal";

export type Kind =
  | "volume"
  | "bmp"
  | "png"
  | "jpeg"
  | "webp"
  | "avif"
  | "heic"
  | "gif"
  | "tiff"
  | "npy"
  | "pgm"
  | "none";

const text = (bytes: Uint8Array, from: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(from, from + length));

/** The format of a file; "none" for those of others.ts, and for others that are not read. */
export function kindOf(bytes: Uint8Array): Kind {
  if (text(bytes, 0, 4) === "\x89PNG") return "png";
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return "jpeg";
  if (text(bytes, 0, 4) === "RIFF" && text(bytes, 8, 4) === "WEBP") return "webp";
  if (text(bytes, 4, 4) === "ftyp") return isHeic(bytes) ? "heic" : "avif";
  if (text(bytes, 0, 4) === "GIF8") return "gif";
  // DICOM may begin like a TIFF.
  if (["II*\0", "MM\0*", "II+\0", "MM\0+"].includes(text(bytes, 0, 4)) && text(bytes, 128, 4) !== "DICM") return "tiff";
  return "none";
}

interface Sides {
  readonly width: number;
  readonly height: number;
}

/** The sides of a picture, from its header; undefined if these bytes do not contain them. */
export function sidesOf(kind: Kind, bytes: Uint8Array): Sides | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (kind === "png") return { width: view.getUint32(16), height: view.getUint32(20) };
    if (kind === "gif") return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
    if (kind === "webp") return webpSides(bytes, view);
    if (kind === "jpeg") return jpegSides(view);
    if (kind === "avif" || kind === "heic") return avifSides(bytes, view);
  } catch {
    // The bytes end before the sides.
  }
  return undefined;
}

/** The size of a pixel in millimetres, from a PNG's pHYs chunk if that is in metres and equal along both axes. */
export function physOf(bytes: Uint8Array): number | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 8; at + 21 <= bytes.length; at += 12 + view.getUint32(at)) {
    if (text(bytes, at + 4, 4) === "IDAT") return undefined;
    if (text(bytes, at + 4, 4) !== "pHYs") continue;
    const [x, y, isMetres] = [view.getUint32(at + 8), view.getUint32(at + 12), view.getUint8(at + 16) === 1];
    return isMetres && x === y && x > 0 ? 1000 / x : undefined;
  }
  return undefined;
}

/** Whether a PNG or a WebP says in its header that it holds several frames. */
export function isAnimated(kind: Kind, bytes: Uint8Array): boolean {
  if (kind === "webp") return text(bytes, 12, 4) === "VP8X" && (bytes[20] & 2) !== 0;
  if (kind !== "png") return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 8; at + 8 <= bytes.length && text(bytes, at + 4, 4) !== "IDAT"; at += 12 + view.getUint32(at)) {
    if (text(bytes, at + 4, 4) === "acTL") return true;
  }
  return false;
}

function webpSides(bytes: Uint8Array, view: DataView): Sides | undefined {
  const chunk = text(bytes, 12, 4);
  const three = (at: number): number => 1 + view.getUint16(at, true) + ((bytes[at + 2] ?? 0) << 16);
  if (chunk === "VP8X") return { width: three(24), height: three(27) };
  if (chunk === "VP8 ") return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  const packed = view.getUint32(21, true);
  return chunk === "VP8L" ? { width: 1 + (packed & 0x3fff), height: 1 + ((packed >>> 14) & 0x3fff) } : undefined;
}

/** Skips segments by their lengths, up to the one that begins the frame. */
function jpegSides(view: DataView): Sides | undefined {
  for (let at = 2; at + 9 < view.byteLength; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint8(at + 1);
    const frame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (frame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
  }
  return undefined;
}

/** Whether an AVIF is a sequence of pictures, which the command line does not read either. */
export const isSequence = (bytes: Uint8Array): boolean => text(bytes, 8, 4) === "avis";

/** Bits per channel of an AVIF, from the configuration of its codec. */
export function avifBits(bytes: Uint8Array): number {
  for (let at = 8; at + 8 < Math.min(bytes.length, 65536); at++) {
    if (text(bytes, at, 4) !== "av1C") continue;
    const flags = bytes[at + 6];
    return flags & 0x40 ? (flags & 0x20 ? 12 : 10) : 8;
  }
  return 8;
}

/** The image's spatial extents, wherever in the boxes they lie. */
function avifSides(bytes: Uint8Array, view: DataView): Sides | undefined {
  for (let at = 8; at + 16 < Math.min(bytes.length, 65536); at++) {
    if (text(bytes, at, 4) === "ispe") return { width: view.getUint32(at + 8), height: view.getUint32(at + 12) };
  }
  return undefined;
}

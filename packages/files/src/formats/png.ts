// Reads and writes PNG losslessly through fast-png, which is loaded at its first use.

import type { Raster } from "skerry";
import { defined } from "skerry/internal";
import { FileError } from "../errors.js";
import { collected, type Fill, type Layout } from "../layout.js";
import type { Output } from "../output.js";
import type { Space } from "../space.js";

/** Pixels of 8 or 16 bits: grey, grey with alpha, colour, colour with alpha. */
export interface PngPixels {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly data: Uint8Array | Uint16Array;
  /** Colours that values of one 8-bit channel stand for. */
  readonly palette?: readonly (readonly [number, number, number])[];
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** Whether the first bytes of a file are the PNG signature. */
export function isPng(start: Uint8Array): boolean {
  return SIGNATURE.every((byte, i) => start[i] === byte);
}

/** Bits per channel, from the header of a PNG; 0 for other files. */
export function pngBits(start: Uint8Array): number {
  return isPng(start) ? (start[24] ?? 0) : 0;
}

/**
 * Writes an image.
 * @example
 * import { MemoryOutput, writePng } from "@skerry/files";
 * const file = new MemoryOutput();
 * await writePng(file, { width: 2, height: 1, channels: 3, data: new Uint8Array([255, 0, 0, 0, 0, 255]) });
 */
export async function writePng(file: Output, { width, height, channels, data, palette }: PngPixels): Promise<void> {
  const { encode } = await import("fast-png");
  const depth = data instanceof Uint16Array ? 16 : 8;
  const colours = palette && { palette: palette.map((colour) => [...colour]) };
  await file.write(encode({ width, height, channels, depth, data, ...colours }));
}

/** Collects and writes values; bool as 0 and 255. */
export async function writePngValues(file: Output, layout: Layout, fill: Fill): Promise<void> {
  const { type, width, height, channels = 1, palette } = layout;
  const data = await collected(layout, fill);
  if (type === "bool") for (let i = 0; i < data.length; i++) data[i] = data[i] ? 255 : 0;
  await writePng(file, defined({ width, height, channels, data, palette }));
}

/** Bytes of a PNG's signature and its first chunk, IHDR. */
const HEADER_BYTES = 33;
const [GREY, PALETTE] = [0, 3];

/** The bits of a sample, and whether samples are palette indices or grey; undefined for other files. */
export function pngKind(start: Uint8Array): { bits: number; palette: boolean; grey: boolean } | undefined {
  const isHeader = [0x49, 0x48, 0x44, 0x52].every((byte, i) => start[12 + i] === byte);
  if (!isPng(start) || start.length < HEADER_BYTES || !isHeader) return undefined;
  return { bits: start[24], palette: start[25] === PALETTE, grey: start[25] === GREY };
}

/** Size of a pixel in millimetres, from the resolution in pixels per metre (pHYs); undefined without one. */
export function pngResolution(bytes: Uint8Array): Space["printed"] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = (at: number): string => String.fromCharCode(...bytes.subarray(at, at + 4));
  // Chunks are length, type, data, checksum; resolution comes before pixels.
  for (let at = 8; at + 12 <= bytes.length && text(at + 4) !== "IDAT"; at += 12 + view.getUint32(at)) {
    if (text(at + 4) !== "pHYs" || at + 21 > bytes.length) continue;
    const [x, y, unit] = [view.getUint32(at + 8), view.getUint32(at + 12), bytes[at + 16]];
    return unit === 1 && x > 0 && y > 0 ? { spacing: [1000 / x, 1000 / y], unit: "mm" } : undefined;
  }
  return undefined;
}

/**
 * Reads the palette index of every pixel.
 * @throws FileError if the image is damaged, or has fewer than 8 bits and interlaced rows
 */
export async function readPngIndices(bytes: Uint8Array, name: string): Promise<Raster & { channels: 1 }> {
  const { decode } = await import("fast-png");
  const isInterlaced = bytes[28] !== 0;
  if (isInterlaced && bytes[24] < 8) {
    throw new FileError(
      `Expected the rows of ${name} to be stored one after the other, got interlaced ones; save it without interlacing.`,
    );
  }
  try {
    const { width, height, data, depth } = decode(bytes, { checkCrc: true });
    if (depth === 8) return { width, height, channels: 1, data: data as Uint8Array };
    const rowBytes = Math.ceil((width * depth) / 8);
    const out = new Uint8Array(width * height);
    // With 2 bits a sample, a byte AABBCCDD holds the four samples AA, BB, CC and DD.
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const bit = x * depth;
        const byte = data[y * rowBytes + (bit >> 3)];
        out[y * width + x] = (byte >> (8 - depth - (bit & 7))) & ((1 << depth) - 1);
      }
    }
    return { width, height, channels: 1, data: out };
  } catch (error) {
    throw new FileError(`Could not read ${name}: it is not a PNG, or it is damaged.`, { cause: error });
  }
}

/**
 * Reads an image of 8 or 16 bits per channel as it is stored: no colour profile or gamma is applied. The result has one channel,
 * RGB or RGBA; grey with alpha becomes RGBA.
 * @throws FileError if the image is damaged, has a palette, or has fewer than 8 bits per channel
 * @example
 * import { readPng } from "@skerry/files";
 * import { readFileSync } from "node:fs";
 * const { width, height, channels } = await readPng(readFileSync("cells.png"), "cells.png");
 * console.log(width, height, channels);
 */
export async function readPng(bytes: Uint8Array, name: string): Promise<Raster & { channels: 1 | 3 | 4 }> {
  const { decode } = await import("fast-png");
  try {
    const { width, height, channels, data, transparency, depth } = decode(bytes, { checkCrc: true });
    // A picture of colours may suggest a palette for screens of few colours.
    if (pngKind(bytes)?.palette || depth < 8)
      throw new FileError(`Expected ${name} to have 8 or 16 bits per channel and no palette.`);
    const values = data as Uint8Array | Uint16Array;
    const rgba = depth === 16 ? new Uint16Array(width * height * 4) : new Uint8Array(width * height * 4);
    if (transparency && (channels === 1 || channels === 3)) {
      // One colour is transparent.
      const [red, green = red, blue = red] = transparency;
      const opaque = depth === 16 ? 65535 : 255;
      for (let i = 0; i < width * height; i++) {
        const [r, g, b] = channels === 1 ? [values[i], values[i], values[i]] : values.subarray(3 * i, 3 * i + 3);
        rgba.set([r, g, b, r === red && g === green && b === blue ? 0 : opaque], 4 * i);
      }
      return { width, height, channels: 4, data: rgba };
    }
    if (channels !== 2) return { width, height, channels: channels as 1 | 3 | 4, data: values };
    for (let i = 0; i < width * height; i++) {
      const grey = values[2 * i];
      rgba.set([grey, grey, grey, values[2 * i + 1]], 4 * i);
    }
    return { width, height, channels: 4, data: rgba };
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError(`Could not read ${name}: it is not a PNG, or it is damaged.`, { cause: error });
  }
}

// Passes pixels to kernels, one band of rows at a time: through staging buffers from the host, or as parts of resident
// buffers. Colour is reduced to one channel on the way.

import type { Call } from "../core/call.js";
import { bytesOf, PIXEL_BYTES, type Pixels, rowCount, type Shape, TYPE_CODE } from "../core/pixels.js";
import { hostRows } from "../core/sinks.js";
import { changedError, Unsupported } from "../types/errors.js";
import type { PixelArray } from "../types/raster.js";
import type { Binding, Commands } from "./device/commands.js";
import { type Context, ScratchScope } from "./device/context.js";
import { STAGING_BYTES } from "./device/memory.js";

/** Rows [y0, y1), counted through all slices. */
export interface Rows {
  readonly y0: number;
  readonly y1: number;
}

/** Bytes of host pixels on the device at a time. */
const BAND_BYTES = 16 << 20;

/** Number of workgroups of 256 threads. */
export function groupsOf(threads: number): number {
  return Math.ceil(threads / 256);
}

/** Workgroups of a kernel whose threads loop over at most `nodes` nodes. */
export function walkersFor(nodes: number): number {
  return Math.min(1024, groupsOf(nodes));
}

/**
 * Pixels on the device, in buffers of whole rows. Each buffer also holds one row before and one row after its own, if
 * they exist.
 */
export interface Resident {
  readonly shape: Shape;
  readonly parts: readonly (Rows & { readonly buffer: GPUBuffer; readonly offset: number })[];
  dispose(): void;
}

/** Bindings begin at multiples of this many bytes. */
export const BINDING_ALIGNMENT = 256;

/** The part of an image that owns a row, and the byte of the part's buffer with which the row begins. */
export function placeOfRow(
  { shape, parts }: Resident,
  row: number,
): { part: Resident["parts"][number]; begin: number } {
  const part = parts.find(({ y1 }) => y1 > row) as Resident["parts"][number];
  return { part, begin: part.offset + (row - Math.max(0, part.y0 - 1)) * rowBytesOf(shape) };
}

/** Bytes of a row of pixels. */
export const rowBytesOf = ({ width, channels, type }: Shape): number => width * channels * PIXEL_BYTES[type];

/** The bands that a kernel needs. */
export interface Feed {
  /** Bands begin at multiples of this many rows after the first row. */
  readonly multiple: number;
  /** Each band includes the row before it and the row after it. */
  readonly halo: boolean;
  /** Colour becomes "any channel is not 0" instead of luma. */
  readonly any?: boolean;
  /** All channels stay. */
  readonly raw?: boolean;
}

/** A band of one channel, or of all channels if raw, that a kernel can bind. */
export interface Band extends Rows {
  readonly pixels: Binding;
  /** Index of the band's first value in the binding. */
  readonly first: number;
}

/**
 * Calls `use` to record each band of the rows. For resident pixels the commands stay recorded, unless colour is reduced
 * to one channel. Host pixels are submitted band by band, so that one band is written while another is in transit.
 */
export async function eachBand(
  context: Context,
  commands: Commands,
  pixels: Pixels,
  rows: Rows,
  feed: Feed,
  call: Call,
  use: (band: Band) => void,
): Promise<void> {
  const { shape } = pixels;
  const scope = new ScratchScope(context);
  try {
    const around = feed.halo ? 2 : 0;
    if (pixels.kind === "image") {
      const step = windowHeight(context, shape, rows, feed);
      const reduce = await reducer(scope, commands, shape, feed, step + around);
      for (const band of windows(pixels.image as unknown as Resident, rows, feed, step)) use(reduce(band));
      // The luma buffer returns to the pool, so recorded commands must not use it any more.
      if (shape.channels > 1 && !feed.raw) await commands.submit();
      return;
    }
    const rowBytes = rowBytesOf(shape);
    const least = (Math.min(feed.multiple, rows.y1 - rows.y0) + around) * rowBytes;
    const most = Math.min(context.device.bindingBytes, Math.max(BAND_BYTES, least));
    const height = bandHeight(shape, feed, rows, Math.floor(most / rowBytes) - around, context);
    const buffer = await scope.allocate((height + around) * rowBytes + 4, "pixels");
    const reduce = await reducer(scope, commands, shape, feed, height + around);
    const bands = Math.ceil((rows.y1 - rows.y0) / height);
    let sending = 0;
    for (let y0 = rows.y0, done = 0; y0 < rows.y1; y0 += height) {
      call.signal?.throwIfAborted();
      const y1 = Math.min(rows.y1, y0 + height);
      const above = feed.halo && y0 > 0 ? 1 : 0;
      const under = feed.halo && y1 < rowCount(shape) ? 1 : 0;
      const data = await hostRows(pixels, y0 - above, y1 + under, call);
      const begin = performance.now();
      await upload(context, commands, data, buffer, 0);
      sending += performance.now() - begin;
      use(reduce({ y0, y1, pixels: buffer, first: above * shape.width * shape.channels, above, under }));
      await commands.submit();
      call.onProgress?.({ stage: "upload", done: ++done, total: bands });
    }
    context.sent((rows.y1 - rows.y0) * rowBytes, sending);
  } finally {
    scope.freeAll();
  }
}

interface Raw extends Band {
  readonly above: number;
  readonly under: number;
}

function bandHeight(shape: Shape, { multiple }: Feed, rows: Rows, fit: number, context: Context): number {
  const height = fit >= rows.y1 - rows.y0 ? rows.y1 - rows.y0 : fit - (fit % multiple);
  if (height < 1) {
    throw new Unsupported(
      `Expected rows of which ${multiple} fit ${context.device.bindingBytes} bytes of GPU memory bound at once, got ${shape.width} pixels of ${shape.channels} x ${shape.type}.`,
    );
  }
  return height;
}

/** Copies an array into a buffer, and submits each piece of at most {@link STAGING_BYTES}. */
export async function upload(
  context: Context,
  commands: Commands,
  data: PixelArray | Uint32Array,
  buffer: GPUBuffer,
  offset: number,
): Promise<void> {
  const bytes = bytesOf(data);
  const all = bytes.length;
  for (let at = 0; at < all; at += STAGING_BYTES) {
    const staging = await context.memory.upload();
    // An array whose buffer was detached or shrank meanwhile has no bytes.
    if (bytes.length < all) {
      staging.free();
      throw changedError();
    }
    const piece = bytes.subarray(at, at + STAGING_BYTES);
    staging.write(piece);
    // Copies end at whole words, so up to three stale bytes follow the last ones. Buffers have room for them.
    commands.copy(staging.buffer, 0, buffer, offset + at, Math.ceil(piece.length / 4) * 4);
    try {
      await commands.submit();
    } finally {
      staging.remap();
    }
  }
}

/** Rows of resident pixels that fit one binding. */
function windowHeight(context: Context, shape: Shape, rows: Rows, feed: Feed): number {
  const rowBytes = rowBytesOf(shape);
  // A binding begins at a multiple of 256 bytes, up to 255 bytes before the first row, and ends at a whole word.
  const fit = Math.floor((context.device.bindingBytes - 512) / rowBytes) - (feed.halo ? 2 : 0);
  return bandHeight(shape, feed, rows, fit, context);
}

/** Yields bands of at most `step` rows of resident pixels. */
function* windows(resident: Resident, rows: Rows, feed: Feed, step: number): Generator<Raw> {
  const { shape } = resident;
  const { width, channels, type } = shape;
  const rowBytes = rowBytesOf(shape);
  for (let y0 = rows.y0; y0 < rows.y1; ) {
    const { part, begin: beginOfPart } = placeOfRow(resident, y0);
    const y1 = Math.min(rows.y1, part.y1, y0 + step);
    const above = feed.halo && y0 > 0 ? 1 : 0;
    const under = feed.halo && y1 < rowCount(shape) ? 1 : 0;
    const begin = beginOfPart - above * rowBytes;
    const offset = begin - (begin % BINDING_ALIGNMENT);
    const end = Math.min(part.buffer.size, Math.ceil((begin + (y1 - y0 + above + under) * rowBytes) / 4) * 4);
    const first = (begin - offset) / PIXEL_BYTES[type] + above * width * channels;
    yield { y0, y1, above, under, first, pixels: { buffer: part.buffer, offset, size: end - offset } };
    y0 = y1;
  }
}

/** Returns a function that reduces bands of colour, of at most `rows` rows, to one channel. Other bands stay as they are. */
async function reducer(
  scope: ScratchScope,
  commands: Commands,
  { width, channels, type }: Shape,
  { any = false, raw = false }: Feed,
  rows: number,
): Promise<(band: Raw) => Band> {
  if (channels === 1 || raw) return (band) => band;
  const luma = await scope.allocate(rows * width * PIXEL_BYTES[type] + 4, "luma");
  return ({ y0, y1, pixels, first, above, under }) => {
    const count = (y1 - y0 + above + under) * width;
    const per = type === "u8" ? 4 : type === "f32" ? 1 : 2;
    commands.stage("luma", count * (channels + 1) * PIXEL_BYTES[type]);
    commands.dispatch(
      "image-luma",
      groupsOf(Math.ceil(count / per)),
      { pixels, luma },
      { pixels: count, first: first - above * width * channels, zero: 0 },
      { TYPE: TYPE_CODE[type], CHANNELS: channels, ANY: any },
    );
    return { y0, y1, pixels: luma, first: above * width };
  };
}

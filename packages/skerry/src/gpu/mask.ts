// Packs pixels to bits, and copies bits in and out. A strip's bits have one more row above and below: the nearest rows
// of its neighbours, or zeros at the border of the image.

import type { Call } from "../core/call.js";
import {
  type Bits,
  PIXEL_BYTES,
  type Pixels,
  partOf,
  rowCount,
  type Size,
  sizeText,
  TYPE_CODE,
} from "../core/pixels.js";
import type { Predicate } from "../core/plans.js";
import { Unsupported } from "../types/errors.js";
import type { Connectivity, PixelType } from "../types/raster.js";
import { eachBand, groupsOf, type Rows, upload } from "./bands.js";
import type { Commands } from "./device/commands.js";
import { type Context, type ScratchScope, withScratch } from "./device/context.js";
import { fillBuffer } from "./device/memory.js";

/** Size of the tiles of components-label-tiles.wgsl: 4 words by 32 cells. See {@link cellRows} for the rows of a cell. */
export const TILE_WORDS = 4;
export const TILE_CELLS = 32;

/** Whether pixels join their neighbours along the diagonals of a slice. */
export function joinsDiagonals(connectivity: Connectivity): boolean {
  return connectivity === 8 || connectivity >= 18;
}

/** Rows of a cell: two if diagonals join and no cell would lie in two slices, else one. */
export function cellRows({ height, depth }: Size, connectivity: Connectivity): 1 | 2 {
  return joinsDiagonals(connectivity) && (depth === 1 || height % 2 === 0) ? 2 : 1;
}

/** Strips of an image have a multiple of this many rows, if that many fit. Their labels then begin at multiples of 256 bytes. */
const STRIP_ROWS = 64;

/** Rows of one or two bit planes. */
export interface PlaneStrip extends Rows {
  readonly bits: readonly GPUBuffer[];
}

/** One or two bit planes, in strips. */
export interface Planes extends Size {
  /** All slices' rows. */
  readonly rows: number;
  /** 32-bit words per row. */
  readonly words: number;
  readonly strips: readonly PlaneStrip[];
}

/**
 * Cuts rows into strips so that every buffer fits one binding. Segments take 1 byte per pixel. Components take at most
 * 4 bytes per two pixels and polarity, if no pixel touches another.
 */
export function stripsOf(context: Context, size: Size, classes: number): Rows[] {
  const { width, height: slice, depth } = size;
  const height = rowCount(size);
  const words = Math.ceil(width / 32);
  const rowBytes = words * 32 * 2 * classes;
  const { bindingBytes } = context.device;
  const fit = Math.floor(bindingBytes / rowBytes);
  // A strip must not cut a cell of two rows, or a slice.
  const step = depth > 1 ? slice : fit >= STRIP_ROWS ? STRIP_ROWS : 2;
  const rows = fit >= height ? height : fit - (fit % step);
  if (rows < 1) {
    const part = depth > 1 ? "a slice takes" : "two rows take";
    throw new Unsupported(
      `Expected ${depth > 1 ? "a volume" : "an image"} of which ${part} at most ${bindingBytes} bytes of GPU memory, got ${sizeText(size)}.`,
    );
  }
  const strips: Rows[] = [];
  for (let y0 = 0; y0 < height; y0 += rows) strips.push({ y0, y1: Math.min(height, y0 + rows) });
  return strips;
}

/** Whether planes of a size are one strip. */
export function fitsOneStrip(context: Context, { width, height, depth }: Size, classes: number): boolean {
  return Math.ceil(width / 32) * 64 * classes * height * depth <= context.device.bindingBytes;
}

/** Whether a slice of a volume fits one binding. If not, the CPU labels the volume. */
export function fitsSlices(context: Context, size: Size, classes: number): boolean {
  return size.depth === 1 || fitsOneStrip(context, { ...size, depth: 1 }, classes);
}

/** Allocates planes and fills them with `fill`. Frees them if that fails. */
export async function makePlanes(
  context: Context,
  { width, height, depth }: Size,
  classes: number,
  fill: (planes: Planes) => Promise<void>,
): Promise<Planes> {
  const words = Math.ceil(width / 32);
  const strips: PlaneStrip[] = [];
  const planes = { width, height, depth, rows: height * depth, words, strips };
  try {
    for (const rows of stripsOf(context, planes, classes)) {
      const bits: GPUBuffer[] = [];
      strips.push({ ...rows, bits });
      for (let i = 0; i < classes; i++) {
        bits.push(await context.memory.allocate((rows.y1 - rows.y0 + 2) * words * 4, "bits"));
      }
    }
    await fill(planes);
    return planes;
  } catch (error) {
    freePlanes(context, planes);
    throw error;
  }
}

export function freePlanes(context: Context, { strips }: Planes): void {
  for (const { bits } of strips) for (const buffer of bits) context.memory.free(buffer);
}

/** Bytes of a strip's rows of bits, without the halo. */
export function stripBytes({ words }: Planes, { y0, y1 }: Rows): number {
  return (y1 - y0) * words * 4;
}

/** Fills the halo rows above and below each strip. */
export function fillHalos(commands: Commands, { words, strips }: Planes): void {
  const row = words * 4;
  for (const [index, { y0, y1, bits }] of strips.entries()) {
    const last = (y1 - y0 + 1) * row;
    for (const [plane, buffer] of bits.entries()) {
      const before = strips[index - 1];
      const after = strips[index + 1];
      if (before) commands.copy(before.bits[plane], (before.y1 - before.y0) * row, buffer, 0, row);
      else commands.clear(buffer, 0, row);
      if (after) commands.copy(after.bits[plane], row, buffer, last, row);
      else commands.clear(buffer, last, row);
    }
  }
}

/** A bound of an interval as kernels compare it: unsigned, with 32768 added to i16, and with floats as ordered keys. */
export function bound(value: number, type: PixelType): number {
  if (type === "i16") return value + 32768;
  return type === "f32" ? floatKey(value) : value;
}

/** Maps floats to keys of 32 bits whose unsigned order is that of the floats. Both zeros have the same key. */
export function floatKey(value: number): number {
  const bits = new Uint32Array(Float32Array.of(value === 0 ? 0 : value).buffer)[0];
  return (bits & 0x80000000 ? ~bits : bits | 0x80000000) >>> 0;
}

/** Records the packing of pixels into planes. Bands of host pixels are also submitted. NaN is background. */
export async function packPixels(
  context: Context,
  commands: Commands,
  pixels: Pixels,
  predicate: Predicate,
  planes: Planes,
  call: Call,
): Promise<void> {
  const { width, type } = pixels.shape;
  const { words } = planes;
  const { except } = predicate;
  const [one, two = one] = predicate.intervals;
  if (!one || !two) throw new Error("a predicate has a class");
  const CLASSES = predicate.intervals.length;
  const intervals = {
    lo: bound(one.lo, type),
    hi: bound(one.hi, type),
    invert: one.invert ? 0xffffffff : 0,
    excepting: Number(except !== undefined),
    except: bound(except ?? 0, type),
    lo2: bound(two.lo, type),
    hi2: bound(two.hi, type),
    invert2: two.invert ? 0xffffffff : 0,
  };
  for (const strip of planes.strips) {
    const [bits, second] = strip.bits as [GPUBuffer, GPUBuffer | undefined];
    // A kernel may not write to one buffer through two bindings.
    const bits2 = second ?? context.nothing;
    const feed = { multiple: 1, halo: false, any: predicate.any };
    await eachBand(context, commands, pixels, strip, feed, call, ({ y0, y1, pixels: input, first }) => {
      const rows = y1 - y0;
      commands.stage("pack", rows * (width * PIXEL_BYTES[type] + words * 4 * CLASSES));
      const parameters = { width, words, rows, first, row: y0 - strip.y0 + 1, ...intervals };
      if (type === "u8" && width % 32 === 0 && first % 16 === 0 && except === undefined) {
        const groups = Math.ceil((rows * words) / 128);
        commands.dispatch("mask-pack-bytes", groups, { pixels: input, bits, bits2 }, parameters, { CLASSES });
      } else {
        const buffers = { pixels: input, bits, bits2 };
        commands.dispatch("mask-pack", groupsOf(rows * words), buffers, parameters, { TYPE: TYPE_CODE[type], CLASSES });
      }
    });
  }
  fillHalos(commands, planes);
}

/** Uploads bits. Bits past the last pixel of a row are ignored. */
export async function uploadMask(context: Context, commands: Commands, mask: Bits, planes: Planes): Promise<void> {
  const { width, words } = planes;
  for (const strip of planes.strips) {
    for (const [index, buffer] of strip.bits.entries()) {
      const bits = index === 0 ? mask.bits : (mask.second as Uint32Array);
      await upload(context, commands, partOf(bits, strip.y0 * words, strip.y1 * words), buffer, words * 4);
      if (width % 32 !== 0) await clearTails(context, commands, buffer, planes, strip);
    }
  }
  fillHalos(commands, planes);
}

/** Clears the bits past each row's last pixel, by complementing twice through a temporary buffer. */
async function clearTails(
  context: Context,
  commands: Commands,
  bits: GPUBuffer,
  { width, words }: Planes,
  { y0, y1 }: Rows,
): Promise<void> {
  // The halo row above the strip is included. Its final bits come from fillHalos() afterwards.
  const total = (y1 - y0 + 1) * words;
  const tail = 0xffffffff >>> (words * 32 - width);
  await withScratch(context, async (scope) => {
    const result = await scope.allocate(total * 4, "bits");
    for (const [from, to] of [
      [bits, result],
      [result, bits],
    ] as const) {
      const buffers = { bits: from, bits2: from, result: to };
      commands.dispatch("mask-combine", groupsOf(total), buffers, { words, total, tail }, { NEITHER: true });
    }
    await commands.submit();
  });
}

/** Reads back one plane, or with `which` 0 the union of all, as words of a public Mask. */
export async function exportMask(context: Context, planes: Planes, which: 0 | 1 | 2, into: Uint32Array): Promise<void> {
  const { words } = planes;
  const chosen = which === 2 ? [1] : which === 1 ? [0] : [0, 1];
  for (const { y0, y1, bits } of planes.strips) {
    for (const index of chosen) {
      const buffer = bits[index];
      if (!buffer) continue;
      const commands = context.commands();
      const add = which === 0 && index === 1;
      await context.read(commands, buffer, words * 4, (y1 - y0) * words * 4, (piece, at) => {
        const from = y0 * words + at / 4;
        const values = new Uint32Array(piece, 0, Math.min(piece.byteLength / 4, y1 * words - from));
        if (!add) into.set(values, from);
        else for (let i = 0; i < values.length; i++) into[from + i] = into[from + i] | values[i];
      });
    }
  }
}

/** Reads back the foreground pixels that have background beside them along an axis, as words of a public Mask. */
export async function exportSurface(
  context: Context,
  planes: Planes,
  border: boolean,
  into: Uint32Array,
): Promise<void> {
  const { words, strips } = planes;
  for (const strip of strips) {
    await withScratch(context, async (scope) => {
      const commands = context.commands();
      const result = await recordSurface(scope, commands, planes, strip, border);
      await context.read(commands, result, 0, stripBytes(planes, strip), (piece, at) => {
        const from = strip.y0 * words + at / 4;
        into.set(new Uint32Array(piece, 0, Math.min(piece.byteLength / 4, strip.y1 * words - from)), from);
      });
    });
  }
}

/** Records, into a new buffer, which foreground pixels of a strip have background beside them along an axis. */
export async function recordSurface(
  scope: ScratchScope,
  commands: Commands,
  planes: Planes,
  strip: PlaneStrip,
  border: boolean,
): Promise<GPUBuffer> {
  const { width, height, depth, words, rows, strips } = planes;
  const total = (strip.y1 - strip.y0) * words;
  const result = await scope.allocate(total * 4, "surface");
  // In a volume the slices around a strip lie in other strips. In an image the strip's halo holds the rows around it.
  const around = strips.length > 1 && depth > 1;
  const first = around ? Math.max(0, strip.y0 - height) : strip.y0 - 1;
  const last = around ? Math.min(rows, strip.y1 + height) : strip.y1;
  const planesAround: GPUBuffer[] = [];
  for (const [index, bits] of strip.bits.entries()) {
    const copy = around ? await scope.allocate((last - first) * words * 4, "bits") : bits;
    planesAround.push(around ? copyRows(commands, planes, index, { y0: first, y1: last }, copy) : copy);
  }
  const [bits, bits2 = bits] = planesAround as [GPUBuffer, GPUBuffer?];
  const parameters = {
    width,
    words,
    total,
    row: strip.y0,
    first: (strip.y0 - first) * words,
    height,
    depth,
    border: Number(border),
  };
  commands.dispatch("mask-surface", groupsOf(total), { bits, bits2, surface: result }, parameters);
  return result;
}

/** Copies rows of a plane into a buffer, after `lead` words, from all strips that hold some of them. */
export function copyRows(
  commands: Commands,
  { words, strips }: Planes,
  plane: number,
  rows: Rows,
  into: GPUBuffer,
  lead = 0,
): GPUBuffer {
  for (const { y0, y1, bits } of strips) {
    const [from, to] = [Math.max(y0, rows.y0), Math.min(y1, rows.y1)];
    if (from >= to) continue;
    const source = (from - y0 + 1) * words * 4;
    commands.copy(bits[plane], source, into, (lead + (from - rows.y0) * words) * 4, (to - from) * words * 4);
  }
  return into;
}

/**
 * Returns one plane, or with `which` 0 the union of all, as words of a public Mask, in the caller's buffer or a new one, which the caller
 * owns.
 */
export function maskBuffer(
  context: Context,
  planes: Planes,
  which: 0 | 1 | 2,
  into: GPUBuffer | undefined,
): Promise<GPUBuffer> {
  const bytes = planes.words * planes.rows * 4;
  return fillBuffer(context, { bytes, into }, "bits", ({ buffer }) => fillMask(context, planes, which, buffer));
}

async function fillMask(context: Context, planes: Planes, which: 0 | 1 | 2, buffer: GPUBuffer): Promise<void> {
  const { words, strips } = planes;
  const commands = context.commands();
  for (const strip of strips) {
    const [first, second] = strip.bits as [GPUBuffer, GPUBuffer | undefined];
    const bytes = stripBytes(planes, strip);
    const copyOut = (from: GPUBuffer): void => commands.copy(from, words * 4, buffer, strip.y0 * words * 4, bytes);
    if (which !== 0 || !second) {
      copyOut(which === 2 ? (second as GPUBuffer) : first);
      continue;
    }
    await withScratch(context, async (scope) => {
      const result = await scope.allocate(bytes + words * 4, "bits");
      const total = bytes / 4 + words;
      const parameters = { words, total, tail: 0xffffffff };
      commands.dispatch("mask-combine", groupsOf(total), { bits: first, bits2: second, result }, parameters);
      copyOut(result);
      await commands.submit();
    });
  }
  await commands.submit();
}

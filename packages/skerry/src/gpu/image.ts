// Resident images: uploaded once, or from a buffer or texture of the caller's device.

import type { Call } from "../core/call.js";
import { newPixels, PIXEL_BYTES, type Pixels, partOf, rowCount, type Shape } from "../core/pixels.js";
import { changedError, InvalidArgument, Unsupported } from "../types/errors.js";
import type { GpuRaster, PixelArray } from "../types/raster.js";
import { BINDING_ALIGNMENT, groupsOf, placeOfRow, type Resident, rowBytesOf, upload } from "./bands.js";
import type { Binding } from "./device/commands.js";
import { type Context, ScratchScope, withScratch } from "./device/context.js";
import { BUFFER_USAGE } from "./device/flags.js";

/** Parts of an image begin at multiples of this many rows. */
const PART_ROWS = 64;

/** Uploads a raster. A raster that exceeds one buffer is split into several buffers, which overlap at the cuts. */
export async function loadArray(
  context: Context,
  { shape, data }: Pixels & { kind: "array" },
  call: Call,
): Promise<Resident> {
  const { width, channels } = shape;
  const height = rowCount(shape);
  const values = width * channels;
  const rowBytes = rowBytesOf(shape);
  const fit = Math.floor((context.device.gpu.limits.maxBufferSize - 4) / rowBytes);
  const rows = fit >= height ? height : fit - 2 - ((fit - 2) % PART_ROWS);
  if (rows < 1) throw new Unsupported(`Expected ${PART_ROWS} rows to fit one GPU buffer, got ${width} pixels per row.`);
  const scope = new ScratchScope(context);
  try {
    const parts: { y0: number; y1: number; buffer: GPUBuffer; offset: number }[] = [];
    await context.timed(call, "load", data.byteLength, async () => {
      for (let y0 = 0; y0 < height; y0 += rows) {
        call.signal?.throwIfAborted();
        const y1 = Math.min(height, y0 + rows);
        const from = Math.max(0, y0 - 1);
        const to = Math.min(height, y1 + 1);
        const buffer = await scope.allocate((to - from) * rowBytes + 4, "image");
        const piece = partOf(data, from * values, to * values);
        await upload(context, context.commands(), piece, buffer, 0);
        parts.push({ y0, y1, buffer, offset: 0 });
        call.onProgress?.({ stage: "load", done: y1, total: height });
      }
    });
    return { shape, parts, dispose: () => scope.freeAll() };
  } catch (error) {
    scope.freeAll();
    throw error;
  }
}

/** Calls `work` with pixels on the device; those of the host are uploaded for it. */
export async function withUploaded<T>(
  context: Context,
  pixels: Pixels,
  call: Call,
  work: (image: Resident) => Promise<T>,
): Promise<T> {
  if (pixels.kind === "image") return work(pixels.image as unknown as Resident);
  const uploaded = await loadArray(context, pixels as Pixels & { kind: "array" }, call);
  return work(uploaded).finally(() => uploaded.dispose());
}

/** Whether pixels lie in one buffer on the device, or will once they are uploaded. */
export function inOneBuffer(pixels: Pixels): boolean {
  return pixels.kind !== "source" && (pixels.kind === "array" || partsOf(pixels).length === 1);
}

const partsOf = ({ image }: Pixels & { kind: "image" }): Resident["parts"] => (image as unknown as Resident).parts;

/** The binding of all pixels of an image in one buffer, and the bytes in front of the first. */
export function wholeOf({ shape, parts: [part] }: Resident): { readonly pixels: Binding; readonly lead: number } {
  const lead = part.offset % BINDING_ALIGNMENT;
  const size = Math.ceil((lead + rowBytesOf(shape) * rowCount(shape)) / 4) * 4;
  return { pixels: { buffer: part.buffer, offset: part.offset - lead, size }, lead };
}

/** Makes an image in one buffer, which `fill` fills. */
export async function makeImage(
  context: Context,
  shape: Shape,
  fill: (buffer: GPUBuffer) => Promise<void>,
): Promise<Resident> {
  const height = rowCount(shape);
  const scope = new ScratchScope(context);
  try {
    const buffer = await scope.allocate(Math.ceil((rowBytesOf(shape) * height) / 4) * 4 + 4, "image");
    await fill(buffer);
    return { shape, parts: [{ y0: 0, y1: height, buffer, offset: 0 }], dispose: () => scope.freeAll() };
  } catch (error) {
    scope.freeAll();
    throw error;
  }
}

/** Wraps the pixels of a caller's buffer, or copies those of a texture. */
export async function loadResident(context: Context, raster: GpuRaster, shape: Shape): Promise<Resident> {
  if ("texture" in raster) return loadTexture(context, raster.texture, shape);
  const { buffer, offset = 0 } = raster;
  const bytes = shape.width * rowCount(shape) * shape.channels * PIXEL_BYTES[shape.type];
  if (!(buffer.usage & BUFFER_USAGE.STORAGE)) {
    throw new InvalidArgument("Expected a GPUBuffer of usage STORAGE, got one without.", { argument: "buffer" });
  }
  if (offset % 4 !== 0 || offset + bytes > buffer.size) {
    throw new InvalidArgument(
      `Expected ${bytes} bytes of pixels at a multiple of 4 in the GPUBuffer, got ${buffer.size} bytes and offset ${offset}.`,
      { argument: "buffer" },
    );
  }
  return { shape, parts: [{ y0: 0, y1: rowCount(shape), buffer, offset }], dispose: () => undefined };
}

/** Texture formats whose texels need no conversion. */
const FORMATS: Partial<Record<GPUTextureFormat, Pick<Shape, "type" | "channels">>> = {
  r8unorm: { type: "u8", channels: 1 },
  r8uint: { type: "u8", channels: 1 },
  rgba8unorm: { type: "u8", channels: 4 },
  "rgba8unorm-srgb": { type: "u8", channels: 4 },
  rgba8uint: { type: "u8", channels: 4 },
  r16uint: { type: "u16", channels: 1 },
  r16sint: { type: "i16", channels: 1 },
  r32float: { type: "f32", channels: 1 },
};

/** The size and type of a texture's pixels. */
export function shapeOfTexture({ format, width, height, depthOrArrayLayers, dimension }: GPUTexture): Shape {
  const known = FORMATS[format];
  if (!known || dimension !== "2d" || depthOrArrayLayers !== 1) {
    throw new InvalidArgument(
      `Expected a 2-D GPUTexture of the format ${Object.keys(FORMATS).join(", ")}, got ${dimension} ${format}.`,
      { argument: "texture" },
    );
  }
  return { width, height, depth: 1, ...known };
}

/** Copies a texture into a buffer. WebGPU copies rows to multiples of 256 bytes, and a kernel removes the padding. */
function loadTexture(context: Context, texture: GPUTexture, shape: Shape): Promise<Resident> {
  const rowBytes = rowBytesOf(shape);
  const pitch = Math.ceil(rowBytes / 256) * 256;
  const bytes = rowBytes * shape.height;
  return makeImage(context, shape, (pixels) =>
    withScratch(context, async (between) => {
      const pitched = await between.allocate(pitch * shape.height, "texture");
      const commands = context.commands();
      commands.encode((encoder) =>
        encoder.copyTextureToBuffer({ texture }, { buffer: pitched, bytesPerRow: pitch }, [shape.width, shape.height]),
      );
      const total = Math.ceil(bytes / 4);
      commands.dispatch("image-unpitch", groupsOf(total), { pitched, pixels }, { rowBytes, pitch, bytes });
      await commands.submit();
    }),
  );
}

/** Reads bytes of a buffer back. Those of a caller's buffer without the usage COPY_SRC pass through one that a kernel copies them to. */
async function readBack(
  context: Context,
  buffer: GPUBuffer,
  begin: number,
  bytes: number,
  use: (piece: ArrayBuffer, at: number) => void,
): Promise<void> {
  if (buffer.usage & BUFFER_USAGE.COPY_SRC) return context.read(context.commands(), buffer, begin, bytes, use);
  const first = begin - (begin % BINDING_ALIGNMENT);
  await withScratch(context, async (scope) => {
    const most = Math.min(context.device.bindingBytes, begin + bytes - first);
    const copy = await scope.allocate(most, "copy");
    for (let offset = first; offset < begin + bytes; offset += most) {
      const size = Math.min(most, begin + bytes - offset);
      const lead = Math.max(0, begin - offset);
      const commands = context.commands();
      const bindings = { pitched: { buffer, offset, size }, pixels: { buffer: copy, offset: 0, size } };
      commands.dispatch("image-unpitch", groupsOf(size / 4), bindings, { rowBytes: size, pitch: size, bytes: size });
      await context.read(commands, copy, lead, size - lead, (piece, at) => use(piece, offset + lead - begin + at));
    }
  });
}

/** Reads resident pixels back. */
export async function download(
  context: Context,
  { image }: Pixels & { kind: "image" },
  into: PixelArray,
): Promise<PixelArray> {
  const resident = image as unknown as Resident;
  const { shape, parts } = resident;
  const rowBytes = rowBytesOf(shape);
  for (const { y0, y1, buffer } of parts) {
    const { begin } = placeOfRow(resident, y0);
    const skip = begin % 4;
    const length = (y1 - y0) * rowBytes;
    const padded = Math.ceil((length + skip) / 4) * 4;
    await readBack(context, buffer, begin - skip, padded, (piece, at) => {
      const from = at === 0 ? skip : 0;
      const to = y0 * rowBytes + at + from - skip;
      const rest = y1 * rowBytes - to;
      const values = new Uint8Array(piece, from, Math.min(piece.byteLength - from, rest));
      if (into.byteLength < to + values.length) throw changedError();
      new Uint8Array(into.buffer, into.byteOffset + to, values.length).set(values);
    });
  }
  return into;
}

/**
 * Reads some rows of resident pixels back. A kernel copies them, because a caller's buffer may have no usage but STORAGE. Example: row 1
 * of 300 bytes has the bytes 300 to 599 of the buffer; bytes 256 to 599 are copied, and the first 44 are skipped.
 */
export async function downloadRows(
  context: Context,
  { image }: Pixels & { kind: "image" },
  rows: readonly number[],
): Promise<PixelArray> {
  const resident = image as unknown as Resident;
  const { shape } = resident;
  const rowBytes = rowBytesOf(shape);
  const pitch = Math.ceil((rowBytes + BINDING_ALIGNMENT) / BINDING_ALIGNMENT) * BINDING_ALIGNMENT;
  const data = newPixels(shape.type, rows.length * shape.width * shape.channels);
  const bytes = new Uint8Array(data.buffer);
  await withScratch(context, async (scope) => {
    const gathered = await scope.allocate(rows.length * pitch, "rows");
    const commands = context.commands();
    const skips = rows.map((row, i) => {
      const { part, begin } = placeOfRow(resident, row);
      const skip = begin % BINDING_ALIGNMENT;
      const size = Math.ceil((skip + rowBytes) / 4) * 4;
      const pitched = { buffer: part.buffer, offset: begin - skip, size };
      const pixels = { buffer: gathered, offset: i * pitch, size };
      const line = { rowBytes: size, pitch: size, bytes: size };
      commands.dispatch("image-unpitch", groupsOf(size / 4), { pitched, pixels }, line);
      return skip;
    });
    const packed = new Uint8Array(rows.length * pitch);
    await context.read(commands, gathered, 0, packed.length, (piece, at) => packed.set(new Uint8Array(piece), at));
    for (const [i, skip] of skips.entries()) {
      bytes.set(packed.subarray(i * pitch + skip, i * pitch + skip + rowBytes), i * rowBytes);
    }
  });
  return data;
}

// Decodes the pixels of an image as they are stored, whatever the file. Bitmaps of the browser are decoded without
// colour management or premultiplied alpha and read back through WebGL, which keeps every bit of 8-bit pictures. 16-bit
// PNG and other formats have decoders of their own, which are loaded on first use but that of PNG. Grey pictures become one channel. Runs in a
// worker, and without one.

import { FileError, readPng, spaceOf, UsageError } from "@skerry/files";
import { gifPages, pngBits, pngKind, readGifIndices, readPngIndices, transparencyNote } from "@skerry/files/internal";
import type { PixelArray } from "skerry";
import { defined } from "skerry/internal";
import { imagesOf, MOST_PIXELS, type Opened, Refused, type Wanted, withoutFlags } from "./opened.js";
import { avifBits, isAnimated, isSequence, kindOf, physOf, sidesOf } from "./sniff.js";
import { ADDRESS_TYPE, FOLDER_TYPE } from "./stored.js";

/** Side of the tiles by which pixels are read back, and rows per read. */
const [TILE_SIDE, STRIP_ROWS] = [4096, 256];

/** No colour management, no premultiplied alpha. */
const AS_STORED: ImageBitmapOptions = { premultiplyAlpha: "none", colorSpaceConversion: "none" };

/** Decodes a file. Rejects with {@link Refused}. */
export async function decode(wanted: Wanted): Promise<Opened> {
  const { name } = wanted;
  const opened = await decodeAny(wanted);
  checkTaken(opened, wanted);
  const note = opened.channels === 4 ? transparencyNote(name, opened.data) : undefined;
  return note === undefined ? opened : { ...opened, transparency: withoutFlags([note])[0] };
}

/** Refuses settings of a channel or of a level of a file that has none to choose. */
function checkTaken(opened: Opened, { name, taken = {} }: Wanted): void {
  for (const axis of ["channel", "level"] as const) {
    if (taken[axis] === undefined || imagesOf(opened).some(({ name: own, pages }) => own === axis && !pages)) continue;
    if (opened.whole?.[axis] !== undefined) continue;
    throw new Refused({ why: "told", reason: `Expected ${name} to have several images along its ${axis}, got one.` });
  }
}

async function decodeAny(wanted: Wanted): Promise<Opened> {
  const { blob, name, shrink } = wanted;
  if (blob.size === 0) throw new Refused({ why: "empty" });
  if (blob.type === FOLDER_TYPE || blob.type === ADDRESS_TYPE) return readOther(wanted);
  const start = new Uint8Array(await blob.slice(0, 1 << 16).arrayBuffer());
  const kind = kindOf(start);
  if (kind === "none") return readOther(wanted);
  if (kind === "avif" && isSequence(start)) throw new Refused({ why: "decode" });
  const sides = sidesOf(kind, start);
  if (kind === "png" && !pngKind(start)) throw new Refused({ why: "damaged" });
  if (sides && shrink === 1 && sides.width * sides.height > MOST_PIXELS) throw new Refused({ why: "large", ...sides });
  if (kind === "tiff") return readTiff(wanted);
  if (kind === "png" && !(await hasEnd(blob))) throw new Refused({ why: "damaged" });
  const side = kind === "png" && shrink === 1 ? physOf(start) : undefined;
  const across = side === undefined ? undefined : Number(side.toPrecision(6));
  const printed = across === undefined ? undefined : ({ spacing: [across, across], unit: "mm" } as const);
  const scaled = sides && shrink > 1 && { width: ceil(sides.width, shrink), height: ceil(sides.height, shrink) };
  try {
    if (kind === "png" && pngBits(start) === 16 && !scaled) {
      const { data, ...rest } = await readPng(new Uint8Array(await blob.arrayBuffer()), name);
      const grey = rest.channels === 4 ? greyed(data, 65535) : { data };
      return { name, notes: [], space: spaceOf({ size: rest, printed }), ...rest, ...grey };
    }
    const bitmap = await createImageBitmap(
      blob,
      defined({
        ...AS_STORED,
        resizeWidth: scaled ? scaled.width : undefined,
        resizeHeight: scaled ? scaled.height : undefined,
        resizeQuality: scaled ? "medium" : undefined,
      }),
    );
    const { width, height } = bitmap;
    try {
      const space = spaceOf({ size: { width, height }, printed });
      const hasPalette = kind === "png" && !scaled && pngKind(start)?.palette === true;
      const indices = hasPalette || (kind === "gif" && !scaled) ? await indicesOf(blob, name, kind) : undefined;
      const deep =
        kind === "avif" && avifBits(start) > 8
          ? [`${name} has ${avifBits(start)} bits per channel; the page reads 8`]
          : [];
      const pages = kind === "gif" ? gifPages(new Uint8Array(await blob.arrayBuffer())) : 1;
      const several =
        pages > 1 || isAnimated(kind, start)
          ? [`${name} has ${pages > 1 ? pages : "several"} frames; the page reads the first`]
          : [];
      return {
        name,
        width,
        height,
        notes: [...deep, ...several],
        space,
        indices,
        ...greyed(await readPixels(bitmap), 255),
      };
    } finally {
      bitmap.close();
    }
  } catch (cause) {
    // If the header was read, the rest of the file is damaged.
    throw cause instanceof Refused
      ? cause
      : new Refused({ why: kind === "heic" ? "heic" : sides ? "damaged" : "decode" }, cause);
  }
}

/** The numbers of a palette; undefined for those that the command line does not read either: colours stand for them then. */
async function indicesOf(blob: Blob, name: string, kind: "png" | "gif"): Promise<Uint8Array | undefined> {
  try {
    const bytes = new Uint8Array(await blob.arrayBuffer());
    return (kind === "gif" ? readGifIndices(bytes, name) : await readPngIndices(bytes, name))?.data as Uint8Array;
  } catch {
    return undefined;
  }
}

/** Whether the last chunk of a PNG is present: browsers show an incomplete PNG, with grey below. */
async function hasEnd(blob: Blob): Promise<boolean> {
  const end = new Uint8Array(await blob.slice(Math.max(0, blob.size - (1 << 16))).arrayBuffer());
  for (let at = end.length - 8; at >= 0; at--) {
    // "IEND"
    if (end[at] === 73 && end[at + 1] === 69 && end[at + 2] === 78 && end[at + 3] === 68) return true;
  }
  return false;
}

const ceil = (side: number, by: number): number => Math.max(1, Math.ceil(side / by));

/** Reads the pixels back tile by tile: on some machines a texture has at most 4096 pixels a side. */
async function readPixels(bitmap: ImageBitmap): Promise<Uint8Array> {
  const { width, height } = bitmap;
  const gl = new OffscreenCanvas(1, 1).getContext("webgl2");
  if (!gl) throw new Refused({ why: "webgl" });
  try {
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
    gl.pixelStorei(gl.UNPACK_COLORSPACE_CONVERSION_WEBGL, gl.NONE);
    gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
    const texture = gl.getParameter(gl.TEXTURE_BINDING_2D) as WebGLTexture;
    const data = new Uint8Array(width * height * 4);
    for (let y = 0; y < height; y += TILE_SIDE) {
      for (let x = 0; x < width; x += TILE_SIDE) {
        const size = [Math.min(TILE_SIDE, width - x), Math.min(TILE_SIDE, height - y)] as const;
        const isUncut = size[0] === width && size[1] === height;
        const tile = isUncut ? bitmap : await createImageBitmap(bitmap, x, y, ...size, AS_STORED);
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE, tile);
        if (!isUncut) tile.close();
        gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
        readTile(gl, data, width, { x, y, width: size[0], height: size[1] });
      }
    }
    return data;
  } finally {
    gl.getExtension("WEBGL_lose_context")?.loseContext();
  }
}

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Reads a tile in strips of rows, into its place in the picture. */
function readTile(gl: WebGL2RenderingContext, data: Uint8Array, width: number, tile: Rectangle): void {
  gl.pixelStorei(gl.PACK_ROW_LENGTH, width);
  for (let y = 0; y < tile.height; y += STRIP_ROWS) {
    const rows = Math.min(STRIP_ROWS, tile.height - y);
    const from = ((tile.y + y) * width + tile.x) * 4;
    gl.readPixels(0, y, tile.width, rows, gl.RGBA, gl.UNSIGNED_BYTE, data, from);
  }
}

/** One channel if red, green and blue are equal everywhere and nothing is transparent, else all four. */
function greyed(rgba: PixelArray, opaque: number): { channels: 1 | 4; data: PixelArray } {
  for (let i = 0; i < rgba.length; i += 4) {
    if (rgba[i] !== rgba[i + 1] || rgba[i] !== rgba[i + 2] || rgba[i + 3] !== opaque)
      return { channels: 4, data: rgba };
  }
  const data = new (rgba.constructor as new (length: number) => PixelArray)(rgba.length / 4);
  for (let i = 0; i < data.length; i++) data[i] = rgba[4 * i];
  return { channels: 1, data };
}

/** Formats whose readers are loaded when the first file of one comes; the command line reads no others either, even where a browser could. */
async function readOther(wanted: Wanted): Promise<Opened> {
  try {
    const { openOther } = await import("./others.js");
    const opened = await openOther(wanted);
    if (!opened) throw new Refused({ why: "decode" });
    return opened.channels === 4 ? { ...opened, ...greyed(opened.data, 255) } : opened;
  } catch (cause) {
    if (cause instanceof Refused) throw cause;
    throw new Refused({ why: "told", reason: (cause as Error).message }, cause);
  }
}

/** The colours of a JPEG inside a TIFF. */
async function readJpeg(file: Uint8Array): Promise<{ width: number; height: number; rgba: Uint8Array }> {
  const bitmap = await createImageBitmap(new Blob([file as Uint8Array<ArrayBuffer>]), AS_STORED);
  const { width, height } = bitmap;
  try {
    return { width, height, rgba: await readPixels(bitmap) };
  } finally {
    bitmap.close();
  }
}

async function readTiff({ blob, name, taken, isWhole }: Wanted): Promise<Opened> {
  try {
    const { openPage, openStack } = await import("./tiff.js");
    if (isWhole) return await openStack(blob, name, taken, readJpeg);
    const { raster, notes, space, indices, images } = await openPage(
      blob,
      name,
      taken,
      readJpeg,
      ({ width, height }) => {
        if (width * height > MOST_PIXELS) throw new Refused({ why: "large", width, height });
      },
    );
    const { width, height, channels, data } = raster;
    const opened = { name, width, height, notes, space, indices, images };
    if (channels === 4) return { ...opened, ...greyed(data, data instanceof Uint16Array ? 65535 : 255) };
    return { ...opened, channels: channels as 1 | 3, data };
  } catch (cause) {
    if (cause instanceof Refused) throw cause;
    const known = cause instanceof FileError || cause instanceof UsageError;
    throw new Refused(known ? { why: "told", reason: cause.message } : { why: "decode" }, cause);
  }
}

// Reads TIFFs with the reader of the command line, but decodes Deflate and JPEG with the browser.

import {
  inflateByStream,
  type OpenedTiff,
  openTiff,
  type Space,
  type TiffCodecs,
  type TiffOptions,
} from "@skerry/files";
import { ARRAYS, isProjection, partOf, projectionOf, spaceOfProjection } from "@skerry/files/internal";
import lercWasm from "lerc/lerc-wasm.wasm?url";
import type { PixelArray, Raster } from "skerry";
import { defined, type Projection } from "skerry/internal";
import type { Taken } from "../settings/recipe.js";
import { blobBytes } from "./blob-bytes.js";
import { type ImagesAxis, type Opened, withoutFlags } from "./opened.js";

/** Bytes that one strip or tile may decode to. */
const MOST_CHUNK_BYTES = 2 ** 30;

/** Colours of a JPEG as the browser decodes it. */
type ReadJpeg = (file: Uint8Array) => Promise<{ width: number; height: number; rgba: Uint8Array }>;

const codecsOf = (readJpeg: ReadJpeg): TiffCodecs => ({
  inflate: inflateByStream,
  async jpeg(file) {
    const { width, height, rgba } = await readJpeg(file);
    const channels = componentsOf(file);
    const data = new Uint8Array(width * height * channels);
    for (let i = 0; i < width * height; i++) {
      for (let c = 0; c < channels; c++) data[i * channels + c] = rgba[4 * i + c];
    }
    return { width, height, channels, data };
  },
  jpegComponents: [1, 3],
  lercWasm,
});

/** A page, by default the first, or of a stack the slice in its middle; `check` refuses sizes before anything is decoded. */
export async function openPage(
  blob: Blob,
  name: string,
  { page, channel, time }: Taken = {},
  readJpeg: ReadJpeg,
  check: (size: { width: number; height: number }) => void,
): Promise<{
  raster: Raster & { readonly channels: number };
  notes: readonly string[];
  space: Space;
  /** Numbers of a palette. */
  indices: Uint8Array | undefined;
  /** The axes of a stack. */
  images: readonly ImagesAxis[] | undefined;
}> {
  const codecs = codecsOf(readJpeg);
  const open = (taken: Pick<TiffOptions, "page" | "channel" | "time">) =>
    openTiff(blobBytes(blob), name, { ...taken, withAlpha: true, most: MOST_CHUNK_BYTES, codecs });
  const isOne = isProjection(page);
  const first = await open(defined({ page, time, channel: isOne ? channel : undefined }));
  const { stack } = first;
  const isStack = stack !== undefined && stack.channels * stack.slices * stack.times > 1;
  // A stack shows the slice in its middle: the ends of scans are empty.
  const of: Taken =
    isStack && page === undefined
      ? defined({ page: stack.plane(0, stack.slices >> 1, time ?? 0) })
      : defined({ page, time });
  const opened = isOne || of.page === page ? first : await open(of);
  const pixels = isOne
    ? Object.assign(projectionOf(opened.pixels, page, name), { channels: opened.pixels.channels })
    : opened.pixels;
  const { width, height, channels } = pixels;
  check(pixels);
  const data: PixelArray = new ARRAYS[pixels.type](width * height * channels);
  await pixels.read(0, 1, 0, height, data, {});
  const notes = withoutFlags(opened.notes());
  const raster = opened.upright({ data, width, height, channels });
  const options = { ...of, most: MOST_CHUNK_BYTES, codecs, indices: true };
  // Numbers of several pages have no largest one.
  const numbers = opened.page.palette && !isOne ? (await openTiff(blobBytes(blob), name, options)).pixels : undefined;
  const grey = numbers?.type === "u8" ? new Uint8Array(width * height) : undefined;
  if (numbers && grey) await numbers.read(0, 1, 0, height, grey, {});
  const indices = grey && (opened.upright({ data: grey, width, height, channels: 1 }).pixels.data as Uint8Array);
  return {
    images: isOne
      ? projectedAxes(stack, opened.pixels.depth ?? 1, page, { channel, time })
      : !isStack
        ? undefined
        : axesOf(stack, typeof of.page === "number" ? of.page : 0),
    indices,
    raster: raster.pixels,
    space: isOne ? spaceOfProjection(raster.space, page) : partOf(raster.space, [0, 0, 0], raster.pixels),
    notes,
  };
}

type Stack = NonNullable<OpenedTiff["stack"]>;

/** The channel, the slice and the time that a page is; the first ones of a page that is none of them. */
function placeIn({ channels, slices, times, plane }: Stack, page: number): readonly [number, number, number] {
  for (let time = 0; time < times; time++) {
    for (let slice = 0; slice < slices; slice++) {
      for (let channel = 0; channel < channels; channel++) {
        if (plane(channel, slice, time) === page) return [channel, slice, time];
      }
    }
  }
  return [0, 0, 0];
}

/** The axes of a stack, with the page of each of their images beside those of a page. */
function axesOf(stack: Stack, page: number): readonly ImagesAxis[] {
  const at = placeIn(stack, page);
  const sizes = [stack.channels, stack.slices, stack.times];
  const names = ["channel", "slice", "time"] as const;
  return names.flatMap((name, axis) => {
    const pages = Array.from({ length: sizes[axis] }, (_, i) => {
      const [channel, slice, time] = at.map((own, other) => (other === axis ? i : own));
      // A plane that lies in another file is none that can be shown.
      return stack.plane(channel, slice, time) ?? page;
    });
    return sizes[axis] > 1 ? [{ name, size: sizes[axis], at: at[axis], pages }] : [];
  });
}

/** The axes of one image of the slices of a stack: the other two hold numbers of their own, and slices the pages that lead back to them. */
function projectedAxes(
  stack: Stack | undefined,
  pages: number,
  projection: Projection,
  { channel = 0, time = 0 }: Taken,
): readonly ImagesAxis[] {
  if (!stack) return [{ name: "page", size: pages, at: 0, projection }];
  const at = stack.plane(channel, stack.slices >> 1, time) ?? 0;
  return axesOf(stack, at).map((axis) =>
    axis.name === "slice" ? { ...axis, projection } : { name: axis.name, size: axis.size, at: axis.at },
  );
}

/** The slices of a stack at the channel and the time of a page, or the pages of a file as the slices of a volume. */
export async function openStack(blob: Blob, name: string, taken: Taken = {}, readJpeg: ReadJpeg): Promise<Opened> {
  const common = { most: MOST_CHUNK_BYTES, codecs: codecsOf(readJpeg) };
  const page = typeof taken.page === "number" ? taken.page : 0;
  const { stack } = await openTiff(blobBytes(blob), name, { ...common, page });
  const [channel, , time] = !stack
    ? [0, 0, 0]
    : isProjection(taken.page)
      ? [taken.channel ?? 0, 0, taken.time ?? 0]
      : placeIn(stack, page);
  const planes: Pick<TiffOptions, "channel" | "page" | "time"> = stack
    ? defined({ channel: stack.channels > 1 ? channel : undefined, time: stack.times > 1 ? time : undefined })
    : { page: "all" };
  const whole = defined({ ...planes, volume: stack ? undefined : (true as const) }) as Opened["whole"];
  const opened = await openTiff(blobBytes(blob), name, { ...common, ...planes });
  const { pixels, space } = opened.upright(opened.pixels);
  const { wholeOf } = await import("./whole.js");
  return wholeOf(pixels, space, opened.notes(), name, whole);
}

/** Components of a JPEG, from the segment that begins its frame. */
function componentsOf(file: Uint8Array): number {
  for (let at = 2; at + 10 < file.length; at += 2 + ((file[at + 2] << 8) | file[at + 3])) {
    if ([0xc0, 0xc1, 0xc2].includes(file[at + 1])) return file[at + 9];
  }
  return 0;
}

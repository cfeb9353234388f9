// OME-Zarr on the page: over HTTP, in a ZIP, and of a folder that was chosen. One slice of one level is read at a time, by default of the
// level that fits a screen. Loaded with the first image of the kind.

import { FileError } from "@skerry/files";
import { ARRAYS, isProjection, projected, STORED_BYTES } from "@skerry/files/internal";
import {
  fillChunks,
  HttpStore,
  InThread,
  type OpenedImage,
  openImage,
  type Part,
  PartsStore,
  pixelTypeOfArray,
  rootOf,
  type Store,
  sourceWith,
  type ZarrBox,
  type ZarrFilled,
  zipStore,
} from "@skerry/files/zarr/web/internal";
import type { Engine, PixelArray } from "skerry";
import { defined, type Projection } from "skerry/internal";
import type { Taken } from "../settings/recipe.js";
import { blobBytes } from "./blob-bytes.js";
import { filesOf } from "./folder.js";
import { type ImagesAxis, MOST_PIXELS, type Opened, type Wanted } from "./opened.js";
import { ADDRESS_TYPE, FOLDER_TYPE } from "./stored.js";
import { wholeOf } from "./whole.js";

/** Pixels of a slice of the level that is shown first: about those of a screen. */
const SCREEN_PIXELS = 2 ** 22;
/** Unpacked bytes of the chunks that such a slice takes over a network: some seconds of a slow line. */
const FIRST_BYTES = 2 ** 22;

/** The last image, whose metadata and chunks stay. */
let last:
  | { readonly key: number; readonly image: Promise<OpenedImage | undefined>; readonly pool: InThread }
  | undefined;

/** Opens OME-Zarr; undefined for a ZIP without. */
export async function openStored(wanted: Wanted): Promise<Opened | undefined> {
  const { key } = wanted;
  if (last?.key !== key) {
    last?.pool.close();
    last = { key, image: imageOf(wanted), pool: new InThread() };
  }
  const { image, pool } = last;
  try {
    const opened = await image;
    return opened && (await planeOf(opened, pool, wanted));
  } catch (error) {
    last = undefined;
    throw error;
  }
}

async function imageOf(wanted: Pick<Wanted, "blob" | "name">): Promise<OpenedImage | undefined> {
  const store = await storeOf(wanted);
  return store && openImage(store);
}

async function storeOf({ blob, name }: Pick<Wanted, "blob" | "name">): Promise<Store | undefined> {
  if (blob.type === ADDRESS_TYPE) return new HttpStore(await blob.text());
  if (blob.type !== FOLDER_TYPE) return zipStore(blobBytes(blob), name);
  const parts = new Map<string, Part>();
  for (const [path, file] of await filesOf(blob)) {
    parts.set(path, {
      bytes: file.size,
      read: async (from, length) => new Uint8Array(await file.slice(from, from + length).arrayBuffer()),
    });
  }
  return new PartsStore(name, parts, rootOf(parts.keys()));
}

/** Sizes of a level along x, y, z, the channels and times, and the unpacked bytes of the chunks that a slice of it takes. */
interface Sizes {
  readonly bytes: number;
  readonly width: number;
  readonly height: number;
  readonly slices: number;
  readonly channels: number;
  readonly times: number;
}

async function sizesOf(image: OpenedImage, level: number): Promise<Sizes> {
  const { shape, chunks, dataType } = await image.array(level);
  let bytes = STORED_BYTES[pixelTypeOfArray(dataType)];
  const [width, height, slices, channels, times] = ["x", "y", "z", "c", "t"].map((name) => {
    const dimension = image.axes.findIndex((axis) => axis.name === name);
    if (dimension < 0) return 1;
    const side = chunks[dimension];
    bytes *= name === "x" || name === "y" ? side * Math.ceil(shape[dimension] / side) : side;
    return shape[dimension];
  });
  return { width, height, slices, channels, times, bytes };
}

const within = (at: number, size: number): number => Math.min(at, size - 1);

/** A fill of the finest level, and the voxel there from which it grew. */
export interface FinestFound {
  readonly filled: ZarrFilled;
  readonly seed: readonly [x: number, y: number, z: number];
}

/** Fills the finest level of an image from the middle of a voxel of another one. Reads only the chunks that the fill reaches. */
export async function fillFinest(
  engine: Engine,
  file: Pick<Wanted, "blob" | "name">,
  {
    seed,
    level,
    read,
    ...options
  }: {
    readonly seed: FinestFound["seed"];
    /** Reads the values in a box of the finest level. */
    readonly read: (box: ZarrBox) => Promise<PixelArray>;
  } & Omit<Parameters<typeof fillChunks>[2], "seeds">,
): Promise<FinestFound> {
  const image = await imageOf(file);
  if (!image) throw new FileError(`Expected ${file.name} to be OME-Zarr.`);
  const [finest, shown] = await Promise.all([sizesOf(image, 0), sizesOf(image, level ?? 0)]);
  const at = (["width", "height", "slices"] as const).map((side, axis) =>
    within(Math.floor(((seed[axis] + 0.5) * finest[side]) / shown[side]), finest[side]),
  ) as unknown as FinestFound["seed"];
  const pool = new InThread();
  try {
    return { filled: await fillChunks(engine, { image, pool, read }, { ...options, seeds: [at], level: 0 }), seed: at };
  } finally {
    pool.close();
  }
}

/** A slice of an image, or the whole of one of its levels. */
async function planeOf(
  image: OpenedImage,
  pool: InThread,
  { name, taken = {}, isWhole, box }: Wanted,
): Promise<Opened> {
  const sizes = await Promise.all(image.levels.map((_, level) => sizesOf(image, level)));
  const isFar = image.store instanceof HttpStore;
  const fits = sizes.findIndex(
    ({ width, height, bytes }) => width * height <= SCREEN_PIXELS && (!isFar || bytes <= FIRST_BYTES),
  );
  const level = within(taken.level ?? (fits < 0 ? sizes.length - 1 : fits), sizes.length);
  const { width, height, slices, channels, times } = sizes[level];
  if (width * height > MOST_PIXELS) {
    const shown = sizes.findIndex((each) => each.width * each.height <= MOST_PIXELS);
    const hint = shown < 0 ? "the command line reads it" : `take level ${shown}`;
    throw new FileError(
      `Expected level ${level} of ${name} to have at most ${MOST_PIXELS} pixels in a slice, got ${width} x ${height}: ${hint}.`,
    );
  }
  // The ends of scans are empty.
  const projection = slices > 1 && isProjection(taken.page) ? taken.page : undefined;
  const page = within(typeof taken.page === "number" ? taken.page : slices >> 1, slices);
  const [channel, time] = [within(taken.channel ?? 0, channels), within(taken.time ?? 0, times)];
  const of: Taken = defined({
    channel: channels > 1 ? channel : undefined,
    time: times > 1 ? time : undefined,
    level: sizes.length > 1 ? level : undefined,
  });
  const source = await sourceWith(
    image,
    defined({ ...of, page: isWhole || projection || slices === 1 ? undefined : page, box }),
    pool,
  );
  try {
    const notes = sizes.length > 1 && level > 0 ? [levelNote(name, level, sizes)] : [];
    const rounded = () => {
      const { unlike } = source.traffic;
      return unlike > 0 ? [`${name}: ${unlike} float64 values do not fit float32 and were rounded`] : [];
    };
    if (isWhole) {
      return { ...(await wholeOf(source, source.space, notes, name, of)), notes: [...notes, ...rounded()] };
    }
    const one = projection && projected({ pixels: source, space: source.space }, projection, name);
    const data: PixelArray = new ARRAYS[(one?.pixels ?? source).type](width * height);
    if (one) await one.pixels.read(0, 1, 0, height, data, {});
    else await source.readInto(data.buffer);
    return {
      name,
      width,
      height,
      channels: 1,
      data,
      space: (one ?? source).space,
      images: axesOf({ page, channel, time, level }, sizes, projection, image.channels),
      notes: [...notes, ...rounded()],
    };
  } finally {
    source.close();
  }
}

/** The axes of an image along which there are several, and those that are shown. */
function axesOf(
  at: Readonly<Record<"page" | "channel" | "time" | "level", number>>,
  sizes: readonly Sizes[],
  projection: Projection | undefined,
  shown: ImagesAxis["shown"],
): readonly ImagesAxis[] {
  const { slices, channels, times } = sizes[at.level];
  const all: readonly ImagesAxis[] = [
    { name: "slice", size: slices, at: at.page, projection },
    { name: "channel", size: channels, at: at.channel, shown },
    { name: "time", size: times, at: at.time },
    { name: "level", size: sizes.length, at: at.level, slices: sizes.map((each) => each.slices) },
  ];
  return all.filter(({ size }) => size > 1);
}

/** Tells that a smaller level is shown: what is measured there is not what the full one gives. */
const levelNote = (name: string, level: number, [first, ...others]: readonly Sizes[]): string => {
  const { width, height } = others[level - 1];
  return `Level ${level} of ${name} is shown and measured, ${width} x ${height} of ${first.width} x ${first.height} pixels`;
};

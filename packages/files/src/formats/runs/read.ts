// Masks as run lengths, as annotation tools keep them: COCO's (plain and packed), CVAT's and Label Studio's. A file may hold masks of
// several images; each mask is an object.

import { type CocoRle, fromRle, InvalidArgument, type PixelArray, type Raster } from "skerry";
import type { Annotation } from "../../drawable.js";
import { FileError, UsageError } from "../../errors.js";
import { maskBytes } from "../../mask-bytes.js";
import { readBrush } from "./label-studio.js";

/** One mask: its id if the file numbers masks, and its pixels, in rows. */
interface RunMask extends Annotation {
  readonly id?: number | undefined;
  /** Calls `run` with each range of pixels, counted along rows. */
  each(run: (from: number, to: number) => void): void;
}

/** The masks of one image. */
interface MaskedImage {
  /** Facts about its shapes that users should know, such as shapes that are no masks. */
  readonly note?: string | undefined;
  /** The file name of the picture. */
  readonly name?: string | undefined;
  readonly width: number;
  readonly height: number;
  readonly masks: readonly RunMask[];
}

/** An open file of run lengths. */
export interface OpenedRuns {
  readonly pixels: Raster & { channels: 1 };
  readonly format: string;
  /** Masks of the image, and images of the file. */
  readonly masks: number;
  readonly images: number;
  readonly notes: readonly string[];
  /** The file name of the picture that the masks are of; undefined if the file tells none. */
  readonly image: string | undefined;
  /** Names and scores of the masks by their values under `labels`; undefined if the file tells none. */
  readonly annotations: ReadonlyMap<number, Annotation> | undefined;
}

/** Options of {@link openRuns}. */
export interface RunsOptions {
  /** The image of a file that holds several, from 0. */
  readonly page?: number | undefined;
  /** Whether pixels are the ids of masks instead of 1 in every mask. */
  readonly labels?: boolean | undefined;
}

type Json = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const numberOf = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);

/** Whether the first bytes of a file may be those of annotations: JSON, or CVAT's XML. */
export function isRuns(start: Uint8Array): boolean {
  const text = new TextDecoder("latin1")
    .decode(start.subarray(0, 512))
    .replace(/^\u00ef\u00bb\u00bf/, "")
    .trimStart();
  return /^[[{]/.test(text) || /^(<\?xml[^>]*>\s*)?<annotations>/.test(text);
}

/**
 * Opens the masks of an image. Pixels are 1 in every mask, or with `labels` the masks' ids, or their numbers from 1 if the file tells none.
 * @throws FileError if the file holds no run lengths, or is damaged
 * @throws UsageError if it lacks the page
 * @example
 * import { openRuns } from "@skerry/files";
 * const { pixels } = openRuns('{ "size": [3, 4], "counts": [3, 5, 4] }', "mask.json");
 * console.log(pixels.width, pixels.height); // 4, 3
 */
export function openRuns(text: string, name: string, { page, labels = false }: RunsOptions = {}): OpenedRuns {
  const { format, images } = /^\s*</.test(text) ? ofCvat(text, name) : ofJson(text, name);
  const notes: string[] = [];
  const image = images[page ?? 0];
  if (!image) throw new UsageError(`Expected --page to be from 0 to ${images.length - 1} for ${name}, got ${page}.`);
  if (images.length > 1 && page === undefined) {
    notes.push(`${name} has masks of ${images.length} images; the first one is used (--page N takes another)`);
  }
  const { width, height, masks, note } = image;
  if (note !== undefined) notes.push(`${name}: ${note}`);
  const ids = masks.map(({ id }) => id);
  const isNumbered = ids.every((id) => Number.isInteger(id) && (id as number) > 0 && (id as number) < 2 ** 32);
  const numbers = isNumbered && new Set(ids).size === ids.length ? (ids as number[]) : masks.map((_, i) => i + 1);
  const most = labels ? numbers.reduce((largest, id) => Math.max(largest, id), 0) : 1;
  const size = width * height;
  const data: PixelArray =
    most < 256 ? new Uint8Array(size) : most < 65536 ? new Uint16Array(size) : new Uint32Array(size);
  let shared = 0;
  for (const [i, mask] of masks.entries()) {
    const value = labels ? numbers[i] : 1;
    mask.each((from, to) => {
      for (let at = from; at < to; at++) {
        if (data[at] !== 0) shared++;
        data[at] = value;
      }
    });
  }
  const pixels = shared === 1 ? "1 pixel belongs" : `${shared} pixels belong`;
  if (shared > 0 && labels) notes.push(`${name}: ${pixels} to several masks; the last one takes them`);
  if (shared > 0 && !labels) notes.push(`${name}: ${pixels} to several masks, which become one`);
  const categories = masks.map(({ category, categoryId, score }) => ({ category, categoryId, score }));
  const tells = categories.some((each) => Object.values(each).some((value) => value !== undefined));
  return {
    pixels: { data, width, height, channels: 1 },
    format,
    masks: masks.length,
    images: images.length,
    notes,
    image: image.name,
    annotations: tells ? new Map(categories.map((each, i) => [numbers[i], each])) : undefined,
  };
}

/** A mask of COCO's run lengths. */
function cocoMask(
  rle: CocoRle,
  where: string,
  { id, ...annotation }: Annotation & { readonly id?: number | undefined },
): RunMask & { readonly size: readonly [number, number] } {
  let mask: ReturnType<typeof fromRle>;
  try {
    mask = fromRle(rle);
  } catch (error) {
    if (!(error instanceof InvalidArgument)) throw error;
    throw new FileError(`Could not read ${where}: ${error.message.replace(/^E/, "e").replace(/\.$/, "")}.`);
  }
  const { width, height } = mask;
  return {
    ...annotation,
    id,
    size: [height, width],
    each(run) {
      maskBytes(mask, 1).forEach((value, at) => {
        if (value) run(at, at + 1);
      });
    },
  };
}

function ofJson(text: string, name: string): { readonly format: string; readonly images: readonly MaskedImage[] } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw new FileError(`Could not read ${name}: it is no JSON, or ends early.`, { cause });
  }
  const tasks = brushesOf(parsed, name);
  if (tasks) return { format: "Label Studio run lengths", images: tasks };
  if (isRecord(parsed) && "counts" in parsed) {
    const mask = cocoMask(parsed as unknown as CocoRle, name, {});
    return { format: "COCO run lengths", images: [{ width: mask.size[1], height: mask.size[0], masks: [mask] }] };
  }
  const list = isRecord(parsed) ? parsed.annotations : parsed;
  if (!Array.isArray(list) || list.length === 0) {
    if (Array.isArray(list) && isRecord(parsed)) throw new FileError(`Expected masks in ${name}, got an empty list.`);
    throw new FileError(`Expected ${name} to hold run lengths of COCO, CVAT or Label Studio, got other JSON.`);
  }
  const byImage = new Map<unknown, (RunMask & { readonly size: readonly [number, number] })[]>();
  const names = new Map<unknown, string>();
  // Images without masks are images, too.
  const sizes = new Map<unknown, readonly [number, number]>();
  for (const image of isRecord(parsed) && Array.isArray(parsed.images) ? parsed.images : []) {
    if (!isRecord(image)) continue;
    byImage.set(image.id, []);
    sizes.set(image.id, [Number(image.height), Number(image.width)]);
    if (typeof image.file_name === "string") names.set(image.id, image.file_name);
  }
  const categories = new Map<unknown, string>();
  for (const category of isRecord(parsed) && Array.isArray(parsed.categories) ? parsed.categories : []) {
    if (isRecord(category) && typeof category.name === "string") categories.set(category.id, category.name);
  }
  for (const [i, each] of list.entries()) {
    const where = `annotation ${i + 1} of ${name}`;
    const object = isRecord(each) ? each : {};
    const segmentation = "counts" in object ? object : object.segmentation;
    if (!isRecord(segmentation) || !("counts" in segmentation)) {
      const got = Array.isArray(segmentation) ? "polygons" : "none";
      throw new FileError(`Expected ${where} to have run lengths as its segmentation, got ${got}.`);
    }
    const mask = cocoMask(segmentation as unknown as CocoRle, where, {
      id: numberOf(object.id),
      category: categories.get(object.category_id),
      categoryId: numberOf(object.category_id),
      score: numberOf(object.score),
    });
    const before = byImage.get(object.image_id) ?? [];
    const size = sizes.get(object.image_id) ?? mask.size;
    if (size[0] !== mask.size[0] || size[1] !== mask.size[1]) {
      throw new FileError(
        `Expected ${where} to have the size of its image, ${size[1]} x ${size[0]}, got ${mask.size[1]} x ${mask.size[0]}.`,
      );
    }
    sizes.set(object.image_id, size);
    byImage.set(object.image_id, [...before, mask]);
  }
  const images = [...byImage].map(([id, masks]) => {
    const [height, width] = sizes.get(id) as readonly [number, number];
    return { name: names.get(id), width, height, masks };
  });
  return { format: "COCO run lengths", images };
}

const leftOut = (others: number): string =>
  others === 1 ? "1 shape that is no mask is left out" : `${others} shapes that are no masks are left out`;

/** The brush masks of Label Studio's tasks; undefined for other JSON. */
function brushesOf(parsed: unknown, name: string): readonly MaskedImage[] | undefined {
  const tasks = (Array.isArray(parsed) ? parsed : [parsed]).filter(isRecord);
  const isMask = ({ value }: Json): boolean => isRecord(value) && value.format === "rle";
  const sourcesOf = (task: Json): Json[][] =>
    [task.annotations, task.predictions, task.completions]
      .flatMap((each) => (Array.isArray(each) ? each : []))
      .map((each) => (isRecord(each) && Array.isArray(each.result) ? each.result.filter(isRecord) : []));
  const all = tasks
    .map((task) => ({ name: pictureOf(task), sources: sourcesOf(task) }))
    .filter(({ sources }) => sources.flat().some(isMask));
  if (all.length === 0) return undefined;
  return all.map(({ name: picture, sources }) => {
    const results = sources.flat().filter(isMask);
    const others = sources.flat().filter(({ value }) => isRecord(value) && !isMask({ value })).length;
    const people = sources.filter((each) => each.some(isMask)).length;
    const notices = [
      ...(people > 1 ? [`the masks of ${people} annotations and predictions are taken together`] : []),
      ...(others > 0 ? [leftOut(others)] : []),
    ];
    const [width, height] = [Number(results[0].original_width), Number(results[0].original_height)];
    if (!(width > 0 && height > 0)) throw new FileError(`Expected the masks of ${name} to tell their size, got none.`);
    const masks = results.map(
      (result, i): RunMask => ({
        category: brushLabel(result),
        score: numberOf(result.score),
        each(run) {
          try {
            readBrush((result.value as Json).rle as number[], width * height, run);
          } catch (error) {
            if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
            throw new FileError(`Could not read mask ${i + 1} of ${name}: ${error.message}.`);
          }
        },
      }),
    );
    return { name: picture, width, height, masks, note: notices.length > 0 ? notices.join("; ") : undefined };
  });
}

/** The picture of a task: its path or address. */
function pictureOf({ data }: Json): string | undefined {
  const image = isRecord(data) ? data.image : undefined;
  return typeof image === "string" ? image : undefined;
}

/** The label of a brush, the first if it has several. */
function brushLabel({ type, value }: Json): string | undefined {
  const labels = isRecord(value) ? (value[`${type}`] ?? value.brushlabels ?? value.labels) : undefined;
  return Array.isArray(labels) && typeof labels[0] === "string" ? labels[0] : undefined;
}

/** An attribute of an XML element. */
function attribute(element: string, name: string): string | undefined {
  const [, quoted] = new RegExp(`\\s${name}\\s*=\\s*"([^"]*)"`).exec(element) ?? [];
  return quoted?.replace(/&(lt|gt|quot|apos|amp|#\d+|#x[0-9a-f]+);/gi, (entityText, entity: string) => {
    if (!entity.startsWith("#")) return ENTITIES[entity.toLowerCase()] ?? entityText;
    const code = /^#x/i.test(entity) ? Number.parseInt(entity.slice(2), 16) : Number(entity.slice(1));
    return code <= 0x10ffff ? String.fromCodePoint(code) : entityText;
  });
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

/** CVAT for images 1.1: rows of a box, background first. */
function ofCvat(text: string, name: string): { readonly format: string; readonly images: readonly MaskedImage[] } {
  const images = [...text.matchAll(/<image\b[^>]*?(?:\/>|>([\s\S]*?)<\/image>)/g)].map(([tag, inner = ""]) => {
    const [width, height] = ["width", "height"].map((side) => Number(attribute(tag, side)));
    if (!(width > 0 && height > 0)) throw new FileError(`Expected the images of ${name} to tell their size, got none.`);
    const masks = [...inner.matchAll(/<mask\b[^>]*>/g)].map(([element], i) =>
      cvatMask(element, i, name, width, height),
    );
    if (masks.length === 0 && /<(polygon|box|polyline|points)\b/.test(inner)) {
      throw new FileError(`Expected masks in ${name}, got other shapes; export them as masks.`);
    }
    const others = inner.match(/<(polygon|box|polyline|points|ellipse|cuboid|skeleton)\b/g)?.length ?? 0;
    return { name: attribute(tag, "name"), width, height, masks, note: others > 0 ? leftOut(others) : undefined };
  });
  if (images.length === 0) throw new FileError(`Expected ${name} to hold images with masks of CVAT, got none.`);
  return { format: "CVAT run lengths", images };
}

function cvatMask(element: string, i: number, name: string, width: number, height: number): RunMask {
  const [left, top, columns, rows] = ["left", "top", "width", "height"].map((side) => Number(attribute(element, side)));
  const counts = (attribute(element, "rle") ?? "").split(",").map((count) => Number(count.trim() || Number.NaN));
  const total = counts.reduce((sum, count) => sum + count, 0);
  const isWithin = left >= 0 && top >= 0 && left + columns <= width && top + rows <= height;
  if (!counts.every((count) => Number.isInteger(count) && count >= 0) || total !== columns * rows || !isWithin) {
    throw new FileError(
      `Could not read mask ${i + 1} of ${name}: its run lengths do not add up to a box of ${columns} x ${rows} within ${width} x ${height}.`,
    );
  }
  return {
    category: attribute(element, "label"),
    each(run) {
      let at = 0;
      for (const [k, count] of counts.entries()) {
        const end = at + count;
        // A run may go on in the next row of the box.
        for (; k % 2 === 1 && at < end; ) {
          const stop = Math.min(end, (Math.floor(at / columns) + 1) * columns);
          const from = (top + Math.floor(at / columns)) * width + left + (at % columns);
          run(from, from + stop - at);
          at = stop;
        }
        at = end;
      }
    },
  };
}

// Pictures as they come from files, and why some do not.

import type { Space } from "@skerry/files";
import type { ShownChannel, ZarrBox } from "@skerry/files/zarr/web/internal";
import type { RecipeInput } from "@skerry/recipe";
import type { PixelArray } from "skerry";
import type { Projection } from "skerry/internal";
import type { Taken } from "../settings/recipe.js";

/**
 * Maximum pixels that are decoded at full size. For larger pictures the user is asked first, and may choose a lower
 * scale.
 */
export const MOST_PIXELS = 1 << 27;

/** An axis of a file, such as its pages, the slices of a volume, its channels, times or levels; images are numbered from 0. */
export interface ImagesAxis {
  readonly name: "page" | "slice" | "channel" | "time" | "level";
  readonly size: number;
  readonly at: number;
  /** Whether one image of all is shown, along pages or slices. */
  readonly projection?: Projection | undefined;
  /** The page of each image along the axis, in a stack whose pages are its planes. */
  readonly pages?: readonly number[] | undefined;
  /** How the file shows each channel: its name, its colour, and the values of black and of the colour. */
  readonly shown?: readonly ShownChannel[] | undefined;
  /** The slices of each level: a smaller one may have fewer. */
  readonly slices?: readonly number[] | undefined;
}

/** The axes along which the file of a picture holds several images that can be chosen, and the one that is shown. */
export const imagesOf = ({ images, space: { axes, taken } }: Pick<Opened, "space" | "images">): readonly ImagesAxis[] =>
  images ??
  axes.flatMap(({ name, size }) =>
    (name === "page" || name === "time") && size > 1 ? [{ name, size, at: Number(taken[name] ?? 0) }] : [],
  );

/** The image that is shown; undefined for a file of one. */
export function takenOf(opened: Pick<Opened, "space" | "images">): Taken | undefined {
  const images = imagesOf(opened);
  const each = images.map((axis) => (axis.projection ? { page: axis.projection } : takenAt(axis, axis.at)));
  return each[0] && Object.assign({}, ...each);
}

/** The image of a file at a number of an axis, beside what is taken along the others. */
export function takenAt({ name, at: before, pages, slices }: ImagesAxis, at: number, taken: Taken = {}): Taken {
  if (pages) return { page: pages[at] };
  // The same place along z, in slices of another level.
  const page =
    slices && typeof taken.page === "number"
      ? Math.ceil(((taken.page + 0.5) * slices[at]) / slices[before]) - 1
      : undefined;
  if (page !== undefined) return { ...taken, [name]: at, page };
  return { ...taken, [name === "slice" ? "page" : name]: at };
}

/** A file, a number that tells it apart from others, the divisor of its sides, and the image that is taken of it, or the whole volume. */
export interface Wanted {
  readonly blob: Blob;
  readonly key: number;
  readonly name: string;
  readonly shrink: number;
  readonly taken?: Taken | undefined;
  readonly isWhole?: boolean | undefined;
  /** A box of the volume, of OME-Zarr. */
  readonly box?: ZarrBox | undefined;
}

/** A decoded picture. */
export interface Opened {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** Slices, of a volume that is opened whole. */
  readonly depth?: number | undefined;
  readonly channels: 1 | 3 | 4;
  readonly data: PixelArray;
  /** Numbers of the palette that colours stand for, if the file has one. */
  readonly indices?: Uint8Array | undefined;
  /** The axes of a file of several images, where its Space does not tell them all. */
  readonly images?: readonly ImagesAxis[] | undefined;
  /** The input of a recipe that takes the volume, of one that is opened whole. */
  readonly whole?: Pick<RecipeInput, "channel" | "level" | "page" | "time" | "volume"> | undefined;
  /** The file's facts about its pixels: sides, unit, place. */
  readonly space: Space;
  /** Notes on the picture for the user. */
  readonly notes: readonly string[];
  /** A note on transparent pixels, for tools that leave transparency out. */
  readonly transparency?: string | undefined;
}

/** Why a file was not read; text.ts has the sentences. */
export type Refusal =
  | { readonly why: "empty" | "decode" | "damaged" | "webgl" | "heic" }
  | { readonly why: "told"; readonly reason: string }
  | { readonly why: "large"; readonly width: number; readonly height: number };

export class Refused extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal, cause?: unknown) {
    super(refusal.why, { cause });
    this.refusal = refusal;
  }
}

/** Notes of readers without their hints at flags of the command line, which the page does not have. */
export const withoutFlags = (notes: readonly string[]): string[] => notes.map((note) => note.replace(/ \(--.*\)$/, ""));

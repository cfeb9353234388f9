// Pictures as they come from files, and why some do not.

import type { Space } from "@skerry/files";
import type { PixelArray } from "skerry";
import type { Taken } from "../settings/recipe.js";

/**
 * Maximum pixels that are decoded at full size. For larger pictures the user is asked first, and may choose a lower
 * scale.
 */
export const MOST_PIXELS = 1 << 27;

/** An axis of a file, such as its pages, the slices of a volume or its times; images are numbered from 0. */
export interface ImagesAxis {
  readonly name: keyof Taken;
  readonly size: number;
  readonly at: number;
}

/** The axes along which the file of a picture holds several images that can be chosen, and the one that is shown. */
export const imagesOf = ({ space: { axes, taken } }: Pick<Opened, "space">): readonly ImagesAxis[] =>
  axes.flatMap(({ name, size }) =>
    (name === "page" || name === "time") && size > 1 ? [{ name, size, at: Number(taken[name] ?? 0) }] : [],
  );

/** The image that is shown, along each axis; undefined for a file of one image. */
export function takenOf(opened: Pick<Opened, "space">): Taken | undefined {
  const images = imagesOf(opened);
  return images.length > 0 ? Object.fromEntries(images.map(({ name, at }) => [name, at])) : undefined;
}

/** A file, a number that tells it apart from others, the divisor of its sides, and the image that is taken of it, or the whole volume. */
export interface Wanted {
  readonly blob: Blob;
  readonly key: number;
  readonly name: string;
  readonly shrink: number;
  readonly taken?: Taken | undefined;
  readonly isWhole?: boolean | undefined;
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

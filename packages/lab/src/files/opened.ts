// Pictures as they come from files, and why some do not.

import type { Space } from "@skerry/files";
import type { PixelArray } from "skerry";

/** A decoded picture. */
export interface Opened {
  readonly name: string;
  readonly width: number;
  readonly height: number;
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
  /** Slices of the file, of which the first is shown; undefined for one. */
  readonly slices?: number | undefined;
}

/** Why a file was not read; text.ts has the sentences. */
export type Refusal =
  | { readonly why: "empty" | "decode" | "damaged" | "webgl" | "heic" }
  | { readonly why: "npy" | "pgm" | "tiff"; readonly reason: string }
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

// Pictures as they come from files, and why some do not.

import type { PixelArray } from "skerry";

/** A picture as it came in. */
export interface Opened {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3 | 4;
  readonly data: PixelArray;
  /** The size of a pixel that the file tells; of a resolution for printers it is `isPrinted`. */
  readonly scale?: { readonly size: number; readonly unit: string; readonly isPrinted?: boolean } | undefined;
  /** Notes on the picture for the user. */
  readonly notes: readonly string[];
}

/** Why a file was not read; the page has the words. */
export type Refusal =
  | { readonly why: "empty" | "decode" | "damaged" | "webgl" }
  | { readonly why: "npy" | "pgm" | "tiff"; readonly reason: string }
  | { readonly why: "large"; readonly width: number; readonly height: number };

export class Refused extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal, cause?: unknown) {
    super(refusal.why, { cause });
    this.refusal = refusal;
  }
}

// Objects as writers of outlines and annotations take them, and what a file told of each.

import type { CocoString, Components, OutlineOptions, Outlines, Regions, RegionsOptions, Runs } from "skerry";

/** The facts of a mask beside its pixels. */
export interface Annotation {
  /** The name of its category. */
  readonly category?: string | undefined;
  /** The number of its category in the file. */
  readonly categoryId?: number | undefined;
  /** How sure a model was of it; the scale is the model's. */
  readonly score?: number | undefined;
}

/** Objects of an image as writers take them: Components, or those of inWhole(). */
export interface Drawable extends Pick<Components, "width" | "height" | "depth" | "count" | "polarity"> {
  /** Measurements, with their places in the whole image. */
  regions(options?: RegionsOptions): Promise<Regions>;
  /** Runs, whose rows are those of the whole image. */
  runs(options?: { readonly groupBy?: "row" | "label" }): Promise<Runs>;
  /** Outlines on corners of the whole image. */
  outlines(options?: OutlineOptions): Promise<Outlines>;
  /** Run lengths of the whole image. */
  cocoRle(label: number, options: { readonly compressed: true }): Promise<CocoString>;
  /** Category and score of an object that a file held as a mask. */
  annotationOf?(label: number): Annotation | undefined;
}

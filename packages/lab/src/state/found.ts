// A result in numbers, its content, and how the view draws it.

import type { Components, DistanceMap, Mask, Segmentation } from "skerry";
import type { Chosen } from "../settings/objects.js";

/** The large number of a result. */
export interface Headline {
  /** Undefined until it is known. */
  readonly value: number | undefined;
  /** Name of the things that are counted, or the unit of a length. */
  readonly unit: string;
  /** A length in the unit, or an area in pixels; else the value is a count. */
  readonly kind?: "length" | "area";
}

/** Results in numbers. */
export interface Found extends Chosen {
  readonly headline: Headline;
  /** Fraction of the picture, or of the fence, that is covered. */
  readonly covered: number;
  /** Corrections by hand that change nothing, by their places in the list. */
  readonly idle?: readonly number[] | undefined;
  /** A sentence to show instead of the covered fraction. */
  readonly detail?: string | undefined;
}

/** Content of a result, from which the view draws a window. */
export type Content =
  | { readonly kind: "labels"; readonly components: Components }
  | { readonly kind: "map"; readonly map: DistanceMap }
  | { readonly kind: "classes"; readonly segmentation: Segmentation }
  | {
      readonly kind: "marks";
      readonly selected?: Mask | undefined;
      readonly preview?: Mask | undefined;
      readonly coats: readonly { readonly mask: Mask; readonly colour: readonly [number, number, number] }[];
    };

/** How content is drawn over the picture: "chosen" draws hovered and selected objects alone, "ants" the selection's border. */
export type Layer = "colours" | "outlines" | "chosen" | "ants" | "paint" | "map" | "classes";

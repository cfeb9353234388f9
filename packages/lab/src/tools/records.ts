// Plain records that tools, the state and the view share: pixels, presses, results in numbers, and how they are drawn.

import type { Components, DistanceMap, Mask, Polarity, Segmentation } from "skerry";

/** A pixel: x, y. */
export type Spot = readonly [number, number];

/** How a press changes the selection: replaces it, adds to it or removes from it. */
export type Mode = "new" | "add" | "take";

/** Results in numbers. */
export interface Found {
  readonly count: number;
  /** Fraction of the picture, or of the fence, that is covered. */
  readonly covered: number;
  /** The choice of an automatic threshold. */
  readonly threshold?: number | undefined;
  readonly polarity?: Polarity | undefined;
  /** A sentence to show instead of the covered fraction. */
  readonly told?: string | undefined;
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

/** A comparison of pixels that a shader makes until labels arrive. */
export interface Tint {
  readonly rule: "bright" | "dark" | "both" | "nonzero";
  readonly channel: string;
  readonly lower: number;
  readonly threshold: number;
}

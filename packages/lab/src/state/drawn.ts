// How maps and classes are drawn, and marks over the picture. A change of these does not compute the result again.

import { signal } from "@preact/signals";
import type { Opened } from "../files/opened.js";
import type { Spot } from "../settings/spots.js";

/** Minimum, maximum and mean of a map's finite values. */
export interface Totals {
  readonly low: number;
  readonly high: number;
  readonly mean: number;
}

/** Marks over the picture, in its pixels. */
export interface Marks {
  /** The line from the pointer to the nearest pixel of the foreground. */
  readonly line?: readonly [Spot, Spot] | undefined;
  readonly path?: string | undefined;
  readonly points?: readonly Spot[] | undefined;
  readonly labels?: readonly { readonly place: readonly [number, number]; readonly text: string }[] | undefined;
}

/** The window of a map that is shown, and its values. */
export interface MapWindow {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly step: number;
  readonly data: Float32Array;
}

/** Pixels that are drawn in place of the picture: its channels in their colours; undefined for the picture itself. */
export const composed = signal<Opened | undefined>(undefined);
export const totals = signal<Totals | undefined>(undefined);
/** Distance between the lines of a map; 0 for no lines. */
export const lines = signal(0);
/** The range of a map's colours; undefined for the range of the map. */
export const range = signal<readonly [number, number] | undefined>(undefined);
export const mapWindow = signal<MapWindow | undefined>(undefined);
/** Classes that are shown alone; empty if all are shown. */
export const isolated = signal<ReadonlySet<number>>(new Set());
/** The line of known length that sets the scale: about to be drawn, or drawn. */
export const ruler = signal<"armed" | { readonly from: Spot; readonly to: Spot } | undefined>(undefined);
export const marks = signal<Marks>({});
/** A line that is drawn by hand, or the brush at the pointer: as wide as twice the radius in pixels, and one more. */
export const stroke = signal<
  | { readonly places: readonly Spot[]; readonly radius: number; readonly kind: string; readonly isClosed?: boolean }
  | undefined
>(undefined);
/** The picture's pixel at the left and upper edge of the view, and CSS pixels per pixel. */
export const placed = signal<{ readonly x: number; readonly y: number; readonly scale: number }>({
  x: 0,
  y: 0,
  scale: 1,
});

/** The values that are drawn as the ends of the colours. */
export function rangeShown(): readonly [number, number] {
  const { low = 0, high = 1 } = totals.value ?? {};
  return range.value ?? [Math.min(0, low), Math.max(high, Math.min(0, low) + 1e-6)];
}

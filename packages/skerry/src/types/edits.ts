// Corrections of objects by hand.

import type { CallOptions } from "./calls.js";
import type { Place } from "./raster.js";

/**
 * One correction. Places are whole pixels inside the image; those of a line in a volume lie in one slice. A line runs from place to place
 * in steps along x or y, and with a radius it takes all pixels of its slice that are at most so far from one of its pixels.
 *
 * - `{ draw, radius }`: background along a line (radius 0 by default) joins the object under the first place, else becomes a new object.
 *   Pixels of other objects stay theirs.
 * - `{ erase, radius }`: pixels along a line become background.
 * - `{ cut }`: a line cuts objects through, in a volume in all their slices. Its pixels go to the piece on their left, so no area is
 *   lost. A part that does not come apart stays as it is.
 * - `{ join: [a, b] }`: the objects at two places become one, whether or not they touch.
 * - `{ drop }`: the object at a place becomes background.
 * - `{ fill }`: the background at a place, if one object encloses it in its slice, becomes part of that object.
 *
 * Where a part of an object comes apart, the piece with its first pixel remains the object, and the others become new objects.
 */
export type Edit =
  | { readonly draw: readonly Place[]; readonly radius?: number }
  | { readonly erase: readonly Place[]; readonly radius?: number }
  | { readonly cut: readonly Place[] }
  | { readonly join: readonly [Place, Place] }
  | { readonly drop: Place }
  | { readonly fill: Place };

/** The places of each edit: one, two, or those of a line with or without a radius. */
export const EDITS = {
  draw: "stroke",
  erase: "stroke",
  cut: "line",
  join: "pair",
  drop: "place",
  fill: "place",
} as const;
/** The name of an edit. */
export type EditName = keyof typeof EDITS;

/** Greatest radius of a stroke, in pixels. */
export const MOST_RADIUS = 1024;

/** Options of `components.edit()`. */
export type EditOptions = CallOptions;

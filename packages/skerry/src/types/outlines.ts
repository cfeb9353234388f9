// Outlines of objects, and their options.

import type { CallOptions } from "./calls.js";

/** Options of `components.outlines()`. */
export interface OutlineOptions extends CallOptions {
  /** The objects that are outlined; all by default. */
  readonly labels?: Iterable<number>;
  /**
   * The largest distance, in pixels, of a left-out corner from the simplified line (Douglas and Peucker). Borders that two objects
   * share stay shared, rings of one object never cross, and each keeps an area. 0 by default: exact.
   */
  readonly tolerance?: number;
  /**
   * Rings that touch themselves in a corner: `"exact"` (default) leaves one ring per border. `"simple"` cuts them, so that no ring
   * comes to a corner twice and every polygon is valid (OGC Simple Features): under 4 neighbours a cut-off pocket becomes a hole
   * that touches the ring, under 8 parts that touch by a corner become polygons of their own.
   */
  readonly rings?: "exact" | "simple";
}

/** Outlines of objects: closed polygons on the corners of pixels. */
export interface Outlines {
  /** Rings. */
  readonly count: number;
  /** x and y of all corners in turn: ring i is `points.subarray(rings[i], rings[i + 1])`, without the first corner again. */
  readonly points: Int32Array;
  /** Start of each ring in `points`, and the end of the last one. */
  readonly rings: Uint32Array;
  /** The label of each ring's object. */
  readonly label: Uint32Array;
  /** 1 for rings around holes. */
  readonly hole: Uint8Array;
  /** The ring around each hole; a ring that is no hole has its own number. */
  readonly outer: Uint32Array;
}

// Outlines of objects, and their options.

import type { CallOptions } from "./calls.js";

/** Options of `components.outlines()`. */
export interface OutlineOptions extends CallOptions {
  /** The labels of the objects to outline; all by default. */
  readonly labels?: Iterable<number>;
  /**
   * The largest distance, in pixels, of a left-out corner from the simplified line (Douglas and Peucker). Borders that two
   * objects share stay shared, rings of one object never cross, and each ring keeps an area. 0 by default: exact.
   */
  readonly tolerance?: number;
  /**
   * Rings that touch themselves in a corner: `"exact"` (default) leaves one ring per border. `"simple"` cuts such rings, so that
   * no ring visits a corner twice and every polygon is valid (OGC Simple Features). With 4 neighbours a cut-off pocket becomes a
   * hole that touches the ring. With 8 neighbours parts that touch in a corner become separate polygons.
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
  /** For each hole, the index of the ring around it; for every other ring, its own index. */
  readonly outer: Uint32Array;
}

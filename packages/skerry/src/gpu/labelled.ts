// Labelled strips in GPU memory, shared by the modules of this folder.

import type { ImageOwner } from "../core/pixels.js";
import type { OpenHost } from "../device/backend.js";
import type { Connectivity } from "../types/raster.js";
import type { Context } from "./device/context.js";
import type { PlaneStrip, Planes } from "./mask.js";

/** The segments of a plane of a strip, 16 bits each, and its tiles. */
export interface PlaneSegments {
  readonly segments: GPUBuffer;
  readonly tileTable: GPUBuffer;
}

/** A strip and its components. */
export interface Strip extends PlaneStrip {
  readonly planes: readonly PlaneSegments[];
  /** u32 per node: its component within the strip, from 1. */
  readonly map: GPUBuffer;
  /** u32 per node: its label in the image. With one strip this is `map`. */
  readonly labels: GPUBuffer;
  /** Number of nodes, and how many of them are of the first polarity. */
  readonly nodes: number;
  readonly firstNodes: number;
  readonly runs: number;
  /** Components within the strip. */
  readonly count: number;
  /** Number of labels before the strip's own. */
  readonly base: number;
  /** Pairs of a component that was joined to an earlier strip's, ascending, and its label in the image. */
  readonly joined: Uint32Array;
  readonly tileColumns: number;
  readonly tiles: number;
  /** Rows of a cell. */
  readonly cell: 1 | 2;
}

/** Labelled bits on the device. */
export interface Labelled {
  readonly planes: Planes;
  readonly connectivity: Connectivity;
  readonly strips: readonly Strip[];
  readonly count: number;
  readonly foreground: number;
  readonly runCount: number;
  free(): void;
}

/** The device, its backend, and the connectivity of the objects. */
export interface Home {
  readonly context: Context;
  readonly owner: ImageOwner;
  readonly host: OpenHost;
  readonly connectivity: Connectivity;
}

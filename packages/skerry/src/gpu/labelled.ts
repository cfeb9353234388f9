// Labelled strips in GPU memory, as the other modules of this room take them.

import type { ImageOwner } from "../core/pixels.js";
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
  /** u32 per node: its component, from 1, of the strip alone. */
  readonly map: GPUBuffer;
  /** u32 per node: its label; the same buffer where there is one strip. */
  readonly labels: GPUBuffer;
  /** Nodes, and how many of them the first class has. */
  readonly nodes: number;
  readonly firstNodes: number;
  readonly runs: number;
  /** Components of the strip alone. */
  readonly count: number;
  /** Labels that come before those of the strip. */
  readonly base: number;
  /** Pairs of a component that a seam joined to an earlier one, ascending, and the label it got. */
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

/** The device, the backend over it, and how objects join. */
export interface Home {
  readonly context: Context;
  readonly owner: ImageOwner;
  readonly connectivity: Connectivity;
}

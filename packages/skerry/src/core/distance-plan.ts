// Distance maps for both devices: the checked plan, the targets of a map, and the costs along an axis.

import type { DistanceArray, DistanceMetric } from "../types/distance.js";
import type { Sink } from "../types/raster.js";

/** The type of costs: u16 if all costs that count are below 65535, i32 on other integer grids, f32 elsewhere. */
export type CostKind = "u16" | "i32" | "f32";

/** Output of a map: distances, or squared distances of 32 or 16 bits. */
export type DistanceOutput = "distance" | "squared" | "squared16";

/** A checked DistanceOptions. */
export interface DistancePlan {
  /** The surface of the foreground instead of all of it. */
  readonly surface: boolean;
  /** To the background instead; with `signed` the distance to the background is subtracted. */
  readonly invert: boolean;
  readonly signed: boolean;
  /** The plane of one polarity of the foreground, or 0 for all of the foreground. */
  readonly only: 0 | 1 | 2;
  readonly metric: DistanceMetric;
  readonly kind: CostKind;
  /** Sides of a pixel, in units. */
  readonly weights: readonly [number, number, number];
  readonly unit: number;
  /** The largest cost that counts. */
  readonly limit: number;
  /** The largest distance of a site in pixels, along each axis. */
  readonly reach: readonly [number, number, number];
  /** The value of pixels without a site in reach: Infinity, or the largest distance. */
  readonly far: number;
  /** Pixels without a site in reach are interpolated from a lattice. */
  readonly coarse: boolean;
  readonly output: DistanceOutput;
  readonly nearest: boolean;
}

/** A map that stays on the GPU: `buffer` is the caller's, or set once the map is computed. */
export interface ResidentMap {
  readonly as: "buffer";
  buffer: GPUBuffer | undefined;
}

export function isResident(data: DistanceInto["data"]): data is ResidentMap {
  return "as" in data;
}

/** Targets of a map. */
export interface DistanceInto {
  readonly data: DistanceArray | Sink<Float32Array> | Sink<Uint32Array> | ResidentMap;
  readonly nearest: Uint32Array | Sink | undefined;
}

/** Pixels by which tables and searches may exceed the end of a line. */
export const PAST = 8;

/** Pixels from one point of the lattice to the next, along each axis. */
export const LATTICE = 8;

/** The costs of -span..span pixels along an axis, in the order in which kernels read them, and the index of step 0. */
export function costTable(
  kind: CostKind,
  weight: number,
  reach: number,
  metric: DistanceMetric,
): { table: Uint16Array | Int32Array | Float32Array; middle: number } {
  const span = reach + PAST;
  const type = kind === "u16" ? Uint16Array : kind === "i32" ? Int32Array : Float32Array;
  const table = new type(2 * span + 1);
  for (let i = 0; i < table.length; i++) {
    const step = Math.abs(i - span) * weight;
    const cost = metric === "euclidean" ? step * step : step;
    table[i] = kind === "u16" ? Math.min(cost, 65535) : cost;
  }
  return { table, middle: span };
}

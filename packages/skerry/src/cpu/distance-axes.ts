// Shared by the kernels of distance maps: the axes of an image or a volume, the layout of slices of costs, the tables
// of costs, and common arguments. An image is handled as a volume whose slices are its rows.

import { type CostKind, costTable, type DistancePlan } from "../core/distance-plan.js";
import type { Size } from "../core/pixels.js";
import { LAYOUT } from "../generated/kernels.js";
import type { Rows } from "./bands.js";
import { runKernel } from "./kernels.js";
import type { Pool } from "./memory/pool.js";
import type { ScratchScope } from "./memory/scratch.js";
import type { Planes } from "./planes.js";

/** The numbers by which kernels identify the kinds of costs. */
export const KIND_CODE: Record<CostKind, number> = {
  u16: LAYOUT.distance.U16,
  i32: LAYOUT.distance.I32,
  f32: LAYOUT.distance.F32,
};

/** The numbers by which kernels identify their output. */
export const OUTPUT_CODE = {
  distance: LAYOUT.distance.DISTANCE,
  squared: LAYOUT.distance.SQUARED,
  squared16: LAYOUT.distance.SQUARED_16,
} as const;

/** Maximum bytes of a slice that a worker searches at once. */
const SEARCH_BYTES = 16 << 10;

/** Minimum number of pieces per thread, so that small slices occupy all threads. */
const LEAST_PIECES = 4;

/** Bytes past the end of a block that vector loads and stores may touch. */
export const SLACK = 64;

/** Maximum bytes of values that leave at once, but at least one row. */
const OUT_BYTES = 1 << 20;

/** Bytes of a cache line. Columns are read in pieces of this width. */
export const LINE = 64;

/** The axes in the order in which kernels process them: rows, columns of a slice, slices. */
export interface Axes {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly weights: readonly number[];
  readonly reach: readonly number[];
}

/** The axes of a size. An image becomes a volume whose slices are its rows. */
export function axesOf({ width, height, depth }: Size, { weights, reach }: DistancePlan): Axes {
  if (depth > 1) return { width, height, depth, weights, reach };
  const turned = ([x, y]: readonly number[], other: number): number[] => [x, other, y];
  return { width, height: 1, depth: height, weights: turned(weights, 1), reach: turned(reach, 0) };
}

/** How slices of costs are laid out. */
export interface Layout {
  /** Bytes from row to row, and from slice to slice. */
  readonly pitch: number;
  readonly slice: number;
}

export function layoutOf(kind: CostKind, { width, height }: Pick<Axes, "width" | "height">): Layout {
  const size = kind === "u16" ? 2 : 4;
  // Odd numbers of cache lines: with powers of two, the lines of a column would share a few sets of the cache.
  const odd = (bytes: number): number => (Math.ceil(bytes / LINE) | 1) * LINE;
  const pitch = odd(width * size);
  return { pitch, slice: odd(pitch * height) };
}

/** Bytes that columns() needs to search lines of `sites` for `count` positions. */
export function searchBytes(sites: number, count: number, nearest: boolean): number {
  const lines = (sites + 1 + count) * 64 + count * 8 + SLACK;
  return nearest ? lines + (sites + 1 + count) * 64 + count * 16 : lines;
}

/** Tables of costs, which the kernels for lines read. */
export interface Tables {
  readonly bytes: number;
  /** Address of the middle entry of each axis's cost table. */
  readonly at: readonly number[];
}

export async function writeTables(pool: Pool, scope: ScratchScope, axes: Axes, plan: DistancePlan): Promise<Tables> {
  const bytes = await scope.allocate(LAYOUT.distance.BYTE_TABLE_BYTES);
  await runKernel(pool, "nearestInByte", { table: bytes });
  const at: number[] = [];
  for (const axis of [0, 1, 2]) {
    const { table, middle } = costTable(plan.kind, axes.weights[axis], axes.reach[axis], plan.metric);
    const pointer = await scope.copyIn(table);
    at.push(pointer + middle * table.BYTES_PER_ELEMENT);
  }
  return { bytes, at };
}

export function tableBytes(axes: Axes): number {
  return 4096 + axes.reach.reduce((sum, reach) => sum + (2 * reach + 20) * 4, 0);
}

/** The arguments of distanceRows() that a map determines. The caller adds the addresses of the row and its costs. */
export function rowArguments(
  planes: Planes,
  plan: DistancePlan,
  axes: Axes,
  tables: Tables,
  { y0, y1 }: Rows,
  invert: boolean,
) {
  const { first, second, width, height, depth } = planes;
  return {
    kind: KIND_CODE[plan.kind],
    bits: first,
    bits2: second,
    width,
    y0,
    y1,
    height,
    depth,
    surface: plan.surface,
    invert,
    weight: axes.weights[0],
    squared: plan.metric === "euclidean",
    reach: axes.reach[0],
    table: tables.bytes,
  };
}

/** The lattice arguments of distanceValues() for a map without a lattice. */
// host: arguments that are 0, no codes
export const NO_LATTICE = {
  lattice: 0,
  latticeWidth: 0,
  latticeHeight: 0,
  y0: 0,
  z0: 0,
  sideY: 0,
  sideZ: 0,
  line: 0,
} as const;

/** Rows in a ring, in which columns lie side by side. */
interface RingRows {
  /** The ring's address, bytes from row to row, number of rows, and index of the first row. */
  readonly at: number;
  readonly pitch: number;
  readonly ring: number;
  readonly from: number;
}

/** Columns that are searched. */
export interface Columns {
  /** The sites, and bytes of a row of them. */
  readonly sites: RingRows & { readonly count: number };
  readonly bytes: number;
  /**
   * The positions to compute, counted from the first site, and their destination. By default all sites' positions, which
   * overwrite the sites.
   */
  readonly positions?: RingRows & { readonly first: number; readonly count: number };
  /** Whether to compute only every eighth position and the last one. */
  readonly lattice?: boolean;
  readonly scratch: number;
  /**
   * Features at the sites, or `at` 0 for none. The nearest site is `stride` times its row plus its feature; the first
   * row has number `base`.
   */
  readonly features?: { readonly at: number; readonly stride: number; readonly base: number };
}

/** Adds the costs along an axis. */
export function searchColumns(
  pool: Pool,
  axes: Axes,
  plan: DistancePlan,
  tables: Tables,
  axis: 1 | 2,
  { sites, bytes, positions = { ...sites, first: 0 }, lattice = false, scratch, features }: Columns,
): Promise<number> {
  const { at = 0, stride = 0, base = 0 } = features ?? {};
  return runKernel(pool, "columns", {
    kind: KIND_CODE[plan.kind],
    chessboard: plan.metric === "chessboard",
    lattice,
    src: sites.at,
    pitch: sites.pitch,
    ring: sites.ring,
    from: sites.from,
    sites: sites.count,
    first: positions.first,
    count: positions.count,
    dst: positions.at,
    dstPitch: positions.pitch,
    dstRing: positions.ring,
    dstFrom: positions.from,
    bytes,
    table: tables.at[axis],
    reach: axes.reach[axis],
    weight: axes.weights[axis],
    squared: plan.metric === "euclidean",
    limit: plan.limit,
    scratch,
    feature: at,
    featureTo: at,
    stride,
    base,
  });
}

/** Consecutive rows, as a ring that does not wrap around. */
export function plainRows(at: number, pitch: number, count: number): Columns["sites"] {
  return { at, pitch, ring: count, from: 0, count };
}

/** Number of rows of values that leave at once. */
export function outRows({ width, height, depth }: Axes): number {
  return Math.min(height * depth, Math.max(1, Math.floor(OUT_BYTES / (width * 4))));
}

/** Cuts the columns of a slice of `slice` bytes, all of which are initialised, into pieces for the threads. */
export function piecesOf(pool: Pool, slice: number): { at: number; bytes: number }[] {
  const even = Math.ceil(slice / (LEAST_PIECES * pool.threads) / LINE) * LINE;
  const most = Math.min(SEARCH_BYTES, even);
  const pieces: { at: number; bytes: number }[] = [];
  for (let at = 0; at < slice; at += most) pieces.push({ at, bytes: Math.min(most, slice - at) });
  return pieces;
}

// The blocks of an image. Sizes and positions are along z, y and x. Blocks are numbered in raster order.

import type { Three } from "@skerry/files/zarr/internal";

/** A box of pixels: its first one, and its sides. */
export interface Box {
  readonly from: Three;
  readonly size: Three;
}

/** The division of an image into blocks. */
export interface Grid {
  readonly size: Three;
  readonly block: Three;
  /** Blocks along each axis, and in all. */
  readonly counts: Three;
  readonly count: number;
}

export const three = <T>(each: (axis: 0 | 1 | 2) => T): readonly [T, T, T] => [each(0), each(1), each(2)];

export const volumeOf = ([z, y, x]: Three): number => z * y * x;

export function gridOf(size: Three, block: Three): Grid {
  const counts = three((axis) => Math.ceil(size[axis] / block[axis]));
  return { size, block, counts, count: volumeOf(counts) };
}

/** Coordinates of a block among the blocks. */
export function placeOf({ counts }: Grid, number: number): Three {
  const [, rows, columns] = counts;
  return [Math.floor(number / (rows * columns)), Math.floor(number / columns) % rows, number % columns];
}

/** Number of the block at coordinates; undefined outside. */
export function numberOf({ counts }: Grid, place: Three): number | undefined {
  if (place.some((at, axis) => at < 0 || at >= counts[axis])) return undefined;
  return (place[0] * counts[1] + place[1]) * counts[2] + place[2];
}

/** Pixels of a block. */
export function boxOf(grid: Grid, number: number): Box {
  const place = placeOf(grid, number);
  const from = three((axis) => place[axis] * grid.block[axis]);
  return { from, size: three((axis) => Math.min(grid.block[axis], grid.size[axis] - from[axis])) };
}

/** Numbers of the blocks in the row of a block along x, in their order. */
export function rowOf(grid: Grid, number: number): readonly number[] {
  const columns = grid.counts[2];
  const first = number - (number % columns);
  return Array.from({ length: columns }, (_, i) => first + i);
}

/**
 * The block at a corner: block `number` itself (0), or one of the seven before it: 4 means before it along z, 2 along y, 1 along
 * x.
 */
export function blockBefore(grid: Grid, number: number, corner: number): number | undefined {
  const place = placeOf(grid, number);
  return numberOf(grid, [place[0] - ((corner >> 2) & 1), place[1] - ((corner >> 1) & 1), place[2] - (corner & 1)]);
}

/** The block that has block `number` at a corner: the inverse of {@link blockBefore}. */
export function blockBehind(grid: Grid, number: number, corner: number): number | undefined {
  const place = placeOf(grid, number);
  return numberOf(grid, [place[0] + ((corner >> 2) & 1), place[1] + ((corner >> 1) & 1), place[2] + (corner & 1)]);
}

/** A side of a block: the axis, and whether the side is at the end of the block. */
export interface Side {
  readonly axis: 0 | 1 | 2;
  readonly high: boolean;
}

export const SIDES: readonly Side[] = ([0, 1, 2] as const).flatMap((axis) =>
  [false, true].map((high) => ({ axis, high })),
);

/** Name of a side's face. */
export function faceName({ axis, high }: Side): string {
  return `${"zyx"[axis]}${high ? 1 : 0}`;
}

/** Whether another block lies beyond a side. */
export function isSeam(grid: Grid, number: number, { axis, high }: Side): boolean {
  const place = placeOf(grid, number);
  return high ? place[axis] + 1 < grid.counts[axis] : place[axis] > 0;
}

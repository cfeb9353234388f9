// The hull of a slice of an object while it is measured.

/** Outputs of measureHulls, as bits. */
export const RECTANGLE: u32 = 1;
export const AREA: u32 = 2;
export const FERET: u32 = 4;
export const CENTRE_HULL: u32 = 8;
export const CORNER_HULL: u32 = 16;

/** Bytes of measureHulls' scratch: the record and the extent of a hull, and per row first and last pixels, chains and corners. */
export const HULL_HEAD_BYTES: usize = 80;
export const EXTENT_AT: usize = 64;
export const HULL_ROW_BYTES: usize = 56;
/** Bytes of output corners per run: two corners for the hull of pixel centres, four for the hull of pixel squares. */
export const CENTRE_RUN_BYTES: usize = 16;
export const CORNER_RUN_BYTES: usize = 32;
/** f64 of a record: area; largest Feret diameter as x, y; smallest as length, x, y; rectangle: centre, sides, direction x, y. */
export const HULL_FIELDS: usize = 12;
export const HULL_BYTES: usize = 96;

/** The least and the greatest projection of the corners on a direction. */
// @ts-ignore: decorator
@unmanaged
export class Extent {
  least: f64;
  most: f64;
}

/** A slice of an object: its rows, and the chains of its hull. */
// @ts-ignore: decorator
@unmanaged
export class Hull {
  extent: usize;
  /** First row, and number of rows. */
  y0: u32;
  rows: u32;
  /** First and last pixel per row. */
  left: usize;
  right: usize;
  /** Row and x of the corners, down each side. */
  leftChain: usize;
  rightChain: usize;
  lefts: u32;
  rights: u32;
  /** x and y of the corners, scaled, f64. */
  corners: usize;
}

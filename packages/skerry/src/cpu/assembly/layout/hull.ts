// The hull of a slice of an object while it is measured.

/** The least and the greatest place of corners along a direction. */
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
  /** First row, and how many. */
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

// A hull in space while it grows.

/** A triangle of the hull. x nx + y ny + z nz is `offset` on its plane, and less within the hull. */
// @ts-ignore: decorator
@unmanaged
export class Face {
  nx: i64;
  ny: i64;
  nz: i64;
  offset: i64;
  /** Its corners, numbers of points, counter-clockwise from outside. */
  a: u32;
  b: u32;
  c: u32;
  /** The faces across the edges from a to b, b to c and c to a, by their addresses. */
  acrossAB: usize;
  acrossBC: usize;
  acrossCA: usize;
  /** One more than the first point outside it, which are linked; 0 for none. */
  outside: u32;
  /** See hull-3d.ts. */
  state: u32;
  /** The next face of a list: of free faces, of those to be replaced, or of those that replace them. */
  next: usize;
}

/** Bytes of a face, and of what belongs to each point: x, y and z, the next point of its list, and a face of a border. */
export const FACE_BYTES: usize = 72;
export const POINT_BYTES: usize = 20;

/** The hull, and its memory. */
// @ts-ignore: decorator
@unmanaged
export class Hull3 {
  /** x, y, z of each point, i32. */
  points: usize;
  count: u32;
  /** u32 per point: one more than the next point outside the same face. */
  links: usize;
  /** Per point: the face that begins there, of those around a new point. */
  begins: usize;
  faces: usize;
  /** Faces that there is room for, and that were used. */
  room: u32;
  used: u32;
  /** A list of faces that may be used again. */
  free: usize;
  /** A list of the faces that were made for a point. */
  made: usize;
}

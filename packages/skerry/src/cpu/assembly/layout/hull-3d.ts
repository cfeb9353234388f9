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

/** Points of each corner of a slice's hull: the middles of the six faces of its voxel. */
export const CORNER_POINTS: usize = 6;

/** Bytes of measureSolidHulls' scratch: records of the hull, the box and a slice, and per corner, and row of a box. */
export const SOLID_HEAD_BYTES: usize = 112;
export const BOX_AT: usize = 40;
export const SLICE_AT: usize = 72;
export const SOLID_CORNER_BYTES: usize = CORNER_POINTS * POINT_BYTES;
export const SOLID_ROW_BYTES: usize = 16;
/** f64 of a record: voxels of the hull, and the longest way through it as x, y, z. */
export const SOLID_FIELDS: usize = 4;
export const SOLID_BYTES: usize = 32;

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

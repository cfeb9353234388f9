// A hull in space while it grows.

/** A triangle of the hull. x nx + y ny + z nz is `offset` on its plane, and less within the hull. */
// @ts-ignore: decorator
@unmanaged
export class Face {
  nx: i64;
  ny: i64;
  nz: i64;
  offset: i64;
  /** Corners, as numbers of points, counter-clockwise as seen from outside. */
  a: u32;
  b: u32;
  c: u32;
  /** Addresses of the faces across the edges from a to b, b to c and c to a. */
  acrossAB: usize;
  acrossBC: usize;
  acrossCA: usize;
  /** First point, plus 1, of the linked list of points outside the face; 0 for none. */
  outside: u32;
  /** FREE, OWN or FACING; see hull-3d.ts. */
  state: u32;
  /** The next face in a list of free faces, of faces to replace, or of the faces that replace them. */
  next: usize;
}

/** Bytes of a face. Bytes per point: x, y and z, the next point of its list, and a face at the horizon. */
export const FACE_BYTES: usize = 72;
export const POINT_BYTES: usize = 20;

/** Points per corner of a slice's hull: the centres of the six faces of its voxel. */
export const CORNER_POINTS: usize = 6;

/** Bytes of measureSolidHulls' scratch: a head (records of the hull, a box and a slice), per corner, and per row of a box. */
export const SOLID_HEAD_BYTES: usize = 112;
export const BOX_AT: usize = 40;
export const SLICE_AT: usize = 72;
export const SOLID_CORNER_BYTES: usize = CORNER_POINTS * POINT_BYTES;
export const SOLID_ROW_BYTES: usize = 16;
/** f64 of a record: voxels of the hull, and its largest Feret diameter as a vector x, y, z. */
export const SOLID_FIELDS: usize = 4;
export const SOLID_BYTES: usize = 32;

/** The hull, and its memory. */
// @ts-ignore: decorator
@unmanaged
export class Hull3 {
  /** x, y, z of each point, i32. */
  points: usize;
  count: u32;
  /** u32 per point: the next point outside the same face, plus 1; 0 at the end. */
  links: usize;
  /** Per point: address of the new face whose first edge begins there, while a point is added. */
  begins: usize;
  faces: usize;
  /** Capacity in faces, and faces taken from it so far, free ones included. */
  room: u32;
  used: u32;
  /** List of free faces, for reuse. */
  free: usize;
  /** List of the new faces of the point that is being added. */
  made: usize;
}

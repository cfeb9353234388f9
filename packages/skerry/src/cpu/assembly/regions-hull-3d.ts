// Convex hulls of objects in volumes. Each slice of an object has few corners on its own hull. The centres of the faces of
// the voxels at these corners, in half voxels, are the points whose hull is the object's.

import { growHull, OWN } from "./hull-3d";
import { Hull } from "./layout/hull";
import { BOX_AT, CORNER_POINTS, Face, FACE_BYTES, Hull3, POINT_BYTES, SLICE_AT, SOLID_BYTES, SOLID_HEAD_BYTES } from "./layout/hull-3d";
import { buildChain, NONE } from "./regions-hull";

/** Arguments of {@link measureSolidHulls}. */
// @ts-ignore: decorator
@unmanaged
export class MeasureSolidHullsCall {
  /** x and row, through all slices, of the corners of each slice's hull: i32. [0 .. count ? u32(ends, count - 1) * 8 : 0] */
  corners: usize;
  /** u32 per object: corners up to its end. [0 .. count * 4] */
  ends: usize;
  /** Objects. */
  count: u32;
  /** First object: the number of objects that are already measured. */
  from: u32;
  /** Rows of a slice. */
  height: u32;
  /** Width of a voxel. */
  scaleX: f64;
  /** Height of a voxel. */
  scaleY: f64;
  /** Distance of two consecutive slices. */
  scaleZ: f64;
  /** 0 or 1: find the largest Feret diameter. */
  longest: bool;
  /** Scratch. [0 .. SOLID_HEAD_BYTES + most * SOLID_CORNER_BYTES + room * FACE_BYTES + rows * SOLID_ROW_BYTES] */
  scratch: usize;
  /** Capacity in corners: at least the largest number of corners of an object. */
  most: u32;
  /** The largest number of rows of an object's box, in all its slices together. */
  rows: u32;
  /** Capacity in faces. */
  room: u32;
  /** Four f64 per object. [0 .. count * SOLID_BYTES] */
  records: usize;
}

/** The box of an object, and the first and the last voxel of each of its rows within the hull. */
// @ts-ignore: decorator
@unmanaged
class Box {
  x0: i32;
  y0: i32;
  z0: i32;
  height: i32;
  depth: i32;
  first: usize;
  last: usize;
}

/** Measures objects from `from` on. Returns the number of measured ones: below `count` if corners or faces exceed the room. */
export function measureSolidHulls(call: MeasureSolidHullsCall): u32 {
  const hull = changetype<Hull3>(call.scratch);
  const points = <usize>call.most * CORNER_POINTS;
  hull.points = call.scratch + SOLID_HEAD_BYTES;
  hull.links = hull.points + points * 12;
  hull.begins = hull.links + points * 4;
  hull.faces = hull.points + points * POINT_BYTES;
  hull.room = call.room;
  const box = changetype<Box>(call.scratch + BOX_AT);
  box.first = hull.faces + <usize>call.room * FACE_BYTES;
  box.last = box.first + (<usize>call.rows << 2);
  const slice = changetype<Hull>(call.scratch + SLICE_AT);
  slice.leftChain = box.last + (<usize>call.rows << 2);
  for (let object = call.from; object < call.count; object++) {
    const from = object ? load<u32>(call.ends + (<usize>(object - 1) << 2)) : 0;
    const to = load<u32>(call.ends + (<usize>object << 2));
    const record = call.records + <usize>object * SOLID_BYTES;
    memory.fill(record, 0, SOLID_BYTES);
    if (from == to) continue;
    boxCorners(call, box, from, to);
    hull.count = 0;
    for (let i = from; i < to; i++) {
      const corner = call.corners + (<usize>i << 3);
      const row = load<u32>(corner, 4);
      putVoxel(hull, load<i32>(corner) - box.x0, <i32>(row % call.height) - box.y0, <i32>(row / call.height) - box.z0);
    }
    if (!growHull(hull)) return object;
    store<f64>(record, fillBox(hull, box));
    if (!call.longest) continue;
    if (!putChains(hull, box, slice, call.most * <u32>CORNER_POINTS) || !growHull(hull)) return object;
    measureLongest(hull, call, record + 8);
  }
  return call.count;
}

function boxCorners(call: MeasureSolidHullsCall, box: Box, from: u32, to: u32): void {
  let x0 = NONE, y0 = NONE, z0 = NONE, y1 = 0, z1 = 0;
  for (let i = from; i < to; i++) {
    const corner = call.corners + (<usize>i << 3);
    const row = load<u32>(corner, 4);
    const y = <i32>(row % call.height), z = <i32>(row / call.height);
    x0 = min(x0, load<i32>(corner));
    y0 = min(y0, y);
    z0 = min(z0, z);
    y1 = max(y1, y);
    z1 = max(z1, z);
  }
  box.x0 = x0;
  box.y0 = y0;
  box.z0 = z0;
  box.height = y1 - y0 + 1;
  box.depth = z1 - z0 + 1;
}

/** Adds the centres of a voxel's faces to the points, in half voxels. */
function putVoxel(hull: Hull3, x: i32, y: i32, z: i32): void {
  let at = hull.points + <usize>hull.count * 12;
  for (let k = 0; k < 6; k++) {
    const step = k & 1 ? 1 : -1;
    store<i32>(at, 2 * x + (k < 2 ? step : 0));
    store<i32>(at, 2 * y + (k >> 1 == 1 ? step : 0), 4);
    store<i32>(at, 2 * z + (k > 3 ? step : 0), 8);
    at += 12;
  }
  hull.count += 6;
}

/** Finds the voxels of each row of the box whose centres lie within the hull, or on it. Returns how many there are. */
function fillBox(hull: Hull3, box: Box): f64 {
  const rows = <usize>box.height * box.depth;
  for (let row: usize = 0; row < rows; row++) {
    store<i32>(box.first + (row << 2), NONE);
    store<i32>(box.last + (row << 2), -NONE);
  }
  for (let i: u32 = 0; i < hull.used; i++) {
    const face = changetype<Face>(hull.faces + <usize>i * FACE_BYTES);
    if (face.state == OWN && face.nx != 0) endRows(hull, face, box);
  }
  let count: f64 = 0;
  for (let row: usize = 0; row < rows; row++) {
    const first = load<i32>(box.first + (row << 2)), last = load<i32>(box.last + (row << 2));
    // The hull may pass between two voxels of a row.
    if (first > last) store<i32>(box.first + (row << 2), NONE);
    else count += <f64>(last - first) + 1;
  }
  return count;
}

// @ts-ignore: decorator
@inline
function yOf(hull: Hull3, point: u32): i32 {
  return load<i32>(hull.points + <usize>point * 12, 4);
}

// @ts-ignore: decorator
@inline
function zOf(hull: Hull3, point: u32): i32 {
  return load<i32>(hull.points + <usize>point * 12, 8);
}

/** A cross product in the projection along x. Its sign is the side of an edge on which a place lies. */
// @ts-ignore: decorator
@inline
function sideOf(y0: i32, z0: i32, y1: i32, z1: i32, y: i32, z: i32): i64 {
  return <i64>(y1 - y0) * <i64>(z - z0) - <i64>(z1 - z0) * <i64>(y - y0);
}

/** Sets the first or last voxel of the rows through a face. Rows lie along x: each passes through one face on either side. */
function endRows(hull: Hull3, face: Face, box: Box): void {
  const ay = yOf(hull, face.a), by = yOf(hull, face.b), cy = yOf(hull, face.c);
  const az = zOf(hull, face.a), bz = zOf(hull, face.b), cz = zOf(hull, face.c);
  // Projected along x, the corners of a face with nx > 0 are counter-clockwise, those of others clockwise.
  const sign: i64 = face.nx > 0 ? 1 : -1;
  // Coordinates of voxel centres are even, and begin at 0 in the box.
  const y0 = max(0, (min(ay, min(by, cy)) + 1) >> 1), y1 = min(box.height - 1, max(ay, max(by, cy)) >> 1);
  const z0 = max(0, (min(az, min(bz, cz)) + 1) >> 1), z1 = min(box.depth - 1, max(az, max(bz, cz)) >> 1);
  for (let z = z0; z <= z1; z++) {
    for (let y = y0; y <= y1; y++) {
      const v = 2 * y, w = 2 * z;
      if (sign * sideOf(ay, az, by, bz, v, w) < 0) continue;
      if (sign * sideOf(by, bz, cy, cz, v, w) < 0) continue;
      if (sign * sideOf(cy, cz, ay, az, v, w) < 0) continue;
      const rest = sign * (face.offset - face.ny * <i64>v - face.nz * <i64>w);
      const row = <usize>(z * box.height + y) << 2;
      // Rounded towards the inside: down where rows end, up where they begin.
      const whole = floorDivide(rest, 2 * sign * face.nx);
      if (sign > 0) store<i32>(box.last + row, <i32>whole);
      else store<i32>(box.first + row, <i32>(whole * 2 * sign * face.nx < rest ? whole + 1 : whole)); // wide: i64 of sides of at most 32 768
    }
  }
}

/** a / b rounded down, for b > 0. */
// @ts-ignore: decorator
@inline
function floorDivide(a: i64, b: i64): i64 {
  const whole = a / b;
  return whole * b > a ? whole - 1 : whole;
}

/** Replaces the points by those of the voxels at the corners of each slice of the filled box. Returns false if out of room. */
function putChains(hull: Hull3, box: Box, slice: Hull, room: u32): bool {
  hull.count = 0;
  slice.rows = box.height;
  for (let z = 0; z < box.depth; z++) {
    const rows = <usize>(z * box.height) << 2;
    slice.left = box.first + rows;
    slice.right = box.last + rows;
    if (!putChain(hull, slice, slice.left, 1, z, room)) return false;
    if (!putChain(hull, slice, slice.right, -1, z, room)) return false;
  }
  return true;
}

/** Adds the corners of one side of a slice. Returns false if there is no room. */
function putChain(hull: Hull3, slice: Hull, side: usize, sign: i64, z: i32, room: u32): bool {
  const length = buildChain(slice, side, sign, slice.leftChain);
  if (hull.count + length * 6 > room) return false;
  for (let i: u32 = 0; i < length; i++) {
    const corner = slice.leftChain + (<usize>i << 3);
    putVoxel(hull, load<i32>(corner, 4), load<u32>(corner), z);
  }
  return true;
}

/** Writes the longest vector between two corners of the hull, its largest Feret diameter, as x, y, z. */
function measureLongest(hull: Hull3, call: MeasureSolidHullsCall, record: usize): void {
  // Lists each point that is a corner once, in the memory of the links, which are no longer needed.
  memory.fill(hull.begins, 0, <usize>hull.count << 2);
  let corners: u32 = 0;
  for (let i: u32 = 0; i < hull.used; i++) {
    const face = changetype<Face>(hull.faces + <usize>i * FACE_BYTES);
    if (face.state != OWN) continue;
    corners = listOnce(hull, face.a, corners);
    corners = listOnce(hull, face.b, corners);
    corners = listOnce(hull, face.c, corners);
  }
  let most: f64 = -1;
  for (let i: u32 = 0; i < corners; i++) {
    const one = hull.points + <usize>load<u32>(hull.links + (<usize>i << 2)) * 12;
    for (let j = i + 1; j < corners; j++) {
      const other = hull.points + <usize>load<u32>(hull.links + (<usize>j << 2)) * 12;
      const x = <f64>(load<i32>(other) - load<i32>(one)) * call.scaleX / 2;
      const y = <f64>(load<i32>(other, 4) - load<i32>(one, 4)) * call.scaleY / 2;
      const z = <f64>(load<i32>(other, 8) - load<i32>(one, 8)) * call.scaleZ / 2;
      const square = x * x + y * y + z * z;
      if (square <= most) continue;
      most = square;
      store<f64>(record, x);
      store<f64>(record, y, 8);
      store<f64>(record, z, 16);
    }
  }
}

function listOnce(hull: Hull3, point: u32, corners: u32): u32 {
  const mark = hull.begins + (<usize>point << 2);
  if (load<u32>(mark)) return corners;
  store<u32>(mark, 1);
  store<u32>(hull.links + (<usize>corners << 2), point);
  return corners + 1;
}

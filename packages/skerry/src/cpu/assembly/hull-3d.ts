// The convex hull of points in space, by quickhull (C. B. Barber, D. P. Dobkin and H. Huhdanpaa, 1996). Coordinates are whole, so
// every determinant is exact in 64 bits, and a point in the plane of a face is never outside it.

import { Face, FACE_BYTES, Hull3 } from "./layout/hull-3d";

/** States of a face: unused, part of the hull, and facing the point that is being added. */
const FREE: u32 = 0;
export const OWN: u32 = 1;
const FACING: u32 = 2;

// @ts-ignore: decorator
@inline
function coordinate(hull: Hull3, point: u32, axis: u32): i64 {
  return <i64>load<i32>(hull.points + <usize>(3 * point + axis) * 4);
}

/** The signed distance of a point from a face's plane, positive outside, times the length of the face's normal. */
// @ts-ignore: decorator
@inline
function above(hull: Hull3, face: Face, point: u32): i64 {
  return coordinate(hull, point, 0) * face.nx + coordinate(hull, point, 1) * face.ny + coordinate(hull, point, 2) * face.nz - face.offset;
}

/** Grows the hull of `count` points that do not all lie in one plane. Returns false if there is no room for its faces. */
export function growHull(hull: Hull3): bool {
  hull.used = 0;
  hull.free = 0;
  if (hull.room < 4) return false;
  beginHull(hull);
  // A reused face may lie before the face that it replaces, so faces are scanned again until no point is added.
  for (let isGrowing = true; isGrowing; ) {
    isGrowing = false;
    for (let i: u32 = 0; i < hull.used; i++) {
      const face = changetype<Face>(hull.faces + <usize>i * FACE_BYTES);
      if (face.state != OWN || !face.outside) continue;
      if (!addPoint(hull, face, farthest(hull, face))) return false;
      isGrowing = true;
    }
  }
  return true;
}

/** The address of a new face; 0 if there is no room. */
function takeFace(hull: Hull3): usize {
  const at = hull.free;
  if (at) {
    hull.free = changetype<Face>(at).next;
    return at;
  }
  if (hull.used == hull.room) return 0;
  hull.used++;
  return hull.faces + <usize>(hull.used - 1) * FACE_BYTES;
}

/** Makes a face of three points at an address. */
function makeFace(hull: Hull3, at: usize, a: u32, b: u32, c: u32): Face {
  const face = changetype<Face>(at);
  const ax = coordinate(hull, a, 0), ay = coordinate(hull, a, 1), az = coordinate(hull, a, 2);
  const ux = coordinate(hull, b, 0) - ax, uy = coordinate(hull, b, 1) - ay, uz = coordinate(hull, b, 2) - az;
  const vx = coordinate(hull, c, 0) - ax, vy = coordinate(hull, c, 1) - ay, vz = coordinate(hull, c, 2) - az;
  face.nx = uy * vz - uz * vy;
  face.ny = uz * vx - ux * vz;
  face.nz = ux * vy - uy * vx;
  face.offset = ax * face.nx + ay * face.ny + az * face.nz;
  face.a = a;
  face.b = b;
  face.c = c;
  face.outside = 0;
  face.state = OWN;
  return face;
}

/** Builds a tetrahedron of points that lie far apart, and links each other point to a face that it lies outside. */
function beginHull(hull: Hull3): void {
  let a: u32 = 0;
  for (let i: u32 = 1; i < hull.count; i++) if (coordinate(hull, i, 0) < coordinate(hull, a, 0)) a = i;
  let b: u32 = a, c: u32 = a, d: u32 = a;
  let most: i64 = 0;
  for (let i: u32 = 0; i < hull.count; i++) {
    const x = coordinate(hull, i, 0) - coordinate(hull, a, 0);
    const y = coordinate(hull, i, 1) - coordinate(hull, a, 1);
    const z = coordinate(hull, i, 2) - coordinate(hull, a, 2);
    const apart = x * x + y * y + z * z;
    if (apart > most) {
      most = apart;
      b = i;
    }
  }
  // Squared lengths of normals exceed 64 bits. They are only compared here, so floats are precise enough.
  let largest: f64 = 0;
  const one = hull.faces;
  for (let i: u32 = 0; i < hull.count; i++) {
    const face = makeFace(hull, one, a, b, i);
    const size = <f64>face.nx * <f64>face.nx + <f64>face.ny * <f64>face.ny + <f64>face.nz * <f64>face.nz;
    if (size > largest) {
      largest = size;
      c = i;
    }
  }
  const base = makeFace(hull, one, a, b, c);
  most = 0;
  for (let i: u32 = 0; i < hull.count; i++) {
    const height = above(hull, base, i);
    if (abs(height) > most) {
      most = abs(height);
      d = i;
    }
  }
  // The fourth point lies below the first face.
  const isAbove = above(hull, base, d) > 0;
  const p = isAbove ? c : b, q = isAbove ? b : c;
  hull.used = 4;
  const f0 = makeFace(hull, hull.faces, a, p, q);
  const f1 = makeFace(hull, hull.faces + FACE_BYTES, a, d, p);
  const f2 = makeFace(hull, hull.faces + 2 * FACE_BYTES, p, d, q);
  const f3 = makeFace(hull, hull.faces + 3 * FACE_BYTES, q, d, a);
  join(f0, f1, f2, f3);
  join(f1, f3, f2, f0);
  join(f2, f1, f3, f0);
  join(f3, f2, f1, f0);
  for (let i: u32 = 0; i < hull.count; i++) {
    for (let k: usize = 0; k < 4; k++) if (putOutside(hull, changetype<Face>(hull.faces + k * FACE_BYTES), i)) break;
  }
}

// @ts-ignore: decorator
@inline
function join(face: Face, ab: Face, bc: Face, ca: Face): void {
  face.acrossAB = changetype<usize>(ab);
  face.acrossBC = changetype<usize>(bc);
  face.acrossCA = changetype<usize>(ca);
}

/** Links a point to a face if the point lies outside the face. Returns whether it does. */
// @ts-ignore: decorator
@inline
function putOutside(hull: Hull3, face: Face, point: u32): bool {
  if (above(hull, face, point) <= 0) return false;
  store<u32>(hull.links + (<usize>point << 2), face.outside);
  face.outside = point + 1;
  return true;
}

function farthest(hull: Hull3, face: Face): u32 {
  let best: u32 = 0;
  let most: i64 = 0;
  for (let link = face.outside; link; link = load<u32>(hull.links + (<usize>(link - 1) << 2))) {
    const height = above(hull, face, link - 1);
    if (height > most) {
      most = height;
      best = link - 1;
    }
  }
  return best;
}

/** Replaces the faces that face a point by faces from their horizon (border) to it. Returns false if there is no room. */
function addPoint(hull: Hull3, first: Face, point: u32): bool {
  first.state = FACING;
  first.next = 0;
  let last = first;
  for (let at = changetype<usize>(first); at; at = changetype<Face>(at).next) {
    const face = changetype<Face>(at);
    for (let edge: u32 = 0; edge < 3; edge++) {
      const other = changetype<Face>(edge == 0 ? face.acrossAB : edge == 1 ? face.acrossBC : face.acrossCA);
      if (other.state != OWN || above(hull, other, point) <= 0) continue;
      other.state = FACING;
      other.next = 0;
      last.next = changetype<usize>(other);
      last = other;
    }
  }
  hull.made = 0;
  for (let at = changetype<usize>(first); at; at = changetype<Face>(at).next) {
    const face = changetype<Face>(at);
    if (!addBorder(hull, face.acrossAB, face.a, face.b, point)) return false;
    if (!addBorder(hull, face.acrossBC, face.b, face.c, point)) return false;
    if (!addBorder(hull, face.acrossCA, face.c, face.a, point)) return false;
  }
  const made = hull.made;
  // The horizon is a ring: the face after one that ends at a point is the face that begins there.
  for (let at = made; at; at = changetype<Face>(at).next) {
    const face = changetype<Face>(at);
    const next = load<u32>(hull.begins + (<usize>face.b << 2));
    face.acrossBC = next;
    changetype<Face>(next).acrossCA = at;
  }
  for (let at = changetype<usize>(first); at; ) {
    const face = changetype<Face>(at);
    for (let link = face.outside; link; ) {
      const own = link - 1;
      link = load<u32>(hull.links + (<usize>own << 2));
      for (let to = made; to; to = changetype<Face>(to).next) if (putOutside(hull, changetype<Face>(to), own)) break;
    }
    at = face.next;
    face.state = FREE;
    face.next = hull.free;
    hull.free = changetype<usize>(face);
  }
  return true;
}

/**
 * If the face across an edge stays, makes a face from the edge to the point, and adds it to the list `made`. Returns false
 * if there is no room.
 */
function addBorder(hull: Hull3, across: usize, from: u32, to: u32, point: u32): bool {
  const other = changetype<Face>(across);
  if (other.state != OWN) return true;
  const at = takeFace(hull);
  if (!at) return false;
  const fresh = makeFace(hull, at, from, to, point);
  fresh.next = hull.made;
  hull.made = at;
  fresh.acrossAB = across;
  // The other face has the edge the other way round.
  if (other.a == to) other.acrossAB = at;
  else if (other.b == to) other.acrossBC = at;
  else other.acrossCA = at;
  store<u32>(hull.begins + (<usize>from << 2), at);
  return true;
}

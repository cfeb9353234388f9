// The convex hull of points in space, by quickhull (C. B. Barber, D. P. Dobkin and H. Huhdanpaa, 1996). Coordinates are whole and
// below 2^16 apart, so every determinant is exact in a double, and points that lie in the plane of a face are never outside it.

/** A triangle of the hull: x nx + y ny + z nz is `offset` on its plane, and less within the hull. */
export interface Face {
  /** Its corners, numbers of points, counter-clockwise from outside. */
  readonly corners: readonly [number, number, number];
  readonly normal: readonly [number, number, number];
  readonly offset: number;
}

interface Growing extends Face {
  /** The faces across the edges from corner 0 to 1, 1 to 2 and 2 to 0. */
  readonly beside: Growing[];
  /** Points that lie outside it, and outside no face that came before it. */
  outside: number[];
  gone: boolean;
}

/** Faces of the hull of points, x, y, z in turn, that do not all lie in one plane. */
export function convexHull(points: Int32Array): Face[] {
  const faces = firstFaces(points);
  share(
    points,
    Array.from({ length: points.length / 3 }, (_, i) => i),
    faces,
  );
  const open = faces.slice();
  for (let face = open.pop(); face; face = open.pop()) {
    if (face.gone || face.outside.length === 0) continue;
    const made = grow(points, face, farthest(points, face));
    faces.push(...made);
    open.push(...made);
  }
  return faces.filter(({ gone }) => !gone);
}

/** How far a point lies outside a face, times the length of its normal. */
function above(points: Int32Array, { normal: [x, y, z], offset }: Face, i: number): number {
  return points[3 * i] * x + points[3 * i + 1] * y + points[3 * i + 2] * z - offset;
}

function farthest(points: Int32Array, face: Growing): number {
  let [best, most] = [-1, 0];
  for (const i of face.outside) {
    const height = above(points, face, i);
    if (height > most) [best, most] = [i, height];
  }
  return best;
}

function makeFace(points: Int32Array, a: number, b: number, c: number): Growing {
  const at = (i: number, axis: number): number => points[3 * i + axis];
  const [ux, uy, uz] = [at(b, 0) - at(a, 0), at(b, 1) - at(a, 1), at(b, 2) - at(a, 2)];
  const [vx, vy, vz] = [at(c, 0) - at(a, 0), at(c, 1) - at(a, 1), at(c, 2) - at(a, 2)];
  const normal = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx] as const;
  const offset = at(a, 0) * normal[0] + at(a, 1) * normal[1] + at(a, 2) * normal[2];
  return { corners: [a, b, c], normal, offset, beside: [], outside: [], gone: false };
}

/** A tetrahedron of points that lie far apart. */
function firstFaces(points: Int32Array): Growing[] {
  const count = points.length / 3;
  const most = (measure: (i: number) => number): number => {
    let best = 0;
    for (let i = 1; i < count; i++) if (measure(i) > measure(best)) best = i;
    return best;
  };
  const apart = (i: number, j: number, axis: number): number => points[3 * i + axis] - points[3 * j + axis];
  const a = most((i) => points[3 * i]);
  const b = most((i) => apart(i, a, 0) ** 2 + apart(i, a, 1) ** 2 + apart(i, a, 2) ** 2);
  const c = most((i) => makeFace(points, a, b, i).normal.reduce((sum, n) => sum + n * n, 0));
  const base = makeFace(points, a, b, c);
  const d = most((i) => Math.abs(above(points, base, i)));
  const [p, q] = above(points, base, d) > 0 ? [c, b] : [b, c];
  const faces = [
    [a, p, q],
    [a, d, p],
    [p, d, q],
    [q, d, a],
  ].map(([i, j, k]) => makeFace(points, i, j, k));
  for (const face of faces) {
    for (let edge = 0; edge < 3; edge++) {
      const [from, to] = [face.corners[edge], face.corners[(edge + 1) % 3]];
      face.beside[edge] = faces.find(
        (other) => other !== face && other.corners.includes(from) && other.corners.includes(to),
      ) as Growing;
    }
  }
  return faces;
}

/** Gives each point to the first face that it lies outside of. */
function share(points: Int32Array, given: readonly number[], faces: readonly Growing[]): void {
  for (const i of given) {
    const face = faces.find((each) => above(points, each, i) > 0);
    face?.outside.push(i);
  }
}

/** Replaces the faces that a point sees by faces from their common border to the point. */
function grow(points: Int32Array, first: Growing, point: number): Growing[] {
  const seen = [first];
  const made = new Map<number, Growing>();
  first.gone = true;
  for (const face of seen) {
    for (const other of face.beside) {
      if (other.gone || above(points, other, point) <= 0) continue;
      other.gone = true;
      // The loop goes on to it.
      seen.push(other);
    }
  }
  for (const face of seen) {
    for (let edge = 0; edge < 3; edge++) {
      const other = face.beside[edge];
      if (other.gone) continue;
      const [from, to] = [face.corners[edge], face.corners[(edge + 1) % 3]];
      const fresh = makeFace(points, from, to, point);
      fresh.beside[0] = other;
      other.beside[other.corners.indexOf(to)] = fresh;
      made.set(from, fresh);
    }
  }
  // The border is a ring: the face that begins where one ends is the next.
  for (const face of made.values()) {
    const next = made.get(face.corners[1]) as Growing;
    face.beside[1] = next;
    next.beside[2] = face;
  }
  const faces = [...made.values()];
  for (const face of seen) {
    share(points, face.outside, faces);
    face.outside = [];
  }
  return faces;
}

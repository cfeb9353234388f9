// Slow and plain answers about volumes (and images, which are one slice): voxel by voxel, neighbour by neighbour.
// Shares no code and no idea with the library.

import { random } from "../support/shapes.js";

export type Values = ArrayLike<number>;
export type Connectivity = 4 | 8 | 6 | 18 | 26;

export interface Size {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
}

export interface Found {
  readonly labels: Uint32Array;
  readonly count: number;
}

type Place = readonly [number, number, number];

/** Steps to the neighbours of a connectivity: how many coordinates may change at once. */
function steps(connectivity: Connectivity): Place[] {
  const most = { 4: 1, 8: 2, 6: 1, 18: 2, 26: 3 }[connectivity];
  const found: Place[] = [];
  for (let dz = -1; dz <= 1; dz++) {
    if (dz !== 0 && connectivity <= 8 && connectivity !== 6) continue;
    for (let dy = -1; dy <= 1; dy++) {
      for (let dx = -1; dx <= 1; dx++) {
        const changed = Math.abs(dx) + Math.abs(dy) + Math.abs(dz);
        if (changed > 0 && changed <= most) found.push([dx, dy, dz]);
      }
    }
  }
  return found;
}

export function placeOf({ width, height }: Size, at: number): Place {
  return [at % width, Math.floor(at / width) % height, Math.floor(at / width / height)];
}

export function indexOf({ width, height, depth }: Size, [x, y, z]: Place): number {
  const inside = x >= 0 && y >= 0 && z >= 0 && x < width && y < height && z < depth;
  return inside ? (z * height + y) * width + x : -1;
}

/** Labels what is `inside`, in raster order of first voxels, joined where `joins` says so. */
export function label(
  size: Size,
  connectivity: Connectivity,
  inside: (at: number) => boolean,
  joins: (a: number, b: number) => boolean = () => true,
): Found {
  const labels = new Uint32Array(size.width * size.height * size.depth);
  const around = steps(connectivity);
  let count = 0;
  for (let start = 0; start < labels.length; start++) {
    if (labels[start] || !inside(start)) continue;
    labels[start] = ++count;
    const open = [start];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const [x, y, z] = placeOf(size, at);
      for (const [dx, dy, dz] of around) {
        const other = indexOf(size, [x + dx, y + dy, z + dz]);
        if (other < 0 || labels[other] || !inside(other) || !joins(at, other)) continue;
        labels[other] = count;
        open.push(other);
      }
    }
  }
  return { labels, count };
}

export interface Measured {
  area: number;
  bounds: number[];
  /** x, y, z, xx, xy, xz, yy, yz, zz. */
  sums: bigint[];
  /** Faces across x, y and z. */
  faces: number[];
  euler: number;
  sum: number;
  weighted: number[];
  edges: number[];
}

/** Sums per label, voxel by voxel. */
export function measure({ labels, count }: Found, size: Size, connectivity: Connectivity, values: Values): Measured[] {
  const ends = [size.width, size.height, size.depth];
  const found: Measured[] = Array.from({ length: count }, () => ({
    area: 0,
    bounds: [...ends, 0, 0, 0],
    sums: Array<bigint>(9).fill(0n),
    faces: [0, 0, 0],
    euler: 0,
    sum: 0,
    weighted: [0, 0, 0],
    edges: [],
  }));
  const voxels: Place[][] = Array.from({ length: count }, () => []);
  labels.forEach((l, at) => {
    if (!l) return;
    const place = placeOf(size, at);
    const [x, y, z] = place;
    const m = found[l - 1];
    const v = values[at];
    voxels[l - 1]?.push(place);
    m.area++;
    m.sum += v;
    [x, y, z, x * x, x * y, x * z, y * y, y * z, z * z].forEach((s, i) => {
      m.sums[i] = m.sums[i] + BigInt(s);
    });
    place.forEach((n, axis) => {
      m.bounds[axis] = Math.min(m.bounds[axis], n);
      m.bounds[3 + axis] = Math.max(m.bounds[3 + axis], n + 1);
      m.weighted[axis] = m.weighted[axis] + v * n;
      for (const step of [-1, 1]) {
        const beside = place.map((other, i) => (i === axis ? other + step : other)) as unknown as Place;
        const other = indexOf(size, beside);
        if (other < 0 || labels[other] !== l) m.faces[axis] = m.faces[axis] + 1;
        // A single slice has nothing before and behind it.
        if (other >= 0 && labels[other] === 0) m.edges.push(values[other]);
      }
    });
  });
  found.forEach((m, i) => {
    m.euler = euler(voxels[i], connectivity);
  });
  return found;
}

/**
 * Corners - edges + faces - voxels of one object. With 6 (4) the voxels are points, and what is counted are pairs,
 * squares and cubes of them; with 18 a corner counts once for each group of voxels around it that hang together.
 */
function euler(voxels: readonly Place[], connectivity: Connectivity): number {
  const keyOf = (x: number, y: number, z: number): number => (x + 1) * 2 ** 20 + (y + 1) * 2 ** 10 + z + 1;
  const is = new Set(voxels.map(([x, y, z]) => keyOf(x, y, z)));
  const has = (x: number, y: number, z: number): boolean => is.has(keyOf(x, y, z));
  let sum = 0;
  const dual = connectivity === 4 || connectivity === 6;
  const counted = new Set<number>();
  for (const [x, y, z] of voxels) {
    // A cell reaches from a corner along some of the axes; each of the eight around a voxel's corner, once.
    for (let shift = 0; shift < 8; shift++) {
      const [cx, cy, cz] = [x + (shift & 1), y + ((shift >> 1) & 1), z + ((shift >> 2) & 1)];
      if (counted.has(keyOf(cx, cy, cz))) continue;
      counted.add(keyOf(cx, cy, cz));
      // The voxels around the corner (cx, cy, cz): those that end or begin there.
      const around: Place[] = [];
      for (let k = 0; k < 8; k++) {
        const place: Place = [cx - (k & 1), cy - ((k >> 1) & 1), cz - ((k >> 2) & 1)];
        if (has(...place)) around.push(place);
      }
      for (let axes = 0; axes < 8; axes++) {
        const dimension = (axes & 1) + ((axes >> 1) & 1) + ((axes >> 2) & 1);
        // Cells that begin at the corner: of the voxels around it those that lie ahead along the cell's axes.
        const along = around.filter(
          ([vx, vy, vz]) => (!(axes & 1) || vx === cx) && (!(axes & 2) || vy === cy) && (!(axes & 4) || vz === cz),
        );
        const sign = dimension % 2 === 0 ? 1 : -1;
        if (dual) {
          // The dual cell spans the axes that are left, and has to be full.
          const full = 2 ** (3 - dimension);
          if (along.length === full) sum += (3 - dimension) % 2 === 0 ? 1 : -1;
        } else if (along.length > 0) {
          sum += sign * (connectivity === 18 && dimension === 0 ? groups(along) : 1);
        }
      }
    }
  }
  return sum;
}

/** How many groups voxels around a corner make when those that share an edge hang together. */
function groups(voxels: readonly Place[]): number {
  const left = new Set(voxels);
  let count = 0;
  for (const start of voxels) {
    if (!left.delete(start)) continue;
    count++;
    const open = [start];
    for (let at = open.pop(); at; at = open.pop()) {
      for (const other of [...left]) {
        const apart = at.reduce((n, value, axis) => n + Math.abs(value - other[axis]), 0);
        if (apart <= 2 && left.delete(other)) open.push(other);
      }
    }
  }
  return count;
}

export function onBorder(size: Size, at: number): boolean {
  const ends = [size.width, size.height, size.depth];
  return placeOf(size, at).some((n, axis) => (axis < 2 || size.depth > 1) && (n === 0 || n === (ends[axis] ?? 0) - 1));
}

/** The mask with what it encloses. */
export function fillHoles(mask: Uint8Array, size: Size, connectivity: Connectivity): Uint8Array {
  const opposite = { 4: 8, 8: 4, 6: 26, 18: 6, 26: 6 } as const;
  const { labels } = label(size, opposite[connectivity], (at) => !mask[at]);
  const open = new Set<number>();
  labels.forEach((l, at) => {
    if (l && onBorder(size, at)) open.add(l);
  });
  return mask.map((v, at) => (v || !open.has(labels[at]) ? 1 : 0));
}

/** Voxels with background beside them. */
export function surface(mask: Uint8Array, size: Size, border: boolean): Uint8Array {
  const faces = steps(6).filter(([, , dz]) => size.depth > 1 || dz === 0);
  return mask.map((v, at) => {
    if (!v) return 0;
    const [x, y, z] = placeOf(size, at);
    const bare = faces.some(([dx, dy, dz]) => {
      const other = indexOf(size, [x + dx, y + dy, z + dz]);
      return other < 0 ? border : !mask[other];
    });
    return bare ? 1 : 0;
  });
}

/** Faces between each two labels, as "a b faces", sorted. */
export function contacts({ labels }: Found, size: Size): string[] {
  const shared = new Map<string, number>();
  labels.forEach((l, at) => {
    const [x, y, z] = placeOf(size, at);
    for (const [dx, dy, dz] of [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ] as const) {
      const other = indexOf(size, [x + dx, y + dy, z + dz]);
      const m = other < 0 ? 0 : labels[other];
      if (!l || !m || l === m) continue;
      const key = `${Math.min(l, m)} ${Math.max(l, m)}`;
      shared.set(key, (shared.get(key) ?? 0) + 1);
    }
  });
  return [...shared].map(([key, faces]) => `${key} ${faces}`).sort();
}

/** Voxels in random blocks, some of them nested so that there are cavities. */
export function blocks({ width, height, depth }: Size, density: number, block: number, seed: number): Uint8Array {
  const next = random(seed);
  const [columns, lines] = [Math.ceil(width / block), Math.ceil(height / block)];
  const cells = Array.from({ length: columns * lines * Math.ceil(depth / block) }, () => next() < density * 2 ** 32);
  const data = new Uint8Array(width * height * depth);
  data.forEach((_, at) => {
    const [x, y, z] = placeOf({ width, height, depth }, at);
    const cell = (Math.floor(z / block) * lines + Math.floor(y / block)) * columns + Math.floor(x / block);
    data[at] = cells[cell] ? 1 : 0;
  });
  return data;
}

/** Shells around the middle, two voxels apart. */
export function shells({ width, height, depth }: Size): Uint8Array {
  const data = new Uint8Array(width * height * depth);
  data.forEach((_, at) => {
    const [x, y, z] = placeOf({ width, height, depth }, at);
    const from = Math.max(Math.abs(x - width / 2), Math.abs(y - height / 2), Math.abs(z - depth / 2));
    data[at] = Math.floor(from) % 4 < 2 ? 1 : 0;
  });
  return data;
}

// Convex hulls of volumes' objects. Each slice of an object has few corners on its own hull; of each of them the middles of its
// faces are the points of the object's hull, in half pixels.

import type { RegionProperty } from "../api/types.js";
import type { RegionSums, ShapeSums } from "../core/sums.js";
import type { Plan } from "../options/regions.js";
import { convexHull, type Face } from "./hull-3d.js";
import { floatsOf, type Step, type Writable } from "./region-shapes.js";

/** x, y and z of voxels. */
type Voxel = readonly [number, number, number];

export function solidHullSteps(
  wanted: Set<RegionProperty>,
  { area }: RegionSums,
  { corners }: ShapeSums,
  { scale, height }: Pick<Plan, "scale" | "height">,
  regions: Writable,
): Step[] {
  if (!corners) return [];
  const floats = floatsOf(wanted, area.length, regions);
  const convex = floats("convexVolume");
  const solidity = floats("solidity");
  const feret = floats("feretDiameter", 4);
  const { points, ends } = corners;
  return [
    (i) => {
      const voxels: Voxel[] = [];
      for (let k = i === 0 ? 0 : ends[i - 1]; k < ends[i]; k++) {
        const row = points[2 * k + 1];
        voxels.push([points[2 * k], row % height, Math.floor(row / height)]);
      }
      const filled = fill(voxels);
      if (convex) convex[i] = filled.count * scale[0] * scale[1] * scale[2];
      if (solidity) solidity[i] = area[i] / filled.count;
      if (feret) feret.set(longest(filled, scale), 4 * i);
    },
  ];
}

/** Voxels whose centres lie within a hull: the first and the last of each row of a box. */
interface Filled {
  readonly count: number;
  readonly origin: Voxel;
  readonly height: number;
  readonly first: Int32Array;
  readonly last: Int32Array;
}

const NONE = 0x7fffffff;

/** The middles of the faces of voxels, in half pixels. */
function faceMiddles(voxels: readonly Voxel[]): Int32Array {
  const middles = new Int32Array(voxels.length * 18);
  let at = 0;
  for (const voxel of voxels) {
    for (let axis = 0; axis < 3; axis++) {
      for (const step of [-1, 1]) {
        for (let k = 0; k < 3; k++) middles[at++] = 2 * voxel[k] + (k === axis ? step : 0);
      }
    }
  }
  return middles;
}

/** The voxels whose centres lie within the hull of the middles of faces, or on it. */
function fill(voxels: readonly Voxel[]): Filled {
  const low = [0, 1, 2].map((axis) => voxels.reduce((n, voxel) => Math.min(n, voxel[axis]), NONE));
  const high = [0, 1, 2].map((axis) => voxels.reduce((n, voxel) => Math.max(n, voxel[axis]), 0));
  const origin: Voxel = [low[0], low[1], low[2]];
  const points = faceMiddles(voxels.map(([x, y, z]) => [x - low[0], y - low[1], z - low[2]]));
  const [height, depth] = [high[1] - low[1] + 1, high[2] - low[2] + 1];
  const first = new Int32Array(height * depth).fill(NONE);
  const last = new Int32Array(height * depth).fill(-NONE);
  for (const face of convexHull(points)) {
    if (face.normal[0] !== 0) boundRows(points, face, height, depth, first, last);
  }
  let count = 0;
  for (let row = 0; row < first.length; row++) {
    // The hull may pass between two voxels of a row.
    if (first[row] <= last[row]) count += last[row] - first[row] + 1;
  }
  return { count, origin, height, first, last };
}

/** Ends the rows that pass through a face. Seen along x, every row within the hull passes through one face on either side. */
function boundRows(
  points: Int32Array,
  { corners, normal: [nx, ny, nz], offset }: Face,
  height: number,
  depth: number,
  first: Int32Array,
  last: Int32Array,
): void {
  const ys = corners.map((i) => points[3 * i + 1]);
  const zs = corners.map((i) => points[3 * i + 2]);
  const z1 = Math.min(depth - 1, Math.floor(Math.max(...zs) / 2));
  const y1 = Math.min(height - 1, Math.floor(Math.max(...ys) / 2));
  for (let z = Math.max(0, Math.ceil(Math.min(...zs) / 2)); z <= z1; z++) {
    for (let y = Math.max(0, Math.ceil(Math.min(...ys) / 2)); y <= y1; y++) {
      let isInside = true;
      for (let edge = 0; edge < 3 && isInside; edge++) {
        const next = (edge + 1) % 3;
        const turn = (ys[next] - ys[edge]) * (2 * z - zs[edge]) - (zs[next] - zs[edge]) * (2 * y - ys[edge]);
        // Corners are counter-clockwise from outside: as seen from +x for a face that looks there.
        isInside = nx > 0 ? turn >= 0 : turn <= 0;
      }
      if (!isInside) continue;
      const x = (offset - ny * 2 * y - nz * 2 * z) / (2 * nx);
      const row = z * height + y;
      if (nx > 0) last[row] = Math.floor(x);
      else first[row] = Math.ceil(x);
    }
  }
}

/** The longest way between middles of faces of these voxels, and its direction. */
function longest({ origin, height, first, last }: Filled, scale: readonly [number, number, number]): number[] {
  const voxels: Voxel[] = [];
  for (let z = 0; z * height < first.length; z++) {
    const rows = Array.from({ length: height }, (_, y) => y).filter(
      (y) => first[z * height + y] <= last[z * height + y],
    );
    for (const [side, sign] of [
      [first, 1],
      [last, -1],
    ] as const) {
      for (const y of chainOf(rows, (each) => sign * side[z * height + each]))
        voxels.push([side[z * height + y], y, z]);
    }
  }
  const points = faceMiddles(voxels);
  const ends = [...new Set(convexHull(points).flatMap(({ corners }) => corners))];
  const places = ends.map((i) => [0, 1, 2].map((axis) => (points[3 * i + axis] / 2 + origin[axis]) * scale[axis]));
  let [most, way] = [-1, [0, 0, 0]];
  for (let i = 0; i < places.length; i++) {
    const [ax, ay, az] = places[i];
    for (let j = i + 1; j < places.length; j++) {
      const [x, y, z] = [places[j][0] - ax, places[j][1] - ay, places[j][2] - az];
      const square = x * x + y * y + z * z;
      if (square > most) [most, way] = [square, [x, y, z]];
    }
  }
  const length = Math.sqrt(most);
  const largest = way.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a));
  return [length, ...way.map((n) => (largest < 0 ? -n : n) / length + 0)];
}

/** Rows of the corners of a lower hull of x over rows (A. M. Andrew, 1979). */
function chainOf(rows: readonly number[], x: (y: number) => number): number[] {
  const chain: number[] = [];
  for (const y of rows) {
    while (chain.length >= 2) {
      const [y0, y1] = [chain[chain.length - 2], chain[chain.length - 1]];
      if ((x(y1) - x(y0)) * (y - y0) < (x(y) - x(y0)) * (y1 - y0)) break;
      chain.pop();
    }
    chain.push(y);
  }
  return chain;
}

// A lattice of exact distances: every eighth pixel along each axis, and the last one. Coarse values beyond a maximum
// are interpolated between its points.

import type { Call } from "../core/call.js";
import { type CostKind, type DistancePlan, LATTICE } from "../core/distance-plan.js";
import { rowCount, type Size } from "../core/pixels.js";
import { inLanes, laneCount, type Rows, timed } from "./bands.js";
import {
  type Axes,
  KIND_CODE,
  layoutOf,
  NO_LATTICE,
  OUTPUT_CODE,
  piecesOf,
  plainRows,
  rowArguments,
  SLACK,
  searchBytes,
  searchColumns,
  writeTables,
} from "./distance-axes.js";
import { runKernel } from "./kernels.js";
import type { Pool } from "./memory/pool.js";
import { type ScratchScope, withScratch } from "./memory/scratch.js";
import type { Planes } from "./planes.js";

/** Inputs of lattices. */
interface Made {
  readonly pool: Pool;
  readonly planes: Planes;
  readonly plan: DistancePlan;
  readonly axes: Axes;
  readonly call: Call;
  readonly rings: readonly { readonly invert: boolean }[];
}

/** Points of the lattice along each axis: every eighth pixel and the last one. */
export function latticeOf({ width, height, depth }: Pick<Axes, "width" | "height" | "depth">): Size {
  const points = (n: number): number => (n > 1 ? Math.ceil((n - 1) / LATTICE) + 1 : 1);
  return { width: points(width), height: points(height), depth: points(depth) };
}

export function latticeBytes(axes: Axes): number {
  const points = latticeOf(axes);
  const { slice } = layoutOf("i32", points);
  return slice * axes.depth + points.width * rowCount(points) * 4 + SLACK * 2;
}

/** Exact distances at the points of the lattice, for each ring: f32, one after another. */
export async function makeLattices(work: Made, kept: ScratchScope): Promise<number[]> {
  const lattices: number[] = [];
  for (const { invert } of work.rings) lattices.push(await makeLattice(work, invert, kept));
  return lattices;
}

async function makeLattice(work: Made, invert: boolean, kept: ScratchScope): Promise<number> {
  const { pool, plan, axes, call } = work;
  const kind: CostKind = plan.kind === "f32" ? "f32" : "i32";
  const { width, height, depth } = axes;
  const points = latticeOf(axes);
  const layout = layoutOf(kind, points);
  const untrimmed: Axes = { ...axes, reach: [width, height, depth].map((n) => n - 1) };
  const everything: DistancePlan = { ...plan, kind, limit: plan.kind === "f32" ? 3e38 : 2 ** 30 - 2 };
  const lattice = await kept.allocate(points.width * rowCount(points) * 4 + SLACK);
  await withScratch(pool, async (scope) => {
    const tables = await writeTables(pool, scope, untrimmed, everything);
    const at = await scope.allocate(depth * layout.slice + SLACK);
    const sides = Math.max(height, depth);
    const scratch = await scope.lanes(laneCount(pool), searchBytes(sides, sides, false));
    const alone = { ...call, onProgress: undefined };
    await timed(call, "lattice", depth * layout.slice, async () => {
      await thinSlices({ work, scope, untrimmed, everything, tables, invert, layout, at, scratch });
      const places = piecesOf(pool, layout.pitch * points.height);
      await inLanes(alone, "lattice", places, laneCount(pool), async (piece, lane) => {
        await searchColumns(pool, untrimmed, everything, tables, 2, {
          sites: plainRows(at + piece.at, layout.slice, depth),
          bytes: piece.bytes,
          lattice: true,
          scratch: scratch[lane],
        });
      });
      await runKernel(pool, "distanceValues", {
        kind: KIND_CODE[kind],
        src: at,
        pitch: layout.pitch,
        slicePitch: layout.slice,
        width: points.width,
        rows: points.height,
        slices: points.depth,
        dst: lattice,
        output: OUTPUT_CODE.distance,
        squared: plan.metric === "euclidean",
        unit: plan.unit,
        far: Number.POSITIVE_INFINITY,
        minus: false,
        ...NO_LATTICE,
      });
    });
  });
  return lattice;
}

interface Thinning {
  readonly work: Made;
  readonly scope: ScratchScope;
  readonly untrimmed: Axes;
  readonly everything: DistancePlan;
  readonly tables: Awaited<ReturnType<typeof writeTables>>;
  readonly invert: boolean;
  readonly layout: ReturnType<typeof layoutOf>;
  /** Receives the lattice's columns of every slice. */
  readonly at: number;
  readonly scratch: readonly number[];
}

/** Computes the rows of each slice in full, keeps every eighth column, and searches along these columns. */
async function thinSlices(given: Thinning): Promise<void> {
  const { work, scope, untrimmed, everything, tables, invert, layout, at, scratch } = given;
  const { pool, planes, axes, call } = work;
  const { width, height, depth } = axes;
  const points = latticeOf(axes);
  const full = layoutOf(everything.kind, axes);
  const groups: Rows[] = [];
  const many = height > 1 ? 1 : Math.max(1, Math.floor((1 << 18) / full.slice));
  for (let z = 0; z < depth; z += many) groups.push({ y0: z, y1: Math.min(depth, z + many) });
  const lanes = Math.min(laneCount(pool), groups.length);
  const slots = await scope.lanes(lanes, many * full.slice + SLACK);
  const rows = await scope.lanes(lanes, Math.ceil(width / 64) * 8);
  const thin = await scope.lanes(lanes, height * layout.pitch + SLACK);
  await inLanes({ ...call, onProgress: undefined }, "lattice", groups, lanes, async ({ y0, y1 }, lane) => {
    const slot = slots[lane];
    const range = { y0: y0 * height, y1: y1 * height };
    const given = rowArguments(planes, everything, untrimmed, tables, range, invert);
    await runKernel(pool, "distanceRows", { ...given, row: rows[lane], dst: slot, pitch: full.pitch, feature: 0 });
    for (let z = y0; z < y1; z++) {
      const to = at + z * layout.slice;
      const thinned = height > 1 ? thin[lane] : to;
      await runKernel(pool, "pickEighths", {
        src: slot + (z - y0) * full.slice,
        width,
        rows: height,
        pitch: full.pitch,
        dst: thinned,
        dstPitch: layout.pitch,
      });
      if (height === 1) continue;
      await searchColumns(pool, untrimmed, everything, tables, 1, {
        sites: plainRows(thinned, layout.pitch, height),
        positions: { ...plainRows(to, layout.pitch, points.height), first: 0, count: height },
        bytes: layout.pitch,
        lattice: true,
        scratch: scratch[lane],
      });
    }
  });
}

// From bits to distances. Costs along rows and, slice by slice, along columns go into a ring of slices. Costs along z
// are computed there in place, and values leave slice by slice. For a truncated map the ring holds the slices that a
// few slices can reach; for a whole map it holds all slices.

import type { Call } from "../core/call.js";
import { type DistanceInto, type DistancePlan, isResident, LATTICE, type ResidentMap } from "../core/distance-plan.js";
import { partOf, type Size } from "../core/pixels.js";
import { OrderedWriter, writeRows } from "../core/sinks.js";
import type { Timing } from "../types/calls.js";
import type { DistanceArray } from "../types/distance.js";
import { tooLittleMemory, Unsupported } from "../types/errors.js";
import type { Sink } from "../types/raster.js";
import { inLanes, laneCount, type Rows, timed } from "./bands.js";
import {
  type Axes,
  axesOf,
  KIND_CODE,
  type Layout,
  layoutOf,
  OUTPUT_CODE,
  outRows,
  piecesOf,
  plainRows,
  rowArguments,
  SLACK,
  searchBytes,
  searchColumns,
  type Tables,
  writeTables,
} from "./distance-axes.js";
import { latticeOf, makeLattices } from "./distance-coarse.js";
import { type Cut, cutOf, ringBytes } from "./distance-ring.js";
import { distanceThroughFile } from "./distance-temp-file.js";
import { runKernel } from "./kernels.js";
import type { Pool } from "./memory/pool.js";
import { type ScratchScope, withScratch } from "./memory/scratch.js";
import { clearOutside, type Planes, rowsOf } from "./planes.js";

// The backend loads them with what they are for.
export { checkMemory } from "./distance-ring.js";

/** A ring of slices of costs. A signed map has one for each side. */
interface Ring {
  readonly at: number;
  /** Address of the nearest sites, or 0. */
  readonly features: number;
  readonly invert: boolean;
}

/** Inputs and memory of a map. */
interface Work {
  readonly pool: Pool;
  readonly planes: Planes;
  readonly plan: DistancePlan;
  readonly axes: Axes;
  readonly layout: Layout;
  readonly tables: Tables;
  readonly call: Call;
  /** Slices of the ring. */
  readonly slots: number;
  readonly rings: readonly Ring[];
}

/** Writes the distances of all pixels. Time O(N log n) at worst for N pixels and n along an axis; see docs/algorithms.md. */
export async function measureDistances(
  pool: Pool,
  given: Planes,
  wanted: DistancePlan,
  into: DistanceInto,
  call: Call,
): Promise<void> {
  if (isResident(into.data)) {
    throw new Unsupported(
      'Expected an input on the GPU whose map fits one binding, for { as: "buffer" }; read the map instead.',
    );
  }
  await clearOutside(pool, given, rowsOf(given));
  const { first, second } = given;
  const planes = wanted.only ? { ...given, first: wanted.only === 2 ? second : first, second: 0 } : given;
  const timings: Timing[] = [];
  try {
    await distances(pool, planes, wanted, into, { ...call, timings });
  } finally {
    call.timings.push(...added(timings));
  }
}

/** Sums the timings of each stage, since stages alternate. */
function added(timings: readonly Timing[]): Timing[] {
  const stages = new Map<string, { stage: string; milliseconds: number; bytes: number }>();
  for (const { stage, milliseconds, bytes } of timings) {
    const sum = stages.get(stage) ?? { stage, milliseconds: 0, bytes: 0 };
    stages.set(stage, { stage, milliseconds: sum.milliseconds + milliseconds, bytes: sum.bytes + bytes });
  }
  return [...stages.values()];
}

/** Writes bits at `dst`: 1 for the pixels within the plan's limit of a site, or with `invert` for all others. */
export function markWithin(
  pool: Pool,
  planes: Planes,
  plan: DistancePlan,
  invert: boolean,
  dst: number,
  call: Call,
): Promise<void> {
  const { width, words } = planes;
  const given = { kind: KIND_CODE[plan.kind], width, limit: plan.limit, invert };
  return eachCostBand(pool, planes, plan, call, ({ src, pitch, y0, y1 }) =>
    runKernel(pool, "costsToBits", { ...given, src, pitch, rows: y1 - y0, dst: dst + y0 * words * 8 }),
  );
}

/** Writes the costs of all pixels at `dst`, 4 bytes each: i32, or f32 if costs are not whole. */
export function copyCosts(pool: Pool, planes: Planes, plan: DistancePlan, dst: number, call: Call): Promise<void> {
  const bytes = planes.width * 4;
  return eachCostBand(pool, planes, plan, call, ({ src, pitch, y0, y1 }) =>
    runKernel(pool, "closeRows", { src, pitch, bytes, rows: y1 - y0, dst: dst + y0 * bytes }),
  );
}

/** Writes at `dst` the label, read from `labels`, of each pixel's nearest site; 0 if no site is within the limit. */
export function labelNearest(
  pool: Pool,
  planes: Planes,
  plan: DistancePlan,
  { labels, dst }: { labels: number; dst: number },
  call: Call,
): Promise<void> {
  const { width, rows } = planes;
  const given = { kind: KIND_CODE[plan.kind], width, limit: plan.limit, labels, pixels: width * rows };
  return eachCostBand(pool, planes, plan, call, ({ src, features, pitch, y0, y1 }) =>
    runKernel(pool, "takeLabels", { ...given, src, features, pitch, rows: y1 - y0, dst: dst + y0 * width * 4 }),
  );
}

/** Computes the costs of all pixels and runs `make` for bands of them. They do not go through a file. */
async function eachCostBand(
  pool: Pool,
  planes: Planes,
  plan: DistancePlan,
  call: Call,
  make: (band: CostBand) => Promise<unknown>,
): Promise<void> {
  const axes = axesOf(planes, plan);
  const into = { data: new Float32Array(0), nearest: undefined };
  const cut = cutOf(pool, axes, plan, into, call);
  if (!cut) throw tooLittleMemory(pool.memory.used + ringBytes(pool, axes, plan, into), call.memory, "these distances");
  await inSlices(pool, planes, plan, cut, call, async (work) => (z0, z1) => eachBand(work, z0, z1, make));
}

async function distances(
  pool: Pool,
  planes: Planes,
  wanted: DistancePlan,
  into: DistanceInto,
  call: Call,
): Promise<void> {
  const plan = await narrowed(pool, planes, wanted);
  const cut = cutOf(pool, axesOf(planes, plan), plan, into, call);
  if (!cut) return distanceThroughFile(pool, planes, wanted, into, call);
  await inSlices(pool, planes, plan, cut, call, async (work, scope) => {
    const lattices = plan.coarse ? await makeLattices(work, scope) : work.rings.map(() => 0);
    return openWriter(work, scope, lattices, into);
  });
}

/** Writes the output for slices [z0, z1), whose costs are computed. */
type WriteSlices = (z0: number, z1: number) => Promise<void>;

/** Computes costs slice after slice, for a writer. */
async function inSlices(
  pool: Pool,
  planes: Planes,
  plan: DistancePlan,
  { step, slots }: Cut,
  call: Call,
  open: (work: Work, scope: ScratchScope) => Promise<WriteSlices>,
): Promise<void> {
  const axes = axesOf(planes, plan);
  const layout = layoutOf(plan.kind, axes);
  const { depth, reach } = axes;
  const ahead = slots === depth ? depth : reach[2];
  await withScratch(pool, async (scope) => {
    const tables = await writeTables(pool, scope, axes, plan);
    const rings: Ring[] = [];
    for (const invert of plan.signed ? [plan.invert, !plan.invert] : [plan.invert]) {
      const at = await scope.allocate(slots * layout.slice + SLACK);
      rings.push({ at, features: plan.nearest ? await scope.allocate(slots * layout.slice + SLACK) : 0, invert });
    }
    const work: Work = { pool, planes, plan, axes, layout, tables, call, slots, rings };
    const writer = await open(work, scope);
    let filled = 0;
    for (let z = 0; z < depth; z += step) {
      const end = Math.min(depth, z + step);
      const until = Math.min(depth, end + ahead);
      await fill(work, { y0: filled, y1: until });
      filled = until;
      for (const ring of rings) await searchSlices(work, ring, z, end, Math.max(0, z - ahead), until);
      await writer(z, end);
      call.onProgress?.({ stage: "distance", done: end, total: depth });
    }
  });
}

/** The largest distance, in units, whose cost fits 16 bits. */
const SMALL_REACH = 255;

/**
 * Returns a plan with costs of 16 bits if no pixel is further than SMALL_REACH from a site. As a test the image is cut
 * into cells whose diagonal is that long: each cell must contain a site. Such costs take half the memory, and vectors
 * hold twice as many columns.
 */
async function narrowed(pool: Pool, planes: Planes, plan: DistancePlan): Promise<DistancePlan> {
  const { kind, metric, surface, invert, signed, nearest, weights } = plan;
  if (kind !== "i32" || metric !== "euclidean" || surface || invert || signed || nearest) return plan;
  const { width, height, depth, first, second } = planes;
  const side = SMALL_REACH / Math.sqrt(depth > 1 ? 3 : 2);
  const cells = (n: number, axis: 0 | 1 | 2): number => Math.ceil(n / Math.max(1, Math.floor(side / weights[axis])));
  const [nx, ny, nz] = [cells(width, 0), cells(height, 1), cells(depth, 2)];
  // If one pixel is longer than a cell's side, even cells of one pixel exceed the diagonal.
  if (weights.some((weight, axis) => weight > side && [width, height, depth][axis] !== 1)) return plan;
  if (!(await runKernel(pool, "everyCell", { bits: first, bits2: second, width, height, depth, nx, ny, nz })))
    return plan;
  const limit = Math.min(plan.limit, SMALL_REACH ** 2);
  const reach = plan.reach.map((most, axis) => Math.min(most, Math.floor(SMALL_REACH / weights[axis])));
  return { ...plan, kind: "u16", limit, reach: reach as unknown as readonly [number, number, number] };
}

/** Puts the costs along x and y of slices into the rings. */
async function fill(work: Work, { y0, y1 }: Rows): Promise<void> {
  const { pool, planes, axes, layout, tables, call, plan, slots, rings } = work;
  if (y0 >= y1) return;
  await withScratch(pool, async (scope) => {
    const { width, height } = axes;
    // Groups of slices that are adjacent in the ring: several if they are small.
    const most = height > 1 ? 1 : Math.max(1, Math.floor((1 << 18) / layout.slice));
    const groups: { z: number; count: number; ring: Ring }[] = [];
    for (const ring of rings) {
      for (let z = y0; z < y1; ) {
        const count = Math.min(most, y1 - z, slots - (z % slots));
        groups.push({ z, count, ring });
        z += count;
      }
    }
    const lanes = Math.min(laneCount(pool), groups.length);
    const scratch = await scope.lanes(lanes, searchBytes(height, height, plan.nearest));
    const rows = await scope.lanes(lanes, Math.ceil(width / 64) * 8);
    const bytes = (y1 - y0) * layout.slice * rings.length;
    await timed(call, "rows and columns", bytes, () =>
      inLanes({ ...call, onProgress: undefined }, "rows", groups, lanes, async ({ z, count, ring }, lane) => {
        const offset = (z % slots) * layout.slice;
        const to = ring.at + offset;
        const features = ring.features && ring.features + offset;
        await runKernel(pool, "distanceRows", {
          ...rowArguments(planes, plan, axes, tables, { y0: z * height, y1: (z + count) * height }, ring.invert),
          row: rows[lane],
          dst: to,
          pitch: layout.pitch,
          feature: features,
        });
        if (height === 1) return;
        await searchColumns(pool, axes, plan, tables, 1, {
          sites: plainRows(to, layout.pitch, height),
          bytes: layout.pitch,
          scratch: scratch[lane],
          features: { at: features, stride: width, base: 0 },
        });
      }),
    );
  });
}

/**
 * Adds the costs along z for slices [z0, z1), from the costs of slices [from, to). In a ring of all slices, results
 * overwrite their own slices. In a smaller ring the result of slice z overwrites slice z - `reach`, which no later
 * slice needs.
 */
async function searchSlices(work: Work, ring: Ring, z0: number, z1: number, from: number, to: number): Promise<void> {
  const { pool, axes, layout, tables, call, plan, slots } = work;
  const { width, height, depth, reach } = axes;
  if (depth === 1) return;
  const behind = slots === depth ? 0 : reach[2];
  const places = piecesOf(pool, layout.pitch * height);
  await withScratch(pool, async (scope) => {
    const lanes = Math.min(laneCount(pool), places.length);
    const scratch = await scope.lanes(lanes, searchBytes(to - from, z1 - z0, plan.nearest));
    await timed(call, "slices", (to - from + z1 - z0) * layout.slice, () =>
      inLanes({ ...call, onProgress: undefined }, "slices", places, lanes, async ({ at, bytes }, lane) => {
        const rows = { at: ring.at + at, pitch: layout.slice, ring: slots };
        await searchColumns(pool, axes, plan, tables, 2, {
          sites: { ...rows, from: from % slots, count: to - from },
          positions: { ...rows, from: slotOf(z0 - behind, slots), first: z0 - from, count: z1 - z0 },
          bytes,
          scratch: scratch[lane],
          features: { at: ring.features && ring.features + at, stride: width * height, base: from },
        });
      }),
    );
  });
}

/** The slot of slice z in a ring; z may be negative. */
function slotOf(z: number, slots: number): number {
  return ((z % slots) + slots) % slots;
}

/** Bands of at most `most` rows: parts of one slice, or several one-row slices that are adjacent in the ring. */
function bandsOfSlices({ axes: { height, depth, reach }, slots }: Work, z0: number, z1: number, most: number): Rows[] {
  const behind = slots === depth ? 0 : reach[2];
  const bands: Rows[] = [];
  for (let y = z0 * height; y < z1 * height; ) {
    const z = Math.floor(y / height);
    const left = height > 1 ? (z + 1) * height : z + slots - slotOf(z - behind, slots);
    const end = Math.min(y + most, left, z1 * height);
    bands.push({ y0: y, y1: end });
    y = end;
  }
  return bands;
}

/** Maximum rows of costs that a worker converts at once. */
const BAND_ROWS = 256;

/** Addresses of the costs and nearest sites (0 if not kept) of rows [y0, y1), counted through all slices. */
interface CostBand extends Rows {
  readonly src: number;
  readonly features: number;
  readonly pitch: number;
}

/** Runs `make` for bands of the first ring's slices [z0, z1). */
async function eachBand(work: Work, z0: number, z1: number, make: (band: CostBand) => Promise<unknown>): Promise<void> {
  const { pool, axes, layout, call, slots, rings } = work;
  const { height, depth, reach } = axes;
  const behind = slots === depth ? 0 : reach[2];
  const bands = bandsOfSlices(work, z0, z1, BAND_ROWS);
  const [ring] = rings as [Ring];
  await timed(call, "values", (z1 - z0) * layout.slice, () =>
    inLanes({ ...call, onProgress: undefined }, "values", bands, laneCount(pool), async ({ y0, y1 }) => {
      const z = Math.floor(y0 / height);
      // In an image, rows are slices of one row each.
      const pitch = height > 1 ? layout.pitch : layout.slice;
      const offset = slotOf(z - behind, slots) * layout.slice + (y0 - z * height) * layout.pitch;
      const features = ring.features && ring.features + offset;
      await make({ src: ring.at + offset, features, pitch, y0, y1 });
    }),
  );
}

/** Prepares to write values of slices, in bands of rows that leave in order. */
async function openWriter(
  work: Work,
  scope: ScratchScope,
  lattices: readonly number[],
  into: DistanceInto,
): Promise<(z0: number, z1: number) => Promise<void>> {
  const { pool, planes, plan, axes, layout, call, slots, rings } = work;
  const { width, height, depth, reach } = axes;
  const behind = slots === depth ? 0 : reach[2];
  const most = outRows(axes);
  const lanes = laneCount(pool);
  const out = await scope.lanes(lanes, most * width * 4 + SLACK);
  const sites = await scope.lanes(plan.nearest ? lanes : 0, most * width * 4 + SLACK);
  const lines = await scope.lanes(plan.coarse ? lanes : 0, (Math.ceil(width / LATTICE) + 2) * 4);
  const points = latticeOf(axes);
  const values = transferOf(planes, into.data as Exclude<DistanceInto["data"], ResidentMap>, plan, most * width, lanes);
  // Arguments that all calls of distanceValues() share.
  const written = {
    kind: KIND_CODE[plan.kind],
    pitch: layout.pitch,
    slicePitch: layout.slice,
    width,
    far: plan.far,
    output: OUTPUT_CODE[plan.output],
    squared: plan.metric === "euclidean",
    unit: plan.unit,
    latticeWidth: points.width,
    latticeHeight: points.height,
    sideY: height,
    sideZ: depth,
  };
  const nearest = into.nearest && transferOf(planes, into.nearest, plan, most * width, lanes, Uint32Array);
  return async (z0, z1) => {
    const bands = bandsOfSlices(work, z0, z1, most);
    await timed(call, "values", (z1 - z0) * (layout.slice * rings.length + width * height * 4), () =>
      inLanes({ ...call, onProgress: undefined }, "values", bands, lanes, async ({ y0, y1 }, lane) => {
        const z = Math.floor(y0 / height);
        const y = y0 - z * height;
        const [rows, slices] = height > 1 ? [y1 - y0, 1] : [1, y1 - y0];
        const pointer = out[lane];
        const offset = slotOf(z - behind, slots) * layout.slice + y * layout.pitch;
        const make = async (ring: Ring, index: number): Promise<void> => {
          await runKernel(pool, "distanceValues", {
            ...written,
            src: ring.at + offset,
            rows,
            slices,
            dst: pointer,
            minus: index > 0,
            lattice: lattices[index],
            y0: y,
            z0: z,
            line: lines[lane] ?? 0,
          });
        };
        const [first, second] = rings as [Ring, Ring?];
        // Both request their turns at the same time, so that bands leave in the same order in both.
        await Promise.all([
          values.send(y0, y1, lane, async (array) => {
            await make(first, 0);
            if (second) await make(second, 1);
            await pool.read(pointer, array);
          }),
          nearest?.send(y0, y1, lane, async (array) => {
            const site = sites[lane];
            await runKernel(pool, "closeRows", {
              src: first.features + offset,
              pitch: layout.pitch,
              bytes: width * 4,
              rows: y1 - y0,
              dst: site,
            });
            await pool.read(site, array);
          }),
        ]);
      }),
    );
  };
}

/** Writes rows to their part of an array, or through a lane's staging array to a Sink, in order. */
interface Transfer {
  send(y0: number, y1: number, lane: number, make: (array: DistanceArray) => Promise<void>): Promise<void>;
}

function transferOf(
  size: Size,
  into: DistanceArray | Sink<Float32Array> | Sink<Uint32Array>,
  plan: DistancePlan,
  most: number,
  lanes: number,
  type: typeof Float32Array | typeof Uint32Array = plan.output === "distance" ? Float32Array : Uint32Array,
): Transfer {
  const { width } = size;
  if (ArrayBuffer.isView(into)) {
    return { send: (y0, y1, _lane, make) => make(partOf(into, y0 * width, y1 * width)) };
  }
  const staging = Array.from({ length: lanes }, () => new type(most));
  const order = new OrderedWriter();
  return {
    send: (y0, y1, lane, make) => {
      const array = (staging[lane] as Float32Array | Uint32Array).subarray(0, (y1 - y0) * width);
      return order.write(make(array), () => writeRows(into as Sink<typeof array>, size, y0, array));
    },
  };
}

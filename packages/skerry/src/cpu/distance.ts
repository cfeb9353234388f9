// Bits to distances: costs along rows and, slice by slice, along columns go into a ring of slices; costs along z are found
// there in place, and values leave slice by slice. Of a truncated map the ring holds what a few slices can reach, of
// a whole one all slices. An image is a volume whose slices are its rows.

import { type Call, rowCount, type Size } from "../backend.js";
import {
  type CostKind,
  costTable,
  type DistanceArray,
  type DistanceInto,
  type DistancePlan,
  LATTICE,
} from "../distance.js";
import { tooLittleMemory } from "../errors.js";
import { InOrder } from "../order.js";
import { writeRows } from "../slices.js";
import type { Sink, Timing } from "../types.js";
import { borrowing, inLanes, type Loan, laneCount, type Rows, timed } from "./bands.js";
import { clearOutside, type Planes, rowsOf } from "./mask.js";
import type { Pool } from "./pool.js";
import { distanceThroughFile, leastFileBytes } from "./spill.js";

/** Kernels know the kinds of costs by number. */
export const KIND_CODE: Record<CostKind, number> = { u16: 0, i32: 1, f32: 2 };

/** Kernels know what to write by number. */
export const OUTPUT_CODE = { distance: 0, squared: 1, squared16: 2 } as const;

/** A ring takes about this much where more would not save time. */
const RING_BYTES = 256 << 20;

/** Without a limit a ring of all slices may take this much, which leaves room for bits in 4 GiB. */
const MOST_RING_BYTES = 3 * 2 ** 30;

/** Rows of slices that leave at once, and pieces of slices that a worker searches at once. */
const OUT_BYTES = 1 << 20;
const SEARCH_BYTES = 16 << 10;

/** Pieces of a slice that is small, so that all threads have some. */
const LEAST_PIECES = 4;

/** Vectors may be read and written past an end. */
const SLACK = 64;

/** Columns are read by this many bytes. */
const LINE = 64;

/** The axes as kernels go along them: rows, columns of a slice, slices. */
export interface Axes {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly weights: readonly number[];
  readonly reach: readonly number[];
}

/** An image's rows are its slices. */
export function axesOf({ width, height, depth }: Size, { weights, reach }: DistancePlan): Axes {
  if (depth > 1) return { width, height, depth, weights, reach };
  const turned = ([x, y]: readonly number[], other: number): number[] => [x as number, other, y as number];
  return { width, height: 1, depth: height, weights: turned(weights, 1), reach: turned(reach, 0) };
}

/** Where the slices of costs of one side lie, in a ring. */
interface Ring {
  readonly at: number;
  /** Nearest sites, or 0. */
  readonly features: number;
  readonly invert: boolean;
}

/** How slices of costs are laid out. */
export interface Layout {
  /** Bytes from row to row, from slice to slice, and bytes of a cost. */
  readonly pitch: number;
  readonly slice: number;
  readonly size: number;
}

export function layoutOf(kind: CostKind, { width, height }: Pick<Axes, "width" | "height">): Layout {
  const size = kind === "u16" ? 2 : 4;
  // Odd numbers of lines: at powers of two the lines of a column would share a few places of the cache.
  const odd = (bytes: number): number => (Math.ceil(bytes / LINE) | 1) * LINE;
  const pitch = odd(width * size);
  return { pitch, slice: odd(pitch * height), size };
}

/** Bytes that columns() needs to search lines of `sites` for `count` positions. */
export function searchBytes(sites: number, count: number, nearest: boolean): number {
  const lines = (sites + 1 + count) * 64 + count * 8 + SLACK;
  return nearest ? lines + (sites + 1 + count) * 64 + count * 16 : lines;
}

/** What kernels that go along lines read: tables of costs. */
export interface Tables {
  readonly bytes: number;
  /** The middle of the costs along each axis. */
  readonly at: readonly number[];
}

export async function writeTables(
  pool: Pool,
  loan: Loan,
  axes: Axes,
  plan: DistancePlan,
  kind: CostKind,
): Promise<Tables> {
  const bytes = await loan.allocate(4096);
  await pool.run("nearestInByte", [bytes]);
  const at: number[] = [];
  for (const axis of [0, 1, 2]) {
    const { table, middle } = costTable(kind, axes.weights[axis] as number, axes.reach[axis] as number, plan.metric);
    const pointer = await loan.allocate(table.byteLength);
    await pool.write(pointer, table);
    at.push(pointer + middle * table.BYTES_PER_ELEMENT);
  }
  return { bytes, at };
}

/** What a map is made with. */
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

/** How many slices of values are made between two fillings of the ring, and the slices of the ring. */
interface Cut {
  readonly step: number;
  readonly slots: number;
}

/** Writes the distances of all pixels. Time O(N log n) at worst for N pixels and n along an axis; see docs/algorithms.md. */
export async function measureDistances(
  pool: Pool,
  given: Planes,
  wanted: DistancePlan,
  into: DistanceInto,
  call: Call,
): Promise<void> {
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

/** Stages that take turns, each added up. */
function added(timings: readonly Timing[]): Timing[] {
  const stages = new Map<string, { stage: string; milliseconds: number; bytes: number }>();
  for (const { stage, milliseconds, bytes } of timings) {
    const sum = stages.get(stage) ?? { stage, milliseconds: 0, bytes: 0 };
    stages.set(stage, { stage, milliseconds: sum.milliseconds + milliseconds, bytes: sum.bytes + bytes });
  }
  return [...stages.values()];
}

async function distances(
  pool: Pool,
  planes: Planes,
  wanted: DistancePlan,
  into: DistanceInto,
  call: Call,
): Promise<void> {
  const plan = await narrowed(pool, planes, wanted);
  const axes = axesOf(planes, plan);
  const cut = cutOf(pool, axes, plan, into);
  if (!cut) return distanceThroughFile(pool, planes, wanted, into, call);
  const layout = layoutOf(plan.kind, axes);
  const { depth, reach } = axes;
  const { step, slots } = cut;
  const ahead = slots === depth ? depth : (reach[2] as number);
  await borrowing(pool, async (loan) => {
    const tables = await writeTables(pool, loan, axes, plan, plan.kind);
    const rings: Ring[] = [];
    for (const invert of plan.signed ? [plan.invert, !plan.invert] : [plan.invert]) {
      const at = await loan.allocate(slots * layout.slice + SLACK);
      rings.push({ at, features: plan.nearest ? await loan.allocate(slots * layout.slice + SLACK) : 0, invert });
    }
    const work: Work = { pool, planes, plan, axes, layout, tables, call, slots, rings };
    const lattices = plan.coarse ? await makeLattices(work, loan) : rings.map(() => 0);
    const writer = await openWriter(work, loan, lattices, into);
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

/** The furthest that costs of 16 bits reach, in units. */
const SMALL_REACH = 255;

/**
 * A plan for costs of 16 bits where no pixel is further from a site than those reach, which is so where each cell of
 * the image, of a size whose diagonal is that long, has a site: half the memory, and lanes for twice as many columns.
 */
async function narrowed(pool: Pool, planes: Planes, plan: DistancePlan): Promise<DistancePlan> {
  const { kind, metric, surface, invert, signed, nearest, weights } = plan;
  if (kind !== "i32" || metric !== "euclidean" || surface || invert || signed || nearest) return plan;
  const { width, height, depth, first, second } = planes;
  const side = SMALL_REACH / Math.sqrt(depth > 1 ? 3 : 2);
  const cells = [width, height, depth].map((n, axis) =>
    Math.ceil(n / Math.max(1, Math.floor(side / (weights[axis] as number)))),
  );
  // A side longer than the whole cell's would have cells of one pixel and more of a reach than there is.
  if (weights.some((weight, axis) => weight > side && [width, height, depth][axis] !== 1)) return plan;
  if (!(await pool.run("everyCell", [first, second, width, height, depth, ...cells]))) return plan;
  const limit = Math.min(plan.limit, SMALL_REACH ** 2);
  const reach = plan.reach.map((most, axis) => Math.min(most, Math.floor(SMALL_REACH / (weights[axis] as number))));
  return { ...plan, kind: "u16", limit, reach: reach as unknown as readonly [number, number, number] };
}

/** How to cut the slices so that the call stays within its memory; undefined where not all that a slice reaches fits. */
function cutOf(pool: Pool, axes: Axes, plan: DistancePlan, into: DistanceInto): Cut | undefined {
  const { depth } = axes;
  const { fixed, slice, around } = needsOf(pool, axes, plan, into);
  const fit = Math.floor(((plan.memory ?? MOST_RING_BYTES) - pool.memory.used - fixed) / slice);
  const wanted = plan.memory === undefined ? Math.max(around + 16, Math.floor(RING_BYTES / slice)) : fit;
  if (depth <= fit && (around + 1 >= depth || depth <= wanted)) return { step: depth, slots: depth };
  const slots = Math.min(wanted, fit, depth - 1);
  return slots < around + 1 ? undefined : { step: slots - around, slots };
}

/** Bytes beside the ring, bytes of a slice of it on all sides, and how many slices around one can be reached. */
function needsOf(
  pool: Pool,
  axes: Axes,
  plan: DistancePlan,
  into: DistanceInto,
): { fixed: number; slice: number; around: number } {
  const sides = (plan.signed ? 2 : 1) * (plan.nearest ? 2 : 1);
  const fixed = fixedBytes(pool, axes, plan, into) + 4 * SLACK;
  return { fixed, slice: layoutOf(plan.kind, axes).slice * sides, around: 2 * (axes.reach[2] as number) };
}

/**
 * Rejects a limit that is too low, before anything is done: `coming` bytes come in use before the map is begun, and
 * at most `packing` while they do.
 */
export function checkMemory(
  pool: Pool,
  size: Size,
  plan: DistancePlan,
  into: DistanceInto,
  coming = 0,
  packing = 0,
): void {
  const axes = axesOf(size, plan);
  const { fixed, slice, around } = needsOf(pool, axes, plan, into);
  const ring = fixed + Math.min(around + 1, axes.depth) * slice;
  const least = plan.coarse ? ring : Math.min(ring, leastFileBytes(pool, size, plan));
  const bytes = pool.memory.used + Math.max(packing, coming + least);
  if (bytes <= (plan.memory ?? 2 ** 32)) return;
  throw tooLittleMemory(bytes, plan.memory, "this map");
}

export function tableBytes(axes: Axes): number {
  return 4096 + axes.reach.reduce((sum, reach) => sum + (2 * reach + 20) * 4, 0);
}

/** What a call takes beside its ring. */
function fixedBytes(pool: Pool, axes: Axes, plan: DistancePlan, into: DistanceInto): number {
  const { width, height, depth } = axes;
  const lanes = laneCount(pool);
  const words = Math.ceil(width / 64) * 8;
  const longest = Math.max(height, depth);
  const search = searchBytes(longest, longest, plan.nearest) + words + SLACK;
  const out = outRows(axes) * width * 4 + SLACK;
  const outs = (ArrayBuffer.isView(into.data) ? 1 : 2) * (plan.nearest ? 2 : 1);
  const made = layoutOf("i32", axes).slice + layoutOf("i32", latticeOf(axes)).slice;
  const lattice = plan.coarse ? (plan.signed ? 2 : 1) * latticeBytes(axes) + lanes * made : 0;
  return lanes * (search + out * outs) + tableBytes(axes) + lattice;
}

function outRows({ width, height, depth }: Axes): number {
  return Math.min(height * depth, Math.max(1, Math.floor(OUT_BYTES / (width * 4))));
}

/** Puts the costs along x and y of slices into the rings. */
async function fill(work: Work, { y0, y1 }: Rows): Promise<void> {
  const { pool, planes, axes, layout, tables, call, plan, slots, rings } = work;
  if (y0 >= y1) return;
  await borrowing(pool, async (loan) => {
    const { width, height } = axes;
    // Slices that follow on in the ring, a few at a time where they are small.
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
    const scratch = await loan.lanes(lanes, searchBytes(height, height, plan.nearest));
    const rows = await loan.lanes(lanes, Math.ceil(width / 64) * 8);
    const bytes = (y1 - y0) * layout.slice * rings.length;
    await timed(call, "rows and columns", bytes, () =>
      inLanes({ ...call, onProgress: undefined }, "rows", groups, lanes, async ({ z, count, ring }, lane) => {
        const offset = (z % slots) * layout.slice;
        const to = ring.at + offset;
        const features = ring.features && ring.features + offset;
        await pool.run("distanceRows", [
          ...rowArguments(planes, plan, axes, tables, { y0: z * height, y1: (z + count) * height }, ring.invert),
          ...[rows[lane] as number, to, layout.pitch, features],
        ]);
        if (height === 1) return;
        await pool.run("columns", [
          ...[
            KIND_CODE[plan.kind],
            plan.metric === "chessboard",
            false,
            to,
            layout.pitch,
            height,
            0,
            height,
            0,
            height,
          ],
          ...[to, layout.pitch, height, 0, layout.pitch, ...lineArguments(axes, plan, tables, 1)],
          ...[scratch[lane] as number, features, features, width, 0],
        ]);
      }),
    );
  });
}

/** What distanceRows() takes up to the row's scratch. */
export function rowArguments(
  planes: Planes,
  plan: DistancePlan,
  axes: Axes,
  tables: Tables,
  { y0, y1 }: Rows,
  invert: boolean,
): (number | boolean)[] {
  const { first, second, width, height, depth } = planes;
  return [
    ...[KIND_CODE[plan.kind], first, second, width, y0, y1, height, depth, plan.surface, invert],
    ...[axes.weights[0] as number, plan.metric === "euclidean", axes.reach[0] as number, tables.bytes],
  ];
}

/** What columns() takes to know the costs along an axis: table, reach, weight, metric, limit. */
export function lineArguments(axes: Axes, plan: DistancePlan, tables: Tables, axis: number): (number | boolean)[] {
  const euclidean = plan.metric === "euclidean";
  return [tables.at[axis] as number, axes.reach[axis] as number, axes.weights[axis] as number, euclidean, plan.limit];
}

/**
 * Adds the costs along z for slices [z0, z1), from those of [from, to). They overwrite, of a ring of all slices, themselves; of
 * a smaller one, slices that nothing reaches any more: that of z the one `reach` slices before.
 */
async function searchSlices(work: Work, ring: Ring, z0: number, z1: number, from: number, to: number): Promise<void> {
  const { pool, axes, layout, tables, call, plan, slots } = work;
  const { width, height, depth, reach } = axes;
  if (depth === 1) return;
  const behind = slots === depth ? 0 : (reach[2] as number);
  const places = piecesOf(pool, layout.slice);
  await borrowing(pool, async (loan) => {
    const lanes = Math.min(laneCount(pool), places.length);
    const scratch = await loan.lanes(lanes, searchBytes(to - from, z1 - z0, plan.nearest));
    await timed(call, "slices", (to - from + z1 - z0) * layout.slice, () =>
      inLanes({ ...call, onProgress: undefined }, "slices", places, lanes, async ({ at, bytes }, lane) => {
        const base = ring.at + at;
        const features = ring.features && ring.features + at;
        await pool.run("columns", [
          ...[
            KIND_CODE[plan.kind],
            plan.metric === "chessboard",
            false,
            base,
            layout.slice,
            slots,
            from % slots,
            to - from,
          ],
          ...[z0 - from, z1 - z0, base, layout.slice, slots, slotOf(z0 - behind, slots)],
          ...[bytes, ...lineArguments(axes, plan, tables, 2)],
          ...[scratch[lane] as number, features, features, width * height, from],
        ]);
      }),
    );
  });
}

/** Cuts the columns of a slice into pieces for the threads. */
function piecesOf(pool: Pool, slice: number): { at: number; bytes: number }[] {
  const even = Math.ceil(slice / (LEAST_PIECES * pool.threads) / LINE) * LINE;
  const most = Math.min(SEARCH_BYTES, even);
  const pieces: { at: number; bytes: number }[] = [];
  for (let at = 0; at < slice; at += most) pieces.push({ at, bytes: Math.min(most, slice - at) });
  return pieces;
}

/** Where slice z lies in a ring; also of slices before the first. */
function slotOf(z: number, slots: number): number {
  return ((z % slots) + slots) % slots;
}

/** Prepares to write values of slices, in bands of rows that leave in order. */
async function openWriter(
  work: Work,
  loan: Loan,
  lattices: readonly number[],
  into: DistanceInto,
): Promise<(z0: number, z1: number) => Promise<void>> {
  const { pool, planes, plan, axes, layout, call, slots, rings } = work;
  const { width, height, depth, reach } = axes;
  const behind = slots === depth ? 0 : (reach[2] as number);
  const most = outRows(axes);
  const lanes = laneCount(pool);
  const out = await loan.lanes(lanes, most * width * 4 + SLACK);
  const sites = await loan.lanes(plan.nearest ? lanes : 0, most * width * 4 + SLACK);
  const lines = await loan.lanes(plan.coarse ? lanes : 0, (Math.ceil(width / LATTICE) + 2) * 4);
  const points = latticeOf(axes);
  const values = transferOf(planes, into.data, plan, most * width, lanes);
  const nearest = into.nearest && transferOf(planes, into.nearest, plan, most * width, lanes, Uint32Array);
  return async (z0, z1) => {
    const bands: Rows[] = [];
    // Rows of one slice, or whole slices that follow on in the ring.
    for (let y = z0 * height; y < z1 * height; ) {
      const z = Math.floor(y / height);
      const left = height > 1 ? (z + 1) * height : z + slots - slotOf(z - behind, slots);
      const end = Math.min(y + most, left, z1 * height);
      bands.push({ y0: y, y1: end });
      y = end;
    }
    await timed(call, "values", (z1 - z0) * (layout.slice * rings.length + width * height * 4), () =>
      inLanes({ ...call, onProgress: undefined }, "values", bands, lanes, async ({ y0, y1 }, lane) => {
        const z = Math.floor(y0 / height);
        const y = y0 - z * height;
        const [rows, slices] = height > 1 ? [y1 - y0, 1] : [1, y1 - y0];
        const pointer = out[lane] as number;
        const offset = slotOf(z - behind, slots) * layout.slice + y * layout.pitch;
        const make = async (ring: Ring, index: number): Promise<void> => {
          await pool.run("distanceValues", [
            ...[KIND_CODE[plan.kind], ring.at + offset, layout.pitch, layout.slice, width, rows, slices, pointer],
            ...[OUTPUT_CODE[plan.output], plan.metric === "euclidean", plan.unit, plan.far, index > 0],
            ...[
              lattices[index] as number,
              points.width,
              points.height,
              y,
              z,
              height,
              depth,
              (lines[lane] ?? 0) as number,
            ],
          ]);
        };
        const [first, second] = rings as [Ring, Ring?];
        // Both ask for their turns at once, so that bands have the same order in both.
        await Promise.all([
          values.send(y0, y1, lane, async (array) => {
            await make(first, 0);
            if (second) await make(second, 1);
            await pool.read(pointer, array);
          }),
          nearest?.send(y0, y1, lane, async (array) => {
            const site = sites[lane] as number;
            await pool.run("closeRows", [first.features + offset, layout.pitch, width * 4, y1 - y0, site]);
            await pool.read(site, array);
          }),
        ]);
      }),
    );
  };
}

/** How rows leave: into a part of an array, or through memory of a lane's own into a Sink, in order. */
interface Transfer {
  send(y0: number, y1: number, lane: number, make: (array: DistanceArray) => Promise<void>): Promise<void>;
}

export function transferOf(
  size: Size,
  into: DistanceArray | Sink<Float32Array> | Sink<Uint32Array>,
  plan: DistancePlan,
  most: number,
  lanes: number,
  type: typeof Float32Array | typeof Uint32Array = plan.output === "distance" ? Float32Array : Uint32Array,
): Transfer {
  const { width } = size;
  if (ArrayBuffer.isView(into)) {
    return { send: (y0, y1, _lane, make) => make(into.subarray(y0 * width, y1 * width) as DistanceArray) };
  }
  const staging = Array.from({ length: lanes }, () => new type(most));
  const order = new InOrder();
  return {
    send: (y0, y1, lane, make) => {
      const array = (staging[lane] as Float32Array | Uint32Array).subarray(0, (y1 - y0) * width);
      return order.take(make(array), () => writeRows(into as Sink<typeof array>, size, y0, array));
    },
  };
}

/** Points of the lattice along each axis: every eighth pixel and the last one. */
export function latticeOf({ width, height, depth }: Pick<Axes, "width" | "height" | "depth">): Size {
  const points = (n: number): number => (n > 1 ? Math.ceil((n - 1) / LATTICE) + 1 : 1);
  return { width: points(width), height: points(height), depth: points(depth) };
}

function latticeBytes(axes: Axes): number {
  const points = latticeOf(axes);
  const { slice } = layoutOf("i32", points);
  return slice * axes.depth + points.width * rowCount(points) * 4 + SLACK * 2;
}

/** Exact distances at the points of the lattice, for each ring: f32, one after another. */
async function makeLattices(work: Work, kept: Loan): Promise<number[]> {
  const { pool, planes, plan, axes, call, rings } = work;
  const kind: CostKind = plan.kind === "f32" ? "f32" : "i32";
  const { width, height, depth } = axes;
  const points = latticeOf(axes);
  const full = layoutOf(kind, axes);
  const layout = layoutOf(kind, points);
  const whole: Axes = { ...axes, reach: [width, height, depth].map((n) => n - 1) };
  const everything: DistancePlan = { ...plan, kind, limit: plan.kind === "f32" ? 3e38 : 2 ** 30 - 2 };
  const made: number[] = [];
  for (const { invert } of rings) {
    const lattice = await kept.allocate(points.width * rowCount(points) * 4 + SLACK);
    made.push(lattice);
    await borrowing(pool, async (loan) => {
      const tables = await writeTables(pool, loan, whole, everything, kind);
      const at = await loan.allocate(depth * layout.slice + SLACK);
      const groups: Rows[] = [];
      const many = height > 1 ? 1 : Math.max(1, Math.floor((1 << 18) / full.slice));
      for (let z = 0; z < depth; z += many) groups.push({ y0: z, y1: Math.min(depth, z + many) });
      const lanes = Math.min(laneCount(pool), groups.length);
      const slots = await loan.lanes(lanes, many * full.slice + SLACK);
      const rows = await loan.lanes(lanes, Math.ceil(width / 64) * 8);
      const thin = await loan.lanes(lanes, height * layout.pitch + SLACK);
      const scratch = await loan.lanes(
        laneCount(pool),
        searchBytes(Math.max(height, depth), Math.max(height, depth), false),
      );
      const how = [KIND_CODE[kind], plan.metric === "chessboard", true];
      await timed(call, "lattice", depth * layout.slice, async () => {
        await inLanes({ ...call, onProgress: undefined }, "lattice", groups, lanes, async ({ y0, y1 }, lane) => {
          const slot = slots[lane] as number;
          const range = { y0: y0 * height, y1: y1 * height };
          const given = rowArguments(planes, everything, whole, tables, range, invert);
          await pool.run("distanceRows", [...given, rows[lane] as number, slot, full.pitch, 0]);
          for (let z = y0; z < y1; z++) {
            const to = at + z * layout.slice;
            const thinned = height > 1 ? (thin[lane] as number) : to;
            await pool.run("pickEighths", [
              slot + (z - y0) * full.slice,
              width,
              height,
              full.pitch,
              thinned,
              layout.pitch,
            ]);
            if (height === 1) continue;
            await pool.run("columns", [
              ...[
                ...how,
                thinned,
                layout.pitch,
                height,
                0,
                height,
                0,
                height,
                to,
                layout.pitch,
                points.height,
                0,
                layout.pitch,
              ],
              ...[...lineArguments(whole, everything, tables, 1), scratch[lane] as number, 0, 0, 0, 0],
            ]);
          }
        });
        const places = piecesOf(pool, layout.slice);
        await inLanes({ ...call, onProgress: undefined }, "lattice", places, laneCount(pool), async (piece, lane) => {
          const place = at + piece.at;
          await pool.run("columns", [
            ...[...how, place, layout.slice, depth, 0, depth, 0, depth, place, layout.slice, depth, 0],
            ...[piece.bytes, ...lineArguments(whole, everything, tables, 2)],
            ...[scratch[lane] as number, 0, 0, 0, 0],
          ]);
        });
        await pool.run("distanceValues", [
          ...[KIND_CODE[kind], at, layout.pitch, layout.slice, points.width, points.height, points.depth, lattice],
          ...[OUTPUT_CODE.distance, plan.metric === "euclidean", plan.unit, Number.POSITIVE_INFINITY, false],
          ...[0, 0, 0, 0, 0, 0, 0, 0],
        ]);
      });
    });
  }
  return made;
}

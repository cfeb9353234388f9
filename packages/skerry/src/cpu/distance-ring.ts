// The ring of slices in which a distance map is computed: its size, the call's other memory, and the check of the
// memory limit.

import type { Call } from "../core/call.js";
import type { DistanceInto, DistancePlan } from "../core/distance-plan.js";
import type { Size } from "../core/pixels.js";
import { tooLittleMemory } from "../types/errors.js";
import { laneCount } from "./bands.js";
import { type Axes, axesOf, layoutOf, outRows, SLACK, searchBytes, tableBytes } from "./distance-axes.js";
import { latticeBytes, latticeOf } from "./distance-coarse.js";
import { leastFileBytes } from "./distance-temp-file.js";
import type { Pool } from "./memory/pool.js";

/** Usual size of a ring without a memory limit, in bytes. A larger ring saves no time. */
const RING_BYTES = 256 << 20;

/** Without a limit a ring of all slices may take this much, which leaves room for bits in 4 GiB. */
const MOST_RING_BYTES = 3 * 2 ** 30;

/** Maximum size of WebAssembly memory, in bytes. */
const MOST_BYTES = 2 ** 32;

/** `step`: slices of values computed between two fillings of the ring. `slots`: slices in the ring. */
export interface Cut {
  readonly step: number;
  readonly slots: number;
}

/**
 * How to cut the slices so that the call stays within its memory; undefined if a slice and all slices in its reach do
 * not fit.
 */
export function cutOf(pool: Pool, axes: Axes, plan: DistancePlan, into: DistanceInto, call: Call): Cut | undefined {
  const { depth } = axes;
  const { fixed, slice, around } = needsOf(pool, axes, plan, into);
  // Coarse maps cannot go through a file, so their ring may take all memory.
  const most = call.memory ?? (plan.coarse ? MOST_BYTES : MOST_RING_BYTES);
  const fit = Math.floor((most - pool.memory.used - fixed) / slice);
  const wanted = call.memory === undefined ? Math.max(around + 16, Math.floor(RING_BYTES / slice)) : fit;
  if (depth <= fit && (around + 1 >= depth || depth <= wanted)) return { step: depth, slots: depth };
  const slots = Math.min(wanted, fit, depth - 1);
  return slots < around + 1 ? undefined : { step: slots - around, slots };
}

/**
 * Bytes besides the ring, bytes per slice of all rings and features together, and the number of slices in reach of one.
 */
function needsOf(
  pool: Pool,
  axes: Axes,
  plan: DistancePlan,
  into: DistanceInto,
): { fixed: number; slice: number; around: number } {
  const sides = (plan.signed ? 2 : 1) * (plan.nearest ? 2 : 1);
  const fixed = fixedBytes(pool, axes, plan, into) + 4 * SLACK;
  return { fixed, slice: layoutOf(plan.kind, axes).slice * sides, around: 2 * axes.reach[2] };
}

/** Fewest bytes with which {@link cutOf} finds a cut, beside those in use. */
export function ringBytes(pool: Pool, axes: Axes, plan: DistancePlan, into: DistanceInto): number {
  const { fixed, slice, around } = needsOf(pool, axes, plan, into);
  return fixed + Math.min(around + 1, axes.depth) * slice;
}

/**
 * Rejects a memory limit that is too low, before any work. `coming` bytes will be allocated before the map begins, with a
 * peak of `packing` bytes meanwhile.
 */
export function checkMemory(
  pool: Pool,
  size: Size,
  plan: DistancePlan,
  into: DistanceInto,
  call: Call,
  coming = 0,
  packing = 0,
): void {
  const axes = axesOf(size, plan);
  const ring = ringBytes(pool, axes, plan, into);
  const least = plan.coarse ? ring : Math.min(ring, leastFileBytes(pool, size, plan));
  const bytes = pool.memory.used + Math.max(packing, coming + least);
  if (bytes <= (call.memory ?? MOST_BYTES)) return;
  throw tooLittleMemory(bytes, call.memory, "this map");
}

/** Bytes of a call besides its ring. */
function fixedBytes(pool: Pool, axes: Axes, plan: DistancePlan, into: DistanceInto): number {
  const { width, height, depth } = axes;
  const lanes = laneCount(pool);
  const words = Math.ceil(width / 64) * 8;
  const longest = Math.max(height, depth);
  const search = searchBytes(longest, longest, plan.nearest) + words + SLACK;
  const out = outRows(axes) * width * 4 + SLACK;
  const outs = (ArrayBuffer.isView(into.data) ? 1 : 2) * (plan.nearest ? 2 : 1);
  const bytes = layoutOf("i32", axes).slice + layoutOf("i32", latticeOf(axes)).slice;
  const lattice = plan.coarse ? (plan.signed ? 2 : 1) * latticeBytes(axes) + lanes * bytes : 0;
  return lanes * (search + out * outs) + tableBytes(axes) + lattice;
}

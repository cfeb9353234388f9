// Costs of a run, before it begins: steps, bytes, memory and requests. These are upper bounds, except for costs that depend on
// the pixels.

import { STORED_BYTES } from "@skerry/files/internal";
import { isSeam, SIDES, three, volumeOf } from "./grid.js";
import { phasesOf } from "./phases.js";
import { gridOfPlan, hasBits, isMeasure, type Plan } from "./plan.js";
import type { PhaseName } from "./step.js";

/** Bytes per voxel of a face: the number of its fragment. */
const FACE_BYTES = 4;
/** Most bytes per fragment in the merge, with all filters. */
export const FRAGMENT_BYTES = 22;
/** Resident memory of a process before it has a block, and bytes for each voxel beside its values and labels: bits, runs, records. */
const BASE_BYTES = 300 * 2 ** 20;
const VOXEL_BYTES = 1.5;

/** Requests for objects of the scratch per block, of two workers on 48 blocks; most are looks at what is done. */
const REQUESTS = 160;

/** Costs of a run. */
export interface Estimate {
  readonly blocks: number;
  readonly block: readonly [number, number, number];
  readonly phases: readonly { readonly phase: PhaseName; readonly steps: number }[];
  /** Bytes of values that are read, decoded. */
  readonly input: number;
  /** Number of times that each chunk is read. */
  readonly reads: number;
  /** Bytes of labels before compression. */
  readonly labels: number;
  /** Most bytes of bits and faces that go through the scratch, written and read; records of objects come on top. */
  readonly scratch: number;
  /** Resident memory of a worker, in bytes. */
  readonly worker: number;
  /** Number of fragments per gibibyte of memory of the merge. */
  readonly fragmentsPerGibibyte: number;
  /** Number of requests for objects of the scratch and chunks of the image. */
  readonly requests: number;
}

/**
 * Estimates the costs of a run.
 * @example
 * import { estimate, plan } from "@skerry/cluster";
 * const recipe = { skerry: 1, operation: "components", options: { threshold: { above: 120 } } };
 * const made = await plan({ recipe, input: "cells.zarr", regions: "cells.csv" });
 * const { blocks, worker } = estimate(made);
 * console.log(`${blocks} blocks, ${Math.ceil(worker / 2 ** 20)} MiB a worker`);
 */
export function estimate(plan: Plan): Estimate {
  const grid = gridOfPlan(plan);
  const voxels = volumeOf(plan.size);
  const phases = phasesOf(plan).map(({ name, steps }) => ({ phase: name, steps }));
  const bytes = STORED_BYTES[plan.input.type];
  const again = isMeasure(plan) || hasBits(plan) ? 0 : 1;
  const first = phases.some(({ phase }) => phase === "histogram") ? 1 : 0;
  const others = plan.intensities.filter(({ url }) => url !== plan.input.url);
  let faces = 0;
  for (let block = 0; block < grid.count; block++) {
    for (const side of SIDES) if (isSeam(grid, block, side)) faces += volumeOf(grid.block) / grid.block[side.axis];
  }
  const largest = volumeOf(three((axis) => Math.min(plan.size[axis], grid.block[axis])));
  const chunks = voxels / volumeOf(plan.chunks);
  const perVoxel =
    bytes + others.reduce((sum, { type }) => sum + STORED_BYTES[type], 0) + VOXEL_BYTES + (plan.labels ? 5 : 0);
  return {
    blocks: grid.count,
    block: [grid.block[2], grid.block[1], grid.block[0]],
    phases,
    reads: 1 + again + first,
    input: voxels * (bytes * (1 + again + first) + others.reduce((sum, { type }) => sum + STORED_BYTES[type], 0)),
    labels: plan.labels ? voxels * 4 : 0,
    scratch: (hasBits(plan) ? voxels / 4 : 0) + faces * FACE_BYTES * 2,
    worker: BASE_BYTES + largest * perVoxel,
    fragmentsPerGibibyte: Math.floor(2 ** 30 / FRAGMENT_BYTES),
    requests: Math.ceil(chunks * (1 + again + first)) + grid.count * REQUESTS,
  };
}

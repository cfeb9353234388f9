// The counters that kernels share, read by name. wgsl/lib/counters.wgsl defines the same indices.

import type { Commands } from "./device/commands.js";
import type { Context, ScratchScope } from "./device/context.js";

const PLACES = { nodes: 0, components: 1, pixels: 2, runs: 3, firstNodes: 4 } as const;
/** Number of counters, of which some are not used. */
export const COUNTERS = 8;

/** Nodes are components of tiles. `firstNodes` counts the nodes of the first of two polarities. */
export type Counters = Readonly<Record<keyof typeof PLACES, number>>;

export const allocateCounters = (scope: ScratchScope): Promise<GPUBuffer> => scope.allocate(COUNTERS * 4, "counters");

export const clearCounters = (commands: Commands, counters: GPUBuffer): void =>
  commands.clear(counters, 0, COUNTERS * 4);

/** Records the copy of a number to `firstNodes`. */
export const copyFirstNodes = (commands: Commands, from: GPUBuffer, counters: GPUBuffer): void =>
  commands.copy(from, 0, counters, PLACES.firstNodes * 4, 4);

/** Submits what was recorded and reads the counters. */
export async function readCounters(context: Context, commands: Commands, counters: GPUBuffer): Promise<Counters> {
  return countersIn(await context.numbers(commands, counters, COUNTERS));
}

/** The counters at the beginning of numbers that were read back. */
export function countersIn(numbers: Uint32Array): Counters {
  const read = Object.entries(PLACES).map(([name, place]) => [name, numbers[place] ?? 0]);
  return Object.fromEntries(read) as Counters;
}

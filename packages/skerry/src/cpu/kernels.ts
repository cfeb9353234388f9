// Kernel calls by name, with named arguments. The names, their types and the layout of records are generated from the
// kernels, so a misspelt name or a missing argument fails in `tsc`, and throws where types are not checked. This module is
// the only one that hands arguments to the pool.

import { BOUNDS } from "../generated/bounds.js";
import type { Kernels } from "../generated/kernels.js";
import { checkRanges } from "./checked.js";
import { parametersOf } from "./memory/module.js";
import type { Pool, PoolTask } from "./memory/pool.js";

export type KernelName = keyof Kernels;

/** The arguments of a kernel; addresses are byte offsets in WebAssembly memory, 0 where there is none. */
export type Arguments<N extends KernelName> = Parameters<Kernels[N]>[0];

/** A kernel with its arguments, to be run later. */
export interface KernelCall {
  readonly kernel: KernelName;
  readonly given: Readonly<Record<string, number | boolean>>;
}

/** The arguments of a kernel call, checked against the kernel's parameters. */
export function kernelCall<N extends KernelName>(kernel: N, given: Arguments<N>): KernelCall {
  return { kernel, given: given as KernelCall["given"] };
}

/** In the checked build, the function that checks the ranges of a call before it. */
export function checkOf(
  pool: Pool,
  kernel: KernelName,
  given: KernelCall["given"],
): ((memory: WebAssembly.Memory) => void) | undefined {
  const ranges = BOUNDS?.[kernel];
  return ranges && ((memory) => checkRanges(pool, kernel, ranges, given, memory));
}

/** The arguments of a kernel in order. */
export function valuesOf(
  kernel: KernelName,
  parameters: readonly string[],
  given: Readonly<Record<string, number | boolean>>,
): number[] {
  return parameters.map((name) => {
    const value = given[name];
    if (value === undefined) throw new TypeError(`${kernel} is called without ${name}`);
    return Number(value);
  });
}

/** Runs a kernel on some worker, or for little data on the calling thread, and resolves to its result. */
export function runKernel<N extends KernelName>(
  pool: Pool,
  kernel: N,
  given: Arguments<N>,
  task?: PoolTask,
): Promise<number> {
  return runCall(pool, kernelCall(kernel, given), task);
}

/** Runs a call that was made before. */
export function runCall(pool: Pool, { kernel, given }: KernelCall, task?: PoolTask): Promise<number> {
  const parameters = parametersOf(kernel);
  if (!parameters) throw new TypeError(`there is no kernel ${kernel}`);
  const values = valuesOf(kernel, parameters, given);
  return pool.run({ kernel, values }, task, checkOf(pool, kernel, given));
}

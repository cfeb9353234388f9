// Calls of kernels on the calling thread, with arguments that stay: for frames, which allocate nothing. Loaded with them.

import { type Arguments, checkOf, type KernelCall, type KernelName, valuesOf } from "./kernels.js";
import { parametersOf } from "./memory/module.js";
import type { Pool } from "./memory/pool.js";

/** A call on the calling thread whose arguments stay, but for those that are set. */
export interface PreparedKernel<N extends KernelName> {
  set(name: keyof Arguments<N>, value: number): void;
  run(): number;
}

/** Prepares a call for frames, which allocate nothing. */
export function preparedCall<N extends KernelName>(pool: Pool, kernel: N, given: Arguments<N>): PreparedKernel<N> {
  const parameters = parametersOf(kernel) ?? [];
  const now: Record<string, number | boolean> = { ...(given as KernelCall["given"]) };
  const values = valuesOf(kernel, parameters, now);
  const check = checkOf(pool, kernel, now);
  return {
    set: (name, value) => {
      values[parameters.indexOf(name as string)] = value;
      now[name as string] = value;
    },
    run: () => pool.runNow(kernel, values, check),
  };
}

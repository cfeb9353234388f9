// The barrier of a queue: it reads the storage, and decides what to deliver next. A queue may lose or repeat jobs, because only
// the storage defines which steps are done.

import { missingOf, type Phase } from "./phases.js";
import type { PhaseName } from "./step.js";
import { ATTEMPTS, type Storage } from "./storage.js";

/** Result of a barrier. */
export type Sealed =
  /** The phase has steps that are not done. The queue may have lost some of them. */
  | { readonly kind: "open"; readonly missing: readonly number[] }
  /** All steps of the phase are done: the next phase begins. */
  | { readonly kind: "sealed"; readonly next: Phase }
  | { readonly kind: "finished" }
  /** A step failed too often: the run stops until it is submitted again. */
  | { readonly kind: "failed"; readonly message: string }
  /** The run was removed. */
  | { readonly kind: "cancelled" };

/** Checks whether a phase is done. */
export async function seal(storage: Storage, phases: readonly Phase[], name: PhaseName): Promise<Sealed> {
  if (!(await storage.isAlive())) return { kind: "cancelled" };
  const at = phases.findIndex((phase) => phase.name === name);
  const missing = await missingOf(storage, phases[at]);
  if (missing.length === 0) {
    const next = phases[at + 1];
    return next ? { kind: "sealed", next } : { kind: "finished" };
  }
  for (const failure of await storage.failures()) {
    if (failure.phase !== name || failure.attempts < ATTEMPTS || !missing.includes(failure.number)) continue;
    return {
      kind: "failed",
      message: `Step ${name} ${failure.number} failed ${failure.attempts} times: ${failure.message}`,
    };
  }
  return { kind: "open", missing };
}

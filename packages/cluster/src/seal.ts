// The barrier of a queue: it looks at the storage, and tells what to deliver next. A queue that loses or repeats what it was given does no
// harm, for the storage alone says what is done.

import { missingOf, type Phase, type PhaseName } from "./phases.js";
import { ATTEMPTS, type Storage } from "./storage.js";

/** Findings of a barrier. */
export type Sealed =
  /** The phase has steps that are not done, some of which may have been lost. */
  | { readonly kind: "open"; readonly missing: readonly number[] }
  /** Everything of the phase is there: another one begins. */
  | { readonly kind: "sealed"; readonly next: Phase }
  | { readonly kind: "finished" }
  /** A step failed too often: the run stands still until it is submitted again. */
  | { readonly kind: "failed"; readonly message: string }
  /** The run was removed. */
  | { readonly kind: "cancelled" };

/** Looks whether a phase is done. */
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

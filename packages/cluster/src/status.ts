// The state of a run, from its storage: available after a crash, without a queue, and on any machine with access to the folder.

import { missingOf, phasesOf } from "./phases.js";
import { type Plan, runOf } from "./plan.js";
import type { PhaseName, StepReport } from "./step.js";
import { type Keys, keysOf, type StepFailure, Storage } from "./storage.js";

/** The progress of a phase. */
export interface PhaseStatus {
  readonly phase: PhaseName;
  readonly steps: number;
  readonly done: number;
  /** Total time of its steps, in milliseconds. */
  readonly milliseconds: number;
}

/** The progress of a run. */
export interface RunStatus {
  readonly run: string;
  /** Whether its plan is in the storage. */
  readonly isEnrolled: boolean;
  readonly isFinished: boolean;
  readonly phases: readonly PhaseStatus[];
  readonly failures: readonly StepFailure[];
  /** Bytes of chunks of the input that were read, and chunks that were decoded. */
  readonly input: { readonly bytes: number; readonly chunks: number };
  /** Bytes that were read from the scratch, and written to it. */
  readonly scratch: { readonly read: number; readonly written: number };
}

/**
 * Reads the state of a run from its storage.
 * @example
 * import { plan, status } from "@skerry/cluster";
 * const recipe = { skerry: 1, operation: "components", options: { threshold: { above: 120 } } };
 * const made = await plan({ recipe, input: "cells.zarr", regions: "cells.csv" });
 * const { isEnrolled, phases } = await status(made);
 * console.log(isEnrolled, phases.map(({ phase, done, steps }) => `${phase} ${done} of ${steps}`).join(", "));
 */
export async function status(plan: Plan, keys: Keys = keysOf(plan.scratch)): Promise<RunStatus> {
  const run = runOf(plan);
  const storage = new Storage(keys, run);
  const reports = await storage.reports<StepReport>();
  const phases: PhaseStatus[] = [];
  // Failures of steps that succeeded later do not count.
  const failed: StepFailure[] = [];
  const failures = await storage.failures();
  for (const phase of phasesOf(plan)) {
    const missing = await missingOf(storage, phase);
    const done = phase.steps - missing.length;
    failed.push(...failures.filter((failure) => failure.phase === phase.name && missing.includes(failure.number)));
    const ofPhase = reports.filter((report) => report.phase === phase.name);
    const milliseconds = ofPhase.reduce((sum, report) => sum + report.milliseconds, 0);
    phases.push({ phase: phase.name, steps: phase.steps, done, milliseconds });
  }
  const sum = (of: (report: StepReport) => number): number => reports.reduce((total, report) => total + of(report), 0);
  return {
    run,
    isEnrolled: await storage.isAlive(),
    isFinished: phases.every(({ steps, done }) => steps === done),
    phases,
    failures: failed.sort((a, b) => a.number - b.number),
    input: { bytes: sum(({ input }) => input.bytes), chunks: sum(({ input }) => input.chunks) },
    scratch: { read: sum(({ read }) => read), written: sum(({ written }) => written) },
  };
}

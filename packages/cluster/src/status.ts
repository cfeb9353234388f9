// The state of a run as its storage tells it: works after a crash, without a queue, and from any machine that sees the folder.

import { FileStore } from "@skerry/zarr";
import { missingOf, type PhaseName, phasesOf, type StepReport } from "./phases.js";
import { type Plan, runOf } from "./plan.js";
import { type Keys, type StepFailure, Storage } from "./storage.js";

/** A phase, and how far it is. */
export interface PhaseStatus {
  readonly phase: PhaseName;
  readonly steps: number;
  readonly done: number;
  /** Milliseconds that its steps took in all. */
  readonly milliseconds: number;
}

/** A run, and how far it is. */
export interface RunStatus {
  readonly run: string;
  /** Whether its plan is in the storage. */
  readonly isEnrolled: boolean;
  readonly isFinished: boolean;
  readonly phases: readonly PhaseStatus[];
  readonly failures: readonly StepFailure[];
  /** Bytes of chunks of the input that were read, and chunks that were decoded. */
  readonly input: { readonly bytes: number; readonly chunks: number };
  /** Bytes that went through the scratch. */
  readonly scratch: { readonly read: number; readonly written: number };
}

/** Looks into the storage of a run. */
export async function status(plan: Plan, keys: Keys = new FileStore(plan.scratch)): Promise<RunStatus> {
  const run = runOf(plan);
  const storage = new Storage(keys, run);
  const reports = await storage.reports<StepReport>();
  const phases: PhaseStatus[] = [];
  // A step that was tried again with success has not failed.
  const failed: StepFailure[] = [];
  const failures = await storage.failures();
  for (const phase of phasesOf(plan)) {
    const missing = await missingOf(storage, phase);
    const done = phase.steps - missing.length;
    failed.push(...failures.filter((failure) => failure.phase === phase.name && missing.includes(failure.number)));
    const own = reports.filter((report) => report.phase === phase.name);
    const milliseconds = own.reduce((sum, report) => sum + report.milliseconds, 0);
    phases.push({ phase: phase.name, steps: phase.steps, done, milliseconds });
  }
  const sum = (of: (report: StepReport) => number): number => reports.reduce((total, report) => total + of(report), 0);
  return {
    ...{
      run,
      isEnrolled: await storage.isAlive(),
      isFinished: phases.every(({ steps, done }) => steps === done),
      phases,
    },
    failures: failed.sort((a, b) => a.number - b.number),
    input: { bytes: sum(({ input }) => input.bytes), chunks: sum(({ input }) => input.chunks) },
    scratch: { read: sum(({ read }) => read), written: sum(({ written }) => written) },
  };
}

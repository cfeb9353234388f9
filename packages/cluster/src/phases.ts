// The phases of a run as data: the steps of each phase, and the kind of the object that marks a step as done. A phase begins when
// all marks of the phase before exist.

import { defined } from "skerry/internal";
import type { Context } from "./context.js";
import { ClusterError } from "./errors.js";
import { gridOfPlan, isAutomatic, isMeasure, type Plan } from "./plan.js";
import type { PhaseName, StepName, StepReport } from "./step.js";
import { finish, tableParts } from "./steps/finish.js";
import { histogram, threshold } from "./steps/histogram.js";
import { label, wantedOfPlan } from "./steps/label.js";
import { countLabels, measure, ranges } from "./steps/measure.js";
import { merge } from "./steps/merge.js";
import { number } from "./steps/number.js";
import { relabel } from "./steps/relabel.js";
import { seams } from "./steps/seams.js";
import { tables } from "./steps/tables.js";
import type { Storage } from "./storage.js";

/** A phase of a run. */
export interface Phase {
  readonly name: PhaseName;
  readonly steps: number;
  /** Kind of the object that a step writes last. */
  readonly mark: string;
}

type Work = (context: Context, number: number) => Promise<void>;

const WORK: Readonly<Record<PhaseName, Work>> = {
  histogram,
  threshold,
  label,
  measure,
  seams,
  merge,
  ranges,
  relabel,
  tables,
  finish,
  number: (context, block) => (isMeasure(context.plan) ? countLabels(context, block) : number(context, block)),
};

/**
 * The phases of a plan, in order.
 * @example
 * import { phasesOf, plan } from "@skerry/cluster";
 * const recipe = { skerry: 1, operation: "components", options: { threshold: { above: 120 } } };
 * const made = await plan({ recipe, input: "cells.zarr", regions: "cells.csv" });
 * console.log(phasesOf(made).map(({ name }) => name).join(", "));
 * // label, seams, merge, number, relabel, tables, finish
 */
export function phasesOf(plan: Plan): readonly Phase[] {
  const grid = gridOfPlan(plan);
  const blocks = grid.count;
  const parts = tableParts({ plan, grid });
  const finishing: Phase[] = [
    ...(plan.table ? ([{ name: "tables", steps: parts, mark: "table" }] as const) : []),
    { name: "finish", steps: 1, mark: "finish" },
  ];
  if (isMeasure(plan)) {
    return [
      { name: "measure", steps: blocks, mark: "fragments" },
      ...(wantedOfPlan({ plan }).shape ? ([{ name: "seams", steps: blocks, mark: "edges" }] as const) : []),
      { name: "ranges", steps: 1, mark: "totals" },
      { name: "number", steps: parts, mark: "final" },
      ...finishing,
    ];
  }
  return [
    ...(isAutomatic(plan)
      ? ([
          { name: "histogram", steps: blocks, mark: "histogram" },
          { name: "threshold", steps: 1, mark: "threshold" },
        ] as const)
      : []),
    { name: "label", steps: blocks, mark: "fragments" },
    { name: "seams", steps: blocks, mark: "edges" },
    { name: "merge", steps: 1, mark: "totals" },
    { name: "number", steps: blocks, mark: "final" },
    { name: "relabel", steps: blocks, mark: "moved" },
    ...finishing,
  ];
}

/**
 * The phase of a name.
 * @throws ClusterError if the plan has no such phase
 * @example
 * import { phaseOf, plan } from "@skerry/cluster";
 * const recipe = { skerry: 1, operation: "components", options: { threshold: { above: 120 } } };
 * const made = await plan({ recipe, input: "cells.zarr", regions: "cells.csv" });
 * console.log(phaseOf(made, "merge").steps); // 1
 */
export function phaseOf(plan: Plan, name: string): Phase {
  const found = phasesOf(plan).find((phase) => phase.name === name);
  if (found) return found;
  const known = phasesOf(plan).map((phase) => phase.name);
  throw new ClusterError("refused", `Expected a phase of the plan, ${known.join(", ")}, got ${name}.`);
}

/**
 * The numbers of the steps of a phase that are not done.
 * @example
 * import { enroll, missingOf, openRun, phaseOf, plan } from "@skerry/cluster";
 * const recipe = { skerry: 1, operation: "components", options: { threshold: { above: 120 } } };
 * const made = await plan({ recipe, input: "cells.zarr", regions: "cells.csv" });
 * await enroll(made);
 * const run = await openRun(made);
 * const missing = await missingOf(run.storage, phaseOf(made, "label"));
 * console.log(`${missing.length} blocks are not labelled yet`);
 * await run.close();
 */
export async function missingOf(storage: Storage, { steps, mark }: Phase): Promise<number[]> {
  const done = await storage.list(mark);
  return Array.from({ length: steps }, (_, i) => i).filter((i) => !done.has(i));
}

/**
 * The first unfinished phase, and its missing steps; undefined once the run is finished.
 * @example
 * import { enroll, nextPhase, openRun, plan } from "@skerry/cluster";
 * const recipe = { skerry: 1, operation: "components", options: { threshold: { above: 120 } } };
 * const made = await plan({ recipe, input: "cells.zarr", regions: "cells.csv" });
 * await enroll(made);
 * const run = await openRun(made);
 * const next = await nextPhase(run.storage, run.phases);
 * console.log(next ? `${next.phase.name}: ${next.missing.length} steps to do` : "finished");
 * await run.close();
 */
export async function nextPhase(
  storage: Storage,
  phases: readonly Phase[],
): Promise<{ readonly phase: Phase; readonly missing: number[] } | undefined> {
  for (const phase of phases) {
    const missing = await missingOf(storage, phase);
    if (missing.length > 0) return { phase, missing };
  }
  return undefined;
}

/**
 * Checks that a plan has a step.
 * @throws ClusterError if it does not
 */
export function checkStep(plan: Plan, { phase, number }: StepName): void {
  const { steps } = phaseOf(plan, phase);
  if (Number.isInteger(number) && number >= 0 && number < steps) return;
  throw new ClusterError("refused", `Expected a step of ${phase} from 0 to ${steps - 1}, got ${number}.`);
}

/**
 * Runs a step. A step may run again: it writes the same bytes.
 * @throws ClusterError if the plan has no such step, or the error of the step
 */
export async function runStep(context: Context, { phase, number }: StepName): Promise<StepReport> {
  checkStep(context.plan, { phase, number });
  const { moved } = context.storage;
  const before = { ...moved, ...context.input };
  const begin = performance.now();
  context.seen.clear();
  context.step = { phase, number };
  await WORK[phase](context, number);
  return defined({
    seen: context.seen.size > 0 ? Object.fromEntries(context.seen) : undefined,
    phase,
    number,
    milliseconds: performance.now() - begin,
    input: { bytes: context.input.bytes - before.bytes, chunks: context.input.chunks - before.chunks },
    read: moved.read - before.read,
    written: moved.written - before.written,
  });
}

// A run for a process: its plan in its storage, the steps that are done, and those that failed.

import { rmdir } from "node:fs/promises";
import { isRemote } from "@skerry/files/zarr/internal";
import { ProcessContext } from "./context.js";
import { ClusterError } from "./errors.js";
import { BUILT } from "./generated/built.js";
import { checkInputs, type InputChecks } from "./inputs.js";
import { checkOutputs, giveBack, makeRoom } from "./outputs.js";
import { checkStep, type Phase, phasesOf, runStep } from "./phases.js";
import { checkAllowed, checkApart, checkPlace } from "./places.js";
import { canonical, type Plan, parsePlan, runOf } from "./plan.js";
import type { StepName, StepReport } from "./step.js";
import { jsonOf, type Keys, keysOf, type Patience, Storage } from "./storage.js";

/** A run that a process works on. */
export interface Run {
  readonly plan: Plan;
  readonly run: string;
  readonly phases: readonly Phase[];
  readonly storage: Storage;
  /** Runs a step, and stores its costs, or the reason of its failure. */
  step(name: StepName): Promise<StepReport>;
  /** Closes the engine and the storage of the run. */
  close(): Promise<void>;
}

/** Options of {@link openRun}. */
export interface RunOptions {
  /** Folders and URLs below which a process may read and write; the working directory by default. */
  readonly allow?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly threads?: number | undefined;
  readonly keys?: Keys | undefined;
  readonly patience?: Patience | undefined;
}

/** Refuses the plan of another build: its steps could give other bytes than those of this one. */
function checkBuilt({ built }: Plan): void {
  if (built === BUILT) return;
  throw new ClusterError(
    "refused",
    `Expected a plan of this build of skerry, ${BUILT}, got one of ${built}: use one build everywhere, or plan it again.`,
  );
}

/**
 * Writes a plan into its storage, where workers find it, and returns the name of its run. A plan that is there already is the
 * same one, because its digest is its name.
 * The first time, the names of its outputs are claimed, and what bears them is moved away under the name of the run.
 * @throws ClusterError ("changed") if an image was written since it was planned; with `sameInput` a copy of it is accepted
 * @example
 * import { enroll, plan } from "@skerry/cluster";
 * const recipe = { skerry: 1, operation: "components", options: { threshold: { above: 120 } } };
 * const made = await plan({ recipe, input: "cells.zarr", regions: "cells.csv" });
 * const run = await enroll(made);
 * console.log(run.length); // 16
 */
export async function enroll(plan: Plan, keys: Keys = keysOf(plan.scratch), checks: InputChecks = {}): Promise<string> {
  const run = runOf(plan);
  checkBuilt(plan);
  checkApart(plan);
  await checkInputs(plan, run, keys, checks);
  const text = new TextEncoder().encode(canonical(plan));
  if (await keys.get(`${run}/plan.json`)) await checkOutputs(plan, keys);
  else {
    try {
      await makeRoom(plan);
      await keys.set(`${run}/plan.json`, text);
    } catch (error) {
      await giveBack(plan);
      throw error;
    }
  }
  return run;
}

/**
 * Reads the plan of a run from a folder.
 * @throws ClusterError if the folder is not allowed, or if the plan there is missing or not that of the run
 */
export async function planIn(scratch: string, run: string, { allow, keys }: RunOptions = {}): Promise<Plan> {
  if (!/^[0-9a-f]{16}$/.test(run))
    throw new ClusterError("refused", `Expected 16 hexadecimal digits as a run, got ${run}.`);
  checkPlace(scratch, allow);
  const bytes = await (keys ?? keysOf(scratch)).get(`${run}/plan.json`);
  if (!bytes)
    throw new ClusterError("cancelled", `Run ${run} is not in ${scratch}: submit its plan, or it was removed.`);
  const plan = parsePlan(jsonOf(bytes, `${scratch}/${run}/plan.json`), `${scratch}/${run}/plan.json`);
  if (runOf(plan) === run) return plan;
  throw new ClusterError("damaged", `The plan in ${scratch}/${run} is not that of the run.`);
}

/**
 * Opens the run of an enrolled plan.
 * @throws ClusterError if the plan in the storage is missing or another one, or if the plan reads or writes outside `allow`
 * @example
 * import { enroll, openRun, plan } from "@skerry/cluster";
 * const recipe = { skerry: 1, operation: "components", options: { threshold: { above: 120 } } };
 * const made = await plan({ recipe, input: "cells.zarr", regions: "cells.csv" });
 * await enroll(made);
 * const run = await openRun(made);
 * console.log(run.phases.length); // 7
 * await run.close();
 */
export async function openRun(given: Plan, options: RunOptions = {}): Promise<Run> {
  const plan = parsePlan(given, "the plan");
  checkAllowed(plan, options.allow);
  checkApart(plan);
  checkBuilt(plan);
  const run = runOf(plan);
  const keys = options.keys ?? keysOf(plan.scratch);
  await planIn(plan.scratch, run, options);
  const storage = new Storage(keys, run, options.patience);
  const context = new ProcessContext(plan, storage, options);
  return {
    plan,
    run,
    phases: phasesOf(plan),
    storage,
    async step(name) {
      // No failure of a step that the plan does not have is stored.
      checkStep(plan, name);
      try {
        const report = await runStep(context, name);
        await storage.report(report);
        return report;
      } catch (error) {
        if (options.signal?.aborted || (error instanceof ClusterError && error.failure === "cancelled")) throw error;
        await storage.fail(name, (error as Error).message);
        throw new ClusterError("failed", `Step ${name.phase} ${name.number} failed: ${(error as Error).message}`, {
          cause: error,
        });
      }
    },
    close: () => context.close(),
  };
}

/**
 * Removes the scratch of a run, and a label image that is not finished. Finished results stay; those that an unfinished run was to replace
 * get their names back.
 * @example
 * import { clean, enroll, plan } from "@skerry/cluster";
 * const recipe = { skerry: 1, operation: "components", options: { threshold: { above: 120 } } };
 * const made = await plan({ recipe, input: "cells.zarr", regions: "cells.csv" });
 * await enroll(made);
 * await clean(made);
 */
export async function clean(plan: Plan, keys: Keys = keysOf(plan.scratch)): Promise<void> {
  const run = runOf(plan);
  // Once the plan is gone, workers of the run end.
  await keys.remove(`${run}/plan.json`);
  await keys.remove(run);
  await giveBack(plan);
  // Removes the folder of runs if it is empty.
  if (!isRemote(plan.scratch)) await rmdir(plan.scratch).catch(() => undefined);
}

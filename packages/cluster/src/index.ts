// The public names of runs over many machines.

export { ClusterError, type ClusterFailure } from "./errors.js";
export { ATTEMPTS, type Ended, type WorkOptions, work } from "./engines/directory.js";
export { missingOf, nextPhase, type Phase, PHASES, type PhaseName, phaseOf, phasesOf, type StepName, type StepReport } from "./phases.js";
export { KNOWN_PROPERTIES, type Plan, type PlanOptions, parsePlan, plan, runOf } from "./plan.js";
export { checkAllowed, clean, enroll, openRun, type Run, type RunOptions } from "./run.js";
export type { Keys, StepFailure } from "./storage.js";

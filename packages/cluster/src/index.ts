// The public names of distributed runs.

export { type QueueWorker, queueWorker, submitTo } from "./engines/bullmq.js";
export { type Ended, type WorkOptions, work } from "./engines/directory.js";
export { slurmScript } from "./engines/slurm.js";
export { ClusterError, type ClusterFailure } from "./errors.js";
export { type Estimate, estimate } from "./estimate.js";
export { plansFlag } from "./known.js";
export { missingOf, nextPhase, type Phase, phaseOf, phasesOf } from "./phases.js";
export { checkAllowed } from "./places.js";
export { KNOWN_PROPERTIES, type Plan, type PlanOptions, parsePlan, plan, runOf } from "./plan.js";
export { clean, enroll, openRun, type Run, type RunOptions } from "./run.js";
export { type PhaseStatus, type RunStatus, status } from "./status.js";
export { PHASES, type PhaseName, type StepName, type StepReport } from "./step.js";
export type { Keys, Patience, StepFailure } from "./storage.js";

// The engine without a server: processes that see one folder. Each takes its share of every phase, then what is missing of the others';
// a phase begins when all of the one before is there. Doing a step twice does no harm.

import { ClusterError } from "../errors.js";
import { nextPhase, type Phase, type StepReport } from "../phases.js";
import type { Run } from "../run.js";
import { ATTEMPTS, type Storage } from "../storage.js";

/** How a process works. */
export interface WorkOptions {
  /** Its share: part k of n, from 1. */
  readonly part?: readonly [k: number, n: number] | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds between two looks while others work. */
  readonly pause?: number | undefined;
  /** Ends after about so long, with what is done. */
  readonly milliseconds?: number | undefined;
  readonly sleep?: ((milliseconds: number) => Promise<void>) | undefined;
  readonly now?: (() => number) | undefined;
  readonly onStep?: ((report: StepReport) => void) | undefined;
}

/** How a process ended: everything was done, or its time was over. */
export type Ended = "finished" | "time";

/**
 * Works on a run until it is finished.
 * @throws ClusterError if a step failed too often, or if the run was removed
 */
export async function work(run: Run, options: WorkOptions = {}): Promise<Ended> {
  const { part: [k, n] = [1, 1], signal, pause = 200, milliseconds = Number.POSITIVE_INFINITY } = options;
  const { now = () => performance.now(), sleep = slept } = options;
  const { storage, phases } = run;
  const end = now() + milliseconds;
  for (;;) {
    signal?.throwIfAborted();
    const next = await nextPhase(storage, phases);
    if (!next) return "finished";
    await storage.fence();
    const { phase, missing } = next;
    const own = missing.filter((i) => i % n === k - 1);
    // The share of others is taken from the end, where they come last; each process begins elsewhere.
    const others = missing.filter((i) => i % n !== k - 1).reverse();
    const turned = others
      .slice(Math.floor((others.length * (k - 1)) / n))
      .concat(others.slice(0, Math.floor((others.length * (k - 1)) / n)));
    const [step] = own.length > 0 ? own : turned;
    if (now() >= end) return "time";
    const last = await attemptsOf(storage, phase, step);
    if (last >= ATTEMPTS) throw await failureOf(storage, phase, step);
    // Where all is begun but little is left, others are given the time to end it.
    if (own.length === 0 && phase.steps === 1 && k > 1) {
      await sleep(pause * k);
      if (!(await storage.list(phase.mark)).has(step)) await attempt(run, phase, step, options);
      continue;
    }
    await attempt(run, phase, step, options);
  }
}

const slept = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Does a step; one that fails is tried again later. */
async function attempt(run: Run, phase: Phase, number: number, { onStep, signal }: WorkOptions): Promise<void> {
  try {
    const report = await run.step({ phase: phase.name, number });
    onStep?.(report);
  } catch (error) {
    if (signal?.aborted || !(error instanceof ClusterError) || error.failure === "cancelled") throw error;
    if ((await attemptsOf(run.storage, phase, number)) >= ATTEMPTS) throw error;
  }
}

async function attemptsOf(storage: Storage, { name }: Phase, number: number): Promise<number> {
  return (await storage.failure(name, number))?.attempts ?? 0;
}

async function failureOf(storage: Storage, { name }: Phase, number: number): Promise<ClusterError> {
  const { attempts = 0, message = "" } = (await storage.failure(name, number)) ?? {};
  return new ClusterError("failed", `Step ${name} ${number} failed ${attempts} times: ${message}`);
}

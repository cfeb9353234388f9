// The engine without a server: processes that share a folder. Each takes its share of every phase, then missing steps of other
// shares. A phase begins when the phase before is done. A step may be done twice without harm.

import { ClusterError } from "../errors.js";
import { nextPhase, type Phase } from "../phases.js";
import type { Run } from "../run.js";
import type { StepReport } from "../step.js";
import { ATTEMPTS, PATIENCE, type Storage } from "../storage.js";

/** Time that a step is left to the process that began it: a multiple of the longest step, and at least this many milliseconds. */
const LEASE_STEPS = 4;
const LEAST_LEASE_MILLISECONDS = 10_000;

/** Options of {@link work}. */
export interface WorkOptions {
  /** Its share: part k of n, from 1. */
  readonly part?: readonly [k: number, n: number] | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds between two checks while other processes work; 200 by default. */
  readonly pause?: number | undefined;
  /** Least milliseconds that a step is left to the process that began it; 10 000 by default. */
  readonly leastLease?: number | undefined;
  /** Ends after about this many milliseconds; finished steps stay. */
  readonly milliseconds?: number | undefined;
  /** Waits; tests replace the clock. */
  readonly sleep?: ((milliseconds: number) => Promise<void>) | undefined;
  /** The time in milliseconds; tests replace the clock. */
  readonly now?: (() => number) | undefined;
  /** Called after each step. */
  readonly onStep?: ((report: StepReport) => void) | undefined;
}

/** The reason why {@link work} ended: the run is finished, or the time is over. */
export type Ended = "finished" | "time";

/**
 * Works on a run until it is finished, or until the time in `milliseconds` is over.
 * @throws ClusterError if a step failed too often, or if the run was removed
 * @example
 * import { enroll, openRun, plan, work } from "@skerry/cluster";
 * const recipe = { skerry: 1, operation: "components", options: { threshold: { above: 120 } } };
 * const made = await plan({ recipe, input: "cells.zarr", regions: "cells.csv" });
 * await enroll(made);
 * const run = await openRun(made);
 * console.log(await work(run)); // finished
 * await run.close();
 */
export async function work(run: Run, options: WorkOptions = {}): Promise<Ended> {
  const { part: [k, n] = [1, 1], signal, pause = 200, milliseconds = Number.POSITIVE_INFINITY } = options;
  const { now = () => performance.now(), sleep = PATIENCE.sleep } = options;
  const { storage, phases } = run;
  const end = now() + milliseconds;
  const seen = new Claims(now, options.leastLease ?? LEAST_LEASE_MILLISECONDS);
  for (;;) {
    signal?.throwIfAborted();
    const next = await nextPhase(storage, phases);
    if (!next) return "finished";
    await storage.fence();
    const { phase, missing } = next;
    if (now() >= end) return "time";
    const free = seen.without(phase, missing, await storage.claims(phase.name));
    const step = chosen(free, k, n);
    if (step === undefined) {
      // Other processes have begun the remaining steps, and get time to finish them.
      await sleep(pause);
      continue;
    }
    if ((await attemptsOf(storage, phase, step)) >= ATTEMPTS) throw await failureOf(storage, phase, step);
    await storage.claim(phase.name, step);
    const begin = now();
    await attempt(run, phase, step, options);
    seen.took(now() - begin);
  }
}

/**
 * The step that a part takes: its own in order, then steps of other parts. Each part begins these at a different place, from the
 * end.
 */
function chosen(free: readonly number[], k: number, n: number): number | undefined {
  const next = free.find((i) => i % n === k - 1);
  if (next !== undefined || free.length === 0) return next;
  return free[free.length - 1 - (Math.floor((free.length * (k - 1)) / n) % free.length)];
}

/** Steps that other processes have begun, and the time when this process noticed it, because clocks of machines differ. */
class Claims {
  readonly #since = new Map<string, number>();
  readonly #now: () => number;
  readonly #least: number;
  #longest = 0;

  constructor(now: () => number, least: number) {
    this.#now = now;
    this.#least = least;
  }

  took(milliseconds: number): void {
    this.#longest = Math.max(this.#longest, milliseconds);
  }

  /** Steps without a recent claim. A claim expires after a multiple of the longest step, because its worker may be dead. */
  without({ name }: Phase, missing: readonly number[], claimed: ReadonlySet<number>): number[] {
    const lease = Math.max(this.#least, LEASE_STEPS * this.#longest);
    return missing.filter((number) => {
      if (!claimed.has(number)) return true;
      const key = `${name} ${number}`;
      const since = this.#since.get(key) ?? this.#now();
      this.#since.set(key, since);
      return this.#now() - since > lease;
    });
  }
}

/** Runs a step. A step that fails is tried again later, until it has failed too often. */
async function attempt(run: Run, phase: Phase, number: number, { onStep, signal }: WorkOptions): Promise<void> {
  try {
    const report = await run.step({ phase: phase.name, number });
    onStep?.(report);
  } catch (error) {
    if (signal?.aborted || !(error instanceof ClusterError) || error.failure === "cancelled") throw error;
    await run.storage.release(phase.name, number);
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

// The engine on BullMQ (Redis or Valkey): a queue that only delivers steps, at least once. The barrier is a job, too: it checks
// the storage, and adds the steps of the next phase, or adds lost steps of its own phase and waits.

import type { Job, Queue } from "bullmq";
import { defined } from "skerry/internal";
import { ClusterError } from "../errors.js";
import { nextPhase } from "../phases.js";
import { type Plan, runOf } from "../plan.js";
import { openRun, planIn, type Run, type RunOptions } from "../run.js";
import { seal } from "../seal.js";
import type { PhaseName, StepReport } from "../step.js";

const QUEUE = "skerry-steps";
/** Lock of a job. A step such as the merge may block the thread that renews it; after a lost lock the step is done twice. */
const LOCK_MILLISECONDS = 120_000;
/** Most milliseconds between two looks for jobs whose lock was lost. */
const MOST_STALLED_MILLISECONDS = 30_000;
/** Milliseconds between two checks of a barrier: longer for phases of many steps, because a check lists them. */
const LEAST_PAUSE = 250;
const PAUSE_PER_STEP = 2;
const MOST_PAUSE = 15_000;

/** A job: a step, or without a number the barrier of the phase. No part of it is ever run as code. */
interface Delivered {
  readonly scratch: string;
  readonly run: string;
  readonly phase: PhaseName;
  readonly number?: number;
}

/** Connection options for a URL. Without a password in the URL, SKERRY_REDIS_PASSWORD is used. */
export function connectionOf(url: string): Record<string, unknown> {
  const { hostname, port, username, password, protocol, pathname } = new URL(url);
  const secret = decodeURIComponent(password) || process.env.SKERRY_REDIS_PASSWORD;
  return defined({
    host: hostname,
    port: Number(port || 6379),
    db: Number(pathname.slice(1) || 0),
    maxRetriesPerRequest: null,
    username: username ? decodeURIComponent(username) : undefined,
    password: secret || undefined,
    tls: protocol === "rediss:" ? {} : undefined,
  });
}

const notInstalled = (cause: unknown): never => {
  throw new ClusterError(
    "refused",
    "Expected the packages bullmq and ioredis for redis://: npm install bullmq ioredis.",
    { cause },
  );
};

const library = (): Promise<typeof import("bullmq")> => import("bullmq").catch(notInstalled);

/** Milliseconds after which a server counts as not there. */
const CONNECT_MILLISECONDS = 10_000;

/** Reasons of Node, in words. */
const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ENOTFOUND: "there is no such host",
  EAI_AGAIN: "there is no such host",
  ETIMEDOUT: "it does not answer",
};

/**
 * Connects once, so that a wrong address is an error: the queue would try for ever.
 * @throws ClusterError if there is no server, or it refuses the password
 */
async function checkReachable(url: string): Promise<void> {
  const { Redis } = await import("ioredis").catch(notInstalled);
  const { host, ...connection } = connectionOf(url);
  const once = { lazyConnect: true, retryStrategy: () => null, connectTimeout: CONNECT_MILLISECONDS };
  const client = new Redis({ ...connection, ...once, host } as never);
  let reason: Error | undefined;
  client.on("error", (error: Error) => {
    reason ??= error;
  });
  const silence = new Promise<never>((_, reject) => {
    setTimeout(
      () => reject(Object.assign(new Error("ETIMEDOUT"), { code: "ETIMEDOUT" })),
      CONNECT_MILLISECONDS,
    ).unref();
  });
  try {
    await Promise.race([client.connect().then(() => client.ping()), silence]);
    // A database that is not there is told as an event alone.
    if (reason) throw reason;
  } catch (cause) {
    reason ??= cause as Error;
    const shown = `${new URL(url).protocol}//${host}:${connection.port}`;
    const why = UNREACHABLE[(reason as NodeJS.ErrnoException).code ?? ""] ?? reason.message.replace(/\.$/, "");
    throw new ClusterError("refused", `Could not reach ${shown}: ${why}.`, { cause });
  } finally {
    client.disconnect();
  }
}

const nameOf = ({ run, phase, number }: Delivered): string => `${run}-${phase}-${number ?? "seal"}`;

/** Adds jobs, except those that wait already. Finished jobs are removed, so that they can be added again. */
async function add(queue: Queue, jobs: readonly Delivered[]): Promise<void> {
  const opts = { removeOnComplete: true, removeOnFail: true, attempts: 1 };
  for (let from = 0; from < jobs.length; from += 1000) {
    await queue.addBulk(
      jobs.slice(from, from + 1000).map((data) => ({ name: data.phase, data, opts: { ...opts, jobId: nameOf(data) } })),
    );
  }
}

/** The steps and the barrier of a phase. */
function deliveries({ scratch }: Plan, run: string, phase: PhaseName, missing: Iterable<number>): Delivered[] {
  const address = { scratch, run, phase };
  return [...Array.from(missing, (number) => ({ ...address, number })), address];
}

/**
 * Adds the missing steps of the first unfinished phase of an enrolled run to a queue. Earlier failures are cleared.
 * @throws ClusterError if the packages bullmq and ioredis are not installed, or the server is not reached
 * @example
 * import { enroll, openRun, submitTo } from "@skerry/cluster";
 * async function submit(plan) {
 *   await enroll(plan);
 *   const run = await openRun(plan);
 *   await submitTo("redis://localhost:6379", run);
 *   await run.close();
 * }
 */
export async function submitTo(
  url: string,
  { plan, storage, phases }: Pick<Run, "plan" | "storage" | "phases">,
): Promise<void> {
  const { Queue } = await library();
  await checkReachable(url);
  const queue = new Queue(QUEUE, { connection: connectionOf(url) as never });
  queue.on("error", () => undefined);
  try {
    await storage.forgive();
    const next = await nextPhase(storage, phases);
    if (next) await add(queue, deliveries(plan, runOf(plan), next.phase.name, next.missing));
  } finally {
    await queue.close();
  }
}

/** A worker that takes steps from a queue. */
export interface QueueWorker {
  /** Ends the worker after its step. */
  close(): Promise<void>;
}

/** Options of {@link queueWorker}. */
export interface QueueWorkerOptions extends RunOptions {
  /** Milliseconds after which a step of a silent worker goes to another one; 120 000 by default. */
  readonly lockMilliseconds?: number | undefined;
  readonly onStep?: ((run: string, report: StepReport) => void) | undefined;
  readonly onFailure?: ((message: string) => void) | undefined;
}

/**
 * Takes steps from a queue until it is closed. It refuses runs that read or write outside `allow`, and runs whose stored plan
 * has another digest than the job names.
 * @throws ClusterError if the packages bullmq and ioredis are not installed, or the server is not reached
 * @example
 * import { queueWorker } from "@skerry/cluster";
 * async function serve() {
 *   const worker = await queueWorker("redis://localhost:6379", { allow: ["/data"], onFailure: console.error });
 *   process.once("SIGTERM", () => worker.close());
 * }
 */
export async function queueWorker(url: string, options: QueueWorkerOptions = {}): Promise<QueueWorker> {
  const { Queue, Worker, DelayedError, UnrecoverableError } = await library();
  await checkReachable(url);
  const { lockMilliseconds = LOCK_MILLISECONDS } = options;
  const connection = connectionOf(url) as never;
  const queue = new Queue(QUEUE, { connection });
  // The worker tells of a lost connection.
  queue.on("error", () => undefined);
  const runs = new Map<string, Promise<Run>>();
  const drop = async (name: string): Promise<void> => {
    const known = runs.get(name);
    runs.delete(name);
    await known?.then((opened) => opened.close()).catch(() => undefined);
  };
  /** Closes the runs that others have finished or removed. */
  const dropFinished = async (): Promise<void> => {
    for (const [name, known] of runs) {
      const opened = await known.catch(() => undefined);
      const isOver = !opened || !(await opened.storage.isAlive()) || !(await nextPhase(opened.storage, opened.phases));
      if (isOver) await drop(name);
    }
  };
  const opened = async (job: Delivered): Promise<Run> => {
    if (!runs.has(job.run)) await dropFinished();
    const known = runs.get(job.run) ?? planIn(job.scratch, job.run, options).then((plan) => openRun(plan, options));
    runs.set(job.run, known);
    known.catch(() => runs.delete(job.run));
    return known;
  };
  const barrier = async (job: Job<Delivered>, token: string | undefined, run: Run): Promise<void> => {
    const { phase } = job.data;
    const found = await seal(run.storage, run.phases, phase);
    if (found.kind === "failed") throw new UnrecoverableError(found.message);
    if (found.kind === "sealed") {
      const steps = Array.from({ length: found.next.steps }, (_, i) => i);
      await add(queue, deliveries(run.plan, run.run, found.next.name, steps));
    }
    if (found.kind !== "open") {
      if (found.kind !== "sealed") await drop(run.run);
      return;
    }
    // Only lost steps are added: steps that wait or run have the same job id, and are ignored.
    await add(queue, deliveries(run.plan, run.run, phase, found.missing).slice(0, -1));
    const pause = Math.min(MOST_PAUSE, LEAST_PAUSE + PAUSE_PER_STEP * found.missing.length);
    await job.moveToDelayed(Date.now() + pause, token);
    throw new DelayedError();
  };
  const take = async (job: Job<Delivered>, token?: string): Promise<void> => {
    try {
      const run = await opened(job.data);
      const { phase, number } = job.data;
      if (number === undefined) return await barrier(job, token, run);
      const report = await run.step({ phase, number });
      options.onStep?.(job.data.run, report);
    } catch (error) {
      // Jobs of a removed run are dropped.
      if (error instanceof ClusterError && error.failure === "cancelled") return drop(job.data.run);
      if (!(error instanceof DelayedError)) options.onFailure?.((error as Error).message);
      throw error;
    }
  };
  const worker = new Worker<Delivered>(QUEUE, take, {
    connection,
    concurrency: 1,
    lockDuration: lockMilliseconds,
    maxStalledCount: 1_000_000,
    stalledInterval: Math.min(MOST_STALLED_MILLISECONDS, lockMilliseconds),
  });
  worker.on("error", (error) => options.onFailure?.(error.message));
  return {
    async close() {
      await worker.close();
      await queue.close();
      for (const run of runs.values()) await run.then((opened) => opened.close()).catch(() => undefined);
    },
  };
}

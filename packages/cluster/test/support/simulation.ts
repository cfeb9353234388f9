// Runs in virtual time: workers that die, freeze and wake, over a storage with delays, lost replies, refusals and stale listings, on a
// folder or a queue that loses, repeats and reorders. The protocol is the one of the package (`work`, `seal`, `Storage`); steps are
// known by what they read and write. A fault can be put into the protocol, to see that it is found.

import { createHash } from "node:crypto";
import { work } from "../../src/engines/directory.js";
import { ClusterError } from "../../src/errors.js";
import type { Section } from "../../src/format.js";
import { nextPhase, type Phase } from "../../src/phases.js";
import type { Plan } from "../../src/plan.js";
import type { Run } from "../../src/run.js";
import { seal } from "../../src/seal.js";
import type { StepName, StepReport } from "../../src/step.js";
import { type Keys, Storage } from "../../src/storage.js";
import { Clock, random } from "./clock.js";

/** Faults that are put into the protocol by hand. */
export const FAULTS = [
  "seals before the list is complete",
  "writes without atomicity",
  "loses the fence",
  "ids depend on the worker",
  "marks a step before its outputs",
  "believes a stale list for ever",
  "takes what is seen late for empty",
  "adds to what was written before",
  "never delivers again what was lost",
  "loses its barrier",
  "finishes twice",
  "takes a failure for success",
] as const;
export type Fault = (typeof FAULTS)[number];

/** What a step reads and writes. */
export interface KnownStep {
  readonly reads: readonly { readonly key: string; readonly digest: string }[];
  readonly writes: readonly { readonly key: string; readonly bytes: Uint8Array }[];
}

/** The steps of the package itself, as one worker does them over a storage. */
export type RealStep = (name: StepName) => Promise<void>;

/** A run whose steps are known. */
export interface KnownRun {
  /** Does the steps themselves; the others replay what is known. */
  readonly open?: (storage: Storage) => RealStep;
  readonly plan: Plan;
  readonly run: string;
  readonly phases: readonly Phase[];
  readonly planBytes: Uint8Array;
  readonly steps: ReadonlyMap<string, KnownStep>;
  /** Everything that is there at the end, by keys. */
  readonly result: ReadonlyMap<string, string>;
}

export const digestOf = (bytes: Uint8Array): string => createHash("sha1").update(bytes).digest("base64");
export const nameOf = ({ phase, number }: StepName): string => `${phase} ${number}`;

/** What a schedule found. */
export interface Outcome {
  readonly wrong?: string;
  readonly milliseconds: number;
  readonly executions: number;
}

/** A worker that died: what it does comes to nothing. */
class Died extends Error {}

/** Longest time of a schedule. */
const MOST_MILLISECONDS = 1_800_000;

/** A storage whose objects are not unpacked: that takes real time, and what they hold is known by their digests. */
class SimulatedStorage extends Storage {
  override async find<K extends string>(
    kind: string,
    number: number,
  ): Promise<Readonly<Record<K, Section>> | undefined> {
    return (await this.keys.get(this.keyOf(kind, number))) && ({} as Record<K, Section>);
  }
}

/**
 * Does a real step: time stands still unless the step waits for the storage, since what it computes takes no virtual time.
 */
class HeldSteps {
  readonly #clock: Clock;
  readonly #sleep: (milliseconds: number) => Promise<void>;
  #waiting = 0;
  #isRunning = false;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#sleep = (milliseconds) => clock.sleep(milliseconds);
  }

  #hold(change: number): void {
    if (this.#isRunning && this.#waiting === 0) this.#clock.holds += change;
  }

  async sleep(milliseconds: number): Promise<void> {
    this.#hold(-1);
    this.#waiting++;
    await this.#sleep(milliseconds);
    this.#waiting--;
    this.#hold(1);
  }

  async run(step: () => Promise<void>): Promise<void> {
    this.#isRunning = true;
    this.#hold(1);
    try {
      await step();
    } finally {
      this.#hold(-1);
      this.#isRunning = false;
    }
  }
}

class Simulation {
  readonly clock = new Clock();
  readonly truth = new Map<string, { bytes: Uint8Array; at: number }>();
  readonly next: () => number;
  executions = 0;
  wrong: string | undefined;
  readonly known: KnownRun;
  readonly fault: Fault | undefined;
  removed = false;

  constructor(known: KnownRun, seed: number, fault: Fault | undefined) {
    this.known = known;
    this.next = random(seed);
    this.fault = fault;
  }

  /** Whether the last step is done. */
  get isOver(): boolean {
    return this.truth.has(`${this.known.run}/finish/0.skry`);
  }

  /** A moment between two lengths, most of them short. */
  moment(most: number): number {
    return this.next() ** 3 * most;
  }

  /** The storage as a worker sees it, whose listings may be late by `stale`. */
  keys(worker: { alive: boolean; frozen: number }, stale: number, held: HeldSteps): Keys {
    const { truth, clock } = this;
    const lists = new Map<string, string[]>();
    const turn = async (): Promise<void> => {
      await held.sleep(1 + this.moment(40));
      // A frozen worker goes on later as if nothing had been.
      if (worker.frozen > clock.now) await held.sleep(worker.frozen - clock.now);
      if (!worker.alive) throw new Died();
      if (this.next() < 0.002) throw new Error("503");
    };
    const isSeen = (key: string, at: number): boolean => key.endsWith("plan.json") || at <= clock.now - stale;
    return {
      get: async (key) => {
        await turn();
        const found = truth.get(key);
        if (!found || !isSeen(key, found.at)) return undefined;
        return new Uint8Array(found.bytes);
      },
      set: async (key, bytes) => {
        await turn();
        const before = truth.get(key);
        if (this.fault === "writes without atomicity") {
          truth.set(key, { bytes: bytes.slice(0, bytes.length >> 1), at: clock.now });
          await turn();
        }
        truth.set(key, { bytes: bytes.slice(), at: before ? before.at : clock.now });
        // The reply may get lost after the bytes were taken.
        if (this.next() < 0.003) throw new Error("the connection was reset");
      },
      list: async (prefix) => {
        await turn();
        const old = lists.get(prefix);
        if (old && this.fault === "believes a stale list for ever") return old;
        const names = [...truth].flatMap(([key, { at }]) =>
          key.startsWith(`${prefix}/`) && isSeen(key, at) ? [key.slice(prefix.length + 1)] : [],
        );
        lists.set(prefix, names);
        return names;
      },
      remove: async (prefix) => {
        await turn();
        for (const key of truth.keys()) if (key === prefix || key.startsWith(`${prefix}/`)) truth.delete(key);
      },
    };
  }

  /** The run as a worker has it. */
  open(id: number, worker: { alive: boolean; frozen: number }, stale: number): Run {
    const { known, clock, fault } = this;
    const held = new HeldSteps(clock);
    const keys = this.keys(worker, stale, held);
    const patience = { milliseconds: 90_000, sleep: (ms: number) => held.sleep(ms) };
    const storage = new (known.open ? Storage : SimulatedStorage)(keys, known.run, patience);
    const real = known.open?.(storage);
    const step = async (name: StepName): Promise<StepReport> => {
      this.#begins(name);
      const own = known.steps.get(nameOf(name)) as KnownStep;
      try {
        if (real) await held.run(() => real(name));
        else await this.#do(name, own, storage, id);
      } catch (error) {
        if (error instanceof Died || (error instanceof ClusterError && error.failure === "cancelled")) throw error;
        if (fault === "takes a failure for success") {
          const last = own.writes.at(-1) as KnownStep["writes"][number];
          await keys.set(last.key, last.bytes);
        }
        await storage.fail(name, (error as Error).message);
        throw new ClusterError("failed", (error as Error).message);
      }
      const report = { ...name, milliseconds: 1, input: { bytes: 0, chunks: 0 }, read: 0, written: 0 };
      await storage.report(report);
      return report;
    };
    return { plan: known.plan, run: known.run, phases: known.phases, storage, step, close: async () => undefined };
  }

  /** Checks, with the truth, that no step begins before every step of the phase before has ended. */
  #begins({ phase }: StepName): void {
    this.executions++;
    if (this.removed) return;
    const at = this.known.phases.findIndex(({ name }) => name === phase);
    for (const before of this.known.phases.slice(0, at)) {
      for (let i = 0; i < before.steps; i++) {
        const { writes } = this.known.steps.get(`${before.name} ${i}`) as KnownStep;
        if (writes.every(({ key }) => this.truth.has(key))) continue;
        this.wrong ??= `${phase} began before ${before.name} ${i} was there`;
      }
    }
  }

  async #do(name: StepName, own: KnownStep, storage: Storage, id: number): Promise<void> {
    const { fault, clock } = this;
    let lacks = false;
    for (const { key, digest } of own.reads) {
      const [, kind, file] = key.split("/");
      if (!file?.endsWith(".skry")) continue;
      const number = Number.parseInt(file, 10);
      if (fault !== "takes what is seen late for empty") await storage.read(kind, number);
      else if (!(await storage.find(kind, number))) lacks = true;
      // What was read is what another worker wrote.
      const bytes = this.truth.get(key)?.bytes;
      if (bytes && digestOf(bytes) !== digest) this.wrong ??= `${nameOf(name)} read another ${key}`;
    }
    await clock.sleep(5 + this.moment(3000));
    const writes = fault === "marks a step before its outputs" ? [...own.writes].reverse() : own.writes;
    for (const { key, bytes } of writes) {
      if (fault !== "loses the fence") await storage.fence();
      let made = lacks ? new Uint8Array(1) : bytes;
      if (fault === "ids depend on the worker") made = Uint8Array.of(...bytes, id);
      const before = this.truth.get(key);
      if (fault === "adds to what was written before" && before) made = Uint8Array.of(...before.bytes, ...bytes);
      if (fault === "finishes twice" && name.phase === "finish" && this.truth.has(key)) made = new Uint8Array(0);
      await storage.keys.set(key, made);
    }
  }
}

interface Delivered {
  readonly phase: Phase["name"];
  readonly number?: number;
}

/** A queue that delivers at least once, if it is not lost. */
class SimulatedQueue {
  readonly waiting: Delivered[] = [];
  readonly #simulation: Simulation;

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
  }

  add(jobs: readonly Delivered[]): void {
    const { next } = this.#simulation;
    for (const job of jobs) {
      const known = this.waiting.some((each) => each.phase === job.phase && each.number === job.number);
      if (known) continue;
      if (next() < 0.01) continue;
      this.waiting.push(job);
      if (next() < 0.05) this.waiting.push(job);
    }
  }

  take(): Delivered | undefined {
    const { next } = this.#simulation;
    if (this.waiting.length === 0) return undefined;
    const at = next() < 0.3 ? Math.floor(next() * this.waiting.length) : 0;
    return this.waiting.splice(at, 1)[0];
  }
}

async function workQueue(
  simulation: Simulation,
  run: Run,
  queue: SimulatedQueue,
  worker: { alive: boolean },
): Promise<void> {
  const { clock, fault } = simulation;
  let pause = 100;
  while (worker.alive && !simulation.isOver) {
    const job = queue.take();
    if (!job) {
      pause = Math.min(5000, pause * 1.5);
      await clock.sleep(pause);
      continue;
    }
    pause = 100;
    const phase = run.phases.find(({ name }) => name === job.phase) as Phase;
    try {
      if (job.number !== undefined) {
        await run.step({ phase: job.phase, number: job.number });
        continue;
      }
      const found = await seal(run.storage, run.phases, job.phase);
      const isEarly =
        fault === "seals before the list is complete" && found.kind === "open" && found.missing.length === 1;
      const following = run.phases[run.phases.indexOf(phase) + 1];
      const begun = found.kind === "sealed" ? found.next : isEarly ? following : undefined;
      if (begun)
        queue.add([
          ...Array.from({ length: begun.steps }, (_, number) => ({ phase: begun.name, number })),
          { phase: begun.name },
        ]);
      else if (found.kind === "open") {
        if (fault !== "never delivers again what was lost")
          queue.add(found.missing.map((number) => ({ phase: job.phase, number })));
        await clock.sleep(300);
        if (fault !== "loses its barrier") queue.add([job]);
      }
    } catch (error) {
      if (error instanceof Died) return;
      // A job that fails is delivered again by its barrier; a barrier by the one who submits.
    }
  }
}

/** Runs one schedule. */
export async function simulate(known: KnownRun, seed: number, fault?: Fault): Promise<Outcome> {
  const simulation = new Simulation(known, seed, fault);
  const { clock, next } = simulation;
  const onQueue = next() < 0.5;
  const isRemoved = next() < 0.1;
  simulation.truth.set(`${known.run}/plan.json`, { bytes: known.planBytes, at: -1e9 });
  const queue = new SimulatedQueue(simulation);
  const workers = 1 + Math.floor(next() * 4);
  // Listings and objects are seen late by some machines: attribute caches of NFS.
  const isStale = next() < 0.3;
  const begin = (k: number, n: number): void => {
    const worker = { alive: true, frozen: 0 };
    const run = simulation.open(k, worker, isStale ? next() * 20_000 : 0);
    // Every worker but the last of all dies or freezes at some time, or never.
    const fate = next();
    if (fate < 0.25) {
      clock.sleep(simulation.moment(60_000)).then(() => {
        worker.alive = false;
        clock.sleep(500).then(() => begin(k, n));
      });
    } else if (fate < 0.5) {
      clock.sleep(simulation.moment(30_000)).then(() => {
        worker.frozen = clock.now + simulation.moment(200_000);
      });
    }
    const sleep = (milliseconds: number): Promise<void> => clock.sleep(milliseconds);
    const options = { part: [k, n] as const, sleep, now: () => clock.now, pause: 200 };
    const working = onQueue ? workQueue(simulation, run, queue, worker) : work(run, options).then(() => undefined);
    working.catch((error) => {
      // A worker that ends with an error is started again, by its scheduler.
      if (error instanceof Died || simulation.removed) return;
      worker.alive = false;
      clock.sleep(2000).then(() => begin(k, n));
    });
  };
  for (let k = 1; k <= workers; k++) begin(k, workers);
  const patient = { alive: true, frozen: 0 };
  const watcher = simulation.open(0, patient, 0);
  // The one who submits looks now and then, and submits what is missing; it forgives failures.
  const submit = async (): Promise<void> => {
    for (;;) {
      try {
        await watcher.storage.forgive();
        const found = await nextPhase(watcher.storage, known.phases);
        if (!found) return;
        const { name } = found.phase;
        if (fault !== "never delivers again what was lost" || queue.waiting.length === 0) {
          if (onQueue && fault !== "loses its barrier" && fault !== "never delivers again what was lost") {
            queue.add([...found.missing.map((number) => ({ phase: name, number })), { phase: name }]);
          } else if (onQueue && clock.now === 0) {
            queue.add([...found.missing.map((number) => ({ phase: name, number })), { phase: name }]);
          }
        }
      } catch {
        // Refusals of the storage.
      }
      await clock.sleep(60_000);
    }
  };
  if (onQueue) {
    const { phase } = (await firstOf(known)) as { phase: Phase };
    queue.add([
      ...Array.from({ length: phase.steps }, (_, number) => ({ phase: phase.name, number })),
      { phase: phase.name },
    ]);
  }
  submit();
  if (isRemoved) {
    clock.sleep(simulation.moment(40_000)).then(() => {
      // At once: the plan goes first, and with it the right to write.
      simulation.removed = true;
      for (const key of simulation.truth.keys()) if (key.startsWith(`${known.run}/`)) simulation.truth.delete(key);
    });
    // What was on its way arrives, or does not.
    await clock.go(() => false, 900_000);
    const last = [...simulation.truth].filter(([key, { at }]) => key.startsWith(`${known.run}/`) && at > 0);
    const late = last.filter(([, { at }]) => at > 400_000);
    if (late.length > 0) simulation.wrong ??= `${late[0][0]} was written long after the run was removed`;
    return { ...wrongOf(simulation), milliseconds: clock.now, executions: simulation.executions };
  }
  await clock.go(() => simulation.isOver || simulation.wrong !== undefined, MOST_MILLISECONDS);
  if (!simulation.isOver) simulation.wrong ??= "the run got stuck";
  // Whoever is late, or frozen, ends what it had begun.
  const end = clock.now + 400_000;
  await clock.go(() => false, end);
  for (const [key, digest] of known.result) {
    const found = simulation.truth.get(key);
    if (!found || digestOf(found.bytes) !== digest) simulation.wrong ??= `${key} is ${found ? "another" : "missing"}`;
  }
  return { ...wrongOf(simulation), milliseconds: clock.now, executions: simulation.executions };
}

async function firstOf({ phases }: KnownRun): Promise<{ phase: Phase }> {
  return { phase: phases[0] };
}

const wrongOf = ({ wrong }: Simulation): { wrong?: string } => (wrong === undefined ? {} : { wrong });

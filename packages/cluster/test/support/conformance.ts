// What every engine has to hold: steps are delivered at least once, perhaps twice, late or in another order, and get lost; the result is
// always the same.

import { readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { clean, type Run, status } from "../../src/index.js";
import { folder } from "./images.js";
import { expectedOf, type SmallRun, smallRun } from "./small-run.js";

/** A worker of an engine. */
export interface EngineWorker {
  /** Resolves when it has nothing to do with a run that is finished or removed. */
  readonly idle: Promise<void>;
  stop(): Promise<void>;
}

/** An engine, with what can go wrong with it. */
export interface EngineUnderTest {
  submit(run: Run): Promise<void>;
  /** Starts worker k of n on a run. */
  worker(run: SmallRun, k: number, n: number): Promise<EngineWorker>;
  /** Delivers every step of a phase once more, the last one first. */
  repeat(run: Run, phase: string): Promise<void>;
  /** Loses everything that was to be delivered. */
  lose(): Promise<void>;
}

/** Steps of a phase that are done. */
async function doneOf({ plan }: SmallRun, phase: string): Promise<number> {
  return (await status(plan)).phases.find((each) => each.phase === phase)?.done ?? 0;
}

async function until(isTrue: () => Promise<boolean>, what: string): Promise<void> {
  for (let i = 0; i < 1500; i++) {
    if (await isTrue()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`Expected ${what} within 30 s.`);
}

const finished = (own: SmallRun): Promise<void> => until(async () => (await status(own.plan)).isFinished, "the end");

/** Tests an engine. */
export function conformance(name: string, open: () => Promise<EngineUnderTest>): void {
  const begin = async (): Promise<{ engine: EngineUnderTest; own: SmallRun; run: Run; expected: string }> => {
    const path = await folder();
    const engine = await open();
    const expected = await expectedOf(path);
    const own = await smallRun(path, "own");
    return { engine, own, run: await own.open(), expected };
  };

  test(`${name}: two workers, one result`, async () => {
    const { engine, own, run, expected } = await begin();
    await engine.submit(run);
    const workers = await Promise.all([engine.worker(own, 1, 2), engine.worker(own, 2, 2)]);
    await finished(own);
    await Promise.all(workers.map((worker) => worker.stop()));
    expect(await own.written()).toBe(expected);
    const { input, phases } = await status(own.plan);
    expect(phases.every(({ steps, done }) => steps === done)).toBe(true);
    expect(input.chunks).toBe(18);
    await run.close();
  });

  test(`${name}: steps are delivered twice, in another order, and after the end`, async () => {
    const { engine, own, run, expected } = await begin();
    await engine.submit(run);
    const worker = await engine.worker(own, 1, 1);
    await until(async () => (await doneOf(own, "label")) > 2, "steps");
    await engine.repeat(run, "label");
    const other = await engine.worker(own, 1, 1);
    await finished(own);
    // Late: whatever was delivered before comes once more.
    for (const { name: phase, steps } of run.phases) {
      if (phase === "finish" || phase === "relabel") continue;
      await run.step({ phase, number: steps - 1 });
    }
    await run.step({ phase: "finish", number: 0 });
    await Promise.all([worker.stop(), other.stop()]);
    expect(await own.written()).toBe(expected);
    await run.close();
  });

  test(`${name}: a worker that stops in the middle, and a queue that is lost`, async () => {
    const { engine, own, run, expected } = await begin();
    await engine.submit(run);
    const worker = await engine.worker(own, 1, 2);
    await until(async () => (await doneOf(own, "label")) >= 2, "steps");
    await worker.stop();
    await engine.lose();
    const before = (await run.storage.reports()).length;
    await engine.submit(run);
    const other = await engine.worker(own, 2, 2);
    await finished(own);
    await other.stop();
    expect(await own.written()).toBe(expected);
    expect(before).toBeGreaterThan(0);
    await run.close();
  });

  test(`${name}: nothing to do`, async () => {
    const { engine, own, run } = await begin();
    await engine.submit(run);
    const worker = await engine.worker(own, 1, 1);
    await finished(own);
    await worker.stop();
    const again = await engine.worker(own, 1, 1);
    await engine.submit(run);
    await again.idle;
    await again.stop();
    await run.close();
  });

  test(`${name}: a run that is removed ends, and leaves nothing`, async () => {
    const { engine, own, run } = await begin();
    await engine.submit(run);
    const worker = await engine.worker(own, 1, 1);
    await until(async () => (await doneOf(own, "label")) >= 2, "steps");
    await clean(own.plan);
    await worker.idle;
    await worker.stop();
    const { isEnrolled } = await status(own.plan);
    expect(isEnrolled).toBe(false);
    expect((await readdir(own.folder)).filter((each) => each.includes("unfinished"))).toEqual([]);
    await run.close();
  });
}

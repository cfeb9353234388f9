// The engine on BullMQ with a real server: the conformance of engines, a server that is killed, and plans that are not what jobs say.

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Queue } from "bullmq";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { queueWorker, type Run, runOf, status, submitTo } from "../../src/index.js";
import { conformance, type EngineWorker } from "../support/conformance.js";
import { folder } from "../support/images.js";
import { hasRedis, RedisServer } from "../support/redis.js";
import { expectedOf, NONE, type SmallRun, smallRun } from "../support/small-run.js";

let server: RedisServer;

beforeAll(async () => {
  if (hasRedis) server = await RedisServer.start();
});
afterAll(() => server?.kill());

/** A queue, as an adversary has it. */
async function onQueue<T>(work: (queue: Queue) => Promise<T>): Promise<T> {
  const queue = new Queue("skerry-steps", { connection: { host: "127.0.0.1", port: server.port } });
  try {
    return await work(queue);
  } finally {
    await queue.close();
  }
}

/** Nothing waits, and nothing is worked on. */
async function isEmpty(): Promise<boolean> {
  const counts = await onQueue((queue) => queue.getJobCounts("waiting", "active", "delayed", "prioritized"));
  return Object.values(counts).every((count) => count === 0);
}

async function start(own: SmallRun): Promise<EngineWorker> {
  const worker = await queueWorker(server.url, { allow: [own.folder], threads: 1, patience: NONE });
  const idle = (async () => {
    while (!(await isEmpty())) await new Promise((resolve) => setTimeout(resolve, 50));
  })();
  idle.catch(() => undefined);
  return { idle, stop: () => worker.close() };
}

describe.skipIf(!hasRedis)("BullMQ", () => {
  conformance("a queue", async () => {
    await onQueue((queue) => queue.obliterate({ force: true }));
    return {
      submit: (run) => submitTo(server.url, run),
      worker: start,
      repeat: (run, phase) =>
        onQueue(async (queue) => {
          const { steps } = run.phases.find(({ name }) => name === phase) as { steps: number };
          const jobs = Array.from({ length: steps }, (_, i) => ({
            name: phase,
            data: { scratch: run.plan.scratch, run: run.run, phase, number: steps - 1 - i },
            opts: { lifo: true, removeOnComplete: true, removeOnFail: true },
          }));
          await queue.addBulk(jobs);
        }),
      lose: () => onQueue((queue) => queue.obliterate({ force: true })),
    };
  });

  test("a server that is killed in the middle, and starts again with nothing", async () => {
    const path = await folder();
    const expected = await expectedOf(path);
    const own = await smallRun(path, "own");
    const run = await own.open();
    const worker = await start(own);
    await submitTo(server.url, run);
    const doneOf = async (): Promise<number> => (await run.storage.reports()).length;
    while ((await doneOf()) < 4) await new Promise((resolve) => setTimeout(resolve, 20));
    await server.kill();
    await server.begin();
    await submitTo(server.url, run);
    while (!(await status(own.plan)).isFinished) await new Promise((resolve) => setTimeout(resolve, 50));
    await worker.stop();
    expect(await own.written()).toBe(expected);
    await run.close();
  });

  test("jobs of other folders, of changed plans and of unknown steps are refused", async () => {
    const path = await folder();
    const own = await smallRun(path, "own");
    const other = await smallRun(await folder(), "other");
    // A set: the queue delivers at least once, so that a job may be refused twice.
    const messages = new Set<string>();
    const worker = await queueWorker(server.url, {
      allow: [path],
      threads: 1,
      patience: NONE,
      onFailure: (message) => messages.add(message),
    });
    const run = runOf(own.plan);
    // A plan under the name of another one.
    const changed = join(path, "changed");
    await mkdir(join(changed, run), { recursive: true });
    const text = await readFile(join(own.plan.scratch, run, "plan.json"), "utf8");
    await writeFile(join(changed, run, "plan.json"), text.replace('"above":100', '"above":101'));
    const jobs: Record<string, unknown>[] = [
      { scratch: other.plan.scratch, run: runOf(other.plan), phase: "label", number: 0 },
      { scratch: changed, run, phase: "label", number: 0 },
      { scratch: own.plan.scratch, run, phase: "constructor", number: 0 },
      { scratch: own.plan.scratch, run, phase: "label", number: 1e9 },
      { scratch: own.plan.scratch, run: "../../etc", phase: "label", number: 0 },
    ];
    await onQueue((queue) => queue.addBulk(jobs.map((data) => ({ name: "step", data }))));
    while (messages.size < jobs.length) await new Promise((resolve) => setTimeout(resolve, 20));
    await worker.close();
    for (const expected of [
      /^Expected places below .*, got .*allow it with --allow/,
      /is not that of the run/,
      /Expected a phase of the plan/,
      /Expected a step of label from 0 to/,
      /Expected 16 hexadecimal digits/,
    ]) {
      expect([...messages].filter((message) => expected.test(message))).toHaveLength(1);
    }
    expect((await status(own.plan)).phases.every(({ done }) => done === 0)).toBe(true);
    const opened: Run = await own.open();
    await opened.close();
  });
});

// The engine on a folder: the conformance of engines, and what it does alone.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ClusterError, enroll, work } from "../src/index.js";
import { conformance, type EngineWorker } from "./support/conformance.js";
import { folder } from "./support/images.js";
import { type SmallRun, smallRun } from "./support/small-run.js";

async function start(own: SmallRun, k: number, n: number): Promise<EngineWorker> {
  const controller = new AbortController();
  const run = await own.open();
  const ended = work(run, { part: [k, n], signal: controller.signal, pause: 5 }).catch((error) => {
    const isEnd = controller.signal.aborted || (error instanceof ClusterError && error.failure === "cancelled");
    if (!isEnd) throw error;
  });
  return {
    idle: ended.then(() => undefined),
    async stop() {
      controller.abort(new Error("stopped"));
      await ended;
      await run.close();
    },
  };
}

conformance("a folder", async () => ({
  submit: async (run) => run.storage.forgive(),
  worker: start,
  async repeat(run, phase) {
    const { steps } = run.phases.find(({ name }) => name === phase) as { steps: number };
    for (let number = steps - 1; number >= 0; number--) await run.step({ phase: phase as "label", number });
  },
  lose: async () => undefined,
}));

test("a chunk that is damaged ends the run with its key, and a run goes on once it is mended", async () => {
  const own = await smallRun(await folder(), "own");
  const chunk = join(own.folder, "image.zarr/0/c/0/1/1");
  const whole = await readFile(chunk);
  await writeFile(chunk, "damaged");
  const run = await own.open();
  await expect(work(run)).rejects.toThrow(/^Step label \d+ failed.*Could not decode .*image\.zarr\/0\/c\/0\/1\/1/);
  const failures = await run.storage.failures();
  expect(failures).toMatchObject([{ phase: "label", attempts: 3 }]);
  await writeFile(chunk, whole);
  await run.storage.forgive();
  await enroll(run.plan, undefined, { sameInput: true });
  expect(await work(run)).toBe("finished");
  await run.close();
});

test("a task whose time is over leaves what it did", async () => {
  const own = await smallRun(await folder(), "own");
  const run = await own.open();
  expect(await work(run, { milliseconds: 0 })).toBe("time");
  expect(await work(run)).toBe("finished");
  await run.close();
});

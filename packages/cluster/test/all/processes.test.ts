// Real processes over a folder: killed, frozen and woken; and a folder whose listings are old, as on NFS. Uses the build of the command.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { FileStore } from "@skerry/files/zarr/internal";
import { expect, test } from "vitest";
import { type Keys, openRun, status, work } from "../../src/index.js";
import { random } from "../support/clock.js";
import { folder } from "../support/images.js";
import { expectedOf, type SmallRun, smallRun } from "../support/small-run.js";

const skerry = fileURLToPath(new URL("../../../cli/bin/skerry.js", import.meta.url));
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

function start(own: SmallRun, part: string): { child: ChildProcess; ended: Promise<number | string> } {
  const args = [skerry, "cluster", "worker", "--run", "plan.json", "--part", part, "--threads", "1", "--quiet"];
  const child = spawn(process.execPath, args, { cwd: own.folder, stdio: ["ignore", "ignore", "inherit"] });
  const ended = new Promise<number | string>((resolve) =>
    child.on("close", (code, signal) => resolve(signal ?? code ?? 0)),
  );
  return { child, ended };
}

test.each([1, 2, 3])("workers that are killed and frozen, seed %i", { timeout: 120_000 }, async (seed) => {
  const path = await folder();
  const expected = await expectedOf(path);
  const own = await smallRun(path, "own");
  await writeFile(join(own.folder, "plan.json"), JSON.stringify(own.plan));
  const next = random(seed);
  const frozen: ChildProcess[] = [];
  let workers = [start(own, "1/2"), start(own, "2/2")];
  for (let i = 0; i < 6 && !(await status(own.plan)).isFinished; i++) {
    await pause(200 + next() * 600);
    const at = Math.floor(next() * 2);
    const { child, ended } = workers[at];
    if (next() < 0.5) {
      child.kill("SIGKILL");
      await ended;
    } else {
      child.kill("SIGSTOP");
      frozen.push(child);
    }
    workers = workers.map((worker, k) => (k === at ? start(own, `${k + 1}/2`) : worker));
  }
  while (!(await status(own.plan)).isFinished) await pause(100);
  expect(await own.written()).toBe(expected);
  // Those that were frozen wake into a run that is finished.
  for (const child of frozen) child.kill("SIGCONT");
  await Promise.all(workers.map(({ ended }) => ended));
  await pause(500);
  expect(await own.written()).toBe(expected);
  for (const child of frozen) child.kill("SIGKILL");
});

/** Keys whose listings, and whose missing objects, are as old as a client of NFS may see them. */
function stale(keys: Keys, milliseconds: number): Keys {
  const listed = new Map<string, { names: string[]; at: number }>();
  const missing = new Map<string, number>();
  return {
    async get(key) {
      const since = missing.get(key);
      if (since !== undefined && performance.now() - since < milliseconds) return undefined;
      const found = await keys.get(key);
      if (found) missing.delete(key);
      else missing.set(key, performance.now());
      return found;
    },
    set: (key, bytes) => keys.set(key, bytes),
    async list(prefix) {
      const known = listed.get(prefix);
      if (known && performance.now() - known.at < milliseconds) return known.names;
      const names = await keys.list(prefix);
      listed.set(prefix, { names, at: performance.now() });
      return names;
    },
    remove: (prefix) => keys.remove(prefix),
  };
}

test("two workers over a folder whose listings are old", { timeout: 120_000 }, async () => {
  const path = await folder();
  const expected = await expectedOf(path);
  const own = await smallRun(path, "own");
  await mkdir(own.folder, { recursive: true });
  const ended = await Promise.all(
    [1, 2].map(async (k) => {
      const keys = stale(new FileStore(own.plan.scratch), 300);
      const run = await openRun(own.plan, { allow: [path], threads: 1, keys });
      const how = await work(run, { part: [k, 2], pause: 50 });
      await run.close();
      return how;
    }),
  );
  expect(ended).toEqual(["finished", "finished"]);
  expect(await own.written()).toBe(expected);
});

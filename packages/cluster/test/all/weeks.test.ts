// A worker of a queue for weeks: memory, threads and open files after many runs are those after the second. SKERRY_RUNS=200 takes more.

import { readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { expect, test } from "vitest";
import { clean, queueWorker, status, submitTo } from "../../src/index.js";
import { folder } from "../support/images.js";
import { hasRedis, RedisServer } from "../support/redis.js";
import { NONE, smallRun } from "../support/small-run.js";

const runs = Number(process.env.SKERRY_RUNS ?? 12);

test.runIf(hasRedis)(
  "one worker does run after run, and keeps nothing of those that are finished",
  async () => {
    const server = await RedisServer.start();
    const path = await folder();
    const worker = await queueWorker(server.url, { allow: [path], threads: 1, patience: NONE });
    const seen: { files: number; threads: number; mebibytes: number }[] = [];
    for (let n = 0; n < runs; n++) {
      const own = await smallRun(path, `run-${n}`);
      const run = await own.open();
      await submitTo(server.url, run);
      while (!(await status(own.plan)).isFinished) await new Promise((resolve) => setTimeout(resolve, 20));
      await run.close();
      await clean(own.plan);
      await rm(own.folder, { recursive: true });
      // The last job ends a little after the run.
      await new Promise((resolve) => setTimeout(resolve, 50));
      global.gc?.();
      seen.push({
        files: readdirSync("/proc/self/fd").length,
        threads: readdirSync("/proc/self/task").length,
        mebibytes: Math.round(process.memoryUsage.rss() / 2 ** 20),
      });
    }
    console.log(JSON.stringify([seen[1], seen[Math.floor(runs / 2)], seen.at(-1)]));
    expect(seen.at(-1)?.files).toBeLessThanOrEqual(seen[1].files + 2);
    expect(seen.at(-1)?.threads).toBeLessThanOrEqual(seen[1].threads + 1);
    await worker.close();
    await server.kill();
  },
  1_800_000,
);

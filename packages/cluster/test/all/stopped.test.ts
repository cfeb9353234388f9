// Workers that are stopped, or killed, at their operations on files, on a bucket and with a queue. SKERRY_EVERY=1 takes each operation; by default
// some of them.

import { execFileSync } from "node:child_process";
import { afterAll, describe, expect, test, vi } from "vitest";
import { serveS3, variablesOf } from "../../../files/test/zarr/support/s3.js";
import { folder } from "../support/images.js";
import { hasRedis, RedisServer } from "../support/redis.js";
import { type Ground, makeInput, stoppedAt, traced, undisturbed } from "../support/stopped.js";

const first = Number(process.env.SKERRY_FIRST ?? 0);
const closing: (() => unknown)[] = [];
afterAll(async () => {
  vi.unstubAllEnvs();
  for (const close of closing) await close();
});

const GROUNDS: Record<string, { readonly every: number; readonly open: () => Promise<Ground> }> = {
  "a folder": { every: 29, open: async () => ({ kind: "folder" }) },
  "a bucket": {
    every: 67,
    async open() {
      const server = await serveS3();
      closing.push(() => server.close());
      for (const [name, value] of Object.entries(variablesOf(server))) vi.stubEnv(name, value);
      return { kind: "bucket", objects: server.objects };
    },
  },
  ...(hasRedis
    ? {
        "a queue": {
          every: 199,
          async open() {
            const server = await RedisServer.start();
            closing.push(() => server.kill());
            return { kind: "queue", url: server.url } as const;
          },
        },
      }
    : {}),
};

const hasStrace = ((): boolean => {
  try {
    execFileSync("strace", ["-V"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

test.skipIf(!hasStrace)(
  "a worker renames, links and writes nothing but through the operations that are stopped",
  async () => {
    const path = await folder();
    await makeInput(path);
    const { told, seen } = await traced(path);
    expect(seen).toEqual(told);
    expect(told.rename).toBeGreaterThan(50);
  },
);

describe.each(Object.entries(GROUNDS))("%s", (_, { every, open }) => {
  test.each(["SIGSTOP", "SIGKILL"] as const)(
    "a worker that gets %s at any operation harms nothing",
    async (by) => {
      const path = await folder();
      await makeInput(path);
      const ground = await open();
      const { operations, tree } = await undisturbed(path, ground);
      expect(operations).toBeGreaterThan(200);
      const wrong: string[] = [];
      for (let at = first; at < operations; at += Number(process.env.SKERRY_EVERY ?? every)) {
        const own = await stoppedAt(path, ground, at, by, tree);
        if (own !== undefined) wrong.push(`${by} at ${at} of ${operations}: ${own}`);
      }
      expect(wrong).toEqual([]);
    },
    3_600_000,
  );
});

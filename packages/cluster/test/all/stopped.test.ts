// Workers that are stopped, or killed, at their file operations. SKERRY_EVERY=1 takes each operation; every 29th by default.

import { expect, test } from "vitest";
import { folder } from "../support/images.js";
import { makeInput, stoppedAt, undisturbed } from "../support/stopped.js";

const every = Number(process.env.SKERRY_EVERY ?? 29);
const first = Number(process.env.SKERRY_FIRST ?? 0);

test.each(["SIGSTOP", "SIGKILL"] as const)(
  "a worker that gets %s at any file operation harms nothing",
  async (by) => {
    const path = await folder();
    await makeInput(path);
    const { operations, tree } = await undisturbed(path);
    expect(operations).toBeGreaterThan(200);
    const wrong: string[] = [];
    for (let at = first; at < operations; at += every) {
      const own = await stoppedAt(path, at, by, tree);
      if (own !== undefined) wrong.push(`${by} at ${at} of ${operations}: ${own}`);
    }
    expect(wrong).toEqual([]);
  },
  3_600_000,
);

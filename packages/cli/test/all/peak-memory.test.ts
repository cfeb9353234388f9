// The most memory that a map takes, in a process of its own: at most what --memory says.

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { random } from "@skerry/scenes";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "skerry-memory-"));
});
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);

describe("peak memory", () => {
  test.each([
    ["truncated", 256, ["--max", "30"]],
    ["whole, through a file", 256, []],
  ])("%s: within %i MiB", { retry: 2 }, (_, mebibytes, args) => {
    // On a busy machine the collector may come late once; 236 MiB is usual.
    // 512 x 512 x 512: 537 MB of values.
    const size = 512;
    const path = at("large.raw");
    if (!existsSync(path)) {
      const data = new Uint8Array(size ** 3);
      const next = random(5);
      for (let i = 0; i < 2000; i++) data[next() % data.length] = 255;
      writeFileSync(path, data);
    }
    const script = `
      process.argv.splice(2, 0, ...JSON.parse(process.env.SKERRY_ARGS));
      await (await import(process.env.SKERRY_MAIN)).main(process.argv);
      // What a process inherits when it is forked counts in maxRSS, not in VmHWM.
      const { existsSync, readFileSync } = await import("node:fs");
      const status = existsSync("/proc/self/status") ? readFileSync("/proc/self/status", "utf8") : "";
      const own = /VmHWM:\\s*(\\d+) kB/.exec(status);
      console.error((own ? Number(own[1]) : process.resourceUsage().maxRSS) * 1024);
    `;
    const own = [
      "distance",
      path,
      "--shape",
      "512,512,512",
      ...args,
      "--memory",
      `${mebibytes}M`,
      "-o",
      at("out.npy"),
      "--threads",
      "2",
    ];
    const main = new URL("../../bundle/main.js", import.meta.url).href;
    const env = { ...process.env, SKERRY_ARGS: JSON.stringify(own), SKERRY_MAIN: main };
    const done = spawnSync(process.execPath, ["--input-type=module", "-e", script, "skerry"], {
      encoding: "utf8",
      env,
    });
    expect(done.status, done.stderr).toBe(0);
    const peak = Number(done.stderr.trim().split("\n").at(-1));
    console.log(`${(peak / 2 ** 20).toFixed(0)} MiB`);
    expect(peak).toBeGreaterThan(0);
    expect(peak).toBeLessThanOrEqual(mebibytes * 2 ** 20);
  });
});

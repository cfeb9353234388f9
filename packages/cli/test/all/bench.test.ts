// skerry info --bench, which opens every device that there is.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { open } from "skerry";
import { afterAll, describe, expect, test } from "vitest";
import { run } from "../support/run.js";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const cells = join(root, "samples/cells.png");
const folder = mkdtempSync(join(tmpdir(), "skerry-bench-"));
afterAll(() => rmSync(folder, { recursive: true }));

const gpu = await open({ device: "gpu" }).then(
  (engine) => engine.close().then(() => true),
  () => false,
);

describe("skerry info --bench", () => {
  test("one row per device and thread count, all with the same result", async () => {
    const { code, out, err } = await run(
      ["info", "--bench", cells, "--threshold", "otsu", "--rounds", "1", "--json"],
      folder,
    );
    expect(code).toBe(0);
    expect(err.includes("note: ")).toBe(!gpu);
    const rows = JSON.parse(out) as { device: string; digest: string; objects: number }[];
    expect(rows.filter(({ device }) => device.startsWith("cpu")).length).toBeGreaterThan(0);
    expect(rows.some(({ device }) => device.startsWith("gpu"))).toBe(gpu);
    expect(new Set(rows.map(({ digest }) => digest)).size).toBe(1);
    expect(rows[0]?.objects).toBe(60);
  });

  test("a table for people, and a note where there is no GPU", () => {
    const bin = join(root, "packages/cli/bin/skerry.js");
    // An empty list of drivers: no adapter is found, whatever the machine has.
    const env = { ...process.env, VK_ICD_FILENAMES: "/dev/null", VK_DRIVER_FILES: "/dev/null" };
    const { stdout, stderr } = spawnSync(process.execPath, [bin, "info", cells, "--bench", "--rounds", "1"], {
      encoding: "utf8",
      env,
    });
    expect(stdout).toContain("first call");
    expect(stdout).toContain("All results are the same.");
    expect(stderr).toContain("note: WebGPU found no adapter");
  });

  test("other tasks, with the same values on every device, and refused names", async () => {
    const only = ["info", "--bench", cells, "--threshold", "otsu", "--rounds", "1", "--only", "fill,distance,kmeans"];
    const { code, out } = await run([...only, "--json"], folder);
    expect(code).toBe(0);
    const rows = JSON.parse(out) as { times: Record<string, number>; digest: string; objects?: number }[];
    for (const { times, objects } of rows) {
      expect(Object.keys(times)).toEqual(["fill", "distance", "kmeans"]);
      expect(objects).toBeUndefined();
    }
    expect(new Set(rows.map(({ digest }) => digest)).size).toBe(1);
    expect(await run(["info", "--bench", cells, "--only", "fil"], folder)).toEqual({
      code: 2,
      out: "",
      err: "skerry: Expected --only to list labels, fill, distance, kmeans, got fil.\n",
    });
  });

  test("a wrong call and a missing file", async () => {
    expect(await run(["info", "--bench"], folder)).toMatchObject({
      code: 2,
      err: expect.stringContaining("see skerry info --bench --help"),
    });
    expect((await run(["info", "--bench", "none.png"], folder)).code).toBe(1);
  });
});

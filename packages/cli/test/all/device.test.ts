// skerry info and --device, through the command itself. Tests that need an adapter skip where there is
// none, unless SKERRY_REQUIRE_GPU=1.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { open } from "skerry";
import { afterAll, describe, expect, test } from "vitest";
import { run } from "../support/run.js";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const cells = join(root, "samples/cells.png");
const folder = mkdtempSync(join(tmpdir(), "skerry-device-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function skerry(...args: string[]): Promise<{ status: number; stdout: string; stderr: string }> {
  const { code, out, err } = await run(args, folder);
  return { status: code, stdout: out, stderr: err };
}

const gpu = await open({ device: "gpu" }).then(
  async (engine) => {
    await engine.close();
    return true;
  },
  (error: Error) => {
    if (process.env.SKERRY_REQUIRE_GPU === "1") throw error;
    console.warn(`tests of --device gpu are skipped: ${error.message}`);
    return false;
  },
);

describe("skerry info", () => {
  test("tells versions, threads and the adapter", async () => {
    const { status, stdout } = await skerry("info");
    expect(status).toBe(0);
    expect(stdout).toMatch(/^skerry +\d+\.\d+\.\d+, Node v\d+/);
    expect(stdout).toMatch(/cpu .* cores; \d+ threads? over shared memory/);
    expect(stdout).toMatch(gpu ? /limits +\d+ MiB bound at once/ : /gpu +none/);
  });

  test("as JSON", async () => {
    const info = JSON.parse((await skerry("info", "--json")).stdout) as { cpu: { threads: number }; gpu?: object };
    expect(info.cpu.threads).toBeGreaterThan(0);
    expect(info.gpu !== undefined).toBe(gpu);
  });
});

describe("--device", () => {
  test.skipIf(!gpu)("gpu and cpu write the same files", async () => {
    for (const device of ["gpu", "cpu"]) {
      const { status, stdout, stderr } = await skerry(
        "label",
        cells,
        "--threshold",
        "otsu",
        "--fill-holes",
        "--device",
        device,
        "--timing",
        "-o",
        `${device}.npy`,
        "--regions",
        `${device}.csv`,
        "--runs",
        `${device}-runs.csv`,
      );
      expect(status).toBe(0);
      expect(stdout).toContain(`ms on ${device}, `);
      expect(stderr.includes("GPU ms")).toBe(device === "gpu");
    }
    for (const name of [".npy", ".csv", "-runs.csv"]) {
      expect(readFileSync(join(folder, `gpu${name}`)).equals(readFileSync(join(folder, `cpu${name}`)))).toBe(true);
    }
  });

  test("auto stays on the CPU for one small picture", async () => {
    const { stdout } = await skerry("label", cells, "--threshold", "otsu", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ device: "cpu", count: 60 });
  });

  test("gpu without one is one sentence on stderr, and nothing of the drivers'", () => {
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("VK_")));
    const bin = join(root, "packages/cli/bin/skerry.js");
    const args = [bin, "label", cells, "--threshold", "otsu", "--device", "gpu", "--json"];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", env });
    const none =
      status === 1 ? "skerry: WebGPU found no adapter in this process; --device cpu runs without one.\n" : "";
    expect({ status, stderr }).toEqual({ status: none ? 1 : 0, stderr: none });
  });

  test("another name is a wrong call", async () => {
    expect(await skerry("label", cells, "--device", "tpu")).toMatchObject({
      status: 2,
      stderr: "skerry: Expected --device to be auto, gpu or cpu, got tpu.\n",
    });
  });
});

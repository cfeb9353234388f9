// Runs over many machines through the command line: a plan, workers of this machine, status, steps, what is refused.

import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "./support/run.js";

const sample = fileURLToPath(new URL("../../../samples/cells.zarr", import.meta.url));
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "skerry-cli-plan-"));
  cpSync(sample, join(folder, "cells.zarr"), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true }));

const at = (name: string): string => join(folder, name);
const skerry = (...args: string[]) => run(args, folder);
const PROPERTIES = ["--properties", "area,centroid,bounds,surfaceArea,eulerNumber"];

/** Plans into a file. */
async function planned(name: string, ...args: string[]): Promise<void> {
  const { code, err, out } = await skerry("cluster", "plan", ...args);
  expect([code, err]).toEqual([0, ""]);
  writeFileSync(at(name), out);
}

test("plan, submit, status, clean: labels and tables of one process", async () => {
  await planned(
    "plan.json",
    "label",
    "cells.zarr",
    "--threshold",
    ">120",
    ...PROPERTIES,
    "-o",
    "cells.zarr",
    "--name",
    "many",
    "--regions",
    "--block",
    "64",
  );
  const before = await skerry("cluster", "status", "plan.json");
  expect(before.out).toMatch(/not submitted, or removed/);
  const result = await skerry("cluster", "submit", "plan.json", "--workers", "2", "--allow", folder);
  expect([result.code, result.err]).toEqual([0, ""]);
  expect(result.out).toMatch(/finished in/);
  const told = JSON.parse((await skerry("cluster", "status", "plan.json", "--json")).out);
  expect(told).toMatchObject({ isFinished: true, failures: [], input: { chunks: 18 } });
  await skerry(
    "label",
    "cells.zarr",
    "--threshold",
    ">120",
    ...PROPERTIES,
    "-o",
    "cells.zarr",
    "--name",
    "one",
    "--regions",
  );
  const table = (name: string): string => readFileSync(at(`cells.zarr/labels/${name}/tables/regions.csv`), "utf8");
  expect(table("many")).toBe(table("one"));
  expect(existsSync(at("cells.zarr/labels/many/tables/regions.parquet/part-00000.parquet"))).toBe(true);
  // A finished run does nothing again.
  expect((await skerry("cluster", "submit", "plan.json", "--allow", folder)).code).toBe(0);
  expect((await skerry("cluster", "clean", "plan.json", "--allow", folder)).code).toBe(0);
  expect(existsSync(at(".cells.skerry"))).toBe(false);
  expect(
    (
      await skerry(
        "cluster",
        "plan",
        "label",
        "cells.zarr",
        "--threshold",
        ">120",
        "-o",
        "cells.zarr",
        "--name",
        "many",
      )
    ).err,
  ).toMatch(/Expected --overwrite/);
});

test("a recipe is planned, and its steps are done one by one", async () => {
  await skerry("label", "cells.zarr", "--threshold", ">120", "--min-area", "200", "--recipe", "cells.json", "--steps");
  await planned("steps.json", "cells.json", "cells.zarr", "--regions", "steps.csv", "--block", "128");
  await skerry("cluster", "submit", "steps.json", "--on", "slurm");
  const early = await skerry("cluster", "step", "steps.json", "--phase", "boom");
  expect([early.code, early.err]).toEqual([1, expect.stringMatching(/Expected a phase of the plan, label, seams/)]);
  const { phases } = JSON.parse((await skerry("cluster", "status", "steps.json", "--json")).out) as {
    phases: { phase: string; steps: number }[];
  };
  for (const { phase, steps } of phases) {
    for (let i = 0; i < steps; i++) {
      const { code, err } = await skerry(
        "cluster",
        "step",
        "steps.json",
        "--phase",
        phase,
        "--number",
        `${i}`,
        "--threads",
        "1",
      );
      expect([code, err]).toEqual([0, ""]);
    }
  }
  expect(readFileSync(at("steps.csv"), "utf8").split("\n").length).toBeGreaterThan(50);
});

test("Slurm's script", async () => {
  await planned("slurm.json", "label", "cells.zarr", "--threshold", "otsu", "--regions", "slurm.csv", "--block", "128");
  const { out, code } = await skerry(
    "cluster",
    "submit",
    "slurm.json",
    "--on",
    "slurm",
    "--workers",
    "32",
    "--task-minutes",
    "30",
  );
  expect(code).toBe(0);
  expect(out).toMatch(/^#!\/bin\/bash\n#SBATCH --job-name=skerry\n#SBATCH --array=1-32\n#SBATCH --time=30\n/);
  expect(out).toMatch(/--part "\$SLURM_ARRAY_TASK_ID\/32" --task-minutes 28/);
  const idle = await skerry("cluster", "submit", "slurm.json", "--on", "slurm", "--json");
  expect([idle.code, idle.err]).toEqual([2, expect.stringMatching(/Expected no --json with --on slurm/)]);
  const minutes = await skerry("cluster", "submit", "slurm.json", "--task-minutes", "30");
  expect([minutes.code, minutes.err]).toEqual([
    2,
    expect.stringMatching(/Expected --task-minutes together with --on slurm/),
  ]);
});

test("a dry run tells blocks, phases, bytes and memory", async () => {
  const { out } = await skerry(
    "cluster",
    "plan",
    "label",
    "cells.zarr",
    "--threshold",
    ">120",
    "--regions",
    "dry.csv",
    "--block",
    "64",
    "--dry-run",
  );
  expect(out).toMatch(/18 blocks of 64 x 64 x 64/);
  expect(out).toMatch(/phases: label 18, seams 18, merge 1, number 18, relabel 18, tables 2, finish 1/);
  expect(out).toMatch(/each chunk once/);
});

test.each([
  [
    ["cluster", "plan", "label", "cells.zarr", "--threshold", "otsu", "--split", "--regions", "a.csv"],
    /Expected no --split in a plan/,
  ],
  [["cluster", "plan", "label", "cells.zarr", "--regions", "a.csv"], /Expected a threshold in a plan/],
  [["cluster", "plan", "label", "cells.zarr", "--threshold", "otsu"], /Expected -o FILE\.zarr or --regions FILE/],
  [
    ["cluster", "plan", "label", "cells.zarr", "--threshold", "otsu", "--regions", "a.json"],
    /to end in \.csv or \.parquet/,
  ],
  [
    ["cluster", "plan", "label", "cells.zarr", "--threshold", "otsu", "--regions", "a.csv", "--properties", "solidity"],
    /that a plan supports.*got solidity/,
  ],
  [
    ["cluster", "plan", "label", "cells.zarr", "--threshold", "otsu", "--regions", "a.csv", "--block", "60"],
    /whole chunks, which are 64 x 64 x 64/,
  ],
  [
    ["cluster", "plan", "label", "cells.zarr", "--by", "labels", "--regions", "a.csv", "--properties", "mean"],
    /Expected --intensity FILE for mean/,
  ],
  [
    ["cluster", "plan", "label", "https://me:secret@host/a.zarr", "--threshold", "otsu", "--regions", "a.csv"],
    /without a user or a password in a plan, got one for host/,
  ],
  [["cluster", "plan", "cells.zarr"], /Expected label or RECIPE\.json behind plan/],
  [["cluster", "worker"], /Expected either redis:\/\/HOST or --run plan\.json/],
  [["cluster", "worker", "amqp://user:secret@host"], /Expected redis:\/\/HOST or rediss:\/\/HOST, got amqp:\/\/host/],
  [["cluster", "submit", "missing.json"], /Could not read missing\.json/],
])("%j is refused", async (args, message) => {
  const { code, err } = await skerry(...args);
  expect(err).toMatch(message);
  expect(code).toBeGreaterThan(0);
});

test("plans that lead elsewhere need --allow", async () => {
  await planned(
    "else.json",
    "label",
    "cells.zarr",
    "--threshold",
    "otsu",
    "--regions",
    "else.csv",
    "--scratch",
    tmpdir(),
    "--block",
    "128",
  );
  const { code, err } = await skerry("cluster", "submit", "else.json");
  expect([code, err]).toEqual([1, expect.stringMatching(/Expected places below .*allow it with --allow/)]);
});

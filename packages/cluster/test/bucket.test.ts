// Runs whose image and scratch are in a bucket, on a server with faults: the outputs are those of a folder.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { S3Store } from "@skerry/zarr";
import { afterEach, expect, test, vi } from "vitest";
import { type S3Fault, serveS3, variablesOf } from "../../zarr/test/support/s3.js";
import { clean, enroll, openRun, type Plan, plan, work } from "../src/index.js";
import { folder, rasterOf, store } from "./support/images.js";
import { NONE } from "./support/small-run.js";

afterEach(() => vi.unstubAllEnvs());

const SIZE = [16, 16, 8] as const;

async function planned(input: string, path: string, scratch: string): Promise<Plan> {
  return plan({
    recipe: { skerry: 1, operation: "components", options: { threshold: "otsu", connectivity: 26 } },
    ...{ input, output: join(path, "l.zarr"), regions: join(path, "t.csv"), block: [8, 8, 8], scratch },
  });
}

async function outputsIn(path: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
    const name = join(entry.parentPath, entry.name).slice(path.length + 1);
    const isOutput = entry.isFile() && /^(l\.zarr|t\.csv)/.test(name) && !name.endsWith(".run");
    if (isOutput) found.set(name, await readFile(join(path, name), "base64"));
  }
  return found;
}

async function twoWorkers(made: Plan, allow: readonly string[]): Promise<void> {
  await Promise.all(
    [1, 2].map(async (k) => {
      const run = await openRun(made, { allow, threads: 1, patience: NONE });
      await work(run, { part: [k, 2], pause: 5 });
      await run.close();
    }),
  );
}

test("two workers over a bucket that fails give what a folder gives", async () => {
  const path = await folder();
  const data = new Uint8Array(SIZE[0] * SIZE[1] * SIZE[2]).map((_, i) => ((i * 2654435761) >>> 0) / 2 ** 24);
  await store(join(path, "v.zarr"), rasterOf(data, SIZE), { type: "u8", chunks: [8, 8, 4] });
  const alone = await planned(join(path, "v.zarr"), join(path, "one"), join(path, "one/scratch"));
  await enroll(alone);
  await twoWorkers(alone, [path]);

  let fault: (index: number) => S3Fault = () => "none";
  const served = await serveS3((index) => fault(index));
  for (const [name, value] of Object.entries(variablesOf(served))) vi.stubEnv(name, value);
  const bucket = new S3Store("s3://bucket/in/v.zarr");
  for (const entry of await readdir(join(path, "v.zarr"), { recursive: true, withFileTypes: true })) {
    const name = join(entry.parentPath, entry.name);
    if (entry.isFile()) await bucket.set(name.slice(join(path, "v.zarr").length + 1), await readFile(name));
  }
  fault = (index) => (index % 97 === 7 ? "busy" : index % 101 === 11 ? "reset" : index % 103 === 3 ? "lost" : "none");
  const made = await planned("s3://bucket/in/v.zarr", join(path, "two"), "s3://bucket/scratch");
  expect(made.input.identity).toMatchObject({ files: 9 });
  await enroll(made);
  await twoWorkers(made, [path, "s3://bucket"]);
  const expected = await outputsIn(join(path, "one"));
  expect(expected.size).toBeGreaterThan(10);
  expect(await outputsIn(join(path, "two"))).toEqual(expected);
  await clean(made);
  fault = () => "none";
  expect((await new S3Store("s3://bucket").list("")).sort()).toEqual(["in"]);
  // An object that is written again has another ETag.
  await bucket.set("0/c/0/0/0", new Uint8Array((await bucket.get("0/c/0/0/0")) ?? []).reverse());
  await expect(enroll(made)).rejects.toThrow(
    /The files of s3:\/\/bucket\/in\/v\.zarr were written since it was planned/,
  );
  await expect(openRun(made, { allow: [path] })).rejects.toThrow(/Expected places below .*, got s3:\/\/bucket/);
  await served.close();
}, 60_000);

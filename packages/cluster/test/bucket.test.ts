// Runs whose image and scratch are in a bucket, on a server with faults: the outputs are those of a folder.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { zarrSink, zarrSource } from "@skerry/files/zarr";
import { S3Store } from "@skerry/files/zarr/internal";
import type { Recipe } from "@skerry/recipe";
import { afterEach, expect, test, vi } from "vitest";
import { type S3Fault, serveS3, variablesOf } from "../../files/test/zarr/support/s3.js";
import { clean, enroll, nextPhase, openRun, type Plan, type PlanOptions, plan, runOf, work } from "../src/index.js";
import { folder, rasterOf, store } from "./support/images.js";
import { NONE } from "./support/small-run.js";

afterEach(() => vi.unstubAllEnvs());

const SIZE = [16, 16, 8] as const;

const RECIPE: Recipe = { skerry: 1, operation: "components", options: { threshold: "otsu", connectivity: 26 } };

async function planned(input: string, path: string, scratch: string): Promise<Plan> {
  return plan({
    recipe: RECIPE,
    input,
    output: join(path, "l.zarr"),
    regions: join(path, "t.csv"),
    block: [8, 8, 8],
    scratch,
  });
}

/** A volume of noise in a folder. */
async function makeVolume(path: string): Promise<string> {
  const data = new Uint8Array(SIZE[0] * SIZE[1] * SIZE[2]).map((_, i) => ((i * 2654435761) >>> 0) / 2 ** 24);
  await store(join(path, "v.zarr"), rasterOf(data, SIZE), { type: "u8", chunks: [8, 8, 4] });
  return join(path, "v.zarr");
}

async function copyInto(url: string, path: string): Promise<S3Store> {
  const bucket = new S3Store(url);
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
    const name = join(entry.parentPath, entry.name);
    if (entry.isFile()) await bucket.set(name.slice(path.length + 1), await readFile(name));
  }
  return bucket;
}

/** A server with a bucket, whose faults may be set. */
async function served() {
  let fault: (index: number) => S3Fault = () => "none";
  const server = await serveS3((index) => fault(index));
  for (const [name, value] of Object.entries(variablesOf(server))) vi.stubEnv(name, value);
  return {
    ...server,
    fail(isFailing: boolean) {
      fault = (index) =>
        !isFailing
          ? "none"
          : index % 97 === 7
            ? "busy"
            : index % 101 === 11
              ? "reset"
              : index % 103 === 3
                ? "lost"
                : "none";
    },
  };
}

async function pixelsIn(url: string): Promise<number[]> {
  const source = await zarrSource(url);
  const { width, height, depth } = source;
  const all = new Uint32Array(width * height * depth);
  await source.read(0, depth, 0, height, all, {});
  return [...all];
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
  const volume = await makeVolume(path);
  const alone = await planned(volume, join(path, "one"), join(path, "one/scratch"));
  await enroll(alone);
  await twoWorkers(alone, [path]);

  const server = await served();
  const bucket = await copyInto("s3://bucket/in/v.zarr", volume);
  server.fail(true);
  const made = await planned("s3://bucket/in/v.zarr", join(path, "two"), "s3://bucket/scratch");
  expect(made.input.identity).toMatchObject({ files: 9 });
  await enroll(made);
  await twoWorkers(made, [path, "s3://bucket"]);
  const expected = await outputsIn(join(path, "one"));
  expect(expected.size).toBeGreaterThan(10);
  expect(await outputsIn(join(path, "two"))).toEqual(expected);
  await clean(made);
  server.fail(false);
  expect((await new S3Store("s3://bucket").list("")).sort()).toEqual(["in"]);
  // An object that is written again has another ETag.
  await bucket.set("0/c/0/0/0", new Uint8Array((await bucket.get("0/c/0/0/0")) ?? []).reverse());
  await expect(enroll(made)).rejects.toThrow(
    /The files of s3:\/\/bucket\/in\/v\.zarr were written since it was planned/,
  );
  await expect(openRun(made, { allow: [path] })).rejects.toThrow(/Expected places below .*, got s3:\/\/bucket/);
  await server.close();
}, 60_000);

test("labels and tables go into a bucket, inside the image and beside it, and are those of a folder", async () => {
  const path = await folder();
  const volume = await makeVolume(path);
  const server = await served();
  const bucket = await copyInto("s3://bucket/v.zarr", volume);
  const all = new S3Store("s3://bucket");
  const textOf = async (key: string): Promise<string> => Buffer.from((await all.get(key)) ?? []).toString();
  const run = async (options: Omit<PlanOptions, "recipe">): Promise<Plan> => {
    const made = await plan({ recipe: RECIPE, block: [8, 8, 8], ...options });
    await enroll(made);
    await twoWorkers(made, [path, "s3://bucket"]);
    return made;
  };
  const inputs = await bucket.inventory("0");
  for (const inside of [false, true]) {
    const places = [path, "s3://bucket"].map((at) => `${at}/${inside ? "v.zarr" : "l.zarr"}`);
    server.fail(true);
    const [, made] = [
      await run({ input: volume, output: places[0], regions: true }),
      await run({ input: "s3://bucket/v.zarr", output: places[1], regions: true }),
    ];
    server.fail(false);
    const [own, other] = places.map((place) => (inside ? `${place}/labels/labels` : place));
    expect(await pixelsIn(other)).toEqual(await pixelsIn(own));
    const key = other.slice("s3://bucket/".length);
    const { run: name } = { run: runOf(made) };
    expect(await textOf(`${key}/${name}/tables/regions.csv`)).toBe(
      await readFile(join(own, "tables/regions.csv"), "utf8"),
    );
    expect((await all.list(`${key}/${name}/tables/regions.parquet`)).sort()).toEqual(["part-00000.parquet"]);
    // Submitted again, it finds its outputs; another one needs --overwrite, and is then what the name shows.
    await enroll(made);
    await expect(run({ input: volume, output: places[1] })).rejects.toThrow(
      /Expected --overwrite for .*, which is there/,
    );
    const before = await pixelsIn(other);
    const second = await plan({
      recipe: { ...RECIPE, options: { threshold: { above: 30 }, connectivity: 6 } },
      input: volume,
      block: [8, 8, 8],
      output: places[1],
      regions: "s3://bucket/t.csv",
      overwrite: true,
    });
    await enroll(second);
    // A command alone leaves a name that a run claims.
    await expect(zarrSink(other, { width: 16, height: 16, depth: 8, overwrite: true })).rejects.toThrow(
      /to be free, but run [0-9a-f]{16} writes it/,
    );
    // What it replaces is away while it works, and comes back if it is removed.
    await expect(zarrSource(other)).rejects.toThrow(/to hold a Zarr image/);
    await clean(second);
    expect(await pixelsIn(other)).toEqual(before);
    await enroll(second);
    await twoWorkers(second, [path, "s3://bucket"]);
    const after = await pixelsIn(other);
    expect(after).not.toEqual(before);
    await expect(enroll(made)).rejects.toThrow(/is finished, but .* is another's by now: skerry cluster clean/);
    await clean(second);
    expect(await pixelsIn(other)).toEqual(after);
    expect((await all.list(key)).filter((each) => !each.endsWith(".json"))).toEqual([runOf(second)]);
    expect((await textOf("t.csv")).split("\n").length).toBe(new Set(after).size + 1);
    await all.remove("t.csv");
    await clean(made);
    expect(await pixelsIn(other)).toEqual(after);
  }
  expect(await bucket.inventory("0")).toEqual(inputs);
  expect((await all.list("")).sort()).toEqual(["l.zarr", "v.zarr"]);
  await expect(checkedPlan("https://example.org/l.zarr")).rejects.toThrow(/Expected a folder or s3:/);
  await expect(plan({ recipe: RECIPE, input: volume, regions: "s3://bucket/t.parquet" })).rejects.toThrow(
    /Expected a table in a bucket to end in \.csv/,
  );
  await server.close();
  function checkedPlan(output: string): Promise<Plan> {
    return plan({ recipe: RECIPE, input: volume, output });
  }
}, 60_000);

test("a worker that is late in a bucket harms no result", async () => {
  const path = await folder();
  const volume = await makeVolume(path);
  const server = await served();
  const above = (value: number, overwrite = false): Promise<Plan> =>
    plan({
      recipe: { ...RECIPE, options: { threshold: { above: value }, connectivity: 26 } },
      input: volume,
      overwrite,
      block: [8, 8, 8],
      output: "s3://bucket/l.zarr",
      scratch: join(path, `scratch${value}`),
    });
  const first = await above(100);
  const late = await held(first, path);
  // The run is removed while its last step is about to name the image: its arrays are gone, and it may not be shown.
  await clean(first);
  late.thaw();
  await expect(late.ended).rejects.toThrow(/it was removed, or never planned/);
  await expect(zarrSource("s3://bucket/l.zarr")).rejects.toThrow(/to hold a Zarr image/);
  // Another run that took the name meanwhile keeps it.
  const again = await held(first, path);
  await clean(first);
  const second = await above(30);
  await enroll(second);
  await twoWorkers(second, [path, "s3://bucket"]);
  const shown = await pixelsIn("s3://bucket/l.zarr");
  again.thaw();
  await expect(again.ended).rejects.toThrow(/another image has its name|it was removed/);
  expect(await pixelsIn("s3://bucket/l.zarr")).toEqual(shown);
  await server.close();

  /** A run whose last step waits when it writes the metadata that make its arrays an image. */
  async function held(made: Plan, allowed: string) {
    await enroll(made);
    const options = { allow: [allowed, "s3://bucket"], threads: 1, patience: NONE };
    const run = await openRun(made, options);
    for (;;) {
      const next = await nextPhase(run.storage, run.phases);
      if (!next || next.phase.name === "finish") break;
      for (const number of next.missing) await run.step({ phase: next.phase.name, number });
    }
    let thaw = (): void => undefined;
    let reached = (): void => undefined;
    const [thawing, reaching] = [
      new Promise<void>((done) => (thaw = done)),
      new Promise<void>((done) => (reached = done)),
    ];
    const replace = S3Store.prototype.replace;
    vi.spyOn(S3Store.prototype, "replace").mockImplementationOnce(async function (this: S3Store, ...given) {
      reached();
      await thawing;
      return replace.apply(this, given);
    });
    const ended = run.step({ phase: "finish", number: 0 }).finally(() => run.close());
    ended.catch(() => undefined);
    await reaching;
    return { thaw, ended };
  }
}, 60_000);

// A finished run that late workers cannot harm, places that links lead to, and slices of a volume.

import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FileStore } from "@skerry/files/zarr/internal";
import { expect, test } from "vitest";
import { checkAllowed, clean, enroll, nextPhase, openRun, type Plan, plan, work } from "../src/index.js";
import { folder, rasterOf, store } from "./support/images.js";
import { NONE } from "./support/small-run.js";

/** A volume of 8 blocks along z. */
async function makeVolume(path: string): Promise<void> {
  const size = [16, 12, 64] as const;
  const data = new Uint8Array(size[0] * size[1] * size[2]).map((_, i) => ((i * 2654435761) >>> 0) / 2 ** 24);
  await store(join(path, "v.zarr"), rasterOf(data, size), { type: "u8", chunks: [16, 12, 8] });
}

/** A plan of its table. */
function tableOf(path: string, regions: string, crop?: readonly number[]): Promise<Plan> {
  return plan({
    recipe: {
      skerry: 1,
      operation: "components",
      options: { threshold: { above: 200 } },
      ...(crop ? { input: { crop } } : {}),
    } as const,
    input: join(path, "v.zarr"),
    regions: join(path, regions),
    ...(crop ? {} : { block: [16, 12, 8] as const }),
  });
}

test("a worker that freezes in its last step, and thaws once another has finished, leaves the table as it is", async () => {
  const path = await folder();
  await makeVolume(path);
  const made = await tableOf(path, "t.parquet");
  await enroll(made);
  const options = { allow: [path], threads: 1, patience: NONE };
  const first = await openRun(made, options);
  for (;;) {
    const next = await nextPhase(first.storage, first.phases);
    if (!next || next.phase.name === "finish") break;
    for (const number of next.missing) await first.step({ phase: next.phase.name, number });
  }
  // Each read of a part of the table is a place to freeze at.
  for (const part of [0, 3, 7]) {
    const own = new FileStore(made.scratch);
    let thaw = (): void => undefined;
    let frozen = (): void => undefined;
    const [thawing, freezing] = [
      new Promise<void>((done) => (thaw = done)),
      new Promise<void>((done) => (frozen = done)),
    ];
    const keys = {
      async get(key: string) {
        if (key.includes(`/table/${part}.`)) {
          frozen();
          await thawing;
        }
        return own.get(key);
      },
      set: (key: string, bytes: Uint8Array) => own.set(key, bytes),
      list: (prefix: string) => own.list(prefix),
      remove: (prefix: string) => own.remove(prefix),
    };
    const late = await openRun(made, { ...options, keys });
    const ended = late.step({ phase: "finish", number: 0 });
    await freezing;
    const other = await openRun(made, options);
    await other.step({ phase: "finish", number: 0 });
    const table = async (): Promise<string[]> => {
      const names = (await readdir(join(path, "t.parquet"))).sort();
      const files = names.map((name) => readFile(join(path, "t.parquet", name), "latin1"));
      return [...names, ...(await Promise.all(files))];
    };
    const before = await table();
    expect(before.length).toBe(16);
    thaw();
    await ended;
    expect(await table()).toEqual(before);
    expect((await readdir(path)).filter((name) => name.startsWith(".t.parquet"))).toEqual([]);
    await late.close();
    await other.close();
  }
  await first.close();
});

test("places below --allow are those that links lead to", async () => {
  const path = await folder();
  await mkdir(join(path, "allowed"));
  await mkdir(join(path, "outside"));
  const allowed = join(path, "allowed");
  await makeVolume(allowed);
  await symlink("../outside", join(allowed, "link"));
  await symlink("../not-there-yet", join(allowed, "dangling"));
  await symlink("../not-there-yet.csv", join(allowed, "file.csv"));
  await symlink("round", join(allowed, "round"));
  for (const [regions, isRefused] of [
    ["t.csv", false],
    ["link/t.csv", true],
    ["dangling/t.csv", true],
    ["file.csv", true],
    ["round/t.csv", false],
  ] as const) {
    const made = await tableOf(allowed, regions);
    const check = (): void => checkAllowed(made, [allowed]);
    if (isRefused) expect(check).toThrow(/^Expected places below .*allowed, got /);
    else expect(check).not.toThrow();
  }
  // A prefix that is itself a link allows what it leads to.
  await symlink("allowed", join(path, "other"));
  expect(() => checkAllowed({ ...made(path), scratch: join(allowed, "s") }, [join(path, "other")])).not.toThrow();
  function made(at: string): Plan {
    return { input: { url: join(at, "allowed/v.zarr") }, intensities: [], scratch: "" } as unknown as Plan;
  }
});

test("one slice of a volume is the slice that the crop names", async () => {
  const path = await folder();
  await makeVolume(path);
  const tables: string[] = [];
  for (const z of [0, 5, 63]) {
    const made = await tableOf(path, `slice-${z}.csv`, [0, 0, z, 16, 12, 1]);
    await enroll(made);
    const run = await openRun(made, { allow: [path], threads: 1, patience: NONE });
    expect(await work(run)).toBe("finished");
    await run.close();
    tables.push(await readFile(join(path, `slice-${z}.csv`), "utf8"));
  }
  expect(new Set(tables).size).toBe(3);
});

/** A plan of labels and a table. */
function bothOf(path: string, above: number, overwrite = false): Promise<Plan> {
  return plan({
    recipe: { skerry: 1, operation: "components", options: { threshold: { above } } },
    input: join(path, "v.zarr"),
    output: join(path, "l.zarr"),
    regions: join(path, "t.csv"),
    block: [16, 12, 8],
    overwrite,
  });
}

async function done(made: Plan, path: string): Promise<void> {
  const run = await openRun(made, { allow: [path], threads: 1, patience: NONE });
  expect(await work(run)).toBe("finished");
  await run.close();
}

const labelsIn = (path: string): Promise<string> => readFile(join(path, "l.zarr/0/c/0/0/0"), "latin1");
const hiddenIn = async (path: string): Promise<string[]> =>
  (await readdir(path)).filter((name) => /^\.[lt]\.(zarr|csv)\./.test(name)).sort();

test("what a run replaces is moved away when it begins, comes back if it is removed, and goes when it ends", async () => {
  const path = await folder();
  await makeVolume(path);
  const first = await bothOf(path, 200);
  await enroll(first);
  await done(first, path);
  expect(await hiddenIn(path)).toEqual([]);
  const [labels, table] = [await labelsIn(path), await readFile(join(path, "t.csv"), "utf8")];
  const second = await bothOf(path, 100, true);
  await enroll(second);
  expect((await readdir(path)).filter((name) => ["l.zarr", "t.csv"].includes(name))).toEqual([]);
  expect((await hiddenIn(path)).filter((name) => name.endsWith(".replaced")).length).toBe(2);
  await clean(second);
  expect([await labelsIn(path), await readFile(join(path, "t.csv"), "utf8")]).toEqual([labels, table]);
  expect(await hiddenIn(path)).toEqual([]);
  await enroll(second);
  await done(second, path);
  expect(await labelsIn(path)).not.toBe(labels);
  expect(await readFile(join(path, "t.csv"), "utf8")).not.toBe(table);
  expect(await hiddenIn(path)).toEqual([]);
  // A submission of a finished run leaves its outputs where they are.
  await enroll(second);
  expect((await readdir(path)).filter((name) => ["l.zarr", "t.csv"].includes(name)).length).toBe(2);
});

test("of two runs onto one output the second is refused when it begins, until the first has ended", async () => {
  const path = await folder();
  await makeVolume(path);
  const [first, second] = [await bothOf(path, 200), await bothOf(path, 100, true)];
  await enroll(first);
  await expect(enroll(second)).rejects.toThrow(/^Run [0-9a-f]{16} in .* writes .*l\.zarr already: let it finish/);
  await clean(first);
  await enroll(second);
  await expect(enroll(first)).rejects.toThrow(/writes .*l\.zarr already/);
  await done(second, path);
  await expect(enroll(first)).rejects.toThrow(/Expected --overwrite for .*l\.zarr, which is there already/);
});

test("outputs of a finished run that were removed are told, and made again once the run is forgotten", async () => {
  const path = await folder();
  await makeVolume(path);
  const made = await bothOf(path, 200);
  await enroll(made);
  await done(made, path);
  const table = await readFile(join(path, "t.csv"), "utf8");
  const other = await bothOf(path, 100, true);
  await enroll(other);
  await done(other, path);
  await expect(enroll(made)).rejects.toThrow(
    /is finished, but .*l\.zarr is another's by now: skerry cluster clean forgets/,
  );
  await rm(join(path, "t.csv"));
  await rm(join(path, "l.zarr"), { recursive: true });
  await expect(enroll(made)).rejects.toThrow(
    /^Run [0-9a-f]{16} is finished, but .*l\.zarr is gone: skerry cluster clean forgets/,
  );
  await clean(made);
  await enroll(made);
  await done(made, path);
  expect(await readFile(join(path, "t.csv"), "utf8")).toBe(table);
});

test("what others put under a final name while a run works stays, and the run says so", async () => {
  for (const name of ["t.csv", "l.zarr"]) {
    const path = await folder();
    await makeVolume(path);
    const made = await bothOf(path, 200);
    await enroll(made);
    if (name === "t.csv") await writeFile(join(path, name), "mine");
    else await mkdir(join(path, name, "mine"), { recursive: true });
    const run = await openRun(made, { allow: [path], threads: 1, patience: NONE });
    await expect(work(run)).rejects.toThrow(
      /Could not finish .*: another file has its name|Expected .*l\.zarr to be an OME-Zarr image, or not to be there/,
    );
    await run.close();
    expect((await readdir(join(path, name === "t.csv" ? "" : name))).includes(name === "t.csv" ? name : "mine")).toBe(
      true,
    );
    if (name === "t.csv") expect(await readFile(join(path, name), "utf8")).toBe("mine");
    await rename(join(path, name), join(path, "moved"));
    await run.storage.forgive();
    await done(made, path);
  }
});

test("a submission that is refused for its table leaves the labels, and what another put there survives clean", async () => {
  const path = await folder();
  await makeVolume(path);
  const first = await bothOf(path, 200);
  await enroll(first);
  await done(first, path);
  const labels = await labelsIn(path);
  // Another run claims the table alone.
  const table = await tableOf(path, "t.csv");
  await enroll(table);
  const second = await bothOf(path, 100, true);
  await expect(enroll(second)).rejects.toThrow(/writes .*t\.csv already/);
  expect(await labelsIn(path)).toBe(labels);
  // The order is that of the run's digits.
  expect((await hiddenIn(path)).filter((name) => name !== ".t.csv.claim")).toEqual([
    expect.stringMatching(/^\.t\.csv\.[0-9a-f]{16}\.replaced$/),
  ]);
  expect(await hiddenIn(path)).toContain(".t.csv.claim");
  await writeFile(join(path, "t.csv"), "mine");
  await clean(table);
  expect(await readFile(join(path, "t.csv"), "utf8")).toBe("mine");
  expect(await hiddenIn(path)).toEqual([expect.stringMatching(/^\.t\.csv\.[0-9a-f]{16}\.replaced$/)]);
});

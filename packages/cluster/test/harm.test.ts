// A finished run that late workers cannot harm, places that links lead to, and slices of a volume.

import { mkdir, readdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { FileStore } from "@skerry/zarr";
import { expect, test } from "vitest";
import { checkAllowed, enroll, nextPhase, openRun, type Plan, plan, work } from "../src/index.js";
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
      ...{ skerry: 1, operation: "components", options: { threshold: { above: 200 } } },
      ...(crop ? { input: { crop } } : {}),
    } as const,
    ...{ input: join(path, "v.zarr"), regions: join(path, regions), ...(crop ? {} : { block: [16, 12, 8] as const }) },
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

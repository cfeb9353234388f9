// Images that change while a run reads them, plans of other builds, and plans that were written by hand.

import { cp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { enroll, nextPhase, openRun, type Plan, parsePlan, plan, type Run, runOf, work } from "../src/index.js";
import { folder, rasterOf, store } from "./support/images.js";
import { NONE } from "./support/small-run.js";

const SIZE = [16, 12, 32] as const;

/** A volume of 4 blocks along z, of some noise. */
async function makeVolume(path: string, seed = 1): Promise<void> {
  const data = new Uint8Array(SIZE[0] * SIZE[1] * SIZE[2]).map((_, i) => (((i + seed) * 2654435761) >>> 0) / 2 ** 24);
  await store(join(path, "v.zarr"), rasterOf(data, SIZE), { type: "u8", chunks: [16, 12, 8], codec: { name: "raw" } });
}

/** A plan by the automatic threshold, which reads every block twice, or by equal values, which also reads twice. */
function planned(path: string, by?: "value"): Promise<Plan> {
  return plan({
    recipe: {
      skerry: 1,
      operation: "components",
      options: by ? { by, connectivity: 26 } : { threshold: "otsu" },
    } as const,
    input: join(path, "v.zarr"),
    output: join(path, "l.zarr"),
    block: [16, 12, 8],
  });
}

const options = (path: string) => ({ allow: [path], threads: 1, patience: NONE });

/** Does the steps of a run, and calls `between` after each. */
async function stepwise(run: Run, between: (done: number) => Promise<void>): Promise<void> {
  for (let done = 0; ; done++) {
    const next = await nextPhase(run.storage, run.phases);
    if (!next) return;
    await run.step({ phase: next.phase.name, number: next.missing[0] });
    await between(done + 1);
  }
}

test("an image that changes after any step ends the run with its name, and nothing gets a final name", async () => {
  for (const by of [undefined, "value"] as const) {
    let steps = 0;
    for (let at = 0; at === 0 || at < steps; at++) {
      const path = await folder();
      await makeVolume(path);
      const made = await planned(path, by);
      await enroll(made);
      const run = await openRun(made, options(path));
      steps = run.phases.reduce((sum, phase) => sum + phase.steps, 0);
      const chunk = join(path, `v.zarr/0/c/${at % 4}/0/0`);
      const changing = stepwise(run, async (done) => {
        if (done !== at) return;
        const bytes = await readFile(chunk);
        await writeFile(chunk, bytes.reverse());
      });
      if (at === 0) await expect(changing).resolves.toBeUndefined();
      else
        await expect(changing, `${by} after step ${at}`).rejects.toThrow(/v\.zarr (was|were) written (since|between)/);
      expect((await readdir(path)).includes("l.zarr")).toBe(at === 0);
      await run.close();
    }
  }
}, 60_000);

test("a plan of an image that was replaced is another run; the plan of the old one is refused", async () => {
  const path = await folder();
  await makeVolume(path);
  const before = await planned(path);
  await rm(join(path, "v.zarr"), { recursive: true });
  await makeVolume(path, 5);
  const after = await planned(path);
  expect(runOf(after)).not.toBe(runOf(before));
  await expect(enroll(before)).rejects.toThrow(
    /The files of .*v\.zarr were written since it was planned: plan it again/,
  );
  await rm(join(path, "v.zarr/0/c/1"), { recursive: true });
  await expect(enroll(after, undefined, { sameInput: true })).rejects.toThrow(
    /Expected .*v\.zarr to be the image that was planned, of 5 files and .*, got one of 4 files and/,
  );
});

test("a copy with other times goes on with sameInput, also in its last step", async () => {
  const path = await folder();
  await makeVolume(path);
  const made = await planned(path);
  await enroll(made);
  await cp(join(path, "v.zarr"), join(path, "copy"), { recursive: true });
  await rm(join(path, "v.zarr"), { recursive: true });
  await cp(join(path, "copy"), join(path, "v.zarr"), { recursive: true });
  await utimes(join(path, "v.zarr/0/c/2/0/0"), 77, 77);
  await expect(enroll(made)).rejects.toThrow(/or submit with --same-input/);
  await enroll(made, undefined, { sameInput: true });
  const run = await openRun(made, options(path));
  expect(await work(run)).toBe("finished");
  await run.close();
});

test("over plain HTTP metadata are compared, and chunks that are read twice", async () => {
  const path = await folder();
  await makeVolume(path);
  const changed = new Set<string>();
  const server = createServer((request, response) => {
    const file = join(path, decodeURIComponent(request.url ?? ""));
    readFile(file).then(
      (bytes) => {
        response.setHeader("ETag", `"${bytes.length}${changed.has(request.url ?? "") ? "b" : "a"}"`);
        response.end(bytes);
      },
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v.zarr`;
  try {
    const notes: string[] = [];
    const made = await plan({
      recipe: { skerry: 1, operation: "components", options: { threshold: "otsu" } },
      input: url,
      regions: join(path, "t.csv"),
      block: [16, 12, 8],
      onNote: (note: string) => notes.push(note),
    });
    expect(notes).toEqual([expect.stringMatching(/v\.zarr cannot be listed: a change of its metadata is noticed/)]);
    await enroll(made);
    const run = await openRun(made, { ...options(path), allow: [path, url] });
    const ended = stepwise(run, async (done) => {
      if (done === 5) changed.add("/v.zarr/0/c/2/0/0");
    });
    await expect(ended).rejects.toThrow(/v\.zarr was written between histogram and label of block 2: plan it again/);
    await run.close();
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test("a plan of another build is refused by workers, and can be removed", async () => {
  const path = await folder();
  await makeVolume(path);
  const made = { ...(await planned(path)), built: "0123456789abcdef" };
  await expect(enroll(made)).rejects.toThrow(/Expected a plan of this build of skerry, [0-9a-f]{16}, got one of 0123/);
  await expect(openRun(made, options(path))).rejects.toThrow(/Expected a plan of this build/);
});

test("plans with a wrong field are refused by its name", async () => {
  const path = await folder();
  await makeVolume(path);
  const made = JSON.parse(JSON.stringify(await planned(path)));
  expect(() => parsePlan(made, "p.json")).not.toThrow();
  const wrong: readonly (readonly [object, string])[] = [
    [{ block: [8, 8] }, "block to be three whole numbers of at least 1"],
    [{ block: [2 ** 20, 2 ** 20, 2 ** 20], size: [2 ** 20, 2 ** 20, 2 ** 20] }, "a block of at most 2^30 voxels"],
    [{ from: [0, 0, -1] }, "from to be three whole numbers of at least 0"],
    [{ input: { ...made.input, url: 5 } }, "input.url to be a text"],
    [{ input: { ...made.input, more: 5 } }, "no input.more"],
    [{ input: { ...made.input, identity: {} } }, "input.identity.files to be a whole number of at least 0"],
    [
      { input: { ...made.input, flipped: { flips: [1, 2, 3], size: [1, 1, 1] } } },
      "input.flipped.flips to be three of",
    ],
    [{ labels: { ...made.labels, downsample: "mean" } }, 'labels.downsample to be "nearest" or "mode"'],
    [{ space: { ...made.space, axes: [] } }, "space.axes to have at least 3 parts"],
    [{ properties: ["area", "beauty"] }, "properties that plans support in p.json, got beauty"],
    [{ table: { url: "x.csv", format: "csv" } }, "table.isBeside to be true or false"],
    [{ table: { url: "x.csv", format: "both", isBeside: false } }, 'table.format to be "csv" or "parquet" for a file'],
    [{ labels: { ...made.labels, name: "../x" } }, "labels.name to be a name without / and .."],
    [{ size: [1e9, 1e9, 1e9] }, "at most 4194304 blocks"],
    [{ toString: 1 }, "no toString"],
    [{ recipe: JSON.parse("[".repeat(5000) + "]".repeat(5000)) }, "fields of a plan, got lists within lists"],
    [{ recipe: { ...made.recipe, options: { threshold: "li" } } }, "no --threshold li in a plan"],
  ];
  for (const [change, message] of wrong) expect(() => parsePlan({ ...made, ...change }, "p.json")).toThrow(message);
});

test("places of a plan that are one, or inside one another, are refused before anything is moved", async () => {
  const path = await folder();
  await makeVolume(path);
  const made = await planned(path);
  const table = (url: string) => ({ ...made, table: { url, format: "csv", isBeside: false } }) as Plan;
  for (const [wrong, message] of [
    [table(path), /the table of a plan apart from its images/],
    [table(join(path, "v.zarr")), /the table of a plan apart from its images/],
    [table(join(path, "v.zarr/.zattrs")), /the table of a plan apart from its images/],
    [table(join(path, "l.zarr/t.csv")), /the table and the labels of a plan apart/],
    [{ ...made, scratch: join(path, "v.zarr") }, /the scratch of a plan apart from its images/],
    [{ ...made, scratch: join(path, "l.zarr") }, /the scratch and the labels of a plan apart/],
  ] as const) {
    await expect(enroll(wrong)).rejects.toThrow(message);
    expect(await readdir(path)).toEqual(["v.zarr"]);
  }
  const { checkAllowed } = await import("../src/index.js");
  expect(() => checkAllowed(table(join(path, "t.csv")), [join(path, "t.csv"), path])).not.toThrow();
  expect(() => checkAllowed(table(path), [path])).toThrow(/Expected places below/);
});

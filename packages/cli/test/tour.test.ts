// skerry info --bench --tour: its cases on every kind of engine, a device that is wrong, and its tasks on small inputs.

import { agreementOf, caseOf, type Runner } from "@skerry/scenes";
import { type Engine, type OpenOptions, open } from "skerry";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tasksOf } from "../src/tour/tasks.js";
import { timeTasks } from "../src/tour/timing.js";
import { run } from "./support/run.js";

let runners: Runner[];

beforeAll(async () => {
  const kinds: [string, OpenOptions][] = [
    ["one thread", { device: "cpu", threads: 1 }],
    ["two threads", { device: "cpu", threads: 2 }],
    ["unshared", { device: "cpu", shared: false }],
  ];
  runners = await Promise.all(kinds.map(async ([name, options]) => ({ name, engine: await open(options) })));
});
afterAll(async () => {
  for (const { engine } of runners) await engine.close();
});

test("seeded cases give the same bits on every engine, and the same hash on every machine", async () => {
  const { hashes, differing } = await agreementOf(runners, 40);
  expect(differing).toEqual([]);
  expect(new Set(hashes).size).toBe(1);
  // The first 40 of the cases whose hash docs/tour.md shows, of other machines: it changes only when results do.
  expect(hashes[0]).toBe("a5b283e59f81e1d6");
});

test("a device that gives one other bit is named, with the case", async () => {
  const [{ engine }] = runners as [Runner];
  const wrong = new Proxy(engine, {
    get(target, key) {
      if (key !== "kmeans") return Reflect.get(target, key).bind?.(target) ?? Reflect.get(target, key);
      return async (...given: Parameters<Engine["kmeans"]>) => {
        const found = await target.kmeans(...given);
        const data = found.data.slice();
        data[0] = data[0] ^ 1;
        return { ...found, data };
      };
    },
  });
  const { hashes, differing } = await agreementOf([...runners.slice(0, 1), { name: "wrong", engine: wrong }], 4);
  expect(differing).toEqual([{ name: caseOf(3).name, runners: ["wrong"] }]);
  expect(hashes[0]).not.toBe(hashes[1]);
});

test("the five tasks run, and are timed beside a copy", async () => {
  const timed = await timeTasks(runners.slice(1, 2), tasksOf(1 / 64));
  expect(timed.map(({ steps }) => steps.length)).toEqual([3, 6, 4, 2, 4]);
  for (const { copy, times } of timed.flatMap(({ steps }) => steps)) {
    expect(copy).toBeGreaterThanOrEqual(0);
    expect(times).toHaveLength(1);
    expect(times[0]).toBeGreaterThan(0);
  }
});

test("INPUT and --tour exclude each other, and one is needed", async () => {
  const bench = async (...args: string[]): Promise<string> => (await run(["info", "--bench", ...args], ".")).err;
  expect(await bench("cells.png", "--tour")).toBe("skerry: Expected INPUT or --tour, got both.\n");
  expect(await bench()).toBe(
    "skerry: Expected INPUT, an image or a volume, or --tour; see skerry info --bench --help.\n",
  );
});

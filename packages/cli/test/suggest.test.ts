// label --auto and --suggest, and the tolerance that fill names: on the samples.

import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "./support/run.js";

const samples = resolve(import.meta.dirname, "../../../samples");
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "skerry-suggest-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const skerry = (...args: string[]) => run(args, folder);
const coins = join(samples, "coins.png");

test("--suggest lists other settings after the answer, and each gives its number", async () => {
  const { out, code } = await skerry("label", coins, "--suggest");
  expect(code).toBe(0);
  const [answer, head, ...lines] = out.trim().split("\n");
  expect(answer).toContain("154 objects");
  expect(head).toMatch(/^154 objects \(\d+ % are specks\)\. Other settings give:$/);
  expect(lines.some((line) => /^ +24 with /.test(line))).toBe(true);
  for (const line of lines) {
    const [, count, flags] = /^ +(\d+) with (.+)$/.exec(line) ?? [];
    const again = await skerry("label", coins, ...flags.split(" "), "--json");
    expect(JSON.parse(again.out).count).toBe(Number(count));
  }
});

test("--auto takes the first, prints its flags, and saves its recipe", async () => {
  const { out } = await skerry("label", coins, "--auto", "--recipe", "auto.json");
  const [answer, flags] = out.trim().split("\n");
  const count = Number(/(\d+) objects/.exec(answer)?.[1]);
  expect(Math.abs(count - 24)).toBeLessThanOrEqual(2);
  expect(flags).toMatch(/^auto: --/);
  const again = await skerry("label", coins, ...flags.slice("auto: ".length).split(" "), "--json");
  expect(JSON.parse(again.out).count).toBe(count);
  const repeated = await skerry("run", "auto.json", coins, "--json");
  expect(JSON.parse(repeated.out).count).toBe(count);
  const told = JSON.parse((await skerry("label", coins, "--auto", "--json")).out);
  expect([told.count, told.auto]).toEqual([count, flags.slice("auto: ".length)]);
});

test("flags that are given stay; programs, pipes and batches get no advice unasked", async () => {
  const kept = await skerry("label", coins, "--auto", "--connectivity", "8", "--min-area", "7", "--json");
  expect(JSON.parse(kept.out).auto).toContain("--connectivity 8");
  expect(JSON.parse(kept.out).auto.match(/--min-area \d+/g)).toEqual(["--min-area 7"]);
  expect((await skerry("label", coins)).out.trim().split("\n")).toHaveLength(1);
  expect(JSON.parse((await skerry("label", coins, "--json")).out).suggestions).toBeUndefined();
  const asked = JSON.parse((await skerry("label", coins, "--suggest", "--json")).out).suggestions;
  expect(asked.offers.length).toBeGreaterThan(1);
  expect(asked.specks).toBeGreaterThan(0.5);
});

test("what cannot be suggested is refused", async () => {
  expect((await skerry("label", coins, "--auto", "--suggest")).err).toContain(
    "Expected --auto or --suggest, got both.",
  );
  expect((await skerry("label", coins, "--auto", "--by", "value")).err).toContain(
    "Expected objects by a threshold for --auto, got --by.",
  );
  const two = await skerry("label", coins, join(samples, "cells.png"), "--auto", "--recipe", "two.json");
  expect(two.err).toContain("Expected one input for --recipe with --auto");
  expect(existsSync(join(folder, "two.json"))).toBe(false);
});

test("fill without a tolerance names one, once few pixels were filled", async () => {
  const few = await skerry("fill", join(samples, "coffee.png"), "--at", "300,200");
  const [answer, advice] = few.out.trim().split("\n");
  expect(answer).toContain("3 pixels filled");
  const [, tolerance, told] = /--tolerance (\d+) fills ([\d ]+) pixels\.$/.exec(advice.replaceAll(" ", " ")) ?? [];
  const again = await skerry(
    "fill",
    join(samples, "coffee.png"),
    "--at",
    "300,200",
    "--tolerance",
    tolerance,
    "--json",
  );
  expect(JSON.parse(again.out).foreground).toBe(Number(told.replaceAll(" ", "")));
  const many = await skerry("fill", join(samples, "maze.png"), "--at", "5,5");
  expect(many.out.trim().split("\n")).toHaveLength(1);
});

test("a local threshold names its polarity in --json", async () => {
  const { out } = await skerry("label", coins, "--threshold", "mean:12,10", "--json");
  expect(JSON.parse(out)).toMatchObject({ polarity: "bright", threshold: { local: { radius: 12 } } });
});

test("the bin of the library runs the command, and says how to get it", async () => {
  const { spawnSync } = await import("node:child_process");
  const bin = resolve(import.meta.dirname, "../../skerry/bin/skerry.js");
  const { version } = JSON.parse(readFileSync(resolve(import.meta.dirname, "../package.json"), "utf8"));
  expect(spawnSync(process.execPath, [bin, "--version"], { encoding: "utf8" }).stdout.trim()).toBe(version);
});

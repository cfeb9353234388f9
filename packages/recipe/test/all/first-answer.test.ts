// The first answer on the pictures of docs/first-answer that are committed or rendered: as many as the page states for them.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { judge, judgeAll, totals } from "../../../../scripts/docs/first-answer.mjs";

interface Listed {
  readonly name: string;
  readonly half: "build" | "judge";
  readonly here: boolean;
  readonly truth: string;
  readonly count: number;
  readonly licence: string;
  readonly objects: readonly (readonly [number, number])[];
}

const folder = resolve(import.meta.dirname, "../../../../docs/first-answer");
const list = JSON.parse(readFileSync(join(folder, "list.json"), "utf8")) as readonly Listed[];

test("the list has sixty pictures, split by their names", () => {
  const digest = ({ name }: Listed): string => createHash("sha256").update(name).digest("hex");
  const isOdd = (row: Listed): number => Number.parseInt(digest(row)[7], 16) % 2;
  const sorted = [...list].sort((a, b) => isOdd(a) - isOdd(b) || (digest(a) < digest(b) ? -1 : 1));
  expect(list).toHaveLength(60);
  expect(sorted.slice(0, 30).every(({ half }) => half === "build")).toBe(true);
  expect(sorted.slice(30).every(({ half }) => half === "judge")).toBe(true);
  for (const { count, objects, licence } of list) {
    expect(objects).toHaveLength(count);
    expect(licence).not.toBe("");
  }
});

test("objects are met one to one, near their places", () => {
  // Two objects, in columns 0 to 1 and 6 to 7; the third place lies in the first as well.
  const labels = { data: Uint32Array.from([1, 1, 0, 0, 0, 0, 2, 2]), width: 8, height: 1, count: 2 };
  const places = (...xs: number[]): [number, number][] => xs.map((x) => [x, 0]);
  expect(judge(places(0, 7), labels)).toEqual({ count: 2, met: 1, isGood: true });
  expect(judge(places(0, 5), labels).met).toBe(1);
  expect(judge(places(0, 1, 7), labels)).toEqual({ count: 2, met: 1 / 3, isGood: false });
});

test("the pictures that are here are answered as well as docs/first-answer.md says", async () => {
  const rows = await judgeAll([], ({ here, truth }: Listed) => here || truth === "rendered");
  expect(rows.filter(({ plain }) => !plain)).toEqual([]);
  expect(totals(rows)).toEqual([
    { half: "build", pictures: 21, plain: 5, auto: 12, "one of the offers": 13 },
    { half: "judge", pictures: 17, plain: 10, auto: 12, "one of the offers": 16 },
  ]);
}, 240_000);

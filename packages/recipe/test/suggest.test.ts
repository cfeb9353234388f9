// Suggestions as recipes: their flags make the same recipe again; and the tolerance that suits a seed.

import type { Recipe } from "@skerry/recipe";
import { argumentsOf, fieldsOf, offersFor, parseFlag, recipeOf, toleranceAround } from "@skerry/recipe/internal";
import { type Engine, open } from "skerry";
import { afterAll, beforeAll, expect, test } from "vitest";

let engine: Engine;
beforeAll(async () => {
  engine = await open({ device: "cpu", threads: 1 });
});
afterAll(() => engine.close());

/** Two coloured discs on a ground of their brightness, and specks. */
function picture() {
  const [width, height] = [160, 120];
  const data = new Uint8Array(width * height * 3);
  for (let at = 0; at < width * height; at++) {
    const [x, y] = [at % width, Math.floor(at / width)];
    const isDisc = Math.hypot(x - 40, y - 60) < 14 || Math.hypot(x - 110, y - 50) < 16;
    data.set(isDisc ? [230, 200, 90] : at % 613 === 0 ? [20, 20, 20] : [205, 205, 205], at * 3);
  }
  return { data, width, height };
}

/** A recipe from its arguments. */
function parsed(args: readonly string[]): Recipe {
  const fields = fieldsOf("components");
  const said: [(typeof fields)[number], unknown][] = [];
  for (let i = 0; i < args.length; i++) {
    const [field, flag] = fields
      .flatMap((own) => own.flags.map((each) => [own, each] as const))
      .find(([, { name }]) => name === args[i]) as never as [
      (typeof fields)[number],
      (typeof fields)[number]["flags"][number],
    ];
    const hasText = flag.value !== undefined && args[i + 1] !== undefined && !args[i + 1].startsWith("--");
    said.push([field, flag.wrap(parseFlag(flag, hasText ? args[++i] : undefined))]);
  }
  return recipeOf("components", said);
}

test("the flags of an offer make its recipe", async () => {
  const recipe: Recipe = { skerry: 1, operation: "components" };
  const offers = await offersFor(engine, recipe, picture());
  expect(offers?.offers[0].count).toBe(2);
  for (const offer of offers?.offers ?? []) {
    expect(parsed(argumentsOf(offer.recipe).args)).toEqual(offer.recipe);
    expect(offer.flags).toEqual(argumentsOf(offer.recipe).args);
  }
});

test("fields of the recipe stay, and are not repeated in the flags", async () => {
  const recipe: Recipe = { skerry: 1, operation: "components", options: { connectivity: 8, minArea: 3 } };
  const offers = await offersFor(engine, recipe, picture());
  for (const { recipe: offered, flags } of offers?.offers ?? []) {
    expect(offered.options).toMatchObject({ connectivity: 8, minArea: 3 });
    expect(flags).not.toContain("--connectivity");
    expect(flags).not.toContain("--min-area");
  }
});

test("nothing is suggested for volumes, values and label images", async () => {
  const { data } = picture();
  const volume = { data: data.subarray(0, 8), width: 2, height: 2, depth: 2 };
  expect(await offersFor(engine, { skerry: 1, operation: "components" }, volume)).toBeUndefined();
  const byValue: Recipe = { skerry: 1, operation: "components", options: { by: "value" } };
  expect(await offersFor(engine, byValue, picture())).toBeUndefined();
});

test("the tolerance around a seed is twice the median difference, but at most the largest", async () => {
  const flat = { data: new Uint8Array(100).fill(9), width: 10, height: 10 };
  expect(await toleranceAround(flat, [5, 5])).toBe(0);
  const rows = {
    data: Uint8Array.from({ length: 100 }, (_, i) => (Math.floor(i / 10) % 2) * 6),
    width: 10,
    height: 10,
  };
  // Of rows 0 to 9 around (0, 0) in reach 8, columns 0 to 8: five rows of 0, four of 6.
  expect(await toleranceAround(rows, [0, 0])).toBe(0);
  expect(await toleranceAround(rows, [0, 1])).toBe(6);
  const source = {
    width: 10,
    height: 10,
    type: "u8" as const,
    read: (_: number, __: number, y0: number, y1: number, into: Uint8Array) =>
      into.set(rows.data.subarray(y0 * 10, y1 * 10)),
  };
  expect(await toleranceAround(source as never, [0, 1])).toBe(6);
});

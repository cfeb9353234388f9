// 40 random recipes, opened by the page from files: it saves the same recipe again, and the same bytes as run() gives in Node.

import { MemoryOutput, writePng } from "@skerry/files";
import { labelValues, maskBytes, writeNpyValues } from "@skerry/files/internal";
import { check, type Recipe, run } from "@skerry/recipe";
import fc from "fast-check";
import { type Components, type Engine, open } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Bench, blobs, noBrowser, type Opened, pngOf } from "../page.js";

const raster = blobs(160, 120, 11);
const place = fc.tuple(fc.integer({ min: 0, max: 159 }), fc.integer({ min: 0, max: 119 }));
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined, freq: 1 });
const line = fc.array(place, { minLength: 1, maxLength: 4 });
const brush = fc.integer({ min: 0, max: 9 });
const edit = fc.oneof(
  fc.record({ draw: line, radius: brush }),
  fc.record({ erase: line, radius: brush }),
  fc.record({ cut: line }),
  fc.record({ join: fc.tuple(place, place) }),
  fc.record({ drop: place }),
  fc.record({ fill: place }),
);
const level = fc.integer({ min: 30, max: 200 });
const radius = fc.integer({ min: 1, max: 4 });

/** Options of objects that the page has controls for. */
const objects = fc.record({
  threshold: fc.oneof(
    level.map((above) => ({ above })),
    level.map((below) => ({ below })),
    level.map((low) => ({ outside: [low / 2, low + 40] })),
    fc.constant("nonzero"),
  ),
  connectivity: maybe(fc.constant(8)),
  smooth: maybe(fc.constantFrom(1, 2)),
  open: maybe(radius),
  close: maybe(radius),
  split: maybe(fc.integer({ min: 1, max: 3 })),
  expand: maybe(radius),
  minArea: maybe(fc.integer({ min: 2, max: 20 })),
  largest: maybe(fc.integer({ min: 1, max: 9 })),
  fillHoles: maybe(fc.constant(true)),
  clearBorder: maybe(fc.constant(true)),
  select: maybe(fc.constantFrom("area >= 5 && area <= 300", "area >= 3 && area <= 900 && mean >= 20 && mean <= 190")),
  edits: maybe(fc.array(edit, { minLength: 1, maxLength: 4 })),
});

const fills = fc.record({
  seeds: fc.array(place, { minLength: 1, maxLength: 3 }),
  tolerance: fc.integer({ min: 1, max: 60 }),
  range: maybe(fc.constant("floating")),
  connectivity: maybe(fc.constant(8)),
  average: maybe(fc.constant(3)),
  contiguous: maybe(fc.constant(false)),
});

const within = { skerry: 1, operation: "components", options: { threshold: { above: 40 }, pick: [[80, 60]] } };

/** A recipe without fields that are undefined. */
const recipeFor = (operation: string, options: object, fenced: boolean): Recipe =>
  JSON.parse(JSON.stringify({ skerry: 1, operation, ...(fenced ? { input: { within } } : {}), options }));

/** One class of objects is what shape and splits take; the page shows no controls for them otherwise. */
const isShown = ({ options = {} }: Recipe): boolean => {
  const { threshold, smooth, open: opened, close, split, expand } = options;
  const both = typeof threshold === "object" && "outside" in threshold;
  const shaped = [opened, close, split, expand].some((value) => value !== undefined);
  return !(both && shaped) && !(threshold === "nonzero" && smooth !== undefined);
};

describe.skipIf(noBrowser)("recipes", () => {
  let bench: Bench;
  let lab: Opened;
  let engine: Engine;
  beforeAll(async () => {
    bench = await Bench.start();
    engine = await open({ device: "cpu", threads: 2 });
    lab = await (await bench.open("isolated", "")).go();
    await lab.settled();
    await lab.opens("blobs.png", await pngOf(raster));
  }, 120_000);
  afterAll(async () => {
    await lab?.close();
    await bench?.close();
    await engine?.close();
  });

  const opens = async (recipe: unknown): Promise<void> => {
    await lab.choose("given.json", Buffer.from(JSON.stringify(recipe)));
    // The page has read the file once its own recipe is another one, or says why not.
    await lab.page.waitForTimeout(60);
    await lab.settled();
  };

  test("40 recipes: the same recipe and the same bytes", async () => {
    const own = fc.sample(
      fc
        .oneof(
          {
            weight: 3,
            arbitrary: fc
              .tuple(objects, fc.boolean())
              .map(([options, fenced]) => recipeFor("components", options, fenced)),
          },
          {
            weight: 1,
            arbitrary: fc.tuple(fills, fc.boolean()).map(([options, fenced]) => recipeFor("fill", options, fenced)),
          },
        )
        .filter((recipe) => check(recipe) === undefined && isShown(recipe)),
      { seed: 5, numRuns: 40 },
    );
    for (const recipe of own) {
      const told = JSON.stringify(recipe);
      await opens(recipe);
      expect(JSON.parse(`${await lab.saves("recipe")}`), told).toEqual(recipe);
      const { components } = (await run(engine, recipe, { image: raster })) as { components: Components };
      const file = new MemoryOutput();
      if (recipe.operation === "fill") {
        const { width, height } = raster;
        await writePng(file, { width, height, channels: 1, data: maskBytes(await components.mask(), 255) });
      } else {
        const { layout, fill } = labelValues(components, "u32");
        await writeNpyValues(file, layout, fill);
      }
      const saved = await lab.saves(recipe.operation === "fill" ? "mask" : "labels");
      expect(saved.equals(Buffer.concat(file.chunks)), told).toBe(true);
      components.dispose();
    }
  }, 300_000);

  test("recipes that the page has no control for, and files that hold none, are told and change nothing", async () => {
    const before = await lab.saves("recipe");
    for (const [recipe, message] of [
      [{ skerry: 1, operation: "mask" }, "The page has no control for operation mask"],
      [{ skerry: 1, operation: "distance", options: { squared: true } }, "options.squared"],
      [{ skerry: 1, operation: "kmeans", options: { k: 3, maxIterations: 9 } }, "options.maxIterations"],
      [{ skerry: 1, operation: "components", options: { threshold: { hysteresis: [9, 90] } } }, "options.threshold"],
      [{ skerry: 2, operation: "components" }, "Expected skerry to be 1"],
      [[1], "Expected a recipe to be an object"],
    ] as const) {
      await opens(recipe);
      await expect.poll(() => lab.page.textContent("body")).toContain(message);
    }
    expect((await lab.saves("recipe")).equals(before)).toBe(true);
  }, 60_000);

  test("Otsu's threshold and the polarity come from the picture where the recipe leaves them to it", async () => {
    const inverted = { ...raster, data: raster.data.map((value) => 255 - value) };
    await lab.opens("dark.png", await pngOf(inverted));
    await opens({ skerry: 1, operation: "components", options: { threshold: "otsu" } });
    const expected = await engine.components(inverted, { threshold: "otsu", polarity: "auto" });
    expect(expected.polarity).toBe("dark");
    await lab.until(expected.count);
  }, 60_000);
});

// The check of recipes and what follows from the table: sentences, steps, the schema, command lines; the examples of docs/recipe.md.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Source } from "skerry";
import { describe, expect, test } from "vitest";
import { check, cropped, type Recipe, schema, steps, toCommand, toTypeScript } from "../src/index.js";
import { FIELDS, fieldsOf, OPERATIONS } from "../src/internal.js";

const stroke = { mode: "new", at: [3, 4], tolerance: 8 };
const fill = (options: object): object => ({ skerry: 1, operation: "fill", options });
const components = (options: object, more: object = {}): unknown => ({
  skerry: 1,
  operation: "components",
  options,
  ...more,
});

describe("check", () => {
  test.each([
    [7, "Expected a recipe to be an object, got 7."],
    [
      { skerry: 2, operation: "fill" },
      "Expected skerry to be 1, the version of recipes that this program knows, got 2.",
    ],
    [
      { skerry: 1, operation: "label" },
      'Expected operation to be components, labelled, fill, distance, kmeans, mask, got "label"; did you mean labelled?',
    ],
    [components({ treshold: "otsu" }), "did you mean options.threshold?"],
    [components({ smooth: -1 }), "Expected options.smooth to be above 0, got -1."],
    [components({ smooth: "1" }), 'Expected options.smooth to be above 0, got "1".'],
    [
      components({ fillHoles: false }),
      "Expected options.fillHoles to be true, slices, x, y or z, or several of these such as x,z, got false.",
    ],
    [components({ threshold: { above: 3, below: 4 } }), "Expected options.threshold to be"],
    [
      components({ threshold: { between: [9, 2] } }),
      "Expected options.threshold.between to be [lo, hi] with lo at most hi, got [9,2].",
    ],
    [
      components({ threshold: { abov: 3 } }),
      `Expected options.threshold's field to be above, below, between, outside, hysteresis, local, got "abov"; did you mean above?`,
    ],
    [
      components({ threshold: { local: { raduis: 9, method: "mean" } } }),
      'Expected options.threshold.local to be { "method": "mean", radius, offset? } or',
    ],
    [
      fill({ strokes: [stroke, { ...stroke, mode: "ad" }] }),
      'Expected options.strokes[1].mode to be new, add, take, got "ad"; did you mean add?',
    ],
    [
      fill({ strokes: [{ mode: "new", at: [3, 4] }] }),
      "Expected options.strokes[0].tolerance to be 0 or more, got nothing.",
    ],
    [
      fill({ strokes: [{ ...stroke, seeds: [] }] }),
      `Expected options.strokes[0]'s field to be mode, at, tolerance, got "seeds".`,
    ],
    [
      { ...fill({ strokes: [stroke] }), products: { coats: [{ color: "#00ff00", strokes: [{ ...stroke, at: 3 }] }] } },
      "Expected products.coats[0].strokes[0].at to be [x, y],",
    ],
    [components({ tolerance: 3 }), "got options.tolerance; did you mean options.by { tolerance }?"],
    [{ skerry: 1, operation: "components", minArea: 4 }, "got minArea; did you mean options.minArea?"],
    [{ skerry: 1, operation: "components", otsu: true }, "Expected fields that a recipe has, got otsu"],
    [components({ minArea: Number.POSITIVE_INFINITY }), "Expected options.minArea to be 0 or more, got Infinity."],
    [
      components({}, { input: { spacing: 0.5 } }),
      'Expected input.spacing to be [x, y] or [x, y, z] above 0, or "file", got 0.5.',
    ],
    [
      { skerry: 1, operation: "kmeans", options: { k: 2, init: ["#ff0000"] } },
      "Expected options.init to be kmeans++, random, grid, tiles, or a list of colours [r, g, b] or greys [v]",
    ],
    [components({ threshold: { above: 3 }, polarity: "dark" }), 'use { "below": N } instead.'],
    [components({ by: "value", threshold: "otsu" }), "Expected no threshold with options.by, got options.threshold."],
    [components({ background: 3 }), "Expected options.background together with options.by."],
    [components({ maxHoleArea: 3 }), "Expected options.maxHoleArea together with options.fillHoles."],
    [components({ minArea: 9, maxArea: 3 }), "Expected options.minArea to be at most options.maxArea, got 9 and 3."],
    [components({ select: "area >" }), "in options.select"],
    [
      components({}, { products: { quantiles: [0.5] } }),
      "Expected products.quantiles together with quantiles in products.properties.",
    ],
    [components({}, { input: { crop: [1, 2, 0, 4] } }), "Expected input.crop to be X,Y,WIDTH,HEIGHT"],
    [components({}, { input: { dtype: "uint8" } }), "Expected input.dtype together with input.shape."],
    [
      components({}, { input: { within: { skerry: 1, operation: "mask" } } }),
      "a recipe of components, fill or kmeans, got one of mask",
    ],
    [components({}, { output: {} }), "Expected fields that a recipe has, got output"],
    [{ skerry: 1, operation: "fill" }, "Expected options.seeds X,Y, a point to begin with, at least once."],
    [{ skerry: 1, operation: "kmeans" }, 'Expected options.k, how many classes, or "auto", got none.'],
    [
      { skerry: 1, operation: "mask", options: { metric: "cityblock" } },
      "Expected options.metric together with options.erode or options.dilate.",
    ],
    [
      components({}, { files: { "b.png": { options: { minArea: -1 } } } }),
      'Expected files["b.png"].options.minArea to be 0 or more, got -1.',
    ],
    [components({}, { files: { "b.png": { option: {} } } }), 'did you mean files["b.png"].options?'],
    [components({}, { files: { "x/b.png": {} } }), "Expected names without folders in files, got x/b.png."],
    [components({}, { files: [] }), "Expected files to be an object of file names"],
    [{ skerry: 1, operation: "kmeans", options: { k: 2 }, files: {} }, "Expected no files in a recipe of kmeans."],
    [
      { skerry: 1, operation: "distance", options: { threshold: { outside: [1, 2] } } },
      "Expected one polarity of foreground for distances",
    ],
  ])("%j", (recipe, message) => {
    expect(check(recipe)).toContain(message);
  });

  test("recipes that are right", () => {
    for (const recipe of [components({}), { skerry: 1, operation: "labelled" }, { skerry: 1, operation: "distance" }]) {
      expect(check(recipe)).toBeUndefined();
    }
  });
});

test("an edit is named by what it does, wherever its radius stands", () => {
  const options = { edits: [{ radius: 2, draw: [[1, 2]] as const }, { drop: [3, 4] as const }] };
  const told = steps({ skerry: 1, operation: "components", options } as Recipe);
  expect(told.join(" ")).toContain("Correct objects by hand, 2 times: draw, drop.");
});

test("the examples of docs/recipe.md pass, tell their steps and print programs", () => {
  const text = readFileSync(resolve(import.meta.dirname, "../../../docs/recipe.md"), "utf8");
  const examples = [...text.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json]) => JSON.parse(json) as Recipe);
  expect(examples).toHaveLength(5);
  for (const recipe of examples) {
    expect(check(recipe)).toBeUndefined();
    expect(steps(recipe).length).toBeGreaterThan(2);
    for (const sentence of steps(recipe)) expect(sentence).toMatch(/^[A-Z0-9].*\.$/);
    // Programs are of one image.
    const { files: _, ...alone } = recipe;
    expect(toTypeScript(alone)).toContain('from "skerry";');
  }
  const several = examples.find(({ files }) => files) as Recipe;
  expect(() => toTypeScript(several)).toThrow("Expected a recipe without files for one image");
  expect(steps(examples[0])).toEqual([
    "Read the image.",
    "Only this part: X,Y,WIDTH,HEIGHT, of a volume X,Y,Z,WIDTH,HEIGHT,DEPTH: 0,0,256,256 (pixels).",
    "Take pixels above the Otsu threshold.",
    "Take the pixels at and below the threshold instead if more pixels are above the mean around them than below it.",
    "Join 4 neighbours, in volumes 6, to objects.",
    "Split objects that touch where the distance to the background falls by H.",
    "Drop objects of fewer pixels: 20 (pixels).",
    "Number the objects from 1 in reading order.",
    expect.stringContaining("area,centroid,mean."),
  ]);
});

test("command lines are quoted, and tell what no flag says", () => {
  const recipe = components({ select: "area > 5 && mean < 9", threshold: { above: -3 } }) as Recipe;
  expect(toCommand(recipe, "my cells.png", ["-o", "it's.npy"])).toEqual({
    text: "npx @skerry/cli label 'my cells.png' --threshold '>-3' --select 'area > 5 && mean < 9' -o 'it'\\''s.npy'",
    without: [],
  });
  const fenced = components({}, { input: { within: components({}) } }) as Recipe;
  expect(toCommand(fenced).without).toEqual(["input.within"]);
});

test("the schema has every field of every operation, with its help", () => {
  const { oneOf } = schema() as {
    oneOf: { properties: Record<string, { const?: string; properties: Record<string, { description: string }> }> }[];
  };
  expect(oneOf.map(({ properties }) => properties.operation.const)).toEqual([...OPERATIONS]);
  for (const [i, operation] of OPERATIONS.entries()) {
    for (const { part, name, help } of fieldsOf(operation)) {
      expect(oneOf[i].properties[part].properties[name].description).toContain(help);
    }
  }
});

test("every field has a sentence of help without a full stop, and every flag belongs to one field of an operation", () => {
  for (const { help, flags } of FIELDS) {
    for (const text of [help, ...flags.map((flag) => flag.help)]) expect(text).toMatch(/[^.]$/);
  }
  for (const operation of OPERATIONS) {
    const names = fieldsOf(operation).flatMap(({ flags }) => flags.map(({ name }) => name));
    expect(new Set(names).size).toBe(names.length);
  }
});

describe("cropped", () => {
  const [width, height, depth] = [7, 5, 4];
  const data = Uint16Array.from({ length: width * height * depth }, (_, i) => i * 3);
  const expected: number[] = [];
  for (let z = 1; z < 3; z++)
    for (let y = 2; y < 5; y++) for (let x = 3; x < 6; x++) expected.push(3 * ((z * height + y) * width + x));
  const box = [3, 2, 1, 3, 3, 2];

  test("a raster, in all its channels", () => {
    expect([...cropped({ data, width, height, depth }, box).data]).toEqual(expected);
    const rgb = { data: Uint8Array.from({ length: 4 * 3 * 3 }, (_, i) => i), width: 4, height: 3, channels: 3 };
    expect([...cropped(rgb, [1, 1, 2, 1]).data]).toEqual([15, 16, 17, 18, 19, 20]);
  });

  test("a Source, in bands of any size", async () => {
    const source: Source = {
      width,
      height,
      depth,
      type: "u16",
      read: (z0, z1, y0, y1, into) => {
        let at = 0;
        for (let z = z0; z < z1; z++) {
          const from = (z * height + y0) * width;
          into.set(data.subarray(from, from + (y1 - y0) * width), at);
          at += (y1 - y0) * width;
        }
      },
    };
    const part = cropped(source, box);
    const whole = new Uint16Array(18);
    await part.read(0, 2, 0, 3, whole, {});
    expect([...whole]).toEqual(expected);
    const row = new Uint16Array(3);
    await part.read(1, 2, 2, 3, row, {});
    expect([...row]).toEqual(expected.slice(15));
  });

  test("a box that lies outside is refused", () => {
    expect(() => cropped({ data, width, height, depth }, [5, 0, 3, 1])).toThrow(
      "Expected --crop to lie within 7 x 5 x 4, got 5,0,3,1.",
    );
  });
});

test("recipes for lines without an end are checked, and refused where an image is worked on", async () => {
  const recipe = {
    skerry: 1,
    operation: "components",
    input: { endless: true, shape: [8192] },
    options: { threshold: { above: 60 }, maxLength: 100 },
    products: { failIf: "area > 5" },
  } as const satisfies Recipe;
  expect(check(recipe)).toBeUndefined();
  expect(steps(recipe)).toContain("Tell each object once no pixel of the last line continues it, in that order.");
  expect(() => toTypeScript(recipe)).toThrow("engine.stream() takes lines");
  expect(check({ ...recipe, input: { shape: [8192] } })).toContain("which is for input.endless");
  expect(check({ ...recipe, products: { failIf: "aera > 5" } })).toContain("did you mean area?");
  const { options, ...others } = recipe;
  expect(check({ ...others, input: {}, options })).toBe("Expected options.maxLength together with input.endless.");
});

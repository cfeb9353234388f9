// Settings of the page as recipes, and back: what was automatic stays so, and what a line was dragged to is what the picture had chosen.

import { spaceOf } from "@skerry/files";
import { unitFactor } from "@skerry/files/internal";
import { check } from "@skerry/recipe";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Opened } from "../src/files/opened.js";
import { COLOURS, STARTS } from "../src/settings/colours.js";
import { TARGETS } from "../src/settings/distance.js";
import { FILL } from "../src/settings/fill.js";
import { settingsOf } from "../src/settings/from-saved.js";
import { dragged, lineOf, METHODS, OBJECTS, optionsOf, type Rule, tintOf } from "../src/settings/objects.js";
import { ownRecipe, type Recipe, recipeFor, SAMPLES, type Scale, TOOL_NAMES } from "../src/settings/recipe.js";
import { carriedInto, isToldBy, LENGTHS, rescaled, scaleIn, scaleOf, withScaleOf } from "../src/state/scale.js";
import { savedOf } from "../src/tools/index.js";

const spot = fc.tuple(fc.nat(500), fc.nat(500));
const rules: readonly Rule[] = ["auto", "bright", "dark", "both", "nonzero", "value"];

const objects = fc
  .record({
    rule: fc.constantFrom(...rules),
    method: fc.constantFrom(...METHODS),
    channel: fc.constantFrom("luma", "red", "hematoxylin"),
    threshold: fc.integer({ min: 100, max: 200 }),
    lower: fc.integer({ min: 0, max: 99 }),
    local: fc.integer({ min: 1, max: 60 }),
    connectivity: fc.constantFrom(4, 8),
    smooth: fc.constantFrom(0, 1.5),
    gradient: fc.constantFrom(0, "sobel", 2),
    open: fc.nat(3),
    split: fc.constantFrom(0, 1, 2.5),
    expand: fc.nat(4),
    minArea: fc.integer({ min: 1, max: 40 }),
    maxArea: fc.constantFrom(0, 900),
    largest: fc.nat(3),
    fillHoles: fc.boolean(),
    clearBorder: fc.boolean(),
    edits: fc.array(
      fc.oneof(
        fc.record({ draw: fc.array(spot, { minLength: 1, maxLength: 4 }), radius: fc.nat(9) }),
        fc.record({ cut: fc.array(spot, { minLength: 1, maxLength: 4 }) }),
        fc.record({ join: fc.tuple(spot, spot) }),
        fc.record({ drop: spot }),
      ),
      { maxLength: 3 },
    ),
    keep: fc.constantFrom({}, { area: [3, 90] }, { area: [3, Number.POSITIVE_INFINITY] }),
  })
  .map((own) => ({ ...OBJECTS, ...own }) as Recipe["objects"]);

const strokes = fc.array(
  fc.record({ mode: fc.constantFrom("new", "add", "take"), x: fc.nat(500), y: fc.nat(500), tolerance: fc.nat(60) }),
  { minLength: 1, maxLength: 4 },
);
const fills = fc
  .record({ strokes, range: fc.constantFrom("fixed", "floating"), average: fc.constantFrom(1, 3) })
  .map((own) => ({ ...FILL, ...own, strokes: own.strokes.map((one, i) => (i ? one : { ...one, mode: "new" })) }));

const colours = fc
  .record({
    k: fc.integer({ min: 1, max: 40 }),
    metric: fc.constantFrom("l2", "l1", "l1-mean"),
    seed: fc.nat(9),
    colourSpace: fc.constantFrom("rgb", "oklab"),
    init: fc.constantFrom(...STARTS),
    merged: fc.array(fc.array(spot, { minLength: 2, maxLength: 3 }), { maxLength: 2 }),
  })
  .map((own) => own as Recipe["colours"]);

const distances = fc
  .record({
    target: fc.constantFrom(...TARGETS),
    surface: fc.boolean(),
    signed: fc.boolean(),
    max: fc.constantFrom(0, 7.5),
    metric: fc.constantFrom("euclidean", "cityblock", "chessboard"),
    points: fc.array(spot, { minLength: 1, maxLength: 3 }),
  })
  .map((own) => own as Recipe["distance"]);

const scales = fc.constantFrom(undefined, { size: 0.5, unit: "um" }, { size: 3, unit: "px" });
const fences = fc.constantFrom(
  undefined,
  { tool: "objects", objects: OBJECTS, spots: [[3, 4]] },
  { tool: "colours", colours: COLOURS, spots: [[7, 1]] },
);

const figures = fc.constantFrom(
  undefined,
  { draw: ["colours", "numbers"] },
  { draw: ["outlines"], colourBy: "area", title: "Day 3, <b> & c" },
  { colourBy: "value" },
);

describe("recipes of the page", () => {
  test("a scale of the file's own is left to each file: lengths stay in their unit, in files of other sizes and units", () => {
    const side = fc.constantFrom(0.2, 0.325, 1, 30);
    const unit = fc.constantFrom("nm", "um", "\u00b5m", "mm", "m");
    const file = fc.record({ sides: fc.tuple(side, side), unit });
    const openedOf = ({
      sides,
      unit,
    }: {
      readonly sides: readonly [number, number];
      readonly unit: string;
    }): Opened => ({
      ...({
        name: "a.tif",
        width: 9,
        height: 7,
        channels: 1,
        data: new Uint8Array(63),
        notes: [],
      } as unknown as Opened),
      space: spaceOf({ size: { width: 9, height: 7 }, spacing: [...sides, 1], unit }),
    });
    fc.assert(
      fc.property(file, file, objects, fc.boolean(), (one, other, given, isByHand) => {
        const first = openedOf(one);
        const plain = withScaleOf(first, { ...ownRecipe("a.tif", "objects"), objects: given });
        const settings = isByHand ? rescaled(plain, { size: 0.7, unit: "um" }) : plain;
        const saved = savedOf(settings, first);
        expect(saved?.input?.spacing).toEqual(isByHand ? [0.7, 0.7] : undefined);
        expect(saved?.input?.unit).toBe(settings.scale?.unit);
        const next = openedOf(other);
        const read = withScaleOf(next, { ...settings, ...settingsOf(JSON.parse(JSON.stringify(saved))) });
        const kept = settingsOf(savedOf(settings)).objects;
        for (const name of LENGTHS) expect(read.objects[name]).toBe(kept[name]);
        expect(isToldBy(next, read)).toBe(!isByHand);
        expect(read.scale?.unit).toBe(settings.scale?.unit);
        expect(savedOf(read, next)).toEqual(saved);
        // Through other units and back it stays the file's own.
        const units = ["nm", "in", "mm", "in", "um", "m"];
        const scale = units.reduce(
          (before: Scale | undefined, unit) => before && scaleIn(before, unit),
          scaleOf(first),
        );
        expect(isToldBy(first, { ...settings, scale })).toBe(true);
        // Another file takes lengths and bounds as they are, whatever its unit; none is cut at the most of its field.
        const carried = withScaleOf(next, {
          ...settings,
          scale: settings.scale && { ...settings.scale, isCarried: true },
        });
        const factor = unitFactor(settings.scale?.unit, carried.scale?.unit) as number;
        for (const name of LENGTHS) expect(carried.objects[name]).toBeCloseTo(factor * settings.objects[name], 9);
        const back = carriedInto(carried, settings.scale);
        for (const name of LENGTHS)
          expect(Math.abs(back.objects[name] - settings.objects[name])).toBeLessThanOrEqual(
            1e-9 * settings.objects[name],
          );
        const [low = 0] = settings.objects.keep.area ?? [];
        expect(carried.objects.keep.area?.[0] ?? 0).toBeCloseTo(factor ** 2 * low, 9);
      }),
    );
  });

  test("1000 settings give recipes that are valid, and that the page reads as settings with the same recipe", () => {
    let valid = 0;
    fc.assert(
      fc.property(
        objects,
        fills,
        distances,
        colours,
        fc.constantFrom(...TOOL_NAMES),
        scales,
        fences,
        figures,
        (...given) => {
          const [own, fill, distance, colour, tool, scale, within, figure] = given;
          const settings = {
            ...ownRecipe("a.png", tool),
            objects: own,
            fill,
            distance,
            colours: colour,
            ...(scale ? { scale } : {}),
            ...(within ? { within } : {}),
            ...(figure ? { figure } : {}),
          } as Recipe;
          const saved = savedOf(settings);
          // Controls that have no meaning for a rule are hidden; what is left of them would be refused.
          if (!saved || check(saved) !== undefined) return;
          valid++;
          const read = settingsOf(JSON.parse(JSON.stringify(saved)));
          expect(savedOf({ ...settings, ...read })).toEqual(saved);
        },
      ),
      { seed: 34, numRuns: 1000 },
    );
    expect(valid).toBeGreaterThan(600);
  });

  test("what is automatic is no number, and its polarity is left to the picture", () => {
    expect(savedOf(ownRecipe("a.png", "objects"))).toEqual({
      skerry: 1,
      operation: "components",
      options: { threshold: "otsu" },
    });
    expect(optionsOf(OBJECTS)).toMatchObject({ threshold: "otsu", polarity: "auto" });
    expect(settingsOf({ skerry: 1, operation: "components" }).objects).toEqual(OBJECTS);
    for (const method of ["li", "triangle"] as const) {
      const saved = savedOf({ ...ownRecipe("a.png", "objects"), objects: { ...OBJECTS, method, rule: "dark" } });
      expect(saved?.options).toEqual({ threshold: method, polarity: "dark" });
      expect(settingsOf(saved).objects).toMatchObject({ method, rule: "dark" });
    }
  });

  test("a dragged line keeps what the picture had chosen; dark objects are at and below an automatic threshold", () => {
    const found = { count: 1, covered: 0.1, threshold: 146, polarity: "dark" } as const;
    expect(dragged(OBJECTS, found)).toEqual({ rule: "dark", method: "fixed" });
    expect(lineOf(OBJECTS, found, true)).toBe(147);
    expect(lineOf(OBJECTS, { ...found, polarity: "bright" }, true)).toBe(146);
    expect(lineOf(OBJECTS, found, false)).toBe(146);
    expect(lineOf({ ...OBJECTS, method: "fixed", threshold: 7 }, found, true)).toBe(7);
    expect(dragged({ ...OBJECTS, rule: "both" }, found)).toEqual({});
  });

  test("a shader tints only what it can compare by itself", () => {
    const fixed = { ...OBJECTS, rule: "bright", method: "fixed" } as const;
    expect(tintOf(fixed)).toMatchObject({ rule: "bright", threshold: 128 });
    expect(tintOf({ ...fixed, smooth: 1 })).toBe(undefined);
    expect(tintOf(OBJECTS)).toBe(undefined);
  });

  test("samples are recipes", () => {
    for (const sample of SAMPLES) {
      const saved = savedOf(recipeFor(sample));
      expect(saved && check(saved), sample.source).toBe(undefined);
    }
  });
});

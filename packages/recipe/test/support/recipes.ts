// Random recipes, from the rows of the table, and the inputs that they run on.

import fc from "fast-check";
import { check, type Operation, type Recipe } from "../../src/index.js";
import { fieldsOf } from "../../src/internal.js";

/** Values of fields, by name; of those that are not here, the tests of single fields tell. */
const small = fc.integer({ min: 0, max: 5 });
const level = fc.integer({ min: 40, max: 200 });
const pair = fc.tuple(fc.integer({ min: 30, max: 110 }), fc.integer({ min: 110, max: 220 }));
const thresholds = fc.oneof(
  fc.constantFrom("nonzero", "otsu", "li", "triangle"),
  level.map((above) => ({ above })),
  level.map((below) => ({ below })),
  pair.map((between) => ({ between })),
  pair.map((outside) => ({ outside })),
  pair.map((hysteresis) => ({ hysteresis })),
  fc.integer({ min: 1, max: 6 }).map((radius) => ({ local: { radius, method: "mean", offset: -3 } })),
  fc.integer({ min: 1, max: 6 }).map((radius) => ({ local: { radius, method: "sauvola" } })),
);
// Within every crop below, in pixels of the whole image.
const place = fc.tuple(fc.integer({ min: 10, max: 26 }), fc.integer({ min: 11, max: 19 }));
const stroke = fc.record({
  mode: fc.constantFrom("new", "add", "take"),
  at: place,
  tolerance: fc.integer({ min: 0, max: 90 }),
});
const line = fc.array(place, { minLength: 1, maxLength: 3 });
const edit = fc.oneof(
  fc.record({ draw: line, radius: fc.constantFrom(0, 1, 2.5) }),
  fc.record({ erase: line, radius: fc.constantFrom(0, 1, 2.5) }),
  fc.record({ cut: line }),
  fc.record({ join: fc.tuple(place, place) }),
  fc.record({ drop: place }),
  fc.record({ fill: place }),
);
const files = fc.array(fc.constantFrom("mask.png", "other.png"), { minLength: 1, maxLength: 2 });

const VALUES: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  crop: fc.constantFrom([3, 2, 24, 18], [0, 0, 40, 30], [10, 11, 24, 19]),
  spacing: fc.constantFrom([0.5, 0.5, 1], [2, 1, 1], [0.25, 0.5]),
  nodata: fc.constantFrom(0, 60),
  channel: fc.constantFrom("luma", "red", "green", 0, "hematoxylin"),
  page: fc.constant(0),
  within: fc.constantFrom(
    "mask.png",
    { skerry: 1, operation: "components", options: { threshold: { above: 100 }, pick: [[10, 12]], dilate: 4 } },
    { skerry: 1, operation: "fill", options: { seeds: [[12, 14]], tolerance: 70 } },
    {
      skerry: 1,
      operation: "kmeans",
      options: {
        k: 3,
        pick: [[10, 12]],
        merge: [
          [
            [11, 12],
            [20, 15],
          ],
        ],
      },
    },
  ),
  intensity: fc.constantFrom(["grey.png"], ["grey.png", "red=colour.png:0"], ["colour.png:green"]),
  union: files,
  intersection: files,
  difference: files,
  threshold: thresholds,
  polarity: fc.constantFrom("bright", "dark"),
  by: fc.oneof(
    fc.constant("value"),
    small.map((tolerance) => ({ tolerance })),
  ),
  background: fc.constantFrom(0, 60, null),
  connectivity: fc.constantFrom(4, 8),
  smooth: fc.constantFrom(0.7, 1, 2.5),
  flatten: fc.integer({ min: 1, max: 9 }),
  open: small,
  close: small,
  erode: fc.constantFrom(0, 1, 1.5),
  dilate: fc.constantFrom(0, 1, 2.3),
  fillHoles: fc.constantFrom(true, "slices"),
  maxHoleArea: fc.integer({ min: 1, max: 20 }),
  split: fc.constantFrom(true, 0.5, 2),
  absorb: fc.integer({ min: 1, max: 12 }),
  clearBorder: fc.constant(true),
  minArea: fc.integer({ min: 0, max: 8 }),
  maxArea: fc.integer({ min: 9, max: 400 }),
  largest: fc.integer({ min: 1, max: 6 }),
  expand: fc.constantFrom(1, 1.5, 3),
  pick: fc.array(place, { minLength: 1, maxLength: 3 }),
  edits: fc.array(edit, { minLength: 1, maxLength: 4 }),
  select: fc.constantFrom(
    "area > 3",
    "area > 2 && mean < 180",
    "!(area == 4) || maxIntensity >= 60",
    "area * 2 - 1 != 5",
  ),
  sort: fc.constantFrom("area", "-area", "mean"),
  top: fc.integer({ min: 1, max: 5 }),
  physical: fc.constant(true),
  seeds: fc.array(place, { minLength: 1, maxLength: 3 }),
  range: fc.constantFrom("fixed", "floating"),
  contiguous: fc.constant(false),
  average: fc.constantFrom(1, 3, 5),
  strokes: fc.array(stroke, { minLength: 1, maxLength: 3 }),
  to: fc.constant("surface"),
  max: fc.constantFrom(2, 4.5),
  beyond: fc.constantFrom("infinity", "clamp", "coarse"),
  signed: fc.constant(true),
  squared: fc.constant(true),
  k: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.constant("auto")),
  maxK: fc.integer({ min: 2, max: 5 }),
  merge: fc.array(fc.array(place, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 2 }),
  points: fc.array(place, { minLength: 1, maxLength: 4 }),
  init: fc.constantFrom("kmeans++", "random", "grid", "tiles", [
    [0, 0, 0],
    [255, 255, 255],
    [200, 30, 30],
  ]),
  seed: fc.integer({ min: 0, max: 9 }),
  colourSpace: fc.constantFrom("rgb", "oklab"),
  maxIterations: fc.integer({ min: 0, max: 20 }),
  restarts: fc.integer({ min: 1, max: 2 }),
  ignoreTransparent: fc.constant(true),
  properties: fc.constantFrom(["area"], ["area", "centroid", "mean"], ["area", "quantiles"], ["bounds", "histogram"]),
  perChannel: fc.constant(true),
  quantiles: fc.constantFrom([0.5], [0.1, 0.9]),
  bins: fc.integer({ min: 1, max: 8 }),
  simplify: fc.constantFrom(0, 1),
  rings: fc.constantFrom("simple", "exact"),
  opacity: fc.constantFrom(0.5, 1),
  color: fc.constantFrom("#00aaff", [7]),
};

/** Values of fields that mean another thing in an operation. */
const OF: Readonly<Partial<Record<Operation, Readonly<Record<string, fc.Arbitrary<unknown>>>>>> = {
  fill: {
    tolerance: fc.oneof(fc.integer({ min: 0, max: 90 }), fc.constant([9, 30, 60])),
    metric: fc.constantFrom("linf", "l1", "l2"),
  },
  distance: { metric: fc.constantFrom("euclidean", "cityblock", "chessboard") },
  mask: { metric: fc.constantFrom("euclidean", "cityblock", "chessboard") },
  kmeans: { tolerance: fc.constantFrom(0, 1.5), metric: fc.constantFrom("l2", "l1", "l1-mean") },
};

/** How often a field is there. */
const RARE = 0.22;
const LIKELY: Readonly<Record<string, number>> = {
  threshold: 0.6,
  seeds: 0.9,
  k: 0.95,
  strokes: 0.08,
  by: 0.15,
  points: 0.05,
  "distance.by": 0.03,
  "distance.channel": 0.1,
};

/** Recipes of an operation that pass the check. */
export function recipes(operation: Operation): fc.Arbitrary<Recipe> {
  const fields = fieldsOf(operation).flatMap((field) => {
    const value = OF[operation]?.[field.name] ?? VALUES[field.name];
    if (!value) return [];
    const often = LIKELY[`${operation}.${field.name}`] ?? LIKELY[field.name] ?? RARE;
    const maybe = fc.option(value, { nil: undefined, freq: Math.max(1, Math.round(often / (1 - often))) });
    const seldom = fc.nat(99).chain((n) => (n < 100 * often ? value : fc.constant(undefined)));
    return [[field, often > 0.5 ? maybe : seldom] as const];
  });
  return fc
    .tuple(...fields.map(([, value]) => value))
    .map((values) => {
      const parts: Record<string, Record<string, unknown>> = {};
      for (const [i, [{ part, name }]] of fields.entries()) {
        if (values[i] === undefined) continue;
        parts[part] ??= {};
        parts[part][name] = values[i];
      }
      // Pixels without a size have no physical lengths.
      if (parts.options?.physical) parts.input = { spacing: [2, 1, 1], ...parts.input };
      // Commands refuse a size that their table does not use.
      const tabular = operation === "components" || operation === "labelled";
      if (tabular && parts.input?.spacing) parts.options = { ...parts.options, physical: true };
      return { skerry: 1, operation, ...parts } as Recipe;
    })
    .filter((recipe) => check(recipe) === undefined);
}

/** How many recipes of each operation there are in a hundred. */
export const SHARES: Readonly<Record<Operation, number>> = {
  components: 36,
  labelled: 18,
  fill: 12,
  distance: 16,
  kmeans: 10,
  mask: 8,
};

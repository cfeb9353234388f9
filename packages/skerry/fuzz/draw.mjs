// Random inputs of the fuzzer: rasters as short descriptions, calls with every option in combination, and what happens
// around calls (origin of pixels, destination of results, aborts, disposals). All are plain records, which can be printed.

import fc from "fast-check";

const sides = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 40 }) },
  { weight: 3, arbitrary: fc.constantFrom(1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129) },
  { weight: 1, arbitrary: fc.integer({ min: 91, max: 300 }) },
);

/** Sizes of images, long lines and volumes. */
const sizes = fc.oneof(
  { weight: 20, arbitrary: fc.record({ width: sides, height: sides, depth: fc.constant(1) }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      { width: 1, height: 30_000, depth: 1 },
      { width: 100_000, height: 1, depth: 1 },
      { width: 4097, height: 3, depth: 1 },
    ),
  },
  {
    weight: 9,
    arbitrary: fc.record({
      width: fc.integer({ min: 1, max: 70 }),
      height: fc.integer({ min: 1, max: 16 }),
      depth: fc.integer({ min: 2, max: 12 }),
    }),
  },
);

const seed = fc.integer({ min: 1, max: 1_000_000 });

/** A raster: see pixels.mjs. */
const raster = (types, channels, nodata = true) =>
  fc.record({
    type: fc.constantFrom(...types),
    size: sizes,
    channels: fc.constantFrom(...channels),
    pattern: fc.constantFrom(
      "noise",
      "blocks",
      "rings",
      "comb",
      "spiral",
      "checker",
      "empty",
      "full",
      "lines",
      "gradient",
    ),
    density: fc.integer({ min: 0, max: 100 }),
    special: fc.constantFrom(
      "none",
      "none",
      "none",
      "none",
      "none",
      "extremes",
      "infinities",
      "nan",
      "infinity alone",
      "infinities alone",
      "nan alone",
    ),
    nodata: fc.constantFrom(
      ...(nodata ? [undefined, undefined, undefined, undefined, 0, 200, 255, 120.4] : [undefined]),
    ),
    seed,
  });

/** The origin of pixels, and events while the call runs. */
const around = fc.record(
  {
    via: fc.constantFrom("array", "allocated", "image", "source"),
    sink: fc.boolean(),
    abortAfter: fc.oneof(
      { weight: 9, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 6 }) },
    ),
    disposeEarly: fc.constantFrom(false, false, false, true),
    // Most faults are in the first turns, before the pixels are copied.
    shrinkAfter: fc.oneof(
      { weight: 16, arbitrary: fc.constant(undefined) },
      { weight: 3, arbitrary: fc.integer({ min: 0, max: 5 }) },
      { weight: 1, arbitrary: fc.integer({ min: 6, max: 20 }) },
    ),
  },
  { requiredKeys: ["via", "sink"] },
);

const value = fc.integer({ min: -20, max: 260 });
const threshold = (two) =>
  fc.oneof(
    fc.constantFrom("nonzero", "otsu", "li", "triangle"),
    value.map((above) => ({ above })),
    value.map((below) => ({ below })),
    fc.tuple(value, value).map(([a, b]) => ({ between: [Math.min(a, b), Math.max(a, b)] })),
    ...(two
      ? ["outside", "hysteresis"].map((kind) =>
          fc.tuple(value, value).map(([a, b]) => ({ [kind]: [Math.min(a, b), Math.max(a, b)] })),
        )
      : []),
  );

const neighbours = fc.integer({ min: 0, max: 2 });

const components = fc.record({
  noun: fc.constant("components"),
  raster: raster(["u8", "u8", "u16", "i16", "f32", "u32", "i32"], [1, 1, 3, 4]),
  around,
  neighbours,
  rule: fc.oneof(
    { weight: 4, arbitrary: fc.record({ threshold: threshold(true) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        threshold: fc.constantFrom("otsu", "li", "triangle"),
        polarity: fc.constantFrom("dark", "auto", "auto"),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom({ by: "value" }, { by: { tolerance: 2 } }, { by: "value", background: null }),
    },
  ),
  filter: fc.record(
    {
      fillHoles: fc.boolean(),
      clearBorder: fc.boolean(),
      minArea: fc.integer({ min: 0, max: 12 }),
      maxArea: fc.integer({ min: 12, max: 400 }),
      largest: fc.integer({ min: 1, max: 6 }),
    },
    { requiredKeys: [] },
  ),
  within: fc.constantFrom(false, false, false, false, true),
  product: fc.constantFrom(
    "labels",
    "regions",
    "runs",
    "surface",
    "filter",
    "distance",
    "contacts",
    "outlines",
    "shapes",
    "selections",
    "labelled",
    "light",
    "split",
    "edits",
    "morphology",
    "keep",
    "window",
    "histogram",
    "channel",
    "suggest",
    "each",
  ),
  window: fc.record({
    x: fc.integer({ min: -20, max: 100 }),
    y: fc.integer({ min: -10, max: 60 }),
    z: fc.integer({ min: -1, max: 12 }),
    width: fc.integer({ min: 1, max: 90 }),
    height: fc.integer({ min: 1, max: 40 }),
    step: fc.constantFrom(1, 1, 2, 5, 64),
    axis: fc.constantFrom("x", "y", "z"),
  }),
});

const fill = fc.record({
  noun: fc.constant("fill"),
  raster: raster(["u8", "u8", "u16", "i16", "f32", "u32", "i32"], [1, 3, 4]),
  around,
  neighbours,
  seeds: fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat()), { minLength: 1, maxLength: 3 }),
  tolerance: fc.oneof(fc.constantFrom(0, 1, 8, 40, 300), fc.record({ lower: fc.nat(30), upper: fc.nat(30) })),
  metric: fc.constantFrom("linf", "l1", "l2"),
  range: fc.constantFrom("fixed", "fixed", "floating"),
  contiguous: fc.constantFrom(true, true, true, false),
  average: fc.constantFrom(1, 1, 1, 3),
});

const distance = fc.record({
  noun: fc.constant("distance"),
  raster: raster(["u8"], [1]),
  around,
  threshold: threshold(false),
  to: fc.constantFrom("foreground", "surface"),
  metric: fc.constantFrom("euclidean", "euclidean", "cityblock", "chessboard"),
  spacing: fc.constantFrom(
    [1, 1, 1],
    [1, 1, 1],
    [0.88, 0.88, 0.88],
    [0.5, 0.5, 1.25],
    [0.7, 1.13, 1.9],
    [0.9765625, 1.3, 1],
  ),
  max: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
  beyond: fc.constantFrom("infinity", "infinity", "clamp", "coarse"),
  signed: fc.constantFrom(false, false, true),
  nearest: fc.boolean(),
  window: fc.record({
    x: fc.integer({ min: -20, max: 60 }),
    y: fc.integer({ min: -20, max: 60 }),
    width: fc.integer({ min: 1, max: 50 }),
    height: fc.integer({ min: 1, max: 50 }),
    step: fc.integer({ min: 1, max: 5 }),
  }),
});

const kmeans = fc.record({
  noun: fc.constant("kmeans"),
  raster: raster(["u8"], [1, 3, 3, 4], false),
  around,
  k: fc.integer({ min: 1, max: 40 }),
  metric: fc.constantFrom("l2", "l2", "l1", "l1-mean"),
  init: fc.constantFrom("kmeans++", "random", "grid", "tiles", "colours"),
  colourSpace: fc.constantFrom("rgb", "rgb", "oklab"),
  seed,
  maxIterations: fc.integer({ min: 0, max: 30 }),
  restarts: fc.constantFrom(1, 1, 2),
  ignoreTransparent: fc.boolean(),
});

/** Initial centres: k colours that depend on the seed. */
export function startOf(k, channels, seed) {
  const colours = channels === 1 ? 1 : 3;
  return Array.from({ length: k }, (_, i) => Array.from({ length: colours }, (_, c) => (i * 37 + c * 91 + seed) & 255));
}

/** Arguments that no call takes. */
const nonsense = fc.oneof(
  fc.constantFrom(null, undefined, 5, "x", true, [], {}, Number.NaN, -1, 1e99),
  fc.anything({ maxDepth: 2, withTypedArray: true, withSparseArray: true, withNullPrototype: true }),
);
const calls = fc.record({
  noun: fc.constant("calls"),
  method: fc.constantFrom(
    "components",
    "fill",
    "distance",
    "kmeans",
    "load",
    "wand",
    "pickK",
    "smooth",
    "gradient",
    "flatten",
    "unmix",
    "labelled",
    "watershed",
    "histogram",
    "channel",
  ),
  input: fc.oneof(
    nonsense,
    fc.record({ data: nonsense, width: nonsense, height: nonsense }),
    fc.record(
      {
        data: fc.constant("bytes"),
        width: fc.constant(4),
        height: fc.constant(3),
        depth: nonsense,
        channels: nonsense,
        spacing: nonsense,
      },
      { requiredKeys: ["data", "width", "height"] },
    ),
  ),
  options: fc.oneof(
    nonsense,
    fc.dictionary(
      fc.constantFrom(
        "threshold",
        "connectivity",
        "seeds",
        "tolerance",
        "k",
        "init",
        "max",
        "spacing",
        "into",
        "signal",
        "by",
        "seed",
        "minArea",
        "sigma",
        "radius",
        "method",
        "markers",
        "within",
        "split",
        "close",
        "expand",
        "smooth",
        "gradient",
        "by",
        "stains",
        "fillHoles",
        "nearest",
        "metric",
      ),
      nonsense,
      { maxKeys: 4 },
    ),
  ),
});

const nouns = { components, fill, distance, kmeans, calls };

/** Meetings of components, by how far their ids lie below the highest one, a power of 2 less 1; see joins.mjs. */
export const meetings = fc.record({
  most: fc.constantFrom(20, 21, 22, 31, 32, 53),
  pairs: fc.array(fc.tuple(fc.nat(60), fc.nat(60)), { maxLength: 40 }),
  width: fc.integer({ min: 1, max: 9 }),
  above: fc.array(fc.nat(4), { minLength: 27, maxLength: 27 }),
  below: fc.array(fc.nat(4), { minLength: 27, maxLength: 27 }),
  connectivity: fc.constantFrom(4, 8, 6, 18, 26),
});

/** Sequences of calls on one engine, one after another or all at once. */
export function sequences(only) {
  const chosen = Object.entries(nouns).filter(([name]) => only.includes(name));
  const step = fc.oneof(...chosen.map(([, arbitrary]) => arbitrary));
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        together: fc.constant(false),
        steps: fc.array(step, { minLength: 1, maxLength: 4 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ together: fc.constant(true), steps: fc.array(step, { minLength: 2, maxLength: 8 }) }),
    },
  );
}

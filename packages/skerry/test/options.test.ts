// Options that no call knows, and arguments of the wrong kind: refused with one short sentence, before anything is done.

import { type Components, type Engine, InvalidArgument, open, paint, recolour, type Segmentation, toRle } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { draw, noise } from "./support/shapes.js";

const picture = noise(40, 30, 0.5);
let engine: Engine;
let found: Components;
beforeAll(async () => {
  engine = await open({ device: "cpu", threads: 1 });
  found = await engine.components(picture);
});
afterAll(() => engine.close());

/** What a call says no with. */
async function refusal(call: () => unknown): Promise<string> {
  try {
    await call();
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidArgument);
    return (error as Error).message;
  }
  throw new Error("the call was not refused");
}

/** Every call that takes options. */
const CALLS: Record<string, (options: never) => unknown> = {
  open: (options) => open(options),
  load: (options) => engine.load(picture, options),
  components: (options) => engine.components(picture, options),
  fill: (options) => engine.fill(picture, options),
  wand: (options) => engine.wand(picture, options),
  distance: (options) => engine.distance(picture, options),
  kmeans: (options) => engine.kmeans(picture, options),
  pickK: (options) => engine.pickK(picture, options),
  regions: (options) => found.regions(options),
  labels: (options) => found.labels(options),
  runs: (options) => found.runs(options),
  mask: (options) => found.mask(options),
  surface: (options) => found.surface(options),
  contacts: (options) => found.contacts(options),
  outlines: (options) => found.outlines(options),
  keep: (options) => found.keep(options),
  filter: (options) => found.filter(options),
  cocoRle: (options) => found.cocoRle(1, options),
  toRaster: async (options) => (await engine.load(picture)).toRaster(options),
  at: (options) => found.at(1, 1, options),
  over: async (options) => (await engine.distance(picture)).over(found, options),
  paint: (options) => paint(picture, found, 7, options),
  prepare: (options) => engine.prepare(["components"], options),
  "engine.paint": (options) => engine.paint(picture, found, 7, options),
  "engine.recolour": async (options) => engine.recolour(await engine.kmeans(picture, { k: 2 }), options),
  recolour: async (options) => recolour(await engine.kmeans(picture, { k: 2 }), options),
};

describe.each(Object.entries(CALLS))("%s()", (name, call) => {
  test("refuses options that it does not know, and none that are undefined", async () => {
    expect(await refusal(() => call({ zebra: 1 } as never))).toMatch(
      new RegExp(`^Expected options that ${name.replace("engine.", "")}\\(\\) knows, got "zebra"; it knows `),
    );
    expect(await refusal(() => call({ zebra: undefined, tiger: 2 } as never))).toContain('got "tiger"');
  });

  test("refuses what are no options", async () => {
    for (const options of [null, 5, "fast"]) {
      expect(await refusal(() => call(options as never))).toMatch(/^Expected .*(options|, got )/);
    }
  });

  test.skipIf(["open", "cocoRle", "recolour"].includes(name))(
    "refuses signals and listeners of another kind",
    async () => {
      expect(await refusal(() => call({ signal: "now" } as never))).toBe(
        'Expected signal to be an AbortSignal, got "now".',
      );
      expect(await refusal(() => call({ onProgress: 3 } as never))).toBe(
        "Expected onProgress to be a function, got 3.",
      );
    },
  );
});

test("the nearest name is told", async () => {
  expect(await refusal(() => engine.components(picture, { minarea: 10 } as never))).toBe(
    'Expected options that components() knows, got "minarea"; did you mean "minArea"?',
  );
  expect(await refusal(() => open({ thread: 2 } as never))).toContain('did you mean "threads"?');
});

test("rasters, masks and segmentations may carry other keys", async () => {
  const tagged = { ...picture, name: "x", colorSpace: "srgb" };
  expect((await engine.components(tagged)).count).toBe(found.count);
  const mask = { ...(await found.mask()), note: 1 };
  expect((await engine.components(mask)).count).toBe(found.count);
});

test("messages stay short whatever is passed", async () => {
  const cyclic: unknown[] = [];
  cyclic.push(cyclic);
  for (const call of [
    () => engine.components({ data: Array.from({ length: 5000 }, () => 1), width: 50, height: 100 } as never),
    () => engine.components({ ...picture, spacing: cyclic } as never),
    () => engine.components({ ...picture, spacing: new Array(3) } as never),
    () => engine.fill(picture, { seeds: [new Array(2)] } as never),
    () => engine.fill(picture, { seeds: cyclic } as never),
    () => engine.components(picture, { threshold: "z".repeat(9999) } as never),
    () => found.keep({ labels: 5 } as never),
  ]) {
    expect((await refusal(call)).length).toBeLessThan(300);
  }
  expect(await refusal(() => engine.components({ data: new Uint8Array(1000), width: 40, height: 30 }))).toBe(
    "Expected the raster of 40 x 30 to hold 1200 values, or 3 or 4 times as many, got 1000.",
  );
});

test("a segmentation that was changed is refused", async () => {
  const segmentation = await engine.kmeans(picture, { k: 2 });
  for (const change of [
    { k: Number.POSITIVE_INFINITY },
    { k: 1e9 },
    { k: 1.5 },
    { k: -1 },
    { palette: new Uint8Array(5) },
  ]) {
    expect(await refusal(() => recolour({ ...segmentation, ...change } as Segmentation))).toContain(
      "Expected a segmentation",
    );
  }
});

test("paint copies a raster whose fields are getters", async () => {
  const image = new (class {
    get data(): Uint8ClampedArray {
      return Uint8ClampedArray.from(picture.data);
    }
    get width(): number {
      return 40;
    }
    get height(): number {
      return 30;
    }
  })();
  const painted = await paint(image, found, 9);
  expect([painted.width, painted.height]).toEqual([40, 30]);
  expect([...painted.data]).toEqual(Array.from(picture.data, (v) => (v ? 9 : 0)));
});

test("objects that are as long as they are wide have an eccentricity of exactly 0", async () => {
  for (const radius of [1, 2, 3, 5, 7, 10, 25, 60]) {
    const side = 2 * radius + 5;
    const disc = draw("disc", side, side, (x, y) => (x - radius - 2) ** 2 + (y - radius - 2) ** 2 <= radius ** 2);
    const found = await engine.components(disc);
    const regions = await found.regions({ properties: ["eccentricity", "majorAxis", "minorAxis"] });
    expect([...regions.eccentricity]).toEqual([0]);
    expect(regions.majorAxis).toEqual(regions.minorAxis);
  }
});

test("what one call takes for another is told by its name", async () => {
  const { width, height } = picture;
  const whole = await engine.kmeans(picture, { k: 2 });
  const mask = await found.mask();
  const sentences: [call: () => unknown, sentence: string][] = [
    [
      () => toRle(mask, { compress: false } as never),
      'Expected options that toRle() knows, got "compress"; did you mean',
    ],
    [
      () => open({ worker: "worker.js" as never }),
      'Expected worker to be a function that makes a Worker, got "worker.js".',
    ],
    [() => engine.components(picture, { threshold: "otsu", background: 0 }), "Expected a background only with by:"],
    [
      () => engine.components(picture, { threshold: { above: undefined as never } }),
      "{ hysteresis } and { local }, got an object.",
    ],
    [() => engine.components(picture, { absorb: 0 }), "Expected absorb to be a number above 0, got 0."],
    [() => engine.union(found as never, found as never), "Expected selections to be a list of at least one mask"],
    [
      () => engine.fill(picture, { seeds: [[1, 1]], within: found as never }),
      "Expected within to be a mask, as mask() gives it",
    ],
    [() => found.split({ markers: [[1, 1]] as never }), "Expected markers to be a label image or { points }"],
    [() => engine.flatten(picture, { sigma: 3 } as never), 'got "sigma"; it knows'],
    [() => found.at(0, 0, 1), `Expected whole x, y and z inside ${width} x ${height}, got 0, 0, 1.`],
    [() => recolour(whole, { alpha: "no" as never }), "Expected alpha to be true or false"],
    [
      () =>
        engine.unmix(
          { data: new Uint8Array(3), width: 1, height: 1 },
          {
            stains: [
              [Number.NaN, 1, 1],
              [1, 0, 0],
            ],
          },
        ),
      "got [[NaN, 1, 1], [1, 0, 0]].",
    ],
  ];
  for (const [call, sentence] of sentences) expect(await refusal(call)).toContain(sentence);
  const u16 = { data: new Uint16Array(9), width: 3, height: 3 };
  await expect(engine.components(u16, { threshold: { local: { method: "sauvola", radius: 108 } } })).rejects.toThrow(
    "Expected a threshold.local.radius of at most 107 for u16 in an image, got 108.",
  );
});

// Volumes against the plain oracle, on every device: components with all their products, filters, fills, and what
// comes from Sources and goes to Sinks.

import { type Connectivity, type Engine, open, type PixelArray, type Regions } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as oracle from "./oracles/solids.js";
import { devicesOf } from "./support/devices.js";
import { expectSame } from "./support/same.js";
import { random } from "./support/shapes.js";

const { DEVICES, STRIPS } = devicesOf("volumes");

interface Volume extends oracle.Size {
  readonly name: string;
  readonly data: Uint8Array;
}

function volume(name: string, width: number, height: number, depth: number, data: Uint8Array): Volume {
  return { name, width, height, depth, data };
}

const size = (width: number, height: number, depth: number): oracle.Size => ({ width, height, depth });
const VOLUMES: readonly Volume[] = [
  volume("empty", 5, 4, 3, new Uint8Array(60)),
  volume("full", 33, 5, 4, new Uint8Array(660).fill(1)),
  volume("one column of slices", 1, 1, 9, Uint8Array.of(1, 0, 1, 1, 0, 1, 1, 1, 0)),
  volume("two slices", 70, 3, 2, oracle.blocks(size(70, 3, 2), 0.4, 1, 1)),
  volume("thin noise", 64, 31, 7, oracle.blocks(size(64, 31, 7), 0.12, 1, 2)),
  volume("noise", 65, 34, 18, oracle.blocks(size(65, 34, 18), 0.3, 1, 3)),
  volume("dense noise", 130, 15, 9, oracle.blocks(size(130, 15, 9), 0.65, 1, 4)),
  volume("blocks", 97, 25, 22, oracle.blocks(size(97, 25, 22), 0.4, 3, 5)),
  volume("shells", 23, 23, 23, oracle.shells(size(23, 23, 23))),
];

const known = new Map<string, { found: oracle.Found; measured: oracle.Measured[] }>();

/** What the oracle finds, once for all devices. */
function expected(
  { name, data, ...size }: Volume,
  connectivity: Connectivity,
): { found: oracle.Found; measured: oracle.Measured[] } {
  const key = `${name} ${connectivity}`;
  let answer = known.get(key);
  if (!answer) {
    const found = oracle.label(size, connectivity, (at) => data[at] === 1);
    answer = { found, measured: oracle.measure(found, size, connectivity, valuesOf(data)) };
    known.set(key, answer);
  }
  return answer;
}

/** Something to measure under the objects. */
function valuesOf(data: Uint8Array): Uint16Array {
  const next = random(data.length);
  return Uint16Array.from(data, () => next() & 0xffff);
}

describe.each([...DEVICES, ...STRIPS])("volumes on $name", (device) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(device);
  });
  afterAll(() => engine.close());

  // SwiftShader takes its time: what one strip holds is not tested in strips, and the GPU is spared what only differs in
  // how much there is of it.
  const spared = device.bindingBytes
    ? VOLUMES.filter(({ name }) => name !== "blocks")
    : device.device === "gpu"
      ? VOLUMES.filter(({ name }) => ["thin noise", "dense noise", "shells"].includes(name))
      : [];
  const chosen = VOLUMES.filter((one) => !spared.includes(one));
  describe.each([6, 18, 26] as const)("connectivity %i", (connectivity) => {
    test.each(chosen)("$name: every product", async (picture) => {
      const { data, width, height, depth } = picture;
      const { found, measured } = expected(picture, connectivity);
      const made = await engine.components({ data, width, height, depth }, { connectivity });
      expect(made.count).toBe(found.count);
      expect(made.foreground).toBe(data.reduce((a, b) => a + b, 0));
      const labels = await made.labels();
      expect(labels.depth).toBe(depth);
      expectSame(labels.data, found.labels);
      expectSame(paint(await made.runs(), picture), found.labels);
      expectSame(paint(await made.runs({ groupBy: "label" }), picture), found.labels);
      const mask = await made.mask();
      expect(mask.depth).toBe(depth);
      expectSame(unpack(mask.bits, picture), data);
      const again = await engine.components(mask, { connectivity });
      expectSame((await again.labels()).data, found.labels);
      again.dispose();
      for (const border of [false, true]) {
        const { bits } = await made.surface({ border });
        expectSame(unpack(bits, picture), oracle.surface(data, picture, border));
      }
      const at = Math.floor(data.length / 2);
      expect(await made.at(...oracle.placeOf(picture, at))).toBe(found.labels[at]);
      const few = await made.regions({ properties: ["area", "bounds", "centroid"] });
      const all = await made.regions({ properties: "all", intensity: { ...picture, data: valuesOf(data) } });
      expectSame(few.area ?? [], all.area ?? []);
      expectSame(few.bounds ?? [], all.bounds ?? []);
      expectSame(few.centroid ?? [], all.centroid ?? []);
      expectMeasured(all as Required<Regions>, measured);
      made.dispose();
    });

    test.skipIf(device.bindingBytes)("two classes never merge", async () => {
      const box = size(67, 23, 19);
      const next = random(9);
      const classes = Uint8Array.from({ length: 67 * 23 * 19 }, () => next() % 3);
      const data = classes.map((c) => [5, 9, 1][c]);
      const found = oracle.label(
        box,
        connectivity,
        (at) => classes[at] !== 0,
        (a, b) => classes[a] === classes[b],
      );
      const made = await engine.components({ data, ...box }, { threshold: { outside: [2, 8] }, connectivity });
      expectSame((await made.labels()).data, found.labels);
      const regions = await made.regions({ properties: ["surfaceArea", "eulerNumber"] });
      const measured = oracle.measure(found, box, connectivity, classes);
      expectSame(
        regions.surfaceArea ?? [],
        measured.map(({ faces }) => faces.reduce((a, b) => a + b, 0)),
      );
      expectSame(
        regions.eulerNumber ?? [],
        measured.map(({ euler }) => euler),
      );
      const touching = await made.contacts();
      expect(Array.from(touching.first, (a, i) => `${a} ${touching.second[i]} ${touching.faces[i]}`).sort()).toEqual(
        oracle.contacts(found, box),
      );
      made.dispose();
    });

    test("filters", async () => {
      for (const name of device.device === "gpu" ? ["blocks"] : ["shells", "blocks", "dense noise"]) {
        const picture = VOLUMES.find((one) => one.name === name) as Volume;
        const { data, width, height, depth } = picture;
        const filled = oracle.fillHoles(data, picture, connectivity);
        for (const [wanted, left] of [
          [{ fillHoles: true }, filled],
          [{ clearBorder: true, minArea: 4 }, kept(picture, data, connectivity, true, 4)],
          [{ largest: 2 }, kept(picture, data, connectivity, false, 0, 2)],
          [{ fillHoles: true, largest: 1 }, kept(picture, filled, connectivity, false, 0, 1)],
        ] as const) {
          const found = oracle.label(picture, connectivity, (at) => left[at] === 1);
          const made = await engine.components({ data, width, height, depth }, { connectivity, ...wanted });
          expectSame((await made.labels()).data, found.labels);
          made.dispose();
        }
      }
    });

    test.skipIf(device.bindingBytes)("fills", async () => {
      const box = size(45, 20, 14);
      const next = random(21);
      const data = Uint8Array.from({ length: 45 * 20 * 14 }, () => next() % 6);
      const start = oracle.indexOf(box, [20, 10, 7]);
      const colour = data[start];
      const within = oracle.blocks(box, 0.8, 4, 6);
      within[start] = 1;
      const fence = { bits: pack(within, box), ...box };
      const matches = (at: number): boolean => Math.abs(data[at] - colour) <= 1;
      const near = (a: number, b: number): boolean => Math.abs(data[a] - data[b]) <= 1;
      const reached = (found: oracle.Found): Uint8Array =>
        Uint8Array.from(found.labels, (l) => (l === found.labels[start] ? 1 : 0));
      const floating = oracle.label(box, connectivity, () => true, near);
      const cases = [
        [{}, reached(oracle.label(box, connectivity, matches))],
        [{ contiguous: false }, data.map((_, at) => Number(matches(at)))],
        [{ within: fence }, reached(oracle.label(box, connectivity, (at) => matches(at) && within[at] === 1))],
        [{ range: "floating" }, reached(floating)],
        [
          { range: "floating", within: fence },
          reached(oracle.label(box, connectivity, (at) => within[at] === 1, near)),
        ],
      ] as const;
      for (const [options, mask] of cases) {
        const made = await engine.fill(
          { data, ...box },
          { seeds: [[20, 10, 7]], tolerance: 1, connectivity, ...options },
        );
        expectSame(unpack((await made.mask()).bits, box), mask);
        expect(made.foreground).toBe(mask.reduce((a, b) => a + b, 0));
        made.dispose();
      }
    });
  });

  test("a floating fill stops at NaN, as in an image", async () => {
    const data = Float32Array.from({ length: 30 }, (_, at) => (at % 5 === 2 ? Number.NaN : 0));
    const raster = { data, width: 5, height: 3, depth: 2 };
    const made = await engine.fill(raster, { seeds: [[0, 0, 0]], range: "floating", tolerance: 1 });
    expect(made.foreground).toBe(12);
    made.dispose();
  });

  test("from a Source, from an Image and to a Sink", async () => {
    const picture = VOLUMES.find(({ name }) => name === "blocks") as Volume;
    const { data, width, height, depth } = picture;
    const { found } = expected(picture, 26);
    const asked: string[] = [];
    const source = {
      width,
      height,
      depth,
      type: "u8" as const,
      read(z0: number, z1: number, y0: number, y1: number, into: PixelArray) {
        asked.push(`${z1 - z0 > 1 && (y0 > 0 || y1 < height) ? "no box" : "box"}`);
        let at = 0;
        for (let z = z0; z < z1; z++) {
          const slice = data.subarray((z * height + y0) * width, (z * height + y1) * width);
          into.set(slice, at);
          at += slice.length;
        }
      },
    };
    const image = await engine.load({ data, width, height, depth });
    expect(image.depth).toBe(depth);
    for (const input of [source, image]) {
      const made = await engine.components(input, { connectivity: 26 });
      const labels = new Uint32Array(data.length);
      let at = 0;
      const sink = {
        write(z0: number, z1: number, y0: number, y1: number, part: Uint32Array) {
          expect((z0 * height + y0) * width).toBe(at);
          expect(part.length).toBe((z1 - z0) * (y1 - y0) * width);
          labels.set(part, at);
          at += part.length;
        },
      };
      await made.labels({ into: sink });
      expectSame(labels, found.labels);
      made.dispose();
    }
    image.dispose();
    expect(new Set(asked)).toEqual(new Set(["box"]));
  });

  test.skipIf(!device.bindingBytes)("slices that no binding holds go to the CPU", async () => {
    const box = size(300, 120, 2);
    const data = oracle.blocks(box, 0.4, 2, 8);
    const found = oracle.label(box, 18, (at) => data[at] === 1);
    const made = await engine.components({ data, ...box }, { connectivity: 18 });
    expect(made.device).toBe("cpu");
    expectSame((await made.labels()).data, found.labels);
    const start = data.indexOf(1);
    const patch = await engine.fill({ data, ...box }, { seeds: [oracle.placeOf(box, start)], connectivity: 18 });
    expect(patch.foreground).toBe(found.labels.filter((l) => l === found.labels[start]).length);
    made.dispose();
    patch.dispose();
  });

  test("physical units", async () => {
    const picture = VOLUMES.find(({ name }) => name === "blocks") as Volume;
    const { data, width, height, depth } = picture;
    const spacing = [0.5, 2, 3] as const;
    const made = await engine.components({ data, width, height, depth, spacing }, { connectivity: 6 });
    const { measured } = expected(picture, 6);
    expect(made.spacing).toEqual(spacing);
    const regions = (await made.regions({ properties: "all", physical: true })) as Required<Regions>;
    measured.forEach(({ area, faces, sums, bounds }, i) => {
      expect(regions.area[i]).toBe(area * 3);
      expect(regions.surfaceArea[i]).toBe(faces[0] * 6 + faces[1] * 1.5 + faces[2] * 1);
      expect(regions.centroid[3 * i + 2]).toBeCloseTo((Number(sums[2]) / area) * 3, 12);
      expect([...regions.bounds.subarray(6 * i, 6 * i + 6)]).toEqual(bounds);
      const n = BigInt(area);
      const xz = n * sums[5] - sums[0] * sums[2];
      expect(regions.secondMoments[6 * i + 2]).toBeCloseTo((Number(xz) / area) * 1.5, 6);
      expect(regions.equivalentDiameter[i]).toBeCloseTo(Math.cbrt((18 * area) / Math.PI), 12);
    });
    made.dispose();
  });
});

test("a volume of one slice takes the neighbours of volumes", async () => {
  const engine = await open({ device: "cpu", threads: 1 });
  const flat = { data: Uint8Array.of(1, 0, 0, 1), width: 2, height: 2 };
  const slice = { ...flat, depth: 1 };
  for (const [connectivity, count] of [
    [6, 2],
    [18, 1],
    [26, 1],
    [4, 2],
    [8, 1],
  ] as const) {
    expect((await engine.components(slice, { connectivity })).count).toBe(count);
    expect((await engine.labelled(slice, { connectivity })).count).toBe(1);
    expect((await engine.fill(slice, { seeds: [[0, 0]], connectivity })).foreground).toBe(3 - count);
  }
  await expect(engine.components(flat, { connectivity: 26 })).rejects.toThrow(
    "Expected connectivity to be 4 or 8 for a 2-D image, got 26.",
  );
  await engine.close();
});

describe("what is refused", () => {
  const box = { data: new Uint8Array(24).fill(1), width: 4, height: 3, depth: 2 };

  test.each<[object, object, string]>([
    [box, { connectivity: 8 }, "Expected connectivity to be 6, 18 or 26 for a volume, got 8."],
    [{ ...box, depth: 3 }, {}, "Expected the raster of 4 x 3 x 3 to hold 36 values, or 3 or 4 times as many, got 24."],
    [{ ...box, depth: 0.5 }, {}, "Expected the depth of the raster to be a whole number of at least 1, got 0.5."],
    [{ ...box, spacing: [1, 0, 1] }, {}, "Expected the spacing of the raster to be two or three numbers above 0"],
  ])("%j %j", async (raster, options, sentence) => {
    const engine = await open({ device: "cpu", threads: 1 });
    await expect(engine.components(raster as typeof box, options)).rejects.toThrow(sentence);
    await engine.close();
  });

  test("by products and fills", async () => {
    const engine = await open({ device: "cpu", threads: 1 });
    const made = await engine.components(box);
    await expect(made.at(0, 0, 2)).rejects.toThrow("Expected whole x, y and z inside 4 x 3 x 2, got 0, 0, 2.");
    await expect(made.cocoRle(1)).rejects.toThrow("got a volume; use runs().");
    await expect(made.regions({ properties: ["perimeter"] })).rejects.toThrow(
      'Expected properties of a volume, got "perimeter", which only images have.',
    );
    const flat = await engine.components({ data: box.data, width: 8, height: 3 });
    await expect(flat.regions({ properties: ["surfaceArea"] })).rejects.toThrow("which only volumes have.");
    await expect(made.regions({ intensity: { data: box.data, width: 8, height: 3 } })).rejects.toThrow(
      "Expected intensity to be 4 x 3 x 2 like the components, got 8 x 3.",
    );
    await expect(engine.fill(box, { seeds: [[1, 1]] })).rejects.toThrow(
      "Expected a seed to be [x, y, z] in whole pixels",
    );
    const directed = { seeds: [[1, 1, 1]] as const, range: "floating" as const, tolerance: { lower: 0, upper: 1 } };
    await expect(engine.fill(box, directed)).rejects.toThrow("Expected the same tolerance on both sides");
    await engine.close();
  });
});

/** What of a mask's objects stays. */
function kept(
  box: oracle.Size,
  mask: Uint8Array,
  connectivity: Connectivity,
  clear: boolean,
  least: number,
  largest = 0,
): Uint8Array {
  const { labels, count } = oracle.label(box, connectivity, (at) => mask[at] === 1);
  const areas = new Uint32Array(count + 1);
  const touching = new Set<number>();
  labels.forEach((l, at) => {
    areas[l] = areas[l] + 1;
    if (clear && oracle.onBorder(box, at)) touching.add(l);
  });
  let stay = Array.from({ length: count }, (_, i) => i + 1).filter((l) => !touching.has(l) && areas[l] >= least);
  if (largest) stay = stay.sort((a, b) => areas[b] - areas[a] || a - b).slice(0, largest);
  const kept = new Set(stay);
  return mask.map((v, at) => (v && kept.has(labels[at]) ? 1 : 0));
}

function expectMeasured(regions: Required<Regions>, measured: readonly oracle.Measured[]): void {
  const of = <T>(value: (m: oracle.Measured) => T): T[] => measured.map(value);
  expectSame(
    regions.area,
    of((m) => m.area),
  );
  expectSame(regions.bounds, of((m) => m.bounds).flat());
  expect([...regions.rawMoments].join()).toBe(of((m) => m.sums.join()).join());
  expectSame(regions.centroid, of((m) => m.sums.slice(0, 3).map((s) => Number(s) / m.area)).flat());
  expectSame(
    regions.surfaceArea,
    of((m) => m.faces.reduce((a, b) => a + b, 0)),
  );
  expectSame(
    regions.eulerNumber,
    of((m) => m.euler),
  );
  expect([...regions.sum].join()).toBe(of((m) => m.sum).join());
  expectSame(regions.weightedCentroid, of((m) => m.weighted.map((w) => w / m.sum)).flat());
  expectSame(
    regions.contrast,
    of((m) => m.sum / m.area - m.edges.reduce((a, b) => a + b, 0) / m.edges.length),
  );
}

interface Table {
  row: Uint32Array;
  begin: Uint32Array;
  end: Uint32Array;
  label: Uint32Array;
}

function paint({ row, begin, end, label }: Table, { width, height, depth }: oracle.Size): Uint32Array {
  const labels = new Uint32Array(width * height * depth);
  row.forEach((y, i) => {
    labels.fill(label[i], y * width + begin[i], y * width + end[i]);
  });
  return labels;
}

function unpack(bits: Uint32Array, { width, height, depth }: oracle.Size): Uint8Array {
  const words = Math.ceil(width / 32);
  return Uint8Array.from({ length: width * height * depth }, (_, at) => {
    const x = at % width;
    return (bits[Math.floor(at / width) * words + (x >> 5)] >>> (x & 31)) & 1;
  });
}

function pack(mask: Uint8Array, { width, height, depth }: oracle.Size): Uint32Array {
  const words = Math.ceil(width / 32);
  const bits = new Uint32Array(words * height * depth);
  mask.forEach((v, at) => {
    const word = Math.floor(at / width) * words + ((at % width) >> 5);
    if (v) bits[word] = bits[word] | (1 << ((at % width) & 31));
  });
  return bits;
}

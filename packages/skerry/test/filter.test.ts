// Filters against the oracle: each alone, in their order together, with two classes, and one after another.

import { type Engine, type FilterOptions, open } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as oracle from "./oracles/components.js";
import { devicesOf } from "./support/devices.js";
import { expectSame } from "./support/same.js";
import { draw, hilbert, maze, noise, random } from "./support/shapes.js";

const { DEVICES } = devicesOf("filter");

const rings = draw("rings", 151, 151, (x, y) => Math.max(Math.abs(x - 75), Math.abs(y - 75)) % 6 < 2);
const pictures = [
  rings,
  noise(180, 160, 0.6, 1, 2),
  noise(180, 160, 0.5, 4, 3),
  hilbert(5),
  maze(30, 30),
  noise(65, 64, 0.7),
];
const filters: (FilterOptions & { fillHoles?: boolean })[] = [
  { fillHoles: true },
  { clearBorder: true },
  { minArea: 5 },
  { maxArea: 12 },
  { largest: 1 },
  { largest: 7 },
  { minArea: 3, maxArea: 40, largest: 4, clearBorder: true },
  { fillHoles: true, clearBorder: true, minArea: 10, largest: 3 },
  { minArea: 1e9 },
];

describe.each(DEVICES)("filter on $name", (device) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(device);
  });
  afterAll(() => engine.close());

  describe.each([4, 8] as const)("connectivity %i", (connectivity) => {
    test.each(pictures)("$name", async ({ data, width, height }) => {
      const all = await engine.components({ data, width, height }, { connectivity });
      for (const [index, wanted] of filters.entries()) {
        const left = oracle.filter(data, width, height, connectivity, wanted);
        const expected = oracle.label(left, width, height, connectivity);
        const filtered = await all.filter(wanted);
        // SwiftShader takes its time, so the GPU is asked both ways for every third only.
        const both = device.device !== "gpu" || index % 3 === 0;
        const direct = both ? [await engine.components({ data, width, height }, { connectivity, ...wanted })] : [];
        for (const found of [filtered, ...direct]) {
          expect(found.count).toBe(expected.count);
          expectSame((await found.labels()).data, expected.labels);
          found.dispose();
        }
      }
      expectSame((await all.labels()).data, oracle.label(data, width, height, connectivity).labels);
      all.dispose();
    });

    test("two classes: each is filled, the outer one wins", async () => {
      const nested = draw("", 90, 90, () => false);
      for (let i = 0; i < 90 * 90; i++) {
        const ring = Math.max(Math.abs((i % 90) - 45), Math.abs(Math.floor(i / 90) - 45));
        nested.data[i] = ring > 40 ? 0 : [1, 0, 2, 0, 0, 1, 2, 2][ring % 8];
      }
      const next = random(5);
      // Several strips; a GPU in software is slow.
      const [columns, rows] = device.device === "gpu" ? [300, 200] : [700, 500];
      const mixed = Uint8Array.from({ length: columns * rows }, () => [0, 1, 1, 2, 2, 0, 1][next() % 7]);
      for (const [classes, width, height] of [
        [nested.data, 90, 90],
        [mixed, columns, rows],
      ] as const) {
        const data = classes.map((c) => [5, 9, 1][c]);
        for (const wanted of [
          { fillHoles: true },
          { largest: 3 },
          { fillHoles: true, minArea: 4, clearBorder: true },
        ]) {
          const left = oracle.filter(classes, width, height, connectivity, wanted);
          const expected = oracle.label(left, width, height, connectivity);
          const found = await engine.components(
            { data, width, height },
            { connectivity, threshold: { outside: [2, 8] }, ...wanted },
          );
          expectSame((await found.labels()).data, expected.labels);
          const { polarity: kinds } = await found.regions();
          expected.labels.forEach((l, at) => {
            if (l && kinds?.[l - 1] !== left[at]) expect({ at, kind: kinds?.[l - 1] }).toEqual({ at, kind: left[at] });
          });
          found.dispose();
        }
      }
    });
  });

  test("ties keep the lower label", async () => {
    const data = new Uint8Array([1, 0, 1, 0, 1, 0, 1]);
    const found = await engine.components({ data, width: 7, height: 1 }, { largest: 2 });
    expect([...(await found.labels()).data]).toEqual([1, 0, 2, 0, 0, 0, 0]);
    found.dispose();
  });

  test("keep: objects that a function of their properties accepts", async () => {
    const { data, width, height } = noise(60, 50, 0.4, 2, 8);
    const found = await engine.components({ data, width, height });
    const intensity = { data: data.map((_, i) => i % 251), width, height };
    const all = await found.regions({ properties: ["area", "centroid", "mean"], intensity });
    const { area, centroid, mean } = all as { area: Uint32Array; centroid: Float64Array; mean: Float64Array };
    const seen: number[] = [];
    const kept = found.keep({
      properties: ["area", "centroid", "mean"],
      intensity,
      where: (object, index) => {
        seen.push(index);
        const expected = [area[index], centroid[2 * index], centroid[2 * index + 1], mean[index]];
        expect([object.area, ...object.centroid, object.mean]).toEqual(expected);
        return object.area > 9 && object.centroid[0]! < 40;
      },
    });
    const labels = [...area.keys()].filter((i) => area[i]! > 9 && centroid[2 * i]! < 40).map((i) => i + 1);
    const expected = found.keep({ labels });
    found.dispose();
    const [own, other] = [await kept, await expected];
    expect(own.count).toBe(labels.length);
    expectSame((await own.labels()).data, (await other.labels()).data);
    expect(seen).toEqual([...area.keys()]);
    own.dispose();
    other.dispose();
    const again = await engine.components({ data, width, height });
    const properties = ["area"] as const;
    const rejected = async (options: unknown, message: string): Promise<void> => {
      await expect(again.keep(options as never)).rejects.toThrow(message);
    };
    await rejected({ properties, where: () => 1 }, "Expected the result of where to be true or false");
    await rejected({ properties: "area", where: () => true }, "a list of the properties that where reads");
    await rejected({ properties: ["size"], where: () => true }, "Expected properties of regions");
    await rejected({ properties, where: () => true, labels: [1] }, "Expected where alone");
    await rejected({ properties, labels: [1] }, "together with where");
    await rejected({ properties, where: ({ mean }: { mean: number }) => mean > 3 }, "got mean; add it to properties.");
    await rejected(
      { properties, where: (object: { aera: number }) => object.aera > 3 },
      "one of its properties (area)",
    );
    await rejected({ properties, where: 3 }, "a function of an object's properties");
    const boom = (): boolean => {
      throw new Error("from where");
    };
    await rejected({ properties, where: boom }, "from where");
    again.dispose();
  });
});

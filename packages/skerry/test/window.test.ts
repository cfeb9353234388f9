// Cut-outs of labels and masks, and pixels looked up in the run table: all must be what the whole label image has there.

import { type Components, type Engine, labelAt, open, type ResultWindow } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { blocks } from "./oracles/solids.js";
import { devicesOf } from "./support/devices.js";
import { expectSame } from "./support/same.js";
import { noise, random } from "./support/shapes.js";

const { DEVICES, STRIPS } = devicesOf("window");

/** A window of a whole label image, pixel by pixel. */
function cut(labels: Uint32Array, { width, height, depth }: Components, window: ResultWindow): Uint32Array {
  const { x, y, z = 0, step = 1, axis = "z" } = window;
  return Uint32Array.from({ length: window.width * window.height }, (_, at) => {
    const i = (at % window.width) * step;
    const j = Math.floor(at / window.width) * step;
    const [px, py, pz] = axis === "z" ? [x + i, y + j, z] : axis === "y" ? [x + i, y, z + j] : [x, y + i, z + j];
    const inside = px >= 0 && py >= 0 && pz >= 0 && px < width && py < height && pz < depth;
    return inside ? labels[(pz * height + py) * width + px] : 0;
  });
}

function windows(size: { width: number; height: number; depth: number }, seed: number): ResultWindow[] {
  const next = random(seed);
  const below = (n: number): number => next() % n;
  return Array.from({ length: 12 }, (_, i) => ({
    x: below(size.width + 20) - 10,
    y: below(size.height + 10) - 5,
    z: size.depth > 1 ? below(size.depth + 2) - 1 : 0,
    width: 1 + below(90),
    height: 1 + below(40),
    step: [1, 1, 2, 3, 7, 64][i % 6],
    axis: size.depth > 1 ? (["z", "y", "x"] as const)[i % 3] : "z",
  }));
}

describe.each([...DEVICES, ...STRIPS])("windows on $name", (device) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(device);
  });
  afterAll(() => engine.close());

  test.each([
    ["an image", 4],
    ["an image with corners", 8],
    ["two classes", 8],
    ["a volume", 6],
    ["a volume with corners", 26],
    ["a fill", 4],
  ] as const)("of %s", async (what, connectivity) => {
    const size =
      connectivity === 4 || connectivity === 8
        ? { width: 203, height: 150, depth: 1 }
        : { width: 70, height: 21, depth: 9 };
    const data =
      size.depth > 1
        ? blocks(size, 0.4, 2, 3)
        : noise(size.width, size.height, 0.5, 3, 4).data.map((v, i) => (v ? 255 : (i % 5) * 9));
    const found =
      what === "a fill"
        ? await engine.fill({ data, ...size }, { seeds: [[100, 70]], tolerance: 40 })
        : await engine.components(
            { data, ...size },
            { connectivity, ...(what === "two classes" ? { threshold: { outside: [5, 100] } } : {}) },
          );
    const { data: labels } = await found.labels();
    for (const window of windows(found, connectivity)) {
      const view = await found.labels({ window });
      expect([view.width, view.height, view.depth, view.count]).toEqual([window.width, window.height, 1, found.count]);
      const expected = cut(labels, found, window);
      expectSame(view.data, expected);
      const { bits } = await found.mask({ window });
      const words = Math.ceil(window.width / 32);
      const inside = expected.map((_, at) => {
        const [i, j] = [at % window.width, Math.floor(at / window.width)];
        return (bits[j * words + (i >> 5)] >>> (i & 31)) & 1;
      });
      expectSame(
        inside,
        expected.map((label) => (label ? 1 : 0)),
      );
    }
    if (found.polarity === "both") {
      const window = { x: 3, y: 2, width: 64, height: 30 };
      const [one, two, both] = await Promise.all([
        ...(["bright", "dark"] as const).map((polarity) => found.mask({ window, polarity })),
        found.mask({ window }),
      ]);
      expectSame(
        (both as { bits: Uint32Array }).bits,
        (one as { bits: Uint32Array }).bits.map((word, i) => word | ((two?.bits[i] ?? 0) >>> 0)),
      );
      expect(one?.bits.some((word, i) => (word & (two?.bits[i] ?? 0)) !== 0)).toBe(false);
    }
    found.dispose();
  });

  test("larger than the pieces that devices read", async () => {
    const size = { width: 90, height: 60, depth: 70 };
    const data = blocks(size, 0.4, 3, 8);
    const found = await engine.components({ data, ...size }, { connectivity: 6 });
    const { data: labels } = await found.labels();
    for (const axis of ["z", "y", "x"] as const) {
      const window = {
        x: axis === "x" ? 40 : -30,
        y: axis === "y" ? 20 : -9,
        z: axis === "z" ? 33 : -20,
        width: 260,
        height: 130,
        axis,
      };
      expectSame((await found.labels({ window })).data, cut(labels, found, window));
    }
    found.dispose();
  });

  test("the run table by rows, and pixels in it", async () => {
    const size = { width: 70, height: 21, depth: 5 };
    const data = blocks(size, 0.4, 2, 3);
    const found = await engine.components({ data, ...size }, { connectivity: 18 });
    const { data: labels } = await found.labels();
    const runs = await found.runs();
    expect(runs.rows?.length).toBe(21 * 5 + 1);
    labels.forEach((label, at) => {
      const [x, y, z] = [at % 70, Math.floor(at / 70) % 21, Math.floor(at / 70 / 21)];
      if (labelAt(runs, x, y, z) !== label) throw new Error(`at ${x}, ${y}, ${z}`);
    });
    expect(labelAt(runs, -1, 0)).toBe(0);
    expect(labelAt(runs, 70, 0)).toBe(0);
    expect(labelAt(runs, 0, 0, 5)).toBe(0);
    // Pointers are between pixels.
    const at = runs.begin[0];
    expect(labelAt(runs, at + 0.75, runs.row[0] + 0.5)).toBe(runs.label[0]);
    expect(() => labelAt(runs, Number.NaN, 0)).toThrow("Expected x to be a number, got NaN.");
    const grouped = await found.runs({ groupBy: "label" });
    expect(() => labelAt(grouped, 0, 0)).toThrow("Expected runs in raster order");
    found.dispose();
  });

  test("into an array of the caller's, and what is refused", async () => {
    const found = await engine.components(noise(64, 48, 0.5, 2, 1));
    const into = new Uint32Array(64);
    const view = await found.labels({ window: { x: 0, y: 0, width: 8, height: 8 }, into });
    expect(view.data).toBe(into);
    for (const [window, message] of [
      [5, "Expected window to be { x, y, width, height }, got 5."],
      [
        { x: 0.5, y: 0, width: 1, height: 1 },
        "Expected window.x to be a whole number from -1073741824 to 1073741824, got 0.5.",
      ],
      [{ x: 0, y: 0, width: 0, height: 1 }, "Expected window.width to be a whole number from 1"],
      [{ x: 0, y: 0, width: 1, height: 1, step: 0 }, "Expected window.step to be a whole number from 1"],
      [{ x: 0, y: 0, width: 2 ** 15, height: 2 ** 15 }, "Expected a window of at most 2^28 pixels"],
      [{ x: 0, y: 0, width: 1, height: 1, axis: "w" }, 'Expected window.axis to be "x", "y" or "z", got "w".'],
      [{ x: 0, y: 0, width: 1, height: 1, axis: "x" }, 'Expected window.axis "z" of an image, got "x".'],
    ] as const) {
      await expect(found.labels({ window: window as ResultWindow })).rejects.toThrow(message);
      await expect(found.mask({ window: window as ResultWindow })).rejects.toThrow(message);
    }
    await expect(
      found.labels({ window: { x: 0, y: 0, width: 4, height: 4 }, into: new Uint32Array(15) }),
    ).rejects.toThrow("of 16 values");
    found.dispose();
  });
});

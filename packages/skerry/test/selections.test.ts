// Selections as sets of pixels, pixel by pixel, and masks that grow and shrink like components.

import { type Components, type Engine, type Mask, open } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { devicesOf } from "./support/devices.js";
import { random } from "./support/shapes.js";

const { DEVICES } = devicesOf("values");

/** A mask with a pixel wherever `is` says so; bits past the width are set, which no call may look at. */
function maskOf(width: number, height: number, depth: number, is: (at: number) => boolean): Mask & { depth: number } {
  const words = Math.ceil(width / 32);
  const bits = new Uint32Array(words * height * depth);
  for (let row = 0; row < height * depth; row++) {
    for (let x = 0; x < words * 32; x++) {
      if (x >= width || is(row * width + x)) bits[row * words + (x >> 5)] |= 1 << (x & 31);
    }
  }
  return { bits, width, height, depth };
}

function pixelsOf({ bits, width, height, depth = 1 }: Mask): boolean[] {
  const words = Math.ceil(width / 32);
  return Array.from({ length: width * height * depth }, (_, at) => {
    const x = at % width;
    return ((bits[Math.floor(at / width) * words + (x >> 5)] >>> (x & 31)) & 1) === 1;
  });
}

describe.each(DEVICES)("selections on $name", (device) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(device);
  });
  afterAll(() => engine.close());

  test.each([
    [70, 33, 1],
    [64, 5, 1],
    [1, 9, 1],
    [31, 12, 7],
  ])("%i x %i x %i: union, intersection and difference, pixel by pixel", async (width, height, depth) => {
    const next = random(width);
    const sets = [0, 1, 2].map(() => Array.from({ length: width * height * depth }, () => next() % 3 > 0));
    const spacing: [number, number, number] = [2, 3, 4];
    const masks = sets.map((set) => ({ ...maskOf(width, height, depth, (at) => set[at]), spacing }));
    using found = await engine.components(
      { data: Uint8Array.from(sets[1], Number), width, height, depth },
      { connectivity: depth > 1 ? 26 : 8 },
    );
    const [a, b, c] = sets;
    for (const second of [masks[1], found]) {
      const union = await engine.union([masks[0], second, masks[2]]);
      expect(pixelsOf(union)).toEqual(a.map((is, i) => is || b[i] || c[i]));
      expect(union).toMatchObject({ width, height, depth, spacing });
      // Nothing is set past the width.
      expect((await engine.components(union)).foreground).toBe(pixelsOf(union).filter(Boolean).length);
      const words = Math.ceil(width / 32);
      if (width % 32) expect(union.bits[words - 1] >>> (width % 32)).toBe(0);
      const common = await engine.intersection([masks[0], second, masks[2]]);
      expect(pixelsOf(common)).toEqual(a.map((is, i) => is && b[i] && c[i]));
      const rest = await engine.difference(masks[0], [second, masks[2]]);
      expect(pixelsOf(rest)).toEqual(a.map((is, i) => is && !b[i] && !c[i]));
    }
    expect(pixelsOf(await engine.difference(found, []))).toEqual(b);
    expect(pixelsOf(await engine.union([masks[2]]))).toEqual(c);
  });

  test("masks grow and shrink like components", async () => {
    const [width, height] = [83, 47];
    const next = random(4);
    const set = Array.from({ length: width * height }, () => next() % 40 === 0);
    const mask = { ...maskOf(width, height, 1, (at) => set[at]), spacing: [1, 2] as [number, number] };
    using found = await engine.components(mask);
    for (const [radius, options] of [
      [0, {}],
      [3.2, {}],
      [4, { physical: true }],
      [2, { metric: "chessboard", border: "extend" }],
    ] as const) {
      using wider: Components = await found.dilate(radius, options);
      const grown = await engine.dilate(mask, radius, options);
      expect(pixelsOf(grown)).toEqual(pixelsOf(await wider.mask()));
      expect(grown).toMatchObject({ width, height, depth: 1, spacing: [1, 2, 1] });
      using core = await wider.erode(radius, options);
      expect(pixelsOf(await engine.erode(grown, radius, options))).toEqual(pixelsOf(await core.mask()));
    }
  });

  test("components of another engine, and what is wrong", async () => {
    const other = await open({ device: "cpu", threads: 1 });
    using near = await engine.components({ data: Uint8Array.of(1, 0, 1, 1), width: 4, height: 1 });
    using far = await other.components({ data: Uint8Array.of(0, 0, 1, 1), width: 4, height: 1 });
    expect([...(await engine.difference(near, [far])).bits]).toEqual([1]);
    using tall = await engine.components({ data: Uint8Array.of(1, 1), width: 1, height: 2 });
    await expect(engine.union([near, tall])).rejects.toThrow(
      "Expected selections of one size, got 1 x 2 beside 4 x 1.",
    );
    await expect(engine.union([])).rejects.toThrow(
      "Expected selections to be a list of at least one mask or components",
    );
    await expect(engine.difference(near, far as never)).rejects.toThrow("Expected others to be a list");
    await expect(engine.intersection([near, { data: [1] } as never])).rejects.toThrow(
      "Expected the selection to be a mask or components",
    );
    await expect(engine.union([near], { window: 1 } as object)).rejects.toThrow("union() knows");
    await expect(engine.dilate(near as never, 1)).rejects.toThrow(
      "Expected a mask, got components; use components.dilate().",
    );
    await expect(engine.erode({ bits: new Uint32Array(1), width: 3, height: 1 }, -1)).rejects.toThrow("the radius");
    const controller = new AbortController();
    controller.abort(new Error("enough"));
    await expect(engine.union([near, far], { signal: controller.signal })).rejects.toThrow("enough");
    await other.close();
    await expect(engine.union([near, far])).rejects.toThrow();
    const steps: number[] = [];
    await engine.union([near], { onProgress: ({ fraction }) => steps.push(fraction) });
    expect(steps.at(-1)).toBe(1);
  });
});

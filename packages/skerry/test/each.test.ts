// The slices of a stack against the same slices one by one: every kind of input, fixed and chosen thresholds, and every product.

import {
  type ComponentsOptions,
  type Engine,
  InvalidArgument,
  type Mask,
  open,
  type Raster,
  type Source,
} from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { devicesOf } from "./support/devices.js";
import { expectSame } from "./support/same.js";
import { random } from "./support/shapes.js";

const { DEVICES } = devicesOf("each");

/** Blocks of random levels; each slice is brighter than the one before. */
function stackOf(width: number, height: number, depth: number, seed: number, channels = 1): Raster & { depth: number } {
  const next = random(seed);
  const data = new Uint8Array(width * height * depth * channels);
  const levels = Array.from({ length: 997 }, () => next() % 160);
  for (let at = 0; at < data.length; at++) {
    const pixel = Math.floor(at / channels);
    const [x, y, z] = [pixel % width, Math.floor(pixel / width) % height, Math.floor(pixel / width / height)];
    data[at] = levels[((x >> 1) * 7 + (y >> 1) * 131 + z * 17 + (at % channels)) % 997] + 4 * z;
  }
  return { data, width, height, depth, channels };
}

function sliceAt({ data, width, height, depth, channels = 1 }: Raster & { depth: number }, z: number): Raster {
  const values = data.length / depth;
  return { data: data.slice(z * values, (z + 1) * values), width, height, channels };
}

const OPTIONS: ComponentsOptions[] = [
  { threshold: { above: 90 } },
  { threshold: { above: 90 }, connectivity: 8 },
  { threshold: { outside: [40, 120] }, connectivity: 8 },
  { threshold: "otsu", connectivity: 8 },
  { threshold: { hysteresis: [60, 140] } },
  { threshold: { above: 60 }, fillHoles: true, minArea: 3, clearBorder: true },
  { by: "value" },
];

describe.each(DEVICES)("each slice of a stack on $name", (device) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(device);
  });
  afterAll(() => engine.close());

  test.each(OPTIONS.map((options) => ({ name: JSON.stringify(options), options })))("$name", async ({ options }) => {
    // Slices whose rows do not fill tiles, of even and odd height; loaded ones stay on their device.
    for (const [i, [width, height, depth]] of (
      [
        [70, 41, 5],
        [33, 66, 3],
        [130, 8, 9],
        [5, 4, 1],
      ] as const
    ).entries()) {
      const stack = stackOf(width, height, depth, 11 + i, i === 1 ? 3 : 1);
      using image = await engine.load(stack);
      for (const input of [stack, image]) {
        const slices = await engine.components(input, { ...options, each: true });
        expect(slices.length).toBe(depth);
        for (const [z, found] of slices.entries()) {
          using alone = await engine.components(sliceAt(stack, z), options);
          expect([found.width, found.height, found.depth, found.count]).toEqual([width, height, 1, alone.count]);
          expect([found.foreground, found.runCount]).toEqual([alone.foreground, alone.runCount]);
          expect([found.threshold, found.polarity]).toEqual([alone.threshold, alone.polarity]);
          expect(await found.regions()).toEqual(await alone.regions());
          const all = { properties: "all" } as const;
          expect(await found.regions(all)).toEqual(await alone.regions(all));
          expectSame((await found.labels()).data, (await alone.labels()).data);
          expectSame((await found.runs()).label, (await alone.runs()).label);
          found.dispose();
        }
      }
    }
  });

  test("further products of one slice, after others are disposed of", async () => {
    const stack = stackOf(60, 30, 4, 5);
    const options = { threshold: { above: 70 }, connectivity: 8 } as const;
    const slices = await engine.components(stack, { ...options, each: true });
    for (const z of [0, 1, 3]) slices[z]?.dispose();
    const [, , found] = slices;
    using alone = await engine.components(sliceAt(stack, 2), options);
    if (!found) throw new Error("the stack has four slices");
    expectSame((await found.mask()).bits, (await alone.mask()).bits);
    expectSame((await (await found.dilate(2)).labels()).data, (await (await alone.dilate(2)).labels()).data);
    expectSame((await (await found.split()).labels()).data, (await (await alone.split()).labels()).data);
    expectSame((await engine.distance(found)).data, (await engine.distance(alone)).data);
    await expect(slices[0]?.regions()).rejects.toThrow("after dispose()");
    found.dispose();
  });

  test("masks, Sources, a mask around, and progress", async () => {
    const stack = stackOf(50, 20, 3, 9);
    const { width, height, depth } = stack;
    const words = Math.ceil(width / 32);
    const next = random(3);
    const mask: Mask = { width, height, depth, bits: Uint32Array.from({ length: words * height * depth }, next) };
    const part = (z: number): Mask => ({
      width,
      height,
      bits: mask.bits.subarray(z * words * height, (z + 1) * words * height),
    });
    const source: Source = {
      width,
      height,
      depth,
      type: "u8",
      read: (z0, z1, y0, y1, into) => {
        const data = stack.data.subarray((z0 * height + y0) * width, ((z1 - 1) * height + y1) * width);
        into.set(data);
      },
    };
    const fractions: number[] = [];
    const ofMask = await engine.components(mask, { each: true });
    const ofSource = await engine.components(source, {
      each: true,
      threshold: "otsu",
      within: mask,
      onProgress: ({ fraction }) => fractions.push(fraction),
    });
    for (let z = 0; z < depth; z++) {
      using bits = await engine.components(part(z));
      using pixels = await engine.components(sliceAt(stack, z), { threshold: "otsu", within: part(z) });
      expectSame((await ofMask[z]?.labels())?.data, (await bits.labels()).data);
      expectSame((await ofSource[z]?.labels())?.data, (await pixels.labels()).data);
    }
    expect(fractions.length).toBeGreaterThan(depth - 1);
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
    expect(fractions.at(-1)).toBe(1);
  });

  test("wrong options", async () => {
    const stack = stackOf(8, 8, 2, 1);
    await expect(engine.components(stack, { each: true, connectivity: 26 })).rejects.toThrow("4 or 8 for a 2-D image");
    const wrong = { each: false } as unknown as { each: true };
    await expect(engine.components(stack, wrong)).rejects.toThrow("Expected each to be true, or no each at all");
    const small: Mask = { width: 8, height: 8, bits: new Uint32Array(8) };
    await expect(engine.components(stack, { each: true, within: small })).rejects.toThrow(InvalidArgument);
    const stop = AbortSignal.abort(new Error("stopped"));
    await expect(engine.components(stack, { each: true, signal: stop })).rejects.toThrow("stopped");
  });
});

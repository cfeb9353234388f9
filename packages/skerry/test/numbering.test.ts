// The table of docs/numbering.md against the library on every device, and against a labeller that floods from each pixel in
// raster order.

import { type Engine, open } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hashOf, INPUTS, inputOf, rowsOfPage } from "../../../scripts/docs/numbering.mjs";
import { devicesOf } from "./support/devices.js";

const { DEVICES } = devicesOf("components");
const rows = rowsOfPage();

/** Offsets of the neighbours: at most `axes` coordinates differ, by 1. */
function offsetsOf(connectivity: 4 | 8 | 6 | 18 | 26): [number, number, number][] {
  const axes = { 4: 1, 8: 2, 6: 1, 18: 2, 26: 3 }[connectivity];
  const steps = [-1, 0, 1];
  const slices = connectivity === 4 || connectivity === 8 ? [0] : steps;
  const all = slices.flatMap((z) => steps.flatMap((y) => steps.map((x): [number, number, number] => [x, y, z])));
  return all.filter((step) => {
    const differing = step.filter((n) => n !== 0).length;
    return differing > 0 && differing <= axes;
  });
}

/** Labels by floods from the pixels in their order, with a list of pixels to visit. */
function flooded({ raster: { data, width, height, depth }, connectivity }: ReturnType<typeof inputOf>): Uint32Array {
  const labels = new Uint32Array(data.length);
  const offsets = offsetsOf(connectivity);
  let count = 0;
  for (let first = 0; first < data.length; first++) {
    if (!data[first] || labels[first]) continue;
    labels[first] = ++count;
    const waiting = [first];
    for (let p = waiting.pop(); p !== undefined; p = waiting.pop()) {
      const [x, y, z] = [p % width, Math.floor(p / width) % height, Math.floor(p / (width * height))];
      for (const [dx, dy, dz] of offsets) {
        const [u, v, w] = [x + dx, y + dy, z + dz];
        if (u < 0 || v < 0 || w < 0 || u >= width || v >= height || w >= depth) continue;
        const q = u + width * (v + height * w);
        if (!data[q] || labels[q]) continue;
        labels[q] = count;
        waiting.push(q);
      }
    }
  }
  return labels;
}

test("the page has a row for each input, and a slow labeller agrees with it", () => {
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: INPUTS }, (_, i) => i));
  for (const { number, hash, objects, connectivity } of rows) {
    const input = inputOf(number);
    const labels = flooded(input);
    expect([number, hashOf(labels), input.connectivity]).toEqual([number, hash, connectivity]);
    expect(labels.reduce((most, label) => Math.max(most, label), 0)).toBe(objects);
  }
});

describe.each(DEVICES)("$name", ({ name: _, ...device }) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(device);
  });
  afterAll(() => engine.close());

  test("the library gives every hash", async () => {
    for (const { number, hash } of rows) {
      const { raster, connectivity } = inputOf(number);
      using found = await engine.components(raster, { connectivity });
      expect([number, hashOf((await found.labels()).data)]).toEqual([number, hash]);
    }
  }, 120_000);
});

import { expect, test } from "vitest";
import { keepSpeeds, keptSpeeds } from "../../src/api/calibrate.js";
import { lineOf, pixelsForGpu, Speeds } from "../../src/device/speeds.js";
import { keep } from "../../src/platform/kept.node.js";

const line = (fixed: number, perPixel: number) => ({ fixed, perPixel });

test("two measurements give what a call takes, and a pixel", () => {
  expect(lineOf([100, 300], [5, 9])).toEqual(line(3, 0.02));
  // Noise: a larger picture that was faster takes nothing per pixel, and no call takes less than nothing.
  expect(lineOf([100, 300], [5, 4])).toEqual(line(5, 0));
  expect(lineOf([100, 300], [1, 9])).toEqual(line(0, 0.04));
});

test("the GPU begins where the lines cross", () => {
  expect(pixelsForGpu({ cpu: line(1, 0.02), gpu: line(3, 0.01) })).toBe(200);
  // A call to the GPU and back takes 0.7 ms at least, whatever was measured.
  expect(pixelsForGpu({ cpu: line(3, 0.02), gpu: line(1, 0.01) })).toBe(70);
  expect(pixelsForGpu({ cpu: line(1, 0.01), gpu: line(3, 0.01) })).toBe(Number.POSITIVE_INFINITY);
  expect(pixelsForGpu({ cpu: line(1, 0.01), gpu: line(0, 0.02) })).toBe(Number.POSITIVE_INFINITY);
});

test("what was not measured goes by the size, and distances to the CPU", () => {
  const speeds = new Speeds();
  expect(speeds.prefersGpu("components", 2 ** 20 - 1)).toBe(false);
  expect(speeds.prefersGpu("components", 2 ** 20)).toBe(true);
  expect(speeds.prefersGpu("distance", 2 ** 30)).toBe(false);
  speeds.learn("distance", { cpu: line(1, 0.02), gpu: line(3, 0.01) });
  expect(speeds.prefersGpu("distance", 199)).toBe(false);
  expect(speeds.prefersGpu("distance", 200)).toBe(true);
  expect(speeds.measured).toEqual({ distance: 200 });
});

test("measurements are kept by machine; what cannot be read is none", () => {
  const speed = { cpu: line(1, 0.02), gpu: line(3, 0.01) };
  keepSpeeds("one card", { smooth: speed });
  keepSpeeds("another", { components: speed });
  expect(keptSpeeds("one card")).toEqual({ smooth: speed });
  expect(keptSpeeds("another")).toEqual({ components: speed });
  expect(keptSpeeds("a third")).toEqual({});
  for (const text of [
    "",
    "{",
    "[]",
    '{"version":0,"machines":{"one card":{}}}',
    '{"version":1,"machines":{"one card":{"smooth":{}}}}',
  ]) {
    keep("speeds", text);
    expect(keptSpeeds("one card")).toEqual({});
  }
});

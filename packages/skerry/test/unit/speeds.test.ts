import { expect, test } from "vitest";
import { keepSpeeds, keptSpeeds } from "../../src/api/kept-speeds.js";
import { crossing, Speeds } from "../../src/device/speeds.js";
import { keep } from "../../src/platform/kept.node.js";

test("the GPU begins between the picture that it lost and the one that it won", () => {
  expect(crossing({ pixels: 100, ratio: 2 }, { pixels: 400, ratio: 0.5 })).toBe(200);
  expect(crossing({ pixels: 100, ratio: 1 }, { pixels: 400, ratio: 0.5 })).toBe(100);
  expect(crossing(undefined, { pixels: 400, ratio: 0.5 })).toBe(400);
  expect(crossing({ pixels: 100, ratio: 2 }, undefined)).toBe(Number.POSITIVE_INFINITY);
});

test("what was not measured goes by the size, and distances to the CPU", () => {
  const speeds = new Speeds();
  expect(speeds.prefersGpu("components", 2 ** 20 - 1)).toBe(false);
  expect(speeds.prefersGpu("components", 2 ** 20)).toBe(true);
  expect(speeds.prefersGpu("distance", 2 ** 30)).toBe(false);
  speeds.learn("distance", 200);
  expect(speeds.prefersGpu("distance", 199)).toBe(false);
  expect(speeds.prefersGpu("distance", 200)).toBe(true);
  expect(speeds.measured).toEqual({ distance: 200 });
});

test("measurements are kept by machine; what cannot be read is none", () => {
  keepSpeeds("one card", { smooth: 3000 });
  keepSpeeds("another", { components: Number.POSITIVE_INFINITY });
  expect(keptSpeeds("one card")).toEqual({ smooth: 3000 });
  expect(keptSpeeds("another")).toEqual({ components: Number.POSITIVE_INFINITY });
  expect(keptSpeeds("a third")).toEqual({});
  for (const text of [
    "",
    "{",
    "[]",
    '{"version":0,"machines":{"one card":{}}}',
    '{"version":1,"machines":{"one card":{"smooth":5}}}',
    '{"version":2,"machines":{"one card":{"smooth":{}}}}',
  ]) {
    keep("speeds", text);
    expect(keptSpeeds("one card")).toEqual({});
  }
});

// Channels as planes of their own, against the pixels themselves.

import { type ChannelName, type Engine, open } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as oracle from "./oracles/components.js";
import { devicesOf } from "./support/devices.js";

const { DEVICES } = devicesOf("channel");

const [width, height] = [37, 29];
const TYPES = { Uint8Array, Uint16Array, Int16Array, Float32Array };

describe.each(DEVICES)("channels on $name", (device) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(device);
  });
  afterAll(() => engine.close());

  test.each(Object.entries(TYPES))("of %s", async (name, type) => {
    for (const channels of [1, 3, 4]) {
      const data = (type as Uint8ArrayConstructor).from(
        { length: width * height * channels },
        (_, i) => (i * 37) % 251,
      );
      const raster = { data, width, height, channels };
      const image = await engine.load(raster);
      const names = (["red", "green", "blue", "alpha"] as const).slice(0, channels === 1 ? 0 : channels);
      for (const [which, values] of [
        ["luma", oracle.luma(data, channels, name === "Float32Array")],
        ...names.map(
          (each, c) => [each, Array.from({ length: width * height }, (_, i) => data[i * channels + c])] as const,
        ),
        [0, Array.from({ length: width * height }, (_, i) => data[i * channels])],
      ] as [ChannelName, number[]][]) {
        for (const input of [raster, image]) {
          const plane = await engine.channel(input, which);
          expect([plane.width, plane.height, plane.channels, plane.type]).toEqual([width, height, 1, image.type]);
          const found = await engine.components(plane, { threshold: { above: 120 } });
          const { data: labels } = await found.labels();
          expect(Array.from(labels, (l) => l > 0)).toEqual(values.map((v) => v > 120));
          found.dispose();
          plane.dispose();
        }
      }
      image.dispose();
    }
  });

  test("what a raster does not have", async () => {
    const grey = { data: new Uint8Array(4), width: 2, height: 2 };
    await expect(engine.channel(grey, "red")).rejects.toThrow(
      'Expected the channel to be "luma", "contrast" or a number below 1, got "red".',
    );
    const rgb = { data: new Uint8Array(12), width: 2, height: 2 };
    await expect(engine.channel(rgb, "alpha")).rejects.toThrow(
      'Expected the channel to be "luma", "contrast", "red", "green", "blue", "hematoxylin", "eosin", "dab" or a number below 3, got "alpha".',
    );
    await expect(engine.channel(rgb, 3)).rejects.toThrow("got 3.");
  });
});

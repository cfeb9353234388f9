// Small PNGs, read by pngjs, against sharp, which shares no code with it.

import { random } from "@skerry/scenes";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { readSmallPng } from "../src/node/small-png.js";

const next = random(5);
const values = (length: number, deep: boolean): Uint8Array | Uint16Array =>
  (deep ? new Uint16Array(length) : new Uint8Array(length)).map(() => next() & (deep ? 65535 : 255));
const spaceOf = (channels: number, deep: boolean) =>
  channels < 3 ? (deep ? "grey16" : "b-w") : deep ? "rgb16" : "srgb";

/** A PNG by sharp, and its pixels: RGBA of one with transparency. */
async function picture(width: number, height: number, channels: 1 | 2 | 3 | 4, deep: boolean) {
  const data = values(width * height * channels, deep);
  const image = sharp(data, { raw: { width, height, channels } }).toColourspace(spaceOf(channels, deep));
  const hasAlpha = channels === 2 || channels === 4;
  const kept = hasAlpha ? 4 : channels;
  const order = channels === 2 ? [0, 0, 0, 1] : Array.from({ length: channels }, (_, c) => c);
  const pixels =
    data.constructor === Uint8Array ? new Uint8Array(width * height * kept) : new Uint16Array(width * height * kept);
  for (let i = 0; i < pixels.length; i++) pixels[i] = data[Math.floor(i / kept) * channels + order[i % kept]];
  return { png: await image.png().toBuffer(), kept, pixels, isGrey: channels < 3, hasAlpha };
}

describe("small PNGs", () => {
  test.each(
    ([1, 2, 3, 4] as const).flatMap((channels) => [false, true].map((deep) => [channels, deep ? 16 : 8] as const)),
  )("%i channels of %i bits are read as they are stored", async (channels, bits) => {
    for (const [width, height] of [
      [1, 1],
      [7, 5],
      [33, 64],
    ]) {
      const { png, kept, pixels, isGrey, hasAlpha } = await picture(width, height, channels, bits === 16);
      const read = await readSmallPng(png);
      expect(read).toEqual({ raster: { data: pixels, width, height, depth: 1, channels: kept }, isGrey, hasAlpha });
    }
  });

  test("palettes, transparent colours, turned and damaged ones are left to sharp", async () => {
    const { png } = await picture(40, 30, 3, false);
    expect(await readSmallPng(png)).toBeDefined();
    expect(await readSmallPng(await sharp(png).png({ palette: true }).toBuffer())).toBeUndefined();
    expect(await readSmallPng(await sharp(png).withMetadata({ orientation: 6 }).png().toBuffer())).toBeUndefined();
    expect(await readSmallPng(png.subarray(0, 900))).toBeUndefined();
    expect(await readSmallPng(png.subarray(0, 20))).toBeUndefined();
    expect(await readSmallPng(await sharp(png).jpeg().toBuffer())).toBeUndefined();
    const broken = Buffer.from(png);
    broken[200] ^= 255;
    expect(await readSmallPng(broken)).toBeUndefined();
  });
});

// Each object in its own colour over the image.

import sharp from "sharp";
import type { Components, PixelArray } from "skerry";
import { writeWhole } from "./output.js";
import { eachBand, type Picture } from "./picture.js";

/** How much of an object's colour covers the image. */
const OPACITY = 0.6;

/** Colours before they repeat; the golden angle keeps those of near labels far apart. */
const COLOURS = 4096;
const GOLDEN_ANGLE = 137.50776405003785;

export async function writeOverlay(path: string, picture: Picture, components: Components): Promise<void> {
  const { width, height } = components;
  const rgb = await greyOrColour(picture, width, height);
  const { row, begin, end, label } = await components.runs();
  const colours = palette();
  for (let i = 0; i < row.length; i++) {
    const colour = ((label[i] as number) % COLOURS) * 3;
    const from = ((row[i] as number) * width + (begin[i] as number)) * 3;
    const to = ((row[i] as number) * width + (end[i] as number)) * 3;
    for (let at = from; at < to; at += 3) {
      for (let c = 0; c < 3; c++) {
        rgb[at + c] = (rgb[at + c] as number) * (1 - OPACITY) + (colours[colour + c] as number) * OPACITY;
      }
    }
  }
  await writeWhole(path, (file) =>
    file.writeAll(sharp(rgb, { raw: { width, height, channels: 3 }, limitInputPixels: false }).png()),
  );
}

/** The picture as 8-bit RGB; other types are stretched from their smallest to their largest value. */
async function greyOrColour(picture: Picture, width: number, height: number): Promise<Uint8Array> {
  const channels = picture.pixels.channels ?? 1;
  const bytes = "data" in picture.pixels ? picture.pixels.data instanceof Uint8Array : picture.pixels.type === "u8";
  let [low, high] = [0, 255];
  if (!bytes) {
    [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    await eachBand(picture, (rows) => {
      for (const v of rows) {
        if (v < low) low = v;
        if (v > high) high = v;
      }
      return true;
    });
  }
  const scale = high > low ? 255 / (high - low) : 0;
  const rgb = new Uint8Array(width * height * 3);
  const value = (rows: PixelArray, i: number): number => ((rows[i] as number) - low) * scale;
  await eachBand(picture, (rows, y0) => {
    let to = y0 * width * 3;
    for (let i = 0; i < rows.length; i += channels) {
      rgb[to++] = value(rows, i);
      rgb[to++] = value(rows, channels > 1 ? i + 1 : i);
      rgb[to++] = value(rows, channels > 1 ? i + 2 : i);
    }
    return true;
  });
  return rgb;
}

/** Hues a golden angle apart, in three brightnesses in turn. */
function palette(): Uint8Array {
  const colours = new Uint8Array(COLOURS * 3);
  for (let i = 0; i < COLOURS; i++) {
    const hue = (i * GOLDEN_ANGLE) % 360;
    const [saturation, value] = [
      [0.95, 1],
      [0.65, 0.95],
      [1, 0.72],
    ][i % 3] as [number, number];
    for (let c = 0; c < 3; c++) {
      const k = ([5, 3, 1][c] as number) + hue / 60;
      const part = Math.max(0, Math.min(k % 6, 4 - (k % 6), 1));
      colours[i * 3 + c] = Math.round(255 * value * (1 - saturation * part));
    }
  }
  return colours;
}

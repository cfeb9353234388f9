// The picture with its paint, and with the selection in the colour that would be painted next.

import { type Output, writePng } from "@skerry/files";
import type { Components, Raster } from "skerry";
import { type FillSettings, rgbOf, type Stroke } from "../../settings/fill.js";
import { picture, recipe } from "../../state/lab.js";
import type { Given } from "../tool.js";
import { componentsOf, fillStrokes } from "./run.js";

export async function writePainted(file: Output, given: Given): Promise<void> {
  const opened = picture.value;
  if (!opened) return;
  const { fill } = recipe.value;
  const deep = opened.data instanceof Uint16Array;
  const coats: { components: Components; colour: number[] }[] = [];
  const add = async (settings: FillSettings, strokes: readonly Stroke[], colour: string): Promise<void> => {
    const components = await componentsOf(given, await fillStrokes(given, settings, strokes), settings.connectivity);
    coats.push({ components, colour: rgbOf(colour).map((n) => (deep ? n * 257 : n)) });
  };
  try {
    for (const coat of fill.coats) await add(coat, coat.strokes, coat.colour);
    if (fill.strokes.length > 0) await add(fill, fill.strokes, fill.colour);
    const painted = await given.resident.engine.paint(inColour(opened, deep), coats);
    const { width, height } = opened;
    await writePng(file, { width, height, channels: painted.channels ?? 3, data: painted.data as Uint8Array });
  } finally {
    for (const { components } of coats) components.dispose();
  }
}

/** Grey becomes equal red, green and blue. Values of neither 8 nor 16 bits are clamped to 8. */
function inColour(
  { data, width, height, channels }: { data: Raster["data"]; width: number; height: number; channels: number },
  deep: boolean,
): Raster {
  const painted = data instanceof Uint8Array || deep;
  if (channels > 1 && painted) return { data, width, height, channels };
  const to = channels === 1 ? 3 : channels;
  const rgb = deep ? new Uint16Array(width * height * to) : new Uint8ClampedArray(width * height * to);
  for (let i = 0; i < width * height; i++) {
    for (let c = 0; c < to; c++) rgb[i * to + c] = data[channels === 1 ? i : i * channels + c];
  }
  return { data: deep ? rgb : new Uint8Array(rgb.buffer), width, height, channels: to };
}

// A picture with its objects in their colours, as the command line draws it.

import { MemoryOutput, writePng } from "@skerry/files";
import { coverRuns } from "@skerry/files/internal";
import type { Components } from "skerry";
import type { Opened } from "../files/opened.js";
import { shownRgba } from "../state/shown.js";

/** Red, green and blue of the whole picture. */
export function plainRgb(opened: Opened): Uint8Array {
  const { width, height } = opened;
  const rgba = shownRgba(opened, { x: 0, y: 0, width, height });
  const data = new Uint8Array(width * height * 3);
  for (let from = 0, to = 0; to < data.length; from += 4) {
    data[to++] = rgba[from];
    data[to++] = rgba[from + 1];
    data[to++] = rgba[from + 2];
  }
  return data;
}

/** The same with each object in its colour. */
export async function coveredRgb(opened: Opened, components: Components): Promise<Uint8Array> {
  const data = plainRgb(opened);
  coverRuns(data, await components.runs());
  return data;
}

/** The same as a PNG, encoded by the browser if it can, on a thread of its own. The pixels are the same either way. */
export async function coveredPng(opened: Opened, components: Components): Promise<Uint8Array> {
  const { width, height } = opened;
  const data = await coveredRgb(opened, components);
  const context = globalThis.OffscreenCanvas && new OffscreenCanvas(width, height).getContext("2d");
  if (!context) {
    const output = new MemoryOutput();
    await writePng(output, { width, height, channels: 3, data });
    return output.bytes();
  }
  const image = new ImageData(width, height);
  for (let from = 0, to = 0; from < data.length; to += 4) {
    image.data[to] = data[from++];
    image.data[to + 1] = data[from++];
    image.data[to + 2] = data[from++];
    image.data[to + 3] = 255;
  }
  context.putImageData(image, 0, 0);
  const blob = await context.canvas.convertToBlob({ type: "image/png" });
  return new Uint8Array(await blob.arrayBuffer());
}

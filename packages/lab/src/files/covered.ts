// A picture with its objects in their colours, as the command line draws it.

import { coverRuns } from "@skerry/files";
import type { Components } from "skerry";
import type { Opened } from "./opened.js";
import { shownRgba } from "./shown.js";

/** Red, green and blue of the whole picture, with each object in its colour. */
export async function coveredRgb(opened: Opened, components: Components): Promise<Uint8Array> {
  const { width, height } = opened;
  const rgba = shownRgba(opened, { x: 0, y: 0, width, height });
  const data = new Uint8Array(width * height * 3);
  for (let i = 0; i < width * height; i++) for (let c = 0; c < 3; c++) data[3 * i + c] = rgba[4 * i + c];
  coverRuns(data, await components.runs());
  return data;
}

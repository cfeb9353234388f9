// A part of a picture as it is shown: bytes unchanged, other values scaled from the shown grey range to bytes.

import type { Opened } from "../files/opened.js";
import { level } from "./lab.js";

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Red, green, blue and opacity of a box, row by row. */
export function shownRgba({ data, width: columns, channels }: Opened, { x, y, width, height }: Box): Uint8Array {
  const rgba = new Uint8Array(width * height * 4);
  const isDeep = !(data instanceof Uint8Array);
  const [low, high] = level.value ?? [0, 255];
  const scale = 255 / (high - low || 1);
  const byteOf = (value: number): number =>
    isDeep ? Math.max(0, Math.min(255, Math.round((value - low) * scale))) : value;
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const from = ((y + row) * columns + x + column) * channels;
      const to = (row * width + column) * 4;
      for (let c = 0; c < 3; c++) rgba[to + c] = byteOf(data[channels === 1 ? from : from + c]);
      rgba[to + 3] = channels === 4 ? byteOf(data[from + 3]) : 255;
    }
  }
  return rgba;
}

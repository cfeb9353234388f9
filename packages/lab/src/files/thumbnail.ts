// Small pictures of files for the film strip; loaded with the first file.

import type { Opened } from "./opened.js";

const [MOST_ACROSS, MOST_DOWN] = [56, 42];

/** A small picture, with grey from `low` to `high`. */
export function thumbnailOf(
  { data, width, height, channels }: Opened,
  [low, high]: readonly [number, number],
): string | undefined {
  const step = Math.max(width / MOST_ACROSS, height / MOST_DOWN);
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(width / step));
  canvas.height = Math.max(1, Math.round(height / step));
  const context = canvas.getContext("2d");
  if (!context) return undefined;
  const image = context.createImageData(canvas.width, canvas.height);
  for (let y = 0; y < canvas.height; y++) {
    for (let x = 0; x < canvas.width; x++) {
      const [column, row] = [Math.floor((x + 0.5) * step), Math.floor((y + 0.5) * step)];
      const from = (Math.min(height - 1, row) * width + Math.min(width - 1, column)) * channels;
      const to = (y * canvas.width + x) * 4;
      for (let c = 0; c < 3; c++) {
        image.data[to + c] = ((data[channels === 1 ? from : from + c] - low) * 255) / (high - low || 1);
      }
      image.data[to + 3] = 255;
    }
  }
  context.putImageData(image, 0, 0);
  return canvas.toDataURL();
}

// A window of fills for the view: selected pixels, the preview of a click, and painted colours, from masks of one bit a pixel.

import type { Mask, Segmentation } from "skerry";
import type { Content } from "../state/found.js";

interface Window {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly step: number;
}

/** Bit 0: selected; bit 1: preview of a click; from bit 8 on: the number of the last coat's colour. */
export function marksOf({ selected, preview, coats }: Content & { kind: "marks" }, window: Window): Uint32Array {
  const marks = new Uint32Array(window.width * window.height);
  for (const [i, { mask }] of coats.entries()) {
    eachIn(mask, window, (at) => {
      marks[at] = (i + 1) << 8;
    });
  }
  if (selected) {
    eachIn(selected, window, (at) => {
      marks[at] = marks[at] | 1;
    });
  }
  if (preview) {
    eachIn(preview, window, (at) => {
      marks[at] = marks[at] | 2;
    });
  }
  return marks;
}

/** The classes of a window, from 1 on; 0 for pixels without one, and outside. */
export function classesOf({ data, width, height, k }: Segmentation, window: Window): Uint32Array {
  const classes = new Uint32Array(window.width * window.height);
  for (let row = 0, at = 0; row < window.height; row++) {
    const y = window.y + row * window.step;
    for (let column = 0, x = window.x; column < window.width; column++, x += window.step, at++) {
      if (x < 0 || y < 0 || x >= width || y >= height) continue;
      const label = data[y * width + x];
      if (label < k) classes[at] = label + 1;
    }
  }
  return classes;
}

/** 1 for the pixels of a window that lie inside a fence. */
export function insideOf(fence: Mask, window: Window): Uint8Array {
  const inside = new Uint8Array(window.width * window.height);
  eachIn(fence, window, (at) => {
    inside[at] = 1;
  });
  return inside;
}

/** Visits the places of a window whose pixels are set. */
function eachIn({ bits, width, height }: Mask, window: Window, visit: (at: number) => void): void {
  const words = Math.ceil(width / 32);
  for (let row = 0; row < window.height; row++) {
    const y = window.y + row * window.step;
    if (y < 0 || y >= height) continue;
    const line = y * words;
    for (let column = 0; column < window.width; column++) {
      const x = window.x + column * window.step;
      if (x < 0) continue;
      if (x >= width) break;
      if ((bits[line + (x >> 5)] >>> (x & 31)) & 1) visit(row * window.width + column);
    }
  }
}

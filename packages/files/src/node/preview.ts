// Draws a preview of a distance map: the image, or a volume's three middle slices, in colours whose lightness shows the distance,
// with lines of equal distance and a scale.

import type { Sink } from "skerry";
import type { Size, Wide } from "../bytes.js";
import { glyphRows, textWidth } from "../drawing/digits.js";
import { rampColour } from "../drawing/ramp.js";
import { eachPlace, type Panel, panelsOf, placeAt, type Side, sidesOf } from "../drawing/slices.js";
import { writePng } from "../formats/png.js";
import { writeWhole } from "./output.js";

/** Pixels between two slices, and around the scale. */
const GAP = 8;
const SCALE_WIDTH = 14;

/** Small images are drawn larger. */
const LEAST_SIDE = 240;
const MOST_ENLARGED = 8;

/** Lines of equal distance, about this many. */
const LINES = 8;

const BACKGROUND = [24, 24, 28] as const;
const INK = [225, 225, 230] as const;
const NOTHING = [70, 70, 76] as const;

/** Collects the slices of a distance map that are drawn, while the map is written to a Sink, and draws them. */
export class Preview {
  readonly #size: Size;
  readonly #panels: readonly Panel[];
  readonly #values: readonly Float64Array[];

  constructor(size: Size, spacing: readonly number[]) {
    this.#size = size;
    this.#panels = panelsOf(size, spacing);
    this.#values = this.#panels.map(({ columns, rows }) => new Float64Array(columns * rows));
  }

  /** Takes rows of the map, like `write` of a Sink. */
  take: Sink<Wide>["write"] = (z0, z1, y0, y1, data) => {
    const { width, height } = this.#size;
    const rows = z1 - z0 > 1 ? (z1 - z0) * height : y1 - y0;
    for (let k = 0; k < rows; k++) {
      eachPlace(this.#size, z0 * height + y0 + k, (panel, at, x) => {
        this.#values[panel][at] = data[k * width + x];
      });
    }
  };

  /**
   * Draws the map. `distanceOf` converts its values to distances in `unit`. With `upright`, slices have their last row at the
   * top.
   */
  async write(path: string, distanceOf: (value: number) => number, unit: string, upright: boolean): Promise<void> {
    const panels = this.#panels;
    const finite = this.#values.flatMap((values) => {
      let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for (const value of values) {
        const distance = distanceOf(value);
        if (!Number.isFinite(distance)) continue;
        low = Math.min(low, distance);
        high = Math.max(high, distance);
      }
      return low <= high ? [low, high] : [];
    });
    const [low, high] = [Math.min(0, ...finite), Math.max(0, ...finite)];
    const step = roundStep((high - low || 1) / LINES);
    const sides = enlarged(sidesOf(panels));
    const texts: { text: string; value: number }[] = [];
    for (let value = Math.ceil(low / step) * step; value <= high + step / 1e6; value += step) {
      texts.push({ text: decimal(value, step), value });
    }
    const legend = GAP * 3 + SCALE_WIDTH + Math.max(textWidth(unit), ...texts.map(({ text }) => textWidth(text)));
    const width = GAP + sides.reduce((sum, side) => sum + side.width + GAP, 0) + legend;
    const height = Math.max(120, ...sides.map((side) => side.height)) + 2 * GAP;
    const canvas = new Canvas(width, height);
    let left = GAP;
    for (const [index, panel] of panels.entries()) {
      const side = sides[index];
      const values = this.#values[index];
      const turned = upright && panels.length > 1;
      const at = (x: number, y: number): number => distanceOf(values[placeAt(panel, side, x, y, turned)]);
      for (let y = 0; y < side.height; y++) {
        for (let x = 0; x < side.width; x++) {
          const value = at(x, y);
          const colour = Number.isFinite(value) ? rampColour(value, low, high) : NOTHING;
          const level = Math.floor(value / step);
          const line =
            (x + 1 < side.width && level !== Math.floor(at(x + 1, y) / step)) ||
            (y + 1 < side.height && level !== Math.floor(at(x, y + 1) / step));
          canvas.set(left + x, GAP + y, line && Number.isFinite(value) ? lined(colour) : colour);
        }
      }
      left += side.width + GAP;
    }
    const top = GAP + 12;
    const tall = height - top - GAP - 4;
    canvas.text(left + GAP, GAP, unit);
    for (let y = 0; y < tall; y++) {
      const value = high - ((high - low) * y) / Math.max(1, tall - 1);
      for (let x = 0; x < SCALE_WIDTH; x++) canvas.set(left + GAP + x, top + y, rampColour(value, low, high));
    }
    for (const { text, value } of texts) {
      const y = Math.round(top + ((high - value) / (high - low || 1)) * (tall - 1));
      for (let x = 0; x < SCALE_WIDTH; x++) canvas.set(left + GAP + x, y, INK);
      canvas.text(left + GAP * 2 + SCALE_WIDTH, Math.max(0, y - 3), text);
    }
    await writeWhole(path, (file) => writePng(file, { width, height, channels: 3, data: canvas.data }));
  }
}

/** Small panels are drawn larger, by a whole number. */
function enlarged(sides: readonly Side[]): Side[] {
  const largest = Math.max(...sides.flatMap(({ width, height }) => [width, height]));
  const times = Math.max(1, Math.min(MOST_ENLARGED, Math.floor(LEAST_SIDE / largest)));
  return sides.map(({ width, height }) => ({ width: width * times, height: height * times }));
}

class Canvas {
  readonly data: Uint8Array;
  readonly #width: number;

  constructor(width: number, height: number) {
    this.#width = width;
    this.data = new Uint8Array(width * height * 3);
    for (let i = 0; i < this.data.length; i++) this.data[i] = BACKGROUND[i % 3] as number;
  }

  set(x: number, y: number, colour: ArrayLike<number>): void {
    const at = (y * this.#width + x) * 3;
    for (let c = 0; c < 3; c++) this.data[at + c] = colour[c];
  }

  text(left: number, top: number, text: string): void {
    for (const [y, row] of glyphRows(text).entries()) {
      for (let x = 0; x < row.length; x++) if (row[x] === "#") this.set(left + x, top + y, INK);
    }
  }
}

/** The nearest of 1, 2 and 5 times a power of ten. */
function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  const times = step / power;
  return power * (times < 1.5 ? 1 : times < 3.5 ? 2 : times < 7.5 ? 5 : 10);
}

function decimal(value: number, step: number): string {
  return value.toFixed(Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
}

/** A line of equal distance: the colour, darker where it is light and lighter where it is dark. */
function lined(colour: readonly number[]): number[] {
  const light = colour[0] * 0.3 + colour[1] * 0.6 + colour[2] * 0.1 > 110;
  return colour.map((c) => (light ? c * 0.55 : c + (255 - c) * 0.45));
}

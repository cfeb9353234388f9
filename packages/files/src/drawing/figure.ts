// Figures: a picture with its objects, and around it what a reader needs to understand it: a title, a scale bar, and a legend of colours.
// The layout is a list of shapes in pixels, from which a PNG and an SVG are written alike.

import { glyphRows, textWidth } from "./digits.js";
import { roundLength } from "./length.js";
import { rampColour } from "./ramp.js";

/** A part of a figure that can be chosen. */
export type FigurePart = "colours" | "outlines" | "numbers" | "bar";

/** Red, green and blue, 0 to 255. */
export type Rgb = readonly [number, number, number];

/** Values by which objects are coloured, one per object, and their name with the unit. */
export interface Measure {
  readonly values: ArrayLike<number>;
  readonly name: string;
}

/** The size of a pixel of the picture along x. */
export interface PixelSize {
  readonly size: number;
  readonly unit: string;
}

/** A shape of a figure, in its pixels. `size` is the side of a letter's pixel, `rim` the colour around letters that lie on the picture. */
export type Shape =
  | {
      readonly kind: "box";
      readonly at: readonly [number, number, number, number];
      readonly rgb: Rgb;
    }
  | {
      readonly kind: "text";
      readonly text: string;
      /** The left end, the middle or the right end of the line, and its top. */
      readonly at: readonly [number, number];
      readonly align: "left" | "middle" | "right";
      readonly size: number;
      readonly rgb: Rgb;
      readonly rim?: Rgb;
    };

/** The size of a figure, where the picture lies in it and how much it is enlarged, and the shapes around and over it. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly top: number;
  readonly zoom: number;
  readonly shapes: readonly Shape[];
}

const [WHITE, BLACK, GREY]: readonly Rgb[] = [
  [255, 255, 255],
  [0, 0, 0],
  [128, 128, 128],
];

/** The longer side of a picture is drawn with at least this many pixels. */
const LEAST_SIDE = 800;
/** The height of letters, of the longer side. */
const LETTER_PART = 0.02;
/** Rows of a letter. */
const ROWS = 7;
/** Steps of the colours in a legend. */
const STEPS = 64;

/** A number as figures show it, with four significant digits. */
const shown = (value: number): string => String(Number(value.toPrecision(4)));

/** The least and the largest of values that are numbers. */
export function rangeOf(values: ArrayLike<number>): readonly [number, number] | undefined {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < values.length; i++) {
    const value = Number(values[i]);
    if (!Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low <= high ? [low, high] : undefined;
}

/** The colour of each object by its value, for labels 0 to the number of values; grey where it is no finite number. */
export function coloursOf({ values }: Measure): Uint8Array {
  const [low, high] = rangeOf(values) ?? [0, 0];
  const colours = new Uint8Array(3 * (values.length + 1));
  for (let i = 0; i < values.length; i++) {
    const value = Number(values[i]);
    colours.set(Number.isFinite(value) ? rampColour(value - low, 0, high - low) : GREY, 3 * (i + 1));
  }
  return colours;
}

/** Words in lines of at most so many letters; longer words are cut. */
function linesOf(text: string, most: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/).flatMap((each) => each.match(new RegExp(`.{1,${most}}`, "gu")) ?? [])) {
    if (line !== "" && line.length + 1 + word.length > most) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return line === "" ? lines : [...lines, line];
}

/** Lays out a figure. `numbers` are texts at places of the picture, in its pixels. */
export function layOut(
  picture: { readonly width: number; readonly height: number },
  given: {
    readonly title?: string | undefined;
    readonly pixel?: PixelSize | undefined;
    readonly measure?: Measure | undefined;
    readonly numbers?: readonly { readonly text: string; readonly x: number; readonly y: number }[] | undefined;
  },
): Layout {
  const longer = Math.max(picture.width, picture.height);
  const zoom = Math.max(1, Math.ceil(LEAST_SIDE / longer));
  const size = Math.max(2, Math.round((longer * zoom * LETTER_PART) / ROWS));
  const [width, high] = [picture.width * zoom, picture.height * zoom];
  const gap = 3 * size;
  const line = (ROWS + 3) * size;
  const perLine = Math.max(1, Math.floor((width - 2 * gap) / (textWidth(" ") * size)));
  const shapes: Shape[] = [];
  const write = (text: string, x: number, y: number, align: "left" | "middle" | "right" = "left"): void => {
    shapes.push({ kind: "text", text, at: [x, y], align, size, rgb: BLACK });
  };
  const titles = linesOf(given.title ?? "", perLine);
  for (const [i, text] of titles.entries()) write(text, gap, gap + i * line);
  const top = titles.length > 0 ? 2 * gap + titles.length * line - 3 * size : 0;
  for (const { text, x, y } of given.numbers ?? []) {
    const at = [x * zoom, top + y * zoom - (ROWS * size) / 2] as const;
    shapes.push({ kind: "text", text, at, align: "middle", size, rgb: WHITE, rim: BLACK });
  }
  if (given.pixel) {
    const { size: side, unit } = given.pixel;
    const length = roundLength((picture.width / 4) * side);
    const long = Math.max(1, Math.round((length / side) * zoom));
    const [right, bottom] = [width - gap, top + high - gap];
    const text = `${shown(length)} ${unit}`;
    // A text that is longer than its bar does not leave the picture.
    const middle = Math.min(right - long / 2, right - (textWidth(text) * size) / 2);
    const wide = Math.max(long, textWidth(text) * size);
    const tall = (ROWS + 4) * size;
    shapes.push(
      // Numbers and bright objects beneath would make the text unreadable.
      { kind: "box", at: [right - wide - size, bottom - tall - size, wide + 2 * size, tall + 2 * size], rgb: BLACK },
      { kind: "box", at: [right - long, bottom - 2 * size, long, 2 * size], rgb: WHITE },
      { kind: "text", text, at: [middle, bottom - tall], align: "middle", size, rgb: WHITE },
    );
  }
  let height = top + high;
  const range = given.measure && rangeOf(given.measure.values);
  if (given.measure && range) {
    const [low, most] = range;
    for (const text of linesOf(given.measure.name, perLine)) {
      write(text, gap, height + gap);
      height += line;
    }
    height += gap;
    const long = width - 2 * gap;
    for (let i = 0; i < STEPS; i++) {
      const [from, to] = [Math.round((long * i) / STEPS), Math.round((long * (i + 1)) / STEPS)];
      const rgb = rampColour(i, 0, STEPS - 1) as unknown as Rgb;
      if (to > from) shapes.push({ kind: "box", at: [gap + from, height, to - from, 4 * size], rgb });
    }
    height += 6 * size;
    write(shown(low), gap, height);
    if (most > low) write(shown(most), width - gap, height, "right");
    height += line;
  }
  return { width, height, top, zoom, shapes };
}

/** Draws shapes into red, green and blue, row by row. What lies outside is left out. */
export function drawShapes(
  { width, height, data }: { readonly width: number; readonly height: number; readonly data: Uint8Array },
  shapes: readonly Shape[],
): void {
  const box = (x: number, y: number, w: number, h: number, rgb: Rgb): void => {
    const [left, right] = [Math.max(0, Math.round(x)), Math.min(width, Math.round(x + w))];
    for (let row = Math.max(0, Math.round(y)); row < Math.min(height, Math.round(y + h)); row++) {
      for (let column = left; column < right; column++) data.set(rgb, 3 * (row * width + column));
    }
  };
  const letters = (text: string, x: number, y: number, size: number, rgb: Rgb, wider: number): void => {
    for (const [row, ink] of glyphRows(text).entries()) {
      for (let column = 0; column < ink.length; column++) {
        if (ink[column] === "#")
          box(x + column * size - wider, y + row * size - wider, size + 2 * wider, size + 2 * wider, rgb);
      }
    }
  };
  for (const shape of shapes) {
    if (shape.kind === "box") {
      const [x, y, w, h] = shape.at;
      box(x, y, w, h, shape.rgb);
      continue;
    }
    const { text, at, align, size, rgb, rim } = shape;
    // The last column of a letter is the space to the next.
    const long = textWidth(text) * size - size;
    const x = Math.round(at[0] - (align === "left" ? 0 : align === "middle" ? long / 2 : long));
    const y = Math.round(at[1]);
    if (rim) letters(text, x, y, size, rim, Math.max(1, Math.round(size / 2)));
    letters(text, x, y, size, rgb, 0);
  }
}

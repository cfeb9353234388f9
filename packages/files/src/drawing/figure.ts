// Figures: a picture with its objects, and around it what a reader needs to understand it: a title, a scale bar, and a legend of colours.
// The layout is a list of shapes in pixels, from which a PNG and an SVG are written alike.

import { FileError } from "../errors.js";
import { COLOURS, objectColour, palette } from "./colours.js";
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
  /** The classes that the values name, in order: each has a colour of its own. */
  readonly classes?: readonly number[] | undefined;
}

/** The sides of a pixel of the picture along x and y. */
export interface PixelSize {
  readonly sides: readonly [number, number];
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

/** The size of a figure, the box of the picture in it, and the shapes around and over it. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly picture: { readonly left: number; readonly top: number; readonly width: number; readonly height: number };
  readonly shapes: readonly Shape[];
}

const [WHITE, BLACK, GREY]: readonly Rgb[] = [
  [255, 255, 255],
  [0, 0, 0],
  [128, 128, 128],
];

/** The longer side of a picture is drawn with at least this many pixels. */
const LEAST_SIDE = 800;
/** A figure with text is at least this wide, and a narrower picture lies in its middle. */
const LEAST_WIDTH = 400;
/** The most pixels of a figure. */
const MOST_PIXELS = 2 ** 29;
/** Refuses pictures of too many pixels, which long pixels or voxels make, drawn in their proportions. */
export function checkDrawn(what: string, width: number, height: number, sides: readonly number[]): void {
  if (width * height <= MOST_PIXELS) return;
  throw new FileError(
    `Expected ${what} of at most ${MOST_PIXELS} pixels, got ${width} x ${height}, with sides of a pixel of ${sides.join(" x ")}.`,
  );
}

/** The height of letters, of the figure's width. */
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

/** More values than these are shown as a range, not as classes. */
const MOST_CLASSES = 24;

/** The classes that values name, in order: undefined if there are many, or if some are no whole numbers. What is not finite is none. */
export function classesOf(values: ArrayLike<number>): readonly number[] | undefined {
  const classes = new Set<number>();
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i])) continue;
    classes.add(values[i]);
    if (!Number.isInteger(values[i]) || classes.size > MOST_CLASSES) return undefined;
  }
  return classes.size > 0 ? [...classes].sort((a, b) => a - b) : undefined;
}

/** The colour of a class is that of the label of its number; one that another class has already is followed by the next that is free. */
function coloursOfClasses(classes: readonly number[]): ReadonlyMap<number, Rgb> {
  const colours = palette();
  const used = new Set<string>();
  const found = new Map<number, Rgb>();
  for (const value of classes) {
    // Whole numbers near 2^53 have no next one.
    let at = Math.abs(value) % COLOURS;
    while (used.has(String(objectColour(colours, at)))) at++;
    const colour = objectColour(colours, at);
    used.add(String(colour));
    found.set(value, colour);
  }
  return found;
}

/** Colours by value: those of classes, or those of a range, grey where it is no finite number. */
function colourOfValue({ values, classes }: Measure): (value: number) => Rgb {
  if (classes) {
    const of = coloursOfClasses(classes);
    return (value) => of.get(value) ?? GREY;
  }
  const [low, high] = rangeOf(values) ?? [0, 0];
  return (value) => (Number.isFinite(value) ? (rampColour(value - low, 0, high - low) as unknown as Rgb) : GREY);
}

/** The colour of each object by its value, for labels 0 to the number of values. */
export function coloursOf(measure: Measure): Uint8Array {
  const { values } = measure;
  const colourOf = colourOfValue(measure);
  const colours = new Uint8Array(3 * (values.length + 1));
  for (let i = 0; i < values.length; i++) colours.set(colourOf(Number(values[i])), 3 * (i + 1));
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

/** The content of a layout. `numbers` are texts at places of the picture, in its pixels. */
interface Given {
  readonly title?: string | undefined;
  readonly pixel?: PixelSize | undefined;
  readonly hasBar: boolean;
  readonly measure?: Measure | undefined;
  readonly numbers?: readonly { readonly text: string; readonly x: number; readonly y: number }[] | undefined;
}

/**
 * Lays out a figure. Pixels that are not square are drawn in their proportions.
 * @throws FileError if it would have too many pixels
 */
export function layOut(
  given: { readonly width: number; readonly height: number },
  { title = "", pixel, hasBar, measure, numbers = [] }: Given,
): Layout {
  const [x, y] = pixel?.sides ?? [1, 1];
  const [across, down] = [x / Math.min(x, y), y / Math.min(x, y)];
  const zoom = Math.max(1, Math.ceil(LEAST_SIDE / Math.max(given.width * across, given.height * down)));
  const [wide, high] = [Math.round(given.width * across * zoom), Math.round(given.height * down * zoom)];
  const range = measure && rangeOf(measure.values);
  const hasText = title.trim() !== "" || range !== undefined || (hasBar && pixel !== undefined);
  const width = hasText ? Math.max(wide, LEAST_WIDTH) : wide;
  checkDrawn("a figure", width, high, [x, y]);
  const size = Math.max(2, Math.round((width * LETTER_PART) / ROWS));
  const gap = 3 * size;
  const line = (ROWS + 3) * size;
  const perLine = Math.floor((width - 2 * gap) / (textWidth(" ") * size));
  const shapes: Shape[] = [];
  const write = (text: string, at: readonly [number, number], align: "left" | "middle" | "right" = "left"): void => {
    shapes.push({ kind: "text", text, at, align, size, rgb: BLACK });
  };
  const titles = linesOf(title, perLine);
  for (const [i, text] of titles.entries()) write(text, [gap, gap + i * line]);
  const top = titles.length > 0 ? 2 * gap + titles.length * line - 3 * size : 0;
  const left = Math.floor((width - wide) / 2);
  for (const { text, x, y } of numbers) {
    const at = [left + (x * wide) / given.width, top + (y * high) / given.height - (ROWS * size) / 2] as const;
    shapes.push({ kind: "text", text, at, align: "middle", size, rgb: WHITE, rim: BLACK });
  }
  let height = top + high;
  if (hasBar && pixel) {
    const length = roundLength((given.width / 4) * x);
    const long = Math.max(1, Math.round(((length / x) * wide) / given.width));
    const text = `${shown(length)} ${pixel.unit}`;
    const room = Math.max(long, textWidth(text) * size);
    const tall = (ROWS + 4) * size;
    // A bar that would cover much of a low or narrow picture stands below it.
    const isInside = 4 * tall <= high && 2 * room <= wide;
    const right = isInside ? left + wide - gap : width - gap;
    const bottom = isInside ? height - gap : height + gap + tall;
    if (isInside) {
      // Numbers and bright objects beneath would make the text unreadable.
      const at = [right - room - size, bottom - tall - size, room + 2 * size, tall + 2 * size] as const;
      shapes.push({ kind: "box", at, rgb: BLACK });
    } else height = bottom + gap;
    const rgb = isInside ? WHITE : BLACK;
    shapes.push(
      { kind: "box", at: [right - long, bottom - 2 * size, long, 2 * size], rgb },
      { kind: "text", text, at: [right - room / 2, bottom - tall], align: "middle", size, rgb },
    );
  }
  if (measure && range) {
    const [low, most] = range;
    for (const text of linesOf(measure.name, perLine)) {
      write(text, [gap, height + gap]);
      height += line;
    }
    height += gap;
    const long = width - 2 * gap;
    if (measure.classes) {
      const colourOf = colourOfValue(measure);
      let x = gap;
      for (const value of measure.classes) {
        const text = String(value);
        const room = (ROWS + 3 + textWidth(text)) * size;
        if (x > gap && x + room > width - gap) {
          x = gap;
          height += line;
        }
        shapes.push({ kind: "box", at: [x, height, ROWS * size, ROWS * size], rgb: colourOf(value) });
        write(text, [x + (ROWS + 2) * size, height]);
        x += room + gap;
      }
    } else {
      for (let i = 0; i < STEPS; i++) {
        const [from, to] = [Math.round((long * i) / STEPS), Math.round((long * (i + 1)) / STEPS)];
        const rgb = rampColour(i, 0, STEPS - 1) as unknown as Rgb;
        shapes.push({ kind: "box", at: [gap + from, height, to - from, 4 * size], rgb });
      }
      height += 6 * size;
      write(shown(low), [gap, height]);
      if (most > low) write(shown(most), [width - gap, height], "right");
    }
    height += line;
  }
  return { width, height, picture: { left, top, width: wide, height: high }, shapes };
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

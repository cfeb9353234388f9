// Each object in its own colour over the image.

import type { Components, PixelArray } from "skerry";
import { cover, coverRuns, palette } from "../drawing/colours.js";
import { checkDrawn, coloursOf } from "../drawing/figure.js";
import { eachPlace, panelsOf, placeAt, sidesOf } from "../drawing/slices.js";
import { writePng } from "../formats/png.js";
import { type FIGURE_ENDINGS, type Figure, pixelOf, writeFigure as writeFigureTo } from "../products/figure.js";
import { isUpright, spacingOf } from "../space.js";
import { endingOf } from "../writers.js";
import { checkProduct } from "../writing.js";
import { writeWhole } from "./output.js";
import { eachBand, type Picture } from "./picture.js";

/**
 * Writes the picture with each object in its colour over it, as a PNG.
 * @example
 * import { openPicture, writeOverlay } from "@skerry/files/node";
 * const picture = await openPicture("cells.png");
 * const cells = await engine.components(picture.pixels, { threshold: "otsu" });
 * await writeOverlay("cells-overlay.png", picture, cells);
 */
export async function writeOverlay(path: string, picture: Picture, components: Components): Promise<void> {
  checkProduct("writeOverlay", components, "runs", "components()");
  const { width, height, data } =
    components.depth > 1 ? await middleSlices(picture, components, palette()) : await plain(picture, components);
  if (components.depth === 1) coverRuns(data, await components.runs());
  await writeWhole(path, (file) => writePng(file, { width, height, channels: 3, data }));
}

/** How a figure is drawn; see `writeFigure` of the writers that need no file. */
export type FigureOptions = Pick<Figure, "parts" | "measure" | "title" | "ids">;

/** Writes the picture with its objects as a figure, PNG or SVG by the ending of the path. */
export async function writeFigure(
  path: string,
  picture: Picture,
  components: Components,
  options: FigureOptions,
): Promise<void> {
  const isVolume = components.depth > 1;
  const { measure, parts } = options;
  const colours = parts.includes("colours") ? (measure ? coloursOf(measure) : palette()) : undefined;
  const canvas = isVolume ? await middleSlices(picture, components, colours) : await plain(picture, components);
  const pixelSize = pixelOf(picture.space);
  const least = Math.min(...(spacingOf(picture.space) ?? []));
  // The shortest side of a voxel is a pixel of the slices.
  const pixel = pixelSize && isVolume ? { ...pixelSize, sides: [least, least] as const } : pixelSize;
  const ending = endingOf(path) as (typeof FIGURE_ENDINGS)[number];
  await writeWhole(path, (file) =>
    writeFigureTo(file, ending, { ...canvas, ...options, pixel, objects: isVolume ? undefined : components }),
  );
}

/** Red, green and blue, row by row. */
interface Canvas {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

async function plain(picture: Picture, { width, height }: Components): Promise<Canvas> {
  return { width, height, data: await toRgb(picture, width, height) };
}

/** Pixels between two slices. */
const GAP = 4;

/**
 * The slices through the middle, across z, y and x, side by side and in the proportions that the spacing gives them.
 * The top of a NIfTI volume in y or z is drawn at the top.
 */
async function middleSlices(
  picture: Picture,
  components: Components,
  colours: Uint8Array | undefined,
): Promise<Canvas> {
  const { width, height, spacing } = components;
  const panels = panelsOf(components, spacing);
  const values = panels.map(({ columns, rows }) => new Float64Array(columns * rows * 3));
  const labels = panels.map(({ columns, rows }) => new Uint32Array(columns * rows));
  const channels = picture.pixels.channels ?? 1;
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  await eachBand(picture, (rows, y0, y1) => {
    for (const v of rows) {
      if (v < low) low = v;
      if (v > high) high = v;
    }
    const rgb = new Float64Array(width * 3);
    for (let row = y0; row < y1; row++) {
      for (let x = 0; x < width; x++) {
        const at = ((row - y0) * width + x) * channels;
        for (let c = 0; c < 3; c++) rgb[x * 3 + c] = rows[channels > 1 ? at + c : at];
      }
      eachPlace(components, row, (panel, at, x) => {
        for (let c = 0; c < 3; c++) (values[panel] as Float64Array)[at * 3 + c] = rgb[x * 3 + c];
      });
    }
    return true;
  });
  await components.labels({
    into: {
      write(z0, z1, y0, y1, data) {
        const rows = z1 - z0 > 1 ? (z1 - z0) * height : y1 - y0;
        for (let k = 0; k < rows; k++) {
          eachPlace(components, z0 * height + y0 + k, (panel, at, x) => {
            (labels[panel] as Uint32Array)[at] = data[k * width + x];
          });
        }
      },
    },
  });
  const sides = sidesOf(panels);
  const canvas = {
    width: sides.reduce((sum, side) => sum + side.width + GAP, -GAP),
    height: Math.max(...sides.map((side) => side.height)),
  };
  checkDrawn("slices", canvas.width, canvas.height, spacing);
  const data = new Uint8Array(canvas.width * canvas.height * 3);
  const scale = high > low ? 255 / (high - low) : 0;
  const upright = isUpright(picture.space);
  let left = 0;
  for (const [panel, slice] of panels.entries()) {
    const side = sides[panel];
    for (let y = 0; y < side.height; y++) {
      for (let x = 0; x < side.width; x++) {
        const at = placeAt(slice, side, x, y, upright);
        const to = (y * canvas.width + left + x) * 3;
        for (let c = 0; c < 3; c++) data[to + c] = (values[panel]?.[at * 3 + c] - low) * scale;
        const label = labels[panel]?.[at];
        if (label > 0 && colours) cover(data, to, colours, label);
      }
    }
    left += side.width + GAP;
  }
  return { ...canvas, data };
}

/** The picture as 8-bit RGB. Other types are stretched from their smallest to their largest value. */
export async function toRgb(picture: Pick<Picture, "pixels">, width: number, height: number): Promise<Uint8Array> {
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
  const value = (rows: PixelArray, i: number): number => (rows[i] - low) * scale;
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

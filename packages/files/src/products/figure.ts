// Figures as files: the picture with its objects in colours, outlines and numbers, with a title, a scale bar and a legend.

import type { RegionProperty, Runs } from "skerry";
import type { Drawable } from "../drawable.js";
import { coverRuns, hexOf, objectColour, palette } from "../drawing/colours.js";
import {
  classesOf,
  coloursOf,
  drawShapes,
  type FigurePart,
  type Layout,
  layOut,
  type Measure,
  type PixelSize,
  type Shape,
} from "../drawing/figure.js";
import { shapesOf } from "../drawing/polygons.js";
import { FileError } from "../errors.js";
import { writePng } from "../formats/png.js";
import { pathOfPolygons } from "../formats/svg.js";
import { xmlText } from "../formats/xml.js";
import { MemoryOutput, type Output } from "../output.js";
import { lengthUnitOf, type Space, spacingOf } from "../space.js";
import { type Column, isUnsafe } from "./regions.js";

/** Endings of figures. */
export const FIGURE_ENDINGS = [".png", ".svg"] as const;

/** The parts of a figure by default; a bar is drawn if the size of a pixel is known. */
export const USUAL_PARTS: readonly FigurePart[] = ["colours", "bar"];

/** The sides of a pixel in their unit, for figures of images; undefined if the space does not tell both. */
export function pixelOf(space: Space): PixelSize | undefined {
  const [x, y] = spacingOf(space) ?? [];
  const unit = lengthUnitOf(space);
  return x === undefined || y === undefined || unit === undefined ? undefined : { sides: [x, y], unit };
}

/** The content of a figure. */
export interface Figure {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue of the picture, row by row; it is drawn into. */
  readonly data: Uint8Array;
  readonly parts: readonly FigurePart[];
  /** Values by which objects are coloured, instead of each in its own colour. */
  readonly measure?: Measure | undefined;
  readonly pixel?: PixelSize | undefined;
  readonly title?: string | undefined;
  /** The objects of the picture; undefined if `data` shows them already. */
  readonly objects?: Drawable | undefined;
  /** The numbers of objects, if not 1, 2, 3, ... */
  readonly ids?: ArrayLike<number | bigint> | undefined;
}

/**
 * The values of a property of a table, by which objects are coloured, and its name with its unit, as in "area (\u00b5m\u00b2)"; for
 * "value" the classes that objects were found by.
 * @throws FileError if classes are colours, or ids beyond 2^53
 */
export function measureOf(columns: readonly Column[], property: RegionProperty | "value"): Measure | undefined {
  const column = columns.find(({ name }) => name === property);
  if (!column) return undefined;
  const { parts, values, units } = column;
  if (property === "value" && parts.length > 1) {
    throw new FileError(`Expected an image of one channel for colours by value, got ${parts.length}.`);
  }
  if (property === "value" && isUnsafe(column)) {
    throw new FileError("Expected classes of at most 2^53 for colours by value, got larger ids.");
  }
  const sign = units[0]?.replace(/[23]$/, (power) => (power === "2" ? "\u00b2" : "\u00b3"));
  // The first of several numbers, such as one for each channel.
  const count = values.length / parts.length;
  const ofObjects = Float64Array.from({ length: count }, (_, i) => Number(values[i * parts.length]));
  return {
    values: ofObjects,
    name: sign === undefined ? parts[0] : `${parts[0]} (${sign})`,
    classes: property === "value" ? classesOf(ofObjects) : undefined,
  };
}

/** Writes a figure as PNG or SVG, by the ending. */
export async function writeFigure(
  file: Output,
  ending: (typeof FIGURE_ENDINGS)[number],
  figure: Figure,
): Promise<void> {
  const { width, height, parts, measure, pixel, title, objects } = figure;
  const colours = measure ? coloursOf(measure) : palette();
  const isCoded = parts.includes("colours") || parts.includes("outlines");
  const layout = layOut(
    { width, height },
    {
      title,
      pixel,
      hasBar: parts.includes("bar"),
      measure: isCoded ? measure : undefined,
      numbers: parts.includes("numbers") && objects ? await numbersOf(objects, figure.ids) : undefined,
    },
  );
  if (ending === ".svg") {
    await writeDrawing(file, figure, layout, colours);
    return;
  }
  if (objects && isCoded) {
    const runs = await objects.runs();
    if (parts.includes("colours")) coverRuns(figure.data, runs, colours);
    if (parts.includes("outlines")) drawBorders(figure, runs, colours);
  }
  const data = new Uint8Array(3 * layout.width * layout.height).fill(255);
  const { left, top, width: wide, height: high } = layout.picture;
  for (let y = 0; y < high; y++) {
    const from = Math.floor((y * height) / high) * width;
    const to = 3 * ((top + y) * layout.width + left);
    if (wide === width) {
      data.set(figure.data.subarray(3 * from, 3 * (from + width)), to);
      continue;
    }
    for (let x = 0; x < wide; x++) {
      const at = 3 * (from + Math.floor((x * width) / wide));
      for (let c = 0; c < 3; c++) data[to + 3 * x + c] = figure.data[at + c];
    }
  }
  drawShapes({ width: layout.width, height: layout.height, data }, layout.shapes);
  await writePng(file, { width: layout.width, height: layout.height, channels: 3, data });
}

/** The number of each object at its centroid. */
async function numbersOf(objects: Drawable, ids: Figure["ids"]) {
  const { centroid = [] } = await objects.regions({ properties: ["centroid"], physical: false });
  return Array.from({ length: objects.count }, (_, i) => ({
    text: String(ids?.[i] ?? i + 1),
    x: centroid[2 * i] + 0.5,
    y: centroid[2 * i + 1] + 0.5,
  }));
}

/** Draws the pixels of each object that have another beside, above or below them in the object's colour. */
function drawBorders(
  { width, height, data }: Figure,
  { count, row, begin, end, label }: Runs,
  colours: Uint8Array,
): void {
  const rowsOf = [0, 1, 2].map(() => new Uint32Array(width));
  let next = 0;
  /** Reads the labels of a row; rows come in order. */
  const read = (y: number): Uint32Array<ArrayBuffer> => {
    const labels = rowsOf[y % 3].fill(0);
    for (; next < count && row[next] === y; next++) labels.fill(label[next], begin[next], end[next]);
    return labels;
  };
  let above = new Uint32Array(width);
  let here = read(0);
  for (let y = 0; y < height; y++) {
    const below = y + 1 < height ? read(y + 1) : new Uint32Array(width);
    for (let x = 0; x < width; x++) {
      const label = here[x];
      if (label === 0) continue;
      if (here[x - 1] === label && here[x + 1] === label && above[x] === label && below[x] === label) continue;
      data.set(objectColour(colours, label), 3 * (y * width + x));
    }
    [above, here] = [here, below];
  }
}

/** Bytes that are written as Base64 at a time: a multiple of 3. */
const BASE64_BYTES = 3 << 12;

function* base64Of(bytes: Uint8Array): Generator<string> {
  for (let from = 0; from < bytes.length; from += BASE64_BYTES)
    yield btoa(String.fromCharCode(...bytes.subarray(from, from + BASE64_BYTES)));
}

/** Writes the figure as a drawing: the picture inside it, each object as a path with a title. */
async function writeDrawing(file: Output, figure: Figure, layout: Layout, colours: Uint8Array): Promise<void> {
  const { width, height, data, parts, objects, ids, measure } = figure;
  const text = new TextEncoder();
  const write = async (line: string): Promise<void> => file.write(text.encode(line));
  await write(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${layout.width} ${layout.height}" width="${layout.width}" height="${layout.height}">\n`,
  );
  await write(`<rect width="100%" height="100%" fill="#ffffff"/>\n`);
  const { left, top, width: wide, height: high } = layout.picture;
  const zoom = wide / width;
  await write(`<g transform="translate(${left} ${top}) scale(${zoom} ${high / height})">\n`);
  const picture = new MemoryOutput();
  await writePng(picture, { width, height, channels: 3, data });
  await write(
    `<image width="${width}" height="${height}" preserveAspectRatio="none" image-rendering="pixelated" href="data:image/png;base64,`,
  );
  for (const part of base64Of(picture.bytes())) await write(part);
  await write(`"/>\n`);
  if (objects && (parts.includes("colours") || parts.includes("outlines"))) {
    const fill = parts.includes("colours") ? 0.6 : 0;
    const line = parts.includes("outlines") ? ` stroke-width="${1.5 / zoom}"` : "";
    await write(`<g fill-rule="evenodd" fill-opacity="${fill}"${line}>\n`);
    for (const { label, polygons } of shapesOf(await objects.outlines({ rings: "simple" }))) {
      const colour = hexOf(objectColour(colours, label));
      const value = measure === undefined ? "" : `: ${measure.name} ${Number(measure.values[label - 1])}`;
      await write(
        `<path fill="${colour}"${line && ` stroke="${colour}"`} d="${pathOfPolygons(polygons)}"><title>${ids?.[label - 1] ?? label}${xmlText(value)}</title></path>\n`,
      );
    }
    await write("</g>\n");
  }
  await write("</g>\n");
  for (const shape of layout.shapes) await write(`${elementOf(shape)}\n`);
  await write("</svg>\n");
}

const ANCHORS = { left: "start", middle: "middle", right: "end" } as const;

function elementOf(shape: Shape): string {
  const fill = `fill="${hexOf(shape.rgb)}"`;
  if (shape.kind === "box") {
    const [x, y, width, height] = shape.at;
    return `<rect x="${x}" y="${y}" width="${width}" height="${height}" ${fill}/>`;
  }
  const { at, align, size, text, rim } = shape;
  const line = rim ? ` stroke="${hexOf(rim)}" stroke-width="${size}" paint-order="stroke"` : "";
  // Letters of seven rows are capitals, which are 0.7 of a font's size.
  return `<text x="${at[0]}" y="${at[1] + 7 * size}" font-family="Helvetica, Arial, sans-serif" font-size="${10 * size}" text-anchor="${ANCHORS[align]}" ${fill}${line}>${xmlText(text)}</text>`;
}

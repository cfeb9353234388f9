// Writes SVG, in pixels: a path per object, with its holes, or a path per class.

import type { Outlines } from "skerry";
import { hexOf } from "../drawing/colours.js";
import { type Polygon, shapesOf } from "../drawing/polygons.js";
import type { Output } from "../output.js";
import { checkWriting } from "../writing.js";
import { writeLines } from "./lines.js";

/** Options of `writeSvg()`. */
export interface SvgOptions {
  readonly width: number;
  readonly height: number;
  /** The colour of an object, 0 to 255 per channel. */
  readonly colourOf: (label: number) => readonly [red: number, green: number, blue: number];
}

/**
 * Writes outlines as a drawing of the image's size.
 * @example
 * import { MemoryOutput, objectColour, palette, writeSvg } from "@skerry/files";
 * const file = new MemoryOutput();
 * const colours = palette();
 * const { width, height } = blobs;
 * await writeSvg(file, await blobs.outlines(), { width, height, colourOf: (label) => objectColour(colours, label) });
 */
export async function writeSvg(file: Output, outlines: Outlines, options: SvgOptions): Promise<void> {
  checkWriting("writeSvg", file, { of: outlines, field: "rings", call: "outlines()" });
  const { colourOf } = options;
  await file.write(headOf(options, "geometricPrecision"));
  const shapes = [...shapesOf(outlines)];
  await writeLines(file, shapes.length, (i) => {
    const { label, polygons } = shapes[i];
    return `<path id="label-${label}" fill="${hexOf(colourOf(label))}" fill-rule="evenodd" d="${pathOfPolygons(polygons)}"/>\n`;
  });
  await file.write("</svg>\n");
}

/** Options of `writePoster()`. */
export interface PosterOptions {
  readonly width: number;
  readonly height: number;
  /** The class of the area with a label. */
  readonly classOf: (label: number) => number;
  /** Red, green and blue of each class, 0 to 255. */
  readonly colours: readonly (readonly [red: number, green: number, blue: number])[];
  /**
   * Width, in pixels, of the stroke around each area in its own colour. It covers the background that anti-aliased borders would
   * show. 0 for exact outlines, which are drawn without anti-aliasing; 0.8 by default.
   */
  readonly overlap?: number;
}

/**
 * Writes areas that cover an image: one path per class.
 * @example
 * import { colourOf, MemoryOutput, writePoster } from "@skerry/files";
 * const file = new MemoryOutput();
 * const classes = await engine.kmeans(photo, { k: 3 });
 * const areas = await engine.components(classes, { by: "value", background: null });
 * const { value } = await areas.regions({ properties: ["area"] });
 * const colours = Array.from({ length: classes.k }, (_, i) => colourOf(classes, i));
 * const { width, height } = classes;
 * await writePoster(file, await areas.outlines(), { width, height, classOf: (label) => value[label - 1], colours });
 */
export async function writePoster(
  file: Output,
  outlines: Outlines,
  { width, height, classOf, colours, overlap = 0.8 }: PosterOptions,
): Promise<void> {
  checkWriting("writePoster", file, { of: outlines, field: "rings", call: "outlines()" });
  const { count, points, rings, label } = outlines;
  const byClass: number[][] = colours.map(() => []);
  for (let ring = 0; ring < count; ring++) byClass[classOf(label[ring])]?.push(ring);
  await file.write(headOf({ width, height }, overlap > 0 ? "geometricPrecision" : "crispEdges"));
  for (const [i, members] of byClass.entries()) {
    if (members.length === 0) continue;
    const colour = hexOf(colours[i]);
    const line = overlap > 0 ? ` stroke="${colour}" stroke-width="${overlap}" stroke-linejoin="round"` : "";
    await file.write(`<path id="class-${i}" fill="${colour}"${line} fill-rule="evenodd" d="`);
    await writeLines(file, members.length, (k) => pathOf(points.subarray(rings[members[k]], rings[members[k] + 1])));
    await file.write(`"/>\n`);
  }
  await file.write("</svg>\n");
}

function headOf(
  { width, height }: Pick<SvgOptions, "width" | "height">,
  rendering: "geometricPrecision" | "crispEdges",
): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" shape-rendering="${rendering}">\n`;
}

/** The polygons of an object as one path. */
export const pathOfPolygons = (polygons: readonly Polygon[]): string =>
  polygons.map(({ outer, holes }) => [outer, ...holes].map(pathOf).join("")).join("");

/** A ring as relative line commands: h or v along an axis, else l. */
function pathOf(ring: Int32Array): string {
  let text = `M${ring[0]} ${ring[1]}`;
  for (let i = 2; i < ring.length; i += 2) {
    const [dx, dy] = [ring[i] - ring[i - 2], ring[i + 1] - ring[i - 1]];
    text += dy === 0 ? `h${dx}` : dx === 0 ? `v${dy}` : `l${dx} ${dy}`;
  }
  return `${text}z`;
}

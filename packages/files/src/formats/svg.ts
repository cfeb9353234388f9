// SVG out: a path per object, with its holes, or a path per colour; in pixels.

import type { Outlines } from "skerry";
import { shapesOf } from "../drawing/polygons.js";
import type { Output } from "../output.js";
import { writeLines } from "./lines.js";

/** Options of `writeSvg()`. */
export interface SvgOptions {
  readonly width: number;
  readonly height: number;
  /** The colour of an object, 0 to 255 each. */
  readonly colourOf: (label: number) => readonly [red: number, green: number, blue: number];
}

const hex = (byte: number): string => byte.toString(16).padStart(2, "0");

/** Writes outlines as a drawing of the image's size. */
export async function writeSvg(file: Output, outlines: Outlines, options: SvgOptions): Promise<void> {
  const { colourOf } = options;
  await file.write(headOf(options, "geometricPrecision"));
  const shapes = [...shapesOf(outlines)];
  await writeLines(file, shapes.length, (i) => {
    const { label, polygons } = shapes[i];
    const path = polygons.map(({ outer, holes }) => [outer, ...holes].map(pathOf).join("")).join("");
    return `<path id="label-${label}" fill="#${colourOf(label).map(hex).join("")}" fill-rule="evenodd" d="${path}"/>\n`;
  });
  await file.write("</svg>\n");
}

/** Options of `writePoster()`. */
export interface PosterOptions {
  readonly width: number;
  readonly height: number;
  /** The class of each ring's area. */
  readonly classOf: (label: number) => number;
  /** Red, green and blue of each class, 0 to 255. */
  readonly colours: readonly (readonly [red: number, green: number, blue: number])[];
  /**
   * Width of the line in an area's own colour that is drawn around it: it covers the background that smoothed borders would
   * let through. 0 for exact outlines, which are drawn without smoothing; 0.8 by default.
   */
  readonly overlap?: number;
}

/** Writes areas that cover an image: a path per class. */
export async function writePoster(
  file: Output,
  { count, points, rings, label }: Outlines,
  { width, height, classOf, colours, overlap = 0.8 }: PosterOptions,
): Promise<void> {
  const byClass: number[][] = colours.map(() => []);
  for (let ring = 0; ring < count; ring++) byClass[classOf(label[ring])]?.push(ring);
  await file.write(headOf({ width, height }, overlap > 0 ? "geometricPrecision" : "crispEdges"));
  for (const [i, own] of byClass.entries()) {
    if (own.length === 0) continue;
    const colour = `#${colours[i].map(hex).join("")}`;
    const line = overlap > 0 ? ` stroke="${colour}" stroke-width="${overlap}" stroke-linejoin="round"` : "";
    await file.write(`<path id="class-${i}" fill="${colour}"${line} fill-rule="evenodd" d="`);
    await writeLines(file, own.length, (k) => pathOf(points.subarray(rings[own[k]], rings[own[k] + 1])));
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

/** A ring as relative lines; those along an axis are short. */
function pathOf(ring: Int32Array): string {
  let text = `M${ring[0]} ${ring[1]}`;
  for (let i = 2; i < ring.length; i += 2) {
    const [dx, dy] = [ring[i] - ring[i - 2], ring[i + 1] - ring[i - 1]];
    text += dy === 0 ? `h${dx}` : dx === 0 ? `v${dy}` : `l${dx} ${dy}`;
  }
  return `${text}z`;
}

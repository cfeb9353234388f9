// SVG out: a path per object, with its holes, in pixels.

import type { Outlines } from "skerry";
import { shapesOf } from "../drawing/polygons.js";
import type { Output } from "../output.js";
import { writeLines } from "./lines.js";

export interface SvgOptions {
  readonly width: number;
  readonly height: number;
  /** The colour of an object, 0 to 255 each. */
  readonly colourOf: (label: number) => readonly [red: number, green: number, blue: number];
}

const hex = (byte: number): string => byte.toString(16).padStart(2, "0");

/** Writes outlines as a drawing of the image's size. */
export async function writeSvg(file: Output, outlines: Outlines, options: SvgOptions): Promise<void> {
  const { width, height, colourOf } = options;
  await file.write(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" shape-rendering="geometricPrecision">\n`,
  );
  const shapes = [...shapesOf(outlines)];
  await writeLines(file, shapes.length, (i) => {
    const { label, polygons } = shapes[i];
    const path = polygons.map(({ outer, holes }) => [outer, ...holes].map(pathOf).join("")).join("");
    return `<path id="label-${label}" fill="#${colourOf(label).map(hex).join("")}" fill-rule="evenodd" d="${path}"/>\n`;
  });
  await file.write("</svg>\n");
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

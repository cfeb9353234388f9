// Objects of a part of an image, with places in the whole image: for tables of runs, outlines and annotations.

import type { Components, Runs } from "skerry";
import { cocoRle, cocoString } from "skerry/internal";
import type { Triple } from "../affine.js";
import type { Annotation, Drawable } from "../drawable.js";
import { inFrame } from "./frame.js";

/** Objects with the names and scores that the masks of a file have, by the objects' values. */
export async function annotated(objects: Drawable, annotations: ReadonlyMap<number, Annotation>): Promise<Drawable> {
  const { value = [] } = await objects.regions({ properties: ["area"] });
  return {
    width: objects.width,
    height: objects.height,
    depth: objects.depth,
    count: objects.count,
    polarity: objects.polarity,
    regions: (options) => objects.regions(options),
    runs: (options) => objects.runs(options),
    outlines: (options) => objects.outlines(options),
    cocoRle: (label, options) => objects.cocoRle(label, options),
    annotationOf: (label) => annotations.get(value[label - 1]),
  };
}

/**
 * Objects that were found in a part of an image, as objects of the whole image.
 * @param origin the first pixel of the part
 * @param sizes the sides of the whole image along x, y and z
 */
export function inWhole(components: Components, origin: Triple, sizes: Triple): Drawable {
  const [ox, oy, oz] = origin;
  const [width, height, depth] = sizes;
  if (components.width === width && components.height === height && components.depth === depth) return components;
  const { count, polarity } = components;
  const shifted = (runs: Runs): Runs => {
    const { row, begin, end } = runs;
    const rows = components.height;
    return {
      ...runs,
      row: row.map((at) => (at % rows) + oy + height * (Math.floor(at / rows) + oz)),
      begin: begin.map((at) => at + ox),
      end: end.map((at) => at + ox),
    };
  };
  let grouped: Promise<Runs> | undefined;
  return {
    width,
    height,
    depth,
    count,
    polarity,
    regions: async (options) => {
      const frame = { origin, depth: components.depth, unit: "px", placeUnit: "px" };
      return inFrame(await components.regions(options), frame);
    },
    runs: async (options) => shifted(await components.runs(options)),
    outlines: async (options) => {
      const outlines = await components.outlines(options);
      return { ...outlines, points: outlines.points.map((at, i) => at + (i % 2 === 0 ? ox : oy)) };
    },
    cocoRle: async (label) => {
      grouped ??= components.runs({ groupBy: "label" }).then(shifted);
      return cocoString(await cocoRle(await grouped, label, width, height));
    },
  };
}

// Writes COCO annotations as polygons. COCO polygons have no holes, so objects with holes, or without a polygon, are written as
// compressed run lengths.

import type { Outlines } from "skerry";
import type { Drawable } from "../drawable.js";
import { shapesOf } from "../drawing/polygons.js";
import type { Output } from "../output.js";
import { checkWriting } from "../writing.js";
import { writeAnnotations } from "./coco.js";

/**
 * Writes the objects of an image as COCO annotations with polygons; `image` is its file name.
 * @example
 * import { MemoryOutput, writeCocoPolygons } from "@skerry/files";
 * const file = new MemoryOutput();
 * await writeCocoPolygons(file, blobs, await blobs.outlines({ rings: "simple" }), "cells.png");
 */
export async function writeCocoPolygons(
  file: Output,
  components: Drawable,
  outlines: Outlines,
  image: string,
): Promise<void> {
  checkWriting("writeCocoPolygons", file, { of: outlines, field: "rings", call: "outlines()" });
  const shapes = new Map([...shapesOf(outlines)].map((shape) => [shape.label, shape.polygons]));
  await writeAnnotations(file, components, image, async (label) => {
    const polygons = shapes.get(label) ?? [];
    return polygons.length === 0 || polygons.some(({ holes }) => holes.length > 0)
      ? components.cocoRle(label, { compressed: true })
      : polygons.map(({ outer }) => [...outer]);
  });
}

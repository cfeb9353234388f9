// COCO's annotations out, as polygons. COCO's polygons have no holes, so that objects with holes get compressed run lengths.

import type { Components, Outlines } from "skerry";
import { shapesOf } from "../drawing/polygons.js";
import type { Output } from "../output.js";
import { writeAnnotations } from "./coco.js";

/** Writes the objects of an image; `image` is its name. */
export async function writeCocoPolygons(
  file: Output,
  components: Components,
  outlines: Outlines,
  image: string,
): Promise<void> {
  const shapes = new Map([...shapesOf(outlines)].map((shape) => [shape.label, shape.polygons]));
  await writeAnnotations(file, components, image, async (label) => {
    const polygons = shapes.get(label) ?? [];
    return polygons.length === 0 || polygons.some(({ holes }) => holes.length > 0)
      ? components.cocoRle(label, { compressed: true })
      : polygons.map(({ outer }) => [...outer]);
  });
}

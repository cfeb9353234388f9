// Writes COCO annotations, one per object, with compressed run lengths in the format of pycocotools.

import type { Annotation, Drawable } from "../drawable.js";
import type { Output } from "../output.js";
import { checkWriting } from "../writing.js";
import { writeLines } from "./lines.js";

/**
 * Writes the objects of an image as COCO annotations with compressed run lengths; `image` is its file name.
 * @example
 * import { MemoryOutput, writeCoco } from "@skerry/files";
 * const file = new MemoryOutput();
 * await writeCoco(file, blobs, "cells.png");
 * console.log(new TextDecoder().decode(file.bytes()));
 */
export async function writeCoco(file: Output, components: Drawable, image: string): Promise<void> {
  checkWriting("writeCoco", file, { of: components, field: "runs", call: "components()" });
  return writeAnnotations(file, components, image, (label) => components.cocoRle(label, { compressed: true }));
}

/** Categories of objects: those of the file that they come from, with its numbers, or `names`. */
function categoriesOf(
  { count, annotationOf }: Drawable,
  names: readonly string[],
): {
  readonly categories: readonly { readonly id: number; readonly name: string }[];
  readonly categoryOf: (label: number) => number | undefined;
} {
  const annotations = annotationOf && Array.from({ length: count }, (_, i) => annotationOf(i + 1));
  if (!annotations?.some((annotation) => annotation?.category !== undefined || annotation?.categoryId !== undefined)) {
    return { categories: names.map((name, i) => ({ id: i + 1, name })), categoryOf: () => undefined };
  }
  const byName = new Map<string, number>();
  const taken = new Set(annotations.flatMap((annotation) => annotation?.categoryId ?? []));
  let next = 1;
  const nameOf = (annotation: Annotation | undefined): string =>
    annotation?.category ?? `${annotation?.categoryId ?? names[0]}`;
  for (const annotation of annotations) {
    if (byName.has(nameOf(annotation))) continue;
    while (taken.has(next)) next++;
    byName.set(nameOf(annotation), annotation?.categoryId ?? next);
    if (annotation?.categoryId === undefined) taken.add(next);
  }
  return {
    categories: [...byName].map(([name, id]) => ({ id, name })),
    categoryOf: (label) => byName.get(nameOf(annotations[label - 1])),
  };
}

/** Writes the objects of an image, with a segmentation of each label. */
export async function writeAnnotations(
  file: Output,
  components: Drawable,
  image: string,
  segmentationOf: (label: number) => Promise<unknown>,
): Promise<void> {
  const { width, height, count, polarity } = components;
  const regions = await components.regions({ properties: ["area", "bounds"] });
  const { area = [], bounds = [] } = regions;
  const { categories, categoryOf } = categoriesOf(components, polarity === "both" ? ["bright", "dark"] : ["object"]);
  const images = [{ id: 1, width, height, file_name: image }];
  await file.write(`{"images":${JSON.stringify(images)},"categories":${JSON.stringify(categories)},"annotations":[\n`);
  await writeLines(file, count, async (i) => {
    const [x0, y0, x1, y1] = [0, 1, 2, 3].map((k) => bounds[4 * i + k]) as [number, number, number, number];
    const annotation = {
      id: i + 1,
      image_id: 1,
      category_id: categoryOf(i + 1) ?? regions.polarity?.[i] ?? 1,
      iscrowd: 0,
      area: area[i],
      bbox: [x0, y0, x1 - x0, y1 - y0],
      segmentation: await segmentationOf(i + 1),
      // JSON leaves it out where there is none.
      score: components.annotationOf?.(i + 1)?.score,
    };
    return `${JSON.stringify(annotation)}${i < count - 1 ? "," : ""}\n`;
  });
  await file.write("]}\n");
}

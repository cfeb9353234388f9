// Writes objects as the masks of annotation tools: CVAT's XML and Label Studio's tasks. coco.ts writes COCO's.

import type { Runs } from "skerry";
import type { Drawable } from "../../drawable.js";
import type { Output } from "../../output.js";
import { checkWriting } from "../../writing.js";
import { writeLines } from "../lines.js";
import { xmlText } from "../xml.js";
import { packBrush } from "./label-studio.js";

/** The name of an object's category, or its number where the file has no names. */
function categoryOf({ annotationOf }: Drawable, label: number): string {
  const { category, categoryId } = annotationOf?.(label) ?? {};
  return category ?? (categoryId === undefined ? "object" : `${categoryId}`);
}

/** Ranges of an object's pixels, counted along rows of so many pixels: from, to, from, to, and so on. */
function rangesOf({ row, begin, end, offsets }: Runs, label: number, width: number): number[] {
  const ranges: number[] = [];
  for (let i = offsets?.[label - 1] ?? 0; i < (offsets?.[label] ?? 0); i++) {
    const from = row[i] * width + begin[i];
    if (ranges.at(-1) === from) ranges.pop();
    else ranges.push(from);
    ranges.push(row[i] * width + end[i]);
  }
  return ranges;
}

/**
 * Writes the objects of an image as masks of CVAT for images 1.1, each in its box; `image` is its file name.
 * @example
 * import { MemoryOutput, writeCvat } from "@skerry/files";
 * const file = new MemoryOutput();
 * await writeCvat(file, blobs, "cells.png");
 * console.log(new TextDecoder().decode(file.bytes()));
 */
export async function writeCvat(file: Output, objects: Drawable, image: string): Promise<void> {
  checkWriting("writeCvat", file, { of: objects, field: "runs", call: "components()" });
  const { width, height, count } = objects;
  const runs = await objects.runs({ groupBy: "label" });
  const { bounds } = await objects.regions({ properties: ["bounds"] });
  await file.write(
    `<?xml version="1.0" encoding="utf-8"?>\n<annotations>\n  <version>1.1</version>\n  <image id="0" name="${xmlText(image)}" width="${width}" height="${height}">\n`,
  );
  await writeLines(file, count, (i) => {
    const [x0, y0, x1, y1] = [0, 1, 2, 3].map((k) => bounds?.[4 * i + k] ?? 0);
    const columns = x1 - x0;
    const counts: number[] = [];
    let last = 0;
    for (let k = runs.offsets?.[i] ?? 0; k < (runs.offsets?.[i + 1] ?? 0); k++) {
      const from = (runs.row[k] - y0) * columns + runs.begin[k] - x0;
      const length = runs.end[k] - runs.begin[k];
      // Runs that meet at the end of a row of the box are one.
      if (from === last && counts.length > 0) counts[counts.length - 1] += length;
      else counts.push(from - last, length);
      last = from + length;
    }
    counts.push(columns * (y1 - y0) - last);
    return `    <mask label="${xmlText(categoryOf(objects, i + 1))}" source="auto" occluded="0" rle="${counts.join(", ")}" left="${x0}" top="${y0}" width="${columns}" height="${y1 - y0}" z_order="0"></mask>\n`;
  });
  await file.write("  </image>\n</annotations>\n");
}

/**
 * Writes the objects of an image as predictions of a task for Label Studio; `image` is its file name.
 * @example
 * import { MemoryOutput, writeLabelStudio } from "@skerry/files";
 * const file = new MemoryOutput();
 * await writeLabelStudio(file, blobs, "cells.png");
 * console.log(JSON.parse(new TextDecoder().decode(file.bytes())).length); // 1
 */
export async function writeLabelStudio(file: Output, objects: Drawable, image: string): Promise<void> {
  checkWriting("writeLabelStudio", file, { of: objects, field: "runs", call: "components()" });
  const { width, height, count } = objects;
  const runs = await objects.runs({ groupBy: "label" });
  await file.write(`[{"data":${JSON.stringify({ image })},"predictions":[{"model_version":"skerry","result":[\n`);
  await writeLines(file, count, (i) => {
    const rle = packBrush(rangesOf(runs, i + 1, width), width * height);
    const category = categoryOf(objects, i + 1);
    const score = objects.annotationOf?.(i + 1)?.score;
    const result = {
      score,
      id: `object-${i + 1}`,
      type: "brushlabels",
      from_name: "tag",
      to_name: "image",
      original_width: width,
      original_height: height,
      image_rotation: 0,
      value: { format: "rle", rle, brushlabels: [category] },
    };
    return `${JSON.stringify(result)}${i < count - 1 ? "," : ""}\n`;
  });
  await file.write("]}]}]\n");
}

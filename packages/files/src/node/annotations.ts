// Masks of annotation tools, as run lengths in JSON or XML.

import { isRuns, openRuns } from "../formats/runs/read.js";
import { spaceOf } from "../space.js";
import type { Reader } from "./reader.js";

/** Masks of COCO, CVAT and Label Studio: 1 in every mask, or the ids of the masks where labels are wanted. */
export const ANNOTATIONS: Reader = {
  name: "run lengths of COCO, CVAT or Label Studio",
  endings: [".json", ".xml"],
  axes: ["page"],
  sniff: (start) => start.kind === "file" && isRuns(start.bytes),
  open: async (input, { page, labels = false, indices = false, lenient = false }) => {
    const text = (await input.contents()).toString("utf8");
    const wanted = typeof page === "number" ? page : undefined;
    const { pixels, format, masks, images, notes, annotations, image } = openRuns(text, input.shown, {
      page: lenient && wanted === undefined ? undefined : wanted,
      labels: labels || indices,
    });
    const others = images > 1 ? [{ name: "page", size: images } as const] : [];
    const space = spaceOf({
      size: pixels,
      others,
      taken: wanted === undefined || images === 1 ? {} : { page: wanted },
    });
    return {
      pixels,
      annotations,
      image,
      space,
      about: { format, stored: masks === 1 ? "1 mask" : `${masks} masks`, channels: 1 },
      notes: () => notes,
    };
  },
};

// Classes as files: the picture in their colours, its areas as a drawing, the class of each pixel, the colours.

import { colourOf, type Output, writePalette as paletteTo, writePng, writePoster } from "@skerry/files";
import type { Segmentation } from "skerry";
import { session } from "../../state/engine.js";
import { picture } from "../../state/lab.js";
import { COLOUR_WORDS } from "../../words/colours.js";
import { classes } from "./state.js";

function classesNow(): Segmentation {
  if (!classes.value) throw new Error(COLOUR_WORDS.none);
  return classes.value;
}

export async function writeRecoloured(file: Output): Promise<void> {
  const classes = classesNow();
  const { engine } = session;
  if (!engine) return;
  const { data, width, height, channels = 3 } = await engine.recolour(classes);
  await writePng(file, { width, height, channels: channels as 3, data: data as Uint8Array });
}

export async function writeClasses(file: Output): Promise<void> {
  const { data, width, height } = classesNow();
  await writePng(file, { width, height, channels: 1, data });
}

export const writePalette = (file: Output): Promise<void> =>
  paletteTo(file, ".json", classesNow(), picture.value?.name ?? "");

/** The outlines of the areas of each class. */
export async function writeSvg(file: Output): Promise<void> {
  const classes = classesNow();
  const { engine } = session;
  if (!engine) return;
  const areas = await engine.components(classes, { by: "value", background: classes.transparent > 0 ? 255 : null });
  try {
    const outlines = await areas.outlines({ tolerance: 1 });
    const { value } = await areas.regions({ properties: ["area"] });
    const { width, height, k } = classes;
    await writePoster(file, outlines, {
      width,
      height,
      classOf: (label) => Number(value?.[label - 1]),
      colours: Array.from({ length: k }, (_, i) => colourOf(classes, i)),
    });
  } finally {
    areas.dispose();
  }
}

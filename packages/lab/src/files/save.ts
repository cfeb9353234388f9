// Saves results, through the writers of the command line.

import {
  type Fill,
  type Layout,
  labelValues,
  MemoryOutput,
  maskValues,
  OUTLINE_WRITERS,
  wantedBy,
  writeCoco,
  writePng,
  writeRegions,
  writerOf,
} from "@skerry/files";
import { paint, type Raster } from "skerry";
import { picture, recipe } from "../state/lab.js";
import { coatComponents, resultComponents } from "../state/results.js";
import { theScreen } from "../view/screen.js";

/** Kinds of saved files; outlines by the ending of their format. */
export type Save = keyof typeof ENDINGS | `outlines.${string}`;

const ENDINGS = {
  labels: "-labels.npy",
  mask: "-mask.png",
  seen: "-seen.png",
  painted: "-painted.png",
  regionsCsv: "-regions.csv",
  regionsJson: "-regions.json",
  coco: "-coco.json",
  recipe: "-recipe.json",
};

/** Makes a file and hands it to the browser. */
export async function save(what: Save): Promise<void> {
  const name =
    (picture.value?.name ?? "picture").replace(/\.[^.]*$/, "") +
    (what in ENDINGS ? ENDINGS[what as keyof typeof ENDINGS] : `-${what}`);
  const blob = what === "seen" ? await seen() : new Blob((await written(what)).chunks.slice());
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

function seen(): Promise<Blob> {
  return new Promise((resolve, reject) => {
    theScreen()?.canvas.toBlob((blob) =>
      blob ? resolve(blob) : reject(new Error("the picture could not be encoded")),
    );
  });
}

async function written(what: Exclude<Save, "seen">): Promise<MemoryOutput> {
  const file = new MemoryOutput();
  if (what === "painted") {
    await writePainted(file);
    return file;
  }
  if (what === "recipe") {
    const { recipeOf } = await import("../state/recipes.js");
    await file.write(new TextEncoder().encode(`${JSON.stringify(recipeOf(recipe.value), undefined, 2)}\n`));
    return file;
  }
  const made = await resultComponents();
  if (!made) return file;
  const { components, plane } = made;
  try {
    if (what === "labels") await writeValues(file, ".npy", labelValues(components, "u32"));
    else if (what === "mask") await writeValues(file, ".png", maskValues(await components.mask()));
    else if (what === "coco") await writeCoco(file, components, picture.value?.name ?? "");
    else if (what.startsWith("outlines.")) {
      const outlines = await components.outlines({ rings: "simple" });
      const { write } = OUTLINE_WRITERS[what.slice("outlines".length)];
      await write(file, { outlines, components, image: picture.value?.name ?? "" });
    } else {
      const regions = await components.regions({ properties: "all", intensity: plane });
      await writeRegions(file, regions, what === "regionsCsv" ? "csv" : "json", { depth: 1 });
    }
  } finally {
    components.dispose();
  }
  return file;
}

/** Writes the picture with every painted colour, and with the selection in the colour that would be painted next. */
async function writePainted(file: MemoryOutput): Promise<void> {
  const opened = picture.value;
  if (!opened) return;
  const coats = await coatComponents();
  const { fill } = recipe.value;
  const made = fill.strokes.length > 0 ? await resultComponents() : undefined;
  const { rgbOf } = await import("../tools/fill.js");
  try {
    const all = [...coats, ...(made ? [{ components: made.components, colour: rgbOf(fill.colour) }] : [])];
    const deep = opened.data instanceof Uint16Array;
    const scaled = all.map(({ components, colour }) => ({
      components,
      colour: colour.map((n) => (deep ? n * 257 : n)),
    }));
    const painted = await paint(inColour(opened, deep), scaled);
    const { width, height } = opened;
    await writePng(file, { width, height, channels: painted.channels ?? 3, data: painted.data as Uint8Array });
  } finally {
    for (const { components } of coats) components.dispose();
    made?.components.dispose();
  }
}

/** Grey becomes equal red, green and blue. Values of neither 8 nor 16 bits are clamped to 8. */
function inColour(
  { data, width, height, channels }: { data: Raster["data"]; width: number; height: number; channels: number },
  deep: boolean,
): Raster {
  const own = data instanceof Uint8Array || deep;
  if (channels > 1 && own) return { data, width, height, channels };
  const to = channels === 1 ? 3 : channels;
  const rgb = deep ? new Uint16Array(width * height * to) : new Uint8ClampedArray(width * height * to);
  for (let i = 0; i < width * height; i++) {
    for (let c = 0; c < to; c++) rgb[i * to + c] = data[channels === 1 ? i : i * channels + c];
  }
  return { data: deep ? rgb : new Uint8Array(rgb.buffer), width, height, channels: to };
}

/** Values in the format of an ending. */
async function writeValues(file: MemoryOutput, ending: string, values: { layout: Layout; fill: Fill }): Promise<void> {
  await writerOf(ending, wantedBy(values.layout))?.writer.write(file, values.layout, values.fill);
}

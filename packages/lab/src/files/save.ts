// Saves results, through the writers of the command line. Loaded on the first save.

import {
  type Fill,
  type GeoJsonOptions,
  MemoryOutput,
  mapAffineOf,
  type Output,
  writeCoco,
  writePng,
  writeRegions,
} from "@skerry/files";
import {
  attributesOf,
  columnsOf,
  type Frame,
  frameOf,
  glyphRows,
  type Layout,
  labelValues,
  maskValues,
  OUTLINE_WRITERS,
  textWidth,
  wantedBy,
  writerOf,
} from "@skerry/files/internal";
import type { Components } from "skerry";
import { defined } from "skerry/internal";
import { roundLength } from "../panels/ScaleBar.js";
import { done, found, picture, recipe } from "../state/lab.js";
import { resultComponents } from "../state/results.js";
import { spaceNow } from "../state/scale.js";
import { TEXT } from "../text.js";
import { savedOf, tableProperties } from "../tools/index.js";
import type { Save, Saved } from "../tools/tool.js";
import { coveredRgb } from "./covered.js";
import { download } from "./download.js";

/** A kind of file: the ending of its name, and how the result is written to it. */
interface Writer {
  readonly ending: string;
  readonly write: (file: Output, made: Saved) => Promise<unknown> | void;
}

const alone = (ending: string, write: (file: Output) => Promise<unknown> | void) => ({ ending, write, isAlone: true });

const WRITERS: Readonly<Record<Save, Writer | ReturnType<typeof alone>>> = {
  regionsCsv: { ending: "-regions.csv", write: (file, made) => writeTable(file, made, "csv") },
  regionsJson: { ending: "-regions.json", write: (file, made) => writeTable(file, made, "json") },
  labels: {
    ending: "-labels.npy",
    write: (file, { components }) => writeValues(file, ".npy", labelValues(components, "u32")),
  },
  mask: {
    ending: "-mask.png",
    write: async (file, { components }) => writeValues(file, ".png", maskValues(await components.mask())),
  },
  coco: {
    ending: "-coco.json",
    write: (file, { components }) => writeCoco(file, components, picture.value?.name ?? ""),
  },
  result: { ending: "-result.png", write: (file, { components }) => writeResult(file, components, false) },
  numbered: { ending: "-numbered.png", write: (file, { components }) => writeResult(file, components, true) },
  seen: alone("-seen.png", async (file) => file.write(new Uint8Array(await (await seen()).arrayBuffer()))),
  painted: alone("-painted.png", async (file) => (await import("../tools/fill/save.js")).writePainted(file)),
  distanceNpy: alone("-distances.npy", async (file) => (await distances()).writeValues(file, ".npy")),
  distanceTiff: alone("-distances.tif", async (file) => (await distances()).writeValues(file, ".tif")),
  distancePicture: alone("-distances.png", async (file) => (await distances()).writePicture(file)),
  circles: alone("-circles.csv", async (file) => (await distances()).writeCircles(file)),
  poster: alone("-colours.png", async (file) => (await colours()).writeRecoloured(file)),
  posterSvg: alone("-poster.svg", async (file) => (await colours()).writeSvg(file)),
  classes: alone("-classes.png", async (file) => (await colours()).writeClasses(file)),
  palette: alone("-palette.json", async (file) => (await colours()).writePalette(file)),
  cutouts: alone("-cutouts.zip", async (file) => (await import("../tools/objects/save.js")).writeCutOuts(file)),
  recipe: alone("-recipe.json", (file) =>
    file.write(new TextEncoder().encode(`${JSON.stringify(savedOf(recipe.value), undefined, 2)}\n`)),
  ),
  ...Object.fromEntries(
    Object.entries(OUTLINE_WRITERS).map(([ending, { write }]) => [
      `outlines${ending}`,
      {
        ending: `-outlines${ending}`,
        write: async (file: Output, { components }: Saved) => {
          const outlines = await components.outlines({ rings: "simple" });
          await write(file, { outlines, components, image: picture.value?.name ?? "", map: await mapOf(components) });
        },
      },
    ]),
  ),
};

const distances = () => import("../tools/distance/save.js");
const colours = () => import("../tools/colours/save.js");

/** Makes a file and hands it to the browser. */
export async function save(what: Save): Promise<void> {
  const writer = WRITERS[what];
  if (!writer) throw new Error(`Expected one of ${Object.keys(WRITERS).join(", ")}, got ${what}.`);
  const file = new MemoryOutput();
  if ("isAlone" in writer) await writer.write(file);
  else {
    const made = await resultComponents();
    if (!made) return;
    try {
      await writer.write(file, made);
    } finally {
      made.components.dispose();
    }
  }
  const name = download(new Blob(file.chunks.slice()), writer.ending);
  done.value = what === "regionsCsv" ? TEXT.savedRows(name, found.value?.count ?? 0) : TEXT.saved(name);
}

function seen(): Promise<Blob> {
  return new Promise((resolve, reject) => {
    document
      .querySelector<HTMLCanvasElement>("canvas.picture")
      ?.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the picture could not be encoded"))));
  });
}

async function writeTable(file: Output, { components, plane }: Saved, format: "csv" | "json"): Promise<void> {
  const physical = recipe.value.scale ? { physical: true } : {};
  const regions = await components.regions({
    properties: tableProperties(recipe.value),
    intensity: plane,
    ...physical,
  });
  await writeRegions(file, regions, format, { depth: 1, frame: frameNow() });
}

/** Places of the picture on a map, of one that has none in pixels or the unit of the scale. */
function frameNow(): Frame | undefined {
  const opened = picture.value;
  if (!opened) return undefined;
  const space = spaceNow(opened, recipe.value);
  return frameOf(space, { physical: recipe.value.scale !== undefined, world: mapAffineOf(space) !== undefined });
}

/** The place of outlines on a map, and areas as attributes, as the command line has them. */
async function mapOf(components: Components): Promise<GeoJsonOptions> {
  const opened = picture.value;
  const space = opened && spaceNow(opened, recipe.value);
  const affine = space && mapAffineOf(space);
  const epsg = space?.crs?.kind === "map" ? space.crs.epsg : undefined;
  const regions = await components.regions({ properties: ["area"], physical: recipe.value.scale !== undefined });
  const columns = columnsOf(regions, { depth: 1, properties: ["area"] }).filter(({ name }) => name !== "label");
  return defined({ affine, epsg: affine ? epsg : undefined, properties: (label) => attributesOf(columns, label) });
}

/** The picture at its full size with each object in its colour, as the command line draws it, and if wanted its number. */
async function writeResult(file: Output, components: Components, hasNumbers: boolean): Promise<void> {
  const opened = picture.value;
  if (!opened) return;
  const { width, height } = opened;
  const data = await coveredRgb(opened, components);
  if (hasNumbers) {
    const { centroid = new Float64Array() } = await components.regions({ properties: ["centroid"] });
    for (let i = 0; i < components.count; i++) {
      drawNumber({ data, width, height }, String(i + 1), centroid[2 * i], centroid[2 * i + 1]);
    }
  }
  drawScale({ data, width, height });
  await writePng(file, { width, height, channels: 3, data });
}

/** Draws a bar of a round length at the lower right corner, if the picture has a scale. */
function drawScale({ data, width, height }: { data: Uint8Array; width: number; height: number }): void {
  const { scale } = recipe.value;
  if (!scale) return;
  const length = roundLength((width / 4) * scale.size);
  const [pixels, thick, margin] = [Math.max(1, Math.round(length / scale.size)), Math.ceil(height / 150), 8];
  const [left, top] = [width - margin - pixels, height - margin - thick];
  for (let y = Math.max(0, top - 1); y < Math.min(height, top + thick + 1); y++) {
    const isRim = y < top || y >= top + thick;
    const from = Math.max(0, left - 1);
    data.fill(0, 3 * (y * width + from), 3 * (y * width + Math.min(width, left + pixels + 1)));
    if (!isRim) data.fill(255, 3 * (y * width + Math.max(0, left)), 3 * (y * width + Math.min(width, left + pixels)));
  }
  drawNumber({ data, width, height }, `${TEXT.length(length)} ${scale.unit}`, left + pixels / 2, top - 8);
}

/** Draws text in white with a black rim, centred at a place. */
function drawNumber(
  { data, width, height }: { data: Uint8Array; width: number; height: number },
  text: string,
  x: number,
  y: number,
): void {
  const rows = glyphRows(text);
  const [left, top] = [Math.round(x - textWidth(text) / 2), Math.round(y - rows.length / 2)];
  const isInk = (row: number, column: number): boolean => rows[row]?.[column] === "#";
  for (let row = -1; row <= rows.length; row++) {
    for (let column = -1; column <= textWidth(text); column++) {
      const around = [-1, 0, 1].some((dy) => [-1, 0, 1].some((dx) => isInk(row + dy, column + dx)));
      const [px, py] = [left + column, top + row];
      if (!around || px < 0 || py < 0 || px >= width || py >= height) continue;
      data.fill(isInk(row, column) ? 255 : 0, 3 * (py * width + px), 3 * (py * width + px) + 3);
    }
  }
}

/** Values in the format of an ending. */
async function writeValues(file: Output, ending: string, values: { layout: Layout; fill: Fill }): Promise<void> {
  await writerOf(ending, wantedBy(values.layout))?.writer.write(file, values.layout, values.fill);
}

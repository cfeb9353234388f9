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
  type Layout,
  labelValues,
  type Measure,
  maskValues,
  measureOf,
  OUTLINE_WRITERS,
  pixelOf,
  USUAL_PARTS,
  wantedBy,
  writeFigure,
  writerOf,
} from "@skerry/files/internal";
import type { Components, RegionsOptions } from "skerry";
import { defined } from "skerry/internal";
import { figureNow } from "../settings/figure.js";
import { download } from "../state/download.js";
import { done, found, picture, recipe } from "../state/lab.js";
import { spaceNow } from "../state/scale.js";
import { savedOf, tableOptions, toolOf } from "../tools/index.js";
import type { Given, Save, Saved } from "../tools/tool.js";
import { SAVES } from "../words/dialogs.js";
import { TEXT } from "../words/text.js";
import { coveredRgb, plainRgb } from "./covered.js";
import { givenNow } from "./results.js";

/** A kind of file: the ending of its name, and how the result is written to it. */
interface Writer {
  readonly ending: string;
  /** Resolves to false if there is nothing to write. */
  readonly write: (file: Output) => Promise<boolean>;
}

const kind = (ending: string, write: (file: Output) => unknown): Writer => ({
  ending,
  write: async (file) => {
    await write(file);
    return true;
  },
});

/** A kind of file that is computed from the picture on the engine. */
const computed = (ending: string, write: (file: Output, given: Given) => unknown): Writer => ({
  ending,
  write: async (file) => {
    const given = await givenNow();
    if (given) await write(file, given);
    return given !== undefined;
  },
});

/** A kind of file that is written from the components of the result. */
const kindOf = (ending: string, write: (file: Output, saved: Saved) => unknown): Writer =>
  computed(ending, async (file, given) => {
    const saved = await toolOf(recipe.value).components?.(given, recipe.value);
    try {
      if (saved) await write(file, saved);
    } finally {
      saved?.components.dispose();
    }
  });

const WRITERS: Readonly<Record<Save, Writer>> = {
  regionsCsv: kindOf("-regions.csv", (file, saved) => writeTable(file, saved, "csv")),
  regionsJson: kindOf("-regions.json", (file, saved) => writeTable(file, saved, "json")),
  labels: kindOf("-labels.npy", (file, { components }) => writeValues(file, ".npy", labelValues(components, "u32"))),
  mask: kindOf("-mask.png", async (file, { components }) =>
    writeValues(file, ".png", maskValues(await components.mask())),
  ),
  coco: kindOf("-coco.json", (file, { components }) => writeCoco(file, components, picture.value?.name ?? "")),
  result: kindOf("-result.png", (file, { components }) => writeResult(file, components)),
  figurePng: kindOf("-figure.png", (file, saved) => writeDrawn(file, ".png", saved)),
  figureSvg: kindOf("-figure.svg", (file, saved) => writeDrawn(file, ".svg", saved)),
  seen: kind("-seen.png", async (file) => file.write(new Uint8Array(await (await seen()).arrayBuffer()))),
  painted: computed("-painted.png", async (file, given) =>
    (await import("../tools/fill/save.js")).writePainted(file, given),
  ),
  distanceNpy: kind("-distances.npy", async (file) => (await distances()).writeValues(file, ".npy")),
  distanceTiff: kind("-distances.tif", async (file) => (await distances()).writeValues(file, ".tif")),
  distancePicture: kind("-distances.png", async (file) => (await distances()).writePicture(file)),
  circles: computed("-circles.csv", async (file, given) => (await distances()).writeCircles(file, given)),
  poster: kind("-colours.png", async (file) => (await colours()).writeRecoloured(file)),
  posterSvg: kind("-poster.svg", async (file) => (await colours()).writeSvg(file)),
  classes: kind("-classes.png", async (file) => (await colours()).writeClasses(file)),
  palette: kind("-palette.json", async (file) => (await colours()).writePalette(file)),
  cutouts: kind("-cutouts.zip", async (file) => (await import("../tools/objects/save.js")).writeCutOuts(file)),
  recipe: kind("-recipe.json", async (file) =>
    file.write(new TextEncoder().encode(`${JSON.stringify(savedOf(recipe.value), undefined, 2)}\n`)),
  ),
  ...Object.fromEntries(
    Object.entries(OUTLINE_WRITERS).map(([ending, { write }]) => [
      `outlines${ending}`,
      kindOf(`-outlines${ending}`, async (file, { components }) => {
        const outlines = await components.outlines({ rings: "simple" });
        await write(file, { outlines, components, image: picture.value?.name ?? "", map: await mapOf(components) });
      }),
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
  if (!(await writer.write(file))) return;
  const name = download(new Blob(file.chunks.slice()), writer.ending);
  done.value = what === "regionsCsv" ? SAVES.savedRows(name, found.value?.headline.value ?? 0) : TEXT.saved(name);
}

function seen(): Promise<Blob> {
  return new Promise((resolve, reject) => {
    document
      .querySelector<HTMLCanvasElement>("canvas.picture")
      ?.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the picture could not be encoded"))));
  });
}

async function writeTable(file: Output, { components, plane }: Saved, format: "csv" | "json"): Promise<void> {
  const regions = await components.regions(tableOptions(recipe.value, plane));
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

/** The picture at its full size with each object in its colour, as the command line draws it. */
async function writeResult(file: Output, components: Components): Promise<void> {
  const opened = picture.value;
  if (!opened) return;
  const { width, height } = opened;
  await writePng(file, { width, height, channels: 3, data: await coveredRgb(opened, components) });
}

/** A figure, as the command line draws it. */
async function writeDrawn(file: Output, ending: ".png" | ".svg", { components, plane }: Saved): Promise<void> {
  const opened = picture.value;
  if (!opened) return;
  const { width, height } = opened;
  const { scale, figure, objects } = recipe.value;
  const { draw = USUAL_PARTS, colourBy, title } = figureNow(figure, objects);
  let measure: Measure | undefined;
  if (colourBy) {
    // Classes are columns of every table.
    const properties = colourBy === "value" ? [] : [colourBy];
    const regions = await components.regions(
      defined<RegionsOptions>({ properties, intensity: plane, physical: scale !== undefined }),
    );
    const columns = columnsOf(regions, defined({ depth: 1, properties, frame: frameNow() }));
    measure = measureOf(columns, colourBy);
  }
  const pixel = pixelOf(spaceNow(opened, recipe.value));
  const data = plainRgb(opened);
  await writeFigure(file, ending, { width, height, data, parts: draw, measure, pixel, title, objects: components });
}

/** Values in the format of an ending. */
async function writeValues(file: Output, ending: string, values: { layout: Layout; fill: Fill }): Promise<void> {
  await writerOf(ending, wantedBy(values.layout))?.writer.write(file, values.layout, values.fill);
}

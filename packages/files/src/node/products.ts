// Outputs of commands, each by the ending of its name: labels, maps, masks, tables, classes, palettes.

import {
  type Components,
  type Mask,
  type OutlineOptions,
  type Regions,
  recolour,
  type Segmentation,
  type Sink,
} from "skerry";
import type { Wide, WideType } from "../bytes.js";
import type { Drawable } from "../drawable.js";
import { FileError } from "../errors.js";
import { writeCoco } from "../formats/coco.js";
import type { GeoJsonOptions } from "../formats/geojson.js";
import { writeCvat, writeLabelStudio } from "../formats/runs/write.js";
import { writePoster } from "../formats/svg.js";
import { fillOf } from "../layout.js";
import { OUTLINE_WRITERS } from "../outline-writers.js";
import { MemoryOutput } from "../output.js";
import { FIGURE_ENDINGS } from "../products/figure.js";
import { LABEL_TYPES, labelValues, type Numbering } from "../products/labels.js";
import { MASK_TYPES, maskValues } from "../products/mask.js";
import { colourOf, PALETTE_ENDINGS, writePalette as writePaletteTo } from "../products/palette.js";
import { type TableOptions, writeRuns as writeRunsTo } from "../products/regions.js";
import { type OpenTable, TABLE_WRITERS, type TableFormat, writeRegions as writeRegionsTo } from "../products/tables.js";
import { type Space, sizesOf } from "../space.js";
import { endingOf } from "../writers.js";
import { checkProduct } from "../writing.js";
import { type GrowingFile, openWhole, writeWhole } from "./output.js";
import { checkEnding, checkValuesPath, writerFor, writeValues } from "./writers.js";

const TABLES = Object.keys(TABLE_WRITERS);
const RUN_TABLES = [".csv", ".json", ".xml"];

/**
 * Throws unless labels can be written to a path.
 * @throws UsageError if no format with the ending of the path holds them
 */
export const checkLabelsPath = (path: string): void => checkValuesPath("-o", path, { types: LABEL_TYPES });
/**
 * Throws unless a map of f32 can be written to a path; `option` is named in the message.
 * @throws UsageError if no format with the ending of the path holds them
 */
export const checkMapPath = (option: string, path: string): void =>
  checkValuesPath(option, path, { types: ["f32"], depth: 2 });
/**
 * Throws unless a mask can be written to a path; `option` is named in the message.
 * @throws UsageError if no format with the ending of the path holds them
 */
export const checkMaskPath = (option: string, path: string): void =>
  checkValuesPath(option, path, { types: MASK_TYPES });
/**
 * Throws unless a table can be written to a path; `option` is named in the message.
 * @throws UsageError if no format with the ending of the path holds them
 */
export const checkTablePath = (option: string, path: string): void => checkEnding(option, path, TABLES);
/**
 * Throws unless runs can be written to a path.
 * @throws UsageError if no format with the ending of the path holds them
 */
export const checkRunsPath = (path: string): void => checkEnding("--runs", path, RUN_TABLES);
/**
 * Throws unless outlines can be written to a path.
 * @throws UsageError if no format with the ending of the path holds them
 */
export const checkOutlinesPath = (path: string): void => checkEnding("--outlines", path, Object.keys(OUTLINE_WRITERS));
/**
 * Throws unless a figure can be written to a path.
 * @throws UsageError if its ending is none of a figure
 */
export const checkFigurePath = (path: string): void => checkEnding("--figure", path, FIGURE_ENDINGS);
/**
 * Throws unless a palette can be written to a path.
 * @throws UsageError if no format with the ending of the path holds them
 */
export const checkPalettePath = (path: string): void => checkEnding("--palette", path, PALETTE_ENDINGS);
/**
 * Throws unless classes can be written to a path.
 * @throws UsageError if no format with the ending of the path holds them
 */
export const checkClassesPath = (path: string): void => checkValuesPath("--classes", path, { types: ["u8"] });
/**
 * Throws unless a picture in the colours of its classes can be written to a path.
 * @throws UsageError if no format with the ending of the path holds them
 */
export function checkRecolouredPath(path: string): void {
  if (endingOf(path) === ".svg") return;
  const endings = [".png", ".tif"];
  if (!endings.includes(endingOf(path))) checkEnding("-o", path, [...endings, ".svg"]);
  checkValuesPath("-o", path, { types: ["u8"], channels: 3 });
}

/**
 * Writes the label of each pixel as u32, or as u16 in formats without 32 bits. Objects of a label image have its ids, unless they are
 * `numbered`, as ids of 64 bits have to be.
 * @throws FileError if the format cannot hold the labels
 * @example
 * import { writeLabels } from "@skerry/files/node";
 * await writeLabels("numbered.tif", blobs);
 */
export async function writeLabels(
  path: string,
  components: Components,
  space?: Space,
  numbering: Numbering = {},
): Promise<void> {
  checkProduct("writeLabels", components, "runs", "components()");
  const { type } = writerFor(path, { types: LABEL_TYPES, depth: components.depth });
  const { layout, fill } = labelValues(components, type, space, numbering);
  await writeValues(path, layout, fill);
}

/**
 * Writes a distance map, or the indices of nearest pixels, which `fill` delivers.
 * @example
 * import { spaceOf } from "@skerry/files";
 * import { writeMap } from "@skerry/files/node";
 * const space = spaceOf({ size: { width, height, depth } });
 * const fill = (sink) => engine.distance(scan, { threshold: { above: 60 }, into: sink });
 * await writeMap("clearance.npy", space, "f32", fill);
 */
export async function writeMap(
  path: string,
  space: Space,
  type: WideType,
  fill: (sink: Sink<Wide>) => Promise<unknown>,
): Promise<void> {
  const description = type === "f32" ? "distances by skerry" : "whole numbers by skerry";
  const [width, height, depth] = sizesOf(space);
  await writeValues(path, { width, height, depth, type, description, space }, (sink) => fill(sink as Sink<Wide>));
}

/**
 * Writes a mask: 255 in pictures of 8 bits, 1 elsewhere.
 * @example
 * import { writeMask } from "@skerry/files/node";
 * await writeMask("selected.png", await blobs.mask());
 */
export async function writeMask(path: string, mask: Mask, space?: Space): Promise<void> {
  checkProduct("writeMask", mask, "bits", "mask()");
  const { type } = writerFor(path, { types: MASK_TYPES, depth: mask.depth ?? 1 });
  // Viewers of pictures show 255 as white.
  const on = type === "u8" ? 255 : 1;
  const { layout, fill } = maskValues(mask, type, { on, space });
  await writeValues(path, layout, fill);
}

/**
 * Writes the table of the objects, in the format of the ending.
 * @example
 * import { writeRegions } from "@skerry/files/node";
 * await writeRegions("objects.csv", await blobs.regions(), { depth: 1 });
 */
export async function writeRegions(path: string, regions: Regions, options: TableOptions): Promise<void> {
  checkProduct("writeRegions", regions, "count", "regions()");
  const format = endingOf(path).slice(1) as TableFormat;
  await writeWhole(path, async (file) => {
    await writeRegionsTo(file, regions, format, options);
  });
}

/** A table of the objects of several inputs, in the format of the ending: the first input's columns are those of all. */
export class RegionsTable {
  readonly #path: string;
  readonly #table: OpenTable;
  /** Written, but not yet in the file. */
  #rows = new MemoryOutput();
  #growing: GrowingFile | undefined;

  constructor(path: string) {
    this.#path = path;
    this.#table = TABLE_WRITERS[endingOf(path) as keyof typeof TABLE_WRITERS].open({
      write: (chunk) => this.#rows.write(chunk),
    });
  }

  /** Adds the objects of one input, all rows or none. */
  async add(input: string | undefined, regions: Regions, options: TableOptions): Promise<void> {
    // In memory first: if a row fails, none is written.
    this.#rows = new MemoryOutput();
    await this.#table.add(regions, { ...options, input });
    this.#growing ??= await openWhole(this.#path);
    await this.#keep(this.#growing);
  }

  async #keep({ file }: GrowingFile): Promise<void> {
    for (const chunk of this.#rows.chunks) await file.write(chunk);
    this.#rows = new MemoryOutput();
  }

  /** Makes the table appear under its name. */
  async finish(): Promise<void> {
    if (!this.#growing) return;
    await this.#table.finish();
    await this.#keep(this.#growing);
    await this.#growing.finish();
  }

  /** Removes what was written. */
  async discard(): Promise<void> {
    await this.#growing?.discard();
  }
}

/**
 * Writes outlines in the format of the ending; `image` is the name of the picture.
 * @example
 * import { writeOutlines } from "@skerry/files/node";
 * await writeOutlines("objects.geojson", blobs, { tolerance: 1 }, "cells.png");
 */
export async function writeOutlines(
  path: string,
  components: Drawable,
  options: OutlineOptions,
  image: string,
  map?: GeoJsonOptions,
): Promise<void> {
  const outlines = await components.outlines(options);
  await writeWhole(path, (file) => OUTLINE_WRITERS[endingOf(path)].write(file, { outlines, components, image, map }));
}

/** The ending of run lengths for Label Studio. */
const LABEL_STUDIO = /\.labelstudio\.json$/i;

/**
 * Writes runs as .csv, or as masks: COCO's .json, CVAT's .xml, Label Studio's .labelstudio.json; `image` is the name of the picture.
 * @example
 * import { writeRuns } from "@skerry/files/node";
 * await writeRuns("object-runs.csv", blobs, "cells.png");
 */
export async function writeRuns(path: string, components: Drawable, image: string): Promise<void> {
  if (endingOf(path) === ".csv") {
    const runs = await components.runs();
    return writeWhole(path, (file) => writeRunsTo(file, runs));
  }
  const write = LABEL_STUDIO.test(path) ? writeLabelStudio : endingOf(path) === ".xml" ? writeCvat : writeCoco;
  await writeWhole(path, (file) => write(file, components, image));
}

/**
 * Writes the colours of the classes in the format of the ending; `name` is the name of the picture.
 * @example
 * import { writePalette } from "@skerry/files/node";
 * const classes = await engine.kmeans(photo, { k: 3 });
 * await writePalette("three.gpl", classes, "photo");
 */
export async function writePalette(path: string, segmentation: Segmentation, name: string): Promise<void> {
  const ending = endingOf(path) as (typeof PALETTE_ENDINGS)[number];
  await writeWhole(path, (file) => writePaletteTo(file, ending, segmentation, name));
}

/**
 * Writes every pixel in the colour of its class. A .png has a palette, unless there is transparency.
 * @throws FileError for a volume
 * @example
 * import { writeRecoloured } from "@skerry/files/node";
 * const classes = await engine.kmeans(photo, { k: 3 });
 * await writeRecoloured("three-colours.png", classes);
 */
export async function writeRecoloured(path: string, segmentation: Segmentation, space?: Space): Promise<void> {
  const { width, height, depth, k, transparent, data } = segmentation;
  if (depth > 1) throw new FileError(`Expected an image for ${path}, got a volume; write --classes to .npy.`);
  const size = { width, height, depth, type: "u8", space } as const;
  if (endingOf(path) === ".png" && transparent === 0) {
    const palette = Array.from({ length: k }, (_, i) => colourOf(segmentation, i));
    await writeValues(path, { ...size, palette }, fillOf(data, size));
    return;
  }
  const picture = await recolour(segmentation);
  await writeValues(
    path,
    { ...size, channels: picture.channels as 1 | 3 | 4 },
    fillOf(picture.data as Uint8Array, size),
  );
}

/**
 * Writes the areas of each class as an SVG drawing.
 * @example
 * import { writeDrawing } from "@skerry/files/node";
 * const classes = await engine.kmeans(photo, { k: 3 });
 * const areas = await engine.components(classes, { by: "value", background: null });
 * await writeDrawing("three-colours.svg", classes, areas, { tolerance: 1 });
 */
export async function writeDrawing(
  path: string,
  segmentation: Segmentation,
  areas: Components,
  options: OutlineOptions,
): Promise<void> {
  const { width, height, k } = segmentation;
  const { value } = await areas.regions({ properties: [] });
  const outlines = await areas.outlines(options);
  const colours = Array.from({ length: k }, (_, i) => colourOf(segmentation, i));
  const classOf = (label: number): number => value?.[label - 1] ?? 0;
  const overlap = options.tolerance ? 0.8 : 0;
  await writeWhole(path, (file) => writePoster(file, outlines, { width, height, classOf, colours, overlap }));
}

/**
 * Writes the class number of every pixel.
 * @example
 * import { writeClasses } from "@skerry/files/node";
 * const classes = await engine.kmeans(photo, { k: 3 });
 * await writeClasses("three-classes.png", classes);
 */
export async function writeClasses(
  path: string,
  { data, width, height, depth }: Segmentation,
  space?: Space,
): Promise<void> {
  const layout = { width, height, depth, type: "u8", space } as const;
  await writeValues(path, layout, fillOf(data, layout));
}

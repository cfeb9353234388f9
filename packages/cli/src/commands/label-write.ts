// Writes what skerry label found in one input: labels, tables, runs, outlines and overlays, with their places.

import { readFile } from "node:fs/promises";
import { type GeoJsonOptions, MemoryOutput, type TableOptions, writeRegions as writeRegionsTo } from "@skerry/files";
import {
  annotated,
  attributesOf,
  type Comparison,
  columnsOf,
  compareTables,
  type Drawable,
  frameOf,
  inWhole,
  labelsInto,
  measureOf,
  type OtherValues,
  pixelOf,
  sizesOf,
  USUAL_PARTS,
} from "@skerry/files/internal";
import { type Picture, writeLabels, writeOutlines, writeOverlay, writeRegions, writeRuns } from "@skerry/files/node";
import { type RegionsTable, reasonOf, writeFigure } from "@skerry/files/node/internal";
import { type Measuring, orderOf, type Pixels, type Recipe } from "@skerry/recipe";
import { namesIntensity, regionsOptions } from "@skerry/recipe/internal";
import type { Components, Engine, Raster, RegionProperty, Regions, RegionsOptions } from "skerry";
import { defined, isOfIntensity } from "skerry/internal";
import { RunError } from "../errors.js";
import type { ProgressBar, Stopwatch } from "../progress.js";
import { fillName } from "./batch.js";
import type { Intensity } from "./beside.js";
import { isUneven, numberingOf, type OpenedInput } from "./input.js";
import { ofSheared, worldOf } from "./label-checks.js";
import { ATTRIBUTES, hasAttributes, type Options } from "./label-options.js";
import { isZarrName, storeOf, TABLE_BESIDE, writeStored } from "./stores.js";

/** Objects of one input, and everything that writing them needs. */
interface Found {
  readonly engine: Engine;
  readonly components: Components;
  readonly picture: OpenedInput;
  readonly recipe: Recipe;
  readonly measuring: Measuring;
  readonly intensities: readonly Intensity[];
  readonly options: Options;
  readonly watch: Stopwatch;
  readonly bar: ProgressBar;
  readonly table: RegionsTable | undefined;
  readonly at: TableOptions["at"];
  readonly showsInput: boolean;
}

export async function write(found: Found): Promise<void> {
  const { components, picture, recipe, options, watch, bar, table: all } = found;
  const { input } = picture;
  const pixels = components.width * components.height * components.depth;
  const { output, regions, runs, outlines, overlay, figure } = options;
  const { simplify: tolerance = 0, rings = "simple" } = recipe.products ?? {};
  if (output !== undefined && isZarrName(output)) {
    await watch.measure("write labels", pixels * 4, () => writeLabelled(found, fillName(output, input)));
  } else if (output !== undefined) {
    await watch.measure("write labels", pixels * 4, () =>
      writeLabels(fillName(output, input), components, picture.space, numberingOf(picture)),
    );
  }
  const image = picture.image ?? input;
  const { properties } = recipe.products ?? {};
  const onMap = hasAttributes(outlines);
  const table = regions !== undefined ? properties : (properties ?? ATTRIBUTES);
  const needsTable = (regions !== undefined && !options.beside) || onMap;
  const tabular = needsTable ? await measuredOf(found, table) : undefined;
  if (regions !== undefined && tabular && !options.beside) {
    const { measured, columns } = tabular;
    await watch.measure("write regions", 0, () =>
      all
        ? all.add(found.showsInput ? input : undefined, measured, columns)
        : writeRegions(fillName(regions, input), measured, columns),
    );
  }
  if (runs !== undefined) {
    await watch.measure("write runs", 0, async () => writeRuns(fillName(runs, input), await drawnOf(found), image));
  }
  if (outlines !== undefined) {
    const path = fillName(outlines, input);
    const map = onMap && tabular ? mapOf(found, tabular) : undefined;
    const drawable = await drawnOf(found);
    // Maps have a place of their own, drawings the size of what is drawn.
    const isPlaced = map !== undefined || path.toLowerCase().endsWith(".svg");
    await watch.measure("write outlines", 0, () =>
      writeOutlines(path, isPlaced ? components : drawable, { tolerance, rings, onProgress: bar.update }, image, map),
    );
  }
  if (overlay !== undefined) {
    await watch.measure("write overlay", pixels * 3, () => writeOverlay(fillName(overlay, input), picture, components));
  }
  if (figure !== undefined) {
    const { draw: parts = USUAL_PARTS, colourBy, title } = recipe.products ?? {};
    const { ids, measure } = await namesAndValues(found, colourBy);
    await watch.measure("write figure", pixels * 3, () =>
      writeFigure(fillName(figure, input), picture, components, {
        parts,
        measure,
        title: title && fillName(title, input),
        ids,
      }),
    );
  }
}

/** Objects on the whole image, with the names that the input's masks have. */
async function drawnOf({ components, picture: { origin, wholeSpace, annotations }, recipe }: Found): Promise<Drawable> {
  const drawn = inWhole(components, origin, sizesOf(wholeSpace));
  return annotations && recipe.operation === "labelled" ? annotated(drawn, annotations) : drawn;
}

/** Writes labels into OME-Zarr, with the tables beside them. */
async function writeLabelled(found: Found, path: string): Promise<void> {
  const { components, picture, recipe, options, bar } = found;
  const { beside, overwrite } = options;
  // Measures first: later, the sink buffers rows in memory until their chunks are full.
  const tabular = beside ? await measuredOf(found, recipe.products?.properties) : undefined;
  await writeStored(path, picture, recipe, { type: "u32", overwrite }, async (sink) => {
    const count = await labelsInto(components, sink, { ...numberingOf(picture), onProgress: bar.update });
    if (tabular) {
      const { measured, columns } = tabular;
      for (const format of ["csv", "parquet"] as const) {
        const table = new MemoryOutput();
        await writeRegionsTo(table, measured, format, columns);
        await sink.beside.set(TABLE_BESIDE.replace(/csv$/, format), table.bytes());
      }
    }
    return { count };
  });
}

/** Compares the objects with those of a taught table; undefined without one. */
export async function compared(found: Found): Promise<Comparison | undefined> {
  const { picture, recipe } = found;
  const { golden, deviation = 0 } = recipe.products ?? {};
  if (golden === undefined) return undefined;
  const taught = fillName(golden, picture.input);
  const text = await readFile(taught, "utf8").catch((cause) => {
    throw new RunError(`Could not read ${taught}: ${reasonOf(cause)}.`, { cause });
  });
  const { measured, columns } = await measuredOf(found, recipe.products?.properties);
  const table = new MemoryOutput();
  await writeRegionsTo(table, measured, "csv", columns);
  return compareTables(new TextDecoder().decode(table.bytes()), text, { deviation, taught });
}

/** Measurements, and the options of their table. */
interface Tabular {
  readonly measured: Regions;
  readonly columns: TableOptions;
}

/**
 * Whether the values under objects are measured. An OME-Zarr image that does not fit in memory is read again for them, and
 * only if `intensity` or `properties` is given.
 */
export function readsAgain({ picture, recipe }: Pick<Found, "picture" | "recipe">): boolean {
  return (
    storeOf(picture) === undefined || recipe.input?.intensity !== undefined || recipe.products?.properties !== undefined
  );
}

/** Measurements, with those under other images, and the options of their table. */
async function measuredOf(found: Found, properties: readonly RegionProperty[] | "all" | undefined): Promise<Tabular> {
  const { engine, components, picture, recipe, measuring, intensities, watch, bar } = found;
  const call = { onProgress: bar.update };
  const { quantiles, perChannel = false, world = false } = recipe.products ?? {};
  const physical = measuring.physical === true;
  const named = properties === "all" ? undefined : properties;
  const wholly =
    named ?? (isUneven(recipe, picture) && physical ? ofSheared(components.depth, properties === "all") : properties);
  const wantedRecipe = { ...recipe, products: { ...recipe.products, properties: wholly } };
  const { intensity: _, ...plain } = measuring;
  const wanted = regionsOptions(wantedRecipe, readsAgain(found) ? measuring : plain);
  const measured = await components.regions({ ...wanted, ...call } as RegionsOptions);
  watch.add(engine.timings);
  const channelsOf = (values: Pixels | undefined): number => (perChannel && values ? (values.channels ?? 1) : 1);
  const others: OtherValues[] = [];
  const ofValues = named?.filter(isOfIntensity);
  for (const { name, pixels } of intensities.slice(1)) {
    if (ofValues?.length === 0) break;
    const values = { ...wanted, properties: ofValues ?? wanted.properties, intensity: pixels as Raster };
    others.push({ name, regions: await components.regions({ ...values, ...call }), channels: channelsOf(pixels) });
  }
  const { sort } = recipe.options ?? {};
  const order = sort === undefined ? undefined : await orderOf(components, sort, measuring, call);
  if (world) worldOf(picture);
  const { space, origin, ids } = picture;
  const columns: TableOptions = defined({
    properties: wholly === "all" ? undefined : wholly,
    order,
    quantiles,
    channels: channelsOf(measuring.intensity),
    depth: components.depth,
    others,
    ids,
    at: found.at,
    frame: frameOf(space, { physical, world, origin }),
    name: namesIntensity(recipe) ? intensities[0].name : undefined,
  });
  return { measured, columns };
}

/** The values of a property, by which a figure is coloured; and the ids of a label image, which its numbers show. */
async function namesAndValues(found: Found, property: RegionProperty | "value" | undefined) {
  const isNamed = found.recipe.operation === "labelled";
  if (property === undefined && !isNamed) return {};
  const properties = [property === undefined || property === "value" ? "area" : property];
  const { measured, columns } = await measuredOf(found, properties);
  const all = columnsOf(measured, { ...columns, properties });
  const ids = isNamed ? all.find(({ name }) => name === "value")?.values : undefined;
  return { ids, measure: property && measureOf(all, property) };
}

/** Attributes of outlines, and with --world their place on the map. */
function mapOf({ picture, recipe }: Found, { measured, columns }: Tabular): GeoJsonOptions {
  const { properties = ATTRIBUTES, world = false } = recipe.products ?? {};
  const chosen = properties === "all" ? columns : { ...columns, properties };
  const all = columnsOf(measured, chosen).filter(({ name }) => name !== "label");
  const attributes = (label: number): Record<string, number | string | null> => attributesOf(all, label);
  const [x, y] = picture.origin;
  if (!world) return defined({ affine: x || y ? [1, 0, x, 0, 1, y] : undefined, properties: attributes });
  const { affine, epsg } = worldOf(picture);
  return { affine, epsg, properties: attributes };
}

/** A note on outlines on a map whose coordinate system has no code. */
export function mapNotes({ input, space }: Picture, { products = {} }: Recipe, { outlines }: Options): string[] {
  if (!products.world || !hasAttributes(outlines) || space.crs?.kind !== "map" || space.crs.epsg !== undefined)
    return [];
  return [`${input} has a coordinate system without an EPSG code; the outlines name none`];
}

/** Notes on fields of a recipe for outputs that are not written; the command line refuses their flags. */
export function drawnNotes(
  { products = {} }: Recipe,
  { outlines, figure }: Options,
  { input, space }: Picture,
): string[] {
  const lacksBar = figure !== undefined && products.draw?.includes("bar") === true && pixelOf(space) === undefined;
  const idle = (path: string | undefined, names: readonly (keyof typeof products)[], what: string): string[] => {
    const name = path === undefined ? names.find((each) => products[each] !== undefined) : undefined;
    return name === undefined ? [] : [`products.${name} is for ${what}`];
  };
  return [
    ...idle(outlines, ["rings", "simplify"], "outlines, of which none are written"),
    ...idle(figure, ["draw", "colourBy", "title"], "a figure, and none is written"),
    ...(lacksBar ? [`${input} tells no size of a pixel in a unit: its figure has no scale bar`] : []),
  ];
}

// One recipe for all files of the film strip: measures them into one table and one ZIP. A file that fails stops no others.

import { MemoryOutput, mapAffineOf, type Output } from "@skerry/files";
import {
  columnsOf,
  type Frame,
  frameOf,
  labelValues,
  TABLE_WRITERS,
  wantedBy,
  writerOf,
  writeZip,
  type ZipEntry,
} from "@skerry/files/internal";
import type { Recipe as SavedRecipe } from "@skerry/recipe";
import type { RegionProperty, Regions } from "skerry";
import { defined } from "skerry/internal";
import { Resident } from "../engine/devices.js";
import { type Opened, openImage, Refused } from "../files/open.js";
import { takenOf as imageOf } from "../files/opened.js";
import type { Recipe, Taken } from "../settings/recipe.js";
import { tidy } from "../settings/saved.js";
import { session } from "../state/engine.js";
import type { Waiting } from "../state/lab.js";
import { carriedInto, scaleIn, spaceNow } from "../state/scale.js";
import { maskOfFence, savedOf, tableOptions, tableProperties, toolOf } from "../tools/index.js";
import { FILES } from "../words/dialogs.js";
import { TEXT } from "../words/text.js";
import { coveredPng } from "./covered.js";

/** A file that could not be measured, and why. */
export interface Broken {
  readonly name: string;
  readonly why: string;
}

export interface BatchResult {
  readonly table: Blob;
  readonly zip: Blob | undefined;
  readonly objects: number;
  readonly broken: readonly Broken[];
  /** The settings of all files, those that could not be measured among them, for skerry run. */
  readonly recipe: SavedRecipe | undefined;
  /** Other images of the files that were worked on, which the settings do not hold. */
  readonly left: readonly string[];
}

export interface BatchOptions {
  /** The settings of a file. */
  readonly settingsOf: (file: File, opened: Opened) => Promise<Recipe>;
  /** The image of a file that is measured; undefined for the first. */
  readonly takenOf: (name: string) => Taken | undefined;
  /** Other images of a file that were worked on. */
  readonly workedBeside: (file: File, taken: Taken | undefined) => Promise<readonly string[]>;
  /** Whether labels and overlays are written as well. */
  readonly hasPictures: boolean;
  readonly signal: AbortSignal;
  readonly onFile: (done: number, broken: readonly Broken[]) => void;
  /** Resolves once the next file may begin. */
  readonly mayBegin: () => Promise<void>;
  /** Called with the objects of each file. */
  readonly counted: (rows: Rows) => void;
}

/** The objects of a file in the table of all files: areas and centroids in its units, bounds in pixels. */
export interface Rows {
  readonly name: string;
  readonly areas: Float64Array;
  readonly xs: Float64Array;
  readonly ys: Float64Array;
  readonly bounds: Int32Array;
  readonly areaUnit: string;
  readonly placeUnit: string;
}

/** A file that was measured, with its pictures. */
interface Measured {
  readonly regions: Regions;
  readonly count: number;
  readonly frame: Frame;
  readonly entries: readonly ZipEntry[];
  /** The properties of the table that were chosen. */
  readonly properties: readonly RegionProperty[] | undefined;
}

/** Files in work at once: one is decoded or packed by the browser while another is labelled. */
const AHEAD = 3;

/** Bytes that stay in the page's memory before they become a Blob, which the browser stores elsewhere. */
const PIECE_BYTES = 8 << 20;

/** An output that moves its bytes out of the page's memory, piece by piece. */
class BlobOutput implements Output {
  readonly #parts: Blob[] = [];
  #open: Uint8Array<ArrayBuffer>[] = [];
  #bytes = 0;

  write(chunk: ArrayBufferView | string): void {
    const bytes =
      typeof chunk === "string"
        ? new TextEncoder().encode(chunk)
        : new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength).slice();
    this.#open.push(bytes);
    this.#bytes += bytes.length;
    if (this.#bytes < PIECE_BYTES) return;
    this.#parts.push(new Blob(this.#open));
    this.#open = [];
    this.#bytes = 0;
  }

  get blob(): Blob {
    return new Blob([...this.#parts, ...this.#open]);
  }
}

interface TableUnit {
  readonly unit: string | undefined;
  readonly of: string;
}

/** Settings whose lengths are in the unit of a table; a file that cannot be converted is refused. */
function inUnitOf(table: TableUnit | undefined, settings: Recipe, name: string): Recipe {
  const { scale } = settings;
  if (!table || table.unit === scale?.unit) return settings;
  const converted = scale && table.unit && scaleIn(scale, table.unit);
  if (!converted) throw new Error(FILES.unitsDiffer(name, scale?.unit ?? "px", table.of, table.unit ?? "px"));
  return carriedInto(settings, converted);
}

/** One recipe for all files: that of most of them, with the input and options of the others by name. */
function recipeOfAll(
  files: readonly Waiting[],
  savedOfFiles: ReadonlyMap<string, SavedRecipe>,
): SavedRecipe | undefined {
  const keyOf = ({ input = {}, options = {} }: SavedRecipe): string => JSON.stringify([input, options]);
  const counts = new Map<string, number>();
  const all = files.flatMap(({ name }) => {
    const saved = savedOfFiles.get(name);
    return saved ? [[name, saved] as const] : [];
  });
  // Positions in one picture are of no other one.
  const placeless = all.map(
    ([, { input: { within: _, ...input } = {}, options: { edits: __, ...options } = {}, ...saved }]): SavedRecipe =>
      tidy(saved.operation, { input, options, products: saved.products }),
  );
  for (const recipe of placeless) counts.set(keyOf(recipe), (counts.get(keyOf(recipe)) ?? 0) + 1);
  // Settings of single files are those of one operation.
  if (all.some(([, { operation }]) => operation !== all[0][1].operation)) return undefined;
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a)[0] ?? [];
  const shared = placeless.find((recipe) => keyOf(recipe) === most);
  const others = all.filter(([, recipe]) => keyOf(recipe) !== most);
  if (!shared || others.length === 0) return shared;
  return {
    ...shared,
    files: Object.fromEntries(others.map(([name, { input, options }]) => [name, { input, options }])),
  };
}

/** Measures files, each with its settings. */
export async function measureAll(
  files: readonly (Waiting & { readonly file: File })[],
  { settingsOf, takenOf, workedBeside, hasPictures, signal, mayBegin, onFile, counted }: BatchOptions,
): Promise<BatchResult> {
  const table = new BlobOutput();
  const broken: Broken[] = [];
  let [objects, done] = [0, 0];
  const rows = TABLE_WRITERS[".csv"].open(table);
  const savedOfFiles = new Map<string, SavedRecipe>();
  const left = new Map<string, readonly string[]>();
  /** The unit of the files before: that of the first one that can be opened. */
  let units: Promise<TableUnit | undefined> = Promise.resolve(undefined);

  /** Measures one file, and makes its pictures. */
  function measure(file: File): Promise<Measured> {
    const before = units;
    let tell: (unit: TableUnit | undefined) => void = () => undefined;
    const mine = new Promise<TableUnit | undefined>((resolve) => {
      tell = resolve;
    });
    units = before.then((unit) => unit ?? mine);
    // The files after it wait for its unit, and a file that fails has none.
    return measured(file, before, tell).finally(() => tell(undefined));
  }

  async function measured(
    file: File,
    before: Promise<TableUnit | undefined>,
    tell: (unit: TableUnit | undefined) => void,
  ): Promise<Measured> {
    const opened = await openImage(file, file.name, defined({ shrink: 1, taken: takenOf(file.name) }));
    const { engine } = session;
    if (!engine) throw new Error(TEXT.failures.engine(""));
    const fileSettings = await settingsOf(file, opened);
    left.set(file.name, await workedBeside(file, imageOf(opened)));
    const tool = toolOf(fileSettings);
    if (!tool.hasObjects || !tool.components) throw new Error(FILES.objects);
    const hold = (settings: Recipe): void => {
      const saved = savedOf(settings, opened);
      if (saved) savedOfFiles.set(file.name, saved);
    };
    // The settings of a file whose unit is refused are saved as well.
    hold(fileSettings);
    tell({ unit: fileSettings.scale?.unit, of: file.name });
    const settings = inUnitOf(await before, fileSettings, file.name);
    if (settings !== fileSettings) hold(settings);
    const space = spaceNow(opened, settings);
    const isOnMap = mapAffineOf(space) !== undefined;
    const frame = frameOf(space, { physical: settings.scale !== undefined, world: isOnMap });
    const resident = new Resident(engine, opened);
    resident.scaleTo(settings.scale);
    try {
      const within = await maskOfFence({ resident, signal }, settings.within);
      const { components, plane } = await tool.components({ resident, within, signal }, settings);
      try {
        const regions = await components.regions({ ...tableOptions(settings, plane), signal });
        const { count } = components;
        const chosen = tableProperties({ ...settings, scale: undefined });
        const columns = Array.isArray(chosen) ? chosen : undefined;
        if (!hasPictures) return { regions, count, frame, entries: [], properties: columns };
        const base = file.name.replace(/\.[^.]*$/, "");
        const labels = new MemoryOutput();
        const { layout, fill } = labelValues(components, "u32", space);
        await writerOf(".tif", wantedBy(layout))?.writer.write(labels, layout, fill);
        const entries: ZipEntry[] = [
          { name: `labels/${base}.tif`, bytes: labels.bytes(), level: 1 },
          { name: `overlays/${base}.png`, bytes: await coveredPng(opened, components), isPacked: true },
        ];
        return { regions, count, frame, entries, properties: columns };
      } finally {
        components.dispose();
      }
    } finally {
      resident.dispose();
    }
  }

  /** Adds the rows of a file to the table, and tells why not. */
  async function added(input: string, { regions, frame, properties }: Measured): Promise<unknown> {
    try {
      await rows.add(regions, defined({ depth: 1, input, frame, properties }));
    } catch (error) {
      return error;
    }
    return undefined;
  }

  /** Yields the pictures of all files in their order and writes their rows, while the next files are measured. */
  async function* all(): AsyncGenerator<ZipEntry> {
    const ahead: Promise<Measured | { readonly error: unknown }>[] = [];
    let next = 0;
    for (const { file, name } of files) {
      await mayBegin();
      while (ahead.length < AHEAD && next < files.length) {
        ahead.push(measure(files[next++].file).catch((error) => ({ error })));
      }
      const found = (await ahead.shift()) as Measured | { readonly error: unknown };
      signal.throwIfAborted();
      const error = "error" in found ? found.error : await added(file.name, found);
      if (error !== undefined || "error" in found) broken.push({ name, why: reasonOf(name, error) });
      else {
        objects += found.count;
        counted(rowsOf(name, found));
        yield* found.entries;
      }
      onFile(++done, broken);
    }
  }

  const zip = new BlobOutput();
  if (hasPictures) await writeZip(zip, all());
  else for await (const _ of all());
  return {
    table: table.blob,
    zip: hasPictures ? zip.blob : undefined,
    objects,
    broken,
    recipe: recipeOfAll(files, savedOfFiles),
    left: files.flatMap(({ name }) => left.get(name) ?? []),
  };
}

/** The columns of the page's table, as they are in the file's. */
function rowsOf(name: string, { regions, frame, count }: Measured): Rows {
  const columns = columnsOf(regions, { depth: 1, frame });
  const column = (part: string): Float64Array => {
    const { parts = [], values = [] } = columns.find((each) => each.parts.includes(part)) ?? {};
    const at = parts.indexOf(part);
    return Float64Array.from({ length: count }, (_, i) => Number(values[i * parts.length + at]));
  };
  const unitOf = (part: string): string => columns.find((each) => each.parts.includes(part))?.units[0] ?? "px";
  return {
    name,
    areas: column("area"),
    xs: column("centroid_x"),
    ys: column("centroid_y"),
    bounds: Int32Array.from(regions.bounds ?? []),
    areaUnit: unitOf("area").replace(/2$/, "\u00b2"),
    placeUnit: unitOf("centroid_x"),
  };
}

const reasonOf = (name: string, error: unknown): string =>
  error instanceof Refused ? TEXT.refused(name, error.refusal) : (error as Error).message;

// Formats of tables of measurements, by the ending of the file's name. A new format is a row here. The command line, plans, the page and
// their messages use this table.

import type { ConvexHulls, ObjectHistograms, Regions } from "skerry";
import { FileError, UsageError } from "../errors.js";
import { writeLines } from "../formats/lines.js";
import { type ParquetColumn, writeParquet } from "../formats/parquet.js";
import type { Output } from "../output.js";
import { checkWriting } from "../writing.js";
import { type Frame, inFrame } from "./frame.js";
import { type Column, cells, columnsOf, inPixels, type TableOptions } from "./regions.js";

/** A table that is being written. */
export interface OpenTable {
  /**
   * Adds the objects of an input. A file's own name, and its time or page, are columns where the options have them.
   * @throws FileError if the columns or the units differ from those of the inputs before
   */
  add(regions: Regions, options: TableOptions): Promise<void>;
  /** Ends the table. */
  finish(): Promise<void>;
}

/** One format of tables: a row of {@link TABLE_WRITERS}. */
export interface TableWriter {
  /** Whether it holds convex hulls, whose corners do not fit columns. */
  readonly hulls: boolean;
  /** Whether runs over many machines write it. */
  readonly distributed: boolean;
  /** Begins a table in a file. */
  open(file: Output): OpenTable;
}

/** Formats of tables, as the endings of their files. */
export type TableFormat = "csv" | "tsv" | "json" | "parquet";

/** Formats of tables by ending, in the order in which a message lists them. */
export const TABLE_WRITERS: Readonly<Record<`.${TableFormat}`, TableWriter>> = {
  ".csv": { hulls: false, distributed: true, open: (file) => openLines(file, ",") },
  ".tsv": { hulls: false, distributed: false, open: (file) => openLines(file, "\t") },
  ".json": { hulls: true, distributed: false, open: openJson },
  ".parquet": { hulls: false, distributed: true, open: openParquet },
};

/**
 * Writes measurements: a table with a row per object. A .csv or .tsv ends in a column with the unit of length, whose square
 * and cube are those of areas and volumes; .json and Parquet's metadata have the units of all columns. Only JSON holds convex hulls.
 * @throws FileError if `convexHull` is written to another format than .json
 * @example
 * import { MemoryOutput, writeRegions } from "@skerry/files";
 * const file = new MemoryOutput();
 * await writeRegions(file, await blobs.regions(), "csv", { depth: 1 });
 * console.log(new TextDecoder().decode(file.bytes()));
 */
export async function writeRegions(
  file: Output,
  regions: Regions,
  format: TableFormat,
  options: TableOptions,
): Promise<void> {
  checkWriting("writeRegions", file, { of: regions, field: "count", call: "regions()" });
  const writer: TableWriter | undefined = TABLE_WRITERS[`.${format}`];
  if (!writer) {
    const names = Object.keys(TABLE_WRITERS).map((ending) => ending.slice(1));
    throw new UsageError(`Expected a table as ${names.slice(0, -1).join(", ")} or ${names.at(-1)}, got ${format}.`);
  }
  if (typeof options !== "object" || options === null)
    throw new UsageError("Expected options of a table, such as { depth: 1 }, got none.");
  const table = writer.open(file);
  await table.add(regions, options);
  await table.finish();
}

/** Refuses columns that are not those of the inputs before. */
function checkSame(before: string | undefined, now: string, what: string): void {
  if (before !== undefined && before !== now) {
    throw new FileError(
      `Expected the ${what} of the inputs before, ${before}, got ${now}; write a table for each input.`,
    );
  }
}

/** The columns before those of objects, with the value of each for an input. */
function leading({ input, at }: TableOptions): readonly (readonly [name: string, value: string | number])[] {
  return [
    ...(input === undefined ? [] : ([["input", input]] as const)),
    ...(at ? ([[at.axis, at.index]] as const) : []),
  ];
}

/** The object of a row. */
const objectOf = ({ order }: TableOptions, row: number): number => (order ? order[row] - 1 : row);

/**
 * A text as a cell of a .csv file (RFC 4180) or of one with tabs. Spreadsheets run a text that begins with = + - @, a tab or a line end
 * as a formula, unless an apostrophe stands before it. Example: =A1.png becomes '=A1.png.
 */
function quoted(text: string, between: string): string {
  const safe = /^[=+\-@\t\r\n].|^=/s.test(text) ? `'${text}` : text;
  return safe.includes(between) || /["\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function openLines(file: Output, between: string): OpenTable {
  let header: string | undefined;
  return {
    async add(regions, options) {
      const { frame = inPixels(options.depth) } = options;
      const columns = columnsOf(regions, options);
      const before = leading(options);
      const names = [...before.map(([name]) => name), ...columns.flatMap(({ parts }) => parts), "unit"];
      const heading = names.map((name) => quoted(name, between)).join(between);
      checkSame(header, heading, "columns");
      if (header === undefined) await file.write(`${heading}\n`);
      const begin = before.map(([, value]) => `${quoted(`${value}`, between)}${between}`).join("");
      const end = quoted(frame.unit ?? "", between);
      await writeLines(file, regions.count, (row) => {
        const values = columns.flatMap((column) => cells(column, objectOf(options, row)));
        return `${begin}${values.join(between)}${between}${end}\n`;
      });
      header = heading;
    },
    finish: async () => undefined,
  };
}

function openJson(file: Output): OpenTable {
  let units: string | undefined;
  let rows = 0;
  return {
    async add(regions, options) {
      const { frame = inPixels(options.depth) } = options;
      const { convexHull: _, histogram, ...measured } = regions;
      const { convexHull } = inFrame(regions, frame);
      const columns = columnsOf(measured, options);
      const unitsText = JSON.stringify(unitsByName(columns, convexHull && frame));
      checkSame(units, unitsText, "units");
      if (units === undefined) await file.write(`{ "units": ${unitsText}, "objects": [\n`);
      const before = leading(options).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
      await writeLines(file, regions.count, (row) => {
        const i = objectOf(options, row);
        const fields = columns.map((column) => {
          // JSON has no NaN; integers of any size are numbers.
          const list = cells(column, i).map((v) => (typeof v === "number" && !Number.isFinite(v) ? "null" : `${v}`));
          return `${JSON.stringify(column.name)}: ${column.parts.length > 1 ? `[${list.join(", ")}]` : list[0]}`;
        });
        if (histogram) fields.push(`"histogram": ${binsOf(histogram, regions.count, i)}`);
        if (convexHull) fields.push(`"convexHull": ${cornersOf(convexHull, i)}`);
        return `${rows + row > 0 ? ",\n" : ""}  { ${[...before, ...fields].join(", ")} }`;
      });
      units = unitsText;
      rows += regions.count;
    },
    async finish() {
      await file.write(rows > 0 ? "\n] }\n" : "] }\n");
    },
  };
}

/** Parquet's columns come one after another: those of all inputs are in memory until the end. */
function openParquet(file: Output): OpenTable {
  let units: string | undefined;
  const parts: ParquetColumn[][] = [];
  return {
    async add(regions, options) {
      const columns = columnsOf(regions, options);
      const unitsText = JSON.stringify(unitsOfParts(columns));
      checkSame(units, unitsText, "units");
      const { count } = regions;
      const before = leading(options).map(([name, value]): ParquetColumn => {
        const values =
          typeof value === "string" ? new Array<string>(count).fill(value) : new Uint32Array(count).fill(value);
        return { name, values };
      });
      const entries = columns.flatMap(({ parts: names, values }) =>
        names.map((name, k) => ({ name, values: entriesOf(values, k, names.length, count, options) })),
      );
      const all = [...before, ...entries];
      const namesOf = (columns: readonly ParquetColumn[]): string => columns.map(({ name }) => name).join(",");
      checkSame(parts[0] && namesOf(parts[0]), namesOf(all), "columns");
      parts.push(all);
      units = unitsText;
    },
    async finish() {
      const [first = [], ...others] = parts;
      const columns = first.map(({ name, values }, i) => ({
        name,
        values: joined([values, ...others.map((part) => part[i].values)]),
      }));
      await writeParquet(file, columns, { units: units ?? "{}" });
    },
  };
}

/** Values one after another, in an array of their kind; of several kinds, as doubles or big integers. */
function joined(parts: readonly ParquetColumn["values"][]): ParquetColumn["values"] {
  const [first] = parts;
  if (parts.length === 1) return first;
  const values = parts.flatMap((part) => Array.from(part as ArrayLike<number>));
  const isOneKind = parts.every((part) => part.constructor === first.constructor);
  if (Array.isArray(first)) return values as unknown as string[];
  if (isOneKind) return (first.constructor as Uint32ArrayConstructor).from(values);
  const hasBig = values.some((value) => typeof value === "bigint");
  return hasBig ? values.map(BigInt) : Float64Array.from(values);
}

const hasValue = <T>(entry: readonly [string, T | undefined]): entry is readonly [string, T] => entry[1] !== undefined;

/** Units by the names of a table's columns; columns without one are left out. */
const unitsOfParts = (columns: readonly Column[]): Record<string, string> =>
  Object.fromEntries(
    columns.flatMap(({ parts, units }) => parts.map((part, i) => [part, units[i]] as const)).filter(hasValue),
  );

/** Units by the names of records' entries: one for all numbers of an entry, or one for each. */
function unitsByName(columns: readonly Column[], hulls: Frame | undefined): Record<string, unknown> {
  const entries = columns.map(({ name, units }) => {
    const isOne = units.every((unit) => unit === units[0]);
    return [name, isOne ? units[0] : units.map((unit) => unit ?? null)] as const;
  });
  return Object.fromEntries([...entries, ["convexHull", hulls?.placeUnit] as const].filter(hasValue));
}

/** Entry k of each object's n values, in the order of the rows. */
function entriesOf(
  values: ArrayLike<number | bigint>,
  k: number,
  n: number,
  count: number,
  options: TableOptions,
): ArrayLike<number | bigint> {
  const make = values.constructor as new (length: number) => { [i: number]: number | bigint; length: number };
  const numbers = new make(count);
  for (let row = 0; row < count; row++) numbers[row] = values[objectOf(options, row) * n + k];
  return numbers;
}

/** The bins of an object: their counts, and their edges. */
function binsOf({ counts, edges }: ObjectHistograms, count: number, i: number): string {
  const bins = counts.length / count;
  const binCounts = counts.subarray(i * bins, (i + 1) * bins);
  return `{ "counts": [${binCounts.join(", ")}], "edges": [${edges.join(", ")}] }`;
}

/** The corners of an object's hull: [[x, y], ...]. */
function cornersOf({ points, offsets }: ConvexHulls, i: number): string {
  const ring = points.subarray(offsets[i], offsets[i + 1]);
  const corners = Array.from({ length: ring.length / 2 }, (_, k) => `[${ring[2 * k]}, ${ring[2 * k + 1]}]`);
  return `[${corners.join(", ")}]`;
}

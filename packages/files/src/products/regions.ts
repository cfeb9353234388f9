// The columns of tables of measurements, and runs as .csv. tables.ts has the formats.

import { REGION_PROPERTIES, type RegionProperty, type Regions, type Runs } from "skerry";
import { factsOf, isOfIntensity } from "skerry/internal";
import { FileError, UsageError } from "../errors.js";
import { writeLines } from "../formats/lines.js";
import type { Ids } from "../integers.js";
import type { Output } from "../output.js";
import { checkWriting } from "../writing.js";
import { type Frame, inFrame, unitOfColumn } from "./frame.js";

export type Column = {
  name: string;
  parts: readonly string[];
  values: ArrayLike<number | bigint>;
  /** Unit of each part; undefined where there is none. */
  units: readonly (string | undefined)[];
};

/** Columns of the value of objects that were found by value: grey, RGB and RGBA. */
const VALUES = [["value"], ["value_r", "value_g", "value_b"], ["value_r", "value_g", "value_b", "value_a"]];

/** Columns that identify an object, before its properties. */
const NAMES = ["label", "value", "polarity"];

/** Options of a table, and facts about its measurements. */
export interface TableOptions {
  /** The properties of the table. By default all that were measured but raw sums, from which others are derived. */
  readonly properties?: readonly RegionProperty[] | undefined;
  /** Labels in the order of the rows; ascending by default. */
  readonly order?: Uint32Array | undefined;
  /** The fractions of the quantiles. */
  readonly quantiles?: readonly number[] | undefined;
  /** Channels that were measured; 1 by default. */
  readonly channels?: number | undefined;
  /** Slices of the measured image. */
  readonly depth: number;
  /** The name of the image whose values were measured, if there are several: the suffix of the columns of its values. */
  readonly name?: string | undefined;
  /** Measurements of the same objects with the values of other images. */
  readonly others?: readonly OtherValues[] | undefined;
  /** The name of the input for a first column, in a table of several inputs. */
  readonly input?: string | undefined;
  /** The time or the page for a column before the label, in a table of all of them. */
  readonly at?: { readonly axis: "time" | "page"; readonly index: number } | undefined;
  /** Ids of 64 bits of a label image: its values are their numbers, from 1. */
  readonly ids?: Ids | undefined;
  /** The frame of places, and the units; by default pixels. */
  readonly frame?: Frame | undefined;
  /** The label of the first object; 1 by default. */
  readonly first?: number | undefined;
}

/** Measurements with the values of another image, by its name. */
export interface OtherValues {
  readonly name: string;
  readonly regions: Regions;
  readonly channels?: number | undefined;
}

/** The columns of a table, in their order. */
export function columnsOf(regions: Regions, options: TableOptions): Column[] {
  const { name, others = [] } = options;
  const measured = ownColumns(regions, options);
  const named = (columns: Column[], of: string): Column[] =>
    columns.map((column) =>
      isOfValues(column)
        ? { ...column, name: `${column.name}_${of}`, parts: column.parts.map((part) => `${part}_${of}`) }
        : column,
    );
  const beside = others.flatMap((other) => {
    const columns = ownColumns(other.regions, { ...options, channels: other.channels });
    return named(columns.filter(isOfValues), other.name);
  });
  return [...(name === undefined ? measured : named(measured, name)), ...beside];
}

/** Consecutive labels from `first` on; of 64 bits if 32 do not hold them. */
function labelsFrom(first: number, count: number): Uint32Array | BigInt64Array {
  if (first + count <= 2 ** 32) return Uint32Array.from({ length: count }, (_, i) => first + i);
  return BigInt64Array.from({ length: count }, (_, i) => BigInt(first + i));
}

function greatestOf(ids: readonly bigint[]): bigint {
  let most = 0n;
  for (const id of ids) if (id > most) most = id;
  return most;
}

/** The ids of numbers; objects that came by hand have numbers behind all, and ids above the greatest. Ids of 2^63 and more stay as they are, for tables of text. */
function idsOf(ids: Ids, numbers: ArrayLike<number>): Ids {
  const known = Array.from(ids as ArrayLike<number | bigint>, BigInt);
  const greatest = greatestOf(known);
  const idOf = (number: number): bigint => known[number - 1] ?? greatest + BigInt(number - known.length);
  const isUnsigned = (ids as BigUint64Array).constructor === BigUint64Array;
  const last = greatestOf(Array.from(numbers, idOf));
  if (last >= 2n ** (isUnsigned ? 64n : 63n)) {
    throw new FileError(`Expected room for the ids of new objects, above ${greatest}, in 64 bits.`);
  }
  return isUnsigned ? BigUint64Array.from(numbers, idOf) : BigInt64Array.from(numbers, idOf);
}

function isOfValues({ name }: Column): boolean {
  return !NAMES.includes(name) && isOfIntensity(name as RegionProperty);
}

/** The frame of places if nothing is said: pixels. */
export const inPixels = (depth: number): Frame => ({ depth, unit: "px", placeUnit: "px" });

/** Refuses a depth that is not that of the measured image, of which columns have other names. */
function checkDepth({ count, centroid, bounds }: Regions, depth: number): void {
  const axes = centroid ? centroid.length / count : bounds ? bounds.length / count / 2 : Number.NaN;
  if (!Number.isInteger(depth) || depth < 1) {
    throw new UsageError(`Expected depth of a table to be a whole number of at least 1, got ${depth}.`);
  }
  if (count === 0 || Number.isNaN(axes) || axes === (depth > 1 ? 3 : 2)) return;
  throw new UsageError(
    `Expected depth to be the slices of the measured ${axes === 3 ? "volume" : "image, 1"}, got ${depth}.`,
  );
}

function ownColumns(
  measured: Regions,
  {
    properties,
    quantiles = [0.25, 0.5, 0.75],
    channels = 1,
    depth,
    first = 1,
    ids,
    input,
    frame = inPixels(depth),
  }: TableOptions,
): Column[] {
  checkDepth(measured, depth);
  const regions = inFrame(measured, frame);
  const label = labelsFrom(first, regions.count);
  const value = ids && regions.value ? idsOf(ids, regions.value) : regions.value;
  // A table of several inputs has the columns of square pixels for all of them.
  const unknown = input === undefined || depth > 1 ? [] : REGION_PROPERTIES.filter(isOfSquares);
  const missing = new Float64Array(regions.count).fill(Number.NaN);
  const blank = Object.fromEntries(unknown.map((name) => [name, missing]));
  const arrays: Record<string, unknown> = { ...blank, ...regions, label, value };
  const names = REGION_PROPERTIES.filter((name) => properties?.includes(name) ?? !factsOf(name).raw);
  return [...NAMES, ...names]
    .map((name) => [name, arrays[name]] as const)
    .filter(([, values]) => values !== undefined)
    .map(([name, given]) => {
      if (name === "convexHull") throw new FileError(`Expected JSON for convexHull, whose corners do not fit columns.`);
      const values = (name === "histogram" ? regions.histogram?.counts : given) as Float64Array;
      const entries = values.length / (regions.count || 1);
      const parts = NAMES.includes(name) ? namesOf(name, entries) : partsOf(name as RegionProperty, entries);
      return { name, parts, values, units: parts.map((part) => unitOfColumn(name, part, frame)) };
    });

  /** Whether a property is usual, or asked for, and has no number where pixels are not square. */
  function isOfSquares(name: RegionProperty): boolean {
    const { needs, usual } = factsOf(name);
    return needs?.includes("square") === true && (properties ? properties.includes(name) : usual === true);
  }

  function namesOf(name: string, entries: number): readonly string[] {
    return (name === "value" && VALUES.find(({ length }) => length === entries)) || [name];
  }

  /** Names of an object's entries. */
  function partsOf(name: RegionProperty, entries: number): readonly string[] {
    const { numbers, list } = factsOf(name);
    const many = isOfIntensity(name) ? channels : 1;
    if (list === "bins") {
      // A column is named by the bin's lower edge.
      const each = entries / many;
      const edges = regions.histogram?.edges ?? [];
      return Array.from({ length: entries }, (_, i) => {
        const [channel, bin] = [Math.floor(i / each), i % each];
        return `histogram_${edges[channel * (each + 1) + bin]}${many > 1 ? `_channel${channel}` : ""}`;
      });
    }
    if (list === "quantiles") {
      return perChannel(
        quantiles.map((fraction) => `quantile_${fraction}`),
        many,
      );
    }
    const parts = numbers && ((depth > 1 && numbers[1]) || numbers[0]);
    return perChannel(parts ? Object.keys(parts) : [snake(name)], many);
  }
}

function perChannel(parts: readonly string[], channels: number): readonly string[] {
  if (channels === 1) return parts;
  return Array.from({ length: channels }, (_, c) => parts.map((part) => `${part}_channel${c}`)).flat();
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Columns of 64-bit integers that doubles do not hold, and whether they are such. */
const unsafe = new WeakMap<object, boolean>();

export function isUnsafe({ values }: Column): boolean {
  if (!(values instanceof BigInt64Array || values instanceof BigUint64Array)) return false;
  const known =
    unsafe.get(values) ?? Array.from(values as Ids as BigInt64Array).some((id) => BigInt(Number(id)) !== id);
  unsafe.set(values, known);
  return known;
}

/** The values of an object by column name, for attributes of outlines; NaN becomes null. A column of ids beyond 2^53 is text. */
export function attributesOf(columns: readonly Column[], label: number): Record<string, number | string | null> {
  const entries = columns.flatMap((column): (readonly [string, number | string | null])[] => {
    const stored = cells(column, label - 1);
    if (isUnsafe(column)) return column.parts.map((part, i) => [part, String(stored[i])]);
    const numbers = stored.map(Number);
    return column.parts.map((part, i) => [part, Number.isFinite(numbers[i]) ? numbers[i] : null] as const);
  });
  return Object.fromEntries(entries);
}

/** The values of a column's parts for an object. */
export function cells({ parts, values }: Column, i: number): (number | bigint)[] {
  return parts.map((_, k) => values[i * parts.length + k]);
}

/**
 * Writes a .csv table with a row per run.
 * @example
 * import { MemoryOutput, writeRuns } from "@skerry/files";
 * const file = new MemoryOutput();
 * await writeRuns(file, await blobs.runs());
 * console.log(new TextDecoder().decode(file.bytes()));
 */
export async function writeRuns(file: Output, runs: Runs): Promise<void> {
  checkWriting("writeRuns", file, { of: runs, field: "row", call: "runs()" });
  const { count, row, begin, end, label } = runs;
  await file.write("row,begin,end,label\n");
  await writeLines(file, count, (i) => `${row[i]},${begin[i]},${end[i]},${label[i]}\n`);
}

// Compares a table of objects with one that was taught before: the same objects at the same places, with numbers that are near.

import { countBelow } from "skerry/internal";
import { FileError } from "../errors.js";

/** A table of objects as text: names of columns, and rows of numbers; texts such as polarities stay texts. */
interface Table {
  readonly names: readonly string[];
  readonly rows: readonly (readonly (number | string)[])[];
}

/** Options of a comparison. */
export interface TaughtOptions {
  /** The share by which a number may differ from the taught one; of places the share of the object's size. */
  readonly deviation: number;
  /** The name of the taught file, for messages. */
  readonly taught: string;
}

/** The differences, one sentence each, and how many objects were compared. */
export interface Comparison {
  readonly differences: readonly string[];
  readonly objects: number;
}

/** Columns that number objects and do not measure them. */
const NUMBERS = ["label", "input"];
/** Columns of places: they may differ by a share of the object's size, not of their distance from the corner. */
const PLACES = /^(centroid|weighted_centroid|rectangle|inscribed)_[xyz]$|^[xyz][01]$/;
/** Angles: beside pi a line has the angle of its other end. */
const ANGLES = /^orientation$|_angle$/;

/**
 * Compares the texts of two tables in .csv. Objects are paired by their centroids, each with the nearest one that lies within half the
 * taught object's size; without centroids by their order. O(n log n) for n objects along x.
 * @throws FileError for a taught table that is none, or lacks a column of the other
 */
export function compareTables(foundText: string, taughtText: string, options: TaughtOptions): Comparison {
  const [found, taught] = [tableOf(foundText, "the result"), tableOf(taughtText, options.taught)];
  if (!taught.names.includes("label")) {
    throw new FileError(
      `Expected ${options.taught} to be a table that --regions wrote as .csv, got one without labels.`,
    );
  }
  const lacks = found.names.find((name) => !taught.names.includes(name));
  if (lacks !== undefined) {
    throw new FileError(
      `Expected ${options.taught} to have the column ${lacks}, got ${taught.names.join(", ")}; teach it with the same options.`,
    );
  }
  const pairs = paired(found, taught);
  const matched = new Set(pairs.map(([, taughtRow]) => taughtRow));
  const differences = pairs.flatMap(([row, other]) => {
    if (other === undefined) return [`${called(found, row)} is new`];
    return differing(found, taught, row, other, options.deviation);
  });
  const missing = taught.rows
    .filter((row) => !matched.has(row))
    .map((row) => `taught ${called(taught, row)} is missing`);
  return { differences: [...missing, ...differences], objects: pairs.length };
}

type Row = Table["rows"][number];

/** The columns whose numbers differ by more than the deviation, as one sentence; none if all are near. */
function differing(found: Table, taught: Table, row: Row, other: Row, deviation: number): string[] {
  const size = sizeOf(taught, other);
  const wrong = found.names.flatMap((name, i) => {
    if (NUMBERS.includes(name)) return [];
    const [a, b] = [row[i], other[taught.names.indexOf(name)]];
    return isNear(name, a, b, deviation, size) ? [] : [`${name} ${short(a)} instead of ${short(b)}`];
  });
  return wrong.length > 0 ? [`${called(found, row)}: ${wrong.join(", ")}`] : [];
}

/** A number with six digits at most. */
const short = (value: number | string): string =>
  typeof value === "number" ? String(Number(value.toPrecision(6))) : value;

function isNear(name: string, a: number | string, b: number | string, deviation: number, size: number): boolean {
  if (typeof a === "string" || typeof b === "string") return a === b;
  if (a === b || (Number.isNaN(a) && Number.isNaN(b))) return true;
  const bare = name.replace(/_(px|um|mm|cm|m)$/, "");
  // Rounding of the text.
  const least = 1e-9 * Math.max(Math.abs(a), Math.abs(b));
  if (PLACES.test(bare)) return Math.abs(a - b) <= Math.max(deviation * size, least);
  if (ANGLES.test(bare)) {
    const turned = Math.abs(a - b) % Math.PI;
    return Math.min(turned, Math.PI - turned) <= Math.max(deviation * Math.PI, least);
  }
  return Math.abs(a - b) <= Math.max(deviation * Math.abs(b), least);
}

/** The side of a square of the object's area; without areas 1. */
function sizeOf({ names }: Table, row: Row): number {
  const at = names.findIndex((name) => name === "area" || name.startsWith("area_"));
  return at < 0 ? 1 : Math.max(1, Math.sqrt(Number(row[at])));
}

/** Rows of the one table with their partners in the other. The nearest pairs are made first. */
function paired(found: Table, taught: Table): (readonly [Row, Row | undefined])[] {
  const columns = found.names.filter((name) => /^centroid_[xyz]/.test(name));
  if (columns.length === 0) return found.rows.map((row, i) => [row, taught.rows[i]] as const);
  const placeIn = ({ names }: Table, row: Row): number[] => columns.map((name) => Number(row[names.indexOf(name)]));
  const others = taught.rows
    .map((row) => ({ row, place: placeIn(taught, row), reach: sizeOf(taught, row) / 2 }))
    .sort((a, b) => a.place[0] - b.place[0]);
  const along = Float64Array.from(others, ({ place }) => place[0]);
  const widest = others.reduce((most, { reach }) => Math.max(most, reach), 0);
  const near = found.rows.flatMap((row) => {
    const place = placeIn(found, row);
    const candidates: { row: Row; other: Row; distance: number }[] = [];
    for (let i = countBelow(along, place[0] - widest); i < others.length; i++) {
      const { row: other, place: at, reach } = others[i];
      if (at[0] > place[0] + widest) break;
      const distance = Math.hypot(...at.map((n, axis) => n - place[axis]));
      if (distance <= reach) candidates.push({ row, other, distance });
    }
    return candidates;
  });
  const partner = new Map<Row, Row>();
  const taken = new Set<Row>();
  for (const { row, other } of near.sort((a, b) => a.distance - b.distance)) {
    if (partner.has(row) || taken.has(other)) continue;
    partner.set(row, other);
    taken.add(other);
  }
  return found.rows.map((row) => [row, partner.get(row)] as const);
}

/** An object by its label and its place. */
function called({ names }: Table, row: Row): string {
  const place = names.flatMap((name, i) => (/^centroid_[xyz]/.test(name) ? [Number(row[i]).toFixed(1)] : []));
  const at = place.length > 0 ? ` at ${place.join(",")}` : "";
  return `object ${row[names.indexOf("label")]}${at}`;
}

/** A table of .csv, as --regions writes it or a spreadsheet saves it: commas, with or without quotes. */
function tableOf(text: string, name: string): Table {
  const [head = "", ...lines] = text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .filter((line) => line !== "");
  const names = cellsOf(head);
  const rows = lines.map((line, i) => {
    const cells = cellsOf(line);
    if (cells.length === names.length) return cells.map(cellValue);
    throw new FileError(`Expected ${names.length} cells in row ${i + 1} of ${name}, got ${cells.length}.`);
  });
  return { names, rows };
}

/** The cells of a line; a quote within quotes is written twice. */
function cellsOf(line: string): string[] {
  if (!line.includes('"')) return line.split(",");
  return Array.from(line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g), ([, quoted, plain]) =>
    quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"'),
  );
}

function cellValue(cell: string): number | string {
  if (cell.trim() === "") return Number.NaN;
  return Number.isNaN(Number(cell)) ? cell : Number(cell);
}

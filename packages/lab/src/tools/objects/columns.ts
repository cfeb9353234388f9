// Columns of the table: label, area and place of an object, and the properties that were chosen.

import type { Regions } from "skerry";
import { factsOf, type PropertyUnit, titleOf } from "skerry/internal";
import { recipe } from "../../state/lab.js";
import { TEXT } from "../../text.js";
import { PROPERTIES, type Property } from "./recipe.js";

export interface Column {
  readonly name: string;
  readonly text: string;
  /** The unit of the numbers, or empty. */
  readonly unit: string;
  readonly digits: number;
  /** The number of an object, counted from 0. */
  readonly value: (regions: Regions, i: number) => number;
}

const PLACE: readonly Column[] = [
  { name: "label", text: TEXT.columns.label, unit: "", digits: 0, value: (_, i) => i + 1 },
  { name: "area", text: titleOf("area"), unit: "size", digits: 0, value: ({ area }, i) => area?.[i] ?? 0 },
  { name: "x", text: TEXT.columns.x, unit: "length", digits: 1, value: ({ centroid }, i) => centroid?.[2 * i] ?? 0 },
  {
    name: "y",
    text: TEXT.columns.y,
    unit: "length",
    digits: 1,
    value: ({ centroid }, i) => centroid?.[2 * i + 1] ?? 0,
  },
];

/** Decimals that are shown, by kind of number; 2 by default. */
const DIGITS: Partial<Record<PropertyUnit, number>> = { size: 0, count: 0, sum: 0, value: 1 };
/** The unit of a property, by the scale. */
function unitOf(unit: PropertyUnit): string {
  if (unit === "size") return `${TEXT.unit()}²`;
  return unit === "length" ? TEXT.unit() : "";
}

/** The columns of the wanted properties that are measured. */
export function columnsOf(wanted: ReadonlySet<Property>, regions: Regions): Column[] {
  const isScaled = recipe.value.scale !== undefined;
  const names = PROPERTIES.filter((name) => name !== "area" && wanted.has(name) && regions[name]);
  const own = names.map((name) => {
    const unit = factsOf(name).unit ?? "ratio";
    return {
      ...{
        name,
        text: titleOf(name),
        unit: unitOf(unit),
        digits: isScaled && unit === "size" ? 2 : (DIGITS[unit] ?? 2),
      },
      value: (own: Regions, i: number) => Number(own[name]?.[i] ?? Number.NaN),
    };
  });
  // Areas in a unit are not whole numbers.
  const places = PLACE.map((column) => ({
    ...column,
    unit: unitOf(column.unit as PropertyUnit),
    digits: isScaled && column.name !== "label" ? 2 : column.digits,
  }));
  return [...places, ...own];
}

/** The number of an object as it is shown. */
export const textOf = ({ digits, value }: Column, regions: Regions, i: number): string =>
  value(regions, i).toFixed(digits);

/** The width of a column in characters, and its sum and mean over all objects. */
export function summaryOf(column: Column, regions: Regions): { letters: number; sum: number; mean: number } {
  let [sum, count, most] = [0, 0, 0];
  for (let i = 0; i < regions.count; i++) {
    const value = column.value(regions, i);
    if (!Number.isFinite(value)) continue;
    sum += value;
    count++;
    most = Math.max(most, Math.abs(value));
  }
  const letters = Math.max(most.toFixed(column.digits).length + 1, column.text.length + 2);
  return { letters: Math.min(18, letters), sum, mean: count > 0 ? sum / count : Number.NaN };
}

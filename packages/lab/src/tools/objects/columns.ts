// Columns of the table: label, area and place of an object, and the properties that were chosen.

import type { Regions } from "skerry";
import { factsOf, type PropertyUnit, titleOf } from "skerry/internal";
import { PROPERTIES, type Property } from "../../settings/objects.js";
import { scale, unit as unitOfLengths } from "../../state/lab.js";
import { RESULTS } from "../../words/results.js";
import { TEXT } from "../../words/text.js";
import { valuesOf } from "./scale.js";

export interface Column {
  readonly name: string;
  readonly text: string;
  /** The unit of the numbers, or empty. */
  readonly unit: string;
  readonly digits: number;
  /** Whether the sum over objects is a quantity of its own, as that of areas and perimeters is, and that of diameters is not. */
  readonly hasSum: boolean;
  /** The number of an object, counted from 0. */
  readonly value: (regions: Regions, i: number) => number;
  /** The numbers of all objects. */
  readonly numbers: (regions: Regions) => Float64Array;
}

/** A column of every `step`-th number of an array, from `first` on. */
const picked = (
  arrayOf: (regions: Regions) => ArrayLike<number> | undefined,
  step: number,
  first: number,
): Pick<Column, "value" | "numbers"> => ({
  value: (regions, i) => arrayOf(regions)?.[step * i + first] ?? Number.NaN,
  numbers: (regions) => {
    const array = arrayOf(regions) ?? [];
    if (step === 1) return new Float64Array(array);
    const numbers = new Float64Array(regions.count);
    for (let i = 0; i < numbers.length; i++) numbers[i] = array[step * i + first];
    return numbers;
  },
});

const PLACE: readonly Column[] = [
  {
    name: "label",
    text: TEXT.columns.label,
    unit: "",
    digits: 0,
    hasSum: false,
    value: (_, i) => i + 1,
    numbers: ({ count }) => new Float64Array(count).map((_, i) => i + 1),
  },
  { name: "area", text: titleOf("area"), unit: "size", digits: 0, hasSum: true, ...picked(({ area }) => area, 1, 0) },
  {
    name: "x",
    text: TEXT.columns.x,
    unit: "length",
    digits: 1,
    hasSum: false,
    ...picked(({ centroid }) => centroid, 2, 0),
  },
  {
    name: "y",
    text: TEXT.columns.y,
    unit: "length",
    digits: 1,
    hasSum: false,
    ...picked(({ centroid }) => centroid, 2, 1),
  },
];

/** The values of objects, which are the ids of a label image. */
const valueColumn = (values: ArrayLike<number>): Column => {
  const numbers = new Float64Array(values);
  const digits = numbers.every(Number.isInteger) ? 0 : digitsOf(numbers, 2);
  return { name: "value", text: RESULTS.value, unit: "", digits, hasSum: false, ...picked(({ value }) => value, 1, 0) };
};

/** Decimals that are shown, by kind of number; 2 by default. */
const DIGITS: Partial<Record<PropertyUnit, number>> = { size: 0, count: 0, sum: 0, value: 1 };

/** Most decimals that are shown, and the digits that the largest number of a column has at least. */
const MOST_DIGITS = 6;
const LEAST_SIGNIFICANT = 3;

/** Units of numbers whose sums are quantities of their own, and lengths for which that holds. */
const SUMMED_UNITS: readonly PropertyUnit[] = ["size", "count", "sum"];
const SUMMED_LENGTHS: readonly Property[] = ["edges", "perimeter", "crofton"];

/** Decimals with which small numbers, such as those of stains, are not all 0. */
function digitsOf(numbers: Float64Array, usual: number): number {
  let most = 0;
  for (const value of numbers) if (Math.abs(value) > most && Number.isFinite(value)) most = Math.abs(value);
  if (most === 0 || most >= 10 ** (LEAST_SIGNIFICANT - 1 - usual)) return usual;
  return Math.min(MOST_DIGITS, LEAST_SIGNIFICANT - 1 - Math.floor(Math.log10(most)));
}

/** The unit of a property, by the scale. */
function unitOf(unit: PropertyUnit): string {
  if (unit === "size") return `${unitOfLengths()}²`;
  return unit === "length" ? unitOfLengths() : "";
}

/** The columns of the wanted properties that are measured. */
export function columnsOf(wanted: ReadonlySet<Property>, regions: Regions): Column[] {
  const isScaled = scale.value !== undefined;
  const names = PROPERTIES.filter((name) => name !== "area" && wanted.has(name) && regions[name]);
  const columns = names.map((name) => {
    const unit = factsOf(name).unit ?? "ratio";
    const usual = isScaled && unit === "size" ? 2 : (DIGITS[unit] ?? 2);
    const numbers = (regions: Regions): Float64Array => new Float64Array(valuesOf(regions, name));
    const isSmall = unit === "value" || unit === "sum" || (isScaled && (unit === "size" || unit === "length"));
    return {
      name,
      text: titleOf(name),
      unit: unitOf(unit),
      digits: isSmall ? digitsOf(numbers(regions), usual) : usual,
      hasSum: SUMMED_UNITS.includes(unit) || SUMMED_LENGTHS.includes(name),
      value: (regions: Regions, i: number) => Number(regions[name]?.[i] ?? Number.NaN),
      numbers,
    };
  });
  // Areas in a unit are not whole numbers.
  const places = PLACE.map((column) => ({
    ...column,
    unit: unitOf(column.unit as PropertyUnit),
    digits: isScaled && column.name !== "label" ? digitsOf(column.numbers(regions), 2) : column.digits,
  }));
  const [label, ...others] = places;
  const { value, count } = regions;
  const ofValue = value?.length === count ? [valueColumn(value)] : [];
  return [label, ...ofValue, ...others, ...columns];
}

/** A column's name with its unit. */
export const headOf = ({ text, unit }: Column): string => (unit ? `${text} (${unit})` : text);

/** The number of an object as it is shown. */
export const textOf = ({ digits, value }: Column, regions: Regions, i: number): string =>
  value(regions, i).toFixed(digits);

/** The width of a column in characters, and its sum and mean over all objects. */
export function summaryOf(column: Column, regions: Regions): { letters: number; sum: number; mean: number } {
  let [sum, count, most] = [0, 0, 0];
  for (const value of column.numbers(regions)) {
    if (!Number.isFinite(value)) continue;
    sum += value;
    count++;
    most = Math.max(most, Math.abs(value));
  }
  // Letters are narrower than digits, in which widths are counted; one and a half are for the arrow.
  const letters = Math.max(most.toFixed(column.digits).length + 1, Math.ceil(headOf(column).length * 0.7 + 1.5));
  return { letters: Math.min(18, letters), sum, mean: count > 0 ? sum / count : Number.NaN };
}

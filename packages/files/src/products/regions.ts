// Tables out: measurements as .csv or .json, runs as .csv.

import { REGION_PROPERTIES, type Regions, type Runs } from "skerry";
import { writeLines } from "../formats/lines.js";
import type { Output } from "../output.js";

/** Column names of properties that have several numbers per object: of images, and of volumes. */
const PARTS: Record<string, readonly (readonly string[])[]> = {
  bounds: [
    ["x0", "y0", "x1", "y1"],
    ["x0", "y0", "z0", "x1", "y1", "z1"],
  ],
  centroid: [
    ["centroid_x", "centroid_y"],
    ["centroid_x", "centroid_y", "centroid_z"],
  ],
  rawMoments: [
    ["sum_x", "sum_y", "sum_xx", "sum_xy", "sum_yy"],
    ["sum_x", "sum_y", "sum_z", "sum_xx", "sum_xy", "sum_xz", "sum_yy", "sum_yz", "sum_zz"],
  ],
  secondMoments: [
    ["moment_xx", "moment_xy", "moment_yy"],
    ["moment_xx", "moment_xy", "moment_xz", "moment_yy", "moment_yz", "moment_zz"],
  ],
  weightedCentroid: [
    ["weighted_centroid_x", "weighted_centroid_y"],
    ["weighted_centroid_x", "weighted_centroid_y", "weighted_centroid_z"],
  ],
  value: [["value"], ["value_r", "value_g", "value_b"], ["value_r", "value_g", "value_b", "value_a"]],
};

/** Whether a property has several numbers per object. */
export const hasParts = (property: string): boolean => property in PARTS;

type Column = { name: string; parts: readonly string[]; values: ArrayLike<number | bigint> };

function columnsOf(regions: Regions): Column[] {
  const label = Uint32Array.from({ length: regions.count }, (_, i) => i + 1);
  const order = ["label", "value", "area", "class", ...REGION_PROPERTIES.filter((name) => name !== "area")];
  const arrays: Record<string, unknown> = { ...regions, label };
  return order
    .map((name) => [name, arrays[name]] as const)
    .filter(([, values]) => values !== undefined)
    .map(([name, given]) => {
      const values = given as Float64Array;
      const parts = PARTS[name]?.find(({ length }) => length * regions.count === values.length) ?? PARTS[name]?.[0];
      return { name, parts: parts ?? [snake(name)], values };
    });
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Writes what was measured: a table with a row per object, or a list of records; in an order of labels, if one is given. */
export async function writeRegions(
  file: Output,
  regions: Regions,
  format: "csv" | "json",
  order?: Uint32Array,
): Promise<void> {
  const objectOf = (row: number): number => (order ? order[row] - 1 : row);
  const columns = columnsOf(regions);
  if (format === "csv") {
    await file.write(`${columns.flatMap(({ parts }) => parts).join(",")}\n`);
    await writeLines(
      file,
      regions.count,
      (row) => `${columns.map((column) => cells(column, objectOf(row)).join(",")).join(",")}\n`,
    );
    return;
  }
  const last = regions.count - 1;
  await file.write("[\n");
  await writeLines(file, regions.count, (row) => {
    const i = objectOf(row);
    const fields = columns.map((column) => {
      // JSON has no NaN; integers of any size are numbers.
      const list = cells(column, i).map((v) => (typeof v === "number" && !Number.isFinite(v) ? "null" : `${v}`));
      return `"${column.name}": ${column.parts.length > 1 ? `[${list.join(", ")}]` : list[0]}`;
    });
    return `  { ${fields.join(", ")} }${row < last ? "," : ""}\n`;
  });
  await file.write("]\n");
}

function cells({ parts, values }: Column, i: number): (number | bigint)[] {
  return parts.map((_, k) => values[i * parts.length + k]);
}

/** Writes a table with a row per run. */
export async function writeRuns(file: Output, { count, row, begin, end, label }: Runs): Promise<void> {
  await file.write("row,begin,end,label\n");
  await writeLines(file, count, (i) => `${row[i]},${begin[i]},${end[i]},${label[i]}\n`);
}

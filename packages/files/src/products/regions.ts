// Tables out: measurements as .csv or .json, runs as .csv.

import { type ConvexHulls, type ObjectHistograms, REGION_PROPERTIES, type Regions, type Runs } from "skerry";
import { FileError } from "../errors.js";
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
  principalAxes: [
    [
      ...["axis1", "axis1_x", "axis1_y", "axis1_z", "axis2", "axis2_x", "axis2_y", "axis2_z"],
      ...["axis3", "axis3_x", "axis3_y", "axis3_z"],
    ],
  ],
  feretDiameter: [
    ["feret", "feret_angle", "feret_smallest", "feret_smallest_angle"],
    ["feret", "feret_x", "feret_y", "feret_z"],
  ],
  minimumRectangle: [["rectangle_x", "rectangle_y", "rectangle_length", "rectangle_width", "rectangle_angle"]],
  inscribed: [
    ["inscribed_radius", "inscribed_x", "inscribed_y"],
    ["inscribed_radius", "inscribed_x", "inscribed_y", "inscribed_z"],
  ],
  value: [["value"], ["value_r", "value_g", "value_b"], ["value_r", "value_g", "value_b", "value_a"]],
};

/** Properties of intensity, which have an entry per channel. */
const OF_CHANNELS = ["min", "max", "sum", "mean", "std", "weightedCentroid", "contrast", "median", "quantiles"];

/** Whether a property has several numbers per object. */
export const hasParts = (property: string): boolean =>
  property in PARTS || ["quantiles", "histogram", "convexHull"].includes(property);

type Column = { name: string; parts: readonly string[]; values: ArrayLike<number | bigint> };

/** What a table tells of its measurements. */
export interface TableOptions {
  /** Labels in the order of the rows; ascending by default. */
  readonly order?: Uint32Array | undefined;
  /** The fractions of the quantiles. */
  readonly quantiles?: readonly number[] | undefined;
  /** Channels that were measured; 1 by default. */
  readonly channels?: number | undefined;
  /** Slices of what was measured; 1 by default. */
  readonly depth?: number | undefined;
}

function columnsOf(
  regions: Regions,
  { quantiles = [0.25, 0.5, 0.75], channels = 1, depth = 1 }: TableOptions,
): Column[] {
  const label = Uint32Array.from({ length: regions.count }, (_, i) => i + 1);
  const order = ["label", "value", "area", "class", ...REGION_PROPERTIES.filter((name) => name !== "area")];
  const arrays: Record<string, unknown> = { ...regions, label };
  return order
    .map((name) => [name, arrays[name]] as const)
    .filter(([, values]) => values !== undefined)
    .map(([name, given]) => {
      if (name === "convexHull") throw new FileError(`Expected .json for convexHull, whose corners fill no columns.`);
      const values = (name === "histogram" ? regions.histogram?.counts : given) as Float64Array;
      return { name, parts: partsOf(name, values.length / (regions.count || 1)), values };
    });

  /** Names of an object's entries. */
  function partsOf(name: string, entries: number): readonly string[] {
    const many = OF_CHANNELS.includes(name) || name === "histogram" ? channels : 1;
    const each = entries / many;
    if (name === "histogram") {
      // A column is named by the bin's lower edge.
      const edges = regions.histogram?.edges ?? [];
      return Array.from({ length: entries }, (_, i) => {
        const [channel, bin] = [Math.floor(i / each), i % each];
        return `histogram_${edges[channel * (each + 1) + bin]}${many > 1 ? `_channel${channel}` : ""}`;
      });
    }
    if (name === "quantiles")
      return perChannel(
        quantiles.map((fraction) => `quantile_${fraction}`),
        many,
      );
    const known = PARTS[name];
    const own = known?.filter(({ length }) => length === each || regions.count === 0);
    const parts = own?.[name !== "value" && depth > 1 && own.length > 1 ? 1 : 0];
    return perChannel(parts ?? [snake(name)], many);
  }
}

function perChannel(parts: readonly string[], channels: number): readonly string[] {
  if (channels === 1) return parts;
  return Array.from({ length: channels }, (_, c) => parts.map((part) => `${part}_channel${c}`)).flat();
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Writes what was measured: a table with a row per object, or a list of records. Convex hulls are for records alone. */
export async function writeRegions(
  file: Output,
  regions: Regions,
  format: "csv" | "json",
  options: TableOptions = {},
): Promise<void> {
  const { order } = options;
  const objectOf = (row: number): number => (order ? order[row] - 1 : row);
  const { convexHull, histogram, ...others } = regions;
  const columns = columnsOf(format === "json" ? others : regions, options);
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
    if (histogram) fields.push(`"histogram": ${binsOf(histogram, regions.count, i)}`);
    if (convexHull) fields.push(`"convexHull": ${cornersOf(convexHull, i)}`);
    return `  { ${fields.join(", ")} }${row < last ? "," : ""}\n`;
  });
  await file.write("]\n");
}

/** The bins of an object: their counts, and their edges. */
function binsOf({ counts, edges }: ObjectHistograms, count: number, i: number): string {
  const bins = counts.length / count;
  const own = counts.subarray(i * bins, (i + 1) * bins);
  return `{ "counts": [${own.join(", ")}], "edges": [${edges.join(", ")}] }`;
}

/** The corners of an object's hull: [[x, y], ...]. */
function cornersOf({ points, offsets }: ConvexHulls, i: number): string {
  const own = points.subarray(offsets[i], offsets[i + 1]);
  const corners = Array.from({ length: own.length / 2 }, (_, k) => `[${own[2 * k]}, ${own[2 * k + 1]}]`);
  return `[${corners.join(", ")}]`;
}

function cells({ parts, values }: Column, i: number): (number | bigint)[] {
  return parts.map((_, k) => values[i * parts.length + k]);
}

/** Writes a table with a row per run. */
export async function writeRuns(file: Output, { count, row, begin, end, label }: Runs): Promise<void> {
  await file.write("row,begin,end,label\n");
  await writeLines(file, count, (i) => `${row[i]},${begin[i]},${end[i]},${label[i]}\n`);
}

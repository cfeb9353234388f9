// Tables out: measurements as .csv or .json, runs as .csv or COCO's .json.

import { extname } from "node:path";
import { type Components, REGION_PROPERTIES, type Regions } from "skerry";
import { UsageError } from "../errors.js";
import { type OutputFile, writeWhole } from "./output.js";

/** Checks the ending before anything is read. */
export function checkTablePath(option: string, path: string): void {
  if (![".csv", ".json"].includes(extname(path).toLowerCase())) {
    throw new UsageError(`Expected ${option} to end in .csv or .json, got ${path}.`);
  }
}

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

/** Rows joined into pieces large enough to write at once. */
async function writeLines(
  file: OutputFile,
  count: number,
  line: (i: number) => string | Promise<string>,
): Promise<void> {
  let piece = "";
  for (let i = 0; i < count; i++) {
    piece += await line(i);
    if (piece.length > 1 << 18) {
      await file.write(piece);
      piece = "";
    }
  }
  await file.write(piece);
}

export async function writeRegions(path: string, regions: Regions): Promise<void> {
  const columns = columnsOf(regions);
  const csv = extname(path).toLowerCase() === ".csv";
  await writeWhole(path, async (file) => {
    if (csv) {
      await file.write(`${columns.flatMap(({ parts }) => parts).join(",")}\n`);
      await writeLines(
        file,
        regions.count,
        (i) => `${columns.map((column) => cells(column, i).join(",")).join(",")}\n`,
      );
      return;
    }
    const last = regions.count - 1;
    await file.write("[\n");
    await writeLines(file, regions.count, (i) => {
      const fields = columns.map((column) => {
        // JSON has no NaN; integers of any size are numbers.
        const list = cells(column, i).map((v) => (typeof v === "number" && !Number.isFinite(v) ? "null" : `${v}`));
        return `"${column.name}": ${column.parts.length > 1 ? `[${list.join(", ")}]` : list[0]}`;
      });
      return `  { ${fields.join(", ")} }${i < last ? "," : ""}\n`;
    });
    await file.write("]\n");
  });
}

function cells({ parts, values }: Column, i: number): (number | bigint)[] {
  return parts.map((_, k) => values[i * parts.length + k] as number | bigint);
}

export async function writeRuns(path: string, components: Components, image: string): Promise<void> {
  if (extname(path).toLowerCase() === ".json") {
    await writeCoco(path, components, image);
    return;
  }
  const { count, row, begin, end, label } = await components.runs();
  await writeWhole(path, async (file) => {
    await file.write("row,begin,end,label\n");
    await writeLines(file, count, (i) => `${row[i]},${begin[i]},${end[i]},${label[i]}\n`);
  });
}

/** One annotation per object, with compressed run lengths as pycocotools takes them. */
async function writeCoco(path: string, components: Components, image: string): Promise<void> {
  const { width, height, count, classes } = components;
  const regions = await components.regions({ properties: ["area", "bounds"] });
  const { area = [], bounds = [] } = regions;
  const names = classes === 2 ? ["bright", "dark"] : ["object"];
  const categories = names.map((name, i) => ({ id: i + 1, name }));
  const images = [{ id: 1, width, height, file_name: image }];
  await writeWhole(path, async (file) => {
    await file.write(
      `{"images":${JSON.stringify(images)},"categories":${JSON.stringify(categories)},"annotations":[\n`,
    );
    await writeLines(file, count, async (i) => {
      const [x0, y0, x1, y1] = [0, 1, 2, 3].map((k) => bounds[4 * i + k] as number) as [number, number, number, number];
      const annotation = {
        ...{ id: i + 1, image_id: 1, category_id: regions.class?.[i] ?? 1, iscrowd: 0 },
        ...{ area: area[i], bbox: [x0, y0, x1 - x0, y1 - y0] },
        segmentation: await components.cocoRle(i + 1, { compressed: true }),
      };
      return `${JSON.stringify(annotation)}${i < count - 1 ? "," : ""}\n`;
    });
    await file.write("]}\n");
  });
}

// Tables out, by the ending of their name: measurements as .csv or .json, runs as .csv or COCO's .json.

import { extname } from "node:path";
import { writeCoco, writeRegions as writeRegionsTo, writeRuns as writeRunsTo } from "@skerry/files";
import type { Components, Regions } from "skerry";
import { UsageError } from "../errors.js";
import { writeWhole } from "./output.js";

/** Checks the ending before anything is read. */
export function checkTablePath(option: string, path: string): void {
  if (![".csv", ".json"].includes(extname(path).toLowerCase())) {
    throw new UsageError(`Expected ${option} to end in .csv or .json, got ${path}.`);
  }
}

function isJson(path: string): boolean {
  return extname(path).toLowerCase() === ".json";
}

export async function writeRegions(path: string, regions: Regions): Promise<void> {
  await writeWhole(path, (file) => writeRegionsTo(file, regions, isJson(path) ? "json" : "csv"));
}

export async function writeRuns(path: string, components: Components, image: string): Promise<void> {
  const runs = isJson(path) ? undefined : await components.runs();
  await writeWhole(path, (file) => (runs ? writeRunsTo(file, runs) : writeCoco(file, components, image)));
}

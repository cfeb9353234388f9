// The table of TIFFs that render-tiffs.py writes by GDAL, tifffile and libtiff: files, how to read them, and the values that were written.

import { readFileSync } from "node:fs";
import { golden } from "../../../skerry/test/support/golden.js";
import type { PictureOptions } from "../../src/node/index.js";

export interface Written {
  readonly name: string;
  /** Base64. */
  readonly file: string;
  /** Pages, rows, columns, channels. */
  readonly shape: readonly [number, number, number, number];
  readonly read: PictureOptions;
  /** Levels that JPEGs may differ by. */
  readonly within: number;
  /** float64 in base64. */
  readonly values: string;
}

const script = readFileSync(new URL("../render-tiffs.py", import.meta.url), "utf8");

export const TIFFS = JSON.parse(
  golden("tiffs", { modules: "tifffile, osgeo", script, input: "" }).toString(),
) as readonly Written[];

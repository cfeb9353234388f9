// The table of packed DICOM that render-dicoms.py writes by GDCM and pydicom: files, and the values that were packed.

import { readFileSync } from "node:fs";
import { golden } from "../../../skerry/test/support/golden.js";

export interface Packed {
  readonly name: string;
  readonly kind: string;
  /** Whether the header tells that values were lost. */
  readonly lossy: boolean;
  /** Whether it is JPEG with loss, whose decoders may round differently. */
  readonly jpeg: boolean;
  /** Base64. */
  readonly file: string;
  readonly shape: readonly [frames: number, rows: number, columns: number];
  readonly values: readonly number[];
}

const script = readFileSync(new URL("../render-dicoms.py", import.meta.url), "utf8");
const made = golden("dicoms", { modules: "gdcm, pydicom, pylibjpeg", script, input: "" });
export const DICOMS = JSON.parse(made.toString()) as readonly Packed[];

// The inputs of the how-tos, small and rendered, and what other programs make of them.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { golden } from "../../../skerry/test/support/golden.js";

export interface Rendered {
  readonly files: Readonly<Record<string, string>>;
  readonly expected: {
    readonly nuclei: readonly (readonly [number, number])[];
    readonly landcover: Readonly<Record<string, number>>;
    readonly dem: readonly (readonly [number, number])[];
    readonly hyperstack: readonly number[];
    readonly organ: { readonly volume: number; readonly mean: number; readonly affine: readonly number[] };
    readonly photos: readonly (readonly [string, number])[];
  };
}

/** Writes the inputs into a folder, and returns what is expected of them. */
export function rendered(folder: string): Rendered["expected"] {
  const script = readFileSync(new URL("../render-how-to.py", import.meta.url), "utf8");
  const modules = "nibabel, tifffile, osgeo, skimage";
  const { files, expected } = JSON.parse(golden("how-to", { modules, script, input: "" }).toString()) as Rendered;
  for (const [name, file] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), Buffer.from(file, "base64"));
  }
  return expected;
}

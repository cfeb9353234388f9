// magic-wand-tool's floodFill on RGBA, 4-connected. argv: file, size, connectivity, x, y, tolerance.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { measure } from "./measure.mjs";
import { rgbaOf } from "./rgba.mjs";

const loaded = createRequire(import.meta.url)("magic-wand-tool");
const MagicWand = loaded.default ?? loaded;
const [file, size, , x, y, tolerance] = [process.argv[2], ...process.argv.slice(3, 8).map(Number)];
const image = { data: rgbaOf(readFileSync(file)), width: size, height: size, bytes: 4 };
let found;
await measure(
  ["fill"],
  async (lap) => {
    found = MagicWand.floodFill(image, x, y, tolerance, null, false);
    lap();
  },
  21,
  () => ({ area: found.data.reduce((sum, on) => sum + on, 0) }),
);

// q-floodfill on RGBA, 4-connected, as it paints; the picture is restored outside the clock. argv: file, size,
// connectivity, x, y, tolerance.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { measure } from "./measure.mjs";
import { rgbaOf } from "./rgba.mjs";

// The package is built for pages.
globalThis.window = globalThis;
const { default: FloodFill } = createRequire(import.meta.url)("q-floodfill");
const [file, size, , x, y, tolerance] = [process.argv[2], ...process.argv.slice(3, 8).map(Number)];
const source = rgbaOf(readFileSync(file));
const data = new Uint8ClampedArray(source.length);
let area = 0;
await measure(
  ["fill"],
  async (lap) => {
    data.set(source);
    lap("restore");
    const fill = new FloodFill({ data, width: size, height: size });
    fill.fill("rgba(1, 2, 3, 255)", x, y, tolerance);
    lap();
    area = fill.modifiedPixelsCount;
  },
  21,
  () => ({ area }),
);

// OpenCV's floodFill compiled to WebAssembly, the mask alone; the image is copied in, as it has to be. argv: file,
// size, connectivity, x, y, tolerance, range.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { measure } from "./measure.mjs";

// The module is thenable and resolves to itself, so awaiting it would never end.
const cv = createRequire(import.meta.url)("@techstark/opencv-js");
await new Promise((resolve) => {
  cv.onRuntimeInitialized = () => resolve(undefined);
});
const [file, size, connectivity, x, y, tolerance] = [process.argv[2], ...process.argv.slice(3, 8).map(Number)];
const data = new Uint8Array(readFileSync(file));
const near = new cv.Scalar(tolerance, tolerance, tolerance, 0);
const fixed = process.argv[8] === "fixed" ? cv.FLOODFILL_FIXED_RANGE : 0;
let area = 0;
await measure(
  ["fill"],
  async (lap) => {
    const image = new cv.Mat(size, size, cv.CV_8UC3);
    image.data.set(data);
    const mask = cv.Mat.zeros(size + 2, size + 2, cv.CV_8UC1);
    const flags = connectivity | cv.FLOODFILL_MASK_ONLY | (255 << 8) | fixed;
    area = cv.floodFill(image, mask, new cv.Point(x, y), new cv.Scalar(0, 0, 0, 0), new cv.Rect(), near, near, flags);
    for (const mat of [image, mask]) mat.delete();
    lap();
  },
  21,
  () => ({ area }),
);

// OpenCV compiled to WebAssembly, as its users call it. argv: file, size, connectivity.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { measure } from "./measure.mjs";

// The module is thenable and resolves to itself, so awaiting it would never end.
const cv = createRequire(import.meta.url)("@techstark/opencv-js");
await new Promise((resolve) => {
  cv.onRuntimeInitialized = () => resolve(undefined);
});
const [file, size, connectivity] = [process.argv[2], ...process.argv.slice(3).map(Number)];
const data = new Uint8Array(readFileSync(file));
await measure(["labels"], async (lap) => {
  const image = new cv.Mat(size, size, cv.CV_8UC1);
  image.data.set(data);
  const [labels, stats, centroids] = [new cv.Mat(), new cv.Mat(), new cv.Mat()];
  cv.connectedComponentsWithStats(image, labels, stats, centroids, connectivity, cv.CV_32S);
  for (const mat of [image, labels, stats, centroids]) mat.delete();
  lap();
});

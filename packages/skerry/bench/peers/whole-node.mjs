// Times the peers that npm has on one input of the whole table. argv: operation, sides, file, and the folder whose node_modules has them.
// Prints [{ name, mode, milliseconds }], as whole.py does. They label images of two dimensions.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { median } from "./measure.mjs";

const [operation, sides, file, folder] = process.argv.slice(2);
const from = createRequire(join(resolve(folder), "package.json"));
const [height, width, deep] = sides.split("x").map(Number);
const data = new Uint8Array(readFileSync(file));
const found = [];

async function timed(name, mode, call) {
  const times = [];
  try {
    for (let spent = 0; times.length < 2 || (times.length < 6 && spent < 4000); ) {
      const begin = performance.now();
      await call();
      times.push(performance.now() - begin);
      spent += times.at(-1);
    }
    found.push({ name, mode, milliseconds: median(times.slice(1)) });
  } catch (error) {
    found.push({ name, mode, reason: String(error.message ?? error).split("\n")[0] });
  }
}

/** A package and its version; undefined where the folder has none. */
async function load(name) {
  try {
    const path = from.resolve(name);
    const text = readFileSync(join(resolve(folder), "node_modules", name, "package.json"), "utf8");
    const module = name === "image-js" ? await import(pathToFileURL(path).href) : from(name);
    return { module, title: `${name} ${JSON.parse(text).version}` };
  } catch (error) {
    found.push({ name, mode: "labels", reason: String(error.message).split("\n")[0] });
    return undefined;
  }
}

if (operation === "label" && deep === undefined) {
  const images = await load("image-js");
  if (images) {
    const { Mask, fromMask } = images.module;
    const mask = new Mask(width, height, { data: data.map((value) => (value ? 1 : 0)) });
    await timed(images.title, "table", () =>
      fromMask(mask, { allowCorners: true })
        .getRois({ kind: "white" })
        .map(({ surface, centroid }) => [surface, centroid]),
    );
  }
  const opencv = await load("@techstark/opencv-js");
  if (opencv) {
    const cv = await opencv.module;
    const image = new cv.Mat(height, width, cv.CV_8UC1);
    image.data.set(data);
    const into = new Int32Array(width * height);
    await timed(`${opencv.title} (WebAssembly)`, "labels", () => {
      const labels = new cv.Mat();
      cv.connectedComponents(image, labels, 8, cv.CV_32S);
      into.set(labels.data32S);
      labels.delete();
    });
    await timed(`${opencv.title} (WebAssembly)`, "table", () => {
      const [labels, stats, centroids] = [new cv.Mat(), new cv.Mat(), new cv.Mat()];
      cv.connectedComponentsWithStats(image, labels, stats, centroids, 8, cv.CV_32S);
      for (const matrix of [labels, stats, centroids]) matrix.delete();
    });
  }
}
console.log(JSON.stringify(found));
process.exit(0);

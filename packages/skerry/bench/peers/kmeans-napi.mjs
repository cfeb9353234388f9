// The colours of @napi-rs/image, which takes PNG files and gives such files. argv: file of RGB bytes, width, height, k, and the folder
// whose node_modules has it. Prints the time of a call, decoding and encoding included, and the sum of squared differences.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { measure } from "./measure.mjs";

const [file, ...rest] = process.argv.slice(2);
const [width, height, colors] = rest.slice(0, 3).map(Number);
const { Transformer, pngQuantizeSync } = createRequire(join(resolve(rest[3]), "package.json"))("@napi-rs/image");
const data = new Uint8Array(readFileSync(file));
const rgba = new Uint8Array(width * height * 4).fill(255);
for (let i = 0; i < width * height; i++) rgba.set(data.subarray(i * 3, i * 3 + 3), i * 4);
const png = Transformer.fromRgbaPixels(rgba, width, height).pngSync();
let made;
const results = () => {
  const pixels = new Transformer(made).rawPixelsSync();
  const channels = pixels.length / (width * height);
  let inertia = 0;
  for (let i = 0; i < data.length; i++) inertia += (pixels[Math.floor(i / 3) * channels + (i % 3)] - data[i]) ** 2;
  return { inertia };
};
await measure(
  ["all"],
  async (lap) => {
    // A least quality above 0 makes it choose other numbers of colours.
    made = pngQuantizeSync(png, { colors, speed: 5, minQuality: 0, maxQuality: 100 });
    lap();
  },
  5,
  results,
);

// Writes the picture of docs/shapes.md: `node scripts/docs/shapes.mjs`. It has the outlines, convex hulls, smallest rectangles
// and inscribed circles of the objects in the coins, over the photograph.

import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { open } from "skerry";

const SCALE = 3;
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const photo = sharp(here("../../samples/coins.png")).toColourspace("b-w");
const { data, info } = await photo.raw().toBuffer({ resolveWithObject: true });
const { width, height } = info;
const engine = await open({ device: "cpu" });
const coins = await engine.components({ data, width, height }, { threshold: "otsu", minArea: 60, clearBorder: true });
const { points, rings, count, label } = await coins.outlines({ tolerance: 0.8 });
const { convexHull, minimumRectangle, inscribed, solidity } = await coins.regions({
  properties: ["convexHull", "minimumRectangle", "inscribed", "solidity"],
});

const path = (corners) => {
  const pairs = Array.from({ length: corners.length / 2 }, (_, i) => `${corners[2 * i]} ${corners[2 * i + 1]}`);
  return `M${pairs.join("L")}z`;
};
const drawn = [];
for (let ring = 0; ring < count; ring++) {
  drawn.push(`<path d="${path(points.subarray(rings[ring], rings[ring + 1]))}" stroke="#00d8ff"/>`);
}
for (let i = 0; i < coins.count; i++) {
  const hull = convexHull.points.subarray(convexHull.offsets[i], convexHull.offsets[i + 1]);
  drawn.push(`<path d="${path(hull)}" stroke="#ffe14d"/>`);
  const [x, y, length, breadth, angle] = minimumRectangle.subarray(5 * i, 5 * i + 5);
  // The angle lies between the y axis and the length.
  const turn = 90 - (angle * 180) / Math.PI;
  const corner = `x="${-length / 2}" y="${-breadth / 2}" width="${length}" height="${breadth}"`;
  drawn.push(`<rect ${corner} transform="translate(${x} ${y}) rotate(${turn})" stroke="#ff5a4d"/>`);
  // Circles are about pixel centres, which lie half a pixel after the corners that the drawing counts from.
  const [radius, cx, cy] = inscribed.subarray(3 * i, 3 * i + 3);
  drawn.push(`<circle cx="${cx + 0.5}" cy="${cy + 0.5}" r="${radius}" stroke="#5dff7a"/>`);
}
const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width * SCALE}" height="${height * SCALE}"><g fill="none" stroke-width="0.7">${drawn.join("")}</g></svg>`;
const big = await sharp(data, { raw: { width, height, channels: 1 } })
  .resize(width * SCALE, height * SCALE, { kernel: "nearest" })
  .toColourspace("srgb")
  .png()
  .toBuffer();
await sharp(big)
  .composite([{ input: Buffer.from(svg) }])
  .webp({ quality: 60 })
  .toFile(here("../../docs/images/shapes.webp"));
console.log(
  `${coins.count} objects in ${new Set(label).size} outlines, solidity ${Math.min(...solidity).toFixed(2)} or more`,
);
await engine.close();

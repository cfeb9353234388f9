// Renders the pictures of docs/algorithms.md, and the board of docs/tour.md, from runs of the built library and command.
//
//     npm run pictures

import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { open } from "skerry";

const root = fileURLToPath(new URL("../..", import.meta.url));
const images = join(root, "docs/images");
const command = join(root, "packages/cli/bin/skerry.js");
const scratch = await mkdtemp(join(tmpdir(), "skerry-"));
await mkdir(images, { recursive: true });

/** Writes an input and its overlay side by side. */
async function pair(name, options) {
  const input = `samples/${name}.png`;
  const overlay = join(scratch, `${name}.png`);
  execFileSync(process.execPath, [command, "label", join(root, input), ...options, "--overlay", overlay, "--quiet"]);
  const { width, height } = await sharp(overlay).metadata();
  const gap = 8;
  await sharp({ create: { width: 2 * width + gap, height, channels: 4, background: "#00000000" } })
    .composite([
      { input: join(root, input), left: 0, top: 0 },
      { input: overlay, left: width + gap, top: 0 },
    ])
    .png({ palette: true, colours: 192, compressionLevel: 9 })
    .toFile(join(images, `${name}.png`));
}

/** The first picture of README: the coins, and what the command below it finds. */
const COINS = ["--flatten", "40", "--fill-holes", "--min-area", "200"];

const CELL = 16;
const CROP = { left: 80, top: 212, width: 46, height: 24 };
/** Colours of components, far apart. */
const hue = (label) => `hsl(${Math.round((label * 137.508) % 360)} 70% 52%)`;

/** Draws the stages of one run, on a corner of the cells at half size. */
async function stages() {
  const { data, info } = await sharp(join(root, "samples/cells.png"))
    .resize({ width: 256 })
    .toColourspace("b-w")
    .extract({ left: Math.round(CROP.left / 2), top: Math.round(CROP.top / 2), width: CROP.width, height: CROP.height })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const engine = await open();
  const found = await engine.components({ data: new Uint8Array(data), width, height }, { threshold: "otsu" });
  const { bits } = await found.mask();
  const { row, begin, end, label, count } = await found.runs();
  const { data: labels } = await found.labels();
  await engine.close();

  const square = (x, y, fill, extra = "") =>
    `<rect x="${x * CELL}" y="${y * CELL}" width="${CELL - 1}" height="${CELL - 1}" fill="${fill}" ${extra}/>`;
  const text = (x, y, value, fill = "#fff") =>
    `<text x="${x * CELL}" y="${y * CELL}" font-family="DejaVu Sans, Verdana, sans-serif" font-size="9" fill="${fill}" text-anchor="middle" dominant-baseline="central">${value}</text>`;
  const each = (draw) =>
    Array.from({ length: width * height }, (_, i) => draw(i % width, Math.floor(i / width), i)).join("");
  const bar = (i, fill) =>
    `<rect x="${begin[i] * CELL + 1}" y="${row[i] * CELL + 2}" width="${(end[i] - begin[i]) * CELL - 3}" height="${CELL - 5}" rx="5" fill="${fill}"/>`;
  const middle = (i) => (begin[i] + end[i]) / 2;
  const links = [];
  for (let i = 0; i < count; i++) {
    for (let j = 0; j < i; j++) {
      if (row[j] !== row[i] - 1 || begin[j] >= end[i] || begin[i] >= end[j]) continue;
      const x = ((Math.max(begin[i], begin[j]) + Math.min(end[i], end[j])) / 2) * CELL;
      links.push(
        `<line x1="${x}" x2="${x}" y1="${row[j] * CELL + 8}" y2="${row[i] * CELL + 8}" stroke="#fff" stroke-width="3"/>`,
      );
    }
  }
  const ground = each((x, y) => square(x, y, "#1b2330"));
  const isSet = (x, y) => (bits[y * Math.ceil(width / 32) + (x >> 5)] >>> (x & 31)) & 1;
  const drawings = {
    "stage-1-pixels": each((x, y, i) => square(x, y, `rgb(${data[i]},${data[i]},${data[i]})`)),
    "stage-2-bits": each((x, y) => square(x, y, isSet(x, y) ? "#e8ecf1" : "#1b2330")),
    "stage-3-runs": ground + Array.from(row, (_, i) => bar(i, "#4f7fd6") + text(middle(i), row[i] + 0.48, i)).join(""),
    "stage-4-joined": ground + Array.from(row, (_, i) => bar(i, hue(label[i]))).join("") + links.join(""),
    "stage-5-labels":
      ground + each((x, y, i) => (labels[i] ? square(x, y, hue(labels[i])) + text(x + 0.5, y + 0.48, labels[i]) : "")),
  };
  for (const [name, drawing] of Object.entries(drawings)) {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width * CELL}" height="${height * CELL}"><rect width="100%" height="100%" fill="#0d1117"/>${drawing}</svg>`;
    await sharp(Buffer.from(svg))
      .png({ palette: true, colours: 64, compressionLevel: 9 })
      .toFile(join(images, `${name}.png`));
  }
}

await pair("board", ["--threshold", "outside:70..190", "--connectivity", "8", "--min-area", "5"]);
await pair("coins", COINS);
await stages();
await rm(scratch, { recursive: true });

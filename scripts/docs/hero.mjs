// Makes the first pictures of README from samples/hubble_deep_field.jpg: the overlay of the command below them, and an
// animation of the threshold and the count.
//
//     node scripts/docs/hero.mjs

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { palette } from "@skerry/files";
import { COLOURS, glyphRows, textWidth } from "@skerry/files/internal";
import sharp from "sharp";
import { open } from "skerry";

const root = fileURLToPath(new URL("../..", import.meta.url));
const sample = join(root, "samples/hubble_deep_field.jpg");
const images = join(root, "docs/images");

/** The still picture: the command's overlay, as a JPEG. */
async function still() {
  const scratch = mkdtempSync(join(tmpdir(), "skerry-"));
  const overlay = join(scratch, "overlay.png");
  const options = ["label", sample, "--threshold", ">60", "--min-area", "6", "--overlay", overlay, "--quiet"];
  execFileSync(process.execPath, [join(root, "packages/cli/bin/skerry.js"), ...options]);
  await sharp(overlay).jpeg({ quality: 86, mozjpeg: true }).toFile(join(images, "hero.jpg"));
  rmSync(scratch, { recursive: true });
}

const WIDTH = 640;
const STEPS = 22;
/** Thresholds from 210 down to 42, where the sky's noise begins, in steps of equal ratio. */
const THRESHOLDS = Array.from({ length: STEPS }, (_, i) => Math.round(210 * (42 / 210) ** (i / (STEPS - 1))));
const HELD = 60;

async function animation() {
  const { data, info } = await sharp(sample).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const raster = { data: new Uint8Array(data), width, height, channels: 3 };
  const luma = Uint8Array.from({ length: width * height }, (_, i) => {
    return (77 * data[3 * i] + 150 * data[3 * i + 1] + 29 * data[3 * i + 2] + 128) >> 8;
  });
  const colours = palette();
  const engine = await open();
  const frames = [];
  for (const above of THRESHOLDS) {
    const found = await engine.components(raster, { threshold: { above }, minArea: 6 });
    const { data: labels } = await found.labels();
    // An object keeps its colour from frame to frame: that of its brightest pixel.
    const brightest = new Int32Array(found.count + 1).fill(-1);
    for (let i = 0; i < labels.length; i++) {
      const best = brightest[labels[i]];
      if (labels[i] && (best < 0 || luma[i] > luma[best])) brightest[labels[i]] = i;
    }
    const rgb = Uint8Array.from(data);
    for (let i = 0; i < labels.length; i++) {
      if (labels[i] === 0) continue;
      const colour = ((brightest[labels[i]] * 7919) % COLOURS) * 3;
      for (let c = 0; c < 3; c++) rgb[3 * i + c] = 0.35 * data[3 * i + c] + 0.65 * colours[colour + c];
    }
    const small = sharp(rgb, { raw: { width, height, channels: 3 } }).resize({ width: WIDTH });
    const frame = await small.raw().toBuffer({ resolveWithObject: true });
    write(frame, `above ${above}`, `${found.count} objects`);
    found.dispose();
    frames.push(frame);
  }
  await engine.close();
  const order = [...frames.keys(), ...[...frames.keys()].slice(1, -1).reverse()];
  const size = { width: WIDTH, height: frames[0].info.height };
  const stack = Buffer.concat(order.map((i) => frames[i].data));
  const delay = order.map((i) => (Math.abs(THRESHOLDS[i] - HELD) < 3 ? 1200 : 140));
  await sharp(stack, {
    raw: { width: size.width, height: size.height * order.length, channels: 3, pageHeight: size.height },
  })
    .webp({ quality: 62, effort: 6, delay, loop: 0 })
    .toFile(join(images, "hero.webp"));
}

/** Two lines of text in the corner, on a dark plate. */
function write({ data, info }, ...lines) {
  const zoom = 3;
  const [left, top] = [14, 14];
  const plate = { width: Math.max(...lines.map(textWidth)) * zoom + 16, height: lines.length * 10 * zoom + 8 };
  for (let y = top - 8; y < top - 8 + plate.height; y++) {
    for (let x = left - 8; x < left - 8 + plate.width; x++) {
      for (let c = 0; c < 3; c++) data[(y * info.width + x) * 3 + c] *= 0.25;
    }
  }
  lines.forEach((line, n) => {
    glyphRows(line).forEach((row, y) => {
      [...row].forEach((cell, x) => {
        if (cell !== "#") return;
        for (let dy = 0; dy < zoom; dy++) {
          const at = ((top + (n * 10 + y) * zoom + dy) * info.width + left + x * zoom) * 3;
          data.fill(240, at, at + 3 * zoom);
        }
      });
    });
  });
}

await still();
await animation();

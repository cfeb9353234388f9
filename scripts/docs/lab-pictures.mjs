// Screenshots of the page, by a real browser: of each tool, docs/images/lab-objects.png, lab-fill.png, lab-distance.png and lab-colours.png, of a
// volume, lab-volume.webp, and at five sizes, lab-sizes.webp.
//
//     node scripts/docs/lab-pictures.mjs

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { fillOf, MemoryOutput, spaceOf, writeNifti } from "@skerry/files";
import { chromium } from "playwright-core";
import sharp from "sharp";

const root = fileURLToPath(new URL("../..", import.meta.url));
const served = spawn(process.execPath, [`${root}packages/cli/bin/skerry.js`, "lab", "--no-open"]);
const address = await new Promise((resolve) => served.stdout.once("data", (line) => resolve(String(line).trim())));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--use-angle=swiftshader"],
});
const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
const settled = () => page.waitForFunction(() => document.documentElement.dataset.settled === "true");
await page.goto(address);
await page.locator(".object").first().waitFor();
// The curve of counts is computed while the page is idle.
await page.waitForTimeout(8000);
await page.mouse.move(622, 394);
await page.waitForTimeout(500);
await page.screenshot({ path: `${root}docs/images/lab-objects.png` });
await page.getByLabel("Sample: coffee").click();
await page.waitForFunction(() => document.querySelector(".source")?.textContent === "coffee");
await settled();
await page.keyboard.press("p");
await settled();
const box = await page.locator("canvas.picture").boundingBox();
await page.mouse.click(box.x + box.width * 0.7, box.y + box.height * 0.62);
await settled();
await page.waitForTimeout(2000);
await page.screenshot({ path: `${root}docs/images/lab-fill.png` });
const tool = async (name) => {
  await page.locator("nav").getByRole("button", { name, exact: true }).click();
  await settled();
};
await page.getByLabel("Sample: cells").click();
await page.waitForFunction(() => document.querySelector(".source")?.textContent === "cells");
await tool("Distance");
await page.getByLabel("Lines every").fill("10");
await page.mouse.move(560, 240);
await page.waitForTimeout(1000);
await page.screenshot({ path: `${root}docs/images/lab-distance.png` });
await page.getByLabel("Sample: coffee").click();
await page.waitForFunction(() => document.querySelector(".source")?.textContent === "coffee");
await tool("Colours");
await page.waitForTimeout(8000);
await page.screenshot({ path: `${root}docs/images/lab-colours.png` });

/** A made-up head: skin, skull, brain with folds and ventricles, and a few spots, in a patient's place. */
async function head() {
  const [width, height, depth] = [132, 160, 120];
  const data = new Uint8Array(width * height * depth);
  let seed = 1;
  for (let i = 0; i < data.length; i++) {
    const [x, y, z] = [(i % width) - 66, (Math.floor(i / width) % height) - 80, Math.floor(i / width / height) - 60];
    const far = Math.hypot(x / 60, y / 74, z / 56);
    const fold = 0.03 * Math.sin(x / 4) * Math.sin(y / 5) * Math.sin(z / 4);
    const isHollow = Math.hypot((Math.abs(x) - 9) / 7, y / 24, (z - 4) / 9) < 1;
    const isSpot = [
      [30, 20, 10],
      [-24, -30, 6],
      [12, 40, -12],
    ].some(([a, b, c]) => Math.hypot(x - a, y - b, z - c) < 5);
    const value =
      far > 1 ? 4 : far > 0.93 ? 130 : far > 0.86 ? 26 : isHollow ? 22 : isSpot ? 225 : far + fold > 0.74 ? 92 : 142;
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    data[i] = value + (seed >>> 28);
  }
  const size = { width, height, depth };
  const toWorld = [
    [-1.4, 0, 0, 92],
    [0, 1.2, 0, -96],
    [0, 0, 1.5, -90],
  ];
  const crs = { kind: "patient", version: 1, sform: 1 };
  const space = spaceOf({ size, spacing: [1.4, 1.2, 1.5], unit: "mm", toWorld, crs });
  const file = new MemoryOutput();
  await writeNifti(file, { ...size, type: "u8", space }, fillOf(data, size));
  return Buffer.from(file.bytes());
}
const files = page.locator('header input[type="file"]');
await files.setInputFiles({ name: "head.nii", mimeType: "application/octet-stream", buffer: await head() });
await page.locator('[data-dialog="Volume"]').click();
await page.locator('.volume input[name="threshold"]').fill("110");
await page.locator(".volume td button").first().click();
await page.waitForTimeout(3000);
await sharp(await page.screenshot())
  .webp({ quality: 80 })
  .toFile(`${root}docs/images/lab-volume.webp`);

/** Windows: a desk, a laptop, a tablet, a phone, and a laptop at 200 %, each with its place in the picture. */
const SIZES = [
  [1440, 900, 1, 0, 0],
  [1280, 800, 1, 1464, 0],
  [640, 400, 2, 1464, 824],
  [768, 1024, 1, 0, 924],
  [390, 760, 1, 792, 924],
];
const shots = [];
for (const [width, height, deviceScaleFactor, left, top] of SIZES) {
  const other = await browser.newPage({ viewport: { width, height }, deviceScaleFactor });
  await other.goto(address);
  await other.locator(".object").first().waitFor();
  await other.waitForTimeout(6000);
  shots.push({ input: await other.screenshot(), left, top });
  await other.close();
}
const canvas = { width: 2744, height: 1948, channels: 3, background: "#888" };
const board = await sharp({ create: canvas }).composite(shots).png().toBuffer();
await sharp(board).resize(1372).webp({ quality: 80 }).toFile(`${root}docs/images/lab-sizes.webp`);
await browser.close();
served.kill();

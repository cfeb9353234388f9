// Screenshots of the page, by a real browser: of each tool, docs/images/lab-objects.png, lab-fill.png, lab-distance.png and lab-colours.png, and at
// five sizes, lab-sizes.webp.
//
//     node scripts/docs/lab-pictures.mjs

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
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

// The first visit over a slow line, what it loads, and the longest tasks of the page with a quarter of a million objects: hover with the
// scatter open, sorting, scrolling. `npm run bench:lab` runs it after the drags.

import { cpus } from "node:os";
import { gzipSync } from "node:zlib";
import { random } from "@skerry/scenes";
import sharp from "sharp";
import { slowLine } from "./line.mjs";
import { address, browser, counted, open, served, settled } from "./page.mjs";

/** A first visit at 1.6 Mbit/s and 150 ms: when something of the picture is seen, and when objects are coloured. */
async function slowVisit() {
  const line = await slowLine(address, 1.6e6 / 8, 150);
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, serviceWorkers: "block" });
  const page = await context.newPage();
  const begin = performance.now();
  await page.goto(`${line.address}?device=cpu`, { waitUntil: "commit" });
  await page.waitForFunction(
    () => document.querySelector("img")?.complete && document.querySelector("img").naturalWidth > 0,
  );
  const seen = performance.now() - begin;
  await counted(page);
  const coloured = performance.now() - begin;
  await context.close();
  line.close();
  return { seen, coloured };
}

/** Bytes of the page's own code, packed, that a first visit loads until the galaxies are coloured, or until the table is there. */
async function firstLoad(device, isWhole) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, serviceWorkers: "block" });
  const page = await context.newPage();
  const sizes = [];
  page.on("response", async (response) => {
    if (!/\.(js|css|html|wasm)$|\/(\?.*)?$/.test(response.url())) return;
    sizes.push(response.body().then((body) => gzipSync(body).length));
  });
  await page.goto(`${address}?device=${device}`);
  if (isWhole) {
    await settled(page);
    await page.waitForTimeout(500);
  } else await counted(page);
  const all = await Promise.all(sizes);
  await context.close();
  return all.reduce((sum, size) => sum + size, 0);
}

/** Specks at random: some 276 000 objects. */
async function specks() {
  const [width, height] = [3000, 3000];
  const next = random(3);
  const data = Buffer.alloc(width * height, 10);
  for (let y = 1; y < height - 3; y += 5) {
    for (let x = 1; x < width - 3; x += 5) {
      if (next() >>> 24 < 58) continue;
      const size = 1 + ((next() >>> 8) % 3);
      for (let dy = 0; dy < size; dy++)
        data.fill(120 + ((next() >>> 8) % 120), (y + dy) * width + x, (y + dy) * width + x + size);
    }
  }
  return sharp(data, { raw: { width, height, channels: 1 } })
    .toColourspace("b-w")
    .png()
    .toBuffer();
}

async function longTasks() {
  const page = await open(`${address}?device=cpu`, { width: 1280, height: 900 });
  await page.locator('input[type="file"]').setInputFiles({ name: "specks.png", mimeType: "", buffer: await specks() });
  await page.waitForFunction(() => document.querySelector(".source")?.textContent === "specks.png");
  await settled(page);
  await page.getByText("Filter and plot").click();
  await page.waitForTimeout(4000);
  const count = Number((await page.getByTestId("count").textContent()).replace(/\D/g, ""));
  const longest = async (what, work) => {
    await page.evaluate(() => {
      globalThis.longTasks.length = 0;
    });
    await work();
    await page.waitForTimeout(500);
    const tasks = await page.evaluate(() => globalThis.longTasks);
    rows.push({ what: `${what}, ${count} objects: longest task, ms`, asked: 50, measured: Math.max(0, ...tasks) });
  };
  const scatter = page.locator(".scatter canvas").last();
  await scatter.scrollIntoViewIfNeeded();
  const box = await scatter.boundingBox();
  await longest("hover over the scatter", async () => {
    for (let i = 0; i < 40; i++) await page.mouse.move(box.x + 50 + i * 5, box.y + 30 + ((i * 7) % 90));
  });
  const canvas = await page.locator("canvas.picture").boundingBox();
  await longest("hover over the picture, scatter open", async () => {
    for (let i = 0; i < 40; i++) await page.mouse.move(canvas.x + 200 + i * 5, canvas.y + 200);
  });
  const table = page.locator(".table");
  await table.scrollIntoViewIfNeeded();
  await longest("sorting", async () => {
    for (const name of ["x", "mean", "area"]) {
      await table.locator(".head button").filter({ hasText: name }).first().click();
      await page.waitForTimeout(700);
    }
  });
  await longest("scrolling the table", async () => {
    for (let i = 0; i < 20; i++) {
      await table.evaluate((node, top) => {
        node.scrollTop = top;
      }, i * 9000);
      await page.waitForTimeout(30);
    }
  });
  await page.close();
}

const rows = [];
try {
  for (const visit of ["the first page of the browser", "a later page", "a later page"]) {
    const { seen, coloured } = await slowVisit();
    rows.push({ what: `1.6 Mbit/s, 150 ms, ${visit}: something of the picture, ms`, asked: 1000, measured: seen });
    rows.push({ what: `1.6 Mbit/s, 150 ms, ${visit}: coloured galaxies, ms`, asked: 5000, measured: coloured });
  }
  for (const isWhole of [false, true]) {
    const what = `code of a first visit without a GPU until ${isWhole ? "the table is there" : "objects are coloured"}, kB gz`;
    rows.push({ what, asked: 200, measured: (await firstLoad("cpu", isWhole)) / 1000 });
  }
  await longTasks();
  console.log(
    `${cpus()[0].model}, ${cpus().length} cores, Node ${process.versions.node}, Chromium ${browser.version()}`,
  );
  console.log("| what | asked | measured |\n| --- | ---: | ---: |");
  for (const { what, asked, measured } of rows) console.log(`| ${what} | ${asked} | ${measured.toFixed(0)} |`);
} finally {
  await browser.close();
  served.kill();
}

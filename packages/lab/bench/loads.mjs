// The first visit over a slow line, what it loads, and the longest tasks of the page with a quarter of a million objects: hover with the
// scatter open, sorting, scrolling, drags. `npm run bench:lab` runs it after the drags; with `visits` or `tasks` it measures only these.

import { cpus } from "node:os";
import { gzipSync } from "node:zlib";
import { slowLine } from "./line.mjs";
import { address, browser, counted, open, served, settled } from "./page.mjs";
import { png, smooth, specks } from "./pictures.mjs";

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

/** The longest task of the page's thread during some work, as a row. */
async function longest(page, what, work) {
  await page.evaluate(() => {
    globalThis.longTasks.length = 0;
  });
  await work();
  await page.waitForTimeout(500);
  const tasks = await page.evaluate(() => globalThis.longTasks);
  rows.push({ what: `${what}: longest task, ms`, asked: 50, measured: Math.max(0, ...tasks) });
}

/** Presses at a place and moves on in steps of 16 ms. */
async function drag(page, [x, y], [dx, dy], steps) {
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let i = 1; i <= steps; i++) {
    await page.mouse.move(x + i * dx, y + i * dy);
    await page.waitForTimeout(16);
  }
  await page.mouse.up();
}

async function opened(name, buffer) {
  // Not as a page of the bench, which waits for software to draw.
  const page = await open(`${address}?device=cpu`, { width: 1280, height: 900 });
  await page.locator('input[type="file"]').setInputFiles({ name, mimeType: "", buffer });
  await page.waitForFunction((wanted) => document.querySelector(".source")?.textContent === wanted, name);
  await settled(page);
  return page;
}

/** Drags of the threshold, the divider, the picture and a fill. */
async function drags(page, of) {
  const chart = await page.locator(".chart").first().boundingBox();
  const canvas = await page.locator("canvas.picture").boundingBox();
  const at = (x, y) => [canvas.x + canvas.width * x, canvas.y + canvas.height * y];
  await longest(page, `drag of the threshold, ${of}`, () =>
    drag(page, [chart.x + chart.width * 0.4, chart.y + chart.height / 2], [1, 0], 60),
  );
  await settled(page);
  await longest(page, `drag of the divider, ${of}`, () => drag(page, at(0.5, 0.5), [2, 0], 60));
  await page.keyboard.down("Space");
  await longest(page, `drag of the picture, ${of}`, () => drag(page, at(0.7, 0.3), [-2, 1], 60));
  await page.keyboard.up("Space");
  await page.getByRole("button", { name: "Fill", exact: true }).click();
  await settled(page);
  await longest(page, `drag of a fill, ${of}`, () => drag(page, at(0.7, 0.4), [1, 0], 60));
  await settled(page);
}

async function longTasks() {
  const [width, height] = [4000, 3000];
  const cells = await opened("cells.png", await png(smooth(width, height), width, height));
  await drags(cells, "12 Mpx");
  await cells.close();
  const page = await opened("specks.png", await specks());
  await page.getByText("Filter and plot").click();
  await page.waitForTimeout(4000);
  const count = Number((await page.getByTestId("count").textContent()).replace(/\D/g, ""));
  const objects = `${count} objects`;
  const scatter = page.locator(".scatter canvas").last();
  await scatter.scrollIntoViewIfNeeded();
  const box = await scatter.boundingBox();
  await longest(page, `hover over the scatter, ${objects}`, async () => {
    for (let i = 0; i < 40; i++) await page.mouse.move(box.x + 50 + i * 5, box.y + 30 + ((i * 7) % 90));
  });
  const canvas = await page.locator("canvas.picture").boundingBox();
  await longest(page, `hover over the picture, scatter open, ${objects}`, async () => {
    for (let i = 0; i < 40; i++) await page.mouse.move(canvas.x + 200 + i * 5, canvas.y + 200);
  });
  const table = page.locator(".table");
  await table.scrollIntoViewIfNeeded();
  await longest(page, `sorting, ${objects}`, async () => {
    for (const name of ["x", "mean", "area"]) {
      await table.locator(".head button").filter({ hasText: name }).first().click();
      await page.waitForTimeout(700);
    }
  });
  await longest(page, `scrolling the table, ${objects}`, async () => {
    for (let i = 0; i < 20; i++) {
      await table.evaluate((node, top) => {
        node.scrollTop = top;
      }, i * 9000);
      await page.waitForTimeout(30);
    }
  });
  await page.locator(".chart").first().scrollIntoViewIfNeeded();
  await drags(page, objects);
  await page.close();
}

/** First visits over the slow line, and what they load. */
async function visits() {
  for (const visit of ["the first page of the browser", "a later page", "a later page"]) {
    const { seen, coloured } = await slowVisit();
    rows.push({ what: `1.6 Mbit/s, 150 ms, ${visit}: something of the picture, ms`, asked: 1000, measured: seen });
    rows.push({ what: `1.6 Mbit/s, 150 ms, ${visit}: coloured galaxies, ms`, asked: 5000, measured: coloured });
  }
  for (const isWhole of [false, true]) {
    const what = `code of a first visit without a GPU until ${isWhole ? "the table is there" : "objects are coloured"}, kB gz`;
    rows.push({ what, asked: 200, measured: (await firstLoad("cpu", isWhole)) / 1000 });
  }
}

const rows = [];
try {
  const [wanted] = process.argv.slice(2);
  if (wanted !== "tasks") await visits();
  if (wanted !== "visits") await longTasks();
  console.log(
    `${cpus()[0].model}, ${cpus().length} cores, Node ${process.versions.node}, Chromium ${browser.version()}`,
  );
  console.log("| what | asked | measured |\n| --- | ---: | ---: |");
  for (const { what, asked, measured } of rows) console.log(`| ${what} | ${asked} | ${measured.toFixed(0)} |`);
} finally {
  await browser.close();
  served.kill();
}

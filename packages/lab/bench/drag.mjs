// How long the page takes from the handler of a pointer's event to the end of the draw that shows the result: median of 30 drags on
// images of several sizes, with threads and in one worker. `npm run bench:lab`, or with names of images
// after `--`; a bench, no test.
//
// The browser draws in software here, so the draw itself is dearer than on any GPU; the pixel that is read back waits for it.

import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { address, browser, counted, drop, measures, median, open, served, settled } from "./page.mjs";
import { noise, png, smooth } from "./pictures.mjs";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const DRAGS = 30;

const IMAGES = [
  { name: "2 Mpx", asked: 20, make: () => [smooth, 1920, 1080] },
  { name: "12 Mpx", asked: 33, fill: 33, make: () => [smooth, 4000, 3000] },
  { name: "4096 x 4096", asked: 33, make: () => [smooth, 4096, 4096] },
  { name: "100 Mpx", asked: 120, pans: 4, make: () => [smooth, 10000, 10000] },
  { name: "4096 x 4096 noise", asked: 300, make: () => [noise, 4096, 4096] },
];

const p95 = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length * 0.95)];
/** The measures of the results that a drag led to: waits for the first. */
async function arrived(page) {
  const known = () => performance.getEntriesByName("skerry:result").length > 0;
  await page.waitForFunction(known, undefined, { timeout: 30_000, polling: 20 });
  return measures(page, "skerry:result");
}

const wanted = process.argv.slice(2);
console.log(
  "| what | image | asked, ms | median, ms | 95 % | longest task, ms |\n| --- | --- | ---: | ---: | ---: | ---: |",
);
function add(what, image, asked, list, longest) {
  const cells = [what, image, asked, median(list)?.toFixed(1), p95(list)?.toFixed(1), longest?.toFixed(0) ?? ""];
  console.log(`| ${cells.join(" | ")} |`);
}

try {
  const first = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  const times = [];
  for (let i = 0; i < 5; i++) {
    const begin = performance.now();
    await first.goto(`${address}?device=cpu`, { waitUntil: "commit" });
    await counted(first);
    times.push(performance.now() - begin);
  }
  await first.close();
  add("navigation to coloured galaxies", "1000 x 872", 1500, times);
  for (const { name, asked, fill, pans, make } of IMAGES) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const [draw, width, height] = make();
    console.error(name);
    const page = await open(`${address}?device=cpu&bench`);
    await drop(page, "bench.png", await png(draw(width, height), width, height));
    await page.waitForTimeout(500);
    const chart = await page.locator(".chart").first().boundingBox();
    const [cx, cy] = [chart.x + chart.width * 0.45, chart.y + chart.height / 2];
    const canvas = await page.locator("canvas.picture").boundingBox();
    const [results, labels] = [[], []];
    await page.evaluate(() => {
      globalThis.longTasks.length = 0;
    });
    for (let i = 0; i < DRAGS; i++) {
      await page.mouse.move(cx, cy);
      await page.mouse.down();
      await page.mouse.move(cx + 6 + (i % 9) * 4, cy);
      await page.mouse.up();
      results.push(...(await arrived(page)));
      labels.push(...(await measures(page, "skerry:arrived")));
    }
    const longest = await page.evaluate(() => Math.max(0, ...globalThis.longTasks));
    add("threshold drag", name, asked, results, longest);
    add("of that until the window of labels is there", name, "", labels);
    const hovers = [];
    for (let i = 0; i < 60; i++) {
      await page.mouse.move(canvas.x + canvas.width * 0.6 + (i % 17) * 11, canvas.y + 100 + i * 5);
      hovers.push(...(await measures(page, "skerry:hover")));
    }
    add("hover to outline", name, 8, hovers);
    if (pans) {
      const before = await page.evaluate(() => globalThis.skerryBench.uploaded());
      await measures(page, "skerry:frame");
      for (let i = 0; i < 3; i++) await page.keyboard.press("+");
      await page.locator("canvas.picture").focus();
      for (let i = 0; i < 30; i++) await page.keyboard.press(i % 6 ? "Shift+ArrowRight" : i % 4 ? "+" : "-");
      await settled(page);
      add("JavaScript of a frame of panning and zooming", name, pans, await measures(page, "skerry:frame"));
      const after = await page.evaluate(() => globalThis.skerryBench.uploaded());
      if (after !== before) throw new Error(`expected no new upload of tiles, got ${after - before} bytes`);
    }
    if (fill) {
      await page.getByRole("button", { name: "Fill", exact: true }).click();
      await settled(page);
      const fills = [];
      for (let i = 0; i < DRAGS; i++) {
        const [x, y] = [canvas.x + canvas.width * 0.7 + (i % 5) * 20, canvas.y + canvas.height * 0.3 + (i % 7) * 20];
        await page.mouse.move(x, y);
        await page.mouse.down();
        await arrived(page);
        await page.mouse.move(x + (i % 2 ? -16 : 16), y);
        await page.mouse.up();
        fills.push(...(await arrived(page)));
      }
      add("fill drag", name, fill, fills);
    }
    await page.close();
  }
  // Nothing stays behind after many changes.
  const page = await open(`${address}?device=cpu&bench`);
  const memory = () => page.evaluate(() => globalThis.skerryBench.memory());
  const slider = page.getByRole("slider", { name: "Threshold", exact: true });
  await slider.focus();
  await page.keyboard.press("ArrowRight");
  await settled(page);
  await page.waitForTimeout(6000);
  const before = await memory();
  for (let i = 0; i < 1000; i++) await page.keyboard.press(i % 2 ? "ArrowRight" : "ArrowLeft");
  await settled(page);
  await page.waitForTimeout(6000);
  const after = await memory();
  console.log(
    `\n${new Date().toISOString().slice(0, 10)}, ${cpus().length} x ${cpus()[0]?.model}, ${JSON.parse(readFileSync(`${root}node_modules/playwright-core/package.json`, "utf8")).version}, Chromium ${browser.version()}, software drawing`,
  );
  console.log(`memory in use before and after 1000 changes: ${before.used} and ${after.used} bytes\n`);
} finally {
  await browser.close();
  served.kill();
}

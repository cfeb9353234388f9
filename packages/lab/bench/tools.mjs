// How long distances, colours and the divider take on a photograph of 12 Mpx: from the handler of the event to the end of the draw that
// shows the result, with threads. `node packages/lab/bench/tools.mjs`; a bench, no test. The browser draws in software.

import { cpus } from "node:os";
import { random } from "@skerry/scenes";
import sharp from "sharp";
import { address, browser, measures, median, open, served, settled } from "./page.mjs";

const [width, height] = [4000, 3000];
const next = random(5);

/** Waves of three colours with noise, so that there are many colours. */
function photo() {
  const data = Buffer.alloc(width * height * 3);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const wave = Math.sin(x / 90) * Math.cos(y / 70);
      const grain = (next() >>> 28) & 15;
      data[at++] = 120 + 90 * wave + grain;
      data[at++] = 110 + 70 * Math.sin((x + y) / 130) + grain;
      data[at++] = 100 + 60 * Math.cos((x - y) / 110) + grain;
    }
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toBuffer();
}

function add(what, asked, list) {
  const cells = [what, asked, median(list)?.toFixed(1), Math.max(...list).toFixed(1), list.length];
  console.log(`| ${cells.join(" | ")} |`);
}

try {
  const { writeFileSync, mkdtempSync } = await import("node:fs");
  const { tmpdir } = await import("node:os");
  const file = `${mkdtempSync(`${tmpdir()}/skerry-bench-`)}/photo.png`;
  writeFileSync(file, await photo());
  const page = await open(`${address}?device=cpu&bench`);
  await page.locator('input[type="file"]').first().setInputFiles(file);
  await page.waitForFunction(() => document.querySelector(".source")?.textContent === "photo.png");
  await settled(page);
  const tool = async (name) => {
    await page.locator("nav").getByRole("button", { name, exact: true }).click();
    await settled(page);
  };
  console.log("| 12 Mpx | asked, ms | median, ms | most, ms | of |\n| --- | ---: | ---: | ---: | ---: |");

  await tool("Distance");
  await page.locator(".chart").first().waitFor();
  await page.waitForTimeout(1000);
  const chart = await page.locator(".chart").first().boundingBox();
  const maps = [];
  for (let i = 0; i < 15; i++) {
    await page.mouse.move(chart.x + chart.width * 0.45, chart.y + chart.height / 2);
    await page.mouse.down();
    await page.mouse.move(chart.x + chart.width * (0.47 + (i % 5) / 50), chart.y + chart.height / 2);
    await page.mouse.up();
    await page.waitForFunction(() => performance.getEntriesByName("skerry:arrived").length > 0);
    maps.push(...(await measures(page, "skerry:arrived")));
    await settled(page);
  }
  add("distance map in view after a move of the threshold, until it is drawn", 120, maps);
  await measures(page, "skerry:frame");
  for (let i = 1; i <= 12; i++) {
    await page.getByLabel("Lines every").fill(String(5 + i));
    await page.waitForTimeout(80);
  }
  add("another distance between lines, JavaScript of a frame", 16, await measures(page, "skerry:frame"));
  for (let i = 1; i <= 12; i++) {
    await page.getByLabel("to", { exact: true }).fill(String(20 + i));
    await page.waitForTimeout(80);
  }
  add("another range of colours, JavaScript of a frame", 16, await measures(page, "skerry:frame"));
  await measures(page, "skerry:hover");
  const canvas = await page.locator("canvas.picture").boundingBox();
  for (let i = 0; i < 40; i++) await page.mouse.move(canvas.x + 400 + i * 7, canvas.y + 120 + i * 9);
  add("hover to value and nearest pixel", 8, await measures(page, "skerry:hover"));

  await tool("Colours");
  const times = [];
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    await page.getByLabel("Seed").fill(String(seed));
    await settled(page);
    const text = await page.getByTestId("stages").textContent();
    const own = [...text.matchAll(/ ([\d.]+)(?=,| ms)/g)].map(([, ms]) => Number(ms));
    times.push(own.reduce((sum, ms) => sum + ms, 0));
  }
  add("k = 6, stages of the engine", 200, times);
  // The search for k has begun by now.
  await page.waitForTimeout(600);
  await measures(page, "skerry:hover");
  for (let i = 0; i < 40; i++) await page.mouse.move(canvas.x + 400 + i * 7, canvas.y + 120 + i * 9);
  add("hover while k is searched", 8, await measures(page, "skerry:hover"));

  await tool("Objects");
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await page.getByLabel("Smallest size").fill("200");
  await settled(page);
  await measures(page, "skerry:frame");
  const divider = page.locator('input[name="divider"]');
  await divider.focus();
  for (let i = 0; i < 30; i++) await page.keyboard.press(i % 10 < 5 ? "ArrowRight" : "ArrowLeft");
  await page.waitForTimeout(300);
  add("divider of two settings, JavaScript of a frame", 16, await measures(page, "skerry:frame"));
  console.log(
    `\n${new Date().toISOString().slice(0, 10)}, ${cpus().length} x ${cpus()[0]?.model}, Chromium ${browser.version()}`,
  );
} finally {
  await browser.close();
  served.kill();
}

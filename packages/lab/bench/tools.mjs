// How long distances, colours and the divider take on pictures of 12 Mpx: from the handler of the event to what the row says, first with
// threads, then on a page that is not isolated. `node packages/lab/bench/tools.mjs`; a bench, no test. The browser draws in software.

import { mkdtempSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { random } from "@skerry/scenes";
import sharp from "sharp";
import { address, browser, measures, median, open, served, settled } from "./page.mjs";

const [width, height] = [4000, 3000];
const next = random(5);

/** Waves of three colours with grain: 3.2 million colours, more than photographs have. */
function waves() {
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

/** A photograph, magnified, with grain: 567 000 colours. */
async function photograph() {
  const file = fileURLToPath(new URL("../../../samples/coffee.png", import.meta.url));
  const data = await sharp(file).removeAlpha().resize(width, height, { fit: "fill" }).raw().toBuffer();
  const uniform = () => (next() >>> 8) / 2 ** 24;
  for (let i = 0; i < data.length; i++) {
    const grain = 2 * Math.sqrt(-2 * Math.log(uniform() + 1e-9)) * Math.cos(2 * Math.PI * uniform());
    data[i] = Math.max(0, Math.min(255, Math.round(data[i] + grain)));
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toBuffer();
}

function add(what, asked, list) {
  const cells = [what, asked, median(list)?.toFixed(1), Math.max(...list).toFixed(1), list.length];
  console.log(`| ${cells.join(" | ")} |`);
}

const folder = mkdtempSync(`${tmpdir()}/skerry-bench-`);

async function opens(page, name) {
  await page.locator('input[type="file"]').first().setInputFiles(`${folder}/${name}`);
  await page.waitForFunction((wanted) => document.querySelector(".source")?.textContent === wanted, name);
  await settled(page);
}

/** Runs all rows. A page that is not isolated has one worker and no shared memory. */
async function measureTools(isIsolated) {
  const page = await open(`${address}?device=cpu&bench`, undefined, isIsolated);
  if ((await page.evaluate("crossOriginIsolated")) !== isIsolated) throw new Error("the page has the wrong isolation");
  await opens(page, "waves.png");
  const tool = async (name) => {
    await page.locator("nav").getByRole("button", { name, exact: true }).click();
    await settled(page);
  };
  console.log(`\n${isIsolated ? "with two threads" : "not isolated, one worker"}`);
  console.log("| 12 Mpx | asked, ms | median, ms | most, ms | of |\n| --- | ---: | ---: | ---: | ---: |");

  await tool("Distance");
  await page.locator(".chart").first().waitFor();
  await page.waitForTimeout(1000);
  const chart = await page.locator(".chart").first().boundingBox();
  const [maps, drawn] = [[], []];
  for (let i = 0; i < 15; i++) {
    await page.mouse.move(chart.x + chart.width * 0.45, chart.y + chart.height / 2);
    await page.mouse.down();
    await page.mouse.move(chart.x + chart.width * (0.47 + (i % 5) / 50), chart.y + chart.height / 2);
    await page.mouse.up();
    await page.waitForFunction(() => performance.getEntriesByName("skerry:result").length > 0);
    maps.push(...(await measures(page, "skerry:arrived")));
    drawn.push(...(await measures(page, "skerry:result")));
    await settled(page);
  }
  add("distances in view after a move of the threshold", 120, maps);
  add("the same, until software has drawn them", "", drawn);
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
  const times = async (name) => {
    await opens(page, name);
    const list = [];
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      await page.getByLabel("Seed").fill(String(seed));
      await settled(page);
      const text = await page.getByTestId("stages").textContent();
      const own = [...text.matchAll(/ ([\d.]+)(?=,| ms)/g)].map(([, ms]) => Number(ms));
      list.push(own.reduce((sum, ms) => sum + ms, 0));
    }
    return list;
  };
  add("k = 6, stages of the engine, a photograph with grain", 200, await times("photograph.png"));
  add("k = 6, stages of the engine, 3.2 million colours", 200, await times("waves.png"));
  // The search for k has begun by now.
  await page.waitForTimeout(600);
  await measures(page, "skerry:hover");
  for (let i = 0; i < 40; i++) await page.mouse.move(canvas.x + 400 + i * 7, canvas.y + 120 + i * 9);
  add("hover while k is searched", 8, await measures(page, "skerry:hover"));

  await tool("Objects");
  await opens(page, "photograph.png");
  /** Moves a slider, and measures until the labels are there, and until everything is counted. */
  const slides = async (name, values) => {
    const [views, wholes] = [[], []];
    await measures(page, "skerry:arrived");
    for (const value of values) {
      const whole = await page.evaluate(
        async ([own, next]) => {
          const slider = document.querySelector(`input[name="${own}"]`);
          const begin = performance.now();
          slider.value = next;
          slider.dispatchEvent(new Event("input", { bubbles: true }));
          const root = document.documentElement;
          for (const wanted of ["false", "true"]) {
            while (root.dataset.settled !== wanted && performance.now() - begin < 5000) {
              await new Promise((done) => setTimeout(done, 1));
            }
          }
          return performance.now() - begin;
        },
        [name, String(value)],
      );
      wholes.push(whole);
      await page.waitForFunction(() => performance.getEntriesByName("skerry:arrived").length > 0);
      views.push(...(await measures(page, "skerry:arrived")));
    }
    return { views, wholes };
  };
  await page.locator(".additions summary").click();
  await page.locator(".additions button", { hasText: "Smooth" }).click();
  await settled(page);
  const sigmas = await slides("smoothSlider", [1.5, 2, 2.5, 3, 2, 1.5, 2.5, 2, 3, 2]);
  add("sigma 1.5 to 3, Otsu: labels after a move", 60, sigmas.views);
  add("the same, until everything is counted", 250, sigmas.wholes);
  const flats = async () => {
    await page.locator('input[name="flattenOn"]').click();
    await settled(page);
    return slides("flattenSlider", [40, 45, 50, 60, 40, 45, 50, 60]);
  };
  const { views, wholes } = await flats();
  add("flattening of radius 40 to 60 as well: labels after a move", "", views);
  add("the same, until everything is counted", "", wholes);
  await page.locator('input[name="flattenOn"]').click();
  await page.locator('button[aria-label*="Smooth"].reset').click();
  await page.locator('select[name="method"]').selectOption("local");
  await settled(page);
  const radii = await slides("local", [12, 15, 20, 25, 12, 15, 20, 25]);
  add("Sauvola of radius 12 to 25: labels after a move", 80, radii.views);
  add("the same, until everything is counted", 250, radii.wholes);
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await page.getByLabel("Smallest size").fill("200");
  await settled(page);
  await measures(page, "skerry:frame");
  const divider = page.locator('input[name="divider"]');
  await divider.focus();
  for (let i = 0; i < 30; i++) await page.keyboard.press(i % 10 < 5 ? "ArrowRight" : "ArrowLeft");
  await page.waitForTimeout(300);
  add("divider of two settings, JavaScript of a frame", 16, await measures(page, "skerry:frame"));
  await page.close();
}

try {
  writeFileSync(`${folder}/waves.png`, await waves());
  writeFileSync(`${folder}/photograph.png`, await photograph());
  for (const isIsolated of [true, false]) await measureTools(isIsolated);
  console.log(
    `\n${new Date().toISOString().slice(0, 10)}, ${cpus().length} x ${cpus()[0]?.model}, Chromium ${browser.version()}`,
  );
} finally {
  await browser.close();
  served.kill();
}

// How long a correction by hand takes on the page, in a picture of 12 megapixels with thousands of objects, two cores, drawn in software:
// from a move of the pointer to the frame that shows the stroke; from its end to the frame with the result and its count, and until the
// table is measured. `node packages/lab/bench/hand.mjs`

import { address, browser, drop, measures, median, open, served, settled } from "./page.mjs";
import { png } from "./pictures.mjs";

const [width, height] = [4000, 3000];
const STROKES = 30;

/** 4 800 discs of radius 18 to 22 that nearly touch, as in packages/skerry/bench/corrections.mjs. */
function cells() {
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const radius = 18 + ((Math.floor(x / 50) + Math.floor(y / 50)) % 5);
      data[y * width + x] = Math.hypot((x % 50) - 25, (y % 50) - 25) < radius ? 200 : 20;
    }
  }
  return data;
}

const p95 = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length * 0.95)];

try {
  const page = await open(`${address}?device=cpu&bench`);
  await drop(page, "bench.png", await png(cells(), width, height));
  // The discs cover so much that the ground would be the object.
  await page.locator('[name="rule"]').selectOption("bright");
  await page.waitForTimeout(1500);
  await settled(page);
  const box = await page.locator("canvas.picture").boundingBox();
  await page.evaluate(() => {
    globalThis.seen = [];
    globalThis.ended = [];
    // From the event to the end of the frame after it.
    addEventListener(
      "pointermove",
      ({ buttons }) => {
        if (buttons === 0) return;
        const begin = performance.now();
        requestAnimationFrame(() => setTimeout(() => globalThis.seen.push(performance.now() - begin)));
      },
      true,
    );
    addEventListener(
      "pointerup",
      () => {
        const begin = performance.now();
        const root = document.documentElement;
        const observer = new MutationObserver(() => {
          if (root.dataset.settled !== "true") return;
          observer.disconnect();
          globalThis.ended.push(performance.now() - begin);
        });
        observer.observe(root, { attributeFilter: ["data-settled"] });
      },
      true,
    );
  });
  console.log("| what | asked, ms | median, ms | 95 % |\n| --- | ---: | ---: | ---: |");
  for (const name of ["draw", "cut"]) {
    await page.locator(`[name="hand-${name}"]`).click();
    await page.evaluate(() => {
      globalThis.seen.length = globalThis.ended.length = 0;
    });
    await measures(page, "skerry:result");
    const results = [];
    for (let i = 0; i < STROKES; i++) {
      const [x, y] = [box.x + 160 + ((i * 71) % (box.width - 400)), box.y + 90 + ((i * 37) % (box.height - 200))];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + 40, y + 25, { steps: 6 });
      await page.mouse.up();
      await page.waitForTimeout(60);
      await settled(page);
      results.push(...(await measures(page, "skerry:result")));
    }
    const { seen, ended } = await page.evaluate(() => ({ seen: globalThis.seen, ended: globalThis.ended }));
    const add = (what, asked, list) =>
      console.log(`| ${name}: ${what} | ${asked} | ${median(list)?.toFixed(1)} | ${p95(list)?.toFixed(1)} |`);
    add("move to the frame with the stroke", 16, seen);
    add("release to the frame with objects and count", 45, results);
    add("release to the measured table", 45, ended);
    const frames = [];
    for (let i = 0; i < STROKES; i++) frames.push(await page.evaluate(() => globalThis.skerryBench.drawn()));
    add("the same frame drawn once more, by software", "", frames);
  }
} finally {
  await browser.close();
  served.kill();
}

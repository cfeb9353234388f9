// How long a volume takes to open, beside its unpacking alone, with the most memory that the page's process has; and in three slices the
// time from the event of a change to the third slice that shows its result: a drag of the threshold, a fill from a click, and distances up
// to 36 mm. `node packages/lab/bench/volume.mjs FILE`, a .nii.gz, by default the head of the samples; a bench, no test.

import { readdirSync, readFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { address, browser, median, open, served, settled } from "./page.mjs";

const SLICES = 3;
const file = process.argv[2] ?? fileURLToPath(new URL("../../../samples/head.nii.gz", import.meta.url));

const page = await open(`${address}?device=cpu`, { width: 1440, height: 900 });

const isRenderer = (id) => {
  try {
    return /^\d+$/.test(id) && readFileSync(`/proc/${id}/cmdline`, "utf8").includes("--type=renderer");
  } catch {
    return false;
  }
};
// A search in /proc would take a core from the page.
const renderers = readdirSync("/proc").filter(isRenderer);
/** The most memory that a renderer of the browser holds, in MiB. */
const memoryNow = () =>
  Math.max(
    ...renderers.map((id) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, "utf8"))?.[1]) / 1024),
  );
let peak = 0;
const sampling = setInterval(() => {
  peak = Math.max(peak, memoryNow());
}, 100);
const input = page.locator('header input[type="file"]');
// The page keeps itself for use without a network first.
await page.waitForTimeout(4000);
const opening = performance.now();
await input.setInputFiles(file);
await page.locator(".images").waitFor({ timeout: 60_000 });
await settled(page);
const slice = performance.now() - opening;
const clicked = performance.now();
await page.getByRole("button", { name: "Volume", exact: true }).click();
await page.getByTestId("volumeCount").filter({ hasNotText: "…" }).waitFor({ timeout: 60_000 });
const planes = performance.now() - clicked;
clearInterval(sampling);
await page.evaluate(() => {
  const other = document.createElement("input");
  other.type = "file";
  other.id = "unpacked";
  document.body.append(other);
});
await page.locator("#unpacked").setInputFiles(file);
const unpacking = await page.evaluate(async () => {
  const [packed] = document.querySelector("#unpacked").files;
  const begin = performance.now();
  const bytes = await new Response(packed.stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  new Uint8Array(new SharedArrayBuffer(bytes.byteLength)).set(new Uint8Array(bytes));
  return performance.now() - begin;
});
console.log(
  `opened in ${slice.toFixed(0)} ms, ${(slice / unpacking).toFixed(2)} of unpacking and copying alone (${unpacking.toFixed(0)} ms); ` +
    `three planes with objects ${planes.toFixed(0)} ms after a click; at most ${peak.toFixed(0)} MiB\n`,
);
await page.evaluate(() => {
  globalThis.drawn = [];
  const { putImageData } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.putImageData = function (...given) {
    putImageData.apply(this, given);
    globalThis.drawn.push(performance.now());
  };
});

/** The time of a change until the slices are drawn, in milliseconds. */
const timed = (selector, value) =>
  page.evaluate(
    async ([element, wanted, slices]) => {
      const target = document.querySelector(element);
      globalThis.drawn.length = 0;
      const begin = performance.now();
      if (wanted === undefined) {
        const { left, top, width, height } = target.getBoundingClientRect();
        const place = { clientX: left + width / 2, clientY: top + height * (0.3 + 0.4 * Math.random()) };
        target.dispatchEvent(new PointerEvent("pointerdown", { ...place, pointerId: 1, bubbles: true }));
      } else {
        target.value = wanted;
        target.dispatchEvent(new Event("input", { bubbles: true }));
        target.dispatchEvent(new Event("change", { bubbles: true }));
      }
      // A click moves the point as well, and the slices through it are drawn before its result.
      const count = wanted === undefined ? 2 * slices : slices;
      while (globalThis.drawn.length < count && performance.now() - begin < 5000)
        await new Promise((done) => setTimeout(done));
      return globalThis.drawn.at(-1) - begin;
    },
    [selector, value, SLICES],
  );

const rows = [];
async function measured(what, asked, work) {
  const times = [];
  for (let i = 0; i < 25; i++) {
    times.push(await work(i));
    await page.waitForTimeout(120);
  }
  const sorted = times.toSorted((a, b) => a - b);
  rows.push([what, asked, median(times).toFixed(1), sorted[Math.floor(sorted.length * 0.95)].toFixed(1)]);
}

try {
  const range = await page
    .locator('[name="thresholdSlider"]')
    .first()
    .evaluate(({ min, max }) => [Number(min), Number(max)]);
  const at = (i) => String(Math.round(range[0] + (range[1] - range[0]) * (0.2 + 0.01 * i)));
  await measured("threshold drag", 45, (i) => timed(".volume [name=thresholdSlider]", at(i)));
  await page.locator(".volume").getByRole("button", { name: "Distance", exact: true }).click();
  await page.locator(".volume [name=max]").fill("36");
  await page.locator(".volume [name=max]").blur();
  await page.waitForTimeout(1500);
  await measured("distance up to 36", 200, (i) => timed(".volume [name=thresholdSlider]", at(i)));
  await page.locator(".volume").getByRole("button", { name: "Fill", exact: true }).click();
  await page.waitForTimeout(500);
  // The canvas would capture a pointer that is not there.
  await page.evaluate(() => {
    Element.prototype.setPointerCapture = () => {};
  });
  await measured("fill from a click", 50, () => timed(".volume canvas"));
  console.log("| what | asked, ms | median, ms | 95 % |\n| --- | ---: | ---: | ---: |");
  for (const row of rows) console.log(`| ${row.join(" | ")} |`);
  console.log(
    `\n${new Date().toISOString().slice(0, 10)}, ${cpus().length} x ${cpus()[0]?.model}, Chromium ${browser.version()}`,
  );
} finally {
  await browser.close();
  served.kill();
}

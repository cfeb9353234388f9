// The page in a browser, for the benches: served as readers serve it, drawn in software.

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("../../../", import.meta.url));
export const served = spawn(process.execPath, [`${root}packages/cli/bin/skerry.js`, "lab", "--no-open"]);
export const address = await new Promise((done) => served.stdout.once("data", (line) => done(String(line).trim())));
export const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--use-angle=swiftshader"],
});

/** The headers that isolate a page. */
const ISOLATING = ["cross-origin-opener-policy", "cross-origin-embedder-policy"];

/** A page whose long tasks are noted in `longTasks`, settled at an address; on wish as a host without headers serves it. */
export async function open(url, viewport = { width: 1280, height: 720 }, isIsolated = true) {
  // The page's service worker would isolate it.
  const page = await browser.newPage({ viewport, ...(isIsolated ? {} : { serviceWorkers: "block" }) });
  if (!isIsolated) {
    await page.route("**/*", async (route) => {
      const response = await route.fetch();
      const headers = Object.entries(response.headers()).filter(([name]) => !ISOLATING.includes(name));
      await route.fulfill({ response, headers: Object.fromEntries(headers) });
    });
  }
  await page.addInitScript(() => {
    globalThis.longTasks = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) globalThis.longTasks.push(entry.duration);
    }).observe({ type: "longtask" });
  });
  await page.goto(url);
  await settled(page);
  return page;
}

/** Waits until the result belongs to the settings. */
export const settled = (page) =>
  page.waitForFunction(() => document.documentElement.dataset.settled === "true", undefined, { timeout: 120_000 });

/** Waits until objects are counted, and so coloured. */
export const counted = (page) =>
  page.waitForFunction(() => /^\d/.test(document.querySelector("[data-testid=count]")?.textContent ?? ""));

export const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];

/** The lengths of the measures of a name since they were last asked for. */
export const measures = (page, name) =>
  page.evaluate((wanted) => {
    const found = performance.getEntriesByName(wanted).map(({ duration }) => duration);
    performance.clearMeasures(wanted);
    return found;
  }, name);

/** Drops a file, as a reader would; larger ones than the driver carries are dropped inside the page. */
export async function drop(page, name, bytes) {
  const chunks = [];
  for (let at = 0; at < bytes.length; at += 1 << 24) chunks.push(bytes.subarray(at, at + (1 << 24)).toString("base64"));
  await page.evaluate(() => {
    globalThis.parts = [];
  });
  for (const chunk of chunks) {
    await page.evaluate((text) => globalThis.parts.push(Uint8Array.from(atob(text), (c) => c.charCodeAt(0))), chunk);
  }
  await page.evaluate((file) => {
    const data = new DataTransfer();
    data.items.add(new File(globalThis.parts, file));
    globalThis.parts = [];
    dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true }));
  }, name);
  await page.waitForFunction((wanted) => document.querySelector(".source")?.textContent === wanted, name, {
    timeout: 120_000,
  });
  await settled(page);
}

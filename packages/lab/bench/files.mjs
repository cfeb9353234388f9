// 100 pictures of 2 Mpx with one recipe, on the page and by the command that the page prints: time, and the page's memory as it goes.
// `node packages/lab/bench/files.mjs`; a bench, no test. One of the files is broken.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { random } from "@skerry/scenes";
import sharp from "sharp";
import { address, browser, open, served, settled } from "./page.mjs";

const [width, height, count] = [1600, 1250, 100];
const skerry = fileURLToPath(new URL("../../cli/bin/skerry.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "skerry-files-"));
const inputs = join(folder, "inputs");
mkdirSync(inputs);

/** Discs of several sizes on a slope with grain. */
async function picture(seed) {
  const next = random(seed);
  const data = Buffer.alloc(width * height);
  for (let i = 0; i < data.length; i++) data[i] = 20 + ((i % width) >> 6) + ((next() >>> 28) & 7);
  for (let n = 0; n < 400; n++) {
    const [cx, cy, r] = [next() % width, next() % height, 4 + (next() % 18)];
    for (let y = Math.max(0, cy - r); y < Math.min(height, cy + r); y++) {
      for (let x = Math.max(0, cx - r); x < Math.min(width, cx + r); x++) {
        if ((x - cx) ** 2 + (y - cy) ** 2 <= r * r) data[y * width + x] = 150 + (n % 90);
      }
    }
  }
  return sharp(data, { raw: { width, height, channels: 1 } })
    .png({ compressionLevel: 3 })
    .toBuffer();
}

const names = [];
for (let i = 0; i < count; i++) {
  const name = join(inputs, `picture${String(i).padStart(3, "0")}.png`);
  const bytes = await picture(i + 1);
  writeFileSync(name, i === 57 ? bytes.subarray(0, 100) : bytes);
  names.push(name);
}

try {
  const page = await open(`${address}?device=cpu&bench`);
  const session = await page.context().newCDPSession(page);
  const heap = async () => {
    const { usedSize } = await session.send("Runtime.getHeapUsage");
    return usedSize / 2 ** 20;
  };
  await page.locator('input[type="file"]').first().setInputFiles(names);
  await page.waitForFunction(() => document.querySelector(".source")?.textContent === "picture000.png");
  await settled(page);
  await page.getByRole("button", { name: "All files" }).click();
  const command = (await page.getByTestId("batch command").textContent()).replace("FOLDER", inputs);
  const downloads = [];
  page.on("download", (download) => downloads.push(download.path()));
  const before = await heap();
  let most = before;
  const watch = setInterval(async () => {
    most = Math.max(most, await heap().catch(() => 0));
  }, 500);
  const begin = performance.now();
  await page.getByRole("button", { name: `Measure ${count} files` }).click();
  while (downloads.length < 2) await page.waitForTimeout(100);
  await Promise.all(downloads);
  const onPage = performance.now() - begin;
  clearInterval(watch);
  const wrong = await page.locator(".files .wrong").textContent();
  await browser.close();

  mkdirSync(join(folder, "labels"));
  mkdirSync(join(folder, "overlays"));
  const words = [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c);
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [skerry, ...words.slice(2)], {
    cwd: folder,
    encoding: "utf8",
  });
  const byCommand = performance.now() - start;
  console.log(command);
  console.log(
    `page ${(onPage / 1000).toFixed(1)} s, command ${(byCommand / 1000).toFixed(1)} s (exit ${status}), ${(onPage / byCommand).toFixed(2)} times`,
  );
  console.log(`heap of the page ${before.toFixed(0)} MiB before, at most ${most.toFixed(0)} MiB`);
  console.log(`page: ${wrong.trim()}\ncommand: ${stderr.trim().split("\n").at(-1)}`);
} finally {
  await browser.close();
  served.kill();
  rmSync(folder, { recursive: true });
}

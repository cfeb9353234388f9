// Screenshots of the page for the README, by a real browser: docs/images/lab-objects.png.
//
//     node scripts/lab-pictures.mjs

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("..", import.meta.url));
const served = spawn(process.execPath, [`${root}packages/cli/bin/skerry.js`, "lab", "--no-open"]);
const address = await new Promise((resolve) => served.stdout.once("data", (line) => resolve(String(line).trim())));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--use-angle=swiftshader"],
});
const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
await page.goto(address);
await page.locator(".object").first().waitFor();
await page.mouse.move(637, 396);
await page.waitForTimeout(500);
await page.screenshot({ path: `${root}docs/images/lab-objects.png` });
await browser.close();
served.kill();

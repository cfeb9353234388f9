// The page in a real browser: what it shows is what the library says, by pointer and by keys, isolated or not.

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { get } from "node:http";
import { resolve } from "node:path";
import axe from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";
import sharp from "sharp";
import { type Engine, open } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const executable = process.env.CHROMIUM ?? "/usr/bin/chromium";
const root = resolve(import.meta.dirname, "../../../..");

/** The status of a request with other headers than a browser's. */
function statusOf(address: string, method: string, host?: string): Promise<number> {
  return new Promise((done, reject) => {
    const request = get(address, { method, ...(host ? { headers: { host } } : {}) }, ({ statusCode = 0 }) =>
      done(statusCode),
    );
    request.on("error", reject);
  });
}

describe.skipIf(!existsSync(executable) && process.env.SKERRY_REQUIRE_BROWSER !== "1")("the lab", () => {
  let served: ChildProcess;
  let address: string;
  let browser: Browser;
  let engine: Engine;
  let page: Page;
  const requests: string[] = [];
  const errors: string[] = [];

  beforeAll(async () => {
    served = spawn(process.execPath, [resolve(root, "packages/cli/bin/skerry.js"), "lab", "--no-open"]);
    address = await new Promise((done) => {
      served.stdout?.once("data", (line) => done(String(line).trim()));
    });
    browser = await chromium.launch({ executablePath: executable, args: ["--no-sandbox", "--use-angle=swiftshader"] });
    engine = await open({ device: "cpu", threads: 2 });
    page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    page.on("request", (request) => requests.push(`${request.method()} ${request.url()}`));
    page.on("pageerror", (error) => errors.push(error.message));
  });
  afterAll(async () => {
    await browser?.close();
    await engine?.close();
    served?.kill();
  });

  const count = async (): Promise<number> => {
    const text = await page.getByTestId("count").textContent();
    return Number((text ?? "").replace(/\D/g, ""));
  };
  const until = (expected: number) => expect.poll(count, { timeout: 20_000 }).toBe(expected);

  test("opens on the galaxies, isolated, with their count", async () => {
    await page.goto(address);
    // The browser's JPEG decoder may differ from libjpeg by a level here and there.
    await expect.poll(count, { timeout: 20_000 }).toBeGreaterThan(780);
    expect(await count()).toBeLessThan(860);
    expect(await page.evaluate("crossOriginIsolated")).toBe(true);
    expect(errors).toEqual([]);
  });

  test("the cells under Otsu and other settings are the library's, by keys and by pointer", async () => {
    await page.getByLabel("Sample").selectOption("cells");
    const { data, info } = await sharp(resolve(root, "samples/cells.png"))
      .toColourspace("b-w")
      .raw()
      .toBuffer({ resolveWithObject: true });
    const raster = { data: new Uint8Array(data), width: info.width, height: info.height };
    const otsu = await engine.components(raster, { threshold: "otsu" });
    await until(otsu.count);
    const slider = page.getByRole("slider");
    expect(await slider.inputValue()).toBe(String(otsu.threshold));
    await slider.focus();
    for (let i = 0; i < 9; i++) await page.keyboard.press("ArrowRight");
    const expected = await engine.components(raster, { threshold: { above: (otsu.threshold as number) + 9 } });
    await until(expected.count);
    await page.getByLabel("Smallest area").fill("200");
    await page.getByLabel("Fill holes").check();
    const left = await engine.components(raster, {
      threshold: { above: (otsu.threshold as number) + 9 },
      minArea: 200,
      fillHoles: true,
    });
    await until(left.count);
    const { area } = await left.regions();
    await page.getByRole("columnheader", { name: "area" }).waitFor();
    const largest = await page.locator(".object").first().locator("span").nth(1).textContent();
    expect(Number(largest)).toBe(Math.max(...(area as Uint32Array)));
    expect(errors).toEqual([]);
  });

  test("undo and redo go back and forth, and the copied command gives the same objects", async () => {
    const now = await count();
    await page.waitForTimeout(500);
    await page.getByLabel("Drop objects at the border").check();
    await expect.poll(count).toBeLessThan(now);
    const fewer = await count();
    await page.keyboard.press("Control+z");
    await until(now);
    expect(await page.getByLabel("Drop objects at the border").isChecked()).toBe(false);
    await page.keyboard.press("Control+Shift+z");
    await until(fewer);
    await page.getByRole("button", { name: "Undo" }).click();
    await until(now);
    await page.getByRole("button", { name: "Code" }).click();
    const command = (await page.getByTestId("Command line").textContent()) ?? "";
    const code = (await page.getByTestId("TypeScript").textContent()) ?? "";
    await page.getByRole("button", { name: "Close" }).click();
    expect(command).toMatch(/^npx skerry label samples\/cells\.png --above \d+ --min-area 200 --fill-holes$/);
    const args = [resolve(root, "packages/cli/bin/skerry.js"), ...command.split(" ").slice(2), "--json"];
    const { stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
    expect(JSON.parse(stdout).count).toBe(now);
    const { data, info } = await sharp(resolve(root, "samples/cells.png"))
      .toColourspace("b-w")
      .raw()
      .toBuffer({ resolveWithObject: true });
    const image = { data: new Uint8Array(data), width: info.width, height: info.height };
    // The copied code as it stands, but for the import, which modules alone have.
    const body = code.replace(/^import.*$/m, "").replace("console.log(objects.count)", "found = objects.count");
    const found = await new Function("open", "image", `return (async () => { let found; ${body}; return found; })()`)(
      open,
      image,
    );
    expect(found).toBe(now);
  });

  test("a link opens the same", async () => {
    const before = await count();
    await expect.poll(() => page.url(), { timeout: 5000 }).toContain("minArea=200");
    const other = await browser.newPage();
    await other.goto(page.url());
    await expect
      .poll(async () => Number(((await other.getByTestId("count").textContent()) ?? "").replace(/\D/g, "")), {
        timeout: 20_000,
      })
      .toBe(before);
    await other.close();
  });

  test.each([
    ["light", 1280, 720],
    ["dark", 1280, 720],
    ["light", 390, 760],
    ["dark", 390, 760],
  ] as const)("no violation of axe's rules, %s, %s x %s", async (colorScheme, width, height) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height });
    await page.evaluate(axe.source);
    const { violations } = (await page.evaluate("axe.run()")) as {
      violations: { id: string; nodes: { html: string }[] }[];
    };
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 120)}`)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  test("a dropped file is read, one that is no image is told, and nothing leaves", async () => {
    const noise = await sharp({ create: { width: 64, height: 48, channels: 3, background: "#000" } })
      .composite([
        {
          input: Buffer.from('<svg width="64" height="48"><rect x="9" y="9" width="12" height="9" fill="#fff"/></svg>'),
        },
      ])
      .png()
      .toBuffer();
    await page.locator('input[type="file"]').setInputFiles({ name: "drop.png", mimeType: "image/png", buffer: noise });
    await page.getByLabel("Smallest area").fill("1");
    await until(1);
    await page
      .locator('input[type="file"]')
      .setInputFiles({ name: "cut.png", mimeType: "image/png", buffer: noise.subarray(0, 60) });
    await expect.poll(() => page.getByRole("alert").textContent()).toContain("cut.png could not be read as an image.");
    expect(
      requests.filter((request) => !request.startsWith(`GET ${address}`) && !request.startsWith("GET blob:")),
    ).toEqual([]);
  });

  test("a port that is none is a wrong call", () => {
    for (const [port, sentence] of [
      ["x", "Expected --port to be a number, got x."],
      ["99999", "Expected --port to be at most 65535, got 99999."],
    ]) {
      const args = [resolve(root, "packages/cli/bin/skerry.js"), "lab", "--no-open", "--port", port as string];
      const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
      expect([status, stderr]).toEqual([2, `skerry: ${sentence}\n`]);
    }
  });

  test("the server answers this machine's names, GET, and files of the page alone", async () => {
    expect(await statusOf(address, "GET")).toBe(200);
    expect(await statusOf(address, "GET", "evil.example")).toBe(403);
    expect(await statusOf(address, "POST")).toBe(405);
    expect(await statusOf(`${address}..%2f..%2fpackage.json`, "GET")).toBe(404);
    expect(await statusOf(`${address}none.js`, "GET")).toBe(404);
  });
});

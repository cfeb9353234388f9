// The site: it is built without a warning, from any folder of a host, with search, the page of tools and Markdown beside each
// page; at two sizes and in both schemes it has no violation of axe's rules.

import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import axe from "axe-core";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serve } from "../../../../scripts/site/serve.mjs";
import { noBrowser } from "../page.js";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const out = `${root}site`;

describe("the site", () => {
  beforeAll(async () => {
    const { stdout } = await promisify(execFile)("node", ["scripts/site/main.mjs"], { cwd: root });
    expect(stdout).toMatch(/\d+ pages in \d+ s/);
  }, 120_000);

  test("every page has its Markdown beside it, and llms.txt lists them", async () => {
    const files = (await readdir(out, { recursive: true })).map((name) => name.replaceAll("\\", "/"));
    const pages = files.filter((name) => name.endsWith(".html") && !/^(lab|assets|media|_media)\//.test(name));
    expect(pages.length).toBeGreaterThan(250);
    expect(pages.filter((name) => !files.includes(name.replace(/html$/, "md")))).toEqual([]);
    const list = await readFile(`${out}/llms.txt`, "utf8");
    const links = [...list.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link);
    expect(links.length).toBeGreaterThan(250);
    expect(links.filter((link) => !files.includes(link))).toEqual([]);
    expect(links).toContain("documents/guide.md");
    expect(links).toContain("classes/skerry.Engine.md");
  });

  describe.skipIf(noBrowser)("in a browser, in a folder of its host", () => {
    let browser: Browser;
    let site: Awaited<ReturnType<typeof serve>>;
    beforeAll(async () => {
      site = await serve(out, { prefix: "/some/folder/" });
      browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium" });
    });
    afterAll(async () => {
      await browser?.close();
      await site?.close();
    });

    test.each([
      ["light", 1280, 900],
      ["dark", 390, 844],
    ] as const)(
      "no violation of axe's rules and no error, %s, %s x %s",
      async (colorScheme, width, height) => {
        const context = await browser.newContext({ colorScheme, viewport: { width, height } });
        const page = await context.newPage();
        const faults: string[] = [];
        page.on("pageerror", (error) => faults.push(error.message));
        page.on("requestfailed", (request) => faults.push(request.url()));
        page.on("response", (response) => response.status() >= 400 && faults.push(response.url()));
        for (const name of [
          "index",
          "documents/guide",
          "documents/tour",
          "classes/skerry.Engine",
          "functions/skerry.open",
        ]) {
          await page.goto(`${site.address}${name}.html`);
          await page.waitForFunction(() => document.querySelectorAll("#tsd-nav-container a").length > 20);
          await page.evaluate(axe.source);
          const { violations } = (await page.evaluate("axe.run()")) as {
            violations: { id: string; nodes: { html: string }[] }[];
          };
          expect(violations.map(({ id, nodes }) => `${name} ${id}: ${nodes[0]?.html.slice(0, 160)}`)).toEqual([]);
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          expect([name, wide <= 0]).toEqual([name, true]);
        }
        expect(faults).toEqual([]);
        await context.close();
      },
      60_000,
    );

    test("search finds calls and pages, and the tools count the first sample", async () => {
      const page = await browser.newPage();
      await page.goto(`${site.address}documents/guide.html`);
      await page.keyboard.press("/");
      await page.locator("#tsd-search-input").fill("distance");
      await page.locator("#tsd-search-results").getByText("Distance maps").first().waitFor();
      await page.keyboard.press("Escape");
      await page.locator("#tsd-toolbar-links").getByRole("link", { name: "Tools" }).click();
      await page
        .getByText(/\b822\b/)
        .first()
        .waitFor();
      await page.close();
    }, 60_000);
  });
});

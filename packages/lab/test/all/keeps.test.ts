// The page loses nothing and answers right at first: reloads, killed tabs, links, other files, pinches, rotation, automatic thresholds,
// errors and their cure, both sides of the divider, the fence, and use without a network.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { type Engine, open } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Bench, blobs, noBrowser, type Opened, pngOf, root } from "../page.js";

const raster = blobs(224, 160);

/** Dark letters on paper, with a grey rim. */
function letters(): { data: Uint8Array; width: number; height: number } {
  const [width, height] = [200, 140];
  const data = new Uint8Array(width * height).fill(225);
  for (let i = 0; i < 40; i++) {
    const [x0, y0] = [10 + (i % 10) * 18, 10 + Math.floor(i / 10) * 32];
    for (let y = y0; y < y0 + 20; y++) data.fill(35, y * width + x0, y * width + x0 + 6);
  }
  return { data, width, height };
}

const digest = async (of: Opened): Promise<string> => {
  await of.settled();
  return createHash("sha256")
    .update(await of.saves("labels"))
    .digest("hex");
};
const sourceOf = (of: Opened): Promise<string | null> => of.page.locator(".source").textContent();

describe.skipIf(noBrowser)("what the page keeps", () => {
  let bench: Bench;
  let engine: Engine;
  beforeAll(async () => {
    bench = await Bench.start();
    engine = await open({ device: "cpu", threads: 2 });
  });
  afterAll(async () => {
    await bench?.close();
    await engine?.close();
  });

  const begun = async (mode: "isolated" | "one worker" = "isolated"): Promise<Opened> => {
    const lab = await (await bench.open(mode)).go();
    await lab.settled();
    await lab.opens("blobs.png", await pngOf(raster));
    return lab;
  };

  test.each(["isolated", "one worker"] as const)(
    "%s: a reload in the middle of work brings file, settings and place back",
    async (mode) => {
      const lab = await begun(mode);
      await lab.page.locator('input[name="minArea"]').fill("30");
      await lab.page.getByRole("spinbutton", { name: "Threshold", exact: true }).fill("77");
      const before = await digest(lab);
      await lab.page.mouse.move(400, 300);
      await lab.page.mouse.wheel(0, -600);
      await lab.settled();
      const zoom = await lab.page.locator(".zoom span").textContent();
      await lab.page.waitForTimeout(800);
      await lab.page.reload();
      await expect.poll(() => sourceOf(lab)).toBe("blobs.png");
      expect(await digest(lab)).toBe(before);
      expect(await lab.page.locator(".zoom span").textContent()).toBe(zoom);
      expect(await lab.page.getByRole("alert").textContent()).toContain("blobs.png restored");
      await lab.page.getByRole("button", { name: "Start afresh" }).click();
      await expect.poll(() => sourceOf(lab)).toBe("galaxies");
      await lab.page.waitForTimeout(800);
      await lab.page.reload();
      await lab.settled();
      expect(await sourceOf(lab)).toBe("galaxies");
      await lab.close();
    },
    60_000,
  );

  test("a renderer that was killed loses nothing that is older than a second", async () => {
    const lab = await begun();
    await lab.page.locator('input[name="minArea"]').fill("25");
    const before = await digest(lab);
    await lab.page.waitForTimeout(1000);
    const crashed = lab.page.waitForEvent("crash");
    lab.page.goto("chrome://crash").catch(() => undefined);
    await crashed;
    const again = await lab.page.context().newPage();
    await again.goto(lab.address);
    await again.waitForFunction(() => document.documentElement.dataset.settled === "true", undefined, {
      timeout: 30_000,
    });
    expect(await again.locator(".source").textContent()).toBe("blobs.png");
    expect(await again.locator('input[name="minArea"]').inputValue()).toBe("25");
    const own = Object.assign(Object.create(Object.getPrototypeOf(lab)), lab, { page: again }) as Opened;
    expect(await digest(own)).toBe(before);
    await lab.page.context().close();
  }, 60_000);

  test("a new file has the settings of the one before but what belongs to places; others wait", async () => {
    const lab = await begun();
    await lab.page.locator('input[name="minArea"]').fill("9");
    await lab.settled();
    await lab.opens("more.png", await pngOf(blobs(200, 150, 3)));
    expect(await lab.page.locator('input[name="minArea"]').inputValue()).toBe("9");
    // Several files at once: the first is shown, and the others are a click away.
    const folder = mkdtempSync(join(tmpdir(), "skerry-keeps-"));
    const names = ["first.png", "second.png"];
    for (const [i, name] of names.entries()) writeFileSync(join(folder, name), await pngOf(blobs(90, 80, i)));
    await lab.page.locator('input[type="file"]').setInputFiles(names.map((name) => join(folder, name)));
    await expect.poll(() => sourceOf(lab)).toBe("first.png");
    await lab.page.getByRole("button", { name: "second.png", exact: true }).click();
    await expect.poll(() => sourceOf(lab)).toBe("second.png");
    await lab.page.getByRole("button", { name: "blobs.png", exact: true }).click();
    await expect.poll(() => sourceOf(lab)).toBe("blobs.png");
    rmSync(folder, { recursive: true });
    await lab.close();
  }, 60_000);

  test("a pinch in Fill leaves the selection as it was", async () => {
    const lab = await bench.open("isolated", "", {
      hasTouch: true,
      isMobile: true,
      viewport: { width: 390, height: 760 },
    });
    await lab.go();
    await lab.settled();
    await lab.page.getByRole("button", { name: "Fill", exact: true }).tap();
    await lab.settled();
    const box = (await lab.page.locator("canvas.picture").boundingBox()) as {
      x: number;
      y: number;
      width: number;
      height: number;
    };
    await lab.page.touchscreen.tap(box.x + box.width / 2, box.y + box.height * 0.8);
    await lab.settled();
    const area = await lab.count();
    expect(area).toBeGreaterThan(0);
    const zoom = await lab.page.locator(".zoom span").textContent();
    const session = await lab.page.context().newCDPSession(lab.page);
    const touch = (type: string, ...points: [number, number][]): Promise<unknown> =>
      session.send("Input.dispatchTouchEvent", {
        type: type as never,
        touchPoints: points.map(([x, y], id) => ({ x, y, id })),
      });
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await touch("touchStart", [x - 40, y + 60]);
    await lab.page.waitForTimeout(150);
    await touch("touchStart", [x - 40, y + 60], [x + 40, y + 60]);
    for (let i = 1; i <= 6; i++) await touch("touchMove", [x - 40 - 8 * i, y + 60], [x + 40 + 8 * i, y + 60]);
    await touch("touchEnd");
    await lab.settled();
    expect(await lab.page.locator(".zoom span").textContent()).not.toBe(zoom);
    expect(await lab.count()).toBe(area);
    await lab.close();
  }, 60_000);

  test("rotation and another size keep zoom and middle", async () => {
    const lab = await begun();
    await lab.page.mouse.move(500, 250);
    await lab.page.mouse.wheel(0, -700);
    await lab.settled();
    const zoom = await lab.page.locator(".zoom span").textContent();
    await lab.page.setViewportSize({ width: 640, height: 1120 });
    await lab.page.waitForTimeout(300);
    await lab.page.setViewportSize({ width: 1120, height: 640 });
    await lab.page.waitForTimeout(300);
    await lab.settled();
    expect(await lab.page.locator(".zoom span").textContent()).toBe(zoom);
    // What lies under the middle is what the pointer found there before.
    await lab.page.mouse.move(388, 326);
    const read = await lab.page.locator(".reading").textContent();
    await lab.page.setViewportSize({ width: 900, height: 640 });
    await lab.page.waitForTimeout(300);
    await lab.page.mouse.move(278, 326);
    await expect
      .poll(async () => /^x (\d+)/.exec((await lab.page.locator(".reading").textContent()) ?? "")?.[1])
      .toBe(/^x (\d+)/.exec(read ?? "")?.[1]);
    await lab.close();
  }, 60_000);

  test("an automatic threshold follows channel, flattening and file, and the dragged line does not", async () => {
    const lab = await begun();
    const method = lab.page.getByLabel("How the threshold is chosen");
    const otsu = await engine.components(raster, { threshold: "otsu", polarity: "auto" });
    await lab.until(otsu.count);
    await expect.poll(() => method.locator("option:checked").textContent()).toBe(`Auto (Otsu ${otsu.threshold})`);
    expect((await lab.code()).command).toContain("--threshold otsu");
    await lab.step("Uneven light", "20");
    const flat = await engine.components(raster, { threshold: "otsu", polarity: "auto", flatten: 20 });
    await lab.until(flat.count);
    const rgb = new Uint8Array(raster.data.length * 3);
    for (let i = 0; i < raster.data.length; i++) rgb.set([raster.data[i]!, 200, 255 - raster.data[i]!], 3 * i);
    const colour = { data: rgb, width: raster.width, height: raster.height, channels: 3 };
    await lab.opens("colour.png", await pngOf(colour, 3));
    await lab.step("Uneven light", "");
    for (const channel of ["red", "blue"] as const) {
      await lab.page.getByLabel("Channel").selectOption(channel);
      const plane = await engine.channel(colour, channel);
      await lab.until((await engine.components(plane, { threshold: "otsu", polarity: "auto" })).count);
      await lab.settled();
    }
    await lab.page.getByRole("slider", { name: "Threshold", exact: true }).focus();
    await lab.page.keyboard.press("ArrowLeft");
    await expect.poll(() => method.inputValue()).toBe("fixed");
    expect((await lab.code()).command).not.toContain("--threshold otsu");
    await lab.close();
  }, 60_000);

  test("of a page of text the letters are counted, and it is said and reversible", async () => {
    const lab = await begun();
    const page = letters();
    await lab.opens("page.png", await pngOf(page));
    await lab.until(40);
    const rule = lab.page.getByLabel("Which pixels are objects");
    await expect.poll(() => rule.locator("option:checked").textContent()).toBe("darker (auto)");
    const folder = mkdtempSync(join(tmpdir(), "skerry-page-"));
    writeFileSync(join(folder, "page.png"), await pngOf(page));
    const told = execFileSync(
      process.execPath,
      [join(root, "packages/cli/bin/skerry.js"), "label", "page.png", "--json"],
      {
        cwd: folder,
        encoding: "utf8",
      },
    );
    expect(JSON.parse(told).count).toBe(40);
    rmSync(folder, { recursive: true });
    await rule.selectOption("bright");
    await lab.until(1);
    await lab.close();
  }, 60_000);

  test("an error stands beside its field, changes nothing, and goes when it is cured", async () => {
    const lab = await begun();
    const before = await lab.count();
    const field = lab.page.locator('input[name="minArea"]');
    await field.fill("-4");
    expect(await lab.page.getByRole("alert").textContent()).toBe("Expected at least 0.");
    expect(await lab.count()).toBe(before);
    await field.fill("12");
    expect(await lab.page.getByRole("alert").count()).toBe(0);
    await lab.settled();
    expect(await lab.count()).toBeLessThan(before);
    await lab.close();
  }, 60_000);

  test("both sides of the divider: a click on either selects, shows its row, and cuts it out in two clicks", async () => {
    const lab = await begun();
    const found = await engine.components(raster, { threshold: "otsu", polarity: "auto" });
    const { centroid, area, bounds } = await found.regions();
    const { data } = await found.labels();
    for (const isLeft of [true, false]) {
      const label = Array.from(area as Uint32Array, (_, i) => i + 1).find((own) => {
        const [x, y] = [Math.floor(centroid![2 * own - 2]!), Math.floor(centroid![2 * own - 1]!)];
        return data[y * raster.width + x] === own && (isLeft ? x < 90 : x > 130) && y > 20 && y < 130;
      }) as number;
      const [x, y] = [Math.floor(centroid![2 * label - 2]!), Math.floor(centroid![2 * label - 1]!)];
      await lab.page.mouse.click(...(await lab.at(x, y, raster)));
      await expect.poll(() => lab.page.getByTestId("selected").textContent()).toBe(`Object ${label}`);
      const row = lab.page.locator('.object[aria-selected="true"]');
      expect(await row.locator("span").first().textContent()).toBe(`${label}`);
      expect(await row.isVisible()).toBe(true);
      const [download] = await Promise.all([
        lab.page.waitForEvent("download"),
        lab.page.getByRole("button", { name: "Cut out as PNG" }).click(),
      ]);
      const cut = await sharp(await download.path())
        .ensureAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true });
      const [x0, y0, x1, y1] = bounds!.subarray(4 * label - 4, 4 * label) as unknown as number[];
      expect([cut.info.width, cut.info.height]).toEqual([x1! - x0!, y1! - y0!]);
      for (let i = 0; i < cut.info.width * cut.info.height; i++) {
        const at = (y0! + Math.floor(i / cut.info.width)) * raster.width + x0! + (i % cut.info.width);
        const own = data[at] === label;
        const value = own ? raster.data[at]! : 0;
        expect([...cut.data.subarray(4 * i, 4 * i + 4)]).toEqual([value, value, value, own ? 255 : 0]);
      }
    }
    // N and P step, Escape selects none, Ctrl+A all; a box with Shift selects what lies in it.
    await lab.page.keyboard.press("Escape");
    await lab.page.keyboard.press("n");
    await expect.poll(() => lab.page.getByTestId("selected").textContent()).toBe("Object 1");
    await lab.page.keyboard.press("Control+a");
    await expect.poll(() => lab.page.getByTestId("selected").textContent()).toBe(`${found.count} selected`);
    await lab.page.keyboard.press("Escape");
    const [left, top] = await lab.at(0, 0, raster);
    const [right, bottom] = await lab.at(111, 159, raster);
    await lab.page.keyboard.down("Shift");
    await lab.page.mouse.move(left, top);
    await lab.page.mouse.down();
    await lab.page.mouse.move(right, bottom, { steps: 3 });
    await lab.page.mouse.up();
    await lab.page.keyboard.up("Shift");
    const inside = Array.from(area as Uint32Array, (_, i) => centroid![2 * i]!).filter((x) => x <= 111).length;
    await expect.poll(() => lab.page.getByTestId("selected").textContent()).toBe(`${inside} selected`);
    await lab.close();
  }, 60_000);

  test("a fence is part of the link and of what is saved, and covered is of it", async () => {
    const lab = await begun();
    await lab.page.getByRole("button", { name: "Fill", exact: true }).click();
    await lab.page.mouse.click(...(await lab.at(6, 90, raster)));
    await lab.settled();
    const fence = await lab.count();
    await lab.page.getByRole("button", { name: "Work inside" }).click();
    await lab.page.getByRole("button", { name: "Objects", exact: true }).click();
    await lab.settled();
    expect(fence).toBeGreaterThan(100);
    expect(await lab.page.locator(".numbers").textContent()).toContain("of the selection covered");
    const own = await digest(lab);
    await lab.page.getByRole("button", { name: "Share" }).click();
    const link = await lab.page.getByLabel("Link").inputValue();
    await lab.page.keyboard.press("Escape");
    // The link is put into the same tab after the fence was taken off, and after the page wrote its address: an equal one is no change.
    await lab.page.getByRole("button", { name: "Work everywhere" }).first().click();
    await expect.poll(() => digest(lab)).not.toBe(own);
    await expect.poll(() => lab.page.evaluate(() => location.hash)).not.toBe(`#${link.split("#")[1]}`);
    await lab.page.evaluate((hash) => {
      location.hash = hash;
    }, link.split("#")[1]);
    await expect.poll(() => lab.page.locator(".fenced").count()).toBe(1);
    expect(await digest(lab)).toBe(own);
    await lab.close();
  }, 60_000);

  test("a link that is put into an open tab opens its sample", async () => {
    const lab = await begun();
    await lab.page.evaluate(() => {
      location.hash = "#v=4&source=cells&tool=objects";
    });
    await expect.poll(() => sourceOf(lab)).toBe("cells");
    await lab.close();
  }, 60_000);

  test("after one visit all works without a network: samples, saving, another reload", async () => {
    for (const address of [bench.address, bench.plainAddress]) {
      const context = await bench.browser.newContext({ viewport: { width: 900, height: 600 }, acceptDownloads: true });
      const page = await context.newPage();
      const settled = () =>
        page.waitForFunction(() => document.documentElement.dataset.settled === "true", undefined, { timeout: 30_000 });
      await page.goto(`${address.split("?")[0]}?device=cpu`);
      await settled();
      const kept = () =>
        page.evaluate(async () => {
          const files = (await (await fetch("./files.json")).json()) as string[];
          const cache = await caches.open("skerry-lab");
          return (await cache.keys()).length >= files.length;
        });
      await expect.poll(kept, { timeout: 30_000 }).toBe(true);
      await context.setOffline(true);
      await page.reload();
      await settled();
      await page.getByLabel("Sample: coffee").click();
      await expect.poll(() => page.locator(".source").textContent()).toBe("coffee");
      await settled();
      await page.getByLabel("Sample: cells").click();
      await expect.poll(() => page.getByTestId("count").textContent()).toBe("75");
      await page.locator('[data-dialog="Save"]').click();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.locator('[data-save="regionsCsv"]').click(),
      ]);
      expect(readFileSync(await download.path(), "utf8").split("\n").length).toBe(77);
      await context.close();
    }
  }, 120_000);

  test("copied TypeScript runs as it stands, in Node and in a page", async () => {
    const lab = await begun();
    await lab.page.locator('input[name="minArea"]').fill("12");
    await lab.settled();
    const count = await lab.count();
    const folder = mkdtempSync(join(root, "packages/lab/test/copied-"));
    try {
      writeFileSync(join(folder, "blobs.png"), await pngOf(raster));
      const { typescript } = await lab.code();
      writeFileSync(join(folder, "node.mjs"), typescript);
      const told = execFileSync(process.execPath, ["node.mjs"], { cwd: folder, encoding: "utf8" });
      expect(told).toContain(String(count));
      await lab.page.getByRole("button", { name: "Code", exact: true }).click();
      await lab.page.getByRole("button", { name: "Browser", exact: true }).click();
      const program = (await lab.page.getByTestId("TypeScript").textContent()) ?? "";
      const lines: string[] = await runInPage(bench, folder, program);
      expect(lines.join("\n")).toContain(String(count));
    } finally {
      rmSync(folder, { recursive: true });
    }
    await lab.close();
  }, 90_000);

  test("walks of 300 actions end in states that a reload restores", async () => {
    const lab = await begun();
    const { page } = lab;
    await page.getByRole("button", { name: "Objects", exact: true }).click();
    const state = async (): Promise<string> => {
      await lab.settled();
      await page.waitForTimeout(900);
      const { searchParams } = new URL(page.url().replace("#", "?"));
      return [...searchParams, await lab.count(), await page.locator(".zoom span").textContent()].join(" ");
    };
    const actions: readonly ((page: Page, n: number) => Promise<unknown>)[] = [
      (on, n) => on.keyboard.press(["Control+z", "Control+y", "Escape", "n", "p"][n % 5]),
      (on, n) => on.mouse.click(100 + (n % 600), 120 + ((n * 7) % 400)),
      (on, n) => on.mouse.move(100 + (n % 600), 200).then(() => on.mouse.wheel(0, n % 2 ? 200 : -200)),
      (on, n) => on.keyboard.press(["f", "Delete", "0", ",", ".", "]", "["][n % 7]),
      (on, n) =>
        on
          .locator(`nav[aria-label="Tools"] button`)
          .nth(n % 2)
          .click(),
      async (on, n) => {
        const field = on.locator('aside input[type="number"]').nth(n % 3);
        if (await field.isVisible()) await field.fill(String(n % 90));
      },
      async (on, n) => {
        const tick = on.locator('aside .tick input[type="checkbox"]').nth(n % 4);
        if (await tick.isVisible()) await tick.click();
      },
    ];
    const walk = fc.sample(fc.tuple(fc.nat(actions.length - 1), fc.nat(10_000)), { seed: 340, numRuns: 300 });
    for (const [i, [which, n]] of walk.entries()) {
      await actions[which]?.(page, n);
      if (i % 60 !== 59) continue;
      const before = await state();
      await page.reload();
      await expect.poll(() => sourceOf(lab)).toBe("blobs.png");
      expect(await state(), `after ${i + 1} actions`).toBe(before);
    }
    await lab.close();
  }, 300_000);
});

/** Runs a program in a page that has the library under its name, and gives what it logs. */
async function runInPage(bench: Bench, folder: string, program: string): Promise<string[]> {
  const files: Record<string, string> = {
    "/": `<script type="importmap">{"imports":{"skerry":"/skerry.js"}}</script><script type="module" src="/program.js"></script>`,
    "/program.js": `${program}\nconsole.log("ended");`,
    "/skerry.js": readFileSync(join(root, "packages/skerry/dist/bundle.js"), "utf8"),
  };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const text = files[pathname];
    if (pathname === "/favicon.ico") {
      response.writeHead(404).end();
      return;
    }
    response.setHeader("Content-Type", pathname === "/" ? "text/html" : text ? "text/javascript" : "image/png");
    response.end(text ?? readFileSync(join(folder, pathname.slice(1))));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const page = await bench.browser.newPage();
  const lines: string[] = [];
  page.on("pageerror", (error) => lines.push(error.message));
  page.on("console", (message) => lines.push(message.text()));
  try {
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await expect.poll(() => lines.at(-1), { timeout: 30_000 }).toBe("ended");
    return lines;
  } finally {
    await page.close();
    server.close();
  }
}

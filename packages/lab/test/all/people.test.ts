// The page for people: what it opens on, history, links, keys, names and roles, contrast, and that nothing leaves it.

import { createHash } from "node:crypto";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Bench, blobs, noBrowser, type Opened, pngOf } from "../page.js";

const openDetails = (): void => {
  for (const details of document.querySelectorAll("details")) details.open = true;
};

/** The rules of axe that a page violates, each with the first node. */
async function violationsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate("axe.run()")) as {
    violations: { id: string; nodes: { html: string }[] }[];
  };
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 160)}`);
}

describe.skipIf(noBrowser)("the page", () => {
  let bench: Bench;
  let lab: Opened;
  beforeAll(async () => {
    bench = await Bench.start();
    lab = await (await bench.open()).go();
    await lab.settled();
  });
  afterAll(async () => {
    await lab?.close();
    await bench?.close();
  });

  /** What the page would save now. */
  const digest = async (of: Opened): Promise<string> => {
    await of.settled();
    return createHash("sha256")
      .update(await of.saves("labels"))
      .digest("hex");
  };

  test("opens on the galaxies with their count", async () => {
    // The browser's JPEG decoder may differ from libjpeg by a level here and there.
    const count = await lab.count();
    expect(count).toBeGreaterThan(780);
    expect(count).toBeLessThan(860);
    expect(await lab.page.evaluate("crossOriginIsolated")).toBe(true);
    // Nothing lies below the window.
    expect(await lab.page.evaluate("document.documentElement.scrollHeight - innerHeight")).toBe(0);
    expect(await lab.page.locator(".numbers output").textContent()).toBe(`${count} objects, threshold 60`);
    expect(await lab.page.locator("[data-sample]").count()).toBe(8);
  });

  test.each([
    ["light", 1280, 720],
    ["dark", 1280, 720],
    ["light", 360, 640],
    ["dark", 390, 760],
    ["light", 3840, 2160],
    ["dark", 1920, 1080],
    ["light", 1024, 768],
    ["dark", 768, 1024],
    ["light", 844, 390],
  ] as const)(
    "no violation of axe's rules, %s, %s x %s, in each tool",
    async (colorScheme, width, height) => {
      const { page } = lab;
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height });
      for (const tool of ["Objects", "Fill", "Distance", "Colours"]) {
        await page.locator("nav").getByRole("button", { name: tool, exact: true }).click();
        await page.evaluate(openDetails);
        await lab.settled();
        expect(await violationsOf(page)).toEqual([]);
      }
      await page.getByRole("button", { name: "Objects", exact: true }).click();
      await page.setViewportSize({ width: 1120, height: 640 });
    },
    120_000,
  );

  test.each([
    ["light", 1280, 800],
    ["dark", 390, 760],
    ["dark", 640, 400],
  ] as const)(
    "no violation of axe's rules, %s, %s x %s, in each dialog, panel and message",
    async (colorScheme, width, height) => {
      const other = await bench.open("isolated", "", { colorScheme, viewport: { width, height } });
      const { page } = other;
      await other.go();
      await other.settled();
      const button = (name: string) => page.getByRole("button", { name, exact: true });
      for (const name of ["Share", "Code", "Save", "Help", "Scale"]) {
        await page.locator(`[data-dialog="${name}"]`).click();
        await page.locator("dialog[open] h2 ~ *").first().waitFor();
        expect([name, await violationsOf(page)]).toEqual([name, []]);
        await page.keyboard.press("Escape");
      }
      const buffer = Buffer.from(await pngOf(blobs(96, 72)));
      await page
        .locator('header input[type="file"]')
        .setInputFiles([
          ...["one.png", "two.png"].map((name) => ({ name, mimeType: "image/png", buffer })),
          { name: "broken.png", mimeType: "image/png", buffer: buffer.subarray(0, 40) },
        ]);
      await expect.poll(() => page.locator(".source").textContent()).toBe("one.png");
      await other.settled();
      await button("Compare").click();
      await button("All files").click();
      await button("Measure 3 files").click();
      await page.getByRole("grid", { name: "Objects of all files" }).waitFor();
      await expect.poll(() => page.getByTestId("batch").count(), { timeout: 20_000 }).toBe(0);
      expect(["all files", await violationsOf(page)]).toEqual(["all files", []]);
      await page.locator(".allfiles").getByRole("button", { name: "Close" }).click();
      await button("broken.png").click();
      await page.getByRole("alert").waitFor();
      expect(["a failure", await violationsOf(page)]).toEqual(["a failure", []]);
      await other.close();
    },
    120_000,
  );

  test("targets are 44 pixels high on touch", async () => {
    const touch = await bench.open("isolated", "", {
      hasTouch: true,
      isMobile: true,
      viewport: { width: 390, height: 760 },
    });
    await touch.go();
    await touch.settled();
    const low = await touch.page.evaluate(() =>
      [
        ...document.querySelectorAll<HTMLElement>(
          "button, select, input:not([type=checkbox]):not([type=range]):not([type=file])",
        ),
      ]
        .filter((node) => node.offsetParent !== null && !node.closest(".marks, .samples, .table"))
        .filter((node) => node.getBoundingClientRect().height < 44)
        .map((node) => node.outerHTML.slice(0, 80)),
    );
    expect(low).toEqual([]);
    await touch.close();
  });

  test("50 changes and back: the same address and the same result, and forth again", async () => {
    const { page } = lab;
    await lab.opens("steps.png", await pngOf(blobs(96, 72)));
    const digests: string[] = [];
    const states: string[] = [];
    const state = (): Promise<string> =>
      page.evaluate(() =>
        [...document.querySelectorAll("input, select")]
          .map((node) =>
            (node as HTMLInputElement).type === "checkbox"
              ? (node as HTMLInputElement).checked
              : (node as HTMLInputElement).value,
          )
          .join(),
      );
    let seed = 11;
    const below = (n: number): number => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return Math.floor((seed / 2 ** 32) * n);
    };
    digests.push(await digest(lab));
    await page.waitForTimeout(600);
    const first = page.url();
    const beginning = await state();
    let steps = 0;
    while (steps < 50) {
      const before = await state();
      const actions = [
        () => page.getByRole("spinbutton", { name: "Threshold", exact: true }).fill(String(40 + below(120))),
        () => page.locator('input[name="minArea"]').fill(String(1 + below(30))),
        () => page.getByLabel("Fill holes").click(),
        () => page.getByLabel("Drop objects at the border").click(),
        () => page.getByLabel("Neighbours").selectOption(["4", "8"][below(2)]),
      ];
      await actions[below(actions.length)]?.();
      if ((await state()) === before) continue;
      steps++;
      states.push(await state());
      // Changes of one control in quick succession are one step.
      await page.waitForTimeout(430);
    }
    const last = await digest(lab);
    await page.waitForTimeout(600);
    const lastAddress = page.url();
    for (let i = 0; i < 50; i++) await page.keyboard.press("Control+z");
    await lab.settled();
    expect(await state()).toBe(beginning);
    expect(await digest(lab)).toBe(digests[0]);
    await expect.poll(() => page.url()).toBe(first);
    for (let i = 0; i < 50; i++) await page.keyboard.press(i % 2 ? "Control+Shift+z" : "Control+y");
    await lab.settled();
    expect(await state()).toBe(states.at(-1));
    expect(await digest(lab)).toBe(last);
    await expect.poll(() => page.url()).toBe(lastAddress);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "Redo" }).click();
    expect(await digest(lab)).toBe(last);
  }, 120_000);

  test("a link to a sample opens the same in a fresh context, one to a file says which", async () => {
    const { page } = lab;
    await page.getByLabel("Sample: pebbles").click();
    await expect.poll(() => page.locator(".source").textContent()).toBe("pebbles");
    await page.locator('input[name="minArea"]').fill("40");
    const own = await digest(lab);
    await page.getByRole("button", { name: "Share" }).click();
    const link = await page.getByLabel("Link").inputValue();
    await page.keyboard.press("Escape");
    expect(link.length).toBeLessThan(1500);
    const other = await (await bench.open("isolated", `#${link.split("#")[1]}`)).go();
    await expect.poll(() => other.page.locator(".source").textContent()).toBe("pebbles");
    expect(await digest(other)).toBe(own);
    await other.close();
    const foreign = link.replace("source=pebbles", "source=mine.png");
    const third = await (await bench.open("isolated", `#${foreign.split("#")[1]}`)).go();
    await expect.poll(() => third.page.getByRole("alert").textContent()).toContain("This link is about mine.png.");
    await third.close();
  }, 60_000);

  test("every control is reached by Tab, and worked by keys alone", async () => {
    const { page } = lab;
    await page.getByLabel("Sample: cells").click();
    await lab.settled();
    await page.evaluate(openDetails);
    await page.locator("h1").evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    // Compared as nodes: what a control says may change while the keys go round.
    const focused = await page.evaluateHandle(() => {
      const nodes = new Set<Element>();
      addEventListener("focusin", ({ target }) => nodes.add(target as Element));
      return nodes;
    });
    const controls = await page.evaluateHandle(() =>
      [...document.querySelectorAll<HTMLElement>("button, select, input, summary, canvas.picture, .table")].filter(
        (node) =>
          !node.hidden &&
          !(node as HTMLButtonElement).disabled &&
          node.offsetParent !== null &&
          !node.closest("dialog") &&
          node.tabIndex >= 0,
      ),
    );
    const count = await controls.evaluate((nodes) => nodes.length);
    expect(count).toBeGreaterThan(20);
    for (let i = 0; i < count + 10; i++) await page.keyboard.press("Tab");
    const missed = await page.evaluate(
      ([all, reached]) => all.filter((node) => !reached.has(node)).map((node) => node.outerHTML.slice(0, 120)),
      [controls, focused] as const,
    );
    expect(missed).toEqual([]);
    // The crosshair goes to an object, Enter selects it, Delete drops it, Ctrl+Z brings it back.
    const found = await lab.count();
    await page.locator("canvas.picture").focus();
    for (let i = 0; i < 80 && !/object \d/.test((await page.locator(".reading").textContent()) ?? ""); i++) {
      await page.keyboard.press(i % 3 ? "Control+ArrowRight" : "Control+ArrowDown");
    }
    await page.keyboard.press("Enter");
    await expect.poll(() => page.getByTestId("selected").textContent()).toMatch(/^Object \d+$/);
    await page.keyboard.press("Delete");
    await lab.until(found - 1);
    await page.keyboard.press("Control+z");
    await lab.until(found);
    // The table: down, Space, Enter.
    await page.locator(".object").first().focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Space");
    await expect.poll(() => page.locator('.object[aria-selected="true"]').count()).toBe(1);
    await page.keyboard.press("Enter");
    // A fill: from the crosshair, wider, painted.
    await page.getByRole("button", { name: "Fill", exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.locator("canvas.picture").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await lab.settled();
    const area = await lab.count();
    expect(area).toBeGreaterThan(0);
    for (let i = 0; i < 60; i++) await page.keyboard.press("]");
    await lab.settled();
    expect(await lab.count()).toBeGreaterThan(area);
    await page.keyboard.press("p");
    await lab.until(0);
    await page.keyboard.press("?");
    await expect.poll(() => page.locator("dialog[open]").textContent()).toContain("move the crosshair");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Objects", exact: true }).click();
  }, 120_000);

  test("the divider: dragged, by keys, and back by a double click", async () => {
    const { page } = lab;
    const divider = page.getByLabel("Compare:");
    const box = (await page.locator("canvas.picture").boundingBox()) as {
      x: number;
      y: number;
      width: number;
      height: number;
    };
    const middle = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width / 2, middle);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 4, middle, { steps: 3 });
    await page.mouse.up();
    expect(Number(await divider.inputValue())).toBeCloseTo(25, -0.5);
    await page.locator("canvas.picture").focus();
    await page.keyboard.press(".");
    expect(Number(await divider.inputValue())).toBeCloseTo(27, -0.5);
    await page.mouse.dblclick(box.x + box.width * 0.27, middle);
    expect(await divider.inputValue()).toBe("50");
  });

  test("the curve of counts has plateaus that a click takes", async () => {
    const { page } = lab;
    await page.getByLabel("Sample: cells").click();
    await lab.settled();
    const mark = page.locator(".marks button").first();
    await mark.waitFor({ timeout: 30_000 });
    // The curve is counted from coarse to fine while the page is idle, so a mark moves until all is counted.
    let label = "";
    for (let before = "none"; label !== before; ) {
      before = label;
      await page.waitForTimeout(1500);
      label = (await mark.getAttribute("aria-label")) ?? "";
    }
    const [, count, from, to] = /^(\d+) objects from (\d+) to (\d+)$/.exec(label) ?? [];
    await mark.click();
    await lab.settled();
    const threshold = Number(await page.getByRole("spinbutton", { name: "Threshold", exact: true }).inputValue());
    expect(threshold).toBeGreaterThanOrEqual(Number(from));
    expect(threshold).toBeLessThanOrEqual(Number(to));
    expect(Math.abs((await lab.count()) - Number(count))).toBeLessThanOrEqual(Math.max(1, 0.02 * Number(count)));
  }, 60_000);

  test("ants stand still where motion is to be reduced", async () => {
    const still = await bench.open(
      "isolated",
      `#v=3&source=coffee&tool=fill&recipe=${encodeURIComponent('{"skerry":1,"operation":"fill","options":{"seeds":[[350,150]],"tolerance":40}}')}`,
      { reducedMotion: "reduce" },
    );
    await still.go();
    await still.settled();
    const drawn = (): Promise<string> => still.page.evaluate(() => document.querySelector("canvas")?.toDataURL() ?? "");
    const before = await drawn();
    await still.page.waitForTimeout(600);
    expect(await drawn()).toBe(before);
    await still.page.emulateMedia({ reducedMotion: "no-preference" });
    await still.page.reload();
    await still.settled();
    const moving = await drawn();
    await expect.poll(async () => (await drawn()) === moving).toBe(false);
    await still.close();
  }, 120_000);

  test("a session with a file makes no request but GETs of its own host", async () => {
    const host = bench.address.split("?")[0];
    expect(lab.requests.length).toBeGreaterThan(5);
    expect(
      lab.requests.filter((request) => !request.startsWith(`GET ${host}`) && !request.startsWith("GET blob:")),
    ).toEqual([]);
  });
});

// A file keeps what belongs to it: its settings, corrections, steps of undo, selection and view, over looks at other files, reloads and
// visits; its scale stays its own.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Bench, blobs, noBrowser, Opened, pngOf, root } from "../page.js";

const skerry = resolve(root, "packages/cli/bin/skerry.js");
const NAMES = ["one.png", "two.png", "three.png"] as const;
const sizes = [
  [150, 110],
  [170, 100],
  [130, 120],
] as const;

const sourceOf = (of: Opened): Promise<string | null> => of.page.locator(".source").textContent();
const button = (of: Opened, name: string) => of.page.getByRole("button", { name, exact: true });
const smallest = (of: Opened) => of.page.locator('input[name="minArea"]');
const countOf = async ({ page }: Opened): Promise<number> =>
  Number(((await page.getByTestId("count").textContent()) ?? "").replace(/\D/g, ""));

async function show(of: Opened, name: string): Promise<void> {
  await button(of, name).click();
  await expect.poll(() => sourceOf(of)).toBe(name);
  await of.settled();
}

/** Deletes an object by its row in the table. */
async function deleteRow(of: Opened): Promise<void> {
  await of.page.getByRole("gridcell").first().click();
  await button(of, "Delete").click();
  await of.settled();
}

/** All that a user sees of the work on a file. */
const stateOf = async (of: Opened): Promise<readonly unknown[]> => {
  await of.settled();
  return [
    await countOf(of),
    await smallest(of).inputValue(),
    await button(of, "Undo").isEnabled(),
    await button(of, "Redo").isEnabled(),
  ];
};

describe.skipIf(noBrowser)("what belongs to a file", () => {
  let bench: Bench;
  let folder: string;
  beforeAll(async () => {
    bench = await Bench.start();
    folder = mkdtempSync(join(tmpdir(), "skerry-belongs-"));
    for (const [i, name] of NAMES.entries()) {
      const [width, height] = sizes[i] as readonly [number, number];
      writeFileSync(join(folder, name), await pngOf(blobs(width, height, i + 1)));
    }
  });
  afterAll(async () => {
    await bench?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const begun = async (): Promise<Opened> => {
    const lab = await (await bench.open()).go();
    await lab.settled();
    await lab.page.locator('input[type="file"]').setInputFiles(NAMES.map((name) => join(folder, name)));
    await expect.poll(() => sourceOf(lab)).toBe(NAMES[0]);
    await lab.settled();
    return lab;
  };

  test("corrections, undo, selection and view of a file are there after another one, and after a reload", async () => {
    const lab = await begun();
    const before = await countOf(lab);
    await deleteRow(lab);
    expect(await countOf(lab)).toBe(before - 1);
    await lab.page.getByRole("gridcell").first().click();
    await lab.page.mouse.move(400, 300);
    await lab.page.mouse.wheel(0, -600);
    const zoom = await lab.page.locator(".zoom > span").textContent();
    await show(lab, "two.png");
    expect(await button(lab, "Undo").isEnabled()).toBe(false);
    await show(lab, "one.png");
    expect(await countOf(lab)).toBe(before - 1);
    expect(await lab.page.locator(".zoom > span").textContent()).toBe(zoom);
    expect(await lab.page.locator('[role="row"][aria-selected="true"]').count()).toBe(1);
    await lab.page.waitForTimeout(800);
    await lab.page.reload();
    await expect.poll(() => sourceOf(lab)).toBe("one.png");
    await lab.settled();
    expect(await countOf(lab)).toBe(before - 1);
    for (const name of NAMES) expect(await button(lab, name).count()).toBe(1);
    await button(lab, "Undo").click();
    await lab.settled();
    expect(await countOf(lab)).toBe(before);
    await lab.close();
  }, 60_000);

  test("a file that is opened on another visit is as it was left, says so, and has its defaults a click away", async () => {
    const lab = await begun();
    await smallest(lab).fill("14");
    await deleteRow(lab);
    const left = await stateOf(lab);
    await show(lab, "two.png");
    await lab.page.waitForTimeout(800);
    const again = await lab.page.context().newPage();
    await lab.page.close();
    const own = Object.assign(Object.create(Object.getPrototypeOf(lab)), lab, { page: again }) as Opened;
    await again.goto(lab.address);
    await own.settled();
    await expect.poll(() => sourceOf(own)).toBe("two.png");
    // Another name, the same bytes; while both are open, each is worked on by itself.
    await button(own, "Take one.png out of the list").click();
    writeFileSync(join(folder, "renamed.png"), await pngOf(blobs(150, 110, 1)));
    await again.locator('input[type="file"]').setInputFiles(join(folder, "renamed.png"));
    await expect.poll(() => sourceOf(own)).toBe("renamed.png");
    expect(await stateOf(own)).toEqual(left);
    expect(await again.getByRole("alert").textContent()).toContain("renamed.png is as you left it");
    await button(own, "Default settings").click();
    await own.settled();
    expect(await smallest(own).inputValue()).toBe("1");
    await button(own, "Undo").click();
    expect(await stateOf(own)).toEqual([left[0], left[1], true, true]);
    await again.context().close();
  }, 60_000);

  test("these settings are those of all files by one act, which each file can undo", async () => {
    const lab = await begun();
    await smallest(lab).fill("9");
    await show(lab, "two.png");
    expect(await smallest(lab).inputValue()).toBe("9");
    await smallest(lab).fill("12");
    await lab.settled();
    await show(lab, "one.png");
    expect(await smallest(lab).inputValue()).toBe("9");
    await show(lab, "three.png");
    expect(await smallest(lab).inputValue()).toBe("9");
    await show(lab, "two.png");
    // The others follow the settings that are shown as soon as these differ.
    await smallest(lab).fill("9");
    await expect.poll(() => button(lab, "Use these settings for all 3 files").isEnabled()).toBe(false);
    await smallest(lab).fill("12");
    await expect.poll(() => button(lab, "Use these settings for all 3 files").isEnabled()).toBe(true);
    await button(lab, "Use these settings for all 3 files").click();
    await show(lab, "one.png");
    expect(await smallest(lab).inputValue()).toBe("12");
    await button(lab, "Undo").click();
    expect(await smallest(lab).inputValue()).toBe("9");
    await lab.close();
  }, 60_000);

  test("a scale that was set is that of its file, or of every file that tells none", async () => {
    const lab = await begun();
    const unitOf = async (): Promise<string> => (await lab.page.locator(".scalebar").textContent()) ?? "";
    const set = async (size: string, isForAll: boolean): Promise<void> => {
      await button(lab, "Scale").click();
      await lab.page.getByLabel("Unit").fill("um");
      await lab.page.getByLabel("A pixel is").fill(size);
      await lab.page.getByLabel("For every file that tells none").setChecked(isForAll);
      await button(lab, "Set the scale").click();
      await lab.settled();
    };
    await set("0.5", false);
    expect(await unitOf()).toContain(" um");
    await show(lab, "two.png");
    expect(await unitOf()).not.toContain(" um");
    await set("0.25", true);
    await show(lab, "three.png");
    expect(await unitOf()).toContain(" um");
    // A step back on the file where it was set takes it from the files to come.
    await show(lab, "two.png");
    await button(lab, "Undo").click();
    await lab.settled();
    await lab.page.locator('input[type="file"]').setInputFiles({
      name: "four.png",
      mimeType: "image/png",
      buffer: Buffer.from(await pngOf(blobs(90, 80, 5))),
    });
    await expect.poll(() => sourceOf(lab)).toBe("four.png");
    await lab.settled();
    expect(await unitOf()).not.toContain(" um");
    await lab.close();
  }, 60_000);

  test("a tab is told of work on its file in another tab, and does not write over it by showing it", async () => {
    const lab = await begun();
    const page = await lab.page.context().newPage();
    const other = new Opened(page, [], [], lab.address);
    await other.go();
    await other.settled();
    await page.locator('input[type="file"]').setInputFiles(join(folder, NAMES[0]));
    await expect.poll(() => sourceOf(other)).toBe(NAMES[0]);
    await other.settled();
    await smallest(other).fill("33");
    await other.settled();
    await button(other, "Sample: cells").click();
    await expect
      .poll(() => lab.page.getByRole("alert").allTextContents())
      .toEqual([expect.stringContaining("one.png was changed in another tab.")]);
    // The first tab looks at other files; the work of the second one stays.
    await show(lab, "two.png");
    await show(lab, "three.png");
    await page.close();
    const third = new Opened(await lab.page.context().newPage(), [], [], lab.address);
    await third.go();
    await third.settled();
    await third.page.locator('input[type="file"]').setInputFiles(join(folder, NAMES[0]));
    await expect.poll(() => sourceOf(third)).toBe(NAMES[0]);
    await third.settled();
    expect(await smallest(third).inputValue()).toBe("33");
    await lab.close();
  }, 60_000);

  test("a table of corrected files is that of skerry run by the saved settings of all files", async () => {
    const lab = await begun();
    await smallest(lab).fill("15");
    await lab.settled();
    await show(lab, "two.png");
    await deleteRow(lab);
    await show(lab, "three.png");
    await smallest(lab).fill("30");
    await show(lab, "one.png");
    await button(lab, "All files").click();
    const downloads: Record<string, Buffer> = {};
    lab.page.on("download", async (download) => {
      downloads[download.suggestedFilename()] = readFileSync(await download.path());
    });
    await button(lab, "Measure 3 files").click();
    await button(lab, "Save the settings of all files").click({ timeout: 30_000 });
    await button(lab, "Save the table").click();
    await expect.poll(() => Object.keys(downloads).length).toBe(2);
    writeFileSync(join(folder, "recipe.json"), downloads["recipe.json"]);
    const saved = JSON.parse(String(downloads["recipe.json"]));
    expect(Object.keys(saved.files).sort()).toEqual(["three.png", "two.png"]);
    const words = ["run", "recipe.json", "one.png", "three.png", "two.png", "--regions", "objects.csv"];
    const { status, stderr } = spawnSync(process.execPath, [skerry, ...words], { cwd: folder, encoding: "utf8" });
    expect([status, stderr]).toEqual([0, ""]);
    expect(String(downloads["objects.csv"])).toBe(readFileSync(join(folder, "objects.csv"), "utf8"));
    await lab.close();
    // Another visit takes them from the recipe.
    const other = await begun();
    await other.page.locator('input[type="file"]').setInputFiles(join(folder, "recipe.json"));
    await expect.poll(() => smallest(other).inputValue()).toBe("15");
    await show(other, "three.png");
    expect(await smallest(other).inputValue()).toBe("30");
    await show(other, "two.png");
    expect(await smallest(other).inputValue()).toBe("15");
    expect(await other.page.locator(".edits li").count()).toBe(1);
    await other.close();
  }, 60_000);

  test("a row of the table of all files opens its file, and selects its object; other settings are told", async () => {
    const lab = await begun();
    const { page } = lab;
    await button(lab, "All files").click();
    await button(lab, "Measure 3 files").click();
    const grid = page.getByRole("grid", { name: "Objects of all files" });
    const line = page.locator(".files li", { hasText: "one.png" });
    await expect.poll(() => line.textContent(), { timeout: 20_000 }).toMatch(/\d objects?$/);
    await expect.poll(() => page.getByTestId("batch").count()).toBe(0);
    // The order is that of names: those of three.png follow those of one.png.
    const before = Number.parseInt(/(\d+) objects?$/.exec((await line.textContent()) ?? "")?.[1] ?? "", 10);
    await grid.evaluate((node, row) => {
      node.scrollTop = 24 * row;
    }, before);
    await grid.getByRole("row", { name: "Show object 2 of three.png", exact: true }).click();
    await expect.poll(() => sourceOf(lab)).toBe("three.png");
    await lab.settled();
    const chosen = page.locator(".object.selected");
    await expect.poll(() => chosen.count()).toBe(1);
    expect(await chosen.getByRole("gridcell").first().textContent()).toBe("2");
    // The view is free again: what follows does not lead back to the object.
    await button(lab, "Fit").click();
    const zoom = await page.locator(".zoom > span").textContent();
    await button(lab, "Zoom out").click();
    await page.waitForTimeout(700);
    expect(await page.locator(".zoom > span").textContent()).not.toBe(zoom);
    await smallest(lab).fill("60");
    await lab.settled();
    await show(lab, "one.png");
    await grid.getByRole("row", { name: "Show object 1 of three.png", exact: true }).click();
    await expect
      .poll(() => page.getByRole("alert").allTextContents())
      .toEqual([expect.stringContaining("The settings of three.png have changed since it was measured.")]);
    await lab.close();
  }, 60_000);

  test("a run of all files pauses before the next file, and goes on", async () => {
    const lab = await begun();
    const { page } = lab;
    const many = await Promise.all(
      Array.from({ length: 24 }, async (_, i) => ({
        name: `plate${i}.png`,
        mimeType: "image/png",
        buffer: Buffer.from(await pngOf(blobs(700, 600, i + 9))),
      })),
    );
    await page.locator('input[type="file"]').setInputFiles(many);
    await button(lab, "All files").click();
    await button(lab, "Measure 27 files").click();
    await button(lab, "Pause").click();
    await button(lab, "Go on").waitFor();
    await page.waitForTimeout(1200);
    const paused = await page.getByTestId("batch").textContent();
    await page.waitForTimeout(800);
    expect(await page.getByTestId("batch").textContent()).toBe(paused);
    await button(lab, "Go on").click();
    await expect.poll(() => page.getByTestId("batch").count(), { timeout: 40_000 }).toBe(0);
    expect(await page.locator(".files li").count()).toBe(27);
    await lab.close();
  }, 90_000);
});

// Pixels with a place and sides on the page: what is saved of a GeoTIFF and an OME-TIFF is what the copied command writes, in the coordinates of
// the map and in the unit of the file; the next file brings its own.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { geotiff, imagej, ometiff } from "../../../skerry/fuzz/headers.mjs";
import { Bench, blobs, noBrowser, type Opened, pngOf, skerry } from "../page.js";

const raster = blobs(120, 90);
const map = (down: number) => ({
  size: [120, 90, 1],
  data: raster.data,
  unit: "m" as const,
  toWorld: [
    [30, 0, 0, 500015],
    [0, -down, 0, 4500000 - down / 2],
    [0, 0, 1, 0],
  ],
});

describe.skipIf(noBrowser)("places and units on the page", () => {
  let bench: Bench;
  let lab: Opened;
  let folder: string;
  beforeAll(async () => {
    bench = await Bench.start();
    folder = mkdtempSync(join(tmpdir(), "skerry-lab-places-"));
    geotiff(join(folder, "square.tif"), map(30), { epsg: 32618 });
    geotiff(join(folder, "oblong.tif"), map(31), { epsg: 32618 });
    const stack = { size: [120, 90, 1], data: raster.data, unit: "um" as const };
    const toWorld = [
      [0.325, 0, 0, 100],
      [0, 0.325, 0, 200],
      [0, 0, 1, 0],
    ];
    ometiff(join(folder, "cells.ome.tif"), { ...stack, toWorld }, { told: "um" });
    const coarse = toWorld.map((row, i) => row.map((value, k) => (k === i && i < 2 ? 0.65 : value)));
    ometiff(join(folder, "coarse.ome.tif"), { ...stack, toWorld: coarse }, { told: "mm" });
    lab = await (await bench.open("isolated")).go();
    await lab.settled();
  });
  afterAll(async () => {
    await lab?.close();
    await bench?.close();
    if (folder) rmSync(folder, { recursive: true });
  });

  test("a figure is the command's, byte for byte, with the bar in the unit of the file", async () => {
    const name = "cells.ome.tif";
    const { page } = lab;
    await lab.opens(name, readFileSync(join(folder, name)));
    await page.locator('[data-dialog="Save"]').click();
    const dialog = page.locator("dialog[open]");
    await dialog.getByLabel("Numbers").check();
    await dialog.getByLabel("Outlines").check();
    await dialog.getByLabel("Colours follow").selectOption("area");
    await dialog.getByLabel("Title").fill("Blobs & more");
    await dialog.getByRole("button", { name: "Close" }).click();
    const figures = [await lab.saves("figurePng"), await lab.saves("figureSvg")];
    writeFileSync(join(folder, "figure.json"), await lab.saves("recipe"));
    for (const [i, ending] of ["png", "svg"].entries()) {
      const args = [skerry, "run", "figure.json", name, "--figure", `figure.${ending}`, "--quiet"];
      expect(spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" }).stderr).toBe("");
      expect(readFileSync(join(folder, `figure.${ending}`)).equals(figures[i])).toBe(true);
    }
    const svg = figures[1].toString();
    for (const text of ["Blobs &amp; more", "5 \u00b5m", "area (\u00b5m\u00b2)"])
      expect(svg).toContain(`>${text}</text>`);
    const { command } = await lab.code();
    expect(command).toContain("--draw colours,outlines,numbers,bar --colour-by area --title 'Blobs & more'");
    expect(command).toContain("--figure figure.png");
  });

  test.each([
    ["square.tif", "spacing: [30, 30]", "m"],
    ["oblong.tif", "spacing: [30, 31]", "m"],
    ["cells.ome.tif", "spacing: [0.325, 0.325]", "\u00b5m"],
  ])("%s: table and outlines are those of the copied command", async (name, sides, unit) => {
    await lab.opens(name, readFileSync(join(folder, name)));
    const { command, typescript } = await lab.code();
    // The command reads the size of a pixel from the file; a program has to be told.
    expect(command).toMatch(/--unit '?[^ ]*m'?( |$)/);
    expect(command).not.toContain("--spacing");
    expect(typescript).toContain(sides);
    const words = (command.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^'(.*)'$/, "$1"));
    const run = (...more: string[]): void => {
      const args = [skerry, ...words.slice(2), ...more, "--quiet", "--device", "cpu"];
      expect(spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" }).stderr).toBe("");
    };
    // The command has a table, without which it would refuse lengths.
    run("--outlines", "o.geojson");
    const [seen, told] = [`${await lab.saves("regionsCsv")}`, readFileSync(join(folder, "objects.csv"), "utf8")];
    expect(seen).toBe(told);
    expect(seen.split("\n")[1].endsWith(`,${unit}`)).toBe(true);
    const outlines = JSON.parse(`${await lab.saves("outlines.geojson")}`);
    expect(outlines).toEqual(JSON.parse(readFileSync(join(folder, "o.geojson"), "utf8")));
    if (unit === "m") expect(outlines.crs.properties.name).toBe("urn:ogc:def:crs:EPSG::32618");
    // Heads and copies name the unit.
    expect(await lab.page.locator('.head [role="columnheader"]').nth(1).textContent()).toContain(`(${unit}²)`);
  });

  test("a saved recipe leaves the size of a pixel to each file, in the page and in the command", async () => {
    const { page } = lab;
    const open = async (name: string): Promise<void> => lab.opens(name, readFileSync(join(folder, name)));
    const tableOf = (name: string, recipe: string): { readonly rows: string; readonly said: string } => {
      const words = [skerry, "run", recipe, name, "--regions", "t.csv", "--device", "cpu"];
      const { stderr } = spawnSync(process.execPath, words, { cwd: folder, encoding: "utf8" });
      return { rows: readFileSync(join(folder, "t.csv"), "utf8"), said: stderr };
    };
    await open("cells.ome.tif");
    await page.locator("summary", { hasText: "More steps" }).click();
    await page.getByRole("button", { name: "Remove specks" }).click();
    await page.locator('input[type="number"][name="open"]').fill("0.5");
    await lab.settled();
    writeFileSync(join(folder, "recipe.json"), await lab.saves("recipe"));
    // A file of larger pixels in another unit: the radius is half a micrometer there, too.
    await open("coarse.ome.tif");
    await page.locator('header input[type="file"]').setInputFiles(join(folder, "recipe.json"));
    await expect.poll(() => page.locator('input[type="number"][name="open"]').inputValue()).toBe("0.5");
    await lab.settled();
    const { rows, said } = tableOf("coarse.ome.tif", "recipe.json");
    expect(said).not.toContain("given size");
    expect(rows.split("\n")[1]?.endsWith(",\u00b5m")).toBe(true);
    expect(`${await lab.saves("regionsCsv")}`).toBe(rows);
    // A size that was set by hand holds for all files, and is told where the file tells another one.
    const by = {
      skerry: 1,
      operation: "components",
      input: { spacing: [3, 3], unit: "um" },
      options: { physical: true },
    };
    writeFileSync(join(folder, "by-hand.json"), JSON.stringify(by));
    await page.locator('header input[type="file"]').setInputFiles(join(folder, "by-hand.json"));
    await expect
      .poll(() => page.getByRole("alert").allTextContents())
      .toEqual([expect.stringContaining("A pixel counts 3 x 3 um, as the settings say; coarse.ome.tif tells")]);
    await lab.settled();
    const forced = tableOf("coarse.ome.tif", "by-hand.json");
    expect(forced.said).toContain("lengths are by the given size");
    expect(`${await lab.saves("regionsCsv")}`).toBe(forced.rows);
  });

  test("all files: one unit, files without a size and of oblong pixels by name, and the command's table by the saved settings", async () => {
    const stack = { size: [120, 90, 3], data: new Uint8Array(3 * 120 * 90).fill(9), unit: "um" as const };
    stack.data.set(raster.data as Uint8Array, 120 * 90);
    const sized = (x: number, y: number) => [
      [x, 0, 0, 0],
      [0, y, 0, 0],
      [0, 0, 1, 0],
    ];
    imagej(join(folder, "stack.tif"), { ...stack, toWorld: sized(0.325, 0.325) });
    ometiff(join(folder, "uneven.ome.tif"), { ...stack, size: [120, 90, 1], toWorld: sized(0.3, 0.6) }, { told: "um" });
    writeFileSync(join(folder, "plain.png"), await pngOf(blobs(96, 72)));
    const names = ["cells.ome.tif", "coarse.ome.tif", "plain.png", "stack.tif", "uneven.ome.tif"];
    const other = await (await bench.open("isolated")).go();
    await other.settled();
    const button = (name: string) => other.page.getByRole("button", { name, exact: true });
    await other.page.locator('header input[type="file"]').setInputFiles(names.map((name) => join(folder, name)));
    await expect.poll(() => other.page.locator(".source").textContent()).toBe("cells.ome.tif");
    await other.settled();
    await other.page.locator("summary", { hasText: "More steps" }).click();
    await other.page.getByRole("button", { name: "Remove specks" }).click();
    await other.page.locator('input[type="number"][name="open"]').fill("1");
    await other.settled();
    const downloads: Record<string, Buffer> = {};
    other.page.on("download", async (download) => {
      downloads[download.suggestedFilename()] = readFileSync(await download.path());
    });
    await button("All files").click();
    await button("Measure 5 files").click();
    await button("Save the settings of all files").click({ timeout: 30_000 });
    await button("Save the table").click();
    await expect.poll(() => Object.keys(downloads).length).toBe(2);
    const line = (name: string) => other.page.locator(".files li").nth(names.indexOf(name)).textContent();
    expect(await line("plain.png")).toContain("plain.png has lengths in px");
    const settings = JSON.parse(`${downloads["recipe.json"]}`);
    expect([settings.input.unit, settings.options.open]).toEqual(["\u00b5m", 1]);
    // A stack is measured at the slice that the page shows first; the file without a size keeps settings in pixels.
    expect(settings.files["stack.tif"].input).toEqual({ page: 1, unit: "\u00b5m" });
    expect(settings.files["plain.png"].input?.unit).toBe(undefined);
    writeFileSync(join(folder, "all.json"), downloads["recipe.json"]);
    const words = [skerry, "run", "all.json", ...names, "--regions", "all.csv", "--quiet"];
    const { status, stderr } = spawnSync(process.execPath, words, { cwd: folder, encoding: "utf8" });
    expect([status, stderr.includes("plain.png")]).toEqual([1, true]);
    expect(`${downloads["objects.csv"]}`).toBe(readFileSync(join(folder, "all.csv"), "utf8"));
    // A look at the file without a size passes the settings on as they were.
    await button("plain.png").click();
    await expect.poll(() => other.page.locator(".source").textContent()).toBe("plain.png");
    await other.settled();
    // Each file alone has the number of objects that the table has.
    for (const name of names.filter((each) => each !== "plain.png")) {
      const rows = `${downloads["objects.csv"]}`.split("\n").filter((row) => row.startsWith(`${name},`));
      const counted = /(\d+) objects?$/.exec((await line(name)) ?? "")?.[1];
      expect([name, Number(counted)]).toEqual([name, rows.length]);
      await button(name).click();
      await expect.poll(() => other.page.locator(".source").textContent()).toBe(name);
      await other.settled();
      expect([name, await other.page.getByTestId("count").textContent()]).toEqual([name, counted]);
    }
    await button("cells.ome.tif").click();
    await expect.poll(() => other.page.locator(".source").textContent()).toBe("cells.ome.tif");
    await other.settled();
    await other.page.keyboard.press("Escape");
    expect(await other.page.locator(".allfiles").count()).toBe(0);
    // Rows: Shift takes all between, Ctrl adds one.
    const rows = other.page.locator(".object");
    await rows.nth(0).click();
    await rows.nth(2).click({ modifiers: ["Shift"] });
    expect(await other.page.locator(".object.selected").count()).toBe(3);
    await rows.nth(1).click({ modifiers: ["Control"] });
    expect(await other.page.locator(".object.selected").count()).toBe(2);
    await other.close();
  }, 60_000);
});

// The whole volume on the page: three planes by the patient's sides; objects, fills and distances in all slices are those of the command
// with the recipe that the page saves, and so are its files.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { fillOf, MemoryOutput, type Space, spaceOf, writeNifti, writeNpy, writeTiff } from "@skerry/files";
import axe from "axe-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { VOLUME } from "../../src/words/volume.js";
import { Bench, blobs, noBrowser, type Opened, skerry } from "../page.js";

const [WIDTH, HEIGHT, DEPTH] = [60, 44, 30];
const size = { width: WIDTH, height: HEIGHT, depth: DEPTH };
/** Blobs that reach through slices, and specks that touch at corners only. */
const data = new Uint8Array(WIDTH * HEIGHT * DEPTH);
for (let z = 0; z < DEPTH; z++) data.set(blobs(WIDTH, HEIGHT, 1 + Math.floor(z / 7)).data, z * WIDTH * HEIGHT);
for (let i = 0; i < 6; i++) data[i + WIDTH * (i + HEIGHT * i)] = 255;
/** Stored with x to the left, y up and z to the back, as in a coronal scan. */
const space: Space = spaceOf({
  size,
  spacing: [0.5, 0.75, 2],
  unit: "mm",
  toWorld: [
    [-0.5, 0, 0, 10],
    [0, 0, -2, 20],
    [0, 0.75, 0, -5],
  ],
  crs: { kind: "patient", version: 1, sform: 1 },
});

const written = async (write: (file: MemoryOutput) => Promise<void>): Promise<Buffer> => {
  const file = new MemoryOutput();
  await write(file);
  return Buffer.from(file.bytes());
};

describe.skipIf(noBrowser)("whole volumes", () => {
  let bench: Bench;
  let folder: string;
  beforeAll(async () => {
    bench = await Bench.start();
    folder = mkdtempSync(join(tmpdir(), "skerry-whole-"));
    const scan = await written((file) => writeNifti(file, { ...size, type: "u8", space }, fillOf(data, size)));
    writeFileSync(join(folder, "scan.nii.gz"), gzipSync(scan));
    writeFileSync(join(folder, "plain.npy"), await written((file) => writeNpy(file, data, size)));
    const floats = Float32Array.from(data, (value, i) => (i % WIDTH < WIDTH / 2 ? Number.NaN : value));
    writeFileSync(join(folder, "nan.npy"), await written((file) => writeNpy(file, floats, size)));
    const stack = { ...size, type: "u8" as const, space: spaceOf({ size }) };
    writeFileSync(join(folder, "stack.tif"), await written((file) => writeTiff(file, stack, fillOf(data, size))));
  });
  afterAll(async () => {
    await bench?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  const command = (...words: string[]): string => {
    const { stdout, stderr } = spawnSync(process.execPath, [skerry, ...words], { cwd: folder, encoding: "utf8" });
    expect(stderr).not.toContain("skerry:");
    return stdout;
  };
  const count = (lab: Opened) => lab.page.getByTestId("volumeCount");

  /** Opens a file, and the whole of its volume. */
  async function whole(name: string): Promise<Opened> {
    const lab = await bench.open();
    await lab.go();
    await lab.settled();
    await lab.page.locator('header input[type="file"]').setInputFiles(join(folder, name));
    await lab.page.locator('[data-dialog="Volume"]').click();
    await expect.poll(() => count(lab).textContent()).toMatch(/\d/);
    return lab;
  }

  /** The file of a button, written beside the others. */
  async function saved(lab: Opened, what: string, name: string): Promise<Buffer> {
    const [download] = await Promise.all([
      lab.page.waitForEvent("download"),
      lab.page.locator(`[data-volume-save="${what}"]`).click(),
    ]);
    const bytes = readFileSync(await download.path());
    writeFileSync(join(folder, name), bytes);
    return bytes;
  }

  test.each([
    ["scan.nii.gz", 6],
    ["scan.nii.gz", 18],
    ["scan.nii.gz", 26],
    ["plain.npy", 26],
    ["stack.tif", 6],
  ] as const)("%s with %i neighbours: count, table and labels are the command's", async (name, neighbours) => {
    const lab = await whole(name);
    await lab.page.locator('.volume select[name="connectivity"]').selectOption(String(neighbours));
    const wanted = () => command("label", name, "--connectivity", String(neighbours), "--json");
    await expect.poll(() => count(lab).textContent()).toBe(String(JSON.parse(wanted()).count));
    const table = await saved(lab, "table", "page.csv");
    const labels = await saved(lab, "labels", "page.nii");
    await saved(lab, "recipe", "page.json");
    command("run", "page.json", name, "--regions", "command.csv", "-o", "command.nii");
    expect(table.toString()).toBe(readFileSync(join(folder, "command.csv"), "utf8"));
    expect(labels.equals(readFileSync(join(folder, "command.nii")))).toBe(true);
    expect(lab.errors).toEqual([]);
    await lab.close();
  });

  test("seed and neighbours are settings of the file: undone by a step, and there after another slice and a reload", async () => {
    const lab = await whole("scan.nii.gz");
    const { page } = lab;
    const neighbours = page.locator('.volume select[name="connectivity"]');
    await neighbours.selectOption("26");
    await page.locator(".volume nav button", { hasText: "Fill" }).click();
    await page.locator('[data-plane="axial"]').click({ position: { x: 40, y: 40 } });
    await expect.poll(() => count(lab).textContent()).toMatch(/\d/);
    const grown = await count(lab).textContent();
    await page.keyboard.press("Control+z");
    await expect.poll(() => page.locator(".volume", { hasText: VOLUME.seed }).count()).toBe(1);
    await page.keyboard.press("Control+y");
    await expect.poll(() => count(lab).textContent()).toBe(grown);
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await page.getByRole("slider", { name: "Slice", exact: true }).fill("1");
    await expect.poll(() => page.locator(".images output").first().textContent()).toMatch(/^1 /);
    await lab.settled();
    await page.waitForTimeout(800);
    await page.reload();
    await lab.settled();
    await page.locator('[data-dialog="Volume"]').click();
    await expect.poll(() => count(lab).textContent()).toBe(grown);
    expect(await neighbours.inputValue()).toBe("26");
    await lab.close();
  });

  test("the planes are those of the patient; a press moves them, and reads what is there", async () => {
    const lab = await whole("scan.nii.gz");
    const { page } = lab;
    const letters = async (plane: string) =>
      (await page.locator(`figure:has([data-plane="${plane}"]) b`).allTextContents()).join("");
    expect([await letters("axial"), await letters("coronal"), await letters("sagittal")]).toEqual([
      "RLAP",
      "RLSI",
      "APSI",
    ]);
    const coronal = page.locator('[data-plane="coronal"]');
    const box = await coronal.boundingBox();
    if (!box) throw new Error("Expected a plane to have a box.");
    // x runs to the left and y up, so that the first voxel is at the right and below: the screen shows the patient's right at its left.
    const [column, row] = [0.26, 0.26];
    await coronal.click({ position: { x: box.width * column, y: box.height * row } });
    const [x, y, z] = [Math.floor(column * WIDTH), HEIGHT - 1 - Math.floor(row * HEIGHT), DEPTH / 2];
    const text = (await page.getByTestId("reading").textContent()) ?? "";
    expect(text).toContain(`${x}, ${y}, ${z} ·`);
    const world = [10 - 0.5 * x, 20 - 2 * z, -5 + 0.75 * y];
    const sides = ["LR", "PA", "IS"].map(
      (pair, i) => `${pair[world[i]! < 0 ? 0 : 1]} ${Math.abs(world[i]!).toFixed(1)}`,
    );
    expect(text).toContain(`${sides.join(" ")} mm`);
    expect(text).toContain(` · ${data[x + WIDTH * (y + HEIGHT * z)]}`);
    await page.evaluate(axe.source);
    const { violations } = (await page.evaluate("axe.run('dialog[open]')")) as { violations: { id: string }[] };
    expect(violations.map(({ id }) => id)).toEqual([]);
    await coronal.press("ArrowLeft");
    expect(await page.getByTestId("reading").textContent()).toContain(`${x - 1}, ${y}, ${z} ·`);
    await lab.close();
  });

  test("settings that are refused leave no result to save; one typed number is one step of undo", async () => {
    const lab = await whole("nan.npy");
    const { page } = lab;
    const threshold = page.locator('.volume input[name="threshold"]');
    await threshold.fill("120");
    // Changes of one field in quick turns are one step.
    await page.waitForTimeout(1500);
    await threshold.fill("90");
    await expect.poll(() => count(lab).textContent()).toMatch(/\d/);
    await page.keyboard.press("Control+z");
    await expect.poll(() => threshold.inputValue()).toBe("120");
    await page.locator(".volume .tabs button", { hasText: "Fill" }).click();
    const plane = page.locator('[data-plane="xy"]');
    const box = await plane.boundingBox();
    if (!box) throw new Error("Expected a plane to have a box.");
    await plane.click({ position: { x: box.width * 0.8, y: box.height / 2 } });
    await expect.poll(() => page.locator('[data-volume-save="mask"]').count()).toBe(1);
    await plane.click({ position: { x: box.width * 0.2, y: box.height / 2 } });
    await expect.poll(() => page.locator('.volume [role="alert"]').textContent()).toContain("got NaN");
    expect([await count(lab).textContent(), await page.locator("[data-volume-save]").count()]).toEqual(["…", 0]);
    await lab.close();
  });

  test("a fill grows through slices from the press; distances are in the file's unit", async () => {
    const lab = await whole("scan.nii.gz");
    const { page } = lab;
    await page.locator(".volume .tabs button", { hasText: "Fill" }).click();
    await page.locator('[data-plane="axial"]').click();
    await expect.poll(() => count(lab).textContent()).toMatch(/\d/);
    await saved(lab, "recipe", "fill.json");
    const filled = await saved(lab, "mask", "fill.nii");
    command("run", "fill.json", "scan.nii.gz", "--mask", "filled.nii");
    expect(filled.equals(readFileSync(join(folder, "filled.nii")))).toBe(true);

    await page.locator(".volume .tabs button", { hasText: "Distance" }).click();
    await expect.poll(() => page.locator(".volume .numbers").textContent()).toContain("mm at most");
    await saved(lab, "recipe", "distance.json");
    const distances = await saved(lab, "distances", "page.nii");
    command("run", "distance.json", "scan.nii.gz", "-o", "command.nii");
    expect(distances.equals(readFileSync(join(folder, "command.nii")))).toBe(true);
    await lab.close();
  });
});

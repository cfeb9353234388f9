// Corrections by hand on the page: random sequences of strokes, clicks and moves of the threshold give the bytes of the recipe that the
// page saves. SKERRY_SEQUENCES=100 runs as many; with FIREFOX they run in Firefox as well.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fillOf, MemoryOutput } from "@skerry/files";
import { labelValues, wantedBy, writeNpyValues, writerOf } from "@skerry/files/internal";
import { run } from "@skerry/recipe";
import { parseRecipe } from "@skerry/recipe/internal";
import { type Components, type Engine, open, type PixelType } from "skerry";
import { newPixels } from "skerry/internal";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Bench, blobs, firefoxPath, noBrowser, type Opened, pngOf, skerry } from "../page.js";

const SEQUENCES = Number(process.env.SKERRY_SEQUENCES ?? 8);
const raster = blobs(160, 120, 11);
const KINDS = ["draw", "erase", "cut", "join", "fill", "drop"] as const;

/** Numbers from 0 to below a limit, the same in every run. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const browsers = firefoxPath ? (["Chromium", "Firefox"] as const) : (["Chromium"] as const);

describe.skipIf(noBrowser).each(browsers)("corrections by hand in %s", (kind) => {
  let bench: Bench;
  let lab: Opened;
  let engine: Engine;
  beforeAll(async () => {
    bench = await Bench.start([], kind);
    engine = await open({ device: "cpu", threads: 2 });
    lab = await (await bench.open("isolated", "")).go();
    await lab.settled();
    await lab.opens("blobs.png", await pngOf(raster));
    await lab.page.locator('[name="hand-draw"]').waitFor();
  }, 120_000);
  afterAll(async () => {
    await lab?.close();
    await bench?.close();
    await engine?.close();
  });

  const choose = (name: string): Promise<void> => lab.page.locator(`[name="hand-${name}"]`).click();
  const place = (x: number, y: number): Promise<[number, number]> => lab.at(x, y, raster);
  /** Draws a line through places of the picture. */
  async function draw(places: readonly (readonly [number, number])[]): Promise<void> {
    const [from, ...others] = await Promise.all(places.map(([x, y]) => place(x, y)));
    await lab.page.mouse.move(...from);
    await lab.page.mouse.down();
    for (const at of others) await lab.page.mouse.move(...at, { steps: 3 });
    await lab.page.mouse.up();
  }
  const savedRecipe = async () => parseRecipe(JSON.parse(`${await lab.saves("recipe")}`));
  async function bytesOf(recipe: ReturnType<typeof parseRecipe>): Promise<Buffer> {
    const { components } = (await run(engine, recipe, { image: raster })) as { components: Components };
    const file = new MemoryOutput();
    const { layout, fill } = labelValues(components, "u32");
    await writeNpyValues(file, layout, fill);
    components.dispose();
    return Buffer.concat(file.chunks);
  }
  async function startOver(): Promise<void> {
    const all = lab.page.getByRole("button", { name: "Take all back" });
    if ((await all.count()) > 0) await all.click();
    await lab.settled();
  }
  /** Sets the threshold; Firefox's driver adds to a number that stands in a field. */
  const threshold = (value: number): Promise<void> =>
    lab.page
      .locator('[name="thresholdNumber"]')
      .first()
      .evaluate((field, text) => {
        (field as HTMLInputElement).value = text;
        field.dispatchEvent(new Event("input", { bubbles: true }));
      }, `${value}`);

  test(`${SEQUENCES} sequences with moves of the threshold: the page's labels are those of its recipe`, async () => {
    for (let seed = 1; seed <= SEQUENCES; seed++) {
      const next = random(seed * 7919);
      await startOver();
      await threshold(90 + next(60));
      await lab.settled();
      const count = 3 + next(4);
      for (let i = 0; i < count; i++) {
        const name = KINDS[next(KINDS.length)];
        await choose(name);
        const spot = (): [number, number] => [2 + next(156), 2 + next(116)];
        const from = spot();
        const near = (): [number, number] => [
          Math.min(158, Math.max(1, from[0] + next(60) - 30)),
          Math.min(118, Math.max(1, from[1] + next(60) - 30)),
        ];
        if (name === "fill" || name === "drop") await lab.page.mouse.click(...(await place(...from)));
        else if (name === "join" || next(3) > 0) await draw([from, near(), near()]);
        else await lab.page.mouse.click(...(await place(...from)));
        await lab.page.keyboard.press("Escape");
        await lab.settled();
        if (next(3) === 0) await threshold(90 + next(60));
      }
      await lab.settled();
      const recipe = await savedRecipe();
      const wanted = await bytesOf(recipe);
      expect((await lab.saves("labels")).equals(wanted), `seed ${seed}: ${JSON.stringify(recipe)}`).toBe(true);
    }
  }, 1_800_000);

  test("each correction does what it says, is one step of undo, and can be taken back by itself", async () => {
    await startOver();
    await threshold(120);
    await lab.settled();
    const before = await lab.count();
    await choose("draw");
    await lab.page.keyboard.press("[");
    await draw([
      [3, 3],
      [9, 3],
    ]);
    await lab.settled();
    const drawn = await savedRecipe();
    expect(drawn.options?.edits).toHaveLength(1);
    await lab.page.keyboard.press("Control+z");
    await lab.settled();
    expect(await lab.count()).toBe(before);
    await lab.page.keyboard.press("Control+y");
    await lab.settled();
    // An object that is not there is told, and no correction is added.
    await choose("erase");
    await draw([
      [0, 0],
      [20, 3],
    ]);
    await lab.settled();
    await choose("drop");
    await lab.page.mouse.click(...(await place(4, 3)));
    await expect.poll(() => lab.page.textContent("body")).toContain("There is no object here.");
    expect((await savedRecipe()).options?.edits).toHaveLength(2);
    await lab.page.getByRole("button", { name: /^Take back: Draw/ }).click();
    await lab.settled();
    const { edits = [] } = (await savedRecipe()).options ?? {};
    expect(edits.map((edit) => Object.keys(edit)[0])).toEqual(["erase"]);
  }, 60_000);

  test("a correction without effect is counted after the threshold has moved, and has its effect again", async () => {
    await startOver();
    await threshold(120);
    await lab.settled();
    const { components } = (await run(engine, await savedRecipe(), { image: raster })) as { components: Components };
    const { row, begin, end } = await components.runs();
    components.dispose();
    await choose("drop");
    await lab.page.mouse.click(...(await place(Math.floor((begin[0] + end[0]) / 2), row[0])));
    await lab.settled();
    await threshold(255);
    await lab.settled();
    await expect.poll(() => lab.page.getByTestId("idle").textContent()).toContain("1 of 1 changes nothing here");
    await threshold(120);
    await lab.settled();
    await expect.poll(() => lab.page.getByTestId("idle").count()).toBe(0);
  }, 60_000);

  test("a label image: its objects are taken, corrected and saved as skerry run does, in types of files and numbers", async () => {
    const { width, height } = raster;
    // Ids with gaps, some in two pieces.
    const ids = raster.data.map((value, i) => (value > 110 ? 1 + 3 * Math.floor((i % width) / 20) : 0));
    const layout = (type: PixelType) => ({ type, width, height, depth: 1, channels: 1 }) as const;
    for (const [name, type] of [
      ["ids8.npy", "u8"],
      ["ids16.npy", "u16"],
      ["ids32.npy", "u32"],
      ["ids16.tif", "u16"],
      ["ids.png", "u8"],
    ] as const) {
      const data = newPixels(type, ids.length);
      data.set(ids);
      const file = new MemoryOutput();
      await writerOf(name.slice(name.indexOf(".")), wantedBy(layout(type)))?.writer.write(
        file,
        layout(type),
        fillOf(data, layout(type)),
      );
      await lab.opens(name, Buffer.concat(file.chunks));
      // The files after the first have its settings.
      if (name === "ids8.npy") await lab.page.getByRole("button", { name: "Take each as an object" }).click();
      await lab.settled();
      const before = await lab.count();
      expect(before, name).toBe(new Set(ids).size - 1);
      await choose("draw");
      await draw([
        [1, 1],
        [12, 2],
      ]);
      await choose("cut");
      await draw([
        [0, 60],
        [159, 64],
      ]);
      await lab.settled();
      const recipe = await savedRecipe();
      expect(recipe.operation).toBe("labelled");
      const { components } = (await run(engine, recipe, { image: { data, width, height } })) as {
        components: Components;
      };
      expect(components.count).toBeGreaterThan(before);
      const wanted = new MemoryOutput();
      const values = labelValues(components, "u32");
      await writeNpyValues(wanted, values.layout, values.fill);
      expect((await lab.saves("labels")).equals(Buffer.concat(wanted.chunks)), name).toBe(true);
      components.dispose();
    }
    // The table has the ids, and the rule stays behind where numbers do not come in areas.
    await expect.poll(() => lab.page.locator('[role="columnheader"]').allTextContents()).toContain("value");
    await lab.opens("photograph.png", await pngOf(raster));
    await lab.settled();
    expect((await savedRecipe()).operation).toBe("components");
    await lab.opens("blobs.png", await pngOf(raster));
  }, 120_000);

  test("a click with Shift goes on from the last stroke, but not from one that was taken back", async () => {
    await startOver();
    await choose("draw");
    const stroke: readonly (readonly [number, number])[] = [
      [4, 4],
      [20, 8],
    ];
    await draw(stroke);
    await lab.page.keyboard.down("Shift");
    await lab.page.mouse.click(...(await place(40, 30)));
    await lab.settled();
    const { options: { edits = [] } = {} } = await savedRecipe();
    const [first, second] = edits as readonly { readonly draw: readonly (readonly number[])[] }[];
    expect(second.draw).toEqual([first.draw.at(-1), expect.any(Array)]);
    await lab.page.keyboard.up("Shift");
    for (let i = 0; i < 2; i++) await lab.page.keyboard.press("ControlOrMeta+z");
    await lab.page.keyboard.down("Shift");
    await lab.page.mouse.click(...(await place(60, 30)));
    await lab.page.keyboard.up("Shift");
    await lab.settled();
    const { options: after = {} } = await savedRecipe();
    const [dab] = after.edits as unknown as readonly { readonly draw: readonly unknown[] }[];
    expect(dab.draw).toHaveLength(1);
    await startOver();
  });

  test("masks of COCO open as objects, are corrected, and the command takes the saved recipe", async () => {
    await startOver();
    await threshold(110);
    await lab.settled();
    const count = await lab.count();
    const coco = await lab.saves("coco");
    await lab.opens("masks.json", coco);
    expect(await lab.count()).toBe(count);
    await choose("draw");
    await draw([
      [0, 0],
      [6, 0],
    ]);
    await lab.settled();
    const folder = mkdtempSync(join(tmpdir(), "skerry-hand-"));
    writeFileSync(join(folder, "masks.json"), coco);
    writeFileSync(join(folder, "saved.json"), JSON.stringify(await savedRecipe()));
    const words = ["run", "saved.json", "masks.json", "-o", "labels.npy"];
    const { stderr } = spawnSync(process.execPath, [skerry, ...words], { cwd: folder, encoding: "utf8" });
    expect(stderr).not.toContain("skerry:");
    expect((await lab.saves("labels")).equals(readFileSync(join(folder, "labels.npy")))).toBe(true);
    rmSync(folder, { recursive: true });
    await lab.opens("blobs.png", await pngOf(raster));
    await lab.page.locator('[name="rule"]').selectOption("bright");
    await lab.settled();
  }, 60_000);

  test("a region is worked in, and the recipe has it", async () => {
    await startOver();
    await threshold(120);
    await lab.settled();
    const whole = await lab.count();
    await choose("region");
    await lab.page.mouse.click(...(await place(20, 10)));
    await lab.page.mouse.click(...(await place(100, 80)));
    await lab.settled();
    const recipe = await savedRecipe();
    const { components } = (await run(engine, recipe, { image: raster })) as { components: Components };
    const bounds = await components.regions({ properties: ["bounds"] });
    components.dispose();
    expect(await lab.count()).toBe(bounds.count);
    expect(bounds.count).toBeGreaterThan(0);
    expect(bounds.count).toBeLessThan(whole);
    for (let i = 0; i < bounds.count; i++) {
      const [x0, y0, x1, y1] = bounds.bounds.subarray(4 * i, 4 * i + 4);
      expect(x0 >= 20 && y0 >= 10 && x1 <= 101 && y1 <= 81).toBe(true);
    }
    await lab.page.keyboard.press("Control+z");
    await lab.settled();
    expect(await lab.count()).toBe(whole);
  }, 60_000);

  test("keys alone: a tool by its letter, places by arrows and Enter; a lasso selects, a line is measured", async () => {
    await startOver();
    await lab.page.locator("canvas.picture").focus();
    await lab.page.keyboard.press("m");
    await lab.page.keyboard.press("ArrowRight");
    await lab.page.keyboard.press("Enter");
    for (let i = 0; i < 3; i++) await lab.page.keyboard.press("Control+ArrowRight");
    await lab.page.keyboard.press("Enter");
    await expect.poll(() => lab.page.getByTestId("length").textContent()).toBe("30 px");
    await lab.page.keyboard.press("d");
    expect(await lab.page.locator('[name="hand-draw"]').getAttribute("aria-pressed")).toBe("true");
    await lab.page.keyboard.press("Enter");
    await lab.settled();
    expect((await savedRecipe()).options?.edits).toHaveLength(1);
    await choose("lasso");
    await draw([
      [0, 0],
      [159, 0],
      [159, 119],
      [0, 119],
    ]);
    await expect.poll(() => lab.page.getByTestId("selected").textContent()).toContain(`${await lab.count()}`);
    await lab.page.keyboard.press("Escape");
    await lab.page.getByRole("button", { name: /Remove the line/ }).click();
    await expect.poll(() => lab.page.getByTestId("length").count()).toBe(0);
  }, 60_000);
});

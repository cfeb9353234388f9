// Each tool in a real browser, by pointer and by keys, with threads, in one worker, and on WebGPU in software: what the page saves is,
// bit for bit, what the library gives in Node, what the copied code gives, and what the copied command writes.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  MemoryOutput,
  objectColour,
  palette,
  writeCoco,
  writeCocoPolygons,
  writeGeoJson,
  writePng,
  writeRegions,
  writeRois,
  writeSvg,
} from "@skerry/files";
import { labelValues, maskBytes, writeNpyValues } from "@skerry/files/internal";
import { type Components, type Engine, labelAt, open, paint, type Raster } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Bench, blobs, type Mode, noBrowser, type Opened, pngOf, runCopied, skerry } from "../page.js";

const raster = blobs(224, 160);
const name = "blobs.png";

async function written(write: (file: MemoryOutput) => Promise<unknown>): Promise<Buffer> {
  const file = new MemoryOutput();
  await write(file);
  return Buffer.from(file.bytes());
}

/** The first line in which two files differ; empty where they are equal. */
function differing(seen: Buffer, expected: Buffer): string {
  if (seen.equals(expected)) return "";
  const [a, b] = [seen, expected].map((bytes) => bytes.toString("latin1").split("\n"));
  const i = a?.findIndex((line, k) => line !== b?.[k]) ?? 0;
  return `${a?.[i]}\n${b?.[i]}`;
}

/** Every file that the page saves of some components. */
async function filesOf(components: Components, image: Raster): Promise<Record<string, Buffer>> {
  const regions = await components.regions({ properties: "usual", intensity: image });
  const outlines = await components.outlines();
  const { width, height } = components;
  const colourOf = (label: number): [number, number, number] => objectColour(palette(), label);
  return {
    labels: await written(async (file) => {
      const { layout, fill } = labelValues(components, "u32");
      await writeNpyValues(file, layout, fill);
    }),
    mask: await written(async (file) => {
      await writePng(file, { width, height, channels: 1, data: maskBytes(await components.mask(), 255) });
    }),
    regionsCsv: await written((file) => writeRegions(file, regions, "csv", { depth: 1 })),
    regionsJson: await written((file) => writeRegions(file, regions, "json", { depth: 1 })),
    coco: await written((file) => writeCoco(file, components, name)),
    "outlines.geojson": await written((file) =>
      writeGeoJson(file, outlines, { properties: (label) => ({ area: regions.area?.[label - 1] }) }),
    ),
    "outlines.svg": await written((file) => writeSvg(file, outlines, { width, height, colourOf })),
    "outlines.json": await written((file) => writeCocoPolygons(file, components, outlines, name)),
    "outlines.zip": await written((file) => writeRois(file, outlines)),
  };
}

describe.skipIf(noBrowser)("the tools", () => {
  let bench: Bench;
  let engine: Engine;
  let folder: string;
  beforeAll(async () => {
    bench = await Bench.start();
    engine = await open({ device: "cpu", threads: 2 });
    folder = mkdtempSync(join(tmpdir(), "skerry-lab-"));
    writeFileSync(join(folder, name), await pngOf(raster));
  });
  afterAll(async () => {
    await bench?.close();
    await engine?.close();
    if (folder) rmSync(folder, { recursive: true });
  });

  const run = (command: string, ...more: string[]): string => {
    const words = (command.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^'(.*)'$/, "$1"));
    const args = [skerry, ...words.slice(2), ...more, "--json"];
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
    expect(stderr).toBe("");
    return stdout;
  };

  describe.each<Mode>(["isolated", "one worker", "gpu"])("%s", (mode) => {
    let lab: Opened;
    const slow = mode === "gpu" ? 120_000 : 20_000;
    beforeAll(async () => {
      lab = await (await bench.open(mode, "cases=2")).go();
      await lab.settled(slow);
      await lab.opens(name, await pngOf(raster));
    }, 180_000);
    afterAll(() => lab?.close());

    test("runs where it says", async () => {
      const told = (await lab.page.getByTestId("device").textContent()) ?? "";
      expect(told).toMatch(mode === "gpu" ? /^WebGPU/ : /^WebAssembly/);
      expect(await lab.page.evaluate("crossOriginIsolated")).toBe(mode !== "one worker");
      if (mode === "one worker") expect(told).toContain("1 thread");
    });

    test("objects: threshold, filters, a brush, deletion and a fence", async () => {
      const { page } = lab;
      const otsu = await engine.components(raster, { threshold: "otsu" });
      await lab.until(otsu.count, slow);
      // By keys.
      await page.getByRole("slider", { name: "Threshold", exact: true }).focus();
      for (let i = 0; i < 9; i++) await page.keyboard.press("ArrowLeft");
      await page.locator('input[name="minArea"]').fill("12");
      await page.getByLabel("Fill holes").check();
      await page.getByLabel("Neighbours").selectOption("8");
      const threshold = { above: (otsu.threshold as number) - 9 };
      const options = { threshold, minArea: 12, fillHoles: true, connectivity: 8 } as const;
      const expected = await engine.components(raster, options);
      await lab.until(expected.count, slow);
      await lab.settled(slow);
      const saved = await filesOf(expected, raster);
      for (const [what, bytes] of Object.entries(saved)) expect(differing(await lab.saves(what), bytes), what).toBe("");
      const { typescript, command } = await lab.code();
      const copied = await runCopied<Components>(typescript, "objects", { open: () => engine, image: raster });
      expect((await copied.labels()).data).toEqual((await expected.labels()).data);
      run(command, "-o", "labels.npy", "--regions", "regions.csv", "--runs", "coco.json", "--device", "cpu");
      expect(readFileSync(join(folder, "labels.npy")).equals(saved.labels)).toBe(true);
      expect(readFileSync(join(folder, "regions.csv")).equals(saved.regionsCsv)).toBe(true);
      expect(readFileSync(join(folder, "coco.json")).equals(saved.coco)).toBe(true);

      await lab.settled(slow);

      // A click selects, Shift adds, Delete drops; by pointer on the picture.
      const { centroid, area } = await expected.regions();
      const runs = await expected.runs();
      const order = Array.from((area as Uint32Array).keys()).sort(
        (a, b) => (area as Uint32Array)[b]! - (area as Uint32Array)[a]!,
      );
      const places = order
        .map((i) => [Math.floor(centroid[2 * i]!), Math.floor(centroid[2 * i + 1]!)] as const)
        .filter(([x, y], k) => labelAt(runs, x, y) === order[k]! + 1 && x > raster.width * 0.55);
      const [first, second] = places as [readonly [number, number], readonly [number, number]];
      await page.mouse.click(...(await lab.at(...first, raster)));
      await page.keyboard.down("Shift");
      await page.mouse.click(...(await lab.at(...second, raster)));
      await page.keyboard.up("Shift");
      await expect.poll(() => page.getByTestId("selected").textContent()).toBe("2 selected");
      await page.keyboard.press("Delete");
      await lab.until(expected.count - 2, slow);
      const gone = new Set([first, second].map(([x, y]) => labelAt(runs, x, y)));
      const labels = Array.from({ length: expected.count }, (_, i) => i + 1).filter((label) => !gone.has(label));
      const left = await expected.keep({ labels });
      expect((await lab.saves("labels")).equals((await filesOf(left, raster)).labels)).toBe(true);

      // A brush on the areas keeps the larger ones.
      await page.getByText("Filter and plot").click();
      const least = page.getByRole("slider", { name: "Least area" });
      await least.focus();
      await page.keyboard.press("PageUp");
      await expect.poll(lab.count, { timeout: slow }).toBeLessThan(expected.count - 2);
      await lab.settled(slow);
      const brushed = await lab.code();
      const kept = await runCopied<Components>(brushed.typescript, "objects", {
        open: () => engine,
        image: raster,
        labelAt,
      });
      await lab.until(kept.count, slow);
      expect((await lab.saves("labels")).equals((await filesOf(kept, raster)).labels)).toBe(true);
      await page.getByRole("button", { name: "All", exact: true }).click();
      await lab.until(left.count, slow);
      await page.getByText("Filter and plot").click();

      // What is selected is a fence for what follows.
      await lab.settled(slow);
      const third = places[2];
      await page.mouse.click(...(await lab.at(...third, raster)));
      await page.getByRole("button", { name: "Work inside" }).click();
      await lab.until(1, slow);
      const fenced = await runCopied<Components>((await lab.code()).typescript, "objects", {
        open: () => engine,
        image: raster,
        labelAt,
      });
      await lab.settled(slow);
      expect((await lab.saves("labels")).equals((await filesOf(fenced, raster)).labels)).toBe(true);
      await page.getByRole("button", { name: "Work everywhere" }).click();
      await lab.until(left.count, slow);
    }, 240_000);

    test("objects of both kinds at once", async () => {
      const { page } = lab;
      await page.getByRole("button", { name: "Take all back" }).click();
      await page.getByLabel("Which pixels are objects").selectOption("both");
      await page.getByRole("spinbutton", { name: "Lower threshold" }).fill("30");
      await page.getByRole("spinbutton", { name: "Threshold", exact: true }).fill("120");
      const expected = await engine.components(raster, {
        threshold: { outside: [30, 120] },
        connectivity: 8,
        minArea: 12,
        fillHoles: true,
      });
      await lab.until(expected.count, slow);
      await lab.settled(slow);
      expect((await lab.saves("labels")).equals((await filesOf(expected, raster)).labels)).toBe(true);
    }, 120_000);

    // The library's own browser test runs these on WebGPU, whose kernels compile for minutes in software.
    test.skipIf(mode === "gpu")(
      "light, shape and splits, in their order",
      async () => {
        const { page } = lab;
        await page.getByLabel("Which pixels are objects").selectOption("bright");
        const steps = [
          ["Smooth", "1"],
          ["Uneven light", "30"],
          ["Close gaps", "2"],
          ["Grow", "1"],
          ["Split touching objects", "1"],
          ["Merge small parts", "9"],
          ["Expand", "3"],
        ] as const;
        for (const [label, value] of steps) await lab.step(label!, value!);
        await page.getByRole("spinbutton", { name: "Threshold", exact: true }).fill("140");
        const expected = await engine.components(raster, {
          smooth: 1,
          flatten: 30,
          threshold: { above: 140 },
          connectivity: 8,
          close: 2,
          dilate: 1,
          split: 1,
          absorb: 9,
          expand: 3,
          minArea: 12,
          fillHoles: true,
        });
        expect(expected.count).toBeGreaterThan(3);
        await lab.until(expected.count, slow);
        await lab.settled(slow);
        const saved = (await filesOf(expected, raster)).labels;
        expect((await lab.saves("labels")).equals(saved)).toBe(true);
        const { typescript, command } = await lab.code();
        const copied = await runCopied<Components>(typescript, "objects", { open: () => engine, image: raster });
        expect((await copied.labels()).data).toEqual((await expected.labels()).data);
        run(command, "-o", "steps.npy", "--device", "cpu");
        expect(readFileSync(join(folder, "steps.npy")).equals(saved)).toBe(true);

        // The threshold gives way to a local one.
        for (const [label] of steps.toReversed()) {
          await page.getByRole("spinbutton", { name: label!, exact: true }).fill("");
        }
        await page.getByLabel("How the threshold is chosen").selectOption("local");
        await page.getByRole("spinbutton", { name: "Radius" }).fill("15");
        const local = await engine.components(raster, {
          threshold: { local: { radius: 15, method: "sauvola" } },
          polarity: "bright",
          connectivity: 8,
          minArea: 12,
          fillHoles: true,
        });
        await lab.until(local.count, slow);
        await lab.settled(slow);
        expect((await lab.saves("labels")).equals((await filesOf(local, raster)).labels)).toBe(true);
        run((await lab.code()).command, "-o", "local.npy", "--device", "cpu");
        expect(readFileSync(join(folder, "local.npy")).equals((await filesOf(local, raster)).labels)).toBe(true);
        await page.getByLabel("How the threshold is chosen").selectOption("otsu");
      },
      120_000,
    );

    test("fill: press and drag, add, take away, paint", async () => {
      const { page } = lab;
      await page.getByRole("button", { name: "Fill", exact: true }).click();
      const spots = [
        [150, 20],
        [200, 140],
        [190, 70],
      ] as const;
      const [x, y] = await lab.at(...spots[0], raster);
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + 30, y, { steps: 4 });
      await page.mouse.up();
      await lab.settled(slow);
      const tolerance = Number(await page.getByRole("spinbutton", { name: "Tolerance" }).inputValue());
      expect(tolerance).toBe(24 + 15);
      const one = await engine.fill(raster, { seeds: [spots[0]], tolerance });
      await lab.until(one.foreground, slow);
      const single = await lab.code();
      run(single.command, "--mask", "mask.png", "--device", "cpu");
      expect(readFileSync(join(folder, "mask.png")).equals(await lab.saves("mask"))).toBe(true);
      await page.keyboard.down("Shift");
      await page.mouse.click(...(await lab.at(...spots[1], raster)));
      await page.keyboard.up("Shift");
      await page.keyboard.down("Alt");
      await page.mouse.click(...(await lab.at(...spots[2], raster)));
      await page.keyboard.up("Alt");
      await lab.settled(slow);
      const { typescript } = await lab.code();
      const copied = await runCopied<Components>(typescript, "objects", { open: () => engine, image: raster });
      await lab.until(copied.foreground, slow);
      const other = await engine.fill(raster, { seeds: [spots[1]], tolerance });
      const less = await engine.fill(raster, { seeds: [spots[2]], tolerance });
      const [a, b, c] = (await Promise.all([one, other, less].map((fill) => fill.mask()))).map(({ bits }) => bits);
      const { bits } = await copied.mask();
      expect(bits).toEqual(a?.map((word, i) => ((word | (b?.[i] ?? 0)) & ~(c?.[i] ?? 0)) >>> 0));
      for (const [what, bytes] of Object.entries(await filesOf(copied, raster))) {
        expect((await lab.saves(what)).equals(bytes), what).toBe(true);
      }
      await page.keyboard.press("p");
      await lab.settled(slow);
      await page.getByLabel("Colour").fill("#0080ff");
      await page.mouse.click(...(await lab.at(...spots[1], raster)));
      await lab.settled(slow);
      await page.keyboard.press("p");
      await lab.settled(slow);
      const rgb = new Uint8Array(raster.data.length * 3).map((_, i) => raster.data[Math.floor(i / 3)]);
      const colour = { data: rgb, width: raster.width, height: raster.height, channels: 3 };
      const painted = await runCopied<Raster>((await lab.code()).typescript, "painted", {
        open: () => engine,
        image: colour,
        paint,
      });
      const png = await written((file) =>
        writePng(file, { ...painted, channels: 3, data: painted.data as Uint8Array }),
      );
      expect((await lab.saves("painted")).equals(png)).toBe(true);
      expect((await lab.saves("seen")).subarray(1, 4).toString()).toBe("PNG");
    }, 240_000);

    test.skipIf(mode !== "gpu")(
      "both devices give the same bits",
      async () => {
        const { page } = lab;
        await page.getByRole("button", { name: "Run both" }).click();
        await expect.poll(() => page.getByTestId("badge").textContent(), { timeout: 120_000 }).toMatch(/^Same bits/);
        await page.getByRole("button", { name: "Check my GPU" }).click();
        await expect
          .poll(() => page.getByRole("textbox", { name: "Check my GPU" }).inputValue(), { timeout: 180_000 })
          .toMatch(/^skerry, 2 seeded cases, WebGPU \(.+\) against WebAssembly: same bits; ([0-9a-f]{16}) \1; /);
      },
      180_000,
    );
  });

  test("a distance map without objects says so, and leaves the controls", async () => {
    const lab = await (await bench.open()).go();
    await lab.settled();
    const { page } = lab;
    await page.getByRole("button", { name: "Distance", exact: true }).click();
    await lab.settled();
    const threshold = page.getByRole("spinbutton", { name: "Threshold", exact: true });
    await threshold.fill("255");
    await lab.settled();
    await expect.poll(() => page.locator("aside").textContent()).toContain("no pixel is an object");
    await threshold.fill("60");
    await lab.settled();
    await expect.poll(() => page.locator("aside").textContent()).toContain("mean ");
    expect(await page.getByLabel("Metric").count()).toBe(1);
    await lab.close();
  });
});

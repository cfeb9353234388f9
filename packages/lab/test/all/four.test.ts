// Distances, colours, scale, comparison, several files, presets and the tour in a real browser: what is saved is, bit for bit, what the
// library gives in Node, what the copied code gives, and what the copied command writes.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import { openTiff, readPng } from "@skerry/files";
import { maskOfClasses, mergeClasses, startFor } from "@skerry/recipe";
import { unzipSync } from "fflate";
import sharp from "sharp";
import { type Engine, open, recolour } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Bench, blobs, type Mode, noBrowser, type Opened, pngOf, runCopied, skerry } from "../page.js";

const raster = blobs(224, 160);

/** Colours of a smooth picture. */
function photo() {
  const [width, height] = [96, 64];
  const data = new Uint8Array(width * height * 3);
  for (let i = 0; i < width * height; i++) {
    const [x, y] = [i % width, Math.floor(i / width)];
    data.set([(x * 5) & 255, (y * 7 + x) & 255, ((x >> 3) * 31 + (y >> 3) * 17) & 255], 3 * i);
  }
  return { data, width, height, channels: 3 };
}

/** Words of a command as a shell has them. */
const wordsOf = (command: string): string[] => command.split(/\s+/).map((word) => word.replace(/^'(.*)'$/, "$1"));

/** Values of a .npy file. */
function valuesOf(npy: Buffer): Float32Array {
  const from = 10 + npy.readUInt16LE(8);
  return new Float32Array(Uint8Array.from(npy.subarray(from)).buffer);
}

/** Decoders that labels do not need. */
const never = (): never => {
  throw new Error("labels are packed by Deflate alone");
};
const CODECS = { inflate: async (bytes: Uint8Array) => inflateSync(bytes), jpeg: never, jpegComponents: [] };

describe.skipIf(noBrowser)("four tools", () => {
  let bench: Bench;
  let engine: Engine;
  let folder: string;
  let colours: Buffer;
  beforeAll(async () => {
    bench = await Bench.start();
    engine = await open({ device: "cpu", threads: 2 });
    folder = mkdtempSync(join(tmpdir(), "skerry-four-"));
    const { data, width, height } = photo();
    colours = await sharp(data, { raw: { width, height, channels: 3 } })
      .png()
      .toBuffer();
    writeFileSync(join(folder, "blobs.png"), await pngOf(raster));
    writeFileSync(join(folder, "photo.png"), colours);
  });
  afterAll(async () => {
    await bench?.close();
    await engine?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const begun = async (name: string, bytes: Uint8Array, mode: Mode = "isolated"): Promise<Opened> => {
    const lab = await (await bench.open(mode)).go();
    await lab.settled();
    await lab.opens(name, bytes);
    return lab;
  };
  const tool = async (lab: Opened, name: string): Promise<void> => {
    await lab.page.locator("nav").getByRole("button", { name, exact: true }).click();
    await lab.settled();
  };

  test.each(["isolated", "one worker", "gpu"] as const)(
    "%s: distances to objects, signed, to points and to a selection are the library's",
    async (mode) => {
      const lab = await begun("blobs.png", await pngOf(raster), mode);
      await tool(lab, "Distance");
      await lab.page.getByLabel("Lines every").fill("5");
      await lab.settled();
      using objects = await engine.components(raster, { threshold: "otsu", polarity: "auto" });
      const plain = await engine.distance(objects);
      expect(valuesOf(await lab.saves("distanceNpy"))).toEqual(plain.data);
      await lab.page.getByLabel("Inside as well").check();
      await lab.page.getByLabel("Metric").selectOption("cityblock");
      await lab.settled();
      const signed = await engine.distance(objects, { signed: true, metric: "cityblock" });
      expect(valuesOf(await lab.saves("distanceNpy"))).toEqual(signed.data);
      if (mode === "isolated") {
        const { typescript, command } = await lab.code();
        const image = { ...raster, channels: 1 };
        expect(await runCopied<Float32Array>(typescript, "map.data", { open: async () => engine, image })).toEqual(
          signed.data,
        );
        const words = wordsOf(command).slice(1);
        const { status } = spawnSync(process.execPath, [skerry, ...words.slice(1), "-o", "map.npy"], { cwd: folder });
        expect(status).toBe(0);
        expect(valuesOf(readFileSync(join(folder, "map.npy")))).toEqual(signed.data);
      }
      await lab.page.getByLabel("Distances to").selectOption("points");
      await lab.page.mouse.click(...(await lab.at(30, 40, raster)));
      await lab.page.mouse.click(...(await lab.at(180, 90, raster)));
      await lab.settled();
      const points = [
        [30, 40],
        [180, 90],
      ] as const;
      const { width, height } = raster;
      const toPoints = await engine.distance({ points, width, height }, { metric: "cityblock" });
      expect(valuesOf(await lab.saves("distanceNpy"))).toEqual(toPoints.data);
      // The line leads to the nearest pixel, and the value stands in the footer.
      await lab.page.mouse.move(...(await lab.at(60, 50, raster)));
      expect(await lab.page.locator(".reading").textContent()).toContain("distance 40 px");
      const line = lab.page.locator(".overlay line");
      const [x, y] = await lab.at(30, 40, raster);
      const box = await lab.page.locator("canvas.picture").boundingBox();
      expect(Math.abs(Number(await line.getAttribute("x2")) + (box?.x ?? 0) - x)).toBeLessThan(1.5);
      expect(Math.abs(Number(await line.getAttribute("y2")) + (box?.y ?? 0) - y)).toBeLessThan(1.5);
      // In each object of another label image, whose three numbers begin at 3.
      const numbers = raster.data.map((_, i) => (i % width < 56 ? 0 : 3 + (Math.floor(i / width) >> 6)));
      const parts = await pngOf({ ...raster, data: numbers });
      const download = lab.page.waitForEvent("download");
      await lab.page.locator('input[name="over"]').setInputFiles({ name: "parts.png", mimeType: "", buffer: parts });
      const table = readFileSync((await (await download).path()) ?? "", "utf8");
      using labelled = await engine.labelled({ ...raster, data: numbers });
      const closest = await toPoints.over(labelled);
      const statistics = ["area", "max", "mean", "std", "median"] as const;
      const regions = await labelled.regions({ properties: statistics, intensity: { ...raster, data: toPoints.data } });
      const rows = Array.from(closest.distance, (least, i) => [
        3 + i,
        regions.area?.[i],
        least,
        ...closest.where.subarray(2 * i, 2 * i + 2),
        ...statistics.slice(1).map((name) => regions[name]?.[i]),
      ]);
      expect(rows.length).toBe(3);
      expect(table).toBe(
        `label,area,distance,x,y,max,mean,std,median\n${rows.map((row) => `${row.join(",")}\n`).join("")}`,
      );
      await lab.close();
    },
    240_000,
  );

  test.each(["isolated", "gpu"] as const)(
    "%s: colours: classes are the library's, alone, merged, as objects, and as code and command give them",
    async (mode) => {
      const lab = await begun("photo.png", colours, mode);
      await tool(lab, "Colours");
      await lab.page.getByLabel("Number of colours", { exact: true }).last().fill("5");
      await lab.page.getByLabel("Begins with").selectOption("tiles");
      await lab.settled();
      const wanted = await engine.kmeans(photo(), { k: 5, init: "tiles" });
      const classes = await readPng(await lab.saves("classes"), "classes.png");
      expect([...classes.data]).toEqual([...wanted.data]);
      const seen = await readPng(await lab.saves("poster"), "poster.png");
      expect([...seen.data]).toEqual([...(await recolour(wanted)).data]);
      const { typescript, command } = await lab.code();
      const given = { open: async () => engine, image: photo(), maskOfClasses, mergeClasses, startFor };
      expect(await runCopied<Uint8Array>(typescript, "classes.data", given)).toEqual(wanted.data);
      const words = wordsOf(command).slice(2);
      expect(spawnSync(process.execPath, [skerry, ...words, "--classes", "own.png"], { cwd: folder }).status).toBe(0);
      expect([...(await readPng(readFileSync(join(folder, "own.png")), "own.png")).data]).toEqual([...wanted.data]);
      // A click shows a class alone; its areas become objects.
      await lab.page.locator(".palette button").nth(1).click();
      await lab.page.getByRole("button", { name: "Find its objects" }).click();
      await lab.settled();
      const bits = new Uint8Array(wanted.data.map((each) => Number(each === 1)));
      using areas = await engine.components({ data: bits, width: 96, height: 64 }, { threshold: "nonzero" });
      expect(await lab.count()).toBe(areas.count);
      await lab.page.getByRole("button", { name: "Undo" }).click();
      await lab.settled();
      // Two become one, with Shift.
      await lab.page.locator(".palette button").nth(0).click();
      await lab.page
        .locator(".palette button")
        .nth(3)
        .click({ modifiers: ["Shift"] });
      await lab.settled();
      expect(await lab.count()).toBe(4);
      await lab.close();
    },
    240_000,
  );

  test("a scale by a line: table, distances, code and command are in the unit", async () => {
    const lab = await begun("blobs.png", await pngOf(raster));
    await lab.page.getByRole("button", { name: "Scale" }).click();
    await lab.page.getByRole("button", { name: "Draw a line of known length" }).click();
    await lab.page.mouse.move(...(await lab.at(20, 80, raster)));
    await lab.page.mouse.down();
    await lab.page.mouse.move(...(await lab.at(120, 80, raster)), { steps: 4 });
    await lab.page.mouse.up();
    await lab.page.getByLabel("The line of 100.0 px is").fill("50");
    await lab.page.getByRole("button", { name: "Set the scale" }).click();
    await lab.settled();
    const scaled = { ...raster, spacing: [0.5, 0.5] as const };
    using found = await engine.components(scaled, { threshold: "otsu", polarity: "auto", physical: true });
    const { area = [] } = await found.regions({ properties: ["area"], physical: true });
    const table = (await lab.saves("regionsCsv")).toString();
    expect(Number(table.split("\n")[1]?.split(",")[1])).toBe(area[0]);
    expect(await lab.page.locator(".scalebar").textContent()).toMatch(/ um/);
    const { typescript, command } = await lab.code();
    expect(typescript).toContain("spacing: [0.5, 0.5]");
    expect(command).toContain("--spacing 0.5,0.5 --unit um");
    const words = wordsOf(command).slice(2);
    expect(spawnSync(process.execPath, [skerry, ...words], { cwd: folder }).status).toBe(0);
    expect(readFileSync(join(folder, "objects.csv"), "utf8")).toBe(table);
    await tool(lab, "Distance");
    const map = await engine.distance(found);
    expect(valuesOf(await lab.saves("distanceNpy"))).toEqual(map.data);
    await lab.close();
  }, 120_000);

  test("two settings beside each other: both counts, and what only one has", async () => {
    const lab = await begun("blobs.png", await pngOf(raster));
    const count = await lab.count();
    await lab.page.getByRole("button", { name: "Compare", exact: true }).click();
    await lab.page.locator('input[name="minArea"]').fill("60");
    await lab.settled();
    const less = await lab.count();
    expect(less).toBeLessThan(count);
    await expect
      .poll(() => lab.page.locator(".count.left").textContent())
      .toBe(`A: ${count}, ${count - less} only here`);
    expect(await lab.page.locator(".count.right").textContent()).toBe(`B: ${less}, 0 only here`);
    await lab.page.getByRole("button", { name: "Swap" }).click();
    await lab.settled();
    expect(await lab.count()).toBe(count);
    await lab.page.getByRole("button", { name: "End" }).click();
    expect(await lab.page.locator(".count").count()).toBe(0);
    // Another tool ends it as well.
    await lab.page.getByRole("button", { name: "Compare", exact: true }).click();
    expect(await lab.page.locator(".count").count()).toBe(2);
    await tool(lab, "Fill");
    expect(await lab.page.locator(".count").count()).toBe(0);
    await lab.close();
  }, 60_000);

  test("several files: one table and one ZIP as the command writes them; a broken file ends no others", async () => {
    const lab = await (await bench.open()).go();
    await lab.settled();
    const files = await Promise.all(
      [150, 170, 190].map(async (width, i) => ({
        name: `picture${i}.png`,
        mimeType: "image/png",
        buffer: Buffer.from(await pngOf(blobs(width, 100 + i))),
      })),
    );
    const broken = { name: "broken.png", mimeType: "image/png", buffer: files[0]!.buffer.subarray(0, 60) };
    await lab.page
      .locator('input[type="file"]')
      .first()
      .setInputFiles([...files, broken]);
    await lab.page.waitForFunction(() => document.querySelector(".source")?.textContent === "picture0.png");
    await lab.settled();
    await lab.page.locator('input[name="minArea"]').fill("15");
    await lab.settled();
    const inputs = join(folder, "several");
    spawnSync("mkdir", ["-p", inputs]);
    for (const { name, buffer } of files) writeFileSync(join(inputs, name), buffer);
    await lab.page.getByRole("button", { name: "All files" }).click();
    const told = (await lab.page.getByTestId("batch command").textContent()) ?? "";
    expect(told).toContain("cd FOLDER && ");
    const command = told.replace("cd FOLDER && ", "");
    const downloads: Record<string, Buffer> = {};
    lab.page.on("download", async (download) => {
      downloads[download.suggestedFilename()] = readFileSync(await download.path());
    });
    await lab.page.getByRole("button", { name: "Measure 4 files" }).click();
    await lab.page.getByRole("button", { name: "Save labels and overlays" }).click({ timeout: 30_000 });
    await lab.page.getByRole("button", { name: "Save the table" }).click();
    await expect.poll(() => Object.keys(downloads).length, { timeout: 30_000 }).toBe(2);
    expect(await lab.page.locator(".files .wrong").textContent()).toContain("broken.png is damaged");
    const words = wordsOf(command).slice(2);
    spawnSync("mkdir", ["-p", join(inputs, "labels"), join(inputs, "overlays")]);
    const { status, stderr } = spawnSync(process.execPath, [skerry, ...words], { cwd: inputs });
    expect(stderr.toString()).toBe("");
    expect(status).toBe(0);
    const table = readFileSync(join(inputs, "objects.csv"), "utf8");
    expect(downloads["objects.csv"]?.toString()).toBe(table);
    const entries = unzipSync(downloads["labels-and-overlays.zip"]!);
    expect(Object.keys(entries).sort()).toEqual(
      files.flatMap(({ name }) => [`labels/${name.replace(".png", ".tif")}`, `overlays/${name}`]).sort(),
    );
    for (const { name } of files) {
      const labels = `labels/${name.replace(".png", ".tif")}`;
      const read = async (bytes: Uint8Array): Promise<number[]> => {
        const source = {
          size: bytes.length,
          async read(into: Uint8Array, at: number) {
            const part = bytes.subarray(at, at + into.length);
            into.set(part);
            return part.length;
          },
          close: async () => undefined,
        };
        const { pixels } = await openTiff(source, name, { codecs: CODECS, most: 2 ** 26 });
        const data = new Uint32Array(pixels.width * pixels.height);
        await pixels.read(0, 1, 0, pixels.height, data, {});
        return [...data];
      };
      expect(await read(entries[labels]!)).toEqual(await read(readFileSync(join(inputs, labels))));
    }
    await lab.close();
  }, 120_000);

  test("a preset is kept over a reload, and skerry run gives the page's own bytes with it", async () => {
    const lab = await begun("blobs.png", await pngOf(raster));
    await lab.page.locator('input[name="minArea"]').fill("25");
    await lab.settled();
    const labels = await lab.saves("labels");
    await lab.page.getByRole("button", { name: "Share" }).click();
    await lab.page.getByLabel("Name").fill("No specks");
    await lab.page.getByRole("button", { name: "Save settings" }).click();
    const [download] = await Promise.all([
      lab.page.waitForEvent("download"),
      lab.page.getByRole("button", { name: ".json" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("No-specks.json");
    writeFileSync(join(folder, "preset.json"), readFileSync(await download.path()));
    const args = [skerry, "run", "preset.json", "blobs.png", "-o", "preset.npy"];
    expect(spawnSync(process.execPath, args, { cwd: folder }).status).toBe(0);
    expect(readFileSync(join(folder, "preset.npy")).equals(labels)).toBe(true);
    await lab.page.reload();
    await lab.settled();
    await lab.page.locator('input[name="minArea"]').fill("1");
    await lab.page.getByRole("button", { name: "Share" }).click();
    await lab.page.getByRole("button", { name: "Use", exact: true }).click();
    await lab.page.locator("dialog[open]").getByRole("button", { name: "Close" }).click();
    await lab.settled();
    expect(await lab.page.locator('input[name="minArea"]').inputValue()).toBe("25");
    await lab.close();
  }, 60_000);

  test("the tour shows five tasks, each drawn", async () => {
    const lab = await (await bench.open("isolated", "#tour")).go();
    for (let step = 1; step <= 5; step++) {
      await lab.page.getByText(`${step} / 5`).waitFor();
      await expect
        .poll(() => lab.page.getByTestId("tour time").textContent(), { timeout: 30_000 })
        .toMatch(/^[\d.]+ m?s for \d+ x \d+ pixels, [\d.]+ m?s the first time, WebAssembly, \d threads?$/);
      if (step < 5) await lab.page.getByRole("button", { name: "Next", exact: true }).click();
    }
    await lab.settled();
    await expect.poll(lab.count).toBe(16);
    await lab.close();
  }, 60_000);
});

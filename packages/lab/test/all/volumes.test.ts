// Files of several images: pages of a TIFF, slices and times of volumes. Each image has the counts of the command, and work of its own.

import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import {
  fillOf,
  MemoryOutput,
  spaceOf,
  writeMetaImage,
  writeNifti,
  writeNpy,
  writeNrrd,
  writeTiff,
} from "@skerry/files";
import { writeZip } from "@skerry/files/internal";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DICOMS } from "../../../files/test/support/dicoms.js";
import { TIFFS } from "../../../files/test/support/tiffs.js";
import { dicom } from "../../../skerry/fuzz/headers.mjs";
import { Bench, blobs, noBrowser, type Opened, root, skerry } from "../page.js";

const [WIDTH, HEIGHT, DEPTH] = [120, 90, 4];
const size = { width: WIDTH, height: HEIGHT, depth: DEPTH };
const data = new Uint8Array(WIDTH * HEIGHT * DEPTH);
for (let z = 0; z < DEPTH; z++) data.set(blobs(WIDTH, HEIGHT, z + 3).data, z * WIDTH * HEIGHT);
const space = spaceOf({ size, spacing: [0.5, 0.5, 2], unit: "mm" });

const written = async (write: (file: MemoryOutput) => Promise<void>): Promise<Buffer> => {
  const file = new MemoryOutput();
  await write(file);
  return Buffer.from(file.bytes());
};
const packedNrrd = (bytes: Buffer): Buffer => {
  const end = bytes.indexOf("\n\n") + 2;
  const header = bytes.toString("latin1", 0, end).replace("encoding: raw", "encoding: gzip");
  return Buffer.concat([Buffer.from(header, "latin1"), gzipSync(bytes.subarray(end))]);
};
/** MGH: version, sides, frames, type 0, then the place; values behind 284 bytes. */
function mgh(): Buffer {
  const header = Buffer.alloc(284);
  for (const [i, value] of [1, WIDTH, HEIGHT, DEPTH, 1, 0].entries()) header.writeInt32BE(value, 4 * i);
  header.writeInt16BE(1, 28);
  for (const [i, value] of [0.5, 0.5, 2, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0].entries())
    header.writeFloatBE(value, 30 + 4 * i);
  return Buffer.concat([header, Buffer.from(data)]);
}
const toWorld = [0.5, 0.5, 2].map((side, i) => [0, 1, 2, 3].map((k) => (k === i ? side : 0)));
const scan = { size: [WIDTH, HEIGHT, DEPTH], data, unit: "mm" as const, toWorld };

/** A file of DICOM with as many frames. */
function dicomFile(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "skerry-dicom-"));
  dicom(join(folder, "a.dcm"), scan, { isOne: true });
  const bytes = readFileSync(join(folder, "a.dcm"));
  rmSync(folder, { recursive: true });
  return bytes;
}
const FILES: Readonly<Record<string, () => Promise<Buffer>>> = {
  "a.nrrd": () => written((file) => writeNrrd(file, { ...size, type: "u8", space }, fillOf(data, size))),
  "packed.nrrd": async () => packedNrrd(await (FILES["a.nrrd"] as () => Promise<Buffer>)()),
  "a.mha": () => written((file) => writeMetaImage(file, { ...size, type: "u8", space }, fillOf(data, size))),
  "a.nii.gz": async () =>
    gzipSync(
      await written((file) => writeNifti(file, { ...size, type: "f32", space }, fillOf(Float32Array.from(data), size))),
    ),
  "a.mgz": async () => gzipSync(mgh()),
  "a.dcm": async () => dicomFile(),
  "a.npy": () => written((file) => writeNpy(file, data, size)),
  "a.npz": async () =>
    written(async (file) =>
      writeZip(file, [{ name: "cells.npy", bytes: await (FILES["a.npy"] as () => Promise<Buffer>)() }]),
    ),
  "a.tif": () => written((file) => writeTiff(file, { ...size, type: "u8" }, fillOf(data, size))),
  // Without a description pages may be slices.
  "pages.tif": async () =>
    Buffer.from(
      (await (FILES["a.tif"] as () => Promise<Buffer>)()).toString("latin1").replace("ImageJ=", "image0="),
      "latin1",
    ),
};

describe.skipIf(noBrowser)("files of several images", () => {
  let bench: Bench;
  let folder: string;
  beforeAll(async () => {
    bench = await Bench.start();
    folder = mkdtempSync(join(tmpdir(), "skerry-page-volumes-"));
  });
  afterAll(async () => {
    await bench?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Moves a slider to an image. */
  async function take(of: Opened, axis: string, at: number): Promise<void> {
    const slider = of.page.getByRole("slider", { name: axis, exact: true });
    await slider.fill(String(at));
    await expect.poll(() => of.page.locator(".images output").first().textContent()).toBe(`${at} / ${DEPTH - 1}`);
    await of.settled();
  }

  /** Objects that the printed program finds, as it stands. */
  async function printed(typescript: string): Promise<number> {
    // Packages are found from here.
    const program = join(import.meta.dirname, `../../printed-${process.pid}.mjs`);
    writeFileSync(program, typescript);
    const { stdout, stderr } = spawnSync(process.execPath, [program], { cwd: folder, encoding: "utf8" });
    rmSync(program);
    expect(stderr).toBe("");
    return Number(stdout.split(" ")[0]);
  }

  /** What the command finds by the saved recipe. */
  async function commandResult(of: Opened, name: string, saved?: Buffer): Promise<Readonly<Record<string, number>>> {
    writeFileSync(join(folder, "saved.json"), saved ?? (await of.saves("recipe")));
    const words = ["run", "saved.json", name, "--json"];
    const { stdout, stderr } = spawnSync(process.execPath, [skerry, ...words], { cwd: folder, encoding: "utf8" });
    expect(stderr).not.toContain("skerry:");
    return JSON.parse(stdout);
  }

  /** Objects that the command finds by the saved recipe. */
  const commandCount = async (of: Opened, name: string, saved?: Buffer): Promise<number> =>
    (await commandResult(of, name, saved)).count;

  /** Expects the objects of the whole volume to be those of the command by the recipe that is saved there. */
  async function volumeCount(of: Opened, name: string): Promise<void> {
    const { page } = of;
    await page.getByRole("button", { name: "Volume" }).click();
    const dialog = page.locator("dialog[open]");
    await dialog.getByTestId("volumeCount").waitFor();
    await dialog.locator(".numbers:not(.stale)").waitFor();
    await expect.poll(() => dialog.getByTestId("volumeCount").textContent()).toMatch(/\d/);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      dialog.locator('[data-volume-save="recipe"]').click(),
    ]);
    const saved = readFileSync(await download.path());
    const count = Number((await dialog.getByTestId("volumeCount").textContent())?.replace(/\D/g, ""));
    expect([name, count]).toEqual([name, await commandCount(of, name, saved)]);
    await dialog.getByRole("button", { name: "Close" }).click();
  }

  /** Expects a fill of the finest level, of which a smaller one is shown, to be that of the command by the recipe that is saved there. */
  async function finestFill(of: Opened, name: string): Promise<void> {
    const { page } = of;
    await page.getByRole("button", { name: "Volume" }).click();
    const dialog = page.locator("dialog[open]");
    await dialog.getByRole("button", { name: "Fill", exact: true }).click();
    const plane = dialog.locator("canvas[data-plane]").first();
    await plane.waitFor();
    await plane.click();
    await dialog.locator(".numbers:not(.stale)").waitFor();
    await dialog.locator('[name="fillFinest"]').click();
    const told = dialog.getByTestId("finest");
    await expect.poll(() => told.textContent(), { timeout: 20_000 }).toMatch(/^At full size/);
    const [, voxels, read, count] =
      /size ([\d,]+) voxels.*; (\d+) of ([\d,]+) chunks/.exec((await told.textContent()) ?? "") ?? [];
    const [download] = await Promise.all([page.waitForEvent("download"), told.getByRole("button").click()]);
    const saved = readFileSync(await download.path());
    expect(JSON.parse(String(saved)).input.level).toBe(0);
    const { foreground, chunksRead, chunkCount } = await commandResult(of, name, saved);
    const whole = (text: string | undefined): number => Number(text?.replaceAll(",", ""));
    expect([whole(voxels), whole(read), whole(count)]).toEqual([foreground, chunksRead, chunkCount]);
    await dialog.getByRole("button", { name: "Close" }).click();
  }

  /** Expects the largest values and the means of all slices to have the objects that the command and the printed program find. */
  async function projected(of: Opened, name: string): Promise<void> {
    for (const way of ["largest", "mean"]) {
      await of.page.getByLabel("Slices or pages as one image").selectOption(way);
      await of.page.locator(".images output", { hasText: way }).waitFor();
      await of.settled();
      expect([name, way, await of.count()]).toEqual([name, way, await commandCount(of, name)]);
    }
    const { command, typescript } = await of.code();
    expect(command).toContain("--page mean");
    expect(await printed(typescript)).toBe(await of.count());
  }

  test.each(Object.keys(FILES))(
    "%s: each page has the count of the command with the saved recipe",
    async (name) => {
      const bytes = await (FILES[name] as () => Promise<Buffer>)();
      writeFileSync(join(folder, name), bytes);
      const lab = await (await bench.open()).go();
      await lab.settled();
      await lab.opens(name, bytes);
      const counts = new Set<number>();
      const axis = name === "pages.tif" ? "Page" : "Slice";
      for (const at of [0, 3, 1]) {
        await take(lab, axis, at);
        const count = await lab.count();
        counts.add(count);
        expect([at, count]).toEqual([at, await commandCount(lab, name)]);
      }
      // Slices differ.
      expect(counts.size).toBeGreaterThan(1);
      const { command, typescript } = await lab.code();
      expect(command).toContain("--page 1");
      expect(await printed(typescript)).toBe(await lab.count());
      if (/nii|nrrd|mha|mgz|dcm/.test(name)) expect(command).toContain("mm");
      await projected(lab, name);
      await take(lab, axis, 2);
      expect(await lab.count()).toBe(await commandCount(lab, name));
      await lab.close();
    },
    60_000,
  );

  test("packed DICOM of each kind has the counts of the command", async () => {
    const lab = await (await bench.open()).go();
    await lab.settled();
    for (const kind of ["JPEG", "lossless JPEG", "JPEG-LS", "JPEG 2000"]) {
      const { file } = DICOMS.find((each) => each.kind === kind && each.shape[0] > 1) ?? { file: "" };
      const name = `${kind}.dcm`;
      const bytes = Buffer.from(file, "base64");
      writeFileSync(join(folder, name), bytes);
      await lab.opens(name, bytes);
      expect([kind, await lab.count()]).toEqual([kind, await commandCount(lab, name)]);
      await volumeCount(lab, name);
    }
    await lab.close();
  }, 60_000);

  test.each(["folder", "ZIP", "address"])(
    "OME-Zarr of a %s: slices, levels, channels and volumes are those of the command with the saved recipe",
    async (of) => {
      const image = join(root, "samples/cells.zarr");
      const files = (readdirSync(image, { recursive: true }) as string[])
        .filter((path) => statSync(join(image, path)).isFile())
        .map((name) => ({ name, bytes: readFileSync(join(image, name)), isPacked: true }));
      const server = createServer((request, response) => {
        const path = (request.url ?? "").replace("/cells.zarr/", "");
        const found = files.find(({ name }) => name === path);
        response.writeHead(found ? 200 : 404, { "Access-Control-Allow-Origin": "*" });
        response.end(found?.bytes);
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/cells.zarr`;
      const lab = await (
        await bench.open("isolated", of === "address" ? `open=${encodeURIComponent(address)}` : "")
      ).go();
      const { page } = lab;
      const name = of === "ZIP" ? "cells.ozx" : "cells.zarr";
      // The command would wait for the server, and this test for the command.
      cpSync(image, join(folder, "cells.zarr"), { recursive: true });
      if (of === "ZIP") {
        const zip = await written((file) => writeZip(file, files));
        writeFileSync(join(folder, name), zip);
        await lab.settled();
        await lab.opens(name, zip);
      } else if (of === "address") {
        await page.getByRole("button", { name: "Fetch" }).click();
      } else {
        await lab.settled();
        const session = await page.context().newCDPSession(page);
        for (const type of ["dragEnter", "dragOver", "drop"] as const) {
          const data = { items: [], files: [join(folder, name)], dragOperationsMask: 1 };
          await session.send("Input.dispatchDragEvent", { type, x: 400, y: 300, data });
        }
      }
      const outputs = page.locator(".images output");
      await expect.poll(() => outputs.allTextContents()).toEqual(["48 / 95", "0 / 2"]);
      await lab.settled();
      const counts: number[] = [];
      for (const [axis, at, shown] of [
        ["Slice", 20, ["20 / 95", "0 / 2"]],
        ["Level", 1, ["10 / 47", "1 / 2"]],
        ["Slice", 30, ["30 / 47", "1 / 2"]],
      ] as const) {
        await page.getByRole("slider", { name: axis, exact: true }).fill(String(at));
        await expect.poll(() => outputs.allTextContents()).toEqual(shown);
        await lab.settled();
        counts.push(await lab.count());
        expect(counts.at(-1)).toBe(await commandCount(lab, name));
      }
      expect(new Set(counts).size).toBe(3);
      await expect(page.getByRole("alert").textContent()).resolves.toContain("Level 1 of cells");
      const { command, typescript } = await lab.code();
      expect(command).toContain("--page 30 --level 1");
      expect(typescript).toContain(
        `await openZarr(${JSON.stringify(of === "address" ? address : name)}, { page: 30, level: 1 });`,
      );
      if (of !== "address") {
        // A reload opens the same slice of what was kept.
        await page.reload();
        await expect.poll(() => outputs.allTextContents()).toEqual(["30 / 47", "1 / 2"]);
        await lab.settled();
        expect(await lab.count()).toBe(counts[2]);
      }
      await volumeCount(lab, name);
      await finestFill(lab, name);
      await lab.close();
      server.close();
    },
    90_000,
  );

  test("stacks of ImageJ and OME have channels, slices and times; their volumes, and pages, are those of the command", async () => {
    const lab = await (await bench.open()).go();
    await lab.settled();
    const { page } = lab;
    const stacks = TIFFS.filter(({ name }) => /^tifffile (ImageJ hyperstack|OME)$/.test(name));
    expect(stacks.length).toBeGreaterThan(1);
    for (const { name: title, file } of stacks) {
      const name = `${title.replace(/\W/g, "-")}.tif`;
      const bytes = Buffer.from(file, "base64");
      writeFileSync(join(folder, name), bytes);
      await lab.opens(name, bytes);
      // The middle of three slices, of the first channel and time.
      expect(await page.locator(".images output").allTextContents()).toEqual(["0 / 3", "1 / 2", "0 / 1"]);
      for (const [axis, at] of [
        ["Channel", 2],
        ["Time", 1],
        ["Slice", 2],
      ] as const) {
        await page.getByRole("slider", { name: axis, exact: true }).fill(String(at));
        await expect
          .poll(() => page.locator(".images label", { hasText: axis }).locator("output").textContent())
          .toMatch(new RegExp(`^${at} /`));
        await lab.settled();
        expect([name, axis, await lab.count()]).toEqual([name, axis, await commandCount(lab, name)]);
      }
      expect(await page.locator(".images output").allTextContents()).toEqual(["2 / 3", "2 / 2", "1 / 1"]);
      await volumeCount(lab, name);
      await projected(lab, name);
      expect(await page.locator(".images output").allTextContents()).toEqual(["2 / 3", "mean", "1 / 1"]);
      await take(lab, "Channel", 1);
      expect(await lab.count()).toBe(await commandCount(lab, name));
      await volumeCount(lab, name);
      await page.getByRole("slider", { name: "Slice", exact: true }).fill("0");
      await expect.poll(() => page.locator(".images output").allTextContents()).toEqual(["1 / 3", "0 / 2", "1 / 1"]);
    }
    for (const name of ["a.tif", "pages.tif"]) {
      const bytes = await (FILES[name] as () => Promise<Buffer>)();
      writeFileSync(join(folder, name), bytes);
      await lab.opens(name, bytes);
      await volumeCount(lab, name);
    }
    await lab.close();
  }, 120_000);

  test("fills of one channel, and distances where the file tells no unit, are those of the command", async () => {
    const lab = await (await bench.open()).go();
    await lab.settled();
    const { page } = lab;
    const { file } = TIFFS.find(({ name }) => name === "tifffile ImageJ hyperstack") ?? { file: "" };
    const bytes = Buffer.from(file, "base64");
    writeFileSync(join(folder, "stack.tif"), bytes);
    await lab.opens("stack.tif", bytes);
    await page.getByLabel("Slices or pages as one image").selectOption("largest");
    await page.locator(".images output", { hasText: "largest" }).waitFor();
    await page.getByRole("slider", { name: "Channel", exact: true }).fill("1");
    await expect.poll(() => page.locator(".images output").first().textContent()).toMatch(/^1 /);
    await page.getByRole("button", { name: "Fill", exact: true }).click();
    const canvas = await page.locator("canvas.picture").boundingBox();
    await page.mouse.click((canvas?.x ?? 0) + (canvas?.width ?? 0) / 2, (canvas?.y ?? 0) + (canvas?.height ?? 0) / 2);
    await lab.settled();
    const { command, typescript } = await lab.code();
    expect(command).toContain("--page largest --time 0 --channel 1");
    expect(await printed(typescript)).toBe((await commandResult(lab, "stack.tif")).foreground);

    const scan = Float32Array.from(data);
    const unitless = spaceOf({ size, spacing: [0.5, 0.5, 2] });
    const nifti = await written((into) =>
      writeNifti(into, { ...size, type: "f32", space: unitless }, fillOf(scan, size)),
    );
    writeFileSync(join(folder, "plain.nii"), nifti);
    await lab.opens("plain.nii", nifti);
    await page.getByRole("button", { name: "Distance", exact: true }).click();
    await lab.settled();
    expect((await lab.code()).command).toContain("--spacing 1,1");
    const farthest = Number((await page.locator(".numbers strong").first().textContent())?.replace(/[^\d.]/g, ""));
    expect((await commandResult(lab, "plain.nii")).max).toBeCloseTo(farthest, 1);
    await lab.close();
  }, 60_000);

  test("a volume is corrected by hand in one plane, and its labels are those of the command by the saved recipe", async () => {
    const lab = await (await bench.open()).go();
    await lab.settled();
    const { page } = lab;
    const bytes = await (FILES["a.nrrd"] as () => Promise<Buffer>)();
    writeFileSync(join(folder, "a.nrrd"), bytes);
    await lab.opens("a.nrrd", bytes);
    await page.getByRole("button", { name: "Volume" }).click();
    const dialog = page.locator("dialog[open]");
    await dialog.locator(".numbers:not(.stale)").waitFor();
    const count = async (): Promise<string> => (await dialog.getByTestId("volumeCount").textContent()) ?? "";
    await expect.poll(count).toMatch(/\d/);
    const before = await count();
    const box = await dialog.locator("canvas[data-plane]").first().boundingBox();
    const at = ([x, y]: readonly [number, number]): [number, number] => [
      (box?.x ?? 0) + (box?.width ?? 0) * x,
      (box?.y ?? 0) + (box?.height ?? 0) * y,
    ];
    for (const [name, from, to] of [
      ["draw", [0.1, 0.9], [0.4, 0.9]],
      ["cut", [0, 0.4], [0.99, 0.5]],
      ["erase", [0.5, 0.1], [0.5, 0.8]],
    ] as const) {
      await dialog.locator(`[name="volume-${name}"]`).click();
      await page.mouse.move(...at(from));
      await page.mouse.down();
      await page.mouse.move(...at(to), { steps: 4 });
      await page.mouse.up();
    }
    await expect.poll(() => dialog.locator(".edits li").count()).toBe(3);
    await dialog.locator(".numbers:not(.stale)").waitFor();
    await expect.poll(count).not.toBe(before);
    const saves = async (what: string): Promise<Buffer> => {
      const button = dialog.locator(`[data-volume-save="${what}"]`);
      const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
      return readFileSync(await download.path());
    };
    writeFileSync(join(folder, "saved.json"), await saves("recipe"));
    const words = ["run", "saved.json", "a.nrrd", "-o", "corrected.nii"];
    const { stderr } = spawnSync(process.execPath, [skerry, ...words], { cwd: folder, encoding: "utf8" });
    expect(stderr).not.toContain("skerry:");
    expect((await saves("labels")).equals(readFileSync(join(folder, "corrected.nii")))).toBe(true);
    // The link has the corrections of the volume.
    await expect.poll(() => page.evaluate(() => decodeURIComponent(location.hash))).toContain('"cut"');
    await dialog.getByRole("button", { name: "Take all back" }).click();
    await expect.poll(count).toBe(before);
    await lab.close();
  }, 60_000);

  test("channels in colours are drawn as their values say; objects stay those of one channel, over slices and other files", async () => {
    const lab = await (await bench.open()).go();
    await lab.settled();
    const { page } = lab;
    const [, stack] = TIFFS.filter(({ name }) => /^tifffile (ImageJ hyperstack|OME)$/.test(name));
    const bytes = Buffer.from(stack.file, "base64");
    await lab.opens("stack.tif", bytes);
    const count = await lab.count();
    /** The colours in the picture's left part, which shows no objects. */
    const coloursOf = () =>
      page.evaluate(() => {
        const canvas = document.querySelector("canvas.picture") as HTMLCanvasElement;
        const gl = canvas.getContext("webgl2") as WebGL2RenderingContext;
        const [width, height] = [canvas.width >> 1, canvas.height];
        const pixels = new Uint8Array(4 * width * height);
        gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
        const most = [0, 0, 0];
        for (let i = 0; i < pixels.length; i += 4)
          for (let c = 0; c < 3; c++) most[c] = Math.max(most[c], Math.abs(pixels[i + c] - pixels[i + ((c + 1) % 3)]));
        return Math.max(...most);
      });
    // Grey, but for the background and marks.
    const plain = await coloursOf();
    await page.locator(".channels summary").click();
    for (const i of [0, 1]) await page.locator(`[name="channel ${i}"]`).check();
    await expect.poll(coloursOf).toBeGreaterThan(plain + 100);
    expect(await lab.count()).toBe(count);
    // The window stays as it is set.
    await page.locator('[name="white 1"]').fill("77");
    await page.getByRole("slider", { name: "Slice", exact: true }).fill("0");
    await lab.settled();
    await expect.poll(coloursOf).toBeGreaterThan(plain + 100);
    expect(await page.locator('[name="white 1"]').inputValue()).toBe("77");
    for (const i of [0, 1]) await page.locator(`[name="channel ${i}"]`).uncheck();
    await expect.poll(coloursOf).toBeLessThanOrEqual(plain);
    await page.locator('[name="channel 0"]').check();
    await lab.opens("a.npy", await (FILES["a.npy"] as () => Promise<Buffer>)());
    expect(await page.locator(".channels").count()).toBe(0);
    await lab.close();
  }, 60_000);

  test("slices of DICOM that are chosen together are one volume, as their folder and a ZIP of them are for the command", async () => {
    const series = join(folder, "slices");
    dicom(series, scan);
    const lab = await (await bench.open()).go();
    await lab.settled();
    const files = readdirSync(series).map((name) => join(series, name));
    await lab.page.locator('header input[type="file"]').setInputFiles([...files].reverse());
    await expect.poll(() => lab.page.locator(".source").textContent()).toBe("slices");
    await lab.settled();
    expect(await lab.page.locator(".file").count()).toBe(1);
    // Pictures of other series stay files of their own.
    const names = ["one.dcm", "two.dcm"];
    for (const [i, name] of names.entries()) {
      dicom(join(folder, name), { ...scan, size: [WIDTH, HEIGHT, 1] }, { isOne: true, series: `1.2.${i}` });
    }
    await lab.page.locator('header input[type="file"]').setInputFiles(names.map((name) => join(folder, name)));
    await expect.poll(() => lab.page.locator(".source").textContent()).toBe("one.dcm");
    await lab.settled();
    expect(await lab.page.locator(".file").count()).toBe(3);
    // What was handed over is read anew after a look at something else.
    const first = await lab.count();
    await lab.page.getByRole("button", { name: "Sample: cells" }).click();
    await lab.settled();
    await lab.page.getByRole("button", { name: "one.dcm", exact: true }).click();
    await expect.poll(() => lab.page.locator(".source").textContent()).toBe("one.dcm");
    await lab.settled();
    expect(await lab.count()).toBe(first);
    await lab.page.getByRole("button", { name: "slices", exact: true }).click();
    await expect.poll(() => lab.page.locator(".source").textContent()).toBe("slices");
    await lab.settled();
    await take(lab, "Slice", 3);
    const count = await lab.count();
    expect(await commandCount(lab, "slices")).toBe(count);
    const zip = new MemoryOutput();
    await writeZip(
      zip,
      files.map((path, i) => ({ name: `in/${i}`, bytes: readFileSync(path), isPacked: i % 2 === 0 })),
    );
    writeFileSync(join(folder, "series.zip"), zip.bytes());
    expect(await commandCount(lab, "series.zip")).toBe(count);
    await lab.opens("series.zip", Buffer.from(zip.bytes()));
    await take(lab, "Slice", 3);
    expect(await lab.count()).toBe(count);
    writeFileSync(join(folder, "none.zip"), zip.bytes().subarray(0, 900));
    const words = ["label", "none.zip", "--json"];
    const { stderr, status } = spawnSync(process.execPath, [skerry, ...words], { cwd: folder, encoding: "utf8" });
    expect([status, stderr]).toEqual([1, expect.stringContaining("the ZIP is damaged or cut off")]);
    await lab.close();
  }, 60_000);

  test("a header and its data that are chosen together are one volume, under the name of the header", async () => {
    const lab = await (await bench.open()).go();
    await lab.settled();
    const raw = join(folder, "scan.raw");
    writeFileSync(raw, data);
    const sizes = `${WIDTH} ${HEIGHT} ${DEPTH}`;
    const heads: Record<string, string> = {
      "scan.mhd": `ObjectType = Image\nNDims = 3\nDimSize = ${sizes}\nElementSpacing = 2 3 4\nElementType = MET_UCHAR\nElementDataFile = scan.raw\n`,
      "scan.nhdr": `NRRD0005\ntype: uint8\ndimension: 3\nsizes: ${sizes}\nspacings: 2 3 4\nunits: "mm" "mm" "mm"\nencoding: raw\nendian: little\ndata file: scan.raw\n\n`,
      "packed.nhdr": `NRRD0005\ntype: uint8\ndimension: 3\nsizes: ${sizes}\nspacings: 2 3 4\nunits: "mm" "mm" "mm"\nencoding: gzip\nendian: little\ndata file: scan.raw.gz\n\n`,
    };
    writeFileSync(join(folder, "scan.raw.gz"), gzipSync(data));
    const whole = await written((file) => writeNifti(file, { ...size, type: "u8", space }, fillOf(data, size)));
    const head = Buffer.from(whole.subarray(0, 348));
    head.write("ni1", 344);
    head.writeFloatLE(0, 108);
    writeFileSync(join(folder, "pair.hdr"), head);
    writeFileSync(join(folder, "pair.img"), data);
    for (const [name, text] of Object.entries(heads)) writeFileSync(join(folder, name), text);
    const pairs = [
      ["scan.mhd", "scan.raw"],
      ["scan.nhdr", "scan.raw"],
      ["packed.nhdr", "scan.raw.gz"],
      ["pair.hdr", "pair.img"],
    ] as const;
    for (const [name, other] of pairs) {
      await lab.page.locator('header input[type="file"]').setInputFiles([join(folder, other), join(folder, name)]);
      await expect.poll(() => lab.page.locator(".source").textContent()).toBe(name);
      await lab.settled();
      for (const at of [0, 2]) {
        await take(lab, "Slice", at);
        expect([name, at, await lab.count()]).toEqual([name, at, await commandCount(lab, name)]);
      }
    }
    expect(await lab.page.locator(".file").count()).toBe(pairs.length);
    // A header alone says what it lacks.
    await lab.choose("lone.mhd", Buffer.from(heads["scan.mhd"]));
    await expect
      .poll(async () => (await lab.page.getByRole("alert").allTextContents()).join())
      .toContain("Expected scan.raw, the data of lone.mhd: choose both files together.");
    await lab.close();
  }, 60_000);

  test("each image keeps its own work, over looks at others and a reload; a recipe leads to its image", async () => {
    const bytes = await (FILES["a.nrrd"] as () => Promise<Buffer>)();
    const lab = await (await bench.open()).go();
    await lab.settled();
    await lab.opens("a.nrrd", bytes);
    await take(lab, "Slice", 2);
    await lab.page.locator('input[name="minArea"]').fill("12");
    await lab.page.getByRole("gridcell").first().click();
    await lab.page.getByRole("button", { name: "Delete", exact: true }).click();
    await lab.settled();
    const corrected = await lab.count();
    const recipe = await lab.saves("recipe");
    await take(lab, "Slice", 0);
    expect(await lab.page.locator('input[name="minArea"]').inputValue()).toBe("12");
    expect(await lab.page.getByRole("button", { name: "Undo", exact: true }).isEnabled()).toBe(false);
    await take(lab, "Slice", 2);
    expect(await lab.count()).toBe(corrected);
    await lab.page.waitForTimeout(800);
    await lab.page.reload();
    await expect.poll(() => lab.page.locator(".source").textContent()).toBe("a.nrrd");
    await lab.settled();
    expect(await lab.page.locator(".images output").first().textContent()).toBe("2 / 3");
    expect(await lab.count()).toBe(corrected);
    await take(lab, "Slice", 1);
    await lab.choose("saved.json", recipe);
    await expect.poll(() => lab.page.locator(".images output").first().textContent()).toBe("2 / 3");
    await lab.settled();
    expect(await lab.count()).toBe(corrected);
    await lab.close();
  }, 60_000);

  test("what is cut or too new is refused with the reader's sentence, and what is shown stays", async () => {
    const lab = await (await bench.open()).go();
    await lab.settled();
    const before = await lab.count();
    for (const name of ["a.nrrd", "packed.nrrd", "a.mha", "a.nii.gz", "a.mgz"]) {
      const bytes = await (FILES[name] as () => Promise<Buffer>)();
      await lab.choose(name, bytes.subarray(0, bytes.length - 2000));
      await expect
        .poll(async () => (await lab.page.getByRole("alert").allTextContents()).join())
        .toMatch(/truncated|cut off|ended early/);
      await lab.settled();
      expect([name, await lab.count()]).toEqual([name, before]);
      await lab.page.getByRole("alert").getByRole("button", { name: "Close" }).click();
    }
    await lab.close();
  }, 60_000);
});

// Zarr in a ZIP, on disk and over bytes; and chunks that are decoded in the thread that asks, as on the page: every array that tensorstore
// wrote.

import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { bufferBytes, MemoryOutput } from "@skerry/files";
import { writeZip } from "@skerry/files/internal";
import { describe, expect, test } from "vitest";
import { zarrSink, zarrSource } from "../../src/zarr/index.js";
import { InThread, openImage, PartsStore, rootOf, sourceWith, zipStore } from "../../src/zarr/web.js";
import { filesOf, GOLDENS, valuesOf } from "./support/arrays.js";
import { folder, writeFiles } from "./support/folders.js";
import { expectSame, pixelsOf, volumeOf } from "./support/pixels.js";

const root = folder();
let names = 0;

/** All files below a folder, by their paths. */
function below(path: string): [string, Uint8Array][] {
  return (readdirSync(path, { recursive: true }) as string[])
    .map((name) => join(path, name))
    .filter((name) => statSync(name).isFile())
    .map((name) => [relative(path, name), readFileSync(name)]);
}

async function zipped(files: [string, Uint8Array][], isPacked: boolean): Promise<Uint8Array> {
  const zip = new MemoryOutput();
  await writeZip(
    zip,
    files.map(([name, bytes]) => ({ name, bytes, isPacked })),
  );
  return zip.bytes();
}

const readable = GOLDENS.filter(({ name }) => !name.includes("bz2"));

describe("in the thread that asks", () => {
  test.each(readable)("$name", async (golden) => {
    const url = join(root, golden.name);
    writeFiles(url, filesOf(golden));
    const parts = new Map(
      below(url).map(([path, bytes]) => [
        path,
        {
          bytes: bytes.length,
          read: async (from: number, length: number) => new Uint8Array(bytes.subarray(from, from + length)),
        },
      ]),
    );
    const pool = new InThread();
    const image = await openImage(new PartsStore(golden.name, parts));
    for (const page of [undefined, 3, 3]) {
      const source = await sourceWith(image, { page }, pool);
      const whole = valuesOf(golden);
      const values = source.width * source.height;
      expectSame(await pixelsOf(source), page === undefined ? whole : whole.slice(page * values, (page + 1) * values));
      source.close();
    }
    pool.close();
  });
});

describe("in a ZIP", () => {
  const [width, height, depth] = [40, 30, 20];
  const data = volumeOf(width, height, depth);

  /** The files of an image with shards, of which ranges are read. */
  async function imageFiles(): Promise<[string, Uint8Array][]> {
    const url = join(root, `${names++}.zarr`);
    const sink = await zarrSink<Uint8Array>(url, {
      width,
      height,
      depth,
      type: "u8",
      labels: false,
      version: "0.5",
      chunks: [8, 8, 8],
      shards: [16, 16, 16],
    });
    await sink.write(0, depth, 0, height, data);
    await sink.finish({ count: 0 });
    return below(url);
  }

  test.each([
    ["stored", true, ""],
    ["packed", false, ""],
    ["in a folder of the ZIP", true, "image.zarr/"],
  ])("%s", async (name, isPacked, prefix) => {
    const files = await imageFiles();
    const path = join(root, `${name}.ozx`);
    const bytes = await zipped(
      files.map(([key, value]) => [prefix + key, value]),
      isPacked,
    );
    writeFileSync(path, bytes);
    const source = await zarrSource(path);
    expectSame(await pixelsOf(source), data);
    source.close();
    const store = await zipStore(bufferBytes(bytes), path);
    const pool = new InThread();
    const slice = await sourceWith(await openImage(store as PartsStore), { page: 5 }, pool);
    expectSame(await pixelsOf(slice), data.subarray(5 * width * height, 6 * width * height));
  });

  test("cut, without Zarr, and of damaged entries", async () => {
    const bytes = await zipped(await imageFiles(), true);
    for (const length of [0, 3, 100, bytes.length - 30]) {
      writeFileSync(join(root, "cut.ozx"), bytes.subarray(0, length));
      await expect(zarrSource(join(root, "cut.ozx"))).rejects.toThrow("the ZIP is damaged or cut off");
    }
    writeFileSync(join(root, "other.ozx"), await zipped([["a.txt", new Uint8Array(9)]], true));
    await expect(zarrSource(join(root, "other.ozx"))).rejects.toThrow("got a ZIP without");
    expect(await zipStore(bufferBytes(await zipped([["a.txt", new Uint8Array(9)]], true)), "other")).toBeUndefined();
    await expect(zarrSource(join(root, "none.ozx"))).rejects.toThrow("no such file");
  });

  test("the outermost group or array is the image", () => {
    expect(rootOf(["a/0/.zarray", "a/.zgroup", "a/.zattrs", "b"])).toBe("a");
    expect(rootOf(["zarr.json", "0/zarr.json"])).toBe("");
    expect(rootOf(["a/b.txt"])).toBeUndefined();
  });
});

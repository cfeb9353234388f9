// BMP and PPM: every form that Pillow reads has the colours that it reads; cut files are refused.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPicture, rasterOf } from "@skerry/files/node";
import { afterAll, expect, test } from "vitest";
import { golden } from "../../skerry/test/support/golden.js";

const script = readFileSync(new URL("render-bmps.py", import.meta.url), "utf8");
const made = golden("bmps", { modules: "PIL, numpy", script, input: "" });
const FILES = JSON.parse(made.toString()) as readonly {
  name: string;
  file: string;
  shape: number[];
  values: number[];
}[];

const root = mkdtempSync(join(tmpdir(), "skerry-bmp-"));
afterAll(() => rmSync(root, { recursive: true }));

async function read(bytes: Uint8Array, name: string) {
  const path = join(root, name);
  writeFileSync(path, bytes);
  const picture = await openPicture(path, { alpha: "kept" });
  const raster = await rasterOf(picture);
  await picture.close();
  return raster;
}

test.each(FILES.map((file) => [file.name, file] as const))(
  "%s, as Pillow reads it",
  async (name, { file, shape, values }) => {
    const ending = name.startsWith("Netpbm") ? "a.ppm" : "a.bmp";
    const { width, height, data, channels = 1 } = await read(Buffer.from(file, "base64"), ending);
    const [rows, columns, bands] = shape;
    expect([height, width]).toEqual([rows, columns]);
    // Grey pictures have one channel.
    const spread = Array.from({ length: rows * columns * bands }, (_, i) => {
      const [pixel, band] = [Math.floor(i / bands), i % bands];
      return channels === 1 ? data[pixel] : data[pixel * channels + band];
    });
    // Kept alpha makes all pixels equal that nobody sees.
    const isSeen = (i: number): boolean => bands < 4 || values[i - (i % 4) + 3] > 0;
    expect(spread.filter((_, i) => isSeen(i))).toEqual(values.filter((_, i) => isSeen(i)));
  },
);

test("a file that is cut is refused with a sentence", async () => {
  for (const { name, file } of FILES.filter(({ name }) => !name.startsWith("run"))) {
    const bytes = Buffer.from(file, "base64");
    for (const length of [2, 18, 40, 53, bytes.length - 1]) {
      await expect(
        read(bytes.subarray(0, Math.min(length, bytes.length - 1)), "cut.bmp"),
        `${name} ${length}`,
      ).rejects.toThrow(/Could not read|Expected/);
    }
  }
});

// A table of TIFFs written by GDAL, tifffile and libtiff: every type, number of bits, compression, layout, order of bytes and of pages.
// The values that are read are those that were written.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { bufferBytes, inflateByStream, openTiff } from "../src/index.js";
import { openPicture, type PictureOptions, rasterOf } from "../src/node/index.js";
import { TIFFS as table } from "./support/tiffs.js";

const folder = mkdtempSync(join(tmpdir(), "skerry-tiffs-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A file of the table by its name. */
function fileOf(name: string): Buffer {
  const found = table.find((each) => each.name === name);
  if (!found) throw new Error(`Expected a file ${name}.`);
  return Buffer.from(found.file, "base64");
}

function kept(name: string, file: Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, file);
  return path;
}

async function valuesOf(file: Uint8Array, options: PictureOptions = {}) {
  const picture = await openPicture(kept("a.tif", file), options);
  try {
    return { ...(await rasterOf(picture)), notes: picture.notes(), ids: picture.ids };
  } finally {
    await picture.close();
  }
}

test("every value as written", async () => {
  const wrong: string[] = [];
  for (const { name, file, shape, read, within, values } of table) {
    const written = new Float64Array(Uint8Array.from(Buffer.from(values, "base64")).buffer);
    try {
      const { data, width, height, depth = 1, channels } = await valuesOf(Buffer.from(file, "base64"), read);
      if (`${[depth, height, width, channels]}` !== `${shape}`) {
        wrong.push(`${name} has ${[depth, height, width, channels]} instead of ${shape}`);
        continue;
      }
      const at = written.findIndex(
        (value, i) => !(Math.abs(data[i] - value) <= within) && !(Number.isNaN(value) && Number.isNaN(data[i])),
      );
      if (at >= 0) wrong.push(`${name} has ${data[at]} at ${at} instead of ${written[at]}`);
    } catch (error) {
      wrong.push(`${name}: ${(error as Error).message}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(table.length).toBeGreaterThan(300);
});

test("the page's own Deflate gives the same values", async () => {
  const none = async (): Promise<never> => {
    throw new Error("no JPEG here");
  };
  for (const { name, file, read, values, within } of table.filter(({ name: each }) => /deflate|zip/i.test(each))) {
    const codecs = { inflate: inflateByStream, jpeg: none, jpegComponents: [] };
    const bytes = bufferBytes(Buffer.from(file, "base64"));
    const { pixels } = await openTiff(bytes, name, { ...read, most: 2 ** 20, codecs });
    const { data } = await rasterOf({ pixels });
    const written = new Float64Array(Uint8Array.from(Buffer.from(values, "base64")).buffer);
    expect(written.every((value, i) => Math.abs(data[i] - value) <= within)).toBe(true);
  }
});

describe("rows as they are asked for", () => {
  test.each(table.filter(({ name }) => /GDAL (u2|f8|i2) .*(strips|tiles|band)|tifffile u1 RGB/.test(name)))(
    "$name",
    async ({ file, shape: [, height, width, channels], read, values }) => {
      const codecs = {
        inflate: inflateByStream,
        jpeg: () => Promise.reject(new Error("no JPEG here")),
        jpegComponents: [],
      };
      const bytes = bufferBytes(Buffer.from(file, "base64"));
      const { pixels } = await openTiff(bytes, "a.tif", { ...read, most: 2 ** 20, codecs });
      const written = new Float64Array(Uint8Array.from(Buffer.from(values, "base64")).buffer);
      const whole = (await rasterOf({ pixels })).data;
      for (const [y0, y1] of [
        [0, 1],
        [1, 6],
        [6, height],
        [height - 1, height],
        [3, 17],
      ]) {
        const part = whole.slice(0, (y1 - y0) * width * channels).fill(0);
        await pixels.read(0, 1, y0, y1, part, {});
        const expected = written.subarray(y0 * width * channels, y1 * width * channels);
        expect(part.every((value, i) => value === expected[i])).toBe(true);
      }
    },
  );
});

describe("bytes that are lost or changed", () => {
  const packed = table.filter(({ name }) => /^GDAL (u2|JPEG).*(strips|grey|YCbCr$)/.test(name));
  test.each(packed)("$name cut off", async ({ file }) => {
    const whole = Buffer.from(file, "base64");
    const cut = Uint8Array.from(whole);
    // Beginnings of strips stay, their ends do not.
    cut.fill(0xa5, Math.floor(cut.length * 0.6));
    const found = await Promise.allSettled([valuesOf(cut), valuesOf(whole.subarray(0, Math.floor(cut.length * 0.7)))]);
    for (const each of found) {
      if (each.status === "rejected") expect(each.reason.message).toMatch(/^(Could not read|Expected) .*a\.tif.*\.$/);
    }
    expect(found[1].status).toBe("rejected");
  });

  test("a damaged strip is told with its place", async () => {
    const file = Uint8Array.from(fileOf("tiffcp u2 zip, 7 rows"));
    const at = Buffer.from(file).indexOf(Buffer.from([0x78]), 200);
    file.fill(0xff, at, at + 40);
    await expect(valuesOf(file)).rejects.toThrow(/strip \d of 3 \(rows \d+ to \d+\) is damaged or cut off\.$/);
  });

  test("chains that bite their tail end, and those that leave the file are told", async () => {
    const file = Buffer.from(fileOf("tifffile u1 pages"));
    const first = file.readUInt32LE(4);
    const count = file.readUInt16LE(first);
    file.writeUInt32LE(first, first + 2 + count * 12);
    expect((await valuesOf(file, { page: "all" })).depth).toBe(1);
    file.writeUInt32LE(0xfffffff0, first + 2 + count * 12);
    await expect(valuesOf(file, { page: "all" })).rejects.toThrow(
      "goes on beyond its end, and 1 is left; it is damaged",
    );
    expect((await valuesOf(file)).notes[0]).toMatch(/is damaged or cut off: its list of pages goes on beyond its end/);
  });
});

test("smaller versions, with the size of their pixels", async () => {
  const whole = await valuesOf(fileOf("GDAL overviews and a mask"));
  const half = await valuesOf(fileOf("GDAL overviews and a mask"), { level: 1 });
  const quarter = await valuesOf(fileOf("GDAL overviews and a mask"), { level: 2 });
  expect([whole.width, half.width, half.height, quarter.width]).toEqual([64, 32, 32, 16]);
  // GDAL's nearest neighbour takes one of four pixels.
  for (let i = 0; i < 32 * 32; i++) {
    const [x, y] = [(i % 32) * 2, Math.floor(i / 32) * 2];
    expect([0, 1, 64, 65].map((step) => whole.data[y * 64 + x + step])).toContain(half.data[i]);
  }
  await expect(valuesOf(fileOf("GDAL overviews and a mask"), { level: 3 })).rejects.toThrow(
    "--level to be from 0 to 2",
  );
  await expect(valuesOf(fileOf("tifffile u1 RGB"), { level: 1 })).rejects.toThrow("--level to be from 0 to 0");
});

describe("what is not read", () => {
  const refusals: [string, () => Uint8Array, PictureOptions, RegExp][] = [
    ["a page that is not there", () => fileOf("tifffile u1 pages"), { page: 3 }, /--page to be from 0 to 2/],
    ["a band that is not there", () => fileOf("GDAL 2 bands of floats"), { channel: 2 }, /--channel to be from 0 to 1/],
    ["alpha of a file without", () => fileOf("tifffile u1 RGB"), { channel: "alpha" }, /to have transparency/],
    ["a palette of a file without", () => fileOf("tifffile u1 RGB"), { channel: "index" }, /has none/],
    ["a channel that is not there", () => fileOf("tifffile ImageJ channels"), { channel: 4 }, /from 0 to 3/],
    ["a time that is not there", () => fileOf("tifffile OME"), { time: 2 }, /--time to be from 0 to 1/],
  ];
  test.each(refusals)("%s", async (_, file, options, sentence) => {
    await expect(valuesOf(file(), options)).rejects.toThrow(sentence);
  });

  test.each([
    [4, "CCITT Group 4"],
    [34925, "LZMA"],
    [50001, "WebP"],
    [4711, "number 4711"],
  ])("compression %i", async (code, called) => {
    const file = Buffer.from(fileOf("tifffile u1 < plain"));
    const first = file.readUInt32LE(4);
    for (let i = 0, at = first + 2; i < file.readUInt16LE(first); i++, at += 12) {
      if (file.readUInt16LE(at) === 259) file.writeUInt16LE(code, at + 8);
    }
    await expect(valuesOf(file)).rejects.toThrow(
      `or not at all, got ${called}; convert it, for example by gdal_translate`,
    );
  });

  test("64-bit integers beyond 32 bits", async () => {
    const file = Buffer.from(fileOf("tifffile u8 < plain"));
    const at = file.length - 8;
    file.writeBigUInt64LE(2n ** 40n, at);
    await expect(valuesOf(file)).rejects.toThrow(
      /^Expected the 64-bit integers of .* to lie from 0 to 4294967295, or all from .*, got 1099511627776 at \d+,\d+; skerry label --by labels takes ids of 64 bits.$/,
    );
    const { data: values } = await valuesOf(fileOf("tifffile u8 < plain"));
    const { ids, data: numbers } = await valuesOf(file, { ids: true });
    expect(ids?.at(-1)).toBe(2n ** 40n);
    expect(Array.from(numbers, (number) => (number === 0 ? 0 : Number(ids?.[number - 1])))).toEqual([
      ...Array.from(values).slice(0, -1),
      2 ** 40,
    ]);
  });
});

/** A TIFF of pages of 2 x 1 bytes, with fields of their own. */
function pagesOf(pages: readonly (readonly (readonly [tag: number, values: readonly number[]])[])[]): Buffer {
  const parts: Buffer[] = [Buffer.from("49492a0008000000", "hex")];
  let at = 8;
  for (const [i, own] of pages.entries()) {
    const fields: (readonly [number, readonly number[]])[] = [
      ...(
        [
          [256, [2]],
          [257, [1]],
          [258, [8]],
          [259, [1]],
          [262, [1]],
          [277, [1]],
          [278, [1]],
          [279, [2]],
        ] as const
      ).filter(([tag]) => !own.some(([other]) => other === tag)),
      ...own,
    ];
    const size = 2 + 12 * (fields.length + 1) + 4;
    let beyond = at + size + 4;
    const extra: Buffer[] = [Buffer.from([10 + i, 20 + i, 0, 0])];
    const rows = [...fields, [273, [at + size]] as const].sort(([a], [b]) => a - b);
    const directory = Buffer.alloc(size);
    directory.writeUInt16LE(rows.length, 0);
    for (const [row, [tag, values]] of rows.entries()) {
      const from = 2 + 12 * row;
      directory.writeUInt16LE(tag, from);
      directory.writeUInt16LE(3, from + 2);
      directory.writeUInt32LE(values.length, from + 4);
      if (values.length === 1) directory.writeUInt16LE(values[0], from + 8);
      else {
        directory.writeUInt32LE(beyond, from + 8);
        const list = Buffer.from(Uint16Array.from(values).buffer);
        extra.push(list);
        beyond += list.length;
      }
    }
    const end = beyond;
    directory.writeUInt32LE(i + 1 < pages.length ? end : 0, size - 4);
    parts.push(directory, ...extra);
    at = end;
  }
  return Buffer.concat(parts);
}

test("pages that are read together have one orientation, and one palette where it is their colours", async () => {
  const palette = (value: number): (readonly [number, readonly number[]])[] => [
    [262, [3]],
    [320, Array.from({ length: 768 }, (_, i) => (i % 256) * value)],
  ];
  for (const page of ["all", "largest", "mean"] as const) {
    await expect(valuesOf(pagesOf([[], [[274, [3]]]]), { page })).rejects.toThrow(
      /^Expected the pages of .* to be of one orientation, got 3 beside 1; take one by --page\.$/,
    );
    await expect(valuesOf(pagesOf([palette(1), palette(2)]), { page })).rejects.toThrow(
      /^Expected the pages of .* to have one palette, got several; take one by --page, or --channel index\.$/,
    );
  }
  expect(Array.from((await valuesOf(pagesOf([[[274, [3]]], [[274, [3]]]]), { page: "largest" })).data)).toEqual([
    21, 11,
  ]);
  const numbers = await valuesOf(pagesOf([palette(1), palette(2)]), { page: "largest", channel: "index" });
  expect(Array.from(numbers.data)).toEqual([11, 21]);
  expect((await valuesOf(pagesOf([palette(200), palette(200)]), { page: "largest" })).channels).toBe(3);
});

test("notes say what was left out, and what was rounded", async () => {
  expect((await valuesOf(fileOf("tifffile u1 pages"))).notes[0]).toMatch(/has 3 pages; the first one is used/);
  expect((await valuesOf(fileOf("tifffile ImageJ hyperstack"))).notes.join()).toMatch(/4 channels.*2 times/);
  expect((await valuesOf(fileOf("tifffile u1 white is zero"))).notes[0]).toMatch(/white is 0/);
  expect((await valuesOf(fileOf("GDAL CMYK, band 2"))).notes[0]).toMatch(/holds CMYK; its first band is used/);
  expect((await valuesOf(fileOf("GDAL 4 bands without alpha"))).notes[0]).toMatch(/has 4 bands; red, green and blue/);
});

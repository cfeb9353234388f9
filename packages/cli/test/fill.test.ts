// skerry fill as users run it.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Result, run } from "./support/run.js";

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "skerry-fill-"));
  // A left half of (10, 20, 30), a right half of (200, 20, 30) with one pixel of the left colour in it.
  const rgb = new Uint8Array(8 * 4 * 3);
  for (let i = 0; i < 32; i++) rgb.set([i % 8 < 4 || i === 14 ? 10 : 200, 20, 30], 3 * i);
  await sharp(rgb, { raw: { width: 8, height: 4, channels: 3 } })
    .png()
    .toFile(join(folder, "halves.png"));
  const rgba = new Uint8Array(32 * 4).fill(9);
  await sharp(rgba, { raw: { width: 8, height: 4, channels: 4 } })
    .png()
    .toFile(join(folder, "clear.png"));
  const grey = Uint16Array.from({ length: 32 }, (_, i) => (i % 8 < 3 ? 1000 : 40000));
  await sharp(grey, { raw: { width: 8, height: 4, channels: 1 } })
    .toColourspace("grey16")
    .png()
    .toFile(join(folder, "deep.png"));
  const header = `{'descr': '<f4', 'fortran_order': False, 'shape': (1, 4), }`.padEnd(117);
  const floats = Buffer.from(Float32Array.from([1.5, 1.25, 9, 1.5]).buffer);
  writeFileSync(
    join(folder, "floats.npy"),
    Buffer.concat([Buffer.from("\x93NUMPY\x01\x00\x76\x00", "latin1"), Buffer.from(`${header}\n`), floats]),
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

function skerry(...args: string[]): Promise<Result> {
  return run(["fill", ...args], folder);
}

async function pixelsOf(name: string, deep?: "grey16" | "rgb16"): Promise<{ data: number[]; channels: number }> {
  const picture = sharp(join(folder, name));
  const { data, info } = await (deep ? picture.toColourspace(deep) : picture)
    .raw({ depth: deep ? "ushort" : "uchar" })
    .toBuffer({ resolveWithObject: true });
  const values = deep ? new Uint16Array(Uint8Array.from(data).buffer) : data;
  return { data: Array.from(values), channels: info.channels };
}

test("paints, masks, measures and says so", async () => {
  const { code, out, err } = await skerry(
    "halves.png",
    "--at",
    "0,0",
    "-o",
    "painted.png",
    "--color",
    "#0102ff",
    "--mask",
    "mask.png",
    "--regions",
    "regions.json",
  );
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(/^halves\.png: 16 pixels filled of 8 x 4, [\d.]+ ms on cpu, \d+ threads?\n$/);
  const { data } = await pixelsOf("painted.png");
  expect(data.slice(9, 15)).toEqual([1, 2, 255, 200, 20, 30]);
  expect(data.slice(42, 45)).toEqual([10, 20, 30]);
  const mask = await pixelsOf("mask.png");
  expect(mask.data.filter((_, i) => i % mask.channels === 0)).toEqual(
    Array.from({ length: 32 }, (_, i) => (i % 8 < 4 ? 255 : 0)),
  );
  const table = JSON.parse(readFileSync(join(folder, "regions.json"), "utf8"));
  expect([table.objects[0].area, table.units.area]).toEqual([16, "px2"]);
});

test("everywhere, by several tolerances, from several points", async () => {
  const counted = async (...args: string[]): Promise<number[]> => {
    const { code, out, err } = await skerry("halves.png", "--json", ...args);
    expect([code, err]).toEqual([0, ""]);
    const { count, foreground } = JSON.parse(out) as { count: number; foreground: number };
    return [count, foreground];
  };
  expect(await counted("--at", "0,0", "--global")).toEqual([2, 17]);
  expect(await counted("--at", "0,0", "--tolerance", "190,0,0")).toEqual([1, 32]);
  expect(await counted("--at", "0,0", "--tolerance", "189")).toEqual([1, 16]);
  expect(await counted("--at", "0,0", "--at", "6,1", "--at", "7,3")).toEqual([1, 32]);
  expect(await counted("--at", "5,1", "--metric", "l2", "--average", "3", "--tolerance", "22")).toEqual([1, 15]);
  const unlike = await skerry("halves.png", "--at", "5,1", "--average", "3");
  expect(unlike.out).toContain("No pixel is filled: those --at differ from the mean around them");
});

test("transparency stays, 16 bits stay, and grey takes a colour", async () => {
  expect(await skerry("clear.png", "--at", "0,0", "-o", "solid.png", "--color", "1,2,3", "--quiet")).toEqual({
    code: 0,
    out: "",
    err: "",
  });
  expect((await pixelsOf("solid.png")).data.slice(0, 4)).toEqual([1, 2, 3, 255]);
  expect((await skerry("deep.png", "--at", "0,0", "-o", "grey.tif", "--color", "7")).code).toBe(0);
  const grey = await pixelsOf("grey.tif", "grey16");
  expect(grey.data.filter((_, i) => i % grey.channels === 0).slice(0, 4)).toEqual([7, 7, 7, 40000]);
  expect((await skerry("deep.png", "--at", "0,0", "-o", "red.png")).code).toBe(0);
  expect((await pixelsOf("red.png", "rgb16")).data.slice(0, 12)).toEqual([
    65535, 0, 0, 65535, 0, 0, 65535, 0, 0, 40000, 40000, 40000,
  ]);
  expect(
    (await skerry("floats.npy", "--at", "0,0", "--tolerance", "0.25", "-o", "out.npy", "--color", "-2.5")).code,
  ).toBe(0);
  const bytes = readFileSync(join(folder, "out.npy"));
  expect(Array.from(new Float32Array(Uint8Array.from(bytes.subarray(bytes.length - 16)).buffer))).toEqual([
    -2.5, -2.5, 9, 1.5,
  ]);
});

test("a .pgm takes a grey picture in grey, and a mask", async () => {
  const half = (on: number, off: number): Buffer =>
    Buffer.from(Array.from({ length: 32 }, (_, i) => (i % 8 < 3 ? on : off)));
  const deep = (on: number): Buffer =>
    Buffer.from(Uint16Array.from(half(0, 1), (off) => (off ? 40000 : on)).buffer).swap16();
  const pgm = (most: number, bytes: Buffer): Buffer => Buffer.concat([Buffer.from(`P5\n8 4\n${most}\n`), bytes]);
  expect(await skerry("deep.png", "--at", "0,0", "-o", "most.pgm", "--mask", "mask.pgm", "--quiet")).toEqual({
    code: 0,
    out: "",
    err: "",
  });
  expect(readFileSync(join(folder, "most.pgm"))).toEqual(pgm(65535, deep(65535)));
  expect(readFileSync(join(folder, "mask.pgm"))).toEqual(pgm(255, half(255, 0)));
  expect((await skerry("most.pgm", "--at", "0,0", "-o", "seven.pgm", "--color", "7")).code).toBe(0);
  expect(readFileSync(join(folder, "seven.pgm"))).toEqual(pgm(65535, deep(7)));
});

test.each([
  [["halves.png"], 2, "Expected --at X,Y, a point to begin with, at least once."],
  [["halves.png", "--at", "8,0"], 2, "Expected --at inside the 8 x 4 image, got [8, 0]."],
  [["halves.png", "--at", "1"], 2, "Expected --at to be X,Y, or X,Y,Z for a volume, in whole pixels, got 1."],
  [["halves.png", "--at", "1,1,1"], 2, "Expected --at X,Y in halves.png, an image, got 1,1,1."],
  [["halves.png", "--at", "1,1", "--tolerance", "-1"], 2, "Expected --tolerance to be 0 or more, got -1."],
  [["halves.png", "--at", "1,1", "--metric", "l9"], 2, "Expected --metric to be linf, l1, l2, got l9."],
  [["halves.png", "--at", "1,1", "--color", "#1"], 2, "Expected --color to be #rrggbb, one number or three, got #1."],
  [
    ["halves.png", "--at", "1,1", "-o", "x.gif"],
    2,
    "Expected -o to end in .png, .pgm, .npy, .tif, .nrrd or .mha, got x.gif.",
  ],
  [["halves.png", "--at", "1,1", "-o", "halves.png"], 2, "but halves.png is the input and -o."],
  [["halves.png", "--at", "1,1", "-o", "x.npy"], 1, "Expected one channel for x.npy, got a picture in colour."],
  [["halves.png", "--at", "1,1", "-o", "x.pgm"], 1, "Expected one channel for x.pgm, got a picture in colour."],
  [["deep.png", "--at", "1,1", "-o", "x.pgm", "--color", "#123456"], 1, "Expected one value as --color for x.pgm"],
  [["none.png", "--at", "1,1"], 1, "Could not read none.png: there is no such file or folder."],
])("%j is refused", async (args, wanted, message) => {
  const { code, out, err } = await skerry(...args);
  expect([code, out]).toEqual([wanted, ""]);
  expect(err).toContain(`skerry: `);
  expect(err).toContain(message);
  expect(existsSync(join(folder, "x.npy"))).toBe(false);
});

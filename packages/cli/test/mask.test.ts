// skerry mask as users run it.

import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Result, run } from "./support/run.js";

let folder: string;

/** Columns 0 to 4, columns 3 to 7, and the row 1. */
const PICTURES: Record<string, (x: number, y: number) => boolean> = {
  "left.png": (x) => x < 5,
  "right.png": (x) => x > 2,
  "row.png": (_, y) => y === 1,
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "skerry-mask-"));
  for (const [name, is] of Object.entries(PICTURES)) {
    const data = Uint8Array.from({ length: 32 }, (_, at) => (is(at % 8, at >> 3) ? 9 : 0));
    await sharp(data, { raw: { width: 8, height: 4, channels: 1 } })
      .png()
      .toFile(join(folder, name));
  }
  await sharp(new Uint8Array(6), { raw: { width: 3, height: 2, channels: 1 } })
    .png()
    .toFile(join(folder, "small.png"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const skerry = (...args: string[]): Promise<Result> => run(["mask", ...args], folder);

async function rowsOf(name: string): Promise<string[]> {
  const data = await sharp(join(folder, name)).toColourspace("b-w").raw().toBuffer();
  return Array.from({ length: 4 }, (_, y) => [...data.subarray(8 * y, 8 * y + 8)].map((v) => (v ? "#" : ".")).join(""));
}

test("union, intersection, difference, and what follows them", async () => {
  const { code, out, err } = await skerry("left.png", "--intersection", "right.png", "-o", "both.png");
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(/^left\.png: 8 pixels of 8 x 4 selected, [\d.]+ ms on cpu, \d+ threads?\n$/);
  expect(await rowsOf("both.png")).toEqual(new Array(4).fill("...##..."));
  await skerry("left.png", "--difference", "right.png", "row.png", "-o", "rest.png", "--quiet");
  expect(await rowsOf("rest.png")).toEqual(["###.....", "........", "###.....", "###....."]);
  await skerry("row.png", "--union", "both.png", "--dilate", "1", "-o", "wide.tif");
  expect((await sharp(join(folder, "wide.tif")).stats()).channels[0]).toMatchObject({ min: 0, max: 255 });
  expect(await rowsOf("wide.tif")).toEqual(["########", "########", "########", "..####.."]);
  await skerry("left.png", "--erode", "1", "--metric", "chessboard", "-o", "core.png");
  expect(await rowsOf("core.png")).toEqual(["........", ".###....", ".###....", "........"]);
  const { out: json } = await skerry("left.png", "--union", "right.png", "-o", "all.npy", "--json");
  expect(JSON.parse(json)).toMatchObject({ input: "left.png", width: 8, height: 4, selected: 32, device: "cpu" });
  const npy = readFileSync(join(folder, "all.npy"));
  expect([...npy.subarray(-32)]).toEqual(new Array(32).fill(1));
});

test("volumes keep their place", async () => {
  await skerry("left.png", "-o", "left.nii.gz");
  await skerry("left.nii.gz", "--difference", "row.png", "-o", "rest.nii", "--quiet");
  const nii = readFileSync(join(folder, "rest.nii"));
  expect([nii.readInt16LE(42), nii.readInt16LE(44), nii.readInt16LE(46)]).toEqual([8, 4, 1]);
  expect([nii.length, nii.readInt16LE(70), nii.readInt16LE(72)]).toEqual([352 + 32, 2, 8]);
  expect(nii.subarray(352).reduce((a, b) => a + b)).toBe(15);
});

test("wrong calls and wrong files", async () => {
  for (const [args, message] of [
    [["left.png"], "Expected -o FILE, where the mask is written to."],
    [["left.png", "-o", "left.png"], "Expected every file to be written once, but left.png is an input and -o."],
    [["left.png", "-o", "out.jpg"], "Expected -o to end in"],
    [["left.png", "--union", "-o", "a.png"], "Expected --union to be files, got -o."],
    [["left.png", "--physical", "-o", "a.png"], "Expected --physical together with --erode or --dilate."],
    [["left.png", "--dilate", "-2", "-o", "a.png"], "Expected --dilate to be 0 or more, got -2."],
    [["-", "--union", "-", "-o", "a.png"], "Expected - at most once"],
    [
      ["left.png", "--union", "small.png", "-o", "a.png"],
      "Expected --union small.png to have the size of left.png, got 3 x 2 pixels beside 8 x 4.",
    ],
  ] as const) {
    const { code, err } = await skerry(...args);
    expect([code, err.includes(message)], err).toEqual([2, true]);
  }
  const { code, err } = await skerry("left.png", "--union", "none.png", "-o", "a.png");
  expect(code).toBe(1);
  expect(err).toMatch(/none\.png/);
  expect(existsSync(join(folder, "a.png"))).toBe(false);
});

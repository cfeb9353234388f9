// skerry kmeans as users run it.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Result, run } from "./support/run.js";

const coffee = resolve(import.meta.dirname, "../../../samples/coffee.png");
let folder: string;

/** Four columns of red, then three of blue, then one of green; the first row nearly so. */
const COLOURS = [
  [200, 10, 20],
  [10, 20, 200],
  [20, 180, 30],
];
const CLASSES = [0, 0, 0, 0, 1, 1, 1, 2];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "skerry-kmeans-"));
  const rgb = new Uint8Array(8 * 6 * 3);
  const rgba = new Uint8Array(8 * 6 * 4);
  for (let i = 0; i < 48; i++) {
    const colour = COLOURS[CLASSES[i % 8]].map((value) => value + (i < 8 ? 1 : 0));
    rgb.set(colour, i * 3);
    rgba.set([...colour, i < 16 ? 0 : 255], i * 4);
  }
  const write = (data: Uint8Array, channels: 3 | 4, name: string): Promise<unknown> =>
    sharp(data, { raw: { width: 8, height: 6, channels } })
      .png()
      .toFile(join(folder, name));
  await write(rgb, 3, "flag.png");
  await write(rgba, 4, "clear.png");
  await sharp(
    Uint16Array.from({ length: 16 }, (_, i) => i * 1000),
    { raw: { width: 4, height: 4, channels: 1 } },
  )
    .toColourspace("grey16")
    .png()
    .toFile(join(folder, "deep.png"));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function skerry(...args: string[]): Promise<Result> {
  return run(["kmeans", ...args], folder);
}

const read = (name: string): string => readFileSync(join(folder, name), "utf8");

/** The picture that is to come of the flag: each class in its mean, rounded. */
const FLAG = Array.from({ length: 48 }, (_, i) => COLOURS[CLASSES[i % 8]]).flat();

test("writes the picture, classes, palettes and areas, and says so", async () => {
  const { code, out, err } = await skerry(
    "flag.png",
    "-k",
    "3",
    "-o",
    "three.png",
    "--classes",
    "labels.npy",
    "--palette",
    "palette.json",
    "--regions",
    "areas.csv",
    "--threads",
    "1",
  );
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toMatch(/^flag\.png: 3 classes of 8 x 6 after \d iterations?, [\d.]+ ms on cpu, 1 thread\n$/);
  const three = sharp(join(folder, "three.png"));
  expect(Buffer.from(await three.raw().toBuffer())).toEqual(Buffer.from(FLAG));
  // A palette: colour type 3 stands in byte 25 of a PNG.
  expect(readFileSync(join(folder, "three.png"))[25]).toBe(3);
  const labels = readFileSync(join(folder, "labels.npy"));
  expect(labels.subarray(0, 128).toString("latin1")).toContain(
    "'descr': '|u1', 'fortran_order': False, 'shape': (6, 8)",
  );
  expect([...labels.subarray(128)]).toEqual(Array.from({ length: 48 }, (_, i) => CLASSES[i % 8]));
  expect(JSON.parse(read("palette.json"))).toEqual([
    { class: 0, hex: "#c80a14", rgb: [200, 10, 20], pixels: 24, share: 0.5 },
    { class: 1, hex: "#0a14c8", rgb: [10, 20, 200], pixels: 18, share: 0.375 },
    { class: 2, hex: "#14b41e", rgb: [20, 180, 30], pixels: 6, share: 0.125 },
  ]);
  const rows = read("areas.csv").trim().split("\n");
  expect(rows.slice(1).map((row) => row.split(",").slice(0, 3).map(Number))).toEqual([
    [1, 0, 24],
    [2, 1, 18],
    [3, 2, 6],
  ]);
});

test("palettes for GIMP and as swatches; classes as .png and .pgm; the picture as .tif", async () => {
  const run = async (...args: string[]): Promise<void> => {
    expect(await skerry("flag.png", "-k", "3", "--quiet", ...args)).toEqual({ code: 0, out: "", err: "" });
  };
  await run("--palette", "flag.gpl", "--classes", "labels.png", "-o", "three.tif");
  expect(read("flag.gpl")).toBe(
    "GIMP Palette\nName: flag\nColumns: 16\n#\n200  10  20\tclass 0 #c80a14\n 10  20 200\tclass 1 #0a14c8\n 20 180  30\tclass 2 #14b41e\n",
  );
  const labels = await sharp(join(folder, "labels.png"))
    .toColourspace("b-w")
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect([labels.info.channels, ...labels.data.subarray(0, 8)]).toEqual([1, ...CLASSES]);
  expect([...(await sharp(join(folder, "three.tif")).raw().toBuffer())]).toEqual(FLAG);
  await run("--palette", "swatches.png", "--classes", "labels.pgm");
  expect(read("labels.pgm")).toBe(`P5\n8 6\n255\n${String.fromCharCode(...CLASSES).repeat(6)}`);
  const { width, height } = await sharp(join(folder, "swatches.png")).metadata();
  expect([width, height]).toEqual([96, 32]);
});

test("chooses k itself, and counts out transparent pixels", async () => {
  const auto = JSON.parse((await skerry("flag.png", "-k", "auto", "--max-k", "3", "--json")).out);
  expect(auto).toMatchObject({ k: 3, candidates: [2, 3], converged: true, device: "cpu" });
  const clear = JSON.parse(
    (await skerry("clear.png", "-k", "3", "--ignore-transparent", "-o", "clear3.png", "--json")).out,
  );
  expect(clear).toMatchObject({ k: 3, transparent: 16, inertia: 0 });
});

test("colours to begin with, and more classes than colours", async () => {
  const given = await skerry(
    "flag.png",
    "--init",
    "#ff0000, #0000ff",
    "--max-iterations",
    "0",
    "--palette",
    "two.json",
  );
  expect(given).toMatchObject({ code: 0, err: "" });
  expect(JSON.parse(read("two.json")).map(({ hex }: { hex: string }) => hex)).toEqual(["#ff0000", "#0000ff"]);
  const many = await skerry("flag.png", "-k", "200");
  expect(many.code).toBe(0);
  expect(many.err).toBe("note: 6 classes instead of 200: the picture has no more colours\n");
  expect(many.out).toContain("6 classes of 8 x 6");
});

test.each([
  [["flag.png"], "Expected -k K, how many classes, or -k auto, got none."],
  [["flag.png", "-k", "0"], "Expected -k to be a whole number from 1 to 256, or auto, got 0."],
  [["flag.png", "-k", "257"], "Expected -k to be a whole number from 1 to 256, or auto, got 257."],
  [["flag.png", "-k", "2.5"], "Expected -k to be a whole number from 1 to 256, or auto, got 2.5."],
  [["flag.png", "-k", "256", "--ignore-transparent"], "Expected -k to be a whole number from 1 to 255, got 256."],
  [
    ["flag.png", "-k", "3", "--init", "#12"],
    "Expected --init to be kmeans++, random, grid, tiles, colours #rrggbb,#rrggbb,... or greys from 0 to 255 as 0,128,255, got #12.",
  ],
  [["flag.png", "-k", "3", "--init", "#000000"], "Expected --init to have as many colours as k, which is 3, got 1."],
  [["flag.png", "-k", "auto", "--init", "#000000"], "Expected -k auto without colours or tiles as --init."],
  [["flag.png", "-k", "3", "--metric", "l3"], "Expected --metric to be l2, l1, l1-mean, got l3."],
  [["flag.png", "-k", "3", "--seed", "-1"], "Expected --seed to be a whole number from 0 to 4294967295, got -1."],
  [["flag.png", "-k", "3", "-o", "x.jpg"], "Expected -o to end in .png, .tif or .svg, got x.jpg."],
  [
    ["flag.png", "-k", "3", "--classes", "x.gif"],
    "Expected --classes to end in .png, .pgm, .npy, .tif, .nrrd, .mha or .zarr, got x.gif.",
  ],
  [["flag.png", "-k", "3", "--palette", "x.aco"], "Expected --palette to end in .json, .gpl or .png, got x.aco."],
  [
    ["flag.png", "-k", "3", "-o", "flag.png"],
    "Expected every file to be written once, but flag.png is the input and -o.",
  ],
])("%s is a wrong call", async (args, message) => {
  expect(await skerry(...args)).toEqual({ code: 2, out: "", err: `skerry: ${message}\n` });
});

test("what cannot be read or divided fails in one sentence and leaves nothing", async () => {
  writeFileSync(join(folder, "broken.png"), "no picture");
  const broken = await skerry("broken.png", "-k", "2", "-o", "left.png");
  expect(broken).toMatchObject({ code: 1, out: "" });
  expect(broken.err).toMatch(/^skerry: Could not read broken\.png: .*\.\n$/);
  const deep = await skerry("deep.png", "-k", "2", "-o", "left.png");
  expect(deep).toEqual({
    code: 1,
    out: "",
    err: "skerry: Expected colours or greys of 8 bits (u8) for k-means, got u16; scale them to 0 to 255.\n",
  });
  expect(existsSync(join(folder, "left.png"))).toBe(false);
});

test("a photograph", async () => {
  const { code, out } = await skerry(coffee, "-k", "16", "--metric", "l1", "--colour-space", "oklab", "--json");
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ width: 600, height: 400, k: 16, converged: true });
});

test("small areas go to their neighbours, and the pixels of each class are counted anew", async () => {
  const given = [coffee, "-k", "5", "--absorb", "40", "--regions", "large.csv", "--palette", "large.json"];
  const { code } = await skerry(...given, "--classes", "large.npy");
  expect(code).toBe(0);
  const [head, ...rows] = read("large.csv").trim().split("\n");
  const column = head.split(",").indexOf("area");
  const areas = rows.map((row) => Number(row.split(",")[column]));
  expect(Math.min(...areas)).toBeGreaterThanOrEqual(40);
  expect(areas.reduce((sum, area) => sum + area, 0)).toBe(600 * 400);
  const palette = JSON.parse(read("large.json")) as { pixels: number }[];
  expect(palette.reduce((sum, { pixels }) => sum + pixels, 0)).toBe(600 * 400);
  expect((await skerry(coffee, "-k", "5", "--absorb", "0")).code).toBe(2);
});

test("a poster: exact outlines draw the picture, simplified ones leave no gaps", async () => {
  const options = ["-k", "6", "--absorb", "30", "--quiet"];
  for (const args of [
    ["-o", "poster.png"],
    ["-o", "poster.svg"],
    ["-o", "calm.svg", "--simplify", "1.5", "--regions", "areas.json"],
  ]) {
    expect(await skerry(coffee, ...options, ...args)).toEqual({ code: 0, out: "", err: "" });
  }
  const pixels = (name: string): Promise<Buffer> => sharp(join(folder, name)).ensureAlpha().raw().toBuffer();
  const [picture, exact, calm] = await Promise.all(["poster.png", "poster.svg", "calm.svg"].map(pixels));
  expect(Buffer.compare(exact, picture)).toBe(0);
  expect(read("poster.svg").match(/<path /g)).toHaveLength(6);
  expect(read("calm.svg").length).toBeLessThan(read("poster.svg").length / 1.5);
  // The background shows through nowhere by more than a tenth, and most of the picture is as it was.
  let [open, other] = [0, 0];
  for (let i = 0; i < calm.length; i += 4) {
    if (calm[i + 3] < 230) open++;
    if (Math.abs(calm[i] - picture[i]) > 40) other++;
  }
  expect([open, other < calm.length / 4 / 20]).toEqual([0, true]);
  expect(JSON.parse(read("areas.json")).objects.length).toBeGreaterThan(10);
  const { code, err } = await skerry(coffee, "-k", "2", "-o", "poster.png", "--simplify", "1");
  expect([code, err]).toEqual([2, "skerry: Expected --simplify together with -o FILE.svg.\n"]);
  expect((await skerry(coffee, "-k", "2", "-o", "a.gif")).err).toBe(
    "skerry: Expected -o to end in .png, .tif or .svg, got a.gif.\n",
  );
});

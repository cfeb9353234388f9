// The command as users run it: files in, files out, sentences and exit codes.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Result, run } from "./support/run.js";

const command = resolve(import.meta.dirname, "../bin/skerry.js");
const samples = resolve(import.meta.dirname, "../../../samples");
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "skerry-"));
  // Three squares of 255, 128 and 40 on 0, the last one at the border.
  const pixels = new Uint8Array(40 * 30);
  square(pixels, 40, 4, 4, 6, 255);
  square(pixels, 40, 20, 10, 5, 128);
  square(pixels, 40, 36, 26, 4, 40);
  await sharp(pixels, { raw: { width: 40, height: 30, channels: 1 } })
    .png()
    .toFile(join(folder, "squares.png"));
  const deep = Uint16Array.from(pixels, (v) => v * 257);
  const raw = { raw: { width: 40, height: 30, channels: 1 as const } };
  await sharp(deep, raw).toColourspace("grey16").png().toFile(join(folder, "deep.png"));
  await sharp(deep, raw).toColourspace("grey16").tiff({ compression: "lzw" }).toFile(join(folder, "deep.tif"));
  const binary = pixels.map((v) => (v ? 255 : 0));
  await sharp(binary, raw).png().toFile(join(folder, "binary.png"));
  await sharp(binary, raw).webp({ lossless: true }).toFile(join(folder, "binary.webp"));
  writePgm("squares.pgm", 255, pixels);
  writePgm("deep.pgm", 65535, Buffer.from(deep.buffer).swap16());
  writeNpy("squares.npy", "|u1", pixels, [30, 40]);
  writeNpy(
    "floats.npy",
    "<f4",
    Float32Array.from(pixels, (v) => v / 255),
    [30, 40],
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

function square(pixels: Uint8Array, width: number, x: number, y: number, side: number, value: number): void {
  for (let row = y; row < y + side; row++) pixels.fill(value, row * width + x, row * width + x + side);
}

function writeNpy(name: string, descr: string, array: ArrayBufferView, shape: number[], order = "False"): void {
  const text = `{'descr': '${descr}', 'fortran_order': ${order}, 'shape': (${shape.join(", ")}), }`.padEnd(117);
  const header = Buffer.concat([Buffer.from("\x93NUMPY\x01\x00\x76\x00", "latin1"), Buffer.from(`${text}\n`)]);
  writeFileSync(
    join(folder, name),
    Buffer.concat([header, Buffer.from(array.buffer, array.byteOffset, array.byteLength)]),
  );
}

/** Of the size of the squares; 16 bits have the higher byte first. */
function writePgm(name: string, most: number, bytes: Uint8Array): void {
  writeFileSync(join(folder, name), Buffer.concat([Buffer.from(`P5\n# squares\n40 30\n${most}\n`), bytes]));
}

function skerry(args: string[], input?: Buffer): Promise<Result> {
  return run(args, folder, input);
}

async function json(args: string[], input?: Buffer): Promise<Record<string, unknown>> {
  const { code, out, err } = await skerry(["label", ...args, "--json"], input);
  expect(err).toBe("");
  expect(code).toBe(0);
  return JSON.parse(out) as Record<string, unknown>;
}

describe("skerry label", () => {
  test("one line for people", async () => {
    const { code, out } = await skerry(["label", "squares.png", "--threshold", ">100", "--threads", "1"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^squares\.png: 2 objects in 40 x 30, [\d.]+ ms on cpu, 1 thread\n$/);
  });

  test("one object for programs", async () => {
    const { milliseconds, ...rest } = await json(["squares.png", "--threshold", ">100", "--threads", "2"]);
    expect(milliseconds).toBeGreaterThan(0);
    expect(rest).toEqual({
      input: "squares.png",
      width: 40,
      height: 30,
      count: 2,
      foreground: 61,
      device: "cpu",
      threads: 2,
      threshold: { above: 100 },
      polarity: "bright",
    });
  });

  test("the default says which threshold it took", async () => {
    expect((await skerry(["label", "binary.png"])).out).toContain("(nonzero pixels)");
    expect((await skerry(["label", "squares.png"])).out).toMatch(/\(Otsu: above \d+\)/);
    expect((await json(["binary.png"])).threshold).toBe("nonzero");
    expect((await json(["squares.png", "--objects", "dark"])).threshold).toMatchObject({ polarity: "dark" });
  });

  test.each([
    [["--threshold", "otsu"], 2],
    [["--threshold", "nonzero"], 3],
    [["--threshold", ">128"], 1],
    [["--threshold", "<1"], 1],
    [["--threshold", "40..128"], 2],
    [["--threshold", "outside:30..200"], 2],
    [["--threshold", "nonzero", "--clear-border"], 2],
    [["--threshold", "nonzero", "--min-area", "20"], 2],
    [["--threshold", "nonzero", "--max-area", "20"], 1],
    [["--threshold", "nonzero", "--largest", "1"], 1],
  ])("%j finds %i", async (options, count) => {
    expect((await json(["squares.png", ...options])).count).toBe(count);
  });

  test.each([
    "squares.png",
    "deep.png",
    "deep.tif",
    "squares.pgm",
    "deep.pgm",
    "squares.npy",
    "floats.npy",
    "binary.png",
    "binary.webp",
  ])("reads %s", async (name) => {
    expect(await json([name, "--threshold", "nonzero"])).toMatchObject({
      width: 40,
      height: 30,
      count: 3,
      foreground: 77,
    });
  });

  test("16 bits are read as 16 bits", async () => {
    expect((await json(["deep.png", "--threshold", ">32895"])).count).toBe(2);
    expect((await json(["deep.tif", "--threshold", ">32896"])).count).toBe(1);
    expect((await json(["deep.pgm", "--threshold", ">32895"])).count).toBe(2);
    expect((await json(["deep.pgm", "--threshold", ">32896"])).count).toBe(1);
  });

  test("stdin", async () => {
    for (const name of ["squares.png", "squares.pgm", "squares.npy"]) {
      expect(await json(["-", "--threshold", "nonzero"], readFileSync(join(folder, name)))).toMatchObject({
        input: "-",
        count: 3,
      });
    }
  });

  test("labels as .npy, .tif, .png and .pgm agree", async () => {
    for (const ending of ["npy", "tif", "png", "pgm"]) {
      expect(
        await skerry(["label", "squares.png", "--threshold", "nonzero", "-o", `labels.${ending}`, "--quiet"]),
      ).toEqual({
        code: 0,
        out: "",
        err: "",
      });
    }
    const npy = readFileSync(join(folder, "labels.npy"));
    const begin = 10 + npy.readUInt16LE(8);
    expect(npy.subarray(0, begin).toString("latin1")).toContain(
      "'descr': '<u4', 'fortran_order': False, 'shape': (30, 40)",
    );
    const labels = new Uint32Array(Uint8Array.from(npy.subarray(begin)).buffer);
    expect([labels[4 * 40 + 4], labels[10 * 40 + 20], labels[26 * 40 + 36], labels[0]]).toEqual([1, 2, 3, 0]);
    const png = await sharp(join(folder, "labels.png")).toColourspace("grey16").raw({ depth: "ushort" }).toBuffer();
    expect([...new Uint16Array(Uint8Array.from(png).buffer)]).toEqual([...labels]);
    const pgm = readFileSync(join(folder, "labels.pgm"));
    expect(pgm.subarray(0, -2400).toString()).toBe("P5\n40 30\n65535\n");
    expect(Array.from(labels, (_, i) => pgm.readUInt16BE(pgm.length - 2400 + 2 * i))).toEqual([...labels]);
    const tif = await sharp(join(folder, "labels.tif")).metadata();
    expect([tif.width, tif.height, tif.depth, tif.channels]).toEqual([40, 30, "uint", 1]);
    expect(readFileSync(join(folder, "labels.tif")).subarray(-labels.byteLength)).toEqual(Buffer.from(labels.buffer));
  });

  test("regions: .csv and .json, all or some properties", async () => {
    await skerry([
      "label",
      "squares.png",
      "--threshold",
      "nonzero",
      "--regions",
      "some.csv",
      "--properties",
      "centroid,area,mean",
    ]);
    expect(readFileSync(join(folder, "some.csv"), "utf8")).toBe(
      "label,area,centroid_x,centroid_y,mean,unit\n1,36,6.5,6.5,255,px\n2,25,22,12,128,px\n3,16,37.5,27.5,40,px\n",
    );
    await skerry([
      "label",
      "squares.png",
      "--threshold",
      "outside:30..200",
      "--regions",
      "all.json",
      "--properties",
      "all",
    ]);
    const { units, objects } = JSON.parse(readFileSync(join(folder, "all.json"), "utf8"));
    const regions = objects as Record<string, unknown>[];
    expect(units).toMatchObject({ area: "px2", centroid: "px", orientation: "rad" });
    expect(Object.keys(units)).not.toContain("mean");
    expect(regions).toHaveLength(2);
    expect(regions.map((region) => [region.label, region.polarity])).toEqual([
      [1, 2],
      [2, 1],
    ]);
    expect(regions[1]).toMatchObject({
      area: 36,
      bounds: [4, 4, 10, 10],
      edges: 24,
      perimeter: 20,
      eulerNumber: 1,
      sum: 36 * 255,
    });
    expect(Object.keys(regions[0] ?? {}).slice(0, 3)).toEqual(["label", "polarity", "area"]);
    await skerry(["label", "binary.png", "--threshold", "<1", "--regions", "full.json", "--properties", "all"]);
    expect(JSON.parse(readFileSync(join(folder, "full.json"), "utf8")).objects[0].contrast).toBe(-255);
  });

  test("shapes: several numbers per property, channels, quantiles, bins and hulls", async () => {
    const list = "area,feretDiameter,minimumRectangle,inscribed,circularity,quantiles";
    const measured = await skerry([
      "label",
      "squares.png",
      "--threshold",
      "nonzero",
      "--regions",
      "shapes.csv",
      "--properties",
      list,
      "--quantiles",
      "0.1,0.9",
    ]);
    expect(measured.err).toBe("");
    const [head, first] = readFileSync(join(folder, "shapes.csv"), "utf8").split("\n");
    expect(head).toBe(
      `label,area,circularity,feret,feret_angle,feret_smallest,feret_smallest_angle,${[
        "rectangle_x",
        "rectangle_y",
        "rectangle_length",
        "rectangle_width",
        "rectangle_angle",
        "inscribed_radius",
        "inscribed_x",
        "inscribed_y",
        "quantile_0.1",
        "quantile_0.9",
        "unit",
      ].join()}`,
    );
    const [, area, , feret, , smallest, , x, y, length, width, , radius] = (first ?? "").split(",").map(Number);
    expect([area, feret, smallest, x, y, length, width, radius]).toEqual([36, Math.sqrt(61), 6, 7, 7, 6, 6, 3]);
    await skerry([
      "label",
      "squares.png",
      "--threshold",
      "nonzero",
      "--regions",
      "hulls.json",
      "--bins",
      "2",
      "--properties",
      "convexHull,histogram",
    ]);
    const [hull] = JSON.parse(readFileSync(join(folder, "hulls.json"), "utf8")).objects;
    expect(hull.convexHull).toEqual([
      [4, 4],
      [10, 4],
      [10, 10],
      [4, 10],
    ]);
    expect(hull.histogram.counts).toEqual([0, 36]);
    expect(hull.histogram.edges).toEqual([40, 147.5, 255]);
    const rgb = new Uint8Array(40 * 30 * 3).map((_, k) => [10, 20, 40][k % 3]);
    await sharp(rgb, { raw: { width: 40, height: 30, channels: 3 } })
      .png()
      .toFile(join(folder, "even.png"));
    await skerry([
      "label",
      "even.png",
      "--threshold",
      "nonzero",
      "--regions",
      "channels.csv",
      "--per-channel",
      "--properties",
      "mean,median",
    ]);
    expect(readFileSync(join(folder, "channels.csv"), "utf8")).toBe(
      `label,mean_channel0,mean_channel1,mean_channel2,median_channel0,median_channel1,median_channel2,unit\n1,10,20,40,10,20,40,px\n`,
    );
    for (const [args, message] of [
      [["--quantiles", "0.5"], "Expected --quantiles together with --properties quantiles."],
      [["--properties", "quantiles", "--quantiles", "2"], "Expected --quantiles to be numbers from 0 to 1, got 2."],
      [["--bins", "3"], "Expected --bins together with --properties histogram."],
      [["--properties", "convexHull"], "Expected --regions to end in .json for convexHull, got a.csv."],
      [["--select", "feretDiameter > 3"], "Expected properties out of"],
      [["--select", `${"(".repeat(2000)}1`], "Expected at most 1000 letters in --select, got 2001."],
      [["--properties", "convexVolume"], 'Expected --properties of an image, got "convexVolume"'],
      [["--select", "surfaceArea > 3"], 'Expected --select of an image, got "surfaceArea"'],
    ] as const) {
      const { code, err } = await skerry([
        "label",
        "squares.png",
        "--threshold",
        "nonzero",
        "--regions",
        "a.csv",
        ...args,
      ]);
      expect([code, err.includes(message)], err).toEqual([2, true]);
    }
    const chosen = await skerry([
      "label",
      "squares.png",
      "--threshold",
      "nonzero",
      "--select",
      "solidity == 1 && holes == 0",
      "--json",
    ]);
    expect(JSON.parse(chosen.out).count).toBe(3);
  });

  test("selection by properties, order and number", async () => {
    const all = ["label", "squares.png", "--threshold", ">100", "--regions", "all.csv", "--properties", "area,mean"];
    await skerry([...all, "--sort", "-area"]);
    const rowsOf = (name: string): number[][] =>
      readFileSync(join(folder, name), "utf8")
        .trim()
        .split("\n")
        .slice(1)
        .map((line) => line.split(",").map(Number));
    const areas = rowsOf("all.csv").map(([, area]) => area);
    expect(areas.length).toBeGreaterThan(1);
    expect(areas).toEqual(areas.toSorted((a, b) => a - b));
    const least = areas[1];
    await skerry([
      "label",
      "squares.png",
      "--threshold",
      ">100",
      "--select",
      `area >= ${least}`,
      "--regions",
      "some.csv",
    ]);
    expect(rowsOf("some.csv")).toHaveLength(areas.filter((area) => area >= least).length);
    await skerry(["label", "squares.png", "--threshold", ">100", "--top", "1", "--regions", "top.csv"]);
    expect(rowsOf("top.csv").map(([, area]) => area)).toEqual([Math.max(...areas)]);
    for (const [given, message] of [
      [["--select", "aera > 3"], "Expected properties out of"],
      [["--sort", "size", "--top", "2"], "Expected --sort to be one out of area"],
      [["--sort", "area"], "together with --regions FILE or --top"],
      [["--top", "0"], "Expected --top to be a whole number of at least 1"],
    ] as const) {
      const { code, err } = await skerry(["label", "squares.png", ...given]);
      expect([code, err]).toEqual([2, expect.stringContaining(message)]);
    }
  });

  test("outlines: GeoJSON, SVG, COCO and ImageJ", async () => {
    for (const ending of ["geojson", "svg", "json", "zip"]) {
      await skerry(["label", "squares.png", "--threshold", ">100", "--outlines", `outlines.${ending}`]);
    }
    const { features } = JSON.parse(readFileSync(join(folder, "outlines.geojson"), "utf8"));
    const lines = (await skerry(["label", "squares.png", "--threshold", ">100", "--json"])).out;
    expect(features).toHaveLength(JSON.parse(lines).count);
    for (const { geometry } of features) expect(geometry.coordinates[0]).toHaveLength(5);
    expect(readFileSync(join(folder, "outlines.svg"), "utf8").match(/<path /g)).toHaveLength(features.length);
    const { annotations } = JSON.parse(readFileSync(join(folder, "outlines.json"), "utf8"));
    expect(annotations[0].segmentation[0]).toHaveLength(8);
    expect(readFileSync(join(folder, "outlines.zip")).toString("latin1", 0, 2)).toBe("PK");
    expect((await skerry(["label", "squares.png", "--outlines", "a.txt"])).err).toContain(
      ".geojson, .fgb, .svg, .json or .zip",
    );
    expect((await skerry(["label", "squares.png", "--simplify", "1"])).err).toContain("together with --outlines");
  });

  test("runs: .csv and COCO", async () => {
    await skerry(["label", "squares.png", "--threshold", ">100", "--runs", "runs.csv"]);
    const lines = readFileSync(join(folder, "runs.csv"), "utf8").trim().split("\n");
    expect(lines).toHaveLength(1 + 6 + 5);
    expect(lines.slice(0, 2)).toEqual(["row,begin,end,label", "4,4,10,1"]);
    await skerry(["label", "squares.png", "--threshold", ">100", "--runs", "coco.json"]);
    const coco = JSON.parse(readFileSync(join(folder, "coco.json"), "utf8")) as {
      annotations: { bbox: number[]; area: number; segmentation: { size: number[]; counts: string } }[];
    };
    expect(coco.annotations).toHaveLength(2);
    expect(coco.annotations[1]).toMatchObject({ bbox: [20, 10, 5, 5], area: 25, segmentation: { size: [30, 40] } });
  });

  test("an overlay colours objects and leaves the rest", async () => {
    await skerry(["label", "squares.png", "--threshold", ">100", "--overlay", "seen.png"]);
    const { data: rgb, info } = await sharp(join(folder, "seen.png")).raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height, info.channels]).toEqual([40, 30, 3]);
    const at = (x: number, y: number): number[] => [...rgb.subarray((y * 40 + x) * 3, (y * 40 + x) * 3 + 3)];
    expect(at(0, 0)).toEqual([0, 0, 0]);
    expect(at(37, 27)).toEqual([40, 40, 40]);
    expect(at(5, 5)).not.toEqual(at(22, 12));
    expect(new Set(at(5, 5)).size).toBeGreaterThan(1);
  });

  test("a figure has a bar where the size of a pixel is known, and what the recipe says", async () => {
    const given = ["label", "squares.png", "--threshold", ">100", "--title", "Two squares", "--colour-by", "area"];
    const sized = [
      ...given,
      "--draw",
      "colours,outlines,numbers,bar",
      "--spacing",
      "0.5",
      "--unit",
      "um",
      "--physical",
    ];
    await skerry([...sized, "--figure", "seen.svg", "--recipe", "figure.json"]);
    const svg = readFileSync(join(folder, "seen.svg"), "utf8");
    for (const text of ["Two squares", "5 \u00b5m", "area (\u00b5m\u00b2)", "6.25", "9", "1", "2"]) {
      expect(svg).toContain(`>${text}</text>`);
    }
    await skerry(["run", "figure.json", "squares.png", "--figure", "again.svg"]);
    expect(readFileSync(join(folder, "again.svg"), "utf8")).toBe(svg);
    const { err } = await skerry(["run", "figure.json", "squares.png", "-o", "plain.npy"]);
    expect(err).toContain("products.draw is for a figure, and none is written");
    await skerry([...given, "--figure", "seen.png"]);
    const { width, height } = await sharp(join(folder, "seen.png")).metadata();
    expect([width, (height ?? 0) > 600]).toEqual([800, true]);
  });

  test("a figure of classes has their colours and a legend; without classes it is refused", async () => {
    const classes = new Uint8Array(40 * 30);
    for (const [from, value] of [
      [50, 3],
      [60, 7],
      [900, 3],
    ] as const)
      classes.fill(value, from, from + 5);
    writeFileSync(
      join(folder, "classes.png"),
      await sharp(classes, { raw: { width: 40, height: 30, channels: 1 } })
        .toColourspace("b-w")
        .png()
        .toBuffer(),
    );
    const given = ["label", "classes.png", "--figure", "classes.svg", "--colour-by", "value"];
    expect((await skerry([...given, "--by", "value"])).err).toBe("");
    const svg = readFileSync(join(folder, "classes.svg"), "utf8");
    const fills = [...svg.matchAll(/<path[^>]* fill="(#[0-9a-f]{6})"/g)].map(([, colour]) => colour);
    expect([fills.length, new Set(fills).size, fills[0] === fills[2]]).toEqual([3, 2, true]);
    for (const text of ["value", "3", "7"]) expect(svg).toContain(`>${text}</text>`);
    expect((await skerry(given)).err).toContain("Expected --colour-by value together with --by value.");
    const { err } = await skerry(["label", "seen.png", "--by", "value", "--figure", "x.png", "--colour-by", "value"]);
    expect(err).toContain("Expected an image of one channel for --colour-by value, got 3.");
    const red = ["--by", "value", "--channel", "red", "--figure", "red.svg", "--colour-by", "value"];
    expect((await skerry(["label", "seen.png", ...red])).code).toBe(0);
  });

  test("several inputs", async () => {
    const { code, out } = await skerry([
      "label",
      "squares.png",
      "binary.png",
      "--threshold",
      "nonzero",
      "-o",
      "many-{name}.npy",
    ]);
    expect(code).toBe(0);
    expect(out.trim().split("\n")).toHaveLength(2);
    expect(existsSync(join(folder, "many-squares.npy")) && existsSync(join(folder, "many-binary.npy"))).toBe(true);
  });

  test("--timing names stages, reading and copies included", async () => {
    const { err } = await skerry(["label", "squares.png", "--threshold", "otsu", "--timing", "-o", "timed.npy"]);
    for (const stage of ["read", "histogram", "pack", "label strips", "copy", "allocate", "write labels", "GB/s"])
      expect(err).toContain(stage);
  });

  test("help and version", async () => {
    expect((await skerry(["--help"])).out).toContain("label");
    expect((await skerry([])).out).toContain("Usage: skerry");
    const { out, code } = await skerry(["label", "--help"]);
    expect(code).toBe(0);
    for (const option of ["--threshold", "otsu", "--fill-holes", "--overlay", "Examples:"])
      expect(out).toContain(option);
    expect(await skerry(["help", "label"])).toEqual({ code: 0, out, err: "" });
    expect((await skerry(["help"])).out).toBe((await skerry(["--help"])).out);
    const rare = (await skerry(["help", "label", "all"])).out;
    expect(rare.length).toBeGreaterThan(out.length);
    expect((await skerry(["help", "lable"])).err).toBe("skerry: Unknown command 'lable'; did you mean label?\n");
    expect((await skerry(["help", "lable"])).code).toBe(2);
    // Nothing is coloured, with NO_COLOR or without.
    expect(out + rare + (await skerry(["info"])).out).not.toContain("\u001b");
    expect((await skerry(["--version"])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test("the repository's samples", async () => {
    const coins = join(samples, "coins.png");
    expect(
      (await json([coins, "--threshold", "otsu", "--connectivity", "8", "--min-area", "500"])).count,
    ).toBeGreaterThan(15);
    expect(await json([join(samples, "pebbles.png"), "--threshold", "otsu", "--largest", "1"])).toMatchObject({
      count: 1,
    });
    expect((await json([join(samples, "hubble_deep_field.jpg"), "--threshold", "otsu"])).count).toBeGreaterThan(1000);
  });
});

describe("what goes wrong", () => {
  async function fails(code: number, sentence: string, args: string[], input?: Buffer): Promise<void> {
    const before = readdirSync(folder).sort();
    const result = await skerry(["label", ...args], input);
    expect(result).toEqual({ code, out: "", err: expect.stringContaining(sentence) });
    expect(result.err.trim().split("\n")).toHaveLength(1);
    expect(result.err).toMatch(/^skerry: .*[.?]\n$/);
    expect(readdirSync(folder).sort()).toEqual(before);
  }

  test.each<[string, string[]]>([
    ["Expected INPUT, got none", []],
    ["Unknown option '--otsoo'", ["squares.png", "--otsoo"]],
    ["Expected --connectivity to be 4 or 8 for a 2-D image, got 6.", ["squares.png", "--connectivity", "6"]],
    ["Expected --threshold to be otsu, li, triangle, nonzero, ", ["squares.png", "--threshold", ">bright"]],
    ["Expected --threshold to be otsu, li, triangle, nonzero, ", ["squares.png", "--threshold", "7"]],
    ["Expected --threshold to be otsu, li, triangle, nonzero, ", ["squares.png", "--threshold", "outside:9..2"]],
    ["Expected --threshold once, got otsu and >3.", ["squares.png", "--threshold", "otsu", "--threshold", ">3"]],
    [
      "Expected --objects dark only with an automatic or local --threshold, got --threshold",
      ["squares.png", "--objects", "dark", "--threshold", ">3"],
    ],
    ["Expected --largest to be a whole number of at least 1, got 0.", ["squares.png", "--largest", "0"]],
    ["Expected --threads to be a whole number of at least 1, got -1.", ["squares.png", "--threads", "-1"]],
    [
      "Expected --min-area to be at most --max-area, got 9 and 3.",
      ["squares.png", "--min-area", "9", "--max-area", "3"],
    ],
    [
      "Expected -o to end in .png, .pgm, .npy, .tif, .nii, .nii.gz, .nrrd, .mha or .zarr, got labels.jpg.",
      ["squares.png", "-o", "labels.jpg"],
    ],
    ["Expected --regions to end in .csv, .tsv, .json or .parquet, got r.txt.", ["squares.png", "--regions", "r.txt"]],
    ["Expected --properties to be all, or out of area", ["squares.png", "--regions", "r.csv", "--properties", "size"]],
    [
      "Expected --properties together with --regions FILE, or --outlines FILE.geojson or .fgb.",
      ["squares.png", "--properties", "area"],
    ],
    ["Expected -o to hold {name} with several inputs, got l.npy.", ["squares.png", "deep.png", "-o", "l.npy"]],
    ["Expected every file to be written once", ["deep.png", "deep.tif", "-o", "{name}.npy"]],
    ["is the input squares.png", ["squares.png", "--overlay", "squares.png"]],
    ["Expected --draw together with --figure FILE.", ["squares.png", "--draw", "numbers"]],
    ["out of colours, outlines, numbers, bar, got ink", ["squares.png", "--figure", "f.png", "--draw", "ink"]],
    ["Expected --figure to end in .png or .svg, got f.jpg.", ["squares.png", "--figure", "f.jpg"]],
  ])("exit 2: %s", async (sentence, args) => fails(2, sentence, args));

  test("exit 1: files that are not pictures", async () => {
    writeFileSync(join(folder, "text.png"), "this is not a picture\n");
    writeFileSync(join(folder, "empty.png"), "");
    const whole = readFileSync(join(folder, "squares.png"));
    writeFileSync(join(folder, "cut.png"), whole.subarray(0, whole.length - 40));
    writeFileSync(join(folder, "cut.npy"), readFileSync(join(folder, "squares.npy")).subarray(0, 500));
    writeFileSync(join(folder, "text.npy"), "no array");
    writeFileSync(join(folder, "text.pgm"), "P2 1 1 255 7\n");
    writeFileSync(join(folder, "cut.pgm"), readFileSync(join(folder, "squares.pgm")).subarray(0, 500));
    writeNpy("four.npy", "|u1", new Uint8Array(16), [2, 2, 2, 2]);
    writeNpy("none.npy", "|u1", new Uint8Array(0), [0, 5]);
    writeNpy("long.npy", "<c8", new BigInt64Array(4), [2, 2]);
    mkdirSync(join(folder, "hollow"));
    writeNpy("nan.npy", "<f4", new Float32Array(4).fill(Number.NaN), [2, 2]);
    await fails(1, "Could not read missing.png: there is no such file or folder.", ["missing.png"]);
    await fails(1, "Expected hollow to hold pictures", ["hollow"]);
    await fails(1, "Could not read text.png: ", ["text.png"]);
    await fails(1, "Could not read empty.png: it is empty.", ["empty.png"]);
    await fails(1, "Could not read stdin: it is empty.", ["-"], Buffer.alloc(0));
    await fails(1, "Could not read cut.png: ", ["cut.png"]);
    await fails(1, "the file is truncated.", ["cut.npy"]);
    await fails(1, "the file is truncated.", ["cut.pgm"]);
    await fails(1, "Expected text.pgm to be a binary PGM or PPM (P5, P6)", ["text.pgm"]);
    await fails(1, "Expected text.npy to be a .npy file", ["text.npy"]);
    await fails(1, "Expected four.npy to hold a 2-D or 3-D array with pixels in it, got shape (2, 2, 2, 2).", [
      "four.npy",
    ]);
    await fails(1, "Expected none.npy to hold a 2-D or 3-D array with pixels in it, got shape (0, 5).", ["none.npy"]);
    await fails(1, "Expected long.npy to hold bool, integers or floats, got complex64.", ["long.npy"]);
    await fails(
      1,
      "Expected at least one finite value, within the mask if there is one, for an automatic threshold, got none.",
      ["nan.npy", "--threshold", "otsu"],
    );
  });

  test("exit 1: files that cannot be written leave nothing behind", async () => {
    await fails(1, "Could not write squares.png/folder.npy: a part of the path", [
      "squares.png",
      "-o",
      "squares.png/folder.npy",
    ]);
    for (const output of [
      ["-o", "l.npy"],
      ["-o", "l.tif"],
      ["-o", "l.png"],
      ["--overlay", "o.png"],
      ["--figure", "o.svg"],
      ["--regions", "r.csv"],
      ["--runs", "r.json"],
    ]) {
      const before = readdirSync(folder).sort();
      // Not one block may be written.
      const script = `ulimit -f 0; exec "${process.execPath}" "${command}" label squares.png --threshold nonzero ${output.join(" ")}`;
      const { status, stderr } = spawnSync("bash", ["-c", script], { cwd: folder, encoding: "utf8" });
      expect(stderr).toBe(
        `skerry: Could not write ${output[1]}: the file would pass the size limit of this process.\n`,
      );
      expect(status).toBe(1);
      expect(readdirSync(folder).sort()).toEqual(before);
    }
  });

  test("more objects than a 16-bit PNG can number", async () => {
    const dots = new Uint8Array(700 * 400).map((_, i) => (i % 2 === 0 && Math.floor(i / 700) % 2 === 0 ? 1 : 0));
    writeNpy("dots.npy", "|u1", dots, [400, 700]);
    await fails(1, "Expected at most 65535 objects for 16-bit labels, got 70000; write .npy or .tif instead.", [
      "dots.npy",
      "-o",
      "dots.png",
    ]);
  });
});

test("a 32-bit TIFF, a 16-bit PNG and an .npy hold the same labels", async () => {
  for (const ending of ["npy", "tif", "png"])
    await skerry(["label", "squares.png", "--threshold", "nonzero", "-o", `p.${ending}`]);
  const file = readFileSync(join(folder, "p.npy"));
  const labels = new Uint32Array(new Uint8Array(file.subarray(10 + file.readUInt16LE(8))).buffer);
  expect(Math.max(...labels)).toBe(3);
  const grey = await sharp(join(folder, "p.png"))
    .extractChannel(0)
    .toColourspace("grey16")
    .raw({ depth: "ushort" })
    .toBuffer();
  expect([...new Uint16Array(new Uint8Array(grey).buffer)]).toEqual([...labels]);
  const tiff = await sharp(join(folder, "p.tif")).extractChannel(0).raw({ depth: "uint" }).toBuffer();
  expect([...new Uint32Array(new Uint8Array(tiff).buffer)]).toEqual([...labels]);
});

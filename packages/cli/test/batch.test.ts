// Several inputs in one call: patterns, folders, one table, failures that end no others; a second image.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { run } from "./support/run.js";

const [WIDTH, HEIGHT] = [12, 8];
let folder: string;

/** A grey picture: three squares of 2 x 2 pixels, the last at `shift`. */
function squares(shift: number): Uint8Array {
  const data = new Uint8Array(WIDTH * HEIGHT);
  for (const [i, at] of [1, 5 + WIDTH, shift + 4 * WIDTH].entries()) {
    for (const step of [0, 1, WIDTH, WIDTH + 1]) data[at + step] = 100 + 50 * i;
  }
  return data;
}

const write = (name: string, data: Uint8Array): Promise<unknown> =>
  sharp(data, { raw: { width: WIDTH, height: HEIGHT, channels: 1 } })
    .toColourspace("b-w")
    .toFile(join(folder, name));

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "skerry-batch-"));
  for (const name of ["photos", "masks", "markers"]) mkdirSync(join(folder, name));
  for (const i of [1, 2, 10]) {
    await write(`photos/p${i}.png`, squares(i % 9));
    await write(`masks/p${i}.png`, new Uint8Array(WIDTH * HEIGHT).fill(255, 0, 3 * WIDTH));
    await write(
      `markers/p${i}.png`,
      Uint8Array.from({ length: WIDTH * HEIGHT }, (_, at) => at + i),
    );
  }
  const rgb = Uint8Array.from({ length: WIDTH * HEIGHT * 3 }, (_, i) => (i * 7) % 251);
  await sharp(rgb, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .tiff({ compression: "none" })
    .toFile(join(folder, "stain.tif"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const skerry = (...args: string[]) => run(args, folder);
const lines = (name: string): string[] => readFileSync(join(folder, name), "utf8").trim().split("\n");

describe("inputs", () => {
  const call = ["--threshold", "nonzero", "--properties", "area", "--quiet"];
  const rows = [1, 2, 10].flatMap((i) => [1, 2, 3].map((label) => `photos/p${i}.png,${label},4,px`));
  test("a folder of pictures is a batch, in the order of numbers, with one table", async () => {
    expect(await skerry("label", "photos", ...call, "--regions", "all.csv")).toMatchObject({ code: 0, err: "" });
    expect(lines("all.csv")).toEqual(["input,label,area,unit", ...rows]);
  });

  test("settings of single files in a recipe are theirs; names of no input are told", async () => {
    const own = {
      skerry: 1,
      operation: "components",
      options: { threshold: "nonzero" },
      products: { properties: ["area"] },
    };
    const files = { "p2.png": { options: { threshold: { above: 180 } } }, "other.png": {} };
    writeFileSync(join(folder, "files.json"), JSON.stringify({ ...own, files }));
    const { code, err } = await skerry("run", "files.json", "photos", "--regions", "own.csv");
    expect([code, err]).toEqual([0, "note: no input is named other.png, as files of the recipe are\n"]);
    const others = rows.filter((row) => !row.startsWith("photos/p2.png"));
    expect(lines("own.csv")).toEqual([
      "input,label,area,unit",
      ...others.slice(0, 3),
      "photos/p2.png,1,4,px",
      ...others.slice(3),
    ]);
    expect((await skerry("cluster", "plan", "files.json", "photos/p1.png", "-o", "p.zarr")).err).toContain(
      "Expected a recipe without files for a plan, which is of one image.",
    );
  });

  test("so is a quoted pattern", async () => {
    expect((await skerry("label", "photos/*.png", ...call, "--regions", "glob.csv")).code).toBe(0);
    expect(lines("glob.csv")).toEqual(lines("all.csv"));
    expect(await skerry("label", "photos/*.jpg", ...call)).toMatchObject({
      code: 2,
      err: "skerry: Expected files that match photos/*.jpg, got none.\n",
    });
  });

  test("with --volume a folder is one, and other commands ask for it", async () => {
    const { out } = await skerry("label", "photos", "--volume", "--threshold", "nonzero", "--json");
    expect(JSON.parse(out)).toMatchObject({ width: WIDTH, height: HEIGHT, depth: 3 });
    expect((await skerry("distance", "photos", "--threshold", "nonzero")).err).toBe(
      "skerry: Expected --volume for photos, a folder of pictures, to read them as slices of one volume.\n",
    );
    expect((await skerry("distance", "photos", "--volume", "--threshold", "nonzero", "--json")).code).toBe(0);
  });

  test("folders of outputs are made, and {name} stands in inputs, too", async () => {
    const { code, err } = await skerry(
      "label",
      "photos",
      "--threshold",
      "nonzero",
      "--within",
      "masks/{name}.png",
      "--quiet",
      "-o",
      "labels/deep/{name}.png",
      "--regions",
      "within.csv",
      "--properties",
      "area",
    );
    expect([code, err]).toEqual([0, ""]);
    expect(existsSync(join(folder, "labels/deep/p10.png"))).toBe(true);
    expect(lines("within.csv").slice(1)).toEqual(
      [1, 2, 10].flatMap((i) => [1, 2].map((label) => `photos/p${i}.png,${label},4,px`)),
    );
  });

  test("a file with commas and quotes in its name is one cell", async () => {
    await write('a, "b".png', squares(1));
    await skerry("label", 'a, "b".png', "photos/p1.png", ...call, "--regions", "quoted.csv");
    expect(lines("quoted.csv")[1]).toBe('"a, ""b"".png",1,4,px');
  });
});

describe("failures", () => {
  beforeAll(() =>
    writeFileSync(join(folder, "photos/p5.png"), readFileSync(join(folder, "photos/p1.png")).subarray(0, 60)),
  );
  afterAll(() => rmSync(join(folder, "photos/p5.png")));

  test("of one input end no others", async () => {
    const { code, out, err } = await skerry(
      "label",
      "photos",
      "--threshold",
      "nonzero",
      "--json",
      "--regions",
      "some.csv",
    );
    expect(code).toBe(1);
    const told = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(told.map(({ input }) => input)).toEqual([1, 2, 5, 10].map((i) => `photos/p${i}.png`));
    expect(told[2].error).toMatch(/^Could not read photos\/p5\.png: .*\.$/);
    expect(err.trim().split("\n")).toEqual([
      `skerry: ${told[2].error}`,
      "skerry: 1 of 4 inputs failed; the others are done.",
    ]);
    expect(lines("some.csv")).toHaveLength(10);
  });

  test("--fail-fast ends, and leaves no table", async () => {
    const { code, out } = await skerry(
      "label",
      "photos",
      "--threshold",
      "nonzero",
      "--json",
      "--fail-fast",
      "--regions",
      "none.csv",
    );
    expect([code, out.trim().split("\n").length]).toEqual([1, 2]);
    expect(existsSync(join(folder, "none.csv"))).toBe(false);
  });

  test("the library's refusals, too, with the input's name", async () => {
    const { code, err } = await skerry(
      "label",
      "photos/p1.png",
      "stain.tif",
      "--channel",
      "green",
      "--threshold",
      "otsu",
      "--quiet",
    );
    expect(code).toBe(1);
    expect(err).toMatch(
      /^skerry: photos\/p1\.png: Expected the channel .*\nskerry: 1 of 2 inputs failed; the others are done\.\n$/,
    );
  });
});

describe("a second image", () => {
  const mean = (picture: (at: number) => number, at: number): number =>
    [0, 1, WIDTH, WIDTH + 1].reduce((sum, step) => sum + picture(at + step), 0) / 4;
  const places = [1, 5 + WIDTH, 1 + 4 * WIDTH];

  test("one: its values in the columns of values", async () => {
    await skerry(
      "label",
      "photos/p1.png",
      "--threshold",
      "nonzero",
      "--intensity",
      "markers/p1.png",
      "--properties",
      "area,mean",
      "--regions",
      "one.csv",
      "--quiet",
    );
    expect(lines("one.csv")).toEqual([
      "label,area,mean,unit",
      ...places.map((at, i) => `${i + 1},4,${mean((p) => p + 1, at)},px`),
    ]);
  });

  test("several, with channels and names, for pixels and labels", async () => {
    await skerry("label", "photos/p1.png", "--threshold", "nonzero", "-o", "objects.png", "--quiet");
    const images = ["--intensity", "stain.tif:1", "--intensity", "marker=markers/p1.png"];
    const wanted = [...images, "--properties", "area,mean", "--quiet", "--regions"];
    await skerry("label", "photos/p1.png", "--threshold", "nonzero", ...wanted, "pixels.csv");
    await skerry("label", "objects.png", "--by", "labels", ...wanted, "labels.csv");
    await skerry("label", "objects.png", "--by", "labels", ...wanted, "measured.csv");
    const expected = [
      "label,area,mean_stain_1,mean_marker,unit",
      ...places.map((at, i) => `${i + 1},4,${mean((p) => ((p * 3 + 1) * 7) % 251, at)},${mean((p) => p + 1, at)},px`),
    ];
    expect(lines("pixels.csv")).toEqual(expected);
    expect(lines("labels.csv").map((line) => line.replace(/^(label|\d),(value|\d)/, "$1"))).toEqual(expected);
    expect(lines("measured.csv").map((line) => line.replace(/^(label|\d),(value|\d)/, "$1"))).toEqual(expected);
  });

  test("for each input its own, and objects are selected by the first", async () => {
    const { code } = await skerry(
      "label",
      "photos/*.png",
      "--threshold",
      "nonzero",
      "--intensity",
      "markers/{name}.png",
      "--select",
      "mean > 30",
      "--properties",
      "mean",
      "--regions",
      "selected.csv",
      "--quiet",
    );
    expect(code).toBe(0);
    expect(lines("selected.csv").length).toBe(5);
  });

  test("of another size, or two of one name", async () => {
    await sharp(new Uint8Array(20), { raw: { width: 5, height: 4, channels: 1 } })
      .png()
      .toFile(join(folder, "small.png"));
    expect((await skerry("label", "photos/p1.png", "--intensity", "small.png")).err).toBe(
      "skerry: Expected --intensity small.png to have the size of photos/p1.png, got 5 x 4 pixels beside 12 x 8.\n",
    );
    expect((await skerry("label", "photos/p1.png", "--intensity", "a.png", "--intensity", "b/a.tif")).err).toMatch(
      /^skerry: Expected --intensity to be files of images of different names/,
    );
  });
});

// Files with the faults and the habits that phones, editors and NumPy have: they are read, and a note says how, or they are refused by
// a sentence. Nothing is lost without a word.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MemoryOutput, writeNpy } from "@skerry/files";
import { openPicture } from "@skerry/files/node";
import sharp from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import { run } from "./support/run.js";

const folder = mkdtempSync(join(tmpdir(), "skerry-manners-"));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);
const skerry = (...args: string[]) => run(args, folder);
const json = async (...args: string[]) => JSON.parse((await skerry(...args, "--json")).out);

/** A .npy file of values in C order, or with `fortran` in the order that is told. */
function npy(name: string, descr: string, shape: readonly number[], values: ArrayBufferView, fortran = false): void {
  const text = `{'descr': '${descr}', 'fortran_order': ${fortran ? "True" : "False"}, 'shape': (${shape.join(", ")}), }`;
  const header = Buffer.from(`${text.padEnd(117)}\n`);
  const start = Buffer.from([0x93, ...Buffer.from("NUMPY"), 1, 0, header.length & 255, header.length >> 8]);
  writeFileSync(at(name), Buffer.concat([start, header, Buffer.from(values.buffer)]));
}

const [W, H] = [60, 40];

describe("transparency", () => {
  // A black frame around nothing, in which erased paint has left its colour.
  const rgba = new Uint8Array(W * H * 4);
  const isFrame = (x: number, y: number): boolean =>
    x >= 10 && x < 50 && y >= 8 && y < 32 && !(x >= 13 && x < 47 && y >= 11 && y < 29);
  for (let i = 0; i < W * H; i++) {
    const [x, y] = [i % W, Math.floor(i / W)];
    if (isFrame(x, y)) rgba[4 * i + 3] = 255;
    if (x >= 15 && x < 30 && y >= 15 && y < 20) rgba.set([200, 40, 90], 4 * i);
  }
  const interior = 34 * 18;
  const raw = { raw: { width: W, height: H, channels: 4 } } as const;
  const files = ["t.png", "t.webp", "t.tif", "large.png", "t.npy"];
  const make = async (): Promise<void> => {
    await sharp(rgba, raw).png().toFile(at("t.png"));
    await sharp(rgba, raw).webp({ lossless: true, exact: true }).toFile(at("t.webp"));
    await sharp(rgba, raw).tiff({ compression: "lzw" }).toFile(at("t.tif"));
    // A chunk that small PNGs do not have sends it to the other decoder.
    await sharp(rgba, raw).withMetadata({ orientation: 1 }).png().toFile(at("large.png"));
    npy("t.npy", "|u1", [H, W, 4], rgba);
  };

  test("pixels of alpha 0 are equal in fills, classes and areas of equal value", async () => {
    await make();
    for (const file of files) {
      const filled = await json("fill", file, "--at", "40,25");
      expect([file, filled.foreground]).toEqual([file, interior]);
      const areas = await json("label", file, "--by", "value");
      expect([file, areas.count]).toEqual([file, 1]);
      const classes = await json("kmeans", file, "-k", "1");
      expect([file, classes.palette ?? classes.colours]).toBeDefined();
    }
  });

  test("other commands take the colours below, and say so; --matte lays them on a colour", async () => {
    for (const file of files) {
      const { err, out } = await skerry("label", file, "--threshold", ">0", "--json");
      expect(err).toContain(
        `${file}: ${W * H - (40 * 24 - interior)} pixels are transparent, in part or wholly, and count with the colours stored under them`,
      );
      expect(JSON.parse(out).foreground).toBe(75);
      const on = await skerry("label", file, "--matte", "#ffffff", "--threshold", "<128", "--json");
      expect(on.err.replace(/.*picture of 4 channels.*\n/, "")).toBe("");
      expect([file, JSON.parse(on.out).foreground]).toEqual([file, 40 * 24 - interior]);
      if (file.endsWith("npy")) continue;
      const alpha = await json("label", file, "--channel", "alpha", "--threshold", ">0");
      expect([file, alpha.foreground]).toEqual([file, 40 * 24 - interior]);
    }
    const both = await skerry("label", "t.png", "--matte", "#ffffff", "--channel", "alpha");
    expect(both.err).toBe("skerry: Expected --matte or --channel alpha, got both.\n");
    const wrong = await skerry("label", "t.png", "--matte", "white");
    expect(wrong.err).toBe("skerry: Expected --matte to be a colour such as #ffffff, got white.\n");
  });

  test("greys with alpha, and opaque pictures", async () => {
    const grey = new Uint8Array(2 * 12);
    for (let i = 0; i < 12; i++) grey.set([i < 6 ? 200 : 90, i % 2 ? 255 : 51], 2 * i);
    const opaque = grey.map((value, i) => (i % 2 ? 255 : value));
    const size = { raw: { width: 4, height: 3, channels: 2 } } as const;
    await sharp(grey, size).toColourspace("b-w").png().toFile(at("la.png"));
    await sharp(opaque, size).toColourspace("b-w").png().toFile(at("opaque.png"));
    expect((await json("label", "la.png", "--channel", "alpha", "--threshold", ">60")).foreground).toBe(6);
    // 200 of alpha 51 on white is 244, 90 is 222; on black 40 and 18.
    expect((await json("label", "la.png", "--matte", "#ffffff", "--threshold", ">243")).foreground).toBe(3);
    expect((await json("label", "la.png", "--matte", "#000000", "--threshold", "<20")).foreground).toBe(3);
    expect((await skerry("label", "opaque.png", "--threshold", ">100")).err).toBe("");
    expect((await json("label", "opaque.png", "--by", "value")).count).toBe(2);
  });
});

describe("masks that are full", () => {
  test("are one object, in every type and channel", async () => {
    npy("full.npy", "|b1", [50, 70], new Uint8Array(3500).fill(1));
    npy("float.npy", "<f4", [50, 70], new Float32Array(3500).fill(-0.5));
    npy("empty.npy", "|b1", [50, 70], new Uint8Array(3500));
    await sharp(new Uint8Array(3500).fill(255), { raw: { width: 70, height: 50, channels: 1 } })
      .png()
      .toFile(at("full.png"));
    for (const args of [
      [],
      ["--threshold", "otsu"],
      ["--threshold", "li"],
      ["--threshold", "triangle"],
      ["--smooth", "1"],
    ]) {
      for (const file of ["full.npy", "full.png", ...(args.length === 0 ? ["float.npy"] : [])]) {
        const { out, err } = await skerry("label", file, ...args, "--json");
        expect([file, args, JSON.parse(out).foreground]).toEqual([file, args, 3500]);
        expect(err).toMatch(
          /^note: \S+ holds one value, \S+, which no threshold divides; all of its pixels are objects\n$/,
        );
      }
      expect((await json("label", "empty.npy", ...args)).foreground).toBe(0);
    }
    expect((await json("distance", "full.npy", "-o", "d.npy")).sites).toBe(3500);
  });
});

describe("JPEGs of phones", () => {
  test("bytes between segments and odd scan parameters are noted; a cut file is refused", async () => {
    const data = new Uint8Array(96 * 128).fill(230);
    for (let y = 10; y < 40; y++) data.fill(20, y * 128 + 10, y * 128 + 40);
    const jpeg = await sharp(data, { raw: { width: 128, height: 96, channels: 1 } })
      .jpeg({ quality: 92 })
      .toBuffer();
    const table = jpeg.indexOf(Buffer.from([0xff, 0xdb]));
    writeFileSync(
      at("extra.jpg"),
      Buffer.concat([jpeg.subarray(0, table), Buffer.from([1, 2, 3, 4]), jpeg.subarray(table)]),
    );
    const scan = jpeg.indexOf(Buffer.from([0xff, 0xda]));
    const odd = Buffer.from(jpeg);
    odd.fill(0, scan + 5 + 2 * odd[scan + 4], scan + 8 + 2 * odd[scan + 4]);
    writeFileSync(at("odd.jpg"), odd);
    writeFileSync(at("cut.jpg"), jpeg.subarray(0, Math.floor(jpeg.length * 0.6)));
    for (const file of ["extra.jpg", "odd.jpg"]) {
      const { err, out } = await skerry("label", file, "--threshold", "<128", "--json");
      expect(err).toBe(`note: ${file} has faults that its decoder passes over\n`);
      expect(JSON.parse(out).count).toBe(1);
    }
    const { code, err } = await skerry("label", "cut.jpg");
    expect([code, err]).toEqual([1, "skerry: Could not read cut.jpg: it is damaged or cut off.\n"]);
  });
});

describe("NumPy's habits", () => {
  test("integers of 64 bits are read where 32 bits hold them all, and ids beyond them are measured", async () => {
    npy("small.npy", "<i8", [2, 4], new BigInt64Array([0n, 1n, 1n, 0n, 7n, 0n, 0n, 7n]));
    npy("signed.npy", "<i8", [2, 4], new BigInt64Array([-5n, 1n, 1n, -5n, -5n, 0n, 2147483647n, 0n]));
    npy("large.npy", "<u8", [2, 4], new BigUint64Array([0n, 7112614942n, 7112614942n, 0n, 2n ** 63n + 1n, 0n, 0n, 1n]));
    npy("mixed.npy", "<i8", [2, 4], new BigInt64Array([-1n, 0n, 4294967295n, 0n, 0n, 0n, 0n, 0n]));
    expect((await json("label", "small.npy", "--threshold", ">1")).foreground).toBe(2);
    expect((await json("label", "signed.npy", "--threshold", ">-5")).foreground).toBe(5);
    for (const file of ["large.npy", "mixed.npy"]) {
      const { code, err } = await skerry("label", file, "--threshold", ">1");
      const place = file === "large.npy" ? "7112614942 at 1,0" : "4294967295 at 2,0";
      expect(code).toBe(1);
      expect(err).toBe(
        `skerry: Expected the 64-bit integers of ${file} to lie from 0 to 4294967295, or all from -2147483648 to 2147483647, got ${place}; skerry label --by labels takes ids of 64 bits.\n`,
      );
    }
    expect(
      (await skerry("label", "large.npy", "--by", "labels", "--properties", "area", "--regions", "large.csv")).err,
    ).toBe("");
    expect(readFileSync(at("large.csv"), "utf8")).toBe(
      "label,value,area,unit\n1,1,1,px\n2,7112614942,2,px\n3,9223372036854775809,1,px\n",
    );
    // An object that an erasure leaves apart has an id above the greatest.
    const edits = ["--edits", '[{"draw":[[0,0]]},{"erase":[[1,0]]}]'];
    await skerry("label", "large.npy", "--by", "labels", ...edits, "--properties", "area", "--regions", "apart.csv");
    expect(readFileSync(at("apart.csv"), "utf8")).toContain("\n4,9223372036854775810,1,px\n");
    await skerry("label", "large.npy", "--by", "labels", "--properties", "area", "--regions", "large.json");
    expect(readFileSync(at("large.json"), "utf8")).toContain('"value": 9223372036854775809');
    writeFileSync(at("ids.raw"), new Uint8Array(new BigInt64Array([0n, 3n, 3n, 2n ** 40n]).buffer));
    await skerry(
      "label",
      "ids.raw",
      "--by",
      "labels",
      "--shape",
      "4,1",
      "--dtype",
      "int64",
      "--properties",
      "area",
      "--regions",
      "ids.csv",
    );
    expect(readFileSync(at("ids.csv"), "utf8")).toBe("label,value,area,unit\n1,3,2,px\n2,1099511627776,1,px\n");
  });

  test("float64 ids that float32 merges are refused; other values are rounded with a note", async () => {
    npy("ids.npy", "<f8", [1, 4], new Float64Array([0, 16777217, 16777216, 16777219]));
    npy("fractions.npy", "<f8", [1, 4], new Float64Array([0, 0.1, 0.1, 0.7]));
    for (const args of [
      ["label", "ids.npy", "--by", "labels", "--regions", "r.csv"],
      ["label", "ids.npy", "--by", "value"],
    ]) {
      const { code, err } = await skerry(...args);
      expect(code).toBe(1);
      expect(err).toContain("Expected the ids of ids.npy to be at most 16777216 where they are floats, got 16777217");
    }
    expect((await json("label", "fractions.npy", "--by", "value")).count).toBe(2);
  });

  test("three or four channels of uint8 are a picture, with a note, unless --axes tells", async () => {
    const rgb = new Uint8Array(6 * 5 * 3);
    for (let i = 0; i < 30; i++) rgb.set(i % 6 < 2 ? [200, 30, 30] : [0, 0, 0], 3 * i);
    const turned = new Uint8Array(90);
    for (let i = 0; i < 90; i++) {
      const [y, x, c] = [i % 5, Math.floor(i / 5) % 6, Math.floor(i / 30)];
      turned[i] = rgb[3 * (6 * y + x) + c];
    }
    npy("rgb.npy", "|u1", [5, 6, 3], rgb);
    npy("fortran.npy", "|u1", [5, 6, 3], turned, true);
    for (const file of ["rgb.npy", "fortran.npy"]) {
      const { out, err } = await skerry("label", file, "--channel", "red", "--threshold", ">100", "--json");
      expect(err).toBe(
        `note: ${file} has the shape (5, 6, 3), and is taken as a picture of 3 channels (--axes zyx takes a volume)\n`,
      );
      expect(JSON.parse(out)).toMatchObject({ width: 6, height: 5, count: 1, foreground: 10 });
      const told = await skerry("label", file, "--channel", "red", "--threshold", ">100", "--axes", "yxc");
      expect([told.code, told.err]).toEqual([0, ""]);
      expect(await json("label", file, "--threshold", "nonzero", "--axes", "zyx")).toMatchObject({
        width: 3,
        height: 6,
        depth: 5,
      });
    }
    const wrong = await skerry("label", "small.npy", "--axes", "yxc");
    expect(wrong.err).toContain("for --axes yxc, got shape (2, 4)");
    expect((await skerry("label", "full.png", "--axes", "zyx")).err).toContain(
      "Expected a .npy file for --axes, got PNG",
    );
  });

  test("raw values fill their shape", async () => {
    writeFileSync(at("values.raw"), new Uint8Array(60));
    const { code, err } = await skerry("label", "values.raw", "--shape", "12,6");
    expect([code, err]).toEqual([
      2,
      "skerry: Expected values.raw to hold 72 bytes for --shape 12,6 of 1 each, got 60; 5 rows of 12 pixels would fit.\n",
    ]);
    expect((await skerry("label", "values.raw", "--shape", "12,4")).code).toBe(2);
    expect((await json("label", "values.raw", "--shape", "12,5")).count).toBe(0);
  });
});

describe("info", () => {
  const lines = async (...args: string[]) => (await skerry("info", ...args)).out.trim().split("\n");

  test("says what a file holds, what is taken, and why", async () => {
    expect(await lines("t.png")).toEqual([
      "t.png: PNG, uint8, 4 channels, packed by deflate, with transparency",
      "size      60 x 40 pixels",
      "a pixel   none; 1 x 1 mm on paper, which counts with --spacing file",
      "taken as  u8, 3 channels",
      "label     takes pixels that are not 0: it holds two values at most, one of them 0",
      expect.stringMatching(/^note {6}t\.png: 2052 pixels are transparent/),
    ]);
    expect((await lines("large.npy")).at(-1)).toBe("taken as  3 ids of 64 bits, by --by; other commands refuse them");
    expect((await lines("small.npy"))[0]).toBe("small.npy: npy, int64, 1 channel, not packed");
    expect((await lines("rgb.npy")).at(-1)).toContain("taken as a picture of 3 channels");
    const told = JSON.parse((await skerry("info", "full.npy", "--json")).out);
    expect(told).toMatchObject({
      input: "full.npy",
      format: "npy",
      stored: "bool",
      width: 70,
      height: 50,
      threshold: "otsu",
    });
    expect(told.space.axes).toHaveLength(3);
    expect((await skerry("info", "cut.jpg")).code).toBe(1);
    expect((await skerry("info", ".")).out).toMatch(/^\.: a folder of \d+ pictures, from /);
  });
});

describe("mistakes", () => {
  test.each([
    [["label", "small.npy", "--pick", "9,9"], "Expected the pixels of pick to be X,Y inside the 4 x 2 image, got 9,9."],
    [
      ["label", "rgb.npy", "--axes", "zyx", "--threshold", "nonzero", "--edits", '[{"drop":[1,1]}]'],
      "to be X,Y,Z inside the 3 x 6 x 5 volume, got 1,1.",
    ],
    [
      ["label", "small.npy", "--edits", '[{"drop":[1,1]},{"drop":[9,9]}]'],
      "Expected the pixels of edits[1] to be X,Y inside the 4 x 2 image, got 9,9.",
    ],
    [
      ["label", "small.npy", "--edits", '[{"drop":[1,1],"radius":2}]'],
      'Expected --edits [0] to be a drop without a radius, got {"drop":[1,1],"radius":2}.',
    ],
    [["label", "small.npy", "--edits", "{}"], "Expected --edits to be a list of edits as JSON, got {}."],
    [["label", "small.npy", "--edits", "none.json"], "Could not read none.json: there is no such file or folder."],
    [["label", "small.npy", "--drop", "1,1"], `Unknown option '--drop'; did you mean --edits '[{"drop":[X,Y]}]'?`],
    [["label", "small.npy", "--connectivity", "26"], "Expected --connectivity to be 4 or 8 for a 2-D image, got 26."],
    [["label", "small.npy", "-o", "{nmae}.npy"], "Expected {name} in -o {nmae}.npy, got {nmae}; did you mean {name}?"],
    [
      ["label", "small.npy", "-o", "small.npy/x.npy"],
      "Could not write small.npy/x.npy: a part of the path is not a folder.",
    ],
    [["label", "small.npy", "--threshold", ">3", "--threshold", ">5"], "Expected --threshold once, got >3 and >5."],
    [["label", "small.npy", "--threads", "1", "--threads", "2"], "Expected --threads once, got 1 and 2."],
    [
      ["label", "small.npy", "--fill-holes", "--fill-holes", "x"],
      "Expected --fill-holes once, got it without a value and x.",
    ],
    [
      ["label", "small.npy", "--threshold"],
      'Expected a threshold behind --threshold, got nothing; write ">60" and "<60" in quotes.',
    ],
    [["label"], "Expected INPUT, got none; see skerry label --help."],
    [["info", "small.npy", "five.npy"], "Expected INPUT alone, got 2 arguments; quote names with spaces."],
    [["cluster", "step"], "Expected --phase NAME, got none; see skerry cluster step --help."],
    [["label", "small.npy", "--physical=true"], "Expected --physical without a value, got true."],
    [["label", "small.npy", "--memory", "2"], "got 2 bytes; units are K, M and G."],
    [
      ["label", "small.npy", "--by", "value", "--split", "3"],
      "Expected no --split with --by, whose objects may touch.",
    ],
    [
      ["label", "rgb.npy", "--threshold", "mean:70000"],
      "Expected radius of --threshold to be a whole number from 1 to 65536",
    ],
    [["label", "small.npy", "--suggest", "--quiet"], "Expected --suggest or --quiet, got both."],
    [["info", "--bench", "small.npy", "--cases", "3"], "Expected --cases only with --tour."],
    [
      ["label", "fractions.npy", "--by", "labels", "--regions", "r.csv"],
      "Expected fractions.npy to be a label image, whose values are",
    ],
    [["label", "http://nohost.invalid/a.zarr"], "there is no host nohost.invalid."],
    [["label", "b.bmp"], "Expected b.bmp to be a BMP file, but it does not begin like one."],
    [["label", "pages.tif", "--page", "all", "--volume"], "its list of pages goes on beyond its end, and 1 is left"],
    [
      ["distance", "small.npy", "--by", "labels"],
      "Expected --by to be value or tolerance:D, got labels; --threshold nonzero takes every object",
    ],
    [
      ["label", "rgb.npy", "--intensity", "rgb.npy:gren", "--regions", "r.csv"],
      "behind rgb.npy in --intensity, got gren; did you mean green?",
    ],
    [
      ["label", "rgb.npy", "--intensity", "rgb.npy:channel=1,channel=2", "--regions", "r.csv"],
      "Expected channel once behind rgb.npy in --intensity, got channel=1,channel=2.",
    ],
    [
      ["mask", "small.npy", "--union", "rgb.npy:channel=x", "-o", "m.npy"],
      "Expected the number or the name of a channel for channel behind rgb.npy in --union, got x.",
    ],
    [
      ["label", "folder.csv", "--shape", "2,2"],
      "Expected a file without a header for --shape, got the folder folder.csv.",
    ],
    // Headers are compared before pixels are decoded, which are cut off here.
    [["label", "noend.png", "--within", "t.png"], "Expected --within t.png to have the size of noend.png, got"],
    [["label", "small.npy", "--regions", "folder.csv"], "Could not write folder.csv: it is a folder."],
    [["label", "small.npy", "--physical", "300"], "Expected --physical without a value, got 300."],
    [["mask", "small.npy", "--timing", "ms", "-o", "m.png"], "Expected --timing without a value, got ms."],
    [["label", "small.npy", "--by", "labels", "--steps", "yes"], "Expected --steps without a value, got yes."],
    [["label", "small.npy", "--threshold", ">3", "--objects", "bright"], "got --threshold '>3'; leave it out."],
    [["label", "small.npy", "--properties", "perimeter_crofton", "--regions", "r.csv"], "did you mean crofton?"],
    [["explain", "small.npy", "-o", "s", "--strips", "2", "--tiles"], "Expected --tiles or --strips, got both."],
    [["label", "small.npy", "--within", "none.png"], "Could not read none.png of --within: there is no such file"],
    [
      ["label", "small.npy", "--by", "labels", "--intensity", "small.npy:chanel=0", "--regions", "r.csv"],
      "Expected channel, time, page, level behind small.npy in --intensity, got chanel; did you mean channel?",
    ],
    [
      ["label", "small.npy", "--properties", "major_axis_length", "--regions", "r.csv"],
      "got major_axis_length; did you mean majorAxis?",
    ],
    [
      ["distance", "small.npy", "--threshold", ">1", "-o", "d.zar"],
      ".nii, .nii.gz, .nrrd, .mha or .zarr, got d.zar; did you mean .zarr?",
    ],
    [["label", "small.npy", "--tresh", "3"], "Unknown option '--tresh'; see skerry label --help."],
    [["label", "small.npy", "--min-size", "3"], "Unknown option '--min-size'; did you mean --min-area?"],
    [["kmeans", "small.npy", "--k", "3"], "Unknown option '--k'; did you mean -k?"],
    [["mask", "small.npy", "--subtract", "small.npy"], "Unknown option '--subtract'; did you mean --difference?"],
    [["small.npy"], "Unknown command 'small.npy'; skerry label small.npy --threshold otsu counts its objects."],
    [["label", "small.npy", "--crop", "0,0,0,1,1,5"], "which take X,Y,WIDTH,HEIGHT, got 0,0,0,1,1,5."],
    [["label", "small.npy", "--properties", "area", "mean", "--regions", "r.csv"], "as area,mean, got spaces."],
    [["label", "small.npy", "--physical", "300"], "Expected --physical without a value, got 300."],
    [["mask", "small.npy", "--timing", "ms", "-o", "m.png"], "Expected --timing without a value, got ms."],
    [["label", "small.npy", "--by", "labels", "--steps", "yes"], "Expected --steps without a value, got yes."],
    [["label", "small.npy", "--threshold", ">3", "--objects", "bright"], "got --threshold '>3'; leave it out."],
    [["explain", "small.npy", "-o", "stages.png"], "Expected -o to be a folder for several pictures, got stages.png."],
    [["label", "small.npy", "none.npy", "--fail-fast"], "Could not read none.npy: there is no such file or folder."],
    [["label", "small.npy", "--thresh", "3"], "Unknown option '--thresh'; did you mean --threshold?"],
    [["label", "small.npy", "--properties", "aera", "--regions", "r.csv"], "got aera; did you mean area?"],
    [["label", "small.npy", "--select", "aera > 3"], "in --select, got aera; did you mean area?"],
    [["label", "small.npy", "--by", "label"], "Expected --by to be value, tolerance:D or labels, got label."],
    [
      ["fill", "rgb.npy", "--at", "1,1", "--color", "300", "-o", "c.npy"],
      "Expected --color to be a value of u8, as c.npy holds, got 300.",
    ],
    [["measure", "small.npy"], "Unknown command 'measure'; did you mean label --by labels?"],
    [["plan", "label", "a.zarr"], "Unknown command 'plan'; did you mean cluster plan?"],
    [["cluster", "plam", "a.json"], "Unknown command 'plam'; did you mean plan?"],
    [["bench", "small.npy"], "Unknown command 'bench'; did you mean info --bench?"],
    [["label", "small.npy", "--above", "3"], "Unknown option '--above'; did you mean --threshold \">N\"?"],
    [["label", "small.npy", "--dark"], "Unknown option '--dark'; did you mean --objects dark?"],
    [["label", "small.npy", "--threshold", "3"], 'sauvola:R[,K], got 3; did you mean ">3"?'],
    [["label", "small.npy", "--threshold", "3,9"], "got 3,9; did you mean 3..9?"],
    [["label", "small.npy", "--threshold", "sauvola"], "got sauvola; did you mean sauvola:12?"],
    [["label", "small.npy", "--by", "labels", "--by", "value"], "Expected --by once, got labels and value."],
    [["label", "small.npy", "--threshold", "above:60"], 'did you mean ">60"?'],
    [["cluster", "plan", "measure", "x.zarr"], "got measure; did you mean label INPUT --by labels?"],
    [["info", "--tour"], "did you mean --bench --tour?"],
    [["label", "small.npy", "--threshold", "9..3"], "got 9..3; did you mean 3..9?"],
    [["label", "small.npy", "--threshold", "hysteresis:3-9"], "did you mean hysteresis:3..9?"],
    [["label", "small.npy", "--threshold", "otsu:dark"], "did you mean otsu --objects dark?"],
    [["label", "small.npy", "--threshold", "--json"], 'a threshold, as otsu or ">60" in quotes, got --json.'],
    [["label", "small.npy", "--tolerance", "3"], "did you mean --by tolerance:D?"],
    [["label", "small.npy", "--polarity=dark"], "did you mean --objects?"],
    [
      ["label", "small.npy", "--threshold", "hysteresis:1..2", "--objects", "dark"],
      "got --threshold hysteresis:1..2; leave it out.",
    ],
    [["help", "label", "al"], "Expected skerry help label, or skerry help label all, got al."],
    [
      ["run", "small.npy", "ok.json"],
      "Expected small.npy to hold a recipe as JSON, got something else; a recipe comes before the inputs.",
    ],
    [["run", "cut.json", "small.npy"], "Expected cut.json to hold a recipe as JSON, got JSON that ends early."],
    [
      ["cluster", "plan", "label", "a.zarr", "--threshold", "nonzero", "-o", "x.npy"],
      "Expected -o to end in .zarr in a plan, got x.npy.",
    ],
    [["label", "p2.pgm"], "Expected p2.pgm to be a binary PGM or PPM (P5, P6), got P2, a plain PGM, in letters."],
    [["label", "noend.png"], "Could not read noend.png: it is damaged or cut off."],
    [["label", "checksum.png"], "Could not read checksum.png: it is damaged or cut off."],
    [["label", "text.png"], "PGM, .npy or NIfTI file; values without a header need --shape."],
    [
      ["label", "huge.pgm", "--threshold", ">3", "--overlay", "x.png"],
      "values for x.png, which is packed as a whole, got 100000 x 100000 x 3",
    ],
    [
      ["distance", "small.npy", "--threshold", ">1", "-o", "{name}.npy"],
      "Expected a file for -o, got {name}: only label, which",
    ],
    [["mask", "full.png", "-o", "{nam}.png"], "Expected a file for -o, got {nam}: only label, which takes"],
    [["label", "small.npy", "--by", "labels", "--intensity", "--regions", "x.csv"], "Expected --intensity to be"],
    [["label", "small.npy", "--within", "--threshold", "otsu"], "Expected --within to be"],
    [["distance", "small.npy", "--threshold", ">1", "--surface", "--signed"], "Expected --signed without --surface"],
    [
      ["label", "small.npy", "--threshold", "nonzero", "--world", "--regions", "x.csv"],
      "Expected small.npy to be georeferenced",
    ],
    [
      ["label", "small.npy", "--threshold", "nonzero", "--sort", "surfaceArea", "--top", "1"],
      'Expected --sort of an image, got "surfaceArea"',
    ],
    [["mask", "huge.pgm", "-o", "x.png"], "values for x.png, which is packed as a whole, got 100000 x 100000 x 1"],
    [["label", "huge.pgm", "--threshold", ">3", "--close", "2"], "Expected at most 858 993 459 pixels for --close"],
  ])("%j", async (args, sentence) => {
    writeFileSync(at("cut.json"), '{ "skerry": 1,');
    writeFileSync(at("ok.json"), '\ufeff{ "skerry": 1, "operation": "components" }');
    writeFileSync(at("p2.pgm"), "P2 1 1 255 0");
    writeFileSync(at("text.png"), "these are words");
    mkdirSync(at("folder.csv"), { recursive: true });
    writeFileSync(at("b.bmp"), "BM and a header");
    // A page of 1 x 1, and the next one beyond the end of the file.
    const entries = [256, 1, 257, 1, 258, 8, 259, 1, 262, 1, 273, 8, 279, 1];
    const tiff = Buffer.alloc(8 + 2 + 12 * 7 + 4);
    tiff.write("II*\0\x08\0\0\0", "latin1");
    tiff.writeUInt16LE(7, 8);
    for (let i = 0; i < 7; i++) {
      tiff.writeUInt16LE(entries[2 * i], 10 + 12 * i);
      tiff.writeUInt16LE(3, 12 + 12 * i);
      tiff.writeUInt32LE(1, 14 + 12 * i);
      tiff.writeUInt16LE(entries[2 * i + 1], 18 + 12 * i);
    }
    tiff.writeUInt32LE(5000, tiff.length - 4);
    writeFileSync(at("pages.tif"), tiff);
    const png = readFileSync(at("full.png"));
    writeFileSync(at("noend.png"), png.subarray(0, png.length - 4));
    const broken = Buffer.from(png);
    const data = broken.indexOf("IDAT") + 4;
    const length = broken.readUInt32BE(data - 8);
    broken[data + length - 1] ^= 1;
    writeFileSync(at("checksum.png"), broken);
    writeFileSync(at("huge.pgm"), "P5 100000 100000 255 ");
    truncateSync(at("huge.pgm"), 21 + 1e10);
    const { code, err } = await skerry(...args);
    expect(err).toMatch(/^skerry: .*[.?]\n$/);
    expect(err).toContain(sentence);
    expect(code).toBeGreaterThan(0);
  });

  test("values that are ids have a note", async () => {
    const { code, err } = await skerry(
      "label",
      "small.npy",
      "--by",
      "labels",
      "--properties",
      "mean",
      "--regions",
      "r.csv",
    );
    expect([code, err]).toEqual([
      0,
      "note: small.npy: mean is that of the ids themselves (--intensity FILE measures another image)\n",
    ]);
  });

  test("a threshold beyond the values of the type has a note", async () => {
    const { code, err } = await skerry("label", "rgb.npy", "--threshold", ">300");
    expect([code, err]).toEqual([
      0,
      expect.stringContaining("rgb.npy holds u8, whose values go from 0 to 255: none is"),
    ]);
    expect((await skerry("label", "rgb.npy", "--threshold", ">254", "--quiet")).err).toBe("");
  });

  test("a recipe with a mark of its encoding is read", async () => {
    expect((await skerry("run", "ok.json", "small.npy")).code).toBe(0);
  });

  test("labels of another size do not go into an image", async () => {
    npy("five.npy", "|u1", [5, 6], new Uint8Array(30).fill(1));
    expect((await skerry("distance", "five.npy", "--point", "1,1", "-o", "five.zarr")).code).toBe(0);
    const { code, err } = await skerry("label", "small.npy", "--threshold", "nonzero", "-o", "five.zarr");
    expect(code).toBe(2);
    expect(err).toBe(
      "skerry: Expected small.npy to have the size of five.zarr, whose labels it becomes, 6 x 5, got 4 x 2; write a new .zarr.\n",
    );
    expect((await skerry("label", "five.npy", "--threshold", "nonzero", "-o", "five.zarr")).code).toBe(0);
  });
});

describe("palettes of GIFs", () => {
  test.each([false, true])("are numbers, as those of PNGs (interlaced: %s)", async (progressive) => {
    const colours = [
      [0, 0, 0],
      [200, 10, 10],
      [10, 200, 10],
      [10, 10, 200],
    ];
    const [width, height] = [37, 23];
    const classOf = (x: number, y: number): number => (Math.floor(x / 9) + Math.floor(y / 5)) % 4;
    const rgb = new Uint8Array(3 * width * height);
    for (let i = 0; i < width * height; i++) rgb.set(colours[classOf(i % width, Math.floor(i / width))], 3 * i);
    const file = `palette-${progressive}.gif`;
    await sharp(rgb, { raw: { width, height, channels: 3 } })
      .gif({ progressive, dither: 0 })
      .toFile(at(file));
    const { pixels } = await openPicture(at(file), { channel: "index" });
    const plain = await openPicture(at(file));
    const numbers = new Map<string, number>();
    const { data } = pixels as { data: Uint8Array };
    const seen = (plain.pixels as { data: Uint8Array }).data;
    const channels = plain.pixels.channels ?? 1;
    for (let i = 0; i < data.length; i++) {
      const colour = seen.slice(i * channels, i * channels + 3).join();
      numbers.set(colour, numbers.get(colour) ?? data[i]);
      expect(data[i]).toBe(numbers.get(colour));
    }
    expect(new Set(numbers.values()).size).toBe(4);
    expect((await json("label", file, "--by", "value", "--connectivity", "8")).count).toBeGreaterThan(3);
  });
});

describe("results that are all or nothing", () => {
  test("name the step behind which nothing is left, and pixels that are all taken", async () => {
    const notes = async (...args: string[]): Promise<unknown> =>
      JSON.parse((await skerry(...args, "--json")).out).notes;
    const values = Uint8Array.from({ length: 400 }, (_, i) => (i % 20 > 8 && i % 20 < 12 ? 200 : 10));
    const file = new MemoryOutput();
    await writeNpy(file, values, { width: 20, height: 20, depth: 1 });
    writeFileSync(at("bar.npy"), file.bytes());
    const noise = new MemoryOutput();
    const greys = Uint8Array.from({ length: 400 }, (_, i) => 1 + ((i * 97) % 251));
    await writeNpy(noise, greys, { width: 20, height: 20, depth: 1 });
    writeFileSync(at("noise.npy"), noise.bytes());
    for (const [args, note] of [
      [
        ["label", "--threshold", "otsu", "--min-area", "300"],
        "no object is left after --threshold otsu --min-area 300",
      ],
      [["label", "--threshold", "otsu", "--open", "9"], "no object is left after --threshold otsu --open 9"],
      [
        ["label", "--threshold", "otsu", "--select", "area > 300"],
        "no object is left after --threshold otsu --select 'area > 300'",
      ],
      [["label", "--threshold", "mean:5,300"], "no pixel is within --threshold mean:5,300"],
      [
        ["label", "--threshold", "hysteresis:50..255"],
        "holds u8, whose values go from 0 to 255: none is within the threshold",
      ],
      [
        ["label", "--threshold", "outside:0..255"],
        "holds u8, whose values go from 0 to 255: none is within the threshold",
      ],
      [
        ["label", "--threshold", "nonzero"],
        "every pixel is foreground, because none is 0; the threshold divides nothing",
      ],
      [["label", "--threshold", "otsu", "--erode", "0"], "stays as it is under --erode 0"],
      [["fill", "--at", "3,3", "--tolerance", "0.5"], "which are whole numbers; --tolerance 0.5 counts as 0"],
      [
        ["mask", "-o", "m.png"],
        "every pixel is selected, because none is 0; skerry label bar.npy --threshold otsu finds objects",
      ],
      [["label", "noise.npy", "--by", "labels"], "has other ids from pixel to pixel, as greys of a photograph"],
      [
        ["label", "--threshold", "otsu", "--within", "bar.npy"],
        "bar.npy has no pixel of 0; --within takes every pixel",
      ],
      [["mask", "-o", "m.png", "--erode", "30"], "no pixel is left after --erode 30"],
      [
        ["distance", "--threshold", "otsu", "--min-area", "300"],
        "no object is left after --threshold otsu --min-area 300",
      ],
    ] as const) {
      const [command, ...others] = args;
      const words = `${others}`.startsWith("noise.npy") ? args : [command, "bar.npy", ...others];
      expect(await notes(...words)).toEqual([expect.stringContaining(note)]);
    }
  });

  test("a label image that is taken for a photograph is noted", async () => {
    npy(
      "ids.npy",
      "<u2",
      [6, 8],
      Uint16Array.from({ length: 48 }, (_, i) => (i % 8 < 3 ? 1 + (i >> 4) : 0)),
    );
    const notes = async (...args: string[]): Promise<string[]> =>
      JSON.parse((await skerry(...args, "--json")).out).notes ?? [];
    expect(await notes("label", "ids.npy", "--threshold", "otsu")).toContainEqual(
      "ids.npy holds 3 numbers in areas, as a label image does; --by labels takes each as an object",
    );
    expect((await notes("label", "ids.npy", "--by", "labels")).join()).not.toContain("as a label image does");
    npy(
      "ramp.npy",
      "<u2",
      [6, 8],
      Uint16Array.from({ length: 48 }, (_, i) => i),
    );
    expect((await notes("label", "ramp.npy", "--threshold", "otsu")).join()).not.toContain("as a label image does");
  });

  test("objects that were grown over everything have no note, and stains no middle of 8 bits", async () => {
    const seen = async (...args: string[]): Promise<Record<string, unknown>> =>
      JSON.parse((await skerry("label", ...args, "--json")).out);
    expect((await seen("bar.npy", "--threshold", "otsu", "--expand", "400")).notes).toBeUndefined();
    await sharp(
      Uint8Array.from({ length: 1200 }, (_, i) => 40 + ((i * 7) % 200)),
      {
        raw: { width: 20, height: 20, channels: 3 },
      },
    ).toFile(at("slide.png"));
    const stain = await seen("slide.png", "--channel", "dab", "--flatten", "3", "--threshold", "otsu");
    expect(stain.threshold).toMatchObject({ localMean: 0 });
  });

  test("a recipe is not replaced by none, and no other file by a recipe", async () => {
    writeFileSync(at("else.json"), '{ "notes": [] }');
    const replaced = async (...args: string[]): Promise<string> => (await skerry("label", "small.npy", ...args)).err;
    expect(await replaced("--threshold", "otsu", "--recipe", "else.json")).toContain(
      "or an earlier recipe, got else.json, which is none",
    );
    expect(await replaced("--threshold", ">3", "--recipe", "kept.json")).toBe("");
    expect(await replaced("--recipe", "kept.json")).toContain("got none; skerry run kept.json INPUT runs it");
    expect(await replaced("--threshold", ">1", "--recipe", "kept.json")).toBe("");
  });
});

describe("settings without an effect", () => {
  test("have a note, or are refused where the recipe alone tells", async () => {
    await sharp(new Uint8Array(2000), { raw: { width: 50, height: 40, channels: 1 } })
      .toColourspace("b-w")
      .png()
      .toFile(at("idle.png"));
    const notes = async (...args: string[]): Promise<unknown> =>
      JSON.parse((await skerry(...args, "--json")).out).notes;
    expect(await notes("label", "idle.png", "--threshold", "nonzero", "--volume")).toEqual([
      "idle.png is one picture; --volume has no effect",
    ]);
    expect(
      await notes(
        "label",
        "idle.png",
        "--threshold",
        "nonzero",
        "--unit",
        "mikron",
        "--spacing",
        "1,1",
        "--physical",
        "--regions",
        "u.csv",
      ),
    ).toEqual([
      "idle.png is measured in mikron, which is no known unit of length, as um, mm, m and in are; the word is written as it is",
    ]);
    expect(await notes("distance", "idle.png", "--threshold", "nonzero", "--split", "--connectivity", "8")).toEqual([
      "idle.png is measured from all pixels of its objects, which --split does not change",
      "idle.png is measured from all pixels of its objects, whatever --connectivity joins",
    ]);
    expect(await notes("label", "idle.png", "--by", "labels", "--connectivity", "8")).toEqual([
      "idle.png has its objects by their labels; --connectivity matters for eulerNumber alone",
    ]);
    expect(await notes("label", "idle.png", "--threshold", "nonzero", "--nodata", "999")).toEqual([
      "idle.png holds u8, which has no value 999; --nodata has no effect",
    ]);
    expect(await notes("label", "idle.png", "--threshold", "nonzero", "--nodata", "0.5")).toEqual([
      "idle.png holds u8, which are whole numbers; --nodata 0.5 counts as 1",
    ]);
    expect(
      await notes("label", "idle.png", "--threshold", "nonzero", "--fill-holes", "z", "--top", "4", "--largest", "2"),
    ).toEqual([
      "idle.png is one slice; --fill-holes fills its holes along every axis",
      "idle.png has at most 2 objects by --largest; --top 4 leaves none of them out",
    ]);
    expect(
      await notes(
        "label",
        "idle.png",
        "--by",
        "labels",
        "--intensity",
        "idle.png",
        "--properties",
        "area",
        "--regions",
        "i.csv",
      ),
    ).toEqual(["idle.png has a table without values; --intensity matters for properties such as mean"]);
    expect(await notes("fill", "idle.png", "--at", "1,1", "--metric", "l1")).toEqual([
      "idle.png has one channel, where every --metric is the difference",
    ]);
    // Values without a range, which no note can tell.
    npy("nan.npy", "<f4", [3, 4], new Uint8Array(Float32Array.from({ length: 12 }, () => Number.NaN).buffer));
    expect(await notes("label", "nan.npy", "--threshold", ">1")).toEqual([
      "nan.npy: no pixel is within --threshold '>1'",
    ]);
    // A recipe may hold what another output takes, and is told in its own words.
    const recipe = {
      skerry: 1,
      operation: "components",
      options: { threshold: "nonzero" },
      input: { spacing: [2, 2] },
    };
    writeFileSync(at("sized.json"), JSON.stringify(recipe));
    expect(await notes("run", "sized.json", "idle.png", "--regions", "i.csv")).toEqual([
      "idle.png has a table in pixels; --physical takes --spacing for it",
    ]);
    writeFileSync(at("axes.json"), JSON.stringify({ ...recipe, input: { axes: "zyx" } }));
    expect((await skerry("run", "axes.json", "idle.png")).err).toContain("Expected a .npy file for input.axes");
    writeFileSync(at("physical.json"), JSON.stringify({ ...recipe, options: { physical: true }, input: {} }));
    expect((await skerry("run", "physical.json", "idle.png")).err).toContain(
      "Expected a size of a pixel for options.physical: idle.png tells none; give input.spacing X,Y.",
    );
    expect((await skerry("run", "axes.json", "idle.png", "--dilate", "2")).err).toContain(
      "Expected --dilate in axes.json, as options.dilate, got it behind run.",
    );
    expect(await notes("label", "idle.png", "--threshold", "nonzero", "--matte", "#ffffff")).toEqual([
      "idle.png has no transparency; --matte has no effect",
    ]);
    expect(
      await notes("label", "idle.png", "--threshold", "nonzero", "--per-channel", "--regions", "idle.csv"),
    ).toEqual(["idle.png has one channel; --per-channel has no effect"]);
    expect(
      await notes("label", "idle.png", "--threshold", "nonzero", "--pick", "1,2", "--edits", '[{"drop":[3,4]}]'),
    ).toEqual(["idle.png: --pick 1,2 is a pixel of no object", "idle.png: 1 of 1 edits changed nothing, at 3,4"]);
    expect(await notes("fill", "idle.png", "--at", "1,1", "--color", "#00ff00")).toEqual([
      "--color has no effect without -o FILE",
    ]);
    expect((await skerry("kmeans", "idle.png", "-k", "2", "--max-k", "9")).err).toBe(
      "skerry: Expected --max-k together with -k auto.\n",
    );
    expect((await skerry("label", "idle.png", "--ignore-place")).err).toBe(
      "skerry: Expected --ignore-place together with a second file, whose place would be compared.\n",
    );
  });

  test("empty words, plans of other commands and repeated names are refused by name", async () => {
    expect((await skerry("label", "idle.png", "--regions", "")).err).toBe(
      'skerry: Expected a name or a value behind --regions, got "".\n',
    );
    expect((await skerry("label", "")).err).toBe('skerry: Expected a name or a value, got "".\n');
    expect((await skerry("cluster", "plan", "fill", "x.zarr")).err).toBe(
      "skerry: Expected label or RECIPE.json behind plan, got fill.\n",
    );
    const mistakes: readonly (readonly [readonly string[], string])[] = [
      [["label", "idle.png", "-overlay", "a.png"], "Unknown option '-overlay'; did you mean --overlay?"],
      [
        ["cluster", "plan", "lable", "x.zarr"],
        "Expected label or RECIPE.json behind plan, got lable; did you mean label?",
      ],
      [["label", "idle.png", "--recipe", "a.png"], "Expected --recipe to end in .json, got a.png."],
      [["label", "idle.png", "--select", "area = 5"], "Expected ==, which compares, at letter 6 in --select, got =."],
      [["label", "idle.png", "--smooth", "-1"], "Expected --smooth to be above 0, got -1."],
      [
        ["label", "idle.png", "--flatten", "99999"],
        "Expected --flatten to be a whole number from 1 to 65536, got 99999.",
      ],
      [["lab", "--port", "-1"], "Expected --port to be a whole number from 0 to 65535, got -1."],
    ];
    for (const [args, sentence] of mistakes) expect((await skerry(...args)).err).toBe(`skerry: ${sentence}\n`);
    const nested = '{ "skerry": 1, "operation": "components", "options": { "pick": [5, 5] } }';
    writeFileSync(at("nested.json"), nested);
    expect((await skerry("run", "nested.json", "idle.png")).err).toBe(
      "skerry: Expected options.pick to be a list of lists, each X,Y, or X,Y,Z for a volume, in whole pixels, got [5,5].\n",
    );
    const twice = '{ "skerry": 1, "operation": "components", "options": { "minArea": 5, "min\\u0041rea": 9 } }';
    writeFileSync(at("twice.json"), twice);
    expect((await skerry("run", "twice.json", "idle.png")).err).toBe(
      "skerry: Expected every name in twice.json once, got minArea twice.\n",
    );
  });
});

describe("axes that may be channels", () => {
  test("have a note for every type that has colours, whichever way they are taken", async () => {
    const values = Float32Array.from({ length: 6 * 7 * 3 }, (_, i) => i % 5);
    const notesOf = async (name: string, options = {}): Promise<readonly string[]> => {
      const picture = await openPicture(at(name), options);
      await picture.close();
      return picture.notes();
    };
    npy("yxc.npy", "<f4", [6, 7, 3], values);
    expect(await notesOf("yxc.npy")).toEqual([expect.stringContaining("is taken as a volume of 6 slices")]);
    expect(await notesOf("yxc.npy", { axes: "zyx" })).toEqual([]);
    npy("bytes.npy", "|u1", [6, 7, 3], Uint8Array.from(values));
    expect(await notesOf("bytes.npy")).toEqual([expect.stringContaining("is taken as a picture of 3 channels")]);
  });
});

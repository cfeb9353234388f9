// On the line: --endless, --fail-if and --golden, with their sentences and exit codes.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { run } from "./support/run.js";

const command = resolve(import.meta.dirname, "../bin/skerry.js");
const folder = mkdtempSync(join(tmpdir(), "skerry-line-"));
afterAll(() => rmSync(folder, { recursive: true }));
const skerry = (...args: string[]) => run(args, folder);

const [W, H] = [40, 60];
/** A bright object of three lines from line 4 on, a dark one from line 10 on, and a scratch from line 20 to the end. */
const pixels = new Uint8Array(W * H).fill(100);
for (let y = 4; y < 7; y++) pixels.fill(220, y * W + 5, y * W + 9);
for (let y = 10; y < 12; y++) pixels.fill(5, y * W + 20, y * W + 22);
for (let y = 20; y < H; y++) pixels[y * W + 30] = 220;
const RULE = ["--threshold", "outside:50..200", "--connectivity", "8"];
const OBJECTS = [
  { id: 1, area: 12, bounds: [5, 4, 9, 7], centroid: [6.5, 5], polarity: "bright" },
  { id: 2, area: 4, bounds: [20, 10, 22, 12], centroid: [20.5, 10.5], polarity: "dark" },
  { id: 3, area: 40, bounds: [30, 20, 31, 60], centroid: [30, 39.5], polarity: "bright" },
];

beforeAll(async () => {
  await sharp(pixels, { raw: { width: W, height: H, channels: 1 } })
    .png()
    .toFile(join(folder, "line.png"));
  writeFileSync(join(folder, "line.raw"), pixels);
  writeFileSync(
    join(folder, "deep.raw"),
    Uint16Array.from(pixels, (v) => v * 200),
  );
});

const linesOf = (out: string): unknown[] =>
  out
    .trim()
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

describe("--endless", () => {
  test("prints a line of JSON per object, from a file", async () => {
    const { out, err, code } = await skerry("label", "line.raw", "--endless", "--shape", `${W}`, ...RULE);
    expect([linesOf(out), code]).toEqual([OBJECTS, 0]);
    expect(err).toContain("3 objects in 60 lines of 40 pixels");
  });

  test("takes 16 bits, properties and conditions; ids count all objects of the lines", async () => {
    const pixel = `label deep.raw --endless --shape ${W} --dtype u16 --threshold outside:10000..40000`;
    const rest = ["--properties", "area,mean", "--select", "polarity == bright && y0 > 9", "--max-length", "15"];
    const { out } = await skerry(...pixel.split(" "), ...rest, "--quiet");
    expect(linesOf(out)).toEqual([
      { id: 3, area: 15, mean: 44_000, polarity: "bright", goesOn: true },
      { id: 4, area: 15, mean: 44_000, polarity: "bright", goesOn: true, continues: [3] },
      { id: 5, area: 10, mean: 44_000, polarity: "bright", continues: [4] },
    ]);
  });

  test("tells an object while stdin is still open, and ends at the first that fails", async () => {
    const args = ["label", "-", "--endless", "--shape", `${W}`, "--dtype", "u8", ...RULE, "--fail-if", "area > 11"];
    const child = spawn(process.execPath, [command, ...args], { cwd: folder });
    let [out, err] = ["", ""];
    child.stdout.on("data", (text) => {
      out += text;
    });
    child.stderr.on("data", (text) => {
      err += text;
    });
    child.stdin.on("error", () => undefined);
    const ended = new Promise((done) => child.on("exit", done));
    // Eight lines: the first object ended with the seventh. Stdin stays open.
    child.stdin.write(pixels.subarray(0, 8 * W));
    expect(await ended).toBe(3);
    expect([linesOf(out), err]).toEqual([OBJECTS.slice(0, 1), "failed: -: area > 11 (1 of 1 object, at 5,4)\n"]);
  });

  test.each([
    [["line.raw", "--endless", "--shape", "40"], "Expected a threshold that is known before the lines come"],
    [["line.raw", "--endless", "--shape", "40", "--threshold", "otsu"], "known before the lines come"],
    [["line.raw", "--endless", "--shape", "40,60", ...RULE], "Expected --shape WIDTH with --endless"],
    [["line.raw", "--endless", ...RULE], "Expected --shape WIDTH with --endless"],
    [["line.raw", "--shape", "40", ...RULE], "got one number, which is for --endless"],
    [["line.raw", "--max-length", "3", ...RULE], "Expected --max-length together with --endless"],
    [["line.raw", "--endless", "--shape", "40", ...RULE, "--split"], "Expected no --split for lines without an end."],
    [["line.raw", "--endless", "--shape", "40", ...RULE, "-o", "x.npy"], "Expected no -o with --endless"],
    [["line.raw", "line.raw", "--endless", "--shape", "40", ...RULE], "Expected one input with --endless, got 2"],
    [["line.raw", "--endless", "--shape", "40", "--dtype", "f64", ...RULE], "Expected --dtype uint8"],
    [["line.raw", "--endless", "--shape", "40", ...RULE, "--fail-if", "coverage > 1"], "Expected no coverage"],
  ])("refuses %j", async (args, sentence) => {
    const { err, code } = await skerry("label", ...args);
    expect([code, err]).toEqual([2, expect.stringContaining(sentence)]);
  });

  test("tells a file that is not there, and a last line that is not whole", async () => {
    const none = await skerry("label", "none.raw", "--endless", "--shape", "40", ...RULE);
    expect([none.code, none.err]).toEqual([1, "skerry: Could not read none.raw: there is no such file or folder.\n"]);
    const part = await skerry("label", "line.raw", "--endless", "--shape", "41", ...RULE);
    expect([part.code, part.err]).toEqual([1, expect.stringContaining("Expected whole lines of 41 values")]);
  });
});

describe("--fail-if", () => {
  test.each([
    ["count > 2", 3, "failed: line.png: count > 2 (3 objects)"],
    ["count > 3", 0, ""],
    ["coverage > 0.02", 3, "(3 objects, 56 pixels, coverage 0.02333)"],
    ["area > 11 && polarity == bright", 3, "(2 of 3 objects, the first at 5,4)"],
    ["polarity == dark && y0 > 10", 0, ""],
    ["foreground / count < area", 3, "(1 of 3 objects, 56 pixels, at 30,20)"],
  ])("%s", async (condition, code, said) => {
    const result = await skerry("label", "line.png", ...RULE, "--fail-if", condition);
    expect([result.code, result.err]).toEqual([code, said === "" ? "" : expect.stringContaining(said)]);
    const { out } = await skerry("label", "line.png", ...RULE, "--fail-if", condition, "--json");
    expect(JSON.parse(out).failed).toBe(code === 3);
  });

  test("a file that cannot be read counts more than objects that fail, and a wrong call more than both", async () => {
    expect((await skerry("label", "line.png", "none.png", ...RULE, "--fail-if", "count > 0")).code).toBe(1);
    expect((await skerry("label", "line.png", ...RULE, "--fail-if", "cuont > 0")).code).toBe(2);
    const { err } = await skerry("label", "line.png", "--threshold", ">200", "--fail-if", "polarity == dark");
    expect(err).toContain("only for objects of two");
  });

  test("a recipe keeps it", async () => {
    await skerry("label", "line.png", ...RULE, "--fail-if", "count > 2", "--recipe", "strict.json");
    expect((await skerry("run", "strict.json", "line.png")).code).toBe(3);
  });
});

describe("--golden", () => {
  beforeAll(() => skerry("label", "line.png", ...RULE, "--regions", "taught.csv"));

  test("the taught objects pass", async () => {
    const { code, err } = await skerry("label", "line.png", ...RULE, "--golden", "taught.csv");
    expect([code, err]).toEqual([0, ""]);
  });

  test("another result prints what differs, within a deviation", async () => {
    const changed = pixels.slice();
    changed[7 * W + 5] = 220;
    changed.fill(100, 10 * W, 12 * W);
    changed[15 * W + 2] = 255;
    await sharp(changed, { raw: { width: W, height: H, channels: 1 } })
      .png()
      .toFile(join(folder, "changed.png"));
    const call = ["label", "changed.png", ...RULE, "--golden", "taught.csv", "--properties", "area,centroid"];
    const exact = await skerry(...call);
    expect(exact.code).toBe(3);
    expect(exact.err.split("\n").map((line) => line.replace("differs: changed.png: ", ""))).toEqual([
      "taught object 2 at 20.5,10.5 is missing",
      "object 1 at 6.4,5.2: area 13 instead of 12, centroid_x 6.38462 instead of 6.5, centroid_y 5.15385 instead of 5",
      "object 2 at 2.0,15.0 is new",
      "",
    ]);
    const loose = await skerry(...call, "--deviation", "0.1");
    expect(loose.err).not.toContain("object 1");
    expect(JSON.parse((await skerry(...call, "--json")).out).differences).toHaveLength(3);
  });

  test.each([
    [["--golden", "taught.npy"], 2, "Expected --golden to end in .csv"],
    [["--golden", "none.csv"], 1, "Could not read none.csv"],
    [["--golden", "taught.csv", "--properties", "majorAxis"], 1, "Expected taught.csv to have the column"],
    [["--deviation", "0.1"], 2, "Expected --deviation together with --golden TABLE.csv"],
  ])("refuses %j", async (more, code, sentence) => {
    const result = await skerry("label", "line.png", ...RULE, ...more);
    expect([result.code, result.err]).toEqual([code, expect.stringContaining(sentence)]);
    expect(readFileSync(join(folder, "taught.csv"), "utf8")).toContain("label,polarity,area");
  });
});

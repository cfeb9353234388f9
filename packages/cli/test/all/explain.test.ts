// skerry explain as users run it, and its own labelling, which the command compares with the engine's, by hand.

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { arrivalOf } from "../../src/explain/arrival.js";
import { classesOf } from "../../src/explain/classes.js";
import { joinPieces } from "../../src/explain/joining.js";

const command = resolve(import.meta.dirname, "../../bin/skerry.js");
const samples = resolve(import.meta.dirname, "../../../../samples");
let folder: string;

/** A U, a dot in it, and a dot that touches the U at a corner. */
const ROWS = ["#...#...", "#.#.#...", "#...#...", "#####...", ".....#.."];
const U = Uint8Array.from(ROWS.join(""), (c) => (c === "#" ? 1 : 0));

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "skerry-explain-"));
  const raw = { width: 8, height: 5, channels: 1 as const };
  await sharp(
    U.map((v) => v * 200),
    { raw },
  )
    .png()
    .toFile(join(folder, "u.png"));
  writeFileSync(join(folder, "volume.raw"), new Uint8Array(8));
});
afterAll(() => rmSync(folder, { recursive: true }));

function skerry(...args: string[]): { code: number | null; out: string; err: string } {
  const options = { cwd: folder, encoding: "utf8" as const };
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, "explain", ...args], options);
  return { code: status, out: stdout, err: stderr };
}

test("labels within strips begin with 1 in each, and seams join what meets there", () => {
  const found = joinPieces(U, { width: 8, height: 5 }, 4, { width: 8, height: 2 });
  // Strips of rows 0-1, 2-3 and 4: two stems and a dot; a U; a dot.
  expect(found).toMatchObject({ runs: 9, pieces: 3, ownCount: 5, meetings: 2, unions: 2, count: 3 });
  expect([...found.pieceNumbers]).toEqual([
    1, 0, 0, 0, 2, 0, 0, 0, 1, 0, 3, 0, 2, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0,
    0,
  ]);
  expect([...found.labels.subarray(32)]).toEqual([0, 0, 0, 0, 0, 3, 0, 0]);
  expect(joinPieces(U, { width: 8, height: 5 }, 8, { width: 3, height: 3 }).count).toBe(2);
});

test("NaN is background in the stages, too", () => {
  const data = Float32Array.of(1, Number.NaN, 0, 2);
  const raster = { data, width: 4, height: 1, channels: 1 };
  expect([...classesOf(raster, "nonzero", false, undefined)]).toEqual([1, 0, 0, 1]);
  expect([...classesOf(raster, { outside: [1, 1] }, false, undefined)]).toEqual([0, 0, 2, 1]);
});

test("two classes never join", () => {
  const found = joinPieces(Uint8Array.from([1, 2, 1, 2]), { width: 2, height: 2 }, 8, { width: 2, height: 1 });
  expect([...found.labels]).toEqual([1, 2, 1, 2]);
});

test("a search by rounds arrives everywhere after as many rounds as the longest way has pixels", () => {
  const raster = { data: U, width: 8, height: 5, channels: 1 };
  const { round, rounds, pixels } = arrivalOf(raster, [[0, 0]], [0], 4);
  expect({ rounds, pixels }).toEqual({ rounds: 11, pixels: 11 });
  expect([...round.subarray(24, 32)]).toEqual([4, 5, 6, 7, 8, 0, 0, 0]);
  expect(arrivalOf(raster, [[0, 0]], [0], 8).pixels).toBe(12);
});

test("writes a picture of each stage, enlarged, and what it shows", async () => {
  const { code, out, err } = skerry("u.png", "--strips", "2", "--at", "0,0", "--threads", "1", "--json", "-o", "a/b");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  const { stages, ...rest } = JSON.parse(out);
  expect(rest).toEqual({ input: "u.png", width: 8, height: 5, runner: "cpu, 1 thread" });
  expect(stages.map(({ text }: { text: string }) => text)).toEqual([
    "8 x 5",
    "13 pixels are foreground",
    "9 runs",
    "5 components in 2 strips, each numbered from 1",
    "2 pairs of pixels meet across seams and join 2 components",
    "3 objects, equal to the engine's labels",
    "11 pixels filled; a search by rounds arrives after 11 rounds, 1.0 pixels each",
  ]);
  const names = ["1-pixels", "2-bits", "3-runs", "4-strips", "5-seams", "6-labels", "7-fill"].map((n) => `${n}.png`);
  expect(readdirSync(join(folder, "a/b")).sort()).toEqual(names);
  const { data, info } = await sharp(join(folder, "a/b/2-bits.png")).raw().toBuffer({ resolveWithObject: true });
  expect([info.width, info.height]).toEqual([480, 300]);
  const lit = Array.from({ length: 40 }, (_, i) => {
    const at = (Math.floor(i / 8) * 60 + 30) * 480 + (i % 8) * 60 + 30;
    return data[at * 3] > 128 ? 1 : 0;
  });
  expect(lit).toEqual([...U]);
});

test("every threshold, both connectivities and tiles end in the engine's labels", () => {
  for (const [input, ...options] of [
    ["board.png", "--threshold", "outside:70..190", "--connectivity", "8", "--tiles"],
    ["hubble_deep_field.jpg", "--threshold", ">60"],
    ["coins.png", "--threshold", "otsu", "--objects", "dark"],
    ["coffee.png", "--threshold", "30..90", "--crop", "100,50,301,201"],
    ["maze.png", "--at", "1,1", "--tolerance", "10"],
  ] as const) {
    const { code, err } = skerry(join(samples, input as string), ...(options as readonly string[]), "-o", "stages");
    expect({ input, code, err }).toEqual({ input, code: 0, err: "" });
  }
});

test("wrong calls are one sentence and write nothing", () => {
  for (const [args, message] of [
    [["u.png"], /^skerry: Expected --output FOLDER, got none; see skerry explain --help\.\n$/],
    [
      ["u.png", "-o", "x", "--crop", "1,2,3"],
      /^skerry: Expected --crop to be X,Y,WIDTH,HEIGHT or X,Y,Z,WIDTH,HEIGHT,DEPTH in whole pixels, got 1,2,3\.\n$/,
    ],
    [["u.png", "-o", "x", "--crop", "6,0,3,3"], /^skerry: Expected --crop to lie within 8 x 5, got 6,0,3,3\.\n$/],
    [["u.png", "-o", "x", "--at", "8,0"], /^skerry: Expected --at to be X,Y within 8 x 5, got 8,0\.\n$/],
    [["u.png", "-o", "x", "--at", "1,0", "--tolerance", "1,2"], /^skerry: Expected --tolerance to be one number or 3/],
    [
      ["u.png", "-o", "x", "--connectivity", "6"],
      /^skerry: Expected --connectivity to be 4 or 8 for an image, got 6\.\n$/,
    ],
  ] as const) {
    const { code, out, err } = skerry(...args);
    expect(err).toMatch(message);
    expect({ code, out }).toEqual({ code: 2, out: "" });
  }
  expect(existsSync(join(folder, "x"))).toBe(false);
  expect(skerry("missing.png", "-o", "x").err).toBe(
    "skerry: Could not read missing.png: there is no such file or folder.\n",
  );
});

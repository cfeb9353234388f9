// skerry distance, from files to files: formats, the whole pipeline on a rendered head, limits of memory, wrong calls.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { headMask, random } from "@skerry/scenes";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { surfaceOf } from "../../skerry/test/oracles/distance.js";
import { run as skerry } from "./support/run.js";

/** A rendered head in noise, of values as a scanner gives them. */
function scan(path: string): void {
  const [width, height, depth] = [61, 72, 66];
  const { bits } = headMask({ width, height, depth });
  const words = Math.ceil(width / 32);
  const next = random(7);
  const values = Int16Array.from({ length: width * height * depth }, (_, i) => {
    const [x, row] = [i % width, Math.floor(i / width)];
    const inside = (bits[row * words + (x >> 5)] >>> (x & 31)) & 1;
    return (inside ? 600 : 20) + (next() % 90);
  });
  const header = Buffer.alloc(352);
  header.writeInt32LE(348, 0);
  for (const [i, side] of [3, width, height, depth, 1, 1, 1, 1].entries()) header.writeInt16LE(side, 40 + 2 * i);
  header.writeInt16LE(4, 70);
  header.writeInt16LE(16, 72);
  for (let i = 0; i < 4; i++) header.writeFloatLE(i ? 0.88 : 1, 76 + 4 * i);
  header.writeFloatLE(352, 108);
  header.write("n+1", 344, "latin1");
  writeFileSync(path, gzipSync(Buffer.concat([header, Buffer.from(values.buffer)])));
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "skerry-distance-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const at = (name: string): string => join(folder, name);
async function run(...args: string[]): Promise<string> {
  const { code, out, err } = await skerry(["distance", ...args], folder);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return out;
}
async function fails(...args: string[]): Promise<{ status: number; stderr: string }> {
  const { code, err } = await skerry(["distance", ...args], folder);
  return { status: code, stderr: err };
}

/** The values of a .npy file that this project wrote; of whole numbers a Uint32Array all the same. */
function npy(path: string): Float32Array {
  const file = readFileSync(path);
  const begin = 10 + file.readUInt16LE(8);
  const bytes = new Uint8Array(file.subarray(begin)).buffer;
  return file.toString("latin1", 10, begin).includes("<f4")
    ? new Float32Array(bytes)
    : (new Uint32Array(bytes) as unknown as Float32Array);
}

const SIZE = { width: 31, height: 22, depth: 13 };
const sites = [
  [3, 4, 1],
  [29, 20, 12],
  [15, 0, 6],
] as const;

/** The distance to the nearest of the sites. */
function nearest(x: number, y: number, z: number, [a, b, c]: readonly number[] = [1, 1, 1]): number {
  return Math.min(...sites.map(([i, j, k]) => Math.hypot((x - i) * a, (y - j) * b, (z - k) * c)));
}

describe("files", () => {
  beforeAll(() => {
    const { width, height, depth } = SIZE;
    const data = new Uint8Array(width * height * depth);
    for (const [x, y, z] of sites) data[(z * height + y) * width + x] = 1;
    writeFileSync(at("sites.raw"), data);
  });
  const input = (): string[] => [at("sites.raw"), "--shape", "31,22,13"];

  const expectMap = (values: ArrayLike<number>, spacing?: readonly number[]): void => {
    const { width, height, depth } = SIZE;
    expect(values.length).toBe(width * height * depth);
    for (let i = 0; i < values.length; i += 7) {
      const expected = nearest(i % width, Math.floor(i / width) % height, Math.floor(i / width / height), spacing);
      expect(Math.abs(values[i] - expected)).toBeLessThanOrEqual(1e-6 * expected);
    }
  };

  test("a map, and where the nearest pixels are", async () => {
    const json = JSON.parse(await run(...input(), "-o", at("map.npy"), "--nearest", at("near.npy"), "--json"));
    const map = npy(at("map.npy"));
    expectMap(map);
    expect(json).toMatchObject({ width: 31, height: 22, depth: 13, min: 0, sites: 3 });
    expect(json.max).toBeCloseTo(
      map.reduce((a, b) => Math.max(a, b)),
      6,
    );
    expect(json.mean).toBeCloseTo(map.reduce((a, b) => a + b, 0) / map.length, 4);
    expect(json.milliseconds).toBeGreaterThan(0);
    const { width, height } = SIZE;
    const flat = sites.map(([x, y, z]) => (z * height + y) * width + x);
    npy(at("near.npy")).forEach((site) => {
      if (!flat.includes(site)) expect(site).toBe(flat);
    });
  });

  test("NIfTI, packed or not, and TIFF say the same", async () => {
    await run(...input(), "--spacing", "1,2,3", "-o", at("map.nii"));
    await run(...input(), "--spacing", "1,2,3", "-o", at("map.nii.gz"), "--quiet");
    await run(...input(), "--spacing", "1,2,3", "-o", at("map.tif"), "--quiet");
    const file = readFileSync(at("map.nii"));
    expect(gunzipSync(readFileSync(at("map.nii.gz")))).toEqual(file);
    expect([file.readInt16LE(70), file.readInt16LE(72)]).toEqual([16, 32]);
    expect([80, 84, 88].map((offset) => file.readFloatLE(offset))).toEqual([1, 2, 3]);
    const values = new Uint8Array(file.subarray(352));
    expectMap(new Float32Array(values.buffer), [1, 2, 3]);
    expect(readFileSync(at("map.tif")).subarray(-values.length).equals(Buffer.from(values))).toBe(true);
  });

  test("what lies beyond, squares, signs and previews", async () => {
    await run(
      ...input(),
      "--max",
      "5",
      "--beyond",
      "clamp",
      "-o",
      at("near.npy"),
      "--preview",
      at("near.png"),
      "--quiet",
    );
    expect(npy(at("near.npy")).reduce((a, b) => Math.max(a, b))).toBe(5);
    expect(readFileSync(at("near.png")).subarray(1, 4).toString()).toBe("PNG");
    await run(...input(), "--squared", "--max", "5", "-o", at("squares.npy"), "--preview", at("squares.png"));
    const squares = npy(at("squares.npy"));
    expect(squares).toBeInstanceOf(Uint32Array);
    expect([...new Set(squares)].every((v) => v <= 25 || v === 0xffffffff)).toBe(true);
    const { sites: inside } = JSON.parse(await run(...input(), "--signed", "--json"));
    expect(inside).toBe(3);
    const scaled = [...input(), "--squared", "--spacing", "0.5,0.5,1", "--unit", "um"];
    expect(await run(...scaled)).toMatch(/: squared distances from 0 to \d+ squares of 0\.5 µm, mean /);
    expect(JSON.parse(await run(...scaled, "--json"))).toMatchObject({ unit: "µm", squaresOf: 0.5 });
  });

  test("within a limit of memory all comes out the same, and a limit that is too low names one that does", async () => {
    const { stderr, status } = await fails(...input(), "--memory", "1K", "-o", at("never.npy"));
    expect(status).toBe(2);
    const [, least] =
      /^skerry: Expected --memory to be at least (\d+) MiB, of which Node and the kernels take 120 MiB, got 1024 bytes; units are K, M and G\.\n$/.exec(
        stderr,
      ) ?? [];
    await run(...input(), "--memory", `${least}M`, "-o", at("small.npy"));
    await run(...input(), "-o", at("large.npy"));
    expect(readFileSync(at("small.npy")).equals(readFileSync(at("large.npy")))).toBe(true);
    expect(existsSync(at("never.npy"))).toBe(false);
  });

  test("wrong calls", async () => {
    for (const [args, message] of [
      [["-o", "map.png"], "Expected -o to end in .npy, .tif, .nii, .nii.gz, .nrrd, .mha or .zarr, got map.png."],
      [["--preview", "map.jpg"], "Expected --preview to end in .png, got map.jpg."],
      [["--max", "0"], "Expected --max to be above 0, got 0."],
      [["--beyond", "clamp"], 'Expected --beyond only with --max, got "clamp" without.'],
      [["--beyond", "far"], "Expected --beyond to be infinity, clamp, coarse, got far."],
      [
        ["--threshold", "outside:1..2"],
        "Expected one polarity of foreground for distances, got --threshold outside:1..2.",
      ],
      [["--memory", "lots"], "Expected --memory to be a size like 512M or 2G, got lots."],
      [["--spacing", "1,0"], "Expected --spacing to be X,Y or X,Y,Z above 0, or file, got 1,0."],
      [["--smooth", "0"], "Expected --smooth to be above 0, got 0."],
      [
        ["--threshold", "sauvola"],
        'Expected --threshold to be otsu, li, triangle, nonzero, ">60", "<60", 60..90, outside:60..90, hysteresis:60..90, mean:R[,OFFSET] or sauvola:R[,K], got sauvola; did you mean sauvola:12?',
      ],
      [["--signed", "--surface"], "Expected --signed without --surface, because a surface has no inside."],
      [
        ["-o", at("a.npy"), "--nearest", at("a.npy")],
        `Expected every file to be written once, but ${at("a.npy")} is -o and --nearest.`,
      ],
    ] as const) {
      expect(await fails(...input(), ...args)).toMatchObject({ status: 2, stderr: `skerry: ${message}\n` });
    }
    expect(await fails(at("missing.nii"))).toMatchObject({ status: 1 });
    expect(readdirSync(folder).filter((name) => name.includes(".part"))).toEqual([]);
  });
});

describe("a head", () => {
  test("the whole pipeline, checked at random voxels by brute force", async () => {
    const head = at("scan.nii.gz");
    scan(head);
    const label = ["--threshold", "otsu", "--largest", "1", "--fill-holes"];
    await skerry(["label", head, ...label, "-o", at("skin.npy")], folder);
    await run(head, ...label, "--surface", "-o", at("head.npy"), "--quiet");
    await run(
      head,
      ...label,
      "--surface",
      "--max",
      "20",
      "-o",
      at("near.nii.gz"),
      "--preview",
      at("head.png"),
      "--memory",
      "8G",
    );
    const file = gunzipSync(readFileSync(head));
    const [width, height, depth] = [42, 44, 46].map((offset) => file.readInt16LE(offset)) as [number, number, number];
    const unit = file.readFloatLE(80);
    const labels = npy(at("skin.npy"));
    const map = npy(at("head.npy"));
    const near = new Float32Array(new Uint8Array(gunzipSync(readFileSync(at("near.nii.gz"))).subarray(352)).buffer);
    const surface: number[] = [];
    const solid = { data: Uint8Array.from(labels, (label) => Number(label !== 0)), width, height, depth };
    surfaceOf(solid).data.forEach((on, i) => {
      if (on) surface.push(i % width, Math.floor(i / width) % height, Math.floor(i / width / height));
    });
    const next = random(23);
    for (let n = 0; n < 60; n++) {
      const i = next() % map.length;
      const [x, y, z] = [i % width, Math.floor(i / width) % height, Math.floor(i / width / height)];
      let least = Number.POSITIVE_INFINITY;
      for (let k = 0; k < surface.length; k += 3) {
        const [a, b, c] = [x - surface[k], y - surface[k + 1], z - surface[k + 2]];
        least = Math.min(least, a * a + b * b + c * c);
      }
      const expected = Math.sqrt(least) * unit;
      expect(Math.abs(map[i] - expected)).toBeLessThanOrEqual(1e-6 * expected);
      expect(near[i]).toBe(expected <= 20 ? map[i] : Number.POSITIVE_INFINITY);
    }
  });
});

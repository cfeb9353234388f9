// Two files at one place of the world are combined, others are refused; times, units and crops reach every file and every table. Files are
// written by the fuzzer's writers, which share no code with the readers.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPicture } from "@skerry/files/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dicom, geotiff, imagej, nifti, ometiff, omezarr } from "../../skerry/fuzz/headers.mjs";
import { run } from "./support/run.js";

const folder = mkdtempSync(join(tmpdir(), "skerry-places-"));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);
const skerry = (...args: string[]) => run(args, folder);

const [W, H, D] = [6, 5, 4];
const PLACE = [
  [-0.5, 0, 0, 40],
  [0, 0.6, 0, -7],
  [0, 0, 2, 11],
];
const labels = new Uint8Array(W * H * D);
for (let i = 0; i < labels.length; i++) {
  const [x, y, z] = [i % W, Math.floor(i / W) % H, Math.floor(i / W / H)];
  if (x < 2 && y < 3 && z < 2) labels[i] = 1;
  if (x > 3 && y > 1 && z > 1) labels[i] = 2;
}
const values = (seed: number): Uint8Array =>
  Uint8Array.from({ length: W * H * D }, (_, i) => ((i * 37 + seed * 101) % 249) + 1);
const meanUnder = (data: Uint8Array, label: number): number => {
  const own = data.filter((_, i) => labels[i] === label);
  return own.reduce((sum, value) => sum + value, 0) / own.length;
};

/** A volume with its axes in another order and direction, at the same place. */
function turned(data: Uint8Array, order: readonly number[], flips: readonly boolean[]) {
  const sizes = [W, H, D];
  const size = order.map((axis) => sizes[axis]);
  const made = new Uint8Array(data.length);
  for (let i = 0; i < made.length; i++) {
    const index = [i % size[0], Math.floor(i / size[0]) % size[1], Math.floor(i / size[0] / size[1])];
    const from = [0, 0, 0];
    for (const [k, axis] of order.entries()) from[axis] = flips[k] ? sizes[axis] - 1 - index[k] : index[k];
    made[i] = data[from[0] + W * (from[1] + H * from[2])];
  }
  const toWorld = PLACE.map((row) => {
    const added = order.reduce((sum, axis, k) => sum + (flips[k] ? row[axis] * (sizes[axis] - 1) : 0), row[3]);
    return [...order.map((axis, k) => (flips[k] ? -row[axis] : row[axis])), added];
  });
  return { size, data: made, toWorld, unit: "mm" as const };
}

const volume = (data: Uint8Array, shift = 0) => ({
  size: [W, H, D],
  data,
  unit: "mm" as const,
  toWorld: PLACE.map((row, i) => (i === 0 ? [...row.slice(0, 3), row[3] + shift] : row)),
});

const table = (name: string): Record<string, string>[] => {
  const [head, ...rows] = readFileSync(at(name), "utf8").trim().split("\n");
  return rows.map((row) => Object.fromEntries(row.split(",").map((cell, i) => [head.split(",")[i], cell])));
};

beforeAll(() => {
  nifti(at("labels.nii"), volume(labels));
  nifti(at("same.nii"), volume(values(1)), { form: "q", told: "um" });
  nifti(at("flipped.nii"), turned(values(1), [0, 1, 2], [true, false, true]), { two: true });
  nifti(at("exchanged.nii"), turned(values(1), [2, 0, 1], [false, true, false]), { little: false });
  nifti(at("near.nii"), volume(values(1), 0.02));
  nifti(at("elsewhere.nii"), volume(values(1), 3));
  nifti(at("series.nii"), volume(values(0)), { times: [values(1), values(2), values(3)] });
  dicom(at("slices"), volume(values(1)));
});

const measured = async (file: string, ...more: string[]) => {
  const args = [
    "label",
    "labels.nii",
    "--by",
    "labels",
    "--intensity",
    file,
    ...more,
    "--properties",
    "mean",
    "--regions",
    "m.csv",
    "--json",
  ];
  const { code, err } = await skerry(...args);
  return { code, err, means: code === 0 ? table("m.csv").map(({ mean }) => Number(mean)) : [] };
};
const means = (seed: number): unknown => [1, 2].map((label) => expect.closeTo(meanUnder(values(seed), label), 4));

describe("second files", () => {
  test.each([
    ["same.nii", ""],
    ["flipped.nii", ""],
    ["exchanged.nii", "note: exchanged.nii has its axes in another order; they are exchanged in memory, 1 MiB\n"],
    ["near.nii", "note: --intensity near.nii lies 0.04 voxels beside labels.nii; it is taken for the same place\n"],
    ["slices", ""],
  ])("%s is measured at its place", async (file, err) => {
    expect(await measured(file)).toEqual({ code: 0, err, means: means(1) });
  });

  test("elsewhere is refused, and --ignore-place goes on, but not over other sizes", async () => {
    expect((await measured("elsewhere.nii")).err).toBe(
      "skerry: Expected --intensity elsewhere.nii to lie where labels.nii lies, got its middle 3, 0, 0 mm away; --ignore-place combines them pixel by pixel.\n",
    );
    expect(await measured("elsewhere.nii", "--ignore-place")).toEqual({ code: 0, err: "", means: means(1) });
    expect((await measured("exchanged.nii", "--ignore-place")).err).toContain(
      "to have the size of labels.nii for --ignore-place",
    );
  });

  test("masks and fences are matched, too", async () => {
    nifti(at("mask.nii"), turned(labels, [1, 0, 2], [true, true, false]));
    const counted = async (...args: string[]) => JSON.parse((await skerry(...args, "--json")).out);
    const inside = labels.filter((label) => label > 0).length;
    const { selected } = await counted("mask", "labels.nii", "--intersection", "mask.nii", "-o", "both.nii");
    expect(selected).toBe(inside);
    const above = values(1).filter((value, i) => value > 100 && labels[i] > 0).length;
    const found = await counted("label", "same.nii", "--threshold", ">100", "--within", "mask.nii");
    expect(found.foreground).toBe(above);
  });

  test("times reach every file that has them, and all of them make one table", async () => {
    expect(await measured("series.nii", "--time", "1")).toEqual({ code: 0, err: "", means: means(2) });
    expect(await measured("a=series.nii:time=2,channel=0")).toMatchObject({ code: 0, err: "" });
    expect(table("m.csv").map(({ mean_a }) => Number(mean_a))).toEqual(means(3));
    expect((await measured("same.nii", "--time", "1")).err).toBe(
      "skerry: Expected a file with several times for --time 1, got none beside labels.nii.\n",
    );
    expect((await measured("series.nii", "--time", "all")).code).toBe(0);
    expect(table("m.csv").map(({ time, label }) => [time, label])).toEqual(
      ["0", "1", "2"].flatMap((time) => ["1", "2"].map((label) => [time, label])),
    );
    expect((await skerry("label", "series.nii", "--threshold", ">1", "--time", "all", "-o", "x.nii")).err).toContain(
      "Expected --regions alone with --time all, got -o",
    );
  });

  test("maps of other systems, and exchanged axes of OME-Zarr by chunks", async () => {
    const map = { size: [W, H, 1], data: values(1).slice(0, W * H), unit: "m" as const };
    const toWorld = [
      [10, 0, 0, 500005],
      [0, -10, 0, 5299995],
      [0, 0, 1, 0],
    ];
    geotiff(at("map.tif"), { ...map, toWorld }, { epsg: 32633 });
    geotiff(at("other.tif"), { ...map, toWorld }, { epsg: 32632 });
    const call = ["--properties", "mean", "--regions", "m.csv"];
    expect((await skerry("label", "map.tif", "--threshold", ">9", "--intensity", "other.tif", ...call)).err).toContain(
      "got the coordinate system EPSG:32632 beside EPSG:32633",
    );
    expect((await skerry("label", "exchanged.nii", "--threshold", ">0", "-o", "exchanged.zarr", "--quiet")).code).toBe(
      0,
    );
    const stored = await skerry(
      "label",
      "labels.nii",
      "--by",
      "labels",
      "--intensity",
      "exchanged.zarr",
      ...call,
      "--quiet",
    );
    expect([stored.code, stored.err]).toEqual([0, ""]);
    // All pixels are above 0, so that they are one object.
    expect(table("m.csv").map(({ mean }) => Number(mean))).toEqual([1, 1]);
  });
});

describe("units and frames", () => {
  test("places of one row are in one frame, and its unit is said", async () => {
    imagej(
      at("cells.tif"),
      {
        ...volume(labels),
        toWorld: [
          [0.5, 0, 0, 0],
          [0, 0.6, 0, 0],
          [0, 0, 2, 0],
        ],
      },
      { told: "um" },
    );
    const call = ["label", "cells.tif", "--threshold", ">1", "--physical", "--properties", "area,centroid,bounds"];
    await skerry(...call, "--regions", "u.csv", "--quiet");
    const [row] = table("u.csv");
    const count = labels.filter((label) => label === 2).length;
    expect(Number(row.area)).toBeCloseTo(count * 0.6e9, 0);
    expect([row.unit, Number(row.x0), Number(row.centroid_x), Number(row.z1)]).toEqual([
      "\u00b5m",
      2000,
      2250,
      expect.closeTo(8000, 6),
    ]);
    await skerry(...call, "--unit", "mm", "--regions", "u.json", "--quiet");
    const { units, objects } = JSON.parse(readFileSync(at("u.json"), "utf8"));
    expect([units, objects[0].centroid[0]]).toEqual([{ area: "mm3", centroid: "mm", bounds: "mm" }, 2.25]);
  });

  test("files of several units make one table in that of the first, or are refused", async () => {
    const flat = { size: [W, H, 1], data: labels.slice(0, W * H), unit: "um" as const };
    const toWorld = [
      [500, 0, 0, 0],
      [0, 500, 0, 0],
      [0, 0, 1, 0],
    ];
    imagej(at("um.tif"), { ...flat, toWorld }, { told: "um" });
    imagej(at("mm.tif"), { ...flat, toWorld }, { told: "mm" });
    const call = ["--threshold", "nonzero", "--physical", "--properties", "area", "--regions", "t.csv"];
    const { err } = await skerry("label", "um.tif", "mm.tif", ...call, "--json");
    expect(err).toBe("note: mm.tif has lengths in mm; here they are in \u00b5m, as in um.tif\n");
    const areas = table("t.csv").map(({ area, unit }) => [Number(area), unit]);
    expect(areas).toEqual([
      [6 * 250_000, "\u00b5m"],
      [expect.closeTo(6 * 250_000, 3), "\u00b5m"],
    ]);
    nifti(at("bare.nii"), { ...volume(labels), size: [W, H, 1], data: labels.slice(0, W * H) });
    const bytes = readFileSync(at("bare.nii"));
    bytes.writeUInt8(0, 123);
    writeFileSync(at("bare.nii"), bytes);
    const refused = await skerry("label", "um.tif", "bare.nii", ...call, "--quiet");
    expect([refused.code, refused.err.includes("Expected lengths in \u00b5m, as in um.tif, got no unit")]).toEqual([
      1,
      true,
    ]);
  });

  test("under --crop, tables, runs and points are those of the whole image", async () => {
    const crop = ["--crop", "3,1,1,3,4,3"];
    const call = ["label", "labels.nii", "--threshold", ">1"];
    await skerry(...call, "--regions", "w.csv", "--runs", "w-runs.csv", "--quiet");
    await skerry(
      ...call,
      ...crop,
      "--pick",
      "4,2,2",
      "--regions",
      "c.csv",
      "--runs",
      "c-runs.csv",
      "-o",
      "c.nii",
      "--quiet",
    );
    for (const name of ["", "-runs"])
      expect(readFileSync(at(`c${name}.csv`), "utf8")).toBe(readFileSync(at(`w${name}.csv`), "utf8"));
    expect((await skerry(...call, ...crop, "--pick", "0,0,0", "-o", "x.nii")).err).toBe(
      "skerry: Expected points within the crop 3,1,1,3,4,3, got 0,0,0.\n",
    );
    const part = await openPicture(at("c.nii"));
    await part.close();
    expect(part.space.toWorld?.map((row) => row[3])).toEqual([38.5, expect.closeTo(-6.4, 5), 13]);
  });

  test("stacks and images of OME keep place and unit from file to file", async () => {
    const plain = {
      ...volume(labels),
      toWorld: [
        [0.5, 0, 0, 40],
        [0, 0.6, 0, -7],
        [0, 0, 2, 11],
      ],
    };
    ometiff(at("ome.tif"), plain, { told: "um" });
    omezarr(at("image.zarr"), plain, { told: "mm" });
    for (const input of ["ome.tif", "image.zarr"]) {
      for (const output of ["o.nii", "o.tif", "o.zarr"]) {
        await skerry(
          "label",
          input,
          "--threshold",
          ">0",
          "-o",
          output,
          "--quiet",
          ...(output === "o.zarr" ? ["--overwrite"] : []),
        );
        const { code, err } = await skerry(
          "label",
          output,
          "--by",
          "labels",
          "--intensity",
          input,
          "--regions",
          "o.csv",
          "--json",
        );
        expect([input, output, code, err]).toEqual([input, output, 0, ""]);
      }
    }
  });

  test("distances in a sheared grid are refused with --physical, and volumes are those of the determinant", async () => {
    const sheared = {
      ...volume(labels),
      toWorld: [
        [1, 0, 1, 0],
        [0, 1, 0, 0],
        [0, 0, 2, 0],
      ],
    };
    nifti(at("sheared.nii"), sheared);
    const call = ["label", "sheared.nii", "--threshold", ">1", "--physical"];
    const { err } = await skerry(...call, "--dilate", "1", "-o", "x.nii");
    expect(err).toContain("Expected no --dilate with --physical for sheared.nii, whose grid is sheared");
    await skerry(...call, "--properties", "area", "--regions", "s.csv", "--quiet");
    expect(Number(table("s.csv")[0].area)).toBeCloseTo(2 * labels.filter((label) => label === 2).length, 4);
  });
});

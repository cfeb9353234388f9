// The how-tos as readers follow them: the first command of each page, on rendered inputs, gives what scikit-image, GDAL and nibabel give.

import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { mapAffineOf, spacingOf } from "@skerry/files";
import { lengthUnitOf } from "@skerry/files/internal";
import { openPicture, rasterOf } from "@skerry/files/node";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Rendered, rendered } from "./support/rendered.js";
import { type Result, run } from "./support/run.js";

let folder: string;
let expected: Rendered["expected"];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "skerry-how-to-"));
  expected = rendered(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the first command of a page. */
async function follow(page: string): Promise<Result> {
  const text = readFileSync(new URL(`../../../docs/how-to/${page}.md`, import.meta.url), "utf8");
  const [, command = ""] = /```sh\nskerry (.*)\n```/.exec(text) ?? [];
  return run(command.replaceAll(/['"]/g, "").split(" "), folder);
}

/** Rows of a table as numbers, without the column of labels. */
const table = (name: string): number[][] =>
  readFileSync(join(folder, name), "utf8")
    .trim()
    .split("\n")
    .slice(1)
    // Without the label and the unit.
    .map((line) => line.split(",").slice(1, -1).map(Number));

const close = (values: readonly number[]): unknown => values.map((value) => expect.closeTo(value, 3));

test("cells of an OME-Zarr volume", async () => {
  cpSync(fileURLToPath(new URL("../../../samples/cells.zarr", import.meta.url)), join(folder, "cells.zarr"), {
    recursive: true,
  });
  expect((await follow("zarr")).err).toBe("");
  const rows = readFileSync(join(folder, "cells.zarr/labels/nuclei/tables/regions.csv"), "utf8").trim().split("\n");
  expect(rows.length - 1).toBe(104);
});

test("nuclei with a second marker, in µm²", async () => {
  expect((await follow("second-marker")).err).toBe("");
  expect(readFileSync(join(folder, "cells.csv"), "utf8").split("\n")[0]).toBe("label,area,mean_marker,unit");
  expect(table("cells.csv")).toEqual(expected.nuclei.map(close));
});

test("areas of a class map in square metres", async () => {
  expect((await follow("map-areas")).code).toBe(0);
  const { features, crs } = JSON.parse(readFileSync(join(folder, "landcover.geojson"), "utf8"));
  expect(crs.properties.name).toBe("urn:ogc:def:crs:EPSG::32633");
  const areas: Record<string, number> = {};
  for (const { properties } of features) areas[properties.value] = (areas[properties.value] ?? 0) + properties.area;
  expect(areas).toEqual(expected.landcover);
});

test("the same map at half its scale lies in the same place", async () => {
  const [whole, half] = [
    await openPicture(join(folder, "landcover.tif")),
    await openPicture(join(folder, "landcover.tif"), { level: 1 }),
  ];
  await Promise.all([whole.close(), half.close()]);
  const [a, b, c, d, e, f] = mapAffineOf(whole.space) ?? [];
  expect(mapAffineOf(half.space)).toEqual([2 * (a ?? 0), 2 * (b ?? 0), c, 2 * (d ?? 0), 2 * (e ?? 0), f]);
  expect([spacingOf(half.space), lengthUnitOf(half.space)]).toEqual([[40, 40], "m"]);
});

test("depressions of a height model", async () => {
  expect((await follow("depressions")).code).toBe(0);
  expect(table("pits.csv").map(([area, , , least]) => [area, least])).toEqual(expected.dem.map(close));
  expect(expected.dem.length).toBeGreaterThan(1);
});

test("one channel and one time of a hyperstack", async () => {
  expect((await follow("hyperstack")).code).toBe(0);
  expect(table("channel1.csv").map(([area]) => area)).toEqual(close(expected.hyperstack));
});

test("the mask of one organ, back onto its scan", async () => {
  expect((await follow("organ")).code).toBe(0);
  const { volume, mean, affine } = expected.organ;
  expect(table("liver.csv")).toEqual([close([volume, mean])]);
  const mask = await openPicture(join(folder, "liver.nii.gz"));
  const { data } = await rasterOf(mask);
  await mask.close();
  expect(Array.from(data).reduce((sum, value) => sum + value, 0)).toBe(Math.round(volume / (1.1 * 1.2 * 2.5)));
  expect(mask.space.toWorld?.flat()).toEqual(close(affine));
});

test("a folder of photographs, one of them broken, to one table", async () => {
  const { code, err } = await follow("photographs");
  expect(code).toBe(1);
  expect(err).toMatch(
    /^skerry: Could not read photos\/p4\.png: .*\nskerry: 1 of 5 inputs failed; the others are done\.\n$/,
  );
  const rows = readFileSync(join(folder, "all.csv"), "utf8").trim().split("\n").slice(1);
  expect(rows.map((row) => row.split(",")).map(([input, , area]) => [input, Number(area)])).toEqual(expected.photos);
});

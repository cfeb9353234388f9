// GeoTIFFs: outlines and centroids in coordinates of the map, areas in square metres, outputs that lie on their input. The polygons are
// those of gdal_polygonize.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mapAffineOf } from "@skerry/files";
import { openPicture } from "@skerry/files/node";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { golden } from "../../skerry/test/support/golden.js";
import { run } from "./support/run.js";

type Ring = readonly (readonly [number, number])[];
interface Rendered {
  readonly files: Readonly<Record<string, { readonly file: string; readonly transform: readonly number[] }>>;
  readonly polygons: readonly { value: number; area: number; geometry: { type: string; coordinates: Ring[] } }[];
  readonly width: number;
  readonly height: number;
}

const script = readFileSync(new URL("./render-classes.py", import.meta.url), "utf8");
const rendered = JSON.parse(golden("maps-gdal", { modules: "osgeo", script, input: "" }).toString()) as Rendered;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "skerry-maps-"));
  for (const [name, { file }] of Object.entries(rendered.files)) {
    writeFileSync(join(folder, `${name}.tif`), Buffer.from(file, "base64"));
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

const skerry = (...args: string[]) => run(args, folder);
const text = (name: string): string => readFileSync(join(folder, name), "utf8");

/** A ring whichever corner it begins with and whichever way it goes: its edges, without corners on straight lines. */
function edgesOf(ring: Ring): string[] {
  const open = ring.slice(0, -1);
  const corners = open.filter(([x, y], i) => {
    const [[px, py], [nx, ny]] = [open[(i + open.length - 1) % open.length], open[(i + 1) % open.length]];
    return (x - px) * (ny - y) !== (y - py) * (nx - x);
  });
  return corners.map((corner, i) => [corner, corners[(i + 1) % corners.length]].map(String).sort().join(" ")).sort();
}

const keyOf = (value: number, rings: readonly Ring[]): string =>
  `${value}: ${rings.flatMap(edgesOf).sort().join(" | ")}`;

test("a class map in UTM: polygons, classes and square metres are those of gdal_polygonize", async () => {
  const { code, err } = await skerry(
    "label",
    "utm.tif",
    "--by",
    "value",
    "--world",
    "--physical",
    "--outlines",
    "out.geojson",
    "--quiet",
  );
  expect([code, err]).toEqual([0, ""]);
  const { crs, features } = JSON.parse(text("out.geojson"));
  expect(crs.properties.name).toBe("urn:ogc:def:crs:EPSG::32632");
  const own = features.map(
    ({ properties, geometry }: { properties: { value: number }; geometry: { coordinates: Ring[] } }) =>
      keyOf(properties.value, geometry.coordinates),
  );
  const theirs = rendered.polygons.map(({ value, geometry }) => keyOf(value, geometry.coordinates));
  expect(own.sort()).toEqual(theirs.sort());
  expect(theirs.length).toBeGreaterThan(50);
  const areas = (all: readonly { area: number }[]): number[] => all.map(({ area }) => area).sort((a, b) => a - b);
  expect(areas(features.map((each: { properties: { area: number } }) => each.properties))).toEqual(
    areas(rendered.polygons),
  );
});

test("attributes by --properties, and the same features in FlatGeobuf", async () => {
  const wanted = ["--by", "value", "--world", "--physical", "--properties", "area,centroid,perimeter"];
  await skerry("label", "utm.tif", ...wanted, "--outlines", "more.geojson", "--regions", "more.csv", "--quiet");
  const [feature] = JSON.parse(text("more.geojson")).features;
  expect(Object.keys(feature.properties)).toEqual(["label", "value", "area", "centroid_x", "centroid_y", "perimeter"]);
  const [names, row] = text("more.csv").split("\n");
  expect(names).toBe("label,value,area,centroid_x,centroid_y,perimeter,unit");
  expect(row).toBe([...Object.values(feature.properties), "m"].join(","));
  const [a, b] = [feature.properties.centroid_x, feature.properties.centroid_y];
  expect(a).toBeGreaterThan(600000);
  expect(b).toBeGreaterThan(5299000);
  expect(b).toBeLessThan(5300001);
  expect((await skerry("label", "utm.tif", ...wanted, "--outlines", "out.fgb", "--quiet")).err).toBe("");
  const { deserialize } = await import("flatgeobuf/lib/mjs/geojson.js");
  const read: { properties: Record<string, number> }[] = [];
  for await (const each of deserialize(new Uint8Array(readFileSync(join(folder, "out.fgb"))))) read.push(each as never);
  const { features } = JSON.parse(text("more.geojson")) as { features: { properties: Record<string, number> }[] };
  expect(read.map(({ properties }) => properties)).toEqual(features.map(({ properties }) => properties));
});

describe("places", () => {
  const outputs = ["-o", "labels.tif"];
  test.each(Object.keys(rendered.files))("labels, masks, distances and classes of %s lie on it", async (name) => {
    const input = await openPicture(join(folder, `${name}.tif`));
    await input.close();
    const [x, a, b, y, d, e] = rendered.files[name].transform;
    const near = (values: readonly number[]): unknown => values.map((value) => expect.closeTo(value, 6));
    expect(mapAffineOf(input.space)).toEqual(near([a, b, x, d, e, y]));
    for (const args of [
      ["label", `${name}.tif`, "--threshold", "nonzero", ...outputs],
      ["fill", `${name}.tif`, "--at", "3,3", "--mask", "labels.tif"],
      ["mask", `${name}.tif`, ...outputs],
      ["distance", `${name}.tif`, "--threshold", "nonzero", ...outputs],
      ["kmeans", `${name}.tif`, "-k", "2", "--classes", "labels.tif"],
      ["kmeans", `${name}.tif`, "-k", "2", "-o", "labels.tif"],
      ["fill", `${name}.tif`, "--at", "3,3", "-o", "labels.tif"],
    ]) {
      expect((await skerry(...args, "--quiet")).err).toBe("");
      const output = await openPicture(join(folder, "labels.tif"));
      await output.close();
      expect([output.space.toWorld, output.space.crs]).toEqual([input.space.toWorld, input.space.crs]);
    }
  });

  test("a part of a map lies where it is cut out", async () => {
    await skerry("label", "utm.tif", "--crop", "8,4,20,16", "--threshold", "nonzero", "-o", "part.tif", "--quiet");
    const part = await openPicture(join(folder, "part.tif"));
    await part.close();
    expect(mapAffineOf(part.space)).toEqual([10, 0, 600080.5, 0, -10, 5299960.25]);
  });

  test("feet are metres times 0.3048, degrees have no areas, and places that are none are told", async () => {
    await skerry(
      "label",
      "feet.tif",
      "--threshold",
      "nonzero",
      "--physical",
      "--regions",
      "f.csv",
      "--properties",
      "area",
      "--quiet",
    );
    await skerry(
      "label",
      "feet.tif",
      "--threshold",
      "nonzero",
      "--regions",
      "p.csv",
      "--properties",
      "area",
      "--quiet",
    );
    const area = (name: string): number => Number(text(name).split("\n")[1].split(",")[1]);
    expect(area("f.csv")).toBeCloseTo(area("p.csv") * (5 * (1200 / 3937)) ** 2, 6);
    const degrees = await skerry("label", "degrees.tif", "--threshold", "nonzero", "--physical", "--regions", "d.csv");
    expect(degrees).toMatchObject({
      code: 2,
      err: "skerry: Expected a size of a pixel for --physical: degrees.tif tells degrees, which have none; reproject it to metres.\n",
    });
    await skerry("mask", "utm.tif", "-o", "nowhere.png", "--quiet");
    expect((await skerry("label", "nowhere.png", "--world", "--regions", "n.csv")).err).toBe(
      "skerry: Expected nowhere.png to be georeferenced for --world, as a GeoTIFF is, but it is not.\n",
    );
    expect((await skerry("label", "nowhere.png", "--physical", "--regions", "n.csv")).err).toBe(
      "skerry: Expected a size of a pixel for --physical: nowhere.png tells none; give --spacing X,Y.\n",
    );
  });

  test("no objects, no features; two names of one output, one sentence", async () => {
    await skerry(
      "label",
      "utm.tif",
      "--threshold",
      "nonzero",
      "--min-area",
      "99999",
      "--world",
      "--outlines",
      "none.fgb",
      "--quiet",
    );
    const { deserialize } = await import("flatgeobuf/lib/mjs/geojson.js");
    const read: unknown[] = [];
    for await (const each of deserialize(new Uint8Array(readFileSync(join(folder, "none.fgb"))))) read.push(each);
    expect(read).toEqual([]);
    expect(await skerry("label", "utm.tif", "-o", "a.tif", "-o", "b.tif")).toMatchObject({
      code: 2,
      err: "skerry: Expected -o once, got a.tif and b.tif.\n",
    });
  });

  test("the resolution of pictures counts where it is asked for", async () => {
    const picture = sharp(new Uint8Array(300).fill(9), { raw: { width: 20, height: 15, channels: 1 } }).withMetadata({
      density: 254,
    });
    await picture.clone().png().toFile(join(folder, "dense.png"));
    await picture.clone().tiff({ compression: "none" }).toFile(join(folder, "dense.tif"));
    for (const name of ["dense.png", "dense.tif"]) {
      const call = [
        "label",
        name,
        "--threshold",
        "nonzero",
        "--physical",
        "--properties",
        "area",
        "--regions",
        "dense.csv",
        "--quiet",
      ];
      expect((await skerry(...call)).code).toBe(2);
      expect((await skerry(...call, "--spacing", "file")).err).toBe("");
      expect(Number(text("dense.csv").split("\n")[1].split(",")[1])).toBeCloseTo(3, 3);
      await skerry(...call, "--spacing", "file", "--unit", "um");
      expect(Number(text("dense.csv").split("\n")[1].split(",")[1])).toBeCloseTo(3e6, -3);
    }
  });

  test("--unit converts, --spacing file takes the resolution", async () => {
    const area = async (...args: string[]): Promise<number> => {
      const call = ["--threshold", "nonzero", "--physical", "--regions", "u.csv", "--properties", "area", "--quiet"];
      const { err } = await skerry("label", "utm.tif", ...call, ...args);
      expect(err).toBe("");
      return Number(text("u.csv").split("\n")[1].split(",")[1]);
    };
    const metres = await area();
    expect(await area("--unit", "km")).toBeCloseTo(metres / 1e6, 9);
    expect(await area("--spacing", "2,3", "--unit", "um")).toBeCloseTo((metres / 100) * 6, 6);
    expect((await skerry("label", "utm.tif", "--unit", "furlong")).code).toBe(2);
    expect((await skerry("label", "utm.tif", "--nodata", "7", "--spacing", "file", "-o", "x.npy", "--quiet")).err).toBe(
      "",
    );
  });
});

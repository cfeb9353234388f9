// Files of outlines against readers of their formats by hand: areas, orientation, holes, what is drawn.

import { inflateRawSync } from "node:zlib";
import { MemoryOutput, writeCocoPolygons, writeGeoJson, writeRois, writeSvg, writeTiff } from "@skerry/files";
import { labelValues, shapesOf } from "@skerry/files/internal";
import sharp from "sharp";
import { type Components, type Engine, type Outlines, open } from "skerry";
import { afterAll, beforeAll, expect, test } from "vitest";
import { golden } from "../../skerry/test/support/golden.js";

const [width, height] = [60, 44];
let engine: Engine;
let found: Components;
let outlines: Outlines;
let area: ArrayLike<number>;
beforeAll(async () => {
  engine = await open({ device: "cpu", threads: 2 });
  const data = Uint8Array.from({ length: width * height }, (_, at) => {
    const [x, y] = [at % width, Math.floor(at / width)];
    const value = Math.sin(x / 3) + Math.cos(y / 4);
    return Number(value > 0.3 && (x > 40 || value < 1.6));
  });
  found = await engine.components({ data, width, height });
  outlines = await found.outlines();
  area = (await found.regions({ properties: ["area"] })).area as Uint32Array;
  expect(outlines.hole).toContain(1);
});
afterAll(() => engine.close());

async function written(write: (file: MemoryOutput) => Promise<unknown>): Promise<Uint8Array> {
  const file = new MemoryOutput();
  await write(file);
  return file.bytes();
}

const textOf = async (write: (file: MemoryOutput) => Promise<unknown>): Promise<string> =>
  new TextDecoder().decode(await written(write));

/** The signed area of corners. */
const areaOf = (ring: readonly (readonly number[])[]): number =>
  ring.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = ring[(i + 1) % ring.length];
    return sum + x * nextY - nextX * y;
  }, 0) / 2;

type Ring = [number, number][];
interface Feature {
  readonly id: number;
  readonly properties: Record<string, unknown>;
  readonly geometry: { readonly type: string; readonly coordinates: Ring[] };
}

test("GeoJSON: closed rings, counterclockwise around objects whatever the map, areas", async () => {
  const maps = [undefined, [1, 0, 0, 0, 1, 0], [0.5, 0, 10, 0, -0.25, 50], [0, 2, 1, 3, 0, 4]] as const;
  for (const affine of maps) {
    const [a, b, , d, e] = affine ?? [1, 0, 0, 0, 1, 0];
    const scale = Math.abs(a * e - b * d);
    const properties = (label: number) => ({ area: area[label - 1] });
    const text = await textOf((file) => writeGeoJson(file, outlines, { properties, ...(affine ? { affine } : {}) }));
    const { type, features } = JSON.parse(text) as { type: string; features: Feature[] };
    expect(type).toBe("FeatureCollection");
    expect(features.map(({ id }) => id)).toEqual(Array.from({ length: found.count }, (_, i) => i + 1));
    for (const { properties, geometry } of features) {
      expect(geometry.type).toBe("Polygon");
      const [outer, ...holes] = geometry.coordinates as [Ring, ...Ring[]];
      for (const ring of geometry.coordinates) expect(ring.at(-1)).toEqual(ring[0]);
      expect(areaOf(outer)).toBeGreaterThan(0);
      for (const hole of holes) expect(areaOf(hole)).toBeLessThan(0);
      expect(geometry.coordinates.reduce((sum, ring) => sum + areaOf(ring), 0)).toBeCloseTo(
        (properties.area as number) * scale,
        9,
      );
    }
  }
});

test("objects in pieces are MultiPolygons, and their holes lie in the right ones", async () => {
  const rows = ["####..###", "#..#..#.#", "####..###", ".........", "..#......"];
  const data = Uint8Array.from(rows.join(""), (letter) => (letter === "#" ? 7 : 0));
  const pieces = await engine.labelled({ data, width: 9, height: 5 });
  const [shape] = [...shapesOf(await pieces.outlines())];
  expect(shape?.polygons.map(({ holes }) => holes.length)).toEqual([1, 1, 0]);
  expect([...(shape?.polygons[1]?.holes[0] ?? [])].slice(0, 2)).toEqual([7, 1]);
  const text = await textOf(async (file) => writeGeoJson(file, await pieces.outlines()));
  expect(JSON.parse(text).features[0].geometry.type).toBe("MultiPolygon");
});

test("simplified: holes lie in their own pieces, and lines are no polygons", async () => {
  const data = Uint8Array.from([..."110001111101111"], Number);
  const pieces = await engine.labelled({ data, width: 3, height: 5 });
  for (const tolerance of [0, 1.5]) {
    const [shape] = [...shapesOf(await pieces.outlines({ tolerance }))];
    const withHole = shape?.polygons.filter(({ holes }) => holes.length > 0) ?? [];
    expect(withHole).toHaveLength(1);
    expect(withHole[0]?.outer.some((n, i) => i % 2 === 1 && n === 5)).toBe(true);
  }
  // One pixel between two areas, all of whose borders are shared, stays an area.
  const strip = Uint8Array.from({ length: 81 }, (_, at) => (Math.floor(at / 9) < 4 ? 1 : at === 40 ? 2 : 3));
  const areas = await engine.components({ data: strip, width: 9, height: 9 }, { by: "value", background: null });
  const simple = await areas.outlines({ tolerance: 2 });
  const { features } = JSON.parse(await textOf((file) => writeGeoJson(file, simple))) as { features: Feature[] };
  expect(features).toHaveLength(3);
  for (const { geometry } of features) {
    for (const ring of geometry?.coordinates ?? []) expect(ring.length).toBeGreaterThanOrEqual(4);
  }
  expect(features.filter(({ geometry }) => geometry === null)).toHaveLength(0);
  const zip = await written((file) => writeRois(file, simple));
  expect(new TextDecoder("latin1").decode(zip)).toContain("label-000003.roi");
});

test("SVG: drawn by librsvg, every pixel has its object's colour", async () => {
  const colourOf = (label: number): [number, number, number] => [label, 255 - label, 100];
  const svg = await textOf((file) => writeSvg(file, outlines, { width, height, colourOf }));
  const { data } = await sharp(Buffer.from(svg)).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const { data: labels } = await found.labels();
  labels.forEach((label, at) => {
    const seen = [...data.subarray(4 * at, 4 * at + 4)];
    if (label ? seen[0] !== label || seen[3] !== 255 : seen[3] !== 0) expect([at, label, seen]).toBe("drawn right");
  });
});

test("COCO: polygons without holes, run lengths for the others", async () => {
  const { annotations } = JSON.parse(await textOf((file) => writeCocoPolygons(file, found, outlines, "a.png")));
  expect(annotations).toHaveLength(found.count);
  let polygons = 0;
  for (const { id, segmentation, area: own } of annotations) {
    expect(own).toBe(area[id - 1]);
    if (!Array.isArray(segmentation)) {
      expect(segmentation.size).toEqual([height, width]);
      expect(outlines.hole.some((hole, ring) => hole === 1 && outlines.label[ring] === id)).toBe(true);
      continue;
    }
    polygons++;
    const [flat] = segmentation as [number[]];
    const ring = Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i], flat[2 * i + 1]] as [number, number]);
    expect(areaOf(ring)).toBe(own);
  }
  expect(polygons).toBeGreaterThan(0);
  expect(polygons).toBeLessThan(found.count);
});

/** The files of a ZIP, by its central directory. */
function unzipped(bytes: Buffer): Map<string, Buffer> {
  const end = bytes.lastIndexOf("PK\x05\x06", undefined, "latin1");
  const files = new Map<string, Buffer>();
  let at = bytes.readUInt32LE(end + 16);
  for (let i = 0; i < bytes.readUInt16LE(end + 10); i++) {
    const [packed, name, extra, comment] = [20, 28, 30, 32].map((field, k) =>
      k === 0 ? bytes.readUInt32LE(at + field) : bytes.readUInt16LE(at + field),
    ) as [number, number, number, number];
    const local = bytes.readUInt32LE(at + 42);
    const begin = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    files.set(bytes.toString("utf8", at + 46, at + 46 + name), inflateRawSync(bytes.subarray(begin, begin + packed)));
    at += 46 + name + extra + comment;
  }
  return files;
}

test("ImageJ's regions: polygons and composites, by ImageJ's layout", async () => {
  const files = unzipped(Buffer.from(await written((file) => writeRois(file, outlines))));
  expect(files.size).toBe(found.count);
  const types = new Set<string>();
  for (const [name, roi] of files) {
    const label = Number(/^label-(\d{6})\.roi$/.exec(name)?.[1]);
    expect(roi.toString("latin1", 0, 4)).toBe("Iout");
    const [top, left, bottom, right] = [8, 10, 12, 14].map((at) => roi.readInt16BE(at)) as [
      number,
      number,
      number,
      number,
    ];
    const corners = roi.readUInt16BE(16);
    const path = roi.readInt32BE(36);
    const rings: [number, number][][] = [];
    if (path === 0) {
      types.add("polygon");
      expect(roi[6]).toBe(8);
      const at = (i: number): number => roi.readInt16BE(64 + 2 * i);
      rings.push(Array.from({ length: corners }, (_, i) => [left + at(i), top + at(corners + i)]));
    } else {
      types.add("composite");
      expect(roi[6]).toBe(1);
      for (let at = 64; at < 64 + 4 * path; ) {
        const kind = roi.readFloatBE(at);
        if (kind === 0) rings.push([]);
        if (kind !== 4) rings.at(-1)?.push([roi.readFloatBE(at + 4), roi.readFloatBE(at + 8)]);
        at += kind === 4 ? 4 : 12;
      }
    }
    expect(rings.reduce((sum, ring) => sum + areaOf(ring), 0)).toBe(area[label - 1]);
    const xs = rings.flat().map(([x]) => x);
    const ys = rings.flat().map(([, y]) => y);
    expect([Math.min(...ys), Math.min(...xs), Math.max(...ys), Math.max(...xs)]).toEqual([top, left, bottom, right]);
    const header2 = roi.readInt32BE(60);
    const [nameAt, length] = [roi.readInt32BE(header2 + 16), roi.readInt32BE(header2 + 20)];
    const letters = Array.from({ length }, (_, i) => String.fromCharCode(roi.readUInt16BE(nameAt + 2 * i)));
    expect(letters.join("")).toBe(name.replace(".roi", ""));
  }
  expect([...types].sort()).toEqual(["composite", "polygon"]);
  const wide = { ...outlines, points: outlines.points.map((n) => n + 40_000) };
  await expect(written((file) => writeRois(file, wide))).rejects.toThrow("at most 32767 for ImageJ's regions");
});

test("GeoJSON: GDAL and shapely read it; polygons are valid, and burn into the labels", async () => {
  const script = `
import sys, json
from osgeo import gdal, ogr
from shapely.geometry import shape
gdal.UseExceptions()
text = sys.stdin.buffer.read().decode()
gdal.FileFromMemBuffer("/vsimem/it.geojson", text.encode())
source = ogr.Open("/vsimem/it.geojson")
layer = source.GetLayer(0)
areas = [feature.GetGeometryRef().GetArea() for feature in layer]
# Pixels with y down are rows of a grid that is the right way up.
grid = gdal.GetDriverByName("MEM").Create("", ${width}, ${height}, 1, gdal.GDT_UInt32)
grid.SetGeoTransform([0, 1, 0, 0, 0, 1])
gdal.RasterizeLayer(grid, [1], layer, options=["ATTRIBUTE=label"])
shapes = [shape(feature["geometry"]) for feature in json.loads(text)["features"]]
print(json.dumps(dict(areas=areas, burnt=grid.ReadAsArray().ravel().tolist(), valid=[s.is_valid for s in shapes],
  shapely=[s.area for s in shapes], hulls=[s.convex_hull.area for s in shapes])))`;
  const text = await textOf((file) => writeGeoJson(file, outlines, { properties: (label) => ({ label }) }));
  const answer = JSON.parse(
    golden("geojson-gdal-shapely", { modules: "osgeo.gdal, shapely", script, input: text }).toString(),
  );
  expect(answer.areas).toEqual([...(area as Uint32Array)]);
  expect(answer.shapely).toEqual([...(area as Uint32Array)]);
  expect(new Set(answer.valid)).toEqual(new Set([true]));
  expect(answer.burnt).toEqual([...(await found.labels()).data]);
  // The hull of an outline is that of the pixels' squares.
  const { convexHull } = await found.regions({ properties: ["convexHull"] });
  const { points, offsets } = convexHull;
  const hulls = Array.from({ length: found.count }, (_, i) => {
    const own = points.subarray(offsets[i], offsets[i + 1]);
    return areaOf(Array.from({ length: own.length / 2 }, (__, k) => [own[2 * k], own[2 * k + 1]]));
  });
  expect(hulls).toEqual(answer.hulls);
});

test("ImageJ opens its regions: each selects the pixels of its object", async () => {
  const script = `
import sys, json, base64, io, os, subprocess, tempfile, zipfile
asked = json.load(sys.stdin)
folder = tempfile.mkdtemp()
zipfile.ZipFile(io.BytesIO(base64.b64decode(asked["zip"]))).extractall(os.path.join(folder, "rois"))
with open(os.path.join(folder, "labels.txt"), "w") as file:
    file.write(",".join(map(str, asked["labels"])))
macro = """setBatchMode(true);
newImage("labels", "8-bit black", ${width}, ${height}, 1);
values = split(File.openAsString("FOLDER/labels.txt"), ",");
for (i = 0; i < values.length; i++) setPixel(i % ${width}, floor(i / ${width}), parseInt(values[i]));
list = getFileList("FOLDER/rois/");
for (i = 0; i < list.length; i++) {
  open("FOLDER/rois/" + list[i]);
  getStatistics(area, mean, min, max);
  print(list[i] + " " + area + " " + min + " " + max);
}""".replace("FOLDER", folder)
with open(os.path.join(folder, "macro.ijm"), "w") as file:
    file.write(macro)
java = ["java", "-cp", "/usr/share/java/ij.jar", "ij.ImageJ", "-batch", os.path.join(folder, "macro.ijm")]
lines = subprocess.run(["xvfb-run", "-a", *java], capture_output=True, text=True, check=True).stdout.split("\\n")
print(json.dumps([line.split() for line in lines if ".roi " in line]))`;
  const { data } = await found.labels();
  const zip = Buffer.from(await written((file) => writeRois(file, outlines))).toString("base64");
  const input = JSON.stringify({ zip, labels: [...data] });
  const seen = JSON.parse(golden("rois-imagej", { modules: "json", script, input }).toString()) as string[][];
  const expected = Array.from(area, (pixels, i) => [`label-${`${i + 1}`.padStart(6, "0")}.roi`, pixels, i + 1, i + 1]);
  expect(seen.map(([name, ...numbers]) => [name, ...numbers.map(Number)])).toEqual(expected);
});

test("ImageJ shows labels of 32 bits from 0 to their number", async () => {
  const script = `
import sys, json, base64, os, subprocess, tempfile
folder = tempfile.mkdtemp()
with open(os.path.join(folder, "labels.tif"), "wb") as file:
    file.write(base64.b64decode(json.load(sys.stdin)))
with open(os.path.join(folder, "macro.ijm"), "w") as file:
    file.write('open("%s/labels.tif"); getMinAndMax(min, max); getStatistics(a, m, low, high); print("seen " + bitDepth() + " " + min + " " + max + " " + low + " " + high);' % folder)
java = ["java", "-cp", "/usr/share/java/ij.jar", "ij.ImageJ", "-batch", os.path.join(folder, "macro.ijm")]
lines = subprocess.run(["xvfb-run", "-a", *java], capture_output=True, text=True, check=True).stdout.split("\\n")
print(json.dumps([line.split()[1:] for line in lines if line.startswith("seen")]))`;
  const { layout, fill } = labelValues(found, "u32");
  const input = JSON.stringify(Buffer.from(await written((file) => writeTiff(file, layout, fill))).toString("base64"));
  const seen = JSON.parse(golden("labels-imagej", { modules: "json", script, input }).toString()) as string[][];
  expect(seen).toEqual([["32", "0", `${found.count}`, "0", `${found.count}`]]);
});

test("GEOS: polygons of noise are valid, exact and simplified", async () => {
  const engine = await open({ device: "cpu", threads: 1 });
  const texts: string[] = [];
  let seed = 12345;
  const next = (): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed >>> 8;
  };
  for (const density of [3, 5, 7]) {
    const size = { width: 60, height: 45 };
    const data = Uint8Array.from({ length: 60 * 45 }, () => Number(next() % 10 < density));
    for (const connectivity of [4, 8] as const) {
      const found = await engine.components({ data, ...size }, { connectivity });
      for (const tolerance of [0, 0.75, 1.5, 4]) {
        const simple = await found.outlines({ rings: "simple", tolerance });
        texts.push(await textOf((file) => writeGeoJson(file, simple)));
      }
      found.dispose();
    }
  }
  await engine.close();
  const script = `import json, sys
import shapely
from shapely.geometry import shape
texts = json.load(sys.stdin)
out = []
for text in texts:
    features = [shape(f["geometry"]) for f in json.loads(text)["features"]]
    out.append([len(features), sum(f.is_valid and f.area > 0 for f in features)])
sys.stdout.write(json.dumps(out))`;
  const answer = golden("geojson-geos", { modules: "shapely", script, input: JSON.stringify(texts) });
  const counts = JSON.parse(answer.toString()) as [number, number][];
  expect(counts).toHaveLength(24);
  for (const [features, valid] of counts) {
    expect(features).toBeGreaterThan(0);
    expect(valid).toBe(features);
  }
});

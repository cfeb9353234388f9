// Outlines against their definition: they rasterise to the mask, their signed areas are the areas, every ring begins where
// it should and turns at every corner; rings are GDAL's. Simplified ones keep shared borders shared.

import { type Components, type Engine, type Outlines, open } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { faultOf } from "./oracles/polygons.js";
import { devicesOf } from "./support/devices.js";
import { golden } from "./support/golden.js";
import { expectSame } from "./support/same.js";
import { noise, random, shapes } from "./support/shapes.js";

const { DEVICES } = devicesOf("values");

/** Labels drawn from rings: between pairs of vertical borders of a row a pixel is of the object. */
function rasterised({ count, points, rings, label }: Outlines, width: number, height: number): Uint32Array {
  const crossings = new Map<number, number[]>();
  for (let ring = 0; ring < count; ring++) {
    const own = points.subarray(rings[ring], rings[ring + 1]);
    for (let i = 0; i < own.length; i += 2) {
      const [x, y] = [own[i]!, own[i + 1]!];
      const [nextX, nextY] = [own[(i + 2) % own.length]!, own[(i + 3) % own.length]!];
      if (x !== nextX) continue;
      for (let row = Math.min(y, nextY); row < Math.max(y, nextY); row++) {
        const key = label[ring]! * height + row;
        const own = crossings.get(key);
        if (own) own.push(x);
        else crossings.set(key, [x]);
      }
    }
  }
  const labels = new Uint32Array(width * height);
  for (const [key, columns] of crossings) {
    columns.sort((a, b) => a - b);
    const [own, row] = [Math.floor(key / height), key % height];
    for (let i = 0; i < columns.length; i += 2)
      labels.fill(own, row * width + columns[i]!, row * width + columns[i + 1]!);
  }
  return labels;
}

const doubled = (ring: Int32Array): number => {
  let sum = 0;
  for (let i = 0; i < ring.length; i += 2) {
    const next = (i + 2) % ring.length;
    sum += ring[i]! * ring[next + 1]! - ring[next]! * ring[i + 1]!;
  }
  return sum;
};

/** The places of holes of a label: what its complement has beside the outside, joined as the object is not. */
function holesOf(labels: Uint32Array, label: number, width: number, height: number, eight: boolean): number {
  const [w, h] = [width + 2, height + 2];
  const isOut = (x: number, y: number): boolean =>
    x === 0 || y === 0 || x > width || y > height || labels[(y - 1) * width + x - 1] !== label;
  const seen = new Uint8Array(w * h);
  let found = 0;
  for (let start = 0; start < w * h; start++) {
    if (seen[start] || !isOut(start % w, Math.floor(start / w))) continue;
    found++;
    const open = [start];
    seen[start] = 1;
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (let dy = -1; dy <= 1; dy++) {
        for (let dx = -1; dx <= 1; dx++) {
          // Background joins by corners where objects do not.
          if (eight && dx !== 0 && dy !== 0) continue;
          const [x, y] = [(at % w) + dx, Math.floor(at / w) + dy];
          if (x < 0 || y < 0 || x >= w || y >= h || seen[y * w + x] || !isOut(x, y)) continue;
          seen[y * w + x] = 1;
          open.push(y * w + x);
        }
      }
    }
  }
  return found - 1;
}

/** Checks every law on components of an image. */
async function checkLaws(found: Components, eight: boolean): Promise<void> {
  const { width, height, count } = found;
  const outlines = await found.outlines();
  const { points, rings, label, hole } = outlines;
  expect(rings[0]).toBe(0);
  expect(rings[outlines.count]).toBe(points.length);
  const { data: labels } = await found.labels();
  expectSame(rasterised(outlines, width, height), labels);
  const { area } = await found.regions({ properties: ["area"] });
  const areas = new Float64Array(count);
  const seen = { outer: new Uint32Array(count + 1), holes: new Uint32Array(count + 1) };
  let before = [-1, -1, -1, -1];
  for (let ring = 0; ring < outlines.count; ring++) {
    const own = points.subarray(rings[ring], rings[ring + 1]);
    const twice = doubled(own);
    areas[label[ring]! - 1]! += twice / 2;
    (hole[ring] ? seen.holes : seen.outer)[label[ring]!]!++;
    // Sorted by label, holes last, then by the first corner.
    const key = [label[ring]!, hole[ring]!, own[1]!, own[0]!];
    const differs = key.findIndex((value, i) => value !== before[i]);
    if (differs < 0 || key[differs]! <= before[differs]!) expect(key).toBe("after the ring before");
    before = key;
    // Rows and columns in turn; the first corner is the first in raster order.
    let wrong = 0;
    for (let i = 0; i < own.length; i += 2) {
      const next = (i + 2) % own.length;
      const isRow = own[i + 1] === own[next + 1];
      const after = (i + 4) % own.length;
      const turns = isRow !== (own[i] === own[next]) && isRow === (own[next] === own[after]);
      const isFirst = own[i + 1]! > own[1]! || (own[i + 1] === own[1] && own[i]! >= own[0]!);
      if (!turns || !isFirst) wrong++;
    }
    if (wrong > 0 || twice > 0 !== (hole[ring] === 0)) expect([ring, wrong, twice, hole[ring]]).toBe("a ring");
  }
  expectSame(areas, Float64Array.from(area as Uint32Array));
  for (let each = 1; each <= Math.min(count, 12); each++) {
    expect(seen.outer[each]).toBe(1);
    expect(seen.holes[each]).toBe(holesOf(labels, each, width, height, eight));
  }
}

describe.each(DEVICES)("$name", (options) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(options);
  });
  afterAll(() => engine.close());

  test.each(shapes().map((shape) => [shape.name, shape] as const))("%s", async (_, shape) => {
    for (const connectivity of [4, 8] as const) {
      const found = await engine.components(shape, { connectivity });
      await checkLaws(found, connectivity === 8);
      found.dispose();
    }
  });

  test.each([0.2, 0.5, 0.7])("noise of %d", async (density) => {
    for (const connectivity of [4, 8] as const) {
      const found = await engine.components(noise(70, 50, density, 2, 9), { connectivity });
      await checkLaws(found, connectivity === 8);
      found.dispose();
    }
  });

  test("areas of equal value, labels in pieces, and some labels alone", async () => {
    const next = random(4);
    const data = Uint8Array.from({ length: 60 * 40 }, () => next() % 4);
    const areas = await engine.components({ data, width: 60, height: 40 }, { by: "value", connectivity: 8 });
    const outlines = await areas.outlines();
    expectSame(rasterised(outlines, 60, 40), (await areas.labels()).data);
    const some = await areas.outlines({ labels: [9, 3, 9] });
    expect([...new Set(some.label)]).toEqual([3, 9]);
    const pick = (which: number): number[] => {
      const ring = outlines.label.indexOf(which);
      return [...outlines.points.subarray(outlines.rings[ring], outlines.rings[ring + 1])];
    };
    expect([...some.points.subarray(0, some.rings[1])]).toEqual(pick(3));
    const pieces = await engine.labelled({ data: data.map((value) => value % 3), width: 60, height: 40 });
    expectSame(rasterised(await pieces.outlines(), 60, 40), (await pieces.labels()).data);
  });

  test("by tolerance: neighbours of one object that do not join have no border between them", async () => {
    for (const [k, [width, height]] of [
      [2, 3],
      [40, 31],
      [67, 52],
    ].entries()) {
      const next = random(k + 3);
      const small = Uint8Array.of(1, 1, 3, 1, 3, 2);
      const data = k === 0 ? small : Uint8Array.from({ length: width! * height! }, () => next() & 255);
      for (const connectivity of [4, 8] as const) {
        const by = { tolerance: k === 0 ? 1 : 60 };
        const found = await engine.components({ data, width: width!, height: height! }, { by, connectivity });
        await checkLaws(found, connectivity === 8);
        const { holes, eulerNumber } = await found.regions({ properties: ["holes", "eulerNumber"] });
        expectSame(
          holes,
          Uint32Array.from(eulerNumber, (euler) => 1 - euler),
        );
        const { points } = await found.outlines({ tolerance: 1 });
        expect(points.length).toBeLessThanOrEqual((await found.outlines()).points.length);
        found.dispose();
      }
    }
  });

  test("rings that touch themselves, or the corner of the image, stay polygons", async () => {
    const rows: [string[], 4 | 8][] = [
      [["....", ".1..", "..1.", "...."], 8],
      [["......", ".11...", ".11...", "...1..", "......"], 8],
      [["111...", "111...", "111...", "......"], 4],
      [["1.", ".."], 4],
      [["11111", "1.111", "11.11", "11111"], 4],
    ];
    for (const [picture, connectivity] of rows) {
      const [width, height] = [picture[0]!.length, picture.length];
      const data = Uint8Array.from(picture.join(""), (letter) => Number(letter === "1"));
      const found = await engine.components({ data, width, height }, { connectivity });
      for (const tolerance of [0.8, 1, 1.5, 3, 30]) {
        const { count, points, rings } = await found.outlines({ tolerance });
        for (let ring = 0; ring < count; ring++) {
          const own = points.subarray(rings[ring], rings[ring + 1]);
          const corners = Array.from({ length: own.length / 2 }, (_, i) => `${own[2 * i]} ${own[2 * i + 1]}`);
          expect(corners.length, `${picture} ${tolerance}`).toBeGreaterThanOrEqual(3);
          // No corner follows itself, and the first does not come again.
          expect(corners.some((corner, i) => corner === corners[(i + 1) % corners.length])).toBe(false);
        }
      }
      found.dispose();
    }
  });

  test("stairs and battlements do not take the square of their length", async () => {
    const [width, height] = [20_000, 8];
    const data = Uint8Array.from({ length: width * height }, (_, at) => {
      const [x, y] = [at % width, Math.floor(at / width)];
      return ((y + (x & 1)) >> 1) % 3;
    });
    const found = await engine.components({ data, width, height }, { by: "value", background: null });
    // Ten seconds before parts were halved, some milliseconds since; the test ends in time, or fails.
    const { points } = await found.outlines({ tolerance: 0.5 });
    expect(points.length).toBeGreaterThan(width);
    found.dispose();
  }, 5000);

  test("areas that cover an image cover it when they are simplified, up to its corners", async () => {
    const side = 20;
    const data = Uint8Array.from({ length: side * side }, (_, at) => {
      const [x, y] = [at % side, Math.floor(at / side)];
      return x + y === 0 ? 1 : x > 16 && y > 16 ? 2 : 3;
    });
    const areas = await engine.components({ data, width: side, height: side }, { by: "value" });
    for (const tolerance of [0.71, 1, 3, 50]) {
      const { count, points, rings } = await areas.outlines({ tolerance });
      let all = 0;
      for (let ring = 0; ring < count; ring++) all += doubled(points.subarray(rings[ring], rings[ring + 1])) / 2;
      expect(all).toBe(side * side);
    }
    areas.dispose();
  });

  test("GDAL's polygonize: the same rings, but that GDAL cuts those that touch themselves", async () => {
    const { data, width, height } = noise(50, 40, 0.6, 2, 3);
    // Every polygon's rings as lists of corners, each from its first corner in raster order on.
    const script = `import sys, json
from osgeo import gdal, ogr
import numpy as np
gdal.UseExceptions()
a = np.frombuffer(sys.stdin.buffer.read(), np.uint8).reshape(${height}, ${width})
source = gdal.GetDriverByName("MEM").Create("", ${width}, ${height}, 1, gdal.GDT_Byte)
source.GetRasterBand(1).WriteArray(a)
holder = ogr.GetDriverByName("Memory").CreateDataSource("")
layer = holder.CreateLayer("a")
gdal.Polygonize(source.GetRasterBand(1), source.GetRasterBand(1), layer, -1, [])
def corners(ring):
    p = [(int(round(x)), int(round(y))) for x, y in ring.GetPoints(2)][:-1]
    p = [q for i, q in enumerate(p) if not (p[i-1][0] == q[0] == p[(i+1) % len(p)][0] or p[i-1][1] == q[1] == p[(i+1) % len(p)][1])]
    return sorted(p)
out = []
for feature in layer:
    g = feature.GetGeometryRef()
    out.append([corners(g.GetGeometryRef(i)) for i in range(g.GetGeometryCount())])
out.sort()
sys.stdout.write(json.dumps(out))`;
    const answer = JSON.parse(golden("polygonize", { modules: "osgeo.gdal", script, input: data }).toString()) as [
      number,
      number,
    ][][][];
    const found = await engine.components({ data, width, height }, { connectivity: 4 });
    const { count, points, rings, label } = await found.outlines();
    const own: number[][][][] = Array.from({ length: found.count }, () => []);
    for (let ring = 0; ring < count; ring++) {
      own[label[ring]! - 1]!.push(...simpleRings(points.subarray(rings[ring], rings[ring + 1])));
    }
    const texts = (polygons: number[][][][]): string[] =>
      polygons
        .map((polygon) =>
          polygon
            .map((ring) => ring.map(String).sort().join(" "))
            .sort()
            .join(" | "),
        )
        .sort();
    expect(texts(own)).toEqual(texts(answer));
  });

  test.each([0.8, 1.5, 4])("simplified by %d: both sides of a border keep the same corners", async (tolerance) => {
    const [width, height] = [90, 70];
    const data = Uint8Array.from({ length: width * height }, (_, at) => {
      const [x, y] = [at % width, Math.floor(at / width)];
      const ring = Math.hypot(x - 60, y - 30) < 18 ? 1 : 0;
      return ring ? 3 : Math.sin(x / 9) + Math.cos(y / 7) > 0.3 ? 1 : x + y > 90 ? 2 : 0;
    });
    const areas = await engine.components({ data, width, height }, { by: "value", background: null });
    const exact = await areas.outlines();
    const outlines = await areas.outlines({ tolerance });
    expect(outlines.points.length).toBeLessThan(exact.points.length / 2);
    expectSame(outlines.label, exact.label);
    // All areas together cover the image: every border but the image's own is there once each way.
    const edges = new Map<string, number>();
    let whole = 0;
    for (let ring = 0; ring < outlines.count; ring++) {
      const own = outlines.points.subarray(outlines.rings[ring], outlines.rings[ring + 1]);
      whole += doubled(own) / 2;
      for (let i = 0; i < own.length; i += 2) {
        const next = (i + 2) % own.length;
        const [a, b] = [`${own[i]},${own[i + 1]}`, `${own[next]},${own[next + 1]}`];
        const key = a < b ? `${a} ${b}` : `${b} ${a}`;
        edges.set(key, (edges.get(key) ?? 0) + (a < b ? 1 : -1));
      }
    }
    expect(whole).toBe(width * height);
    for (const [edge, open] of edges) {
      if (open === 0) continue;
      const [[ax, ay], [bx, by]] = edge.split(" ").map((each) => each.split(",").map(Number)) as [number[], number[]];
      const onBorder = (ax === bx && (ax === 0 || ax === width)) || (ay === by && (ay === 0 || ay === height));
      expect([edge, onBorder]).toEqual([edge, true]);
    }
    // What was left out is near what stayed.
    for (let ring = 0; ring < exact.count; ring++) {
      const own = outlines.points.subarray(outlines.rings[ring], outlines.rings[ring + 1]);
      for (let i = exact.rings[ring]!; i < exact.rings[ring + 1]!; i += 2) {
        expect(distanceTo(own, exact.points[i]!, exact.points[i + 1]!)).toBeLessThanOrEqual(tolerance);
      }
    }
  });

  test.each([4, 8] as const)(
    "simple rings are valid polygons, exact and simplified, connectivity %i",
    async (connectivity) => {
      const next = random(connectivity);
      for (let round = 0; round < 60; round++) {
        const [width, height] = [2 + (next() % 22), 2 + (next() % 18)];
        const density = 2 + (next() % 7);
        const data = Uint8Array.from({ length: width * height }, () => Number(next() % 10 < density));
        const found = await engine.components({ data, width, height }, { connectivity });
        const { data: labels } = await found.labels();
        for (const tolerance of [0, 0.71, 1, 2, 5]) {
          const outlines = await found.outlines({ rings: "simple", tolerance });
          const fault = faultOf(outlines);
          expect(fault, `${width} x ${height}, tolerance ${tolerance}: ${[...data].join("")}`).toBe(undefined);
          expect(new Set(outlines.label).size).toBe(found.count);
          if (tolerance === 0) expectSame(rasterised(outlines, width, height), labels);
        }
        found.dispose();
      }
    },
  );

  test("simplified rings that touch themselves do not cross, and each hole knows its ring", async () => {
    const { data, width, height } = noise(120, 90, 0.55, 1, 5);
    for (const connectivity of [4, 8] as const) {
      const found = await engine.components({ data, width, height }, { connectivity });
      const exact = await found.outlines();
      const simple = await found.outlines({ rings: "simple" });
      expect(simple.count).not.toBe(exact.count);
      for (const { count, hole, outer, label } of [exact, simple, await found.outlines({ tolerance: 1.5 })]) {
        for (let ring = 0; ring < count; ring++) {
          const around = outer[ring]!;
          if (hole[around] || label[around] !== label[ring] || (!hole[ring] && around !== ring)) {
            expect([ring, around]).toBe("a hole and the ring around it");
          }
        }
      }
      found.dispose();
    }
  });

  test("wrong calls", async () => {
    const found = await engine.components({ data: new Uint8Array(12).fill(1), width: 4, height: 3 });
    await expect(found.outlines({ labels: [2] })).rejects.toThrow(
      "Expected labels to be whole numbers from 1 to 1, got 2.",
    );
    await expect(found.outlines({ labels: 3 as never })).rejects.toThrow("a list of labels");
    await expect(found.outlines({ tolerance: -1 })).rejects.toThrow("0 or more");
    await expect(found.outlines({ simplify: 2 } as never)).rejects.toThrow("outlines() knows");
    const volume = await engine.components({ data: new Uint8Array(8).fill(1), width: 2, height: 2, depth: 2 });
    await expect(volume.outlines()).rejects.toThrow("Expected an image for outlines, got a volume.");
    await expect(found.outlines({ signal: AbortSignal.abort() })).rejects.toThrow("aborted");
    // A simplification on the host ends, too.
    const many = await engine.components(noise(600, 500, 0.5, 1, 2));
    const controller = new AbortController();
    const simplified = many.outlines({
      tolerance: 1,
      signal: controller.signal,
      onProgress: ({ done, total }) => {
        if (done === total) setTimeout(() => controller.abort(), 0);
      },
    });
    await expect(simplified).rejects.toThrow("aborted");
  });
});

/** A ring cut where it comes to a corner for the second time. */
function simpleRings(ring: Int32Array): number[][][] {
  const cut: number[][][] = [];
  const open: number[][] = [];
  for (let i = 0; i < ring.length; i += 2) {
    const corner = [ring[i]!, ring[i + 1]!];
    const before = open.findIndex(([x, y]) => x === corner[0] && y === corner[1]);
    if (before >= 0) cut.push(open.splice(before));
    open.push(corner);
  }
  return [...cut, open];
}

/** How far a point is from a ring. */
function distanceTo(ring: Int32Array, x: number, y: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < ring.length; i += 2) {
    const next = (i + 2) % ring.length;
    const [ax, ay, bx, by] = [ring[i]!, ring[i + 1]!, ring[next]!, ring[next + 1]!];
    const length = (bx - ax) ** 2 + (by - ay) ** 2;
    const along = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length));
    least = Math.min(least, Math.hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay)));
  }
  return least;
}

// Splitting and flooding against the watershed's definition, on distances and on rasters of every type; small areas given
// away against a plain loop; touching discs whose number is known.

import { type Components, type Connectivity, type Engine, open, type PixelArray } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { numbered, watershed } from "./oracles/watershed.js";
import { devicesOf } from "./support/devices.js";
import { expectSame } from "./support/same.js";
import { random } from "./support/shapes.js";

const { DEVICES } = devicesOf("values");

interface Picture {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly data: Uint8Array;
  readonly connectivity: 4 | 8 | 6 | 18 | 26;
}

/** Blobs of blocks, full of holes and bays. */
function blobs(
  width: number,
  height: number,
  depth: number,
  connectivity: Picture["connectivity"],
  seed: number,
): Picture {
  const next = random(seed);
  const block = 1 + (seed % 4);
  const cells = new Map<string, number>();
  const data = Uint8Array.from({ length: width * height * depth }, (_, at) => {
    const place = [at % width, Math.floor(at / width) % height, Math.floor(at / width / height)];
    const key = place.map((n) => Math.floor(n / block)).join();
    const cell = cells.get(key) ?? Number(next() % 10 < 7);
    cells.set(key, cell);
    return cell;
  });
  return { name: `${width} x ${height} x ${depth}, ${connectivity}`, width, height, depth, data, connectivity };
}

const PICTURES = [
  blobs(70, 60, 1, 4, 1),
  blobs(131, 40, 1, 8, 2),
  blobs(64, 33, 1, 8, 3),
  blobs(1, 90, 1, 4, 4),
  blobs(30, 20, 12, 6, 5),
  blobs(21, 17, 9, 18, 6),
  blobs(33, 12, 8, 26, 7),
  { ...blobs(40, 30, 1, 4, 8), data: new Uint8Array(1200).fill(1), name: "full" },
  { ...blobs(40, 30, 1, 4, 8), data: new Uint8Array(1200), name: "empty" },
];

async function labelsOf(found: Components): Promise<Uint32Array> {
  const { data } = await found.labels();
  found.dispose();
  return data;
}

describe.each(DEVICES)("$name", (options) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(options);
  });
  afterAll(() => engine.close());

  test.each(PICTURES)("$name: by distance", async (picture) => {
    const { connectivity } = picture;
    const objects = await engine.components(picture, { connectivity });
    const inverse = { ...picture, data: picture.data.map((v) => 1 - v) };
    const { data: squares } = await engine.distance(inverse, { squared: true });
    for (const h of [0, 0.4, 1, 2.5]) {
      const parts = await objects.split({ h });
      const expected = watershed({ ...picture, values: squares, inside: picture.data }, h, Math.sqrt);
      const { parent } = parts;
      const labels = await labelsOf(parts);
      expectSame(labels, numbered(expected));
      // Every part lies in one object.
      const { data: own } = await objects.labels();
      expectSame(
        own,
        labels.map((label) => (label ? (parent as Uint32Array)[label - 1] : 0)),
      );
    }
    const even = await objects.split({ h: 2, physical: true });
    const plain = await objects.split({ h: 2 });
    expectSame(await labelsOf(even), await labelsOf(plain));
    objects.dispose();
  });

  test.each([Uint8Array, Uint16Array, Int16Array, Uint32Array, Int32Array, Float32Array])(
    "by the values of a %s, and from markers",
    async (type) => {
      for (const picture of [PICTURES[0], PICTURES[4]]) {
        const { width, height, depth, connectivity, data } = picture;
        const next = random(5);
        const values = new type(data.length);
        for (let at = 0; at < values.length; at++)
          values[at] = (next() % 40) - (type === Int16Array || type === Float32Array ? 20 : 0);
        const raster = { data: values as PixelArray, width, height, depth };
        const objects = await engine.components(picture, { connectivity });
        const heights = { ...picture, values, inside: data };
        const parts = await objects.split({ by: raster, h: 9 });
        expectSame(await labelsOf(parts), numbered(watershed(heights, 9, (v) => v)));
        const points = Array.from({ length: 12 }, (_, i): [number, number, number] => [
          (i * 7) % width,
          (i * 5) % height,
          i % depth,
        ]);
        const markers = new Uint8Array(data.length);
        for (const [i, [x, y, z]] of points.entries()) markers[(z * height + y) * width + x] = i + 1;
        const marked = { width, height, depth, data: markers };
        const basins = await engine.watershed(raster, { markers: marked, connectivity, within: await objects.mask() });
        const expected = watershed({ ...heights, markers }, 0, (v) => v);
        const found = (await basins.regions()).value as Uint32Array;
        const labels = await labelsOf(basins);
        expectSame(
          labels.map((label) => (label ? found[label - 1] : 0)),
          Uint32Array.from(expected, (mark) => Math.max(0, mark)),
        );
        const full = new Uint8Array(data.length).fill(1);
        const dark = await engine.watershed(raster, { markers: marked, connectivity, polarity: "dark" });
        const turned = Float64Array.from(values, (v) => -v);
        expectSame(
          await labelsOf(dark),
          Uint32Array.from(watershed({ ...heights, inside: full, values: turned, markers }, 0, (v) => v)),
        );
        objects.dispose();
      }
    },
  );

  test("markers of objects: points, a label image, and objects without any", async () => {
    const data = Uint8Array.from("111111101110", Number);
    const objects = await engine.components({ data, width: 12, height: 1 });
    const points = {
      points: [
        [1, 0],
        [5, 0],
      ] as [number, number][],
      width: 12,
      height: 1,
    };
    const parts = await objects.split({ markers: points });
    expect([...(parts.parent as Uint32Array)]).toEqual([1, 1, 2]);
    expect([...(await labelsOf(parts))]).toEqual([1, 1, 1, 1, 1, 2, 2, 0, 3, 3, 3, 0]);
    const image = { data: Uint16Array.from("300000000300", Number), width: 12, height: 1 };
    const apart = await objects.split({ markers: image });
    expect([apart.count, ...(apart.parent as Uint32Array)]).toEqual([2, 1, 2]);
  });

  test("a marker that lies in two objects makes a part in each", async () => {
    const size = { width: 9, height: 1 };
    const found = await engine.components({ data: Uint8Array.of(1, 1, 0, 1, 1, 1, 0, 1, 1), ...size });
    // Marker 2 lies in all objects, and twice in the second one beside marker 3.
    const markers = { data: Uint8Array.of(2, 0, 0, 2, 3, 2, 0, 0, 2), ...size };
    const parts = await found.split({ markers });
    expect([...(await parts.labels()).data]).toEqual([1, 1, 0, 2, 3, 2, 0, 4, 4]);
    expect([...(parts.parent as Uint32Array)]).toEqual([1, 2, 2, 3]);
    parts.dispose();
    found.dispose();
  });

  test("touching discs are counted right", async () => {
    const next = random(9);
    const [width, height] = [600, 500];
    const data = new Uint8Array(width * height);
    let discs = 0;
    for (let cy = 40; cy < height - 40; cy += 70)
      for (let cx = 45; cx < width - 45; cx += 80) {
        const radii = [9 + (next() % 9), 9 + (next() % 9)];
        const far = (radii[0] + radii[1] - 0.2 * Math.min(...radii)) / 2;
        const turn = (next() / 2 ** 32) * 6.28;
        for (const [i, side] of [-1, 1].entries()) {
          discs++;
          const [x, y] = [cx + Math.cos(turn) * far * side, cy + Math.sin(turn) * far * side];
          for (let v = Math.ceil(y - radii[i]); v <= y + radii[i]; v++)
            for (let u = Math.ceil(x - radii[i]); u <= x + radii[i]; u++)
              if (Math.hypot(u - x, v - y) <= radii[i]) data[v * width + u] = 1;
        }
      }
    const objects = await engine.components({ data, width, height }, { connectivity: 8, split: true });
    expect(Math.abs(objects.count - discs)).toBeLessThanOrEqual(discs * 0.01);
  });

  test("small areas are given away, the smallest first", async () => {
    const next = random(21);
    const [width, height] = [60, 45];
    const data = Uint8Array.from({ length: width * height }, (_, at) => {
      return (Math.floor((at % width) / 3) * 7 + Math.floor(at / width / 4) * 5 + (next() % 9 === 0 ? 1 : 0)) % 4;
    });
    for (const background of [null, 0]) {
      const areas = await engine.components({ data, width, height }, { by: "value", background });
      const { data: before } = await areas.labels();
      for (const into of ["border", "largest"] as const) {
        for (const minArea of [2, 9, 30]) {
          const left = await areas.absorb({ minArea, into });
          const { parent, count } = left;
          const values = (await left.regions()).value as Uint8Array;
          const labels = await labelsOf(left);
          const owner = absorbed(before, width, areas.count, minArea, into);
          expectSame(labels, numbered(Int32Array.from(before, (label) => (label ? owner[label] : -1))));
          expect(count).toBe(new Set(owner.slice(1)).size);
          before.forEach((label, at) => {
            if (!label) return;
            expect((parent as Uint32Array)[label - 1]).toBe(labels[at]);
            expect(values[labels[at] - 1]).toBe(data[before.indexOf(owner[label])]);
          });
        }
      }
      areas.dispose();
    }
  });

  test("parts that are too small go back; kept in the order of the options", async () => {
    const picture = PICTURES[0];
    const { connectivity } = picture;
    const objects = await engine.components(picture, { connectivity });
    const parts = await objects.split({ h: 0.2, minArea: 12 });
    const sizes = (await parts.regions()).area as Uint32Array;
    const whole = (await objects.regions()).area as Uint32Array;
    sizes.forEach((area, i) => {
      if (area < 12) expect(whole[(parts.parent as Uint32Array)[i] - 1]).toBe(area);
    });
    const once = await engine.components(picture, {
      connectivity,
      fillHoles: true,
      split: { h: 0.2 },
      absorb: 12,
      minArea: 20,
      expand: 2,
    });
    let step = await objects.filter({ fillHoles: true });
    step = await step.split({ h: 0.2 });
    step = await step.absorb({ minArea: 12 });
    step = await step.filter({ minArea: 20 });
    step = await step.expand(2);
    expectSame(await labelsOf(once), await labelsOf(step));
  });

  test("wrong calls", async () => {
    const objects = await engine.components({ data: new Uint8Array(12).fill(1), width: 4, height: 3 });
    await expect(objects.split({ by: "area" as never })).rejects.toThrow('"distance" or a raster');
    await expect(objects.split({ by: { data: new Uint8Array(6), width: 3, height: 2 } })).rejects.toThrow("4 x 3");
    await expect(objects.split({ h: 1, markers: { points: [], width: 4, height: 3 } })).rejects.toThrow("h or markers");
    const areas = await engine.labelled({ data: new Uint8Array(12).fill(1), width: 4, height: 3 });
    await expect(areas.split()).rejects.toThrow("may touch");
    await expect(areas.absorb({} as never)).rejects.toThrow("minArea");
    await expect(
      engine.components({ data: new Uint8Array(4), width: 2, height: 2 }, { by: "value", split: 1 }),
    ).rejects.toThrow("Expected no split with by");
    const connectivity = 6 as Connectivity;
    const raster = { data: new Uint8Array(4), width: 2, height: 2 };
    await expect(engine.watershed(raster, { markers: raster, connectivity })).rejects.toThrow("connectivity");
  });
});

/** The area that each label is part of at the end. */
function absorbed(
  labels: Uint32Array,
  width: number,
  count: number,
  minArea: number,
  into: "border" | "largest",
): number[] {
  const now = Uint32Array.from(labels);
  const owner = Array.from({ length: count + 1 }, (_, i) => i);
  for (;;) {
    const areas = new Map<number, number>();
    const faces = new Map<string, number>();
    now.forEach((label, at) => {
      if (!label) return;
      areas.set(label, (areas.get(label) ?? 0) + 1);
      for (const step of [at % width ? 1 : 0, at >= width ? width : 0]) {
        const other = step ? now[at - step] : 0;
        if (!other || other === label) continue;
        for (const key of [`${label} ${other}`, `${other} ${label}`]) faces.set(key, (faces.get(key) ?? 0) + 1);
      }
    });
    const small = [...areas].filter(([, area]) => area < minArea).sort((a, b) => a[1] - b[1] || a[0] - b[0]);
    let done = true;
    for (const [label] of small) {
      const others = [...faces]
        .filter(([key]) => key.startsWith(`${label} `))
        .map(([key, n]) => ({ other: Number(key.split(" ")[1]), n }))
        .sort((a, b) => {
          const longer = into === "border" ? b.n - a.n : 0;
          return longer || (areas.get(b.other) as number) - (areas.get(a.other) as number) || a.other - b.other;
        });
      if (!others[0]) continue;
      const target = others[0].other;
      for (let at = 0; at < now.length; at++) if (now[at] === label) now[at] = target;
      owner.forEach((each, i) => {
        if (each === label) owner[i] = target;
      });
      done = false;
      break;
    }
    if (done) return owner;
  }
}

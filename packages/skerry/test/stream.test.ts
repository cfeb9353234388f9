// Streams of lines against labelling the whole: random scans, cut anywhere into arrays, on every device.

import { type ComponentsOptions, type Engine, open, type PixelArray, type Raster, type StreamOptions } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { devicesOf } from "./support/devices.js";
import { random } from "./support/shapes.js";

const { DEVICES } = devicesOf("components");

type Random = () => number;

/** A whole number from 0 up to below n. */
const below = (next: Random, n: number): number => next() % n;

/** A scan of blobs, scratches along it and noise, as u8. */
function scanOf(next: Random, width: number, height: number): Uint8Array {
  const data = Uint8Array.from({ length: width * height }, () => 90 + below(next, 20));
  const put = (x: number, y: number, value: number): void => {
    if (x >= 0 && x < width && y >= 0 && y < height) data[y * width + x] = value;
  };
  for (let i = below(next, 12); i > 0; i--) {
    const [cx, cy, r, value] = [below(next, width), below(next, height), 1 + below(next, 9), next() % 2 ? 200 : 10];
    const isRing = next() % 3 === 0;
    for (let y = -r; y <= r; y++) {
      for (let x = -r; x <= r; x++) {
        const d = x * x + y * y;
        if (d <= r * r && (!isRing || d > (r - 2) * (r - 2))) put(cx + x, cy + y, value);
      }
    }
  }
  for (let i = below(next, 3); i > 0; i--) {
    let x = below(next, width);
    const [from, to] = [below(next, height), below(next, height)];
    for (let y = Math.min(from, to); y < Math.max(from, to); y++) {
      put(x, y, 220);
      x += (next() % 3) - 1;
    }
  }
  const specks = next() % 4 === 0 ? width * height * 0.3 : below(next, 30);
  for (let i = 0; i < specks; i++) put(below(next, width), below(next, height), next() % 2 ? 255 : 0);
  return data;
}

/** Arrays of any length that make up the data. */
function* pieces(next: Random, data: PixelArray, most: number): Generator<PixelArray> {
  for (let at = 0; at < data.length; ) {
    const length = next() % 5 === 0 ? 0 : 1 + below(next, most);
    yield data.slice(at, at + length);
    at += length;
  }
}

interface Case {
  readonly name: string;
  readonly stream: StreamOptions;
  readonly whole: ComponentsOptions;
}

const CASES: readonly Case[] = [
  { stream: { threshold: { above: 150 } }, whole: { threshold: { above: 150 } } },
  { stream: { threshold: { below: 50 }, connectivity: 8 }, whole: { threshold: { below: 50 }, connectivity: 8 } },
  { stream: { threshold: { outside: [50, 150] } }, whole: { threshold: { outside: [50, 150] } } },
  {
    stream: { threshold: { between: [95, 104] }, minArea: 3, maxArea: 40 },
    whole: { threshold: { between: [95, 104] }, minArea: 3, maxArea: 40 },
  },
  {
    stream: { by: { tolerance: 8 }, background: null },
    whole: { by: { tolerance: 8 }, background: null },
  },
  { stream: { by: "value", background: 0, connectivity: 8 }, whole: { by: "value", background: 0, connectivity: 8 } },
  {
    stream: { threshold: { local: { radius: 3, offset: 20 } }, connectivity: 8 },
    whole: { threshold: { local: { radius: 3, offset: 20 } }, connectivity: 8 },
  },
  {
    stream: { threshold: { local: { radius: 2, method: "sauvola" } }, polarity: "dark" },
    whole: { threshold: { local: { radius: 2, method: "sauvola" } }, polarity: "dark" },
  },
  {
    stream: { threshold: { hysteresis: [99, 230] }, connectivity: 8 },
    whole: { threshold: { hysteresis: [99, 230] }, connectivity: 8 },
  },
  {
    stream: { threshold: { above: 150 }, fillHoles: true, connectivity: 8 },
    whole: { threshold: { above: 150 }, fillHoles: true, connectivity: 8 },
  },
  {
    stream: { threshold: { above: 99 }, fillHoles: true, maxHoleArea: 4 },
    whole: { threshold: { above: 99 }, fillHoles: true, maxHoleArea: 4 },
  },
].map((each) => ({ name: JSON.stringify(each.stream), ...(each as Omit<Case, "name">) }));

const PROPERTIES = [
  "area",
  "bounds",
  "centroid",
  "perimeter",
  "secondMoments",
  "eulerNumber",
  "convexArea",
  "mean",
  "contrast",
] as const;

/** The objects of an image as a stream tells them, with rows from `firstRow`. */
async function wholeOf(engine: Engine, raster: Raster, options: ComponentsOptions, firstRow: number) {
  using components = await engine.components(raster, options);
  const regions = await components.regions({ properties: [...PROPERTIES, "rawMoments"], intensity: raster });
  const outlines = await components.outlines();
  const objects = Array.from({ length: components.count }, (_, i) => {
    const object: Record<string, unknown> = {};
    for (const name of PROPERTIES) {
      const all = regions[name] as ArrayLike<number>;
      const each = all.length / components.count;
      const values = Array.from({ length: each }, (_, k) => Number(all[i * each + k]));
      if (name === "centroid")
        values[1] = Number(regions.rawMoments[5 * i + 1] + BigInt(firstRow * regions.area[i])) / regions.area[i];
      if (name === "bounds") for (const k of [1, 3]) values[k] += firstRow;
      object[name] = each === 1 ? values[0] : values;
    }
    if (regions.polarity) object.polarity = regions.polarity[i] === 1 ? "bright" : "dark";
    if (regions.value) object.value = regions.value[i];
    const rings: number[][] = [];
    for (let r = 0; r < outlines.count; r++) {
      if (outlines.label[r] !== i + 1) continue;
      const ring = outlines.points.subarray(outlines.rings[r], outlines.rings[r + 1]);
      rings.push(Array.from(ring, (n, k) => n + (k % 2 ? firstRow : 0)));
    }
    object.contour = rings;
    return object as { bounds: number[] } & Record<string, unknown>;
  });
  // By the last row, then by the first pixel, which is the order of labels.
  return objects
    .map((object, label) => ({ object, label }))
    .sort((a, b) => a.object.bounds[3] - b.object.bounds[3] || a.label - b.label)
    .map(({ object }) => object);
}

const plain = (objects: readonly object[]): object[] =>
  objects.map((object) => {
    const { id: _, contour, ...left } = object as { id: number; contour?: readonly Float64Array[] };
    return { ...left, contour: contour?.map((ring) => Array.from(ring)) };
  });

describe.each(DEVICES)("$name", (options) => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open(options);
  });
  afterAll(() => engine.close());

  test.each(CASES)("streams equal labelling the whole: $name", async ({ stream, whole }) => {
    const count = options.device === "gpu" ? 2 : 5;
    for (let seed = 0; seed < count; seed++) {
      const next = random(seed * 31 + 7);
      for (let i = 0; i < 5; i++) next();
      const [width, height] = [1 + below(next, 70), 9 + below(next, 90)];
      const data = scanOf(next, width, height);
      const firstRow = seed % 3 === 0 ? 2 ** 32 - 20 : 0;
      const expected = await wholeOf(engine, { data, width, height }, whole, firstRow);
      const found: object[] = [];
      const batch = 1 + below(next, next() % 2 ? 5 : 40);
      const lines = { width, type: "u8", data: pieces(next, data, width * (1 + below(next, 30))) } as const;
      for await (const object of engine.stream(lines, {
        ...stream,
        properties: PROPERTIES,
        contour: true,
        firstRow,
        batch,
      })) {
        expect(object.id).toBe(found.length + 1);
        found.push(object);
      }
      expect(plain(found)).toEqual(expected);
    }
  });

  test("columns within, a crop and a reference line equal the whole of the same pixels", async () => {
    const next = random(99);
    const [width, height] = [77, 120];
    const data = scanOf(next, width, height);
    const reference = Array.from({ length: width }, (_, x) => 80 + (x % 40));
    const crop = [5, 71] as const;
    const wide = crop[1] - crop[0];
    const inside = (x: number): boolean => x % 29 !== 3;
    const bits = new Uint32Array(Math.ceil(width / 32));
    for (let x = 0; x < width; x++) if (inside(x)) bits[x >> 5] = bits[x >> 5] | (1 << (x & 31));
    const differences = Int16Array.from({ length: wide * height }, (_, at) => {
      const [x, y] = [crop[0] + (at % wide), Math.floor(at / wide)];
      // Pixels outside are between the two thresholds.
      return inside(x) ? data[y * width + x] - reference[x] : 0;
    });
    const threshold = { outside: [-30, 25] } as const;
    using whole = await engine.components({ data: differences, width: wide, height }, { threshold, connectivity: 8 });
    const { bounds, area } = await whole.regions();
    const expected = Array.from(area, (n, i) => {
      const [x0, y0, x1, y1] = bounds.subarray(4 * i, 4 * i + 4);
      return JSON.stringify([n, [x0 + crop[0], y0, x1 + crop[0], y1]]);
    });
    const lines = { width, type: "u8", data: pieces(next, data, 900) } as const;
    const within = { bits, width, height: 1 };
    const found: string[] = [];
    for await (const object of engine.stream(lines, {
      threshold,
      connectivity: 8,
      within,
      crop,
      reference,
      batch: 7,
      thumbnail: 6,
      properties: ["area", "bounds", "max"],
    })) {
      found.push(JSON.stringify([object.area, object.bounds]));
      const [x0, y0, x1, y1] = object.bounds;
      const { thumbnail, thumbnailAt = [0, 0] } = object;
      expect([thumbnail?.width, thumbnail?.height]).toEqual([Math.min(6, x1 - x0), Math.min(6, y1 - y0)]);
      const [left, top] = thumbnailAt;
      const cut = Array.from({ length: thumbnail?.data.length ?? 0 }, (_, at) => {
        const [x, y] = [left + (at % (thumbnail?.width ?? 1)), top + Math.floor(at / (thumbnail?.width ?? 1))];
        return data[y * width + x];
      });
      expect(Array.from(thumbnail?.data ?? [])).toEqual(cut);
      // Values are those of the pixels, not of the differences.
      expect(object.max).toBeGreaterThanOrEqual(0);
    }
    expect(found.length).toBeGreaterThan(3);
    expect(found.sort()).toEqual(expected.sort());
  });

  test("objects that are too long come in parts, whatever the batches", async () => {
    for (let seed = 0; seed < 6; seed++) {
      const next = random(seed + 400);
      const [width, height] = [12 + below(next, 30), 90];
      const data = scanOf(next, width, height);
      for (let i = 0; i < 2; i++) {
        for (let y = 0, x = below(next, width); y < height; y++) {
          data[y * width + x] = 230;
          x = Math.min(width - 1, Math.max(0, x + (next() % 3) - 1));
        }
      }
      const maxLength = 4 + below(next, 30);
      const fillHoles = seed % 3 === 2;
      const expected = partsOf(data, width, maxLength);
      for (const batch of [1, 2, 5, 64]) {
        const found: {
          id: number;
          goesOn?: true;
          continues?: readonly number[];
          area: number;
          bounds: readonly number[];
        }[] = [];
        const stream = { threshold: { above: 150 }, connectivity: 8, maxLength, batch, fillHoles } as const;
        for await (const object of engine.stream({ width, type: "u8", data: [data] }, stream)) found.push(object);
        if (fillHoles) {
          // What is told covers what was drawn, and no part is longer than asked for.
          expect(found.every(({ bounds }) => bounds[3] - bounds[1] <= maxLength)).toBe(true);
          continue;
        }
        const shown = found.map(({ area, bounds, goesOn }) => ({ area, bounds, goesOn: goesOn ?? false }));
        expect(shown).toEqual(expected);
        const named = new Set<number>();
        for (const { id, continues = [], bounds } of found) {
          for (const before of continues) {
            named.add(before);
            expect(before).toBeLessThan(id);
            expect(found[before - 1].bounds[3]).toBeGreaterThanOrEqual(bounds[1]);
          }
        }
        // Parts that go on are those that another object names.
        expect(found.filter(({ goesOn }) => goesOn).map(({ id }) => id)).toEqual([...named].sort((a, b) => a - b));
      }
    }
  }, 180_000);

  test("an object is told within two lines of its last, while the input pauses", async () => {
    const width = 40;
    const stream = engine.stream({ width, type: "u8" }, { threshold: { above: 9 } });
    const line = (...at: number[]): Uint8Array =>
      Uint8Array.from({ length: width }, (_, x) => (at.includes(x) ? 99 : 0));
    const objects = stream[Symbol.asyncIterator]();
    const first = objects.next();
    for (const given of [line(3, 4), line(4)]) await stream.push(given);
    // The third line is not taken back: nothing comes behind it.
    const last = stream.push(line());
    expect((await first).value).toMatchObject({ id: 1, area: 3, bounds: [3, 0, 5, 2] });
    expect([stream.row, stream.open]).toEqual([3, 0]);
    await objects.return?.(undefined);
    await last;
    await expect(stream.push(line())).rejects.toThrow("after the loop");
  });
});

/** Slow reference: objects line by line, cut where they have `maxLength` lines, in the order of a stream. */
function partsOf(data: Uint8Array, width: number, maxLength: number) {
  interface Part {
    pixels: number[];
    first: number;
  }
  const told: { area: number; bounds: number[]; goesOn: boolean; first: number }[] = [];
  const tell = ({ pixels, first }: Part, goesOn: boolean): void => {
    const [xs, ys] = [pixels.map((at) => at % width), pixels.map((at) => Math.floor(at / width))];
    const bounds = [Math.min(...xs), Math.min(...ys), Math.max(...xs) + 1, Math.max(...ys) + 1];
    told.push({ area: pixels.length, bounds, goesOn, first });
  };
  let above: (Part | undefined)[] = [];
  const height = data.length / width;
  for (let y = 0; y <= height; y++) {
    const row: (Part | undefined)[] = new Array(width).fill(undefined);
    const before = new Set(above.filter((part) => part !== undefined));
    const unite = (a: Part, b: Part): Part => {
      if (a === b) return a;
      const [keep, gone] = a.first < b.first ? [a, b] : [b, a];
      keep.pixels.push(...gone.pixels);
      for (const list of [row, above])
        list.forEach((part, x) => {
          if (part === gone) list[x] = keep;
        });
      before.delete(gone);
      return keep;
    };
    for (let x = 0; x < width && y < height; x++) {
      const at = y * width + x;
      if (data[at] <= 150) continue;
      let part: Part = { pixels: [at], first: at };
      for (const other of [row[x - 1], above[x - 1], above[x], above[x + 1]]) if (other) part = unite(other, part);
      row[x] = part;
    }
    for (const part of before) if (!row.includes(part)) tell(part, false);
    for (const part of new Set(row)) {
      if (!part || y + 1 - Math.floor(part.first / width) < maxLength) continue;
      const isBelow = (at: number): boolean => data[at + width] > 150;
      const touches = (at: number): boolean =>
        Math.floor(at / width) === y &&
        [-1, 0, 1].some((dx) => (at % width) + dx >= 0 && (at % width) + dx < width && isBelow(at + dx));
      tell(part, part.pixels.some(touches));
      row.forEach((other, x) => {
        if (other === part) row[x] = undefined;
      });
    }
    above = row;
  }
  return told
    .sort((a, b) => a.bounds[3] - b.bounds[3] || a.first - b.first)
    .map(({ area, bounds, goesOn }) => ({ area, bounds, goesOn }));
}

describe("a stream", () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await open({ device: "cpu" });
  });
  afterAll(() => engine.close());
  const lines = { width: 4, type: "u8" } as const;

  test.each([
    [{ threshold: "otsu" }, "which needs the whole image"],
    [{ split: true }, "no split"],
    [{ expand: 3 }, "no expand"],
    [{ largest: 2 }, "no largest"],
    [{ clearBorder: true }, "no clearBorder"],
    [{ smooth: 1 }, "no smooth"],
    [{ treshold: 1 }, 'did you mean "threshold"'],
    [{ properties: ["rawMoments"] }, "rawMoments"],
    [{ properties: ["convexHull"] }, "convexHull"],
    [{ crop: [3, 9] }, "crop"],
    [{ reference: [1, 2] }, "reference"],
    [{ reference: [1, 2, 300, 4] }, "reference at column 2"],
    [{ maxLength: 0 }, "maxLength"],
    [{ firstRow: -1 }, "firstRow"],
    [{ within: { bits: new Uint32Array(2), width: 4, height: 2 } }, "within"],
    [{ threshold: { hysteresis: [1, 2] }, reference: [1, 2, 3, 4] }, "hysteresis"],
  ])("refuses %j", async (options, words) => {
    const objects = engine.stream(lines, options as StreamOptions)[Symbol.asyncIterator]();
    await expect(objects.next()).rejects.toThrow(words);
  });

  test.each([
    [{ width: 4, height: 3, type: "u8" }, "without a height"],
    [{ width: 0, type: "u8" }, "width"],
    [{ width: 4, type: "u9" }, "type"],
    [{ width: 4, type: "u8", data: new Uint8Array(4) }, "an iterable of arrays"],
    [undefined, "the lines"],
  ])("refuses lines of %j", async (given, words) => {
    const objects = engine.stream(given as typeof lines)[Symbol.asyncIterator]();
    await expect(objects.next()).rejects.toThrow(words);
  });

  test("tells wrong lines, and leaves no memory behind", async () => {
    const all = async (data: unknown[], options: StreamOptions = {}): Promise<number> => {
      let count = 0;
      for await (const _ of engine.stream({ ...lines, data: data as PixelArray[] }, options)) count++;
      return count;
    };
    await expect(all([new Uint8Array(6)])).rejects.toThrow(
      "whole lines of 4 values, got 2 of them after 1 whole lines",
    );
    await expect(all([new Uint16Array(4)])).rejects.toThrow("lines of u8");
    expect(await all([])).toBe(0);
    expect(await all([new Uint8Array([0, 1, 1, 0])])).toBe(1);
    await expect(all([new Uint8Array(4)], { signal: AbortSignal.abort(new Error("stop")) })).rejects.toThrow("stop");
    expect(engine.describe().memory.used).toBe(0);
    const once = engine.stream({ ...lines, data: [] });
    for await (const _ of once);
    await expect(once[Symbol.asyncIterator]().next()).rejects.toThrow("one loop");
    await expect(once.push(new Uint8Array(4))).rejects.toThrow("have data");
  });

  test("the oldest objects are told in parts beyond maxOpen", async () => {
    const data = Uint8Array.from({ length: 9 * 12 }, (_, at) => Number((at % 9) % 2 === 0));
    const told: object[] = [];
    for await (const object of engine.stream({ width: 9, type: "u8", data: [data] }, { maxOpen: 2, batch: 4 }))
      told.push(object);
    expect(told.some((object) => "goesOn" in object)).toBe(true);
    expect(told.reduce((sum: number, object) => sum + (object as { area: number }).area, 0)).toBe(
      data.filter(Boolean).length,
    );
  });

  test("a loop that waits for lines ends with the engine, a signal, or when it is left", async () => {
    const other = await open({ device: "cpu" });
    const stream = other.stream(lines);
    await Promise.race([stream.push(new Uint8Array(4).fill(9)), new Promise((resolve) => setTimeout(resolve, 50))]);
    const waiting = stream[Symbol.asyncIterator]().next();
    const closed = expect(waiting).rejects.toThrow("closed");
    await new Promise((resolve) => setTimeout(resolve, 30));
    await other.close();
    await closed;
    expect(other.describe().memory.used).toBe(0);

    const stop = new AbortController();
    const next = engine.stream(lines, { signal: stop.signal })[Symbol.asyncIterator]().next();
    const stopped = expect(next).rejects.toThrow("stop");
    setTimeout(() => stop.abort(new Error("stop")), 20);
    await stopped;

    const left = engine.stream(lines)[Symbol.asyncIterator]();
    const pending = left.next();
    await new Promise((resolve) => setTimeout(resolve, 20));
    await left.return?.();
    expect(await pending).toEqual({ done: true, value: undefined });
    expect(engine.describe().memory.used).toBe(0);
  });

  test("ids and order do not depend on batches, also with holes; limits of area are for whole objects", async () => {
    const rows = ["#####..", "#...#..", "#.#.#..", "#...#.#", "#...#..", "......."];
    const data = Uint8Array.from(rows.join(""), (c) => (c === "#" ? 200 : 0));
    for (const batch of [1, 2, 6]) {
      const bounds: (readonly number[])[] = [];
      const given = { threshold: { above: 9 }, fillHoles: true, batch } as const;
      for await (const object of engine.stream({ width: 7, type: "u8", data: [data] }, given))
        bounds.push(object.bounds);
      expect(bounds).toEqual([
        [2, 2, 3, 3],
        [6, 3, 7, 4],
        [0, 0, 5, 5],
      ]);
      const parts: object[] = [];
      const cut = { threshold: { above: 9 }, maxLength: 2, minArea: 3, batch, properties: ["area"] } as const;
      const line = Uint8Array.from("#..#..#..#......", (c) => Number(c === "#") * 200);
      for await (const object of engine.stream({ width: 3, type: "u8", data: [line.subarray(0, 15)] }, cut))
        parts.push(object);
      expect(parts).toEqual([
        { id: 1, area: 2, goesOn: true },
        { id: 2, area: 2, continues: [1] },
      ]);
    }
  });

  test("a batch may end hundreds of thousands of objects", async () => {
    const [width, height] = [1024, 512];
    const data = Uint8Array.from({ length: width * height }, (_, at) => (at + Math.floor(at / width)) % 2);
    let count = 0;
    for await (const { id } of engine.stream({ width, type: "u8", data: [data] })) count = id;
    expect(count).toBe((width * height) / 2);
  });

  test("waits for the loop: nothing is read ahead but a batch", async () => {
    let given = 0;
    function* rows(): Generator<Uint8Array> {
      for (; given < 1000; given++) yield new Uint8Array([given % 2, 0, 0, 0]);
    }
    const stream = engine.stream({ ...lines, data: rows() }, { batch: 10 });
    for await (const { id } of stream) {
      expect(given).toBeLessThanOrEqual(Math.ceil(id / 5 + 2) * 10 + 2);
      if (id === 100) break;
    }
    expect(given).toBeLessThan(1000);
    expect(stream.row).toBeLessThan(300);
    expect(engine.describe().memory.used).toBe(0);
  });
});

// Fills by chunks equal those of the engine over all pixels, and read no chunk that they do not reach.

import { join } from "node:path";
import { type Engine, open } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ZarrFilled, zarrFill, zarrSink } from "../../src/zarr/index.js";
import { folder } from "./support/folders.js";
import { expectSame, volumeOf } from "./support/pixels.js";
import { readArray } from "./support/zarrita.js";

const root = folder();
const [WIDTH, HEIGHT, DEPTH] = [43, 31, 25];
let engine: Engine;

beforeAll(async () => {
  engine = await open({ device: "cpu", threads: 1 });
});
afterAll(() => engine.close());

async function image(
  name: string,
  data: Uint8Array,
  size: { width: number; height: number; depth?: number },
  chunks: number[],
) {
  const url = join(root, `${name}.zarr`);
  const sink = await zarrSink<Uint8Array>(url, { ...size, type: "u8", labels: false, version: "0.4", chunks });
  await sink.write(0, size.depth ?? 1, 0, size.height, data);
  await sink.finish();
  return url;
}

describe("a fill equals the engine's", () => {
  const data = volumeOf(WIDTH, HEIGHT, DEPTH);
  const raster = { data, width: WIDTH, height: HEIGHT, depth: DEPTH };
  const seeds = [
    [[0, 0, 0]],
    [[20, 14, 11]],
    [
      [5, 9, 3],
      [40, 30, 24],
    ],
  ] as const;

  test.each([6, 18, 26] as const)("%i neighbours", async (connectivity) => {
    const url = await image(`volume-${connectivity}`, data, raster, [9, 8, 7]);
    const cases = [
      [seeds[0], { tolerance: 0 }],
      [seeds[1], { tolerance: 60 }],
      [seeds[2], { tolerance: { lower: 20, upper: 90 } }],
      [seeds[1], { tolerance: 30, range: "floating" }],
    ] as const;
    for (const [own, options] of cases) {
      const expected = await engine.fill(raster, { seeds: own, connectivity, ...options });
      const filled = await zarrFill(engine, url, { seeds: own, connectivity, ...options });
      expect(filled.foreground, JSON.stringify([own, options])).toBe(expected.foreground);
      expectSame(filled.mask().bits, (await expected.mask()).bits);
      expected.dispose();
    }
  });

  test.each([4, 8] as const)("%i neighbours in an image", async (connectivity) => {
    const plane = volumeOf(WIDTH, HEIGHT, 1);
    const url = await image(`image-${connectivity}`, plane, { width: WIDTH, height: HEIGHT }, [10, 7]);
    const expected = await engine.fill(
      { data: plane, width: WIDTH, height: HEIGHT },
      { seeds: [[6, 8]], tolerance: 80, connectivity },
    );
    const filled = await zarrFill(engine, url, { seeds: [[6, 8]], tolerance: 80, connectivity });
    expectSame(filled.mask().bits, (await expected.mask()).bits);
  });
});

test("chunks that are not reached are not read, and the fill is written with its chunks alone", async () => {
  const size = { width: 64, height: 64, depth: 64 };
  const data = new Uint8Array(64 ** 3);
  // A rod of 4 x 4 x 40 voxels.
  for (let z = 10; z < 50; z++)
    for (let y = 20; y < 24; y++) data.fill(9, (z * 64 + y) * 64 + 30, (z * 64 + y) * 64 + 34);
  const url = await image("rod", data, size, [16, 16, 16]);
  const seen: number[] = [];
  const filled: ZarrFilled = await zarrFill(engine, url, {
    seeds: [[31, 21, 30]],
    onChunk: ({ read }) => seen.push(read),
  });
  // 4 chunks along z, of 2 beside each other along x.
  expect([filled.foreground, filled.chunksRead, filled.chunkCount]).toEqual([4 * 4 * 40, 8, 64]);
  expect(seen.length).toBe(8);
  const sink = await zarrSink<Uint8Array>(url, { type: "u8", name: "rod" });
  await sink.paint(filled);
  await sink.finish({ count: 1 });
  const { data: labels } = await readArray(join(sink.url, "0"));
  expectSame(
    labels,
    Array.from(data, (value) => value / 9),
  );
  const { data: half } = await readArray(join(sink.url, "1"));
  const at = (x: number, y: number, z: number): number => half[(z * 32 + y) * 32 + x];
  expect([at(15, 10, 5), at(16, 11, 24), at(14, 10, 5), at(15, 10, 25)]).toEqual([1, 1, 0, 0]);
});

test("wrong calls and signals end a fill with a sentence", async () => {
  const url = await image("wrong", volumeOf(20, 20, 20), { width: 20, height: 20, depth: 20 }, [8, 8, 8]);
  await expect(zarrFill(engine, url, { seeds: [[1, 2, 20]] })).rejects.toThrow(
    /--at to lie within 20 x 20 x 20, got 1,2,20/,
  );
  await expect(zarrFill(engine, url, { seeds: [[1, 2, 3]], connectivity: 8 })).rejects.toThrow(/6 or 18 or 26/);
  const floating = { range: "floating", tolerance: { lower: 1, upper: 2 } } as const;
  await expect(zarrFill(engine, url, { seeds: [[1, 2, 3]], ...floating })).rejects.toThrow(/one tolerance/);
  const signal = AbortSignal.abort(new Error("enough"));
  await expect(zarrFill(engine, url, { seeds: [[1, 2, 3]], signal })).rejects.toThrow("enough");
});

// Writing: label images, distances and classes of both versions, with every codec, with shards and chunks that do not divide the
// size; read by zarrita alone and, where it is installed, by Debian's python3-zarr.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spaceOf } from "@skerry/files";
import { open } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Codec, type ZarrSinkOptions, zarrSink, zarrSource } from "../../src/zarr/index.js";
import { folder } from "./support/folders.js";
import { expectSame, pixelsOf, volumeOf } from "./support/pixels.js";
import { readArray } from "./support/zarrita.js";

const [WIDTH, HEIGHT, DEPTH] = [37, 26, 21];
const root = folder();
let names = 0;
const fresh = (): string => join(root, `${names++}.zarr`);
const json = (path: string): { attributes: { ome: unknown } } => JSON.parse(readFileSync(path, "utf8"));
const size = { width: WIDTH, height: HEIGHT, depth: DEPTH };

/** Writes a volume in bands of uneven length. */
async function write(
  url: string,
  data: Uint8Array | Uint16Array | Uint32Array | Float32Array,
  options: ZarrSinkOptions,
  depth = DEPTH,
) {
  const sink = await zarrSink<typeof data>(url, options);
  const slice = sink.width * sink.height;
  for (let z = 0; z < depth; ) {
    const end = Math.min(depth, z + 1 + (z % 3));
    await sink.write(z, end, 0, sink.height, data.subarray(z * slice, end * slice));
    z = end;
  }
  await sink.finish({ count: 3 });
  return sink;
}

/** An image to put labels into. */
async function image(version: "0.4" | "0.5", shards?: readonly number[]): Promise<string> {
  const url = fresh();
  await write(url, volumeOf(WIDTH, HEIGHT, DEPTH), {
    ...size,
    type: "u8",
    labels: false,
    version,
    chunks: [8, 9, 5],
    space: spaceOf({ size, spacing: [0.5, 0.25, 2], unit: "um" }),
    ...(shards ? { shards } : {}),
  });
  return url;
}

const CODECS: readonly Codec[] = [
  { name: "raw" },
  { name: "gzip", level: 5 },
  { name: "zstd" },
  { name: "blosc", cname: "lz4" },
  { name: "blosc", cname: "zstd", shuffle: "bitshuffle" },
];
const FORMS = [
  { version: "0.4", shards: undefined },
  { version: "0.5", shards: undefined },
  { version: "0.5", shards: [16, 18, 10] },
] as const;

const hasPython = (() => {
  try {
    execFileSync("/usr/bin/python3", ["-c", "import zarr"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

describe.each(FORMS)("OME-Zarr $version, shards $shards", ({ version, shards }) => {
  const base = { ...size, version, chunks: [8, 9, 5], ...(shards ? { shards } : {}) };

  test.each(CODECS)("values are read back: $name $cname $shuffle", async (codec) => {
    const bytes = volumeOf(WIDTH, HEIGHT, DEPTH);
    for (const [type, data] of [
      ["u8", bytes],
      ["u16", Uint16Array.from(bytes, (value) => value * 257)],
      ["u32", Uint32Array.from(bytes, (value) => value * 16_777_216)],
      ["f32", Float32Array.from(bytes, (value) => value / 7)],
    ] as const) {
      const url = fresh();
      await write(url, data, { ...base, type, codec });
      const read = await readArray(join(url, "0"));
      expect(read.shape).toEqual([DEPTH, HEIGHT, WIDTH]);
      expectSame(read.data, data);
      const source = await zarrSource(url);
      expectSame(await pixelsOf(source), data);
      source.close();
      // Starting Python takes as long as all the rest: one type of each codec.
      if (version === "0.4" && hasPython && type === "u16") {
        const code = `import zarr, sys; sys.stdout.buffer.write(zarr.open(sys.argv[1], "r")[:].tobytes())`;
        const out = execFileSync("/usr/bin/python3", ["-c", code, join(url, "0")], { maxBuffer: 2 ** 24 });
        expect(out.equals(Buffer.from(data.buffer))).toBe(true);
      }
    }
  });

  test("chunks of nothing but background are not written", async () => {
    const url = fresh();
    const data = new Uint32Array(WIDTH * HEIGHT * DEPTH);
    data[0] = 7;
    await write(url, data, base);
    const files = (
      readdirSync(join(url, "0"), { recursive: true, withFileTypes: true }) as { name: string; isFile(): boolean }[]
    ).filter((entry) => entry.isFile() && !entry.name.startsWith(".z") && entry.name !== "zarr.json");
    expect(files.length).toBe(1);
    expectSame((await readArray(join(url, "0"))).data, data);
  });

  test("labels have as many levels as their image, its axes, units and chunks", async () => {
    const url = await image(version, shards);
    const data = Uint32Array.from(volumeOf(WIDTH, HEIGHT, DEPTH, 2));
    const sink = await write(url, data, { name: "cells" });
    expect(sink.url).toBe(join(url, "labels", "cells"));
    const read = (path: string) =>
      version === "0.4" ? (json(join(path, ".zattrs")) as unknown) : json(join(path, "zarr.json")).attributes.ome;
    const own = read(sink.url) as { multiscales: { datasets: object[]; axes: object[] }[]; "image-label": object };
    const other = read(url) as typeof own;
    expect(own.multiscales[0].datasets).toEqual(other.multiscales[0].datasets);
    expect(own.multiscales[0].axes).toEqual(other.multiscales[0].axes);
    expect(own["image-label"]).toMatchObject({ source: { image: "../../" }, colors: [{ "label-value": 1 }, {}, {}] });
    expect((read(join(url, "labels")) as { labels: string[] }).labels).toEqual(["cells"]);
    let whole = { data: data as ArrayLike<number>, shape: [DEPTH, HEIGHT, WIDTH] as readonly number[] };
    for (const [level] of other.multiscales[0].datasets.entries()) {
      const got = await readArray(join(sink.url, `${level}`));
      expect(got.shape).toEqual((await readArray(join(url, `${level}`))).shape);
      expectSame(got.data, level === 0 ? data : smaller(whole, got.shape, "nearest"));
      whole = got;
    }
  });

  test("smaller versions by the most frequent label, of several the lower", async () => {
    const url = await image(version, shards);
    const data = Uint32Array.from(volumeOf(WIDTH, HEIGHT, DEPTH, 2), (value) => value >> 5);
    const sink = await write(url, data, { downsample: "mode" });
    let whole = await readArray(join(sink.url, "0"));
    for (let level = 1; existsSync(join(sink.url, `${level}`)); level++) {
      const got = await readArray(join(sink.url, `${level}`));
      expectSame(got.data, smaller(whole, got.shape, "mode"));
      whole = got;
    }
  });
});

/** A smaller version, pixel by pixel. */
function smaller(
  { data, shape }: { data: ArrayLike<number>; shape: readonly number[] },
  less: readonly number[],
  how: "nearest" | "mode",
): number[] {
  const factors = shape.map((side, i) => Math.round(side / less[i]));
  const out: number[] = [];
  for (let z = 0; z < less[0]; z++) {
    for (let y = 0; y < less[1]; y++) {
      for (let x = 0; x < less[2]; x++) {
        const counts = new Map<number, number>();
        for (let k = z * factors[0]; k < Math.min(shape[0], (z + 1) * factors[0]); k++)
          for (let j = y * factors[1]; j < Math.min(shape[1], (y + 1) * factors[1]); j++)
            for (let i = x * factors[2]; i < Math.min(shape[2], (x + 1) * factors[2]); i++) {
              const value = data[(k * shape[1] + j) * shape[2] + i];
              counts.set(value, (counts.get(value) ?? 0) + 1);
            }
        const first = data[(z * factors[0] * shape[1] + y * factors[1]) * shape[2] + x * factors[2]];
        const [[mode]] = [...counts].sort(([a, n], [b, m]) => m - n || a - b);
        out.push(how === "nearest" ? first : mode);
      }
    }
  }
  return out;
}

describe("names", () => {
  test("what is finished stays without overwrite, and is there until the new one is", async () => {
    const url = await image("0.4");
    const data = new Uint32Array(WIDTH * HEIGHT * DEPTH).fill(5);
    await write(url, data, { name: "cells" });
    await expect(zarrSink(url, { name: "cells" })).rejects.toThrow(/Expected --overwrite for .*cells/);
    const sink = await zarrSink(url, { name: "cells", overwrite: true });
    await sink.write(0, 1, 0, HEIGHT, new Uint32Array(WIDTH * HEIGHT).fill(6));
    expect(Array.from((await readArray(join(url, "labels/cells/0"))).data)[0]).toBe(5);
    await expect(sink.finish()).rejects.toThrow(/it was opened for .* pixels, of which rows are missing/);
    await sink.discard();
    expect(readdirSync(join(url, "labels")).sort()).toEqual([".zattrs", ".zgroup", "cells"]);
    await write(url, data.fill(7), { name: "cells", overwrite: true });
    expect(Array.from((await readArray(join(url, "labels/cells/0"))).data)[0]).toBe(7);
  });

  test("a label image of its own is replaced with overwrite alone, in its version", async () => {
    const url = fresh();
    const data = new Uint32Array(WIDTH * HEIGHT * DEPTH).fill(5);
    await write(url, data, { ...size, version: "0.4" });
    await expect(zarrSink(url, size)).rejects.toThrow(/Expected --overwrite for/);
    await write(url, data.fill(8), { ...size, overwrite: true });
    expectSame((await readArray(join(url, "0"))).data, data);
    expect(existsSync(join(url, ".zgroup"))).toBe(true);
  });

  test("an interrupted run leaves nothing that is seen, and the next one takes its place", async () => {
    const url = await image("0.5");
    const sink = await zarrSink(url, { name: "cells" });
    await sink.write(0, 8, 0, HEIGHT, new Uint32Array(WIDTH * HEIGHT * 8).fill(6));
    await expect(zarrSource(join(url, "labels/cells"))).rejects.toThrow(/neither a zarr.json/);
    await write(url, new Uint32Array(WIDTH * HEIGHT * DEPTH).fill(2), { name: "cells" });
    expect(readdirSync(join(url, "labels")).sort()).toEqual(["cells", "zarr.json"]);
  });

  test("what cannot be written is refused in a sentence", async () => {
    const url = await image("0.5");
    const other = fresh();
    mkdirSync(other);
    writeFileSync(join(other, "notes.txt"), "mine");
    const old = fresh();
    mkdirSync(old);
    const axes = [{ name: "y" }, { name: "x" }];
    const datasets = [{ path: "0", coordinateTransformations: [{ type: "scale", scale: [1, 1] }] }];
    const ome = { version: "0.6", multiscales: [{ coordinateSystems: [{ name: "own", axes }], datasets }] };
    writeFileSync(join(old, "zarr.json"), JSON.stringify({ zarr_format: 3, node_type: "group", attributes: { ome } }));
    const cases: readonly (readonly [string, ZarrSinkOptions, RegExp])[] = [
      [url, { type: "f32" }, /a new name for distances/],
      [url, { name: "a/b" }, /a name of a folder/],
      [url, { width: 99 }, /lie within level 0/],
      [url, { version: "0.4" }, /Expected the version of/],
      [url, { shards: [12, 18, 10] }, /multiples of those of chunks/],
      [fresh(), {}, /width and height/],
      [fresh(), { ...size, version: "0.4", shards: [16, 18, 10] }, /no shards/],
      [other, { ...size }, /a folder without metadata/],
      [old, { ...size }, /0.4 or 0.5 to write to, got 0.6/],
      ["https://example.org/x.zarr", { ...size }, /read alone/],
    ];
    for (const [at, options, message] of cases)
      await expect(zarrSink(at, options), `${message}`).rejects.toThrow(message);
  });
});

describe("from file to file", () => {
  let engine: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    engine = await open({ device: "cpu", threads: 2 });
  });
  afterAll(() => engine.close());

  test.each(FORMS)(
    "labels equal those of the pixels in memory, each chunk read once: $version $shards",
    async ({ version, shards }) => {
      const url = await image(version, shards);
      const raster = { data: volumeOf(WIDTH, HEIGHT, DEPTH), ...size };
      for (const options of [
        { threshold: { above: 60 }, connectivity: 26 },
        { by: "value", connectivity: 6 },
      ] as const) {
        const expected = await engine.components(raster, options);
        const source = await zarrSource(url, { memory: 2 ** 16 });
        const found = await engine.components(source, options);
        expect([source.traffic.chunks, found.count]).toEqual([source.chunkCount, expected.count]);
        const sink = await zarrSink(url, { name: "own", overwrite: true });
        await found.labels({ into: sink });
        await sink.finish({ count: found.count });
        const labels = await expected.labels();
        expectSame((await readArray(join(sink.url, "0"))).data, labels.data);
        source.close();
      }
    },
  );
});

test("a list of labels whose group was left half-written is completed by the next label image", async () => {
  const path = `${folder()}/half.zarr`;
  const size = { width: 8, height: 4, version: "0.4" } as const;
  const write = async (more: object): Promise<void> => {
    const sink = await zarrSink(path, { ...size, ...more });
    await sink.write(0, 1, 0, 4, new Uint32Array(32).fill(1));
    await sink.finish({ count: 1 });
  };
  await write({ labels: false });
  await write({ name: "one" });
  // A process that was killed between the two files of a group of Zarr 2.
  rmSync(`${path}/labels/.zgroup`);
  await write({ name: "one", overwrite: true });
  expect(JSON.parse(readFileSync(`${path}/labels/.zgroup`, "utf8"))).toEqual({ zarr_format: 2 });
  expect(JSON.parse(readFileSync(`${path}/labels/.zattrs`, "utf8")).labels).toEqual(["one"]);
});

// What images tell: axes, levels, units, of every version; and the sentences for those that are damaged, refused or something else.

import { chmodSync, readFileSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { packing } from "../../src/zarr/codecs-node.js";
import { type ZarrError, zarrSink, zarrSource } from "../../src/zarr/index.js";
import { crc32c, openImage, openStore } from "../../src/zarr/internal.js";
import { labelsOf, omeOf, parseMultiscales } from "../../src/zarr/ome.js";
import { folder, writeFiles } from "./support/folders.js";
import { expectSame, pixelsOf } from "./support/pixels.js";
import { type Served, serve } from "./support/server.js";

const root = folder();
let names = 0;

/** An image of Zarr 2 whose array has a shape, of raw values in one chunk. */
function image2(shape: number[], dtype: string, axes: string[], values: ArrayBufferView, chunks = shape): string {
  const url = join(root, `${names++}.zarr`);
  const ones = axes.map(() => 1);
  const multiscales = [
    {
      version: "0.4",
      axes: axes.map((name) => ({ name, ...("zyx".includes(name) ? { type: "space", unit: "micrometer" } : {}) })),
      datasets: [{ path: "s0", coordinateTransformations: [{ type: "scale", scale: ones.map((_, i) => i + 2) }] }],
    },
  ];
  const array = { zarr_format: 2, shape, chunks, dtype, compressor: null, fill_value: 0, order: "C", filters: null };
  writeFiles(url, {
    ".zgroup": '{"zarr_format":2}',
    ".zattrs": JSON.stringify({ multiscales }),
    "s0/.zarray": JSON.stringify({ ...array, dimension_separator: "/" }),
    [`s0/${shape.map(() => 0).join("/")}`]: new Uint8Array(values.buffer, values.byteOffset, values.byteLength),
  });
  return url;
}

describe("axes", () => {
  test("a slice is an image at its own place; a box of it is one in x and y", async () => {
    const values = Uint16Array.from({ length: 2 * 3 * 4 * 5 }, (_, i) => i);
    const url = image2([2, 3, 4, 5], "<u2", ["c", "z", "y", "x"], values);
    const slice = await zarrSource(url, { channel: 1, page: 2 });
    expect([slice.width, slice.height, slice.depth]).toEqual([5, 4, 1]);
    expectSame(await pixelsOf(slice), values.subarray(60 + 40, 60 + 60));
    // Scales of c, z, y and x are 2, 3, 4 and 5.
    expect(slice.space.taken).toEqual({ channel: 1, page: 2 });
    expect(slice.space.axes.map(({ name, size, spacing }) => [name, size, spacing])).toEqual([
      ["x", 5, 5],
      ["y", 4, 4],
      ["z", 1, 3],
      ["channel", 2, undefined],
      ["page", 3, undefined],
    ]);
    expect(slice.space.toWorld?.map((row) => row[3])).toEqual([0, 0, 6]);
    const part = await zarrSource(url, { channel: 1, page: 2, box: { x: 1, y: 2, width: 3, height: 2 } });
    expectSame(await pixelsOf(part), [111, 112, 113, 116, 117, 118]);
    expect(part.space.toWorld?.map((row) => row[3])).toEqual([5, 8, 6]);
    await expect(zarrSource(url, { channel: 1, page: 3 })).rejects.toThrow("Expected --page to be 0 to 2");
    const flat = image2([4, 5], "<u2", ["y", "x"], values);
    await expect(zarrSource(flat, { page: 1 })).rejects.toThrow("Expected --page to be 0 ");
  });

  test("a channel and a time are chosen, or refused where there are several", async () => {
    const values = Uint16Array.from({ length: 2 * 3 * 2 * 4 * 5 }, (_, i) => i);
    const url = image2([2, 3, 2, 4, 5], "<u2", ["t", "c", "z", "y", "x"], values);
    const source = await zarrSource(url, { time: 1, channel: 2 });
    expect([source.width, source.height, source.depth, source.spacing, source.space.axes[0].unit]).toEqual([
      5,
      4,
      2,
      [6, 5, 4],
      "\u00b5m",
    ]);
    expect(Array.from(await pixelsOf(source))).toEqual(Array.from(values.subarray((3 + 2) * 40, (3 + 2) * 40 + 40)));
    await expect(zarrSource(url, { channel: 0 })).rejects.toThrow(/Expected --time for .*, which has 2: 0 to 1\./);
    await expect(zarrSource(url, { time: 0 })).rejects.toThrow(/Expected --channel for .*, which has 3: 0 to 2\./);
    await expect(zarrSource(url, { time: 2, channel: 0 })).rejects.toThrow(/--time to be 0 to 1 for .*, got 2/);
    await expect(zarrSource(url, { time: 0, channel: "colour" })).rejects.toThrow(/3 or 4 channels of uint8/);
    source.close();
  });

  test("three channels of u8 are colours where they are asked for", async () => {
    const values = Uint8Array.from({ length: 3 * 4 * 5 }, (_, i) => i * 4);
    const url = image2([3, 4, 5], "|u1", ["c", "y", "x"], values, [2, 4, 5]);
    writeFiles(url, {
      "s0/0/0/0": values.subarray(0, 40),
      "s0/1/0/0": Uint8Array.from([...values.subarray(40), ...new Uint8Array(20)]),
    });
    await expect(zarrSource(url)).rejects.toThrow(/which has 3: 0 to 2, or luma or another colour/);
    const source = await zarrSource(url, { channel: "colour" });
    const expected = Array.from({ length: 60 }, (_, i) => values[(i % 3) * 20 + Math.floor(i / 3)]);
    expect([source.channels, Array.from(await pixelsOf(source))]).toEqual([3, expected]);
    source.close();
  });

  test("labels of 64 bits are read where 32 hold them", async () => {
    const url = image2([2, 3], "<u8", ["y", "x"], BigUint64Array.from([0n, 1n, 2n, 2n ** 32n - 1n, 4n, 5n]));
    const source = await zarrSource(url);
    expect([source.type, Array.from(await pixelsOf(source))]).toEqual(["u32", [0, 1, 2, 2 ** 32 - 1, 4, 5]]);
    const large = image2([1, 2], "<u8", ["y", "x"], BigUint64Array.from([0n, 2n ** 32n]));
    await expect(pixelsOf(await zarrSource(large))).rejects.toThrow(/it holds 4294967296, and labels go from 0/);
    const ids = await zarrSource(large, { ids: true });
    expect([ids.ids, Array.from(await pixelsOf(ids))]).toEqual([new BigUint64Array([2n ** 32n]), [0, 1]]);
    const signed = image2([2, 2], "<i8", ["y", "x"], BigInt64Array.from([9n, -(2n ** 40n), 0n, 9n]));
    const both = await zarrSource(signed, { ids: true });
    expect([both.ids, Array.from(await pixelsOf(both))]).toEqual([new BigInt64Array([-(2n ** 40n), 9n]), [2, 1, 0, 2]]);
    expect((await zarrSource(url, { ids: true })).ids).toBeUndefined();
  });

  test("0.6 has its axes in coordinate systems", () => {
    const axes = [
      { name: "y", type: "space", unit: "micrometer" },
      { name: "x", type: "space", unit: "micrometer" },
    ];
    const systems = [
      { name: "array", axes: [{ name: "j" }, { name: "i" }] },
      { name: "own", axes },
    ];
    const sequence = [
      { type: "scale", scale: [1, 2] },
      { type: "translation", translation: [0.25, 0.5] },
    ];
    const datasets = [
      {
        path: "s0",
        coordinateTransformations: [{ type: "scale", scale: [0.5, 1], input: { path: "s0" }, output: { name: "own" } }],
      },
      {
        path: "s1",
        coordinateTransformations: [{ type: "sequence", transformations: sequence, input: "s1", output: "own" }],
      },
    ];
    const other = [{ type: "scale", scale: [9, 9], input: "own", output: "world" }];
    const multiscales = [{ name: "cells", coordinateSystems: systems, datasets, coordinateTransformations: other }];
    expect(parseMultiscales(omeOf({}) && { ome: { version: "0.6", multiscales } }, "x")).toMatchObject({
      version: "0.6",
      axes,
      levels: [
        { path: "s0", scale: [0.5, 1], translation: [0, 0] },
        { path: "s1", scale: [1, 2], translation: [0.25, 0.5] },
      ],
    });
  });
});

describe("sentences", () => {
  const size = { width: 20, height: 16, depth: 12 };

  async function written(options: object = {}): Promise<string> {
    const url = join(root, `${names++}.zarr`);
    const all = { ...size, type: "u8", labels: false, chunks: [8, 8, 8], ...options } as const;
    const sink = await zarrSink<Uint8Array>(url, all);
    await sink.write(
      0,
      12,
      0,
      16,
      Uint8Array.from({ length: 20 * 16 * 12 }, (_, i) => i % 251),
    );
    await sink.finish();
    return url;
  }

  test("a chunk that is damaged, by its key", async () => {
    const two = await written({ version: "0.4" });
    writeFileSync(join(two, "0/1/0/2"), Buffer.from("nothing that zstd knows"));
    await expect(pixelsOf(await zarrSource(two))).rejects.toMatchObject({ failure: "damaged", key: "0/1/0/2" });
    const sharded = await written({ version: "0.5", shards: [16, 16, 16] });
    truncateSync(join(sharded, "0/c/0/0/1"), 40);
    await expect(pixelsOf(await zarrSource(sharded))).rejects.toThrow(
      /Could not read bytes .* of .*0\/c\/0\/0\/1: it has 40/,
    );
    const index = await written({ version: "0.5", shards: [16, 16, 16] });
    const bytes = readFileSync(join(index, "0/c/0/0/0"));
    bytes[bytes.length - 9] ^= 1;
    writeFileSync(join(index, "0/c/0/0/0"), bytes);
    await expect(pixelsOf(await zarrSource(index))).rejects.toThrow(/its checksum does not fit/);
    const raw = await written({ version: "0.5", codec: { name: "raw" } });
    truncateSync(join(raw, "0/c/0/0/0"), 100);
    await expect(pixelsOf(await zarrSource(raw))).rejects.toThrow(/expected 512 values, got 100/);
  });

  test("indices of shards that tell bytes beyond the file", async () => {
    for (const [offset, length] of [
      [0n, 2n ** 31n],
      [2n ** 53n + 1n, 4n],
      [2n ** 63n, 4n],
      [40n, 2n ** 40n],
    ]) {
      const url = await written({ version: "0.5", shards: [16, 16, 16] });
      const path = join(url, "0/c/0/0/0");
      const bytes = readFileSync(path);
      const index = bytes.subarray(bytes.length - 4 - 8 * 16, bytes.length - 4);
      index.writeBigUInt64LE(offset, 0);
      index.writeBigUInt64LE(length, 8);
      bytes.writeUInt32LE(crc32c(index), bytes.length - 4);
      writeFileSync(path, bytes);
      await expect(pixelsOf(await zarrSource(url))).rejects.toThrow(/Could not read bytes \d+ to .*: it has \d+/);
    }
  });

  test("paths of levels that lead out of the image, and names of label images", () => {
    const axes = ["y", "x"].map((name) => ({ name, type: "space" }));
    const scale = [{ type: "scale", scale: [1, 1] }];
    const told = (path: string) =>
      parseMultiscales(
        { multiscales: [{ version: "0.4", axes, datasets: [{ path, coordinateTransformations: scale }] }] },
        "x.zarr",
      );
    for (const path of ["..", "../other/0", "0/../../1", "a\\..\\b", "//host/share", "C:/x", "s3://bucket/x"]) {
      expect(() => told(path)).toThrow("Expected the multiscales of x.zarr to have levels inside of it");
    }
    for (const path of ["0", "s0", "/0/", "scale0/image", "..0", "a..b/c"]) expect(told(path)?.levels.length).toBe(1);
    expect(labelsOf({ labels: ["cells", "../cells", "/x/../../y", "a/b"] })).toEqual(["cells", "a/b"]);
  });

  test("metadata that is wrong or missing", async () => {
    const at = (files: Record<string, string>): string => {
      const url = join(root, `${names++}.zarr`);
      writeFiles(url, files);
      return url;
    };
    const group = (ome: object): string => JSON.stringify({ zarr_format: 3, node_type: "group", attributes: { ome } });
    const array = (more: object): string =>
      JSON.stringify({
        zarr_format: 3,
        node_type: "array",
        shape: [4, 4],
        data_type: "uint8",
        fill_value: 0,
        codecs: [{ name: "bytes" }],
        chunk_grid: { name: "regular", configuration: { chunk_shape: [4, 4] } },
        chunk_key_encoding: { name: "default" },
        ...more,
      });
    const axes = [{ name: "y" }, { name: "x" }];
    const two = (more: object): Record<string, string> => ({
      ".zarray": JSON.stringify({
        zarr_format: 2,
        shape: [4, 4],
        chunks: [4, 4],
        dtype: "|u1",
        compressor: null,
        fill_value: 0,
        order: "C",
        filters: null,
        ...more,
      }),
    });
    const cases: readonly (readonly [Record<string, string>, RegExp])[] = [
      [{ "zarr.json": "{" }, /Could not read .*zarr.json/],
      [{ "notes.txt": "" }, /neither a zarr.json nor a .zgroup/],
      [{ "zarr.json": group({}) }, /a group without multiscales/],
      [{ "zarr.json": group({ multiscales: [{ axes }] }) }, /to have datasets/],
      [
        { "zarr.json": group({ multiscales: [{ axes, datasets: [{ path: "0" }] }] }) },
        /Expected an array at .*0, but there is no zarr.json/,
      ],
      [
        {
          "zarr.json": group({ multiscales: [{ axes, datasets: [{ path: "0" }] }] }),
          "0/zarr.json": array({ shape: [4], chunk_grid: { name: "regular", configuration: { chunk_shape: [4] } } }),
        },
        /the 2 dimensions of its image's axes, got 1/,
      ],
      [{ "zarr.json": array({ codecs: [{ name: "bytes" }, { name: "lzma" }] }) }, /its codec lzma is not known/],
      [{ "zarr.json": array({ data_type: "complex64" }) }, /complex64/],
      [{ "zarr.json": array({ fill_value: 256 }) }, /a fill_value of uint8 in .*, got 256/],
      [{ "zarr.json": array({ fill_value: -1 }) }, /a fill_value of uint8 in .*, got -1/],
      [{ "zarr.json": array({ fill_value: 0.5 }) }, /a fill_value of uint8 in .*, got 0.5/],
      [{ "zarr.json": array({ fill_value: null }) }, /a fill_value of uint8 in .*, got null/],
      [{ "zarr.json": array({ data_type: "float32", fill_value: "0x7fc0" }) }, /a fill_value of float32/],
      [{ "zarr.json": array({ data_type: "bool", fill_value: 0 }) }, /a fill_value of bool/],
      [{ "zarr.json": array({ zarr_format: 2 }) }, /zarr_format 3, got 2/],
      [
        { "zarr.json": array({ storage_transformers: [{ name: "x" }] }) },
        /no storage_transformers in .*, got \[{"name"/,
      ],
      [{ "zarr.json": array({ layers: { name: "x" } }) }, /known fields in the metadata of .*, got layers/],
      [{ "zarr.json": array({ layers: { must_understand: true } }) }, /known fields in the metadata of .*, got layers/],
      [{ "zarr.json": array({ chunk_grid: { name: "rectangular" } }) }, /the chunk_grid of .* to be "regular"/],
      [{ "zarr.json": array({ chunk_key_encoding: { name: "md5" } }) }, /to be "default" or "v2", got "md5"/],
      [two({ order: "K" }), /the order of .* to be "C" or "F", got "K"/],
      [two({ dimension_separator: "-" }), /the dimension_separator of .* to be "\." or "\/"/],
      [two({ fill_value: 300 }), /a fill_value of uint8 in .*, got 300/],
      [two({ dtype: "<i2", fill_value: 40000 }), /a fill_value of int16 in .*, got 40000/],
      [{ "zarr.json": array({ shape: [4, 0] }) }, /a shape of whole numbers above 0/],
      [{ "zarr.json": group({ plate: {} }) }, /got a plate/],
      [
        { "zarr.json": JSON.stringify({ node_type: "group", attributes: { "bioformats2raw.layout": 3 } }) },
        /give .*\/0 for its first image/,
      ],
      [{ "zarr.json": group({ labels: ["cells"] }) }, /a group of label images; give one: .*\/cells/],
    ];
    for (const [files, message] of cases) await expect(zarrSource(at(files)), `${message}`).rejects.toThrow(message);
  });

  test("metadata that need not be understood, and fill values as bits", async () => {
    const url = join(root, `${names++}.zarr`);
    const array = {
      zarr_format: 3,
      node_type: "array",
      shape: [2, 2],
      data_type: "float32",
      codecs: [{ name: "bytes" }],
      chunk_grid: { name: "regular", configuration: { chunk_shape: [2, 2] } },
      chunk_key_encoding: { name: "default" },
      fill_value: "0x3fc00000",
      storage_transformers: [],
      hint: { name: "x", must_understand: false },
    };
    writeFiles(url, { "zarr.json": JSON.stringify(array) });
    expect([...(await pixelsOf(await zarrSource(url)))]).toEqual([1.5, 1.5, 1.5, 1.5]);
  });

  test("small chunks that unpack to more than a chunk has", async () => {
    const zeros = new Uint8Array(2 ** 26);
    const array = (id: string): string =>
      JSON.stringify({
        zarr_format: 2,
        shape: [4, 4],
        chunks: [4, 4],
        dtype: "|u1",
        compressor: { id },
        fill_value: 0,
        order: "C",
        filters: null,
        dimension_separator: "/",
      });
    for (const name of ["gzip", "zlib", "zstd", "blosc"] as const) {
      const url = join(root, `${names++}.zarr`);
      const packed = name === "zlib" ? deflateSync(zeros) : await (await packing({ name }))(zeros);
      writeFiles(url, { ".zarray": array(name), "0/0": packed });
      await expect(pixelsOf(await zarrSource(url)), name).rejects.toThrow(
        /Could not decode .*0\/0: (Cannot create a Buffer larger|it unpacks to 67108864 bytes)|has \d+ bytes, more than/,
      );
    }
  });

  test("a row of chunks that does not fit, and a box outside", async () => {
    const url = await written();
    await expect(zarrSource(url, { memory: 1000 })).rejects.toThrow(/1 MiB for a row of chunks of .* 8 x 8 x 8/);
    await expect(zarrSource(url, { box: { x: 0, y: 0, width: 21, height: 1 } })).rejects.toThrow(
      /a box inside .* 20 x 16 x 12/,
    );
    await expect(zarrSource(url, { level: 7 })).rejects.toThrow(/which has levels 0 to \d/);
    await expect(zarrSource("gs://bucket/x.zarr")).rejects.toThrow(/gs is not read/);
  });

  test("a signal ends reading", async () => {
    const url = await written();
    const ends = new AbortController();
    const source = await zarrSource(url, { signal: ends.signal });
    ends.abort(new Error("enough"));
    await expect(pixelsOf(source)).rejects.toThrow("enough");
  });

  test.skipIf(process.getuid?.() === 0)("a folder that may not be read or written", async () => {
    const url = await written();
    chmodSync(url, 0o000);
    await expect(zarrSource(url)).rejects.toMatchObject({ failure: "refused" } satisfies Partial<ZarrError>);
    chmodSync(url, 0o700);
  });
});

describe("servers", () => {
  let served: Served | undefined;
  afterEach(() => served?.close());
  const files = { "zarr.json": '{"zarr_format":3,"node_type":"group","attributes":{}}', a: "0123456789" };

  test("a missing key is none, a refused one and another host are failures", async () => {
    const at = join(root, "served");
    writeFiles(at, files);
    served = await serve(at, (path) => (path === "/b" ? "refused" : path === "/c" ? "elsewhere" : "none"));
    const store = openStore(served.url);
    expect(await store.get("nothing")).toBeUndefined();
    await expect(store.get("b")).rejects.toMatchObject({ failure: "refused", key: "b" });
    await expect(store.get("c")).rejects.toThrow(/redirects to another origin, http:\/\/other.invalid/);
    const listed = openStore(served.url, { missing: [403, 404] });
    expect(await listed.get("b")).toBeUndefined();
    await expect(openImage(store)).rejects.toThrow(/a group without multiscales/);
  });

  test("ranges come whole, also from servers that send everything", async () => {
    const at = join(root, "served");
    writeFiles(at, files);
    served = await serve(at, (_, index) => (index % 2 ? "whole" : "none"));
    const store = openStore(served.url);
    for (let i = 0; i < 2; i++) {
      expect(Buffer.from((await store.getRange("a", { suffix: 3 })) ?? []).toString()).toBe("789");
      expect(Buffer.from((await store.getRange("a", { offset: 2, length: 4 })) ?? []).toString()).toBe("2345");
    }
    expect(served.requests.map(({ bytes }) => bytes)).toEqual([3, 10, 3, 10]);
  });

  test("another range than was asked for is refused", async () => {
    const at = join(root, "served");
    writeFiles(at, files);
    served = await serve(at, () => "another");
    const store = openStore(served.url);
    await expect(store.getRange("a", { offset: 2, length: 4 })).rejects.toThrow(
      /Could not read .*\/a: asked for bytes=2-5, got bytes 3-6\/10\./,
    );
    await expect(store.getRange("a", { suffix: 3 })).rejects.toThrow(/asked for bytes=-3, got bytes 8-10\/10\./);
  });

  test("bodies without an end are given up", async () => {
    const at = join(root, "served");
    writeFiles(at, files);
    served = await serve(at, () => "endless");
    const store = openStore(served.url);
    await expect(store.getRange("a", { offset: 2, length: 4 })).rejects.toThrow(/got more than 4 bytes/);
    await expect(store.get("a", { most: 1000 })).rejects.toThrow(/has more than 1000 bytes/);
    for (const { bytes } of served.requests) expect(bytes).toBeLessThan(2 ** 25);
  });

  test("versions of what was read, over HTTP and from a folder", async () => {
    const at = join(root, "versions");
    writeFiles(at, files);
    served = await serve(at);
    for (const url of [at, served.url]) {
      const seen = new Map<string, string>();
      const store = openStore(url, { onVersion: (address, version) => seen.set(address, version) }).at("");
      await store.get("a");
      await store.getRange("zarr.json", { offset: 0, length: 4 });
      await store.get("nothing");
      expect([...seen.keys()]).toEqual([`${url}/a`, `${url}/zarr.json`, `${url}/nothing`]);
      const first = seen.get(`${url}/a`);
      expect([first === undefined, seen.get(`${url}/nothing`)]).toEqual([false, "none"]);
      await store.getRange("a", { suffix: 1 });
      expect(seen.get(`${url}/a`)).toBe(first);
      utimesSync(join(at, "a"), 1, url === at ? 2 : 3);
      await store.get("a");
      expect(seen.get(`${url}/a`)).not.toBe(first);
    }
  });

  test("an inventory changes with names, sizes and times, and with nothing else", async () => {
    const at = join(root, "listed");
    const chunks = { "0/zarr.json": "{}", "0/c/0/0": "one", "0/c/0/1": "two", "0/c/10/0": "ten", "1/c/0/0": "other" };
    writeFiles(at, chunks);
    const store = openStore(at);
    const first = await store.inventory("0");
    expect(first).toMatchObject({ files: 4, bytes: 11 });
    expect(await store.inventory("0")).toEqual(first);
    writeFiles(at, { "0/c/.DS_Store": "x", "1/c/0/0": "changed" });
    expect(await store.inventory("0")).toEqual(first);
    writeFiles(at, { "0/c/0/1": "TWO" });
    utimesSync(join(at, "0/c/0/1"), 5, 5);
    const touched = await store.inventory("0");
    expect(touched).toMatchObject({ names: first?.names, bytes: 11 });
    expect(touched?.times).not.toBe(first?.times);
    writeFiles(at, { "0/c/0/1": "three" });
    expect((await store.inventory("0"))?.names).not.toBe(first?.names);
    await expect(store.inventory("2")).rejects.toThrow(/Could not read .*listed\/2: it is not there/);
    expect(await openStore("http://127.0.0.1:1/x").inventory("0")).toBeUndefined();
  });
});

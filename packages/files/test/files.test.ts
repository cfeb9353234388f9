// The writers against readers that share no code (sharp, NumPy's and Netpbm's layouts by hand), the readers against the writers.

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { crc32 } from "node:zlib";
import {
  bufferBytes,
  fillOf,
  MemoryOutput,
  openNpy,
  openPgm,
  palette,
  readPng,
  type TableOptions,
  writeCoco,
  writeNpy,
  writePgm,
  writePng,
  writeRegions,
  writeRuns,
} from "@skerry/files";
import {
  ARRAYS,
  coverRuns,
  endingOf,
  endingsOf,
  type Layout,
  labelValues,
  maskBytes,
  maskValues,
  pngBits,
  type ValueType,
  WRITERS,
  wantedBy,
  writeNpyValues,
  writerOf,
} from "@skerry/files/internal";
import sharp from "sharp";
import { type Components, type Engine, open, type PixelArray } from "skerry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

let engine: Engine;
beforeAll(async () => {
  engine = await open({ device: "cpu", threads: 2 });
});
afterAll(() => engine.close());

const [width, height] = [37, 23];
const noise = Uint8Array.from({ length: width * height }, (_, i) => ((i * 2654435761) >>> 13) & 255);

async function written(write: (file: MemoryOutput) => Promise<unknown>): Promise<Uint8Array> {
  const file = new MemoryOutput();
  await write(file);
  return file.bytes();
}

test("nothing outside node/ needs Node: no module of it is imported, and no global of it is used", () => {
  const folder = resolve(import.meta.dirname, "../src");
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !/^(node|zarr)\b/.test(name),
  );
  // Without comments, whose examples may be of Node.
  const sources = names.map((name) =>
    readFileSync(resolve(folder, name), "utf8").replaceAll(/^ *(?:\/\*\*|\*|\/\/).*$/gm, ""),
  );
  expect(sources.length).toBeGreaterThan(16);
  const packages = [
    "skerry",
    "skerry/internal",
    "dicom-parser",
    "fast-png",
    "fflate",
    ...["constants.js", "generic/featurecollection.js", "geojson.js"].map((name) => `flatgeobuf/lib/mjs/${name}`),
    "fzstd",
    "hyparquet-writer",
    "lerc",
    "nifti-reader-js",
    ...["charls", "libjpeg-turbo-8bit", "openjpeg"].map((name) => `@cornerstonejs/codec-${name}/decode`),
    "jpeg-lossless-decoder-js",
  ];
  for (const source of sources) {
    const imported = [...source.matchAll(/(?:from|import\()\s*"([^"]+)"/g)].map(([, name]) => name);
    expect(imported.filter((name) => !name.startsWith(".") && !packages.includes(name))).toEqual([]);
    expect(source).not.toMatch(/\bBuffer\.|\bprocess\./);
  }
});

describe("PNG", () => {
  test.each([
    [1, 8],
    [3, 8],
    [4, 8],
    [1, 16],
    [3, 16],
  ] as const)("%s channels of %s bits are what sharp reads, and what is read back", async (channels, bits) => {
    const length = width * height * channels;
    const array = bits === 8 ? Uint8Array : Uint16Array;
    const data = new array(length).map((_: number, i: number) => (i * 40503) >>> (bits === 8 ? 5 : 0));
    const png = await written((file) => writePng(file, { width, height, channels, data }));
    expect(pngBits(png)).toBe(bits);
    const { data: raw, info } = await sharp(png)
      .toColourspace(`${channels === 1 ? (bits === 8 ? "b-w" : "grey16") : bits === 8 ? "srgb" : "rgb16"}`)
      .raw({ depth: bits === 8 ? "uchar" : "ushort" })
      .toBuffer({ resolveWithObject: true });
    expect([info.width, info.height, info.channels]).toEqual([width, height, channels]);
    const seen = new array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.byteLength));
    expect(seen).toEqual(data);
    expect(await readPng(png, "it")).toEqual({ width, height, channels, data });
  });

  /** A PNG with another chunk behind its header, with its checksum. */
  const withChunk = (png: Uint8Array, type: string, bytes: readonly number[]): Uint8Array => {
    const body = Buffer.concat([Buffer.from(type), Buffer.from(bytes)]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(bytes.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([png.subarray(0, 33), length, body, sum, png.subarray(33)]);
  };

  test("one transparent value of 16 bits, and a palette that is only suggested", async () => {
    const grey = await written((file) =>
      writePng(file, { width: 3, height: 1, channels: 1, data: Uint16Array.of(5, 700, 65535) }),
    );
    const { data } = await readPng(withChunk(grey, "tRNS", [700 >> 8, 700 & 255]), "it");
    expect(data).toEqual(Uint16Array.of(5, 5, 5, 65535, 700, 700, 700, 0, 65535, 65535, 65535, 65535));
    const own = Uint16Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9);
    const colour = await written((file) => writePng(file, { width: 3, height: 1, channels: 3, data: own }));
    expect((await readPng(withChunk(colour, "PLTE", [0, 0, 0, 255, 0, 0]), "it")).data).toEqual(own);
    const { data: both } = await readPng(withChunk(colour, "tRNS", [0, 4, 0, 5, 0, 6]), "it");
    expect(both).toEqual(Uint16Array.of(1, 2, 3, 65535, 4, 5, 6, 0, 7, 8, 9, 65535));
  });

  test("what is none is a sentence", async () => {
    const png = await written((file) => writePng(file, { width, height, channels: 1, data: noise }));
    await expect(readPng(png.subarray(0, 60), "cut.png")).rejects.toThrow(
      "Could not read cut.png: it is not a PNG, or it is damaged.",
    );
  });
});

describe("npy", () => {
  test("what is written is read back, and its header is NumPy's", async () => {
    const npy = await written((file) => writeNpy(file, noise, { width, height, depth: 1 }));
    const header = new TextDecoder("latin1").decode(npy.subarray(0, 128));
    expect(header.slice(1, 6)).toBe("NUMPY");
    expect(header).toContain(`{'descr': '|u1', 'fortran_order': False, 'shape': (${height}, ${width}), }`);
    expect(npy.length).toBe(128 + noise.length);
    const { pixels: source } = await openNpy(bufferBytes(npy), "it");
    if ("data" in source) throw new Error("expected a Source");
    const back = new Uint8Array(noise.length);
    await source.read(0, 1, 0, height, back, {});
    expect(back).toEqual(noise);
  });

  test("labels go out as they are made", async () => {
    const found = await engine.components({ data: noise, width, height }, { threshold: { above: 128 } });
    const { layout, fill } = labelValues(found, "u32");
    const npy = await written((file) => writeNpyValues(file, layout, fill));
    const { data } = await found.labels();
    expect(new Uint32Array(npy.slice(128).buffer)).toEqual(data);
  });

  test("labels of a label image are its ids, also those that corrections add", async () => {
    const ids = Uint16Array.of(7, 7, 0, 300, 300, 300);
    const labelled = await engine.labelled({ data: ids, width: 6, height: 1 });
    const edited = await labelled.edit([{ erase: [[4, 0]] }]);
    const values = async (from: Components): Promise<number[]> => {
      const { layout, fill } = labelValues(from, "u32");
      expect(layout.range?.[1]).toBe(Math.max(...(from.ids ?? [])));
      return [...new Uint32Array((await written((file) => writeNpyValues(file, layout, fill))).slice(128).buffer)];
    };
    expect(await values(labelled)).toEqual([...ids]);
    expect(await values(edited)).toEqual([7, 7, 0, 300, 0, 301]);
    expect(() => labelValues(found("u32", 70_000), "u16")).toThrow("ids up to 65535 for 16-bit labels, got 70000");
    // Numbers that stand for ids of 64 bits have no meaning in a file.
    expect(labelValues(found("u32", 9), "u32", undefined, { numbered: true }).layout.range).toEqual([0, 1]);
    // Negative ids have no room in files of labels: objects are numbered.
    expect(labelValues(found("i32", -4), "u32").layout.range).toEqual([0, 1]);
  });

  const found = (type: string, id: number): Components =>
    ({
      width: 1,
      height: 1,
      depth: 1,
      count: 1,
      ids: type === "u32" ? Uint32Array.of(id) : Int32Array.of(id),
    }) as never;
});

describe("PGM", () => {
  const layout = { width, height, depth: 1 };
  const all = async (pgm: Uint8Array): Promise<PixelArray> => {
    const { type, width, height, read } = await openPgm(bufferBytes(pgm), "it");
    const data = new ARRAYS[type](width * height);
    await read(0, 1, 0, height, data, {});
    return data;
  };

  test.each([
    ["u8", 255, noise, Array.from(noise)],
    ["bool", 255, noise.map((value) => value & 1), Array.from(noise, (value) => (value & 1) * 255)],
    ["u16", 65535, Uint16Array.from(noise, (value) => value * 255), Array.from(noise).flatMap((n) => [n - +!!n, -n])],
  ] as const)("%s has the most %i and Netpbm's order of bytes, and is read back", async (type, most, data, bytes) => {
    const pgm = await written((file) => writePgm(file, { ...layout, type }, fillOf(data, layout)));
    const header = new TextEncoder().encode(`P5\n${width} ${height}\n${most}\n`);
    expect(pgm).toEqual(Uint8Array.of(...header, ...bytes));
    expect(await all(pgm)).toEqual(type === "bool" ? Uint8Array.from(bytes) : data);
  });

  test("labels of 16 bits go out as they are made", async () => {
    const found = await engine.components({ data: noise, width, height }, { threshold: { above: 128 } });
    const labels = labelValues(found, "u16");
    const pgm = await written((file) => writePgm(file, labels.layout, labels.fill));
    expect(await all(pgm)).toEqual(Uint16Array.from((await found.labels()).data));
  });

  test("headers have comments and white space of any kind; values stay as they are, whatever their most is", async () => {
    const file = (header: string, ...values: number[]): Uint8Array =>
      Uint8Array.of(...new TextEncoder().encode(header), ...values);
    expect(await all(file("P5#one\n# 9 9\r2\t#\n\f1 \v7\r", 10, 7))).toEqual(Uint8Array.of(10, 7));
    expect(await all(file("P5 2 1 256 ", 1, 2, 0, 3))).toEqual(Uint16Array.of(258, 3));
    expect(await all(file("P5 1 1 255\n", 35, 80, 53))).toEqual(Uint8Array.of(35));
    for (const [header, message] of [
      ["P2 1 1 255 0", "Expected it to be a binary PGM or PPM (P5, P6), got P2, a plain PGM, in letters."],
      ["P5 1 1 255", "Expected it to be a binary PGM or PPM (P5, P6), but it does not begin like one."],
      ["P5 3 0 255 ", "Expected it to have pixels in it, got 3 x 0."],
      ["P5 1 1 65536 ", "Expected it to hold values of at most 1 to 65535, got at most 65536."],
      ["P5 2 1 256 abc", "Expected it to hold 1 x 2 x 2 = 4 bytes of data, got 3: the file is truncated."],
    ]) {
      await expect(all(file(header))).rejects.toThrow(message);
    }
  });
});

test("tables, masks, run lengths and colours of one image", async () => {
  const found = await engine.components({ data: noise, width, height }, { threshold: { above: 128 }, minArea: 3 });
  const regions = await found.regions({ properties: ["area", "centroid"] });
  const csv = new TextDecoder()
    .decode(await written((file) => writeRegions(file, regions, "csv", { depth: 1 })))
    .split("\n");
  expect(csv[0]).toBe("label,area,centroid_x,centroid_y,unit");
  expect(csv.length).toBe(found.count + 2);
  const json = JSON.parse(
    new TextDecoder().decode(await written((file) => writeRegions(file, regions, "json", { depth: 1 }))),
  );
  expect(json.units).toEqual({ area: "px2", centroid: "px" });
  expect(json.objects.map(({ area }: { area: number }) => area)).toEqual(Array.from(regions.area ?? []));
  const runs = await found.runs();
  const rows = new TextDecoder()
    .decode(await written((file) => writeRuns(file, runs)))
    .trim()
    .split("\n");
  expect(rows.length).toBe(runs.count + 1);
  const coco = JSON.parse(new TextDecoder().decode(await written((file) => writeCoco(file, found, "it.png"))));
  expect(coco.annotations.length).toBe(found.count);
  expect(coco.annotations[0].segmentation.counts).toBe((await found.cocoRle(1, { compressed: true })).counts);
  const mask = await found.mask();
  const { data: labels } = await found.labels();
  expect(maskBytes(mask, 9)).toEqual(Uint8Array.from(labels, (label) => (label ? 9 : 0)));
  const { layout, fill } = maskValues(mask);
  const png = await written(async (file) => writerOf(".png", wantedBy(layout))?.writer.write(file, layout, fill));
  expect(new Uint8Array(await sharp(png).toColourspace("b-w").raw().toBuffer())).toEqual(maskBytes(mask, 255));
  const rgb = new Uint8Array(width * height * 3);
  coverRuns(rgb, runs);
  const colours = palette();
  const expected = Array.from(labels, (label, i) => [0, 1, 2].map((c) => [i, c, label] as const)).flat();
  for (const [i, c, label] of expected) {
    expect(rgb[3 * i + c]).toBe(label ? Math.floor(0.6 * colours[3 * label + c]) : 0);
  }
});

test("a table leaves raw sums out unless they are asked for, and begins with area, centroid and bounds", async () => {
  const found = await engine.components({ data: noise, width, height }, { threshold: { above: 128 }, minArea: 3 });
  const regions = await found.regions({ properties: "all" });
  const head = async (options: TableOptions): Promise<string> =>
    new TextDecoder().decode(await written((file) => writeRegions(file, regions, "csv", options))).split("\n")[0];
  const all = await head({ depth: 1 });
  expect(all).toMatch(/^label,area,centroid_x,centroid_y,x0,y0,x1,y1,moment_xx,/);
  expect(all).not.toContain("sum_");
  expect(await head({ depth: 1, properties: ["rawMoments", "area"] })).toBe(
    "label,area,sum_x,sum_y,sum_xx,sum_xy,sum_yy,unit",
  );
});

test("columns of volumes, of several channels and of bins", async () => {
  const data = Uint8Array.from({ length: 4 * 4 * 4 }, (_, at) => (at % 4 < 2 ? 0 : 7));
  const volume = { data, width: 4, height: 4, depth: 4 };
  const made = await engine.components(volume);
  const regions = await made.regions({
    properties: ["feretDiameter", "inscribed", "weightedCentroid", "histogram"],
    bins: 2,
    intensity: [volume, volume],
  });
  const head = async (options: TableOptions): Promise<string> =>
    new TextDecoder().decode(await written((file) => writeRegions(file, regions, "csv", options))).split("\n")[0];
  expect(await head({ depth: 4, channels: 2 })).toBe(
    [
      "label",
      "feret",
      "feret_x",
      "feret_y",
      "feret_z",
      "inscribed_radius",
      "inscribed_x",
      "inscribed_y",
      "inscribed_z",
      ...[0, 1].flatMap((c) => ["x", "y", "z"].map((axis) => `weighted_centroid_${axis}_channel${c}`)),
      ...[0, 1].flatMap((c) => [6.5, 7].map((edge) => `histogram_${edge}_channel${c}`)),
      "unit",
    ].join(","),
  );
  const none = await engine.components({ data: new Uint8Array(64), width: 4, height: 4, depth: 4 });
  const empty = await none.regions({ properties: ["centroid", "feretDiameter"] });
  const text = new TextDecoder().decode(await written((file) => writeRegions(file, empty, "csv", { depth: 4 })));
  expect(text).toBe("label,centroid_x,centroid_y,centroid_z,feret,feret_x,feret_y,feret_z,unit\n");
});

test("the package has these dependencies and no others; the part without Node loads without the others", () => {
  const { dependencies } = JSON.parse(readFileSync(resolve(import.meta.dirname, "../package.json"), "utf8"));
  expect(Object.keys(dependencies).sort()).toEqual([
    "@cornerstonejs/codec-charls",
    "@cornerstonejs/codec-libjpeg-turbo-8bit",
    "@cornerstonejs/codec-openjpeg",
    "@zip.js/zip.js",
    "aws4fetch",
    "dicom-parser",
    "fast-png",
    "fflate",
    "flatgeobuf",
    "fzstd",
    "hyparquet-writer",
    "jpeg-lossless-decoder-js",
    "lerc",
    "nifti-reader-js",
    "numcodecs",
    "pngjs",
    "sharp",
    "skerry",
    "zarrita",
  ]);
  const script = 'import("@skerry/files").then((files) => console.log(typeof files.writePng))';
  expect(execFileSync(process.execPath, ["-e", script], { cwd: import.meta.dirname, encoding: "utf8" }).trim()).toBe(
    "function",
  );
});

describe("writers", () => {
  test("every row writes what it says that it holds, and refuses nothing of it", async () => {
    for (const [ending, writers] of Object.entries(WRITERS)) {
      for (const { types, channels, depth } of writers) {
        for (const type of types) {
          for (const count of channels) {
            const layout: Layout = {
              width: 5,
              height: 3,
              depth: Math.min(2, depth),
              type,
              channels: count as 1 | 3 | 4,
            };
            const found = writerOf(ending, wantedBy(layout));
            const data = newPixels(type, 15 * layout.depth * count);
            const bytes = await written(async (file) => found?.writer.write(file, layout, fillOf(data, layout)));
            expect(bytes.length).toBeGreaterThan(data.length);
          }
        }
      }
    }
  });

  test("endings are found in any case, and the first type that fits is taken", () => {
    expect(["a.NII.gz", "b.c.PNG", "plain", "x.tar.npy"].map(endingOf)).toEqual([".nii.gz", ".png", "", ".npy"]);
    expect(writerOf(".png", { types: ["u32", "u16"] })?.type).toBe("u16");
    expect(writerOf(".png", { types: ["u16"], depth: 2 })).toBeUndefined();
    expect(endingsOf({ types: ["f32"], depth: 9 })).toEqual([".npy", ".tif", ".tiff", ".nii", ".nrrd", ".mha"]);
  });
});

function newPixels(type: ValueType, length: number): PixelArray {
  if (type === "bool") return new Uint8Array(length).fill(1);
  return new ARRAYS[type](length).fill(3);
}

test("options that openPicture does not know are refused", async () => {
  const { openPicture } = await import("../src/node/index.js");
  await expect(openPicture("x.png", { pages: "all" } as never)).rejects.toThrow(
    "Expected options that openPicture() knows, got pages; did you mean page?",
  );
  await expect(openPicture(undefined as never)).rejects.toThrow("Expected the path of a picture, got undefined.");
});

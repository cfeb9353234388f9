// Volumes of Slicer, ITK, FreeSurfer, SPM and DICOM, written by SimpleITK, pynrrd, nibabel and pydicom: values, sides, units and places are those that these
// libraries read. What is written is read again, with the same place.

import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { bufferBytes, fillOf, MemoryOutput, openNpy, type Space, spaceOf, spacingOf, writeNifti } from "@skerry/files";
import { ARRAYS, lengthUnitOf, WRITERS } from "@skerry/files/internal";
import { openPicture, rasterOf } from "@skerry/files/node";
import { afterAll, describe, expect, test } from "vitest";
import { golden } from "../../skerry/test/support/golden.js";
import { headerOf } from "../src/node/readers.js";

interface Volume {
  readonly name: string;
  /** Base64. */
  readonly files: Readonly<Record<string, string>>;
  readonly first: string;
  readonly taken: { readonly time?: number; readonly channel?: number };
  readonly shape: readonly number[];
  readonly values: readonly number[];
  readonly spacing: readonly number[] | null;
  readonly unit: string | null;
  readonly affine: readonly (readonly number[])[] | null;
}

const script = readFileSync(new URL("render-volumes.py", import.meta.url), "utf8");
const made = golden("volumes", { modules: "SimpleITK, nrrd, nibabel, pydicom", script, input: "" });
const VOLUMES = JSON.parse(made.toString()) as readonly Volume[];

const root = mkdtempSync(join(tmpdir(), "skerry-volumes-"));
afterAll(() => rmSync(root, { recursive: true }));

const near = (values: readonly number[]): unknown =>
  values.map((value) => expect.toSatisfy((n: number) => Math.abs(n - value) <= 2e-5 * Math.max(1, Math.abs(value))));

test.each(VOLUMES.map((volume) => [volume.name, volume] as const))("%s, as others read it", async (_, volume) => {
  const folder = mkdtempSync(join(root, "v"));
  for (const [name, bytes] of Object.entries(volume.files))
    writeFileSync(join(folder, name), Buffer.from(bytes, "base64"));
  const path = join(folder, volume.first);
  const picture = await openPicture(path, { ...volume.taken, ids: true });
  const { data, width, height, depth = 1 } = await rasterOf(picture);
  await picture.close();
  expect([depth, height, width].slice(-volume.shape.length)).toEqual([...volume.shape]);
  const values = picture.ids ? Array.from(data, (id) => Number(picture.ids?.[id - 1] ?? 0)) : Array.from(data);
  expect(values).toEqual(near(volume.values));
  const { space } = picture;
  if (volume.spacing) expect(spacingOf(space)?.slice(0, volume.spacing.length)).toEqual(near(volume.spacing));
  if (volume.unit !== null || volume.spacing) expect(lengthUnitOf(space) ?? null).toBe(volume.unit);
  if (volume.affine) expect(space.toWorld?.map((row) => [...row])).toEqual(volume.affine.map(near));
  // The header alone says the same, where it is enough.
  expect([undefined, space]).toContainEqual(await headerOf(path, volume.taken));
});

test.each(VOLUMES.filter(({ shape }) => shape.length === 3).map((volume) => [volume.name, volume] as const))(
  "%s: the largest values and the means of its slices are one image, which lies in none of them",
  async (_, volume) => {
    const folder = mkdtempSync(join(root, "m"));
    for (const [name, bytes] of Object.entries(volume.files))
      writeFileSync(join(folder, name), Buffer.from(bytes, "base64"));
    const [depth, height, width] = volume.shape;
    const path = join(folder, volume.first);
    const along = (pixel: number): number[] =>
      Array.from({ length: depth }, (_, z) => volume.values[z * width * height + pixel]);
    const expected = {
      largest: (values: readonly number[]) => Math.max(...values),
      mean: (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / depth,
    };
    for (const page of ["largest", "mean"] as const) {
      const picture = await openPicture(path, { ...volume.taken, page });
      const { data, ...size } = await rasterOf(picture);
      await picture.close();
      expect([size.width, size.height, size.depth ?? 1]).toEqual([width, height, 1]);
      const wanted = Array.from({ length: width * height }, (_, pixel) => expected[page](along(pixel)));
      expect(Array.from(data)).toEqual(near(wanted));
      const { space } = picture;
      expect(space.taken.page).toBe(page);
      expect(space.crs).toBeUndefined();
      if (volume.spacing) expect(spacingOf(space)?.slice(0, 2)).toEqual(near(volume.spacing.slice(0, 2)));
      expect([undefined, space]).toContainEqual(await headerOf(path, { ...volume.taken, page }));
    }
  },
);

test.each(VOLUMES.filter(({ shape }) => shape.length === 3).map((volume) => [volume.name, volume] as const))(
  "%s: each slice is a page, at its place",
  async (_, volume) => {
    const folder = mkdtempSync(join(root, "p"));
    for (const [name, bytes] of Object.entries(volume.files)) {
      writeFileSync(join(folder, name), Buffer.from(bytes, "base64"));
    }
    const path = join(folder, volume.first);
    const [depth, height, width] = volume.shape;
    for (let page = 0; page < depth; page++) {
      const picture = await openPicture(path, { ...volume.taken, page, ids: true });
      const { data, ...size } = await rasterOf(picture);
      await picture.close();
      expect([size.width, size.height, size.depth ?? 1]).toEqual([width, height, 1]);
      const values = Array.from(data, (id) => (picture.ids ? Number(picture.ids[id - 1] ?? 0) : id));
      const area = width * height;
      expect(values).toEqual(near(volume.values.slice(page * area, (page + 1) * area)));
      const [, , z] = picture.space.axes;
      expect([z.size, picture.space.taken.page]).toEqual([1, page]);
      const { affine } = volume;
      const place = affine?.map((row) => row[3] + page * row[2]);
      if (place) expect(picture.space.toWorld?.map((row) => row[3])).toEqual(near(place));
    }
    await expect(openPicture(path, { ...volume.taken, page: depth })).rejects.toThrow(
      `Expected --page to be from 0 to ${depth - 1}`,
    );
  },
);

test("colours of NIfTI are three channels, of a volume, a slice and a projection", async () => {
  // As 12 greys in a row, whose header then tells 4 colours.
  const grey = { width: 12, height: 3, depth: 2 };
  const data = Uint8Array.from({ length: 72 }, (_, i) => (i * 37) % 251);
  const file = new MemoryOutput();
  const space = spaceOf({ size: { ...grey, width: 4 }, spacing: [1, 2, 3], unit: "mm" });
  await writeNifti(file, { ...grey, type: "u8", space }, fillOf(data, grey));
  const bytes = Buffer.from(file.bytes());
  bytes.writeInt16LE(4, 42);
  bytes.writeInt16LE(128, 70);
  bytes.writeInt16LE(24, 72);
  const path = join(root, "rgb.nii");
  const read = async (options: object = {}) => {
    const picture = await openPicture(path, options);
    const raster = await rasterOf(picture);
    await picture.close();
    return { ...raster, space: picture.space };
  };
  for (const [name, stored] of [
    ["rgb.nii", bytes],
    ["rgb.nii.gz", gzipSync(bytes)],
  ] as const) {
    writeFileSync(join(root, name), stored);
    const whole = await openPicture(join(root, name));
    expect(await rasterOf(whole)).toMatchObject({ width: 4, height: 3, depth: 2, channels: 3, data });
    expect(spacingOf(whole.space)).toEqual([1, 2, 3]);
    await whole.close();
  }
  expect(await read({ page: 1 })).toMatchObject({ width: 4, height: 3, channels: 3, data: data.subarray(36) });
  const largest = data.subarray(0, 36).map((value, i) => Math.max(value, data[36 + i]));
  expect(await read({ page: "largest" })).toMatchObject({ channels: 3, data: largest });
  await expect(openPicture(path, { nodata: 3 })).rejects.toThrow("Expected --nodata with a grey input");
  writeFileSync(path, bytes.subarray(0, -1));
  await expect(openPicture(path)).rejects.toThrow("rgb.nii");
});

const size = { width: 4, height: 3, depth: 2 };
const oblique: Space = spaceOf({
  size,
  spacing: [0.5, 0.75, 2.25],
  unit: "mm",
  toWorld: [
    [0.4, -0.45, 0, -12.5],
    [0.3, 0.6, 0, 7.25],
    [0, 0, 2.25, 100],
  ],
  crs: { kind: "patient", version: 1, sform: 1 },
});

describe("what is written", () => {
  const spaces: readonly (readonly [string, Space])[] = [
    ["a patient's place", oblique],
    ["sides alone", spaceOf({ size, spacing: [0.5, 0.75, 2.25], unit: "mm" })],
    ["sides without a unit", spaceOf({ size, spacing: [0.5, 0.75, 2.25] })],
    ["nothing", spaceOf({ size })],
  ];
  const cases = [".nrrd", ".mha"].flatMap((ending) =>
    (["u8", "u16", "i16", "u32", "i32", "f32"] as const).flatMap((type) =>
      spaces.map(([what, space]) => [ending, type, what, space] as const),
    ),
  );

  test.each(cases)("as %s of %s, with %s, is read again", async (ending, type, _, space) => {
    const [writer] = WRITERS[ending];
    const data = new ARRAYS[type](24).map((_, i) => (type.startsWith("u") ? 9 * i : 9 * i - 100));
    const file = new MemoryOutput();
    await writer.write(file, { ...size, type, space }, fillOf(data, size));
    const path = join(root, `again${ending}`);
    writeFileSync(path, file.bytes());
    const picture = await openPicture(path);
    expect((await rasterOf(picture)).data).toEqual(data);
    await picture.close();
    const sides = spacingOf(picture.space);
    // A MetaImage has sides in any case.
    expect(sides).toEqual(spacingOf(space) ?? (ending === ".mha" ? [1, 1, 1] : undefined));
    expect(lengthUnitOf(picture.space)).toBe(lengthUnitOf(space));
    if (space.toWorld)
      expect(picture.space.toWorld?.map((row) => [...row])).toEqual(space.toWorld.map((row) => near(row)));
    else expect(picture.space.toWorld).toBeUndefined();
  });
});

test("SimpleITK reads the values, the sides and the place that are written", async () => {
  const files: [ending: string, base64: string][] = [];
  const wanted: number[][] = [];
  for (const ending of [".nrrd", ".mha", ".nii"]) {
    for (const type of ["u8", "u16", "i16", "u32", "i32", "f32"] as const) {
      const data = new ARRAYS[type](24).map((_, i) => (type.startsWith("u") ? 9 * i : 9.5 * i - 100));
      const file = new MemoryOutput();
      await WRITERS[ending][0].write(file, { ...size, type, space: oblique }, fillOf(data, size));
      files.push([ending, Buffer.from(file.bytes()).toString("base64")]);
      wanted.push(Array.from(data));
    }
  }
  const reader = `
import base64, json, os, sys, tempfile
import SimpleITK as sitk
out = []
for ending, text in json.load(sys.stdin):
    path = os.path.join(tempfile.mkdtemp(), "a" + ending)
    open(path, "wb").write(base64.b64decode(text))
    image = sitk.ReadImage(path)
    out.append([sitk.GetArrayFromImage(image).ravel().tolist(), image.GetSpacing(), image.GetOrigin(), image.GetDirection()])
print(json.dumps(out))
`;
  const answer = golden("volumes-written", { modules: "SimpleITK", script: reader, input: JSON.stringify(files) });
  const read = JSON.parse(answer.toString()) as [number[], number[], number[], number[]][];
  expect(read).toHaveLength(18);
  for (const [i, [values, spacing, origin, direction]] of read.entries()) {
    expect([files[i][0], values]).toEqual([files[i][0], wanted[i]]);
    // ITK's world points to the left and the back.
    expect(spacing).toEqual(near([0.5, 0.75, 2.25]));
    expect(origin).toEqual(near([12.5, -7.25, 100]));
    expect(direction).toEqual(near([-0.8, 0.6, 0, -0.6, -0.8, 0, 0, 0, 1]));
  }
});

test.skipIf(process.platform !== "linux")("a volume without the slice that is asked for is closed", async () => {
  const file = new MemoryOutput();
  await WRITERS[".nrrd"][0].write(file, { ...size, type: "u8" }, fillOf(new Uint8Array(24), size));
  const path = join(root, "two.nrrd");
  writeFileSync(path, file.bytes());
  const isOpen = (): boolean =>
    readdirSync("/proc/self/fd").some(
      (fd) => existsSync(`/proc/self/fd/${fd}`) && readlinkSync(`/proc/self/fd/${fd}`) === path,
    );
  const picture = await openPicture(path, { page: 1 });
  expect(isOpen()).toBe(true);
  await picture.close();
  await expect(openPicture(path, { page: 2 })).rejects.toThrow("Expected --page to be from 0 to 1");
  expect(isOpen()).toBe(false);
});

test("files that are cut, or whose headers lie, are refused with a sentence, and nothing else", async () => {
  const folder = mkdtempSync(join(root, "cut"));
  const kinds = VOLUMES.filter(({ name }) => /uint16|detached|MGH|pair|Analyze|time|DICOM/.test(name));
  for (const { files, first, taken, values } of kinds) {
    for (const [name, text] of Object.entries(files)) {
      const bytes = Buffer.from(text, "base64");
      for (const length of [0, 1, 9, 40, 283, 348, Math.floor(bytes.length / 2), bytes.length - 1]) {
        if (length >= bytes.length) continue;
        for (const [other, all] of Object.entries(files))
          writeFileSync(join(folder, other), Buffer.from(all, "base64"));
        writeFileSync(join(folder, name), bytes.subarray(0, length));
        const read = async (): Promise<number[]> => {
          const picture = await openPicture(join(folder, first), taken);
          return Array.from((await rasterOf(picture).finally(() => picture.close())).data);
        };
        const outcome: unknown = await read().catch((reason) => reason.constructor.name);
        // Behind the values a file may have a checksum, or more of its own.
        if (Array.isArray(outcome)) expect([name, length, outcome]).toEqual([name, length, near(values)]);
        else expect([name, length, outcome]).toEqual([name, length, expect.stringMatching(/^(FileError|UsageError)$/)]);
      }
    }
  }
});

test("half floats of NumPy are read as they are", async () => {
  const values = [0, 1, -2, 1.5, 65504, 2 ** -24, Number.POSITIVE_INFINITY, -0.333251953125];
  const bits = [0, 0x3c00, 0xc000, 0x3e00, 0x7bff, 1, 0x7c00, 0xb555];
  const header = "{'descr': '<f2', 'fortran_order': False, 'shape': (2, 4), }".padEnd(117, " ");
  const start = Buffer.concat([
    Buffer.from("\x93NUMPY\x01\x00", "latin1"),
    Buffer.from([118, 0]),
    Buffer.from(`${header}\n`),
  ]);
  const { pixels, stored } = await openNpy(
    bufferBytes(Buffer.concat([start, Buffer.from(new Uint16Array(bits).buffer)])),
    "half.npy",
  );
  expect([stored, "type" in pixels && pixels.type]).toEqual(["float16", "f32"]);
  const { data } = await rasterOf({ pixels, input: "half.npy" } as never);
  expect(Array.from(data)).toEqual(values);
});

test("docs/fields.md lists the fields that the readers of text headers ask for", () => {
  const folder = new URL("../src/formats/volumes/", import.meta.url);
  const docs = readFileSync(new URL("../../../docs/fields.md", import.meta.url), "utf8");
  const listed = (title: string): string[] =>
    [...(docs.split(`\n## ${title}\n`)[1]?.split("\n## ")[0] ?? "").matchAll(/^\| `([^`]+)` \| (read|refused)/gm)].map(
      ([, name]) => name,
    );
  const asked = (file: string, pattern: RegExp): string[] => {
    const calls = [...readFileSync(new URL(file, folder), "utf8").matchAll(pattern)];
    return calls.flatMap(([, names]) => [...names.matchAll(/"([^"]+)"/g)].map(([, name]) => name));
  };
  expect([...new Set(asked("nrrd.ts", /\bfield\(([^)]*)\)/g))].sort()).toEqual(listed("NRRD").sort());
  const keys = asked("meta-image.ts", /\b(?:value|numbers)\(([^)]*)\)/g);
  expect([...new Set(keys)].sort()).toEqual(listed("MetaImage").sort());
});

describe("headers that an adversary wrote", () => {
  const values = Buffer.from(Int16Array.from({ length: 120 }, (_, i) => i).buffer);
  const base = "NRRD0005\ntype: short\ndimension: 3\nsizes: 6 5 4\nendian: little\n";
  const nrrd = (lines: string, data: Buffer = values): Buffer =>
    Buffer.concat([Buffer.from(`${base}${lines}\n\n`, "latin1"), data]);
  const mha = (lines: string): Buffer =>
    Buffer.concat([
      Buffer.from(`NDims = 3\nDimSize = 6 5 4\nElementType = MET_SHORT\n${lines}\nElementDataFile = LOCAL\n`, "latin1"),
      values,
    ]);
  const opened = async (bytes: Buffer, ending: string) => {
    const path = join(root, `adversary${ending}`);
    writeFileSync(path, bytes);
    const picture = await openPicture(path);
    const { data } = await rasterOf(picture);
    await picture.close();
    return { data: Array.from(data), space: picture.space };
  };
  const text = (first: string): Buffer => Buffer.from([first, ...Array.from({ length: 119 }, (_, i) => i)].join(" "));

  test.each([
    ["text that is no number", nrrd("encoding: text", text("abc")), /to hold values of int16, got abc/],
    ["text beyond the type", nrrd("encoding: text", text("99999")), /to hold values of int16, got 99999/],
    ["text with fractions", nrrd("encoding: text", text("1.7")), /to hold values of int16, got 1.7/],
    [
      "more text than values",
      nrrd("encoding: text", Buffer.concat([text("1"), Buffer.from(" 7")])),
      /120 values, got 121/,
    ],
    ["a skip from the end of packed data", nrrd("encoding: gzip\nbyte skip: -1"), /a byte skip of at least 0/],
    ["a skip that is no number", nrrd("encoding: raw\nbyte skip: abc"), /whole numbers as line skip and byte skip/],
    [
      "too few directions",
      nrrd("encoding: raw\nspace: RAS\nspace directions: (1,0,0) (0,1,0)"),
      /a space direction for each/,
    ],
    [
      "an origin of two numbers",
      nrrd("encoding: raw\nspace: RAS\nspace directions: (1,0,0) (0,1,0) (0,0,1)\nspace origin: (1,2)"),
      /3 numbers each/,
    ],
    [
      "a direction without length",
      nrrd("encoding: raw\nspace: RAS\nspace directions: (1,0,0) (0,1,0) (0,0,0)"),
      /a direction for each axis/,
    ],
  ] as const)("NRRD: %s is refused", async (_, bytes, message) => {
    await expect(opened(bytes, ".nrrd")).rejects.toThrow(message);
  });

  test.each([
    ["no channels", "ElementNumberOfChannels = 0", /at least one value for each voxel, got 0/],
    ["words as an offset", "Offset = a b c", /3 numbers as Offset/],
    ["a short spacing", "ElementSpacing = 1 2", /3 numbers as ElementSpacing/],
    ["a matrix of zeros", "TransformMatrix = 0 0 0 0 0 0 0 0 0", /a direction for each axis/],
  ] as const)("MetaImage: %s is refused", async (_, lines, message) => {
    await expect(opened(mha(lines), ".mha")).rejects.toThrow(message);
  });

  test("units of the world and of axes that differ are brought to one", async () => {
    const directions =
      "space dimension: 3\nspace directions: (1,0,0) (0,2000,0) (0,0,0.003)\nspace origin: (1,2000,0.003)";
    const { space } = await opened(nrrd(`encoding: raw\n${directions}\nspace units: "mm" "um" "m"`), ".nrrd");
    expect(spacingOf(space)).toEqual(near([1, 2, 3]));
    expect(space.toWorld?.map((row) => row[3])).toEqual(near([1, 2, 3]));
    const { space: other } = await opened(nrrd('encoding: raw\nspacings: 200 200 1\nunits: "nm" "nm" "um"'), ".nrrd");
    expect([spacingOf(other), lengthUnitOf(other)]).toEqual([near([200, 200, 1000]), "nm"]);
  });

  test("an image in a plane keeps its origin, a turned axis its direction, a world of no patient its numbers", async () => {
    const flat = Buffer.concat([
      Buffer.from(
        "NRRD0005\ntype: short\ndimension: 2\nsizes: 12 10\nendian: little\nencoding: raw\nspace dimension: 2\n",
      ),
      Buffer.from("space directions: (2,0) (0,3)\nspace origin: (10,20)\n\n"),
      values,
    ]);
    const { space } = await opened(flat, ".nrrd");
    expect(space.toWorld?.map((row) => [...row])).toEqual([
      [2, 0, 0, 10],
      [0, 3, 0, 20],
      [0, 0, 1, 0],
    ]);
    const turned = await opened(mha("ElementSpacing = -1 2 3\nOffset = 1 2 3"), ".mha");
    expect([spacingOf(turned.space), turned.space.toWorld?.[0][0]]).toEqual([[1, 2, 3], 1]);
    const stage = spaceOf({
      size: { width: 6, height: 5, depth: 4 },
      toWorld: [
        [1, 0, 0, 10],
        [0, 1, 0, 20],
        [0, 0, 1, 30],
      ],
    });
    const file = new MemoryOutput();
    const size = { width: 6, height: 5, depth: 4 };
    await WRITERS[".mha"][0].write(file, { ...size, type: "i16", space: stage }, fillOf(new Int16Array(120), size));
    expect(Buffer.from(file.bytes()).toString("latin1", 0, 400)).toContain("Offset = 10 20 30\n");
  });

  test("a BMP of run lengths that claims far more pixels than it holds is refused at once", async () => {
    const header = Buffer.alloc(14 + 40 + 1024);
    header.write("BM");
    header.writeUInt32LE(header.length, 10);
    for (const [at, value] of [
      [14, 40],
      [18, 30_000],
      [22, 30_000],
      [30, 1],
    ])
      header.writeUInt32LE(value, at);
    header.writeUInt16LE(8, 28);
    await expect(opened(header, ".bmp")).rejects.toThrow(/about as many pixels as its run lengths/);
  });

  test("two headers of one packed file tell their own errors", async () => {
    const packed = join(root, "both.raw.gz");
    writeFileSync(packed, "no gzip");
    writeFileSync(join(root, "both.nhdr"), `${base}encoding: gzip\ndata file: both.raw.gz\n`);
    writeFileSync(
      join(root, "both.mhd"),
      "NDims = 3\nDimSize = 6 5 4\nElementType = MET_SHORT\nCompressedData = True\nElementDataFile = both.raw.gz\n",
    );
    for (const name of ["both.nhdr", "both.mhd"]) {
      const picture = await openPicture(join(root, name));
      await expect(rasterOf(picture)).rejects.toThrow(name);
    }
  });
});

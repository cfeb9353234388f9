// Volumes on the command line: every kind of file in, every kind out, and what is wrong with them.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { spacingOf } from "@skerry/files";
import { lengthUnitOf } from "@skerry/files/internal";
import { openPicture } from "@skerry/files/node";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Result, run } from "./support/run.js";

let folder: string;

// Two objects of 7 x 5 x 4 voxels: a bar along z, and a voxel that touches it by a corner.
const [WIDTH, HEIGHT, DEPTH] = [7, 5, 4];
const values = Uint8Array.from({ length: WIDTH * HEIGHT * DEPTH }, (_, at) => {
  const [x, y, z] = [at % WIDTH, Math.floor(at / WIDTH) % HEIGHT, Math.floor(at / WIDTH / HEIGHT)];
  return x === 2 && y === 1 ? 9 : x === 3 && y === 2 && z === 3 ? 4 : 0;
});

function skerry(args: string[]): Promise<Result> {
  return run([...args], folder);
}

async function json(args: string[]): Promise<Record<string, unknown>> {
  const { code, out, err } = await skerry(["label", ...args, "--json"]);
  expect(err).toBe("");
  expect(code).toBe(0);
  return JSON.parse(out) as Record<string, unknown>;
}

/** A NIfTI file of values of any type and byte order. */
function nifti(version: 1 | 2, code: number, bytes: number, little: boolean, slope = 0): Buffer {
  const header = Buffer.alloc(version === 2 ? 544 : 352);
  const view = new DataView(header.buffer, header.byteOffset, header.length);
  const float = (at: number, i: number, value: number): void =>
    version === 2 ? view.setFloat64(at + 8 * i, value, little) : view.setFloat32(at + 4 * i, value, little);
  view.setInt32(0, version === 2 ? 540 : 348, little);
  header.write(version === 2 ? "n+2\0\r\n\x1a\n" : "n+1\0", version === 2 ? 4 : 344, "latin1");
  view.setInt16(version === 2 ? 12 : 70, code, little);
  view.setInt16(version === 2 ? 14 : 72, bytes * 8, little);
  for (const [i, n] of [3, WIDTH, HEIGHT, DEPTH, 1, 1, 1, 1].entries()) {
    if (version === 2) view.setBigInt64(16 + 8 * i, BigInt(n), little);
    else view.setInt16(40 + 2 * i, n, little);
  }
  for (const [i, n] of [-1, 0.5, 2, 3].entries()) float(version === 2 ? 104 : 76, i, n);
  if (version === 2) view.setBigInt64(168, 544n, little);
  else view.setFloat32(108, 352, little);
  float(version === 2 ? 176 : 112, 0, slope);
  if (version === 2) view.setInt32(348, 1, little);
  else view.setInt16(254, 1, little);
  for (const [i, n] of [-0.5, 0, 0, 10, 0, 2, 0, 20, 0, 0, 3, 30].entries()) float(version === 2 ? 400 : 280, i, n);
  const data = Buffer.alloc(values.length * bytes);
  const body = new DataView(data.buffer, data.byteOffset, data.length);
  values.forEach((v, i) => {
    if (bytes === 1) body.setUint8(i, v);
    else if (code === 16) body.setFloat32(4 * i, v, little);
    else if (code === 64) body.setFloat64(8 * i, v + 1e-9 * (v > 4 ? 1 : 0), little);
    else if (bytes === 2) body.setInt16(2 * i, v, little);
    else body.setInt32(4 * i, v, little);
  });
  return Buffer.concat([header, data]);
}

/** Words of a DICOM slice in which not all bits are stored. */
interface Words {
  readonly values: Uint16Array;
  readonly stored: number;
  readonly high: number;
  readonly signed: boolean;
}

/** An explicit little-endian DICOM slice. */
function dicom(z: number, at: number, syntax = "1.2.840.10008.1.2.1", words?: Words): Buffer {
  const element = (group: number, id: number, type: string, value: Buffer | string): Buffer => {
    let data = typeof value === "string" ? Buffer.from(value, "latin1") : value;
    if (data.length % 2) data = Buffer.concat([data, Buffer.from(type === "UI" ? "\0" : " ")]);
    const long = type === "OW" || type === "OB";
    const head = Buffer.alloc(long ? 12 : 8);
    head.writeUInt16LE(group, 0);
    head.writeUInt16LE(id, 2);
    head.write(type, 4, "latin1");
    if (long) head.writeUInt32LE(data.length, 8);
    else head.writeUInt16LE(data.length, 6);
    return Buffer.concat([head, data]);
  };
  const short = (n: number): Buffer => Buffer.from([n & 255, n >> 8]);
  const slice = Int16Array.from(values.subarray(z * WIDTH * HEIGHT, (z + 1) * WIDTH * HEIGHT), (v) => v - 100);
  const meta = element(0x0002, 0x0010, "UI", syntax);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(meta.length);
  return Buffer.concat([
    Buffer.alloc(128),
    Buffer.from("DICM"),
    element(0x0002, 0x0000, "UL", length),
    meta,
    element(0x0020, 0x000e, "UI", "1.2.3"),
    element(0x0020, 0x0013, "IS", `${10 - z}`),
    element(0x0020, 0x0032, "DS", `0\\0\\${at}`),
    element(0x0020, 0x0037, "DS", "1\\0\\0\\0\\1\\0"),
    element(0x0028, 0x0002, "US", short(1)),
    element(0x0028, 0x0010, "US", short(HEIGHT)),
    element(0x0028, 0x0011, "US", short(WIDTH)),
    element(0x0028, 0x0030, "DS", "2\\0.5"),
    element(0x0028, 0x0100, "US", short(16)),
    ...(words
      ? [element(0x0028, 0x0101, "US", short(words.stored)), element(0x0028, 0x0102, "US", short(words.high))]
      : []),
    element(0x0028, 0x0103, "US", short(words && !words.signed ? 0 : 1)),
    element(0x0028, 0x1052, "DS", words ? "0" : "100"),
    element(0x0028, 0x1053, "DS", "1"),
    element(0x7fe0, 0x0010, "OW", Buffer.from(words ? words.values.buffer : slice.buffer)),
  ]);
}

function npy(descr: string, data: Uint8Array, fortran: boolean): Buffer {
  const order = fortran ? "True" : "False";
  const text = `{'descr': '${descr}', 'fortran_order': ${order}, 'shape': (${DEPTH}, ${HEIGHT}, ${WIDTH}), }`.padEnd(
    117,
  );
  return Buffer.concat([Buffer.from("\x93NUMPY\x01\0\x76\0", "latin1"), Buffer.from(`${text}\n`), data]);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "skerry-volumes-"));
  const write = (name: string, data: Uint8Array): void => writeFileSync(join(folder, name), data);
  write("u8.nii", nifti(1, 2, 1, true));
  write("i16.nii.gz", gzipSync(nifti(1, 4, 2, false)));
  write("i32.nii", nifti(2, 8, 4, true));
  write("f32.nii", nifti(1, 16, 4, false));
  write("f64.nii", nifti(2, 64, 8, false));
  write("i8.nii", nifti(1, 256, 1, true));
  write("u32.nii", nifti(1, 768, 4, true));
  write("scaled.nii", nifti(1, 2, 1, true, 0.5));
  write("c.npy", npy("<u4", new Uint8Array(Uint32Array.from(values).buffer), false));
  const turned = Uint16Array.from(values, (_, i) => {
    // In Fortran order z is the fastest.
    const [z, y, x] = [i % DEPTH, Math.floor(i / DEPTH) % HEIGHT, Math.floor(i / DEPTH / HEIGHT)];
    return values[(z * HEIGHT + y) * WIDTH + x];
  });
  write("f.npy", npy("<u2", new Uint8Array(turned.buffer), true));
  write("values.bin", new Uint8Array(Float32Array.from(values).buffer));
  mkdirSync(join(folder, "slices"));
  mkdirSync(join(folder, "greys"));
  for (let z = 0; z < DEPTH; z++) {
    const slice = Buffer.from(values.subarray(z * WIDTH * HEIGHT, (z + 1) * WIDTH * HEIGHT));
    const image = sharp(slice, { raw: { width: WIDTH, height: HEIGHT, channels: 1 } }).toColourspace("b-w");
    write(`slices/s${z + 8}.png`, await image.png().toBuffer());
    write(`greys/s${z + 8}.pgm`, Buffer.concat([Buffer.from(`P5 ${WIDTH} ${HEIGHT} 255\n`), slice]));
  }
  for (const [name, missing] of [
    ["series", -1],
    ["gap", 2],
  ] as const) {
    mkdirSync(join(folder, name));
    for (let z = 0; z < DEPTH; z++) if (z !== missing) write(`${name}/a${(7 * z) % 5}.dcm`, dicom(z, 3 * z));
  }
  mkdirSync(join(folder, "packed"));
  write("packed/a.dcm", dicom(0, 0, "1.2.840.10008.1.2.4.201"));
});

afterAll(() => rmSync(folder, { recursive: true }));

describe("volumes", () => {
  test("reads every kind of file", async () => {
    // One process for all, which takes a while to start.
    const inputs = [
      "u8.nii",
      "i16.nii.gz",
      "i32.nii",
      "f32.nii",
      "i8.nii",
      "u32.nii",
      "c.npy",
      "f.npy",
      "slices",
      "greys",
      "series",
    ];
    const all = [
      ...inputs.map((input) => [input, input.replace(/\..*$/, "")] as const),
      ["values.bin", "values"] as const,
    ];
    const first = await skerry([
      "label",
      ...inputs,
      "--volume",
      "--threshold",
      "nonzero",
      "-o",
      "found-{name}.npy",
      "--json",
    ]);
    const raw = ["--shape", "7,5,4", "--dtype", "float32"];
    const second = await skerry([
      "label",
      "values.bin",
      ...raw,
      "--threshold",
      "nonzero",
      "-o",
      "found-values.npy",
      "--json",
    ]);
    expect([first.err, second.err]).toEqual(["", ""]);
    const lines = `${first.out}${second.out}`.trim().split("\n");
    expect(lines.length).toBe(all.length);
    for (const [i, [input, name]] of all.entries()) {
      const found = JSON.parse(lines[i]) as object;
      expect(found).toMatchObject({ input, width: WIDTH, height: HEIGHT, depth: DEPTH, count: 2, foreground: 5 });
      const bytes = readFileSync(join(folder, `found-${name}.npy`));
      const labels = new Uint32Array(bytes.buffer.slice(bytes.byteOffset + 128, bytes.byteOffset + bytes.length));
      expect([...labels]).toEqual(Array.from(values, (v) => (v === 9 ? 1 : v === 4 ? 2 : 0)));
    }
  });

  test("scales, rounds and says so", async () => {
    expect((await json(["scaled.nii", "--threshold", ">4.4"])).foreground).toBe(4);
    const none = await skerry(["label", "scaled.nii", "--threshold", ">4.5", "--json"]);
    expect(JSON.parse(none.out)).toMatchObject({
      foreground: 0,
      notes: ["scaled.nii has values from 0 to 4.5: none is within the threshold"],
    });
    const { err } = await skerry(["label", "f64.nii", "--threshold", ">5"]);
    expect(err).toContain("f64.nii: 4 float64 values do not fit float32 and were rounded");
  });

  test("connectivity, values and tolerances", async () => {
    expect((await json(["u8.nii", "--threshold", "nonzero", "--connectivity", "26"])).count).toBe(1);
    expect(await json(["u8.nii", "--by", "value", "--connectivity", "26"])).toMatchObject({ count: 2, by: "value" });
    expect((await json(["u8.nii", "--by", "tolerance:5", "--connectivity", "26"])).count).toBe(1);
    expect((await json(["u8.nii", "--by", "value", "--background", "none", "--connectivity", "26"])).count).toBe(3);
    expect((await json(["u8.nii", "--by", "value", "--background", "9", "--connectivity", "26"])).count).toBe(2);
  });

  test("measures in units of the spacing", async () => {
    await json([
      "i16.nii.gz",
      "--threshold",
      "nonzero",
      "--regions",
      "r.csv",
      "--properties",
      "area,centroid,surfaceArea",
      "--physical",
    ]);
    const [head, first] = readFileSync(join(folder, "r.csv"), "utf8").split("\n");
    expect(head).toBe("label,area,centroid_x,centroid_y,centroid_z,surface_area,unit");
    // Four voxels of 0.5 x 2 x 3: 24 along the sides, 2 at the ends.
    expect(first).toBe("1,12,1,2,4.5,62,");
    await json(["u8.nii", "--by", "value", "--regions", "v.csv", "--properties", "area"]);
    expect(readFileSync(join(folder, "v.csv"), "utf8")).toBe("label,value,area,unit\n1,9,4,px\n2,4,1,px\n");
  });

  test.each([
    ["u8.nii", 1, "nii"],
    ["i32.nii", 2, "nii.gz"],
  ] as const)("NIfTI out keeps what %s says of its place", async (input, version, ending) => {
    await json([input, "--threshold", "nonzero", "-o", `out.${ending}`]);
    const file = readFileSync(join(folder, `out.${ending}`));
    const bytes = ending === "nii" ? file : gunzipSync(file);
    const original = readFileSync(join(folder, input));
    const [affine, size] = version === 1 ? [280, 48] : [400, 96];
    expect(bytes.subarray(affine, affine + size)).toEqual(original.subarray(affine, affine + size));
    const [pixels, length] = version === 1 ? [76, 16] : [104, 32];
    expect(bytes.subarray(pixels, pixels + length)).toEqual(original.subarray(pixels, pixels + length));
    expect((await json([`out.${ending}`, "--by", "value", "-o", "again.npy"])).count).toBe(2);
  });

  test("a series of DICOM keeps its place in the patient: x to the right, y to the front", async () => {
    await json(["series", "--threshold", "nonzero", "-o", "placed.nii"]);
    const placed = await openPicture(join(folder, "placed.nii"));
    await placed.close();
    expect([spacingOf(placed.space), lengthUnitOf(placed.space)]).toEqual([[0.5, 2, 3], "mm"]);
    expect(placed.space.toWorld?.map((row) => row.map((value) => value + 0))).toEqual([
      [-0.5, 0, 0, 0],
      [0, -2, 0, 0],
      [0, 0, 3, 0],
    ]);
  });

  test("stacks of pages, out and in", async () => {
    const { err } = await skerry([
      "label",
      "u8.nii",
      "--threshold",
      "nonzero",
      "-o",
      "out.tif",
      "--overlay",
      "seen.png",
    ]);
    expect(err).toBe(
      "note: out.tif does not tell the place of u8.nii, for which its format has no room; .nii, .nrrd, .mha and .zarr keep those of volumes, .tif and .zarr those on maps\n",
    );
    expect(await json(["out.tif", "--by", "value"])).toMatchObject({ depth: DEPTH, count: 2, foreground: 5 });
    const { width, height } = await sharp(join(folder, "seen.png")).metadata();
    // In voxels of 0.5 x 0.5: 7 x 20, 7 x 24 and 20 x 24, with gaps of 4.
    expect([width, height]).toEqual([42, 24]);
  });

  test("what is made of a slice or a projection goes on with it", async () => {
    for (const page of ["1", "largest"]) {
      const mask = `of-${page}.nii.gz`;
      const begin = ["label", "u8.nii", "--page", page, "--threshold", "nonzero"];
      expect((await skerry([...begin, "-o", mask])).code).toBe(0);
      const [whole, inside] = [await json([...begin.slice(1)]), await json([...begin.slice(1), "--within", mask])];
      expect([page, inside.foreground]).toEqual([page, whole.foreground]);
      expect((await skerry([...begin, "--intensity", mask, "--regions", "over.csv"])).code).toBe(0);
    }
    const over = await skerry([
      "label",
      "u8.nii",
      "--page",
      "1",
      "--intensity",
      "u8.nii:page=mean",
      "--regions",
      "over.csv",
    ]);
    expect([over.code, over.err]).toEqual([0, expect.not.stringContaining("skerry:")]);
  });

  test("uneven steps between slices are refused with their list; --allow-gaps takes the mean step everywhere", async () => {
    const { err, code } = await skerry(["label", "gap", "--threshold", "nonzero"]);
    expect([code, err]).toEqual([
      1,
      "skerry: Expected even steps between the slices of gap, got 1 of 2 that differ from 3 by more than 1 %: a2.dcm and a1.dcm 6; --allow-gaps takes the mean step, 4.5.\n",
    ]);
    const args = [
      "gap",
      "--threshold",
      "nonzero",
      "--physical",
      "--regions",
      "gap.csv",
      "--properties",
      "area",
      "-o",
      "gap.nii",
    ];
    const allowed = await skerry(["label", ...args, "--allow-gaps"]);
    expect([allowed.code, allowed.err]).toEqual([
      0,
      "note: gap has steps of 3 to 6 between its slices; the mean, 4.5, is used\n",
    ]);
    const [, row] = readFileSync(join(folder, "gap.csv"), "utf8").trim().split("\n");
    // Three voxels of 0.5 x 2 x 4.5.
    expect(Number(row.split(",")[1])).toBeCloseTo(13.5, 6);
    expect(readFileSync(join(folder, "gap.nii")).readFloatLE(80 + 8)).toBeCloseTo(4.5, 6);
    expect((await skerry(["label", "u8.nii", "--threshold", "nonzero", "--allow-gaps"])).err).toContain(
      "Expected a folder of DICOM slices for --allow-gaps, got u8.nii, which is NIfTI.",
    );
  });

  test("slices of other directions or sizes are other stacks, which --stack takes", async () => {
    mkdirSync(join(folder, "stacks"), { recursive: true });
    const changed = (z: number, from: string, to: string): Buffer =>
      Buffer.from(
        dicom(z, 3 * z)
          .toString("latin1")
          .replace(from, to),
        "latin1",
      );
    for (let z = 0; z < 3; z++) {
      writeFileSync(join(folder, `stacks/a${z}.dcm`), dicom(z, 3 * z));
      writeFileSync(join(folder, `stacks/b${z}.dcm`), changed(z, "2\\0.5", "4\\0.5"));
    }
    const whole = await skerry(["label", "stacks", "--threshold", "nonzero"]);
    expect(whole.code).toBe(1);
    expect(whole.err).toContain(
      "to form one stack, got 2 of other series, directions or sizes; take one with --stack N (0: 3 slices",
    );
    for (const [stack, volume] of [
      ["0", 9],
      ["1", 18],
    ] as const) {
      const args = [
        "stacks",
        "--threshold",
        "nonzero",
        "--stack",
        stack,
        "--physical",
        "--regions",
        "s.csv",
        "--properties",
        "area",
      ];
      expect((await skerry(["label", ...args])).err).toBe("");
      const [, row] = readFileSync(join(folder, "s.csv"), "utf8").trim().split("\n");
      expect(Number(row.split(",")[1])).toBeCloseTo(volume, 6);
    }
    const beyond = await skerry(["label", "stacks", "--threshold", "nonzero", "--stack", "2"]);
    expect([beyond.code, beyond.err]).toEqual([2, "skerry: Expected --stack to be from 0 to 1 for stacks, got 2.\n"]);
    expect((await skerry(["label", "u8.nii", "--threshold", "nonzero", "--stack", "0"])).err).toContain(
      "for --stack, got u8.nii, which is NIfTI",
    );
    writeFileSync(join(folder, "stacks/b0.dcm"), changed(0, "1\\0\\0\\0\\1\\0", "1\\0\\0\\0\\0\\1"));
    expect((await skerry(["label", "stacks", "--threshold", "nonzero"])).err).toContain("got 3 of other series");
  });

  test("bench runs on them", async () => {
    const { out, err } = await skerry(["info", "--bench", "u8.nii", "--by", "value", "--rounds", "1", "--json"]);
    const rows = JSON.parse(out || err) as { objects: number }[];
    expect(new Set(rows.map(({ objects }) => objects))).toEqual(new Set([2]));
  });

  test("fills from a voxel", async () => {
    const { out } = await skerry(["fill", "u8.nii", "--at", "2,1,0", "--json"]);
    expect(JSON.parse(out)).toMatchObject({ depth: DEPTH, foreground: 4 });
  });

  test.each([
    [1, "u8.nii to hold 4 x 5 x 7 x 1 = 140 bytes of data, got 48", ["cut.nii"]],
    [1, "it is no complete gzip file", ["cut.nii.gz"]],
    [1, "Expected the voxels of before.nii to begin at 0 or later, got the offset -16.", ["before.nii"]],
    [1, "Expected text.nii to be a NIfTI-1 or NIfTI-2 file", ["text.nii"]],
    [1, "got the transfer syntax 1.2.840.10008.1.2.4.201", ["packed"]],
    [2, "for --shape 70,50,4 of 1 each, got 560; 8 rows of 70 pixels would fit.", ["values.bin", "--shape", "70,50,4"]],
    [
      2,
      "Expected an image for l.png, got the volume u8.nii; write .npy, .tif, .nii, .nii.gz, .nrrd or .mha.",
      ["u8.nii", "-o", "l.png"],
    ],
    [2, "Expected --connectivity to be 6, 18 or 26 for a volume, got 8.", ["u8.nii", "--connectivity", "8"]],
    [2, "Expected --dtype together with --shape.", ["u8.nii", "--dtype", "float32"]],
    [2, "Expected --background together with --by.", ["u8.nii", "--background", "1"]],
    [2, "Expected no threshold with --by, got --threshold otsu.", ["u8.nii", "--threshold", "otsu", "--by", "value"]],
  ] as const)("exit %i: %s", async (code, sentence, args) => {
    const whole = readFileSync(join(folder, "u8.nii"));
    writeFileSync(join(folder, "cut.nii"), whole.subarray(0, 400));
    writeFileSync(join(folder, "cut.nii.gz"), gzipSync(whole).subarray(0, 60));
    const before = Buffer.from(whole);
    before.writeFloatLE(-16, 108);
    writeFileSync(join(folder, "before.nii"), before);
    writeFileSync(join(folder, "text.nii"), "this is no volume ".repeat(40));
    const found = await skerry(["label", ...args]);
    expect(found.err).toContain(sentence.replace("u8.nii to", "cut.nii to"));
    expect([found.code, found.out]).toEqual([code, ""]);
  });

  test("what the header of a packed volume rules out is told before it is unpacked", async () => {
    const side = 24;
    const file = Buffer.concat([nifti(1, 2, 1, true).subarray(0, 352), Buffer.alloc(side ** 3)]);
    for (const [i, n] of [3, side, side, side].entries()) file.writeInt16LE(n, 40 + 2 * i);
    for (let i = 352; i < file.length; i++) file[i] = (i * 2654435761) >>> 24;
    const packed = gzipSync(file);
    writeFileSync(join(folder, "long.nii.gz"), packed);
    writeFileSync(join(folder, "cut-long.nii.gz"), packed.subarray(0, packed.length - 3000));
    writeFileSync(join(folder, "short.nii.gz"), gzipSync(file.subarray(0, file.length - 100)));
    const { count } = JSON.parse((await skerry(["label", "long.nii.gz", "--threshold", ">99", "--json"])).out);
    writeFileSync(join(folder, "long.nii"), file);
    expect(JSON.parse((await skerry(["label", "long.nii", "--threshold", ">99", "--json"])).out).count).toBe(count);
    for (const [name, args, sentence] of [
      ["cut-long.nii.gz", ["--connectivity", "8"], "Expected --connectivity to be 6, 18 or 26 for a volume, got 8."],
      ["cut-long.nii.gz", ["-o", "l.png"], "Expected an image for l.png, got the volume cut-long.nii.gz"],
      ["cut-long.nii.gz", [], "it is no complete gzip file"],
      ["short.nii.gz", [], `to unpack to ${file.length} bytes, as its header says, got ${file.length - 100}`],
    ] as const) {
      const found = await skerry(["label", name, "--threshold", ">99", ...args]);
      expect(found.err).toContain(sentence);
      expect(found.code).not.toBe(0);
    }
    expect((await skerry(["info", "cut-long.nii.gz"])).out).toContain(`${side} x ${side} x ${side}`);
  });

  test("the size of a voxel is the affine transform's where pixdim has none, and a note says where they differ", async () => {
    // The transform has voxels of 0.5 x 2 x 3.
    const withSides = (...sides: number[]): Buffer => {
      const file = nifti(1, 2, 1, true);
      for (const [i, n] of sides.entries()) file.writeFloatLE(n, 80 + 4 * i);
      return file;
    };
    for (const [name, sides, note] of [
      ["none", [0, 0, 0], ""],
      ["one", [0.5, Number.NaN, 3], ""],
      ["near", [0.502, 2, 3], ""],
      [
        "apart",
        [1, 2, 3],
        "note: apart.nii has voxels of 1 x 2 x 3 by its pixdim, and of 0.5 x 2 x 3 by its affine transform",
      ],
    ] as const) {
      writeFileSync(join(folder, `${name}.nii`), withSides(...sides));
      const { err, code } = await skerry([
        "label",
        `${name}.nii`,
        "--threshold",
        "nonzero",
        "--physical",
        "--regions",
        `${name}.csv`,
        "--properties",
        "area",
      ]);
      expect([name, code, err.slice(0, note.length)]).toEqual([name, 0, note]);
      if (note === "") expect(err).toBe("");
      const [, first] = readFileSync(join(folder, `${name}.csv`), "utf8")
        .trim()
        .split("\n");
      expect(Number(first.split(",")[1])).toBeCloseTo(DEPTH * (name === "apart" ? 6 : name === "near" ? 3.012 : 3), 3);
    }
    const bare = withSides(0, 0, 0);
    bare.writeInt16LE(0, 254);
    writeFileSync(join(folder, "bare.nii"), bare);
    const refused = await skerry([
      "label",
      "bare.nii",
      "--threshold",
      "nonzero",
      "--physical",
      "--regions",
      "bare.csv",
    ]);
    expect([refused.code, refused.err]).toEqual([
      2,
      expect.stringContaining("Expected a size of a pixel for --physical"),
    ]);
    const sheared = nifti(1, 2, 1, true);
    sheared.writeFloatLE(1, 280 + 4);
    writeFileSync(join(folder, "sheared.nii"), sheared);
    expect((await skerry(["label", "sheared.nii", "--threshold", "nonzero"])).err).toContain(
      "note: sheared.nii has a sheared grid",
    );
  });

  test.each([
    // Bits above the stored ones held overlays; signs are those of the highest stored bit; stored bits may lie at the left.
    [
      "an overlay above 12 bits",
      { stored: 12, high: 11, signed: false },
      (v: number, i: number) => v | (i % 3 ? 0x1000 : 0xf000),
      0,
    ],
    ["12 bits with a sign", { stored: 12, high: 11, signed: true }, (v: number) => (v - 100) & 0xfff, -100],
    ["12 bits at the left", { stored: 12, high: 15, signed: false }, (v: number, i: number) => (v << 4) | (i & 15), 0],
  ] as const)("only the stored bits of DICOM count: %s", async (name, bits, wordOf, shift) => {
    const own = name.replaceAll(" ", "-");
    for (let z = 0; z < DEPTH; z++) {
      const part = values.subarray(z * WIDTH * HEIGHT, (z + 1) * WIDTH * HEIGHT);
      const words = { ...bits, values: Uint16Array.from(part, (v, i) => wordOf(v, i)) };
      mkdirSync(join(folder, own), { recursive: true });
      writeFileSync(join(folder, own, `${z}.dcm`), dicom(z, 3 * z, undefined, words));
    }
    const { err, code } = await skerry([
      "label",
      own,
      "--threshold",
      `>${2 + shift}`,
      "--regions",
      `${own}.csv`,
      "--properties",
      "area,min,max,sum",
    ]);
    expect([err, code]).toEqual(["", 0]);
    const rows = readFileSync(join(folder, `${own}.csv`), "utf8")
      .trim()
      .split("\n")
      .slice(1)
      .map((row) => row.split(",").map(Number));
    const kept = Array.from(values).filter((v) => v > 2);
    expect(rows.reduce((sum, row) => sum + row[1], 0)).toBe(kept.length);
    expect(rows.reduce((sum, row) => sum + row[4], 0)).toBe(kept.reduce((sum, v) => sum + v + shift, 0));
    expect(Math.max(...rows.map((row) => row[3]))).toBe(Math.max(...kept) + shift);
  });

  test("DICOM that stores more bits than its words have is refused", async () => {
    for (const [stored, high] of [
      [17, 16],
      [12, 10],
      [12, 16],
      [0, 0],
    ]) {
      mkdirSync(join(folder, "bits"), { recursive: true });
      const words = { values: new Uint16Array(WIDTH * HEIGHT), stored, high, signed: false };
      writeFileSync(join(folder, "bits/a.dcm"), dicom(0, 0, undefined, words));
      expect((await skerry(["label", "bits", "--threshold", ">1"])).err).toContain(
        `got ${stored} stored bits and the high bit ${high} of 16`,
      );
    }
  });

  test("a DICOM position of two numbers is none, and a slope that is no number is refused", async () => {
    // Other bytes of the same length.
    const changed = (from: string, to: string): Buffer =>
      Buffer.from(dicom(0, 3).toString("latin1").replace(from, to), "latin1");
    mkdirSync(join(folder, "short"));
    writeFileSync(join(folder, "short/a.dcm"), changed("0\\0\\3", "0\\0 3"));
    expect((await skerry(["label", "short", "--threshold", ">0", "--json"])).err).toBe(
      "note: short has slices without a position; they are in the order of their instance numbers\n",
    );
    mkdirSync(join(folder, "slope"));
    writeFileSync(join(folder, "slope/a.dcm"), changed("100 ", "1x0 "));
    const found = await skerry(["label", "slope", "--threshold", ">0"]);
    expect([found.code, found.err]).toEqual([
      1,
      "skerry: Expected slope/a.dcm to have numbers as rescale slope and intercept, got 1 and NaN.\n",
    ]);
  });

  test("a class map, class by class, as each class's mask has it", async () => {
    // Three classes in cells of 3 x 2 x 2.
    const classes = Uint8Array.from({ length: WIDTH * HEIGHT * DEPTH }, (_, at) => {
      const [x, y, z] = [at % WIDTH, Math.floor(at / WIDTH) % HEIGHT, Math.floor(at / WIDTH / HEIGHT)];
      return (Math.floor(x / 3) * 7 + Math.floor(y / 2) * 5 + Math.floor(z / 2) * 3) % 4;
    });
    writeFileSync(join(folder, "classes.npy"), npy("|u1", classes, false));
    const all = await json(["classes.npy", "--by", "value", "--connectivity", "26"]);
    let sum = 0;
    for (const value of [1, 2, 3]) {
      const own = await json(["classes.npy", "--threshold", `${value}..${value}`, "--connectivity", "26"]);
      sum += own.count as number;
    }
    expect(all.count).toBe(sum);
  });
});

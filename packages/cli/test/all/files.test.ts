// Files that harm: those that unpack to more than they are, that lead elsewhere, that are named to confuse; and what
// trials with real files broke.

import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";

const command = resolve(import.meta.dirname, "../../bin/skerry.js");
const cells = resolve(import.meta.dirname, "../../../../samples/cells.png");
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "skerry-files-"));
  copyFileSync(cells, join(folder, "cells.png"));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Ran {
  code: number | null;
  out: string;
  err: string;
}
function skerry(args: readonly string[], input?: Uint8Array): Ran {
  const options = { cwd: folder, encoding: "utf8" as const, ...(input ? { input } : {}) };
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], options);
  return { code: status, out: stdout, err: stderr };
}
const at = (name: string): string => join(folder, name);

/** A NIfTI-1 header of a cube of bytes, and as many of them. */
function nifti(side: number, values = side ** 3): Buffer {
  const header = Buffer.alloc(352);
  header.writeInt32LE(348, 0);
  for (const [i, n] of [3, side, side, side, 1, 1, 1, 1].entries()) header.writeInt16LE(n, 40 + 2 * i);
  header.writeInt16LE(2, 70);
  header.writeInt16LE(8, 72);
  for (let i = 0; i < 4; i++) header.writeFloatLE(1, 76 + 4 * i);
  header.writeFloatLE(352, 108);
  header.write("n+1\0", 344, "latin1");
  return Buffer.concat([header, Buffer.alloc(values, 1)]);
}

/** A PNG that says it has so many pixels, and holds few of them. */
function png(width: number, height: number): Buffer {
  const chunk = (type: string, data: Uint8Array): Buffer => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const frame = Buffer.alloc(8 + body.length);
    frame.writeUInt32BE(data.length, 0);
    body.copy(frame, 4);
    frame.writeUInt32BE(crcOf(body), 4 + body.length);
    return frame;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const rows = deflateSync(Buffer.alloc(width + 1));
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", rows), chunk("IEND", Buffer.alloc(0))]);
}

/** Node 20.9 has no zlib.crc32. */
function crcOf(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let k = 0; k < 8; k++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

test("a picture that would take more than can be held is refused by its header", () => {
  writeFileSync(at("huge.png"), png(70_000, 70_000));
  expect(skerry(["label", "huge.png"])).toEqual({
    code: 1,
    out: "",
    err: expect.stringMatching(
      /^skerry: Expected huge\.png to take at most \d+ MiB of memory, got 70000 x 70000 pixels, 4674 MiB; see --memory\.\n$/,
    ),
  });
  writeFileSync(at("wide.png"), png(7_000, 7_000));
  const limited = skerry(["label", "wide.png", "--memory", "136M"]);
  expect(limited.err).toBe(
    "skerry: Expected wide.png to take at most 16.0 MiB of memory, got 7000 x 7000 pixels, 46.7 MiB; see --memory.\n",
  );
});

test("no more of a packed volume is unpacked than its header promises", () => {
  writeFileSync(at("bomb.nii.gz"), gzipSync(Buffer.concat([nifti(10), Buffer.alloc(600 << 20)])));
  const begin = performance.now();
  const { code, out } = skerry(["label", "bomb.nii.gz", "--threshold", "nonzero"]);
  expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^bomb\.nii\.gz: 1 object in 10 x 10 x 10/) });
  // Unpacking all of it takes seconds; this is no timing but a bound that only a bomb passes.
  expect(performance.now() - begin).toBeLessThan(20_000);
  const { code: spilled } = skerry([
    "distance",
    "bomb.nii.gz",
    "--threshold",
    "nonzero",
    "--memory",
    "160M",
    "-o",
    "map.npy",
  ]);
  expect(spilled).toBe(0);
  expect(statSync(at("map.npy")).size).toBe(128 + 4000);
  writeFileSync(at("short.nii.gz"), gzipSync(nifti(10, 500)));
  expect(skerry(["label", "short.nii.gz"]).err).toContain("the file is truncated");
});

test("a deflated DICOM file is refused before it is unpacked", () => {
  mkdirSync(at("dicom"));
  const element = (group: number, number: number, vr: string, text: string): Buffer => {
    const value = Buffer.from(text.length % 2 ? `${text}\0` : text, "latin1");
    const head = Buffer.alloc(8);
    head.writeUInt16LE(group, 0);
    head.writeUInt16LE(number, 2);
    head.write(vr, 4, "latin1");
    head.writeUInt16LE(value.length, 6);
    return Buffer.concat([head, value]);
  };
  const syntax = element(2, 0x10, "UI", "1.2.840.10008.1.2.1.99");
  const length = element(2, 0, "UL", "    ");
  length.writeUInt32LE(syntax.length, 8);
  const packed = deflateRawSync(Buffer.alloc(64 << 20));
  writeFileSync(at("dicom/1.dcm"), Buffer.concat([Buffer.alloc(128), Buffer.from("DICM"), length, syntax, packed]));
  expect(skerry(["label", "dicom"])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^skerry: Could not read .*it is deflated, which is not read\.\n$/),
  });
});

test("an input named through a link is not written over", () => {
  symlinkSync("cells.png", at("same.png"));
  const { code, err } = skerry(["label", "cells.png", "-o", "same.png"]);
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining("same.png is the input cells.png") });
  mkdirSync(at("real"));
  symlinkSync("real", at("alias"));
  copyFileSync(cells, at("real/in.png"));
  expect(skerry(["label", "real/in.png", "--overlay", "alias/in.png"]).code).toBe(2);
});

test("links stay, what they lead to is replaced, with its permissions", () => {
  writeFileSync(at("kept.csv"), "old");
  chmodSync(at("kept.csv"), 0o640);
  symlinkSync("kept.csv", at("link.csv"));
  symlinkSync("later.csv", at("dangling.csv"));
  for (const name of ["link.csv", "dangling.csv"]) {
    expect(skerry(["label", "cells.png", "--regions", name, "--quiet"]).code).toBe(0);
    expect(lstatSync(at(name)).isSymbolicLink()).toBe(true);
  }
  expect(statSync(at("kept.csv")).mode & 0o777).toBe(0o640);
  expect(readFileSync(at("later.csv"), "utf8")).toBe(readFileSync(at("kept.csv"), "utf8"));
  expect(readFileSync(at("kept.csv"), "utf8")).toMatch(/^label,area/);
  expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
});

test("a failed write leaves what was there, and nothing beside it", () => {
  mkdirSync(at("kept"));
  writeFileSync(at("kept/labels.png"), "old");
  // More objects than a 16-bit picture has values.
  const raw = Uint8Array.from({ length: 600 * 600 }, (_, i) => (i % 2 && Math.floor(i / 600) % 2 ? 1 : 0));
  writeFileSync(at("dots.raw"), raw);
  const { code } = skerry([
    "label",
    "dots.raw",
    "--shape",
    "600,600",
    "--threshold",
    "nonzero",
    "-o",
    "kept/labels.png",
  ]);
  expect(code).toBe(1);
  expect(readdirSync(at("kept"))).toEqual(["labels.png"]);
  expect(readFileSync(at("kept/labels.png"), "utf8")).toBe("old");
});

test("control characters of names do not reach the terminal", () => {
  const name = "a\u001b[31mb\u009b.png";
  copyFileSync(cells, at(name));
  for (const { out, err } of [
    skerry(["label", name]),
    skerry(["label", `missing${name}`]),
    skerry(["fill", name, "--at", "1,1"]),
  ]) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(out + err).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
    expect(out + err).toContain("a\\x1b[31mb\\x9b.png");
  }
});

test("NIfTI comes from stdin, plain and packed", () => {
  for (const bytes of [nifti(6), gzipSync(nifti(6))]) {
    const { code, out } = skerry(["label", "-", "--threshold", "nonzero"], bytes);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^1 object in 6 x 6 x 6/) });
  }
});

test("NIfTI-2 with a header extension", () => {
  const header = Buffer.alloc(560);
  header.writeInt32LE(540, 0);
  header.write("n+2\0\r\n\x1a\n", 4, "latin1");
  header.writeInt16LE(2, 12);
  header.writeInt16LE(8, 14);
  for (const [i, n] of [3, 4, 4, 4, 1, 1, 1, 1].entries()) header.writeBigInt64LE(BigInt(n), 16 + 8 * i);
  for (let i = 0; i < 4; i++) header.writeDoubleLE(1, 104 + 8 * i);
  header.writeBigInt64LE(560n, 168);
  header[540] = 1;
  header.writeInt32LE(16, 544);
  header.writeInt32LE(6, 548);
  header.write("comment!", 552, "latin1");
  writeFileSync(at("extended.nii"), Buffer.concat([header, Buffer.alloc(64, 1)]));
  expect(skerry(["label", "extended.nii", "--threshold", "nonzero"]).out).toMatch(
    /^extended\.nii: 1 object in 4 x 4 x 4/,
  );
});

test("run lengths of a volume as COCO are refused before the work", () => {
  writeFileSync(at("volume.nii"), nifti(8));
  expect(skerry(["label", "volume.nii", "--runs", "runs.json"])).toEqual({
    code: 2,
    out: "",
    err: "skerry: Expected an image for --runs runs.json: masks have no volumes; write .csv.\n",
  });
});

test("a grey picture can be given greys to begin with, and a fill of a grey volume has a colour", () => {
  const raw = Uint8Array.from({ length: 64 }, (_, i) => [0, 100, 130, 250][i % 4]);
  writeFileSync(at("grey.raw"), raw);
  const shape = ["--shape", "8,8"];
  writeFileSync(at("grey.npy"), npy([8, 8], raw));
  for (const init of ["0,128,255", "#000000,#808080,#ffffff"]) {
    const { code, err } = skerry(["kmeans", "grey.npy", "--init", init, "--palette", "p.json"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const palette = JSON.parse(readFileSync(at("p.json"), "utf8")) as { hex: string }[];
    expect(palette.map(({ hex }) => hex)).toEqual(["#737373", "#000000", "#fafafa"]);
  }
  expect(skerry(["kmeans", "grey.npy", "--init", "#102030"]).code).toBe(2);
  expect(skerry(["kmeans", "cells.png", "--init", "1,x"]).err).toContain("as 0,128,255");
  writeFileSync(at("cube.npy"), npy([4, 4, 4], raw));
  expect(skerry(["fill", "cube.npy", "--at", "0,0,0", "-o", "filled.npy"])).toMatchObject({ code: 0, err: "" });
  expect(readFileSync(at("filled.npy")).subarray(128)[0]).toBe(255);
  expect(skerry(["label", "grey.raw", ...shape]).code).toBe(0);
});

/** A .npy, of bytes if nothing else is said. */
function npy(shape: readonly number[], data: Uint8Array, descr = "|u1"): Buffer {
  const header = `${`{'descr': '${descr}', 'fortran_order': False, 'shape': (${shape.join(", ")}), }`.padEnd(117)}\n`;
  return Buffer.concat([Buffer.from("\x93NUMPY\x01\x00v\x00", "latin1"), Buffer.from(header), data]);
}

test("pixels without a value: NaN, and what --nodata names, before slope and intercept", () => {
  const floats = Float32Array.of(1, Number.NaN, 1, 0, 3, -9999);
  writeFileSync(at("gaps.npy"), npy([2, 3], new Uint8Array(floats.buffer), "<f4"));
  const args = ["--threshold", ">-99999", "--connectivity", "8", "--properties", "area,mean", "--regions"];
  expect(skerry(["label", "gaps.npy", ...args, "gaps.csv", "--nodata", "-9999"]).out).toContain("1 object");
  expect(readFileSync(at("gaps.csv"), "utf8")).toBe("label,area,mean,unit\n1,4,1.25,px\n");
  // By -9999 alone, of a slope of 2 and an intercept of 1, the raw value 3 is a 7, and the raw value 7 has none.
  const volume = nifti(2);
  volume.writeFloatLE(2, 112);
  volume.writeFloatLE(1, 116);
  volume.set([3, 3, 7, 7, 0, 0, 0, 7], 352);
  writeFileSync(at("scaled.nii"), volume);
  expect(skerry(["label", "scaled.nii", "--threshold", ">2", "--nodata", "7", "--json"]).out).toContain(
    '"foreground":2',
  );
  expect(skerry(["label", "scaled.nii", "--threshold", ">2", "--json"]).out).toContain('"foreground":5');
  expect(skerry(["label", "cells.png", "--threshold", "otsu", "--nodata", "0", "--json"]).code).toBe(0);
  const both = skerry([
    "distance",
    "scaled.nii",
    "--threshold",
    ">2",
    "--nodata",
    "7",
    "--smooth",
    "1",
    "-o",
    "no.nii",
  ]);
  expect([both.code, both.err]).toEqual([
    2,
    "skerry: Expected --smooth or --nodata, got both: it mixes neighbours, measured or not.\n",
  ]);
  writeFileSync(at("mask.npy"), npy([2, 3], Uint8Array.of(0, 1, 1, 255, 0, 1)));
  expect(skerry(["label", "mask.npy", "--nodata", "255", "--json"]).out).toContain('"threshold":"nonzero"');
  expect(skerry(["fill", "mask.npy", "--at", "1,0", "--nodata", "255", "--json"]).out).toContain('"foreground":3');
});

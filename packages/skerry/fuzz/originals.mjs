// Small files of every format that the command line reads, to be mutated.

import { readFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import { fillOf, MemoryOutput, writeTiff } from "@skerry/files";
import sharp from "sharp";

/** TIFFs of the table in @skerry/files: every compression, layout, palette, description, and a few of the types. */
function tiffs() {
  const answer = gunzipSync(readFileSync(new URL("../test/goldens/tiffs.gz", import.meta.url)));
  const table = JSON.parse(answer.subarray(answer.indexOf(10) + 1).toString());
  const wanted =
    /^GDAL (u2|f8) (NONE|LZW|PACKBITS|DEFLATE|ZSTD|LERC)\w* (strips|tiles)|JPEG|predictor [23]|bits|palette|OME|ImageJ|COG|overviews|tiffcp|sparse|planes|big$/;
  const chosen = table.filter(({ name }) => wanted.test(name));
  return Object.fromEntries(
    chosen.map(({ name, file }) => [`-${name.replace(/\W+/g, "-")}.tif`, Buffer.from(file, "base64")]),
  );
}

/** Volumes and pictures of the tables in @skerry/files that are one file each: NRRD, MetaImage, MGH, DICOM, BMP. */
function others() {
  const table = (name) => {
    const answer = gunzipSync(readFileSync(new URL(`../test/goldens/${name}.gz`, import.meta.url)));
    return JSON.parse(answer.subarray(answer.indexOf(10) + 1).toString());
  };
  const wanted = /uint16|int64|channel 2|time 2|ascii|LAS|MGH|DICOM frames/;
  const volumes = table("volumes").filter(({ name, files }) => wanted.test(name) && Object.keys(files).length === 1);
  const named = (name, ending) => `-${name.replace(/\W+/g, "-")}${ending}`;
  return Object.fromEntries([
    ...volumes.map(({ name, files, first }) => [
      named(name, /\.\w+$/.exec(first)[0]),
      Buffer.from(files[first], "base64"),
    ]),
    ...table("bmps")
      .filter(({ name }) => /5$|run/.test(name))
      .map(({ name, file }) => [named(name, ".bmp"), Buffer.from(file, "base64")]),
  ]);
}

const u16 = (n) => Buffer.from([n & 255, n >> 8]);

/** A NIfTI header: of 348 bytes and 4 more, or of 540. */
function nifti(version) {
  const wide = version === 2;
  const header = Buffer.alloc(wide ? 544 : 352);
  const dims = [3, 8, 6, 4, 1, 1, 1, 1];
  header.writeInt32LE(wide ? 540 : 348, 0);
  if (wide) {
    header.write("n+2\0\r\n\x1a\n", 4, "latin1");
    header.writeInt16LE(2, 12);
    header.writeInt16LE(8, 14);
    for (const [i, n] of dims.entries()) header.writeBigInt64LE(BigInt(n), 16 + 8 * i);
    for (let i = 0; i < 4; i++) header.writeDoubleLE(1, 104 + 8 * i);
    header.writeBigInt64LE(544n, 168);
  } else {
    for (const [i, n] of dims.entries()) header.writeInt16LE(n, 40 + 2 * i);
    header.writeInt16LE(2, 70);
    header.writeInt16LE(8, 72);
    for (let i = 0; i < 4; i++) header.writeFloatLE(1, 76 + 4 * i);
    header.writeFloatLE(352, 108);
    header.write("n+1\0", 344, "latin1");
  }
  return Buffer.concat([header, Buffer.alloc(192, 3)]);
}

function npy(fortran) {
  const header = `${`{'descr': '<i2', 'fortran_order': ${fortran}, 'shape': (4, 6, 8), }`.padEnd(117)}\n`;
  return Buffer.concat([Buffer.from("\x93NUMPY\x01\x00v\x00", "latin1"), Buffer.from(header), Buffer.alloc(384, 1)]);
}

function pgm(most) {
  return Buffer.concat([Buffer.from(`P5\n# a comment\n8 6\n${most}\n`), Buffer.alloc(most > 255 ? 96 : 48, 1)]);
}

/** An element of explicit little-endian DICOM. */
function element(group, id, type, value) {
  let data = Buffer.from(value, "latin1");
  if (data.length % 2) data = Buffer.concat([data, Buffer.from(type === "UI" ? "\0" : " ")]);
  const long = type === "OW";
  const head = Buffer.alloc(long ? 12 : 8);
  head.writeUInt16LE(group, 0);
  head.writeUInt16LE(id, 2);
  head.write(type, 4, "latin1");
  if (long) head.writeUInt32LE(data.length, 8);
  else head.writeUInt16LE(data.length, 6);
  return Buffer.concat([head, data]);
}

function dicom() {
  const meta = element(0x0002, 0x0010, "UI", "1.2.840.10008.1.2.1");
  const length = Buffer.alloc(4);
  length.writeUInt32LE(meta.length);
  const text = [
    [0x0020, 0x000e, "UI", "1.2.3"],
    [0x0020, 0x0013, "IS", "1"],
    [0x0020, 0x0032, "DS", "0\\0\\3"],
    [0x0020, 0x0037, "DS", "1\\0\\0\\0\\1\\0"],
    [0x0028, 0x0002, "US", u16(1)],
    [0x0028, 0x0010, "US", u16(6)],
    [0x0028, 0x0011, "US", u16(8)],
    [0x0028, 0x0030, "DS", "2\\0.5"],
    [0x0028, 0x0100, "US", u16(16)],
    [0x0028, 0x0103, "US", u16(1)],
    [0x0028, 0x1052, "DS", "100"],
    [0x0028, 0x1053, "DS", "2"],
    [0x7fe0, 0x0010, "OW", Buffer.alloc(96, 5)],
  ];
  const begin = [Buffer.alloc(128), Buffer.from("DICM"), element(0x0002, 0x0000, "UL", length), meta];
  return Buffer.concat([...begin, ...text.map((fields) => element(...fields))]);
}

/** Pages of 32 bits, as the command line writes them. */
async function pages() {
  const file = new MemoryOutput();
  const layout = { width: 8, height: 6, depth: 3, type: "u32" };
  await writeTiff(file, layout, fillOf(new Uint32Array(144).fill(70_000), layout));
  return Buffer.from(file.bytes());
}

/** One uncompressed strip of 8 x 6 samples: of a format that libvips does not distinguish, or of bits that it scales. */
function strip(bits, format, description = "") {
  const bytes = (8 * bits * 6) / 8;
  const text = `${description}\0`;
  const tags = [
    [256, 3, 1, 8],
    [257, 3, 1, 6],
    [258, 3, 1, bits],
    [259, 3, 1, 1],
    [262, 3, 1, 1],
    ...(description ? [[270, 2, text.length, 8 + bytes]] : []),
    [273, 4, 1, 8],
    [277, 3, 1, 1],
    [278, 3, 1, 6],
    [279, 4, 1, bytes],
    [339, 3, 1, format],
  ];
  const textBytes = description ? text.length + (text.length % 2) : 0;
  const file = Buffer.alloc(8 + bytes + textBytes + 2 + 12 * tags.length + 4);
  file.write("II*\0", "latin1");
  file.writeUInt32LE(8 + bytes + textBytes, 4);
  for (let i = 0; i < bytes; i++) file[8 + i] = (i * 37) & 255;
  if (description) file.write(text, 8 + bytes, "latin1");
  file.writeUInt16LE(tags.length, 8 + bytes + textBytes);
  tags.forEach(([tag, type, count, value], i) => {
    const at = 10 + bytes + textBytes + 12 * i;
    file.writeUInt16LE(tag, at);
    file.writeUInt16LE(type, at + 2);
    file.writeUInt32LE(count, at + 4);
    file.writeUInt32LE(value, at + 8);
  });
  return file;
}

/** Files by the ending of their name. If an ending begins with a slash, the file lies in a folder. */
export async function originals() {
  const data = Uint8Array.from({ length: 24 * 16 * 3 }, (_, i) => (i * 7) & 255);
  const image = () => sharp(data, { raw: { width: 24, height: 16, channels: 3 } });
  const deep = sharp(
    Uint16Array.from({ length: 384 }, (_, i) => i * 170),
    { raw: { width: 24, height: 16, channels: 1 } },
  );
  return {
    ".png": await image().png().toBuffer(),
    "-deep.png": await deep.toColourspace("grey16").png().toBuffer(),
    ".jpg": await image().jpeg().toBuffer(),
    ".webp": await image().webp().toBuffer(),
    ".avif": await image().avif({ effort: 0 }).toBuffer(),
    ".gif": await image().gif().toBuffer(),
    ...tiffs(),
    ".tif": await image().tiff().toBuffer(),
    "-pages.tif": await pages(),
    "-signed.tif": strip(16, 2),
    "-bytes.tif": strip(8, 2),
    "-bits.tif": strip(4, 1),
    "-halves.tif": strip(16, 3),
    "-channels.tif": strip(8, 1, "ImageJ=1.53\nimages=2\nchannels=2\n"),
    ".pgm": pgm(255),
    "-deep.pgm": pgm(65535),
    ".npy": npy("False"),
    "-fortran.npy": npy("True"),
    ...others(),
    ".nii": nifti(1),
    "-2.nii": nifti(2),
    ".nii.gz": gzipSync(nifti(1)),
    "/slice.dcm": dicom(),
    "/slice.png": await image().png().toBuffer(),
  };
}

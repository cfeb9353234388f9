// Reads TIFFs of 256 MiB beside sharp (libvips, libtiff), and beside a plain read of the file's bytes. The files are rendered by this
// program into a temporary folder: strips of 16 rows, u16 raw and deflated RGB. Run the build first.
//
//     node packages/files/bench/tiff.mjs

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { openPicture, rasterOf } from "../dist/node/index.js";

const ROUNDS = 5;
const ROWS = 16;

/** A TIFF of strips that are packed or not. */
function tiff(data, width, height, samples, pack) {
  const bits = data.BYTES_PER_ELEMENT * 8;
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const rowBytes = (width * samples * bits) / 8;
  const strips = Array.from({ length: Math.ceil(height / ROWS) }, (_, i) => {
    const part = bytes.subarray(i * ROWS * rowBytes, Math.min(height, (i + 1) * ROWS) * rowBytes);
    return pack ? deflateSync(part) : part;
  });
  const lists = 8 + 2 + 11 * 12 + 4;
  const bitsAt = lists + strips.length * 8;
  let at = bitsAt + 2 * samples;
  const offsets = strips.map((strip) => {
    const from = at;
    at += strip.length;
    return from;
  });
  const head = Buffer.alloc(bitsAt + 2 * samples);
  head.write("II*\0", 0, "latin1");
  head.writeUInt32LE(8, 4);
  const entries = [
    [256, 4, 1, width],
    [257, 4, 1, height],
    [258, 3, samples, samples > 1 ? bitsAt : bits],
    [259, 3, 1, pack ? 8 : 1],
    [262, 3, 1, samples > 1 ? 2 : 1],
    [273, 4, strips.length, lists],
    [277, 3, 1, samples],
    [278, 4, 1, ROWS],
    [279, 4, strips.length, lists + strips.length * 4],
    [284, 3, 1, 1],
    [339, 3, 1, 1],
  ];
  head.writeUInt16LE(entries.length, 8);
  for (const [i, [tag, type, count, value]] of entries.entries()) {
    const to = 10 + i * 12;
    head.writeUInt16LE(tag, to);
    head.writeUInt16LE(type, to + 2);
    head.writeUInt32LE(count, to + 4);
    head.writeUInt32LE(value, to + 8);
  }
  for (const [i, strip] of strips.entries()) {
    head.writeUInt32LE(offsets[i], lists + 4 * i);
    head.writeUInt32LE(strip.length, lists + 4 * (strips.length + i));
  }
  for (let c = 0; c < samples; c++) head.writeUInt16LE(bits, bitsAt + 2 * c);
  return [head, ...strips];
}

let state = 1;
const noise = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state >>> 24;
};
const folder = mkdtempSync(join(tmpdir(), "skerry-tiff-"));
const [width, height] = [16384, 8192];
const deep = new Uint16Array(width * height).map(
  (_, i) => ((i % width) * 3 + Math.floor(i / width) * 2 + (noise() & 31)) & 4095,
);
const [w, h] = [9943, 9000];
const colour = new Uint8Array(w * h * 3).map(
  (_, i) => (Math.floor(i / 24) + Math.floor(i / (w * 3)) + (noise() & 3)) & 255,
);
const cases = [
  ["u16, raw", deep, width, height, 1, false, "ushort", "grey16"],
  ["RGB, Deflate", colour, w, h, 3, true, "uchar", "srgb"],
];

async function median(work) {
  const times = [];
  for (let i = 0; i < ROUNDS; i++) {
    const begin = performance.now();
    await work();
    times.push(performance.now() - begin);
  }
  return times.sort((a, b) => a - b)[ROUNDS >> 1];
}

try {
  console.log(
    "| strips | MiB | ours, ms | sharp, ms | ratio | plain read, ms |\n| --- | ---: | ---: | ---: | ---: | ---: |",
  );
  for (const [name, data, columns, rows, samples, pack, depth, space] of cases) {
    const path = join(folder, "a.tif");
    writeFileSync(path, Buffer.concat(tiff(data, columns, rows, samples, pack)));
    const ours = async () => {
      const picture = await openPicture(path);
      return rasterOf(picture).finally(() => picture.close());
    };
    const theirs = () =>
      sharp(path, { limitInputPixels: false, ignoreIcc: true }).toColourspace(space).raw({ depth }).toBuffer();
    const [one, other] = [await ours(), await theirs()];
    if (!Buffer.from(one.data.buffer, one.data.byteOffset, one.data.byteLength).equals(other))
      throw new Error("Expected equal values.");
    const [own, libvips, plain] = [
      await median(ours),
      await median(theirs),
      await median(async () => readFileSync(path)),
    ];
    const row = [
      name,
      Math.round(other.length / 2 ** 20),
      own.toFixed(0),
      libvips.toFixed(0),
      (own / libvips).toFixed(2),
      plain.toFixed(0),
    ];
    console.log(`| ${row.join(" | ")} |`);
  }
} finally {
  rmSync(folder, { recursive: true });
}

// Files with bytes changed, cut off or doubled: the command line's readers must read them or refuse them in one sentence, in
// bounded time and memory.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import sharp from "sharp";
import { limitMemory } from "../../cli/dist/files/limit.js";
import { openPicture, rasterOf, sizeOf } from "../../cli/dist/files/picture.js";

const PATIENCE_MILLISECONDS = 20_000;
const MOST_PIXELS = 1 << 24;

/** Small files of every format. */
async function originals() {
  const data = Uint8Array.from({ length: 24 * 16 * 3 }, (_, i) => (i * 7) & 255);
  const image = () => sharp(data, { raw: { width: 24, height: 16, channels: 3 } });
  const header = Buffer.alloc(352);
  header.writeInt32LE(348, 0);
  for (const [i, n] of [3, 8, 6, 4, 1, 1, 1, 1].entries()) header.writeInt16LE(n, 40 + 2 * i);
  header.writeInt16LE(2, 70);
  header.writeInt16LE(8, 72);
  for (let i = 0; i < 4; i++) header.writeFloatLE(1, 76 + 4 * i);
  header.writeFloatLE(352, 108);
  header.write("n+1\0", 344, "latin1");
  const nifti = Buffer.concat([header, Buffer.alloc(192, 3)]);
  const npyHeader = `${"{'descr': '|u1', 'fortran_order': False, 'shape': (6, 8), }".padEnd(117)}\n`;
  const npy = Buffer.concat([
    Buffer.from("\x93NUMPY\x01\x00v\x00", "latin1"),
    Buffer.from(npyHeader),
    Buffer.alloc(48, 1),
  ]);
  return {
    ".png": await image().png().toBuffer(),
    ".jpg": await image().jpeg().toBuffer(),
    ".webp": await image().webp().toBuffer(),
    ".gif": await image().gif().toBuffer(),
    ".tif": await image().tiff().toBuffer(),
    ".npy": npy,
    ".nii": nifti,
    ".nii.gz": gzipSync(nifti),
  };
}

/** Checks mutated files until the time is over. */
export async function fuzzFiles(parameters) {
  limitMemory(256 << 20);
  const files = await originals();
  const folder = mkdtempSync(join(tmpdir(), "skerry-fuzz-"));
  const mutation = fc.oneof(
    fc.record({ at: fc.nat(4000), byte: fc.nat(255) }),
    fc.record({ at: fc.nat(4000), byte: fc.constantFrom(0, 255, 127, 128, 1) }),
    fc.record({ cut: fc.nat(4000) }),
    fc.record({ twice: fc.nat(4000) }),
  );
  const property = fc.asyncProperty(
    fc.constantFrom(...Object.keys(files)),
    fc.array(mutation, { minLength: 1, maxLength: 6 }),
    async (ending, mutations) => {
      let bytes = Buffer.from(files[ending]);
      for (const { at, byte, cut, twice } of mutations) {
        if (cut !== undefined) bytes = bytes.subarray(0, cut % (bytes.length + 1));
        else if (twice !== undefined) bytes = Buffer.concat([bytes, bytes.subarray(twice % (bytes.length + 1))]);
        else if (bytes.length > 0) bytes[at % bytes.length] = byte;
      }
      const path = join(folder, `file${ending}`);
      writeFileSync(path, bytes);
      let timer;
      const late = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error(`no end after ${PATIENCE_MILLISECONDS} ms`)), PATIENCE_MILLISECONDS);
      });
      await Promise.race([late, read(path)]).finally(() => clearTimeout(timer));
    },
  );
  try {
    return await fc.check(property, parameters);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function read(path) {
  let picture;
  try {
    picture = await openPicture(path);
    const { width, height, depth } = sizeOf(picture);
    if (width * height * depth <= MOST_PIXELS) await rasterOf(picture);
  } catch (error) {
    if (error.name !== "RunError" && error.name !== "UsageError") throw error;
    if (error.message.length > 400) throw new Error(`a message of ${error.message.length} letters`);
  } finally {
    await picture?.close();
  }
}

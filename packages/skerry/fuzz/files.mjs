// Files with bytes changed, cut off or doubled: the command line's readers must read them or refuse them in one sentence, in
// bounded time and memory.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { openPicture, rasterOf } from "../../files/dist/node/index.js";
import { limitMemory, sizeOf } from "../../files/dist/node/internal.js";
import { originals } from "./originals.mjs";

const PATIENCE_MILLISECONDS = 20_000;
const MOST_PIXELS = 1 << 24;

/** Checks mutated files until the time is over. */
export async function fuzzFiles(parameters) {
  limitMemory(2 ** 30);
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
    fc.record(
      {
        page: fc.constantFrom("all", "largest", "mean", 0, 1, 2),
        channel: fc.constantFrom(0, 1, 3, "alpha", "index", "red"),
        time: fc.nat(2),
        level: fc.nat(1),
        indices: fc.boolean(),
        alpha: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
    async (ending, mutations, options) => {
      let bytes = Buffer.from(files[ending]);
      for (const { at, byte, cut, twice } of mutations) {
        if (cut !== undefined) bytes = bytes.subarray(0, cut % (bytes.length + 1));
        else if (twice !== undefined) bytes = Buffer.concat([bytes, bytes.subarray(twice % (bytes.length + 1))]);
        else if (bytes.length > 0) bytes[at % bytes.length] = byte;
      }
      // A stack has a slice beside the mutated one.
      const path = join(folder, ending.startsWith("/") ? `stack${ending.slice(-4)}` : `file${ending}`);
      if (ending.startsWith("/")) {
        mkdirSync(path, { recursive: true });
        writeFileSync(join(path, ending), bytes);
        writeFileSync(join(path, `other${ending.slice(-4)}`), files[ending]);
      } else {
        writeFileSync(path, bytes);
      }
      let timer;
      const late = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error(`no end after ${PATIENCE_MILLISECONDS} ms`)), PATIENCE_MILLISECONDS);
      });
      await Promise.race([late, read(path, { ...options, volume: true })]).finally(() => clearTimeout(timer));
    },
  );
  try {
    return await fc.check(property, parameters);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function read(path, options) {
  let picture;
  try {
    picture = await openPicture(path, options);
    const { width, height, depth } = sizeOf(picture);
    if (width * height * depth <= MOST_PIXELS) await rasterOf(picture);
  } catch (error) {
    if (!["RunError", "FileError", "UsageError"].includes(error.name)) throw error;
    if (error.message.length > 400) throw new Error(`a message of ${error.message.length} letters`);
  } finally {
    await picture?.close();
  }
}

// One list of picture formats: the page opens those that the command line opens, and both refuse the others.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPicture } from "@skerry/files/node";
import { READERS } from "@skerry/files/node/internal";
import { afterAll, expect, test } from "vitest";
import { kindOfOther } from "../src/files/others.js";
import { kindOf as kindOfFirst } from "../src/files/sniff.js";

const folder = mkdtempSync(join(tmpdir(), "skerry-formats-"));
afterAll(() => rmSync(folder, { recursive: true }));
const bytes = (text: string): Uint8Array => Uint8Array.from(text.padEnd(600, "\0"), (letter) => letter.charCodeAt(0));

const kindOf = (start: Uint8Array): string => {
  const kind = kindOfFirst(start);
  return kind === "none" ? kindOfOther(start) : kind;
};

/** Beginnings of pictures that both know. */
const KNOWN: Readonly<Record<string, string>> = {
  png: "\x89PNG\r\n\x1a\n",
  jpeg: "\xff\xd8\xff\xe0",
  webp: "RIFF\0\0\0\0WEBP",
  gif: "GIF89a",
  tiff: "II*\0\x08\0\0\0",
  avif: "\0\0\0\x1cftypavif",
  heic: "\0\0\0\x1cftypheic",
  pgm: "P5 1 1 255 ",
  npy: "\x93NUMPY\x01\0",
  bmp: "BM\x3a\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0",
};

test.each(Object.entries(KNOWN))("%s is known to page and command line", async (kind, start) => {
  expect(kindOf(bytes(start))).toBe(kind);
  const found = await Promise.all(
    READERS.map((reader) => reader.sniff({ kind: "file", bytes: bytes(start) }, { path: "a" } as never)),
  );
  expect(found.filter(Boolean)).toHaveLength(1);
});

test.each([
  ["ico", "\0\0\x01\0\x01\0"],
  ["pbm", "P4 8 1 a"],
  ["pam", "P7\nWIDTH 1\n"],
  ["svg", "<svg xmlns='http://www.w3.org/2000/svg'/>"],
])("%s is refused by both", async (ending, start) => {
  expect(kindOf(bytes(start))).toBe("none");
  const path = join(folder, `a.${ending}`);
  writeFileSync(path, bytes(start));
  await expect(openPicture(path)).rejects.toThrow(
    /it is (ICO|PBM, or PGM or PPM|PAM|SVG).*, which is not read; save it as PNG or TIFF/,
  );
});

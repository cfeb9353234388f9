// Folders of a test that go with it.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";

/** A new folder, which is removed when the tests of a file end. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "skerry-zarr-"));
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Writes files into a folder, by their keys. */
export function writeFiles(path: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [key, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(path, key)), { recursive: true });
    writeFileSync(join(path, key), bytes);
  }
}

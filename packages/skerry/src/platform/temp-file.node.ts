// A temporary file for data that exceeds the memory limit.

import { randomUUID } from "node:crypto";
import { closeSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TempFile } from "./temp-file.js";

/**
 * Opens an empty file in the system's temporary folder (TMPDIR). If open files can be removed, its name is removed at
 * once, so no other process can open it.
 */
export function openTempFile(): TempFile {
  const path = join(tmpdir(), `skerry-${randomUUID()}`);
  const file = openSync(path, "wx+", 0o600);
  let named = true;
  try {
    unlinkSync(path);
    named = false;
  } catch {
    // Windows keeps the name of a file that is open.
  }
  return {
    read(at, into) {
      let done = 0;
      while (done < into.length) {
        const bytes = readSync(file, into, done, into.length - done, at + done);
        if (bytes === 0) throw new Error(`the temporary file ends at ${at + done} bytes`);
        done += bytes;
      }
    },
    write(at, bytes) {
      for (let done = 0; done < bytes.length; ) {
        done += writeSync(file, bytes, done, bytes.length - done, at + done);
      }
    },
    close() {
      closeSync(file);
      if (named) unlinkSync(path);
    },
  };
}

// Browsers have no temporary files that the engine's thread can read and write at an offset.

import { Unsupported } from "../types/errors.js";
import type { TempFile } from "./temp-file.js";

/** Throws Unsupported. */
export function openTempFile(): TempFile {
  throw new Unsupported("Expected enough memory for the whole map, since a browser has no temporary file for it.");
}

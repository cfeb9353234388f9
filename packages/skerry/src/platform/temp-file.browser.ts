// Browsers have no temporary files that can be read and written by place from where the engine runs.

import { Unsupported } from "../types/errors.js";
import type { TempFile } from "./temp-file.js";

/** Says that there is none. */
export function openTempFile(): TempFile {
  throw new Unsupported("Expected enough memory for the whole map, since a browser has no temporary file for it.");
}

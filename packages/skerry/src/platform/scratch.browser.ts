// Browsers have no temporary files that can be read and written by place from where the engine runs.

import { Unsupported } from "../api/errors.js";
import type { Scratch } from "./scratch.node.js";

export type { Scratch } from "./scratch.node.js";

/** Says that there is none. */
export function openScratch(): Scratch {
  throw new Unsupported("Expected enough memory for the whole map, since a browser has no temporary file for it.");
}

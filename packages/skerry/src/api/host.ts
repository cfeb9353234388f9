// Parts of the engine that handles need: its calls, its router, and how it reads inputs.

import type { Pixels } from "../core/pixels.js";
import type { Router } from "../device/router.js";
import type { Image, Raster, Source } from "../types/raster.js";
import type { Calls } from "./calls.js";

/** Resources of a handle, and the calls that may still use them. */
export interface Owned {
  readonly calls: Calls;
  readonly held: { dispose(): void };
}

/** Parts of the engine that Components need. */
export interface Host {
  readonly calls: Calls;
  readonly router: Router;
  pixels(input: Raster | Image | Source, name: string): Pixels;
}

// What handles need of their engine: its calls, its router, and how it reads inputs.

import type { Pixels } from "../core/pixels.js";
import type { Router } from "../device/router.js";
import type { Image, Raster, Source } from "../types/raster.js";
import type { Calls } from "./calls.js";

/** What a handle held, and the calls that may still use it. */
export interface Owned {
  readonly calls: Calls;
  readonly held: { dispose(): void };
}

/** What Components need of their engine. */
export interface Host {
  readonly calls: Calls;
  readonly router: Router;
  pixels(input: Raster | Image | Source, name: string): Pixels;
}

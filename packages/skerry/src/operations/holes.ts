// The number of holes of each object.

import type { Call } from "../core/call.js";
import { eulerOf, type RegionSums } from "../core/sums.js";
import type { BackendComponents } from "../device/backend.js";
import type { Router } from "../device/router.js";

/**
 * The number of holes of an object in one piece is 1 minus its Euler number. Objects that may touch, such as those with given
 * labels, may have several pieces, so their holes are counted from their outlines.
 */
export async function holesOf(
  router: Router,
  held: BackendComponents,
  { outline }: RegionSums,
  solid: boolean,
  call: Call,
): Promise<Uint32Array> {
  const holes = new Uint32Array(held.count);
  if (held.touching) {
    const { count, label, hole } = await router.serve(
      held,
      "outlines",
      { labels: undefined, tolerance: 0, simple: false },
      call,
    );
    for (let ring = 0; ring < count; ring++) holes[label[ring] - 1] = holes[label[ring] - 1] + hole[ring];
    return holes;
  }
  return outline ? holes.map((_, i) => 1 - eulerOf(outline, i, solid)) : holes;
}

// The largest circle or sphere inside each object. Its centre is the pixel farthest from the background, by the
// distance map of the background. Pixels beyond the border count as background.

import type { Call } from "../core/call.js";
import { planCosts } from "../core/distance-costs.js";
import type { Size } from "../core/pixels.js";
import type { BackendComponents } from "../device/backend.js";
import type { Router } from "../device/router.js";
import { planDistance } from "../options/distance.js";
import { Unsupported } from "../types/errors.js";

/** The squared distance of pixels without background in reach. */
const NONE = 0xffffffff;

/** Radius and centre per object, in units of `scale`; one polarity after the other. */
export async function inscribed(
  router: Router,
  held: BackendComponents,
  scale: readonly [number, number, number],
  call: Call,
): Promise<Float64Array> {
  if (held.touching) {
    throw new Unsupported("Expected components of a threshold for inscribed, got some whose objects may touch.");
  }
  const { width, height, depth, count } = held;
  const size: Size = { width, height, depth };
  const axes = depth > 1 ? 3 : 2;
  const circles = new Float64Array(count * (axes + 1));
  const runs = await router.serve(held, "runs", { grouped: false }, call);
  const polarities = held.polarities === 2 ? await router.serve(held, "polarityOf", undefined, call) : undefined;
  // Integer squares are equal on every device, and so are their correctly rounded roots.
  const { isInteger, unit } = planCosts(
    { max: Number.POSITIVE_INFINITY, metric: "euclidean", small: false },
    size,
    scale,
  );
  const distanceOf = (value: number): number =>
    !isInteger ? value : value === NONE ? Number.POSITIVE_INFINITY : Math.sqrt(value) * unit;
  // A map of floats has rounded distances, so distances to the border are rounded the same way.
  const toBorder = isInteger ? (distance: number) => distance : Math.fround;
  for (const which of polarities ? ([1, 2] as const) : ([0] as const)) {
    const plan = { ...planDistance({ squared: isInteger }, size, scale), invert: true, only: which };
    let run = 0;
    // The sink gets the map in bands of rows, and does not keep them.
    const write = (z0: number, z1: number, y0: number, y1: number, map: Float32Array | Uint32Array): void => {
      const [first, last] = [z0 * height + y0, (z1 - 1) * height + y1];
      for (; run < runs.row.length && runs.row[run] < last; run++) {
        const object = runs.label[run] - 1;
        if (!polarities || polarities[object] === which) takeRun(object, run, map, first);
      }
    };
    await router.serve(held, "distance", { plan, into: { data: { write }, nearest: undefined } }, call);
  }
  return circles;

  /** The largest circle around a pixel of a run; `map` begins with row `first`. */
  function takeRun(object: number, run: number, map: Float32Array | Uint32Array, first: number): void {
    const row = runs.row[run];
    const [y, z] = [row % height, Math.floor(row / height)];
    const beside = Math.min(
      toBorder(Math.min(y + 1, height - y) * scale[1]),
      depth > 1 ? toBorder(Math.min(z + 1, depth - z) * scale[2]) : Number.POSITIVE_INFINITY,
    );
    const slots = object * (axes + 1);
    for (let x = runs.begin[run]; x < runs.end[run]; x++) {
      const inside = Math.min(
        distanceOf(map[(row - first) * width + x]),
        beside,
        toBorder(Math.min(x + 1, width - x) * scale[0]),
      );
      if (inside <= circles[slots]) continue;
      circles[slots] = inside;
      for (let axis = 0; axis < axes; axis++) circles[slots + 1 + axis] = [x, y, z][axis] * scale[axis];
    }
  }
}

// The largest circle or sphere inside each object. Its centre is the pixel farthest from the background, by the
// distance map of the background. Pixels beyond the border count as background.

import { Unsupported } from "../api/errors.js";
import type { Regions } from "../api/types.js";
import type { Call } from "../core/call.js";
import type { Size } from "../core/pixels.js";
import type { BackendComponents } from "../device/backend.js";
import type { Router } from "../device/router.js";
import { planDistance } from "../options/distance.js";

/** What is measured: objects of one class at a time, in units of `scale`. */
export async function inscribed(
  router: Router,
  held: BackendComponents,
  scale: readonly [number, number, number],
  call: Call,
): Promise<Pick<Regions, "inscribedRadius" | "inscribedCentre">> {
  if (held.touching) {
    throw new Unsupported("Expected components of a threshold for inscribed, got some whose objects may touch.");
  }
  const { width, height, depth, count } = held;
  const size: Size = { width, height, depth };
  const axes = depth > 1 ? 3 : 2;
  const radius = new Float64Array(count);
  const centre = new Float64Array(count * axes);
  const { row, begin, end, label } = await held.runs(false, call);
  const classOf = held.classes === 2 ? await held.classOf(call) : undefined;
  const map = new Float32Array(width * height * depth);
  for (const which of classOf ? ([1, 2] as const) : ([0] as const)) {
    const plan = { ...planDistance({}, size, scale), invert: true, only: which };
    await router.distanceOf(held, plan, { data: map, nearest: undefined }, call);
    for (let i = 0; i < row.length; i++) {
      const object = label[i] - 1;
      if (classOf && classOf[object] !== which) continue;
      const place = row[i];
      const [y, z] = [place % height, Math.floor(place / height)];
      const beside = Math.min(
        Math.min(y + 1, height - y) * scale[1],
        depth > 1 ? Math.min(z + 1, depth - z) * scale[2] : Number.POSITIVE_INFINITY,
      );
      for (let x = begin[i]; x < end[i]; x++) {
        const inside = Math.min(map[place * width + x], beside, Math.min(x + 1, width - x) * scale[0]);
        if (inside <= radius[object]) continue;
        radius[object] = inside;
        [x, y, z].slice(0, axes).forEach((n, axis) => {
          centre[object * axes + axis] = n * scale[axis];
        });
      }
    }
  }
  return { inscribedRadius: radius, inscribedCentre: centre };
}

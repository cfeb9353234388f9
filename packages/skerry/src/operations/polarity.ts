// The predicate that separates objects from background, and their polarity: the requested one, or with "auto" the one that
// the image's rim suggests.

import type { Call } from "../core/call.js";
import type { Bits, Pixels } from "../core/pixels.js";
import type { Predicate, WindowPlan } from "../core/plans.js";
import type { Router } from "../device/router.js";
import { polarityOf, ruleOf } from "../options/threshold.js";
import type { Polarity, Threshold } from "../types/threshold.js";

/** Predicate of objects, and the threshold and polarity chosen for it. */
export interface Told {
  readonly predicate: Predicate;
  /** The value of an automatic threshold. */
  readonly threshold: number | undefined;
  readonly polarity: Polarity | "both" | undefined;
}

/** The predicate of a threshold on pixels. With the polarity "auto" the pixels are packed once more. */
export async function tellObjects(
  router: Router,
  pixels: Pixels,
  threshold: Threshold,
  { polarity, within }: { readonly polarity?: Polarity | "auto" | undefined; readonly within: Bits | undefined },
  call: Call,
): Promise<Told> {
  const { predicate, chosen } = await ruleOf(threshold, pixels.shape, () => router.histogram({ pixels, within }, call));
  const bright = predicate(false);
  const isDark = polarity === "auto" ? await hasBrightRim(router, pixels, bright, within, call) : polarity === "dark";
  const side = polarity === undefined || polarity === "bright" ? polarityOf(threshold) : isDark ? "dark" : "bright";
  return { predicate: isDark ? predicate(true) : bright, threshold: chosen, polarity: side };
}

/** Whether more than half of the outermost pixels are bright. */
async function hasBrightRim(
  router: Router,
  input: Pixels,
  predicate: Predicate,
  within: Bits | undefined,
  call: Call,
): Promise<boolean> {
  const connectivity = input.shape.depth > 1 ? 6 : 4;
  const found = await router.components({ input, rule: { ...predicate, within }, connectivity }, call);
  try {
    let [bright, all] = [0, 0];
    for (const window of rimOf(input.shape)) {
      const inside = new Uint32Array(window.width * window.height);
      await found.windowed(window, 0, inside, call);
      for (const one of inside) bright += one;
      all += within ? setIn(within, window) : inside.length;
    }
    return 2 * bright > all;
  } finally {
    found.dispose();
  }
}

/** Windows that cover each outermost pixel once: whole slices, then rows of the other slices, then the rest of the columns. */
function rimOf({ width, height, depth }: Pixels["shape"]): readonly WindowPlan[] {
  const ends = (length: number): number[] => (length > 1 ? [0, length - 1] : [0]);
  const windows: WindowPlan[] = [];
  const solid = depth > 1;
  if (solid) {
    for (const z of ends(depth)) windows.push({ x: 0, y: 0, z, width, height, step: 1, axis: "z" });
    if (depth < 3) return windows;
  }
  const [z, slices] = solid ? [1, depth - 2] : [0, 1];
  const columns = { z, height: slices, step: 1 };
  for (const y of ends(height)) {
    windows.push(solid ? { ...columns, x: 0, y, width, axis: "y" } : { ...columns, x: 0, y, width, axis: "z" });
  }
  if (height < 3) return windows;
  for (const x of ends(width)) {
    windows.push(
      solid
        ? { ...columns, x, y: 1, width: height - 2, axis: "x" }
        : { x, y: 1, z, width: 1, height: height - 2, step: 1, axis: "z" },
    );
  }
  return windows;
}

/** Pixels of a window that are in a mask. */
function setIn({ bits, width, height }: Bits, window: WindowPlan): number {
  const words = Math.ceil(width / 32);
  let set = 0;
  for (let j = 0; j < window.height; j++) {
    for (let i = 0; i < window.width; i++) {
      const x = window.x + (window.axis === "x" ? 0 : i);
      const y = window.y + (window.axis === "x" ? i : window.axis === "y" ? 0 : j);
      const z = window.z + (window.axis === "z" ? 0 : j);
      set += (bits[(z * height + y) * words + (x >> 5)] >>> (x & 31)) & 1;
    }
  }
  return set;
}

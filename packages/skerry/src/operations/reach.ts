// The fill of a wand at a tolerance: the union of fills of its planes of differences, one from each seed.

import type { Call } from "../core/call.js";
import type { BackendImage, Bits, Pixels, Shape } from "../core/pixels.js";
import type { WandPlan } from "../core/plans.js";
import type { BackendComponents } from "../device/backend.js";
import type { Router } from "../device/router.js";
import { planReach } from "../options/wand.js";

/** The components of all pixels that differ from a seed by at most the tolerance and, if the plan is contiguous, join it. */
export async function reach(
  router: Router,
  planes: readonly BackendImage[],
  shape: Shape,
  plan: WandPlan,
  tolerance: number,
  call: Call,
): Promise<BackendComponents> {
  const { connectivity } = plan;
  const inputs = planes.map((image): Pixels => ({ kind: "image", shape, image }));
  if (!plan.contiguous) {
    const rule = { any: false, intervals: [{ lo: 0, hi: tolerance, invert: false }] };
    return router.components({ input: inputs[0], rule, connectivity }, call);
  }
  const fillOf = (i: number): Promise<BackendComponents> =>
    router.fill({ pixels: inputs[i], plan: planReach(plan, i, tolerance, shape) }, call);
  if (inputs.length === 1) return fillOf(0);
  let union: Bits | undefined;
  for (const i of inputs.keys()) {
    const found = await fillOf(i);
    try {
      const foundBits = await found.bits(call);
      if (!union) union = foundBits;
      else for (let word = 0; word < foundBits.bits.length; word++) union.bits[word] |= foundBits.bits[word];
    } finally {
      found.dispose();
    }
  }
  return router.components({ input: union as Bits, rule: { any: false, intervals: [] }, connectivity }, call);
}

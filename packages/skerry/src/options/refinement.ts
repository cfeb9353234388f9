// What happens to components before they are returned, in this order: morphology, holes, the filter, growth. Each step
// makes new components; those between two steps are disposed.

import { InvalidArgument } from "../api/errors.js";
import type { ComponentsOptions } from "../api/types.js";
import type { Call } from "../core/call.js";
import type { Size } from "../core/pixels.js";
import type { Stages } from "../core/progress.js";
import { EXPAND_STAGES, FILTER_STAGES, MORPHOLOGY_STAGES } from "../core/progress.js";
import type { BackendComponents } from "../device/backend.js";
import type { Router } from "../device/router.js";
import { flag } from "./arguments.js";
import { checkFilter } from "./filter.js";
import { planExpand, planMorphology } from "./morphology.js";

/** One step, with the stages of its progress. */
export interface RefinementStep {
  readonly stages: Stages;
  readonly take: (router: Router, held: BackendComponents, call: Call) => Promise<BackendComponents>;
}

const MORPHOLOGY = ["open", "close", "erode", "dilate"] as const;

/** The steps that the options of `components()` tell. */
export function planRefinement(
  options: ComponentsOptions,
  size: Size,
  spacing: readonly [number, number, number],
): readonly RefinementStep[] {
  const { physical = false, expand, by } = options;
  flag("physical", physical);
  const steps: RefinementStep[] = [];
  for (const operation of MORPHOLOGY) {
    const radius = options[operation];
    if (radius === undefined) continue;
    if (by !== undefined) {
      throw new InvalidArgument(`Expected no ${operation} with by, whose objects it would join.`, {
        argument: operation,
      });
    }
    const plan = planMorphology(operation, radius, { physical }, size, spacing);
    steps.push({ stages: MORPHOLOGY_STAGES, take: (router, held, call) => router.morphologyOf(held, plan, call) });
  }
  const { holes, filter } = checkFilter(options);
  if (holes) {
    steps.push({ stages: MORPHOLOGY_STAGES, take: (router, held, call) => router.fillSlicesOf(held, holes, call) });
  }
  if (filter) steps.push({ stages: FILTER_STAGES, take: (_, held, call) => held.filter(filter, call) });
  if (expand !== undefined) {
    const plan = planExpand(expand, { physical }, spacing);
    steps.push({ stages: EXPAND_STAGES, take: (router, held, call) => router.expandOf(held, plan, call) });
  }
  return steps;
}

/** Takes the steps; disposes of the components given and of those in between. */
export async function refine(
  router: Router,
  found: BackendComponents,
  steps: readonly RefinementStep[],
  call: Call,
): Promise<BackendComponents> {
  let held = found;
  for (const { take } of steps) {
    const before = held;
    held = await take(router, before, call).finally(() => before.dispose());
  }
  return held;
}

// Refinement of components before they are returned, in this order: morphology, holes, parts, the filter, growth. Each step
// makes new components; those between two steps are disposed.

import type { Call } from "../core/call.js";
import type { Pixels, Size } from "../core/pixels.js";
import { keepsAll } from "../core/plans.js";
import type { Stages } from "../core/progress.js";
import { EXPAND_STAGES, FILTER_STAGES, MORPHOLOGY_STAGES, REGION_STAGES, SPLIT_STAGES } from "../core/progress.js";
import type { BackendComponents, Making, PlanOf } from "../device/backend.js";
import type { Router } from "../device/router.js";
import { atLeastZero, flag, unexpected } from "../options/arguments.js";
import { checkFilter, NO_FILTER } from "../options/filter.js";
import { planExpand, planMorphology } from "../options/morphology.js";
import { checkOptions } from "../options/names.js";
import { planAbsorb, planSplit } from "../options/split.js";
import type { ComponentsOptions } from "../types/components.js";
import { InvalidArgument } from "../types/errors.js";
import type { Image, Raster } from "../types/raster.js";
import { divide, giveAway } from "./division.js";

/** One step, with the stages of its progress. */
export interface RefinementStep {
  readonly stages: Stages;
  readonly take: (router: Router, held: BackendComponents, call: Call) => Promise<BackendComponents>;
}

/** A step that is one product of components. */
const makes =
  <N extends Making>(name: N, plan: PlanOf<N>): RefinementStep["take"] =>
  async (router, held, call) =>
    (await router.make(held, name, plan, call)).components;

const MORPHOLOGY = ["open", "close", "erode", "dilate"] as const;

/** The steps that the options of `components()` request. */
export function planRefinement(
  options: ComponentsOptions,
  size: Size,
  spacing: readonly [number, number, number],
  read: (input: Raster | Image, name: string) => Pixels,
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
    steps.push({ stages: MORPHOLOGY_STAGES, take: makes("morphology", plan) });
  }
  const { holes, filter } = checkFilter(options);
  for (const plan of holes) {
    steps.push({ stages: MORPHOLOGY_STAGES, take: makes("fillSlices", plan) });
  }
  const parted = options.split !== undefined && options.split !== false;
  // Holes are filled before objects are split or merged, and the other filters follow afterwards.
  const divided = parted || options.absorb !== undefined;
  const complete =
    filter?.fillHoles && divided ? { ...NO_FILTER, fillHoles: true, maxHoleArea: filter.maxHoleArea } : undefined;
  if (complete) steps.push({ stages: FILTER_STAGES, take: makes("filter", complete) });
  if (parted) steps.push(splitStep(options, size, spacing, read));
  if (options.absorb !== undefined) {
    if (!(options.absorb > 0)) throw unexpected("absorb", "a number above 0", options.absorb);
    const plan = planAbsorb({ minArea: options.absorb });
    steps.push({
      stages: REGION_STAGES,
      take: async (router, held, call) => (await giveAway(router, held, plan, call)).components,
    });
  }
  const left = complete && filter ? { ...filter, fillHoles: false } : filter;
  if (left && !(complete && keepsAll(left))) {
    steps.push({ stages: FILTER_STAGES, take: makes("filter", left) });
  }
  if (expand !== undefined) {
    const plan = planExpand(expand, { physical }, spacing);
    steps.push({ stages: EXPAND_STAGES, take: makes("expand", plan) });
  }
  return steps;
}

function splitStep(
  { split, physical = false, by }: ComponentsOptions,
  size: Size,
  spacing: readonly [number, number, number],
  read: (input: Raster | Image, name: string) => Pixels,
): RefinementStep {
  if (by !== undefined) {
    throw new InvalidArgument("Expected no split with by, whose objects may touch.", { argument: "split" });
  }
  const given = split === true ? {} : typeof split === "number" ? { h: split } : split;
  if (typeof given !== "object" || given === null) throw unexpected("split", "true, a number h or options", split);
  checkOptions("split", given);
  const plan = planSplit({ physical, ...given }, size, spacing, read);
  const least = atLeastZero("split.minArea", given.minArea ?? 0);
  return {
    stages: SPLIT_STAGES,
    take: async (router, held, call) => (await divide(router, held, plan, least, call)).components,
  };
}

/** Runs the steps; disposes of the given components and of those between two steps. */
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

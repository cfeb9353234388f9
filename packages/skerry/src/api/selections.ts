// Selections as sets of pixels: unions, intersections and differences of masks and components, and masks grown or shrunk.

import { type Bits, type Size, sizeText } from "../core/pixels.js";
import { MORPHOLOGY_STAGES } from "../core/progress.js";
import { unexpected } from "../options/arguments.js";
import { planMorphology } from "../options/morphology.js";
import { checkOptions } from "../options/names.js";
import { checkMask, checkSpacing, isMask, sameSize } from "../options/pixels.js";
import { type Combination, combine } from "../results/selections.js";
import type { CallOptions } from "../types/calls.js";
import { InvalidArgument } from "../types/errors.js";
import type { MorphologyOptions } from "../types/morphology.js";
import type { Mask } from "../types/raster.js";
import { Components } from "./components.js";
import type { Host } from "./host.js";

/** Selected pixels: a mask, or the pixels of objects. */
export type Selection = Mask | Components;

/** A mask that calls return: its depth is known. */
type SolidMask = Mask & { depth: number };

/** Implements `engine.union()`, `intersection()` and `difference()`. @internal */
export async function combineSelections(
  host: Host,
  combination: Combination,
  selections: readonly Selection[],
  options: CallOptions,
): Promise<SolidMask> {
  if (!Array.isArray(selections) || selections.length === 0) {
    throw unexpected("selections", "a list of at least one mask or components", selections);
  }
  checkOptions(combination, options);
  // Every selection is checked before the first is read.
  const given = Array.from(selections as readonly Selection[], (selection) =>
    selection instanceof Components ? selection : maskOf(selection),
  );
  const [{ width, height, depth }] = given;
  for (const selection of given) {
    if (sameSize(selection, { width, height, depth })) continue;
    throw new InvalidArgument(
      `Expected selections of one size, got ${sizeText(selection)} beside ${sizeText({ width, height, depth })}.`,
      { argument: "selections" },
    );
  }
  const spacing = checkSpacing(selections[0].spacing, "the selection");
  const { signal } = options;
  const masks: Bits[] = [];
  for (const selection of given) {
    masks.push(selection instanceof Components ? checkMask(await selection.mask(signal ? { signal } : {})) : selection);
  }
  return host.calls.run(options, async (call) => {
    return { bits: await combine(combination, masks, call), width, height, depth, spacing };
  });
}

/** Implements `engine.dilate()` and `engine.erode()` by the components of the mask; their labels are not used. @internal */
export async function changeMask(
  host: Host,
  operation: "dilate" | "erode",
  mask: Mask,
  radius: number,
  options: MorphologyOptions,
): Promise<SolidMask> {
  checkOptions(operation, options);
  if (mask instanceof Components) {
    throw new InvalidArgument(`Expected a mask, got components; use components.${operation}().`, { argument: "mask" });
  }
  if (typeof mask !== "object" || mask === null || !isMask(mask)) throw unexpected("the mask", "a mask", mask);
  const input = checkMask(mask);
  const spacing = checkSpacing(mask.spacing, "the mask");
  const plan = planMorphology(operation, radius, options, input, spacing);
  const { width, height, depth }: Size = input;
  const connectivity = depth > 1 ? 6 : 4;
  return host.calls.run(
    options,
    async (call) => {
      const found = await host.router.components({ input, rule: { any: false, intervals: [] }, connectivity }, call);
      try {
        const { components } = await host.router.make(found, "morphology", plan, call);
        const bits = new Uint32Array(input.bits.length);
        await host.router.serve(components, "mask", { which: 0, into: bits }, call).finally(() => components.dispose());
        return { bits, width, height, depth, spacing };
      } finally {
        found.dispose();
      }
    },
    MORPHOLOGY_STAGES,
  );
}

function maskOf(selection: Mask): Bits {
  if (typeof selection !== "object" || selection === null || !isMask(selection)) {
    throw unexpected("the selection", "a mask or components", selection);
  }
  return checkMask(selection);
}

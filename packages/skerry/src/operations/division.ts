// Splits of objects into parts, and merges of small areas into neighbours. The resulting objects may touch.

import type { Call } from "../core/call.js";
import type { AbsorbPlan, WatershedPlan } from "../core/plans.js";
import type { BackendComponents } from "../device/backend.js";
import type { Router } from "../device/router.js";
import { absorbAreas } from "../results/absorb.js";
import { contactsOf } from "../results/contacts.js";
import { Unsupported } from "../types/errors.js";
import type { Runs } from "../types/labels.js";

/** New components. `parent` has the origin of each new object after a split, and the new label of each old one after a merge. */
export interface Divided {
  readonly components: BackendComponents;
  readonly parent: Uint32Array;
}

/** Splits objects, and merges parts of fewer than `minArea` pixels again. `parent` has the object of each part. */
export async function divide(
  router: Router,
  held: BackendComponents,
  plan: WatershedPlan,
  minArea: number,
  call: Call,
): Promise<Divided> {
  if (held.touching || held.polarities === 2) {
    throw new Unsupported(
      "Expected components of one polarity that cannot touch to split, got objects that may touch.",
    );
  }
  const { components, origins: parents = new Uint32Array() } = await router.make(held, "split", plan, call);
  if (minArea <= 1) return { components, parent: parents };
  try {
    const { components: left, labels } = await merged(router, components, { minArea, into: "border" }, call);
    return { components: left, parent: labels.map((label) => parents[label - 1]) };
  } finally {
    components.dispose();
  }
}

/** Merges small areas into neighbours. `parent` has, for each old area, its label in the result. */
export async function giveAway(
  router: Router,
  held: BackendComponents,
  plan: AbsorbPlan,
  call: Call,
): Promise<Divided> {
  const { components, labels, into } = await merged(router, held, plan, call);
  const numbers = new Uint32Array(held.count + 1);
  labels.forEach((label, i) => {
    numbers[label] = i + 1;
  });
  return { components, parent: into.map((label) => numbers[label]) };
}

async function merged(
  router: Router,
  held: BackendComponents,
  plan: AbsorbPlan,
  call: Call,
): Promise<{ components: BackendComponents; labels: Uint32Array; into: Uint32Array }> {
  const { width, height, depth } = held;
  const { area } = await router.regions(held, { level: "area", solid: depth > 1 || held.touching }, call);
  const table = await router.serve(held, "runs", { grouped: false }, call);
  const runs: Runs = { ...table, count: table.row.length, width, height, depth };
  const contacts = await contactsOf(runs, held, call.signal ? { signal: call.signal } : {});
  const into = await absorbAreas(area, contacts, plan, call);
  const { components, origins: labels = new Uint32Array() } = await router.make(held, "merge", into, call);
  return { components, labels, into };
}

// The predicate that separates objects from background, and their polarity: the requested one, or with "auto" the one that
// samples of the pixels suggest.

import { areObjectsDark } from "../core/background.js";
import type { Call } from "../core/call.js";
import type { Bits, Pixels } from "../core/pixels.js";
import type { Predicate } from "../core/plans.js";
import type { Router } from "../device/router.js";
import { polarityOf, ruleOf } from "../options/threshold.js";
import type { Polarity, Threshold } from "../types/threshold.js";
import { samplesOf } from "./samples.js";

/** Predicate of objects, and the threshold and polarity chosen for it. */
export interface Told {
  readonly predicate: Predicate;
  /** The value of an automatic threshold. */
  readonly threshold: number | undefined;
  readonly polarity: Polarity | "both" | undefined;
}

/** The predicate of a threshold on pixels. With the polarity "auto" some rows are read. */
export async function tellObjects(
  router: Router,
  pixels: Pixels,
  threshold: Threshold,
  { polarity, within }: { readonly polarity?: Polarity | "auto" | undefined; readonly within: Bits | undefined },
  call: Call,
): Promise<Told> {
  const { predicate, chosen, isFlat } = await ruleOf(threshold, pixels.shape, () =>
    router.histogram({ pixels, within }, call),
  );
  const bright = predicate(false);
  const isDark =
    polarity === "auto"
      ? !isFlat && areObjectsDark(await samplesOf(router, pixels, within, call), chosen)
      : polarity === "dark";
  const side = polarity === undefined || polarity === "bright" ? polarityOf(threshold) : isDark ? "dark" : "bright";
  return { predicate: isDark ? predicate(true) : bright, threshold: chosen, polarity: side };
}

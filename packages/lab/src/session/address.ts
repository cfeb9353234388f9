// Writes the recipe into the page's address, so that the address can be copied at any time.

import type { Recipe } from "../settings/recipe.js";
import { hashOf } from "./url.js";

const PAUSE_MILLISECONDS = 500;
/** History state of addresses that the page wrote itself: stored work is newer than these. */
const OURS = { skerry: "written" };

let timer: ReturnType<typeof setTimeout> | undefined;
let newest: Recipe | undefined;

/** Whether this page wrote the address, rather than the user. */
export const isOurs = (): boolean => (history.state as typeof OURS | null)?.skerry === OURS.skerry;

/** Writes settings into the address after a pause. If they are too long for a link, the address gets no hash. */
export function remember(settings: Recipe): void {
  newest = settings;
  if (timer !== undefined) return;
  timer = setTimeout(async () => {
    timer = undefined;
    const { pathname, search } = location;
    const latest = newest;
    const hash = latest && (await hashOf(latest));
    if (latest === newest) history.replaceState(OURS, "", hash ?? `${pathname}${search}`);
  }, PAUSE_MILLISECONDS);
}

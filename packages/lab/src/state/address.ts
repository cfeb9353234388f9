// The address follows the recipe, so that it can be copied at any time; and the recipe follows an address that is put into the tab.

import type { Recipe } from "./recipe.js";
import { hashOf } from "./url.js";

const PAUSE_MILLISECONDS = 500;
/** Mark of addresses that the page wrote itself: what is stored is newer than they are. */
const OURS = { skerry: "written" };

let timer: ReturnType<typeof setTimeout> | undefined;
let newest: Recipe | undefined;

/** Whether this page wrote the address, rather than a reader. */
export const isOurs = (): boolean => (history.state as typeof OURS | null)?.skerry === OURS.skerry;

/** Puts settings into the address, soon; those that are too long for a link leave none there. */
export function remember(settings: Recipe): void {
  newest = settings;
  if (timer !== undefined) return;
  timer = setTimeout(async () => {
    timer = undefined;
    const { pathname, search } = location;
    const told = newest;
    const hash = told && (await hashOf(told));
    if (told === newest) history.replaceState(OURS, "", hash ?? `${pathname}${search}`);
  }, PAUSE_MILLISECONDS);
}

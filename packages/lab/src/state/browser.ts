// localStorage and sessionStorage, which users and frames may forbid, and the page around this one.

/** The origin of the page that shows this one within it, as ./?embed=ORIGIN; null on its own. Such a page keeps nothing for later. */
export const EMBEDDER = new URLSearchParams(globalThis.location?.search).get("embed");

type Area = "localStorage" | "sessionStorage";

/** The storage of an area, unless this page is within another one. */
const storage = (area: Area): Storage | undefined => (EMBEDDER === null ? globalThis[area] : undefined);

/** The text under a name; undefined if there is none, or no storage. */
export function readText(area: Area, name: string): string | undefined {
  try {
    return storage(area)?.getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores a text, if there is a storage. */
export function writeText(area: Area, name: string, text: string): void {
  try {
    storage(area)?.setItem(name, text);
  } catch {
    // Forbidden, or full: the page goes on without.
  }
}

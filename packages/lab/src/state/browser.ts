// localStorage and sessionStorage, which users and frames may forbid.

type Area = "localStorage" | "sessionStorage";

/** The text under a name; undefined if there is none, or no storage. */
export function readText(area: Area, name: string): string | undefined {
  try {
    return globalThis[area]?.getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Stores a text, if there is a storage. */
export function writeText(area: Area, name: string, text: string): void {
  try {
    globalThis[area]?.setItem(name, text);
  } catch {
    // Forbidden, or full: the page goes on without.
  }
}

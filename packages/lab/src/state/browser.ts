// The browser's small storages, which readers and frames may forbid.

type Area = "localStorage" | "sessionStorage";

/** The text under a name; undefined where there is none, or no storage. */
export function readText(area: Area, name: string): string | undefined {
  try {
    return globalThis[area]?.getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a text, where there is a storage. */
export function writeText(area: Area, name: string, text: string): void {
  try {
    globalThis[area]?.setItem(name, text);
  } catch {
    // Forbidden, or full: the page goes on without.
  }
}

// Faults of JSON that a parser does not find: repeated names, of which it silently keeps the last, and lists within lists without an end,
// on which code that calls itself fails.

/** A string of JSON, or a bracket, or a comma. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/**
 * The first name that an object of a JSON text holds twice; undefined if there is none. O(text).
 * @param text JSON without faults
 */
export function repeatedName(text: string): string | undefined {
  // The names of every open object; undefined stands for a list.
  const open: (Set<string> | undefined)[] = [];
  let last = "";
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === "{") open.push(new Set());
    else if (token === "[") open.push(undefined);
    else if (token === "}" || token === "]") open.pop();
    else if (token === ":") {
      const name = JSON.parse(last) as string;
      const names = open.at(-1);
      if (names?.has(name)) return name;
      names?.add(name);
    } else if (token !== ",") last = token;
  }
  return undefined;
}

/** Objects and lists within each other that a recipe or a plan may have; the deepest that are right have eight. */
const MOST_DEPTH = 32;

/** Whether a value has more objects and lists within each other than any recipe. O(value), by a list of its own instead of calls. */
export function isDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MOST_DEPTH) return true;
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item !== "object" || item === null) continue;
      for (const part of Object.values(item)) if (typeof part === "object" && part !== null) next.push(part);
    }
    level = next;
  }
  return false;
}
